"""What the elements of office files mean, in tables, one for each format, and the walk over a part's elements.

The walk makes blocks of text of them, with headings and links.
"""

import re
from collections.abc import Mapping
from html import escape

from semantic.parsing.office_archive import TEXT, Attributes, File, StoppedError, parse
from semantic.reasons import because

LONGEST_FIELD = 2000  # characters of the code of a field; chosen, not measured

_FIELD = re.compile(r'\s*HYPERLINK\s+(?!\\)(?:"([^"]*)"|(\S+))', re.IGNORECASE)
_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])$", re.IGNORECASE)

# What is done at an element, by its name without prefix. "block": a paragraph; "text": its characters count;
# "mark": something of the block or run it stands in.
_DRAWING = {"Fallback": "skip", "p": "block", "t": "text", "br": "break", "tab": "blank", "r": "run"}
WORD = _DRAWING | {
    **dict.fromkeys(("moveFrom", "del", "rt", "tabs", "comment"), "skip"),
    **dict.fromkeys(("hyperlink", "fldSimple"), "link"),
    **dict.fromkeys(("pStyle", "outlineLvl", "vanish", "fldChar", "hlinkClick"), "mark"),
    "cr": "break",
    "noBreakHyphen": "hyphen",
    "instrText": "code",
}
SLIDE = _DRAWING | {
    **dict.fromkeys(("sld", "hlinkClick", "ph", "rPr"), "mark"),
    **dict.fromkeys(("sp", "pic", "graphicFrame"), "shape"),
    "fld": "run",
    "tabLst": "skip",
}
OPEN_DOCUMENT = {
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
_OFF = frozenset({"0", "false", "off"})


class Walk:
    """Makes blocks of a part's elements, as a table says. `targets`: of its links; `styles`: tags of styles."""

    def __init__(self, file: File, table: Mapping[str, str], targets: Attributes, styles: dict[str, str]) -> None:
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
        parse(self._file, part, self.start, self.end, self.characters)
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
            self._fields[-1][0] = (self._fields[-1][0] + text)[:LONGEST_FIELD]
        elif self._texts or self._everywhere:
            self._add(text)

    def _add(self, text: str) -> None:
        if not self._blocks or self._is_hidden:
            return
        tag, whole = self._shape[-1] if self._shape else (None, "")
        if tag == "":
            return
        address = self._run or next((link for link in reversed(self._links) if link), whole)
        self._length += len(text)
        if self._length > TEXT:
            raise StoppedError(because("later characters", number=TEXT))
        self._unused.pop(address, None)
        self._blocks[-1][1].append((text, address))

    def _begin_block(self, name: str, given: Attributes) -> None:
        tag = self._styles.get(given.get("style-name", ""), "p")
        if name == "h":
            tag = f"h{min(6, number_of(given.get('outline-level'), 1))}"
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
            return _of_field(given["instr"][:LONGEST_FIELD])
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
        """What an element says of the document, or of the block, run or shape in which it stands."""
        value = given.get("val", "")
        if name == "fldChar":
            self._mark_field(given.get("fldCharType", ""))
        elif name == "vanish" and self._in_run:
            self._is_hidden = value not in _OFF
        elif name in ("rPr", "text-properties"):
            self._file.declare(given.get("lang") or given.get("language", ""))
        elif name == "style" and given.get("name"):
            parent = tag_of(given.get("parent-style-name", ""), self._styles)
            self._styles[given["name"]] = tag_of(given["name"], {given["name"]: parent})
        elif self._blocks:
            self._mark_block(name, value)
        if self._in_run or self._shape or name == "sld":
            self._mark_slide(name, given)

    def _mark_block(self, name: str, value: str) -> None:
        if name == "pStyle":
            self._blocks[-1][0][0] = self._styles.get(value, "p")
        elif name == "outlineLvl" and number_of(value, 9) < 9:
            self._blocks[-1][0][0] = f"h{min(6, number_of(value, 9) + 1)}"

    def _mark_slide(self, name: str, given: Attributes) -> None:
        if name == "sld":
            self._skipped = int(given.get("show", "") in _OFF)  # a hidden slide, to its end
        elif name == "hlinkClick" and self._in_run:
            self._run = self._noted(self._address(given))
        elif name == "hlinkClick":
            self._shape[-1] = self._shape[-1][0], self._noted(self._address(given))
        elif name == "ph" and self._shape:
            self._shape[-1] = self._shape_tag(given.get("type", "")), self._shape[-1][1]

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


def number_of(text: str | None, otherwise: int) -> int:
    """A number as it is written, `otherwise` for what is none."""
    return int(text) if text and text.isdecimal() and len(text) < 10 else otherwise


def tag_of(style: str, tags: Mapping[str, str]) -> str:
    """The tag of a style by its name."""
    name = style.replace("_20_", " ").strip().lower()
    if name in ("title", "标题"):
        return "h1"
    heading = _HEADING.match(name)
    return f"h{min(6, int(heading[1]))}" if heading else tags.get(style, "p")
