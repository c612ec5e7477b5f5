"""Reads an HTTP answer as browsers do, where libcurl finds it broken and refuses it. No I/O.

What is accepted here, and by RFC 9112 or libcurl is not:
- a status line with other case, blanks or version, without a code (200 is meant), behind up to four other bytes (as in
  Chromium); `ICY`; an answer that begins with markup, without any head (HTTP/0.9);
- a field name followed by blanks, lines without a colon, folded lines, NUL and CR within a line, bare LF;
- several values of Content-Length: with different ones the body ends with the connection, after as many bytes as one of
  them says. A value that does not begin with a number counts as none;
- several Location fields, of which the first counts;
- Transfer-Encoding that is listed twice, has parameters, or is unknown; gzip or deflate in it (they are handed on as
  Content-Encoding); `chunked` on a body that does not begin with the size of a chunk;
- blanks, zeros or `0x` before the size of a chunk, line ends missing or too many between chunks.

The head is handed on in the usual form. Sizes are bounded as in libcurl.
"""

import re
from collections.abc import Generator, Iterator, Sequence

from crawler.fetch.transfers import Broken, Taker
from semantic.reasons import because

MOST_HEAD = 300_000  # bytes of all heads of an answer, interim ones included; as libcurl (`lib/http.h`)
MOST_FIELDS = 5000  # the same
FIRST_LINE = 64  # bytes after which it must be clear whether this is HTTP; chosen, not measured
SHORT = 16  # bytes by which an answer without a head, and the size of the first chunk, are recognised
LONGEST_LINE = 16_384  # bytes of the line before a chunk; chosen, not measured
LENGTH_DIGITS = 19  # of a length; a 64-bit integer has no more
CHUNK_DIGITS = 15  # of a chunk's size, in hexadecimal; 64 bits signed

_STATUS = re.compile(rb"\s*.{0,4}?(?:http|icy)(?:/[\d.]*)?(?:\s+0*(\d{1,20}))?", re.IGNORECASE)
_MARKUP = re.compile(rb"\s*<(?:!doctype|!--|\?xml|html|head|rss|feed|urlset)", re.IGNORECASE)
_HEAD_END = re.compile(rb"\n\r{0,2}\n")
_SIZE = re.compile(rb"\s*(?:0x)?0*([0-9a-f]*)\s*(?:;|$)", re.IGNORECASE)
_SIZE_BEGINS = re.compile(rb"\s*(?:0x)?[0-9a-f]*\s*(?:;|\n|$)", re.IGNORECASE)  # the size of the first chunk
_NUMBER = re.compile(rb"[\s+\"]*0*(\d+)(?!\w)")

Field = tuple[bytes, bytes]
Steps = Generator[None, None, None]  # a part of reading, which stops where it needs more bytes


