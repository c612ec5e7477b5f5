"""`ontocrawl status --ledger`: every address once, with what became of it."""

import json
import random
from contextlib import closing
from dataclasses import replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, random_batches
from test_end_to_end import ontocrawl

from cli.explaining.ledger import read_ledger
from graphdb.record.sqlite_store import SqliteStore, open_record
from semantic.reasons import Reason, because
from semantic.records import Batch, Counters, HostRecord, OutsideRecord, PageRecord, TrapRecord

SETTINGS = json.dumps({"max_pages": 500, "max_depth": 1})


def addresses(store: SqliteStore) -> int:
    return next(store.read("SELECT count(*) AS number FROM pages"))["number"]


def numbers(store: SqliteStore) -> dict[str, int]:
    """How many of each sort there are, after it was checked that each sum is right."""
    ledger = read_ledger(store)
    for group in ledger["groups"]:
        assert group["addresses"] == sum(row["addresses"] for row in group["rows"])
    assert ledger["addresses"] == sum(group["addresses"] for group in ledger["groups"]) == addresses(store)
    return {str(row["what"]): row["addresses"] for group in ledger["groups"] for row in group["rows"]}


def ended(number: int, status: str, reason: Reason) -> PageRecord:
    return PageRecord(url=page_url(number), status=status, depth=1, reasons=(reason,))


def saved(store: SqliteStore) -> SqliteStore:
    """A record with one address of nearly every sort."""
    store.open_crawl(replace(CRAWL, settings=SETTINGS), CONCEPTS, [SEED])
    shown = {"order": 1, "content": b"x", "kind": "article"}
    first = fetched(1, links=tuple(link(n, 0.5) for n in range(20, 26)), on_topic=True)
    pages = (
        replace(first, **shown),
        replace(fetched(2, links=(link(30, None),), depth=1), **{**shown, "order": 2}),
        replace(fetched(3), **{**shown, "order": 3, "kind": "listing"}),
        replace(fetched(4), **{**shown, "order": 4, "kind": "error"}),
        replace(fetched(5), **{**shown, "order": 5, "content": None}),
        replace(fetched(6), stale=True, copy_of=page_url(1)),
        replace(fetched(7, links=(link(31, 0.5),), depth=1), content=b"x"),
        ended(8, "failed", because("http", status=404)),
        ended(9, "failed", because("http", "and more", status=404)),
        ended(10, "failed", because("not HTML", "image/png")),
        ended(11, "refused", because("robots.txt")),
        ended(12, "redirected", because("leads to", url=page_url(1))),
    )
    outside = (OutsideRecord("http://other.example/", "--stay-on-host"),)
    traps = (TrapRecord("one.example/#", "pattern", because("many failures", failures=3), page_url(20), 4),)
    store.save(Batch(pages=pages, outside=outside, traps=traps, counters=Counters(pages=5)))
    return store


EXPECTED = {
    "results": 1,
    "articles off topic": 1,
    "listings off topic": 1,
    "error pages": 1,
    "pages that ask not to be a result": 1,
    "copies of other pages": 1,
    "feeds and sitemaps": 1,
    "redirects to other addresses": 1,
    "behind a trap: see status --traps": 4,
    "for the next run": 3,
    "deeper than --max-depth": 1,
    "http 404": 2,
    "not HTML": 1,
    "robots.txt": 1,
    "out of scope by --stay-on-host": 1,
    "by the strategy, which discarded every link to them": 1,
}


def test_each_sort_of_address_has_a_row(record):
    assert numbers(saved(record)) == EXPECTED


def test_waiting_links_tell_what_they_wait_for(record):
    store = saved(record)
    store.save(Batch(traps=(), counters=Counters(pages=500)))
    assert numbers(store)["beyond --max-pages, which is reached"] == 7
    store.save(Batch(away=(("one.example", "2999-01-01T00:00:00.000"),)))
    assert numbers(store)["on hosts that ask to be left alone for now"] == 7
    store.save_hosts([HostRecord("one.example", banned=True)])
    assert numbers(store)["on hosts that were banned"] == 7


@pytest.mark.parametrize("seed", range(3))
def test_the_sum_is_all_addresses_of_any_crawl(record, seed):
    record.open_crawl(replace(CRAWL, settings=SETTINGS), CONCEPTS, [SEED])
    for batch in random_batches(random.Random(seed)):
        record.save(batch)
        assert sum(numbers(record).values()) == addresses(record) > 10


@pytest.mark.slow
def test_the_command_shows_all_rows_and_their_sum(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with closing(open_record(tmp_path / "crawl.sqlite")) as store:
        known = addresses(saved(store))
    told = ontocrawl(tmp_path, "status", "--ledger", "--store", ".")
    assert told.returncode == 0
    lines = told.stdout.splitlines()
    assert int(lines[-1].split()[0]) == known
    assert max(map(len, lines)) <= 80
    assert sum(page_url(8) in line for line in lines) == 1
    as_json = ontocrawl(tmp_path, "status", "--ledger", "--json", "--store", ".")
    assert json.loads(as_json.stdout)["addresses"] == known
