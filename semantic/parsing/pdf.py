"""A PDF file as HTML: its text, also of filled forms, and its links. Only this file imports pypdf.

Files are broken in many ways, and readers show what they can. So each part is read under a guard of its own
(`_guarded`), and what is left out is told. Where the table of the objects is wrong, a new one is made
(`semantic.parsing.pdf_repair`); fonts that are missing are replaced; a page's contents are cut where they break. Blocks
and headings are made by `semantic.parsing.pdf_layout`.

pypdf is written in Python: a file made to break a reader can waste time and memory, which its limits and those of the
reading process bound, and nothing else. It takes about 30 ms a page. PDFium takes 3 ms, but it is C++ that browsers run
in a sandbox, which we do not have.
"""

import contextlib
import io
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, isnan, nan
from typing import Any
from unicodedata import normalize

from ontology.syntaxes.text_decoding import BYTE_ORDER_MARKS
from semantic.parsing.document_types import NO_TITLE, PDF_MARK, Losses
from semantic.parsing.pdf_fonts import CODECS, plain_encoding, resolved, why_illegible
from semantic.parsing.pdf_layout import PdfBlock, PdfPiece, as_html, blocks_of, with_links
from semantic.parsing.pdf_repair import MOST_OBJECTS, with_new_table
from semantic.reasons import PageError, Reason, Reasons, because

PAGES = 50  # of a file that are read; chosen, not measured
TEXT = 200_000  # characters after which reading stops; chosen, not measured
LINKS = 500  # of a page; chosen, not measured
LIMITS: Mapping[str, Any] = {
    "zlib_maximum_output_length": 20_000_000,  # bytes of one decompressed stream; chosen, not measured
    # operations and operands of a page, which drawings have many of; chosen, not measured
    "stream_parsing_work_maximum_count": 100_000,
    "jbig2dec_binary": None,  # no program is started
}

FONTS = 100  # of a page that are mended, and values of a field; chosen, not measured
DEPTH = 10  # of a form's fields; chosen, not measured

_HIDDEN, _NO_VIEW, _PASSWORD = 1 << 1, 1 << 5, 1 << 13  # flags (ISO 32000-1, tables 165 and 228)
_FONT = re.compile(rb"/([^\s/<>\[\](){}%]{1,64})\s+[-+\d.]+\s+Tf\b")
_KINDS: Mapping[str, Any] = {  # types of what a font may have
    **dict.fromkeys(("/Widths", "/W"), list),
    **dict.fromkeys(("/FirstChar", "/LastChar", "/DW"), (int, float)),
    "/FontDescriptor": dict,
    "/ToUnicode": (str, dict),
    "/Encoding": (str, dict),
}
_EMPTY = 20  # bytes that nothing takes, packed
_CUT = "/OntocrawlCut"  # set in a page whose contents were cut

_VARIANTS = re.compile("[\u2e80-\u2fdf\ufb00-\ufb06]+")  # radicals used as characters, and ligatures


def pdf_as_html(body: bytes, url: str) -> tuple[str, Reasons]:
    """The file's title, text and links as HTML, and what of it could not be read. Raises PageError if nothing can.

    A part that is broken is left out alone. Where the table of the objects is wrong, a new one is made.
    """
    from pypdf import apply_configuration

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its messages about broken files are not for the terminal
    body = body[max(0, body.find(PDF_MARK)) :]
    problem: Exception | None = None
    read = _Read()
    with apply_configuration(**LIMITS):
        for packed, data in _tries(body):
            try:
                reader = _opened(data, url, packed)
                read = _Read(_title(reader))
                read.blocks.extend(_blocks(reader, read))
            except (PageError, MemoryError):
                raise
            except Exception as error:  # pypdf raises a dozen kinds, depending on what is broken
                problem = problem or error
            if read.is_limited or any(block.text.strip() for block in read.blocks):
                break
    if not any(block.text.strip() for block in read.blocks):
        raise PageError(_why_empty(read, problem, url)) from problem
    html = "".join(as_html(read.blocks, "" if NO_TITLE.match(read.title) else read.title))
    # some fonts name half of a surrogate pair; such a character is replaced
    return html.encode("utf-8", "replace").decode(), tuple(read.left_out)


