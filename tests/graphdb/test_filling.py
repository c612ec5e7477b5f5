"""A graph filled from a record is the record as a graph, whatever happened in between."""

import json
import random
from contextlib import closing
from dataclasses import asdict, replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, random_batches
from store_snapshots import graph_snapshot, snapshot, totals, without_contents

from graphdb.graph import filling
from graphdb.graph.filling import fill, marks_in, state_of
from graphdb.graph.link_graph import link_graph_of
from graphdb.graph.reading_back import compare, restore
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.database import Database
from graphdb.record.noted_changes import NotedChanges
from graphdb.record.sqlite_store import SqliteStore, open_record
from ontology.errors import StoreError
from semantic.page import UNDECLARED, Declared
from semantic.reasons import Reason
from semantic.records import Batch, CopyRecord, Counters, HostRecord, TrapRecord

NAME = "graph"
LABELS = "MATCH (p:Page) RETURN p.url AS url, labels(p) AS labels"


@pytest.fixture
def crawled(tmp_path) -> SqliteStore:
    with closing(open_record(tmp_path / "crawl.sqlite")) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        yield store


@pytest.fixture
def source(crawled, tmp_path) -> NotedChanges:
    with closing(Database(tmp_path / "crawl.sqlite", create=False)) as database:
        yield NotedChanges(database)


def save_all(store: SqliteStore, seed: int) -> None:
    for batch in random_batches(random.Random(seed)):
        store.save(batch)


def is_filled(graph: Connection, store: SqliteStore, *, with_contents: bool = False) -> bool:
    """Whether the graph is the record; else it is said where not."""
    record = snapshot(store)
    there, here = graph_snapshot(graph), record if with_contents else without_contents(record)
    for kind in here:
        assert there[kind] == here[kind], kind
    return True


@pytest.mark.parametrize("seed", range(3))
def test_a_graph_has_the_record_after_each_batch(graph, crawled, source, seed):
    for batch in random_batches(random.Random(seed)):
        crawled.save(batch)
        crawled.save(Batch(copies=tuple(CopyRecord(page.url, batch.pages[0].url) for page in batch.pages[3:])))
        crawled.save(Batch(pages=batch.pages[3:4], counters=batch.counters))
        fill(source, graph, NAME)
        assert is_filled(graph, crawled)
    assert compare(source, graph)["links"] > 100
    assert len(graph_snapshot(graph)["pages"]) > 100
    for most in (0, 100):
        assert link_graph_of(graph, most) == crawled.link_graph(most)
        assert crawled.link_graph(most).links


def test_everything_that_is_judged_again_comes_to_the_graph(graph, crawled, source):
    save_all(crawled, 4)
    fill(source, graph, NAME)
    crawled.set_threshold(0.5)
    crawled.mark_for_recrawl()
    crawled.save_hosts([HostRecord("one.example", banned=True, raised=0.0)])
    crawled.save_traps([TrapRecord("*", "pattern", Reason("directories that repeat"), page_url(1), 3)])
    crawled.open_crawl(
        replace(CRAWL, fingerprint="other"),
        [replace(CONCEPTS[0], narrower=())],
        [SEED._replace(url="http://new.example/")],
    )
    fill(source, graph, NAME)
    assert is_filled(graph, crawled)
    crawled.find_ways()
    fill(source, graph, NAME)
    assert is_filled(graph, crawled)


@pytest.mark.parametrize("parts", range(1, 10))
def test_an_interrupted_filling_goes_on_where_it_was(engine_graph, crawled, source, parts, monkeypatch):
    for name in ("PAGES_AT_ONCE", "CHANGES_AT_ONCE"):
        monkeypatch.setattr(filling, name, 40)
    batches = random_batches(random.Random(7))
    for batch in batches[:4]:
        crawled.save(batch)
    write, left = engine_graph.write, parts

    def break_off(work):
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        return write(work)

    monkeypatch.setattr(engine_graph, "write", break_off)
    with pytest.raises(KeyboardInterrupt):
        fill(source, engine_graph, NAME)
    monkeypatch.setattr(engine_graph, "write", write)
    for batch in batches[4:]:
        crawled.save(batch)
    fill(source, engine_graph, NAME)
    assert is_filled(engine_graph, crawled)


def test_a_part_that_is_sent_again_changes_nothing(engine_graph, crawled, source, monkeypatch):
    save_all(crawled, 1)
    write = engine_graph.write

    def twice(work):
        write(work)
        return write(work)

    monkeypatch.setattr(engine_graph, "write", twice)
    fill(source, engine_graph, NAME)
    assert is_filled(engine_graph, crawled)


def test_changes_are_forgotten_when_every_graph_has_them(engine_graph, crawled, source):
    save_all(crawled, 2)
    assert not list(crawled.read("SELECT * FROM changes"))
    fill(source, engine_graph, NAME)
    crawled.save(Batch(pages=(fetched(90, links=(link(91, 0.5),)),)))
    assert list(crawled.read("SELECT * FROM changes"))
    source.admit("bolt://another", "1")
    fill(source, engine_graph, NAME)
    assert not list(crawled.read("SELECT * FROM changes"))
    crawled.save(Batch(pages=(fetched(92),)))
    fill(source, engine_graph, NAME)
    assert list(crawled.read("SELECT * FROM changes")), "the other graph does not have them"


