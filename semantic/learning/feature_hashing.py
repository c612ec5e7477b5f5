"""Words as numbers: feature hashing (Weinberger et al. 2009), so that no vocabulary grows with the crawl.

A token is `kind` and text, hashed by CRC-32 to 18 bits; 0 is no token. The same word in an anchor and in an address are
two tokens. Han text has no blanks: it is cut into pairs of characters, which do as well as words here.
"""

import re
from collections.abc import Iterable
from operator import add
from zlib import crc32

from ontology.lexicon.text_folding import fold

BITS = 18
SIZE = 1 << BITS

_HAN = r"\u3400-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"([{_HAN}]+)|([^\W_{_HAN}]+)")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_WORD = re.compile(rf"[^\W_{_HAN}]+")
_ASCII = re.compile("[a-z0-9]+")


def token(kind: str, text: str) -> int:
    """The number of a token, 1 to 2^18 - 1."""
    return crc32(f"{kind}\t{text}".encode()) % (SIZE - 1) + 1


def words(text: str) -> list[str]:
    """Words of a folded text, Han runs as overlapping pairs, in order."""
    if text.isascii():
        return _ASCII.findall(text.lower())
    found: list[str] = []
    for han, word in _RUN.findall(fold(text)):
        if word:
            found.append(word)
        else:
            found += map(add, han, han[1:])
    return found


def bag(text: str) -> list[str]:
    """The same words in any order, in half the time."""
    if text.isascii():
        return _ASCII.findall(text.lower())
    folded = fold(text)
    found: list[str] = _WORD.findall(folded)
    for han in _HAN_RUN.findall(folded):
        found += map(add, han, han[1:])
    return found


def tokens(kind: str, found: Iterable[str], most: int) -> list[int]:
    """The numbers of the first `most` different words."""
    return numbers_of(kind, list(dict.fromkeys(found))[:most])


def numbers_of(kind: str, found: Iterable[str]) -> list[int]:
    """The number of each word."""
    start = crc32(f"{kind}\t".encode())
    return [crc32(word.encode(), start) % (SIZE - 1) + 1 for word in found]
