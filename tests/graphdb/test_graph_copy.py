"""`ontocrawl copy`: between an embedded store and Neo4j both ways, nothing lost, nothing double, broken off and on."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url
from store_snapshots import snapshot

from benchmarks import neo4j_server
from cli.stores.copy_and_serve import TOLD
from graphdb.cypher.statements import statements
from graphdb.stores import Store, copy, open_store
from ontology.errors import StoreError
from semantic.reasons import Reason
from semantic.records import Batch, Counters, MentionRecord, PageRecord, SiteRecord, TrapRecord

COUNTERS = Counters(pages=2, on_topic=1, seconds=1.5, copies=1)


@pytest.fixture
def target(neo4j, neo4j_kept, monkeypatch):
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.USER)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j.password)
    return neo4j_kept


def crawled(store: Store) -> None:
    """A crawl with everything that a graph may hold, in more than one part."""
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    pages = [fetched(n, links=(link(n + 1, 0.5), link(0, None)), on_topic=n % 2 == 0) for n in range(1, 130)]
    first = fetched(0, links=tuple(link(n, 1 / n) for n in range(1, 120)), on_topic=True)
    second = PageRecord(
        url="http://two.example/",
        status="fetched",
        content=bytes(range(256)),
        mentions=(MentionRecord(concept="urn:ice", count=3, weight=0.5, where={"h1": 3}),),
        links=(link(1, None), link(500, None)),
    )
    same = replace(fetched(600, parent=0), order=None, copy_of=SEED.url)
    sites = (SiteRecord(host="two.example", delay=2.0, robots="User-agent: *"),)
    whole = [replace(page, content=b"\x00text") for page in pages]
    store.save(Batch(pages=(first, second, same, *whole), sites=sites, counters=COUNTERS, memory=b"\x00model"))
    store.save_traps([TrapRecord("one.example/**", "host", Reason("directories that repeat"), page_url(500), 2)])


def test_a_crawl_goes_to_neo4j_and_back_unchanged(embedded_folder, embedded_kept, target, neo4j, tmp_path):
    source = embedded_kept.store
    crawled(source)
    told: list[tuple[str, int]] = []
    rows = copy(str(embedded_folder), neo4j.uri, lambda stage, done: told.append((stage, done)), with_memory=True)
    assert rows["pages"] == len(snapshot(source)["pages"]) == 134
    assert ("pages", 134) in told and ("relations", 134) in told and ("compared", 134) in told
    assert snapshot(target.store) == snapshot(source)
    assert snapshot(source)["copies"] == {(page_url(600), SEED.url): {}}
    back = open_store(str(tmp_path / "back"))  # its server is used by the copy, too
    try:
        assert copy(neo4j.uri, str(tmp_path / "back"), with_memory=True) == rows
        assert snapshot(back) == snapshot(source)
        for store in (back, target.store):
            assert store.link_graph() == source.link_graph()
            resumed = store.open_crawl(CRAWL, CONCEPTS, [SEED])
            assert (resumed.previous, resumed.counters, resumed.memory) == (CRAWL, COUNTERS, b"\x00model")
            assert list(store.queued()) == list(source.queued())
    finally:
        back.close()


class Broken(Exception):
    """Of a copy that is ended from outside."""


def test_a_copy_that_broke_off_goes_on_where_it_was(embedded_folder, embedded_kept, target, neo4j):
    crawled(embedded_kept.store)
    stages = []
    for ends_at in ("pages", "pages", "relations", "relations", "compared"):  # each time after one part more

        def progress(stage: str, done: int, ends_at=ends_at) -> None:
            stages.append((stage, done))
            if stage == ends_at:
                raise Broken

        with pytest.raises(Broken):
            copy(str(embedded_folder), neo4j.uri, progress)
        with pytest.raises(StoreError, match="unfinished"):
            target.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    copy(str(embedded_folder), neo4j.uri)
    assert snapshot(target.store) == snapshot(embedded_kept.store)
    written = [stage for stage in stages if stage[0] != "compared"]
    assert len(set(written)) == len(written)  # no part was done twice
    assert target.store.open_crawl(CRAWL, CONCEPTS, [SEED]).memory == b""


MANY = 1000  # pages with text: ten parts in each stage


def started_copy(source: Path, target: Path) -> subprocess.Popen[str]:
    """The command as a process of its own. What it tells is in its `stderr`."""
    return subprocess.Popen(
        [sys.executable, "-c", "from cli.main import main; main()", "copy", "--from", str(source), "--to", str(target)],
        cwd=target.parent,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def kill_copy(source: Path, target: Path, stage: str) -> list[str]:
    """Copy, and kill the command as soon as it has told of its first part in this stage. Returns what it told."""
    told = []
    words = str(TOLD[stage]).partition("} ")[2]
    with started_copy(source, target) as process:
        assert process.stderr is not None
        for line in process.stderr:
            told.append(line)
            if words in line:
                process.kill()
    assert process.returncode == -signal.SIGKILL, told
    return told


@pytest.mark.slow
def test_a_copy_killed_in_every_stage_ends_whole(embedded_folder, embedded_kept, tmp_path):
    source, target = embedded_kept.store, tmp_path / "copy"
    source.open_crawl(CRAWL, CONCEPTS, [SEED])
    pages = [replace(fetched(n, links=(link(n + 1, 0.5), link(0, None))), content=b"\x00text") for n in range(MANY)]
    source.save(Batch(pages=tuple(pages), counters=COUNTERS))
    kill_copy(embedded_folder, target, "pages")
    kill_copy(embedded_folder, target, "relations")
    copied = open_store(str(target))  # its server is used by what follows, too
    try:
        half = snapshot(copied)
        assert len(half["pages"]) == MANY + 1 and 0 < len(half["links"]) < 2 * MANY
        told = kill_copy(embedded_folder, target, "compared")
        assert not [line for line in told if str(TOLD["pages"]).partition("} ")[2] in line]
        with closing(open_store(str(target))) as other, pytest.raises(StoreError, match="unfinished"):
            other.open_crawl(CRAWL, CONCEPTS, [SEED])
        with started_copy(embedded_folder, target) as process:
            out, told = process.communicate()
        assert process.returncode == 0, told
        assert f"{MANY + 1:,}" in out
        assert snapshot(copied) == snapshot(source)
        assert copied.open_crawl(CRAWL, CONCEPTS, [SEED]).counters == COUNTERS
    finally:
        copied.close()


def test_a_second_copy_changes_nothing_unless_it_is_wanted(embedded_folder, embedded_kept, target, neo4j):
    source = embedded_kept.store
    crawled(source)
    rows = copy(str(embedded_folder), neo4j.uri)
    assert copy(str(embedded_folder), neo4j.uri) == rows
    source.save(Batch(pages=(fetched(700),), counters=replace(COUNTERS, pages=3)))
    with pytest.raises(StoreError, match="already") as caught:
        copy(str(embedded_folder), neo4j.uri)
    assert "--anew" in caught.value.cure
    assert copy(str(embedded_folder), neo4j.uri, anew=True)["pages"] == rows["pages"] + 1
    assert snapshot(target.store) == snapshot(source)


def test_what_was_changed_in_the_copy_is_noticed(embedded_folder, embedded_kept, target, neo4j):
    crawled(embedded_kept.store)

    def meddle(stage: str, done: int) -> None:
        if (stage, done) == ("relations", 134):
            target.store.connection.write(
                lambda run: run("MATCH (p:Page {url: $url}) SET p.title = 'x'", url=page_url(5))
            )

    with pytest.raises(StoreError, match="pages: as many, and not the same"):
        copy(str(embedded_folder), neo4j.uri, meddle)


def test_another_crawl_in_the_target_is_left_alone(embedded_folder, embedded_kept, target, neo4j):
    embedded_kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    target.store.open_crawl(replace(CRAWL, id="other"), [], [])
    with pytest.raises(StoreError, match="another crawl"):
        copy(str(embedded_folder), neo4j.uri, anew=True)
    assert snapshot(target.store)["pages"] == {}


def test_a_store_is_not_copied_to_itself(tmp_path):
    for one, other in (("bolt://h:7687", "bolt://h:7687/"), (str(tmp_path / "s"), f"{tmp_path}/x/../s")):
        with pytest.raises(StoreError, match="to itself") as caught:
            copy(one, other)
        assert "--to" in caught.value.cure


def test_a_store_without_a_crawl_is_told(embedded_folder, embedded_kept, target, neo4j):
    with pytest.raises(StoreError, match="no crawl to copy"):
        copy(str(embedded_folder), neo4j.uri)


def test_properties_added_by_hand_are_copied(embedded_folder, embedded_kept, target, neo4j, tmp_path):
    source = embedded_kept.store
    crawled(source)
    source.wait_until_filled()
    for statement in (
        "MATCH (p:Page {url: $url})-[l:LINKS_TO]->() SET l.note = 'seen'",
        "MATCH (p:Page) WHERE p.content IS NULL AND p.url <> $url SET p.note = 'later'",
    ):
        source.connection.write(lambda run, statement=statement: run(statement, url=SEED.url))
    assert sum("note" in row for row in snapshot(source)["links"].values()) == 119
    assert sum("note" in row for row in snapshot(source)["pages"].values()) >= 1
    copy(str(embedded_folder), neo4j.uri)
    assert snapshot(target.store) == snapshot(source)
    back = open_store(str(tmp_path / "back"))
    try:
        copy(neo4j.uri, str(tmp_path / "back"))
        assert snapshot(back) == snapshot(source)
    finally:
        back.close()


def test_a_copy_has_the_indexes_of_a_crawl(embedded_folder, embedded_kept, target, neo4j):
    embedded_kept.store.open_crawl(CRAWL, CONCEPTS, [SEED])
    connection = target.store.connection
    connection.define({"key": "DROP CONSTRAINT page_url IF EXISTS", "index": "DROP INDEX page_order IF EXISTS"})
    copy(str(embedded_folder), neo4j.uri)
    found = {row["name"] for row in connection.read("SHOW INDEXES YIELD name RETURN name")}
    assert found >= statements("schema").keys() | statements("browser_schema").keys()


def test_a_copy_begun_by_an_earlier_version_is_refused(embedded_folder, embedded_kept, target, neo4j):
    source = embedded_kept.store
    crawled(source)
    begun = '["pages", "", {}]'
    target.store.connection.write(
        lambda run: run("CREATE (:Crawl {id: $id, copying: $begun})", id=CRAWL.id, begun=begun)
    )
    with pytest.raises(StoreError, match="another version") as caught:
        copy(str(embedded_folder), neo4j.uri)
    assert "--anew" in caught.value.cure
    copy(str(embedded_folder), neo4j.uri, anew=True)
    assert snapshot(target.store) == snapshot(source)
