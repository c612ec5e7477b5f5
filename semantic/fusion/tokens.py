"""Words as numbers: feature hashing (Weinberger et al. 2009), so that no vocabulary grows with the crawl.

A token is `kind` and text, hashed by CRC-32 to 18 bits; 0 is no token. The same word in an anchor and in an address are
two tokens. Han text has no blanks: it is cut into pairs of characters, which do as well as words here.
"""

import re
from collections.abc import Iterable
from zlib import crc32

from ontology.folding import fold

BITS = 18
SIZE = 1 << BITS

_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+|[^\W_]+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


def token(kind: str, text: str) -> int:
    """The number of a token, 1 to 2^18 - 1."""
    return crc32(f"{kind}\t{text}".encode()) % (SIZE - 1) + 1


def words(text: str) -> list[str]:
    """Words of a folded text, Han runs as overlapping pairs, in order."""
    found: list[str] = []
    for run in _WORD.findall(fold(text)):
        if len(run) > 2 and _HAN.match(run):
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            found.append(run)
    return found


def tokens(kind: str, found: Iterable[str], most: int) -> list[int]:
    """The numbers of the first `most` different words."""
    return [token(kind, word) for word in list(dict.fromkeys(found))[:most]]
