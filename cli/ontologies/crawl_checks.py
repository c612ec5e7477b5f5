"""`ontocrawl ontology check --store`: what a crawl shows about an ontology, as findings with figures (W301 to W305).

The words are those of the file. Whether a page is on topic is taken from the expert's marks, otherwise from the record.
Nothing is written. Misleading words and too general features are found as by `suggest`.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli.inputs.concept_names import chosen_language
from cli.inputs.crawl_topic import About, read_about, stored_seeds
from cli.ontologies.coverage import over_mentioned
from cli.ontologies.said_words import SaidWords, said_words
from cli.ontologies.suggesting import read_pages
from cli.recorded.recorded_verdicts import stored_settings
from graphdb.stores import open_store
from ontology.concepts import Finding
from ontology.inspection.checks import Place, finding_at
from ontology.inspection.concept_captions import Captions
from ontology.lexicon.lexicon import Word
from ontology.messages import joined, message
from ontology.topic import narrower
from semantic.candidates.own_text import OwnTexts
from semantic.candidates.term_candidates import count_pages
from semantic.candidates.token_stream import TokenStream
from semantic.proposals.doubtful_words import FEW, Doubtful, find_doubtful
from semantic.segmentation.word_segmentation import open_segmenter


@dataclass(frozen=True, slots=True)
class Crawled:
    """An ontology with what a crawl shows about it. `on_topic`: addresses; `doubtful`: see `find_doubtful`."""

    about: About
    said: SaidWords
    on_topic: frozenset[str]
    doubtful: tuple[Doubtful, ...] = ()

    def share(self, pages: set[str]) -> str:
        """How many of the pages are on topic, in words."""
        return f"{len(pages & self.on_topic):,} of {len(pages):,}"


def findings(where: str, file: Path, *, reason: bool, iris: bool) -> tuple[Finding, ...]:
    """All findings of a store's crawl about the ontology in a file. Raises what `read_about` raises."""
    crawled = _read(where, file, reason=reason)
    captions = Captions(crawled.about.ontology, iris=iris, language=chosen_language(None, crawled.about.ontology))
    return tuple(finding_at(code, place, captions) for code, place in places(crawled))


def _read(where: str, file: Path, *, reason: bool) -> Crawled:
    with contextlib.closing(open_store(where, create=False)) as store:
        settings = stored_settings(store)
        seeds = stored_seeds(store)
        pages = read_pages(store)
    about = read_about(file, seeds, settings.generations, reason=reason or settings.reason)
    said = said_words(((page.url, page.content) for page in pages), about, settings.segmenter)
    articles = [page for page in pages if not page.is_listing]
    on_topic = frozenset(page.url for page in pages if page.counts_for)
    if not articles:
        return Crawled(about, said, on_topic)
    counted = count_pages(OwnTexts(articles), TokenStream(open_segmenter(settings.segmenter, about.lexicon)))
    return Crawled(about, said, on_topic, tuple(find_doubtful(counted, about.lexicon, about.topic)))


def places(crawled: Crawled) -> Iterator[tuple[str, Place]]:
    """Each finding: its code and its place."""
    yield from _doubtful(crawled)
    yield from _ambiguous(crawled)
    yield from _unsaid(crawled)


def _doubtful(crawled: Crawled) -> Iterator[tuple[str, Place]]:
    for one in crawled.doubtful:
        figures = message("{on:,} of {every:,} pages on topic", on=one.on, every=one.on + one.off)
        if one.word is not None:
            word = crawled.about.lexicon.words[one.word]
            yield (
                "W301",
                Place((one.concept,), message("{text}, at ", text=word.text), message(" ({figures})", figures=figures)),
            )
        else:
            weight = message(
                "weight {weight:g}, try {value:g}", weight=crawled.about.topic.weights[one.concept], value=one.value
            )
            yield "W302", Place((one.concept,), after=message(" ({figures}; {weight})", figures=figures, weight=weight))


def _ambiguous(crawled: Crawled) -> Iterator[tuple[str, Place]]:
    """Words of several concepts, those on most pages first, with how the concepts' other words do."""
    said = crawled.said
    shared = [number for number, word in enumerate(crawled.about.lexicon.words) if len(word.senses) > 1]
    for number in sorted(shared, key=lambda each: -len(said.words[each])):
        word = crawled.about.lexicon.words[number]
        if len(said.words[number]) < FEW:
            continue
        others = [crawled.share(_by_other_words(crawled, sense.concept, number)) for sense in word.senses]
        concepts = tuple(sense.concept for sense in word.senses)
        before = message("{text}, {share} pages on topic (", text=word.text, share=crawled.share(said.words[number]))
        yield "W303", Place(concepts, before, message("; by their other words {others})", others=joined(others)))


def _by_other_words(crawled: Crawled, concept: str, but: int) -> set[str]:
    found: set[str] = set()
    for number, word in enumerate(crawled.about.lexicon.words):
        if number != but and any(sense.concept == concept for sense in word.senses):
            found |= crawled.said.words[number]
    return found


def _unsaid(crawled: Crawled) -> Iterator[tuple[str, Place]]:
    """Concepts that no page mentions, directly or below; then unused words of concepts that are mentioned."""
    words = crawled.about.lexicon.words
    said = {iri for iri, pages in crawled.said.concepts.items() if pages}
    above = over_mentioned(narrower(crawled.about.ontology), said)
    wanted = dict.fromkeys(sense.concept for word in words if _counts(word) for sense in word.senses)
    for iri in wanted:
        if iri not in said and iri not in above:
            yield "W304", Place((iri,))
    for word, pages in zip(words, crawled.said.words, strict=True):
        concepts = tuple(sense.concept for sense in word.senses if sense.concept in said)
        if not pages and concepts and _counts(word):
            yield "W305", Place(concepts, message("{text}, at ", text=word.text))


def _counts(word: Word) -> bool:
    return any(sense.features or sense.layer for sense in word.senses)
