"""Crawls whose store goes away, or fails, at any of its methods."""

import pytest
from store_fixtures import Lasting
from test_live_settings import ABOUT, HOST, MILD, ONTOLOGY, Web

from cli.crawling.crawl import carry_out, make_plan
from cli.settings import make_settings
from crawler.engine.patient_store import AWAY_SECONDS
from ontology.errors import CrawlBroken, StoreAway, StoreError


class Failing(Lasting):
    """Each method fails when it is called first, and notes its name in `failed`."""

    error: StoreError = StoreAway("the store does not answer", "start it")
    first = "open_crawl"  # nothing fails before this one is called

    def __init__(self):
        super().__init__()
        self.failed = []

    def __getattribute__(self, name):
        method = super().__getattribute__(name)
        if name.startswith("_") or not callable(method) or name == "close":
            return method
        return lambda *given, **named: self._fail_first(name) or method(*given, **named)

    def _fail_first(self, name):
        if name not in self.failed and (self.failed or name == self.first):
            self.failed.append(name)
            raise self.error


@pytest.fixture
def crawl(tmp_path, monkeypatch):
    """Crawl the small web into a store; gives its progress."""
    monkeypatch.setattr("crawler.engine.patient_store.RETRY_SECONDS", 0)
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    file = tmp_path / "crawl.toml"
    file.write_text(f'ontology = "tea.ttl"\nseeds = ["{HOST}/"]{ABOUT}{MILD}', encoding="utf-8")

    def run(store):
        monkeypatch.setattr("cli.crawling.crawl.open_store", lambda where, tell: store)
        monkeypatch.setattr("cli.crawling.crawl.source_of", lambda settings: Web({}))
        settings = make_settings({}, file)
        return carry_out(make_plan(settings), settings, lambda progress: None, look=lambda *_: None)

    return run


def test_a_store_away_at_each_call_is_waited_for(crawl, capsys):
    store = Failing()
    store.first = "languages"  # the first call of all
    assert crawl(store).pages == 4
    assert {"languages", "open_crawl", "away", "known", "visits", "queued", "save", "mark", "wait_until_filled"} <= set(
        store.failed
    )
    assert f"{AWAY_SECONDS:g} s" in capsys.readouterr().err


@pytest.mark.parametrize("first", ["save", "mark", "wait_until_filled"])
def test_a_store_that_fails_later_breaks_the_crawl(crawl, first):
    store = Failing()
    store.first, store.error = first, StoreError("the disk is full", "make room")
    with pytest.raises(CrawlBroken, match="disk is full") as caught:
        crawl(store)
    assert caught.value.cure.startswith("make room; ")


def test_a_store_that_cannot_be_used_begins_no_crawl(crawl):
    store = Failing()
    store.error = StoreError("this store holds another crawl", "give another --store")
    with pytest.raises(StoreError, match="another crawl"):
        crawl(store)
