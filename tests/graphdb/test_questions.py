"""What commands ask of a store is answered alike by a graph, in Cypher, and by the record, in SQL."""

import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url, queued, random_batches

from cli.crawling.demo import QUESTIONS as OF_DEMO
from graphdb.cypher.statements import statements
from graphdb.record.sql_statements import sql
from graphdb.record.sqlite_store import SqliteStore, open_record
from graphdb.stores import Store
from semantic.reasons import Reason, because, sentence
from semantic.records import (
    AskedRecord,
    Batch,
    ConceptRecord,
    CopyRecord,
    Counters,
    JudgedRecord,
    LinkRecord,
    MentionRecord,
    OutsideRecord,
    PageRecord,
    QueuedRecord,
    RevisedRecord,
    TrapRecord,
)

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "\x00 \x01 \u202e \" ' ` \\ ${x} $x {y: 1} [json] 😀 冰晶 \r\n\t\u2029"
TWO, ODD = "https://two.example:8443/", f"http://one.example/odd?{HOSTILE}"
PAGES = [page_url(number) for number in range(40)]
URLS = [*PAGES, ODD, f"{TWO}a", f"{TWO}copy", "http://nowhere.example/", page_url(3)]
EACH_URL = [{"url": url} for url in URLS]
DEPTHS = (0, 1, 2**31)
# The questions by file and name, each with the parameters of several times that it is asked.
QUESTIONS: dict[tuple[str, str], list[dict[str, Any]]] = {
    ("status", "crawl"): [{}],
    ("status", "addresses"): [{}],
    ("status", "reserved"): [{}],
    ("status", "too_deep"): [{"depth": depth} for depth in DEPTHS],
    ("status", "scale"): [{"threshold": threshold} for threshold in (0.0, 0.1, 0.5, 2.0)],
    ("status", "near"): [{"urls": URLS}, {"urls": []}],
    ("status", "waiting"): [{"depth": depth} for depth in DEPTHS],
    ("status", "hosts"): [{}],
    ("status", "barren"): [{"share": share, "least": least} for share in (0.05, 0.9) for least in (1, 3, 99)],
    ("status", "last"): [{"most": most} for most in (0, 3, 1000)],
    ("status", "places"): [{"urls": sorted(URLS)}],
    ("status", "names"): [{}],
    ("status", "said"): [{"urls": sorted(set(URLS))}],
    ("explain", "page"): EACH_URL,
    ("explain", "copies"): EACH_URL,
    ("explain", "linking"): EACH_URL,
    ("explain", "way"): EACH_URL,
    ("explain", "mentions"): EACH_URL,
    ("explain", "same_host"): [{"host": host} for host in ("one.example", "two.example:8443", "two.example", "one")],
    ("explain", "crawl"): [{}],
    ("explain", "judged"): EACH_URL,
    ("explain", "same_text"): [{"fingerprint": text} for text in ("f3", "f5", "f6", "f9", "none")],
    ("explain", "queue"): [
        {"priority": at, "found": found, "depth": depth} for at in (0.25, 0.5) for found in (0, 13) for depth in DEPTHS
    ],
    ("explain", "place"): [{"before": before, "depth": depth} for before in (0, 2, 10_000) for depth in DEPTHS],
    ("explain", "just_on_topic"): [{}],
    ("explain", "captions"): [{"iris": ["urn:ice", "urn:gone", "anchor"]}, {"iris": []}],
    ("explain", "known"): [{"urls": URLS}],
    ("coverage", "concepts"): [{}],
    ("coverage", "mentioned"): [{"late": late} for late in (0, 4, 99)],
    ("coverage", "last_rank"): [{}],
    ("marks", "fingerprint"): [{}],
    ("marks", "seeds"): [{}],
    ("marks", "known"): [{"urls": URLS}],
    ("marks", "verdicts"): [{}],
    ("record", "crawl"): [{}],
    ("record", "seeds"): [{}],
    ("record", "unrecorded"): [{}],
    ("record", "textless"): [{}],
    ("report", "curve"): [{"step": step} for step in (1, 3, 100)],
    ("report", "sites"): [{}],
    ("report", "languages"): [{}],
    ("report", "in_vain"): [{}],
    ("report", "left_out"): [{}],
    ("report", "cards"): [{"urls": URLS}],
    ("search", "crawl"): [{}],
    ("search", "since"): [{"since": since} for since in ("", "2026-11-22T00:00:04", "2027")],
    ("search", "texts"): [{"urls": URLS}],
    ("search", "shown"): [{"urls": URLS}],
    ("search", "concepts"): [{"urls": URLS}],
    ("frontier", "waiting_addresses"): [{}],
    ("frontier", "queue_size"): [{}],
    ("demo", "best"): [{}],
    ("demo", "concept"): [{}],
    ("demo", "way"): [{}],
    ("demo", "unmentioned"): [{}],
}
# Files of which a store's own methods read the rest, in a form of their own.
OF_STORES = {"record", "frontier"}
CYPHER_ALONE = {("coverage", "mentions")}  # `SqliteStore.mentioned` reads `frontier.mentioned`
WITHOUT_ORDER = {("status", "said"), ("coverage", "concepts"), ("frontier", "waiting_addresses"), ("demo", "concept")}


