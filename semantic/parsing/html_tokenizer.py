"""What this project asks of turbohtml: tokens of a page, entries of a feed, and what charset bytes are in.

No other file imports it.

Tokens and not a tree, because a tree is not linear in its page: HTML repeats unclosed formatting elements in every
block, and 59 kB of `<b id=1><b id=2>…<p>x<p>x…` make a tree of two million nodes and 260 MB.
"""

import codecs
from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Token, TokenType, extract, tokenize
from turbohtml import detect as detection

__all__ = ["COMMENT", "END_TAG", "START_TAG", "TEXT", "Token", "decode_as", "detect", "read_feed", "tokens_of"]

_UNLABELLED = frozenset({"utf-16", "utf-16le", "utf-16be", "unicode", "x-user-defined"})


START_TAG, END_TAG, TEXT, COMMENT = TokenType.START_TAG, TokenType.END_TAG, TokenType.TEXT, TokenType.COMMENT


def tokens_of(text: str) -> Iterator[Token]:
    """Cut a page into tokens by the WHATWG rules, in linear time.

    Names are in lower case, character references resolved; an attribute without a value has the value "". All that
    stands inside script, style, noscript, iframe, textarea and title is text. Attributes are made when they are asked
    for: of most tags nobody asks.
    """
    return tokenize(text)


class FeedEntry(NamedTuple):
    """One entry of a feed; title and summary are HTML."""

    address: str
    title: str
    summary: str


def read_feed(text: str) -> tuple[str, list[FeedEntry]]:
    """Title and entries of an RSS, RDF or Atom feed; no entries for what is none.

    Also of one that is cut short or no well-formed XML: it is then read as HTML. No entity but those of XML and HTML is
    known, and none is ever declared: `<!ENTITY` does nothing.
    """
    feed = extract.feed(text.strip())
    if feed is None:
        return "", []
    entries = (
        FeedEntry(entry.link or "", _plain(entry.title), _plain(entry.summary) or _plain(entry.content))
        for entry in feed.entries
    )
    return _plain(feed.title), [entry for entry in entries if entry.address]


def _plain(value: str | bytes | None) -> str:
    """A value without the CDATA that reading as HTML leaves."""
    return value.strip().removeprefix("<![CDATA[").removesuffix("]]>") if isinstance(value, str) else ""


def detect(body: bytes) -> str | None:
    """Name the charset of bytes by their content, as WHATWG calls it, in lower case; None where they are no text."""
    name = detection.detect(body).encoding
    return name.lower() if name else None


def decode_as(body: bytes, label: str) -> str | None:
    """Decode by a WHATWG charset label, with U+FFFD for what does not fit; None for an unknown label.

    UTF-16 is known by its byte-order mark only: as a mere label it fits any bytes.
    """
    if label in _UNLABELLED:
        return None
    try:
        return codecs.decode(body, f"whatwg-{label}", "replace")
    except (LookupError, ValueError):
        return None
