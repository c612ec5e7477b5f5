"""The features above a concept, computed on demand.

Stored for every concept they would take memory in the square of a chain's length: 5 GB for 10,000 nested subclasses.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Hypernyms:
    """Finds the features above concepts.

    `above`: concept -> its direct parents, which may be unknown concepts. `features`: those to be found. `generations`:
    the largest number of steps upwards (None: no limit). Cycles and several parents are allowed.
    """

    above: Mapping[str, tuple[str, ...]]
    features: Set[str]
    generations: int | None = None

    def of(self, concept: str) -> tuple[tuple[str, int], ...]:
        """Every feature at or above a concept, with the smallest number of steps to it, nearest first."""
        steps = {concept: 0}
        waiting = deque(steps)
        while waiting:
            current = waiting.popleft()
            if steps[current] == self.generations:
                break  # all others in the queue are as far up as this one
            for parent in self.above.get(current, ()):
                if parent in self.above and parent not in steps:
                    steps[parent] = steps[current] + 1
                    waiting.append(parent)
        return tuple((each, count) for each, count in steps.items() if each in self.features)

    def nearest(self) -> dict[str, tuple[str, int]]:
        """Concept -> the first pair that `of` gives without a limit, for all concepts that have one, in one pass
        downwards.
        """
        below = self._below()
        found = {feature: (feature, 0) for feature in self.features if feature in self.above}
        level, steps = list(found), 0
        while level:
            following = dict.fromkeys(child for each in level for child in below.get(each, ()) if child not in found)
            for child in following:
                parents = (found[parent] for parent in self.above[child] if parent in found)
                feature = next(feature for feature, count in parents if count == steps)
                found[child] = (feature, steps + 1)
            level, steps = list(following), steps + 1
        return found

    def _below(self) -> dict[str, list[str]]:
        children: dict[str, list[str]] = {}
        for concept, parents in self.above.items():
            for parent in parents:
                children.setdefault(parent, []).append(concept)
        return children


def over(concepts: Iterable[str], above: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The concepts and all concepts above any of them."""
    seen = set(concepts)
    waiting = list(seen)
    while waiting:
        more = [parent for parent in above.get(waiting.pop(), ()) if parent not in seen]
        seen.update(more)
        waiting += more
    return seen


@dataclass(frozen=True, slots=True, eq=False)
class FeaturesAbove(Sequence[tuple[str, int]]):
    """The result of `Hypernyms.of` for one concept, as a sequence of which only the first pair is stored."""

    concept: str
    nearest: tuple[str, int]
    hypernyms: Hypernyms

    def __getitem__(self, index: Any) -> Any:
        """The first pair is stored, others are computed."""
        return self.nearest if index == 0 else self.hypernyms.of(self.concept)[index]

    def __len__(self) -> int:
        """The number of features."""
        return len(self.hypernyms.of(self.concept))

    def __bool__(self) -> bool:
        """Always True, because there is at least one feature."""
        return True

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """All pairs, computed once."""
        return iter(self.hypernyms.of(self.concept))

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence of the same pairs."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # not hashable, because it is compared by its content
