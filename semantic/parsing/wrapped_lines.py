"""Line breaks inside the words of scripts that have no blanks between words.

A line of Chinese or Japanese may end inside a word, in the source of a page as in a mail. Between two such characters
(CSS Text 3, 4.1.3: those of East Asian width that are no Hangul) one line break, with the blanks around it, is nothing:

    春天采摘的绿
    茶最好              -> 春天采摘的绿茶最好

An empty line and an indented one (U+3000) stay a blank, since they begin a paragraph. A `<br>` divides: of 500 between
Han characters, on pages of four archived webs, 16 stood inside a word. So does a line break between two elements, which
mostly are two entries of a menu.

Headings are spaced out: 绿 茶, 目　录. A text of single Han characters with blanks between them is one word.

`in_c/html_extraction.c` has the same ranges.
"""

import re

_HAN = "\u3400-\u9fff"
# radicals, punctuation, kana, bopomofo, Han, Yi, compatibility forms, wide signs and digits without letters, half-width
# kana, supplementary Han; and what has no width
_RANGES = (
    (0x200B, 0x200B),
    (0x2060, 0x2060),
    (0x2E80, 0x2FFF),
    (0x3001, 0x312F),
    (0x3190, 0xA4CF),
    (0xF900, 0xFAFF),
    (0xFE00, 0xFE0F),
    (0xFE30, 0xFE4F),
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFF20),
    (0xFF3B, 0xFF40),
    (0xFF5B, 0xFF9F),
    (0x20000, 0x3FFFF),
    (0xE0100, 0xE01EF),
)
UNSPACED = "".join(f"{chr(first)}-{chr(last)}" for first, last in _RANGES)  # for a class of a regular expression

BREAK = re.compile(rf"(?<=[{UNSPACED}])[ \t\f]*+(?:\r\n?|\n)[ \t\f]*+(?=[{UNSPACED}])")
_SPACED_OUT = re.compile(rf"[{_HAN}](?: [{_HAN}])++")


def without_breaks(text: str) -> str:
    """The text without the line breaks that stand inside of words."""
    return BREAK.sub("", text) if "\n" in text or "\r" in text else text


def folded_blanks(text: str) -> str:
    """The text with its blanks as readers see them: runs as one, none at the ends."""
    folded = " ".join(without_breaks(text).split())
    return folded.replace(" ", "") if _SPACED_OUT.fullmatch(folded) else folded
