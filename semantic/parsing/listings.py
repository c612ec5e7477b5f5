"""The kind of a page: a *listing* leads to what other pages say, an *article* says something itself.

    share = (A + E) / (A + L + 50)          a page is a listing where this is 1/3 or more

A and L are the characters inside and outside of links. E are those of L that are excerpts of the pages behind links;
50 stands for the text that a page without text may lack.

An excerpt is what follows an *entry*, up to the next entry or heading. An entry is a link in a heading (h1 to h3), or
one that begins a block and stands directly in a list's item or a division. Entries with the same DOM path are taken
together, at least two that are no headings, and each counts with their median, 300 at most: so the text behind a menu
is no excerpt. A site's name that links to its home is no entry.

Nothing else is asked, so the same page has the same kind in every crawl. It was measured on seven archived webs, with
pages marked by their addresses (indexes, tags, categories and chapters against all others and all labelled results),
and on the demonstration web, marked by a person. Share of the listings told, and of the articles: wiki 0.90, 0.97;
blogs 0.95, 0.82; law code 0.99, 0.88; Chinese news 0.97, 0.99; Chinese blogs 0.96, 0.87; demonstration 0.97, 0.97; of
articles alone: manual 0.92, university 0.76 (many of its results are lists of readings). What is taken for a listing
and is none is most often a short post amid much navigation; an index that has its posts in full is missed. By A alone
no listing of the Chinese news was told.
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

LISTING = 1 / 3  # share from which a page is a listing
EXCERPT = 300  # characters below one entry; with 200 or 500 the same pages are told
NO_TEXT = 50  # characters
_HOMES = ("", "/", "/index.html")
_ANCHOR = Position.ANCHOR  # an enumeration looks its members up each time
_HEADINGS = (Position.H1, Position.H2)
_IN_HEADING = re.compile(r"(?:^|/)h[1-3](?:[#.][^/]*)?/")  # of a DOM path
_IN_ITEM = re.compile(r"(?:^|/)(?:li|dd|dt|div|article|section|header)(?:[#.][^/]*)?/a(?:[#.][^/]*)?$")


def kind_of(page: Page) -> Kind | None:
    """The page's kind; None for a feed or a sitemap."""
    if page.source:
        return None
    return "listing" if _share(page) >= LISTING else "article"


def _share(page: Page) -> float:
    paths = {start: "" for start, _, position in page.spans if position in _HEADINGS}  # what begins where; "": no entry
    paths |= {link.start: _entry_path(link) for link in page.links if _begins(link, page.text)}
    starts = sorted(paths)
    below = dict.fromkeys(starts, 0)  # characters outside of links
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
    """Whether the text before a link ends there."""
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
