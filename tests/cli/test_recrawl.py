"""`crawl --recrawl`: what the ontology of now wants is asked for again, on conditions; the rest is judged again."""

import contextlib
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from xml.etree import ElementTree

import pytest
from records_at_hand import CRAWL
from store_fixtures import Lasting
from store_snapshots import crawl_row, snapshot
from test_end_to_end import ONTOLOGY, ontocrawl
from test_resume import LEXICON, MADE, SEEDS, SETTINGS, TOPIC, fetched

from cli.crawling.crawl import seed_records
from cli.crawling.recrawl import mark_for_recrawl
from cli.crawling.rejudge import Judging
from cli.inputs.concept_names import concept_records
from crawler.engine.actions import Limits
from crawler.engine.session import Session
from crawler.ports import Fetched, Outcome
from crawler.simulation.simulator import simulate
from graphdb.record.sqlite_store import SqliteStore, open_record
from semantic.records import Batch, CrawlRecord
from semantic.strategies.strategy_table import STRATEGIES, build_understanding

FILLER = "It is dried, rolled and kept. "
PAGES = {
    "/": '<p>Welcome.</p><a href="/green">green tea, how it is made</a> <a href="/cars">cars</a><a href="/black">b</a>',
    "/green": f"<p>Green tea is tea: green tea, black tea. {FILLER * 9}</p>",
    "/black": f"<p>Black tea is tea that is fully oxidised; black tea keeps, green tea does not. {FILLER * 5}</p>",
    "/cars": "<p>Engines and wheels, cars and cars and more cars.</p>",
}


