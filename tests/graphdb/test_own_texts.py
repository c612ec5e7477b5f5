"""What pages say themselves is decided again when their host is known better."""

from contextlib import closing
from dataclasses import replace

import pytest

from graphdb.record.own_texts import AGAIN
from graphdb.record.sqlite_store import open_record
from graphdb.record.text_index import read_words
from semantic.page import PARAGRAPH, Page
from semantic.parsing.page_reader import pack
from semantic.parsing.repeated_blocks import packed_parts, parts_of
from semantic.records import Batch, ConceptRecord, JudgedRecord, MentionRecord, PageRecord, QueuedRecord
from tests.records_at_hand import CRAWL

MENU = MentionRecord("urn:menu", 1, 0.5, {"other": 1}, (8 * 0 + 6,))
BODY = MentionRecord("urn:ice", 2, 0.5, {"other": 2}, (8 * 0 + 6, 8 * 1 + 6))


def address(number: int) -> str:
    return f"http://example.org/{number}"


def fetched(number: int) -> PageRecord:
    """A page that says `menu of ice` as all do, and something of its own."""
    page = Page(address(number), "", PARAGRAPH.join(("menu of ice", f"ice {number}")), (), ())
    return PageRecord(
        url=page.url,
        status="fetched",
        order=number,
        content=pack(page),
        parts=packed_parts(page, parts_of(page)),
        mentions=(MENU, BODY),
    )


@pytest.fixture
def store(tmp_path):
    with closing(open_record(tmp_path / "crawl.sqlite")) as opened:
        concepts = [ConceptRecord(iri=iri, label=iri) for iri in ("urn:menu", "urn:ice")]
        opened.open_crawl(CRAWL, concepts, [QueuedRecord(address(0), 1.0, 0)])
        yield opened


def mentions(store) -> list[tuple[str, int]]:
    rows = store.read(
        "SELECT iri, count FROM mentions JOIN concepts ON concepts.id = concept JOIN pages ON pages.id = page "
        "WHERE url = ? ORDER BY iri",
        (address(1),),
    )
    return [(row["iri"], row["count"]) for row in rows]


def test_mentions_in_a_menu_go_when_the_host_is_known(store):
    store.save(Batch(pages=tuple(map(fetched, range(3)))))
    assert mentions(store) == [("urn:ice", 2), ("urn:menu", 1)]
    store.decide_own_texts()
    assert mentions(store) == [("urn:ice", 1)]
    assert [own for _, own in store.contents([address(1), address(9)])] == [bytes([0, 1]), None]


def test_a_crawl_decides_each_time_it_has_doubled(store):
    store.save(Batch(pages=tuple(map(fetched, range(AGAIN - 1)))))
    assert ("urn:menu", 1) in mentions(store)
    store.save(Batch(pages=(fetched(AGAIN - 1),)))
    assert mentions(store) == [("urn:ice", 1)]


def test_what_is_judged_again_is_counted_in_own_text(store):
    store.save(Batch(pages=tuple(map(fetched, range(3)))))
    store.decide_own_texts()
    again = replace(BODY, count=3, places=(*BODY.places, 8 * 1 + 0))
    store.save(Batch(judged=(JudgedRecord(address(1), 1.0, True, (), (MENU, again)),)))
    assert mentions(store) == [("urn:ice", 2)]


def test_a_search_finds_no_menus(store):
    index = store.texts()
    store.save(Batch(pages=tuple(map(fetched, range(3)))))
    index.add(index.missing())
    assert len(list(index.find(read_words(["menu"])))) == 3
    store.decide_own_texts()
    index.add(index.missing())
    assert not list(index.find(read_words(["menu"])))
    assert len(list(index.find(read_words(["ice"])))) == 3
