"""Tokens of a page to its text by position, its links and what it says of itself.

The open elements stand on a stack, as in a browser, with two simplifications that keep hostile pages linear: an end
tag, or a start tag that ends others (`<li>` ends `<li>`), looks at the 32 innermost elements only, and an unclosed
formatting element or link ends with the block it stands in.

`nodes` keeps where texts and links stand in the tree, so that distances in it can be told
(`semantic.strategies.jlse.link_context`): three numbers each, in the order of the page. Where it begins in the text (of
a link: `~` that), how many elements are open there (a link's own included), and the fewest that were open since the one
before.
"""

import re
from collections.abc import Callable, Mapping

from semantic.page import PARAGRAPH, Position
from semantic.parsing.html_tokenizer import Attributes

MAX_LINKS = 10_000  # of one page; those after them are left out
PATH_LENGTH = 8  # innermost elements in a DOM path
REACH = 32  # innermost open elements that a tag can close
USER_AGENT = "ontocrawl"  # the robot's name in meta elements and X-Robots-Tag

_NAME_LENGTH = 40  # characters of a name, id or class in a DOM path, and of a word of `rel`
_NO_RELS: frozenset[str] = frozenset()
_RELS = 10  # words of a link's `rel`
_PART_LENGTH = 2 * _NAME_LENGTH + 1
_MAX_REFRESH = 5  # seconds: a slower refresh shows the page again, a faster one leads on
_SECONDS = re.compile(r"(\d{1,4})(?:\.\d*)?(?=[\s;,])")
_VALUED = re.compile(r"(?<![\w-])[\w-]++\s*+:\s*+\S*")  # a directive with its value: `max-image-preview: none`
_URL_PREFIX = re.compile(r"url\s*=\s*", re.IGNORECASE)
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

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCK_NAMES = (
    "address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset head header hgroup hr html legend li main menu nav ol optgroup option p "
    "plaintext pre search section select summary table tbody td tfoot th thead title tr ul xmp"
)
_BLOCKS = _HEADINGS | frozenset(_BLOCK_NAMES.split())
_VOID = frozenset({"br", "col", "embed", "frame", "hr", "input", "param", "source", "track", "wbr"})
_UNREAD = frozenset({"script", "style", "template", "noscript", "iframe", "noembed", "noframes", "textarea", "svg"})
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


class OpenLink:
    """A link while it is read; `start` is -1 until its first text."""

    __slots__ = ("alts", "end", "href", "node", "path", "rel", "start", "title")

    def __init__(self, href: str, attributes: Mapping[str, str], path: str, node: int) -> None:
        self.href = href
        self.title = " ".join(attributes["title"].split()) if "title" in attributes else ""
        self.alts: list[str] = []
        self.rel = _rel(attributes["rel"]) if "rel" in attributes else _NO_RELS
        self.path = path
        self.node = node
        self.start = self.end = -1


