"""Answers that break HTTP, and that browsers read: pages and robots.txt, from a server that sends just these bytes."""

import asyncio
import gzip
import re
import zlib
from collections.abc import Callable
from random import Random

import brotli
import pytest
from raw_servers import Taken, answered, served

from crawler.fetch.client import HttpSource
from crawler.fetch.lenient_answers import LenientAnswer
from crawler.fetch.transfers import Broken
from crawler.ports import Failed, Fetched, Outcome
from semantic.parsing.page_reader import read_page

PAGE = b"<!DOCTYPE html><html><head><title>t</title></head><body><p>green tea</p></body></html>\n"
RULES = b"User-agent: *\nDisallow: /private/\n"
Answer = Callable[[bytes], bytes]


def head(*lines: str, first: str = "HTTP/1.1 200 OK", length: str | None = None, end: str = "\r\n") -> Answer:
    """An answer with these lines and the type of a page. `length`: instead of the right one; '': none."""

    def answer(body: bytes) -> bytes:
        told = str(len(body)) if length is None else length.format(n=len(body), more=len(body) + 9)
        sized = [f"Content-Length: {told}"] if told else []
        return end.join([first, "Content-Type: text/html", *lines, *sized, end]).encode("latin-1") + body

    return answer


def coded(field: str, pack: Callable[[bytes], bytes] = bytes, *more: str, length: str | None = None) -> Answer:
    """An answer that names these codings, its body packed so."""
    lines = [f"Content-Encoding: {line}" for line in field.split("|")]
    return lambda body: head(*lines, *more, length=length)(pack(body))


def chunked(
    pack: Callable[[bytes], bytes] | None = None, *, field: str = "chunked", last: bytes = b"0\r\n\r\n"
) -> Answer:
    """An answer in chunks of ten bytes, as `pack` has left them."""

    def chunks(body: bytes) -> bytes:
        parts = (body[at : at + 10] for at in range(0, len(body), 10))
        whole = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + last
        return pack(whole) if pack else whole

    lines = [f"Transfer-Encoding: {line}" for line in field.split("|")]
    return lambda body: head(*lines, length="")(chunks(body))


def sized(size: bytes) -> Callable[[bytes], bytes]:
    """Writes the size of ten bytes so."""
    return lambda body: re.sub(rb"(?m)^a\r$", size + b"\r", body)


def twice(body: bytes) -> bytes:
    return gzip.compress(gzip.compress(body))


def wrong_sum(body: bytes) -> bytes:
    return gzip.compress(body)[:-8] + bytes(8)


