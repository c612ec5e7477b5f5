"""Links that present another page: a heading of a list links to the article by the article's title.

Kept of a page is one hash, of an address and the words that link there: of all links in headings the one with most
text, which on a list of one article is the article's. The other page has the same hash where its title, a part of it
(“Title – Site”) or a heading of it says these words.
"""

import re
from functools import lru_cache
from hashlib import blake2b

from semantic.page import Page, Position
from semantic.urls import host_of

_H1 = Position.H1
_HEADING = re.compile(r"(?:^|/)h[1-4](?![a-z0-9])")  # in a DOM path
_PARTS = re.compile(r"\s+[-–—·•«»:/]\s+|\s*[|_]\s*")


def presented(page: Page) -> str | None:
    """The hash of what the page presents; None where no heading links to another page of its host."""
    best = ""
    url = ""
    for link in page.links:
        if _in_heading(link.dom_path) and len(link.anchor) > len(best) and _is_beside(link.url, page.url):
            best, url = link.anchor, link.url
    return _hash(url, best) if best else None


def presented_as(page: Page) -> frozenset[str]:
    """The hashes by which other pages may present this one."""
    headings = [page.text[start:end] for start, end, position in page.spans if position is _H1]
    titles = {page.title, *_PARTS.split(page.title), *headings}
    return frozenset(_hash(page.url, title) for title in titles if title.strip())


@lru_cache(maxsize=4096)
def _in_heading(dom_path: str) -> bool:
    return _HEADING.search(dom_path) is not None


def _is_beside(url: str, here: str) -> bool:
    """Whether an address is another one of the same host, and not its front page."""
    return url != here and host_of(url) == host_of(here) and bool(url.split("/", 3)[3])


def _hash(url: str, words: str) -> str:
    said = f"{url.removesuffix('index.html')}\n{' '.join(words.casefold().split())}"
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
