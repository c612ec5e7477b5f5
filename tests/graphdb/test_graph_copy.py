"""`ontocrawl copy`: an embedded crawl to Neo4j, nothing lost, and again without doubles."""

from dataclasses import replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url
from store_snapshots import snapshot

from benchmarks import neo4j_server
from graphdb.stores import copy
from ontology.errors import StoreError
from semantic.records import Batch, Counters, MentionRecord, PageRecord, SiteRecord


@pytest.fixture
def target(neo4j, neo4j_kept, monkeypatch):
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.USER)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j.password)
    return neo4j_kept


def test_a_copy_is_the_same_graph_and_goes_on_as_the_same_crawl(embedded_folder, embedded_kept, target, neo4j):
    source = embedded_kept.store
    source.open_crawl(CRAWL, CONCEPTS, [SEED])
    first = fetched(0, links=tuple(link(n, 1 / n) for n in range(1, 120)), on_topic=True)
    second = PageRecord(
        url="http://two.example/",
        status="fetched",
        content=bytes(range(256)),
        mentions=(MentionRecord("urn:ice", 3, 0.5, {"h1": 3}),),
        links=(link(1, None), link(500, None)),
    )
    same = replace(fetched(1, parent=0), order=None, copy_of=SEED.url)
    counters = Counters(pages=2, on_topic=1, seconds=1.5, copies=1)
    source.save(
        Batch(
            pages=(first, second, same),
            sites=(SiteRecord("two.example", 2.0, "User-agent: *"),),
            counters=counters,
            memory=b"\x00model",
        )
    )
    told: list[int] = []
    assert copy(str(embedded_folder), neo4j.uri, told.append) == 122
    assert told == [50, 100, 122]
    assert copy(str(embedded_folder), neo4j.uri) == 122
    assert snapshot(target.store) == snapshot(source)
    assert snapshot(source)["copies"] == {(page_url(1), SEED.url): {}}
    assert target.store.link_graph() == source.link_graph()
    resumed = target.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    assert (resumed.previous, resumed.counters, resumed.memory) == (CRAWL, counters, b"\x00model")
    assert list(target.store.queued()) == list(source.queued())


def test_another_crawl_in_the_target_is_left_alone(embedded_folder, embedded_kept, target, neo4j):
    embedded_kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    target.store.open_crawl(replace(CRAWL, id="other"), [], [])
    with pytest.raises(StoreError, match="another crawl"):
        copy(str(embedded_folder), neo4j.uri)
    assert snapshot(target.store)["pages"] == {}


def test_a_store_is_not_copied_to_itself(tmp_path):
    for one, other in (("bolt://h:7687", "bolt://h:7687/"), (str(tmp_path / "s"), f"{tmp_path}/x/../s")):
        with pytest.raises(StoreError, match="to itself") as caught:
            copy(one, other)
        assert "--to" in caught.value.cure


def test_a_store_without_a_crawl_is_told(embedded_folder, embedded_kept, target, neo4j):
    with pytest.raises(StoreError, match="no crawl to copy"):
        copy(str(embedded_folder), neo4j.uri)
