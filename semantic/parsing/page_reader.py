"""Reads a response as a `Page`: bytes decoded, text by position, links resolved and with their surroundings. Packs a
page into the bytes that the record stores, and unpacks it.

Also of what is no HTML but holds text or links: PDF files (`semantic.parsing.pdf`), feeds and sitemaps (`Page.source`),
which are known by their first element, whatever the header says.

The charset of the bytes: byte-order mark, else UTF-8, else the first label (header, then page) that fits the bytes,
else what the bytes look like. Labels lie often: on pages with a false one this chain read 97 % right, on unlabelled
ones 99 %, where header or meta alone got 24 %.

The size of a page that is judged is limited (`bounded`): enough for all pages that people read, and small enough for
the crawl. Reading runs in a separate process and can be stopped. Judging and ordering run in the crawl itself, in time
linear in text and links: about 10 microseconds for each mention of a concept. Measured: 5 MB that consist of the
topic's words took 14 seconds and 460 MB, and 10,000 short links under a long `<base>` more. So what exceeds these
limits is dropped.

What the record stores (`pack`) is everything that was read of a page, in a fraction of its size: zlib over JSON with
columns, since one list of numbers is parsed much faster than a list for each span.

- `text`;
- of its spans `from`, `to` and `at` (one character each, the rank of the position);
- `title` and the page's other declarations (`_OF_ITSELF`);
- of its links `urls`, `starts`, `ends`, `paths` (indices into `tags`), and where any link has one, `anchors` (of links
  without text), `titles`, `rels` (words separated by blanks);
- for a strategy that reads the tree, `nodes` and the links' `places` among them, which add a sixth.

Anchor texts and contexts are parts of the text and are not stored again. For a page that forbids following its links,
no links are stored. Only this file imports orjson, which takes 0.03 ms for a page of archwiki where json takes 0.17.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import repeat
from typing import Any

import orjson

from ontology.errors import PageError
from ontology.messages import message
from ontology.syntaxes.text_decoding import BYTE_ORDER_MARKS
from semantic.compiled import loops
from semantic.memory.compression import compress, decompress
from semantic.page import FEED, PARAGRAPH, SITEMAP, SITEMAP_INDEX, Link, Page, Position, Span
from semantic.parsing.feeds import JSON_MARK, feed_as_html
from semantic.parsing.html_extraction import (
    USER_AGENT,
    FoundLink,
    Reading,
    decode_as,
    detect,
    read_markup,
    robots_words,
)
from semantic.parsing.page_kind import text_language
from semantic.parsing.pdf import PDF_MARK, pdf_as_html
from semantic.parsing.sitemaps import GZIP_MARK, read_list, read_sitemap, unzipped
from semantic.urls import Addresses, is_robots_url, normalise

_HEADER_LABEL = re.compile(r"charset\s*=[\s\"']*([\w.:-]+)", re.IGNORECASE)
_PAGE_LABEL = re.compile(rb"<(?:meta[^>]+?charset|\?xml[^>]+?encoding)\s*=[\s\"']*([\w.:-]+)", re.IGNORECASE)
_TAGS = re.compile(rb"<[^<>]*>")
_LABEL_WITHIN = 4096  # bytes of the page that are searched for a label
_DETECT_WITHIN = 65536  # bytes of text, without tags, that the detector looks at
_BAD_SHARE = 0.002  # of the characters: a label that leaves more of them undecodable is not believed
_NAMES = {
    **dict.fromkeys(("gb2312", "gb_2312", "gb_2312-80", "gbk", "x-gbk", "cp936", "ms936", "chinese"), "gb18030"),
    **dict.fromkeys(("big5-hkscs", "big5hkscs", "cn-big5", "x-x-big5", "cp950"), "big5"),
    **dict.fromkeys(("ks_c_5601-1987", "ksc5601", "cp949"), "euc-kr"),
    "utf8": "utf-8",
}
_IGNORED = frozenset({"iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "us-ascii", "ascii"})
WINDOW = 60  # characters of text either side of a link

_HTML_TYPES = frozenset({"", "text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_HEAD = 4096  # bytes in which the first element stands
_FIRST_ELEMENT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z]+)")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
# how XML in UTF-16 without a byte-order mark begins (XML 1.0, F.1), and the mark
_WIDE = {b"<\0?\0": b"\xff\xfe", b"\0<\0?": b"\xfe\xff"}
_PLAIN = "text/plain"
_LIST_MARKS = (b"http://", b"https://", b"\xef\xbb\xbfhttp")  # how a sitemap begins that is a plain text
# of feeds and sitemaps, which servers send under any type
_SOURCE_NAME = re.compile(r"(?:sitemap|feed|rss|atom|url)[^/]*$|\.(?:gz|pdf|xml|rss|atom|rdf|txt)$", re.IGNORECASE)
_FEEDS, _SITEMAPS = frozenset({b"rss", b"feed", b"rdf", JSON_MARK}), frozenset({b"urlset", b"sitemapindex"})
_SOURCES = _FEEDS | _SITEMAPS
_LANGUAGE_LENGTH = 35  # characters: the longest tag that BCP 47 asks programs to take
_AS_LINK = partial(tuple.__new__, Link)  # nothing between C and C
_AGENT_PREFIX = re.compile(r"([\w-]+)\s*:\s*(.*)")
_VALUED_DIRECTIVES = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def decode(body: bytes, content_type: str | None) -> tuple[str, str]:
    """Text of a page and the charset it is in; undecodable bytes become U+FFFD. Never fails.

    Labels of Latin-1 are what servers say when they know nothing, and are left to the detector.
    """
    for mark, charset in BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(charset, "replace"), charset.replace("-le", "le").replace("-be", "be")
    text = _as_utf8(body)
    if text is not None:
        return text, "utf-8"
    for label in _labels(body, content_type):
        text = decode_as(body, label)
        if text is not None and text.count("\ufffd") <= _BAD_SHARE * len(text):
            return text, label
    label = detect(_TAGS.sub(b" ", body)[:_DETECT_WITHIN]) or "utf-8"
    label = _NAMES.get(label, label)
    text = decode_as(body, label)
    return (body.decode("utf-8", "replace"), "utf-8") if text is None else (text, label)


def _as_utf8(body: bytes) -> str | None:
    """UTF-8, cut short inside a character or with a bad byte among twenty good characters at most; else None."""
    try:
        text, consumed = codecs.utf_8_decode(body, "strict", False)
        return text if consumed == len(body) else text + "\ufffd"
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text if text.count("\ufffd") * 20 <= beyond_ascii else None


def _labels(body: bytes, content_type: str | None) -> Iterator[str]:
    found = [match[1] for match in [_HEADER_LABEL.search(content_type or "")] if match]
    found += [match[1].decode("ascii") for match in [_PAGE_LABEL.search(body[:_LABEL_WITHIN])] if match]
    for label in found:
        name = _NAMES.get(label.lower(), label.lower())
        if name not in _IGNORED:
            yield name


_REDIRECTS = (300, 301, 302, 303, 307, 308)  # RFC 9110, 15.4
# parts of the media types that are read; gzip: a sitemap
_READ = ("html", "xml", "pdf", "gzip", "feed+json")
_JSON = "application/json"
_UNKNOWN = ("application/octet-stream", "binary/octet-stream")  # sent by servers for types they do not know


def is_read_as_page(status: int, headers: Mapping[str, str], url: str) -> bool:
    """Whether an answer is read, as a page or for its links."""
    return status == 200 and is_readable(headers, url)


def is_redirect(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer is a redirect (RFC 9110, 15.4). A 304 is not, even with a Location field."""
    return status in _REDIRECTS and "location" in headers


