"""Hosts that give no page: when they are asked no more, when again, and that a killed crawl knows it."""

import re
from dataclasses import replace

import pytest
from crawl_fakes import FakeStore, FakeUnderstanding, FakeWeb, Run, html, start

from crawler.engine.actions import Limits
from crawler.ports import Failed, Fetched
from crawler.traps.cut_links import cut_links
from crawler.traps.trap_detection import FAILURES, HOSTS, ONE_IN, SILENT_HOSTS, Silence, Traps

ONE_BY_ONE = Limits(max_pages=10_000, delay=0.0, connections=1, per_host=1)
DEAD = [f"http://dead/{n}" for n in range(3 * FAILURES)]
OF_DEAD = "dead/...silent"


def crawl(web: FakeWeb, store: FakeStore, *allow: str, steps: int = 100_000) -> Run:
    done = Run(start(store, ONE_BY_ONE, allow), web, store=store).steps(steps)
    store.save(done.session.take_batch())
    return done


def asked(web: FakeWeb, host: str) -> int:
    return sum(url.startswith(f"http://{host}/") and not url.endswith("/robots.txt") for url in web.asked)


def test_a_crawl_ends_after_all_of_a_host_has_failed() -> None:
    web, store = FakeWeb(html("http://a/", dict.fromkeys(DEAD, 0.5))), FakeStore("http://a/")
    understanding = FakeUnderstanding()
    done = Run(start(store, ONE_BY_ONE, understanding=understanding), web, store=store).steps()
    store.save(done.session.take_batch())
    assert sorted(understanding.forgotten) == sorted((url, None) for url in DEAD)
    assert (asked(web, "dead"), done.ended) == (FAILURES, "queue-empty")
    assert done.session.progress(done.now).cut == (len(DEAD) - FAILURES, 1)
    assert len(store.queue) == len(DEAD) - FAILURES
    traps = Traps(store.visits())
    assert {traps.trap(url) for url in store.queue} == {OF_DEAD}
    assert re.findall(r"\d+", str(traps.why(OF_DEAD))) == [str(FAILURES)]


def test_a_killed_crawl_asks_only_an_allowed_dead_host_again() -> None:
    web, store = FakeWeb(html("http://a/", dict.fromkeys(DEAD, 0.5))), FakeStore("http://a/")
    crawl(web, store, steps=8)
    assert 0 < asked(web, "dead") < FAILURES
    crawl(web, store)
    assert asked(web, "dead") == FAILURES
    crawl(web, store, OF_DEAD)
    assert asked(web, "dead") == len(DEAD)


def test_a_host_that_gave_one_page_may_fail_for_ever() -> None:
    links = {url: 0.5 - n / 1000 for n, url in enumerate(DEAD)}
    web = FakeWeb(html("http://a/", links), html(DEAD[FAILURES - 1]))
    crawl(web, FakeStore("http://a/"))
    assert asked(web, "dead") == len(DEAD)


def test_with_the_first_page_its_links_come_back() -> None:
    """By way of a seed, which is never cut."""
    late = f"{DEAD[0]}/late"
    web, store = FakeWeb(html("http://a/", dict.fromkeys(DEAD, 2.0)), html(late)), FakeStore("http://a/", late)
    done = crawl(web, store)
    assert done.pages.index(late) == 1 + FAILURES
    assert asked(web, "dead") == len(DEAD) + 1
    assert done.session.progress(done.now).cut == (0, 0)


def test_redirects_say_nothing() -> None:
    moved = [Fetched(url, 301, {"location": f"http://b/{n}"}, b"") for n, url in enumerate(DEAD)]
    web = FakeWeb(html("http://a/", dict.fromkeys(DEAD, 0.5)), *moved)
    crawl(web, FakeStore("http://a/"))
    assert (asked(web, "dead"), asked(web, "b")) == (len(DEAD), FAILURES)


def test_a_host_allowed_to_repeat_directories_may_be_silent() -> None:
    traps, url = Traps(allowed=["dead/...repeats"]), "http://dead/a/a/a/1"
    assert traps.trap(url) is None
    for n in range(FAILURES):
        traps.fail(f"http://dead/{n}")
    assert traps.trap(url) == OF_DEAD


