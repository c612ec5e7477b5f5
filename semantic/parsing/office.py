"""The file of a word processor, a presentation or a book as HTML: Office Open XML, OpenDocument, EPUB.

All are ZIP archives of XML (`semantic.parsing.office_archive`). What their elements mean stands in tables
(`semantic.parsing.office_elements`); here is which parts are read, and in which order. An EPUB's chapters are HTML and
are read as such.
"""

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from html import escape
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from ontology.syntaxes.text_decoding import decode
from semantic.parsing.document_types import NO_TITLE
from semantic.parsing.office_archive import BROKEN, PIECE, TEXT, Attributes, File, StoppedError, key_of, parse
from semantic.parsing.office_elements import OPEN_DOCUMENT, SLIDE, WORD, Walk, number_of, tag_of
from semantic.reasons import PageError, Reasons, because

MEMBERS = 10_000  # of an archive; chosen, not measured
CHAPTER = 2_000_000  # bytes of a book's chapter; chosen, not measured
PARTS = 1000  # slides or chapters that are read; chosen, not measured
MOST_TITLE = 2000  # characters; chosen, not measured
_USUAL = ("word/document.xml", "ppt/presentation.xml")  # main parts, where a package does not name its own

_MARKED_HEAD = re.compile(r"<body\b", re.IGNORECASE)
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s>]*)"""
_INSIDE = re.compile(rf"""\s(?:href|src|action)\s*+=\s*+(?!["']?\s*+(?:https?:)?//){_VALUE}""", re.IGNORECASE)
_TAG = re.compile(r"<([a-z][\w:-]*+)([^<>]*+)>", re.IGNORECASE)
_EMPTY = frozenset(["br", "hr", "img", "input", "meta", "link", "col", "area", "wbr", "source"])


def office_as_html(body: bytes, url: str) -> tuple[str, Reasons]:
    """The document's title, text and links as HTML, and what of it was left out. Raises PageError if it is none that is
    read, or has no text.
    """
    if body.count(b"PK\x01\x02") > MEMBERS:
        raise PageError(because("many files", url=url, number=MEMBERS))
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except BROKEN as error:
        raise PageError(because("broken archive", url=url)) from error
    with archive:
        file = File(url, {key_of(member.filename): member for member in archive.infolist()}, archive)
        try:
            _reader_of(file)(file)
        except StoppedError as error:
            file.left_out.add(error.args[0])
    if not file.length:
        why = tuple(file.left_out) or because("only pictures?")
        raise PageError(because("document without text", url=url, why=why))
    title = "" if NO_TITLE.match(file.title) else file.title
    head = f'<html lang="{escape(file.language)}">' if file.language else ""
    head += f"<title>{escape(title or (file.heading or file.first)[:200])}</title>\n"
    return (head + "".join(file.html)).encode("utf-8", "replace").decode(), tuple(file.left_out)


def _reader_of(file: File) -> Callable[[File], None]:
    kind = b"".join(file.pieces("mimetype")).strip().decode("ascii", "replace") if "mimetype" in file.members else ""
    if "meta-inf/container.xml" in file.members and "opendocument" not in kind:
        return _read_book
    if "content.xml" in file.members and not kind.endswith(("spreadsheet", "graphics", "chart", "formula")):
        return _read_open_document
    return _read_office


def _read_metadata(file: File, name: str) -> None:
    """Title and language, in elements of Dublin Core; of several the first holds."""
    within = ""
    found: dict[str, str] = {}

    def start(name: str, _: Attributes) -> None:
        nonlocal within
        within = name if name in ("title", "language") and name not in found else ""

    def end(_: str) -> None:
        nonlocal within
        within = ""

    def characters(text: str) -> None:
        if within:
            found[within] = (found.get(within, "") + text)[:MOST_TITLE]

    if key_of(name) in file.members:
        parse(file, name, start, end, characters)
    file.title = file.title or " ".join(found.get("title", "").split())
    file.declare(found.get("language", ""))


def _read_open_document(file: File) -> None:
    manifest = b"".join(file.pieces("META-INF/manifest.xml")) if "meta-inf/manifest.xml" in file.members else b""
    if b"encryption-data" in manifest:
        raise PageError(because("document with password", url=file.url))
    _read_metadata(file, "meta.xml")
    styles = {style: tag_of(style, {}) for style in ("Title", *(f"Heading_20_{level}" for level in range(1, 10)))}
    if "styles.xml" in file.members:
        Walk(file, {"style": "mark", "text-properties": "mark"}, {}, styles).read("styles.xml")
    Walk(file, OPEN_DOCUMENT, {}, styles).read("content.xml")


def _read_office(file: File) -> None:
    package = _relations(file, "")
    for part in _parts(package, "/core-properties"):
        _read_metadata(file, part)
    usual = [name for name in _USUAL if name in file.members]
    for part in _parts(package, "/officeDocument") or usual or [""]:
        if _root(file, part) == "presentation":
            _read_presentation(file, part)
        elif _root(file, part) == "document":
            _read_text(file, part)
        else:
            raise PageError(because("other archive", url=file.url))


def _read_text(file: File, part: str) -> None:
    related = _relations(file, part)
    styles = {}
    for name in _parts(related, "/styles"):
        styles = _word_styles(file, name)
    for name in (part, *_parts(related, "/footnotes"), *_parts(related, "/endnotes")):
        Walk(file, WORD, _outside(_relations(file, name)), styles).read(name)


def _read_presentation(file: File, part: str) -> None:
    related = _relations(file, part)
    order: list[str] = []
    parse(file, part, lambda name, given: order.append(given.get("rel", "")) if name == "sldId" else None)
    for slide in [related[key].target for key in order[:PARTS] if key in related]:
        of_slide = _relations(file, slide)
        for name in (slide, *_parts(of_slide, "/diagramData"), *_parts(of_slide, "/notesSlide")):
            Walk(file, SLIDE, _outside(_relations(file, name)), {}).read(name)


class _Related(NamedTuple):
    """A relationship (ISO 29500-2, 9.3). `target`: an address, or the name of a part."""

    kind: str
    target: str
    is_outside: bool


def _relations(file: File, part: str) -> dict[str, _Related]:
    """The relationships of a part, or of the package (''), by their ids."""
    folder, name = posixpath.split(part)
    where = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, _Related] = {}

    def start(name: str, given: Attributes) -> None:
        if name == "Relationship":
            target, is_outside = given.get("Target", ""), given.get("TargetMode") == "External"
            target = target if is_outside else posixpath.normpath(posixpath.join("/", folder, unquote(target)))
            found[given.get("Id", "")] = _Related(given.get("Type", ""), target, is_outside)

    if key_of(where) in file.members:
        parse(file, where, start)
    return found


