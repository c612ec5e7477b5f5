"""The last links to each address, against a plain array of them."""

import random

import numpy as np

from semantic.fusion.rings import NEAR, RING, Ring


def test_a_ring_reads_like_an_array():
    chance = random.Random(1)
    ring, plain = Ring(), np.zeros((4096, RING), np.int32)
    ring.grow(), ring.grow()
    for _ in range(400):
        rows = np.array(sorted(chance.sample(range(4096), 40)), np.int32) // chance.choice([1, 40])
        rows = np.unique(rows)
        slots = np.array([chance.randrange(RING if row % 3 else NEAR) for row in rows.tolist()], np.int32)
        numbers = np.array([chance.randrange(1, 99) for _ in rows], np.int32)
        ring.put(rows, slots, numbers)
        plain[rows, slots] = numbers
    line = np.arange(RING, dtype=np.int32)
    ring.put_row(7, line)
    plain[7] = line
    again = Ring()
    again.restore(ring.remember(4096))
    rows = np.arange(4096, dtype=np.int32)
    assert np.array_equal(ring[rows], plain)
    assert np.array_equal(again[rows], plain)
    assert np.array_equal(ring[7], line)
    assert ring[rows[:0]].shape == (0, RING)
