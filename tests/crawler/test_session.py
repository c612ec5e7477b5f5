"""The state machine, driven with a clock by hand."""

import itertools
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from crawl_fakes import HTML, NEW, FakeStore, FakeUnderstanding, FakeWeb, Run, failed, html, moved, robots, run, start

from crawler.engine import admission
from crawler.engine.actions import MANY, Done, Fetch, Limits, Wait, check_limits
from crawler.engine.admission import AWAITED_SECONDS, BEGINNING
from crawler.engine.session import AT_ONCE, REMEMBER_SHARE, Session
from crawler.politeness.robots_and_pace import LOST, LOST_TRIES, OUTAGE_SECONDS, TRIES, TRYING
from crawler.ports import NOT_IN_ARCHIVE, Failed, Fetched, Outcome, Refused
from ontology.errors import SettingsError
from semantic.reasons import Reason, because
from semantic.records import Counters, JudgedRecord, LinkGraph, Priority, QueuedRecord, SiteRecord

CUT, PRIVATE = because("cut", number=3), because("private address", address="10.0.0.1")

FAST = Limits(max_pages=1000, delay=0.0, connections=1)


def test_best_first_over_two_hosts() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/low": 0.1, "http://b/high": 0.9, "http://a/mid": 0.5}),
        html("http://b/high", {"http://a/top": 0.95}),
        *[html(f"http://a/{name}") for name in ("low", "mid", "top")],
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://b/high", "http://a/top", "http://a/mid", "http://a/low"]
    assert crawl.ended == "queue-empty"
    assert [store.pages[url].order for url in crawl.pages] == [1, 2, 3, 4, 5]
    assert store.pages["http://a/top"].depth == 2
    assert store.pages["http://a/top"].parent == "http://b/high"
    assert store.pages["http://a/top"].priority == 0.95
    assert store.counters.inversions == 0
    assert store.counters.requests == 7  # five pages, two robots.txt
    assert not store.queue


def test_a_link_to_another_page_is_recorded_once_at_best() -> None:
    links = [
        ("http://a/1", 0.2),
        ("http://a/", 0.9),
        ("http://a/1", 0.4),
        ("http://a/1", None),
        ("http://a/x.jpg", 0.9),
    ]
    _, store = run(FakeWeb(html("http://a/", links)), "http://a/", limits=FAST)
    (link,) = store.pages["http://a/"].links
    assert (link.url, link.priority, link.position) == ("http://a/1", 0.4, 2)
    assert link.context == "before anchor after"
    assert link.reasons == (Reason("anchor", 0.4),)
    assert store.pages["http://a/"].queued == (
        QueuedRecord("http://a/1", 0.4, 1, "http://a/", reasons=(Reason("anchor", 0.4),), found=1),
    )


def test_a_better_link_raises_a_waiting_page_a_worse_not() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/x": 0.2}),
        html("http://a/1", {"http://a/x": 0.85}),
        html("http://a/2", {"http://a/x": 0.1}),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/1", "http://a/x", "http://a/2"]
    assert store.pages["http://a/1"].queued == (
        QueuedRecord("http://a/x", 0.85, 1, "http://a/", raised=True, reasons=(Reason("anchor", 0.85),), found=3),
    )
    assert store.pages["http://a/2"].queued == ()
    assert store.pages["http://a/x"].parent == "http://a/"


def test_a_discarded_link_is_queued_when_a_better_one_comes() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/x": None, "http://a/y": None, "http://a/1": 0.5}),
        html("http://a/1", {"http://a/x": 0.3}),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/1", "http://a/x"]
    assert [link.url for link in store.pages["http://a/"].links] == ["http://a/x", "http://a/y", "http://a/1"]
    assert store.pages["http://a/x"].parent == "http://a/1"


def test_equals_are_fetched_in_the_order_of_finding() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/z": 0.0, "http://b/y": 0.0, "http://a/x": 0.0}),
        html("http://a/z", {"http://a/1": 0.0}),
        html("http://b/y", {"http://a/0": 0.0}),
    )
    crawl, _ = run(web, "http://a/", limits=FAST)
    assert [url[7:] for url in crawl.pages] == ["a/", "a/z", "b/y", "a/x", "a/1", "a/0"]


# --- what the strategy learns


def test_the_strategy_may_raise_and_lower_what_waits() -> None:
    """1 tells that 2 is worse than 3 and 4 better than both; addresses that ended or are unknown are passed over."""
    links = {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.5, "http://a/4": 0.2}
    revised = {"http://a/2": 0.1, "http://a/4": 0.7, "http://a/": 0.9, "http://a/unknown": 1.0, "http://a/3": 0.5}
    web = FakeWeb(
        html("http://a/", links),
        html("http://a/1", revise=revised),
        *[html(f"http://a/{n}") for n in (2, 3, 4)],
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert [url[-1] for url in crawl.pages] == ["/", "1", "4", "3", "2"]
    assert [store.pages[f"http://a/{n}"].priority for n in (2, 3, 4)] == [0.1, 0.5, 0.7]
    assert store.counters.inversions == 0


def test_a_batch_holds_the_last_place_of_what_still_waits() -> None:
    """2 falls to 0.1, and a link raises it to 0.3; 3 falls and is fetched; 4 falls twice; 5 was found after it fell."""
    links = {"http://a/1": 0.9, "http://a/2": 0.5, "http://a/3": 0.6, "http://a/4": 0.5}
    web = FakeWeb(
        html("http://a/", links),
        html("http://a/1", {"http://a/5": 0.05}, revise={"http://a/2": 0.1, "http://a/3": 0.55, "http://a/4": 0.2}),
        html("http://a/3", {"http://a/2": 0.3, "http://a/5": 0.06}, revise={"http://a/4": 0.1}),
    )
    store = FakeStore("http://a/")
    session = start(store, FAST)
    Run(session, web).steps(4)
    batch = session.take_batch()
    assert [(page.url[-1], page.chosen) for page in batch.pages if page.chosen] == [
        ("3", (Reason("link graph", 0.55),))
    ]
    assert [(place.url[-1], place.priority, place.reasons) for place in batch.revised] == [
        ("2", 0.3, (Reason("anchor", 0.3),)),
        ("4", 0.1, (Reason("link graph", 0.1),)),
    ]
    store.save(batch)
    assert {record.url[-1]: record.priority for record in store.queued()} == {"2": 0.3, "4": 0.1, "5": 0.06}
    assert session.take_batch().revised == ()


def test_a_seed_keeps_the_place_that_the_user_gave() -> None:
    web = FakeWeb(html("http://a/", revise={"http://b/": 0.0}), html("http://b/"), html("http://c/"))
    crawl, _ = run(web, "http://a/", "http://b/", "http://c/", limits=FAST)
    assert sorted(crawl.pages) == crawl.pages


def test_the_strategy_hears_of_every_end_without_a_page() -> None:
    web = FakeWeb(
        robots("http://a", "User-agent: *\nDisallow: /no\n"),
        html("http://a/", {f"http://a/{name}": 1 - n / 10 for n, name in enumerate(["old", "gone", "no", "bad", "p"])}),
        moved("http://a/old", "/new"),
        html("http://a/new"),
        Fetched("http://a/bad", 200, HTML, b"no page"),
        Refused("http://a/p", PRIVATE),
    )
    understanding = FakeUnderstanding()
    run(web, "http://a/", limits=FAST, understanding=understanding)
    assert understanding.forgotten == [
        ("http://a/old", "http://a/new"),
        ("http://a/gone", None),
        ("http://a/no", None),
        ("http://a/bad", None),
        ("http://a/p", None),
    ]


def test_the_link_graph_of_all_received_answers_is_read_first() -> None:
    """1 asks for the graph when it is fetched; by its two pages, 3 and 2 change their places."""
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.1}, relevance=0.9),
        html("http://a/1", graph=True),
    )
    store = FakeStore("http://a/")
    store.graph = LinkGraph(("http://a/3", "http://a/2"), (), frozenset(), frozenset())
    understanding = FakeUnderstanding()
    session = start(store, FAST, understanding=understanding)
    crawl = Run(session, web, store=store).steps()
    assert [url[-1] for url in crawl.pages] == ["/", "1", "3", "2"]
    assert understanding.graphs == [store.graph]
    assert session.progress(0.0).graph_at == 1  # the first page is on topic
    assert [page.url for page in store.batches[0].pages] == ["http://a/", "http://a/1"]


