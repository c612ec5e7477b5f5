"""The demonstration web, crawled with a stop half-way: the same order as without one, whatever strategy and store.

Without its one Crawl-delay: a host's rest is time, and lends its turn to others; a resumed crawl begins with none.
"""

import pytest

from cli.concepts import concept_records
from cli.crawl import open_session
from crawler.actions import Limits
from crawler.ports import Fetched
from crawler.session import Session
from crawler.simulator import simulate
from examples.pages import answer
from examples.sites import ONTOLOGY, SEEDS, read_sites
from graphdb.memory import MemoryStore
from ontology.lexicon import build_lexicon
from ontology.reading import read_ontology
from ontology.topic import build_topic
from semantic.records import CrawlRecord, QueuedRecord, Resumed
from semantic.strategies import build_understanding

SITES = read_sites()
MADE = read_ontology(ONTOLOGY)
TOPIC = build_topic(MADE)
LEXICON = build_lexicon(MADE, TOPIC, None)
PAGES = 120
PARAMETERS = {"jlse": {"cf": 10}}  # so that it reads the link graph before the stop and after it
RECORD = CrawlRecord("c", "tea", "tea.owl", "f", "any", "{}", "2026-01-01T00:00:00")


def fetched(url):
    found = answer(SITES, url)
    body = found.body.replace(b"Crawl-delay", b"#") if url.endswith("/robots.txt") else found.body
    return Fetched(url, found.status, {name.lower(): value for name, value in found.headers}, body)


def crawl(strategy, store, max_pages):
    """Crawl on from what the store holds; the addresses of the pages that were fetched, in order."""
    seeds = [QueuedRecord(url, 10.0, 0, found=rank) for rank, url in enumerate(SEEDS.read_text("utf-8").split(), 1)]
    resumed = store.open_crawl(RECORD, concept_records(MADE, LEXICON, TOPIC), seeds)
    understanding = build_understanding(
        strategy, TOPIC, LEXICON, None, PARAMETERS.get(strategy, {}), seeds=[seed.url for seed in seeds]
    )
    limits = Limits(max_pages, delay=0, connections=1)
    session = Session(understanding, limits, resumed, store.queued(), store.known(), fingerprints=store.fingerprints())
    asked = []

    def fetch(url):
        asked.append(url)
        return fetched(url)

    simulate(session, fetch, store, lambda progress: None)
    return [url for url in asked if not url.endswith("/robots.txt")]


@pytest.mark.parametrize("strategy", ["fused", "opic", "shark", "jlse"])
@pytest.mark.parametrize("kind", ["memory", "embedded"])
def test_a_crawl_that_was_stopped_goes_on_in_the_same_order(strategy, kind, request):
    store = MemoryStore() if kind == "memory" else request.getfixturevalue("embedded_kept").store
    whole = crawl(strategy, MemoryStore(), PAGES)
    assert len(whole) >= PAGES
    assert crawl(strategy, store, PAGES // 2) + crawl(strategy, store, PAGES) == whole


def test_a_memory_of_other_code_is_left_out_with_a_word(capsys):
    store = MemoryStore()
    crawl("fused", store, 10)
    understanding = build_understanding("fused", TOPIC, LEXICON, None, {})
    resumed = Resumed(None, store.counters, b"ontocrawl 1\n" + store.memory)
    session = open_session(understanding, Limits(20, 0, 1), resumed, store)
    assert "written by another version" in capsys.readouterr().err
    assert session.progress(0.0).queued == len(list(store.queued()))


@pytest.mark.parametrize("strategy", ["pagerank", "adaptive", "context-graph", "ata", "customised"])
def test_strategies_that_learn_go_on_in_the_same_order(strategy):
    store = MemoryStore()
    assert crawl(strategy, store, PAGES // 2) + crawl(strategy, store, PAGES) == crawl(strategy, MemoryStore(), PAGES)
