"""A page's text in pieces, by which the crawl tells what a page says itself from what its site repeats.

A piece is a sentence, a short block, a part of the title, or the text of a link. It is one unsigned 64-bit number, the
same in every process. From the highest bit on:

    24 bits  its form: a hash of it without figures, so `1,234 visitors` and `1,235 visitors` have one form
    12 bits  a hash of all of it
    10 bits  its length in bytes of UTF-8, at most 1023
    17 bits  what it says without the numbers of its page's address: a hash; 0 if that is nothing
     1 bit   whether it is a link's text

Short pieces often repeat the address of their page. Its path or name is left out of all hashes where it is quoted
(`/old/x.html does not exist`, `nothing found for old x`) and enough else is left: a name alone may be all that a page
says, below a photograph. The numbers of the address and those next to them, with the names of months and days beside
them, are left out of the last hash only: `Events, May 2024` at `/events/2024/05/`, `next: June`. Times of day, ids
(`a81f03c9`) and small fractions (`made in 0.0213 seconds`) are left out of all.
"""

import re
from array import array
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote
from zlib import crc32

from semantic.compiled import loops
from semantic.page import PARAGRAPH, Page, Position, Span
from semantic.urls import words_of

# pieces of a page that are kept, first those outside of links with the smallest hashes; chosen, not measured
MOST = 128
SHORT = 160  # bytes of a piece that may repeat its address; chosen, not measured
LEFT = 10  # bytes that must be left of a piece that quotes the address; chosen, not measured
QUOTED = 4  # bytes at least of a quoted name; chosen, not measured
FORM, TEXT = 40, 18  # bits to shift a piece by for its form, and for form, hash and length
_LONGEST_DATE = 24  # bytes of a piece that is a date in words, such as `Wednesday, September`
_MOST_NUMBERS, _LONGEST_NUMBER = 32, 17  # numbers of an address, and digits of one that may be repeated; chosen
_ANCHOR = Position.ANCHOR
_TITLE_PARTS = re.compile(r"\s+[-–—|·•«»:]+\s+|\s*[|｜»«_]\s*")
_SENTENCES = re.compile(f"{PARAGRAPH}|(?<=[。！？])|(?<=[.!?])(?= )")
_FIGURE = re.compile(rb"[0-9]")
_NUMBERS = re.compile("[0-9]+")
_TOKENS = re.compile(
    rb"(?P<id>(?<![0-9A-Za-z\x80-\xff])(?:(?=[a-f]*[0-9])[0-9a-f]{8,}|[0-9]{1,2}(?::[0-9]{2}){1,2}|0\.[0-9]{3,})"
    rb"(?![0-9A-Za-z\x80-\xff]))|(?P<number>[0-9]+)|(?P<word>[A-Za-z\x80-\xff]+)|(?P<other>[^0-9A-Za-z\x80-\xff])"
)
_LETTER = re.compile(rb"[A-Za-z\xc3-\xdf\xe0\xe1\xe4-\xee\xf0-\xff]|\xe3(?!\x80)")
_DATES = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "
    "januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi "
    "vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "lunes martes miércoles jueves viernes sábado domingo "
    "年 月 日 号 號 第 周 週 一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月 "
    + " ".join(week + day for week in ("星期", "周", "礼拜", "週", "禮拜") for day in "一二三四五六日天")
)
_DATE_HASHES = frozenset(crc32(word.encode()) for word in _DATES.split())
_DATE_TABLE = array("I", sorted(_DATE_HASHES)).tobytes()

Repeated = tuple[tuple[bytes, ...], tuple[int, ...]]  # the forms in which an address may be quoted, and its numbers


def pieces_of(page: Page) -> bytes:
    """The distinct pieces of a page, ascending, as `read_pieces` reads them."""
    text, title = page.text.lower(), page.title.lower()
    if len(text) != len(page.text):  # İ: the offsets would not fit
        text, title = page.text, page.title
    start = len(title) if text.startswith(title) else 0
    parts = PARAGRAPH.join(_TITLE_PARTS.split(title))
    forms, numbers = _repeatable(page.url)
    quoted = tuple([form.encode("utf-8", "surrogatepass") for form in forms if form in text or form in title])
    found = pieces(parts, text, start, page.spans, (quoted, numbers))
    if len(found) <= 8 * MOST:
        return found
    kept = sorted(sorted(read_pieces(found), key=is_link)[:MOST])
    return array("Q", kept).tobytes()


def read_pieces(written: bytes) -> list[int]:
    """The numbers that `pieces_of` wrote."""
    return array("Q", written).tolist()


def size_of(piece: int) -> int:
    """The length of a piece in bytes."""
    return piece >> 18 & 0x3FF


