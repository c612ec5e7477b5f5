"""What an answer says it is: which bodies are worth their bytes, which are read, and how much of them is enough."""

from collections.abc import Mapping
from typing import TypeGuard

from crawler.politeness.robots import MAX_BYTES as ROBOTS_BYTES
from crawler.politeness.robots import is_robots_url
from crawler.ports import Fetched, Outcome
from semantic.parsing.sitemaps import MOST_BYTES as SITEMAP_BYTES

_READ = ("html", "xml", "pdf", "gzip")  # parts of the types that are read; gzip: a sitemap
_UNKNOWN = ("application/octet-stream", "binary/octet-stream")  # what servers say of types they do not know


def is_readable(headers: Mapping[str, str], url: str) -> bool:
    """Whether an answer says that it is something that is read as a page or for its links, or says nothing."""
    kind = _kind(headers)
    if is_robots_url(url):
        return False
    if kind in _UNKNOWN:
        return url.partition("?")[0].lower().endswith((".gz", ".pdf", ".xml"))
    return not kind or (any(word in kind for word in _READ) and not kind.startswith("image/"))


def is_read_as_page(outcome: Outcome, url: str) -> TypeGuard[Fetched]:
    """Whether an answer is read as a page or for its links."""
    return isinstance(outcome, Fetched) and outcome.status == 200 and is_readable(outcome.headers, url)


def is_wanted(status: int, headers: Mapping[str, str], url: str, *, robots: bool = False) -> bool:
    """Whether a body is worth its bytes: of good answers, what is read or may be text.

    `robots`, here and below: it is a robots.txt, whatever its address and type.
    """
    if robots or is_robots_url(url):
        return 200 <= status < 300
    return status == 200 and (is_readable(headers, url) or _kind(headers).startswith("text/"))


def enough_of(headers: Mapping[str, str], url: str, *, robots: bool = False) -> int | None:
    """Bytes at which the rest of a body may be left out; None where it is whole or nothing."""
    if robots or is_robots_url(url):
        return ROBOTS_BYTES
    kind = _kind(headers)
    return SITEMAP_BYTES if "xml" in kind and "html" not in kind else None


def _kind(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
