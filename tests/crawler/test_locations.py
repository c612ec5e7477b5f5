"""Addresses in header fields, in every spelling of an old server."""

import pytest

from crawler.ports import read_headers
from semantic.parsing.page_reader import read_page
from semantic.urls import normalise

URL = "http://h.example/dir/page?q=1"


@pytest.mark.parametrize(
    ("sent", "address"),
    [
        ("/t?k=绿茶".encode("gbk"), "http://h.example/t?k=%C2%CC%B2%E8"),
        ("/绿茶/".encode("gbk"), "http://h.example/%C2%CC%B2%E8/"),
        ("/绿茶/?k=绿茶".encode(), "http://h.example/%E7%BB%BF%E8%8C%B6/?k=%E7%BB%BF%E8%8C%B6"),
        ("é".encode(), "http://h.example/dir/%C3%A9"),
        ("é".encode("latin-1"), "http://h.example/dir/%E9"),
        (b"/%c2%cc?100%", "http://h.example/%C2%CC?100%"),
        (b" /a b?c d ", "http://h.example/a%20b?c%20d"),
        (b"\\a\\b#c", "http://h.example/a/b"),
        (b"//o.example/", "http://o.example/"),
        (b"HTTP://O.example:80", "http://o.example/"),
        (b"?k=2", "http://h.example/dir/page?k=2"),
        ("http://中国.cn/".encode(), "http://xn--fiqs8s.cn/"),
    ],
)
def test_a_location_or_refresh_leads_where_browsers_go(sent: bytes, address: str) -> None:
    headers = read_headers([(b"Location", sent), (b"Refresh", b"0;URL='" + sent + b"'")])
    assert normalise(headers["location"], URL) == address
    assert [found.url for found in read_page(b"<title>moved</title>", URL, headers).links] == [address]


def test_other_fields_keep_their_text() -> None:
    assert read_headers([(b"X", "é".encode()), (b"x", b"a%20b"), (b"Y", b"\xb2\xe8")]) == {
        "x": "é, a%20b",
        "y": "%B2%E8",
    }
