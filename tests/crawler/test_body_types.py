"""Which answers are read, and which bodies are worth their bytes."""

import pytest

from crawler.fetch.client import enough_of, is_wanted
from crawler.politeness.robots_and_pace import MAX_BYTES
from semantic.parsing.document_types import is_readable
from semantic.parsing.sitemaps import MOST_BYTES

URL = "http://a.example/x"
READ = "xhtml+xml vnd.oasis.opendocument.text epub+zip pdf rss+xml x-gzip"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("kind", "url", "readable", "wanted"),
    [
        *((kind, URL, True, True) for kind in ("", "text/html; charset=gbk", "text/xml", DOCX)),
        *((f"application/{kind}", URL, True, True) for kind in READ.split()),
        ("application/octet-stream", f"{URL}.xml.gz?a=b", True, True),
        ("application/octet-stream", f"{URL}.pdf", True, True),
        ("application/octet-stream", f"{URL}.bin", False, False),
        ("text/plain", URL, False, True),
        *((kind, URL, False, False) for kind in ("image/svg+xml", "application/zip", "application/msword")),
        ("application/json", "http://a.example/robots.txt", False, True),
    ],
)
def test_what_an_answer_says_decides(kind: str, url: str, readable: bool, wanted: bool) -> None:
    headers = {"content-type": kind} if kind else {}
    assert (is_readable(headers, url), is_wanted(200, headers, url)) == (readable, wanted)
    assert not is_wanted(404, headers, url)


@pytest.mark.parametrize(
    ("status", "headers", "wanted"),
    [
        *((status, {}, True) for status in (200, 201, 202, 203, 206, 218, 226, 299, 300, 302)),
        *((status, {}, False) for status in (101, 204, 205, 304, 404, 500)),
        *((status, {"location": "/x"}, False) for status in (300, 302)),
        *((status, {"content-length": "0"}, False) for status in (202, 302)),
    ],
)
def test_every_success_with_a_content_is_wanted(status: int, headers: dict[str, str], wanted: bool) -> None:
    assert is_wanted(status, {"content-type": "text/html", **headers}, URL) == wanted


def test_a_robots_txt_is_one_wherever_it_has_moved_to() -> None:
    file = {"content-type": "application/octet-stream"}
    assert [is_wanted(status, file, URL, robots=True) for status in (200, 203, 302, 404)] == [True, True, False, False]
    assert enough_of(file, URL, robots=True) == MAX_BYTES


def test_a_sitemap_may_be_cut_and_a_page_may_not() -> None:
    assert enough_of({"content-type": "application/xml"}, URL) == MOST_BYTES
    for kind in ("text/html", "application/xhtml+xml", "application/pdf", "application/gzip", DOCX):
        assert enough_of({"content-type": kind}, URL) is None
