"""The demonstration web is what its marks and the README say of it."""

import http.client
from collections import deque
from functools import cache
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import pytest

from examples.pages import Answer, answer
from examples.server import WebServer
from examples.sites import SEEDS, read_marks, read_sites

SITES = read_sites()
MARKS = read_marks()
FORBIDDEN = (
    "http://riverside-gazette.example/print/front.html",
    "http://shancheng.example/admin/login.html",
    "http://town-hall.test/members/",
    "http://town-hall.test/members/minutes.html",
)
CHAIN = "http://ringlist.test/out/7"
BUSY = "http://ringlist.test/c/east"


class Hrefs(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


@cache
def reply_to(url: str) -> Answer:
    return answer(SITES, url)


def follow(url: str) -> list[str]:
    """The addresses from `url` over its redirects to an answer that is none."""
    way = [url]
    while (reply := reply_to(way[-1])).status == 301:
        way.append(urljoin(way[-1], dict(reply.headers)["Location"]))
    return way


def html(url: str) -> str:
    host = urlsplit(url).hostname or ""
    return reply_to(url).body.decode(SITES[host].charset)


def links(url: str) -> list[str]:
    """Where the page's links lead in the end."""
    hrefs = (href.partition("#")[0] for href in Hrefs(html(url)).found)
    return [follow(urljoin(url, href))[-1] for href in hrefs if href]


def allowed(url: str) -> bool:
    rules = RobotFileParser()
    rules.parse(SITES[urlsplit(url).hostname or ""].robots.splitlines())
    return rules.can_fetch("ontocrawl", url)


def distances() -> dict[str, int]:
    """Marked pages that can be reached from the seeds where robots may go -> links away."""
    seeds = SEEDS.read_text("utf-8").split()
    found, queue = dict.fromkeys(seeds, 0), deque(seeds)
    while queue:
        url = queue.popleft()
        for target in links(url):
            if target in MARKS and target not in found and allowed(target):
                found[target] = found[url] + 1
                queue.append(target)
    return found


def test_size_and_marks():
    assert len(SITES) == 12
    assert len(MARKS) >= 150
    assert set(MARKS) == {f"http://{host}{path}" for host, site in SITES.items() for path in site.articles}
    assert {mark.kind for mark in MARKS.values()} == {"detail", "list"}
    assert all(mark.kind == "detail" for mark in MARKS.values() if mark.target)
    assert {site.language for site in SITES.values()} == {"en", "zh"}


def test_all_but_the_forbidden_part_is_reached_from_the_seeds():
    found = distances()
    assert set(MARKS) - set(found) == set(FORBIDDEN)
    assert {found[url] for url, mark in MARKS.items() if mark.target} == {2, 3, 4, 5}


def test_no_link_is_dead():
    for url in MARKS:
        for target in links(url):
            assert reply_to(target).status == 200, (url, target)


def test_every_text_is_its_own():
    texts = [article.text for site in SITES.values() for article in site.articles.values()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("host", [host for host, site in SITES.items() if site.charset == "gbk"])
def test_gbk_pages_say_nothing_of_it_and_are_nothing_else(host: str):
    for path in SITES[host].articles:
        reply = answer(SITES, f"http://{host}{path}")
        assert dict(reply.headers)["Content-Type"] == "text/html"
        assert b"charset" not in reply.body
        assert SITES[host].name in reply.body.decode("gbk")
        with pytest.raises(UnicodeDecodeError):
            reply.body.decode("utf-8")


def test_redirects():
    way = follow(CHAIN)
    assert len(way) == 5
    assert MARKS[way[-1]].target
    assert urlsplit(way[0]).hostname != urlsplit(way[-1]).hostname


def test_robots_txt_forbids_a_part():
    assert [url for url in MARKS if not allowed(url)] == sorted(FORBIDDEN)
    assert answer(SITES, "http://weekend-walks.example/robots.txt").status == 404


def test_the_calendar_never_ends():
    url = "http://town-hall.test/whatson/2026-03.html"
    seen = set()
    for _ in range(200):
        assert answer(SITES, url).status == 200
        seen.add(url)
        url = next(link for link in reversed(links(url)) if "/whatson/" in link)
    assert len(seen) == 200
    assert answer(SITES, "http://town-hall.test/whatson/2026-13.html").status == 404


def ask(server: WebServer, url: str, method: str = "GET") -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection(urlsplit(server.proxy).netloc, timeout=10)
    connection.request(method, url)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, reply.headers, body


def test_served_as_by_a_proxy_with_one_busy_answer():
    with WebServer(SITES) as server:
        status, headers, _ = ask(server, BUSY)
        assert (status, headers["Retry-After"]) == (503, "1")
        status, headers, body = ask(server, BUSY)
        assert (status, body) == (200, answer(SITES, BUSY).body)
        assert ask(server, "http://ringlist.test/robots.txt")[0] == 404
        assert ask(server, "http://nowhere.example/")[0] == 502
        assert ask(server, BUSY, "HEAD")[2] == b""
        ask(server, BUSY)
        assert server.pages() == [BUSY]


def test_served_as_by_hosts_of_their_own_on_one_connection():
    with WebServer(SITES) as server:
        connection = http.client.HTTPConnection(urlsplit(server.proxy).netloc, timeout=10)
        for host in ("chayuan.example", "youji.example"):
            connection.request("GET", "/", headers={"Host": host})
            assert connection.getresponse().read() == answer(SITES, f"http://{host}/").body
        connection.close()


def test_the_server_ends_quietly_while_a_connection_is_open(capfd: pytest.CaptureFixture[str]):
    with WebServer(SITES) as server:
        connection = http.client.HTTPConnection(urlsplit(server.proxy).netloc, timeout=10)
        connection.request("GET", "http://youji.example/")
        assert connection.getresponse().status == 200
    connection.close()
    assert capfd.readouterr().err == ""


def test_a_port_that_is_taken_is_told() -> None:
    with WebServer({}) as server, pytest.raises(OSError, match="address"):
        WebServer({}, int(server.proxy.rpartition(":")[2])).__enter__()