@dataclass(slots=True)
class _Read:
    """What was read of a file. `left_out`: reasons about the rest, in their order. `is_limited`: a page
    reached a limit.
    """

    title: str = ""
    blocks: list[PdfBlock] = field(default_factory=list)
    left_out: Losses = field(default_factory=Losses)
    is_limited: bool = False


@contextlib.contextmanager
def _guarded() -> Iterator[None]:
    """Give up what is done in this block where a part of the file is broken: pypdf raises whatever comes of it."""
    from pypdf.errors import DependencyError

    try:
        yield
    except (MemoryError, DependencyError):  # encrypted by AES, which needs another library
        raise
    except Exception:
        return


def _tries(body: bytes) -> Iterator[tuple[list[int], bytes]]:
    """The file as it is, then with a new table of its objects; each with the objects that contain others not told by
    its table.
    """
    yield [], body
    repaired, packed = with_new_table(body)
    yield packed, repaired


def _opened(body: bytes, url: str, packed: Iterable[int]) -> Any:
    from pypdf import PdfReader, _cmap

    _cmap._predefined_cmap.update(CODECS)  # pypdf 7.1 knows a third of them
    reader = PdfReader(io.BytesIO(body))
    if reader.is_encrypted and not reader.decrypt(""):
        raise PageError(because("PDF with password", url=url))
    for number in packed:
        with _guarded():
            stream: Any = reader.get_object(number)
            numbers = stream.get_data()[: int(stream["/First"])].split()[::2]
            for rank, inner in enumerate(numbers[: int(stream["/N"])]):
                if int(inner) not in reader.xref.get(0, {}):
                    reader.xref_objStm[int(inner)] = (number, rank)
    return reader


def _why_empty(read: _Read, problem: Exception | None, url: str) -> Reason:
    if problem is not None and not read.left_out:
        return because("broken PDF", url=url, why=f"{type(problem).__name__} {problem}"[:200])
    if read.left_out:
        return because("illegible PDF", url=url, why=tuple(read.left_out))
    return because("PDF without text", url=url)


def _title(reader: Any) -> str:
    with _guarded():
        return " ".join(_text_of((reader.metadata or {}).get("/Title")).split())
    return ""


def _text_of(value: Any) -> str:
    """A text string of the file (ISO 32000-1, 7.9.2.2); "" for what is none. Bytes without a mark may be Chinese."""
    value = resolved(value)
    if hasattr(value, "get_data"):  # long values are streams
        value = value.get_data()
    raw = value if isinstance(value, bytes) else getattr(value, "original_bytes", b"")
    for mark, charset in (*BYTE_ORDER_MARKS, (b"", "utf-8")):
        if raw.startswith(mark) and (mark or not raw.isascii()):
            with contextlib.suppress(UnicodeDecodeError):
                return raw[len(mark) :].decode(charset).replace("\0", "")
    for charset in ("gb2312", "gbk"):
        with contextlib.suppress(UnicodeDecodeError):
            text = raw.decode(charset)
            han = sum("\u4e00" <= character <= "\u9fff" for character in text)
            # Latin letters beyond ASCII seldom stand in pairs, and are never the most
            if han > 1 and (charset == "gb2312" or 2 * sum(byte > 127 for byte in raw) > len(raw)):
                return text
    return str(value).removeprefix("/") if isinstance(value, str) else raw.decode("latin-1")


