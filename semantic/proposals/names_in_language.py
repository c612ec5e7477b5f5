"""Names that concepts lack in the language of most pages: terms of these pages, with what connects each to a concept.

    score = sum of WEIGHTS x evidence

A term is connected with a concept because it stands in brackets beside one of its names
(`semantic.proposals.bracketed_names`), because a dictionary translates a name, or its parts, so
(`semantic.proposals.composed_names`), or because a sentence encoder puts it near a name. How often results say it,
against other pages, tells the senses of a word apart: container is 容器 on pages about Docker, and not 集装箱. The
weights were learned by logistic regression from terms that a person judged (benchmarks/names.md). Words that stand
directly before a name, without brackets, were tried too, and added nothing.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontology.concepts import Label, Ontology
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from ontology.thesauri.entries import Entry, Wanted, language_of, wanted_words
from ontology.topic import Topic
from semantic.analyst import concepts_of
from semantic.candidates.marked_words import MarkedWords
from semantic.candidates.own_text import OwnTexts, ReadPage
from semantic.candidates.phrase_counts import LONGEST, pages_with
from semantic.candidates.term_candidates import LONGEST_HAN, CandidateTerm, CountedRuns, count_pages, find_terms
from semantic.candidates.token_stream import TokenStream, is_han, joined
from semantic.candidates.written_names import name_shares
from semantic.languages.sentence_encoder import SentenceEncoder
from semantic.parsing.page_reader import unpack
from semantic.proposals.bracketed_names import Bracketed, bracketed, without_shorter
from semantic.proposals.composed_names import Words, composed, parts_of
from semantic.proposals.doubtful_words import surprise
from semantic.proposals.suggestions import BESIDE, within
from semantic.proposals.term_contexts import SENTENCES, read_contexts
from semantic.segmentation.word_segmentation import Segmenter, by_dictionary
from semantic.terms.bag_of_words import stop_words
from semantic.terms.term_matching import Matcher

Dictionary = Callable[[Wanted], Iterable[Entry]]
"""Gives what a source has for some words (`ontology.thesauri.source_reading`)."""

Numbers = NDArray[np.int64]

EACH = 3  # names proposed for a concept
NEAREST = 12  # terms looked at for each concept by meaning alone; chosen, not measured
EVERY = 5000  # terms of the pages that are compared by meaning: all that have been looked at (`CHOSEN` there)
# pages that must say what stands in brackets beside a name; and have it beside a part of a name, if that is to be a
# translation of the part; chosen, not measured
TWICE = 2
# With an encoder, and without one. The first were learned on eight tasks (linuxcn, archwiki/networking,
# blogs-a/film_tv), and so were the second, where those of brackets were then lowered until half is right of what has no
# other evidence
WEIGHTS = {
    "begin": (-9.7, -3.0),
    "bracketed": (5.0, 1.0),  # ln(1 + pages)
    "translated": (5.8, 3.2),  # 1 for a name, 0.5 for one put together of its parts
    "closeness": (9.0, 0.0),  # cosine to the nearest of the concept's names
    "behind": (7.8, 0.0),  # that, minus the closeness of the nearest term
    "exclusive": (0.35, 0.6),  # ln of the odds of its pages to be results, against all pages
    "pages": (0.35, 0.1),  # ln(1 + pages)
}
LIKELY = math.log(0.3 / 0.7)  # score from which a term is proposed: .7 of those are right (benchmarks/names.md)
_NAMING = ("name", "synonym")


@dataclass(slots=True)
class Tie:
    """What connects a term with a concept's names, apart from its meaning. `parts`: see `Evidence`; `entry`: of a
    dictionary, if it has the whole name.
    """

    beside: Bracketed | None = None
    parts: int = 0
    entry: Entry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A term and a concept. `on`, `off`: see `CandidateTerm`; `closeness`: see `Evidence`; `behind`: that, minus the
    closeness of the nearest term; `is_near`: whether these two are known. `exclusive`: see `WEIGHTS`.
    """

    concept: str
    key: str
    on: int
    off: int
    exclusive: float
    tie: Tie
    closeness: float
    behind: float
    is_near: bool

    @property
    def bracketed(self) -> int:
        """Number of pages that have it in brackets beside a name."""
        return len(self.tie.beside.pages) if self.tie.beside else 0

    @property
    def evidence(self) -> dict[str, float]:
        """The values that `WEIGHTS` weigh."""
        return {
            "begin": 1.0,
            "bracketed": math.log1p(self.bracketed),
            "translated": 1.0 if self.tie.parts == 1 else 0.5 * bool(self.tie.parts),
            "closeness": self.closeness,
            "behind": self.behind,
            "exclusive": self.exclusive,
            "pages": math.log1p(self.on + self.off),
        }

    @property
    def score(self) -> float:
        """The logarithm of the odds that a person would keep it."""
        return sum(WEIGHTS[name][not self.is_near] * value for name, value in self.evidence.items())


