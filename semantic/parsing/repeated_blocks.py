"""Which parts of a page are its own text: those that it alone says, not what its site repeats.

A part is a block of the page's text (between two `PARAGRAPH`s). Two kinds of blocks count as several: the title, cut
where sites put their name (`Tea - Example`), and the way to a page (`Home > Tea`). A part is own text by its score
(`semantic.parsing.own_blocks`), from which something is taken away if it stands on several pages of its host, and to
which something is added if not. So this can only be decided when the host is known: while a crawl runs it is decided
again each time the crawl has doubled, and at its end (`graphdb.record.own_texts`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, repeat
from struct import Struct
from typing import Any
from zlib import crc32

from semantic.page import PARAGRAPH, Page, Position
from semantic.parsing.own_block_weights import NOT_REPEATED, REPEATED
from semantic.parsing.own_blocks import OWN

UNKNOWN = 160  # the score of blocks where none is known
TITLE = 1  # instead of a score: a part of the title, which is own text unless it is repeated
PAGES, SHARE = 3, 0.05  # a part is repeated if it stands on so many pages of its host, and on this share of them
SAMPLE = 2000  # pages of a host by which that is decided, evenly taken; chosen, not measured
_TITLE_PARTS = re.compile(r"\s+[-–—|_·•»«:]+\s+|\s*[|｜»«_]\s*")
_STEPS = re.compile(r"\s*[>›»→]\s*")
_SHORT = 160  # characters of a block that may be the way to a page; chosen, not measured
_TITLE = Position.TITLE
_PART = Struct("<IB")  # a hash of the text, the score
_POSITIONS = tuple(map(str, Position))  # plain texts, which travel better than an enumeration's members
_RANKS = {position: rank for rank, position in enumerate(Position)}
_PLACES = 8  # more than there are positions
Part = tuple[int, int, int]  # start and end in the page's text, score


def parts_of(page: Page) -> Iterator[Part]:
    """The parts of a page, in the order of its text. Something of a page is its own: if no block has the score for it,
    all are raised until one has.
    """
    titles = [(start, end) for start, end, position in page.spans if position is _TITLE]
    title, title_end = (titles[0][0], titles[-1][1]) if titles else (0, 0)
    start = 0
    for block, score in _scored(page, page.text.count(PARAGRAPH, 0, title_end) + bool(titles)):
        end = start + len(block)
        is_title = title <= start < title_end
        cut = _TITLE_PARTS if is_title else _STEPS
        for between in cut.finditer(page.text, start, end) if is_title or len(block) <= _SHORT else ():
            yield start, between.start(), TITLE if is_title else score
            start = between.end()
        yield start, end, TITLE if is_title else score
        start = end + 1


def _scored(page: Page, titles: int) -> Iterator[tuple[str, int]]:
    """The blocks of a page and their scores, raised so that one after the title's has that of own text."""
    blocks = page.text.split(PARAGRAPH)
    if len(page.blocks) != len(blocks):
        return zip(blocks, repeat(UNKNOWN))
    raised = max(0, OWN - max(page.blocks[titles:], default=OWN))
    return ((block, max(TITLE + 1, score + raised)) for block, score in zip(blocks, page.blocks, strict=True))


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


def in_own_parts(places: Iterable[int], own: bytes | bytearray) -> list[int]:
    """The places in parts that are own text."""
    return [one for one in places if own[one // _PLACES]]


def packed_parts(page: Page) -> bytes:
    """Of each part of a page a hash of its text and its score, packed for the record."""
    text = page.text
    return b"".join(
        [_PART.pack(crc32(text[start:end].encode("utf-8", "replace")), score) for start, end, score in parts_of(page)]
    )


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
    for first in range(0, len(pages), SAMPLE):
        some = pages[first : first + SAMPLE]
        every, page, ends = read(some)
        is_repeated = np.isin(every["text"], repeated)
        is_title, scores = every["score"] == TITLE, every["score"].astype(np.int64)
        is_left = ~is_title & (scores + np.where(is_repeated, REPEATED, NOT_REPEATED) >= OWN)
        has_any = np.bincount(page, weights=is_left, minlength=len(some)) > 0
        own = np.where(is_title, ~is_repeated, np.where(has_any[page], is_left, scores >= OWN)).astype(np.uint8)
        yield from (part.tobytes() for part in np.split(own, ends))


def own_parts(page: Page, own: bytes | None) -> Iterator[tuple[int, int]]:
    """Start and end of the own parts of a page. `own`: of each part whether it is; None if only the page tells."""
    parts = list(parts_of(page))
    return compress(((start, end) for start, end, _ in parts), own or [is_own(score) for _, _, score in parts])


def own_text(page: Page, own: bytes | None) -> str:
    """The own text of a page, without its title; see `own_parts`."""
    title_end = max((end for _, end, position in page.spans if position is _TITLE), default=0)
    return PARAGRAPH.join([page.text[start:end] for start, end in own_parts(page, own) if start >= title_end])
