"""A PDF file as HTML: its text, by the size of the letters, and its links. Only this file imports pypdf.

A PDF says where letters stand, how large they are and in which font; it has no headings. So text larger than most of
the file becomes a heading: the largest size h1, the next h2, the others h3. Lines of one size that follow each other
closely form a block; a line break between two Han characters is dropped. A link is a rectangle: the text inside is its
anchor.

pypdf is written in Python: a file made to break a reader can waste time and memory, which its limits and those of the
reading process bound, and nothing else. It takes about 30 ms a page. PDFium takes 3 ms, but it is C++ that browsers run
in a sandbox, which we do not have.
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
from ontology.messages import message

PDF_MARK = b"%PDF-"
PAGES = 50  # of a file that are read; chosen, not measured
TEXT = 200_000  # characters after which reading stops; chosen, not measured
LINKS = 500  # of a page; chosen, not measured
LIMITS: Mapping[str, Any] = {
    "zlib_maximum_output_length": 20_000_000,  # bytes of one decompressed stream; chosen, not measured
    # operations and operands of a page, which drawings have many of; chosen, not measured
    "stream_parsing_work_maximum_count": 100_000,
    "jbig2dec_binary": None,  # no program is started
}

_LARGER = 1.12  # times the usual size, from which text may be a heading; chosen, not measured
_HEADING = 200  # characters of a heading, at most; chosen, not measured
_GAP = 1.8  # distance of two lines of one block, at most, in heights of a line; chosen, not measured
_UNSPACED = "\u2e80"  # from this code point on, scripts have no blanks between words
_VARIANTS = re.compile("[\u2e80-\u2fdf\ufb00-\ufb06]+")  # radicals used as characters, and ligatures
_NO_TITLE = re.compile(r"untitled|无标题|microsoft \w+ - |.*\.(?:docx?|dvi|tex|indd|pptx?|qxd|pdf|wps|rtf)$", re.I)


class _Piece(NamedTuple):
    """Text in one font on one line. `size`: height of the letters in points; `x`, `y`: where it begins, in points."""

    text: str
    size: float
    bold: bool
    x: float
    y: float
    href: str = ""


@dataclass(slots=True)
class _Block:
    """Lines that belong together. `size`: of most letters of its first line, to half a point; `page`: number of the
    page.
    """

    size: float
    page: int
    pieces: list[_Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def pdf_as_html(body: bytes, url: str) -> str:
    """The file's title, text and links as HTML. Raises PageError if it cannot be read or has no text."""
    from pypdf import PdfReader, apply_configuration

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its messages about broken files are not for the terminal
    try:
        with apply_configuration(**LIMITS):
            reader = PdfReader(io.BytesIO(body))
            if reader.is_encrypted and not reader.decrypt(""):
                raise PageError(message("{url} is a PDF file that needs a password", url=url))
            blocks = list(_blocks(reader))
            title = str((reader.metadata and reader.metadata.title) or "").strip()
    except (PageError, MemoryError):
        raise
    except Exception as error:  # pypdf raises a dozen kinds, depending on what is broken
        raise PageError(f"{url} cannot be read as PDF: {type(error).__name__} {error}"[:300]) from error
    if not any(block.text.strip() for block in blocks):
        raise PageError(message("{url} is a PDF file without text that can be read (pictures of pages?)", url=url))
    html = "".join(_as_html(blocks, "" if _NO_TITLE.match(title) else title))
    # some fonts name half of a surrogate pair; such a character is replaced
    return html.encode("utf-8", "replace").decode()


def _blocks(reader: Any) -> Iterator[_Block]:
    """The blocks of the first pages; a page with more operations than the limit is left out."""
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
        # the vector that one letter's height is mapped to
        up = (tm[2] * cm[0] + tm[3] * cm[2], tm[2] * cm[1] + tm[3] * cm[3])
        x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        bold = "bold" in str((font or {}).get("/BaseFont", "")).lower()
        said = _VARIANTS.sub(lambda variant: normalize("NFKC", variant[0]), text)
        found.extend(_Piece(line, size * hypot(*up), bold, x, y) for line in said.splitlines(keepends=True))

    page.extract_text(visitor_text=take)
    return found


def _rectangles(page: Any) -> list[tuple[str, float, float, float, float]]:
    """Addresses that the page links to, each with left, bottom, right and top of its rectangle."""
    found = []
    for part in (page.annotations or ())[:LINKS]:
        note = part.get_object()
        if "/A" in note and "/URI" in note["/A"] and "/Rect" in note:
            x, y, to_x, to_y = map(float, note["/Rect"])
            found.append((str(note["/A"]["/URI"]), min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)))
    return found


def _with_links(pieces: list[_Piece], links: Sequence[tuple[str, float, float, float, float]]) -> list[_Piece]:
    """The pieces, with `href` set for those inside a link's rectangle; a link without text is put after its line."""
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
    last = 0.0  # y of the block's last line
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
    """The lines that have text or a link, without line feeds."""
    line: list[_Piece] = []
    for piece in pieces:
        if piece.text.strip() or piece.href or line:
            line.append(piece._replace(text=piece.text.rstrip("\r\n")))
        if piece.text.endswith("\n") and line:
            yield [part for part in line if part.text or part.href]
            line = []
    if line:
        yield line


def _size(line: Sequence[_Piece]) -> float:
    counted: Counter[float] = Counter()
    for piece in line:
        counted[round(2 * piece.size) / 2] += len(piece.text.strip())
    return max(counted, key=lambda size: (counted[size], size))


def _join(pieces: list[_Piece], line: list[_Piece]) -> None:
    """Append a line to a block, with a blank or without a hyphen at the seam as the script needs it."""
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
