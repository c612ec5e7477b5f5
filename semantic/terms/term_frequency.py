"""Semantic term frequency (algorithm 2 of paper O): a page mapped onto the concepts of the lexicon, by position."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from semantic.page import Page, Position
from semantic.records import MentionRecord
from semantic.terms.term_matching import Matcher
from semantic.terms.word_table import WordTable

POSITION_WEIGHT = {  # f(n) of paper O, formula 2
    Position.ANCHOR: 2.0,
    Position.TITLE: 1.5,
    Position.H1: 1.5,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.0,
    Position.OTHER: 1.0,
}
_ANCHOR = Position.ANCHOR  # an enumeration looks its members up each time


class Mention(NamedTuple):
    """One place in `Page.text` where a word of the lexicon stands; `word` indexes `Lexicon.words`."""

    start: int
    end: int
    word: int
    position: Position


@dataclass(frozen=True)
class ConceptCounts:
    """All mentions of a page in text order. `length`, `anchor_length`: characters outside and inside anchors."""

    mentions: tuple[Mention, ...]
    length: int
    anchor_length: int

    def by_word(self) -> Mapping[int, Mapping[Position, int]]:
        """Word index -> occurrences by position."""
        counts: dict[int, dict[Position, int]] = {}
        for mention in self.mentions:
            where = counts.setdefault(mention.word, {})
            where[mention.position] = where.get(mention.position, 0) + 1
        return counts

    def between(self, start: int, end: int) -> Sequence[Mention]:
        """The mentions that lie whole between two offsets."""
        starts = self._starts
        first = bisect_left(starts, start)
        if first == len(starts) or starts[first] >= end:  # as for most links
            return ()
        last = bisect_left(starts, end, first)
        return [mention for mention in self.mentions[first:last] if mention.end <= end]

    @cached_property
    def _starts(self) -> list[int]:
        return [mention.start for mention in self.mentions]


def count_concepts(page: Page, matcher: Matcher) -> ConceptCounts:
    """Find every word of the lexicon in the page. A mention stands where its first character stands."""
    hits = matcher.find(page.text)
    starts, ends, positions = zip(*page.spans, strict=True) if page.spans else ((0,), (0,), (Position.OTHER,))
    mentions = tuple(
        [
            Mention(hit.start, hit.end, word, positions[max(0, bisect_right(starts, hit.start) - 1)])
            for hit in hits
            for word in hit.words
        ]
    )
    inside = sum([end - start for start, end, position in page.spans if position is _ANCHOR])
    return ConceptCounts(mentions, sum(ends) - sum(starts) - inside, inside)


def mention_records(
    counts: ConceptCounts, concepts: Sequence[tuple[str, ...]], table: WordTable
) -> tuple[MentionRecord, ...]:
    """One record for each concept that the page names; its weight is w_ir · sum_n f(n) tf_ijn (paper O, formula 2).

    `concepts`: those that each word of the lexicon names.
    """
    where: dict[str, dict[str, int]] = {}
    weight: dict[str, float] = {}
    for mention in counts.mentions:
        for concept in concepts[mention.word]:
            positions = where.setdefault(concept, {})
            positions[mention.position] = positions.get(mention.position, 0) + 1
            gain = table.weight[mention.word] * POSITION_WEIGHT[mention.position]
            weight[concept] = weight.get(concept, 0.0) + gain
    return tuple(
        MentionRecord(concept, sum(positions.values()), weight[concept], positions)
        for concept, positions in where.items()
    )
