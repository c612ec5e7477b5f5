"""A page's tokens to its text by position, its links and what it says of itself.

No other file imports turbohtml, which gives tokens of a page, and what charset bytes are in. Tokens
and not a tree, because a tree is not linear in its page: HTML repeats unclosed formatting elements in every block, and
59 kB of `<b id=1><b id=2>…<p>x<p>x…` make a tree of two million nodes and 260 MB.

The open elements stand on a stack, as in a browser, with two simplifications that keep hostile pages linear: an end
tag, or a start tag that ends others (`<li>` ends `<li>`), looks at the 32 innermost elements only, and an unclosed
formatting element or link ends with the block it stands in.

`nodes` keeps where texts and links stand in the tree, so that distances in it can be told
(`semantic.strategies.jlse.link_context`): three numbers each, in the order of the page. Where it begins in the text (of
a link: `~` that), how many elements are open there (a link's own included), and the fewest that were open since the one
before.

Checked and rejected, milliseconds a page of archwiki beside 0.9 for this: what a run of tags between two texts does,
remembered by the elements open before it (1.2: a fifth of the runs is new on a page, and to learn one takes as long as
20 tokens); a tree in C with marks set into it by XSLT (0.1 for the tree, 0.4 to 0.9 for the transformation, which ends
at 400 elements one in the other; then the text has still to be cut at its marks).

Of what is hidden (`semantic.parsing.hidden_elements`) the text is left out. Its links stay, as menus are hidden until
they open; their text is their name, as that of its image is a link's. A hidden position has a rank below all others, so
it ends with its element. Where most of a page is hidden, a script shows it, and it is read as if nothing were.

The reading in a ruby (`rt`) would cut its word: 绿<rt>lǜ</rt>茶<rt>chá</rt>. So it follows after the whole: 绿茶 lǜ
chá.

`in_c/html_extraction.c` has the same loop; `read_markup` is the form that runs here.
"""

import codecs
import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import islice
from typing import Any, NamedTuple

from turbohtml import Token, TokenType, parse, tokenize
from turbohtml import detect as detection
from turbohtml.extract import DateExtraction, dates

from ontology.lexicon.surface_forms import HAN
from semantic.compiled import loops
from semantic.page import PARAGRAPH, Position, Span
from semantic.parsing.hidden_elements import GONE, INVISIBLE, NOTE, VISIBLE, hides
from semantic.parsing.own_blocks import NAMED, NOWHERE, OF_ROLE, OF_TAG, WEIGHTS, Row, inner, said_by, scores
from semantic.parsing.page_reservations import LONGEST, POLICY, RESERVATION
from semantic.parsing.wrapped_lines import folded_blanks

__all__ = [
    "COMMENT",
    "END_TAG",
    "START_TAG",
    "TEXT",
    "Token",
    "charset_named",
    "count_words",
    "date_in",
    "decode_as",
    "detect",
    "json_ld_in",
    "tokens_of",
]


START_TAG, END_TAG, TEXT, COMMENT = TokenType.START_TAG, TokenType.END_TAG, TokenType.TEXT, TokenType.COMMENT


def tokens_of(text: str) -> Iterator[Token]:
    """Cut a page into tokens by the WHATWG rules, in linear time.

    Names are in lower case, character references resolved; an attribute without a value has the value "". All that
    stands inside script, style, noscript, iframe, textarea and title is text. Attributes are made when they are asked
    for: of most tags nobody asks.
    """
    return tokenize(text)


def detect(body: bytes) -> str | None:
    """Name the charset of bytes by their content, as WHATWG calls it, in lower case; None where they are no text."""
    name = detection.detect(body).encoding
    return name.lower() if name else None


@lru_cache(maxsize=100)
def charset_named(label: str) -> str | None:
    """The charset that a label stands for, as WHATWG calls it, in lower case; None for an unknown label."""
    try:
        return (parse(b"", encoding=label).encoding or "").lower() or None
    except (LookupError, ValueError):
        return None


