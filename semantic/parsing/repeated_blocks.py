"""Which parts of a page are its own text: those that it alone says, not what its site repeats.

A part is a block of the page's text (between two `PARAGRAPH`s). Two kinds of blocks count as several: the title, cut
where sites put their name (`Tea - Example`), and the way to a page (`Home > Tea`). A part is own text by its score
(`semantic.parsing.own_blocks`), from which `REPEATED` is taken away if it stands on several pages of its host; if not,
it gains `NOT_REPEATED`. So this can only be decided when the host is known: while a crawl runs it is decided again each
time the crawl has doubled, and at its end (`graphdb.record.own_texts`).
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress
from struct import Struct
from typing import Any
from zlib import crc32

from semantic.page import PARAGRAPH, Page, Position
from semantic.parsing.own_block_weights import REPEATED
from semantic.parsing.own_blocks import NOT_REPEATED, OWN

UNKNOWN = OWN + 8  # the score of blocks where none is known: own text, unless they are repeated
TITLE = 1  # instead of a score: a part of the title, which is own text unless it is repeated
KNOWN = 10  # pages of a host from which it counts that it does not repeat a part; measured: benchmarks.page_blocks
PAGES, SHARE = 3, 0.05  # a part is repeated if it stands on so many pages of its host, and on this share of them
SAMPLE = 2000  # pages of a host by which that is decided, evenly taken; chosen, not measured
_TITLE_PARTS = re.compile(r"\s+[-–—|_·•»«:]+\s+|\s*[|｜»«_]\s*")
_STEP_MARKS = ">›»→"
_STEPS = re.compile(rf"\s*[{_STEP_MARKS}]\s*")
_AS_TITLE, _LEAST = bytes([TITLE]), bytes([TITLE + 1])
_SHORT = 160  # characters of a block that may be the way to a page; chosen, not measured
_TITLE = Position.TITLE
_PART = Struct("<IB")  # a hash of the text, the score
_POSITIONS = tuple(map(str, Position))  # plain texts, which travel better than an enumeration's members
_RANKS = {position: rank for rank, position in enumerate(Position)}
_PLACES = 8  # more than there are positions
Part = tuple[int, int, int]  # start and end in the page's text, score


def starts_of(blocks: Sequence[str]) -> list[int]:
    """Where each block of a page begins in its text."""
    return list(accumulate([len(block) + 1 for block in blocks[:-1]], initial=0))


def parts_of(page: Page) -> list[Part]:
    """The parts of a page, in the order of its text. Something of a page is its own: if no block has the score for it,
    all are raised until one has.
    """
    text = page.text
    blocks = text.split(PARAGRAPH)
    starts = starts_of(blocks)
    scores: Sequence[int] = page.blocks.replace(_AS_TITLE, _LEAST) or bytes([UNKNOWN]) * len(blocks)
    titles = [(start, end) for start, end, position in page.spans if position is _TITLE]
    first, last = (bisect_right(starts, offset) for offset in (titles[0][0], titles[-1][1] - 1)) if titles else (1, 0)
    raised = OWN - max(scores[last:], default=OWN)
    if raised > 0:
        scores = [score + raised for score in scores]
    parts = [(start, start + len(block), score) for start, block, score in zip(starts, blocks, scores, strict=True)]
    steps = {bisect_right(starts, at) - 1 for mark in _STEP_MARKS for at in _places(mark, text)}
    for number in sorted({*steps, *range(first - 1, last)}, reverse=True):
        is_title, (start, end, score) = first - 1 <= number < last, parts[number]
        if is_title or end - start <= _SHORT:
            parts[number : number + 1] = _cut(text, start, end, TITLE if is_title else score)
    return parts


def _places(mark: str, text: str) -> Iterator[int]:
    """Where a character stands in a text; most texts have none, which `find` says sooner than a pattern does."""
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1)


def _cut(text: str, start: int, end: int, score: int) -> Iterator[Part]:
    """A title, or the way to a page, in parts."""
    for between in (_TITLE_PARTS if score == TITLE else _STEPS).finditer(text, start, end):
        yield start, between.start(), score
        start = between.end()
    yield start, end, score


def place_in(part: int, position: Position) -> int:
    """A place in a page as one number: the rank of its part, and its position."""
    return _PLACES * part + _RANKS[position]


def by_position(places: Iterable[int]) -> dict[str, int]:
    """How many of these places are at each position."""
    found: dict[str, int] = {}
    for one in places:
        position = _POSITIONS[one % _PLACES]
        found[position] = found.get(position, 0) + 1
    return found


def in_own_parts(places: Iterable[int], own: Sequence[int]) -> list[int]:
    """The places in parts that are own text."""
    return [one for one in places if own[one // _PLACES]]


def packed_parts(page: Page, parts: Sequence[Part]) -> bytes:
    """Of each part of a page a hash of its text and its score, packed for the record."""
    text = page.text
    return b"".join([_PART.pack(crc32(text[a:b].encode("utf-8", "replace")), score) for a, b, score in parts])


def is_own(score: int) -> bool:
    """Whether a part with this score is own text as far as its page tells."""
    return score >= OWN or score == TITLE


def own_alone(packed: bytes) -> bytes:
    """Of each part 1 if it is own text as far as its page tells, else 0."""
    return bytes([is_own(score) for _, score in _PART.iter_unpack(packed)])


def own_on_host(pages: Sequence[bytes]) -> Iterator[bytes]:
    """Of each page of one host the same, now that all its pages are known. `pages`: their packed parts.

    A page of which nothing would be left but its title keeps what it alone tells.
    """
    import numpy as np  # only here, so that commands start quickly

    def read(some: Sequence[bytes]) -> Any:
        """The parts of these pages, one after another; and of each the rank of its page."""
        sizes = [len(packed) // _PART.size for packed in some]
        every = np.frombuffer(b"".join(some), [("text", "<u4"), ("score", "u1")])
        return every, np.repeat(np.arange(len(some)), sizes), np.cumsum(sizes)[:-1]

    sample = pages[:: -(-len(pages) // SAMPLE)]
    every, page, _ = read(sample)
    texts, text = np.unique(every["text"], return_inverse=True)
    on_pages = np.bincount(np.unique(text * len(sample) + page) // len(sample), minlength=len(texts))
    repeated = texts[on_pages >= max(PAGES, SHARE * len(sample))]
    gain = NOT_REPEATED if len(pages) >= KNOWN else 0
    for first in range(0, len(pages), SAMPLE):
        some = pages[first : first + SAMPLE]
        every, page, ends = read(some)
        is_repeated = np.isin(every["text"], repeated)
        is_title, scores = every["score"] == TITLE, every["score"].astype(np.int64)
        is_left = ~is_title & (scores + np.where(is_repeated, REPEATED, gain) >= OWN)
        has_any = np.bincount(page, weights=is_left, minlength=len(some)) > 0
        own = np.where(is_title, ~is_repeated, np.where(has_any[page], is_left, scores >= OWN)).astype(np.uint8)
        yield from (part.tobytes() for part in np.split(own, ends))


def own_parts(page: Page, own: bytes | None) -> Iterator[Part]:
    """The own parts of a page. `own`: of each part whether it is; None if only the page tells."""
    parts = parts_of(page)
    return compress(parts, own or [is_own(score) for _, _, score in parts])


def own_text(page: Page, parts: Iterable[Part]) -> str:
    """The text of some parts of a page, without its title."""
    text = page.text
    return PARAGRAPH.join([text[start:end] for start, end, score in parts if score != TITLE])