def test_links_too_deep_wait_for_a_run_that_goes_deeper() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.5}), html("http://a/1", {"http://a/2": 0.9}), html("http://a/2", {})
    )
    store = FakeStore("http://a/")
    session = start(store, replace(FAST, max_depth=1))
    crawl = Run(session, web, store=store).steps()
    assert ([url[-1] for url in crawl.pages], crawl.ended) == (["/", "1"], "queue-empty")
    told = session.progress(0.0)
    assert (told.queued, told.too_deep, told.cut) == (0, 1, (0, 0))
    store.save(session.take_batch())
    deeper = Run(start(store, FAST), web, store=store).steps()
    assert [url[-1] for url in deeper.pages] == ["2"]


# --- politeness


def test_no_gap_between_answer_and_request_undercuts_the_delay() -> None:
    web = FakeWeb(html("http://a/", {f"http://a/{n}": 0.5 for n in range(5)} | {"http://b/": 0.1}))
    crawl, _ = run(web, "http://a/", limits=Limits(max_pages=1000, delay=2.0), store=None)
    asked = [(begin, end) for begin, end, url in crawl.log if url.startswith("http://a/")]
    assert len(asked) == 7
    assert [later[0] - earlier[1] for earlier, later in pairwise(asked)] == pytest.approx([2.0] * 6)
    other = next(begin for begin, _, url in crawl.log if url == "http://b/robots.txt")
    assert other < asked[2][0]  # b does not wait for a


def most_open(log: list[tuple[float, float, str]]) -> list[int]:
    """How many requests were open when each was started, that one counted."""
    return [sum(begin <= moment < end for begin, end, _ in log[: n + 1]) for n, (moment, _, _) in enumerate(log)]


EIGHT = Limits(max_pages=1000, delay=0.0, connections=8, per_host=8)


def test_first_links_wait_for_the_answers_to_those_before() -> None:
    pages = {f"http://a/{n}": 0.5 for n in range(600)}
    crawl, _ = run(FakeWeb(html("http://a/", pages), *map(html, pages)), "http://a/", limits=EIGHT)
    opened = most_open(crawl.log)
    assert max(opened[:10]) == 1
    assert max(opened[: BEGINNING // 2]) == 4
    assert max(opened[: BEGINNING - 8]) == 7
    assert max(opened) == 8


def test_seeds_do_not_wait_for_each_other() -> None:
    seeds = [f"http://a/{n}" for n in range(20)]
    crawl, _ = run(FakeWeb(*[html(url, {f"{url}/x": 0.9}) for url in seeds]), *seeds, limits=EIGHT)
    opened = most_open(crawl.log)
    assert max(opened[1:21]) == 8
    assert set(crawl.pages[:20]) == set(seeds)


def test_a_crawl_with_many_connections_opens_all_at_once() -> None:
    pages = {f"http://a/{n}": 0.5 for n in range(100)}
    limits = replace(EIGHT, connections=MANY, per_host=MANY)
    crawl, _ = run(FakeWeb(html("http://a/", pages), *map(html, pages)), "http://a/", limits=limits)
    assert max(most_open(crawl.log)[: MANY + 2]) == MANY


def test_a_slow_answer_holds_up_nothing_for_long() -> None:
    web = FakeWeb(html("http://a/", {f"http://a/{n}": 0.5 for n in range(4)}))
    session = start(FakeStore("http://a/"), EIGHT)
    Run(session, web).steps(2)
    assert isinstance(session.next_action(1.0), Fetch)
    assert session.next_action(1.0) == session.next_action(1.0 + AWAITED_SECONDS / 2) == Wait(1.0 + AWAITED_SECONDS)
    assert isinstance(session.next_action(1.0 + AWAITED_SECONDS), Fetch)
    assert session.next_action(1.0 + AWAITED_SECONDS) == Wait(1.0 + 2 * AWAITED_SECONDS)


def test_a_crawl_that_goes_on_uses_all_connections_at_once() -> None:
    pages = {f"http://a/{n}": 0.5 for n in range(BEGINNING + 100)}
    web, store = FakeWeb(html("http://a/", pages), *map(html, pages)), FakeStore("http://a/")
    run(web, limits=replace(EIGHT, max_pages=BEGINNING), store=store)
    crawl, _ = run(web, limits=EIGHT, store=store)
    assert max(most_open(crawl.log)[:9]) == 8


def test_connections_in_all_and_per_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "BEGINNING", 1)
    pages = {f"http://{host}/{n}": 0.5 for n in range(9) for host in "abc"}
    crawl, _ = run(
        FakeWeb(html("http://a/", pages)),
        "http://a/",
        limits=Limits(max_pages=1000, delay=0.0, connections=5, per_host=2),
    )
    for moment in {begin for begin, _, _ in crawl.log}:
        open_now = [url for begin, end, url in crawl.log if begin <= moment < end]
        assert len(open_now) <= 5
        assert max(sum(url.startswith(f"http://{host}/") for url in open_now) for host in "abc") <= 2
    assert max(len([1 for b, e, _ in crawl.log if b <= m < e]) for m, _, _ in crawl.log) == 5


def test_more_connections_hold_at_once() -> None:
    session = start(FakeStore("http://a/", "http://b/", "http://c/"), replace(FAST, delay=1.0))
    assert isinstance(session.next_action(0.0), Fetch)
    assert isinstance(session.next_action(0.0), Wait)
    session.connections = 3
    assert [type(session.next_action(0.0)) for _ in range(3)] == [Fetch, Fetch, Wait]


def test_without_delay_a_better_link_awaits_its_busy_host() -> None:
    links = {"http://a/1": 0.9, "http://a/2": 0.8, "http://b/1": 0.5, "http://b/2": 0.4, "http://a/3": 0.3}
    crawl, _ = run(
        FakeWeb(html("http://a/", links)), "http://a/", limits=Limits(max_pages=1000, delay=0.0, connections=9)
    )
    asked = [url[7:] for _, _, url in crawl.log if not url.endswith("robots.txt")]
    assert asked == ["a/", "a/1", "a/2", "b/1", "b/2", "a/3"]


def test_crawl_delay_is_obeyed_and_saved() -> None:
    web = FakeWeb(
        robots("http://a", "User-agent: *\nCrawl-delay: 7\n"),
        html("http://a/", {"http://a/1": 0.5}),
        html("http://a/1"),
    )
    crawl, store = run(web, "http://a/")
    assert [begin for begin, _, _ in crawl.log] == pytest.approx([0.0, 7.1, 14.2])
    assert store.batches[-1].sites == (SiteRecord("a", 7.0, "User-agent: *\nCrawl-delay: 7\n"),)


@pytest.mark.parametrize("wait", ["120", "Thu, 01 Jan 2026 00:02:00 GMT"])
def test_retry_after_slows_its_host_down_and_no_other(wait: str) -> None:
    busy = Fetched("http://a/1", 503, {"retry-after": wait}, b"")
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://b/": 0.7}),
        busy,
        html("http://a/1"),
    )
    crawl, store = run(web, "http://a/", limits=Limits(max_pages=1000, delay=0.0))
    times = {url: begin for begin, _, url in crawl.log}
    assert crawl.pages == ["http://a/", "http://a/1", "http://b/", "http://a/1", "http://a/2"]
    assert times["http://a/1"] == pytest.approx(120.3)  # three answers of 0.1 s, and the wait
    assert times["http://b/"] < 1
    assert store.counters.errors == 2  # a/2 and b are 404; a/1 was not given up
    assert store.pages["http://a/1"].status == "fetched"


