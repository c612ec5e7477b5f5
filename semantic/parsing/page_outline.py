"""The outline of a page: its blocks, where its own part begins, and the links in it.

A page's own part begins at the heading that repeats its title, or at its only h1, so that what stands above does not
count. Nor do blocks beside the content: their links' DOM paths name a menu, a side bar or a footer, or they are no
links and their score (`semantic.parsing.own_blocks`) is under `BESIDE`. A character of Chinese, Japanese or Korean
counts as two.

In time linear in text and links. It uses the page alone, as the record keeps it.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import NamedTuple

from semantic.page import PARAGRAPH, Page, Position
from semantic.parsing.repeated_blocks import starts_of
from semantic.urls import domain_of, host_of, identity

BESIDE = 96  # odds of 1 : 7; listings of WCXB gain .05, the labelled webs nothing; 112 takes articles for listings
PARAGRAPH_SIZE = 80  # characters of a block that make it a paragraph; chosen, not measured
SHORT_NAME = 8  # characters; a shorter part of a title must be the whole heading; chosen, not measured
LONGEST_NAME = 200  # characters of a title or heading that is looked at; chosen, not measured
MOST_PARTS = 5  # of a title; chosen, not measured
MOST_HEADINGS = 50  # in which the page's own is looked for; chosen, not measured
# looking up an enumeration's member costs time in a loop
_ANCHOR, _H1, _H2, _TITLE = Position.ANCHOR, Position.H1, Position.H2, Position.TITLE
_HOMES = ("", "index.html", "index.php")
_IN_HEADING = re.compile(r"(?:^|/)h[1-6](?:[#.][^/]*)?(?=/|$)")  # in a DOM path, with or without id or class
_IN_ITEM = re.compile(r"(?:^|/)(?:li|dd|dt|div|article|section|header)(?:[#.][^/]*)?/a(?:[#.][^/]*)?$")
# what stands beside the content by its tag, or by a word of its id or class: our own list
_ASIDE_TAGS = frozenset({"aside", "footer", "form", "nav"})
_ASIDE_WORDS = re.compile(
    r"[#.](?:(?!content|main)[a-z]+[-_])*(?:menu|nav|navbar|navigation|side|sidebar|foot|footer|crumbs?|breadcrumbs?"
    r"|pager|pagination|widget|social|share|sharing|related)(?![a-z])",
    re.IGNORECASE,
)
_CONTENT_TAGS = frozenset({"article", "main"})
_SAME = re.compile(r"/(?:span|b|strong|em|i)(?:[#.][^/]*)?$|\d+")
_WIDE = re.compile(r"[\u3041-\u9fff\uac00-\ud7af]+")  # kana, Han, Hangul
_PARTS = re.compile(r"\s+[|–—·»«›‹:_-]+\s+|[|»«›‹：]")  # between a page's name and its site's


class Entry(NamedTuple):
    """A link to another page. `path`: its DOM path, without what differs among links of one kind; `own`: the page is of
    the same site; `is_item`: it begins a block that is an item of a list or a division.
    """

    block: int
    size: int
    path: str
    in_heading: bool
    own: bool
    is_item: bool


class Sizes(NamedTuple):
    """Characters of the page's own part before each block, and at last in all: all, those outside of links, those of
    paragraphs.
    """

    every: Sequence[float]
    free: Sequence[float]
    prose: Sequence[float]


class Outline:
    """The outline of one page. `names`: its title, parts of the title, its own heading; `begin`: the block of this
    heading, or 0; `entries`: the links of the own part; `sizes`: those of the blocks.
    """

    __slots__ = ("_linked", "_starts", "begin", "blocks", "entries", "headings", "names", "sizes")

    def __init__(self, page: Page) -> None:
        self.blocks = page.text.split(PARAGRAPH)
        self._starts = starts_of(self.blocks)
        self._linked = [0] * len(self.blocks)  # characters in links
        self.headings: dict[int, Position] = {}
        self._read_spans(page)
        parts = [part.strip() for part in islice(_PARTS.split(page.title[:LONGEST_NAME]), MOST_PARTS)]
        titles = list(filter(None, dict.fromkeys([page.title.strip(), *parts])))
        self.begin = self._own_heading([title.lower() for title in titles])
        heading = [self.blocks[self.begin].strip()] if self.begin else []
        self.names = [name for name in [*titles, *heading] if len(name) <= LONGEST_NAME]
        self.entries: list[Entry] = []
        first = 1 if page.spans and page.spans[0].position is _TITLE else 0
        self.sizes = self._sizes(max(self.begin, first), self._read_links(page))

    def is_linked(self, block: int, share: float) -> bool:
        """Whether at least this share of a block is in links."""
        return self._linked[block] >= share * len(self.blocks[block])

    def _read_spans(self, page: Page) -> None:
        """Spans are in the order of the text."""
        at, ends = 0, [*self._starts[1:], len(page.text) + 1]
        for start, end, position in page.spans:
            while ends[at] <= start:
                at += 1
            if position is _ANCHOR:
                self._linked[at] += end - start
            elif position is _H1 or position is _H2:
                self.headings[at] = position

    def _own_heading(self, titles: Sequence[str]) -> int:
        own = [block for block in self.headings if block and not self.is_linked(block, 0.5)]
        for block in own[:MOST_HEADINGS]:
            heading = self.blocks[block].strip().lower()
            if any(heading == title or _is_alike(heading, title) for title in titles):
                return block
        first = [block for block in own if self.headings[block] is _H1]
        return first[0] if len(first) == 1 else 0

    def _read_links(self, page: Page) -> set[int]:
        """Set `entries`; gives the blocks that stand beside the content."""
        here, host = identity(page.url).rstrip("/"), host_of(page.url)
        site, begins = domain_of(host), self._starts
        aside = {block for block, score in enumerate(page.blocks) if score < BESIDE and not self.is_linked(block, 0.5)}
        for link in page.links:
            if link.start >= link.end:
                continue
            block = bisect_right(begins, link.start) - 1
            if block < self.begin:
                continue
            place = _place(link.dom_path)
            if place is None:
                aside.add(block)
                continue
            path, in_heading, in_item = place
            _, _, its_host, *rest = link.url.split("/", 3)
            own = its_host == host or domain_of(its_host) == site
            if (own and "".join(rest) in _HOMES) or (in_heading and identity(link.url).rstrip("/") == here):
                continue
            is_item = in_item and not in_heading and link.start == begins[block]
            self.entries.append(Entry(block, link.end - link.start, path, in_heading, own, is_item))
        return aside

    def _sizes(self, first: int, aside: set[int]) -> Sizes:
        every, free, prose = ([0.0] * len(self.blocks) for _ in range(3))
        for block in range(first, len(self.blocks)):
            if block in aside:
                continue
            text, linked = self.blocks[block], self._linked[block]
            size = len(text) if text.isascii() else len(text) + sum(map(len, _WIDE.findall(text)))
            alone = size * (1 - linked / (len(text) or 1)) if linked else size
            every[block], free[block] = size, alone
            if alone >= PARAGRAPH_SIZE and 2 * alone > size:
                prose[block] = alone
        return Sizes(*(list(accumulate(sizes, initial=0.0)) for sizes in (every, free, prose)))


def _is_alike(heading: str, title: str) -> bool:
    shorter = min(len(heading), len(title))
    return shorter > SHORT_NAME and heading[:shorter] == title[:shorter]


@lru_cache(maxsize=4096)
def _place(path: str) -> tuple[str, bool, bool] | None:
    """Of a link's DOM path: what names its group, whether it is in a heading, and whether it can be an item. None if it
    stands beside the content.
    """
    if _is_aside(path):
        return None
    return _SAME.sub("", path), _IN_HEADING.search(path) is not None, _IN_ITEM.search(path) is not None


def _is_aside(path: str) -> bool:
    """By a tag or a word. A `nav` inside the content is its list of contents."""
    inside = False
    for element in path.split("/"):
        tag = element.partition("#")[0].partition(".")[0]
        if tag in _ASIDE_TAGS and not (inside and tag == "nav"):
            return True
        inside = inside or tag in _CONTENT_TAGS
    return _ASIDE_WORDS.search(path) is not None
