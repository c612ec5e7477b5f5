"""Lists and tables that hold much in little, against plain ones."""

import random

from crawler.compact import FirstOf, PackedTexts


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
