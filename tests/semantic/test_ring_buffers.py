"""The last links to each address, against a plain array of them."""

import random

import numpy as np

from semantic.strategies.fused.waiting_addresses import NEAR, RING, RINGS, Rings


def test_rings_read_like_arrays():
    chance = random.Random(1)
    rings, plain = Rings(), np.zeros((len(RINGS), 4096, RING), np.int32)
    rings.grow(), rings.grow()
    for _ in range(400):
        rows = np.array(sorted(chance.sample(range(4096), 40)), np.int32) // chance.choice([1, 40])
        rows = np.unique(rows)
        slots = np.array([chance.randrange(RING if row % 3 else NEAR) for row in rows.tolist()], np.int32)
        numbers = np.array([[chance.randrange(1, 99) for _ in rows] for _ in RINGS], np.int32)
        rings.put(rows, slots, numbers)
        plain[:, rows, slots] = numbers
        cleared = rows[: chance.randrange(3)]
        rings.clear(cleared)
        plain[:, cleared] = 0
    line = np.arange(len(RINGS) * RING, dtype=np.int32).reshape(-1, RING)
    rings.put_row(7, line)
    plain[:, 7] = line
    again = Rings()
    rings.kept = 4096
    again.restore(rings.remember())
    rows = np.arange(4096, dtype=np.int32)
    assert np.array_equal(rings[rows], plain)
    assert np.array_equal(again[rows], plain)
    for row in [*range(4096)] * 2:
        rings.clear(rows[row : row + 1])
        rings.put_row(row, line)
    assert len(rings.remember()["far"]) <= 4096 + 1
    assert rings[rows[:0]].shape == (len(RINGS), 0, RING)
