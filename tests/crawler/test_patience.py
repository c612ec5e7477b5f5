"""Waiting for better links while their hosts rest, driven with a clock by hand: every answer takes 0.1 s."""

from dataclasses import replace

import pytest
from crawl_fakes import NEW, FakeStore, FakeUnderstanding, FakeWeb, Run, failed, html, robots, run, start

from crawler.engine.actions import Fetch, Limits, Wait, check_limits
from crawler.engine.patience import LONGEST, Resting, awaited
from crawler.engine.session import Session
from crawler.engine.steering import Steering
from crawler.ports import Fetched
from ontology.errors import SettingsError
from semantic.links.link_scorer import BY_RANK, NEVER
from semantic.records import QueuedRecord, WantedRecord

POLITE = Limits(max_pages=6, delay=1.0, patience=1.0)
GOOD, BAD = [f"http://good/{n}" for n in range(1, 6)], [f"http://bad/{n}" for n in range(1, 6)]


def two_hosts(good: float = 0.9, bad: float = 0.4) -> FakeWeb:
    """A seed on one host, good links to its own pages, bad ones to those of another."""
    links = {**dict.fromkeys(GOOD, good), **dict.fromkeys(BAD, bad)}
    return FakeWeb(html("http://good/", links), *map(html, links))


def fetched(patience: float, **about: float) -> list[str]:
    crawl, _ = run(two_hosts(**about), "http://good/", limits=replace(POLITE, patience=patience))
    return ["/".join(url.split("/")[2:]) for url in crawl.pages[1:]]


@pytest.mark.parametrize(
    ("patience", "bad", "pages"),
    [
        (1.0, 0.4, ["good/1", "good/2", "good/3", "good/4", "good/5"]),
        (0.0, 0.4, ["good/1", "bad/1", "good/2", "bad/2", "good/3"]),
        (0.5, 0.44, ["good/1", "good/2"]),
        (0.5, 0.46, ["good/1", "bad/1"]),
        (1.0, 0.9, ["good/1", "bad/1", "good/2"]),
    ],
)
def test_the_more_patience_the_longer_better_links_are_awaited(patience: float, bad: float, pages: list[str]) -> None:
    """When bad/1 may be asked, good/2 must rest for another second: with patience 0.5 it is worth 0.9 * 0.5 = 0.45."""
    assert fetched(patience, bad=bad)[: len(pages)] == pages


def test_the_rule() -> None:
    near, far = Resting(1.0, "near", 0.6, 1), Resting(2.0, "far", 0.9, 3)
    assert awaited(0.5, [near, far], patience=0.9, delay=1.0) == far  # .9 * .81 = .73, .6 * .9 = .54
    assert awaited(0.5, [near, far], patience=0.5, delay=1.0) is None  # .225, .3
    assert awaited(0.25, [near, far], patience=0.5, delay=1.0) == near
    assert awaited(0.5, [near, far], patience=0.5, delay=10.0) == far  # a rest counts in delays
    assert awaited(-2.0, [Resting(1.0, "a", -1.0, 1)], patience=0.9, delay=1.0) is None


def test_by_rank_the_number_of_better_links_decides() -> None:
    """50 * (1 - 0.9) = 5."""
    first, second = Resting(1.0, "first", -1.0, 2), Resting(2.0, "second", -1.0, 3)
    assert awaited(-2.0, [second, first], patience=0.9, delay=1.0, by_rank=True) is None
    assert awaited(-2.0, [second, first._replace(ahead=3)], patience=0.9, delay=1.0, by_rank=True) is not None
    assert awaited(-2.0, [first], patience=1.0, delay=1.0, by_rank=True) == first


def test_robots_txt_of_next_hosts_is_fetched_meanwhile() -> None:
    crawl, _ = run(two_hosts(), "http://good/", limits=POLITE)
    asked = [url for _, _, url in crawl.log]
    assert asked.index("http://bad/robots.txt") < asked.index("http://good/2")
    begun = {url: begin for begin, _, url in crawl.log}
    assert begun["http://bad/robots.txt"] == pytest.approx(begun["http://good/"] + 0.1)


