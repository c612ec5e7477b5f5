"""The file of a word processor, a presentation or a book as HTML: Office Open XML, OpenDocument, EPUB.

All are ZIP archives of XML. What the elements mean stands in tables, one for each format; a walk over a part's elements
makes blocks of text of them, with headings and links. An EPUB's chapters are HTML and are read as such.

Nothing is written to disk, so names inside an archive can name nothing outside. Archive and XML can be bombs: what is
unpacked, the elements and their depth are limited, and XML that declares entities is not read further.
"""

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple, NoReturn
from urllib.parse import unquote
from xml.parsers import expat

from ontology.errors import PageError
from ontology.messages import joined, message
from ontology.syntaxes.text_decoding import decode
from semantic.parsing.document_types import NO_TITLE

TEXT = 200_000  # characters after which reading stops, as of a PDF file
UNPACKED = 20_000_000  # bytes of all parts together; chosen, not measured
ELEMENTS = 1_000_000  # of all parts together: takes two seconds
DEPTH = 1000  # of elements in each other; chosen, not measured
MEMBERS = 10_000  # of an archive; chosen, not measured
CHAPTER = 2_000_000  # bytes of a book's chapter; chosen, not measured
PARTS = 1000  # slides or chapters that are read; chosen, not measured
MOST_TITLE = 2000  # characters of a title, and of the code of a field
LOSSES = 10  # sentences about what was left out, at most

_PIECE = 65_536  # bytes unpacked at once
_FIELD = re.compile(r'\s*HYPERLINK\s+(?!\\)(?:"([^"]*)"|(\S+))', re.IGNORECASE)
_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])$", re.IGNORECASE)
_MARKED_HEAD = re.compile(r"<body\b", re.IGNORECASE)
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s>]*)"""
_INSIDE = re.compile(rf"""\s(?:href|src|action)\s*+=\s*+(?!["']?\s*+(?:https?:)?//){_VALUE}""", re.IGNORECASE)
_TAG = re.compile(r"<([a-z][\w:-]*+)([^<>]*+)>", re.IGNORECASE)
_EMPTY = frozenset(["br", "hr", "img", "input", "meta", "link", "col", "area", "wbr", "source"])

# What is done at an element, by its name without prefix. "block": a paragraph; "text": its characters count;
# "mark": something of the block or run it stands in.
_DRAWING = {"Fallback": "skip", "p": "block", "t": "text", "br": "break", "tab": "blank", "r": "run"}
_WORD = _DRAWING | {
    **dict.fromkeys(("moveFrom", "del", "rt", "tabs", "comment"), "skip"),
    **dict.fromkeys(("hyperlink", "fldSimple"), "link"),
    **dict.fromkeys(("pStyle", "outlineLvl", "vanish", "fldChar"), "mark"),
    "cr": "break",
    "noBreakHyphen": "hyphen",
    "instrText": "code",
}
_SLIDE = _DRAWING | {
    **dict.fromkeys(("sld", "hlinkClick", "ph"), "mark"),
    **dict.fromkeys(("sp", "pic", "graphicFrame"), "shape"),
    "fld": "run",
    "tabLst": "skip",
}
_OPEN_DOCUMENT = {
    **dict.fromkeys(("tracked-changes", "annotation", "note-citation", "ruby-text", "notes-configuration"), "skip"),
    **dict.fromkeys(("forms", "script", "number", "title", "desc"), "skip"),
    **dict.fromkeys(("p", "h"), "block"),
    **dict.fromkeys(("tab", "s"), "blank"),
    "a": "link",
    "frame": "shape",
    "custom-shape": "shape",
    "line-break": "break",
    "style": "mark",
}
_SHAPE_TAGS = {  # of a slide's parts; "" is not read
    **dict.fromkeys(("title", "ctrTitle"), "h2"),
    **dict.fromkeys(("sldNum", "dt", "ftr", "hdr", "sldImg", "page-number", "date-time", "footer", "header"), ""),
}
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError)
_OFF = frozenset({"0", "false", "off"})


