"""The topic's words of one page, counted for the relevance model (`semantic.relevance.relevance_model`)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

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


class Closeness(NamedTuple):
    """How close a page comes to the topic by meaning (`semantic.languages.page_meaning`).

    `c`: weight times cosine of the closest feature; `share`: how much that counts, b; `feature`: its number.
    """

    c: float
    share: float
    feature: int


NOT_COMPARED = Closeness(0.0, 0.0, 0)


@dataclass(frozen=True, slots=True)
class CountedWords:
    """The topic's words of one page. `words`: (word, occurrences weighted by position, whether it stands in a title).

    `length`, `anchors`: characters outside and inside of anchors. `foreign`: the page is in a language of which the
    ontology has no word. `language`: as the page declares. `closeness`: NOT_COMPARED for most pages.
    """

    words: tuple[tuple[int, float, bool], ...]
    length: int
    foreign: bool = False
    language: str | None = None
    anchors: int = 0
    closeness: Closeness = NOT_COMPARED

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would otherwise ask for the fields by name."""
        values = self.words, self.length, self.foreign, self.language, self.anchors
        return CountedWords, values if self.closeness is NOT_COMPARED else (*values, self.closeness)


def features_of(table: WordTable) -> list[str]:
    """The topic's features, each at its number."""
    return sorted({feature for feature in table.feature if feature})


def count_page(
    page: Page,
    counts: ConceptCounts,
    table: WordTable,
    languages: frozenset[str],
    closeness: Closeness = NOT_COMPARED,
) -> CountedWords:
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
    foreign = is_foreign(page, languages)
    return CountedWords(words, counts.length, foreign, page.language, counts.anchor_length, closeness)
