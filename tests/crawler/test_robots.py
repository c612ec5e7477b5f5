"""robots.txt files as they come, and what Retry-After may say."""

import pytest

from crawler.politeness import CRAWL_DELAY_CAP, Politeness, retry_after
from crawler.ports import Fetched
from crawler.robots import MAX_BYTES, is_robots_url, read_robots, robots_url


def test_the_longest_match_of_our_own_group_decides() -> None:
    robots = read_robots(
        b"User-agent: *\nDisallow: /\n\nUser-agent: OntoCrawl\nDisallow: /a\nAllow: /a/b$\nDisallow: /*.cgi\n"
        b"User-agent: other\nDisallow: /c\nCrawl-delay: 3\n"
    )
    allowed = {"/": True, "/a": False, "/a/b": True, "/a/b/c": False, "/x/y.cgi?z": False, "/c": True}
    assert {path: not robots.refusal(f"http://h{path}") for path in allowed} == allowed
    assert robots.delay is None


def test_a_web_page_in_its_place_forbids_nothing_and_is_not_kept() -> None:
    robots = read_robots(b"<html><body>Disallow: /</body></html>")
    assert (robots.refusal("http://h/"), robots.text) == ("", "")


def test_bytes_that_are_no_text_and_a_file_without_end() -> None:
    assert read_robots(b"\xff\xfe User-agent: *\nDisallow: /x\xff\n").refusal("http://h/y") == ""
    late = b"User-agent: *\n" + b"#" * MAX_BYTES + b"\nDisallow: /\n"
    assert read_robots(late).refusal("http://h/") == ""
    assert len(read_robots(late).text) == MAX_BYTES


def test_where_it_is() -> None:
    assert robots_url("https://h:81/a/b?c") == "https://h:81/robots.txt"
    assert [is_robots_url(f"http://h{path}") for path in ("/robots.txt", "/robots.txt?x", "/a/robots.txt", "/")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7),
        (" 7 ", 7),
        ("Thu, 01 Jan 2026 00:01:00 GMT", 60),
        ("Thu, 01 Jan 2026 01:01:00 +0100", 60),
        ("Thu, 01 Jan 2026 00:01:00", 60),
        ("Wed, 31 Dec 2025 00:00:00 GMT", 0),
        ("99999999999999999999", 86_400),
        ("-5", 0),
        ("soon", 0),
        ("", 0),
        ("٣", 0),
    ],
)
def test_retry_after(text: str, seconds: float) -> None:
    busy = Fetched("http://h/", 429, {"retry-after": text}, b"")
    assert retry_after(busy, "2026-01-01T00:00:00.000+00:00") == seconds
    assert retry_after(Fetched("http://h/", 200, {"retry-after": "7"}, b""), "2026-01-01T00:00:00") == 0


def test_crawl_delay_never_shortens_the_delay_and_is_capped() -> None:
    politeness = Politeness(2.0, 1)
    assert [
        politeness.ask_delay(host, seconds) for host, seconds in [("a", 1.0), ("b", 5.0), ("c", 9e9), ("d", None)]
    ] == [
        2.0,
        5.0,
        CRAWL_DELAY_CAP,
        2.0,
    ]
    assert Politeness(90.0, 1).ask_delay("a", 120.0) == 90.0