READ: dict[str, Answer] = {  # read at once, a page as well as a robots.txt
    **{
        f"coding {name}": coded(name)
        for name in ("UTF-8", "none", "binary", "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "identity", "*")
    },
    **{
        f"gzip as {name}": coded(name, gzip.compress)
        for name in ("GZIP", "gzip;q=1", '"gzip"', "gzip,", "identity, gzip", "gzip, utf-8", "utf-8", "br", "deflate")
    },
    "coding of two that are none": coded("gzip, gzip"),
    "gzip named twice": coded("gzip, gzip", gzip.compress),
    "gzip twice": coded("gzip, gzip", twice),
    "gzip twice, on two lines": coded("gzip|gzip", twice),
    "brotli in gzip": coded("br, gzip", lambda body: gzip.compress(brotli.compress(body))),
    "zlib as gzip": coded("gzip", zlib.compress),
    "raw deflate": coded("deflate", lambda body: zlib.compress(body)[2:-4]),
    "brotli as gzip": coded("gzip", brotli.compress),
    "bytes behind gzip": coded("gzip", lambda body: gzip.compress(body) + b"<!-- -->"),
    "bytes behind brotli": coded("br", lambda body: brotli.compress(body) + b"more"),
    "bytes before gzip": coded("gzip", lambda body: b"\r\n" + gzip.compress(body)),
    "gzip with a wrong checksum": coded("gzip", wrong_sum),
    "deflate with a wrong checksum": coded("deflate", lambda body: zlib.compress(body)[:-4] + b"abcd"),
    "gzip without its last bytes": coded("gzip", lambda body: gzip.compress(body)[:-3]),
    "gzip with the length of a longer body": coded("gzip", gzip.compress, length="{more}"),
    **{
        f"length '{length}'": head(length=length)
        for length in (
            *("", " ", "-1", "abc", "{n} bytes", "+{n}", '"{n}"', "0x10", "0" * 30 + "{n}", "{n}, {n}", "{n}, {more}"),
        )
    },
    "two lengths": lambda body: head(f"Content-Length: {len(body)}")(body),
    "two lengths, one too small": head("Content-Length: 5"),
    "chunks twice": chunked(field="chunked|chunked"),
    "chunks with a parameter": chunked(field="chunked;q=1"),
    "chunks and identity": chunked(field="chunked, identity"),
    "chunks with blanks before": chunked(sized(b"  a ")),
    "chunks in hexadecimal": chunked(sized(b"0x00000000000000000000000A")),
    "chunks with bare line feeds": chunked(lambda body: body.replace(b"\r\n", b"\n")),
    "chunks after a blank line": chunked(lambda body: b"\r\n" + body),
    "chunks without line ends between": chunked(lambda body: body.replace(b"\r\na\r\n", b"a\r\n")),
    "chunks with extensions": chunked(sized(b'a;b="c"')),
    "chunks of HTTP/1.0": lambda body: chunked()(body).replace(b"HTTP/1.1", b"HTTP/1.0"),
    "chunks named with a blank": lambda body: chunked()(body).replace(b"ng:", b"ng :"),
    "chunked without chunks": head("Transfer-Encoding: chunked", length=""),
    "a coding of the transfer": lambda body: head("Transfer-Encoding: gzip", length="")(gzip.compress(body)),
    "an unknown coding of the transfer": head("Transfer-Encoding: utf-8"),
    "a line without a colon": head("<!-- made by hand -->"),
    "a name with a blank": head("Content-Encoding : none"),
    "a folded line": head("X: a\r\n  b"),
    "a NUL": head("X: a\0b"),
    "a carriage return": head("X: a\rb"),
    "bare line feeds": head(end="\n"),
    "HTTP/1.0 without a length": head(first="HTTP/1.0 200 OK", length=""),
    "interim answers": lambda body: b"HTTP/1.1 101 Why\r\n\r\nHTTP/1.1 100 Go on\r\n\r\n" + head()(body),
    **{
        f"first line {first}": head(first=first)
        for first in (
            *("http/1.1 200 OK", "HTTP/1.1 200", "HTTP 200 OK", "HTTP/1.2 200 OK", "HTTP/2 200", "ICY 200 OK"),
            *(" HTTP/1.1 200 OK", "\r\nHTTP/1.1 200 OK", "HTTP/1.1  200  OK", "HTTP/1.1 OK", "HTTP/1.1 200OK"),
        )
    },
    **{f"status {code}": head(first=f"HTTP/1.1 {code} Odd") for code in (201, 202, 203, 206, 218, 226, 299)},
}
BROKEN_OFF: dict[str, Answer] = {  # read where the body has its own end
    "a length that is too large": head(length="4000"),
    "a length larger than a page may be": head(length="6000000"),
    "chunks without the last": chunked(last=b""),
    "a last chunk without its line end": chunked(last=b"0"),
    "chunks cut in the last": chunked(lambda body: body[:-7]),
}


@pytest.mark.parametrize("name", READ)
def test_what_a_browser_reads_is_read(name: str) -> None:
    page, rules = answered(READ[name](PAGE)), answered(READ[name](RULES), "/robots.txt", robots=True)
    assert (page.body, page.headers["content-type"]) == (PAGE, "text/html")
    assert (type(rules), rules.body) == (Fetched, RULES)


@pytest.mark.parametrize("name", BROKEN_OFF)
def test_a_body_with_an_end_of_its_own_is_complete(name: str) -> None:
    """A robots.txt has none: what came of it is handed on."""
    page = answered(BROKEN_OFF[name](PAGE))
    assert (page.body.rstrip(), bool(page.remark)) == (PAGE.rstrip(), True)
    half = answered(BROKEN_OFF[name](PAGE[:60]))
    assert (half.kind, half.body) == ("read", b"")
    rules = answered(BROKEN_OFF[name](RULES), "/robots.txt", robots=True)
    assert (type(rules), rules.body.rstrip()) == (Failed, RULES.rstrip())


LATE = f"</html>{'<!---->' * 250}x"


@pytest.mark.parametrize(
    ("end", "is_read"),
    [
        *((end, True) for end in ("</HTML >", "</body>\n", "</html><!-- .2 s -->", "</rss>", "</x:urlset>", "%%EOF\n")),
        *((end, False) for end in ("</div>", "</html>more", "</html", "<!-- </html> -->", "", LATE)),
    ],
)
def test_what_ends_a_body(end: str, is_read: bool) -> None:
    answer = head(length="{more}")(b"<p>green tea" + end.encode())
    assert isinstance(answered(answer), Fetched) == is_read


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (("Content-Type: text/html; charset=gbk", "Content-Type: text/html"), "text/html; charset=gbk"),
        (("Content-Type: text/plain", "Content-Type: text/html"), "text/html"),
        (("Content-Type: text/html, text/html; charset=gbk",), "text/html; charset=gbk"),
        (("Content-Type: text/html, charset=gbk",), "text/html; charset=gbk"),
        (("Content-Type: text/html charset=gbk",), "text/html charset=gbk"),
        (("Content-Type : text/html",), "text/html"),
        (("Content-Type: html",), "html"),
        (("Content-Type: */*",), "*/*"),
        (("Content-Type: charset=gbk",), "charset=gbk"),
        (("Content-Type: text/html;\r\n charset=gbk",), "text/html; charset=gbk"),
    ],
)
def test_a_page_of_an_odd_type_is_a_page(lines: tuple[str, ...], kind: str) -> None:
    answer = "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode() + PAGE
    page = answered(answer)
    assert page.headers["content-type"].replace("; ", ";").replace(";", "; ") == kind
    assert read_page(page.body, page.url, page.headers).title == "t"


