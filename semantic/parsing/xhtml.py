"""XHTML by the rules of XML, written anew as HTML that reads the same.

Where HTML differs: `<script/>`, `<title/>` or `<a/>` is empty and does not swallow what follows, CDATA is text, scripts
have comments and references like other elements, and an element belongs to a namespace whatever its prefix. A page that
is not well-formed or declares entities of its own is read by the rules of HTML, but for empty elements and CDATA.
"""

import re
from collections.abc import Mapping
from html import escape
from html.entities import html5
from xml.parsers import expat

from semantic.parsing.xml_tokens import without_cdata

NAMESPACE = "http://www.w3.org/1999/xhtml"
_NAMES = {
    **{f"http://www.w3.org/1999/xlink {name}": f"xlink:{name}" for name in ("href", "title")},
    "http://www.w3.org/XML/1998/namespace lang": "xml:lang",
}
_REFERENCE = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
_VOID_NAMES = "area base br col embed frame hr img input link meta param source track wbr"
_VOID = frozenset(_VOID_NAMES.split())
# elements in which HTML looks for no tags: of these the content is left out, of the next ones only the tags
_RAW = frozenset({"script", "style", "iframe", "noembed", "noframes"})
_PLAIN = frozenset({"title", "textarea"})
_OTHERWISE = {"xmp": "pre", "listing": "pre", "plaintext": "pre"}


class _DeclaredEntity(Exception):
    """The page declares an entity: expanding them takes more care than they are worth."""


_EMPTY = re.compile(r"<(\w++)([^<>]*+)(?<=/)>")


def xhtml_as_html(text: str) -> str:
    """A page of XHTML as HTML."""
    reader = _Reader()
    try:
        reader.parser.Parse(_REFERENCE.sub(_numbered, text.lstrip()).encode("utf-8", "replace"), True)
    except (expat.ExpatError, _DeclaredEntity):
        return without_cdata(_EMPTY.sub(_closed, text))
    return "".join(reader.pieces) if reader.is_xhtml else text


def _closed(empty: re.Match[str]) -> str:
    tag, attributes = empty.groups()
    return empty[0] if tag.lower() in _VOID else f"<{tag}{attributes[:-1]}></{tag}>"


def _numbered(reference: re.Match[str]) -> str:
    """An entity of HTML as XML knows it: expat reads no DTD."""
    characters = "" if reference[1] in _OF_XML else html5.get(reference[1] + ";", "")
    return "".join(f"&#{ord(one)};" for one in characters) or reference[0]


class _Reader:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.is_xhtml = False
        self._depth = 0
        self._closed: tuple[int, bool] | None = None  # depth of an element without tags inside; whether text is wanted
        self.parser = expat.ParserCreate("utf-8", " ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        tag = _tag(name)
        self.is_xhtml = self.is_xhtml or tag == "html"
        if self._closed or not tag:
            return
        values = [(_NAMES.get(key, key), value) for key, value in attributes.items()]
        said = "".join(f' {key}="{escape(value)}"' for key, value in values if " " not in key)
        self.pieces.append(f"<{tag}{said}>")
        if tag in _RAW or tag in _PLAIN:
            self._closed = self._depth, tag in _PLAIN

    def _end(self, name: str) -> None:
        if self._closed and self._closed[0] == self._depth:
            self._closed = None
        self._depth -= 1
        tag = _tag(name)
        if tag and tag not in _VOID and not self._closed:
            self.pieces.append(f"</{tag}>")

    def _text(self, text: str) -> None:
        if self._closed is None or self._closed[1]:
            self.pieces.append(escape(text, quote=False))

    def _refuse(self, *_: object) -> None:
        raise _DeclaredEntity


def _tag(name: str) -> str:
    """The name of an element in HTML; "" for those of other vocabularies, whose text is read and whose tags are not."""
    namespace, _, tag = name.rpartition(" ")
    known = namespace == NAMESPACE or (namespace.endswith("/svg") and tag in ("svg", "a"))
    return _OTHERWISE.get(tag, tag) if known else ""
