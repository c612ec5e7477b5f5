"""Lists and tables that hold much in little, against plain ones."""

import random

from crawler.dedup.duplicate_pages import FirstOf, HashSet, PackedTexts


def test_packed_texts_are_a_list():
    texts, plain = PackedTexts(), []
    for number in range(500):
        plain.append(f"http://a/{number}/\udcff\u8336" if number % 7 else "")
        texts.append(plain[-1])
        assert len(texts) == len(plain)
    assert [texts[number] for number in range(500)] == plain


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


def test_hashes_are_a_set():
    chance = random.Random(2)
    plain = {chance.getrandbits(64) - 2**63 for _ in range(9000)} | {0, -(2**63), 2**63 - 1}
    begun = set(list(plain)[:3000])
    hashes = HashSet(begun)
    for one in plain:
        assert (one in hashes) == (one in begun)
        hashes.add(one)
        begun.add(one)
    assert all(one in hashes for one in plain)
    assert not any(one ^ 1 in hashes for one in plain if one ^ 1 not in plain)
    assert 5 not in HashSet()