def _parts(related: Mapping[str, _Related], kind: str) -> list[str]:
    return [one.target for one in related.values() if one.kind.endswith(kind) and not one.is_outside]


def _outside(related: Mapping[str, _Related]) -> dict[str, str]:
    return {key: one.target for key, one in related.items() if one.is_outside}


def _root(file: File, part: str) -> str:
    """The name of a part's first element."""
    if not part:
        return ""
    start = next(file.pieces(part), b"")[:PIECE]
    found = re.search(rb"<(?:[\w.-]+:)?(\w+)[\s/>]", start.replace(b"\0", b""))
    return found[1].decode() if found else ""


def _word_styles(file: File, part: str) -> dict[str, str]:
    """The tags of a word processor's paragraph styles by their ids."""
    found: dict[str, dict[str, str]] = {}
    last: list[dict[str, str]] = [{}]

    def start(name: str, given: Attributes) -> None:
        if name == "lang":
            file.declare(given.get("val", ""))
        elif name == "style":
            last[0] = found.setdefault(given.get("styleId", ""), {})
        elif name in ("name", "basedOn", "outlineLvl"):
            last[0].setdefault(name, given.get("val", ""))

    def tag(style: str) -> str:
        for _ in range(10):  # styles that are based on each other; chosen, not measured
            said = found.get(style, {})
            if (known := tag_of(said.get("name", ""), {})) != "p":
                return known
            if (level := number_of(said.get("outlineLvl"), 9)) < 9:
                return f"h{min(6, level + 1)}"
            style = said.get("basedOn", "")
        return "p"

    parse(file, part, start)
    return {style: tag(style) for style in found}


def _read_book(file: File) -> None:
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

    parse(file, "META-INF/container.xml", start)
    for package in packages[:1]:
        _read_metadata(file, package)
        parse(file, package, start)
    folder = posixpath.dirname(packages[0]) if packages else ""
    for name in spine[:PARTS]:
        _read_chapter(file, posixpath.normpath(posixpath.join("/", folder, unquote(hrefs.get(name, "")))))


def _read_chapter(file: File, name: str) -> None:
    data = b"".join(islice(file.pieces(name), CHAPTER // PIECE))
    if data and b"<" not in data[:PIECE]:
        file.left_out.add(because("parts that are encrypted"))
        return
    text = decode(data).text
    body = _MARKED_HEAD.search(text)
    text = _TAG.sub(_as_in_html, text[body.start() if body else 0 :])
    file.html.append(f"{text}\n")
    file.length += len(" ".join(re.sub("<[^<>]*>", "", text).split()))
    if file.length >= TEXT:
        raise StoppedError(because("later characters", number=TEXT))


def _as_in_html(tag: re.Match[str]) -> str:
    """A tag of XHTML as HTML has it: without an address inside the book, and with an end where XML needs none."""
    name, rest = tag[1].lower(), _INSIDE.sub("", tag[2])
    if not rest.endswith("/"):
        return f"<{tag[1]}{rest}>"
    return f"<{tag[1]}{rest[:-1]}>" if name in _EMPTY else f"<{tag[1]}{rest[:-1]}></{tag[1]}>"
