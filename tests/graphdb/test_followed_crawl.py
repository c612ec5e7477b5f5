"""A Neo4j server follows a crawl: filled while it runs, read for the link graph, away without harm."""

import time
from contextlib import closing
from dataclasses import replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, queued
from store_snapshots import graph_snapshot, snapshot, without_contents

from benchmarks import neo4j_server
from graphdb.graph.followed_crawl import FollowedCrawl
from graphdb.record.sqlite_store import open_record
from graphdb.stores import copy, open_store
from ontology.errors import StoreError
from semantic.records import Batch

pytestmark = pytest.mark.slow


@pytest.fixture
def named(neo4j, monkeypatch):
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.USER)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j.password)
    return neo4j.uri


def within(seconds: float, holds) -> bool:
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.1)
    return holds()


def test_a_server_has_what_is_saved_and_the_link_graph(neo4j_graph, named, tmp_path):
    told: list[str] = []
    with closing(open_record(tmp_path / "crawl.sqlite")) as store, closing(FollowedCrawl(named, told.append)) as graph:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        assert graph.link_graph(0) is None
        graph.begin(tmp_path / "crawl.sqlite")
        store.save(Batch(pages=(fetched(0, links=(link(1, 0.5),), new=(queued(1, 0.5),)),)))
        store.save(Batch(pages=(replace(fetched(1, parent=0, depth=1), on_topic=True),)))
        found = graph.link_graph(0)
        assert found == store.link_graph()
        assert found.links == ((page_url(0), page_url(1)),)
        store.save(Batch(pages=(fetched(2),)))
        neo4j_graph.write(lambda run: run("MATCH (p:Page {url: $url}) SET p.verdict = 'good'", url=page_url(1)))
        assert within(30, lambda: graph.marks() == {page_url(1): "good"})
        store.save(Batch(pages=(fetched(3),)))
        graph.close()
        store.mark({page_url(1): "good"})
        assert graph_snapshot(neo4j_graph) == without_contents(snapshot(store))
    assert told == []


def test_a_server_that_went_away_costs_nothing(neo4j_graph, named, tmp_path, monkeypatch):
    told: list[str] = []
    with closing(open_record(tmp_path / "crawl.sqlite")) as store, closing(FollowedCrawl(named, told.append)) as graph:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        monkeypatch.setenv("NEO4J_PASSWORD", "wrong")  # as the child sees it
        graph.begin(tmp_path / "crawl.sqlite")
        assert within(30, lambda: bool(told))
        assert graph.link_graph(0) is None
        store.save(Batch(pages=(fetched(0),)))
    assert "copy" in told[-1]


def test_a_crawl_is_copied_to_a_server_and_back(neo4j_graph, named, tmp_path):
    with closing(open_store(str(tmp_path / "one"))) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
        store.save(Batch(pages=(replace(fetched(0, links=(link(1, 0.5),)), content=b"text"),)))
        before = snapshot(store)
    assert copy(str(tmp_path / "one"), named)["links"] == 1
    with pytest.raises(StoreError, match="texts of pages"):
        copy(named, str(tmp_path / "two"))
    with pytest.raises(StoreError, match="without the contents") as refused:
        copy(str(tmp_path / "one"), named, with_contents=True)
    assert "--anew" in refused.value.cure
    copy(str(tmp_path / "one"), named, with_contents=True, anew=True)
    assert not (tmp_path / "two" / "crawl.sqlite").exists()
    copy(named, str(tmp_path / "two"))
    copy(str(tmp_path / "two"), str(tmp_path / "three"))
    for name in ("two", "three"):
        with closing(open_store(str(tmp_path / name), create=False)) as store:
            assert snapshot(store) == before
    with pytest.raises(StoreError, match="there is a crawl"):
        copy(str(tmp_path / "one"), str(tmp_path / "two"))
    with pytest.raises(StoreError, match="filled from a copy"):
        copy(str(tmp_path / "two"), named)
