"""Which pages of a crawl contain which words of an ontology. The pages are read from the store; nothing is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cli.inputs.crawl_topic import About
from ontology.concepts import Concept, Label
from ontology.lexicon.surface_forms import same_word_key
from semantic.page import Position
from semantic.parsing.page_reader import unpack
from semantic.segmentation.word_segmentation import open_segmenter
from semantic.terms.term_matching import Matcher, count_concepts


@dataclass(frozen=True, slots=True)
class SaidWords:
    """The addresses of pages that contain a word outside of anchors.

    `words`: for each word of the lexicon, in its order; `concepts`: IRI -> pages with any word of it.
    """

    words: Sequence[set[str]]
    concepts: Mapping[str, set[str]]
    _numbers: Mapping[str, Sequence[int]]  # folded text -> words of the lexicon

    def of_label(self, concept: Concept, label: Label) -> set[str]:
        """The pages that contain a label of the concept, or a phrase that it excludes."""
        found: set[str] = set()
        for number in self._numbers.get(same_word_key(label.text), ()):
            found |= self.words[number]
        return found if label in concept.excludes else found & self.concepts.get(concept.iri, set())


def said_words(pages: Iterable[tuple[str, bytes]], about: About, segmenter: str) -> SaidWords:
    """Find the words in pages, given as address and stored content. `segmenter`: the name in the crawl's settings."""
    matcher = Matcher(about.lexicon, open_segmenter(segmenter, about.lexicon))
    words: list[set[str]] = [set() for _ in about.lexicon.words]
    for url, content in pages:
        for mention in count_concepts(unpack(content, url), matcher).mentions:
            if mention.position is not Position.ANCHOR:
                words[mention.word].add(url)
    concepts: dict[str, set[str]] = {}
    numbers: dict[str, list[int]] = {}
    for number, word in enumerate(about.lexicon.words):
        numbers.setdefault(same_word_key(word.text), []).append(number)
        for sense in word.senses:
            concepts.setdefault(sense.concept, set()).update(words[number])
    return SaidWords(words, concepts, numbers)
