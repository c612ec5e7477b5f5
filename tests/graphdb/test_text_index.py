"""Pages found by their words: Chinese by any part of a text, English in other forms, best first."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched

from graphdb.record.database import Database
from graphdb.record.sqlite_store import SqliteStore, open_record
from graphdb.record.text_index import TextIndex, marked, read_words
from ontology.errors import StoreAway
from semantic.page import Page
from semantic.parsing.page_reader import pack
from semantic.records import Batch, CopyRecord, PageRecord

PAGES = (
    ("green", "绿茶的制作", "手工绿茶的四道工序：采青、杀青、揉捻、烘干。"),
    ("list", "List", "Brewing teas: green teas, black teas. AI茶 online."),
    ("trad", "綠茶與紅茶", "傳統的綠茶，在台灣。"),
    ("cars", "Cars", "Engines and wheels; a tea break."),
)


def page(name: str, title: str, text: str, order: int = 1) -> PageRecord:
    url = f"http://a.example/{name}"
    return replace(fetched(0), url=url, title=title, content=pack(Page(url, title, text, (), ())), order=order)


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "crawl.sqlite"


@pytest.fixture
def store(file) -> Iterator[SqliteStore]:
    with closing(open_record(file)) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        store.save(Batch(pages=tuple(page(*about, order=n) for n, about in enumerate(PAGES, 1))))
        yield store


@pytest.fixture
def beside(file, store) -> Iterator[TextIndex]:
    """The index as another process has it, while that of `store` holds the lock of the one that writes."""
    with closing(open_record(file)) as other:
        yield other.texts()


@pytest.fixture
def index(store) -> TextIndex:
    index = store.texts()
    index.add(index.missing())
    return index


def found(index: TextIndex, *words: str) -> list[str]:
    return [url.rpartition("/")[2] for url in index.find(read_words(words))]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["绿茶"], {"green", "trad"}),  # traditional characters, too
        (["茶的制"], {"green"}),  # no word, but a part of the text
        (["茶"], {"green", "trad", "list"}),
        (["序"], {"green"}),  # the last before a sign
        (["茶绿"], set()),
        (["tea"], {"list", "cars"}),  # teas
        (["green", "tea"], {"list"}),
        (['"green teas"'], {"list"}),
        (['"teas green"'], {"list"}),  # "Brewing teas: green"
        (['"black green"'], set()),
        (["tea", "-green"], {"cars"}),
        (["AI茶"], {"list"}),
        (["NEAR(", "OR", "tea*"], set()),  # words as any others: OR stands on no page
        (["ＴＥＡ"], {"list", "cars"}),  # full width
    ],
)
def test_words_find_their_pages(index, words, names):
    assert set(found(index, *words)) == names


def test_a_word_in_the_title_comes_first(store, index):
    store.save(Batch(pages=(page("other", "Wheels", "A page about tea, tea and tea, and engines."),)))
    index.add(index.missing())
    assert found(index, "wheels")[0] == "other"


def test_a_page_fetched_again_is_known_as_it_is_now(store, index):
    assert index.missing() == []
    store.save(Batch(pages=(page("cars", "Trains", "Rails.", order=4),)))
    assert found(index, "engines") == []
    assert len(index.missing()) == 1 and index.size() == 3
    index.add(index.missing())
    assert (found(index, "engines"), found(index, "rails")) == ([], ["cars"])
    assert (index.size(), index.missing()) == (4, [])


def test_a_page_that_became_a_copy_is_not_found(store, index):
    store.save(Batch(copies=(CopyRecord("http://a.example/trad", "http://a.example/green"),)))
    assert (found(index, "绿茶"), index.size(), index.missing()) == (["green"], 3, [])


def test_two_searches_index_a_page_once(store, index, beside):
    store.save(Batch(pages=(page("new", "New", "oolong"), page("newer", "Newer", "oolong"))))
    missing = beside.missing()
    index.add(missing[:1])
    beside.add(missing)
    assert (sorted(found(index, "oolong")), index.size()) == (["new", "newer"], 6)


def test_what_a_crawl_replaces_meanwhile_is_indexed_later(store, index, monkeypatch):
    store.save(Batch(pages=(page("new", "New", "oolong"),)))
    missing, noting = index.missing(), Database.noting

    def save_first(database):
        monkeypatch.setattr(Database, "noting", noting)
        store.save(Batch(pages=(page("new", "New", "puer"),)))
        return noting(database)

    monkeypatch.setattr(Database, "noting", save_first)
    index.add(missing)
    assert (index.missing(), found(index, "oolong")) == (missing, [])
    index.add(missing)
    assert (found(index, "oolong"), found(index, "puer")) == ([], ["new"])


def test_a_search_beside_a_crawl_indexes_and_answers(store, beside):
    beside.add(beside.missing())
    store.save(Batch(pages=(page("new", "New", "oolong"),)))
    beside.add(beside.missing())
    assert found(beside, "oolong") == ["new"]


def test_a_locked_file_is_searched(store, index, file):
    store.save(Batch(pages=(page("new", "New", "oolong"),)))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(Database(file, patience=0.01)) as database:
            impatient = TextIndex(database)
            with pytest.raises(StoreAway):
                impatient.add(impatient.missing())
            assert found(impatient, "engines") == ["cars"]


def test_a_record_in_memory_is_searched_too():
    with closing(open_record(":memory:")) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        store.save(Batch(pages=(page("green", "绿茶", "绿茶"),)))
        index = store.texts()
        index.add(index.missing())
        assert found(index, "绿茶") == ["green"]


def test_a_snippet_marks_the_words_where_they_stand_together():
    text = "Menu tea. " + "x " * 60 + "A green tea, and black teas, as we brew them."
    told = marked(text, read_words(["green", "teas"]), 30)
    assert "[green] [tea], and black [teas]" in told
    assert told.startswith("…")
    assert marked("綠茶與紅茶", read_words(["绿茶"]), 30) == "[綠茶]與紅茶"
