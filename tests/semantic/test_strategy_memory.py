"""A strategy's memory as bytes."""

import numpy as np
import pytest

from ontology.errors import OutdatedMemory
from semantic.memory.arrays import pack_array, unpack_array
from semantic.memory.strategy_memory import pack_memory, unpack_memory


def test_values_arrays_and_odd_texts_come_back():
    first, second = np.arange(6, dtype=np.int16).reshape(2, 3), np.array([0.1, np.nan])
    memory = {"a": [1, 2.5, None], "arrays": [pack_array(first), pack_array(second)], "text": "茶\ud800", "none": b""}
    memory["made"] = (bytes([number] * 9) for number in range(3))
    back = unpack_memory(pack_memory(memory))
    assert (back["a"], back["text"], back["none"]) == ([1, 2.5, None], "茶\ud800", b"")
    assert back["made"] == [b"\0" * 9, b"\1" * 9, b"\2" * 9]
    found = [unpack_array(held) for held in back["arrays"]]
    assert [array.dtype for array in found] == [np.int16, np.float64]
    assert all(np.array_equal(*pair, equal_nan=True) for pair in zip(found, (first, second), strict=True))


def test_memory_of_other_versions_is_refused():
    packed = pack_memory({"a": 1}, "fused-1")
    assert unpack_memory(packed, "fused-1") == {"a": 1}
    number = packed.split()[1]
    for other in (int(number) - 1, int(number) + 1):
        with pytest.raises(OutdatedMemory):
            unpack_memory(packed.replace(b" %b " % number, b" %d " % other, 1), "fused-1")


def test_memory_of_other_code_is_refused():
    with pytest.raises(OutdatedMemory, match="another version"):
        unpack_memory(pack_memory({}, "fused-1"), "fused-2")
    with pytest.raises(OutdatedMemory):
        unpack_memory(b"x\x9c")
