"""What a page itself says: its blocks, without those of the site's template.

A block (text between two `PARAGRAPH`s; of the title, a part of it) belongs to the template if it stands on three pages
of a host. So do short blocks whose beginning is common to a tenth of the host's pages (`Filed under Food`, `分类于
数据库`), and blocks that consist of one link. Code is left out, too: its identifiers are no terms.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import compress as chosen

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.surface_forms import HAN
from semantic.memory.arrays import distinct
from semantic.memory.compression import compress, decompress
from semantic.page import PARAGRAPH, Page, Position
from semantic.parsing.page_reader import unpack
from semantic.urls import host_of

# pages of a host with the same block: a menu stands on all pages, a quotation on two; chosen, not measured
REPEATED = 3
# share of a block's characters that are typical of code; prose of the seven archived webs has less than 0.02
CODE = 0.06
SHORT = 160  # characters of a block that a template may have filled in; chosen, not measured
OPENING = 0.1  # share of a host's pages on which short template blocks begin alike; chosen, not measured
LONGEST = 20_000  # characters of a page that are read; more adds little and takes time; chosen, not measured
_TITLE_PARTS = re.compile(r"\s+[-–—|_·•»«:]+\s+|\s*[|｜»«_]\s*")
_CODE_SIGNS = re.compile(r"[{}();=<>$|\\&*\[\]#@^~`]")
_OPENING = re.compile(rf"[\W\d_]*([{HAN}]{{1,3}}|[^\W{HAN}]+(?:[^\w{HAN}]+[^\W{HAN}]+)?)")  # may follow a number
_FACTOR = np.int64(0x1E3779B97F4A7C15)  # odd: what hashes are multiplied by before their host's number is added
_ANCHOR, _TITLE = Position.ANCHOR, Position.TITLE
Hashes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page of a crawl that is no copy. `good`: the expert's mark, if any; `is_listing`: see
    `semantic.parsing.page_kind`; `is_assumed`: see `semantic.proposals.suggestions.with_assumed`.
    """

    url: str
    content: bytes
    relevance: float
    on_topic: bool
    good: bool | None = None
    is_listing: bool = False
    is_assumed: bool = False

    @property
    def counts_for(self) -> bool:
        """Whether it counts as on topic: by the expert's mark, otherwise by the judge."""
        return self.on_topic if self.good is None else self.good


def blocks_of(page: Page) -> list[str]:
    """The blocks of a page without code and single links, in order. Template blocks are still among them."""
    found: list[str] = []
    anchors = _anchor_blocks(page)
    start = 0
    title_end = max((end for _, end, position in page.spans if position is _TITLE), default=0)
    for block in page.text.split(PARAGRAPH):
        if start < title_end:
            found += filter(None, _TITLE_PARTS.split(block))
        elif start not in anchors and not _is_code(block):
            found.append(block)
        start += len(block) + 1
        if start > LONGEST:
            break
    return found


def _anchor_blocks(page: Page) -> set[int]:
    """Offsets of blocks that consist of one link."""
    text, size = page.text, len(page.text)
    return {
        start
        for start, end, position in page.spans
        if position is _ANCHOR
        and (start == 0 or text[start - 1] == PARAGRAPH)
        and (end == size or text[end] == PARAGRAPH)
    }


def _is_code(block: str) -> bool:
    return len(block) > 40 and len(_CODE_SIGNS.findall(block)) > CODE * len(block)


class OwnTexts:
    """Takes the pages of a crawl one after the other, and then tells the blocks of each that are its own."""

    def __init__(self, pages: Iterable[ReadPage] = ()) -> None:
        self.pages: list[ReadPage] = []
        self.hosts: list[str] = []
        self._packed: list[bytes] = []  # the blocks of each page, compressed
        self._blocks: list[Hashes] = []  # their hashes, and those of their openings, 0 for none
        self._openings: list[Hashes] = []
        for read in pages:
            self.add(read, unpack(read.content, read.url, contexts=False))

    def add(self, read: ReadPage, page: Page) -> None:
        """Add a page. All pages are added before the blocks of any are asked for."""
        blocks = dict.fromkeys(blocks_of(page))
        self.pages.append(read)
        self.hosts.append(host_of(read.url))
        self._packed.append(compress(PARAGRAPH.join(blocks).encode("utf-8", "surrogatepass")))
        self._blocks.append(np.fromiter(map(hash, blocks), np.int64, len(blocks)))
        self._openings.append(np.fromiter((hash(_opening(block)) for block in blocks), np.int64, len(blocks)))

    def blocks(self, number: int) -> list[str]:
        """The blocks of one page that are not of the template, each once."""
        blocks = decompress(self._packed[number]).decode("utf-8", "surrogatepass").split(PARAGRAPH)
        return list(chosen(blocks, self._own[number]))

    @cached_property
    def _own(self) -> list[list[bool]]:
        """For each page, which of its blocks belong to no template."""
        if not self.pages:
            return []
        sizes = [len(blocks) for blocks in self._blocks]
        page = np.repeat(np.arange(len(sizes)), sizes)
        number = {host: n for n, host in enumerate(dict.fromkeys(self.hosts))}
        host = np.array([number[host] for host in self.hosts])
        of_host = np.bincount(host)[host][page]
        openings = np.concatenate(self._openings)
        is_own = _pages_with(page, host, np.concatenate(self._blocks)) < REPEATED
        is_own &= (openings == 0) | (_pages_with(page, host, openings) < np.maximum(REPEATED, OPENING * of_host))
        self._blocks, self._openings = [], []
        return [part.tolist() for part in np.split(is_own, np.cumsum(sizes)[:-1])]

    def __iter__(self) -> Iterator[list[str]]:
        return map(self.blocks, range(len(self.pages)))


def _pages_with(page: Hashes, host: Hashes, hashes: Hashes) -> Hashes:
    """On how many pages of its host each hash stands. `page`: the page of each hash; `host`: the host of each page."""
    every, of = np.unique(hashes * _FACTOR + host[page], return_inverse=True)
    pairs = distinct(of * len(host) + page)
    result: Hashes = np.bincount(pairs // len(host), minlength=len(every))[of]
    return result


def _opening(block: str) -> str:
    """How a short block begins: two words or three Chinese characters, lower case; '' for other blocks."""
    if len(block) > SHORT:
        return ""
    found = _OPENING.match(block)
    return found[1].lower() if found else ""