FORBIDDEN = Reason("robots.txt")


def made_batches() -> list[Batch]:
    """A crawl with something of everything that a question is about."""
    why = (
        because("concept", share=0.25, concept="urn:ice", name="green tea"),
        Reason("anchor", 0.125, ("tea",)),
        because("no page", HOSTILE),
    )
    odd = LinkRecord(ODD, HOSTILE, HOSTILE, 0.25, 40, (because("anchor", HOSTILE),))
    named = (link(n, n / 32)._replace(reasons=(Reason("anchor", 0.1),)) for n in range(1, 12))
    links = (*named, odd, link(30, None), link(31, 0.5))
    new = tuple(queued(n, n / 32)._replace(found=n, reasons=why) for n in range(1, 12))
    new += (QueuedRecord(ODD, 0.25, 1, SEED.url, found=12), QueuedRecord(page_url(31), 0.5, 1, SEED.url, found=13))
    seed = replace(
        fetched(0, links=links, new=new), fingerprint="f0", order=1, content=b"text", reasons=why, relevance=-0.0005
    )
    names = ("ice", "snow", "gone", "drift", "flake")
    ice, snow, gone, drift, flake = (MentionRecord(f"urn:{name}", 3, 0.5, {"title": 1}) for name in names)

    def page(number: int, **more: Any) -> PageRecord:
        base = fetched(number, parent=0, depth=1, links=(link(number + 1, None), link(number + 20, 0.125)), new=())
        base = replace(base, order=number + 1, content=bytes(range(number)), fingerprint=f"f{number}", http_status=200)
        return replace(base, fetched_at=f"2026-11-22T00:00:{number:02}", **more)

    missing = (because("http", "x", status=404), Reason("gone"))
    later = QueuedRecord(f"{TWO}deep", 0.75, 2, page_url(1), found=20, reasons=(Reason("depth and place"),))
    second = (
        page(1, on_topic=True, relevance=0.75, kind="article", language="en", mentions=(ice, gone), queued=(later,)),
        page(2, on_topic=True, relevance=0.5, kind="listing", language="zh-CN", mentions=(snow,), reserved="meta tag"),
        page(3, on_topic=False, relevance=0.0625, kind="article", title=HOSTILE, reasons=why[2:]),
        replace(page(4), order=None, content=None, fingerprint=None, copy_of=page_url(1), stale=True),
        replace(page(5), content=None, reserved="robots"),  # asks not to be indexed
        page(6, on_topic=True, relevance=0.5, kind="article", language="zh-CN", mentions=(ice, gone, drift, flake)),
        replace(page(14), order=None),  # a feed
        replace(page(7), status="redirected", order=None, content=None, http_status=301),
        PageRecord(url=page_url(8), status="failed", depth=1, parent=SEED.url, reasons=missing),
        PageRecord(url=page_url(9), status="refused", depth=1, parent=SEED.url, reasons=(FORBIDDEN,)),
        replace(page(10, on_topic=True, relevance=0.5), kind=None, language=None, relevance=0.5),
    )
    third = (
        replace(
            fetched(0, links=(link(1, 0.5), link(6, None)), depth=2, new=(), on_topic=True),
            url=f"{TWO}a",
            parent=page_url(3),
            order=12,
            kind="article",
            content=b"more",
            fingerprint="f6",
            priority=-inf,
        ),
        replace(page(13, on_topic=True, relevance=0.5), parent=page_url(2), depth=2, order=14),
        replace(fetched(0, depth=1), url=f"{TWO}copy", order=13, content=b"copy", fingerprint="f9", mentions=(ice,)),
    )
    counters = Counters(pages=12, on_topic=5, requests=20, errors=2, inversions=1, seconds=12.5, copies=2)
    return [
        Batch(pages=(seed,), counters=Counters(pages=1, seconds=1.0)),
        Batch(pages=second, counters=replace(counters, seconds=6.5), outside=(OutsideRecord(page_url(11), "--scope"),)),
        Batch(
            pages=third,
            counters=counters,
            copies=(CopyRecord(f"{TWO}copy", page_url(2), (Reason("copy"),)),),
            asked=(AskedRecord(page_url(10), gone=410), AskedRecord(page_url(1), at="2026-11-23T00:00:00")),
            judged=(JudgedRecord(page_url(3), 0.3125, False, why, mentions=(ice,), kind="listing"),),
            revised=(RevisedRecord(ODD, 0.5, (Reason("link graph"),)),),
            outside=(OutsideRecord("http://new.example/", HOSTILE),),
            traps=(TrapRecord("trap", "calendar", because("many failures", failures=3), page_url(1), 3),),
        ),
    ]


