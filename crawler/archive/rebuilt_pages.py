"""Turns stored pages into HTML and WARC records again, for programs that read archives.

A store does not contain what the server sent, only what was read of it: text by position, and links. The HTML made from
that has the same text, positions and links when it is read; markup, images and scripts are lost. Every answer says so
in a header field, and so does the file's warcinfo record.
"""

import html
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from http import HTTPStatus
from itertools import pairwise

from crawler.archive.stored_pages import RecordedAnswer
from crawler.archive.warc_format import pack_response
from crawler.ports import Exchange
from ontology.messages import message
from semantic.page import PARAGRAPH, Link, Page, Position, Span

REBUILT = message(
    "the pages are rebuilt from the text and the links that a crawl's record kept; what the servers sent is not in it"
)
FIELD = (b"X-Ontocrawl-Rebuilt", b"text and links as recorded, not as sent")
TAGS = {Position.STRONG: "strong", Position.EMPHASIS: "b"}  # for a part of a block
BLOCKS = {Position.H1: "h1", Position.H2: "h2"}  # for a whole block


def rebuilt_record(answer: RecordedAnswer, moment: datetime, info: str) -> bytes | None:
    """The WARC record of an answer; None for a feed or a sitemap, which are lists of links and not pages."""
    if answer.page is not None and answer.page.source:
        return None
    body = rebuilt_html(answer.page).encode("utf-8", "replace") if answer.page else b""
    kind = [(b"Content-Type", b"text/html; charset=utf-8")] if answer.page else []
    headers = [(name.encode(), value.encode("utf-8", "replace")) for name, value in answer.headers.items()]
    length = (b"Content-Length", b"%d" % len(body))
    exchange = Exchange(
        answer.url, moment, b"", (), _status_line(answer.status), (*headers, *kind, length, FIELD), body
    )
    return pack_response(exchange, info)


def _status_line(status: int) -> bytes:
    phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
    return f"HTTP/1.1 {status} {phrase}".encode()


def rebuilt_html(page: Page) -> str:
    """HTML that a reader turns into the same text, spans and links."""
    return "".join(_pieces(page))


def _pieces(page: Page) -> Iterator[str]:
    language = f" lang={_quoted(page.language)}" if page.language else ""
    yield f"<!DOCTYPE html>\n<html{language}><head><meta charset=utf-8>\n"
    title, rest = _title_of(page)
    yield f"<title>{html.escape(title)}</title>\n"
    if page.canonical:
        yield f"<link rel=canonical href={_quoted(page.canonical)}>\n"
    if page.feed:
        yield f'<link rel=alternate type="application/rss+xml" href={_quoted(page.feed)}>\n'
    robots = ", ".join(word for word in ("noindex", "nofollow") if getattr(page, word))
    if robots:
        yield f'<meta name=robots content="{robots}">\n'
    yield "</head><body>\n"
    start = rest
    links = list(page.links)
    spans = list(page.spans)
    while start < len(page.text) or (start == rest and links):
        end = page.text.find(PARAGRAPH, start)
        end = len(page.text) if end < 0 else end
        yield _block(page, start, end, _within(spans, start, end), _links_until(links, end))
        start = end + 1
        if start > len(page.text):
            break
    yield "</body></html>\n"


def _title_of(page: Page) -> tuple[str, int]:
    """The title, and the index at which the text after it begins."""
    first = page.spans[0] if page.spans else None
    if first and first.position == Position.TITLE and first.start == 0:
        return page.text[: first.end], first.end + 1
    return page.title, 0


def _within(spans: list[Span], start: int, end: int) -> list[Span]:
    found = []
    while spans and spans[0].start < end:
        span = spans.pop(0) if spans[0].end <= end else spans[0]
        if span.end > start:
            found.append(span)
        if span.end > end:
            break
    return found


def _links_until(links: list[Link], end: int) -> list[Link]:
    found = []
    while links and links[0].start <= end:
        found.append(links.pop(0))
    return found


def _block(page: Page, start: int, end: int, spans: list[Span], links: list[Link]) -> str:
    block = next((BLOCKS[span.position] for span in spans if span.position in BLOCKS), "p")
    cuts = {start, end, *(max(start, min(end, edge)) for span in spans for edge in (span.start, span.end))}
    cuts |= {max(start, min(end, edge)) for link in links for edge in (link.start, link.end)}
    inside = []
    opened: Link | None = None
    for here, there in pairwise([*sorted(cuts), end]):
        inside += [_textless(link) for link in links if link.start == link.end and max(link.start, start) == here]
        if opened and opened.end <= here:
            inside.append("</a>")
            opened = None
        link = next((one for one in links if one.start == here < one.end), None)
        if link is not None:
            inside.append(f"<a{_attributes(link)}>")
            opened = link
        if here < there:
            position = next((span.position for span in spans if span.start <= here < span.end), Position.OTHER)
            text = html.escape(page.text[here:there])
            inside.append(text if opened else _marked(text, position, page.url))
    if opened:
        inside.append("</a>")
    return f"<{block}>{''.join(inside)}</{block}>\n"


def _marked(text: str, position: Position, page_url: str) -> str:
    if position == Position.ANCHOR:  # a link that is not recorded, because it leads to the page itself
        return f"<a href={_quoted(page_url)}>{text}</a>"
    tag = TAGS.get(position)
    return text if tag is None else f"<{tag}>{text}</{tag}>"


def _textless(link: Link) -> str:
    alt = f" alt={_quoted(link.anchor)}" if link.anchor else ""
    return f"<a{_attributes(link)}><img{alt}></a>"


def _attributes(link: Link) -> str:
    title = f" title={_quoted(link.title)}" if link.title else ""
    rel = f" rel={_quoted(' '.join(sorted(link.rel)))}" if link.rel else ""
    return f" href={_quoted(link.url)}{title}{rel}"


def _quoted(value: str) -> str:
    return '"' + html.escape(value) + '"'


def rebuilt_records(
    answers: Iterable[RecordedAnswer], moment: Callable[[str], str | None], info: str
) -> Iterator[tuple[str, bytes | None]]:
    """Address and record of each answer. `moment`: gives the time of the fetch of an address (ISO text); answers
    without one are skipped.
    """
    for answer in answers:
        fetched_at = moment(answer.url)
        if fetched_at is not None:
            yield answer.url, rebuilt_record(answer, datetime.fromisoformat(fetched_at), info)
