"""Answers made to blow up a crawler, each from a site of its own to one real crawl.

The crawl goes on to its end, memory stays where ordinary pages leave it, and each page carries its reason.
"""

import asyncio
import gzip
import socket
import struct
import zlib
from collections.abc import Callable
from functools import cache

import brotli
import pytest
from hostile_web import GOOD, Apart, Site, Web, crawl_apart, html

from benchmarks.office_files import open_document
from benchmarks.pdf_files import pdf

pytestmark = pytest.mark.slow
ISOLATED = True  # pages are read as in a real crawl

SECONDS = 6.0  # for a whole answer
MARGIN = 100  # MB of memory above that of ordinary pages
BOMB = 300_000_000  # bytes that a bomb opens to
LARGEST = 5_000_000  # bytes of a body, decompressed
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def deflated(bits: int, first: bytes = b"") -> bytes:
    """A bomb of blanks, packed. After a full flush the same blanks give the same bytes, so one million is packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, bits)
    head = packer.compress(first) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + (packer.compress(b" " * 1_000_000) + packer.flush(zlib.Z_FULL_FLUSH)) * (BOMB // 1_000_000)


@cache
def brotli_bomb() -> bytes:
    packer = brotli.Compressor(quality=1)
    blanks = b" " * 1_000_000
    return b"".join(packer.process(blanks) for _ in range(BOMB // 1_000_000)) + packer.finish()


def zstd_bomb(size: int) -> bytes:
    """A frame of blocks that repeat one byte 128 KB (RFC 8878, 3.1.1.2); the last one ends it."""
    blocks = size // 131_072
    return b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(
        ((131_072 << 3) | 2 | (number == blocks - 1)).to_bytes(3, "little") + b"0" for number in range(blocks)
    )


def packed(body: bytes, *codings: str) -> bytes:
    return html(body, *(f"Content-Encoding: {coding}" for coding in codings))


def whole(body: bytes, kind: str) -> bytes:
    """An answer of another type."""
    return b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind.encode(), len(body)) + body


def endless(head: bytes, piece: bytes, pause: float = 0.0) -> Site:
    """Sends `piece` for ever."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return send