def test_the_rest_of_a_packed_page_is_not_waited_for() -> None:
    """Its length is told wrongly, and the server keeps the connection. Only what follows at once may be more of it."""
    answer = coded("gzip", gzip.compress, length="9000")(PAGE)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await reader.read()  # until the client ends it
        writer.close()

    async def ask(source: HttpSource, url: str) -> Outcome:
        return await source.fetch(url)

    page = served(serve, ask, seconds=3600)
    assert isinstance(page, Fetched)
    assert (page.body, bool(page.remark)) == (PAGE, True)


@pytest.mark.parametrize("more", ["/x", "/y"])
def test_of_two_redirects_the_first_counts(more: str) -> None:
    lines = f"HTTP/1.1 302 Found\r\nLocation: /x\r\nLocation: {more}\r\nContent-Length: 5\r\n\r\nhalf"
    moved = answered(lines.encode())
    assert (moved.status, moved.headers["location"]) == (302, "/x")


def leniently(answer: bytes, step: int) -> tuple[list[bytes], bytes, str]:
    """What is read of an answer that comes in pieces of this size: head, body, and how it ends."""
    taken, ended = Taken(), ""
    reading = LenientAnswer(taken)
    try:
        if all(reading.feed(answer[at : at + step]) for at in range(0, len(answer), step)):
            reading.end()
    except Broken as error:
        ended = error.kind
    return taken.head, taken.body, ended


def test_the_pieces_of_a_broken_answer_make_no_difference() -> None:
    """Of answers with random faults; nothing but `Broken` is ever raised."""
    random = Random(7)
    answers = [READ[name](PAGE) for name in ("chunks with extensions", "two lengths", "a folded line")]
    ends = set()
    for _ in range(3000):
        answer = bytearray(random.choice(answers))
        for _ in range(random.randrange(4)):
            at = random.randrange(len(answer))
            answer[at : at + random.randrange(3)] = bytes(random.choices(b"\r\n 0:;,\0x<9F", k=random.randrange(3)))
        whole = leniently(bytes(answer), len(answer))
        assert whole == leniently(bytes(answer), 1), answer
        ends.add(whole[2])
    assert ends == {"", "read", "protocol"}


def test_a_body_without_a_head_is_a_page() -> None:
    page = answered(PAGE)
    assert (page.status, page.body) == (200, PAGE)
