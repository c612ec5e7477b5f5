"""Addresses inside, in every spelling a page can write them: none is connected to, each is refused with its reason."""

import socket
from collections.abc import Iterator

import pytest
from crawl_fakes import FakeStore
from hostile_web import GOOD, Web, answers, crawl_through, fake_names, html

from crawler.ports import Refused
from semantic.reasons import because
from semantic.urls import normalise

ISOLATED = True  # pages are read as in a real crawl

HOME = "127.9.9.9"  # where the pages are; the only address that is allowed
NAMES = {
    "inside.example": [("192.168.0.1",)],
    "both.example": [("93.184.215.14", "10.0.0.1")],
    "six-and-four.example": [("2606:2800:21f:cb07:6820:80da:af6b:8b2c", "127.0.0.1")],
    "mapped.example": [("::ffff:10.0.0.1",)],
    "unique.example": [("fd00::1",)],
    "nat.example": [("64:ff9b::a9fe:a9fe",)],
    "metadata.example": [("169.254.169.254",)],
    "zero.example": [("0.0.0.0",)],
    "many.example": [("224.0.0.251",)],
}
SPELLED = {  # the word of the reason: addresses as a page writes them, also by SIIT, Teredo and ISATAP
    "loopback": r"""
        http://127.0.0.1/ http://127.0.0.1:PORT/secret https://127.0.0.1/ //127.0.0.1/ http:\\127.0.0.1\a
        http://user:password@127.0.0.1/b http://93.184.215.14@127.0.0.1/c http://127.0.0.1./d
        http://127.255.255.254/ http://127.1/e http://127.0.1/f http://2130706433/g http://017700000001/h
        http://0x7f000001/i http://0x7F.1/j http://0177.0.0.1/k http://0x7f.0x0.0x0.0x1/l http://0177.0x0.0.1/m
        http://00000177.0.0.1/n http://１２７.０.０.１/o http://①②⑦.⓪.⓪.①/p http://127。0。0。1/q http://%31%32%37.0.0.1/r
        http://[::1]/ http://[0:0:0:0:0:0:0:1]/ab http://[::127.0.0.1]/ http://[::ffff:127.0.0.1]/
        http://[::ffff:7f00:1]/ac http://[64:ff9b::127.0.0.1]/ http://[2002:7f00:1::]/
    """,
    "unspecified": r"http://0/ http://0.0.0.0/t http://[::]/",
    "private": r"""
        http://0.1.2.3/ http://10.0.0.1/ http://167772161/u http://0xa.0.0.1/v http://012.1/w http://172.16.0.1/
        http://172.31.255.255/ http://192.168.1.1/ http://192.168.257/x http://192.0.0.170/ http://192.0.2.1/
        http://198.18.0.1/ http://198.51.100.1/ http://203.0.113.1/ http://240.0.0.1/ http://255.255.255.255/
        http://[::FFFF:10.0.0.1]/ http://[64:ff9b::10.0.0.1]/ http://[2002:a00:1::1]/
        http://[2001:470:1f0b::5efe:10.0.0.1]/ http://[2001:470:1f0b::200:5efe:192.168.0.1]/ http://[2001:2::1]/
        http://[2001:db8::1]/ http://[fc00::1]/ http://[fd00:ec2::254]/latest/meta-data/
    """,
    "reserved": r"""
        http://100.64.0.1/ http://192.88.99.1/ http://[::ffff:0:127.0.0.1]/ http://[64:ff9b:1::1]/ http://[3fff::1]/
        http://[4000::1]/ http://[5f00::1]/ http://[fec0::1]/
    """,
    "": r"http://192.0.0.192/opc/v1/instance/ http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ http://[100::1]/",
    "link-local": r"""
        http://169.254.169.254/latest/meta-data/ http://2852039166/y http://0xA9FEA9FE/z
        http://0251.0376.0251.0376/aa http://[::ffff:169.254.169.254]/ http://[64:ff9b::a9fe:a9fe]/
        http://[2002:a9fe:a9fe::]/ http://[fe80::1]/
    """,
    "multicast": r"http://224.0.0.1/ http://239.255.255.250/ http://[ff02::1]/ http://[ff0e::1]/",
    "loopback name": r"""
        http://localhost/ http://LOCALHOST:PORT/ad http://localhost./ae http://a.localhost/ http://ｌｏｃａｌｈｏｓｔ/af
    """,
}
INSIDE = [
    *((url, reason) for reason, urls in SPELLED.items() for url in urls.split()),
    ("http://127.0.0\t.1/s", "loopback"),
    *((f"http://{name}/", f"{name} is the ") for name in NAMES),
    ("http://ｉｎｓｉｄｅ。example/ag", "inside.example is the private address 192.168.0.1"),
    ("http://INSIDE.example.:8080/ah", "inside.example is the private address 192.168.0.1"),
]
WAYS = ("base", "moved", "canonical", "refresh", "feeds", "feeding")
NO_ADDRESS = """
    http://[fe80::1%25eth0]/ http://[::1%25lo]/ http://[::ffff:127.0.0.1/ http://127.0.0.1.1/ http://256.0.0.1/
    http://4294967296/ http://a.0x7f/ http://127.0.0.1%00.example/ file:///etc/passwd gopher://127.0.0.1/
    javascript:alert(1)
"""  # no web addresses at all: such a link is none


