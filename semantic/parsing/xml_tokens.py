"""The tokens of feeds and sitemaps, which are XML, as far as their writers know.

They are cut by the tokenizer of HTML, because a parser of XML gives nothing of a file that is cut short or has a bare
`&`. What XML means differently is written in HTML's way before. No entity is ever declared: `<!ENTITY` does nothing.
Linear in the text.
"""

import re
from collections.abc import Iterator
from html import escape

from semantic.parsing.html_extraction import END_TAG, START_TAG, TEXT, Token, tokens_of

__all__ = [
    "END_TAG",
    "START_TAG",
    "TEXT",
    "Token",
    "local_name",
    "on_one_line",
    "prefix_of",
    "without_cdata",
    "xml_tokens",
]

_CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
# `?a=1&copy=2`: HTML knows some entities without a semicolon
_BARE = re.compile(r"&(?!#?\w{1,32};)")
# elements whose content is text in HTML; empty ones would swallow what follows
_EMPTY = re.compile(r"<(title|textarea|style|script|noscript|iframe|noembed|noframes|xmp)\b([^<>]*)/>", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # no characters of XML (XML 1.0, 2.2)


def xml_tokens(text: str) -> Iterator[Token]:
    """The tokens. Names are in lower case, prefixes included; of a CDATA section the text."""
    text = _CONTROLS.sub(" ", _BARE.sub("&amp;", without_cdata(text)))
    return tokens_of(_EMPTY.sub(r"<\1\2></\1>", text))


def without_cdata(text: str) -> str:
    """The text with what stands in its CDATA sections as HTML writes it."""
    return _CDATA.sub(lambda found: escape(found[1], quote=False), text)


def local_name(tag: str) -> str:
    """The name of an element without its prefix."""
    return tag.rpartition(":")[2]


def prefix_of(token: Token) -> str:
    """The prefix of an element's name; '' for none."""
    return (token.tag or "").rpartition(":")[0]


def on_one_line(address: str) -> str:
    """An address without the line breaks and the indentation with which it is written."""
    return "".join(map(str.strip, address.splitlines()))
