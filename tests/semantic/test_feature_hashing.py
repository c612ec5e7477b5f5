"""Words of texts as numbers: all at once as one by one."""

import pytest

from semantic.learning.feature_hashing import SIZE, numbers_in, numbers_of, token, words

TEXTS = {
    "English": ["Green tea, green TEA; mp3 x", "don’t_stop"],
    "Chinese": ["绿茶和红茶", "茶", "綠茶\u2029红茶"],
    "both": ["喝tea喝茶 ＡＢＣ茶3", "", "été naïve Ωmega 𝒜 🍵"],
    "long": ["a" * 31 + " " + "b" * 32 + " " + "c" * 33 + " " + "é" * 40 + " d", "e" * 5000],
    "nothing": ["", " \n\0", "—!?"],
    "no text": [],
    "broken": ["tea\ud800cup\x01\x85x\U0010ffff"],
}


@pytest.mark.parametrize("name", TEXTS)
def test_all_words_have_the_numbers_that_each_has(name):
    found, where = numbers_in("text", TEXTS[name])
    assert sorted(zip(where.tolist(), found.tolist(), strict=True)) == sorted(
        (place, number) for place, text in enumerate(TEXTS[name]) for number in numbers_of("text", words(text))
    )


def test_a_word_has_the_number_of_its_token():
    found, _ = numbers_in("word", ["Tea"])
    assert found.tolist() == [token("word", "tea")] != [token("text", "tea")]
    assert 0 < found[0] < SIZE
