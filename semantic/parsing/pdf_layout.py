"""Pieces of a PDF file's text, by their places and sizes, as blocks, and blocks as HTML.

A PDF says where letters stand, how large they are and in which font; it has no headings. So text larger than most of
the file becomes a heading: the largest size h1, the next h2, the others h3. Lines of one size that follow each other
closely form a block; a line break inside a word is dropped (`semantic.parsing.wrapped_lines`). A link is a rectangle:
the text inside is its anchor.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from semantic.parsing.wrapped_lines import without_breaks

_LARGER = 1.12  # times the usual size, from which text may be a heading; chosen, not measured
_HEADING = 200  # characters of a heading, at most; chosen, not measured
_GAP = 1.8  # distance of two lines of one block, at most, in heights of a line; chosen, not measured


class PdfPiece(NamedTuple):
    """Text in one font on one line. `size`: height of the letters in points; `x`, `y`: where it begins, in points."""

    text: str
    size: float
    bold: bool
    x: float
    y: float
    href: str = ""


@dataclass(slots=True)
class PdfBlock:
    """Lines that belong together. `size`: of most letters of its first line, to half a point; `page`: number of the
    page.
    """

    size: float
    page: int
    pieces: list[PdfPiece] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Of all its pieces."""
        return "".join(piece.text for piece in self.pieces)


def with_links(pieces: list[PdfPiece], links: Sequence[tuple[str, float, float, float, float]]) -> list[PdfPiece]:
    """The pieces, with `href` set for those inside a link's rectangle; a link without text is put after its line."""
    for address, left, bottom, right, top in links:
        lines = [i for i, p in enumerate(pieces) if bottom - 2 <= p.y <= top and p.text.strip()]
        inside = [i for i in lines if left - 2 <= pieces[i].x < right]
        for i in inside:
            pieces[i] = pieces[i]._replace(href=address)
        if not inside:
            where = lines[-1] + 1 if lines else len(pieces)
            pieces.insert(where, PdfPiece("", 0.0, False, 0.0, 0.0, address))
    return pieces


def blocks_of(pieces: Iterable[PdfPiece], page: int) -> Iterator[PdfBlock]:
    """The pieces of a page as blocks."""
    block: PdfBlock | None = None
    last = 0.0  # y of the block's last line
    for line in _lines(pieces):
        size, y = _size(line), next((piece.y for piece in line if piece.text.strip()), last)
        if block is None or size != block.size or not 0 <= last - y <= _GAP * max(size, 1.0):
            if block is not None:
                yield block
            block = PdfBlock(size, page, line)
        else:
            _join(block.pieces, line)
        last = y
    if block is not None:
        yield block


def _lines(pieces: Iterable[PdfPiece]) -> Iterator[list[PdfPiece]]:
    """The lines that have text or a link, without line feeds."""
    line: list[PdfPiece] = []
    for piece in pieces:
        if piece.text.strip() or piece.href or line:
            line.append(piece._replace(text=piece.text.rstrip("\r\n")))
        if piece.text.endswith("\n") and line:
            yield [part for part in line if part.text or part.href]
            line = []
    if line:
        yield line


def _size(line: Sequence[PdfPiece]) -> float:
    counted: Counter[float] = Counter()
    for piece in line:
        counted[round(2 * piece.size) / 2] += len(piece.text.strip())
    return max(counted, key=lambda size: (counted[size], size))


def _join(pieces: list[PdfPiece], line: list[PdfPiece]) -> None:
    """Append a line to a block, with a blank or without a hyphen at the seam as the script needs it."""
    before, after = pieces[-1].text.rstrip(), line[0].text.lstrip()
    if before[-1:] == "-" and before[-2:-1].isalpha() and after[:1].islower():
        pieces[-1] = pieces[-1]._replace(text=before[:-1])
    elif "\n" in without_breaks(f"{before[-1:]}\n{after[:1]}"):
        pieces[-1] = pieces[-1]._replace(text=before + " ")
    pieces.append(line[0]._replace(text=after))
    pieces.extend(line[1:])


def as_html(blocks: Sequence[PdfBlock], title: str) -> Iterator[str]:
    """The blocks of a file as HTML; its title is that of the largest text on the first page where `title` is ''."""
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


def _marked(piece: PdfPiece) -> str:
    text = f"<b>{escape(piece.text)}</b>" if piece.bold else escape(piece.text)
    return f'<a href="{escape(piece.href)}">{text}</a>' if piece.href else text
