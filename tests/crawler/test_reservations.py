"""What is reserved for text and data mining: by a page, its header, robots.txt and tdmrep.json."""

import json

import pytest

from crawler.politeness.reservations import fits, read_tdmrep, reservation, tdm_file
from crawler.politeness.robots_and_pace import MAX_BYTES, Gate, read_robots
from crawler.ports import Failed, Fetched
from semantic.parsing.page_reader import read_page
from semantic.parsing.page_reservations import is_for_texts
from semantic.reasons import Reason, because

STAMP = "2026-01-01T00:00:00+00:00"
ORIGIN = "https://a.example/robots.txt"
FILE = "https://a.example/.well-known/tdmrep.json"
POLICY = "https://a.example/p.json"
HTML = {"content-type": "text/html; charset=utf-8"}


META = '<meta name="{}" content="{}"><meta name="{}" content="{}">'


@pytest.mark.parametrize(
    ("headers", "head", "reserved"),
    [
        ({}, "", ""),
        *(({"tdm-reservation": said}, "", "header tdm-reservation") for said in ("1", " 1 ", "0, 1")),
        *(({"tdm-reservation": said}, "", "") for said in ("0", "11", "")),
        ({"tdm-reservation": "1", "tdm-policy": POLICY}, "", f"header tdm-reservation, tdm-policy {POLICY}"),
        ({"tdm-policy": POLICY}, "", ""),
        ({"tdm-reservation": "1", "tdm-policy": "javascript:x"}, "", "header tdm-reservation"),
        ({}, '<meta name="tdm-reservation" content="1">', "meta tdm-reservation"),
        ({}, '<META NAME="TDM-Reservation" CONTENT=" 1 ">', "meta tdm-reservation"),
        ({}, '<meta name="tdm-reservation" content="0">', ""),
        ({}, META.format("tdm-policy", "/P.json", "tdm-reservation", 1), "meta tdm-reservation, tdm-policy /P.json"),
        ({}, '<meta name="robots" content="NoAI, noimageai">', "noai, noimageai"),
        ({"x-robots-tag": "noai"}, "", "noai"),
        ({"x-robots-tag": "otherbot: noai"}, "", ""),
    ],
)
def test_a_page_says_what_it_reserves(headers, head, reserved):
    page = read_page(f"<html><head>{head}</head><p>tea</p></html>".encode(), "https://a.example/x", HTML | headers)
    assert page.reserved == reserved
    assert not page.noindex


def test_images_are_not_texts():
    assert [is_for_texts(said) for said in ("", "noimageai", "noai", "noai, noimageai")] == [False, False, True, True]


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /", "ai-train=no"),
        ("user-agent : *\ncontent-signal : AI-Train = NO , search = No # all", "search=no, ai-train=no"),
        ("Content-Signal: ai-train=no\nUser-agent: *\nAllow: /", "ai-train=no"),
        ("User-agent: ontocrawl\nContent-signal: ai-input=no\nUser-agent: *\nContent-Signal: search=no", "ai-input=no"),
        ("User-agent: ontocrawl\nContent-Signal: ai-train=yes\n\nUser-agent: *\nContent-Signal: ai-train=no", ""),
        ("User-agent: other\nUser-agent: *\nContent-Signal: ai-train=no", "ai-train=no"),
        ("User-agent: other\nContent-Signal: ai-train=no\nUser-agent: *\nDisallow: /x", ""),
        ("User-agent: *\nContent-Signal: ai-train=maybe, new=no", ""),
        ("User-agent: *\nContent-Signal:", ""),
        ("# Content-Signal: ai-train=no\nUser-agent: *\nAllow: /", ""),
    ],
)
def test_signals_of_robots_txt_belong_to_their_group(text, signals):
    robots = read_robots(text.encode())
    assert robots.signals == signals
    assert robots.refusal("https://a.example/") is None
    assert robots.reservation("https://a.example/") == (f"Content-Signal: {signals}" if signals else "")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        *[("/", "/x", True), ("/a", "/ab", True), ("/a/", "/a", False), ("a", "/a", True)],
        *[("*.pdf", "/a/b.pdf?x", True), ("/*.pdf$", "/a.pdf?x", False), ("/*.pdf$", "/a.pdf.pdf", True)],
        *[("/a$", "/a", True), ("/a$", "/ab", False), ("/a*b*c$", "/abc", True), ("/a*bc*c$", "/abc", False)],
        ("/*" + "a*" * 900 + "b", "/" + "a" * 2000, False),
    ],
)
def test_locations_are_patterns_of_robots_txt(pattern, path, expected):
    assert fits(pattern, path) is expected


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"<html>not found</html>", b"[" * 100_000, b"9" * 5000, b"null", b'"/"', b'[["/", 1]]', b"\xff\xfe\xff"),
        b'[{"location": 5, "tdm-reservation": 1}]',
        b'[{"location": "/", "tdm-reservation": [1]}]',
        b'[{"location": "/", "tdm-reservation": 2}]',
        b'[{"location": "/"}]',
        b'[{"location": "\\ud800", "tdm-reservation": NaN}]',
    ],
)
def test_a_file_that_is_none_reserves_nothing(body):
    assert reservation(read_tdmrep(body), "/") is None