def silence(*, silent: int, gave: int = 0) -> Silence:
    found = Silence()
    for n in range(silent):
        found.fail(f"http://silent{n}/")
    for n in range(gave):
        found.answer(f"http://gave{n}/")
    return found


@pytest.mark.parametrize(("silent", "gave", "shut"), [(HOSTS, 0, False), (HOSTS + 1, 0, True), (HOSTS + 1, 1, False)])
def test_new_hosts_are_cut_where_hardly_one_gives_a_page(silent: int, gave: int, *, shut: bool) -> None:
    found = silence(silent=silent, gave=gave)
    names = [found.trap(f"http://new{n}/") for n in range(1000)]
    assert set(names) - {None, SILENT_HOSTS} == set()
    cut = sum(name == SILENT_HOSTS for name in names)
    assert 850 < cut < 950 if shut else cut == 0  # one in ten is asked all the same
    assert found.trap("http://gave0/x") is None


def test_hosts_made_up_below_one_domain_shut_out_no_others() -> None:
    found = Silence()
    for n in range(20 * HOSTS):
        found.fail(f"http://n{n}.evil.example/")
    assert found.trap("http://other.org/") is None
    found.answer("http://one.evil.example/")
    found.fail("http://late.evil.example/")
    assert re.findall(r"\d+", str(found.why(SILENT_HOSTS)))[:2] == ["1", "1"]


def test_new_hosts_come_back_when_one_gives_a_page() -> None:
    found = silence(silent=HOSTS + 1)
    assert dict(found.why(SILENT_HOSTS).values) == {"number": HOSTS + 1, "gave": 0, "one_in": ONE_IN}
    assert found.answer("http://new/") == ["new/...silent", SILENT_HOSTS]
    assert found.answer("http://new/2") == []
    assert all(found.trap(f"http://new{n}/") is None for n in range(100))


def test_a_crawl_without_a_way_out_asks_few_new_hosts() -> None:
    links = {f"http://out{n}/": 0.5 for n in range(2 * HOSTS)}
    web = FakeWeb(html("http://a/", links))
    done = crawl(web, FakeStore("http://a/"))
    before = 2 * HOSTS + 1  # the seed's host gave a page
    more = {f"http://more{n}/": 0.4 for n in range(1000)}
    assert len(done.pages) == before
    web = FakeWeb(html("http://a/", {**links, **more}))
    done = crawl(web, FakeStore("http://a/"))
    assert before + 50 < len(done.pages) < before + 150
    assert done.session.progress(done.now).cut == (1000 + before - len(done.pages), 1)


def test_hosts_whose_https_the_proxy_refuses_are_not_silent() -> None:
    """The record does not know of them: their links wait, and the next run asks again."""
    links = {f"https://out{n}/": 0.5 for n in range(2 * HOSTS + 100)}
    kind, told = "no https", "https: the proxy refuses CONNECT"
    refused = [Failed(f"{url}robots.txt", kind, told, asked=False) for url in links]
    store = FakeStore("http://a/")
    done = crawl(FakeWeb(html("http://a/", links), *refused), store)
    assert (done.ended, set(store.queue)) == ("unreachable", set(links))
    assert (done.session.progress(done.now).cut, store.batches[-1].traps, cut_links(store)) == ((0, 0), (), [])


def test_at_its_end_a_crawl_counts_what_its_record_counts() -> None:
    """The pages it may fetch are used up before the turn of the links to the dead host comes."""
    links = {url: 1 - n / 1000 for n, url in enumerate(DEAD)}
    web, store = FakeWeb(html("http://a/", links), html("http://a/last")), FakeStore("http://a/", "http://a/last")
    store.queue["http://a/last"] = store.queue["http://a/last"]._replace(priority=1 - FAILURES / 1000 + 0.0005)
    done = Run(start(store, replace(ONE_BY_ONE, max_pages=2)), web, store=store).steps()
    store.save(done.session.take_batch())
    (trap,) = cut_links(store)
    assert done.ended == "max-pages"
    assert done.session.progress(done.now).cut == (trap.links, 1) == (len(DEAD) - FAILURES, 1)
