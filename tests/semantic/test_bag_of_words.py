"""The words of a text, Chinese and English."""

from miniature import page

from semantic.page import Position
from semantic.terms.bag_of_words import WordReader, count_words


def test_chinese_and_english_are_counted_alike():
    """Folded: capitals, full width and traditional characters are the same word."""
    assert count_words("Fighter ＦＩＧＨＴＥＲ 轟炸機和轰炸机") == {"fighter": 2, "轰炸机": 2}


def test_what_says_nothing_is_left_out():
    """Stop words of both languages, numbers, single letters, punctuation."""
    assert count_words("这是我们的 2024 年 and of the F-22, x: 可以说 _tea_") == {"说": 1, "tea": 1}


def test_words_of_other_scripts_stay_whole():
    assert count_words("café, straße; Москва mp3") == {"café": 1, "straße": 1, "москва": 1, "mp3": 1}


def test_no_text_has_no_words():
    assert not count_words("")
    assert not count_words("。、")


def test_no_word_spans_two_stretches_of_chinese():
    assert count_words("长江，大桥") == {"长江": 1, "大桥": 1}


def test_a_reader_gives_the_words_of_page_and_anchor():
    reader = WordReader()
    one = page((Position.TITLE, "green tea"), (Position.ANCHOR, "black tea"))
    assert reader.of_page(one) == {"tea": 2, "green": 1, "black": 1}
    assert reader.of_page(one) is reader.of_page(one)
    assert reader.of_text("black tea") == {"tea": 1, "black": 1}
    assert reader.of_text("black tea") is reader.of_text("black tea")
