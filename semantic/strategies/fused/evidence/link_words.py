"""What a link says, as numbers: its anchor text, the words around it, the place where a site's program sets it."""

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from semantic.learning.feature_hashing import token, tokens, words
from semantic.strategies.fused.evidence.link_reading import Saying
from semantic.strategies.fused.evidence.token_table import ANCHOR_SLOTS, CONTEXT_SLOTS, TEMPLATE_SLOTS

ANCHORS = 1 << 17  # groups that anchor texts hash to
_ANCHOR_TOKENS = 12


def padded(numbers: Sequence[int], slots: int) -> list[int]:
    """The first `slots` numbers, and 0 where there are fewer."""
    return [*numbers[:slots], *[0] * (slots - len(numbers))]


def link_tokens(saying: Saying, i: int) -> list[int]:
    """The words of a target's first link: anchor, the words around it, template."""
    return [
        *padded(anchor_tokens(saying.anchors[i]), ANCHOR_SLOTS),
        *padded(context_tokens(*saying.contexts[i]), CONTEXT_SLOTS),
        *padded(template_tokens(saying.templates[i]), TEMPLATE_SLOTS),
    ]


def context_tokens(before: str, after: str) -> list[int]:
    """The words nearest to an anchor on either side."""
    half = CONTEXT_SLOTS // 2
    return tokens("near", [*words(before)[-half:], *words(after)[:half]], CONTEXT_SLOTS)


@lru_cache(maxsize=50_000)
def anchor_tokens(text: str) -> list[int]:
    """The first different words of an anchor."""
    return tokens("word", words(text), _ANCHOR_TOKENS)


@lru_cache(maxsize=10_000)
def template_tokens(path: str) -> list[int]:
    """A template and its last tag."""
    return [token("path", path), token("tag", path.rpartition("/")[2])]


def anchor_number(text: str) -> int:
    """The group of links with this anchor text, 0 for none."""
    return crc32(text.encode("utf-8", "replace")) % (ANCHORS - 1) + 1 if text else 0
