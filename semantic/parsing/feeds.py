"""A feed (RSS, Atom, JSON Feed) as a `Page`: like a page that lists the entries, each title as an anchor and its
summary after it.

So a feed is judged, and its links are ordered, by the same code as a page. An entry says far more about its link than a
menu does. Only the beginning of a summary is used: some feeds contain whole articles.

Feeds are read as they are written: any version of RSS and Atom, with or without its namespace, with prefixes, cut
short. An entry that is broken costs no other.
"""

import json
import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Any, NamedTuple

from semantic.parsing.wrapped_lines import folded_blanks
from semantic.parsing.xml_tokens import END_TAG, START_TAG, TEXT, Token, local_name, on_one_line, prefix_of, xml_tokens
from semantic.reasons import PageError, because
from semantic.urls import normalise

SUMMARY = 300  # characters of a summary or a title; chosen, not measured
KEPT = 5_000  # characters of an element that are kept; chosen, not measured
_INLINE = re.compile(r"</?(?:a|abbr|b|code|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]*>")
JSON_MARK = "jsonfeed.org/version"  # jsonfeed.org, `version`

_ENTRIES = frozenset({"item", "entry"})
_HEADS = frozenset({"feed", "rss", "rdf", "channel"})
_APART = frozenset({"image", "textinput", "source", "author", "contributor"})  # their titles and links are their own
_TITLE, _LINK = "title", "link"
_SUMMARIES = ("description", "summary", "subtitle", "content", "encoded")
_KEPT = frozenset({_TITLE, _LINK, "guid", "id", *_SUMMARIES})
# RFC 4287, 4.2.7.2; the names of relations are also written as addresses
_ALTERNATE = frozenset({"", "alternate", "http://www.iana.org/assignments/relation/alternate"})
# candidates for the address of an entry, the best first
_OF_PAGE, _OTHER_FORM, _PERMANENT, _NAMED = range(4)


class FeedEntry(NamedTuple):
    """One entry of a feed; title and summary are HTML."""

    address: str
    title: str
    summary: str


def feed_as_html(text: str, url: str) -> str:
    """List the entries of a feed as an HTML page. Raises PageError if it is no feed or has no entries."""
    title, entries = _json_feed(text, url) if text.lstrip().startswith("{") else _FeedReading(url).of(text)
    if not entries:
        raise PageError(because("no feed", url=url))
    items = (
        f'<li><a href="{escape(entry.address)}">{_text(entry.title)}</a> {_text(entry.summary)}' for entry in entries
    )
    return f'<title>{_text(title)}</title><ul class="feed">{"".join(items)}</ul>'


def _text(html: str) -> str:
    return escape(folded_blanks(unescape(_TAGS.sub(" ", _INLINE.sub("", html))))[:SUMMARY])


