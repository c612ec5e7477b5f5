"""Answers made to blow up a crawler, each from a site of its own to one real crawl.

The crawl goes on to its end, memory stays where ordinary pages leave it, and each page carries its reason.
"""

import asyncio
import gzip
import socket
import struct
import zlib
from collections.abc import Iterator

import brotli
import pytest
from hostile_web import GOOD, Apart, Site, Web, crawl_apart, html

from benchmarks.pdf_files import line, pdf

pytestmark = pytest.mark.slow

SECONDS = 6.0  # for a whole answer
MARGIN = 100  # MB of memory above that of ordinary pages
BOMB = 300_000_000  # bytes that a bomb opens to
LARGEST = 5_000_000  # bytes of a body, decompressed
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def deflated(size: int, bits: int) -> bytes:
    """So many zeros, packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, bits)
    zeros = bytes(1_000_000)
    return b"".join(packer.compress(zeros) for _ in range(size // 1_000_000)) + packer.flush()


def brotli_bomb(size: int) -> bytes:
    packer = brotli.Compressor(quality=5)
    zeros = bytes(1_000_000)
    return b"".join(packer.process(zeros) for _ in range(size // 1_000_000)) + packer.finish()


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


def broken_off(sent: bytes) -> Site:
    """Sends some, then resets the connection."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        await asyncio.sleep(0.1)
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return send