def decode_as(body: bytes, charset: str) -> str | None:
    """Decode by a charset of WHATWG, with U+FFFD for what does not fit; None for an unknown one."""
    try:
        return codecs.decode(body, f"whatwg-{charset}", "replace")
    except (LookupError, ValueError):
        return None


_PUBLISHED = DateExtraction(original=True, extensive_search=False)
_MODIFIED = DateExtraction(original=False, extensive_search=False)


def date_in(html: str, *, modified: bool = False) -> tuple[str, str] | None:
    """The day on which a page was published, or last changed, as 2024-05-03, and in which of its elements that stands:
    `meta`, `json-ld`, `time` or `url`. None if it has no such element with a day from 1995 until today (UTC).

    A tree is made of the page, so it has to be short.
    """
    found = dates(html, _MODIFIED if modified else _PUBLISHED) if html else None
    return (found.date, found.signal) if found else None


def json_ld_in(html: str) -> list[Any]:
    """The values of a page's JSON-LD. A tree is made of the page, so it has to be short."""
    return parse(html).json_ld()


MAX_LINKS = 10_000  # of one page; those after them are left out
PATH_LENGTH = 8  # innermost elements in a DOM path
REACH = 32  # innermost open elements that a tag can close
USER_AGENT = "ontocrawl"  # the robot's name in meta elements and X-Robots-Tag

_NAME_LENGTH = 40  # characters of a name, id or class in a DOM path, and of a word of `rel`
_NO_RELS: frozenset[str] = frozenset()
_RELS = 10  # words of a link's `rel`
_MAX_REFRESH = 5  # seconds: a slower refresh shows the page again, a faster one leads on
# seconds and address (HTML, "shared declarative refresh steps")
_REFRESH = re.compile(r"\s*+(?=[\d.])(\d*+)[\d.]*+(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(.*)", re.I | re.A | re.S)
_VALUED = re.compile(r"(?<![\w-])[\w-]++\s*+:\s*+\S*")  # a directive with its value: `max-image-preview: none`
_MOSTLY = 4  # times as much text hidden as shown, from which a page is shown by a script; chosen, not measured
_RANKED = tuple(Position)  # while reading, a position is its rank here; text inside two has the lower one
_ANCHOR, _TITLE, _OTHER = (_RANKED.index(position) for position in (Position.ANCHOR, Position.TITLE, Position.OTHER))
_RANKS = {
    "title": _TITLE,
    "h1": _RANKED.index(Position.H1),
    "h2": _RANKED.index(Position.H2),
    "strong": _RANKED.index(Position.STRONG),
    "h3": _RANKED.index(Position.EMPHASIS),
    "b": _RANKED.index(Position.EMPHASIS),
}