class LenientAnswer:
    """Passes an answer to `taker` while its bytes arrive, from the connection's first one on."""

    def __init__(self, taker: Taker) -> None:
        self._taker = taker
        self._buffer = bytearray()  # received, and not yet read
        self._has_ended = False
        self._steps = self._answer()

    def feed(self, data: bytes) -> bool:
        """Take some bytes; returns False if the rest is not wanted. Raises Broken, and whatever `taker` raises."""
        self._buffer += data
        return next(self._steps, self) is None

    def end(self) -> None:
        """Note that the connection has ended. Raises Broken if something is missing."""
        self._has_ended = True
        next(self._steps, None)

    def _answer(self) -> Steps:
        code, heads, fields = 0, 0, list[Field]()
        while code < 200:  # 1xx: interim answers
            head = yield from self._head(MOST_HEAD - heads)
            heads += len(head)
            code, fields = _read(head)
        codings = [_name(value) for value in _values(fields, b"transfer-encoding")]
        lengths = _lengths(fields)
        if not self._taker.begin(_usual(code, fields, codings, lengths)):
            return
        yield from self._chunks() if b"chunked" in codings else self._body(lengths)

    def _head(self, most: int) -> Generator[None, None, bytes]:
        """The next head, without the blank line that ends it; b"" if the answer begins with markup instead."""
        while len(self._buffer) < FIRST_LINE and b"\n" not in self._buffer.lstrip() and not self._has_ended:
            yield
        if _MARKUP.match(self._buffer):
            return b""
        if not _STATUS.match(self._buffer):
            raise Broken("protocol", because("no status line"))
        del self._buffer[: len(self._buffer) - len(self._buffer.lstrip())]
        searched = 0
        while (end := _HEAD_END.search(self._buffer, max(0, searched - 3), most)) is None:
            searched = len(self._buffer)
            if len(self._buffer) >= most:
                raise Broken("protocol", f"more than {MOST_HEAD:,} bytes before the body")
            if self._has_ended:
                raise Broken("protocol", "no end of the header fields")
            yield
        head = bytes(self._buffer[: end.end()])
        del self._buffer[: end.end()]
        return head

    def _body(self, lengths: Sequence[int]) -> Steps:
        """A body that is as long as is said, or ends with the connection (RFC 9112, 6.3)."""
        received = 0
        known = lengths[0] if len(lengths) == 1 else None
        while known is None or received < known:
            piece = self._next(None if known is None else known - received)
            received += len(piece)
            if piece and not self._taker.take(piece):
                return
            if self._has_ended and known is None:
                break
            if not self._buffer and received != known:
                yield from self._more()
        if lengths and received not in lengths:
            raise Broken("read", "the connection ended elsewhere than any Content-Length says")

    def _chunks(self) -> Steps:
        """RFC 9112, 7.1; ends with the chunk of size 0, trailers are not read."""
        while len(self._buffer) < SHORT and b"\n" not in self._buffer:
            yield from self._more()
        if not _SIZE_BEGINS.match(self._buffer[:SHORT]):
            yield from self._body(())
            return
        line = yield from self._line()
        while left := _size(line):
            while left:
                piece = self._next(left)
                left -= len(piece)
                if piece and not self._taker.take(piece):
                    return
                if left and not self._buffer:
                    yield from self._more()
            line = yield from self._line()

    def _line(self) -> Generator[None, None, bytes]:
        """The next line that is not empty, without its end."""
        while True:
            end = self._buffer.find(b"\n", 0, LONGEST_LINE)
            if end < 0:
                if len(self._buffer) >= LONGEST_LINE:
                    raise Broken("protocol", "no line with the size of a chunk")
                if self._has_ended and self._buffer.strip() == b"0":
                    return b"0"
                yield from self._more()
                continue
            line = bytes(self._buffer[: end + 1])
            del self._buffer[: end + 1]
            if line.strip():
                return line

    def _next(self, most: int | None) -> bytes:
        """The bytes at hand, at most so many."""
        piece = bytes(self._buffer[:most])
        del self._buffer[:most]
        return piece

    def _more(self) -> Steps:
        if self._has_ended:
            raise Broken("read", "the connection ended before the body")
        yield


def _read(head: bytes) -> tuple[int, list[Field]]:
    """Status code and fields of a head; b"": a page without one."""
    if not head:
        return 200, [(b"Content-Type", b"text/html")]
    status = _STATUS.match(head)
    code = int((status and status[1]) or 200)
    if not 100 <= code <= 999:
        raise Broken("protocol", "no status code")
    lines: list[bytes] = []
    for line in head.replace(b"\0", b"").replace(b"\r", b" ").split(b"\n")[1:]:
        if line.startswith((b" ", b"\t")) and lines:
            lines[-1] += line
        else:
            lines.append(line)
    pairs = (line.partition(b":") for line in lines)
    if len(lines) > MOST_FIELDS:
        raise Broken("protocol", f"more than {MOST_FIELDS:,} header fields")
    return code, [(name.strip(), value.strip()) for name, colon, value in pairs if colon and name.strip()]


def _values(fields: list[Field], wanted: bytes) -> Iterator[bytes]:
    """The values that all fields of a name list."""
    return (part for name, value in fields if name.lower() == wanted for part in value.split(b","))


def _name(value: bytes) -> bytes:
    """The name of a coding, without parameters and quotation marks."""
    return value.partition(b";")[0].strip(b" \t\"'").lower()


def _lengths(fields: list[Field]) -> list[int]:
    """The different values of Content-Length."""
    found = filter(None, map(_NUMBER.match, _values(fields, b"content-length")))
    digits = {number[1] for number in found}
    if any(len(number) > LENGTH_DIGITS for number in digits):
        raise Broken("protocol", f"Content-Length of more than {LENGTH_DIGITS} digits")
    return sorted(map(int, digits))


def _size(line: bytes) -> int:
    """The size of a chunk."""
    found = _SIZE.match(line)
    if found is None or len(found[1]) > CHUNK_DIGITS:
        raise Broken("protocol", "no size of a chunk")
    return int(found[1] or b"0", 16)


def _usual(code: int, fields: list[Field], codings: list[bytes], lengths: list[int]) -> list[bytes]:
    """The lines of the head as libcurl would give them."""
    lines = [b"HTTP/1.1 %d\r\n" % code]
    names = set[bytes]()
    for name, value in fields:
        key = name.lower()
        if key != b"content-length" and not (key == b"location" and key in names):
            lines.append(b"%s: %s\r\n" % (name, value))
        names.add(key)
    if len(lengths) == 1:
        lines.append(b"Content-Length: %d\r\n" % lengths[0])
    packed = [coding for coding in codings if coding.removeprefix(b"x-") in (b"gzip", b"deflate")]
    return lines + [b"Content-Encoding: %s\r\n" % coding for coding in packed]