def test_a_host_asking_for_ten_minutes_is_not_awaited() -> None:
    web = two_hosts()
    web.answers[GOOD[0]] = [Fetched(GOOD[0], 429, {"retry-after": "600"}, b""), html(GOOD[0])]
    crawl, _ = run(web, "http://good/", limits=POLITE)
    assert crawl.pages[:6] == ["http://good/", GOOD[0], *BAD[:4]]


def test_a_host_with_a_long_crawl_delay_is_not_awaited() -> None:
    web = two_hosts()
    web.answers["http://good/robots.txt"] = [robots("http://good", "User-agent: *\nCrawl-delay: 600\n")]
    crawl, _ = run(web, "http://good/", limits=replace(POLITE, max_pages=3, patience=0.9))
    assert crawl.pages == ["http://good/", "http://bad/1", "http://bad/2"]


def test_a_host_that_dies_while_awaited_holds_up_nothing() -> None:
    web = two_hosts()
    for url in GOOD[1:]:
        web.answers[url] = [failed(url, "timeout")]
    robots = "http://good/robots.txt"
    web.answers[robots] = [Fetched(robots, 404, {}, b""), failed(robots, "timeout")]
    crawl, _ = run(web, "http://good/", limits=POLITE)
    ends = [end for _, end, url in crawl.log if url in BAD]
    assert len(ends) == 4
    assert max(ends) < LONGEST


def test_a_host_that_does_not_answer_is_not_waited_for() -> None:
    session = Session(FakeUnderstanding(), POLITE, NEW, [QueuedRecord("http://good/", 1.0, 0, found=1)], ())
    crawl = Run(session, two_hosts()).steps(5)
    now = crawl.now
    while not isinstance(action := session.next_action(now), Fetch):  # good/1 hangs
        now = action.until
    assert (action.url, now < 10.0) == ("http://good/1", True)
    begun = now
    while not isinstance(action := session.next_action(now), Fetch):
        now = action.until
    assert (action.url, now - begun < 5.0) == ("http://bad/1", True)


@pytest.mark.parametrize("connections", [1, 4, 16])
def test_dead_hosts_take_no_connections_from_the_best(connections: int) -> None:
    """Their robots.txt takes long and never comes."""
    links = {**dict.fromkeys(GOOD, 0.9), **{f"http://dead-{n}/": 0.3 for n in range(20)}}
    dead = [failed(f"http://dead-{n}/robots.txt", "timeout") for n in range(20)]
    crawl, _ = run(
        FakeWeb(html("http://good/", links), *map(html, GOOD), *dead),
        "http://good/",
        limits=replace(POLITE, connections=connections),
    )
    asked = [url for _, _, url in crawl.log if "dead" in url]
    assert crawl.pages == ["http://good/", *GOOD]
    assert len(asked) == len(set(asked))
    assert len(asked) <= 16
    assert connections > 1 or not asked


def test_no_more_robots_txt_ahead_than_pages_left() -> None:
    links = {GOOD[0]: 0.9, **{f"http://other-{n}/": 0.3 for n in range(40)}}
    web = FakeWeb(html("http://good/", links), *map(html, links))
    crawl, _ = run(web, "http://good/", limits=replace(POLITE, max_pages=2))
    assert len([url for _, _, url in crawl.log if "other" in url]) <= 1


def test_seeds_are_not_held_up() -> None:
    seeds = [f"http://{host}/" for host in "abc"]
    web = FakeWeb(html("http://a/", {f"http://a/{n}": 2.0 for n in range(9)}), *map(html, seeds[1:]))
    store = FakeStore(*seeds)
    crawl = Run(start(store, POLITE), web, store=store).steps(9)
    assert set(crawl.pages[:3]) == set(seeds)


def again(url: str, relevance: float) -> WantedRecord:
    return WantedRecord(url, 1, 0.5, 1, None, relevance, True, None, None, None)


def test_revisits_do_not_wait_for_each_other() -> None:
    """They do not spend the budget."""
    urls = [GOOD[0], GOOD[1], BAD[0], BAD[1]]
    wanted = [again(url, 0.9 if "good" in url else 0.1) for url in urls]
    session = Session(FakeUnderstanding(), POLITE, NEW, [], urls, wanted=wanted)
    crawl = Run(session, two_hosts()).steps()
    begun = {url: begin for begin, _, url in crawl.log}
    assert begun["http://bad/1"] < begun["http://good/2"]


