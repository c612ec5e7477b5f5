"""A page as the rest of the program sees it: text by position, and links with their surroundings.

Objects of which a page has hundreds are named tuples, here and in the modules that read pages: creating one takes a
third of the time of a dataclass.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

from semantic.reasons import Reasons

PARAGRAPH = "\u2029"  # separates blocks in `Page.text`; no term matches across it
# values of `Page.source` where the page is only a list of links
FEED, SITEMAP, SITEMAP_INDEX = "feed", "sitemap", "sitemap index"


class Position(StrEnum):
    """Where a text node stands. Every text node has exactly one position; inside a link it is always ANCHOR."""

    ANCHOR = "anchor"
    TITLE = "title"
    H1 = "h1"
    H2 = "h2"
    STRONG = "strong"
    EMPHASIS = "emphasis"  # h3 and b; weighs as much as OTHER in paper O
    OTHER = "other"


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of `Page.text` stand at `position`."""

    start: int
    end: int
    position: Position


class Link(NamedTuple):
    """One `<a href>`, or another element that names a page: `area`, a frame, a refresh, what is embedded.

    - `url`: absolute, normalised, without fragment.
    - `start`, `end`: offsets of the anchor text in `Page.text`; equal where the link has no text.
    - `anchor`: its text, else the image's alt text.
    - `before`, `after`: up to 60 characters of `Page.text` on either side.
    - `dom_path`: tag names from html downwards, each with its id or first class, separated by `/`.
    - `order`: rank on the page, from 0.
    - `node`: index into the page's `nodes`, -1 where these are not recorded.
    """

    url: str
    anchor: str
    title: str
    start: int
    end: int
    before: str
    after: str
    dom_path: str
    rel: frozenset[str]
    order: int
    node: int = -1


class Declared(NamedTuple):
    """What a page declares of itself (`semantic.parsing.page_declarations`), "" for what it does not.

    - `published`, `modified`: days, as 2024-05-03; `modified` only if it is later.
    - `dated_by`: where `published` stands: `meta`, `json-ld`, `time` (a `<time>`, or an element whose class speaks of a
      date: less sure than the others), `url` (the canonical address).
    - `author`: one or several, with commas between. `site_name`: the name of the site.
    """

    published: str = ""
    modified: str = ""
    dated_by: str = ""
    author: str = ""
    site_name: str = ""


UNDECLARED = Declared()


@dataclass(frozen=True, slots=True)
class Page:
    """What `read_page` makes of a response.

    - `text`: all visible text, with PARAGRAPH between blocks and runs of white space reduced to one blank.
    - `feed`: address of the first feed that the page names.
    - `source`: "" for a page; FEED, SITEMAP or SITEMAP_INDEX for a list of links.
    - `reserved`: by what it is reserved for text and data mining, "" if by nothing.
    - `nodes`: where texts and links stand in the DOM tree, three numbers for each node
      (`semantic.parsing.html_extraction`).
    - `left_out`: which parts of a document could not be read.
    - `blocks`: a score for each block of `text`, 128 or more for the page's own text; b"" if unknown
      (`semantic.parsing.repeated_blocks`).
    - `declared`: its dates, its author and the name of its site.
    - `bare`: the number of its words, if its scripts would probably give it more (`semantic.parsing.script_need`).
    """

    url: str
    title: str
    text: str
    spans: tuple[Span, ...]
    links: tuple[Link, ...]
    language: str | None = None
    charset: str = "utf-8"
    canonical: str | None = None
    nofollow: bool = False
    noindex: bool = False
    feed: str | None = None
    source: str = ""
    nodes: tuple[int, ...] = ()
    reserved: str = ""
    left_out: Reasons = ()
    blocks: bytes = b""
    declared: Declared = UNDECLARED
    bare: int | None = None


Plain = tuple[list[tuple[int, int, str]], list[tuple[Any, ...]], list[Any]]  # spans, links, the rest


def plain(page: Page) -> Plain:
    """The page's own values."""
    spans = [(start, end, position.value) for start, end, position in page.spans]
    return spans, list(map(tuple, page.links)), [getattr(page, name) for name in _FIELDS]


def page_of(made: Plain) -> Page:
    """The page of which `plain` made this."""
    spans, links, rest = made
    return Page(
        spans=tuple([_AS_SPAN((start, end, _POSITIONS[position])) for start, end, position in spans]),
        links=tuple(map(_AS_LINK, links)),
        **dict(zip(_FIELDS, rest, strict=True)),
    )


_AS_LINK, _AS_SPAN = partial(tuple.__new__, Link), partial(tuple.__new__, Span)  # nothing between C and C
_POSITIONS = {position.value: position for position in Position}
_FIELDS = tuple(field.name for field in fields(Page) if field.name not in ("spans", "links"))
