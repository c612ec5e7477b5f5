"""The words of a text, Chinese and English."""

import pytest
from miniature import page

from semantic.page import Position
from semantic.terms.bag_of_words import WordReader, count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Fighter ＦＩＧＨＴＥＲ 轟炸機和轰炸机", {"fighter": 2, "轰炸机": 2}),  # folded
        ("这是我们的 2024 年 and of the F-22, x: 可以说 _tea_", {"说": 1, "tea": 1}),  # stop words, numbers, letters
        ("café, straße; Москва mp3", {"café": 1, "straße": 1, "москва": 1, "mp3": 1}),
        ("长江，大桥", {"长江": 1, "大桥": 1}),
        ("。、", {}),
    ],
)
def test_words_of_any_script_are_counted_and_empty_ones_not(text, words):
    assert count_words(text) == words


def test_a_reader_gives_the_words_of_page_and_anchor():
    reader = WordReader()
    one = page((Position.TITLE, "green tea"), (Position.ANCHOR, "black tea"))
    assert reader.of_page(one) == {"tea": 2, "green": 1, "black": 1}
    assert reader.of_page(one) is reader.of_page(one)
    assert reader.of_text("black tea") == {"tea": 1, "black": 1}
    assert reader.of_text("black tea") is reader.of_text("black tea")