def test_a_retry_keeps_its_priority_and_errs_when_given_up() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7, "http://a/4": 0.6}),
        failed("http://a/1", "timeout"),
        html("http://a/1"),
        failed("http://a/2", "connect"),
        failed("http://a/3", "tls"),
        failed("http://a/4", NOT_IN_ARCHIVE),
    )
    crawl, store = run(web, "http://a/", limits=Limits(max_pages=1000, delay=0.0))
    one, two = "http://a/1", "http://a/2"
    assert crawl.pages == ["http://a/", one, one, two, two, two, "http://a/3", "http://a/4"]
    progress = crawl.session.progress(crawl.now)
    assert progress.errors_by_kind == {"connect": 1, "tls": 1}
    assert (progress.errors, progress.missing) == (2, 1)
    assert progress.requests == 12  # eight pages; robots.txt at first, and after each page without an answer
    assert store.pages[two].reasons == (Reason("connect"),)
    asked = [(begin, end) for begin, end, url in crawl.log if url == two]
    assert [b - a for (_, a), (b, _) in pairwise(asked)] == pytest.approx([1.1, 1.1])  # a rest, and robots.txt


def test_all_tries_of_an_address_have_one_bound() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7}),
        *[Failed(f"http://a/{n}", "timeout", seconds=seconds) for n, seconds in ((1, TRYING), (2, 15.0), (3, 5.0))],
    )
    crawl, _ = run(web, "http://a/", limits=Limits(max_pages=1000, delay=0.0))
    assert [crawl.pages.count(f"http://a/{n}") for n in (1, 2, 3)] == [1, 2, 3]


# --- robots.txt


@pytest.mark.parametrize("before", [0, 2])
def test_a_slow_robots_txt_ends_no_crawl_late(before: int) -> None:
    """However many redirects it is slow with."""
    names = [f"http://a/robots.txt{n or ''}" for n in range(before)]
    hops = [Fetched(url, 301, {"location": f"/robots.txt{n}"}, b"", TRYING / before) for n, url in enumerate(names, 1)]
    web = FakeWeb(*(hops or [Failed("http://a/robots.txt", "timeout", seconds=TRYING)]))
    crawl, store = run(web, "http://a/", limits=FAST)
    assert (crawl.ended, len(crawl.log), list(store.queue)) == ("unreachable", before or 1, ["http://a/"])


def test_what_robots_txt_forbids_is_never_asked_for() -> None:
    web = FakeWeb(
        robots("http://a", "\ufeffUser-agent: ontocrawl\nDisallow: /no\nAllow: /no/but\n"),
        html("http://a/", {"http://a/no": 0.9, "http://a/no/but": 0.8, "http://a/robots.txt": 0.99}),
        html("http://a/no/but"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert web.asked == ["http://a/robots.txt", "http://a/", "http://a/no/but"]
    no = store.pages["http://a/no"]
    assert (no.status, no.reasons) == ("refused", (Reason("robots.txt"),))
    assert crawl.session.progress(crawl.now).errors == 0


def test_each_scheme_has_its_own_robots_txt() -> None:
    web = FakeWeb(robots("https://a", "User-agent: *\nDisallow: /"), html("http://a/", {"https://a/": 0.5}))
    _, store = run(web, "http://a/", limits=FAST)
    assert web.asked == ["http://a/robots.txt", "http://a/", "https://a/robots.txt"]
    assert store.pages["https://a/"].status == "refused"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Fetched("http://a/robots.txt", 500, {}, b""), because("robots.txt unreachable", "http 500")),
        (Fetched("http://a/robots.txt", 429, {}, b""), because("robots.txt unreachable", "http 429")),
        (failed("http://a/robots.txt", "timeout"), because("robots.txt unreachable", Reason("timeout"))),
        (
            failed("http://a/robots.txt", "tls"),
            because("robots.txt unreachable", because("insecure", why=Reason("tls"), host="HOST")),
        ),
    ],
)
def test_robots_txt_out_of_reach_means_no_and_pages_wait(answer: Outcome, reason: Reason) -> None:
    web = FakeWeb(answer, html("http://a/"))
    crawl, store = run(web, "http://a/", "http://a/2")
    assert web.asked == ["http://a/robots.txt"] * TRIES
    rests = [b - a for (_, a, _), (b, _, _) in pairwise(crawl.log)]
    assert rests == pytest.approx([1.0, 4.0, 16.0] if "429" not in str(reason) else [2.0, 4.0, 16.0])
    assert not store.pages
    assert list(store.queue) == ["http://a/", "http://a/2"]
    progress = crawl.session.progress(crawl.now)
    assert (progress.errors, dict(progress.refusals), progress.stopped) == (1, {reason: 1}, "unreachable")