class _FeedReading:
    """One pass over the tokens of a feed."""

    def __init__(self, url: str) -> None:
        self._title = ""
        self._entries: list[FeedEntry] = []
        self._bases = [url, url]  # of the feed, of the entry
        self._in_entry = False
        self._prefix = ""  # of the elements of the feed
        self._apart = ""  # the open element whose content does not belong to the entry
        self._open = ""  # the element whose text is being kept
        self._deep = 0  # how often it is open
        self._parts: list[str] = []
        self._guid_is_address = True
        self._fields: dict[str, str] = {}
        self._addresses: list[tuple[int, str]] = []

    def of(self, text: str) -> tuple[str, list[FeedEntry]]:
        """Title and entries."""
        for token in xml_tokens(text):
            if token.type is START_TAG:
                self._start(token)
            elif token.type is END_TAG:
                self._end(token.tag or "")
            elif token.type is TEXT and self._open:
                self._parts.append((token.data or "")[:KEPT])
        if local_name(self._open) in (_TITLE, *_SUMMARIES):  # cut short; half an address is none
            self._close()
        self._finish()
        return self._title, self._entries

    def _start(self, token: Token) -> None:
        tag = token.tag or ""
        name = local_name(tag)
        if name in _ENTRIES and not self._open:
            self._finish()
            self._begin(token)
        elif self._open:
            self._deep += tag == self._open
            self._parts.append(" ")
        elif self._apart:
            self._apart = "" if token.self_closing and tag == self._apart else self._apart
        elif name in _APART and not token.self_closing:
            self._apart = tag
        elif name in _HEADS:
            self._prefix = "" if name == "rdf" else prefix_of(token)
            self._bases = [self._base(token, self._bases[0])] * 2
        elif name in _KEPT and (name == "encoded" or prefix_of(token) == self._prefix):
            self._keep(token, name)

    def _begin(self, token: Token) -> None:
        self._in_entry, self._apart = True, ""
        self._prefix = prefix_of(token)
        self._bases[1] = self._base(token, self._bases[0])
        about = dict(token.attrs or ()).get("rdf:about")
        if about:
            self._add(_NAMED, about, self._bases[1])

    def _keep(self, token: Token, name: str) -> None:
        given = dict(token.attrs or ())
        base = self._base(token, self._bases[1])
        if name == _LINK and given.get("href"):
            if (given.get("rel") or "").strip().lower() in _ALTERNATE:
                kind = given.get("type") or ""
                self._add(_OF_PAGE if not kind or "html" in kind else _OTHER_FORM, given["href"] or "", base)
            return
        if name == "content" and given.get("src"):
            self._add(_OTHER_FORM, given["src"] or "", base)
        if token.self_closing and name != _TITLE:
            return
        self._guid_is_address = (given.get("ispermalink") or "").strip().lower() != "false"
        self._open, self._deep, self._parts = token.tag or "", 1, []

    def _end(self, tag: str) -> None:
        if self._open:
            self._deep -= tag == self._open
            if self._deep == 0 or (local_name(tag) in _ENTRIES and self._open != tag):
                self._close()
        if tag == self._apart:
            self._apart = ""
        if local_name(tag) in _ENTRIES and not self._open:
            self._finish()

    def _close(self) -> None:
        """Take the text of the element that is open."""
        name, text = local_name(self._open), "".join(self._parts)[:KEPT].strip()
        self._open = ""
        if not self._in_entry:
            self._title = self._title or (text if name == _TITLE else "")
        elif name == _LINK:
            self._add(_OF_PAGE, text, self._bases[1])
        elif name == "guid" and self._guid_is_address:
            self._add(_PERMANENT, text)
        elif name == "id":
            self._add(_NAMED, text)
        else:
            self._fields.setdefault(name, text)

    def _finish(self) -> None:
        """Take the entry that is open, where it has an address."""
        if self._addresses and self._in_entry:
            address = min(self._addresses, key=lambda each: each[0])[1]
            summary = next(filter(None, map(self._fields.get, _SUMMARIES)), "")
            self._entries.append(FeedEntry(address, self._fields.get(_TITLE, ""), summary))
        self._in_entry = False
        self._open = ""
        self._fields, self._addresses = {}, []

    def _add(self, rank: int, typed: str, base: str | None = None) -> None:
        address = normalise(on_one_line(typed), base)
        if address is not None and typed.strip() and self._in_entry:
            self._addresses.append((rank, address))

    def _base(self, token: Token, outer: str) -> str:
        given = dict(token.attrs or ()).get("xml:base")
        return (normalise(given.strip(), outer) if given else None) or outer


def _json_feed(text: str, url: str) -> tuple[str, list[FeedEntry]]:
    """Title and entries of a JSON Feed (jsonfeed.org, version 1.1)."""
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return "", []
    items = feed.get("items") if isinstance(feed, dict) else None
    entries = (_json_entry(item, url) for item in items if isinstance(item, dict)) if isinstance(items, list) else ()
    return _string(feed, "title"), [entry for entry in entries if entry.address]


def _json_entry(item: dict[str, Any], url: str) -> FeedEntry:
    typed: Iterator[str] = (_string(item, name) for name in ("url", "external_url"))
    addresses = [*(normalise(each, url) for each in typed if each), normalise(_string(item, "id"))]
    html = next((_string(item, name) for name in ("summary", "content_html") if _string(item, name)), "")
    summary = html or escape(_string(item, "content_text"))
    return FeedEntry(next(filter(None, addresses), ""), escape(_string(item, "title")), summary[:KEPT])


def _string(item: Any, name: str) -> str:
    value = item.get(name) if isinstance(item, dict) else None
    return value if isinstance(value, str) else ""
