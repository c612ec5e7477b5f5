"""The labels by which Neo4j Browser colours pages say what the pages are, after every save."""

from dataclasses import replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, queued

from benchmarks import neo4j_server
from graphdb.cypher.vocabulary import known_labels
from graphdb.stores import copy
from semantic.records import AskedRecord, Batch, CopyRecord, JudgedRecord

LABELS = {"OnTopic", "Seed", "Waiting", "Listing", "Copy"}


def labels(store) -> dict[str, set[str]]:
    rows = store.query("MATCH (p:Page) RETURN p.url AS url, labels(p) AS labels").rows
    return {row["url"].removeprefix("http://one.example/"): set(row["labels"]) - {"Page"} for row in rows}


@pytest.fixture
def store(neo4j_kept):
    """A seed that was fetched, a page on topic, a listing, a copy, and a link that waits."""
    store = neo4j_kept.store
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert labels(store) == {"0": {"Seed", "Waiting"}}
    seed = fetched(0, links=tuple(link(n, 0.5) for n in (1, 2, 3, 4)), new=tuple(queued(n, 0.5) for n in (1, 2, 3, 4)))
    listing = replace(fetched(2, parent=0, on_topic=True), kind="listing")
    same = replace(fetched(3, parent=0), copy_of=page_url(1), order=None)
    store.save(Batch(pages=(seed, replace(fetched(1, parent=0, on_topic=True), order=1), listing, same)))
    return store


def test_labels_say_what_each_page_is(store):
    assert labels(store) == {
        "0": {"Seed"},
        "1": {"OnTopic"},
        "2": {"OnTopic", "Listing"},
        "3": {"Copy"},
        "4": {"Waiting"},
    }
    assert known_labels() >= LABELS


def test_labels_follow_what_is_said_of_pages_later(store):
    judged = (
        JudgedRecord(url=page_url(1), relevance=0.1, on_topic=False, reasons=()),
        JudgedRecord(url=page_url(2), relevance=0.9, on_topic=True, reasons=(), kind="article"),
    )
    store.save(Batch(pages=(fetched(4, parent=0, on_topic=True),), judged=judged))
    assert {url: labels(store)[url] for url in "124"} == {"1": set(), "2": {"OnTopic"}, "4": {"OnTopic"}}
    store.save(Batch(asked=(AskedRecord(page_url(4), "", 404),)))
    assert labels(store)["4"] == set()
    store.save(Batch(pages=(fetched(5, parent=0),), copies=(CopyRecord(page_url(1), page_url(5)),)))
    assert (labels(store)["1"], labels(store)["3"], labels(store)["5"]) == ({"Copy"}, {"Copy"}, set())


def test_another_threshold_moves_the_label_of_results(store):
    store.connection.write(
        lambda run: run("MATCH (p:Page {status: 'fetched'}) SET p.order = 1, p.content = $c", c=b"x")
    )
    store.set_threshold(0.95)
    assert [url for url, found in labels(store).items() if "OnTopic" in found] == []


def test_a_store_without_labels_gets_them_when_it_is_opened(store):
    before = labels(store)
    store.connection.write(lambda run: run("MATCH (p:Page) REMOVE p:OnTopic:Seed:Waiting:Listing:Copy"))
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert labels(store) == before
    assert store.label_all() is False


def test_a_copy_in_neo4j_has_labels_and_no_memory(embedded_folder, embedded_kept, neo4j, neo4j_kept, monkeypatch):
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.USER)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j.password)
    source = embedded_kept.store
    source.open_crawl(CRAWL, CONCEPTS, [SEED])
    seed = fetched(0, links=(link(1, 0.5), link(2, 0.5)), on_topic=True)
    source.save(Batch(pages=(seed, replace(fetched(3, parent=0), copy_of=SEED.url, order=None)), memory=b"blob"))
    copy(str(embedded_folder), neo4j.uri)
    assert labels(neo4j_kept.store) == {"0": {"Seed", "OnTopic"}, "1": {"Waiting"}, "2": {"Waiting"}, "3": {"Copy"}}
    assert neo4j_kept.store.query("MATCH (m:Memory) RETURN count(m) AS n").rows[0]["n"] == 0