def language_of_most(pages: Iterable[ReadPage]) -> tuple[str, float]:
    """The primary language tag of most pages, and their share of those whose language is known."""
    tags = (_spoken(unpack(page.content, page.url, contexts=False).language) for page in pages)
    found = Counter(filter(None, tags))
    language, count = max(found.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    return language, count / max(1, found.total())


def _spoken(tag: str | None) -> str:
    return (tag or "").partition("-")[0].lower()


def wanting(ontology: Ontology, topic: Topic, language: str) -> dict[str, list[Label]]:
    """The concepts of the topic that have names, but none in this language, with their names."""
    found = {}
    for iri in within(ontology, topic):
        names = [label for label in ontology.concepts[iri].labels if label.kind in _NAMING]
        spoken = {_spoken(label.language or language_of(label.text)) for label in names}
        if names and language not in spoken and iri not in topic.layers:
            found[iri] = names
    return found


class NameSearch:
    """The terms of a crawl's pages in one language, and the names of concepts that they are compared with."""

    def __init__(
        self, lexicon: Lexicon, pages: Iterable[ReadPage], language: str, segmenter: Segmenter = by_dictionary
    ) -> None:
        self.language = language
        self._lexicon, self._segmenter = lexicon, segmenter
        marked, self.texts = MarkedWords(), OwnTexts()
        for read in pages:
            page = unpack(read.content, read.url, contexts=False)
            if _spoken(page.language) == language:
                marked.add(read, page)
                if not read.is_listing:
                    self.texts.add(read, page)
        self.counted: CountedRuns = count_pages(self.texts, TokenStream(segmenter))
        blocks = (block for n, page in enumerate(self.texts.pages) if page.counts_for for block in self.texts.blocks(n))
        found = find_terms(self.counted, lexicon, name_shares(blocks), marked, 0.0, telling=1.0, most=EVERY)
        self.terms: dict[str, CandidateTerm] = {}
        for term in found:
            if self._fits(tuple(self.counted.stream.words[word] for word in term.words)):
                self.terms[term.key] = term

    def _fits(self, words: Sequence[str]) -> bool:
        """Whether the words can be a name in the language."""
        han = sum(len(word) for word in words if is_han(word))
        if not words or len(words) > LONGEST or han > LONGEST_HAN or (self.language == "zh") != bool(han):
            return False
        stop = stop_words()
        return words[0] not in stop and words[-1] not in stop and (bool(han) or any(len(word) > 1 for word in words))

    def connected(
        self, names: Mapping[str, Sequence[Label]], dictionary: Dictionary | None, encoder: SentenceEncoder | None
    ) -> list[Connected]:
        """The terms that something connects with a concept. `names`: of each concept."""
        stream = TokenStream(self._segmenter)
        written = [label.text for of in names.values() for label in of]
        words = dict(zip(written, map(tuple, stream.words_of(written)), strict=True))
        parts = {part: label for of in names.values() for label in of for part in parts_of(words[label.text])}
        beside = self._said_again(bracketed(self.texts, sorted({joined(part) for part in parts}), stream, self._fits))
        entries = self._entries(dictionary, parts, stream)
        known: dict[Words, list[Words]] = {part: list(entries.get(part, ())) for part in parts}
        for part in parts:
            runs = beside.get(joined(part), {}).values()
            known[part] += [run.words for run in runs if len(run.pages) >= TWICE]
        ties: dict[str, dict[str, Tie]] = {iri: defaultdict(Tie) for iri in names}
        own = {iri: {words[label.text] for label in of} for iri, of in names.items()}
        for iri, name in ((iri, name) for iri, of in own.items() for name in sorted(of)):
            for key, run in beside.get(joined(name), {}).items():
                ties[iri][key].beside = run
            whole = {name: list(entries.get(name, ()))}  # what brackets say of it has been counted
            for translation, size in composed(name, known | whole).items():
                if self._fits(translation):
                    tie = ties[iri][joined(translation)]
                    tie.parts = min(tie.parts or size, size)
                    tie.entry = tie.entry or entries.get(name, {}).get(translation)
        tied = {key for of in ties.values() for key in of}
        pages = self._pages_of(sorted(tied.union(self.terms if encoder else ())))
        pages = {key: there for key, there in pages.items() if len(there)}
        near = _closeness(names, list(pages), encoder)
        return [
            one
            for place, iri in enumerate(names)
            for one in self._of_concept(
                iri, ties[iri], self._apart(pages, own[iri]), near[place], is_near=bool(encoder)
            )
        ]

    def _apart(self, pages: Mapping[str, Numbers], names: Set[Words]) -> dict[str, tuple[int, Numbers]]:
        """Key -> its place among the keys, and its pages, of those that contain none of the names: by these the crawl
        finds them already.
        """
        runs = TokenStream(self._segmenter).words_of(list(pages))
        return {
            key: (place, there)
            for place, ((key, there), run) in enumerate(zip(pages.items(), runs, strict=True))
            if names.isdisjoint(parts_of(tuple(run)))
        }

    def _of_concept(
        self,
        iri: str,
        ties: Mapping[str, Tie],
        terms: Mapping[str, tuple[int, Numbers]],
        near: NDArray[np.float32],
        *,
        is_near: bool,
    ) -> Iterator[Connected]:
        """The terms that something connects with one concept. `near`: closeness of each key; `is_near`: if known."""
        on_topic = self.counted.on_topic
        base = math.log((np.sum(~on_topic) + 1) / (np.sum(on_topic) + 1))
        nearest = sorted(terms, key=lambda key: (-near[terms[key][0]], key))[: NEAREST if is_near else 0]
        for key in sorted({*nearest, *(ties.keys() & terms.keys())}):
            place, pages = terms[key]
            on = int(on_topic[pages].sum())
            off = len(pages) - on
            yield Connected(
                concept=iri,
                key=key,
                on=on,
                off=off,
                exclusive=math.log((on + 0.5) / (off + 0.5)) + base,
                tie=ties.get(key, Tie()),
                closeness=float(near[place]),
                behind=float(near[place] - near[terms[nearest[0]][0]]) if nearest else 0.0,
                is_near=is_near,
            )

    def _said_again(self, beside: Mapping[str, Mapping[str, Bracketed]]) -> dict[str, dict[str, Bracketed]]:
        """The runs beside each name that at least two pages say, without those that are the end of another."""
        pages = self._pages_of(sorted({key for runs in beside.values() for key in runs}))
        return {
            name: without_shorter({key: run for key, run in runs.items() if len(pages[key]) >= TWICE})
            for name, runs in beside.items()
        }

    def _pages_of(self, keys: Sequence[str]) -> dict[str, Numbers]:
        """The numbers of the pages that say each run of words."""
        counted = self.counted
        runs = counted.stream.numbers(keys)
        return dict(zip(keys, pages_with(runs, counted.rows, counted.singular), strict=True))

    def _entries(
        self, dictionary: Dictionary | None, parts: Mapping[Words, Label], stream: TokenStream
    ) -> dict[Words, dict[Words, Entry]]:
        """What the dictionary has for parts of names: part -> translation -> entry."""
        if dictionary is None:
            return {}
        wanted = wanted_words(Label(joined(part), label.language) for part, label in parts.items())
        of_key = {same_word_key(joined(part)): part for part in parts}
        found: dict[Words, dict[Words, Entry]] = defaultdict(dict)
        for entry in dictionary(wanted):
            if entry.kind is Kind.SYNONYM and _spoken(entry.language) == self.language:
                (words,) = stream.words_of([entry.term])
                if words:
                    found[of_key[entry.word]].setdefault(tuple(words), entry)
        return found

    def proposals(self, chosen: Sequence[Connected]) -> list[Proposal]:
        """The terms as proposals, with sentences; without those that no page on topic says."""
        keys = list(dict.fromkeys(one.key for one in chosen))
        matcher = Matcher(self._lexicon, self._segmenter)
        spoken = [self.language] * len(self.texts.pages)
        contexts = read_contexts(self.texts, keys, matcher, concepts_of(self._lexicon), spoken)
        share = float(self.counted.on_topic.mean()) if keys else 0.0
        found = []
        for one in chosen:
            if one.key not in contexts.of:
                continue
            context = contexts.of[one.key]
            written = max(context.written.items(), key=lambda pair: (pair[1], pair[0]))[0]
            first = [one.tie.beside.sentence] if one.tie.beside else []
            first += [Sentence(one.tie.entry.text, one.tie.entry.place)] if one.tie.entry else []
            evidence = Evidence(
                one.on,
                one.off,
                context.beside(BESIDE),
                (*first, *context.shown())[:SENTENCES],
                one.off,
                round(surprise(one.on, one.off, share), 2) if 0 < share < 1 else 0.0,
                bracketed=one.bracketed,
                parts=one.tie.parts,
                closeness=round(one.closeness, 2),
            )
            found.append(Proposal(Kind.SYNONYM, written, self.language, one.concept, evidence))
        return found


def best(found: Iterable[Connected], each: int = EACH) -> list[Connected]:
    """The terms that are likely to be names, at most so many of each concept, best first."""
    taken: Counter[str] = Counter()
    result = []
    for one in sorted(found, key=lambda one: (-one.score, one.concept, one.key)):
        taken[one.concept] += 1
        if one.score >= LIKELY and taken[one.concept] <= each:
            result.append(one)
    return result


def _closeness(
    names: Mapping[str, Sequence[Label]], keys: Sequence[str], encoder: SentenceEncoder | None
) -> NDArray[np.float32]:
    """For each concept and term the cosine to the nearest of the concept's names; 0 without an encoder."""
    if encoder is None or not keys or not names:
        return np.zeros((len(names), len(keys)), np.float32)
    terms, own = encoder.encode(keys), [encoder.encode([label.text for label in of]) for of in names.values()]
    return np.stack([(rows @ terms.T).max(0) for rows in own])
