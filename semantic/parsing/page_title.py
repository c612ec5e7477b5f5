"""The title of a page, as people would name it.

That is its first `<title>` with text. A page without one, or with one that its editor wrote, is named by what it tells
those who link to it (Open Graph, Twitter cards, Dublin Core), else by its first heading of the highest rank. This is
rare, so the page's tokens are read once more for it.

Programs escape titles twice: `Tea &amp;amp; cups` is shown as `Tea &amp; cups`, and means `Tea & cups`. The same holds
for the tags of emphasis in it.
"""

import re
from collections.abc import Iterator
from html import unescape

from semantic.parsing.html_extraction import END_TAG, START_TAG, TEXT, Token, tokens_of
from semantic.parsing.wrapped_lines import folded_blanks

_NAMES = ("og:title", "twitter:title", "dcterms.title", "dc.title", "title")  # of <meta>, the best first
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_AFTER = frozenset((*_HEADINGS, "p", "ul", "ol", "table"))  # ends a heading that has text and is not closed
_UNREAD = frozenset({"script", "style", "template", "noscript", "iframe", "textarea", "svg", "title"})
_INLINE = frozenset({"a", "abbr", "b", "bdi", "code", "em", "font", "i", "mark", "s", "small", "span", "strong", "u"})
_LENGTH = 1000  # characters of a name that are read; page_reader.MAX_TITLE

_OF_EDITORS = re.compile(
    r"(?=\D)(?:untitled|new|无标题|無標題|未命名|新建)?[ _-]*+"
    r"(?:document|page|文档|文件|网页|網頁|页面|頁面)?[ _-]*+\d*",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|hellip|[mn]dash|[lr][sd]quo|#\d{2,6}|#x[0-9a-f]{2,5});", re.IGNORECASE)
_MARKED = re.compile(
    r"<(b|i|em|strong|u|s|sup|sub|span|font|small|big|mark)\b[^<>]{0,200}>([^<>]*)</\1\s*>", re.IGNORECASE
)


def page_title(title: str, html: str) -> str:
    """The title of a page whose `<title>` is `title`."""
    title = _read_again(title) if len(title) <= _LENGTH else title
    return (_named_elsewhere(html) or title) if _OF_EDITORS.fullmatch(title) or not title else title


def _read_again(title: str) -> str:
    """A title without what was escaped twice."""
    if "&" in title:
        title = _ESCAPED.sub(lambda found: unescape(found[0]), title)
    while "</" in title:
        bare = _MARKED.sub(r"\2", title)
        if bare == title:
            break
        title = folded_blanks(bare)
    return title


def _named_elsewhere(html: str) -> str:
    """What a page is called in its head, else in its headings; "" if nowhere."""
    return folded_blanks(_read_again(_of_head(html) or _of_headings(html)))[:_LENGTH]


def _of_head(html: str) -> str:
    found: dict[str, str] = {}
    for token in tokens_of(html):
        if token.type is START_TAG and token.tag == "meta":
            name = (token.attr("property") or token.attr("name") or "").strip().lower()
            content = (token.attr("content") or "").strip()[:_LENGTH]
            if content and not _OF_EDITORS.fullmatch(content):
                found.setdefault(name, content)
    return next((found[name] for name in _NAMES if name in found), "")


def _of_headings(html: str) -> str:
    found: dict[str, str] = {}
    parts: list[str] = []
    level = ""  # of the heading that is open
    for token in _shown(html):
        tag = token.tag or ""
        if token.type is TEXT:
            _put(parts, token.data or "")
        elif tag == "img":
            _put(parts, token.attr("alt") or "")
        elif tag in _HEADINGS or (tag in _AFTER and parts):
            if level and (name := "".join(parts).strip()):
                found.setdefault(level, name[:_LENGTH])
            level, parts = tag if token.type is START_TAG and tag in _HEADINGS else "", []
        elif tag not in _INLINE:
            _put(parts, " ")
        if not level:
            parts.clear()
    return next((found[level] for level in _HEADINGS if level in found), "")


def _put(parts: list[str], text: str) -> None:
    """Add a text, or one blank for texts without any letter."""
    if text.strip():
        parts.append(text)
    elif parts and parts[-1] != " ":
        parts.append(" ")


def _shown(html: str) -> Iterator[Token]:
    """The tokens of a page, without what stands in elements that are no text."""
    unread = ""
    for token in tokens_of(html):
        if unread:
            if token.type is END_TAG and token.tag == unread:
                unread = ""
        elif token.type is START_TAG and token.tag in _UNREAD and not token.self_closing:
            unread = token.tag
        elif token.type in (TEXT, START_TAG, END_TAG):
            yield token
