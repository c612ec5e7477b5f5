"""A PDF file to HTML: its text by the size of the letters, and its links. Only this file imports pypdf.

A file says where letters stand, how large they are and in which font; it knows no headings. So letters larger than most
make one: the largest h1, the next h2, the others h3. Lines that follow each other closely in one size are a block;
between two Han characters a line break is none. A link is a rectangle: what is written in it is its anchor.

pypdf is plain Python: a file made to break its reader can waste time and memory, for which it has limits, and so has
the process that reads, and nothing else. It takes some 30 ms a page. PDFium takes 3, but in C++, which browsers lock in
a sandbox that we have not.
"""

import contextlib
import io
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import hypot
from typing import Any, NamedTuple
from unicodedata import normalize

from ontology.errors import PageError

PDF_MARK = b"%PDF-"
PAGES = 50  # of a file that are read,
TEXT = 200_000  # or characters
LINKS = 500  # of a page
LIMITS: Mapping[str, Any] = {
    "zlib_maximum_output_length": 20_000_000,  # bytes of one part of the file
    "stream_parsing_work_maximum_count": 100_000,  # operations and operands of a page: a drawing's
    "jbig2dec_binary": None,  # no program is started
}

_LARGER = 1.12  # times the size of most letters: a heading's
_HEADING = 200  # characters, at most
_GAP = 1.8  # heights of a line between two that belong together
_UNSPACED = "\u2e80"  # from here on words have no blanks between them
_VARIANTS = re.compile("[\u2e80-\u2fdf\ufb00-\ufb06]+")  # radicals that stand for characters, ligatures
_NO_TITLE = re.compile(r"untitled|无标题|microsoft \w+ - |.*\.(?:docx?|dvi|tex|indd|pptx?|qxd|pdf|wps|rtf)$", re.I)


class _Piece(NamedTuple):
    """Text in one font, on one line."""

    text: str
    size: float
    bold: bool
    x: float
    y: float
    href: str = ""


