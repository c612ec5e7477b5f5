"""Whether a Chinese word names the thing that one of its characters means: 酒 in 米酒, 酒庄 and 酿酒, not in 酒店.

Most words that contain a character mean a kind (米酒), a part or place (酒庄) or an action (酿酒) of what it means
alone. So a word of the dictionary names it if

1. it is mostly a noun, a verb or a term: no name of a person or place (罗马), adverb (马上), measure (厘米) or idiom;
2. neither it nor a part of it around the character is in `sign_only.txt`, the list of words whose meaning has nothing
  to do with the character any more (马路);
3. it has two characters; or it splits into two words, and the one with the character names it by itself (图书|馆,
  葡萄|酒).

Tried and rejected: only words that end in the character (米酒), which finds two thirds of all; the dictionary's tags
without the list of words, with a precision of 0.84 instead of 0.99 on the sentences of the tests.
"""

from functools import cache
from pathlib import Path

from semantic.segmentation.word_segmentation import cut, is_classifier, is_title, is_word, naming_words

_LIST = Path(__file__).with_name("sign_only.txt")
_SURNAMES = frozenset("马牛钟金石江雷龙熊毛田林梅柳汤麦米白")  # surnames that are also names of things
_NUMERALS = frozenset("0123456789一二三四五六七八九十百千万亿两几半每")


@cache
def names(word: str, place: int) -> bool:
    """Whether `word` (folded, from the segmentation) names what its character at index `place` means."""
    if _has_left(word, place):
        return False
    if place == len(word) - 1 and is_classifier(word[place - 1]):
        return True  # 一匹马, 匹马: the dictionary has measure and noun as one word
    if not is_word(word):  # from another segmenter
        return _names_within(word, place)
    if word not in naming_words():
        return False
    return len(word) == 2 or any(_falls_apart(word, place, cut) for cut in range(1, len(word)))


def names_alone(text: str, start: int, before: str, after: str) -> bool:
    """Whether a character that the segmentation gives as a word has its own meaning. `before`, `after`: the words
    beside it.

    It has not if it is a measure after a number (两|米|长), a surname beside a title (导演|马|丽), a verb (花|了), or
    the end of a word that was cut wrongly (各部|门).
    """
    sign = text[start]
    if is_classifier(sign) and before[-1:] in _NUMERALS:
        return False
    if sign in _SURNAMES and (is_title(before) or is_title(after)):
        return False
    return not _leaves(before[-1:] + sign, sign) and not (len(after) == 1 and _leaves(sign + after, sign))


def _has_left(word: str, place: int) -> bool:
    return any(
        _leaves(word[start:end], word[place])
        for start in range(place + 1)
        for end in range(max(place + 1, start + 2), len(word) + 1)
    )


def _names_within(word: str, place: int) -> bool:
    """Decide by its parts for a word that the dictionary does not have."""
    end = 0
    for piece in cut(word):
        start, end = end, end + len(piece)
        if place < end:
            return len(piece) == 1 or (piece != word and names(piece, place - start))
    return False


def _falls_apart(word: str, place: int, cut: int) -> bool:
    first, second = word[:cut], word[cut:]
    if not (is_word(first) and is_word(second)):
        return False
    half, inside = (first, place) if place < cut else (second, place - cut)
    return len(half) == 1 or names(half, inside)


def _leaves(word: str, sign: str) -> bool:
    return sign in _sign_only().get(word, "")


@cache
def _sign_only() -> dict[str, str]:
    """Word -> the characters whose meaning it has lost."""
    left = {}
    for line in _LIST.read_text(encoding="utf-8").splitlines():
        for entry in () if line.startswith("#") else line.split():
            word, _, signs = entry.partition("/")
            left[word] = signs or word
    return left
