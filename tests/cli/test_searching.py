"""`ontocrawl search` in the record of a crawl."""

import sqlite3
from contextlib import closing

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, page_url
from test_end_to_end import ontocrawl

from cli.stores.searching import search
from graphdb.record.database import Database
from graphdb.record.sqlite_store import SqliteStore, open_record
from graphdb.record.text_index import read_words
from ontology.errors import StoreError
from semantic.page import Page
from semantic.parsing.page_reader import pack
from semantic.records import Batch, MentionRecord, PageRecord

pytestmark = pytest.mark.slow


def page(number: int, title: str, text: str, *, relevance: float, at: str) -> PageRecord:
    return PageRecord(
        url=page_url(number),
        status="fetched",
        depth=1,
        http_status=200,
        fetched_at=at,
        order=number,
        title=title,
        relevance=relevance,
        on_topic=relevance > 0.5,
        content=pack(Page(page_url(number), title, text, (), ())),
        mentions=(MentionRecord("urn:ice", 2, 0.4, {"title": 1}),) if "ice" in text else (),
        kind="article",
    )


def test_pages_are_found_with_what_the_crawl_says_of_them(record):
    store = record
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    one = page(1, "Ice", "all about ice and 冰晶", relevance=0.9, at="2026-01-01T00:00:01")
    two = page(2, "Snow", "no ice here, but 冰", relevance=0.1, at="2026-01-01T00:00:02")
    store.save(Batch(pages=(one, two)))
    found = search(store, read_words(["冰晶"]), most=5)
    (hit,) = found.hits
    assert (hit.url, hit.title, hit.relevance, hit.on_topic, hit.kind) == (page_url(1), "Ice", 0.9, True, "article")
    assert (hit.concepts, hit.snippet) == (("ice",), "all about ice and [冰晶]")
    assert [hit.url for hit in search(store, read_words(["ice"]), most=5).hits] == [page_url(1), page_url(2)]
    assert [hit.url for hit in search(store, read_words(["ice"]), most=5, on_topic=True).hits] == [page_url(1)]
    store.save(Batch(pages=(page(3, "New", "later 冰晶", relevance=0.2, at="2026-01-01T00:00:02"),)))
    assert len(search(store, read_words(["冰晶"]), most=5).hits) == 2
    some = search(store, read_words(["冰晶", "here"]), most=5)
    assert (some.every, len(some.hits)) == (False, 3)


def test_a_store_in_memory_says_that_it_cannot(tmp_path):
    told = ontocrawl(tmp_path, "search", "tea", "--store", "memory:")
    assert (told.returncode, "answers no queries" in told.stderr) == (2, True)


def test_nothing_to_search_for_is_a_mistake(tmp_path):
    assert ontocrawl(tmp_path, "search", "?!").returncode == 2


def test_an_empty_store_has_no_crawl_to_search(record):
    with pytest.raises(StoreError, match="no crawl"):
        search(record, read_words(["tea"]), most=5)


def test_a_locked_store_is_searched_as_it_is_indexed(tmp_path, capsys):
    file = tmp_path / "crawl.sqlite"
    with closing(open_record(file)) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        store.save(Batch(pages=(page(1, "Ice", "ice", relevance=0.9, at="2026-01-01T00:00:01"),)))
        assert len(search(store, read_words(["ice"]), most=5).hits) == 1
        store.save(Batch(pages=(page(2, "Snow", "ice", relevance=0.9, at="2026-01-01T00:00:02"),)))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(SqliteStore(Database(file, patience=0.01))) as store:
            assert len(search(store, read_words(["ice"]), most=5).hits) == 1
    assert capsys.readouterr().err.endswith(": 1\n")
