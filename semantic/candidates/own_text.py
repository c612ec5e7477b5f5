"""What a page itself says: its blocks, without those of the site's template.

A block (text between two `PARAGRAPH`s; of the title, a part of it) belongs to the template if it stands on three pages
of a host. So do short blocks whose beginning is common to a tenth of the host's pages (`Filed under Food`, `分类于
数据库`), and blocks that consist of one link. Code is left out, too: its identifiers are no terms.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ontology.lexicon.surface_forms import HAN
from semantic.page import PARAGRAPH, Page, Position
from semantic.parsing.stored_content import unpack
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
_ANCHOR, _TITLE = Position.ANCHOR, Position.TITLE


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
    """The pages of a crawl, with the blocks known that several pages of a host share."""

    def __init__(self, pages: Iterable[ReadPage]) -> None:
        self.pages: Sequence[ReadPage] = tuple(pages)
        self.hosts = [host_of(page.url) for page in self.pages]
        of_host = Counter(self.hosts)
        blocks: Counter[tuple[str, int]] = Counter()
        openings: Counter[tuple[str, str]] = Counter()
        for page, host in zip(self.pages, self.hosts, strict=True):
            found = blocks_of(unpack(page.content, page.url))
            blocks.update({(host, hash(block)) for block in found})
            openings.update({(host, opening) for block in found if (opening := _opening(block))})
        self._repeated = {block for block, count in blocks.items() if count >= REPEATED}
        self._openings = {
            opening for opening, count in openings.items() if count >= max(REPEATED, OPENING * of_host[opening[0]])
        }

    def blocks(self, number: int) -> list[str]:
        """The blocks of one page that are not of the template, each once."""
        page, host = self.pages[number], self.hosts[number]
        blocks = dict.fromkeys(blocks_of(unpack(page.content, page.url)))
        return [
            block
            for block in blocks
            if (host, hash(block)) not in self._repeated and (host, _opening(block)) not in self._openings
        ]

    def __iter__(self) -> Iterator[list[str]]:
        return map(self.blocks, range(len(self.pages)))


def _opening(block: str) -> str:
    """How a short block begins: two words or three Chinese characters, lower case; '' for other blocks."""
    if len(block) > SHORT:
        return ""
    found = _OPENING.match(block)
    return found[1].lower() if found else ""
