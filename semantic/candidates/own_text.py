"""What the pages of a crawl say themselves: their own parts (`semantic.parsing.repeated_blocks`).

Blocks that consist of one link are left out, and code, since its identifiers are no terms.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from semantic.memory.compression import compress, decompress
from semantic.page import PARAGRAPH, Page, Position
from semantic.parsing.page_reader import unpack
from semantic.parsing.repeated_blocks import own_parts
from semantic.urls import host_of

# share of a block's characters that are typical of code; prose of the seven archived webs has less than 0.02
CODE = 0.06
LONGEST = 20_000  # characters of a page that are read; more adds little and takes time; chosen, not measured
_CODE_SIGNS = re.compile(r"[{}();=<>$|\\&*\[\]#@^~`]")
_ANCHOR = Position.ANCHOR


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page of a crawl that is no copy. `good`: the expert's mark, if any; `is_listing`: see
    `semantic.parsing.page_kind`; `is_assumed`: see `semantic.proposals.suggestions.with_assumed`; `own`: which of its
    parts are its own text, None if only the page itself tells.
    """

    url: str
    content: bytes
    relevance: float
    on_topic: bool
    good: bool | None = None
    is_listing: bool = False
    is_assumed: bool = False
    own: bytes | None = None

    @property
    def counts_for(self) -> bool:
        """Whether it counts as on topic: by the expert's mark, otherwise by the judge."""
        return self.on_topic if self.good is None else self.good


def blocks_of(page: Page, own: bytes | None) -> Iterator[str]:
    """The page's own parts, without code and single links, in order."""
    anchors = _anchor_blocks(page)
    for start, end, _ in own_parts(page, own):
        block = page.text[start:end]
        if block and start not in anchors and not _is_code(block):
            yield block
        if end > LONGEST:
            break


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
    """The texts of some pages, compressed."""

    def __init__(self, pages: Iterable[ReadPage] = ()) -> None:
        self.pages: list[ReadPage] = []
        self.hosts: list[str] = []
        self._packed: list[bytes] = []  # the blocks of each page
        for read in pages:
            self.add(read, unpack(read.content, read.url, contexts=False))

    def add(self, read: ReadPage, page: Page) -> None:
        """Add a page."""
        blocks = dict.fromkeys(blocks_of(page, read.own))
        self.pages.append(read)
        self.hosts.append(host_of(read.url))
        self._packed.append(compress(PARAGRAPH.join(blocks).encode("utf-8", "surrogatepass")))

    def blocks(self, number: int) -> list[str]:
        """The blocks of one page, each once."""
        text = decompress(self._packed[number]).decode("utf-8", "surrogatepass")
        return text.split(PARAGRAPH) if text else []

    def __iter__(self) -> Iterator[list[str]]:
        return map(self.blocks, range(len(self.pages)))
