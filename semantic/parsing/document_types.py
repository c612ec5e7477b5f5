"""Which answers are read, by their status and media type; and which kind of document a body is, by its own bytes:
servers send many of them as another type, or as none.

A PDF file may begin after other bytes: readers look for its header in the first 1,024 (ISO 32000-1, annex H, 3.4.1). A
word processor's file, a presentation or a book is a ZIP archive; of its first member the name says so. Archives that
contain anything else are not read.
"""

import re
from collections.abc import Mapping

from semantic.reasons import Reason
from semantic.urls import is_robots_url

PDF_MARK, ZIP_MARK, GZIP_MARK = b"%PDF-", b"PK\x03\x04", b"\x1f\x8b"  # APPNOTE, 4.3.7; RFC 1952, 2.3.1
OLE_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # of an encrypted office file, and of those before 2007 ([MS-CFB], 2.2)
_NO_TYPES = ("*/*", "unknown/unknown", "application/unknown")  # WHATWG, MIME Sniffing, 7
MOST_LOSSES = 10  # sentences about what was left out; chosen, not measured
HEAD = 1024  # bytes by which a kind is known
PDF, OFFICE = "application/pdf", "application/vnd.oasis.opendocument"
# a title that a program gave
NO_TITLE = re.compile(
    r"(?:untitled|无标题|microsoft \w+ - |powerpoint presentation$|powerpoint 演示文稿|"
    r".*\.(?:docx?|dvi|tex|indd|pptx?|od[tp]|qxd|pdf|wps|rtf)$)",
    re.IGNORECASE,
)
_NAME_AT = 30  # where the name of a ZIP archive's first member begins (APPNOTE, 4.3.7)
_MEMBER = re.compile(
    rb"mimetype|\[Content_Types\]\.xml|(?:_rels|docProps|word|ppt|customXml|OEBPS|Thumbnails)[/\\]|META-INF[/\\]container"
    rb"|(?:content|meta|styles)\.xml|Configurations2/"
)
_NOT_SURE = re.compile(r"text/plain|(?:application|binary)/(?!(?:[\w.+-]*(?:xml|html|pdf|gzip|json|javascript)$))")

_PLAIN = "text/plain"
# of feeds and sitemaps, which servers send under any type
_SOURCE_NAME = re.compile(r"(?:sitemap|feed|rss|atom|url)[^/]*$|\.(?:gz|pdf|xml|rss|atom|rdf|txt)$", re.IGNORECASE)
_REDIRECTS = (300, 301, 302, 303, 307, 308)  # RFC 9110, 15.4
_WITHOUT_CONTENT = (204, 205)
# parts of the media types that are read; gzip: a sitemap
_READ = ("html", "xml", "pdf", "gzip", "feed+json", "officedocument", "opendocument", "epub")
_JSON = "application/json"
_UNKNOWN = ("application/octet-stream", "binary/octet-stream")  # sent by servers for types they do not know


class Losses(dict[Reason, None]):
    """Reasons about parts of a document that were left out, each once, in their order, and at most `MOST_LOSSES`."""

    def add(self, what: Reason) -> None:
        """Note something that is left out."""
        if len(self) < MOST_LOSSES:
            self[what] = None


def media_type(headers: Mapping[str, str]) -> str:
    """The media type that the headers declare, lower case; empty if none, or one that says nothing."""
    named = headers.get("content-type", "").partition(";")[0].lower().split()
    kind = named[0].strip("\"'") if named else ""
    return kind if "/" in kind and kind not in _NO_TYPES else ""


def is_read_as_page(status: int, headers: Mapping[str, str], url: str) -> bool:
    """Whether an answer is read, as a page or for its links."""
    return has_page(status, headers) and is_readable(headers, url)


def has_page(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer may come with a page: it is a success (RFC 9110, 15.3) with a content, or a redirect that does
    not say where to, whose content browsers show.
    """
    if status == 200:
        return True
    is_success = 200 < status < 300 and status not in _WITHOUT_CONTENT
    is_shown = status in _REDIRECTS and "location" not in headers
    return (is_success or is_shown) and headers.get("content-length") != "0"


def is_redirect(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer is a redirect (RFC 9110, 15.4). A 304 is not, even with a Location field."""
    return status in _REDIRECTS and "location" in headers


def is_readable(headers: Mapping[str, str], url: str) -> bool:
    """Whether an answer's media type is one that is read, as a page or for its links, or is missing."""
    kind = media_type(headers)
    if is_robots_url(url):
        return False
    if kind in (_PLAIN, _JSON, *_UNKNOWN):
        return _SOURCE_NAME.search(url.partition("?")[0]) is not None
    return not kind or (any(word in kind for word in _READ) and not kind.startswith("image/"))


def is_pdf(body: bytes, kind: str) -> bool:
    """Whether a body, sent as a type, is a PDF file. After markup it must have been sent as one, or as no known type,
    or end like one: pages quote such headers.
    """
    at = body.find(PDF_MARK, 0, HEAD)
    if at < 1:
        return at == 0
    is_sent_so = "pdf" in kind or may_be_document(kind)
    return is_sent_so or b"<" not in body[:at] or b"startxref" in body[-HEAD:]


def is_office(body: bytes) -> bool:
    """Whether a body is a ZIP archive that begins like a document."""
    return body.startswith(ZIP_MARK) and _MEMBER.match(body, _NAME_AT) is not None


def may_be_document(kind: str) -> bool:
    """Whether what is sent as this type may be a document by its bytes."""
    return _NOT_SURE.match(kind) is not None


def true_headers(headers: Mapping[str, str], body: bytes) -> Mapping[str, str]:
    """The headers of an answer, with the type that the body has where it is a document sent as something else."""
    kind = media_type(headers)
    if not may_be_document(kind):
        return headers
    found = PDF if is_pdf(body, kind) else OFFICE if is_office(body) else ""
    return {**headers, "content-type": found} if found else headers
