"""The demonstration web crawled with `--warc`, and crawled again from what that wrote."""

import asyncio
from dataclasses import replace

import pytest
from store_snapshots import crawl_row, snapshot

from benchmarks.torture_web import finite_sites
from cli.crawling.crawl import make_plan
from cli.settings import Settings
from crawler.engine.driver import crawl
from crawler.engine.session import Session
from examples.server import WebServer
from examples.sites import ONTOLOGY, SEEDS
from graphdb.record.sqlite_store import SqliteStore, open_record

pytestmark = pytest.mark.slow

SITES = finite_sites()
VOLATILE = {
    "fetched_at",
    "ended_after",
    "priority",
    "order",
    "reasons",
    "chosen",
    "on_path",
    "depth",
    "stale",
    "away",
}  # times, what depends on the order, and what was asked of a live crawler by Retry-After


def crawled(settings: Settings) -> SqliteStore:
    plan = make_plan(settings)
    store = open_record(":memory:")

    async def go() -> None:
        resumed = store.open_crawl(plan.record, plan.concepts, plan.seeds)
        session = Session(plan.understanding, plan.limits, resumed, store.queued(), store.known())
        try:
            await crawl(session, plan.source, store, lambda progress: None)
        finally:
            await plan.source.close()

    asyncio.run(go())
    return store


def lasting(row):
    return {name: value for name, value in row.items() if name not in VOLATILE}


def test_a_crawl_of_its_own_warc_gives_the_same_pages(tmp_path):
    settings = Settings(
        str(ONTOLOGY),
        (str(SEEDS),),
        10_000,
        store="memory:",
        strategy="ontology",
        warc=str(tmp_path / "kept"),
        delay=0.0,
    )
    with WebServer(SITES) as server:
        first = crawled(replace(settings, proxy=server.proxy))
        asked = len(server.log)
    again = crawled(replace(settings, warc=None, archive=str(tmp_path / "kept")))
    assert asked > crawl_row(first)["pages"] == crawl_row(again)["pages"] > 100
    live, recorded = snapshot(first), snapshot(again)
    assert live["links"].keys() == recorded["links"].keys()
    assert live["mentions"] == recorded["mentions"]
    for url, row in live["pages"].items():
        assert lasting(row) == lasting(recorded["pages"][url]), url
    assert live["pages"].keys() == recorded["pages"].keys()
    assert {host: lasting(row) for host, row in live["sites"].items()} == recorded["sites"]
