"""An ontology that is saved anew while its crawl runs: what is told, and what the record is then."""

import asyncio
import os
import signal
from dataclasses import replace

import pytest
from test_end_to_end import HOST, ONTOLOGY, PAGES

from cli.crawling.crawl import carry_out, make_plan, read_again
from cli.crawling.live_ontology import NAMED, SHOWN, OntologyFile, tell_moved
from cli.settings import Settings, make_settings
from crawler.ports import Fetched
from graphdb.memory_store import MemoryStore
from ontology.errors import SettingsError

HTML = {"content-type": "text/html; charset=utf-8"}
IMPORTED = "onto.example/cars> a owl:Ontology"
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
        if path not in PAGES:
            return Fetched(url, 404, {}, b"")
        title, body = PAGES[path]
        return Fetched(url, 200, HTML, f"<html><title>{title}</title><body>{body}</body></html>".encode())

    async def close(self):
        pass


@pytest.fixture
def crawl(tmp_path, monkeypatch):
    """Crawl the small web; some pages change the ontology. What was asked, the progress and what was told of it."""
    file = tmp_path / "tea.ttl"
    told = []
    monkeypatch.setattr("cli.crawling.live_ontology.say", told.append)
    monkeypatch.setattr("cli.crawling.rejudge.say", told.append)

    def write(text, name="tea.ttl"):
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(then=None, store=None, **settings):
        made = Settings(str(file), (f"{HOST}/",), **{"max_pages": 5, "delay": 0, "connections": 1, **settings})
        kept = MemoryStore() if store is None else store
        changes = {path: (lambda text=text: write(*text), word) for path, (text, word) in (then or {}).items()}
        web = Web(changes, told)
        monkeypatch.setattr("cli.crawling.crawl.open_store", lambda where, tell: kept)
        monkeypatch.setattr("cli.crawling.crawl._source", lambda settings: web)
        plan = make_plan(made)
        ontology = OntologyFile(plan.about, lambda: read_again(made, plan), look_seconds=0)
        progress = carry_out(plan, replace(made, store="memory:"), lambda progress: None, ontology=ontology)
        return web.asked, progress, kept

    write(ONTOLOGY)
    run.write, run.told = write, told
    return run


def record(store):
    """All that the store holds of the crawl, and how it was judged."""
    rows = store.graph.pages.items()
    pages = {url: {name: row[name] for name in row if name not in BY_BATCH} for url, row in rows}
    return pages, store.graph.links, store.graph.mentions, store.graph.concepts, store.crawl.fingerprint


ANEW = "saved anew"


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
    assert store.counters.pages == progress.pages == other.pages == 5
    assert (progress.stopped, progress.on_topic) == (other.stopped, other.on_topic)


def test_what_changed_and_which_pages_moved_is_told(crawl):
    edited = ONTOLOGY.replace('"tea"@en', '"engines"@en').replace('"green tea"@en', '"wheels"@en')
    crawl({"/bikes": ((edited,), ANEW)}, strategy="ontology")
    told = "\n".join(crawl.told)
    assert "tea@en" in told and "engines@en" in told
    gained, lost = (line for line in crawl.told if line.startswith(("  gained", "  lost")))
    assert f"{HOST}/cars" in gained and f"{HOST}/bikes" in gained
    assert lost == f"  lost 1: {HOST}/"  # it names green tea


def test_a_file_that_is_broken_is_told_once_and_then_mended(crawl):
    broken = ((EDITED[: len(EDITED) // 2] + " <",), "goes on as it was")
    asked, _, store = crawl({"/green": broken, "/cars": ((EDITED,), ANEW)})
    assert len([line for line in crawl.told if "goes on as it was" in line]) == 1
    assert sorted(asked) == sorted(["/robots.txt", *PAGES])
    assert "http://onto.example/tea#Car" in store.graph.concepts


@pytest.mark.parametrize("edited", [ONTOLOGY.replace("oc:topic :Tea", "oc:topic :Green"), ""])
def test_an_ontology_that_cannot_be_used_changes_nothing(crawl, edited):
    _, progress, store = crawl({"/green": ((edited,), "goes on as it was")})
    assert store.crawl.topic == "http://onto.example/tea#Tea"
    assert progress.pages == 5
    assert ANEW not in "".join(crawl.told)


def test_an_imported_file_beside_it_is_followed(crawl):
    imported = (
        ONTOLOGY.split(":Tea a")[0].replace("onto.example/tea>", "onto.example/cars>").replace(" ; oc:topic :Tea", "")
    )
    importing = ONTOLOGY.replace("oc:topic :Tea", "oc:topic :Tea ; owl:imports <http://onto.example/cars>")
    crawl.write(importing)
    crawl.write(imported, "cars.ttl")
    asked, _, store = crawl({"/green": ((imported + CARS, "cars.ttl"), ANEW)})
    assert "http://onto.example/tea#Car" in store.graph.concepts
    assert sorted(asked) == sorted(["/robots.txt", *PAGES])
    again = [line for line in crawl.told if "judged anew" in line]
    crawl(store=store, max_pages=5)
    assert [line for line in crawl.told if "judged anew" in line] == again


class Interrupted(MemoryStore):
    """Ctrl-C comes while what is now said of pages is saved."""

    is_edited = False

    def open_crawl(self, crawl, concepts, seeds):
        self.is_edited = any(concept.label == "engines" for concept in concepts)
        return super().open_crawl(crawl, concepts, seeds)

    def save(self, batch):
        if batch.judged and self.is_edited:
            os.kill(os.getpid(), signal.SIGINT)
        super().save(batch)


def test_ctrl_c_while_pages_are_judged_is_mended_by_the_next_run(crawl):
    asked, progress, store = crawl({"/green": ((EDITED,), ANEW)}, store=Interrupted())
    assert (asked[-1], progress.stopped, store.memory) == ("/green", "interrupted", b"")
    store.is_edited, store.save = False, lambda batch: MemoryStore.save(store, batch)
    asked, progress, _ = crawl(store=store)
    assert progress.pages == 5
    assert "/green" not in asked
    assert sum("2 pages are judged anew" in line for line in crawl.told) == 2
    assert store.memory


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