@dataclass(slots=True)
class _Block:
    """Lines that belong together. `size`: of most of its first line's letters, to half a point."""

    size: float
    page: int
    pieces: list[_Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def pdf_as_html(body: bytes, url: str) -> str:
    """The file's title, text and links as HTML. Raises PageError where it cannot be read, or holds no text."""
    from pypdf import PdfReader, apply_configuration

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it says of broken files is not for the terminal
    try:
        with apply_configuration(**LIMITS):
            reader = PdfReader(io.BytesIO(body))
            if reader.is_encrypted and not reader.decrypt(""):
                raise PageError(f"{url} is a PDF file that needs a password")
            blocks = list(_blocks(reader))
            title = str((reader.metadata and reader.metadata.title) or "").strip()
    except (PageError, MemoryError):
        raise
    except Exception as error:  # a dozen kinds, by what is broken
        raise PageError(f"{url} cannot be read as PDF: {type(error).__name__} {error}"[:300]) from error
    if not any(block.text.strip() for block in blocks):
        raise PageError(f"{url} is a PDF file without text that can be read (pictures of pages?)")
    html = "".join(_as_html(blocks, "" if _NO_TITLE.match(title) else title))
    return html.encode("utf-8", "replace").decode()  # half of a character, as some fonts name them, is none


def _blocks(reader: Any) -> Iterator[_Block]:
    """Those of the first pages; a page of more operations than is allowed is left out."""
    from pypdf.errors import LimitReachedError

    length = 0
    for number, page in enumerate(reader.pages):
        if number == PAGES or length >= TEXT:
            return
        with contextlib.suppress(LimitReachedError):
            for block in _blocks_of(_with_links(_pieces(page), _rectangles(page)), number):
                length += len(block.text)
                yield block


def _pieces(page: Any) -> list[_Piece]:
    """The page's text in the file's order; a piece that ends a line ends with a line feed."""
    found: list[_Piece] = []

    def take(text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:
        up = (tm[2] * cm[0] + tm[3] * cm[2], tm[2] * cm[1] + tm[3] * cm[3])  # what one letter's height becomes
        x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        bold = "bold" in str((font or {}).get("/BaseFont", "")).lower()
        said = _VARIANTS.sub(lambda variant: normalize("NFKC", variant[0]), text)
        found.extend(_Piece(line, size * hypot(*up), bold, x, y) for line in said.splitlines(keepends=True))

    page.extract_text(visitor_text=take)
    return found


def _rectangles(page: Any) -> list[tuple[str, float, float, float, float]]:
    """Addresses that the page links to, with left, bottom, right and top of where it does."""
    found = []
    for held in (page.annotations or ())[:LINKS]:
        note = held.get_object()
        if "/A" in note and "/URI" in note["/A"] and "/Rect" in note:
            x, y, to_x, to_y = map(float, note["/Rect"])
            found.append((str(note["/A"]["/URI"]), min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)))
    return found


def _with_links(pieces: list[_Piece], links: Sequence[tuple[str, float, float, float, float]]) -> list[_Piece]:
    """The pieces, those in a link's rectangle as its anchor; a link without any stands behind its line."""
    for address, left, bottom, right, top in links:
        lines = [i for i, p in enumerate(pieces) if bottom - 2 <= p.y <= top and p.text.strip()]
        inside = [i for i in lines if left - 2 <= pieces[i].x < right]
        for i in inside:
            pieces[i] = pieces[i]._replace(href=address)
        if not inside:
            where = lines[-1] + 1 if lines else len(pieces)
            pieces.insert(where, _Piece("", 0.0, False, 0.0, 0.0, address))
    return pieces


def _blocks_of(pieces: Iterable[_Piece], page: int) -> Iterator[_Block]:
    block: _Block | None = None
    last = 0.0  # where the block's last line stands
    for line in _lines(pieces):
        size, y = _size(line), next((piece.y for piece in line if piece.text.strip()), last)
        if block is None or size != block.size or not 0 <= last - y <= _GAP * max(size, 1.0):
            if block is not None:
                yield block
            block = _Block(size, page, line)
        else:
            _join(block.pieces, line)
        last = y
    if block is not None:
        yield block


def _lines(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """Lines that have text or a link, without the line feeds."""
    line: list[_Piece] = []
    for piece in pieces:
        if piece.text.strip() or piece.href or line:
            line.append(piece._replace(text=piece.text.rstrip("\r\n")))
        if piece.text.endswith("\n") and line:
            yield [held for held in line if held.text or held.href]
            line = []
    if line:
        yield line


def _size(line: Sequence[_Piece]) -> float:
    counted: Counter[float] = Counter()
    for piece in line:
        counted[round(2 * piece.size) / 2] += len(piece.text.strip())
    return max(counted, key=lambda size: (counted[size], size))


def _join(pieces: list[_Piece], line: list[_Piece]) -> None:
    """Add a line to those before, with what stands between words of theirs."""
    before, after = pieces[-1].text.rstrip(), line[0].text.lstrip()
    if before[-1:] == "-" and before[-2:-1].isalpha() and after[:1].islower():
        pieces[-1] = pieces[-1]._replace(text=before[:-1])
    elif not (before[-1:] >= _UNSPACED and after[:1] >= _UNSPACED):
        pieces[-1] = pieces[-1]._replace(text=before + " ")
    pieces.append(line[0]._replace(text=after))
    pieces.extend(line[1:])


def _as_html(blocks: Sequence[_Block], title: str) -> Iterator[str]:
    letters: Counter[float] = Counter()
    for block in blocks:
        letters[block.size] += len(block.text)
    usual = max(letters, key=lambda size: (letters[size], -size))
    large = {block.size for block in blocks if block.size > _LARGER * usual and len(block.text) <= _HEADING}
    tags = dict(zip(sorted(large, reverse=True), ("h1", "h2"), strict=False))
    first = [block for block in blocks if block.page == blocks[0].page and len(block.text) <= _HEADING]
    largest = max(first, key=lambda block: block.size, default=blocks[0])
    yield f"<title>{escape(title or largest.text[:_HEADING])}</title>"
    for block in blocks:
        tag = tags.get(block.size, "h3") if block.size in large and len(block.text) <= _HEADING else "p"
        yield f"<{tag}>{''.join(map(_marked, block.pieces))}</{tag}>\n"


def _marked(piece: _Piece) -> str:
    text = f"<b>{escape(piece.text)}</b>" if piece.bold else escape(piece.text)
    return f'<a href="{escape(piece.href)}">{text}</a>' if piece.href else text
