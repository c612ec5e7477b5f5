"""Columns of hashed words read as they were written."""

import numpy as np

from semantic.learning.feature_hashing import SIZE
from semantic.links.link_reading import ANCHOR_SLOTS, PLACE_SLOTS, SLOTS
from semantic.strategies.fused.waiting_addresses import TokenTable


def row(numbers: dict[int, int]) -> list[int]:
    return [numbers.get(slot, 0) for slot in range(SLOTS)]


def test_growing_and_remembering_keep_every_slot():
    table = TokenTable()
    rows = np.random.default_rng(1).integers(0, SIZE, (1500, SLOTS), np.int32)
    rows[0] = SIZE - 1
    rows[1] = 1 << 16
    table.grow()
    table.put(np.arange(1500), rows)
    other = TokenTable()
    table.kept = 1500
    other.restore(table.remember())
    for one in (table, other):
        assert (one[np.arange(1500)] == rows).all()
        assert (one[np.array([7, 3])] == rows[[7, 3]]).all()


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
