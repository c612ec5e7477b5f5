"""Reads a response as a `Page`: bytes decoded, text by position, links resolved and with their surroundings. Packs a
page into the bytes that the record stores, and unpacks it.

Also of what is no HTML but holds text or links: PDF files (`semantic.parsing.pdf`), the files of word processors and
their like (`semantic.parsing.office`), feeds and sitemaps (`Page.source`). These are known by their first bytes or
their first element, whatever the header says.

The size of a page that is judged is limited (`bounded`): enough for all pages that people read, and small enough for
the crawl. Reading runs in a separate process and can be stopped. Judging and ordering run in the crawl itself, in time
linear in text and links: about 10 microseconds for each mention of a concept. Measured: 5 MB that consist of the
topic's words took 14 seconds and 460 MB, and 10,000 short links under a long `<base>` more. So what exceeds these
limits is dropped.

What the record stores (`pack`) is everything that was read of a page, in a fraction of its size: zlib over JSON with
columns, since one list of numbers is parsed much faster than a list for each span.

- `text`;
- of its spans `from`, `to` and `at` (one character each, the rank of the position);
- `blocks`, the scores of its blocks (one character each);
- `title` and the page's other declarations (`_OF_ITSELF`);
- of its links `urls`, `starts`, `ends`, `paths` (indices into `tags`), and where any link has one, `anchors` (of links
  without text), `titles`, `rels` (words separated by blanks);
- for a strategy that reads the tree, `nodes` and the links' `places` among them, which add a sixth.

Anchor texts and contexts are parts of the text and are not stored again. For a page that forbids following its links,
no links are stored. Only this file imports orjson, which takes 0.03 ms for a page of archwiki where json takes 0.17.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from itertools import repeat
from typing import Any

import orjson

from semantic.compiled import loops
from semantic.memory.compression import compress, decompress
from semantic.page import FEED, PARAGRAPH, SITEMAP, SITEMAP_INDEX, Link, Page, Position, Span
from semantic.parsing.charsets import address_in, decode, queries_in
from semantic.parsing.document_types import GZIP_MARK, OLE_MARK, ZIP_MARK, is_pdf, media_type
from semantic.parsing.feeds import JSON_MARK, feed_as_html
from semantic.parsing.html_extraction import (
    USER_AGENT,
    FoundLink,
    Reading,
    read_markup,
    robots_words,
)
from semantic.parsing.office import office_as_html
from semantic.parsing.page_declarations import declared_by
from semantic.parsing.page_kind import text_language
from semantic.parsing.page_reservations import reserved_by
from semantic.parsing.page_title import page_title
from semantic.parsing.pdf import pdf_as_html
from semantic.parsing.script_need import bare_words
from semantic.parsing.sitemaps import read_list, read_sitemap, unzipped
from semantic.parsing.xhtml import NAMESPACE, xhtml_as_html
from semantic.reasons import PageError, Reasons, because, from_json, to_json
from semantic.urls import Addresses, domain_of, host_of, normalise

_EMBEDDING = ("iframe", "object", "embed")
WINDOW = 60  # characters of text either side of a link

_HTML_TYPES = frozenset({"", "text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_HEAD = 4096  # characters in which the first element stands
_FIRST_ELEMENT = re.compile(r"<!--.*?(?:-->|\Z)|<(?:[\w.-]+:)?([A-Za-z]+)", re.DOTALL)
_FEEDS, _SITEMAPS = frozenset({"rss", "feed", "rdf", JSON_MARK}), frozenset({"urlset", "sitemapindex"})
_SOURCES = _FEEDS | _SITEMAPS
_LANGUAGE_LENGTH = 35  # characters: the longest tag that BCP 47 asks programs to take
_AS_LINK = partial(tuple.__new__, Link)  # nothing between C and C
_AGENT_PREFIX = re.compile(r"([\w-]+)\s*:\s*(.*)")
_VALUED_DIRECTIVES = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def read_page(body: bytes, url: str, headers: Mapping[str, str]) -> Page:
    """Read a response from the address `url` as a page. Header names are lower case.

    Links have the order of the page; its first 10,000 are read, those to the page itself left out. A refresh within
    5 seconds, in the page or the header, and a frame are links without text, and so is what the page embeds from its
    own domain. Queries are in the page's charset. DOM paths hold the 8 innermost elements, names cut at 40 characters.
    `<base href>` holds for the whole page, wherever it stands. Not text: script, style, template, noscript (whose links
    are read, since no script runs, and its text where the page has hardly any other), iframe, svg, textarea, and what
    is hidden, whose links stay. Time is linear in the length of the body. Raises PageError where the response is
    nothing that is read.
    """
    kind = media_type(headers)
    if is_pdf(body, kind) or body.startswith(ZIP_MARK):
        html, left_out = (office_as_html if body.startswith(ZIP_MARK) else pdf_as_html)(body, url)
        return replace(_page(html, url, headers, "utf-8"), left_out=left_out)
    if body.startswith(OLE_MARK):
        raise PageError(because("old document", url=url))
    if body.startswith(GZIP_MARK):
        body = unzipped(body)
    text, charset = decode(body, headers.get("content-type"))
    root = _first_element(text[:_HEAD])
    if not root and (listed := read_list(text, url)) is not None:
        return _with_directives(listed, headers)
    is_xml = kind.endswith(("/xml", "+xml"))
    is_xhtml = is_xml and root == "html" and NAMESPACE in text[:_HEAD]
    if kind not in _HTML_TYPES and root not in _SOURCES and not is_xhtml:
        raise PageError(because("other type", url=url, type=kind))
    if text.count("\0", 0, 1024) > 4:
        raise PageError(because("no text", url=url))
    text = text.replace("\0", "")
    if root in _SOURCES:
        return _source(root, queries_in(charset, text), url, headers, charset)
    return _page(xhtml_as_html(text) if is_xhtml else text, url, headers, charset)


def _source(root: str, text: str, url: str, headers: Mapping[str, str], charset: str) -> Page:
    """A feed or sitemap, which is no page."""
    if root in _FEEDS:
        return replace(_page(feed_as_html(text, url), url, headers, charset), source=FEED)
    return _with_directives(read_sitemap(text, url, index=root == "sitemapindex"), headers)


def _with_directives(sitemap: Page, headers: Mapping[str, str]) -> Page:
    """The sitemap, whose links are not followed where its header says so."""
    return replace(sitemap, nofollow=_forbids("nofollow", _directives(headers.get("x-robots-tag", ""))))


def _first_element(head: str) -> str:
    """The name of the first element, in lower case; `JSON_MARK` for a JSON Feed; "" if there is none."""
    if head.lstrip("\ufeff \t\r\n").startswith("{") and JSON_MARK in head.replace("\\/", "/"):
        return JSON_MARK
    return next((match[1].lower() for match in _FIRST_ELEMENT.finditer(head) if match[1]), "")


def _page(html: str, url: str, headers: Mapping[str, str], charset: str) -> Page:
    if refresh := headers.get("refresh"):  # obeyed like that of a page
        html = f'<meta http-equiv=refresh content="{escape(refresh)}">{html}'
    markup = read_markup(html)
    page = _assemble(markup._replace(title=page_title(markup.title, html)), url, headers, charset)
    return replace(page, declared=declared_by(html), bare=bare_words(html, page))


def _assemble(markup: Reading, url: str, headers: Mapping[str, str], charset: str) -> Page:
    """Make the page of what its tokens gave: addresses resolved, text around links cut out."""
    here = normalise(url) or url
    base = normalise(markup.base, here) if markup.base else None
    text = markup.text
    addresses = Addresses(base or here, partial(address_in, charset))
    canonical = addresses.of(markup.canonical) if markup.canonical else None
    feed = addresses.of(markup.feed) if markup.feed else None
    directives = markup.robots | _directives(headers.get("x-robots-tag", ""))
    claim = markup.language or headers.get("content-language", "").partition(",")[0]
    return Page(
        url=url,
        title=markup.title,
        text=text,
        spans=markup.spans,
        links=resolved(_own(markup.links, here, addresses), text, here, addresses),
        language=text_language(text, claim.strip().lower()[:_LANGUAGE_LENGTH]),
        charset=charset,
        canonical=canonical if canonical != here else None,
        nofollow=_forbids("nofollow", directives),
        noindex=_forbids("noindex", directives),
        feed=feed if feed != here else None,
        nodes=markup.nodes,
        reserved=reserved_by(markup.robots, directives, headers),
        blocks=markup.blocks,
    )


def _own(found: list[FoundLink], here: str, addresses: Addresses) -> list[FoundLink]:
    """The links without what is embedded from other domains: advertisements, maps, films."""
    return [
        link
        for link in found
        if link[3] != link[4]  # with text; `link` may be a plain tuple
        or not link[5].rpartition("/")[2].startswith(_EMBEDDING)
        or _domain(addresses.of(link[0]) or "") == _domain(here)
    ]


def _domain(url: str) -> str:
    return domain_of(host_of(url)) if "://" in url else ""


def links_in_python(found: list[FoundLink], text: str, here: str, addresses: Addresses) -> tuple[Link, ...]:
    """The links of a page, resolved, without those to the page itself."""
    links: list[Link] = []
    plain = text.replace(PARAGRAPH, " ")
    for href, title, alt, start, end, path, rel, node in found:
        url = addresses.of(href)
        if url is None or url == here:
            continue
        anchor = plain[start:end] or alt
        before, after = plain[max(0, start - WINDOW) : start], plain[end : end + WINDOW]
        links.append(_AS_LINK((url, anchor, title, start, end, before, after, path, rel, len(links), node)))
    return tuple(links)


def links_compiled(found: list[FoundLink], text: str, here: str, addresses: Addresses) -> tuple[Link, ...]:
    """The same in C."""
    links: tuple[Link, ...] = loops.links_of(found, text.replace(PARAGRAPH, " "), here, addresses.of, Link, WINDOW)
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
    text = page.text[:end]
    blocks = page.blocks[: text.count(PARAGRAPH) + 1]
    return replace(page, title=page.title[:MAX_TITLE], text=text, spans=kept, links=links, blocks=blocks)


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
    if page.blocks:
        fields["blocks"] = page.blocks.decode("latin-1")
    if page.left_out:
        fields["left_out"] = to_json(page.left_out)
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
    rest |= {"nodes": tuple(fields.get("nodes", ())), "left_out": from_json(fields.get("left_out", "[]"))}
    rest["blocks"] = fields.get("blocks", "").encode("latin-1")
    return Page(url, text=text, spans=spans, links=_unpacked_links(fields, text, contexts), **rest)


def left_out_of(content: bytes) -> Reasons:
    """What of a packed page could not be read."""
    return from_json(orjson.loads(decompress(content)).get("left_out", "[]"))


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
