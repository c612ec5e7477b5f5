"""Decides by headers and address which bodies are downloaded, which are read as pages, and how many bytes suffice."""

from collections.abc import Mapping
from typing import TypeGuard

from crawler.politeness.robots import MAX_BYTES as ROBOTS_BYTES
from crawler.politeness.robots import is_robots_url
from crawler.ports import Fetched, Outcome
from semantic.parsing.sitemaps import MOST_BYTES as SITEMAP_BYTES

_READ = ("html", "xml", "pdf", "gzip")  # parts of the media types that are read; gzip: a sitemap
_UNKNOWN = ("application/octet-stream", "binary/octet-stream")  # sent by servers for types they do not know


def is_readable(headers: Mapping[str, str], url: str) -> bool:
    """Whether an answer's media type is one that is read, as a page or for its links, or is missing."""
    kind = _kind(headers)
    if is_robots_url(url):
        return False
    if kind in _UNKNOWN:
        return url.partition("?")[0].lower().endswith((".gz", ".pdf", ".xml"))
    return not kind or (any(word in kind for word in _READ) and not kind.startswith("image/"))


def is_read_as_page(outcome: Outcome, url: str) -> TypeGuard[Fetched]:
    """Whether an answer is read, as a page or for its links."""
    return isinstance(outcome, Fetched) and outcome.status == 200 and is_readable(outcome.headers, url)


def is_wanted(status: int, headers: Mapping[str, str], url: str, *, robots: bool = False) -> bool:
    """Whether a body is worth downloading: a good answer that is read or may be text.

    `robots`, here and below: it was requested as a robots.txt, whatever its address and type.
    """
    if robots or is_robots_url(url):
        return 200 <= status < 300
    return status == 200 and (is_readable(headers, url) or _kind(headers).startswith("text/"))


def enough_of(headers: Mapping[str, str], url: str, *, robots: bool = False) -> int | None:
    """Number of bytes after which the rest of a body may be dropped; None if it is only useful as a whole."""
    if robots or is_robots_url(url):
        return ROBOTS_BYTES
    kind = _kind(headers)
    return SITEMAP_BYTES if "xml" in kind and "html" not in kind else None


def _kind(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