def closed(sent: bytes, *, reset: bool = False) -> Site:
    """Sends some, then ends or resets the connection."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        if not reset:
            return
        await asyncio.sleep(0.1)
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return send


def base_85() -> bytes:
    packed = pdf("z" * 12_000_000 + "~>", packed=True)
    return packed.replace(b"/FlateDecode", b"[/FlateDecode/ASCII85Decode]")


EMPTY_BLOCKS = b"\x00\x00\x00\xff\xff" * 4000  # stored blocks of no bytes: endless, and decode to nothing
XML = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<urlset>"
ENTITIES = (
    b"<!DOCTYPE rss [<!ENTITY a0 'aaaaaaaaaa'>%s]><rss version='2.0'>"
    b"<channel><item><link>/</link><title>&a9;</title></item></channel></rss>"
    % (b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10)))
)
LAUGHS = ENTITIES.decode().replace("<rss version='2.0'>", "<p>&a9;</p><rss>")
# A page that is too large is judged by its beginning, a bomb as well. What browsers show is read: text in a coding that
# is none, a body whose length or chunks are told wrongly and that ends with the connection.
SITES: dict[str, tuple[Callable[[], Site], str]] = {  # what is sent, and how the page's reason begins ('': it is read)
    "gzip bomb": (lambda: packed(deflated(31), "gzip"), ""),
    "brotli bomb": (lambda: packed(brotli_bomb(), "br"), ""),
    "zstd bomb": (lambda: packed(zstd_bomb(BOMB), "zstd"), ""),
    "gzip in gzip": (lambda: packed(gzip.compress(deflated(31)), "gzip, gzip"), ""),
    "brotli in gzip": (lambda: packed(gzip.compress(brotli_bomb()), "br, gzip"), ""),
    "empty blocks in gzip": (lambda: packed(gzip.compress(EMPTY_BLOCKS * 20_000), "deflate, gzip"), "encoding"),
    "PDF that is larger than may be": (lambda: whole(b"%PDF-1.4 " * 1_000_000, "application/pdf"), "too-large"),
    "endless": (lambda: endless(HEAD + b"\r\n", b"x" * 60_000), ""),
    "endless chunks": (lambda: endless(CHUNKED, b"ea60\r\n" + b"x" * 60_000 + b"\r\n"), ""),
    "endless empty blocks": (lambda: endless(HEAD + b"Content-Encoding: deflate\r\n\r\n", EMPTY_BLOCKS), "too-large"),
    "a byte a moment": (lambda: endless(HEAD + b"\r\n", b"x", 0.2), "timeout"),
    "a byte of a header a moment": (lambda: endless(HEAD + b"X: ", b"x", 0.2), "timeout"),
    "length of many digits": (lambda: closed(HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nshort"), "protocol"),
    "chunk of a huge size": (lambda: closed(CHUNKED + b"f" * 30 + b"\r\nx"), "protocol"),
    "chunk without its end": (lambda: closed(CHUNKED + b"5\r\nshortXX5\r\n"), "protocol"),
    "endless chunk extension": (lambda: endless(CHUNKED + b"5;", b"x" * 60_000, 0.01), "timeout"),
    "endless trailers": (lambda: endless(CHUNKED + b"5\r\nshort\r\n0\r\n", b"X: y\r\n" * 10_000), ""),
    "endless header": (lambda: endless(HEAD + b"X: ", b"x" * 60_000), "protocol"),
    "endless status": (lambda: endless(b"HTTP/1.1 200 ", b"x" * 60_000), "protocol"),
    "endless promises": (lambda: endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), "protocol"),
    "reset in the head": (lambda: closed(HEAD, reset=True), "read"),
    "reset in the body": (lambda: closed(HEAD + b"Content-Length: 1000\r\n\r\n<p>half", reset=True), "read"),
    "reset in a chunk": (lambda: closed(CHUNKED + b"100\r\n<p>half", reset=True), "read"),
    "100,000 nested tags": (lambda: html("<div>" * 100_000 + "deep"), ""),
    "a million nested tags": (lambda: html("<b>" * 1_000_000 + "deep"), ""),
    "unclosed formatting": (lambda: html("".join(f"<b id={n}>" for n in range(3000)) + "<p>x" * 30_000), ""),
    "100,000 attributes": (lambda: html("<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x"), ""),
    "an attribute of 4 MB": (lambda: html(f'<p class="{"x" * 4_000_000}">x'), ""),
    "250,000 links": (lambda: html("".join(f'<a href="#{n}">x' for n in range(250_000))), ""),
    "a text of 20 MB": (lambda: html(b"x" * 20_000_000), ""),
    "a text as large as may be": (lambda: html(b"x" * LARGEST), ""),
    "words as many as may be": (lambda: html(b"a b " * (LARGEST // 4)), ""),
    "wide text as large as may be": (lambda: html("😀中" * (LARGEST // 7)), ""),
    "references only": (lambda: html("&#x1F600;" * (LARGEST // 9)), ""),
    "NULs": (lambda: html(bytes(1_000_000)), "no page"),
    "NULs in text": (lambda: html(b"<p>a\0b\0c"), ""),
    "lone surrogates": (lambda: html(b"<title>\xed\xa0\x80&#xD800;</title><p>\xed\xbf\xbf&#xDFFF;"), ""),
    "PDF bomb": (lambda: whole(pdf("\0" * 70_000_000, packed=True), "application/pdf"), "no page"),
    "a PDF page of a million words": (
        lambda: whole(pdf("(a) Tj " * 1_000_000, packed=True), "application/pdf"),
        "no page",
    ),
    "nested PDF": (lambda: whole(pdf("[" * 100_000, packed=True), "application/pdf"), "no page"),
    "PDF that is none": (lambda: whole(b"%PDF-" + b"\0" * 1_000_000, "application/pdf"), "no page"),
    "sitemap in a gzip bomb": (lambda: whole(deflated(31, b"<urlset>"), "application/gzip"), ""),
    "endless sitemap": (lambda: endless(XML, b"<url><loc>/</loc></url>" * 3000), ""),
    "feed with an entity bomb": (lambda: whole(ENTITIES, "application/rss+xml"), ""),
    "a tag's name of 200 KB around 3,000 links": (lambda: html(f"<{'t' * 200_000}>" + "<a href=/>x</a>" * 3000), ""),
    "a million words of rel": (lambda: html(f'<a href=/ rel="{" ".join(map(str, range(600_000)))}">x</a>'), ""),
    "200,000 changes of position": (lambda: html("<b>x</b>y" * 100_000), ""),
    "document that is a ZIP bomb": (lambda: whole(open_document("<a>" + " " * BOMB), "application/zip"), "no page"),
    "document with an entity bomb": (lambda: whole(open_document(LAUGHS), "application/octet-stream"), "no page"),
    "document of a million elements": (
        lambda: whole(open_document("<p>" + "<p/>" * 4_000_000), "application/zip"),
        "no page",
    ),
    "document nested deep": (lambda: whole(open_document("<p>" * 1_000_000), "application/zip"), "no page"),
    "document of an endless name": (
        lambda: whole(open_document(f"<{'a' * 19_000_000}/>"), "application/zip"),
        "no page",
    ),
    "document of an endless line": (lambda: whole(open_document(f"<p>{'茶' * 6_000_000}"), "application/zip"), ""),
    "PDF of base 85": (lambda: whole(base_85(), "application/pdf"), "no page"),
    "open comment": (lambda: html("<!--" + "-" * 4_000_000), ""),
    "open tag": (lambda: html("<a " * 1_000_000), ""),
    "half of a character": (lambda: html(b"<p>\xe4\xb8"), ""),
}
PLACES = {name: f"127.1.{rank // 250}.{rank % 250 + 1}" for rank, name in enumerate(SITES)}


def crawl(sites: dict[str, Site]) -> tuple[Web, Apart]:
    """Crawl from a page that links to all of them, and to a good page at the end."""
    links = "".join(f'<a href="http://{PLACES[name]}:PORT/">x</a>' for name in sites)
    web = Web({f"{PLACES[name]}/": site for name, site in sites.items()})
    web.sites["127.2.0.1/good"] = GOOD
    with socket.create_server(("0.0.0.0", 0)) as free:
        web.port = free.getsockname()[1]
    last = f'<a href="http://127.2.0.1:{web.port}/good">x</a>'
    web.sites["127.2.0.1/"] = html(links.replace("PORT", str(web.port)) + last)
    return web, crawl_apart(web, "127.2.0.1/", SECONDS)


@pytest.fixture(scope="module")
def crawled() -> tuple[Web, Apart]:
    return crawl({name: make() for name, (make, _) in SITES.items()})


@pytest.mark.parametrize("name", SITES)
def test_the_page_carries_its_reason(crawled: tuple[Web, Apart], name: str) -> None:
    web, apart = crawled
    status, reasons = apart.pages[web.url(f"{PLACES[name]}/")]
    expected = SITES[name][1]
    assert status == ("failed" if expected else "fetched"), reasons
    assert "".join(reasons).startswith(expected)


def test_the_crawl_goes_on_to_its_end(crawled: tuple[Web, Apart]) -> None:
    web, apart = crawled
    assert apart.pages[web.url("127.2.0.1/good")][0] == "fetched"
    assert len(apart.pages) == len(SITES) + 2


def test_memory_stays_where_ordinary_pages_leave_it(crawled: tuple[Web, Apart]) -> None:
    """Neither the crawler nor its reader ever needs 100 MB more than for as many ordinary pages."""
    ordinary = html("<p>" + "<p>An ordinary page, and <a href=#x>a link</a>. " * 1000)
    _, usual = crawl(dict.fromkeys(SITES, ordinary))
    _, apart = crawled
    assert apart.peaks[0] - usual.peaks[0] < MARGIN
    assert apart.peaks[1] - usual.peaks[1] < MARGIN