def is_readable(headers: Mapping[str, str], url: str) -> bool:
    """Whether an answer's media type is one that is read, as a page or for its links, or is missing."""
    kind = media_type(headers)
    if is_robots_url(url):
        return False
    if kind in (_PLAIN, _JSON, *_UNKNOWN):
        return _SOURCE_NAME.search(url.partition("?")[0]) is not None
    return not kind or (any(word in kind for word in _READ) and not kind.startswith("image/"))


def media_type(headers: Mapping[str, str]) -> str:
    """The media type that the headers declare, lower case; empty if none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def read_page(body: bytes, url: str, headers: Mapping[str, str]) -> Page:
    """Read a response from the address `url` as a page. Header names are lower case.

    Links have the order of the page; its first 10,000 are read, those to the page itself left out. A refresh within
    5 seconds is a link without text. DOM paths hold the 8 innermost elements, names cut at 40 characters. `<base
    href>` holds for the whole page, wherever it stands. Not text: script, style, template, noscript, iframe, svg,
    textarea. Time is linear in the length of the body. Raises PageError where the response is nothing that is read.
    """
    if body.startswith(PDF_MARK):
        return _page(pdf_as_html(body, url), url, headers, "utf-8")
    if body.startswith(GZIP_MARK):
        body = unzipped(body)
    content_type = headers.get("content-type")
    if body[:4] in _WIDE:
        body = _WIDE[body[:4]] + body
    root = _first_element(body[:_HEAD])
    kind = media_type(headers)
    listed = None if root else _listed(body, url)
    if listed is not None:
        return _with_directives(listed, headers)
    if kind not in _HTML_TYPES and root not in _SOURCES:
        raise PageError(message("{url} is {kind}, not HTML", url=url, kind=kind))
    text, charset = decode(body, content_type)
    if text.count("\0", 0, 1024) > 4:
        raise PageError(message("{url} is not text", url=url))
    text = text.replace("\0", "")
    if root in _SITEMAPS:
        return _with_directives(read_sitemap(text, url, index=root == b"sitemapindex"), headers)
    if root in _FEEDS:
        return replace(_page(feed_as_html(text, url), url, headers, charset), source=FEED)
    return _page(text, url, headers, charset)


def _listed(body: bytes, url: str) -> Page | None:
    """The page of a sitemap that is a plain text; None for what is none."""
    return read_list(decode(body, None)[0], url) if body.lstrip().lower().startswith(_LIST_MARKS) else None


def _with_directives(sitemap: Page, headers: Mapping[str, str]) -> Page:
    """The sitemap, whose links are not followed where its header says so."""
    return replace(sitemap, nofollow=_forbids("nofollow", _directives(headers.get("x-robots-tag", ""))))


def _first_element(head: bytes) -> bytes:
    """The name of the first element, in lower case; `JSON_MARK` for a JSON Feed; b"" if there is none."""
    head = head.replace(b"\0", b"")
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and JSON_MARK in head.replace(b"\\/", b"/"):
        return JSON_MARK
    first = _FIRST_ELEMENT.search(head)
    if first and b"<!--" in head[: first.start()]:
        first = _FIRST_ELEMENT.search(_COMMENT.sub(b"", head))
    return first[1].lower() if first else b""


def _page(html: str, url: str, headers: Mapping[str, str], charset: str) -> Page:
    return _assemble(read_markup(html), url, headers, charset)


def _assemble(markup: Reading, url: str, headers: Mapping[str, str], charset: str) -> Page:
    """Make the page of what its tokens gave: addresses resolved, text around links cut out."""
    here = normalise(url) or url
    base = normalise(markup.base, here) if markup.base else None
    text = markup.text
    canonical = normalise(markup.canonical, base or here) if markup.canonical else None
    feed = normalise(markup.feed, base or here) if markup.feed else None
    directives = markup.robots | _directives(headers.get("x-robots-tag", ""))
    claim = markup.language or headers.get("content-language", "").partition(",")[0]
    return Page(
        url=url,
        title=markup.title,
        text=text,
        spans=markup.spans,
        links=resolved(markup.links, text, here, base or here),
        language=text_language(text, claim.strip().lower()[:_LANGUAGE_LENGTH]),
        charset=charset,
        canonical=canonical if canonical != here else None,
        nofollow=_forbids("nofollow", directives),
        noindex=_forbids("noindex", directives),
        feed=feed if feed != here else None,
        nodes=markup.nodes,
    )


def links_in_python(found: list[FoundLink], text: str, here: str, base: str) -> tuple[Link, ...]:
    """The links of a page, resolved, without those to the page itself."""
    links: list[Link] = []
    plain = text.replace(PARAGRAPH, " ")
    addresses = Addresses(base)
    for href, title, alt, start, end, path, rel, node in found:
        url = addresses.of(href)
        if url is None or url == here:
            continue
        anchor = plain[start:end] or alt
        before, after = plain[max(0, start - WINDOW) : start], plain[end : end + WINDOW]
        links.append(_AS_LINK((url, anchor, title, start, end, before, after, path, rel, len(links), node)))
    return tuple(links)


def links_compiled(found: list[FoundLink], text: str, here: str, base: str) -> tuple[Link, ...]:
    """The same in C."""
    links: tuple[Link, ...] = loops.links_of(
        found, text.replace(PARAGRAPH, " "), here, Addresses(base).of, Link, WINDOW
    )
    return links


resolved = links_compiled if loops else links_in_python


def _forbids(directive: str, directives: set[str]) -> bool:
    return not directives.isdisjoint((directive, "none"))


def _directives(header: str) -> set[str]:
    """Directives for every robot or for ours: `noindex`, `otherbot: nofollow, noarchive` (X-Robots-Tag)."""
    meant = set()
    for line in header.lower().splitlines():
        ours = True
        for part in line.split(","):
            word = part.strip()
            match = _AGENT_PREFIX.match(word)
            if match and match[1] not in _VALUED_DIRECTIVES:
                ours, word = match[1] == USER_AGENT, match[2]
            if ours:
                meant.update(robots_words(word))
    return meant


# Chosen so that judging takes two seconds at most (see above); each is far above what usual pages have.
MAX_TEXT = 200_000  # characters: a short novel, or a manual on one page
MAX_TITLE = 1000  # characters of a page's title, of an anchor, and of an anchor's title attribute
MAX_LINKS_TEXT = 1_500_000  # characters of all links with their attributes and surroundings: about 5,000 usual links
FEW_LINKS = 250  # so many cannot exceed that: one has 5,200 characters at most (address 2,000, DOM path and rel 1,100)
MAX_SPANS = 20_000  # spans of text with one position
MAX_NODES = 50_000  # texts and links in the tree of a page


def bounded(page: Page) -> Page:
    """The page, shortened to its beginning if it exceeds a limit.

    Links after the end of the shortened text are moved to its end; when the limit for links is reached, the rest of
    them is dropped. The links of a sitemap have limits of their own, which depend on the topic
    (`semantic.parsing.sitemaps`).
    """
    if page.source in (SITEMAP, SITEMAP_INDEX):
        return page
    end = min(len(page.text), MAX_TEXT, *(span.start for span in page.spans[MAX_SPANS : MAX_SPANS + 1]))
    links = _links(page.links, end)
    if len(page.nodes) > 3 * MAX_NODES:
        page = replace(page, nodes=page.nodes[: 3 * MAX_NODES])
    if len(page.text) == end and len(page.title) <= MAX_TITLE and links == page.links:
        return page
    spans = (span._replace(end=min(span.end, end)) for span in page.spans)
    kept = tuple(filter(_is_any, spans))
    return replace(page, title=page.title[:MAX_TITLE], text=page.text[:end], spans=kept, links=links)


def _links(links: tuple[Link, ...], end: int) -> tuple[Link, ...]:
    if len(links) <= FEW_LINKS and not any([_is_beyond(link, end) for link in links]):
        return links
    kept: list[Link] = []
    room = MAX_LINKS_TEXT
    for link in links:
        if _is_beyond(link, end):
            kept.append(_cut(link, end))
        else:
            kept.append(link)
        room -= sum(map(len, (link.url, kept[-1].anchor, kept[-1].title, link.before, link.after, link.dom_path)))
        room -= sum(map(len, link.rel))
        if room < 0:
            return tuple(kept[:-1])
    return tuple(kept)


def _is_beyond(link: Link, end: int) -> bool:
    return link.end > end or len(link.anchor) > MAX_TITLE or len(link.title) > MAX_TITLE


def _cut(link: Link, end: int) -> Link:
    """The link with its anchor and title shortened to the limits."""
    anchor, start = link.anchor[:MAX_TITLE], min(link.start, end)
    stop = min(start + len(anchor), end) if link.start < link.end else start
    return link._replace(anchor=anchor, title=link.title[:MAX_TITLE], start=start, end=stop)


def _is_any(span: Span) -> bool:
    return span.start < span.end


_SIGNS = {position: str(rank) for rank, position in enumerate(Position)}
_POSITIONS = {sign: position for position, sign in _SIGNS.items()}
_OF_ITSELF = ("title", "language", "charset", "canonical", "nofollow", "feed", "source")
# avoids a Python call for each span
_AS_SPAN = partial(tuple.__new__, Span)


def pack(page: Page, *, nodes: bool = False) -> bytes:
    """Pack a page for the record. `nodes`: include its tree."""
    starts, ends, positions = zip(*page.spans, strict=True) if page.spans else ((), (), ())
    fields: dict[str, Any] = {
        "text": page.text,
        "from": starts,
        "to": ends,
        "at": "".join(map(_SIGNS.__getitem__, positions)),
        **{name: getattr(page, name) for name in _OF_ITSELF},
        **_link_columns(() if page.nofollow else page.links, nodes=nodes),
    }
    if nodes:
        fields["nodes"] = page.nodes
    return compress(orjson.dumps(fields))


def _link_columns(links: tuple[Link, ...], *, nodes: bool) -> dict[str, Any]:
    if not links:
        return dict.fromkeys(("urls", "starts", "ends", "paths", "tags"), ())
    urls, anchors, titles, starts, ends, _, _, paths, rels, _, places = zip(*links, strict=True)
    tags = {path: number for number, path in enumerate(dict.fromkeys(paths))}
    columns: dict[str, Any] = {
        "urls": urls,
        "starts": starts,
        "ends": ends,
        "paths": [tags[path] for path in paths],
        "tags": list(tags),
    }
    rare = {
        "anchors": [anchor if start == end else "" for anchor, start, end in zip(anchors, starts, ends, strict=True)],
        "titles": titles,
        "rels": [" ".join(sorted(rel)) if rel else "" for rel in rels],
    }
    columns |= {name: column for name, column in rare.items() if any(column)}
    if nodes:
        columns["places"] = places
    return columns


def unpack(content: bytes, url: str, *, contexts: bool = True) -> Page:
    """Restore a page that was packed. `contexts`: whether the texts around its links are wanted."""
    fields = orjson.loads(decompress(content))
    if "spans" in fields:
        _as_columns(fields)
    text = fields["text"]
    positions = map(_POSITIONS.__getitem__, fields["at"])
    spans = tuple(map(_AS_SPAN, zip(fields["from"], fields["to"], positions, strict=True)))
    rest = {name: fields[name] for name in _OF_ITSELF if name in fields}
    nodes = tuple(fields.get("nodes", ()))
    return Page(url, text=text, spans=spans, links=_unpacked_links(fields, text, contexts), nodes=nodes, **rest)


def _unpacked_links(fields: Mapping[str, Any], text: str, contexts: bool) -> tuple[Link, ...]:
    plain, starts, ends = text.replace(PARAGRAPH, " "), fields["starts"], fields["ends"]
    anchors = fields.get("anchors") or repeat("")
    columns = zip(
        fields["urls"],
        [plain[start:end] or anchor for start, end, anchor in zip(starts, ends, anchors, strict=False)],
        fields.get("titles") or repeat(""),
        starts,
        ends,
        [plain[max(0, start - WINDOW) : start] for start in starts] if contexts else repeat(""),
        [plain[end : end + WINDOW] for end in ends] if contexts else repeat(""),
        map(fields["tags"].__getitem__, fields["paths"]),
        map(_rel, fields.get("rels") or repeat("")),
        range(len(starts)),
        fields.get("places") or repeat(-1),
        strict=False,
    )
    return tuple(map(_AS_LINK, columns))


def _as_columns(fields: dict[str, Any]) -> None:
    """Convert what earlier versions wrote (one list for each span, sparse link attributes by rank) to today's
    columns.
    """
    positions = {position.value: sign for position, sign in _SIGNS.items()}
    fields["from"], fields["to"], named = zip(*fields["spans"], strict=True) if fields["spans"] else ((), (), ())
    fields["at"] = "".join(map(positions.__getitem__, named))
    ranks = list(map(str, range(len(fields["urls"]))))
    fields["anchors"] = [fields["alts"].get(rank, "") for rank in ranks]
    fields["titles"] = [fields["titles"].get(rank, "") for rank in ranks]
    fields["rels"] = [" ".join(fields["rels"].get(rank, ())) for rank in ranks]


@lru_cache(maxsize=1024)
def _rel(words: str) -> frozenset[str]:
    return frozenset(words.split())