@pytest.fixture(scope="module")
def crawled() -> Iterator[tuple[Web, FakeStore]]:
    """A crawl from a page that links to all of them, in every way that a site can send a crawler somewhere."""
    links = "".join(f'<a href="{url}">x</a>' for url in [*(url for url, _ in INSIDE), *NO_ADDRESS.split()])
    more = "".join(f'<a href="http://{HOME}:PORT/{name}">x</a>' for name in WAYS)
    other = f'<a href="http://127.9.9.8:PORT/page">robots.txt leads inside</a><a href="http://{HOME}:PORT/good">x</a>'
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:PORT/moved\r\nContent-Length: 0\r\n\r\n"
    web = Web(
        {
            f"{HOME}/": b"",
            f"{HOME}/base": html('<base href="http://10.1.1.1/in/"><a href="page">x</a>'),
            f"{HOME}/moved": moved,
            f"{HOME}/canonical": html('<link rel=canonical href="http://10.2.2.2/"><p>its own text'),
            f"{HOME}/refresh": html('<meta http-equiv=refresh content="0; url=http://10.3.3.3/">'),
            f"{HOME}/good": GOOD,
            f"{HOME}/robots.txt": html(f"Sitemap: http://10.4.4.4/s.xml\nSitemap: http://{HOME}:PORT/s.xml\n"),
            f"{HOME}/s.xml": html("<urlset><url><loc>http://10.5.5.5/</loc></url></urlset>"),
            f"{HOME}/feeds": html("<link rel=alternate type=application/rss+xml href=http://10.6.6.6/f><p>a page"),
            f"{HOME}/feeding": html("<link rel=alternate type=application/rss+xml href=/f.xml><p>another page"),
            f"{HOME}/f.xml": html(
                "<rss version='2.0'><channel><item><link>http://10.7.7.7/</link></item></channel></rss>"
            ),
            "127.9.9.8/robots.txt": moved.replace(b"/moved", b"/robots.txt"),
            "127.9.9.8/page": GOOD,
            "127.0.0.1/secret": GOOD,
            "127.0.0.1/moved": GOOD,
        }
    )

    def begin(port: int) -> None:
        web.sites[f"{HOME}/"] = html((links + more + other).replace("PORT", str(port)))

    with socket.create_server(("0.0.0.0", 0)) as free:
        web.port = free.getsockname()[1]
    begin(web.port)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", fake_names(NAMES))
        yield web, crawl_through(web, frozenset({HOME, "127.9.9.8"}), f"{HOME}/")


@pytest.mark.parametrize(("written", "reason"), INSIDE)
def test_what_points_inside_is_refused_with_reasons_in_the_graph(
    crawled: tuple[Web, FakeStore], written: str, reason: str
) -> None:
    """Holds for 90 spellings: the link is kept as refused, and its reason names the kind of address."""
    web, store = crawled
    url = normalise(written.replace("PORT", str(web.port)), web.url(f"{HOME}/"))
    assert url is not None
    record = store.pages[url]
    assert record.status == "refused"
    assert reason in str(record.reasons[0])


