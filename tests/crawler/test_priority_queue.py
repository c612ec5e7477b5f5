"""The frontier beside a model that a person can check: a plain list, searched whole at every pop."""

import math
import random
import sys
from types import SimpleNamespace

import pytest

from crawler.frontier.priority_queue import SPARE, Entry, Frontier


def entry(url: str, priority: float, depth: int = 0, found: int = 0) -> Entry:
    return Entry(priority, found, depth, url, "", 0)


def test_the_best_of_all_hosts_precedes_the_first_found() -> None:
    frontier = Frontier()
    for found, (url, priority, depth) in enumerate(
        [("a/1", 0.2, 0), ("b/1", 0.9, 3), ("a/2", 0.9, 2), ("b/0", 0.9, 3)]
    ):
        frontier.push(url[0], entry(url, priority, depth, found))
    popped = []
    while found := frontier.pop(0.0):
        popped.append(found[1].url)
        frontier.schedule(found[0], 0.0)
    assert popped == ["b/1", "a/2", "b/0", "a/1"]


def test_a_host_rests_until_its_time() -> None:
    frontier = Frontier()
    for url in ("a/1", "a/2", "b/1"):
        frontier.push(url[0], entry(url, {"a/1": 0.9, "a/2": 0.8, "b/1": 0.1}[url]))
    assert frontier.pop(0.0) == ("a", entry("a/1", 0.9))
    assert frontier.pop(0.0) == ("b", entry("b/1", 0.1))
    assert frontier.pop(100.0) is None  # nobody said when a may be asked again
    assert frontier.next_time() == math.inf
    frontier.schedule("a", 5.0)
    assert frontier.next_time() == 5.0
    assert frontier.pop(4.9) is None
    assert frontier.pop(5.0) == ("a", entry("a/2", 0.8))
    assert len(frontier) == 0


def test_a_raised_link_is_popped_once_at_its_new_place() -> None:
    frontier = Frontier()
    frontier.push("a", entry("a/1", 0.1))
    frontier.push("b", entry("b/1", 0.5))
    assert frontier.pop(-1.0) is None
    frontier.push("a", entry("a/1", 0.9))
    assert len(frontier) == 2
    assert frontier.best() == entry("a/1", 0.9)
    assert frontier.pop(0.0) == ("a", entry("a/1", 0.9))
    frontier.schedule("a", 0.0)
    assert frontier.pop(0.0) == ("b", entry("b/1", 0.5))
    assert frontier.pop(0.0) is None


def test_a_fallen_link_makes_way_for_its_host_s_next() -> None:
    """Host a is ready with a/1 on top; when a/1 falls below b/1 and a/2, the order is a/2, b/1, a/1."""
    frontier = Frontier()
    for url, priority in (("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.5)):
        frontier.push(url[0], entry(url, priority))
    assert frontier.peek(0.0) == entry("a/1", 0.9)
    frontier.push("a", entry("a/1", 0.1))
    popped = []
    while found := frontier.pop(0.0):
        popped.append(found[1].url)
        frontier.schedule(found[0], 0.0)
    assert popped == ["a/2", "b/1", "a/1"]
    assert frontier.inversions == 0


def test_priorities_that_change_for_ever_do_not_fill_the_heaps() -> None:
    frontier = Frontier()
    urls = [f"h{n % 3}/{n}" for n in range(30)]
    before = sum(map(sys.getrefcount, urls))
    for step in range(3000):
        url = urls[step % 30]
        frontier.push(url[:2], entry(url, (step * 7 % 100) / 100))
        frontier.peek(0.0)
    assert len(frontier) == 30
    held = sum(map(sys.getrefcount, urls)) - before  # each entry has one, and so has each key
    assert held <= 30 + 3 * (2 * 10 + SPARE + 1) + 2 * 3 + SPARE + 1


@pytest.mark.parametrize("spare", [0, SPARE])
@pytest.mark.parametrize("seed", range(30))
def test_against_a_plain_list(seed: int, spare: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Better and worse entries, pops, schedules by chance; with nothing to spare, heaps are often made anew."""
    monkeypatch.setattr("crawler.frontier.priority_queue.SPARE", spare)
    chance = random.Random(seed)
    frontier = Frontier()
    waiting: dict[str, tuple[str, Entry]] = {}
    at: dict[str, float] = {}
    now = 0.0
    for step in range(600):
        match chance.randrange(4):
            case 0 | 1:
                host = f"h{chance.randrange(8)}"
                new = entry(f"{host}/{chance.randrange(60)}", chance.randrange(10) / 10, chance.randrange(3), step)
                frontier.push(host, new)
                waiting[new.url] = (host, new)
                at.setdefault(host, 0.0)
            case 2:
                now += chance.choice([0.0, 0.5, 2.0])
                ready = [(e, h) for h, e in waiting.values() if at[h] <= now]
                found = frontier.pop(now)
                assert found == ((min(ready)[1], min(ready)[0]) if ready else None), step
                if found:
                    del waiting[found[1].url]
                    at[found[0]] = math.inf
            case 3 if at:
                host = chance.choice(sorted(at))
                at[host] = now + chance.choice([-1.0, 0.0, 1.0, math.inf])
                frontier.schedule(host, at[host])
        assert len(frontier) == len(waiting)
        times = [at[h] for h, _ in waiting.values()]
        best = frontier.next_time()
        assert (best <= now) == any(t <= now for t in times)
        if best > now:
            assert best == min(times, default=math.inf)
    assert frontier.inversions == 0


def first(heap: list[object]) -> object:
    return heap.pop(0)


def test_an_inversion_is_seen_without_the_ready_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The heaps are broken on purpose: what was pushed first is popped first."""
    monkeypatch.setattr("crawler.frontier.priority_queue.heapq", SimpleNamespace(heappush=list.append, heappop=first))
    frontier = Frontier()
    frontier.push("b", entry("b/1", 0.1))
    frontier.push("a", entry("a/1", 0.9))
    frontier.push("c", entry("c/1", 0.95))
    frontier.schedule("c", 9.0)
    assert frontier.pop(0.0) == ("b", entry("b/1", 0.1))
    assert frontier.inversions == 1
    assert frontier.pop(0.0) == ("a", entry("a/1", 0.9))  # c is better, but rests
    assert frontier.inversions == 1
