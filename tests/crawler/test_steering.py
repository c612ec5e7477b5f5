"""A person's hand on a crawl that runs: pause, ban, raise, and what is shown."""

from crawl_fakes import NEW, FakeUnderstanding, FakeWeb, Run, html

from crawler.engine.actions import Fetch, Limits, Wait
from crawler.engine.session import Session
from crawler.engine.steering import Steering
from semantic.records import QueuedRecord

FAST = Limits(max_pages=1000, delay=0.0, connections=1)


def begun(web: FakeWeb, *, after: int = 2) -> tuple[Run, Steering]:
    """A crawl from http://a/ after so many answers: its robots.txt, then the page."""
    steering = Steering()
    queued = [QueuedRecord("http://a/", 1.0, 0, found=1)]
    session = Session(FakeUnderstanding(), FAST, NEW, queued, (), steering=steering)
    return Run(session, web).steps(after), steering


def two_hosts() -> FakeWeb:
    links = {"http://a/1": 0.9, "http://a/2": 0.8, "http://b/1": 0.3, "http://b/2": 0.2}
    return FakeWeb(html("http://a/", links), *[html(url, {}) for url in links])


def pages(crawl: Run) -> list[str]:
    return [url for url in crawl.web.asked if not url.endswith("/robots.txt")]


def test_a_pause_starts_nothing_and_the_crawl_goes_on_afterwards():
    crawl, steering = begun(two_hosts())
    steering.is_paused = True
    assert isinstance(crawl.session.next_action(crawl.now), Wait)
    steering.is_paused = False
    assert isinstance(crawl.session.next_action(crawl.now), Fetch)


def test_a_banned_host_is_left_and_its_links_stay_queued():
    crawl, steering = begun(two_hosts())
    steering.ban("a")
    crawl.steps()
    assert pages(crawl) == ["http://a/", "http://b/1", "http://b/2"]
    assert crawl.session.frontier.get("http://a/1") is not None
    assert crawl.session.progress(crawl.now).cut == (0, 0)  # a ban is no trap


def test_a_lifted_ban_leaves_the_order_as_it_was():
    crawl, steering = begun(two_hosts())
    steering.ban("a")
    assert steering.banned
    crawl.session.next_action(crawl.now)
    steering.clear_host("a")
    crawl.session.next_action(crawl.now)
    assert crawl.session.frontier.top("http://a/robots.txt") is not None
    assert not steering.banned


def test_a_raised_host_comes_first_in_its_own_order():
    crawl, steering = begun(two_hosts())
    steering.raise_host("b")
    crawl.steps()
    assert pages(crawl) == ["http://a/", "http://b/1", "http://b/2", "http://a/1", "http://a/2"]


def test_links_found_later_and_revised_places_are_raised_too():
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://b/1": 0.3}),
        html("http://b/1", {"http://b/2": 0.1, "http://b/3": 0.2}, revise={"http://b/3": 0.05}),
        *[html(f"http://{name}", {}) for name in ("a/1", "b/2", "b/3")],
    )
    crawl, steering = begun(web)
    steering.raise_host("b")
    crawl.steps()
    assert pages(crawl) == ["http://a/", "http://b/1", "http://b/2", "http://b/3", "http://a/1"]


def test_the_record_tells_that_a_place_was_raised_by_hand():
    crawl, steering = begun(two_hosts())
    steering.raise_host("b")
    revised = {record.url: record for record in crawl.session.take_batch().revised}
    assert set(revised) == {"http://b/1", "http://b/2"}
    assert all(record.reasons[0].kind == "raised by hand" for record in revised.values())
    assert revised["http://b/1"].priority > 0.9


def test_a_host_let_be_falls_back_to_its_place():
    crawl, steering = begun(two_hosts())
    steering.raise_host("b")
    steering.clear_host("b")
    crawl.steps()
    assert pages(crawl) == ["http://a/", "http://a/1", "http://a/2", "http://b/1", "http://b/2"]


def test_what_is_under_way_waits_and_ended_is_shown():
    crawl, steering = begun(two_hosts())
    fetch = crawl.session.next_action(crawl.now)
    assert [one.url for one in steering.under_way()] == [fetch.url] == ["http://a/1"]
    shown = {one.host: (one.waiting, one.best, one.under_way) for one in steering.hosts(10)}
    assert shown == {"a": (1, "http://a/2", 1), "b": (2, "http://b/1", 0)}
    assert [one.host for one in steering.hosts(1)] == ["a"]
    (page,) = steering.last
    assert page.url == "http://a/"


def test_promise_and_what_came_are_summed_without_seeds():
    crawl, steering = begun(two_hosts())
    crawl.steps()
    assert steering.judged == 4
    assert round(steering.priority_sum, 6) == 2.2
