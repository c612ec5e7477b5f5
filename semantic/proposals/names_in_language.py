"""Names that concepts lack in the language of most pages: terms of these pages, each with what connects it to a concept.

    score = sum of WEIGHTS x evidence

What connects them: the term stands in brackets beside one of the concept's names (`semantic.proposals.bracketed_names`);
a dictionary translates a name, or its parts, so (`semantic.proposals.composed_names`); a sentence encoder puts it near a
name. How often results say it, against other pages, tells the senses of a word apart: container is 容器 here, and 集装箱
there. The weights were learned by logistic regression from terms that a person judged: benchmarks/names.md.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
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

EACH = 3  # names proposed for a concept
NEAREST = 12  # terms looked at for each concept by meaning alone; chosen, not measured
EVERY = 5000  # terms of the pages that are compared by meaning: all that have been looked at (`CHOSEN` there)
TWICE = 2  # pages that must say a run of words that stands beside a name; and beside a part of a name, if that is to translate it; chosen, not measured
# Learned on eight tasks (linuxcn, archwiki/networking, blogs-a/film_tv): benchmarks/names.md. The first is for a
# search with an encoder, the second for one without
WEIGHTS = {
    "begin": (-9.5, -3.0),
    "bracketed": (2.7, 2.7),  # ln(1 + pages)
    "translated": (5.5, 5.5),  # 1 for a name, 0.5 for one put together of its parts
    "closeness": (6.5, 0.0),  # cosine to the nearest of the concept's names
    "behind": (4.0, 0.0),  # that, minus the closeness of the nearest term
    "exclusive": (0.6, 0.6),  # ln of the odds of its pages to be results, against all pages
    "pages": (0.45, 0.45),  # ln(1 + pages)
}
LIKELY = math.log(0.3 / 0.7)  # score of a term that is proposed; of those, .7 are right by a person's judgement
_NAMING = ("name", "synonym")


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A term with what connects it to a concept. `parts`: see `Evidence`; `entry`: of a dictionary, for the whole name;
    `nearest`: the highest closeness of a term to this concept. `encoded`: whether closeness is known.
    """

    concept: str
    key: str
    on: int
    off: int
    exclusive: float
    beside: Bracketed | None
    parts: int
    entry: Entry | None
    closeness: float
    nearest: float
    encoded: bool

    @property
    def evidence(self) -> dict[str, float]:
        """The values that `WEIGHTS` weigh."""
        return {
            "begin": 1.0,
            "bracketed": math.log1p(len(self.beside.pages) if self.beside else 0),
            "translated": 1.0 if self.parts == 1 else 0.5 * bool(self.parts),
            "closeness": self.closeness,
            "behind": self.closeness - self.nearest,
            "exclusive": self.exclusive,
            "pages": math.log1p(self.on + self.off),
        }

    @property
    def score(self) -> float:
        """The logarithm of the odds that a person would keep it."""
        return sum(WEIGHTS[name][not self.encoded] * value for name, value in self.evidence.items())