@pytest.mark.parametrize(
    ("came", "refused"),
    [
        ([b"User-agent: *\nDisallow: /2\n"] * 2, ["http://a/2"]),
        ([b"User-agent: *\nDisallow: /", b"User-agent: *\nDisallow: /2\n"], None),
        ([b"", b""], None),
    ],
)
def test_rules_that_break_off_alike_twice_are_the_rules(came: list[bytes], refused: list[str] | None) -> None:
    """As where a server names a length that is too large. Others are no answer."""
    broken = [Failed("http://a/robots.txt", "read", body=body) for body in came]
    web = FakeWeb(*broken, failed("http://a/robots.txt", "read"), html("http://a/", {"http://a/2": 0.5}))
    crawl, store = run(web, "http://a/")
    assert web.asked.count("http://a/robots.txt") == (2 if refused else TRIES)
    assert [page.url for page in store.pages.values() if page.status == "refused"] == (refused or [])
    assert crawl.ended == ("queue-empty" if refused else "unreachable")


@pytest.mark.parametrize("status", [201, 203, 206, 226])
def test_any_success_is_a_page_and_says_what_it_lacks(status: int) -> None:
    page = replace(html("http://a/", {"http://a/1": 0.5}), status=status, remark=CUT)
    _, store = run(FakeWeb(robots("http://a", ""), page, html("http://a/1")), "http://a/", limits=FAST)
    first = store.pages["http://a/"]
    assert (first.status, first.http_status, first.reasons[0]) == ("fetched", status, CUT)
    assert store.pages["http://a/1"].status == "fetched"


@pytest.mark.parametrize("kind", sorted(LOST))
def test_a_crawl_without_any_network_ends_within_seconds(kind: str) -> None:
    web = FakeWeb(*[failed(f"http://{host}/robots.txt", kind) for host in "ab"])
    crawl, store = run(web, "http://a/", "http://b/")
    assert Counter(web.asked) == {"http://a/robots.txt": LOST_TRIES, "http://b/robots.txt": LOST_TRIES}
    assert (crawl.ended, list(store.queue)) == ("unreachable", ["http://a/", "http://b/"])
    assert crawl.now < 5


def test_an_unknown_name_is_tried_longer_where_others_answer() -> None:
    web = FakeWeb(failed("http://a/robots.txt", "dns"), robots("http://b", ""), html("http://b/"))
    run(web, "http://a/", "http://b/")
    assert web.asked.count("http://a/robots.txt") == TRIES


def test_an_outage_costs_no_host_or_page_while_others_answer() -> None:
    def out(url: str) -> list[Outcome]:
        return [failed(url, "connect")] * 4

    web = FakeWeb(
        *out("http://a/robots.txt"),
        robots("http://a", ""),
        html("http://a/"),
        html("http://b/", {f"http://b/{n}": 0.5 for n in range(150)}),
        *[html(f"http://b/{n}") for n in range(150)],
    )
    crawl, store = run(web, "http://a/", "http://b/")
    times = [begin for begin, _, url in crawl.log if url == "http://a/robots.txt"]
    assert [b - a for a, b in pairwise(times)] == pytest.approx([1.1, 4.1, 16.1, 64.1], abs=1.1)
    assert {page.status for page in store.pages.values()} == {"fetched"}
    assert (crawl.ended, len(store.pages)) == ("queue-empty", 152)
    assert crawl.now < 152 * 1.1 + 2


