"""robots.txt files as they come, and what Retry-After may say."""

import codecs
import math
from urllib.parse import quote

import pytest
from protego import Protego

from crawler.politeness.robots_and_pace import (
    CRAWL_DELAY_CAP,
    MAX_BYTES,
    SLOW_CAP,
    Politeness,
    read_robots,
    retry_after,
)
from crawler.ports import Fetched
from semantic.reasons import Reason
from semantic.urls import is_robots_url, robots_url

FORBIDDEN = Reason("robots.txt")


def test_the_longest_match_of_our_own_group_decides() -> None:
    robots = read_robots(
        b"User-agent: *\nDisallow: /\n\nUser-agent: OntoCrawl\nDisallow: /a\nAllow: /a/b$\nDisallow: /*.cgi\n"
        b"User-agent: other\nDisallow: /c\nCrawl-delay: 3\n"
    )
    allowed = {"/": True, "/a": False, "/a/b": True, "/a/b/c": False, "/x/y.cgi?z": False, "/c": True}
    assert {path: not robots.refusal(f"http://h{path}") for path in allowed} == allowed
    assert robots.delay is None


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        *((name, True) for name in ("ontocrawl", "OntoCrawl/1.0", "ontocrawl (a)", "ontocrawl*", "ontocrawl # x")),
        *((name, False) for name in ("o", "onto", "crawl", "ontocrawler", "ontocrawl-x", "x ontocrawl", "a", "/", "")),
    ],
)
def test_a_group_is_ours_by_the_whole_product_token(name: str, is_ours: bool) -> None:
    robots = read_robots(f"User-agent: *\nDisallow: /all\n\nUser-Agent : {name}\nDisallow: /ours\n".encode())
    assert [bool(robots.refusal(f"http://h/{path}")) for path in ("all", "ours")] == [not is_ours, is_ours]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are parsed meanwhile."""
    texts: list[str] = []
    parse = Protego.parse
    monkeypatch.setattr(Protego, "parse", lambda text: texts.append(text) or parse(text))
    return texts


@pytest.mark.parametrize(
    "text",
    [
        "\n" * MAX_BYTES,
        " \n" * (MAX_BYTES // 2),
        "sitemap\n" * (MAX_BYTES // 8),
        "".join(f"User-agent:{n:x}\n" for n in range(15_000)) + "".join(f"Allow:/{n:x}\n" for n in range(20_000)),
        "".join(f"User agent .{n:x}\n" for n in range(15_000)) + "".join(f"Allow:/{n:x}\n" for n in range(15_000)),
        "User-agent: *\n" + "".join(f"Disallow:/{n:x}*$\n" for n in range(10_000)),
        f"User-agent:{' ' * (MAX_BYTES - 20)}x",
    ],
    ids=["lines", "blanks", "sitemaps", "robots by rules", "odd robots by rules", "rules", "a long line"],
)
def test_no_file_takes_longer_than_it_may(text: str, parsed: list[str]) -> None:
    """Read in the crawl itself: a fetch of any host must wait for it. Where the time grows with the square of a file's
    length, this test does not end within hours; where rules are stored for each robot, the robots are many.
    """
    assert len(text) <= MAX_BYTES
    robots = read_robots(text.encode())
    assert robots.refusal("http://h/x") is None
    lines = {line for used in parsed for line in used.split("\n")}
    assert {line for line in lines if line.startswith("User-agent:")} <= {"User-agent: *", "User-agent: another"}


def test_a_web_page_instead_forbids_nothing_and_is_not_kept() -> None:
    robots = read_robots(b"<html><body>Disallow: /</body></html>")
    assert (robots.refusal("http://h/"), robots.text) == (None, "")


def test_bytes_that_are_no_text_and_a_file_without_end() -> None:
    """A line that is cut at 500 KiB is no rule."""
    assert read_robots(b"\xff\xfe User-agent: *\nDisallow: /x\xff\n").refusal("http://h/y") is None
    late = b"User-agent: *\n" + b"#" * MAX_BYTES + b"\nDisallow: /\n"
    assert read_robots(late).refusal("http://h/") is None
    assert read_robots(late).text == "User-agent: *\n"  # without the line that is cut
    begin = b"User-agent: *\nDisallow: /\n"
    text = begin + b"#" * (MAX_BYTES - len(begin) - len("\nAllow: /")) + b"\nAllow: /only/this\n"
    assert read_robots(text).refusal("http://h/x") == FORBIDDEN


def test_one_agent_s_groups_join_despite_a_byte_order_mark() -> None:
    robots = read_robots(
        codecs.BOM_UTF8
        + "User-agent: ontocrawl\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\n"
        "User-agent: y\nUser-agent: ONTOCRAWL\nDisallow: /茶\nDisallow: /*?q=$\n".encode()
    )
    forbidden = {"/a": True, "/%E8%8C%B6/1": True, "/b?q=": True, "/b?q=1": False, "/b": False}
    assert {path: bool(robots.refusal(f"http://h{path}")) for path in forbidden} == forbidden


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "gbk", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_robots_txt_in_another_charset(codec: str) -> None:
    text = "# 说明\r\nUser-agent: *\r\nDisallow: /茶\r\nDisallow: /%b2%bb\r\nSitemap: http://h/茶.xml\r\n"
    robots = read_robots(text.encode(codec))
    forbidden = {"/%E8%8C%B6/1": True, "/%B2%BB": True, "/b": False, "/%B2%E8": codec == "gbk"}
    assert {path: bool(robots.refusal(f"http://h{path}")) for path in forbidden} == forbidden
    assert robots.sitemaps[0] == "http://h/%E8%8C%B6.xml"


def test_where_it_is() -> None:
    assert robots_url("https://h:81/a/b?c") == "https://h:81/robots.txt"
    paths = ("/robots.txt", "/robots.txt?x", "/a/robots.txt", "/")
    assert [is_robots_url(f"http://h{path}") for path in paths] == [True, True, False, False]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *[("7", 7), (" 7 ", 7), ("99999999999999999999", 86_400), ("-5", 0), ("soon", 0), ("", 0), ("٣", 0)],
        *((f"Thu, 01 Jan 2026 {time}", 60) for time in ("00:01:00 GMT", "01:01:00 +0100", "00:01:00")),
        ("Wed, 31 Dec 2025 00:00:00 GMT", 0),
    ],
)
def test_retry_after(text: str, seconds: float) -> None:
    busy = Fetched("http://h/", 429, {"retry-after": text}, b"")
    assert retry_after(busy, "2026-01-01T00:00:00.000+00:00") == seconds
    assert retry_after(Fetched("http://h/", 200, {"retry-after": "7"}, b""), "2026-01-01T00:00:00") == 0


def test_crawl_delay_never_shortens_the_delay_and_is_capped() -> None:
    politeness = Politeness(2.0, 1)
    delays = [politeness.ask_delay(*one) for one in (("a", 1.0), ("b", 5.0), ("c", 9e9), ("d", None))]
    assert delays == [2.0, 5.0, CRAWL_DELAY_CAP, 2.0]
    assert Politeness(90.0, 1).ask_delay("a", 120.0) == 90.0


def answered(politeness: Politeness, status: int, seconds: float = 0.0, now: float = 0.0) -> float:
    """The gap after such an answer that came at `now`."""
    politeness.start("a")
    return politeness.finish("a", Fetched("http://a/", status, {}, b"", seconds), now, "2026-01-01T00:00:00") - now


def test_a_slow_host_is_asked_slower_never_below_its_delay() -> None:
    politeness = Politeness(1.0, 1)
    gaps = [answered(politeness, 200, seconds, 100.0 * n) for n, seconds in enumerate((0.1, 4.0, 4.0, 0.1, 0.1, 999.0))]
    assert gaps == pytest.approx([1.0, 2.05, 3.025, 1.5625, 1.0, SLOW_CAP])
    assert answered(Politeness(0.0, 1), 200, 9.0) == 0.0


def test_a_host_turning_us_away_is_asked_slower_a_while() -> None:
    politeness = Politeness(2.0, 1)
    gaps = [answered(politeness, status, 0.0, 100.0 * n) for n, status in enumerate((200, 429, 503, 200, 200))]
    assert gaps == pytest.approx([2.0, 4.0, 8.0, 7.2, 6.48])
    for n in range(20):
        gap = answered(politeness, 200, 0.0, 1000.0 + 100 * n)
    assert gap == 2.0


def test_without_delay_such_a_host_gets_one_connection_a_while() -> None:
    politeness = Politeness(0.0, 4)
    assert politeness.start("a") == 0.0
    assert answered(politeness, 429) == math.inf  # one is open still
    for n in range(7):
        assert answered(politeness, 200, now=100.0 * n) == math.inf
    assert answered(politeness, 200, now=900.0) == 0.0


def test_rules_that_were_not_asked_for_long_are_read_again(monkeypatch, parsed):
    monkeypatch.setattr("crawler.politeness.robots_and_pace.RECENT", 100)
    known = [read_robots(f"User-agent: *\nDisallow: /{n}\nCrawl-delay: {n}".encode()) for n in range(20)]
    for n, robots in enumerate(known):
        assert [robots.refusal(f"http://h/{n}"), robots.refusal("http://h/x"), robots.delay] == [FORBIDDEN, None, n]
    parsed.clear()
    for n in (18, 19, 0, 0):  # the last two of 43 characters are at hand
        known[n].refusal("http://h/x")
    assert [text.split("/")[1].split()[0] for text in parsed] == ["0"]


@pytest.mark.parametrize(
    "line", ["Crawl-delay: 5", "Clean-param: a /", "Content-Signal: ai-train=no", "Request-rate: 1/5", "any: thing", ""]
)
def test_a_line_that_is_no_rule_ends_no_group(line: str) -> None:
    robots = read_robots(f"User-agent: ontocrawl\n{line}\nUser-agent: other\n{line}\nDisallow: /a\n".encode())
    assert [robots.refusal(f"http://h/{path}") for path in "ab"] == [FORBIDDEN, None]


def test_a_crawl_delay_is_for_the_robots_named_above_it() -> None:
    text = "User-agent: {}\nCrawl-delay: 5\nUser-agent: {}\nDisallow: /a\n"
    delays = [read_robots(text.format(*names).encode()).delay for names in (("*", "x"), ("x", "*"), ("x", "ontocrawl"))]
    assert delays == [5.0, None, None]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_lines_end_at_cr_and_lf(end: str) -> None:
    robots = read_robots(end.join(["User-agent: *", "Disallow: /a", "", "Sitemap: http://h/s"]).encode())
    assert [robots.refusal(f"http://h/{path}") for path in "ab"] == [FORBIDDEN, None]
    assert robots.sitemaps == ("http://h/s",)
    many = read_robots(end.join(["User-agent: *", "Disallow: /a", "#" * MAX_BYTES]).encode())
    assert many.refusal("http://h/a") == FORBIDDEN


@pytest.mark.parametrize("mark", "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_no_other_mark_ends_a_line(mark: str) -> None:
    robots = read_robots(f"User-agent: *\n# x{mark}Disallow: /a\nDisallow: /b{mark}Disallow: /c\n".encode())
    assert [robots.refusal(f"http://h/{path}") for path in "abc"] == [None, None, None]
    assert robots.refusal(f"http://h/b{quote(mark)}Disallow: /c") == FORBIDDEN


def test_sitemaps_are_named_from_the_file_itself():
    text = b"User-agent: *\nDisallow: /a\nSITEMAP: /m/s.xml\nSitemap: t.xml\nsitemap: https://c.example/u\nSitemap:\n"
    robots = read_robots(text, "https://h.example/robots.txt")
    assert robots.sitemaps == ("https://h.example/m/s.xml", "https://h.example/t.xml", "https://c.example/u")