def is_link(piece: int) -> int:
    """1 for the text of a link, 0 for another."""
    return piece & 1


def unnumbered(piece: int) -> int:
    """A hash of what a piece says without the numbers of its page's address; 0 if that is nothing."""
    return piece >> 1 & 0x1FFFF


@lru_cache(maxsize=16)
def _repeatable(url: str) -> tuple[list[str], tuple[int, ...]]:
    """The forms in which a page may quote its own address, the longest first; the numbers in it, and those next to
    them.
    """
    address = url.lower()
    path = address.partition("://")[2].partition("/")[2].rstrip("/")
    if not path:
        return [], ()
    path = unquote(path) if "%" in path else path
    bare, _, query = path.partition("?")
    name, value = bare.rpartition("/")[2], query.rpartition("=")[2]
    words = [" ".join(words_of(f"http://h/{part}").lower().split()) for part in (name, value) if part]
    forms = {address, path, bare, name, name.partition(".")[0], value, *words}
    kept = [form for form in forms if len(form.encode("utf-8", "surrogatepass")) >= QUOTED]
    numbers = [int(number) for number in _NUMBERS.findall(path) if len(number) <= _LONGEST_NUMBER][:_MOST_NUMBERS]
    near = {max(0, number + step) for number in numbers for step in (-1, 0, 1)}
    return sorted(kept, key=lambda form: (-len(form), form)), tuple(sorted(near))


def pieces_in_python(title: str, text: str, start: int, spans: tuple[Span, ...], repeated: Repeated) -> bytes:
    """The pieces of a title and of the text from `start` on, ascending, each once."""
    found = {_number(piece, repeated) for piece in _SENTENCES.split(title)}
    for part, link in _parts(text, start, spans):
        cut = part.split(PARAGRAPH) if link else _SENTENCES.split(part)
        found |= {_number(piece, repeated) | link for piece in cut if piece.strip(" ")}
    found.discard(0)
    return array("Q", sorted(found)).tobytes()


def pieces_compiled(title: str, text: str, start: int, spans: tuple[Span, ...], repeated: Repeated) -> bytes:
    """The same in C."""
    found: bytes = loops.text_pieces(title, text, start, spans, _ANCHOR, *repeated, _DATE_TABLE, LEFT)
    return found


pieces = pieces_compiled if loops else pieces_in_python


def _parts(text: str, start: int, spans: tuple[Span, ...]) -> Iterator[tuple[str, int]]:
    """The parts of a text outside (0) and inside (1) of links."""
    last = min(start, len(text))
    for begin, end, position in spans:
        if position is _ANCHOR and last <= begin <= end:
            yield text[last:begin], 0
            yield text[begin:end], 1
            last = end
    yield text[last:], 0


def _number(piece: str, repeated: Repeated) -> int:
    """The number of a piece; 0 for nothing."""
    said = piece.encode("utf-8", "surrogatepass").strip(b" ")
    quoted, near = repeated
    if quoted and len(said) < SHORT + 2 * max(map(len, quoted)):
        left = said
        for form in quoted:
            left = left.replace(form, b"")
        left = left.strip(b" ") if left != said else said
        said = left if len(left) >= LEFT and _LETTER.search(left) else said
    return _joined(said, near) if said else 0


def _joined(said: bytes, near: tuple[int, ...]) -> int:
    if len(said) > (SHORT if _FIGURE.search(said) else _LONGEST_DATE):
        whole = crc32(said)
        return _packed(whole, whole, len(said), whole >> 12 & 0x1FFFF or 1)
    form = whole = with_dates = undated = 0
    has_letters = is_repeating = has_number = False
    for token in _TOKENS.finditer(said):
        kind, word = token.lastgroup, token[0]
        if kind == "id":
            continue
        whole = crc32(word, whole)
        if kind != "number":
            form = crc32(word, form)
        if kind == "number" and len(word) <= _LONGEST_NUMBER and int(word) in near:
            is_repeating = True
        elif kind == "number":
            with_dates, undated = crc32(word, with_dates), crc32(word, undated)
            has_number = has_number or len(word) > 2
        elif kind == "word":
            with_dates = crc32(word, with_dates)
            if crc32(word) not in _DATE_HASHES:
                undated = crc32(word, undated)
                has_letters = has_letters or _LETTER.search(word) is not None
    left = (undated if is_repeating else with_dates) & 0x1FFFF or 1
    return _packed(form if has_letters else whole, whole, len(said), left if has_letters or has_number else 0)


def _packed(form: int, whole: int, size: int, said: int) -> int:
    return (((form >> 8) << 12 | whole & 0xFFF) << 10 | min(size, 0x3FF)) << 18 | said << 1
