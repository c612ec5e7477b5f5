"""The topic's words of one page, counted for the relevance model (`semantic.relevance.relevance_model`)."""

from dataclasses import dataclass
from typing import Any

from semantic.page import Page, Position
from semantic.parsing.page_kind import is_foreign
from semantic.terms.term_matching import ConceptCounts, WordTable

POSITION_WEIGHT = {  # measured on archived webs: benchmarks/judge.md
    Position.TITLE: 3.0,
    Position.H1: 3.0,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.5,
    Position.OTHER: 1.0,
}


@dataclass(frozen=True, slots=True)
class CountedWords:
    """The topic's words of one page. `words`: (word, occurrences weighted by position, whether it stands in a title).

    `length`, `anchors`: characters outside and inside of anchors. `foreign`: the page is in a language of which the
    ontology has no word. `language`: as the page declares.
    """

    words: tuple[tuple[int, float, bool], ...]
    length: int
    foreign: bool = False
    language: str | None = None
    anchors: int = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would otherwise ask for the fields by name."""
        return CountedWords, (self.words, self.length, self.foreign, self.language, self.anchors)


def count_page(page: Page, counts: ConceptCounts, table: WordTable, languages: frozenset[str]) -> CountedWords:
    """Count the topic's words of a page outside anchors. `languages`: those of the ontology's words."""
    tf: dict[int, float] = {}
    titled: set[int] = set()
    for mention in counts.mentions:
        if mention.position is Position.ANCHOR or not table.weight[mention.word]:
            continue
        tf[mention.word] = tf.get(mention.word, 0.0) + POSITION_WEIGHT[mention.position]
        if mention.position in (Position.TITLE, Position.H1):
            titled.add(mention.word)
    words = tuple((word, count, word in titled) for word, count in tf.items())
    return CountedWords(words, counts.length, is_foreign(page, languages), page.language, counts.anchor_length)