_DEEP = 1_000  # open elements; those further in are known in a DOM path by their tags alone, and take less memory
_Open = Any  # an open element: tag, position outside of it, its name in a DOM path or the token that tells it, place

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCK_NAMES = (
    "address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset head header hgroup hr html legend li main menu nav ol optgroup option p "
    "plaintext pre search section select summary table tbody td tfoot th thead title tr ul xmp"
)
_BLOCKS = _HEADINGS | frozenset(_BLOCK_NAMES.split())
_PLACES = _BLOCKS | OF_TAG.keys()  # elements that say something of the text in them, or are a part of its path
_VOID = frozenset({"br", "col", "hr", "input", "param", "source", "track", "wbr"})
_UNREAD = frozenset({"script", "style", "template", "noscript", "noembed", "noframes", "textarea", "svg"})
_UNSEEN = frozenset({"audio", "canvas", "datalist", "dialog", "rp", "video"})  # browsers show none of it
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
_LINK = frozenset({"a"})
_TABLE = frozenset({"table"})
_CELL = frozenset({"table", "td", "th", "caption"})
# a start tag of the key ends the innermost open element of the first names, unless one of the second is further in
_ENDS = {
    **dict.fromkeys(_BLOCKS - _HEADINGS - _VOID, (frozenset({"p"}), _BLOCKS - {"p"})),
    **dict.fromkeys(_HEADINGS, (_HEADINGS | {"p"}, _BLOCKS - _HEADINGS - {"p"})),
    "li": (frozenset({"li"}), _CELL | {"ul", "ol", "menu", "dir"}),
    "dt": (frozenset({"dt", "dd"}), _CELL | {"dl"}),
    "dd": (frozenset({"dt", "dd"}), _CELL | {"dl"}),
    "option": (frozenset({"option"}), frozenset({"select"})),
    "optgroup": (frozenset({"optgroup"}), frozenset({"select"})),
    "td": (frozenset({"td", "th"}), _TABLE | {"tr"}),
    "th": (frozenset({"td", "th"}), _TABLE | {"tr"}),
    "tr": (frozenset({"tr", "caption", "colgroup"}), _TABLE),
    **dict.fromkeys(("tbody", "thead", "tfoot"), (frozenset({"tbody", "thead", "tfoot", "caption"}), _TABLE)),
}


class FoundLink(NamedTuple):
    """A link as the page writes it. `alt`: of its images, where it has no text; `node`: rank among the nodes."""

    href: str
    title: str
    alt: str
    start: int
    end: int
    path: str
    rel: frozenset[str]
    node: int


class Reading(NamedTuple):
    """What a page's tokens give. `robots`: words of its meta elements; `hidden`: characters of hidden text;
    `blocks`: as in `Page`; "" for what it does not say.
    """

    text: str
    spans: tuple[Span, ...]
    links: list[FoundLink]
    nodes: tuple[int, ...]
    title: str
    language: str
    base: str
    canonical: str
    feed: str
    robots: set[str]
    hidden: int
    blocks: bytes


class OpenLink:
    """A link while it is read; `start` is -1 until its first text."""

    __slots__ = ("alts", "end", "href", "node", "path", "rel", "start", "title")

    def __init__(self, href: str, token: Token, path: str, node: int) -> None:
        title, rel = token.attr("title"), token.attr("rel")
        self.href = href
        self.title = folded_blanks(title) if title else ""
        self.alts: list[str] = []
        self.rel = _rel(rel) if rel else _NO_RELS
        self.path = path
        self.node = node
        self.start = self.end = -1

    def found(self) -> FoundLink:
        """The link, once its end is known."""
        alt = folded_blanks(" ".join(self.alts)) if self.start == self.end else ""
        return FoundLink(self.href, self.title, alt, self.start, self.end, self.path, self.rel, self.node)