def fill_made(store: Store | SqliteStore) -> None:
    """The made crawl, with marks, and going on with other concepts after it."""
    gone = ConceptRecord(iri="urn:gone", label="gone", weight=1.0, layer=None, names=("gone", "oolong"))
    below = ConceptRecord(iri="urn:below", label=HOSTILE, weight=0.25, layer=2, names=(HOSTILE,))
    ice = replace(CONCEPTS[0], narrower=("urn:snow", "urn:below"), names=("ice", "oolong"))
    snow = replace(CONCEPTS[1], narrower=("urn:drift",))
    drift = ConceptRecord(iri="urn:drift", label="drift", weight=0.25, layer=1, narrower=("urn:flake",))
    flake = ConceptRecord(iri="urn:flake", label="flake", weight=0.25, layer=1)
    store.open_crawl(CRAWL, [*CONCEPTS, gone], [SEED, queued(25, 3.0, parent=None, depth=0)])
    for batch in made_batches():
        store.save(batch)
        store.wait_until_filled()  # or the embedded engine gets two batches as one, and what waited between has not
    store.mark({page_url(1): True, page_url(3): False})
    store.open_crawl(replace(CRAWL, fingerprint="f2"), [ice, snow, below, drift, flake], [SEED])


def fill_at_random(store: Store | SqliteStore, seed: int) -> None:
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    rank = 0
    for batch in random_batches(random.Random(seed)):
        ranks = range(rank, rank := rank + len(batch.pages))
        pages = [replace(page, order=at + 1, content=b"x") for at, page in zip(ranks, batch.pages, strict=True)]
        store.save(replace(batch, pages=tuple(pages)))
        store.save(Batch(copies=(CopyRecord(pages[4].url, pages[0].url),), counters=batch.counters))


def as_sentences(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with reasons, which a record has as data, as a graph has them."""
    return {of: [*map(sentence, value)] if isinstance(value, tuple) else value for of, value in row.items()}


def in_one_form(file: str, name: str, rows: Any) -> list[str]:
    """The rows as JSON, which tells 1, 1.0 and true apart; sums to nine decimals. Sorted, if they have no order."""
    told = []
    for row in rows:
        sorted_lists = {
            column: sorted(value) if isinstance(value, list) and (file, name) in WITHOUT_ORDER else value
            for column, value in as_sentences(row).items()
        }
        rounded = {of: round(value, 9) if isinstance(value, float) else value for of, value in sorted_lists.items()}
        told.append(json.dumps(rounded, ensure_ascii=False))
    return told if "ORDER BY" in statements(file)[name] else sorted(told)


def differing(graph: Store, record: SqliteStore) -> list[object]:
    """The questions that both answer differently, and the answers."""
    found: list[object] = []
    for (file, name), times in QUESTIONS.items():
        for given in times:
            here, there = (in_one_form(file, name, store.ask(file, name, **given)) for store in (graph, record))
            if here != there:
                found.append((file, name, given, here, there))
    return found


@pytest.fixture
def record():
    store = open_record(":memory:")
    yield store
    store.close()


def test_a_crawl_with_everything_is_told_alike(graph_kept, record):
    for store in (graph_kept.store, record):
        fill_made(store)
    assert differing(graph_kept.store, record) == []
    silent = {
        question for question, times in QUESTIONS.items() if not any(record.ask(*question, **given) for given in times)
    }
    assert silent == set()


@pytest.mark.parametrize("seed", range(3))
def test_random_crawls_are_told_alike(graph_kept, record, seed):
    for store in (graph_kept.store, record):
        fill_at_random(store, seed)
    assert differing(graph_kept.store, record) == []


def test_an_empty_store_is_told_alike(graph_kept, record):
    assert differing(graph_kept.store, record) == []


def test_every_question_of_a_command_is_asked_here():
    asked = {("demo", name) for name in OF_DEMO}
    for path in (ROOT / "cli").rglob("*.py"):
        asked |= set(re.findall(r'\.ask\("(\w+)", "(\w+)"', path.read_text("utf-8")))
    assert asked == QUESTIONS.keys()


@pytest.mark.parametrize("file", sorted({file for file, _ in QUESTIONS} - OF_STORES))
def test_a_file_has_the_same_questions_in_both_languages(file):
    assert statements(file).keys() - {name for of, name in CYPHER_ALONE if of == file} == sql(file).keys()


def test_a_list_is_asked_of_in_its_order(record):
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    urls = [SEED.url, "http://nowhere.example/", SEED.url]
    assert [row["url"] for row in record.ask("explain", "known", urls=urls)] == [SEED.url, SEED.url]
    assert record.ask("explain", "known", urls=[]) == []