class Web(ThreadingHTTPServer):
    """Pages with entity tags; `asked`: path, the tag asked by, status."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.pages = dict(PAGES)
        self.asked: list[tuple[str, bool, int]] = []
        self.seed = f"http://127.0.0.1:{self.server_port}/"

    def of_pages(self) -> list[tuple[str, bool, int]]:
        """What was asked since the last call, robots.txt left out, by path."""
        asked, self.asked = self.asked, []
        return sorted(line for line in asked if line[0] != "/robots.txt")


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Web

    def do_GET(self) -> None:
        body = self.server.pages.get(self.path)
        tag = f'"{sha256((body or "").encode()).hexdigest()[:8]}"'
        by = self.headers["If-None-Match"]
        status = 404 if body is None else 304 if by == tag else 200
        self.server.asked.append((self.path, by is not None, status))
        html = f"<title>{self.path}</title>{body}".encode() if status == 200 else b""
        self.send_response(status)
        self.send_header("ETag", tag)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(html)))
        self.end_headers()
        self.wfile.write(html)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def served() -> Iterator[Web]:
    server = Web()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def web() -> Iterator[Web]:
    with served() as server:
        yield server


@pytest.mark.slow
def test_a_round_fetches_what_is_wanted_and_records_the_outcome(web, tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    words = ("crawl", "--ontology", "tea.ttl", "--seeds", web.seed, "--allow", "127.0.0.1", "--delay", "0")
    words += ("--max-pages", "4", "--strategy", "ontology")

    def pages() -> dict[str, tuple[object, ...]]:
        cypher = "MATCH (p:Page) RETURN p.title AS t, p.status AS s, p.on_topic AS o, p.http_status AS h, p.order AS n"
        rows = json.loads(ontocrawl(tmp_path, "query", cypher, "--format", "json").stdout)
        return {row["t"]: (row["s"], row["o"], row["h"]) for row in rows if row["t"]}

    assert ontocrawl(tmp_path, *words).returncode == 0
    assert [line[0] for line in web.of_pages()] == ["/", "/black", "/cars", "/green"]
    assert pages()["/black"] == ("fetched", True, 200)

    web.pages["/green"] += '<a href="/white">white tea</a>'
    web.pages["/white"] = "<p>White tea is tea, tea from buds.</p>"
    del web.pages["/black"]
    done = ontocrawl(tmp_path, *words, "--recrawl")
    assert done.returncode == 0, done.stderr
    assert web.of_pages() == [("/", True, 304), ("/black", True, 404), ("/green", True, 200)]
    assert "asked again 3 pages: " in done.stdout
    for told in ("1 unchanged", "1 gone", "1 changed"):
        assert told in done.stdout
    news = (tmp_path / "ontocrawl-store" / "news.jsonl").read_text(encoding="utf-8").splitlines()
    said = {(one["what"], one["url"].removeprefix(web.seed)) for one in map(json.loads, news)}
    assert said == {("changed", "green"), ("gone", "black")}
    feed = ElementTree.parse(tmp_path / "ontocrawl-store" / "news.atom").getroot()
    assert {entry[2].get("href") for entry in feed if entry.tag.endswith("entry")} == {
        web.seed + path for _, path in said
    }
    assert pages()["/black"] == ("failed", False, 404)
    assert "gone: requested again, it answered http 404" in ontocrawl(tmp_path, "explain", f"{web.seed}black").stdout
    assert ontocrawl(tmp_path, *words[:-4], "--max-pages", "5", "--strategy", "ontology").returncode == 0
    assert web.of_pages() == [("/white", False, 200)]

    about_cars = (
        ONTOLOGY.replace('"green tea"', '"cars"').replace('"tea"', '"engines"').replace('"black tea"', '"wheels"')
    )
    (tmp_path / "tea.ttl").write_text(about_cars, encoding="utf-8")
    told = json.loads(ontocrawl(tmp_path, *words, "--recrawl", "--json").stdout)
    assert web.of_pages() == [("/", True, 304), ("/cars", True, 304)]
    assert told["asked_again"] == {"unchanged": 2}
    assert {title for title, page in pages().items() if page[1]} == {"/cars"}
    assert (told["pages"], told["on_topic"]) == (5, 1)


def test_without_a_crawl_there_is_nothing_to_ask_again(web, tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    words = ("--seeds", web.seed, "--allow", "127.0.0.1", "--delay", "0", "--max-pages", "4", "--store", "memory:")
    done = ontocrawl(tmp_path, "crawl", "--ontology", "tea.ttl", *words, "--recrawl")
    assert done.returncode == 0, done.stderr
    assert len(web.of_pages()) == 4
    assert "asked again" not in done.stdout


class Killed(Exception):
    pass


def crawled(
    strategy: str,
    store: SqliteStore,
    max_pages: int,
    *,
    recrawl: bool,
    most: float = float("inf"),
    changed: Mapping[str, Outcome] = MappingProxyType({}),
    crawl: CrawlRecord = CRAWL,
) -> list[str]:
    """Crawl the demonstration web on; what was asked for. `most`: it is killed after so many answers. `changed`: what
    answers otherwise by now.
    """
    seeds = SEEDS.read_text("utf-8").split()
    understanding = build_understanding(strategy, TOPIC, LEXICON, seeds=seeds)
    resumed = store.open_crawl(crawl, concept_records(MADE, LEXICON, TOPIC), seed_records(seeds))
    judging = Judging(store, understanding, threading.Event())
    resumed = judging.bring_up_to_date(resumed, crawl, SETTINGS)
    wanted = mark_for_recrawl(store, resumed) if recrawl else ()
    results = [visit.url for visit in store.visits() if visit.on_topic]
    session = Session(
        understanding,
        Limits(max_pages=max_pages, delay=0.0, connections=1),
        resumed,
        store.queued(),
        store.known(),
        fingerprints=store.fingerprints(),
        wanted=wanted,
        results=results,
    )
    asked: list[str] = []

    def answer(url: str) -> Outcome:
        if len(asked) >= most:
            raise Killed
        asked.append(url)
        return changed.get(url) or fetched(url)

    try:
        simulate(session, answer, store, lambda progress: None)
    except Killed:
        assert most < float("inf")
    return [url for url in asked if not url.endswith("/robots.txt")]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_reads_its_pages_again_and_goes_on(strategy):
    store = open_record(":memory:")
    crawled(strategy, store, 30, recrawl=False)
    first = crawl_row(store)["pages"]
    before = {url: row["order"] for url, row in snapshot(store)["pages"].items() if "order" in row}
    asked = crawled(strategy, store, 35, recrawl=True)
    pages = snapshot(store)["pages"]
    wanted = {url for url, row in pages.items() if url in before and row.get("on_topic")}
    assert wanted | (seeds(store) & before.keys()) <= set(asked)
    assert max(Counter(asked).values()) == 1
    assert crawl_row(store)["pages"] == (35 if first == 30 else first)  # ontology-links soon has no link left
    assert {url: pages[url].get("order") for url in before} == before
    assert len(results(store)) == crawl_row(store)["on_topic"]
    assert not list(store.wanted())


def test_a_killed_round_goes_on_with_what_is_left():
    store = open_record(":memory:")
    crawled("ontology", store, 200, recrawl=False)
    first = crawled("ontology", store, 200, recrawl=True, most=80)
    left = [record.url for record in store.wanted()]
    rest = crawled("ontology", store, 200, recrawl=True)
    assert rest == left
    assert 0 < len(left) < len(left) + 50 <= len(first + rest)
    assert len(set(first) & set(rest)) < 50  # what had not been saved


def test_a_round_in_which_nothing_changed_changes_no_count():
    store = open_record(":memory:")
    crawled("fused", store, 120, recrawl=False)
    before = crawl_row(store)["on_topic"]
    crawled("fused", store, 120, recrawl=True)
    assert crawl_row(store)["on_topic"] == before


class Forgetful(Lasting):
    """A store whose crawl is killed before it can save what its strategy remembers, once `is_killed`."""

    is_killed = False

    def save(self, batch: Batch) -> None:
        super().save(replace(batch, memory=b"") if self.is_killed else batch)


def seeds(store: SqliteStore) -> set[str]:
    return {url for _, url in snapshot(store)["seeds"]}


def results(store: SqliteStore) -> set[str]:
    found = {url for url, row in snapshot(store)["pages"].items() if row.get("on_topic")}
    assert len(found) == crawl_row(store)["on_topic"]
    return found


@pytest.mark.parametrize("is_killed", [False, True])
def test_what_is_no_result_any_more_never_comes_back(is_killed):
    """Not when all is settled at the end, nor in the next run (after a kill it learns again), nor judged all anew."""
    store = Forgetful()
    crawled("fused", store, 60, recrawl=False)
    before = results(store)
    gone, moved, hidden, other = sorted(before - seeds(store))[:4]
    text = fetched(hidden)
    changed = {
        gone: Fetched(gone, 410, {}, b""),
        moved: Fetched(moved, 301, {"location": next(iter(seeds(store)))}, b""),
        hidden: replace(text, headers={**text.headers, "x-robots-tag": "noindex"}),
        other: Fetched(other, 200, {"content-type": "application/zip"}, b"PK"),
    }
    store.is_killed = is_killed
    crawled("fused", store, 60, recrawl=True, changed=changed)
    assert len(results(store)) > 10
    assert not results(store) & changed.keys()
    assert "content" in snapshot(store)["pages"][gone]
    crawled("fused", store, 61, recrawl=False)
    assert not results(store) & changed.keys()
    crawled("fused", store, 61, recrawl=False, crawl=replace(CRAWL, fingerprint="edited"))
    assert len(results(store)) > 10
    assert not results(store) & changed.keys()
    assert not {url for url, _ in snapshot(store)["mentions"]} & changed.keys()


@pytest.mark.parametrize(("mark", "leads", "why"), [("bad", False, "marked bad by"), ("hub", True, "marked as a hub")])
def test_a_page_marked_bad_or_hub_is_no_result(mark, leads, why):
    store = open_record(":memory:")
    crawled("fused", store, 60, recrawl=False)
    pages = snapshot(store)["pages"]
    bad = max(results(store), key=lambda url: pages[url]["relevance"])
    store.mark({bad: mark})
    for pages, recrawl in ((60, False), (61, True), (62, False)):
        crawled("fused", store, pages, recrawl=recrawl)
        assert bad not in results(store)
        assert snapshot(store)["pages"][bad]["leads"] == leads
    assert why in str(snapshot(store)["pages"][bad]["reasons"])


@pytest.mark.slow
def test_a_new_threshold_decides_pages_of_before(web, tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    words = ("crawl", "--ontology", "tea.ttl", "--seeds", web.seed, "--allow", "127.0.0.1", "--delay", "0")
    words += ("--max-pages", "4")

    def told(*more: str) -> str:
        done = ontocrawl(tmp_path, *words, *more)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def on_topic() -> set[str]:
        cypher = "MATCH (p:Page) WHERE p.on_topic RETURN p.title AS t"
        rows = json.loads(ontocrawl(tmp_path, "query", cypher, "--format", "json").stdout)
        return {row["t"] for row in rows}

    told("--strategy", "ontology")
    assert on_topic() == {"/", "/green", "/black"}
    said = told("--strategy", "ontology", "--threshold", "0.99")
    assert re.search(r"threshold of 0\.99 0 of the 4 pages.* 0\.3: 3\b", said)
    assert on_topic() == set()
    told("--strategy", "ontology")
    assert on_topic() == {"/", "/green", "/black"}
    changed = told("--strategy", "bfs", "--threshold", "0.99")
    assert "4 pages are judged again from the record" in changed
    assert on_topic() == set()
