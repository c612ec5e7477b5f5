"""How terms are used on pages on topic: their spellings, sentences and neighbouring concepts."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from ontology.lexicon.lexicon import Lexicon, Word
from ontology.lexicon.surface_forms import surface_forms
from ontology.proposals.proposal import Sentence
from semantic.candidates.own_text import OwnTexts
from semantic.page import PARAGRAPH
from semantic.proposals.naming_patterns import NameRelation, said
from semantic.terms.term_matching import Matcher, TermHit

# sentences shown with a proposal
SENTENCES = 3
SHOWN = 200  # characters of a sentence
_HELD = 12  # sentences stored for a term, from which those to show are chosen; chosen, not measured
BESIDE = 30  # characters before and behind a term, by which two sentences are told apart; chosen, not measured
LITTLE = 10  # characters on a side that are too few for that; chosen, not measured
_REACH = 60  # characters between two names, at most, for a pattern to apply; chosen, not measured
_SENTENCE_ENDS = re.compile(r"[。！？；.!?\u2029](?:(?<=[.!?])\s+|(?<![.!?]))")  # one class first: it is found fast


@dataclass(slots=True)
class Context:
    """The uses of one term.

    - `written`: spellings. `languages`: of its pages. `on`: number of pages on topic with it.
    - `pages`: concept -> pages on topic that mention both. `near`: concept -> sentences that mention both.
    - `said`: (concept, statement) -> how often a text makes it (`semantic.proposals.naming_patterns`).
    - `sentences`: (relevance of the page, sentence).
    - `hosts`: of its pages. `texts`: pages on which no sentence stands around it as on a page before; an article and
      its copies on listings are one text. `around`: hashes of what stands before and behind it.
    """

    written: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    on: int = 0
    pages: Counter[str] = field(default_factory=Counter)
    near: Counter[str] = field(default_factory=Counter)
    said: Counter[tuple[str, NameRelation]] = field(default_factory=Counter)
    sentences: list[tuple[float, Sentence]] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    texts: int = 0
    around: set[int] = field(default_factory=set)

    @property
    def is_said_apart(self) -> bool:
        """Whether two hosts, or two texts that are no copies of each other, say it."""
        return len(self.hosts) > 1 or self.texts > 1

    def add_text(self, host: str, around: set[int]) -> None:
        """Note a page that says it."""
        self.hosts.add(host)
        self.texts += self.around.isdisjoint(around)
        self.around |= around

    def beside(self, most: int) -> tuple[tuple[str, int], ...]:
        """The concepts on most of its pages, with the number of these."""
        return tuple(sorted(self.pages.items(), key=lambda pair: (-pair[1], pair[0]))[:most])

    def shown(self) -> tuple[Sentence, ...]:
        """The sentences to show: from the most relevant pages, one from each."""
        best = sorted(self.sentences, key=lambda pair: (-pair[0], pair[1].url))
        return tuple({pair[1].url: pair[1] for pair in reversed(best)}.values())[::-1][:SENTENCES]


@dataclass(frozen=True, slots=True)
class Contexts:
    """`of`: key of the term -> its uses; `concepts`: concept -> number of pages on topic that mention it."""

    of: Mapping[str, Context]
    concepts: Mapping[str, int]


def terms_matcher(keys: Sequence[str]) -> Matcher:
    """A matcher for terms; `TermHit.words` are indices into `keys`."""
    forms: dict[str, tuple[int, ...]] = {}
    for number, key in enumerate(keys):
        for form in surface_forms(key, None):
            forms.setdefault(form, (number,))
    return Matcher(Lexicon(tuple(Word(key, None, ()) for key in keys), forms))


def read_contexts(
    texts: OwnTexts,
    keys: Sequence[str],
    concepts: Matcher,
    of_word: Sequence[tuple[str, ...]],
    languages: Sequence[str],
) -> Contexts:
    """Collect the uses of terms. `concepts`: the ontology's matcher; `of_word`: concepts of each of its words;
    `languages`: of the pages.
    """
    if not keys:
        return Contexts({}, {})
    terms = terms_matcher(keys)
    found: defaultdict[str, Context] = defaultdict(Context)
    counted: Counter[str] = Counter()
    for number, page in enumerate(texts.pages):
        if not page.counts_for:
            continue
        text = PARAGRAPH.join(texts.blocks(number))
        mentions = concepts.find(text)
        mentioned = {concept for hit in mentions for word in hit.words for concept in of_word[word]}
        counted.update(mentioned)
        own: dict[str, set[int]] = {}
        for start, end, hits, beside in _sentences(text, terms.find(text), mentions):
            for hit in hits:
                key = keys[hit.words[0]]
                context = found[key]
                context.written[text[hit.start : hit.end]] += 1
                around = own.get(key, set())
                if key not in own:
                    own[key] = around
                    context.on += 1
                    context.languages[languages[number]] += 1
                    context.pages.update(mentioned)
                    if len(context.sentences) < _HELD or page.relevance > context.sentences[-1][0]:
                        sentence = Sentence(_shortened(text, start, end, hit), page.url)
                        context.sentences.append((page.relevance, sentence))
                around |= _around(text, start, end, hit)
                _note(context, text[:end], hit, beside, of_word)
        for key, around in own.items():
            found[key].add_text(texts.hosts[number], around)
    return Contexts(found, counted)


def _around(text: str, start: int, end: int, hit: TermHit) -> set[int]:
    """Hashes of what stands before and behind a term in its sentence; of the whole sentence where that is little. An
    excerpt may be cut at one side.
    """
    before, behind = text[max(start, hit.start - BESIDE) : hit.start], text[hit.end : min(end, hit.end + BESIDE)]
    told = [side.strip() for side in (before, behind) if len(side.strip()) >= LITTLE]
    return {crc32(side.encode("utf-8", "surrogatepass")) for side in told or [text[start:end].strip()]}


def _sentences(
    text: str, terms: Sequence[TermHit], mentions: Sequence[TermHit]
) -> list[tuple[int, int, list[TermHit], list[TermHit]]]:
    """Start, end, terms and mentions of each sentence with a term."""
    if not terms:
        return []
    ends = [match.end() for match in _SENTENCE_ENDS.finditer(text)] + [len(text)]
    found = []
    start, first, second = 0, 0, 0
    for end in ends:
        own, beside = [], []
        while first < len(terms) and terms[first].start < end:
            own.append(terms[first])
            first += 1
        while second < len(mentions) and mentions[second].start < end:
            beside.append(mentions[second])
            second += 1
        if own:
            found.append((start, end, own, beside))
        start = end
    return found


def _note(
    context: Context, text: str, term: TermHit, beside: Sequence[TermHit], of_word: Sequence[tuple[str, ...]]
) -> None:
    """Record the concepts in a term's sentence, and what is said of both. `text`: the text up to the sentence's end."""
    near = set()
    for hit in beside:
        concepts = {concept for word in hit.words for concept in of_word[word]}
        near |= concepts
        first, second = sorted((term, hit), key=lambda one: one.start)
        if first.end > second.start or second.start - first.end > _REACH:
            continue
        statement = said(
            text[first.start : first.end],
            text[first.end : second.start],
            text[second.start : second.end],
            text[second.end :],
        )
        if statement and hit is first:
            statement = _turned(statement)
        if statement:
            context.said.update((concept, statement) for concept in concepts)
    context.near.update(near)


def _turned(statement: NameRelation) -> NameRelation:
    """The same statement with the two names swapped, so that the term is always the first."""
    return {
        NameRelation.SECOND_NARROWER: NameRelation.FIRST_NARROWER,
        NameRelation.FIRST_NARROWER: NameRelation.SECOND_NARROWER,
    }.get(statement, statement)


def _shortened(text: str, start: int, end: int, hit: TermHit) -> str:
    if end - start > SHOWN:
        start = max(start, hit.start - SHOWN // 2)
        end = min(end, start + SHOWN)
    return " ".join(text[start:end].replace(PARAGRAPH, " ").split())
