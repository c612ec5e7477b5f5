"""The crawl in virtual time: the order of a live crawl, hours of politeness in no time."""

from crawl_fakes import FakeStore, FakeWeb, html, run, start

from crawler.engine.actions import Limits
from crawler.simulation.simulator import SAVE_PAGES, simulate
from semantic.records import LinkGraph

HOST = "http://a.example"


def web() -> FakeWeb:
    pages = [html(f"{HOST}/{n}", {f"{HOST}/{n + 1}": 0.5, f"{HOST}/{n + 100}": 0.1}, relevance=0.6) for n in range(60)]
    return FakeWeb(*pages)


def test_the_order_is_that_of_any_other_driver():
    store = FakeStore(f"{HOST}/0")
    limits = Limits(max_pages=40, delay=0, connections=1)
    simulated = web()
    progress = simulate(start(store, limits), simulated.answer, store, lambda progress: None)
    driven, _ = run(web(), f"{HOST}/0", limits=limits)
    assert simulated.asked == driven.web.asked
    assert (progress.pages, progress.stopped) == (40, "max-pages")


def test_time_is_what_answers_and_politeness_take():
    store = FakeStore(f"{HOST}/0")
    limits = Limits(max_pages=10, delay=60, connections=1)
    progress = simulate(start(store, limits), web().answer, store, lambda progress: None)
    fetches = 11  # with robots.txt
    assert round(progress.seconds, 6) == round(fetches * 0.05 + (fetches - 1) * 60, 6)


def test_the_link_graph_is_read_from_the_store():
    asking = FakeWeb(html(f"{HOST}/0", {f"{HOST}/1": 0.9, f"{HOST}/2": 0.1}, graph=True))
    store = FakeStore(f"{HOST}/0")
    store.graph = LinkGraph((f"{HOST}/2",), (), frozenset(), frozenset())
    simulate(start(store, Limits(max_pages=10, delay=0, connections=1)), asking.answer, store, lambda progress: None)
    assert asking.asked[1:] == [f"{HOST}/0", f"{HOST}/2", f"{HOST}/1"]


def test_everything_is_saved_in_batches_that_no_clock_makes():
    store, heard = FakeStore(f"{HOST}/0"), []
    simulate(start(store, Limits(max_pages=60, delay=0, connections=1)), web().answer, store, heard.append)
    assert [len(batch.pages) for batch in store.batches] == [SAVE_PAGES, 60 - SAVE_PAGES]
    assert [progress.pages for progress in heard] == [SAVE_PAGES]
    assert {page.fetched_at[:10] for page in store.pages.values()} == {"2026-01-01"}
