"""Columns of hashed words read as they were written."""

import numpy as np

from semantic.learning.feature_hashing import SIZE
from semantic.links.link_reading import ANCHOR_SLOTS, PLACE_SLOTS, SLOTS
from semantic.strategies.fused.waiting_addresses import TokenTable


def row(numbers: dict[int, int]) -> list[int]:
    return [numbers.get(slot, 0) for slot in range(SLOTS)]


def test_numbers_that_are_new_fill_free_slots_alone():
    table = TokenTable()
    first = 1 << 16  # its lower 16 bits are 0
    words = {0: 9, PLACE_SLOTS: first, PLACE_SLOTS + 1: 2, PLACE_SLOTS + ANCHOR_SLOTS: 77}
    table.put(np.array([5]), np.array([row(words)]))
    table.fill(5, PLACE_SLOTS, ANCHOR_SLOTS, [2, first, SIZE - 1])
    kept = words | {PLACE_SLOTS + 2: SIZE - 1}
    assert table[np.array([5])].tolist() == [row(kept)]
    table.fill(5, PLACE_SLOTS, ANCHOR_SLOTS, range(100, 140))
    full = kept | {PLACE_SLOTS + slot: 97 + slot for slot in range(3, ANCHOR_SLOTS)}
    assert table[np.array([5])].tolist() == [row(full)]
    assert not table[np.array([4, 6])].any()


def test_rows_read_as_written_after_many_changes():
    chance = np.random.default_rng(2)
    table, wanted = TokenTable(), np.zeros((1000, SLOTS), np.int32)
    for _ in range(300):
        rows = chance.choice(1000, size=30, replace=False)
        numbers = chance.integers(1, SIZE, (30, SLOTS), np.int32) * (chance.random((30, SLOTS)) < 0.2)
        numbers[:, : 4 * chance.integers(0, 12)] = 0
        table.put(rows, numbers)
        wanted[rows] = numbers
    other = TokenTable()
    table.kept = 1000
    other.restore(table.remember())
    other.put(np.array([3]), wanted[[9]])
    assert (table[np.arange(1000)] == wanted).all()
    wanted[3] = wanted[9]
    assert (other[np.arange(1000)] == wanted).all()