def test_nobody_inside_was_asked_anything(crawled: tuple[Web, FakeStore]) -> None:
    web, store = crawled
    assert {host for host, _, _ in web.asked} == {HOME, "127.9.9.8"}
    assert store.pages[web.url(f"{HOME}/good")].status == "fetched", "and the crawl went on"
    assert not store.queue


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("http://10.1.1.1/in/page", "private address 10.1.1.1"),
        ("http://127.0.0.1:PORT/moved", "loopback address 127.0.0.1"),
        ("http://10.3.3.3/", "private address 10.3.3.3"),
        ("http://127.9.9.8:PORT/page", "loopback address 127.0.0.1"),
        ("http://10.4.4.4/s.xml", "private address 10.4.4.4"),
        ("http://10.6.6.6/f", "private address 10.6.6.6"),
        ("http://10.7.7.7/", "private address 10.7.7.7"),
    ],
    ids=["base", "redirect", "refresh", "robots.txt redirected", "sitemap", "feed", "entry of a feed"],
)
def test_other_ways_in_are_refused_too(crawled: tuple[Web, FakeStore], page: str, reason: str) -> None:
    web, store = crawled
    record = store.pages[page.replace("PORT", str(web.port))]
    assert (record.status, str(record.reasons[0])) == ("refused", reason)


def test_a_sitemap_leads_to_no_other_host(crawled: tuple[Web, FakeStore]) -> None:
    web, store = crawled
    assert store.pages[web.url(f"{HOME}/s.xml")].status == "fetched"
    assert "http://10.5.5.5/" not in store.pages


def test_a_canonical_link_inside_is_neither_asked_nor_believed(crawled: tuple[Web, FakeStore]) -> None:
    web, store = crawled
    page = store.pages[web.url(f"{HOME}/canonical")]
    assert (page.status, page.canonical) == ("fetched", None)
    assert "http://10.2.2.2/" not in store.pages


@pytest.mark.parametrize("written", NO_ADDRESS.split())
def test_what_is_no_address_is_no_link(crawled: tuple[Web, FakeStore], written: str) -> None:
    assert normalise(written, "http://a.example/") is None


@pytest.mark.parametrize(("answer", "asked"), [(GOOD, 1), (GOOD.replace(b"HTTP/1.1", b"ICY"), 2)])
def test_the_address_that_was_checked_is_the_one_connected_to(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, asked: int
) -> None:
    """A name that is outside when it is checked and inside when asked again: one look-up a request, no second. A broken
    answer is asked for once more.
    """
    web = Web({"127.0.0.2/": answer, "127.0.0.1/": html("secret")})
    monkeypatch.setattr(socket, "getaddrinfo", fake_names({"rebound.example": [("127.0.0.2",), ("127.0.0.1",)]}))
    allow = frozenset({"127.0.0.2"})  # stands for the world outside
    (first,), (second,) = (answers(web, "http://rebound.example:PORT/", allow=allow) for _ in range(2))
    assert first.status == 200
    why = because("resolved", host="rebound.example", why=because("loopback address", address="127.0.0.1"))
    assert second == Refused(f"http://rebound.example:{web.port}/", why)
    assert [host for host, _, _ in web.asked] == ["127.0.0.2"] * asked


HOSTS = "10.0.0.1 localhost [::1] [::ffff:10.0.0.1] [64:ff9b::a9fe:a9fe] [fe80::1%25lo] 0x7f.1 localhost. intranet"
HOSTS += " router.local metadata.google.internal nas.home.arpa db.corp a.localdomain api.default.svc"


PROXY = "http://127.0.0.1:PORT"


@pytest.mark.parametrize("host", HOSTS.split())
def test_what_is_known_inside_is_refused_through_a_proxy_too(host: str) -> None:
    """A proxy looks names up itself: addresses, and names that no public server knows, are never handed to it."""
    web = Web({})
    (outcome,) = answers(web, f"http://{host}/", proxy=PROXY)
    assert (type(outcome), web.asked) == (Refused, [])


def test_an_inside_name_may_be_allowed_through_a_proxy() -> None:
    web = Web({"127.0.0.1/http://intranet/": GOOD})
    (outcome,) = answers(web, "http://intranet/", proxy=PROXY, allow=frozenset({"intranet"}))
    assert outcome.status == 200