@pytest.mark.parametrize(
    ("rules", "path", "reserved"),
    [
        *[([("/", 1)], "/x", True), ([("/", "1 ")], "/x", True), ([("/", True)], "/x", False)],
        *((rules, "/free/x", False) for rules in ([("/", 1), ("/free", 0)], [("/free", 0), ("/", 1)])),
        ([("/free", 0), ("/free/but", 1)], "/free/but/x", True),
        ([("/x", 0), ("/x", 1)], "/x", True),
        ([("/", 0)], "/x", False),
    ],
)
def test_the_most_specific_location_decides(rules, path, reserved):
    body = json.dumps([{"location": where, "tdm-reservation": said} for where, said in rules]).encode()
    assert (reservation(read_tdmrep(body), path) is not None) is reserved


def gate_after(answer, robots=b"User-agent: *\nDisallow: /no", *, respects=True):
    gate = Gate(respects=respects)
    gate.open(ORIGIN)
    visited = gate.receive(Fetched(ORIGIN, 200, {}, robots), 0.0, STAMP)
    if visited.fetch:
        assert visited.fetch == FILE == tdm_file(ORIGIN)
        visited = gate.receive(answer, 0.0, STAMP)
    return gate, visited


RESERVING = json.dumps([{"location": "/x", "tdm-reservation": 1, "tdm-policy": "https://a.example/p"}]).encode()


def test_the_file_is_asked_for_only_where_it_is_respected():
    gate, visited = gate_after(None, respects=False)
    assert (visited.fetch, visited.origins) == (None, (ORIGIN,))
    assert gate.reservation("https://a.example/x") == ""


def test_what_the_file_reserves_is_refused():
    gate, visited = gate_after(Fetched(FILE, 200, {}, RESERVING))
    robots = gate.known(ORIGIN, 0.0)
    assert visited.origins == (ORIGIN,)
    assert gate.refusal(robots, "https://a.example/x") == because("reserved", "tdmrep.json: https://a.example/p")
    assert gate.refusal(robots, "https://a.example/y") is None
    assert gate.refusal(robots, "https://a.example/no") == Reason("robots.txt")


@pytest.mark.parametrize(
    "answer",
    [
        Fetched(FILE, 404, {}, RESERVING),
        Fetched(FILE, 500, {}, RESERVING),
        Fetched(FILE, 200, {"content-type": "text/html"}, b"<html>"),
        Fetched(FILE, 200, {}, b" " * MAX_BYTES + RESERVING),
        Failed(FILE, "timeout"),
        Failed(FILE, "dns"),
    ],
)
def test_without_the_file_the_crawl_goes_on(answer):
    gate, visited = gate_after(answer)
    assert visited.origins == (ORIGIN,)
    assert gate.refusal(gate.known(ORIGIN, 0.0), "https://a.example/x") is None


def test_each_origin_of_one_robots_txt_has_its_own_file():
    other = "https://b.example/robots.txt"
    gate = Gate(respects=True)
    gate.open(other)
    gate.open(ORIGIN)
    gate.receive(Fetched(other, 301, {"location": ORIGIN}, b""), 0.0, STAMP)
    files = [gate.receive(Fetched(ORIGIN, 200, {}, b"User-agent: *\nDisallow: /no"), 0.0, STAMP).fetch]
    files.append(gate.receive(Fetched(FILE, 200, {}, RESERVING), 0.0, STAMP).fetch)
    assert files == [FILE, tdm_file(other)]
    assert gate.receive(Fetched(files[1], 404, {}, b""), 0.0, STAMP).origins == (other,)
    assert gate.reservation("https://a.example/x")
    assert not gate.reservation("https://b.example/x")
    assert gate.refusal(gate.known(other, 0.0), "https://b.example/no") == Reason("robots.txt")


def test_signals_are_refused_only_where_they_are_respected():
    text = b"User-agent: *\nContent-Signal: ai-train=no"
    for respects, refusal in ((False, None), (True, because("reserved", "Content-Signal: ai-train=no"))):
        gate, _ = gate_after(Failed(FILE, "timeout"), text, respects=respects)
        assert gate.refusal(gate.known(ORIGIN, 0.0), "https://a.example/x") == refusal
        assert gate.reservation("https://a.example/x") == "Content-Signal: ai-train=no"