def test_pages_have_their_labels(neo4j_graph, crawled, source):
    save_all(crawled, 3)
    crawled.save(Batch(copies=(CopyRecord(page_url(1), SEED.url),)))
    fill(source, neo4j_graph, NAME)
    for _ in range(2):
        found = {row["url"]: set(row["labels"]) - {"Page"} for row in neo4j_graph.read(LABELS)}
        for row in crawled.read("SELECT * FROM pages"):
            expected = {
                "OnTopic": row["on_topic"],
                "Waiting": row["status"] == "queued",
                "Listing": row["kind"] == "listing",
                "Seed": row["is_seed"],
                "Copy": row["copy_of"],
            }
            assert found[row["url"]] == {name for name, is_so in expected.items() if is_so}
        crawled.set_threshold(0.3)
        crawled.save(Batch(pages=(replace(fetched(5), kind="listing"),)))
        fill(source, neo4j_graph, NAME)


@pytest.mark.parametrize("since", ["p.published >= '2024'", "date(p.published) >= date('2024-01-01')"])
def test_days_of_pages_are_compared(graph, crawled, source, since):
    days = (Declared("2023-12-31"), Declared("2024-01-01", "2024-02-02", "json-ld", "茶人", "茶"), UNDECLARED)
    crawled.save(Batch(pages=tuple(replace(fetched(n), declared=day) for n, day in enumerate(days))))
    fill(source, graph, NAME)
    asked = f"MATCH (p:Page) WHERE {since} RETURN p.url AS url, p.modified AS changed, p.author AS author"
    assert list(graph.read(asked)) == [{"url": page_url(1), "changed": "2024-02-02", "author": "茶人"}]
    assert is_filled(graph, crawled)


def test_marks_set_in_a_graph_are_found_and_stay(neo4j_graph, crawled, source):
    crawled.save(Batch(pages=tuple(fetched(number) for number in range(5))))
    crawled.mark({page_url(0): "good", page_url(1): "bad"})
    fill(source, neo4j_graph, NAME)
    assert marks_in(source, neo4j_graph, NAME) == {}
    for number, verdict in ((0, None), (1, "hub"), (2, "bad")):
        marked = {"url": page_url(number), "verdict": verdict}
        neo4j_graph.write(
            lambda run, marked=marked: run("MATCH (p:Page {url: $url}) SET p.verdict = $verdict", **marked)
        )
    crawled.mark({page_url(3): "good"})
    there = {page_url(0): None, page_url(1): "hub", page_url(2): "bad"}
    assert marks_in(source, neo4j_graph, NAME) == there
    crawled.save(Batch(pages=(fetched(2, links=(link(3, 0.5),)),)))
    fill(source, neo4j_graph, NAME)
    assert marks_in(source, neo4j_graph, NAME) == there, "filling a page leaves its mark"
    crawled.mark(there)
    fill(source, neo4j_graph, NAME)
    assert marks_in(source, neo4j_graph, NAME) == {}
    assert is_filled(neo4j_graph, crawled)


def test_a_record_is_made_again_from_a_graph_with_contents(graph, crawled, source, tmp_path):
    save_all(crawled, 5)
    crawled.mark({page_url(0): "good"})
    fill(source, graph, NAME, with_contents=True)
    crawled.save(Batch(pages=(replace(fetched(95), content=b"later"),), counters=Counters(pages=7, on_topic=3)))
    fill(source, graph, NAME)
    assert compare(source, graph)["pages"] > 100
    with closing(Database(tmp_path / "again.sqlite")) as database:
        restore(graph, database)
    with closing(open_record(tmp_path / "again.sqlite")) as again:
        assert {**snapshot(again), "traps": []} == {**snapshot(crawled), "traps": []}
        assert totals(again) == totals(crawled) and totals(again).on_topic == 3
        assert list(again.stored_pages()) == list(crawled.stored_pages())
        assert list(again.queued()) == list(crawled.queued())


def test_a_graph_without_contents_makes_no_record(engine_graph, crawled, source, tmp_path):
    save_all(crawled, 5)
    fill(source, engine_graph, NAME)
    with closing(Database(tmp_path / "again.sqlite")) as database, pytest.raises(StoreError, match="texts of pages"):
        restore(engine_graph, database)


def test_a_graph_of_something_else_is_refused(engine_graph, crawled, source, tmp_path):
    engine_graph.write(lambda run: run("CREATE (:Dog)"))
    with pytest.raises(StoreError, match="something else"):
        fill(source, engine_graph, NAME)
    engine_graph.write(lambda run: run("MATCH (n) DETACH DELETE n"))
    fill(source, engine_graph, NAME)
    with closing(open_record(tmp_path / "other.sqlite")) as other:
        other.open_crawl(replace(CRAWL, id="other"), CONCEPTS, [SEED])
        other_source = NotedChanges(Database(tmp_path / "other.sqlite"))
        with pytest.raises(StoreError, match="another crawl"):
            fill(other_source, engine_graph, NAME)
    state = state_of(engine_graph)
    engine_graph.write(
        lambda run: run("MATCH (c:Crawl) SET c.filled = $to", to=json.dumps(asdict(replace(state, change=10**6))))
    )
    with pytest.raises(StoreError, match="filled from a copy"):  # of a later state of the record
        fill(source, engine_graph, NAME)
    engine_graph.write(lambda run: run("MATCH (c:Crawl) SET c.filled = $to", to=json.dumps(asdict(state))))
    source.admit(NAME, "of a copy")
    with pytest.raises(StoreError, match="filled from a copy"):
        fill(source, engine_graph, NAME)
    assert state_of(engine_graph) == state


def test_what_differs_is_found(engine_graph, crawled, source):
    save_all(crawled, 6)
    fill(source, engine_graph, NAME)
    engine_graph.write(lambda run: run("MATCH (p:Page {url: $url}) SET p.title = 'other'", url=SEED.url))
    with pytest.raises(StoreError, match=SEED.url):
        compare(source, engine_graph)
