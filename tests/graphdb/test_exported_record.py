"""The record as tables: which pages, and what belongs to them, in one state while the crawl goes on."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url

from graphdb.record.sqlite_store import SqliteStore, open_record
from semantic.page import Page
from semantic.parsing.page_reader import pack
from semantic.records import Batch, MentionRecord, PageRecord

MENTION = MentionRecord("urn:ice", 2, 0.5, {"title": 2})


def page(number: int, *, on_topic: bool, links: tuple = ()) -> PageRecord:
    url, parent = page_url(number), 0 if number else None
    read = fetched(number, parent=parent, links=links, depth=min(number, 1), on_topic=on_topic)
    content = pack(Page(url, f"page {number}", "one\u2029two", (), ()))
    return replace(read, order=number + 1, content=content, mentions=(MENTION,), fetched_at=f"2026-11-28T0{number}:00")


@pytest.fixture
def store(tmp_path) -> Iterator[SqliteStore]:
    """0 -> 1 -> 2, on topic -> 0, 3 that waits; 4 is a copy of 1."""
    pages = (
        page(0, on_topic=False, links=(link(1, 0.5), link(4, 0.5))),
        page(1, on_topic=True, links=(link(2, 0.5),)),
        page(2, on_topic=True, links=(link(0, None), link(3, 0.25))),
        replace(page(4, on_topic=False), order=None, content=None, mentions=(), copy_of=page_url(1)),
    )
    with closing(open_record(tmp_path / "crawl.sqlite")) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        store.save(Batch(pages=pages))
        yield store


@pytest.mark.parametrize(
    ("which", "pages", "links", "mentions"),
    [
        ("all", {0, 1, 2, 3, 4}, {(0, 1), (0, 4), (1, 2), (2, 0), (2, 3)}, {0, 1, 2}),
        ("fetched", {0, 1, 2, 4}, {(0, 1), (0, 4), (1, 2), (2, 0)}, {0, 1, 2}),
        ("on-topic", {1, 2}, {(1, 2)}, {1, 2}),
    ],
)
def test_the_wanted_pages_come_with_what_is_theirs(store, which, pages, links, mentions):
    number = {page_url(n): n for n in range(5)}
    with store.exported(which) as exported:
        assert {number[row["url"]] for row in exported.pages()} == pages
        assert {(number[row["source"]], number[row["target"]]) for row in exported.links()} == links
        assert {number[row["page"]] for row in exported.mentions()} == mentions
        assert {n for url, n in number.items() if exported.moment(url)} == pages - {3}


def test_every_table_has_its_columns_with_their_types(store):
    types = {"text": str, "whole": int, "number": float, "truth": bool, "moment": str, "texts": list}
    with store.exported("all", text="all") as exported:
        tables = {name: (columns, list(rows)) for name, columns, rows in exported.tables()}
    for columns, rows in tables.values():
        for row in rows:
            assert row.keys() == {column.name for column in columns}
            assert {type(row[column.name]) in (types[column.kind], type(None)) for column in columns} == {True}
    pages = {row["url"]: row for row in tables["pages"][1]}
    assert pages[page_url(4)]["copy_of"] == page_url(1) and pages[page_url(4)]["text"] is None
    assert pages[page_url(2)]["text"] == "one\ntwo"
    assert [url for url, row in pages.items() if row["seed"]] == [page_url(0)]
    assert {row["iri"]: row["narrower"] for row in tables["concepts"][1]} == {"urn:ice": ["urn:snow"], "urn:snow": []}


def test_what_is_saved_meanwhile_is_not_in_the_tables(store):
    with store.exported("all") as exported:
        before = len(list(exported.pages()))
        store.save(Batch(pages=(page(3, on_topic=True, links=(link(9, 0.5),)),)))
        assert len(list(exported.pages())) == before
        assert page_url(9) not in {row["target"] for row in exported.links()}
    with store.exported("all") as exported:
        assert page_url(9) in {row["target"] for row in exported.links()}
