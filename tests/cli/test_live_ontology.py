"""An ontology that is saved while its crawl runs: messages, and the record afterwards."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import threading
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from store_fixtures import Lasting
from store_snapshots import crawl_row, snapshot
from test_end_to_end import HOST, ONTOLOGY, PAGES, answer, start

from cli.crawling.crawl import carry_out, make_plan, read_again
from cli.crawling.live_files import NAMED, SHOWN, OntologyFile, tell_moved
from cli.interrupts import interruptible
from cli.settings import Settings, make_settings
from graphdb.stores import open_store
from ontology.errors import SettingsError

CARS = ':Car a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "engines"@en , "wheels"@en ; oc:weight 1.0 .\n'
EDITED = ONTOLOGY.replace('"green tea"@en ; oc:weight 1.0', '"green tea"@en ; oc:weight 0.5') + CARS
BY_BATCH = ("fetched_at", "ended_after", "chosen")  # what depends on which pages were saved together


class Web:
    """The small web. When one of the pages in `then` is asked for, that is called, and its answer waits for a word."""

    def __init__(self, then, told):
        self.asked = []
        self._then = then
        self._told = told

    async def fetch(self, url, conditions=(), *, robots=False):
        path = url.removeprefix(HOST)
        self.asked.append(path)
        change, word = self._then.pop(path, (None, ""))
        if change:
            before = len(self._told)
            change()
            while not any(word in line for line in self._told[before:]):
                await asyncio.sleep(0.01)
        return answer(url)

    async def close(self):
        pass


@pytest.fixture
def crawl(tmp_path, monkeypatch):
    """Crawl the small web; some pages change the ontology. What was asked, the progress and what was told of it."""
    file = tmp_path / "tea.ttl"
    told = []
    monkeypatch.setattr("cli.crawling.live_files.say", told.append)
    monkeypatch.setattr("cli.crawling.rejudge.say", told.append)

    def write(text, name="tea.ttl"):
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(then=None, store=None, **settings):
        made = Settings(str(file), (f"{HOST}/",), **{"max_pages": 5, "delay": 0, "connections": 1, **settings})
        kept = Lasting() if store is None else store
        changes = {path: (lambda text=text: write(*text), word) for path, (text, word) in (then or {}).items()}
        web = Web(changes, told)
        monkeypatch.setattr("cli.crawling.crawl.open_store", lambda where, saving: kept)
        monkeypatch.setattr("cli.crawling.crawl.source_of", lambda settings: web)
        plan = make_plan(made)
        ontology = OntologyFile(plan.about, lambda: read_again(made, plan), look_seconds=0)
        progress = carry_out(plan, replace(made, store="memory:"), lambda progress: None, ontology=ontology)
        return web.asked, progress, kept

    write(ONTOLOGY)
    run.write, run.told = write, told
    return run


def record(store):
    """All that the store holds of the crawl, and how it was judged."""
    found = snapshot(store)
    pages = {url: {name: row[name] for name in row if name not in BY_BATCH} for url, row in found["pages"].items()}
    return found | {"pages": pages}, crawl_row(store)["fingerprint"]


ANEW = "was saved"


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["fused", "ontology", "bfs"])
def test_the_record_is_as_after_a_stop_and_a_start(crawl, strategy):
    asked, progress, store = crawl({"/green": ((EDITED,), ANEW)}, strategy=strategy)
    crawl.write(ONTOLOGY)
    first, _, stopped = crawl(max_pages=2, strategy=strategy)
    crawl.write(EDITED)
    second, other, _ = crawl(store=stopped, strategy=strategy)
    assert sorted(asked) == sorted(["/robots.txt", *PAGES])
    assert [path for path in asked if path in PAGES] == [path for path in first + second if path in PAGES]
    assert record(store) == record(stopped)
    assert crawl_row(store)["pages"] == progress.pages == other.pages == 5
    assert (progress.stopped, progress.on_topic) == (other.stopped, other.on_topic)


def test_what_changed_and_which_pages_moved_is_told(crawl):
    edited = ONTOLOGY.replace('"tea"@en', '"engines"@en').replace('"green tea"@en', '"wheels"@en')
    crawl({"/bikes": ((edited,), ANEW)}, strategy="ontology")
    told = "\n".join(crawl.told)
    assert "tea@en" in told and "engines@en" in told
    gained, lost = (line for line in crawl.told if line.startswith(("  gained", "  lost")))
    assert f"{HOST}/cars" in gained and f"{HOST}/bikes" in gained
    assert lost == f"  lost 1: {HOST}/"  # it names green tea


@pytest.mark.slow
def test_a_broken_file_is_told_once_and_then_mended(crawl):
    broken = ((EDITED[: len(EDITED) // 2] + " <",), "goes on as it was")
    asked, _, store = crawl({"/green": broken, "/cars": ((EDITED,), ANEW)})
    assert len([line for line in crawl.told if "goes on as it was" in line]) == 1
    assert sorted(asked) == sorted(["/robots.txt", *PAGES])
    assert "http://onto.example/tea#Car" in snapshot(store)["concepts"]


@pytest.mark.parametrize("edited", [ONTOLOGY.replace("oc:topic :Tea", "oc:topic :Green"), ""])
def test_an_ontology_that_cannot_be_used_changes_nothing(crawl, edited):
    _, progress, store = crawl({"/green": ((edited,), "goes on as it was")})
    assert crawl_row(store)["topic"] == "http://onto.example/tea#Tea"
    assert progress.pages == 5
    assert ANEW not in "".join(crawl.told)


@pytest.mark.slow
def test_an_imported_file_beside_it_is_followed(crawl):
    imported = (
        ONTOLOGY.split(":Tea a")[0].replace("onto.example/tea>", "onto.example/cars>").replace(" ; oc:topic :Tea", "")
    )
    importing = ONTOLOGY.replace("oc:topic :Tea", "oc:topic :Tea ; owl:imports <http://onto.example/cars>")
    crawl.write(importing)
    crawl.write(imported, "cars.ttl")
    asked, _, store = crawl({"/green": ((imported + CARS, "cars.ttl"), ANEW)})
    assert "http://onto.example/tea#Car" in snapshot(store)["concepts"]
    assert sorted(asked) == sorted(["/robots.txt", *PAGES])
    again = [line for line in crawl.told if "judged again" in line]
    crawl(store=store, max_pages=5)
    assert [line for line in crawl.told if "judged again" in line] == again


class Interrupted(Lasting):
    """Ctrl-C comes while new priorities are saved, which is before the new judgements are."""

    is_edited = False
    ending = None  # how the crawl takes Ctrl-C

    def open_crawl(self, crawl, concepts, seeds):
        self.is_edited = any(concept.label == "engines" for concept in concepts)
        return super().open_crawl(crawl, concepts, seeds)

    def save(self, batch):
        if batch.revised and not batch.pages and self.is_edited:
            os.kill(os.getpid(), signal.SIGINT)
            self.ending.stop.wait()  # until the main thread has taken it
        super().save(batch)


@pytest.mark.slow
def test_the_next_run_mends_ctrl_c_while_pages_are_judged(crawl, monkeypatch):
    store = Interrupted()

    @contextlib.contextmanager
    def noted():
        with interruptible() as store.ending:
            yield store.ending

    monkeypatch.setattr("cli.crawling.crawl.interruptible", noted)
    asked, progress, _ = crawl({"/green": ((EDITED,), ANEW)}, store=store)
    assert (asked[-1], progress.stopped, store.remembered()) == ("/green", "interrupted", b"")
    store.is_edited, store.save = False, lambda batch: Lasting.save(store, batch)
    asked, progress, _ = crawl(store=store)
    assert progress.pages == 5
    assert "/green" not in asked
    assert sum("2 pages are judged again" in line for line in crawl.told) == 2
    assert store.remembered()


@pytest.mark.slow
def test_of_many_changes_some_are_told(crawl):
    more = "".join(f':N{n} a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "name {n}"@en .\n' for n in range(SHOWN + 7))
    crawl({"/green": ((ONTOLOGY + more,), ANEW)})
    assert len([line for line in crawl.told if "name " in line]) == SHOWN
    assert "  and 7 more" in crawl.told


def test_of_many_pages_some_are_named(crawl):
    tell_moved([], [f"http://a.example/{n}" for n in range(NAMED + 2)])
    assert crawl.told[-1].count("http://") == NAMED
    assert crawl.told[-1].endswith("and 2 more")


def test_without_an_ontology_there_is_nothing_to_follow():
    given = {"seeds": ["http://a.example/"], "max_pages": 1, "strategy": "customised", "watch": True}
    with pytest.raises(SettingsError, match="--watch"):
        make_settings(given)


class Answers(BaseHTTPRequestHandler):
    """The small web. The answer for /black waits for a word on the ontology."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == "/black":
            self.server.is_asked.set()
            self.server.has_told.wait(60)
        page = answer(HOST + self.path)
        self.send_response(page.status)
        for name, value in {**page.headers, "Content-Length": str(len(page.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.asked, server.is_asked, server.has_told = [], threading.Event(), threading.Event()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.has_told.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
def test_the_command_goes_on_by_the_ontology_saved_meanwhile(web, tmp_path):
    store = open_store(str(tmp_path / "ontocrawl-store"))
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    given = f"--seeds http://127.0.0.1:{web.server_port}/ --allow 127.0.0.1 --delay 0 --connections 1 --max-pages 5"
    words = ["crawl", "--ontology", "tea.ttl", *given.split(), "--watch", "--json"]
    with start(tmp_path, *words, stderr=subprocess.PIPE) as process:
        assert web.is_asked.wait(60)
        (tmp_path / "tea.ttl").write_text(EDITED, encoding="utf-8")
        told = list(until(process.stderr, ANEW))
        web.has_told.set()
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "are judged again from the record" in err and told
    figures = json.loads(out)
    assert (figures["pages"], figures["requests"], figures["stopped"]) == (5, 6, "max-pages")
    assert sorted(web.asked) == sorted(["/robots.txt", *PAGES])
    row = crawl_row(store)
    assert (row["fingerprint"], row["on_topic"]) == (sha256(EDITED.encode()).hexdigest(), figures["on_topic"])
    cars = (
        "SELECT label FROM mentions JOIN pages ON page = pages.id JOIN concepts ON concept = concepts.id "
        "WHERE title = 'Cars'"
    )
    assert [row["label"] for row in store.read(cars)] == ["engines"]


def until(lines, word):
    for line in lines:
        yield line
        if word in line:
            return
