"""Texts that are the same, nearly the same, and others."""

import random

import pytest

from crawler.dedup.duplicate_pages import DISTANCE, NearTexts
from semantic.parsing.fingerprint import FEWEST, SHORT, fingerprint, read_fingerprint

CHANCE = random.Random(5)
ENGLISH = " ".join("".join(CHANCE.choices("abcdefghij", k=CHANCE.randrange(2, 9))) for _ in range(900))
CHINESE = "".join(chr(0x4E00 + CHANCE.randrange(3000)) for _ in range(3000))


def distance(one: str, other: str) -> int:
    first, second = fingerprint(one).near, fingerprint(other).near
    assert first is not None
    assert second is not None
    return (first ^ second).bit_count()


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_a_changed_word_is_near_and_half_a_text_not(text: str) -> None:
    assert distance(text, text[:700] + "2026" + text[704:]) <= DISTANCE
    assert distance(text, text.upper().replace(" ", "\u2029")) == 0
    assert distance(text, text[: len(text) // 2] + text[: len(text) // 2][::-1]) > DISTANCE
    assert distance(ENGLISH, CHINESE) > 16


def test_fingerprints_are_the_same_in_every_process_and_when_stored() -> None:
    assert str(fingerprint("tea")) == "ba6587c1bb84c490 short"
    assert str(fingerprint("0123456789" * 100)) == "d470ef274c1555a2 0660225112322700"
    for text in ("", "tea" * 5, "tea" * 100, ENGLISH, "\ud800" * FEWEST, " " * FEWEST):
        assert read_fingerprint(str(fingerprint(text))) == fingerprint(text)


def test_what_stands_beside_a_short_text_tells_it_from_others() -> None:
    short, long = "x" * (SHORT - 1), "x" * SHORT
    assert fingerprint(short, ("title",)) != fingerprint(short)
    assert fingerprint(short, ("title",)) == fingerprint(short, ("title",))
    assert fingerprint(long, ("title",)) == fingerprint(long)


def test_of_equals_the_first_within_three_bits_is_the_nearest() -> None:
    texts = NearTexts()
    for simhash in (None, None, 0b0, 0b111, None, 0b111, 1 << 63):
        texts.add(simhash)
    assert texts.find(0b1) == 2
    assert texts.find(0b11) == 3
    assert texts.find((1 << 63) + (1 << 40) + (1 << 20) + 1) == 6
    assert texts.find((1 << 63) + (1 << 40) + (1 << 20) + 0b11) is None
    texts.change(6, 1 << 62)
    assert (texts.find(1 << 63), texts.find(1 << 62), texts.find(0b111)) == (2, 6, 3)


def test_all_pairs_of_three_bits_or_fewer_are_found() -> None:
    chance = random.Random(1)
    for _ in range(300):
        texts, simhash = NearTexts(), chance.getrandbits(64)
        texts.add(simhash)
        bits = sum(1 << bit for bit in chance.sample(range(64), chance.randrange(4)))
        assert texts.find(simhash ^ bits) == 0
