"""The engine's own calls leave the graph that the statements in Cypher leave, and repeat what can be repeated."""

import random
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, page_url, queued, shown
from store_snapshots import snapshot

from graphdb.embedded import direct_writing
from graphdb.embedded.direct_writing import CAN_BE_REPEATED, DirectWriting
from graphdb.graph.graph_store import MEMORY_PART
from graphdb.stores import Store, open_store
from ontology.errors import StoreAway
from semantic.reasons import Reason
from semantic.records import Batch, Counters, JudgedRecord, LinkRecord, MentionRecord, RevisedRecord, SiteRecord

compiled = pytest.mark.skipif(
    not direct_writing.is_compiled(), reason="GraphWriting.java is not compiled; see `ontocrawl --version`"
)
TEXTS = ("", "tea", "绿茶", "😀" * 20, "a" * 40, "b" * 300, "c" * 70_000)
COUNTS = (0, 1, 127, 128, 255, 256, 65_535, 65_536, 2**31, 2**40)


def made_batches(chance: random.Random, count: int = 8) -> list[Batch]:
    """Batches of pages that end more than once, wait with new priorities, and are judged again, in any order."""
    batches, order = [], 0
    for _ in range(count):
        pages = []
        for page in chance.sample(range(40), 3):
            targets = chance.sample(range(60), chance.randrange(9))
            links = tuple(
                LinkRecord(
                    page_url(target),
                    chance.choice(TEXTS),
                    chance.choice(TEXTS),
                    chance.choice([None, 0.0, chance.random()]),
                    chance.choice(COUNTS),
                    shown(*chance.sample(TEXTS, chance.randrange(3))),
                )
                for target in targets
                if target != page
            )
            mentions = tuple(
                MentionRecord(concept, chance.choice(COUNTS), chance.random(), {"title": 1})
                for concept in chance.sample(["urn:ice", "urn:snow", "urn:new"], chance.randrange(4))
            )
            one = fetched(page, parent=chance.choice([None, 0]), links=links, on_topic=chance.random() < 0.3)
            order += 1
            content = chance.choice([None, b"", b"\x00\xff" * chance.choice([10, 300, 40_000])])
            reasons = shown(*chance.sample(TEXTS, 2))
            pages.append(replace(one, order=order, content=content, mentions=mentions, reasons=reasons))
        revived = (queued(chance.randrange(60), chance.random(), depth=chance.choice([1, 200, 70_000])),)
        revised = tuple(
            RevisedRecord(
                page_url(page),
                chance.random(),
                (Reason("anchor", chance.choice([None, 0.5]), (chance.choice(TEXTS),), "urn:ice"),),
            )
            for page in chance.sample(range(60), chance.choice([5, 40]))
        )
        judged = tuple(
            JudgedRecord(
                page_url(page),
                chance.random(),
                chance.random() < 0.5,
                shown(chance.choice(TEXTS)),
                mentions=chance.choice([None, (), (MentionRecord("urn:ice", 2, chance.random(), {"title": 2}),)]),
                unsaid=tuple(chance.sample(["urn:ice", "urn:snow", "urn:new"], 2)),
            )
            for page in chance.sample(range(40), 3)
        )
        sites = (SiteRecord("one.example", chance.random()),)
        counters = Counters(pages=order, seconds=chance.random() * 1e6)
        memory = chance.choice([b"", b"short", chance.randbytes(5 * MEMORY_PART // 2)])
        batches.append(
            Batch(
                pages=tuple(pages),
                revived=revived,
                revised=revised,
                judged=judged,
                sites=sites,
                counters=counters,
                memory=memory,
            )
        )
    return batches


def filled(store: Store, batches: list[Batch]) -> dict[str, Any]:
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    memories = []
    for batch in batches:
        store.save(batch)
        store.wait_until_filled()  # else several batches may be merged, which these do not allow
        memories.append(store.query("MATCH (m:Memory) RETURN properties(m) AS piece ORDER BY m.part").rows)
    return snapshot(store) | {"memories": memories}


@compiled
@pytest.mark.slow
def test_both_forms_fill_the_same_graph(embedded_kept, tmp_path, monkeypatch):
    batches = made_batches(random.Random(7))
    direct = filled(embedded_kept.store, batches)
    monkeypatch.setenv(direct_writing.ASKED, "cypher")
    with closing(open_store(str(tmp_path / "cypher"))) as store:
        assert filled(store, batches) == direct
    assert len(direct["links"]) > 50
    assert max(map(len, direct["memories"])) > 1
    assert "\n" not in direct_writing.form()


class Away(Exception):
    """What the engine raises when another transaction has changed the same node."""


Away.__name__ = CAN_BE_REPEATED


class Engine:
    """Stands for `GraphWriting`: notes what it is asked for, and fails in `commit` as often as it is told."""

    def __init__(self, *failures: Exception) -> None:
        self.done: list[str] = []
        self.failures = list(failures)

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self.done.append(name)

    def run(self, statement: str, parameters: bytes) -> str:
        self.done.append(statement)
        return '[{"record": 3}]'

    def commit(self) -> None:
        if self.failures:
            raise self.failures.pop()
        self.done.append("commit")


def test_a_transaction_is_repeated_as_a_whole():
    engine = Engine(Away("changed"), Away("changed"))
    assert DirectWriting(engine).write(lambda run: run("RETURN 1")) == [{"record": 3}]
    assert engine.done == ["begin", "RETURN 1", "rollback"] * 2 + ["begin", "RETURN 1", "commit"]


def test_any_other_error_undoes_the_transaction():
    engine = Engine(ValueError("full"))
    with pytest.raises(ValueError, match="full"):
        list(DirectWriting(engine).read("RETURN 1"))
    assert engine.done == ["begin", "RETURN 1", "rollback"]


def test_repeating_ends_after_some_time(monkeypatch):
    monkeypatch.setattr(direct_writing, "RETRY_SECONDS", -1.0)
    engine = Engine(Away("changed"))
    with pytest.raises(StoreAway):
        DirectWriting(engine).write(lambda run: run("RETURN 1"))
    assert engine.done[-1] == "rollback"


def test_a_form_of_another_source_is_not_used(tmp_path, monkeypatch):
    other = tmp_path / "GraphWriting.java"
    other.write_text("class Other {}")
    monkeypatch.setattr(direct_writing, "SOURCE", other)
    assert not direct_writing.is_wanted()
    assert "not compiled" in direct_writing.form()
