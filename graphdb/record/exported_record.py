"""A crawl's record as tables of plain rows, which are yielded while they are read, for files of other programs."""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from graphdb.record.sql_statements import sql
from semantic.page import PARAGRAPH
from semantic.parsing.repeated_blocks import own_parts, own_text

Which = Literal["all", "fetched", "on-topic"]
Texts = Literal["all", "main"]
Kind = Literal["text", "whole", "number", "truth", "moment", "texts"]
Row = Mapping[str, Any]


class Column(NamedTuple):
    """A column of a table: its name and the type of its values. Any value may be None.

    `texts`: a list of texts. `moment`: a text in the form of ISO 8601; one without a zone is UTC.
    """

    name: str
    kind: Kind


def _columns(**kinds: Kind) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for name, kind in kinds.items())


PAGES = _columns(
    url="text",
    title="text",
    status="text",
    host="text",
    language="text",
    kind="text",
    on_topic="truth",
    relevance="number",
    verdict="text",
    seed="truth",
    depth="whole",
    order="whole",
    priority="number",
    discovered_from="text",
    copy_of="text",
    canonical="text",
    published="text",
    modified="text",
    dated_by="text",
    author="text",
    site_name="text",
    reserved="text",
    http_status="whole",
    fetched_at="moment",
    reasons="texts",
    chosen="texts",
)
TEXT = Column("text", "text")
LINKS = _columns(source="text", target="text", anchor="text", context="text", priority="number", position="whole")
MENTIONS = _columns(page="text", concept="text", label="text", count="whole", weight="number", positions="text")
CONCEPTS = _columns(
    iri="text",
    label="text",
    label_zh="text",
    label_en="text",
    names="texts",
    weight="number",
    layer="whole",
    gone="truth",
    narrower="texts",
)
SITES = _columns(host="text", delay="number", robots="text", away="moment")
CRAWL = _columns(
    id="text",
    topic="text",
    ontology="text",
    strategy="text",
    started_at="moment",
    pages="whole",
    on_topic="whole",
    requests="whole",
    errors="whole",
    seconds="number",
    copies="whole",
    settings="text",
)


@dataclass(frozen=True, slots=True)
class ExportedRecord:
    """The record of one crawl, in the one state that the connection sees.

    `which`: the pages to be exported; links and mentions are those of these pages, and links lead to these pages.
    `text`: pages have a column `text`, with a line for each paragraph of the whole page, or of what it says itself.
    """

    run: sqlite3.Connection
    which: Which = "all"
    text: Texts | None = None

    def tables(self) -> Iterator[tuple[str, tuple[Column, ...], Iterator[Row]]]:
        """Each table once: name, columns, rows."""
        yield "pages", self.page_columns, self.pages()
        yield "links", LINKS, self.links()
        yield "mentions", MENTIONS, self.mentions()
        yield "concepts", CONCEPTS, self.concepts()
        yield "sites", SITES, self._read("sites")
        yield "crawl", CRAWL, iter([self.crawl()])

    @property
    def page_columns(self) -> tuple[Column, ...]:
        """The columns of the table of pages."""
        return (*PAGES, TEXT) if self.text else PAGES

    def crawl(self) -> Row:
        """The row of the crawl."""
        return next(self._read("crawl"), {})

    def concepts(self) -> Iterator[Row]:
        """The ontology's concepts, and those that have left it and are still mentioned."""
        return self._read("concepts")

    def pages(self) -> Iterator[Row]:
        """The pages, in no particular order."""
        for row in self._read("pages"):
            content, own = row.pop("content"), row.pop("own")
            yield {**row, TEXT.name: _text(content, own, self.text)} if self.text else row

    def links(self) -> Iterator[Row]:
        """The links among these pages."""
        return self._read("links")

    def mentions(self) -> Iterator[Row]:
        """The mentions of concepts by these pages, one page after another."""
        return self._read("mentions")

    def moment(self, url: str) -> str | None:
        """The time at which a page was fetched (ISO text); None for one that is not exported."""
        return next((row["fetched_at"] for row in self._read("moment", url=url)), None)

    def _read(self, name: str, **given: object) -> Iterator[dict[str, Any]]:
        given |= {"which": self.which, "with_text": self.text is not None}
        return map(dict, self.run.execute(sql("export")[name], given))


def _text(content: bytes | None, own: bytes | None, which: Texts | None) -> str | None:
    from semantic.parsing.page_reader import (
        unpack,  # takes .2 s, and every command that opens a record imports this file
    )

    if content is None:
        return None
    page = unpack(content, "", contexts=False)
    return (own_text(page, own_parts(page, own)) if which == "main" else page.text).replace(PARAGRAPH, "\n")
