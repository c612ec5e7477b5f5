"""Sitemaps (sitemaps.org): addresses that a site names, without any text about them.

A sitemap may name 50,000 addresses. Most say nothing that would put them before links seen on pages; queueing them all
would fill queue and record, and hide what pages say of the same addresses. So only those entries are queued whose
addresses contain words of the topic, ordered as links without text (`semantic.terms.sitemap_choice`).

A sitemap may be cut short or be no well-formed XML. So its tokens are read, not its tree (`xml_tokens`). Some are plain
texts with an address in each line.
"""

import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from semantic.page import SITEMAP, SITEMAP_INDEX, Link, Page
from semantic.parsing.document_types import GZIP_MARK
from semantic.parsing.xml_tokens import END_TAG, START_TAG, TEXT, Token, local_name, on_one_line, prefix_of, xml_tokens
from semantic.reasons import PageError, because
from semantic.urls import normalise

MOST_BYTES = 10_000_000  # of a decompressed sitemap that are read; 50,000 addresses take about 6 million
MEMBERS = 200  # of a gzip file that are read; chosen, not measured
MOST_READ = 50_000  # entries; the limit of sitemaps.org
_CONTAINERS = frozenset({"urlset", "sitemapindex", "url", "sitemap"})
_MEDIA = frozenset({"image", "video"})


def unzipped(body: bytes) -> bytes:
    """Decompress a gzip file of one or more members, at most MOST_BYTES. Raises PageError if it is no gzip file."""
    found, rest = b"", body
    for _ in range(MEMBERS):
        if not rest.startswith(GZIP_MARK) or len(found) == MOST_BYTES:
            break
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            found += member.decompress(rest, MOST_BYTES - len(found))
        except zlib.error as error:
            if rest is body:
                raise PageError(because("no gzip", error=str(error))) from error
            break
        rest = member.unused_data
    return found


def read_sitemap(text: str, url: str, *, index: bool) -> Page:
    """A page without text that links to the addresses in a sitemap or in an index of sitemaps."""
    return _named(_entries(text), url, index=index)


def read_list(text: str, url: str) -> Page | None:
    """The same of a sitemap that is a text with an address in each line; None if it is no such list."""
    lines = list(filter(None, map(str.strip, islice(text.splitlines(), MOST_READ))))
    if not lines or not all(line.lower().startswith(("http://", "https://")) for line in lines[:-1] or lines):
        return None
    return _named(lines, url, index=False)


def _named(addresses: Iterable[str], url: str, *, index: bool) -> Page:
    """The page that names these addresses."""
    here = normalise(url) or url
    found = dict.fromkeys(normalise(address, here) for address in islice(filter(None, addresses), MOST_READ))
    links = [address for address in found if address is not None and address != here]
    path = "sitemapindex/sitemap/loc" if index else "urlset/url/loc"
    return Page(
        url,
        "",
        "",
        (),
        tuple(Link(link, "", "", 0, 0, "", "", path, frozenset(), order) for order, link in enumerate(links)),
        source=SITEMAP_INDEX if index else SITEMAP,
    )


def _entries(text: str) -> Iterator[str]:
    """The content of each `<loc>` of a page or a sitemap, and its alternates in other languages.

    Namespaces are written in many ways. Images and videos have a `<loc>` of their own, with another prefix than the
    entry, or in an element of theirs.
    """
    place = _ElementPlace("", "")
    parts: list[str] | None = None
    for token in xml_tokens(text):
        if token.type is TEXT:
            if parts is not None:
                parts.append(token.data or "")
            continue
        name = local_name(token.tag or "")
        if token.type is END_TAG and name == "loc" and parts is not None:
            yield on_one_line("".join(parts))
        place = place.after(token, name)
        is_loc = token.type is START_TAG and name == "loc"
        parts = [] if is_loc and place == (prefix_of(token), "") else None
        if token.type is START_TAG and name == "link":
            yield _alternate(token)


class _ElementPlace(NamedTuple):
    """Where a token stands: the prefix of the entry's elements, and the open element of an image or a video."""

    prefix: str
    medium: str

    def after(self, token: Token, name: str) -> "_ElementPlace":
        """The place after a tag."""
        if token.type is END_TAG:
            return self._replace(medium="") if name == self.medium else self
        if name in _CONTAINERS:
            return _ElementPlace(prefix_of(token), "")
        return self._replace(medium=name) if name in _MEDIA and not token.self_closing else self


def _alternate(token: Token) -> str:
    """The address of the same page in another language; '' if it is none."""
    given = dict(token.attrs or ())
    return (given.get("href") or "").strip() if (given.get("rel") or "").strip().lower() == "alternate" else ""
