"""Hashed words of pages, by which marks and self-training know which pages are similar.

Hashed words tell which pages are similar. A page has two blocks: `TEXT`, the words of its text (Han text as pairs of
characters), each weighing log(1 + occurrences weighted by position); `ADDRESS`, the words, folders and host of its
address. Words are hashed to 18 bits (Weinberger et al. 2009), so that no vocabulary grows with the crawl. A page takes
about 1.5 KB.

The processes that read pages import this; so it must not import scipy, which takes half a second.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import numbers_of, weighed_numbers, words
from semantic.page import Page, Position
from semantic.urls import host_of, words_of

POSITION_WEIGHT = {  # as in the kernels measured on archived webs (../shared/research/judge.md: Marks)
    Position.TITLE: 3.0,
    Position.H1: 3.0,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.0,
    Position.OTHER: 1.0,
    Position.ANCHOR: 0.3,
}
DEEPEST = 4  # folders of an address that are used; chosen, not measured


class Block(NamedTuple):
    """Numbers of words, ascending, and the weight of each."""

    words: NDArray[np.int32]
    weights: NDArray[np.float32]


NO_WORDS = Block(np.zeros(0, np.int32), np.zeros(0, np.float32))


class HashedPage(NamedTuple):
    """The two blocks of a page."""

    text: Block
    address: Block


NO_PAGE = HashedPage(NO_WORDS, NO_WORDS)


def hash_page(page: Page) -> HashedPage:
    """Hash the words of a page and of its address."""
    text = page.text
    found: dict[Position, list[str]] = defaultdict(list)
    for start, end, position in page.spans:
        found[position].append(text[start:end])
    texts: dict[float, list[str]] = defaultdict(list)
    for position, parts in found.items():
        texts[POSITION_WEIGHT[position]] += parts
    numbers, sums = weighed_numbers("text", ["\n".join(parts) for parts in texts.values()], list(texts))
    return HashedPage(Block(numbers, np.log1p(sums).astype(np.float32)), _address_block(_address(page.url)))


def _address(url: str) -> list[str]:
    host = host_of(url)
    folders = urlsplit(url).path.split("/")[1:-1][:DEEPEST]
    chain = ["/".join([host, *folders[:depth]]) for depth in range(len(folders) + 1)]
    return [*words(words_of(url)), *chain]


def _address_block(found: Sequence[str]) -> Block:
    counts = Counter(numbers_of("address", found))
    numbers = sorted(counts)  # an address has few words; numpy would take longer
    return Block(np.array(numbers, np.int32), np.log1p([counts[number] for number in numbers]).astype(np.float32))
