"""Webs by chance, with all that goes wrong: the promises hold, and no crawl waits for nothing (Run asserts it)."""

import random
from itertools import pairwise

import pytest
from crawl_fakes import FakeWeb, Run, failed, html, moved, robots, run

from crawler.engine.actions import Limits
from crawler.ports import Failed, Fetched, Outcome

HOSTS = [f"h{n}" for n in range(5)]
SCHEMES = ["http", "https"]


def somewhere(chance: random.Random) -> str:
    return f"{chance.choice(SCHEMES)}://{chance.choice(HOSTS)}"


def robots_answers(chance: random.Random, origin: str) -> list[Outcome]:
    url = f"{origin}/robots.txt"
    return chance.choice(
        [
            [],
            [moved(url, somewhere(chance) + "/robots.txt")],
            [failed(url, "timeout"), moved(url, somewhere(chance) + "/robots.txt")],
            [robots(origin, "User-agent: *\nDisallow: /1\nCrawl-delay: 3")],
            [failed(url, "timeout")],
            [Fetched(url, 503, {"retry-after": "50"}, b""), Fetched(url, 404, {}, b"")],
        ]
    )


def page_answers(chance: random.Random, url: str) -> list[Outcome]:
    links = [(f"{somewhere(chance)}/{chance.randrange(12)}", chance.choice([None, 0.1, 0.5, 0.9])) for _ in range(5)]
    page = html(url, links, nofollow=chance.random() < 0.1)
    return chance.choice(
        [
            *[[page]] * 3,
            [moved(url, f"{somewhere(chance)}/{chance.randrange(12)}")],
            [failed(url, chance.choice(["timeout", "tls"])), page],
            [Fetched(url, 429, {"retry-after": str(chance.randrange(9))}, b"")],
        ]
    )


def silent(crawl: Run) -> set[str]:
    """The robots.txt that fail, and those that have moved there."""
    answers = crawl.web.answers
    all_of_them = [f"{scheme}://{host}/robots.txt" for scheme in SCHEMES for host in HOSTS]
    found = {url for url in all_of_them if isinstance(answers.get(url, [None])[-1], Failed)}
    for _ in all_of_them:
        moves = [(url, answers[url][-1]) for url in all_of_them if url in answers]
        found |= {url for url, last in moves if isinstance(last, Fetched) and last.headers.get("location") in found}
    return found


def check_politeness(crawl: Run, limits: Limits) -> None:
    for host in HOSTS:
        times = sorted((begin, end) for begin, end, url in crawl.log if url.split("/")[2] == host)
        for moment, _ in times:
            assert sum(begin <= moment < end for begin, end in times) <= limits.per_host
        if limits.delay:
            assert all(later[0] - earlier[1] >= limits.delay - 1e-9 for earlier, later in pairwise(times))


@pytest.mark.parametrize("at_once", [1, 8])
@pytest.mark.parametrize("seed", range(60))
def test_what_must_hold(seed: int, at_once: int) -> None:
    chance = random.Random(seed)
    answers: list[Outcome] = []
    for origin in (f"{scheme}://{host}" for host in HOSTS for scheme in SCHEMES):
        answers += robots_answers(chance, origin)
        for n in range(12):
            answers += page_answers(chance, f"{origin}/{n}")
    delay = chance.choice([0.0, 1.0])
    per_host = 1 if delay else chance.randrange(1, 5)
    limits = Limits(
        max_pages=chance.choice([5, 30, 1000]), delay=delay, connections=chance.randrange(1, 9), per_host=per_host
    )
    seeds = somewhere(chance) + "/0", somewhere(chance) + "/2"
    crawl, store = run(FakeWeb(*answers), *seeds, limits=limits, at_once=at_once)
    check_politeness(crawl, limits)
    assert store.counters.inversions == 0
    assert sum(page.order is not None for page in store.pages.values()) == store.counters.pages <= limits.max_pages
    assert crawl.ended in ("max-pages", "unreachable") or not store.queue
    if crawl.ended == "unreachable":
        assert {url.rpartition("/")[0] for url in store.queue} <= {url.rpartition("/")[0] for url in silent(crawl)}
