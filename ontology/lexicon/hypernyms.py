"""Which features stand above a concept, found when asked for.

Written down for every concept they would take the square of a chain's length: 5 GB for 10,000 subclasses.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Hypernyms:
    """`above`: concept -> its direct parents, known here or not. `features`: those that are asked for.

    `generations`: how many steps up they are looked for (None: no limit). Cycles and several parents are no harm.
    """

    above: Mapping[str, tuple[str, ...]]
    features: Set[str]
    generations: int | None = None

    def of(self, concept: str) -> tuple[tuple[str, int], ...]:
        """Every feature at or above a concept with the fewest steps to it, nearest first."""
        steps = {concept: 0}
        waiting = deque(steps)
        while waiting:
            current = waiting.popleft()
            if steps[current] == self.generations:
                break  # what waits is as far up as this one
            for parent in self.above.get(current, ()):
                if parent in self.above and parent not in steps:
                    steps[parent] = steps[current] + 1
                    waiting.append(parent)
        return tuple((each, count) for each, count in steps.items() if each in self.features)

    def nearest(self) -> dict[str, tuple[str, int]]:
        """Concept -> the first of what `of` says without a limit, for all that have one, in one walk down."""
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
    """The concepts and all that is above any of them."""
    seen = set(concepts)
    waiting = list(seen)
    while waiting:
        more = [parent for parent in above.get(waiting.pop(), ()) if parent not in seen]
        seen.update(more)
        waiting += more
    return seen


@dataclass(frozen=True, slots=True, eq=False)
class FeaturesAbove(Sequence[tuple[str, int]]):
    """What `Hypernyms.of` says of one concept, as a sequence of which only the first pair is kept."""

    concept: str
    nearest: tuple[str, int]
    hypernyms: Hypernyms

    def __getitem__(self, index: Any) -> Any:
        """The first pair costs nothing, others a walk."""
        return self.nearest if index == 0 else self.hypernyms.of(self.concept)[index]

    def __len__(self) -> int:
        """How many features."""
        return len(self.hypernyms.of(self.concept))

    def __bool__(self) -> bool:
        """There is always one."""
        return True

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """All of them in one walk."""
        return iter(self.hypernyms.of(self.concept))

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence of the same pairs."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # like any value that is compared by what it holds