class Markup:
    """Reads a page in Python."""

    def __init__(self, html: str, *, hiding: bool) -> None:
        self.parts: list[str] = []
        self.spans: list[tuple[int, int, Position]] = []
        self.links: list[OpenLink] = []
        self.nodes: list[int] = []
        self.rows: list[Row] = []  # of the blocks of the text
        self.title = ""
        self.language = self.base = self.canonical = self.feed = ""
        self.robots: set[str] = set()
        self.hidden = 0  # characters of hidden text
        self._hiding = hiding
        self._stack: list[_Open] = []
        self._fewest = 0  # open elements since the last of `nodes`
        self._position = _OTHER
        self._length = 0  # of the text
        self._new_block = False  # the next text begins one
        self._blank = -1  # position, or -1, of a blank that the next text of the block must follow
        self._notes: list[str] = []  # ruby texts that come after their base
        self._noted_depth = 0  # of the stack with the element that has them on top
        self._link: OpenLink | None = None
        self._link_depth = 0  # of the stack with the open link on top; 0: no link is open
        self._unread = ""  # the element whose content is not read
        self._unread_depth = 0
        self._naming = False  # whether the text of a title is taken
        self._read(html)

    def reading(self) -> Reading:
        """What was read."""
        return Reading(
            "".join(self.parts),
            tuple([Span(*span) for span in self.spans]),
            [link.found() for link in self.links],
            tuple(self.nodes),
            self.title,
            self.language,
            self.base,
            self.canonical,
            self.feed,
            self.robots,
            self.hidden,
            scores(self.rows),
        )

    def _read(self, html: str) -> None:  # noqa: C901, PLR0912, PLR0915 - a call for each token takes as long as the rest
        stack, parts, spans, nodes = self._stack, self.parts, self.spans, self.nodes
        length = 0  # of the text
        start, run = 0, _OTHER  # of it since which position and block are the same; that position
        for token in tokens_of(html):
            kind = token.type
            if kind is TEXT:
                data: Any = token.data
                position = self._position
                if self._unread:
                    if self._unread == "noscript":
                        self._take_links_within(data)
                    continue
                if position < _ANCHOR:
                    self._hide_text(data)
                    continue
                if data.isspace():
                    if self._blank < 0:
                        self._blank = position
                    continue
                if self._notes and (self._new_block or len(stack) < self._noted_depth):
                    length += self._put_notes(run)
                text = folded_blanks(data)
                is_folded = len(text) == len(data)  # so no blank stands at its ends
                if length and self._new_block:
                    if start < length:
                        spans.append((start, length, _RANKED[run]))
                    parts.append(PARAGRAPH)
                    length += 1
                    start = length
                elif length and (self._blank >= 0 or (not is_folded and data[0].isspace())):
                    blank = self._blank if self._blank >= 0 else position  # where the first of those stood
                    if blank != run:
                        if start < length:
                            spans.append((start, length, _RANKED[run]))
                        start, run = length, blank
                    parts.append(" ")
                    length += 1
                if position != run:
                    if start < length:
                        spans.append((start, length, _RANKED[run]))
                    start, run = length, position
                if position <= _TITLE:
                    self._note(text, position, length)
                depth = len(stack)
                nodes += (length, depth, self._fewest)
                self._fewest = depth
                place = stack[-1][3] if stack else NOWHERE
                if self._new_block or not self.rows:
                    self.rows.append(Row(place))
                self.rows[-1].take(text, place.marks, in_link=position == _ANCHOR)
                parts.append(text)
                length += len(text)
                self._length = length
                self._new_block = False
                self._blank = position if not is_folded and data[-1].isspace() else -1
            elif kind is START_TAG:
                tag: Any = token.tag
                action = _STARTS.get(tag)
                if token.self_closing and (action is None or action is Markup._start_unseen or tag == "svg"):
                    continue  # empty; HTML knows others as start tags
                if self._unread and not self._ends_unread(tag, token):
                    continue
                if action is None:
                    self._open(tag, token)
                    self._hide(token)
                else:
                    action(self, tag, token)
            elif kind is END_TAG:
                tag = token.tag
                if stack and stack[-1][0] == tag and not self._unread:
                    if tag in _BLOCKS:
                        self._new_block = True
                    self._position = stack.pop()[1]
                    depth = len(stack)
                    if depth < self._fewest:  # noqa: PLR1730 - min takes three times as long, for every element
                        self._fewest = depth
                    if depth < self._link_depth:
                        self._end_link()
                else:
                    self._end_tag(tag)
        if self._notes:
            length += self._put_notes(run)
        if start < length:
            spans.append((start, length, _RANKED[run]))
        self._end_link()

    def _end_tag(self, tag: str) -> None:
        """Close the innermost such element, which is not the innermost of all, if one is open."""
        if self._unread:
            if tag == self._unread:
                self._unread_depth -= 1
                if not self._unread_depth:
                    self._unread = ""
            return
        if tag in _BLOCKS:
            self._new_block = True
        self._end({tag}, _TABLE if tag in _CELL else _CELL)

    def _note(self, text: str, position: int, start: int) -> None:
        """Keep what the text that comes is the beginning of."""
        if position == _TITLE:
            self.title += text if self._naming else ""
        elif self._link and self._link.start < 0:
            self._link.start = start

    def _put_notes(self, position: int) -> int:
        """Put the ruby texts at the end of the text, between blanks; how many characters that takes."""
        note = " " * bool(self._length) + folded_blanks(" ".join(self._notes))
        self._notes.clear()
        if not self.rows:
            self.rows.append(Row(NOWHERE))
        self.parts.append(note)
        self._length += len(note)
        self._blank = position
        return len(note)

    def _hide_text(self, data: str) -> None:
        """Count a hidden text; a link is named by it. A ruby text waits until its base is complete."""
        if data.isspace():
            return
        if self._position == NOTE:
            self._notes.append(data)
            return
        self.hidden += len(data)
        if self._link is not None:
            self._link.alts.append(data)

    def _hide(self, token: Token) -> None:
        """Hide the element just opened if its attributes say so."""
        hidden, style = token.attr("hidden"), token.attr("style")
        if not self._hiding or (hidden is None and style is None):
            return
        said = hides(hidden, style)
        if said in (GONE, INVISIBLE):
            self._position = min(self._position, said)
        elif said == VISIBLE and self._position == INVISIBLE:
            self._position = _OTHER if self._link is None else _ANCHOR

    def _cut(self, depth: int) -> None:
        """Close all elements from `depth` on."""
        if depth < len(self._stack):
            self._position = self._stack[depth][1]
            del self._stack[depth:]
        self._fewest = min(self._fewest, depth)
        if depth < self._link_depth:
            self._end_link()

    def _end(self, tags: AbstractSet[str], limits: AbstractSet[str]) -> None:
        """Close the innermost element within reach that has such a name, unless one of `limits` is further in."""
        stack = self._stack
        for depth in range(len(stack) - 1, max(len(stack) - REACH, 0) - 1, -1):
            tag = stack[depth][0]
            if tag in tags:
                self._cut(depth)
                return
            if tag in limits:
                return

    def _end_link(self) -> None:
        link = self._link
        if link is not None:
            link.end = self._length
            if link.start < 0:
                link.start = self._length
        self._link, self._link_depth = None, 0

    def _ends_unread(self, tag: str, token: Token) -> bool:
        """Tell whether this start tag ends what is not read: HTML inside svg does (a browser reads on, too). A link
        inside svg is taken.
        """
        if self._unread == "svg" and tag in _BLOCKS and tag != "title":
            self._unread = ""
        elif tag == self._unread:
            self._unread_depth += 1
        elif self._unread == "svg" and tag == "a":
            self._point_at(tag, token)
        return not self._unread

    def _take_links_within(self, html: str) -> None:
        """Take the links that readers without scripts see."""
        for tag, token, address, text in _links_within(html):
            if self._point(tag, address, token):
                self.links[-1].alts.append(text)

    def _open(self, tag: str, token: Token) -> None:
        stack = self._stack
        place = stack[-1][3] if stack else NOWHERE
        if tag in _PLACES:
            place = inner(place, tag, token.attr)
        if len(stack) < _DEEP:
            stack.append([tag, self._position, token, place])
        else:
            stack.append((tag, self._position, tag[:_NAME_LENGTH], place))

    def _start_block(self, tag: str, token: Token) -> None:
        self._open_block(tag, token)
        self._hide(token)

    def _open_block(self, tag: str, token: Token) -> None:
        self._new_block = True
        stack = self._stack
        ended, limits = _ENDS[tag]
        if stack and stack[-1][0] not in limits:
            self._end(ended, limits)
        self._open(tag, token)

    def _start_text(self, tag: str, token: Token) -> None:
        if tag in _BLOCKS:
            self._open_block(tag, token)
        else:
            self._open(tag, token)
        self._position = min(self._position, _RANKS[tag])
        if tag == "title":
            self._naming = not self.title
        else:
            self._hide(token)

    def _start_unseen(self, tag: str, token: Token) -> None:
        if tag in _BLOCKS:
            self._open_block(tag, token)
        else:
            self._open(tag, token)
        if self._hiding and token.attr("open") is None:
            self._position = GONE

    def _start_note(self, tag: str, token: Token) -> None:
        if not self._notes:
            self._noted_depth = len(self._stack)
        self._open(tag, token)
        if self._position >= _ANCHOR:
            self._position = NOTE

    def _break(self, _: str, __: Token) -> None:
        self._new_block = True

    def _skip(self, _: str, __: Token) -> None:
        pass

    def _start_unread(self, tag: str, _: Token) -> None:
        self._unread, self._unread_depth = tag, 1

    def _start_html(self, tag: str, token: Token) -> None:
        self.language = self.language or token.attr("lang") or token.attr("xml:lang") or ""
        self._open_block(tag, token)  # a page that is hidden as a whole is shown by a script

    def _start_link(self, tag: str, token: Token) -> None:
        stack = self._stack
        if self._link is not None:
            self._end(_LINK, _CELL)
        elif stack and stack[-1][0] not in _BLOCKS:
            self._end(_LINK, _BLOCKS)
        self._open(tag, token)
        link = self._new_link(token.attr("href") or "", token)
        if link:
            self._end_link()
            self._link, self._link_depth = link, len(self._stack)
            self._position = min(self._position, _ANCHOR)
        self._hide(token)

    def _point_at(self, tag: str, token: Token) -> None:
        self._point(tag, _pointed_at(token), token)

    def _start_frame(self, tag: str, token: Token) -> None:
        self._point_at(tag, token)
        self._start_unread(tag, token)

    def _start_object(self, tag: str, token: Token) -> None:
        self._point_at(tag, token)
        self._open(tag, token)

    def _point(self, tag: str, href: str, token: Token) -> bool:
        """Take a link that has no content; whether it leads to another page."""
        self._open(tag, token)
        link = self._new_link(href, token)
        self._stack.pop()
        self._fewest = min(self._fewest, len(self._stack))
        if link:
            link.start = link.end = self._length
            link.alts.append(token.attr("alt") or "")
        return link is not None

    def _new_link(self, href: str, token: Token) -> OpenLink | None:
        """Make a link of the innermost element if it leads to another page."""
        href = href.strip()
        if not href or href[0] == "#" or len(self.links) >= MAX_LINKS:
            return None
        link = OpenLink(href, token, self._path(), len(self.nodes) // 3)
        self.links.append(link)
        depth = len(self._stack)
        self.nodes += (~self._length, depth, self._fewest)
        self._fewest = depth
        return link

    def _path(self) -> str:
        """The DOM path of the innermost element."""
        names = []
        for element in self._stack[-PATH_LENGTH:]:
            name = element[2]
            if not isinstance(name, str):
                name = element[2] = _path_name(element[0], name)
            names.append(name)
        return "/".join(names)

    def _image(self, _: str, token: Token) -> None:
        if self._link is not None:
            self._link.alts.append(token.attr("alt") or "")

    def _base(self, _: str, token: Token) -> None:
        self.base = self.base or (token.attr("href") or "").strip()

    def _related(self, _: str, token: Token) -> None:
        canonical, feed = _named_by(token)
        self.canonical, self.feed = self.canonical or canonical, self.feed or feed

    def _meta(self, tag: str, token: Token) -> None:
        words, target = _said_by(token)
        self.robots.update(words)
        if target:
            self._point(tag, target, token)


def _named_by(token: Token) -> tuple[str, str]:
    """The canonical address and the feed that a <link> names, "" for none."""
    rel = (token.attr("rel") or "").lower().split()
    address = (token.attr("href") or "").strip()
    is_feed = "alternate" in rel and (token.attr("type") or "").strip().lower() in _FEED_TYPES
    return address if "canonical" in rel else "", address if is_feed else ""


def _said_by(token: Token) -> tuple[list[str], str]:
    """The words for robots in a <meta>, and where its refresh leads, "" for nowhere."""
    content = token.attr("content") or ""
    name = (token.attr("name") or "").strip().lower()
    words = [f"{name}={content.strip()[: LONGEST + 1]}"] if name in (RESERVATION, POLICY) else []
    if name in ("robots", USER_AGENT):
        words = [word for part in content.lower().split(",") for word in robots_words(part)]
    is_refresh = (token.attr("http-equiv") or "").strip().lower() == "refresh"
    return words, _refresh_target(content) if is_refresh else ""


def _refresh_target(content: str) -> str:
    """Address in the content of a refresh (`0; url=x`); "" where there is none or it comes late."""
    found = _REFRESH.match(content)
    if not found or int(found[1].lstrip("0")[:5] or 0) > _MAX_REFRESH:
        return ""
    target = found[2]
    return target[1:].partition(target[0])[0] if target[:1] in ("'", '"') else target


# the attribute by which an element without content names another page
_POINTING = {"a": "href", "area": "href", "frame": "src", "iframe": "src", "embed": "src", "object": "data"}


def _links_within(html: str) -> list[tuple[str, Token, str, str]]:
    """The links and refreshes in <noscript>, whose content is a text to the tokenizer: tag, token, address, text."""
    found: list[tuple[str, Token, str, list[str]]] = []
    texts: list[str] = []  # of the link that is open, if any
    for token in tokens_of(html):
        if token.type is TEXT:
            texts.append(token.data or "")
        elif token.type is START_TAG:
            tag = token.tag or ""
            if tag == "img":
                texts.append(token.attr("alt") or "")
            elif tag == "meta" or tag in _POINTING:
                texts = []
                found.append((tag, token, _said_by(token)[1] if tag == "meta" else _pointed_at(token), texts))
        elif token.tag == "a":
            texts = []
        if len(found) == MAX_LINKS:
            break
    return [(tag, token, address, " ".join(texts)) for tag, token, address, texts in found]


def _pointed_at(token: Token) -> str:
    """The address in an element without content; in SVG a link may use XLink."""
    return token.attr(_POINTING[token.tag or "a"]) or token.attr("xlink:href") or ""


def robots_words(part: str) -> list[str]:
    """Directives between two commas, some write blanks instead: `noindex nofollow`; without those that have a value."""
    return _VALUED.sub(" ", part).split()


def _path_name(tag: str, token: Token) -> str:
    """Name an element in a DOM path: `div#main`, else `div.box`, else `div`."""
    name = tag[:_NAME_LENGTH]
    if found := token.attr("id"):
        return f"{name}#{found[:_NAME_LENGTH]}"
    first = (token.attr("class") or "").split(None, 1)
    return f"{name}.{first[0][:_NAME_LENGTH]}" if first else name


def _rel(value: str) -> frozenset[str]:
    return _short_rel(value) if len(value) <= _NAME_LENGTH else _short_rel.__wrapped__(value)


@lru_cache(maxsize=1000)  # a site has few of them
def _short_rel(value: str) -> frozenset[str]:
    return frozenset(word[:_NAME_LENGTH] for word in value.lower().split(None, _RELS)[:_RELS])


_STARTS: dict[str, Callable[[Markup, str, Token], None]] = {
    **dict.fromkeys(_BLOCKS - _VOID, Markup._start_block),
    **dict.fromkeys(_BLOCKS & _VOID, Markup._break),
    **dict.fromkeys(_VOID - _BLOCKS, Markup._skip),
    **dict.fromkeys(_RANKS, Markup._start_text),
    **dict.fromkeys(_UNREAD, Markup._start_unread),
    **dict.fromkeys(_UNSEEN, Markup._start_unseen),
    "html": Markup._start_html,
    "body": Markup._start_html,
    "rt": Markup._start_note,
    "a": Markup._start_link,
    **dict.fromkeys(("area", "frame", "embed"), Markup._point_at),
    "iframe": Markup._start_frame,
    "object": Markup._start_object,
    "img": Markup._image,
    "base": Markup._base,
    "link": Markup._related,
    "meta": Markup._meta,
}

# as in_c/html_extraction.c numbers what a start tag does, 0 for those of which nothing is known
_ACTIONS: dict[Callable[..., None], int] = {
    action: number
    for number, action in enumerate(
        (
            Markup._start_block,
            Markup._break,
            Markup._skip,
            Markup._start_text,
            Markup._start_unread,
            Markup._start_html,
            Markup._start_link,
            Markup._point_at,
            Markup._image,
            Markup._base,
            Markup._related,
            Markup._meta,
            Markup._start_frame,
            Markup._start_object,
            Markup._start_unseen,
            Markup._start_note,
        ),
        1,
    )
}


@cache
def _tables() -> Any:
    """The tables above for `in_c/html_extraction.c`."""
    rows = [
        (
            *(tag, _ACTIONS[_STARTS[tag]] if tag in _STARTS else 0, _RANKS.get(tag, _OTHER), tag in _BLOCKS),
            *_ENDS.get(tag, (frozenset(), frozenset())),
            *(tag in _PLACES, tag in NAMED, OF_TAG.get(tag, 0)),
        )
        for tag in sorted(_STARTS.keys() | OF_TAG.keys())
    ]
    bounds = (MAX_LINKS, PATH_LENGTH, REACH, _NAME_LENGTH, _DEEP)
    kinds, ranks = (TEXT, START_TAG, END_TAG), (_ANCHOR, _TITLE, _OTHER)
    asked = (_rel, _named_by, _said_by, _pointed_at, _links_within, hides)
    blocks = (OF_ROLE, said_by, *WEIGHTS)
    return loops.tables(rows, _CELL, _TABLE, Token, kinds, _RANKED, ranks, Span, asked, PARAGRAPH, bounds, blocks)


def markup_in_python(html: str, *, hiding: bool = True) -> Reading:
    """Read a page's tokens. `hiding`: whether hidden text is left out."""
    return Markup(html, hiding=hiding).reading()


def markup_compiled(html: str, *, hiding: bool = True) -> Reading:
    """The same in C."""
    return Reading(*loops.read_tokens(tokens_of(html), _tables(), hiding))


_read = markup_compiled if loops else markup_in_python


_NOSCRIPT = re.compile("</?noscript[^<>]*+>", re.IGNORECASE)
_WORD = re.compile(rf"[{HAN}]|[^\W{HAN}]+")
# words. Of 3,970 pages, 19 have fewer and so many more in noscript; all of them are shown by a script
_FEW = 100


def read_markup(html: str, read: Callable[..., Reading] = _read) -> Reading:
    """Read a page's tokens without what is hidden, if that leaves something of the page.

    A page with hardly any words is shown by a script. If it has more for readers without one, in noscript, these are
    its text.
    """
    reading = read(html)
    if (words := count_words(reading.text, _FEW)) < _FEW and _NOSCRIPT.search(html):
        plain = _NOSCRIPT.sub("", html)
        other = read(plain)
        if count_words(other.text, most := words + _FEW + 1) == most:
            html, reading = plain, other
    is_hidden = reading.hidden > _MOSTLY * (len(reading.text) - len(reading.title))
    return read(html, hiding=False) if is_hidden else reading


def count_words(text: str, most: int) -> int:
    """How many words a text has, counted up to `most`; each Han character counts as one."""
    return sum(1 for _ in islice(_WORD.finditer(text), most))
