"""A strategy's memory as bytes."""

from array import array
from collections import Counter, deque
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from stored_memory import stored

from ontology.errors import OutdatedMemory
from semantic.memory.strategy_memory import (
    Lines,
    Remembering,
    Rows,
    converted,
    pack_memory,
    raw,
    unpack_memory,
    view_of,
)


@dataclass(frozen=True)
class Line:
    """A value with an array."""

    slope: NDArray[np.float64]
    mean: float


class Inner(Remembering):
    KEPT: ClassVar = {"_words": dict[str, Counter[str]], "pages": array}

    def __init__(self) -> None:
        self._words: dict[str, Counter[str]] = {}
        self.pages = array("i")

    def add(self, word: str, page: int) -> None:
        self._words.setdefault("all", Counter())[word] += 1
        self.pages.append(page)
        self.derive()

    def derive(self) -> None:
        self.total = sum(words.total() for words in self._words.values())


class Outer(Remembering):
    KEPT: ClassVar = {
        "inner": Remembering, "table": Rows("size"), "size": int, "urls": Lines, "_line": Line | None,
        "last": deque[tuple[float, str]], "seen": set[str], "other": Inner | None,
    }  # fmt: skip

    def __init__(self) -> None:
        self.inner, self.other, self._line = Inner(), None, None
        self.table, self.size = np.zeros((8, 2), np.int16), 0
        self.urls: list[str] = []
        self.last: deque[tuple[float, str]] = deque(maxlen=2)
        self.seen: set[str] = set()


def made() -> Outer:
    one = Outer()
    one.inner.add("茶", 7)
    one.other = Inner()
    one.other.add("tea", 8)
    one.table[:3], one.size = [[1, 2], [3, 4], [5, -6]], 3
    one.urls = [f"http://h/{number}" for number in range(20_001)]
    one.last.extend([(0.5, "a"), (float("inf"), "b"), (2.0, "c")])
    one.seen = {"b", "a"}
    return one


def test_every_kind_of_attribute_comes_back():
    one, again = made(), Outer()
    again.restore(stored(one))
    assert (again.inner.total, again.inner.pages) == (1, array("i", [7]))
    assert isinstance(again.other, Inner)
    again.other.add("tea", 9)
    assert again.other.remember()["words"] == {"all": Counter(tea=2)}
    assert again.table[:3].tolist() == [[1, 2], [3, 4], [5, -6]]
    assert len(again.table) > 3 and not again.table[3:].any()
    assert (again.urls, again.seen) == (one.urls, {"a", "b"})
    assert (list(again.last), again.last.maxlen) == ([(float("inf"), "b"), (2.0, "c")], 2)
    assert one.other.remember()["words"] == {"all": Counter(tea=1)}


def test_a_value_with_arrays_is_one_of_its_own():
    memory = {"line": Line(np.array([[0.1, np.nan]]), 3), "made": (raw(bytes([n] * 9)) for n in range(3))}
    back = unpack_memory(pack_memory(memory))
    line = converted(back["line"], Line)
    assert np.array_equal(line.slope, [[0.1, np.nan]], equal_nan=True)
    assert (line.slope.dtype, line.mean) == (np.float64, 3.0)
    line.slope[0] = 1
    assert np.isnan(converted(back["line"], Line).slope[0, 1])
    assert [bytes(view_of(part)) for part in back["made"]] == [b"\0" * 9, b"\1" * 9, b"\2" * 9]


def test_memory_of_other_versions_is_refused():
    packed = pack_memory({"a": 1}, "fused-1")
    assert unpack_memory(packed, "fused-1") == {"a": 1}
    number = packed.split()[1]
    for other in (int(number) - 1, int(number) + 1):
        with pytest.raises(OutdatedMemory):
            unpack_memory(packed.replace(b" %b " % number, b" %d " % other, 1), "fused-1")

    with pytest.raises(OutdatedMemory, match="another version"):
        unpack_memory(pack_memory({}, "fused-1"), "fused-2")
    with pytest.raises(OutdatedMemory):
        unpack_memory(b"x\x9c")