@pytest.mark.parametrize(("waits", "second"), [(NEVER, "bad"), (BY_RANK, "good")])
def test_strategies_say_how_they_wait(waits: str, second: str) -> None:
    understanding = FakeUnderstanding()
    understanding.waits = waits
    crawl, _ = run(two_hosts(), "http://good/", limits=POLITE, understanding=understanding)
    assert second in crawl.pages[2]


def begun(steering: Steering | None = None) -> Run:
    """A crawl of two hosts that has their robots.txt and the seed, and waits for good/1."""
    queue = [QueuedRecord("http://good/", 1.0, 0, found=1)]
    session = Session(FakeUnderstanding(), POLITE, NEW, queue, (), steering=steering or Steering())
    crawl = Run(session, two_hosts()).steps(4)
    assert isinstance(session.next_action(crawl.now), Wait)
    return crawl


def test_who_is_waited_for_and_how_long_it_will_take() -> None:
    crawl = begun()
    least, most = crawl.session.progress(crawl.now).left or (0.0, 0.0)
    assert least < 4.4 < most  # four pages, 1.1 s each
    assert Session(FakeUnderstanding(), replace(POLITE, delay=0.0), NEW, [], ()).progress(0.0).left is None
    host, seconds = crawl.session.progress(crawl.now).awaited or ("", 0.0)
    assert (host, seconds) == ("good", pytest.approx(0.9))


def test_a_pause_while_waiting() -> None:
    steering = Steering()
    crawl = begun(steering)
    steering.is_paused = True
    assert crawl.session.next_action(crawl.now + 5).until > crawl.now + 5
    steering.is_paused = False
    assert isinstance(crawl.session.next_action(crawl.now + 5), Fetch)


def test_a_pause_does_not_count_as_a_slow_pace() -> None:
    links = {f"http://a/{n}": 0.9 for n in range(100)}
    queue, steering = [QueuedRecord("http://a/", 1.0, 0, found=1)], Steering()
    session = Session(FakeUnderstanding(), replace(POLITE, max_pages=100), NEW, queue, (), steering=steering)
    crawl = Run(session, FakeWeb(html("http://a/", links), *map(html, links))).steps(80)
    before = session.progress(crawl.now).left
    steering.is_paused = True
    session.next_action(crawl.now + 3600)
    steering.is_paused = False
    after = session.progress(crawl.now + 3600).left
    assert after[1] < 2 * before[1]


def test_pages_to_be_asked_again_have_no_time_left() -> None:
    session = Session(FakeUnderstanding(), POLITE, NEW, [], GOOD[:1], wanted=[again(GOOD[0], 0.9)])
    assert session.progress(0.0).left is None


def test_the_pace_is_handed_on() -> None:
    store = FakeStore("http://good/")
    crawl = Run(start(store, POLITE), two_hosts(), store=store).steps(8)
    first = crawl.session.handed_on
    store.save(crawl.session.take_batch())
    assert start(store, POLITE, after=first).handed_on.counts.lately


def test_a_ban_of_the_host_that_is_waited_for() -> None:
    steering = Steering()
    crawl = begun(steering)
    steering.ban("good")
    assert crawl.steps().pages[1:] == BAD


def test_minutes_end_a_crawl_and_are_used() -> None:
    crawl, _ = run(two_hosts(), "http://good/", limits=replace(POLITE, max_minutes=0.1, max_pages=100))
    assert crawl.ended == "max-minutes"
    assert crawl.now == pytest.approx(6.0, abs=0.001)


def test_with_little_time_a_crawl_is_less_patient() -> None:
    links = {f"http://{host}/{n}": (0.9 if host == "a" else 0.4) for host in "abcdef" for n in range(100)}
    web = FakeWeb(html("http://a/", links), *map(html, links))
    limits = Limits(max_pages=100, delay=1.0, patience=0.9)
    slow, _ = run(web, "http://a/", limits=limits)
    fast, _ = run(web, "http://a/", limits=replace(limits, max_minutes=1))
    assert slow.now > 90
    assert fast.now <= 60.001
    assert len(fast.pages) > 85


@pytest.mark.parametrize("wrong", [{"patience": -0.1}, {"patience": 1.1}, {"max_minutes": 0.0}])
def test_limits_that_make_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(SettingsError):
        check_limits(replace(POLITE, **wrong))
