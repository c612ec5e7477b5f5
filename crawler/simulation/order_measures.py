"""Measures an order of fetching: the area under its curve, compared with breadth-first and with an oracle.

A page has a name (`semantic.urls.identity`). Links are the `<a href>` in a page's bytes, independent of the crawler's
reader, so that the measure does not depend on the crawler that it measures.

- A target counts as reachable if links lead from the seeds to it; the others are ignored.
- The oracle knows all labels and links. It fetches a target if one is on its frontier, otherwise the page of the
  frontier nearest to a target not yet fetched: an upper bound that a good order comes close to, not a proven optimum.
  Ties are broken by name.
- `area`: the mean, over the first N fetches, of the share of reachable targets found so far; 1 if all are found at
  once.
- A copy of a page fetched before counts as a fetch.
- Pages to be ignored count in neither way: an order is measured without them.
- A target is found with the first page that has its text, under any address (`crawler.dedup.duplicate_pages`); the same
  holds for breadth-first and the oracle. The oracle does not look for copies: if targets are copies of each other, an
  order may find with one fetch what the oracle fetches one by one.

The oracle searches backwards from the targets, which costs time in the size of the web. Until a target is reached, each
fetch brings the next page of the last path found onto the frontier, and no other page can be nearer. So one search for
each target suffices, not one for each fetch.
"""

import heapq
import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import unescape
from itertools import accumulate, combinations
from urllib.parse import urljoin

from semantic.urls import identity

MARKS = (100, 250, 500, 1000, 2000, 4000, 8000)  # numbers of fetches at which a curve is reported; chosen
HOPS = 5  # redirects in a row, as in a crawl (`crawler.engine.crawl_records.MAX_REDIRECTS`)