class Markup:
    """Takes tokens, keeps the text so far. After `finish` its public attributes say what the page holds."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.spans: list[tuple[int, int, Position]] = []
        self.links: list[OpenLink] = []
        self.nodes: list[int] = []
        self.title = ""
        self.language = self.base = self.canonical = self.feed = ""
        self.robots: set[str] = set()
        self._stack: list[tuple[str, str, int]] = []  # name, name in a DOM path, position outside
        self._fewest = 0  # open elements since the last of `nodes`
        self._position = _OTHER
        self._length = 0  # of the text
        self._run_start = 0  # of the text since which position and block are the same
        self._run = _OTHER
        self._new_block = False  # the next text begins one
        self._blank = -1  # position, or -1, of a blank that the next text of the block must follow
        self._link: OpenLink | None = None
        self._link_depth = 0  # of the stack with the open link on top; 0: no link is open
        self._unread = ""  # the element whose content is not read
        self._unread_depth = 0
        self._titles = 0

    def finish(self) -> "Markup":
        """End what the page left open."""
        self._cut(0)
        self._change_run(_OTHER, self._length)
        return self

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Open an element, or note what a void element says."""
        if self._unread and not self._ends_unread(tag):
            return
        action = _STARTS.get(tag)
        if action is None:
            self._stack.append((tag, _path_name(tag, attrs) if attrs else tag[:_PART_LENGTH], self._position))
        else:
            action(self, tag, attrs)

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        """Take what HTML knows as a start tag; any other element is empty."""
        if tag in _STARTS and tag != "svg":
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost such element, if one is open."""
        if self._unread:
            self._end_unread(tag)
            return
        if tag in _BLOCKS:
            self._new_block = True
        stack = self._stack
        if stack and stack[-1][0] == tag:
            self._position = stack.pop()[2]
            if len(stack) < self._fewest:  # noqa: PLR1730 - min takes three times as long, for every element
                self._fewest = len(stack)
            if len(stack) < self._link_depth:
                self._end_link()
        else:
            self._end(frozenset({tag}), _TABLE if tag in _CELL else _CELL)

    def handle_data(self, data: str) -> None:
        """Add text, its blanks folded."""
        if self._unread:
            return
        position = self._position
        words = data.split()
        if not words:
            if self._blank < 0:
                self._blank = position
            return
        text = " ".join(words)
        is_folded = len(text) == len(data)  # so no blank stands at its ends
        length = self._length
        if self._new_block:
            self._new_block = False
            if length:
                length = self._divide(length)
        elif length and (self._blank >= 0 or (not is_folded and data[0].isspace())):
            length = self._add_blank(self._blank if self._blank >= 0 else position, length)
        if position != self._run:
            self._change_run(position, length)
        if position <= _TITLE:
            self._note(text, position, length)
        depth = len(self._stack)
        self.nodes += (length, depth, self._fewest)
        self._fewest = depth
        self.parts.append(text)
        self._length = length + len(text)
        self._blank = position if not is_folded and data[-1].isspace() else -1

    def handle_comment(self, data: str) -> None:
        """Leave it out."""

    handle_decl = handle_pi = handle_comment

    def _divide(self, length: int) -> int:
        """Put a PARAGRAPH between the text so far and the text that comes; how long the text is then."""
        if self._run_start < length:
            self.spans.append((self._run_start, length, _RANKED[self._run]))
        self.parts.append(PARAGRAPH)
        self._run_start = length + 1
        return length + 1

    def _add_blank(self, position: int, length: int) -> int:
        """Put a blank between, where the first of those stood that it is for; how long the text is then."""
        if position != self._run:
            self._change_run(position, length)
        self.parts.append(" ")
        return length + 1

    def _note(self, text: str, position: int, start: int) -> None:
        """Keep what the text that comes is the beginning of."""
        if position == _TITLE:
            self.title += text if self._titles == 1 else ""
        elif self._link and self._link.start < 0:
            self._link.start = start

    def _change_run(self, position: int, length: int) -> None:
        """What comes after so many characters of text stands at another position."""
        if self._run_start < length:
            self.spans.append((self._run_start, length, _RANKED[self._run]))
            self._run_start = length
        self._run = position

    def _push(self, tag: str, attrs: Attributes) -> None:
        self._stack.append((tag, _path_name(tag, attrs) if attrs else tag, self._position))

    def _cut(self, depth: int) -> None:
        """Close all elements from `depth` on."""
        if depth < len(self._stack):
            self._position = self._stack[depth][2]
            del self._stack[depth:]
        self._fewest = min(self._fewest, depth)
        if depth < self._link_depth:
            self._end_link()

    def _end(self, tags: frozenset[str], limits: frozenset[str]) -> None:
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

    def _ends_unread(self, tag: str) -> bool:
        """Tell whether this start tag ends what is not read: HTML inside svg does (a browser reads on, too)."""
        if self._unread == "svg" and tag in _BLOCKS and tag != "title":
            self._unread = ""
        elif tag == self._unread:
            self._unread_depth += 1
        return not self._unread

    def _start_block(self, tag: str, attrs: Attributes) -> None:
        self._new_block = True
        stack = self._stack
        ended, limits = _ENDS[tag]
        if stack and stack[-1][0] not in limits:
            self._end(ended, limits)
        stack.append((tag, _path_name(tag, attrs) if attrs else tag, self._position))

    def _start_text(self, tag: str, attrs: Attributes) -> None:
        if tag in _BLOCKS:
            self._start_block(tag, attrs)
        else:
            self._push(tag, attrs)
        self._position = min(self._position, _RANKS[tag])
        self._titles += tag == "title"

    def _break(self, _: str, __: Attributes) -> None:
        self._new_block = True

    def _end_unread(self, tag: str) -> None:
        if tag == self._unread:
            self._unread_depth -= 1
            if not self._unread_depth:
                self._unread = ""

    def _start_unread(self, tag: str, _: Attributes) -> None:
        self._unread, self._unread_depth = tag, 1

    def _start_html(self, tag: str, attrs: Attributes) -> None:
        values = dict(attrs)
        self.language = self.language or values.get("lang") or values.get("xml:lang") or ""
        self._start_block(tag, attrs)

    def _start_link(self, tag: str, attrs: Attributes) -> None:
        stack = self._stack
        if self._link is not None:
            self._end(_LINK, _CELL)
        elif stack and stack[-1][0] not in _BLOCKS:
            self._end(_LINK, _BLOCKS)
        stack.append((tag, _path_name(tag, attrs), self._position))
        link = self._new_link(dict(attrs))
        if link:
            self._end_link()
            self._link, self._link_depth = link, len(self._stack)
            self._position = _ANCHOR

    def _area(self, tag: str, attrs: Attributes) -> None:
        values = dict(attrs)
        self._push(tag, attrs)
        link = self._new_link(values)
        self._stack.pop()
        self._fewest = min(self._fewest, len(self._stack))
        if link:
            link.start = link.end = self._length
            link.alts.append(values.get("alt", ""))

    def _new_link(self, values: Mapping[str, str]) -> OpenLink | None:
        """Make a link of an element's attributes if they lead to another page."""
        href = values.get("href", "").strip()
        if not href or href[0] == "#" or len(self.links) >= MAX_LINKS:
            return None
        path = "/".join([name for _, name, _ in self._stack[-PATH_LENGTH:]])
        link = OpenLink(href, values, path, len(self.nodes) // 3)
        self.links.append(link)
        depth = len(self._stack)
        self.nodes += (~self._length, depth, self._fewest)
        self._fewest = depth
        return link

    def _image(self, _: str, attrs: Attributes) -> None:
        if self._link is not None:
            self._link.alts.append(dict(attrs).get("alt", ""))

    def _base(self, _: str, attrs: Attributes) -> None:
        self.base = self.base or dict(attrs).get("href", "").strip()

    def _related(self, _: str, attrs: Attributes) -> None:
        values = dict(attrs)
        rel = values.get("rel", "").lower().split()
        if not self.canonical and "canonical" in rel:
            self.canonical = values.get("href", "").strip()
        if not self.feed and "alternate" in rel and values.get("type", "").strip().lower() in _FEED_TYPES:
            self.feed = values.get("href", "").strip()

    def _meta(self, tag: str, attrs: Attributes) -> None:
        values = dict(attrs)
        content = values.get("content", "")
        if values.get("name", "").strip().lower() in ("robots", USER_AGENT):
            for part in content.lower().split(","):
                self.robots.update(robots_words(part))
        if values.get("http-equiv", "").strip().lower() == "refresh":
            self._area("meta", [("href", _refresh_target(content))])


def _refresh_target(content: str) -> str:
    """Address in the content of a refresh (`0; url=x`); "" where there is none or it comes late."""
    content = content.strip()
    seconds = _SECONDS.match(content)
    if not seconds or int(seconds[1]) > _MAX_REFRESH:
        return ""
    target = content[seconds.end() :].lstrip(";, \t\r\n\f")
    prefix = _URL_PREFIX.match(target)
    target = target[prefix.end() :] if prefix else target
    return target[1:].partition(target[0])[0] if target[:1] in ("'", '"') else target


def robots_words(part: str) -> list[str]:
    """Directives between two commas, some write blanks instead: `noindex nofollow`; without those that have a value."""
    return _VALUED.sub(" ", part).split()


def _path_name(tag: str, attrs: Attributes) -> str:
    """Name an element in a DOM path: `div#main`, else `div.box`, else `div`."""
    name = tag = tag[:_NAME_LENGTH]
    for attribute, value in attrs:
        if attribute == "id" and value:
            return f"{tag}#{value[:_NAME_LENGTH]}"
        if attribute == "class" and value:
            first = value.split(None, 1)
            name = f"{tag}.{first[0][:_NAME_LENGTH]}" if first else tag
    return name


def _rel(value: str) -> frozenset[str]:
    return frozenset(word[:_NAME_LENGTH] for word in value.lower().split(None, _RELS)[:_RELS])


_STARTS: dict[str, Callable[[Markup, str, Attributes], None]] = {
    **dict.fromkeys(_BLOCKS - _VOID, Markup._start_block),
    **dict.fromkeys(_BLOCKS & _VOID, Markup._break),
    **dict.fromkeys(_VOID - _BLOCKS, lambda *_: None),
    **dict.fromkeys(_RANKS, Markup._start_text),
    **dict.fromkeys(_UNREAD, Markup._start_unread),
    "html": Markup._start_html,
    "a": Markup._start_link,
    "area": Markup._area,
    "img": Markup._image,
    "base": Markup._base,
    "link": Markup._related,
    "meta": Markup._meta,
}
