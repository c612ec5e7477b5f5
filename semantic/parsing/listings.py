"""The kind of a page: a *listing* leads to other pages, an *article* has content of its own.

    share = (A + E) / (A + L + 50)          a page is a listing if this is 1/3 or more

A and L are the characters inside and outside of links. E is the part of L that is excerpts of the pages behind links.
50 keeps pages with hardly any text from being listings.

An excerpt is the text after an *entry*, up to the next entry or heading. An entry is a link in a heading (h1 to h3), or
a link that begins a block and stands directly in a list's item or a division. Entries with the same DOM path form a
group; a group of entries that are no headings needs at least two. Each entry of a group counts with the group's median,
at most 300: so the text after a menu is no excerpt. A site's name that links to its home page is no entry.

Nothing else is used, so a page has the same kind in every crawl. Measured on seven archived webs, with pages labelled
by their addresses (indexes, tags, categories and chapters against all others and all labelled results), and on the
demonstration web, labelled by a person. Recall of listings and of articles: wiki 0.90, 0.97; blogs 0.95, 0.82; law code
0.99, 0.88; Chinese news 0.97, 0.99; Chinese blogs 0.96, 0.87; demonstration 0.97, 0.97; articles alone: manual 0.92,
university 0.76 (many of its results are lists of readings). Most articles taken for listings are short posts with much
navigation around them; most listings missed are indexes that have their posts in full. With A alone, no listing of the
Chinese news was found.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from statistics import median_low
from typing import Literal
from urllib.parse import urlsplit

from semantic.page import PARAGRAPH, Link, Page, Position

Kind = Literal["article", "listing"]

LISTING = 1 / 3  # share from which a page is a listing; measured: see above
EXCERPT = 300  # characters, at most, for one entry; 200 and 500 gave the same kinds
NO_TEXT = 50  # characters; chosen, not measured
_HOMES = ("", "/", "/index.html")
_ANCHOR = Position.ANCHOR  # a local name: looking up an enumeration's member costs time in a loop
_HEADINGS = (Position.H1, Position.H2)
_IN_HEADING = re.compile(r"(?:^|/)h[1-3](?:[#.][^/]*)?/")  # h1 to h3 in a DOM path, with or without id or class
_IN_ITEM = re.compile(r"(?:^|/)(?:li|dd|dt|div|article|section|header)(?:[#.][^/]*)?/a(?:[#.][^/]*)?$")


def kind_of(page: Page) -> Kind | None:
    """The kind of a page; None for a feed or a sitemap."""
    if page.source:
        return None
    return "listing" if _share(page) >= LISTING else "article"


def _share(page: Page) -> float:
    # offset -> DOM path of the entry that begins there, "" for a heading or a link that is no entry
    paths = {start: "" for start, _, position in page.spans if position in _HEADINGS}
    paths |= {link.start: _entry_path(link) for link in page.links if _begins(link, page.text)}
    starts = sorted(paths)
    below = dict.fromkeys(starts, 0)  # offset -> characters outside of links from there to the next offset
    anchors = others = 0
    for start, end, position in page.spans:
        if position is _ANCHOR:
            anchors += end - start
            continue
        others += end - start
        if starts and start >= starts[0]:
            below[starts[bisect_right(starts, start) - 1]] += end - start
    return (anchors + _excerpts(paths, below)) / (anchors + others + NO_TEXT)


def _begins(link: Link, text: str) -> bool:
    """Whether a link begins a block or stands in a heading, so that an excerpt before it ends there."""
    begins_block = text[link.start - 1 : link.start] in ("", PARAGRAPH)
    return link.start < link.end and (begins_block or _is_in_heading(link.dom_path))


def _entry_path(link: Link) -> str:
    if _is_in_heading(link.dom_path):
        return "" if urlsplit(link.url).path in _HOMES else link.dom_path
    return link.dom_path if _is_in_item(link.dom_path) else ""


def _excerpts(paths: Mapping[int, str], below: Mapping[int, int]) -> int:
    sizes = defaultdict(list)
    for start, path in paths.items():
        if path:
            sizes[path].append(below[start])
    counted = (found for path, found in sizes.items() if len(found) > 1 or _is_in_heading(path))
    return sum(len(found) * min(EXCERPT, median_low(found)) for found in counted)


@lru_cache(maxsize=4096)
def _is_in_heading(path: str) -> bool:
    return _IN_HEADING.search(path) is not None


@lru_cache(maxsize=4096)
def _is_in_item(path: str) -> bool:
    return _IN_ITEM.search(path) is not None