_HREF = re.compile(rb"""<a\b[^>]{0,4000}?\bhref\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_BASE = re.compile(rb"""<base\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_BASE_WITHIN = 4096  # first bytes of a page, searched for `<base>`; chosen, not measured

Links = Mapping[str, Sequence[str]]


def names_linked(body: bytes, name: str) -> list[str]:
    """The names that a page links to, each once, in order; redirects are not followed."""
    here = address_of(name)
    base = _BASE.search(body[:_BASE_WITHIN])
    if base:
        here = _joined(here, base[1].decode("utf-8", "replace")) or here
    found: dict[str, None] = {}
    for raw in dict.fromkeys(_HREF.findall(body)):
        href = unescape(raw.strip(b"\"'").decode("utf-8", "replace")).strip()
        if not href or href[0] == "#" or href[:11].lower() == "javascript:" or href.startswith("mailto:"):
            continue
        joined = _joined(here, href)
        if joined is not None:
            found[identity(joined)] = None
    return list(found)


def address_of(name: str) -> str:
    """An address that has this name."""
    return "http://" + name.replace("%", "%25").replace("#", "%23")


def final_name(name: str, pages: Collection[str], moved: Mapping[str, str]) -> str | None:
    """The page found under a name, after at most `HOPS` redirects (`moved`: name -> Location); None if there is
    none.
    """
    for _ in range(HOPS):
        if name in pages:
            return name
        if name not in moved:
            return None
        location = _joined("http://" + name, moved[name])
        if location is None:
            return None
        name = identity(location)
    return None


def link_graph(linked: Mapping[str, Iterable[str]], moved: Mapping[str, str]) -> dict[str, list[str]]:
    """The links among pages. `linked`: for each page the names it links to. Without links to itself, each target
    once.
    """
    ends: dict[str, str | None] = {}
    graph = {}
    for page, names in linked.items():
        targets: dict[str, None] = {}
        for name in names:
            if name not in ends:
                ends[name] = final_name(name, linked.keys(), moved)
            end = ends[name]
            if end is not None and end != page:
                targets[end] = None
        graph[page] = list(targets)
    return graph


def breadth_first(links: Links, seeds: Iterable[str]) -> list[str]:
    """All pages reachable from the seeds, in the order in which they are found."""
    order = list(dict.fromkeys(seed for seed in seeds if seed in links))
    seen = set(order)
    for page in order:  # grows as it goes
        found = [target for target in links[page] if target not in seen]
        seen.update(found)
        order.extend(found)
    return order


def oracle(links: Links, targets: Iterable[str], seeds: Iterable[str], most: int) -> list[str]:
    """The oracle's order; ends after `most` pages or when no target is left."""
    search = _Oracle(links, targets, seeds)
    while len(search.order) < most and search.step():
        pass
    return search.order


def found_after(hits: Sequence[int], most: int) -> list[int]:
    """The number of targets found after 1, 2, ... `most` fetches. `hits`: targets found by each fetch; may be
    shorter.
    """
    curve = list(accumulate(hits[:most]))
    return curve + [curve[-1] if curve else 0] * (most - len(curve))


def area(curve: Sequence[int], reachable: int) -> float:
    """The mean share of reachable targets found so far, 0 to 1."""
    return sum(curve) / (len(curve) * max(1, reachable)) if curve else 0.0


def ill_ordered(places: Sequence[float], worths: Sequence[float]) -> float | None:
    """The share of pairs of different worth that are in the wrong order; a tie counts half.

    `places`: priorities; `worths`: what they should be ordered by. 0 is a perfect order, 0.5 chance; without ties it is
    (1 - gamma)/2 (Goodman and Kruskal 1954). None if there is no such pair.
    """
    wrong = pairs = 0.0
    for (place, worth), (other_place, other_worth) in combinations(zip(places, worths, strict=True), 2):
        if worth != other_worth:
            pairs += 1
            wrong += 0.5 if place == other_place else (place < other_place) == (worth > other_worth)
    return wrong / pairs if pairs else None


class _Oracle:
    """The oracle's state. `ready`: a heap of targets on the frontier. `way`: the last search, page -> rank in it."""

    def __init__(self, links: Links, targets: Iterable[str], seeds: Iterable[str]) -> None:
        self.order: list[str] = []
        self._links = links
        self._back: dict[str, list[str]] = {}
        for page, linked in links.items():
            for target in linked:
                self._back.setdefault(target, []).append(page)
        self._left = set(targets)
        self._known: set[str] = set()
        self._frontier: set[str] = set()
        self._fetched: set[str] = set()
        self._ready: list[str] = []
        self._way: dict[str, int] = {}
        self._nearest: str | None = None
        self._find(seed for seed in seeds if seed in links)

    def step(self) -> bool:
        """Fetch one page; False if no target can be reached any more."""
        if self._ready:
            page = heapq.heappop(self._ready)
            self._way = {}
        else:
            found = self._nearest or self._search()
            if found is None:
                return False
            page = found
        self._frontier.discard(page)
        self._left.discard(page)
        self._fetched.add(page)
        self.order.append(page)
        new = self._find(self._links[page])
        on_way = [found for found in new if found in self._way]
        self._nearest = min(on_way, key=self._way.__getitem__) if on_way and not self._ready else None
        return True

    def _find(self, pages: Iterable[str]) -> list[str]:
        new = [page for page in dict.fromkeys(pages) if page not in self._known]
        self._known.update(new)
        self._frontier.update(new)
        for page in new:
            if page in self._left:
                heapq.heappush(self._ready, page)
        return new

    def _search(self) -> str | None:
        """The page of the frontier nearest to a target that is left."""
        waiting = deque(sorted(self._left))
        self._way = {page: rank for rank, page in enumerate(waiting)}
        while waiting:
            page = waiting.popleft()
            if page in self._frontier:
                return page
            for source in self._back.get(page, ()):
                if source not in self._way and source not in self._fetched:
                    self._way[source] = len(self._way)
                    waiting.append(source)
        return None


def _joined(base: str, href: str) -> str | None:
    try:
        return urljoin(base, href)
    except ValueError:
        return None
