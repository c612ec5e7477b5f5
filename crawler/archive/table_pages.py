"""Turns the rows of a table (a CSV file of another crawler, for instance) into WARC records of pages."""

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from crawler.archive.warc_format import pack_response
from crawler.archive.warc_reading import LARGEST
from crawler.ports import Exchange
from ontology.messages import message
from semantic.urls import normalise

FROM_TABLE = message("pages are made of the rows of a table: address, title, text, and links")
# Names of columns, in lower case; the first one that has a value is used.
ADDRESS = ("url", "address", "uri", "link", "网址")
TITLE = ("title", "标题")
TEXT = ("text", "content", "body", "正文")
MARKUP = ("html", "markup")
LANGUAGE = ("language", "lang", "语言")
MOST = LARGEST - 100_000  # bytes of a page, so that its record can be read again
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # for a row without a time

Row = Mapping[str, str]
Links = Callable[[str], Sequence[tuple[str, str]]]  # address -> (target, anchor) of its links


def first_of(row: Row, names: Sequence[str]) -> str:
    """The value of the first of these columns that has one."""
    return next((row[name] for name in names if row.get(name)), "")


def table_records(rows: Iterable[Row], links: Links, info: str) -> Iterator[tuple[str, bytes | None]]:
    """Address and WARC record of each row; None for a row that is not a page: a status other than fetched or 200, no
    address, no content, or more than would be read again (`MOST`).
    """
    for row in rows:
        typed = first_of(row, ADDRESS)
        url = normalise(typed)
        body = _body(row, links(url) if url else ())
        if url is None or not 0 < len(body) <= MOST or row.get("status", "") not in ("", "fetched", "200"):
            yield typed, None
            continue
        header = (b"Content-Type", b"text/html; charset=utf-8")
        exchange = Exchange(
            url=url,
            sent=_moment(row.get("fetched_at", "")),
            request_line=b"",
            request_headers=(),
            status_line=b"HTTP/1.1 200 OK",
            headers=(header, (b"Content-Length", b"%d" % len(body))),
            body=body,
        )
        yield url, pack_response(exchange, info)


def _body(row: Row, links: Sequence[tuple[str, str]]) -> bytes:
    markup, title, text = (first_of(row, names) for names in (MARKUP, TITLE, TEXT))
    if not (markup or title or text):
        return b""
    language = first_of(row, LANGUAGE)
    tag = f' lang="{html.escape(language)}"' if language else ""
    paragraphs = "".join(f"<p>{html.escape(line)}</p>\n" for line in _lines(title, text))
    shown = "".join(f'<li><a href="{html.escape(url)}">{html.escape(words)}</a></li>\n' for url, words in links)
    whole = markup or f"<html{tag}><head><title>{html.escape(title)}</title></head><body>\n{paragraphs}</body></html>"
    return f"{whole}\n<ul>{shown}</ul>".encode("utf-8", "replace") if shown else whole.encode("utf-8", "replace")


def _lines(title: str, text: str) -> list[str]:
    """The paragraphs, without the title with which an export's text begins."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[1:] if lines and lines[0].strip() == title.strip() else lines


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return EPOCH
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