def closed(sent: bytes) -> Site:
    """Sends some, then ends the connection."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()

    return send


GZIP_BOMB = deflated(BOMB, 31)
EMPTY_BLOCKS = b"\x00\x00\x00\xff\xff" * 4000  # stored blocks of no bytes: endless, and decode to nothing
LINKS = "".join(f'<a href="#{n}">x' for n in range(250_000))
XML = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<urlset>"
ENTITIES = (
    b"<!DOCTYPE rss [<!ENTITY a0 'aaaaaaaaaa'>%s]><rss version='2.0'>"
    b"<channel><item><link>/</link><title>&a9;</title></item></channel></rss>"
    % (b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10)))
)
BASE_85 = pdf("z" * 12_000_000 + "~>", packed=True).replace(b"/FlateDecode", b"[/FlateDecode/ASCII85Decode]")
SITES: dict[str, tuple[Site, str]] = {  # what is sent, and what the page's reason begins with ('': it is read)
    "gzip bomb": (packed(GZIP_BOMB, "gzip"), "too-large"),
    "deflate bomb": (packed(deflated(BOMB, 15), "deflate"), "too-large"),
    "raw deflate bomb": (packed(deflated(BOMB, -15), "deflate"), "too-large"),
    "brotli bomb": (packed(brotli_bomb(BOMB), "br"), "too-large"),
    "zstd bomb": (packed(zstd_bomb(BOMB), "zstd"), "encoding: content-encoding zstd"),
    "gzip in gzip": (packed(gzip.compress(GZIP_BOMB), "gzip, gzip"), "encoding: content-encoding gzip, gzip"),
    "gzip in gzip, told twice": (packed(gzip.compress(GZIP_BOMB), "gzip", "gzip"), "encoding"),
    "brotli in gzip": (packed(gzip.compress(brotli_bomb(BOMB)), "br, gzip"), "encoding"),
    "gzip that is none": (packed(b"plain", "gzip"), "encoding"),
    "gzip cut short": (packed(gzip.compress(b"<p>whole")[:-9], "gzip"), ""),
    "endless": (endless(HEAD + b"\r\n", b"x" * 60_000), "too-large"),
    "endless chunks": (endless(CHUNKED, b"ea60\r\n" + b"x" * 60_000 + b"\r\n"), "too-large"),
    "endless empty blocks": (endless(HEAD + b"Content-Encoding: deflate\r\n\r\n", EMPTY_BLOCKS), "too-large"),
    "a byte a moment": (endless(HEAD + b"\r\n", b"x", 0.2), "timeout"),
    "a byte of a header a moment": (endless(HEAD + b"X: ", b"x", 0.2), "timeout"),
    "length too large": (closed(HEAD + b"Content-Length: 1000\r\n\r\nshort"), "read"),
    "length of an exabyte": (closed(HEAD + b"Content-Length: 1000000000000000000\r\n\r\nshort"), "read"),
    "length of many digits": (closed(HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nshort"), "protocol"),
    "length below nothing": (closed(HEAD + b"Content-Length: -1\r\n\r\nshort"), "protocol"),
    "two lengths": (closed(HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nshort"), "protocol"),
    "length too small": (HEAD + b"Content-Length: 5\r\n\r\n<p>ok" + HEAD + b"Content-Length: 4\r\n\r\nEVIL", ""),
    "chunk of no size": (closed(CHUNKED + b"zz\r\nx"), "protocol"),
    "chunk of a huge size": (closed(CHUNKED + b"f" * 30 + b"\r\nx"), "protocol"),
    "chunk that is cut": (closed(CHUNKED + b"10\r\nshort"), "read"),
    "chunk without its end": (closed(CHUNKED + b"5\r\nshortXX5\r\n"), "protocol"),
    "endless chunk extension": (endless(CHUNKED + b"5;", b"x" * 60_000), "timeout"),
    "endless trailers": (endless(CHUNKED + b"5\r\nshort\r\n0\r\n", b"X: y\r\n" * 10_000), "protocol"),
    "header of 1 MB": (closed(HEAD + b"X: " + b"x" * 1_000_000 + b"\r\n\r\n"), "protocol"),
    "headers of 1 MB": (closed(HEAD + b"X: yyyyyy\r\n" * 100_000 + b"\r\n"), "protocol"),
    "endless header": (endless(HEAD + b"X: ", b"x" * 60_000), "protocol"),
    "endless status": (endless(b"HTTP/1.1 200 ", b"x" * 60_000), "protocol"),
    "endless promises": (endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), "protocol"),
    "reset in the head": (broken_off(HEAD), "read"),
    "reset in the body": (broken_off(HEAD + b"Content-Length: 1000\r\n\r\n<p>half"), "read"),
    "reset in a body without length": (broken_off(HEAD + b"\r\n<p>half"), "read"),
    "reset in a chunk": (broken_off(CHUNKED + b"100\r\n<p>half"), "read"),
    "nothing": (closed(b""), "read"),
    "100,000 nested tags": (html("<div>" * 100_000 + "deep"), ""),
    "a million nested tags": (html("<b>" * 1_000_000 + "deep"), ""),
    "unclosed formatting": (html("".join(f"<b id={n}>" for n in range(3000)) + "<p>x" * 30_000), ""),
    "100,000 attributes": (html("<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x"), ""),
    "an attribute of 4 MB": (html(f'<p class="{"x" * 4_000_000}">x'), ""),
    "250,000 links": (html(LINKS), ""),
    "a text of 20 MB": (html(b"x" * 20_000_000), "too-large"),
    "a text as large as may be": (html(b"x" * LARGEST), ""),
    "words as many as may be": (html(b"a b " * (LARGEST // 4)), ""),
    "wide text as large as may be": (html("😀中" * (LARGEST // 7)), ""),
    "references only": (html("&#x1F600;" * (LARGEST // 9)), ""),
    "NULs": (html(bytes(1_000_000)), "no page"),
    "NULs in text": (html(b"<p>a\0b\0c"), ""),
    "lone surrogates": (html(b"<title>\xed\xa0\x80&#xD800;</title><p>\xed\xbf\xbf&#xDFFF;"), ""),
    "a PDF file": (whole(pdf(line("tea", 12, 700)), "application/pdf"), ""),
    "PDF bomb": (whole(pdf("\0" * 70_000_000, packed=True), "application/pdf"), "no page"),
    "a PDF page of a million words": (whole(pdf("(a) Tj " * 1_000_000, packed=True), "application/pdf"), "no page"),
    "nested PDF": (whole(pdf("[" * 100_000, packed=True), "application/pdf"), "no page"),
    "PDF that is none": (whole(b"%PDF-" + b"\0" * 1_000_000, "application/pdf"), "no page"),
    "a picture": (whole(bytes(1000), "image/png"), "not HTML: image/png"),
    "sitemap in a gzip bomb": (whole(gzip.compress(b"<urlset>" + b" " * BOMB), "application/gzip"), ""),
    "endless sitemap": (endless(XML, b"<url><loc>/</loc></url>" * 3000), ""),
    "feed with an entity bomb": (whole(ENTITIES, "application/rss+xml"), ""),
    "a tag's name of 200 KB around 3,000 links": (html(f"<{'t' * 200_000}>" + "<a href=/>x</a>" * 3000), ""),
    "a million words of rel": (html(f'<a href=/ rel="{" ".join(map(str, range(600_000)))}">x</a>'), ""),
    "200,000 changes of position": (html("<b>x</b>y" * 100_000), ""),
    "PDF of base 85": (whole(BASE_85, "application/pdf"), "no page"),
    "open comment": (html("<!--" + "-" * 4_000_000), ""),
    "open tag": (html("<a " * 1_000_000), ""),
    "half of a character": (html(b"<p>\xe4\xb8"), ""),
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
def crawled() -> Iterator[tuple[Web, Apart]]:
    yield crawl({name: site for name, (site, _) in SITES.items()})


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