def _blocks(reader: Any, read: _Read) -> Iterator[PdfBlock]:
    """The blocks of the first pages; what of a page is broken is left out."""
    length, lost, number = 0, 0, -1
    if "/XFA" in _dictionary(reader.trailer, "/Root", "/AcroForm"):
        read.left_out.add(because("a form of XFA, which is no part of PDF"))
    for number, page in enumerate(_pages(reader, read)):
        if number == PAGES or length >= TEXT:
            read.left_out.add(because("later pages", number=number))
            break
        blocks, is_whole = [], False
        with _guarded():
            pieces, are_all = _read_pieces(page, read)
            notes = _notes(page, read)
            blocks = list(blocks_of(with_links(_with_notes(pieces, page, notes), _rectangles(notes, read)), number))
            is_whole = are_all
        lost += not is_whole
        length += sum(len(block.text) for block in blocks)
        yield from blocks
    if number < 0:
        read.left_out.add(because("its pages, of which none is found"))
    if lost:
        read.left_out.add(because("broken pages", number=lost))


def _pages(reader: Any, read: _Read) -> Iterator[Any]:
    """The pages as their tree has them; where it is broken, all that are in the file."""
    from pypdf import PageObject
    from pypdf.generic import IndirectObject

    pages: Sequence[Any] = ()
    with _guarded():
        pages = list(reader.pages)
    if pages:
        yield from pages
        return
    numbers = [*((number, generation) for generation, table in reader.xref.items() for number in table)]
    numbers += [(number, 0) for number in reader.xref_objStm]
    for number, generation in sorted(numbers)[:MOST_OBJECTS]:
        with _guarded():
            reference = IndirectObject(number, generation, reader)
            if _dictionary(reference).get("/Type") == "/Page":
                read.left_out.add(because("the order of the pages"))
                yield PageObject(reader, reference)


def _read_pieces(page: Any, read: _Read) -> tuple[list[PdfPiece], bool]:
    """The page's text, and whether that is all of it. What is broken is mended as long as that may give more."""
    found = best = _take_text(page)
    for mend in (_mend_fonts, _cut_contents, _cut_contents):
        if best.pieces and best.is_whole and not best.faults:
            break
        if mend(page, found):
            found = _take_text(page)
            is_better = len(found) > len(best) or best.faults > found.faults
            best = found if is_better or not best.pieces else best
    read.is_limited = read.is_limited or best.is_limited
    for font in best.fonts.values():
        if why := why_illegible(font):
            read.left_out.add(because("illegible font", word=why))
    return best.pieces, best.is_whole and not page.get(_CUT) and (bool(best.pieces) or not _is_lost(page))