def test_after_a_page_without_answer_robots_txt_is_asked_again() -> None:
    none = failed("http://a/robots.txt", "timeout")
    web = FakeWeb(
        robots("http://a", ""),
        *[none] * 8,
        robots("http://a", "User-agent: *\nDisallow: /2"),
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8}),
        failed("http://a/1", "timeout"),
        html("http://a/1"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/1", "http://a/1"]
    assert (store.pages["http://a/1"].status, store.pages["http://a/2"].status) == ("fetched", "refused")
    assert crawl.now > 127


def test_a_silent_host_ends_no_crawl_and_its_pages_wait() -> None:
    robots_url = "http://a/robots.txt"
    web = FakeWeb(
        robots("http://a", ""),
        failed(robots_url, "timeout"),
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8}),
        failed("http://a/1", "timeout"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.ended == "unreachable"
    assert OUTAGE_SECONDS < crawl.now < 2 * OUTAGE_SECONDS
    assert list(store.queue) == ["http://a/1", "http://a/2"]
    again = FakeWeb(html("http://a/1"), html("http://a/2"))
    _, store = run(again, limits=FAST, store=store)
    assert {page.status for page in store.pages.values()} == {"fetched"}


@pytest.mark.parametrize("wait", ["600", "Thu, 01 Jan 2026 00:10:00 GMT"])
def test_retry_after_is_saved_before_there_is_a_page(wait: str) -> None:
    session = start(FakeStore("http://a/"), FAST)
    for outcome in (robots("http://a", ""), Fetched("http://a/", 429, {"retry-after": wait}, b"")):
        fetch = session.next_action(0.0)
        assert isinstance(fetch, Fetch)
        session.receive([(fetch, outcome)], 0.0, "2026-01-01T02:00:00+02:00")
    assert session.unsaved[0] == 1
    assert session.take_batch().away == (("a", "2026-01-01T00:10:00.000+00:00"),)
    assert session.unsaved[0] == 0


def test_of_two_answers_the_longer_retry_after_holds_later_too() -> None:
    session = start(FakeStore("http://a/", "http://a/1"), Limits(max_pages=10, delay=0.0, connections=2, per_host=2))
    fetch = session.next_action(0.0)
    assert isinstance(fetch, Fetch)
    session.receive([(fetch, robots("http://a", ""))], 0.0, NEW)
    both = session.next_action(0.0), session.next_action(0.0)
    for fetch, wait, saved in zip(both, ("7200", "5"), (0, 1), strict=True):
        assert isinstance(fetch, Fetch)
        stamp = f"2026-01-01T00:00:0{saved}+00:00"
        session.receive([(fetch, Fetched(fetch.url, 429, {"retry-after": wait}, b""))], float(saved), stamp)
        assert session.take_batch().away == (("a", "2026-01-01T02:00:00.000+00:00"),)


def test_retry_after_of_a_robots_txt_is_saved_too() -> None:
    session = start(FakeStore("http://a/"), FAST)
    fetch = session.next_action(0.0)
    assert isinstance(fetch, Fetch)
    assert fetch.robots
    session.receive([(fetch, Fetched(fetch.url, 503, {"retry-after": "60"}, b""))], 0.0, "2026-01-01T00:00:00+00:00")
    assert session.take_batch().away == (("a", "2026-01-01T00:01:00.000+00:00"),)


@pytest.mark.parametrize(("seconds", "ended"), [(3600, "queue-empty"), (86_400, "unreachable")])
def test_a_crawl_ends_without_a_host_that_asks_for_hours(seconds: int, ended: str) -> None:
    web = FakeWeb(
        robots("http://a", ""),
        html("http://a/", {"http://a/1": 0.9}),
        Fetched("http://a/1", 503, {"retry-after": str(seconds)}, b""),
        html("http://a/1"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.ended == ended
    if ended == "unreachable":
        assert crawl.now < 60
        assert list(store.queue) == ["http://a/1"]
    else:
        assert crawl.now > seconds


def test_many_links_that_robots_txt_forbids_hold_up_nothing() -> None:
    """Between some of them and the next the driver goes round: answers come in, and Ctrl-C is heard."""
    links = {f"http://a/no/{n}": 0.9 for n in range(95)} | {"http://a/yes": 0.5}
    store = FakeStore("http://a/")
    session = start(store, FAST)
    page = html("http://a/", links)
    turns = 0
    for outcome in (robots("http://a", "User-agent: *\nDisallow: /no"), page):
        fetch = session.next_action(0.0)
        assert isinstance(fetch, Fetch)
        session.receive([(fetch, outcome)], 0.0, NEW)
    while isinstance(action := session.next_action(0.0), Wait):
        assert action.until == 0.0
        turns += 1
        assert session.unsaved[0] <= 1 + AT_ONCE * turns
    assert isinstance(action, Fetch)
    assert (action.url, turns) == ("http://a/yes", 95 // AT_ONCE)


@pytest.mark.parametrize("hiccup", ["http://a/robots.txt", "https://a/robots.txt"])
def test_the_strategy_is_told_of_links_nobody_may_ever_fetch(hiccup: str) -> None:
    """Those of an origin that never answered, also of links found later; not those of one that did."""
    web = FakeWeb(
        robots("http://a", ""),
        html("http://a/", {"http://a/1": 0.9, "https://a/x": 0.8, "http://a/3": 0.1}),
        failed("http://a/1", "timeout"),
        failed("http://a/1", "timeout"),
        html("http://a/1", {"https://a/y": 0.7}),
        html("http://a/3"),
        failed(hiccup, "connect"),
        html("https://a/x"),
        html("https://a/y"),
    )
    understanding = FakeUnderstanding()
    _, store = run(web, "http://a/", limits=FAST, understanding=understanding)
    dead = ["https://a/x", "https://a/y"] if hiccup.startswith("https") else []
    assert [url for url, _ in understanding.forgotten] == dead
    assert set(dead) <= set(store.queue)


def test_a_dead_scheme_does_not_hold_up_the_other_one() -> None:
    web = FakeWeb(
        html("http://a/", {"https://a/x": 0.9, "http://a/1": 0.5}),
        html("http://a/1"),
        failed("https://a/robots.txt", "connect"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/1"]
    assert list(store.queue) == ["https://a/x"]


def test_retry_after_on_robots_txt_is_waited_for() -> None:
    busy = Fetched("http://a/robots.txt", 503, {"retry-after": "100"}, b"")
    web = FakeWeb(busy, robots("http://a", ""), html("http://a/"))
    crawl, _ = run(web, "http://a/", limits=FAST)
    assert [begin for begin, _, _ in crawl.log] == pytest.approx([0.0, 100.1, 101.1], abs=1.1)


def test_a_robots_txt_that_names_its_time_is_waited_for() -> None:
    busy = Fetched("http://a/robots.txt", 503, {"retry-after": "2"}, b"")
    crawl, _ = run(FakeWeb(*[busy] * 7, robots("http://a", ""), html("http://a/")), "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/"]
    crawl, _ = run(FakeWeb(busy), "http://a/", limits=FAST)
    assert (crawl.ended, OUTAGE_SECONDS < crawl.now < 2 * OUTAGE_SECONDS) == ("unreachable", True)


@pytest.mark.parametrize("status", [304, 305])
def test_a_location_makes_no_redirect_of_another_answer(status: int) -> None:
    _, store = run(FakeWeb(moved("http://a/", "http://b/", status)), "http://a/", limits=FAST)
    assert (store.pages["http://a/"].status, store.pages["http://a/"].links) == ("failed", ())


def test_rules_hold_for_a_day() -> None:
    slow = "User-agent: *\nCrawl-delay: 60\n"
    links = {f"http://a/{n}": 1 - n / 2000 for n in range(1500)}
    web = FakeWeb(
        robots("http://a", slow),
        robots("http://a", slow + "Disallow: /"),
        html("http://a/", links),
        *[html(url, relevance=1.0) for url in links],
    )
    crawl, store = run(web, "http://a/", limits=Limits(max_pages=2000))
    assert web.asked.count("http://a/robots.txt") == 2
    assert {page.status for page in store.pages.values()} == {"fetched", "refused"}
    assert 86_400 < crawl.now < 86_400 + 200


def test_a_host_at_a_private_address_says_so() -> None:
    _, store = run(FakeWeb(Refused("http://a/robots.txt", PRIVATE)), "http://a/")
    assert store.pages["http://a/"].reasons == (PRIVATE,)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_robots_txt_that_is_not_there_allows_all(status: int) -> None:
    web = FakeWeb(Fetched("http://a/robots.txt", status, {}, b""), html("http://a/"))
    crawl, _ = run(web, "http://a/")
    assert crawl.pages == ["http://a/"]


@pytest.mark.parametrize("per_host", [1, 4])
def test_robots_txt_may_move_to_the_same_host_or_another(per_host: int) -> None:
    web = FakeWeb(
        moved("http://a/robots.txt", "https://a/robots.txt"),
        moved("https://a/robots.txt", "//www.a/robots.txt"),
        robots("https://www.a", "User-agent: *\nDisallow: /no\n"),
        html("http://a/1"),
    )
    crawl, store = run(web, "http://a/1", "http://a/no", limits=Limits(max_pages=1000, delay=0.0, per_host=per_host))
    assert crawl.pages == ["http://a/1"]
    assert store.pages["http://a/no"].status == "refused"


@pytest.mark.parametrize("delay", [0.0, 1.0])
@pytest.mark.parametrize("target", ["http://a/", "http://a/1", "http://b/"])
def test_robots_txt_may_move_to_a_waiting_or_open_page(target: str, delay: float) -> None:
    """Such as the home page: both are asked for, and each gets its answer."""
    web = FakeWeb(
        moved("http://a/robots.txt", target),
        moved("https://a/robots.txt", "http://b/2"),
        html("http://a/", {"https://a/3": 0.5}),
        *(html(url) for url in ("http://a/1", "http://b/", "http://b/2", "https://a/3")),
    )
    seeds = ("http://b/", "http://b/2", "http://a/", "http://a/1", "https://a/3")
    _, store = run(web, *seeds, limits=Limits(max_pages=1000, delay=delay))
    assert {url: page.status for url, page in store.pages.items()} == dict.fromkeys(seeds, "fetched")
    assert not store.queue


def test_a_robots_txt_and_a_page_may_share_an_address() -> None:
    web = FakeWeb(moved("http://a/robots.txt", "http://b/"), html("http://b/"), html("http://a/"))
    crawl, store = run(web, "http://b/", "http://a/", limits=Limits(max_pages=1000, delay=0.0, per_host=2))
    assert [(begin, url) for begin, _, url in crawl.log if url == "http://b/"] == 2 * [(0.1, "http://b/")]
    assert {page.status for page in store.pages.values()} == {"fetched"}


@pytest.mark.parametrize("per_host", [1, 4])
def test_robots_txt_files_that_lead_to_each_other_allow_all(per_host: int) -> None:
    web = FakeWeb(
        moved("http://a/robots.txt", "http://b/robots.txt"),
        moved("http://b/robots.txt", "http://a/robots.txt"),
        html("http://a/"),
        html("http://b/"),
    )
    crawl, store = run(web, "http://a/", "http://b/", limits=Limits(max_pages=1000, delay=0.0, per_host=per_host))
    assert {page.status for page in store.pages.values()} == {"fetched"}
    assert len(crawl.log) <= 2 + 2 * 6


# --- redirects


def test_a_redirect_ends_with_one_link_and_its_target_follows() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/old": 0.9, "http://a/x": 0.8}),
        moved("http://a/old", "/new", 302),
        html("http://a/new"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/old", "http://a/new", "http://a/x"]
    old, new = store.pages["http://a/old"], store.pages["http://a/new"]
    assert (old.status, old.http_status, [link.url for link in old.links]) == ("redirected", 302, ["http://a/new"])
    assert (new.priority, new.depth, new.parent) == (0.9, 1, "http://a/old")


def test_frames_wait_like_the_target_of_a_redirect() -> None:
    frames = ["http://a/menu", "http://a/main"]
    web = FakeWeb(
        html("http://a/", {"http://a/set": 0.9, "http://a/x": 0.8}),
        html("http://a/set", {"http://a/menu": 0.1, "http://a/main": 0.2, "http://a/y": 0.3}, frames=frames),
        *map(html, [*frames, "http://a/x", "http://a/y"]),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/set", *frames, "http://a/x", "http://a/y"]
    found = store.pages["http://a/main"]
    assert (found.priority, found.depth, found.parent) == (0.9, 1, "http://a/set")
    assert len(store.pages["http://a/set"].links) == 3


def test_refreshes_lead_on_with_their_priority_five_times() -> None:
    pages = [html(f"http://a/{n}", {f"http://a/{n + 1}": 0.1}, frames=[f"http://a/{n + 1}"]) for n in range(8)]
    web = FakeWeb(html("http://a/", {"http://a/0": 0.9, "http://a/x": 0.8}), html("http://a/x"), *pages)
    crawl, _ = run(web, "http://a/", limits=FAST)
    assert crawl.pages[1:9] == [*(f"http://a/{n}" for n in range(6)), "http://a/x", "http://a/6"]


def test_each_hop_obeys_robots_txt() -> None:
    web = FakeWeb(moved("http://a/", "http://b/"), robots("http://b", "User-agent: *\nDisallow: /"), html("http://b/"))
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/"]
    assert store.pages["http://b/"].status == "refused"


def test_redirects_end_in_loops_and_after_five() -> None:
    web = FakeWeb(
        *[moved(f"http://a/{n}", f"/{n + 1}") for n in range(10)],
        moved("http://b/self", "/self"),
        moved("http://b/1", "/2"),
        moved("http://b/2", "/1"),
        moved("http://b/mail", "mailto:x@y"),
    )
    crawl, store = run(web, "http://a/0", "http://b/self", "http://b/1", "http://b/mail", limits=FAST)
    assert [url for url in crawl.pages if "a/" in url] == [f"http://a/{n}" for n in range(6)]
    assert store.pages["http://a/5"].reasons == (because("redirect", Reason("too many redirects")),)
    assert store.pages["http://b/self"].status == "failed"
    assert store.pages["http://b/mail"].reasons[0].evidence == (because("leads nowhere", where="mailto:x@y"),)
    assert {store.pages["http://b/1"].status, store.pages["http://b/2"].status} == {"redirected"}


# --- what counts


def test_max_pages_counts_pages_and_is_never_overshot() -> None:
    web = FakeWeb(
        html("http://a/", {f"http://{n}/": 0.5 for n in range(40)}),
        *[html(f"http://{n}/") for n in range(40) if n % 2],
    )
    crawl, store = run(web, "http://a/", limits=Limits(max_pages=10, delay=0.0, connections=16))
    assert crawl.ended == "max-pages"
    assert sum(page.status == "fetched" for page in store.pages.values()) == 10
    assert crawl.session.progress(crawl.now).pages == 10


def test_other_answers_are_failures_with_their_kind() -> None:
    web = FakeWeb(
        html("http://a/", {f"http://a/{n}": 0.5 for n in range(4)}),
        Fetched("http://a/0", 200, {"content-type": "application/zip"}, b""),
        Fetched("http://a/1", 404, {}, b""),
        Fetched("http://a/2", 200, HTML, b"no page"),
        Fetched("http://a/3", 304, {}, b""),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    reasons = [store.pages[f"http://a/{n}"].reasons[0] for n in range(4)]
    assert [reason.kind for reason in reasons] == ["not HTML", "http", "no page", "http"]
    progress = crawl.session.progress(crawl.now)
    assert (progress.pages, progress.errors) == (1, 4)
    assert progress.errors_by_kind == {"not HTML": 1, "http 404": 1, "no page": 1, "http 304": 1}


def test_a_robots_txt_as_a_seed_is_never_a_page() -> None:
    web = FakeWeb(Fetched("http://a/robots.txt", 200, {}, b"User-agent: *\n"))
    _, store = run(web, "http://a/robots.txt", limits=FAST)
    assert store.pages["http://a/robots.txt"].status == "failed"


def test_an_address_that_the_source_refuses_is_recorded_as_refused() -> None:
    web = FakeWeb(html("http://a/", {"http://a/1": 0.5}), Refused("http://a/1", PRIVATE))
    _, store = run(web, "http://a/", limits=FAST)
    assert (store.pages["http://a/1"].status, store.pages["http://a/1"].reasons) == ("refused", (PRIVATE,))


def test_page_wide_nofollow_and_noindex_are_obeyed_unlike_rel_nofollow() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7}, relevance=1.0),
        html("http://a/1", {"http://a/x": 0.5}, nofollow=True, relevance=1.0),
        html("http://a/2", {"http://a/y": 0.5}, noindex=True, relevance=1.0),
        html("http://a/3", {"http://a/z": 0.5}, rel=["nofollow"]),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert [url[-1] for url in crawl.pages] == ["/", "1", "2", "3", "y", "z"]
    assert store.pages["http://a/1"].links == ()
    hidden = store.pages["http://a/2"]
    assert (hidden.on_topic, hidden.content, hidden.mentions) == (False, None, ())
    assert [reason.kind for reason in hidden.reasons].count("noindex") == 1
    assert store.counters.on_topic == 2
    assert crawl.session.progress(1.0).harvest_rate == 0.5


def test_a_canonical_stays_on_its_host_and_makes_no_copy() -> None:
    web = FakeWeb(
        html("http://a/", {f"http://a/{n}": 1 - n / 10 for n in range(1, 5)}),
        html("http://a/1", text="list", title="a"),
        html("http://a/2", canonical="http://a/1", text="list", title="a"),  # a copy without it, too
        html("http://a/3", canonical="http://a/1", text="jars, page 2 of the list", title="a"),
        html("http://a/4", canonical="http://yoursite/1", text="cups, page 3 of the list", title="a"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert [store.pages[url].order for url in crawl.pages] == [1, 2, None, 3, 4]
    assert [store.pages[url].canonical for url in crawl.pages[2:]] == ["http://a/1", "http://a/1", None]


# --- stopping and going on


def many() -> FakeWeb:
    pages = []
    for n in range(60):
        links = {f"http://{(n * k) % 7}.org/{(n * k + k) % 60}": (n * k % 10) / 10 for k in (3, 5, 7, 11)}
        pages += [html(f"http://{host}.org/{n}", links, relevance=n % 2) for host in range(7)]
    return FakeWeb(
        *pages, moved("http://3.org/9", "http://4.org/10"), robots("http://5.org", "User-agent: *\nDisallow: /4")
    )


@pytest.mark.parametrize("stops", [(1,), (5, 5, 5), (17, 40)])
def test_a_stopped_crawl_ends_as_one_that_was_not(stops: tuple[int, ...]) -> None:
    limits = Limits(max_pages=1000, delay=0.0, connections=3)
    _, whole = run(many(), "http://1.org/1", limits=limits)
    store = FakeStore("http://1.org/1")
    for answers in stops:
        session = start(store, limits)
        Run(session, many()).steps(answers)
        session.stop("interrupted")
        store.save(session.take_batch())  # what is in flight is lost
    _, store = run(many(), limits=limits, store=store)
    known = [
        {url: (page.status, page.links, page.depth, page.relevance) for url, page in one.pages.items()}
        for one in (whole, store)
    ]
    assert len(known[0]) > 100
    assert known[0].keys() == known[1].keys()
    assert {u: k[1] for u, k in known[0].items()} == {u: k[1] for u, k in known[1].items()}
    assert store.counters.pages == whole.counters.pages
    assert store.counters.on_topic == whole.counters.on_topic
    assert store.memory == whole.memory


def test_one_connection_stopped_between_answers_keeps_the_order() -> None:
    whole, _ = run(many(), "http://1.org/1", limits=FAST)
    store = FakeStore("http://1.org/1")
    pages: list[str] = []
    for answers in (4, 30, 1000):
        session = start(store, FAST)
        crawl = Run(session, many()).steps(answers)
        store.save(session.take_batch())
        pages += crawl.pages
    assert list(dict.fromkeys(pages)) == whole.pages
    assert len(pages) <= len(whole.pages) + 2  # twice one in flight


def test_totals_go_on_over_sessions() -> None:
    web = many()
    _, store = run(web, "http://1.org/1", limits=Limits(max_pages=20, delay=0.0))
    first = store.counters
    crawl, _ = run(web, limits=Limits(max_pages=50, delay=0.0), store=store)
    progress = crawl.session.progress(crawl.now)
    assert (first.pages, progress.pages, progress.stopped) == (20, 50, "max-pages")
    assert progress.seconds == pytest.approx(first.seconds + crawl.now)
    assert progress.pages_per_s == pytest.approx(30 / crawl.now)
    assert run(web, limits=Limits(max_pages=50), store=store)[0].log == []


def test_memory_is_copied_at_each_doubling_and_at_the_end() -> None:
    store = FakeStore("http://1.org/1")
    session = start(store, FAST)
    crawl = Run(session, many())
    batches = []
    for _ in range(8):
        crawl.steps(4)
        batches.append((session.progress(crawl.now).pages, session.take_batch().memory))
    copied = [int(memory) for _, memory in batches if memory]
    assert copied[0] == batches[0][0]
    assert len(copied) > 2
    assert all(2 * one <= two for one, two in itertools.pairwise(copied))
    session.stop("interrupted")
    assert session.take_batch().memory == str(session.progress(crawl.now).pages).encode()
    assert session.next_action(9.0) == Done("interrupted")


def test_memory_of_a_long_crawl_is_copied_more_rarely(monkeypatch) -> None:
    monkeypatch.setattr("crawler.engine.session.REMEMBER_EVERY", 1)
    store, begun = FakeStore("http://1.org/1"), 1000
    store.counters = Counters(pages=begun)
    session = start(store, replace(FAST, max_pages=2000))
    crawl, copied = Run(session, many()), []
    while session.progress(crawl.now).pages < begun + 50:
        crawl.steps(4)
        if session.take_batch().memory:
            copied.append(session.progress(crawl.now).pages)
    assert len(copied) == 3
    assert all(two - one >= one // REMEMBER_SHARE for one, two in itertools.pairwise(copied))


def test_progress_names_the_best_waiting_link() -> None:
    store = FakeStore("http://a/")
    session = start(store, FAST)
    assert session.next_action(0.0) == Fetch("http://a/robots.txt", True)
    assert session.next_action(0.0) == Wait(float("inf"))
    progress = session.progress(0.0)
    assert (progress.best, progress.queued, progress.harvest_rate) == (("http://a/", 1.0), 1, 0.0)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(max_pages=1, per_host=2),
        Limits(max_pages=0),
        Limits(max_pages=1, delay=-1.0),
        Limits(max_pages=1, connections=0),
        Limits(max_pages=1, per_host=0),
    ],
)
def test_limits_that_make_no_sense(limits: Limits) -> None:
    with pytest.raises(SettingsError):
        check_limits(limits)
    with pytest.raises(SettingsError):
        Session(FakeUnderstanding(), limits, NEW, [], [])


def judged(url: str, score: float) -> JudgedRecord:
    return JudgedRecord(url, score, score >= 0.5, (Reason("other evidence"),))


def test_what_is_judged_again_is_recorded_and_counted():
    understanding = FakeUnderstanding()
    store = FakeStore("http://a/")
    session = start(store, understanding=understanding)
    first = replace(html("http://a/", {"http://a/1": 0.9}, relevance=0.9), remark=CUT)
    web = FakeWeb(first, html("http://a/1", {}, relevance=0.9))
    understanding.news = [judged("http://a/", 0.2)]
    understanding.settled = [judged("http://a/1", 0.4)]
    Run(session, web, store=store).steps()
    store.save(session.take_batch())
    assert (store.pages["http://a/"].relevance, store.counters.on_topic) == (0.2, 1)
    assert store.pages["http://a/"].reasons == (CUT, Reason("other evidence")), "what the page lacks stays told"
    assert session.settle()
    store.save(session.take_batch())
    assert not session.settle()
    assert (store.pages["http://a/1"].reasons, store.counters.on_topic) == ((Reason("other evidence"),), 0)


def test_a_verdict_that_changes_after_a_stop_is_counted_once():
    store = FakeStore("http://a/")
    session = start(store, Limits(max_pages=1, delay=0.0))
    Run(session, FakeWeb(html("http://a/", {"http://a/1": 0.9}, relevance=0.9)), store=store).steps()
    store.save(session.take_batch())
    understanding = FakeUnderstanding()
    understanding.settled = [judged("http://a/", 0.2)]
    resumed = start(store, understanding=understanding)
    assert resumed.settle()
    assert resumed.take_batch().counters.on_topic == 0


def test_what_is_said_anew_of_held_pages_is_counted() -> None:
    """The seed counted as on topic until another failed; then it is not, and the link that waited gets its place."""

    class Held(FakeUnderstanding):
        def forget(self, url: str, successor: str | None) -> None:
            super().forget(url, successor)
            self.news = [JudgedRecord("http://a/", 0.1, False, (Reason("other evidence"),), ())]
            self.revised = {"http://a/2": Priority(0.8, ())}

    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.2, "http://a/2": 0.0}, relevance=0.9), html("http://a/1"), html("http://a/2")
    )
    store = FakeStore("http://a/", "http://b/gone")
    crawl = Run(start(store, FAST, understanding=Held()), web, store=store).steps()
    batch = crawl.session.take_batch()
    assert [(record.url, record.on_topic) for record in batch.judged] == [("http://a/", False)]
    assert crawl.pages == ["http://a/", "http://b/gone", "http://a/2", "http://a/1"]
    assert batch.counters.on_topic == 0


def test_of_copies_the_strategy_is_told() -> None:
    same = "word " * 400
    web = FakeWeb(html("http://a/", {"http://a/1": 0.5}, text=same), html("http://a/1", text=same))
    understanding, store = FakeUnderstanding(), FakeStore("http://a/")
    Run(start(store, FAST, understanding=understanding), web, store=store).steps()
    assert understanding.withdrawn == ["http://a/1"]


def test_what_was_not_asked_is_no_request_and_http_continues() -> None:
    closed = Failed("https://a/robots.txt", "no https", "https: the proxy refuses CONNECT", asked=False)
    web = FakeWeb(closed, html("http://a/", {"https://a/1": 0.9, "http://a/2": 0.8}), html("http://a/2"))
    crawl, store = run(web, "http://a/", limits=FAST)
    assert (crawl.pages, list(store.queue)) == (["http://a/", "http://a/2"], ["https://a/1"])
    assert (crawl.ended, crawl.now < 2) == ("unreachable", True)
    progress = crawl.session.progress(crawl.now)
    assert (progress.requests, progress.given_up) == (3, "https: the proxy refuses CONNECT")


def test_what_will_not_be_sent_is_handed_out_once() -> None:
    links = {f"https://out{n}/": 0.9 for n in range(30)}
    closed = [Failed(f"{url}robots.txt", "no https", "no", asked=False) for url in links]
    web = FakeWeb(*closed, html("http://a/", links))
    crawl, store = run(web, "http://a/", limits=replace(FAST, connections=1))
    assert sum(url.startswith("https:") for url in web.asked) == 1
    assert (crawl.ended, store.queue.keys()) == ("unreachable", links.keys())
    assert crawl.session.progress(crawl.now).errors == 0


def test_the_strategy_hears_of_every_request_in_vain() -> None:
    understanding, store = FakeUnderstanding(), FakeStore("http://a/")
    links = {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7, "http://a/4": 0.6}
    web = FakeWeb(
        robots("http://a", "User-agent: *\nDisallow: /4"),
        html("http://a/", links, text="all the same words " * 50),
        html("http://a/1", links, text="all the same words " * 50),
        moved("http://a/3", "http://a/"),
    )
    Run(start(store, FAST, understanding=understanding), web).steps()
    assert understanding.missed == ["http://a/1", "http://a/2"]  # a copy, and what is not there


def test_a_later_session_keeps_robots_and_lets_hosts_rest() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.5, "http://b/": 0.9}),
        moved("http://b/robots.txt", "http://a/moved"),
        html("http://a/1"),
        html("http://b/"),
    )
    store, limits = FakeStore("http://a/"), Limits(max_pages=1000, delay=10.0)
    first = Run(start(store, limits), web, store=store)
    while "http://b/robots.txt" not in web.asked:
        first.steps(1)
    store.save(first.session.take_batch())
    first.session.stop("changed")
    second = Run(start(store, limits, after=first.session.handed_on), web, now=first.now, store=store).steps()
    store.save(second.session.take_batch())
    assert len(web.asked) == len(set(web.asked))
    assert second.log[0][2] == "http://a/moved"
    assert second.log[0][0] >= first.log[1][1] + 10.0  # after the first page of its host
    fetched = [url for url, page in store.pages.items() if page.status == "fetched"]
    assert sorted(fetched) == ["http://a/", "http://a/1", "http://b/"]
    assert second.session.progress(second.now).errors == 0
