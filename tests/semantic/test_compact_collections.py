"""Lists and tables that hold much in little, against plain ones."""

import random

import numpy as np

from semantic.memory import compact_collections
from semantic.memory.arrays import distinct, with_room
from semantic.memory.compact_collections import TOGETHER, FirstOf, HashSet, PackedTexts


def test_packed_texts_are_a_list():
    texts, plain = PackedTexts(), []
    for number in range(500):
        plain.append(f"http://a/{number}/\udcff\u8336" if number % 7 else "")
        texts.append(plain[-1])
        assert len(texts) == len(plain)
    assert list(texts) == plain
    assert texts[200:300] == plain[200:300]
    texts[3] = "http://b/"
    assert texts[2:5] == [plain[2], "http://b/", plain[4]]


def test_the_last_texts_are_not_packed(monkeypatch):
    pack, packed = compact_collections.compress, []
    monkeypatch.setattr(compact_collections, "compress", lambda text: packed.extend(text.split()) or pack(text))
    texts = PackedTexts(plain=300)
    for number in range(2000):
        texts.append(str(number))
        assert number + 1 - len(packed) >= min(300, number + 1)
    assert 2000 - len(packed) < 300 + TOGETHER
    assert list(texts) == list(map(str, range(2000)))


def test_the_first_number_of_a_hash_is_found():
    chance = random.Random(1)
    keys = list({chance.getrandbits(64) for _ in range(10_000)} | {0, 2**64 - 1})
    first = FirstOf()
    assert first.get(keys[0]) is None
    for number, key in enumerate(keys):
        first.add(key, number)
    assert [first.get(key) for key in keys] == list(range(len(keys)))
    others = {key ^ 1 for key in keys}.difference(keys)
    assert {first.get(key) for key in others} == {None}


def test_hashes_are_a_set_with_removal():
    chance = random.Random(3)
    every = [chance.getrandbits(64) - 2**63 for _ in range(8997)] + [0, -(2**63), 2**63 - 1]
    plain = set(every[:3000])
    hashes = HashSet(plain)
    for _ in range(30_000):
        one, change = chance.choice(every), chance.choice(["add", "discard"])
        assert (one in hashes) == (one in plain)
        getattr(plain, change)(one)
        getattr(hashes, change)(one)
        assert len(hashes) == len(plain)
    assert {one for one in every if one in hashes} == hashes.among(every) == plain
    assert not any(one ^ 1 in hashes for one in plain if one ^ 1 not in plain)
    assert hashes.sorted().tolist() == sorted(plain)


def test_an_array_with_room_has_the_values_of_before():
    numbers = np.zeros((3000, 2), np.int32)
    numbers[1500:1502] = 7
    grown = with_room(numbers)
    assert grown.shape == (6000, 2)
    assert np.array_equal(grown[:3000], numbers)
    assert not grown[3000:].any()


def test_distinct_numbers_are_sorted_and_each_once():
    for numbers in ([], [5], [3, -1, 3, 2, -1], [2**62, -(2**62), 2**62]):
        assert distinct(np.array(numbers, np.int64)).tolist() == sorted(set(numbers))