class _StoppedError(Exception):
    """A limit was reached, or the XML declares entities."""


@dataclass(slots=True)
class _File:
    """An archive while it is read, and what was read of it."""

    url: str
    members: dict[str, zipfile.ZipInfo]
    archive: zipfile.ZipFile
    html: list[str] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    length: int = 0
    heading: str = ""
    first: str = ""
    title: str = ""
    language: str = ""
    room: int = UNPACKED
    elements: int = ELEMENTS

    def lose(self, what: str) -> None:
        """Note something that is left out."""
        if len(self.left_out) < LOSSES:
            self.left_out[what] = None

    def pieces(self, name: str) -> Iterator[bytes]:
        """A part as it is unpacked; its beginning where the rest is broken."""
        member = self.members.get(_key(name))
        if member is None:
            self.lose(message("parts that are missing"))
            return
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # no document has others
            self.lose(message("parts that are broken"))
            return
        if member.flag_bits & 1:
            raise PageError(message("{url} is a document that needs a password", url=self.url))
        try:
            with self.archive.open(member) as opened:
                while piece := opened.read(_PIECE):
                    self.room -= len(piece)
                    if self.room < 0:
                        self.lose(message("what is after the first {number} MB", number=UNPACKED // 1_000_000))
                        return
                    yield piece
        except (*_BROKEN, NotImplementedError, RuntimeError):
            self.lose(message("parts that are broken"))

    def block(self, tag: str, pieces: Iterable[tuple[str, str]]) -> None:
        """Take a block of text: pieces of text, each with the address to which it leads, or ''."""
        made = ""
        for href, together in groupby(pieces, itemgetter(1)):
            text = escape("".join(text for text, _ in together)).replace("\n", "<br>")
            made += f'<a href="{escape(href)}">{text}</a>' if href else text
        plain = " ".join(re.sub("<[^<>]*>", "", made).split())
        if not made.strip():
            return
        self.html.append(f"<{tag}>{made}</{tag}>\n")
        self.length += len(plain)
        self.first = self.first or plain
        self.heading = self.heading or (plain if tag != "p" else "")
        if self.length >= TEXT:
            raise _StoppedError(message("what is after the first {number} characters", number=TEXT))


Attributes = Mapping[str, str]


def office_as_html(body: bytes, url: str) -> tuple[str, tuple[str, ...]]:
    """The document's title, text and links as HTML, and what of it was left out. Raises PageError if it is none that is
    read, or has no text.
    """
    if body.count(b"PK\x01\x02") > MEMBERS:
        raise PageError(message("{url} is an archive of more than {number} files", url=url, number=MEMBERS))
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except (*_BROKEN, NotImplementedError) as error:
        raise PageError(message("{url} is a broken ZIP archive", url=url)) from error
    with archive:
        file = _File(url, {_key(member.filename): member for member in archive.infolist()}, archive)
        try:
            _reader_of(file)(file)
        except _StoppedError as error:
            file.lose(error.args[0])
    if not file.length:
        why = joined(file.left_out, "; ") if file.left_out else message("only pictures?")
        raise PageError(message("{url} is a document without text that can be read ({why})", url=url, why=why))
    title = "" if NO_TITLE.match(file.title) else file.title
    head = f'<html lang="{escape(file.language)}">' if file.language else ""
    head += f"<title>{escape(title or (file.heading or file.first)[:200])}</title>\n"
    return (head + "".join(file.html)).encode("utf-8", "replace").decode(), tuple(file.left_out)


def _key(name: str) -> str:
    """A part's name as it is compared: some programs write backslashes, or another case."""
    return name.replace("\\", "/").lstrip("/").lower()


def _reader_of(file: _File) -> Callable[[_File], None]:
    kind = b"".join(file.pieces("mimetype")).strip().decode("ascii", "replace") if "mimetype" in file.members else ""
    if "meta-inf/container.xml" in file.members and "opendocument" not in kind:
        return _read_book
    if "content.xml" in file.members and not kind.endswith(("spreadsheet", "graphics", "chart", "formula")):
        return _read_open_document
    if "_rels/.rels" in file.members:
        return _read_office
    raise PageError(message("{url} is a ZIP archive and no document that is read", url=file.url))


# XML


def _parse(
    file: _File,
    name: str,
    start: Callable[[str, Attributes], object],
    end: Callable[[str], object] = len,  # does nothing
    characters: Callable[[str], object] = len,
) -> None:
    """Tell the elements of a part, by their names without prefix. What is broken or too much is left out.

    Attributes have names without prefix, too, but `id` of a relationship is called `rel`.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def begun(name: str, given: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        file.elements -= 1
        if depth > DEPTH or file.elements < 0:
            raise _StoppedError(message("what is nested too deep, or has too many elements"))
        start(name.rpartition(" ")[2], {_local(key): value for key, value in given.items()} if given else given)

    def ended(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name.rpartition(" ")[2])

    def refuse(*_: object) -> NoReturn:
        raise _StoppedError(message("XML that declares entities (an entity bomb?)"))

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = begun, ended, refuse
    parser.CharacterDataHandler = characters
    try:
        for piece in file.pieces(name):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError):  # the last two: an encoding that expat cannot read
        file.lose(message("parts that are broken"))
    except _StoppedError as error:
        file.lose(error.args[0])
        if file.length >= TEXT or file.elements < 0:
            raise


def _local(name: str) -> str:
    return "rel" if name.endswith("/relationships id") else name.rpartition(" ")[2]


def _read_metadata(file: _File, name: str) -> None:
    """Title and language, in elements of Dublin Core."""
    within: list[str] = []
    found: dict[str, str] = {}

    def characters(text: str) -> None:
        if within and within[-1] in ("title", "language"):
            found[within[-1]] = (found.get(within[-1], "") + text)[:MOST_TITLE]

    def left(_: str) -> None:
        within.pop()

    if _key(name) in file.members:
        _parse(file, name, lambda name, _: within.append(name), left, characters)
    file.title = file.title or " ".join(found.get("title", "").split())
    file.language = file.language or found.get("language", "").strip()


# the walk over a part


class _Walk:
    """Makes blocks of a part's elements, as a table says. `targets`: of its links; `styles`: tags of styles."""

    def __init__(self, file: _File, table: Mapping[str, str], targets: Attributes, styles: dict[str, str]) -> None:
        self._file = file
        self._table = table
        self._targets = targets
        self._styles = styles
        self._everywhere = "text" not in table.values()  # all characters of a block are text
        self._blocks: list[tuple[list[str], list[tuple[str, str]]]] = []  # open ones: tag, and pieces with addresses
        self._links: list[str] = []
        self._fields: list[list[str]] = []  # open ones: their code, then "open" where they are a link
        self._skipped = self._texts = self._codes = self._length = 0
        self._run = ""  # address of the run
        self._is_hidden = self._in_run = False
        self._shape: list[tuple[str | None, str]] = []  # open ones: tag of its blocks, address
        self._unused: dict[str, None] = {}

    def read(self, part: str) -> None:
        """Read a part. Where it breaks off, what was read until then counts."""
        _parse(self._file, part, self.start, self.end, self.characters)
        while self._blocks:
            self._end_block()
        for address in self._unused:
            self._file.html.append(f'<p><a href="{escape(address)}"></a></p>\n')

    def start(self, name: str, given: Attributes) -> None:
        """An element begins."""
        action = self._table.get(name)
        if self._skipped or action == "skip":
            self._skipped += 1
        elif action is not None:
            getattr(self, f"_begin_{action}")(name, given)

    def end(self, name: str) -> None:
        """An element ends."""
        action = self._table.get(name)
        if self._skipped:
            self._skipped -= 1
        elif action == "block":
            self._end_block()
        elif action == "text":
            self._texts -= 1
        elif action == "code":
            self._codes -= 1
        elif action == "link":
            self._links.pop()
        elif action == "shape":
            self._shape.pop()
        elif action == "run":
            self._in_run, self._is_hidden, self._run = False, False, ""

    def characters(self, text: str) -> None:
        """Characters, in pieces."""
        if self._skipped:
            return
        if self._codes and self._fields:
            self._fields[-1][0] = (self._fields[-1][0] + text)[:MOST_TITLE]
        elif self._texts or self._everywhere:
            self._add(text)

    def _add(self, text: str) -> None:
        if not self._blocks or self._is_hidden:
            return
        tag, link = self._shape[-1] if self._shape else (None, "")
        if tag == "":
            return
        address = self._run or next((link for link in reversed(self._links) if link), link)
        self._length += len(text)
        if self._length > TEXT:
            raise _StoppedError(message("what is after the first {number} characters", number=TEXT))
        self._unused.pop(address, None)
        self._blocks[-1][1].append((text, address))

    def _begin_block(self, name: str, given: Attributes) -> None:
        tag = self._styles.get(given.get("style-name", ""), "p")
        if name == "h":
            tag = f"h{min(6, _number(given.get('outline-level'), 1))}"
        self._blocks.append(([(self._shape[-1][0] if self._shape else None) or tag], []))

    def _end_block(self) -> None:
        [tag], pieces = self._blocks.pop()
        self._file.block(tag, pieces)

    def _begin_text(self, name: str, given: Attributes) -> None:
        self._texts += 1

    def _begin_code(self, name: str, given: Attributes) -> None:
        self._codes += 1

    def _begin_run(self, name: str, given: Attributes) -> None:
        self._in_run, self._is_hidden, self._run = True, False, ""

    def _begin_blank(self, name: str, given: Attributes) -> None:
        self._add(" ")

    def _begin_break(self, name: str, given: Attributes) -> None:
        self._add("\n")

    def _begin_hyphen(self, name: str, given: Attributes) -> None:
        self._add("-")

    def _begin_link(self, name: str, given: Attributes) -> None:
        self._links.append(self._noted(self._address(given)))

    def _address(self, given: Attributes) -> str:
        if "instr" in given:
            return _of_field(given["instr"][:MOST_TITLE])
        if "rel" in given:
            return self._targets.get(given["rel"], "")
        return given.get("href", "").removeprefix("../")  # an OpenDocument file counts as a folder

    def _noted(self, address: str) -> str:
        if address and not address.startswith("#"):
            self._unused[address] = None
            return address
        return ""

    def _begin_shape(self, name: str, given: Attributes) -> None:
        self._shape.append((self._shape_tag(given.get("class", "")), ""))

    def _shape_tag(self, kind: str) -> str | None:
        tag = _SHAPE_TAGS.get(kind)
        return "h1" if tag == "h2" and not self._file.heading else tag

    def _begin_mark(self, name: str, given: Attributes) -> None:
        """What an element says of the block, run or shape in which it stands."""
        value = given.get("val", "")
        if name == "pStyle" and self._blocks:
            self._blocks[-1][0][0] = self._styles.get(value, "p")
        elif name == "outlineLvl" and self._blocks and _number(value, 9) < 9:
            self._blocks[-1][0][0] = f"h{min(6, _number(value, 9) + 1)}"
        elif name == "vanish" and self._in_run:
            self._is_hidden = value not in _OFF
        elif name == "fldChar":
            self._mark_field(given.get("fldCharType", ""))
        elif name == "hlinkClick" and self._in_run:
            self._run = self._noted(self._address(given))
        elif name == "hlinkClick" and self._shape:
            self._shape[-1] = self._shape[-1][0], self._noted(self._address(given))
        elif name == "ph" and self._shape:
            self._shape[-1] = self._shape_tag(given.get("type", "")), self._shape[-1][1]
        elif name == "sld":
            self._skipped = int(given.get("show", "") in _OFF)  # a hidden slide, to its end
        elif name == "style" and given.get("name"):
            parent = _tag_of(given.get("parent-style-name", ""), self._styles)
            self._styles[given["name"]] = _tag_of(given["name"], {given["name"]: parent})

    def _mark_field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(["", ""])
        elif self._fields and kind == "separate":
            self._fields[-1][1] = "open"
            self._links.append(self._noted(_of_field(self._fields[-1][0])))
        elif self._fields and kind == "end" and self._fields.pop()[1] and self._links:
            self._links.pop()


def _of_field(code: str) -> str:
    """The address of a field HYPERLINK (ISO 29500-1, 17.16.5.25), "" of any other."""
    found = _FIELD.match(code)
    return (found[1] or found[2] or "").strip() if found else ""


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else otherwise


def _tag_of(style: str, tags: Mapping[str, str]) -> str:
    """The tag of a style by its name."""
    name = style.replace("_20_", " ").strip().lower()
    if name in ("title", "标题"):
        return "h1"
    heading = _HEADING.match(name)
    return f"h{min(6, int(heading[1]))}" if heading else tags.get(style, "p")


# the formats


def _read_open_document(file: _File) -> None:
    manifest = b"".join(file.pieces("META-INF/manifest.xml")) if "meta-inf/manifest.xml" in file.members else b""
    if b"encryption-data" in manifest:
        raise PageError(message("{url} is a document that needs a password", url=file.url))
    _read_metadata(file, "meta.xml")
    styles = {style: _tag_of(style, {}) for style in ("Title", *(f"Heading_20_{level}" for level in range(1, 10)))}
    if "styles.xml" in file.members:
        _Walk(file, {"style": "mark"}, {}, styles).read("styles.xml")
    _Walk(file, _OPEN_DOCUMENT, {}, styles).read("content.xml")


def _read_office(file: _File) -> None:
    package = _relations(file, "")
    for part in _parts(package, "/core-properties"):
        _read_metadata(file, part)
    for part in _parts(package, "/officeDocument"):
        if _root(file, part) == "presentation":
            _read_presentation(file, part)
        elif _root(file, part) == "document":
            _read_text(file, part)
        else:
            raise PageError(message("{url} is a ZIP archive and no document that is read", url=file.url))


def _read_text(file: _File, part: str) -> None:
    related = _relations(file, part)
    styles = {}
    for name in _parts(related, "/styles"):
        styles = _word_styles(file, name)
    for name in (part, *_parts(related, "/footnotes"), *_parts(related, "/endnotes")):
        _Walk(file, _WORD, _outside(_relations(file, name)), styles).read(name)


def _read_presentation(file: _File, part: str) -> None:
    related = _relations(file, part)
    order: list[str] = []
    _parse(file, part, lambda name, given: order.append(given.get("rel", "")) if name == "sldId" else None)
    for slide in [related[key].target for key in order[:PARTS] if key in related]:
        of_slide = _relations(file, slide)
        for name in (slide, *_parts(of_slide, "/diagramData"), *_parts(of_slide, "/notesSlide")):
            _Walk(file, _SLIDE, _outside(_relations(file, name)), {}).read(name)


class _Related(NamedTuple):
    """A relationship (ISO 29500-2, 9.3). `target`: an address, or the name of a part."""

    kind: str
    target: str
    is_outside: bool


def _relations(file: _File, part: str) -> dict[str, _Related]:
    """The relationships of a part, or of the package (''), by their ids."""
    folder, name = posixpath.split(part)
    where = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, _Related] = {}

    def start(name: str, given: Attributes) -> None:
        if name == "Relationship":
            target, is_outside = given.get("Target", ""), given.get("TargetMode") == "External"
            target = target if is_outside else posixpath.normpath(posixpath.join("/", folder, unquote(target)))
            found[given.get("Id", "")] = _Related(given.get("Type", ""), target, is_outside)

    if _key(where) in file.members:
        _parse(file, where, start)
    return found


def _parts(related: Mapping[str, _Related], kind: str) -> list[str]:
    return [one.target for one in related.values() if one.kind.endswith(kind) and not one.is_outside]


def _outside(related: Mapping[str, _Related]) -> dict[str, str]:
    return {key: one.target for key, one in related.items() if one.is_outside}


def _root(file: _File, part: str) -> str:
    """The name of a part's first element."""
    start = next(file.pieces(part), b"")[:_PIECE]
    found = re.search(rb"<(?:[\w.-]+:)?(\w+)[\s/>]", start.replace(b"\0", b""))
    return found[1].decode() if found else ""


def _word_styles(file: _File, part: str) -> dict[str, str]:
    """The tags of a word processor's paragraph styles by their ids."""
    found: dict[str, dict[str, str]] = {}
    last: list[dict[str, str]] = [{}]

    def start(name: str, given: Attributes) -> None:
        if name == "style":
            last[0] = found.setdefault(given.get("styleId", ""), {})
        elif name in ("name", "basedOn", "outlineLvl"):
            last[0].setdefault(name, given.get("val", ""))

    def tag(style: str) -> str:
        for _ in range(10):  # styles that are based on each other; chosen, not measured
            said = found.get(style, {})
            if (known := _tag_of(said.get("name", ""), {})) != "p":
                return known
            if (level := _number(said.get("outlineLvl"), 9)) < 9:
                return f"h{min(6, level + 1)}"
            style = said.get("basedOn", "")
        return "p"

    _parse(file, part, start)
    return {style: tag(style) for style in found}


def _read_book(file: _File) -> None:
    """Read an EPUB's chapters in their order (EPUB 3.3, 5); links between them are none."""
    packages: list[str] = []
    hrefs: dict[str, str] = {}
    spine: list[str] = []

    def start(name: str, given: Attributes) -> None:
        if name == "rootfile":
            packages.append(given.get("full-path", ""))
        elif name == "item":
            hrefs[given.get("id", "")] = given.get("href", "")
        elif name == "itemref":
            spine.append(given.get("idref", ""))

    _parse(file, "META-INF/container.xml", start)
    for package in packages[:1]:
        _read_metadata(file, package)
        _parse(file, package, start)
    folder = posixpath.dirname(packages[0]) if packages else ""
    for name in spine[:PARTS]:
        _read_chapter(file, posixpath.normpath(posixpath.join("/", folder, unquote(hrefs.get(name, "")))))


def _read_chapter(file: _File, name: str) -> None:
    data = b"".join(islice(file.pieces(name), CHAPTER // _PIECE))
    if data and b"<" not in data[:_PIECE]:
        file.lose(message("parts that are encrypted"))
        return
    text = decode(data).text
    body = _MARKED_HEAD.search(text)
    text = _TAG.sub(_as_in_html, text[body.start() if body else 0 :])
    file.html.append(f"{text}\n")
    file.length += len(" ".join(re.sub("<[^<>]*>", "", text).split()))
    if file.length >= TEXT:
        raise _StoppedError(message("what is after the first {number} characters", number=TEXT))


def _as_in_html(tag: re.Match[str]) -> str:
    """A tag of XHTML as HTML has it: without an address inside the book, and with an end where XML needs none."""
    name, rest = tag[1].lower(), _INSIDE.sub("", tag[2])
    if not rest.endswith("/"):
        return f"<{tag[1]}{rest}>"
    return f"<{tag[1]}{rest[:-1]}>" if name in _EMPTY else f"<{tag[1]}{rest[:-1]}></{tag[1]}>"