@dataclass(slots=True)
class _Pieces:
    """Text of a page as it is found. `fonts`: those used, by their identity; `faults`: whether one is missing, or has
    an encoding of its own; `is_limited`: a limit was reached.
    """

    pieces: list[PdfPiece] = field(default_factory=list)
    fonts: dict[int, Any] = field(default_factory=dict)
    legible: dict[int, bool] = field(default_factory=dict)
    faults: bool = False
    is_whole: bool = True
    is_limited: bool = False

    def __len__(self) -> int:
        return sum(len(piece.text.strip("\ufffd \n")) for piece in self.pieces)

    def take(self, text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:
        """Take text in one font; called by pypdf. A piece that ends a line ends with a line feed."""
        if text.strip() and not self._is_legible(font, text):
            text = "\n" if text.endswith("\n") else ""
        # the vector that one letter's height is mapped to
        up = (tm[2] * cm[0] + tm[3] * cm[2], tm[2] * cm[1] + tm[3] * cm[3])
        x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        bold = "bold" in str((font or {}).get("/BaseFont", "")).lower()
        said = _VARIANTS.sub(lambda variant: normalize("NFKC", variant[0]), text)
        lines = said.splitlines(keepends=True)
        self.pieces.extend(PdfPiece(line, size * hypot(*up), bold, x, y) for line in lines)

    def _is_legible(self, font: Any, text: str) -> bool:
        if font is None:
            self.faults = self.faults or "\ufffd" in text
            return bool(text.strip("\ufffd \n"))
        if id(font) not in self.legible:
            self.fonts[id(font)] = font
            self.faults = self.faults or bool(plain_encoding(font))
            self.legible[id(font)] = not why_illegible(font)
        return self.legible[id(font)]


def _take_text(page: Any) -> _Pieces:
    """Take a page's text as far as it can be read."""
    from pypdf.errors import DependencyError, LimitReachedError

    found = _Pieces()
    try:
        page.extract_text(visitor_text=found.take)
    except (MemoryError, DependencyError):
        raise
    except Exception as error:  # pypdf raises a dozen kinds, depending on what is broken
        found.is_whole, found.is_limited = False, isinstance(error, LimitReachedError)
    return found


def _mend_fonts(page: Any, found: _Pieces) -> bool:
    """Give a page's fonts what they need to be read: those missing Helvetica, those with a CMap of their own a known
    one, and take from the others what is of a wrong type. Returns whether anything was changed.
    """
    from pypdf.generic import DictionaryObject, NameObject

    changed = False
    for font in found.fonts.values():
        if name := plain_encoding(font):
            font[NameObject("/Encoding")] = NameObject(name)
            changed = True
    with _guarded():
        resources = _dictionary(page, "/Resources")
        fonts = _dictionary(resources, "/Font")
        named = {"/" + name.decode("latin-1") for name in _FONT.findall(page.get_contents().get_data())}
        plain = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
        for name in sorted(named)[:FONTS]:
            font = _dictionary(fonts, name)
            wrong = [key for key, kind in _KINDS.items() if key in font and not isinstance(resolved(font[key]), kind)]
            for key in wrong:
                del font[key]
            if not font:
                fonts[NameObject(name)] = DictionaryObject({NameObject(k): NameObject(v) for k, v in plain.items()})
            changed = changed or bool(wrong) or not font
        resources[NameObject("/Font")] = fonts
        page[NameObject("/Resources")] = resources
    return changed


def _cut_contents(page: Any, found: _Pieces) -> bool:
    """Cut what draws a page behind the last text before its end. Returns whether there is such text."""
    from pypdf.generic import BooleanObject, DecodedStreamObject, NameObject

    if found.is_whole or found.is_limited:
        return False
    with _guarded():
        data = _drawing(page)
        end = max(data.rfind(operator, 0, -1) for operator in (b"Tj", b"TJ", b"ET"))
        if end > 0:
            cut = DecodedStreamObject()
            cut.set_data(data[: end + 2])
            page[NameObject("/Contents")] = cut
            page[NameObject(_CUT)] = BooleanObject(True)
            return True
    return False


def _is_lost(page: Any) -> bool:
    """Whether what draws a page is not in the file, or cannot be unpacked."""
    contents = resolved(page.get("/Contents"))
    parts = contents if isinstance(contents, list) else [contents]
    if any(resolved(part) is None for part in parts):
        return "/Contents" in page
    return max(_whole(_dictionary(part).get("/Length")) for part in parts or [0]) > _EMPTY and not _drawing(page)


def _drawing(page: Any) -> bytes:
    """What draws a page, of those of its streams that can be unpacked."""
    contents = resolved(page["/Contents"])
    found = []
    for stream in contents if isinstance(contents, list) else [contents]:
        with _guarded():
            found.append(resolved(stream).get_data())
    return b"\n".join(found)


def _dictionary(held: Any, *keys: str) -> Any:
    """What a dictionary holds under keys, one within the other, if it is a dictionary; else an empty one."""
    from pypdf.generic import DictionaryObject

    with _guarded():
        for key in keys:
            held = resolved(held)[key]
        if isinstance(held := resolved(held), dict):
            return held
    return DictionaryObject()


def _notes(page: Any, read: _Read) -> list[Any]:
    """The page's annotations that are dictionaries."""
    notes, lost = [], 0
    with _guarded():
        for part in (page.annotations or ())[:LINKS]:
            note = _dictionary(part)
            notes += [note] if note else []
            lost += not note
    if lost:
        read.left_out.add(because("notes or links that are broken"))
    return notes


def _rectangle(note: Any) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a note; not numbers where it says none, which are beside every text."""
    with _guarded():
        x, y, to_x, to_y = (float(side.get_object()) for side in note["/Rect"])
        return min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)
    return nan, nan, nan, nan


def _rectangles(notes: Iterable[Any], read: _Read) -> list[tuple[str, float, float, float, float]]:
    """Addresses that the page links to, each with left, bottom, right and top of its rectangle."""
    found = []
    for note in notes:
        action = _dictionary(note, "/A")
        if "/URI" not in action:
            continue
        with _guarded():
            if address := _text_of(action["/URI"]).strip():
                found.append((address, *_rectangle(note)))
                continue
        read.left_out.add(because("notes or links that are broken"))
    return found


def _with_notes(pieces: list[PdfPiece], page: Any, notes: Iterable[Any]) -> list[PdfPiece]:
    """The pieces, with what stands in fields that were filled and in notes that are text, where the page itself does
    not say it: after the text of their line, or above them.
    """
    for note in notes:
        text = ""
        with _guarded():
            text = _said(page, note).strip()
        left, bottom, right, top = _rectangle(note)
        lines = [p for p in pieces if bottom - 2 <= p.y <= top and left - 2 <= p.x <= right]
        if not text or "".join(text.split()) in "".join("".join(p.text for p in lines).split()):
            continue
        above = [rank for rank, piece in enumerate(pieces) if piece.y >= bottom and piece.text.strip()]
        where = above[-1] + 1 if above else len(pieces) if isnan(bottom) else 0
        size = pieces[where - 1].size if where else 12.0
        said = [PdfPiece(f"{line}\n", size, False, left, bottom) for line in text.splitlines()]
        if where and not pieces[where - 1].text.endswith("\n"):
            pieces[where - 1] = pieces[where - 1]._replace(text=f"{pieces[where - 1].text}\n")
        pieces[where:where] = said
    return pieces


def _said(page: Any, note: Any) -> str:
    """The text that a note shows on the page; "" where it shows none."""
    kind, flags = note.get("/Subtype"), _whole(note.get("/F"))
    if kind not in ("/Widget", "/FreeText") or flags & (_HIDDEN | _NO_VIEW):
        return ""
    if kind == "/FreeText":
        return _text_of(note.get("/Contents")) or _appearance(page, note)
    if _inherited(note, "/FT") not in ("/Tx", "/Ch") or _whole(_inherited(note, "/Ff")) & _PASSWORD:
        return ""
    value = _inherited(note, "/V")
    values = list(value)[:FONTS] if isinstance(value, list) else [value]
    options = _inherited(note, "/Opt")
    shown = {_text_of(pair[0]): pair[1] for pair in _pairs(options)}
    said = [_text_of(shown.get(_text_of(one), one)) for one in values]
    return "\n".join(filter(None, said)) or _appearance(page, note)


def _pairs(options: Any) -> list[Any]:
    """Of the choices of a field those that have a name beside their value."""
    found = (one.get_object() for one in list(options if isinstance(options, list) else ())[:LINKS])
    return [one for one in found if isinstance(one, list) and len(one) == 2]


def _appearance(page: Any, note: Any) -> str:
    drawn = _dictionary(note, "/AP", "/N")
    return str(page.extract_xform_text(drawn)) if hasattr(drawn, "get_data") else ""


def _inherited(note: Any, key: str) -> Any:
    """What a field says, or the field above it (ISO 32000-1, 12.7.3)."""
    for _ in range(DEPTH):
        if key in note:
            return note[key]
        note = _dictionary(note, "/Parent")
    return None


def _whole(number: Any) -> int:
    number = resolved(number)
    return number if isinstance(number, int) else 0
