"""What a link says, as numbers: its anchor text, the words around it, the place where a site's program sets it.

Most numbers come as the bytes of int32, as many as there are slots (`token_table`): 0 where there are fewer words. So
the rows of a page are put together by joining bytes.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import has_han, numbers_in, numbers_of, token, tokens, words
from semantic.memory.ring_buffers import once
from semantic.strategies.fused.evidence.token_table import (
    ANCHOR_SLOTS,
    CONTEXT_SLOTS,
    PLACE_SLOTS,
    SLOTS,
    TEMPLATE_SLOTS,
)

Ints = NDArray[np.int32]

ANCHORS = 1 << 17  # groups that anchor texts hash to
NO_TEXT = bytes(4 * ANCHOR_SLOTS)
NO_CONTEXT = bytes(4 * CONTEXT_SLOTS)
NO_LINK = bytes(4 * (SLOTS - PLACE_SLOTS))
_ANCHOR_TOKENS = 12
_HALF = CONTEXT_SLOTS // 2


def _padded(numbers: Sequence[int], slots: int) -> bytes:
    """The first `slots` numbers, and 0 where there are fewer."""
    return struct.pack(f"={min(len(numbers), slots)}i", *numbers[:slots]).ljust(4 * slots, b"\0")


@lru_cache(maxsize=50_000)
def place_tokens(numbers: tuple[int, ...]) -> bytes:
    """The words of an address (`site_places.Place`)."""
    return _padded(numbers, PLACE_SLOTS)


def context_tokens(befores: Sequence[str], afters: Sequence[str]) -> Ints:
    """For each anchor the words nearest to it on either side: a row of `CONTEXT_SLOTS` numbers, each once."""
    n = len(befores)
    found = np.zeros((n, CONTEXT_SLOTS), np.int32)
    texts = [*befores, *afters]
    han = [has_han(text) for text in texts]
    numbers, where = numbers_in("near", ["" if is_han else text for text, is_han in zip(texts, han, strict=True)])
    counts = np.bincount(where, minlength=2 * n)
    rank = np.arange(len(where)) - (np.cumsum(counts) - counts)[where]
    rank = np.where(where < n, rank - counts[where] + CONTEXT_SLOTS, rank)  # the last ones before, the first ones after
    near = np.where(where < n, rank >= _HALF, rank < _HALF)
    row, rank = where[near] % n if n else where, rank[near]
    found[row, np.where(where[near] < n, rank - _HALF, rank + _HALF)] = numbers[near]
    for i in range(n):
        if han[i] or han[n + i]:
            found[i] = _context(befores[i], afters[i])
    return once(found)


@lru_cache(maxsize=20_000)  # menus stand around the same links on every page
def _context(before: str, after: str) -> tuple[int, ...]:
    """The same of one anchor: Han text is cut in its order only here."""
    found = numbers_of("near", [*words(before)[-_HALF:], *words(after)[:_HALF]])
    return (*found, *[0] * (CONTEXT_SLOTS - len(found)))


@lru_cache(maxsize=50_000)
def anchor_tokens(text: str) -> bytes:
    """The first different words of an anchor."""
    return _padded(tokens("word", words(text), _ANCHOR_TOKENS), ANCHOR_SLOTS)


@lru_cache(maxsize=10_000)
def template_tokens(path: str) -> bytes:
    """A template and its last tag."""
    return _padded([token("path", path), token("tag", path.rpartition("/")[2])], TEMPLATE_SLOTS)


def anchor_number(text: str) -> int:
    """The group of links with this anchor text, 0 for none."""
    return crc32(text.encode("utf-8", "replace")) % (ANCHORS - 1) + 1 if text else 0
