"""Coverage goal: counts the pages on topic for each concept, so that a crawl may end when every concept has enough.

A concept can be covered if it has a word and has a weight in the topic; the marker words of predecessor layers cannot.
It is covered by pages on topic that mention it, or a concept below it, outside links, because a menu names everything.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from semantic.records import ANCHOR, ConceptRecord, MentionedRecord, MentionRecord


@dataclass(frozen=True, slots=True)
class Goals:
    """The concepts to be covered. `labels`: by IRI. `above`: for any concept, the goals that are covered by its
    mention.
    """

    labels: Mapping[str, str]
    above: Mapping[str, tuple[str, ...]]


def goals_of(concepts: Sequence[ConceptRecord]) -> Goals:
    """The goals of an ontology. Its hierarchy may contain cycles."""
    broader: dict[str, list[str]] = {}
    for concept in concepts:
        for child in concept.narrower:
            broader.setdefault(child, []).append(concept.iri)
    weighted = {concept.iri for concept in concepts if concept.weight}
    above = {concept.iri: _over(concept.iri, broader) for concept in concepts if concept.layer is None}
    labels = {
        concept.iri: concept.label
        for concept in concepts
        if concept.iri in above and concept.label != concept.iri and weighted & above[concept.iri]
    }
    return Goals(labels, {iri: tuple(sorted(found & labels.keys())) for iri, found in above.items()})


def _over(iri: str, broader: Mapping[str, Sequence[str]]) -> set[str]:
    """The concept and all concepts above it."""
    found, waiting = {iri}, [iri]
    while waiting:
        more = [parent for parent in broader.get(waiting.pop(), ()) if parent not in found]
        found.update(more)
        waiting += more
    return found


def outside_links(mentions: Iterable[MentionRecord]) -> tuple[str, ...]:
    """The concepts that a page mentions outside the texts of links."""
    return tuple(mention.concept for mention in mentions if any(place != ANCHOR for place in mention.where))


class Coverage:
    """Counts the pages on topic for each goal. `wanted`: the number of pages that covers a goal."""

    def __init__(self, goals: Goals, wanted: int, pages: Iterable[MentionedRecord] = ()) -> None:
        self.wanted = wanted
        self._goals = goals
        self._counts = dict.fromkeys(goals.labels, 0)
        self._covers: dict[int, frozenset[str]] = {}  # hash of an address -> the goals that its page covers
        self._on_topic: set[int] = set()
        for page in pages:
            self.set_mentions(page.url, page.concepts)
            self.set_on_topic(page.url, on_topic=page.on_topic)

    @property
    def is_reached(self) -> bool:
        """Whether every goal is covered; False if there are no goals."""
        return bool(self._counts) and min(self._counts.values()) >= self.wanted

    @property
    def covered(self) -> tuple[int, int]:
        """The number of covered goals, and of all goals."""
        return sum(count >= self.wanted for count in self._counts.values()), len(self._counts)

    def lacking(self) -> list[tuple[str, int]]:
        """The label and number of pages of each goal that is not covered; fewest pages first."""
        left = [(self._goals.labels[iri], count) for iri, count in self._counts.items() if count < self.wanted]
        return sorted(left, key=lambda one: (one[1], one[0]))

    def set_mentions(self, url: str, concepts: Iterable[str]) -> None:
        """Set the concepts that a page mentions."""
        key = hash(url)
        is_on_topic = key in self._on_topic
        self._leave(key)
        found = frozenset(goal for concept in concepts for goal in self._goals.above.get(concept, ()))
        if found:
            self._covers[key] = found
        else:
            self._covers.pop(key, None)
        if is_on_topic:
            self._count(key)

    def set_on_topic(self, url: str, *, on_topic: bool) -> None:
        """Set whether a page is on topic."""
        key = hash(url)
        if not on_topic:
            self._leave(key)
        elif key not in self._on_topic:
            self._count(key)

    def _count(self, key: int) -> None:
        self._on_topic.add(key)
        for goal in self._covers.get(key, ()):
            self._counts[goal] += 1

    def _leave(self, key: int) -> None:
        if key in self._on_topic:
            self._on_topic.discard(key)
            for goal in self._covers.get(key, ()):
                self._counts[goal] -= 1
