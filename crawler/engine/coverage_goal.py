"""When a crawl has enough of every concept: pages on topic are counted, and the crawl may end by them.

A concept can be covered where it has a word and counts for a feature of the topic; marks of predecessor layers cannot.
It is covered by pages on topic that mention it, or a concept below it, outside of links: a menu names everything.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from semantic.records import ANCHOR, ConceptRecord, MentionedRecord, MentionRecord


@dataclass(frozen=True, slots=True)
class Goals:
    """`labels`: of the concepts that can be covered, by IRI. `above`: of any concept the goals that its pages cover."""

    labels: Mapping[str, str]
    above: Mapping[str, tuple[str, ...]]


def goals_of(concepts: Sequence[ConceptRecord]) -> Goals:
    """What can be covered of an ontology, whose concepts may stand below each other in any way."""
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
    """The concept and all above it."""
    found, waiting = {iri}, [iri]
    while waiting:
        more = [parent for parent in broader.get(waiting.pop(), ()) if parent not in found]
        found.update(more)
        waiting += more
    return found


def outside_links(mentions: Iterable[MentionRecord]) -> tuple[str, ...]:
    """The concepts that a page mentions otherwise than in the texts of links."""
    return tuple(mention.concept for mention in mentions if any(place != ANCHOR for place in mention.where))


class Coverage:
    """Counts for each goal the pages on topic. `wanted`: how many of each are enough."""

    def __init__(self, goals: Goals, wanted: int, pages: Iterable[MentionedRecord] = ()) -> None:
        self.wanted = wanted
        self._goals = goals
        self._counts = dict.fromkeys(goals.labels, 0)
        self._covers: dict[int, frozenset[str]] = {}  # hash of an address -> the goals that its page covers
        self._on_topic: set[int] = set()
        for page in pages:
            self.read(page.url, page.concepts)
            self.say(page.url, on_topic=page.on_topic)

    @property
    def is_reached(self) -> bool:
        """Whether every goal has as many pages as are wanted. Without a goal there is nothing to reach."""
        return bool(self._counts) and min(self._counts.values()) >= self.wanted

    @property
    def covered(self) -> tuple[int, int]:
        """How many goals are covered, and how many there are."""
        return sum(count >= self.wanted for count in self._counts.values()), len(self._counts)

    def lacking(self) -> list[tuple[str, int]]:
        """The label of each goal that is not covered, and its pages on topic; those with fewest pages first."""
        left = [(self._goals.labels[iri], count) for iri, count in self._counts.items() if count < self.wanted]
        return sorted(left, key=lambda one: (one[1], one[0]))

    def read(self, url: str, concepts: Iterable[str]) -> None:
        """What a page mentions now."""
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

    def say(self, url: str, *, on_topic: bool) -> None:
        """A page is on topic, or is not (any more)."""
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
