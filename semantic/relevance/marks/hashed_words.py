"""What a page says in hashed words: its text and its address, to tell which pages are like one that the expert marked.

Two blocks a page: `TEXT`, the words of its text (Han text as pairs of characters), each log(1 + occurrences weighted by
position); `ADDRESS`, the words, the folders and the host of its address. Numbers are hashes of 18 bits (Weinberger et
al. 2009), so that no vocabulary grows with the crawl. About 1.5 KB a page.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import SIZE, numbers_in, numbers_of, words
from semantic.memory.array_packing import pack_array, unpack_array
from semantic.page import Page, Position
from semantic.urls import host_of, words_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

Floats = NDArray[np.float64]

POSITION_WEIGHT = {  # measured before on archived webs, with the kernels that are made of it
    Position.TITLE: 3.0,
    Position.H1: 3.0,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.0,
    Position.OTHER: 1.0,
    Position.ANCHOR: 0.3,
}
_PART_BITS = 3  # parts of a page have different weights of positions
DEEPEST = 4  # folders of an address
COMMONEST = 0.5  # a word of a larger share of the pages says nothing


class Block(NamedTuple):
    """Numbers of words, ascending, and what each weighs."""

    words: NDArray[np.int32]
    weights: NDArray[np.float32]


NO_WORDS = Block(np.zeros(0, np.int32), np.zeros(0, np.float32))


class HashedPage(NamedTuple):
    """The two blocks of a page."""

    text: Block
    address: Block


NO_PAGE = HashedPage(NO_WORDS, NO_WORDS)


def hash_page(page: Page) -> HashedPage:
    """The words of a page and of its address."""
    text = page.text
    found: dict[Position, list[str]] = defaultdict(list)
    for start, end, position in page.spans:
        found[position].append(text[start:end])
    texts: dict[float, list[str]] = defaultdict(list)
    for position, parts in found.items():
        texts[POSITION_WEIGHT[position]] += parts
    numbers, where = numbers_in("text", ["\n".join(parts) for parts in texts.values()])
    return HashedPage(_text_block(numbers, where, list(texts)), _address_block(_address(page.url)))


def _address(url: str) -> list[str]:
    host = host_of(url)
    folders = urlsplit(url).path.split("/")[1:-1][:DEEPEST]
    chain = ["/".join([host, *folders[:depth]]) for depth in range(len(folders) + 1)]
    return [*words(words_of(url)), *chain]


def _address_block(found: Sequence[str]) -> Block:
    counts = Counter(numbers_of("address", found))
    numbers = sorted(counts)  # an address has few: numpy would take longer
    return Block(np.array(numbers, np.int32), np.log1p([counts[number] for number in numbers]).astype(np.float32))


def _text_block(found: NDArray[np.uint32], where: NDArray[np.int64], weights: Sequence[float]) -> Block:
    """The block of words in parts of a page; `where`: each one's part, `weights`: of each part."""
    if not len(found):
        return NO_WORDS
    both = np.sort(found << np.uint32(_PART_BITS) | where.astype(np.uint32))
    first = np.flatnonzero(np.diff(both, prepend=np.uint32(0)))  # 0 is no word
    counts = np.diff(first, append=len(both))
    both = both[first]
    numbers = (both >> np.uint32(_PART_BITS)).astype(np.int32)
    first = np.flatnonzero(np.diff(numbers, prepend=0))
    sums = np.add.reduceat(np.array(weights).take(both & np.uint32(2**_PART_BITS - 1)) * counts, first)
    return Block(numbers[first], np.log1p(sums).astype(np.float32))


class Joined(NamedTuple):
    """Blocks of several pages: the number of the page, word and weight, by entry."""

    page: NDArray[np.int64]
    words: NDArray[np.int32]
    weights: NDArray[np.float32]


def joined(blocks: Sequence[Block]) -> Joined:
    """The blocks of pages 0, 1, 2, ... one after another."""
    return Joined(
        np.repeat(np.arange(len(blocks)), [len(block.words) for block in blocks]),
        np.concatenate([NO_WORDS.words, *(block.words for block in blocks)]),
        np.concatenate([NO_WORDS.weights, *(block.weights for block in blocks)]),
    )


def words_of_pages(blocks: Sequence[Block]) -> "csr_matrix":
    """A row a page, a column a word."""
    from scipy.sparse import csr_matrix

    page, words, weights = joined(blocks)
    return csr_matrix((weights, (page, words)), (len(blocks), SIZE))


def inverse_frequency(rows: "csr_matrix") -> Floats:
    """`rarity` of the words of pages, each of which has a word once."""
    return rarity(rows.indices, rows.shape[0])


def rarity(words: NDArray[np.int32], pages: int) -> Floats:
    """log((1 + n)/(1 + df)) + 1 by word, of n pages; 0 for a word of one page, or of more than `COMMONEST` of them.

    `words`: those of all pages, each once a page. 0 is no word.
    """
    df = np.bincount(words, minlength=SIZE)
    df[0] = 0
    return np.where((df >= 2) & (df <= COMMONEST * pages), np.log((1 + pages) / (1 + df)) + 1, 0.0)


def unit_rows(rows: "csr_matrix", idf: Floats) -> "csr_matrix":
    """The rows weighed by idf, each of length 1 (0 where nothing is left of it)."""
    from scipy.sparse import csr_matrix

    values = rows.data * idf[rows.indices]
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    length = np.sqrt(np.bincount(row, values**2, rows.shape[0]))
    found = csr_matrix((values / np.where(length > 0, length, 1.0)[row], rows.indices, rows.indptr), rows.shape)
    found.eliminate_zeros()
    return found


def pack_words(pages: Sequence[HashedPage]) -> dict[str, Any]:
    """Pages for a memory."""
    blocks = [block for page in pages for block in page]
    return {
        "ends": pack_array(np.cumsum([len(block.words) for block in blocks])),
        "words": pack_array(np.concatenate([NO_WORDS.words, *(block.words for block in blocks)])),
        "weights": pack_array(np.concatenate([NO_WORDS.weights, *(block.weights for block in blocks)])),
    }


def unpack_words(memory: Mapping[str, Any]) -> list[HashedPage]:
    """What was packed."""
    ends, words, weights = (unpack_array(memory[name]) for name in ("ends", "words", "weights"))
    blocks = list(map(Block, np.split(words, ends), np.split(weights, ends)))[: len(ends)]
    return list(map(HashedPage, blocks[::2], blocks[1::2]))