def language_of_most(pages: Iterable[ReadPage]) -> tuple[str, float]:
    """The primary language tag of most pages, and their share of all."""
    found = Counter(_spoken(unpack(page.content, page.url, contexts=False).language) for page in pages)
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
        labels = [label for of in names.values() for label in of]
        words = dict(zip([one.text for one in labels], map(tuple, stream.words_of([one.text for one in labels])), strict=True))
        parts = {part: label for label in labels for part in parts_of(words[label.text])}
        beside = self._said_again(bracketed(self.texts, sorted({joined(part) for part in parts}), stream, self._fits))
        entries = self._entries(dictionary, parts, stream)
        known = {part: list(entries.get(part, ())) for part in parts}
        for part in parts:
            runs = beside.get(joined(part), {}).values()
            known[part] += [run.words for run in runs if len(run.pages) >= TWICE]
        found: dict[tuple[str, str], tuple[Bracketed | None, int, Entry | None]] = {}
        for iri, of in names.items():
            for label in of:
                own = words[label.text]
                for key, run in beside.get(joined(own), {}).items():
                    found[iri, key] = (run, 0, None)
                whole = {own: list(entries.get(own, ()))}  # what brackets say of it has been counted
                for translation, size in composed(own, known | whole).items():
                    if self._fits(translation):
                        run, smallest, entry = found.get((iri, joined(translation)), (None, LONGEST, None))
                        entry = entry or entries.get(own, {}).get(translation)
                        found[iri, joined(translation)] = (run, min(smallest or LONGEST, size), entry)
        return self._weighed(names, words, found, encoder)

    def _said_again(self, beside: Mapping[str, Mapping[str, Bracketed]]) -> dict[str, dict[str, Bracketed]]:
        """The runs beside each name that at least two pages say, without those that are the end of another."""
        pages = self._pages_of(sorted({key for runs in beside.values() for key in runs}))
        return {
            name: without_shorter({key: run for key, run in runs.items() if len(pages[key]) >= TWICE})
            for name, runs in beside.items()
        }

    def _pages_of(self, keys: Sequence[str]) -> dict[str, NDArray[np.int64]]:
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

    def _weighed(
        self,
        names: Mapping[str, Sequence[Label]],
        words: Mapping[str, Words],
        found: Mapping[tuple[str, str], tuple[Bracketed | None, int, Entry | None]],
        encoder: SentenceEncoder | None,
    ) -> list[Connected]:
        pages = self._pages_of(sorted({key for _, key in found} | (self.terms.keys() if encoder else set())))
        keys = [key for key, there in pages.items() if len(there)]
        row = {key: number for number, key in enumerate(keys)}
        own = {iri: {words[label.text] for label in of} for iri, of in names.items()}
        runs = dict(zip(keys, map(tuple, TokenStream(self._segmenter).words_of(keys)), strict=True))
        near = _closeness(names, keys, encoder)
        on_topic = self.counted.on_topic
        base = math.log((np.sum(~on_topic) + 1) / (np.sum(on_topic) + 1))
        result = []
        for place, iri in enumerate(names):
            fits = [not any(part in own[iri] for part in parts_of(runs[key])) for key in keys]
            order = np.argsort(-np.where(fits, near[place], -1.0), kind="stable") if encoder else []
            by_meaning = {keys[number] for number in order[:NEAREST] if fits[number]}
            for key in sorted(by_meaning | {key for concept, key in found if concept == iri and key in row}):
                if not fits[row[key]]:
                    continue
                beside, parts, entry = found.get((iri, key), (None, 0, None))
                on = int(on_topic[pages[key]].sum())
                off = len(pages[key]) - on
                result.append(
                    Connected(
                        concept=iri,
                        key=key,
                        on=on,
                        off=off,
                        exclusive=math.log((on + 0.5) / (off + 0.5)) + base,
                        beside=beside,
                        parts=parts,
                        entry=entry,
                        closeness=float(near[place, row[key]]),
                        nearest=float(near[place, order[0]]) if encoder else 0.0,
                        encoded=encoder is not None,
                    )
                )
        return result

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
            first = [one.beside.sentence] if one.beside else []
            first += [Sentence(one.entry.text, one.entry.place)] if one.entry else []
            evidence = Evidence(
                one.on,
                one.off,
                context.beside(BESIDE),
                (*first, *context.shown())[:SENTENCES],
                one.off,
                round(surprise(one.on, one.off, share), 2) if 0 < share < 1 else 0.0,
                bracketed=len(one.beside.pages) if one.beside else 0,
                parts=one.parts,
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
    if encoder is None or not keys:
        return np.zeros((len(names), len(keys)), np.float32)
    terms = encoder.encode(keys)
    return np.stack([(encoder.encode([label.text for label in of]) @ terms.T).max(0) for of in names.values()])
