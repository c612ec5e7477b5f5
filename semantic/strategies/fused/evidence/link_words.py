"""What a link says, as numbers: its anchor text, the words around it, the place where a site's program sets it.

Most numbers come as the bytes of int32, as many as there are slots (`token_table`): 0 where there are fewer words. So
the rows of a page are put together by joining bytes.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from semantic.learning.feature_hashing import numbers_of, token, tokens, words
from semantic.strategies.fused.evidence.token_table import (
    ANCHOR_SLOTS,
    CONTEXT_SLOTS,
    PLACE_SLOTS,
    SLOTS,
    TEMPLATE_SLOTS,
)

ANCHORS = 1 << 17  # groups that anchor texts hash to
NO_TEXT = bytes(4 * ANCHOR_SLOTS)
NO_CONTEXT = bytes(4 * CONTEXT_SLOTS)
NO_LINK = bytes(4 * (SLOTS - PLACE_SLOTS))
_ANCHOR_TOKENS = 12
_HALF = CONTEXT_SLOTS // 2


def _padded(numbers: Sequence[int], slots: int) -> bytes:
    """The first `slots` numbers, and 0 where there are fewer."""
    return struct.pack(f"={min(len(numbers), slots)}i", *numbers[:slots]).ljust(4 * slots, b"\0")


def place_tokens(numbers: tuple[int, ...]) -> bytes:
    """The words of an address (`site_places.Place`)."""
    return _padded(numbers, PLACE_SLOTS)


@lru_cache(maxsize=20_000)  # menus stand around the same links on every page
def context_tokens(before: str, after: str) -> bytes:
    """The words nearest to an anchor on either side, each once."""
    found = sorted(numbers_of("near", [*words(before)[-_HALF:], *words(after)[:_HALF]]))
    if len(set(found)) < len(found):
        found = [0 if number == last else number for last, number in pairwise([0, *found])]
    return bytes(4 * (CONTEXT_SLOTS - len(found))) + struct.pack(f"={len(found)}i", *found)


@lru_cache(maxsize=50_000)
def anchor_tokens(text: str) -> bytes:
    """The first different words of an anchor."""
    return _padded(tokens("word", words(text), _ANCHOR_TOKENS), ANCHOR_SLOTS)


@lru_cache(maxsize=10_000)
def template_tokens(path: str) -> bytes:
    """A template and its last tag."""
    return _padded([token("path", path), token("tag", path.rpartition("/")[2])], TEMPLATE_SLOTS)


@lru_cache(maxsize=50_000)
def anchor_number(text: str) -> int:
    """The group of links with this anchor text, 0 for none."""
    return crc32(text.encode("utf-8", "replace")) % (ANCHORS - 1) + 1 if text else 0
