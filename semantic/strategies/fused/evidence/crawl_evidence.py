"""All that the crawl has seen, as far as it says something of an address not yet fetched.

Three kinds of rows: addresses (`waiting_addresses`), pages fetched (numbered from 1 in their order), and groups of
pages (`group_statistics`): hosts, directories, templates (places where a site's program sets links), templates on one
page, and anchor texts. Groups that come by the page or by the link have no name: a template on one page gets a new
number, an anchor text the number that it hashes to.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room
from semantic.memory.ring_buffers import RING, RINGS, once
from semantic.strategies.fused.evidence.dense_features import Pages, dense
from semantic.strategies.fused.evidence.group_statistics import Groups
from semantic.strategies.fused.evidence.link_reading import Saying
from semantic.strategies.fused.evidence.link_words import (
    ANCHORS,
    anchor_number,
    anchor_tokens,
    link_tokens,
    padded,
    template_tokens,
)
from semantic.strategies.fused.evidence.page_odds import Alike, Odds, query_way
from semantic.strategies.fused.evidence.site_places import Place, place_of
from semantic.strategies.fused.evidence.token_table import (
    ANCHOR_SLOTS,
    CONTEXT_SLOTS,
    PLACE_SLOTS,
    SLOTS,
    TEMPLATE_SLOTS,
)
from semantic.strategies.fused.evidence.waiting_addresses import Addresses

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

RELEVANT = 0.4  # r of a page from which steps are counted
HOST_RATE, FOLDER_RATE = 0.1, 0.15  # how fast recent means follow
CHANCE = 1e-4  # what chance adds to a score: it breaks ties
_TEMPLATE_AT = PLACE_SLOTS + ANCHOR_SLOTS + CONTEXT_SLOTS
_CHAIN = 6  # groups of a place: host, directories
_NO_LINK = [0] * (SLOTS - PLACE_SLOTS)


class Evidence:
    """See the module's text; `seed`: of the chance that breaks ties."""

    def __init__(self, seed: int) -> None:
        self.addresses = Addresses()
        self.groups = Groups()
        self.anchors = Groups(ANCHORS)
        self.pages = Pages()
        self.odds = Odds()
        self.chains: Ints = np.zeros((1024, _CHAIN), np.int32)  # by the innermost group; host, directories
        self.fetched: list[int] = []  # rows of the last pages, those that are learned of
        self.older = 0  # pages fetched before these
        self._seed = seed
        self._total = self._old_total = 0.0

    @property
    def number(self) -> int:
        """How many pages were fetched: the number of the last one."""
        return self.older + len(self.fetched)

    @property
    def mean(self) -> float:
        """Mean worth of a page, drawn to 0.1 at first."""
        return (self._total + 1.0) / (self.number + 10)

    def row_of(self, url: str) -> int:
        """The row of an address; a new one where it was not heard of before."""
        if url not in self.addresses.rows:
            self._add([place_of(url)], [url], [_NO_LINK])
        return self.addresses.rows[url]

    def _add(self, places: Sequence[Place], urls: Sequence[str], links: Sequence[list[int]]) -> Ints:
        """Rows for addresses not heard of before; `links`: the hashed words of a link to each."""
        rows = self.addresses.add(urls)
        at = self.addresses.at
        at["place"][rows] = [self._innermost(place.chain) for place in places]
        at["query"][rows] = [self.groups.number(query_way(url)) for url in urls]
        self.odds.grow(len(self.groups))
        at["folders"][rows] = [place.depth for place in places]
        at["tokens"].put(
            rows, [padded(place.tokens, PLACE_SLOTS) + link for place, link in zip(places, links, strict=True)]
        )
        at["first"][rows] = self.number
        at["odds"][rows] = 1.0
        at["chance"][rows] = [CHANCE * (crc32(url.encode(), self._seed) / 2**32) for url in urls]
        at["score"][rows] = at["sent"][rows] = -np.inf
        return rows

    def _innermost(self, keys: tuple[str, ...]) -> int:
        """The group in which an address stands, with its row in `chains`; `keys`: see `site_places.Place`."""
        inner = self.groups.known(next(filter(None, reversed(keys)), ""))
        if inner is None or not self.chains[inner, 0]:
            chain = [self.groups.number(key) for key in keys]
            inner = next(filter(None, reversed(chain)), 0)
            while inner >= len(self.chains):
                self.chains = with_room(self.chains)
            self.chains[inner] = chain
        return inner

    def hand_on(self, url: str, successor: str | None) -> None:
        """An address has ended without a page; where it redirected, its links are its successor's."""
        row = self.addresses.rows.get(url)
        if row is None:
            return
        if successor is None or (successor not in self.addresses.rows and self.addresses.gone.holds([successor]).any()):
            self.addresses.at["ended"][row] = True
            return
        new = successor not in self.addresses.rows
        other = self.row_of(successor)
        if other != row:
            at = self.addresses.at
            if new:
                at["first"][other] = at["first"][row]
            self.addresses.merge(row, other)
            self.addresses.rows.moved[url] = other
            at["ended"][row] = True

    def surroundings(self, urls: Sequence[str]) -> tuple[Ints, Ints]:
        """By address: hashed words of the links to it and of itself, and numbers of pages that link to it; 0: none."""
        found = [self.addresses.rows.get(url) for url in urls]
        known = np.array([row is not None for row in found], bool)[:, None]
        rows = np.array([row or 0 for row in found], np.int32)
        at = self.addresses.at
        return at["tokens"][rows] * known, at["rings"][rows][RINGS.index("pages")] * known

    def dense(self, rows: Ints, hashed: Floats, layers: Floats) -> Floats:
        """The dense evidence of rows: `dense_features.NAMES`."""
        return dense(rows, self, hashed, layers)

    def odds_of(self, rows: Ints) -> Floats:
        """How likely addresses are to be pages."""
        return self.odds.of(self._alike(rows))

    def _alike(self, rows: Ints) -> Alike:
        """What tells which addresses are alike."""
        at = self.addresses.at
        chain = self.chains[at["place"][rows]]
        known = self.groups.counts[chain[:, 0]] > 0
        return Alike(chain, at["query"][rows], at["rings"][rows][RINGS.index("templates")], known)

    def miss(self, url: str) -> None:
        """An address was asked in vain: it failed, or was a copy: the page fetched last, counted as one of its own."""
        row = self.addresses.rows.get(url)
        if row is None:
            return
        is_copy = self.fetched[-1:] == [row]
        self.odds.count(self._alike(np.array([row], np.int32)), 0.0 if is_copy else 1.0, -1.0 if is_copy else 0.0)
        self.addresses.at["ended"][row] = True

    def count(self, row: int, r: float) -> None:
        """A page has been fetched, and is worth r by a first look."""
        at, groups, pages = self.addresses.at, self.groups, self.pages
        self.odds.count(self._alike(np.array([row], np.int32)), 1.0, 1.0)
        self.fetched.append(row)
        number = self.number
        pages.grow(number)
        inner = at["place"][row]
        chain = self.chains[inner]
        host = chain[0]
        groups.follow(host, r, HOST_RATE, self.mean)
        if inner != host:
            groups.follow(inner, r, FOLDER_RATE, self.mean)
        linking, templates, places, anchors = at["rings"][np.array([row])][:, 0]
        groups.add(np.concatenate([chain, templates, places]), r)
        self.anchors.add(anchors, r)
        linking = linking[linking > 0]
        pages.value[number] = r
        pages.child_sum[linking] += r
        pages.child_count[linking] += 1
        before = pages.since[linking].min() + 1 if len(linking) else 0.0
        pages.since[number] = 0.0 if r > RELEVANT else before
        self._total += r

    def recount(self, r: Floats) -> None:
        """The pages that are learned of have been judged again."""
        linking, members, anchors = self._found_with(np.array(self.fetched, np.int32))
        self.groups.rebuild(members, r)
        self.anchors.rebuild(anchors, r)
        self.pages.value[self.older + 1 : self.number + 1] = r
        self.pages.recount(linking, r)
        self._total = self._old_total + float(r.sum())

    def retire(self, count: int) -> None:
        """Learn no more of so many pages, the first: what they were worth stays in what they were found with."""
        linking, members, anchors = self._found_with(np.array(self.fetched[:count], np.int32))
        r = self.pages.value[self.older + 1 : self.older + count + 1]
        self.groups.retire(members, r)
        self.anchors.retire(anchors, r)
        self.pages.retire(linking, r)
        self._old_total += float(r.sum())
        self.older += count
        del self.fetched[:count]

    def _found_with(self, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Of pages fetched: the pages that link to them, their groups, the groups of their anchors; a row a page."""
        linking, templates, places, anchors = self.addresses.at["rings"][rows]
        chains = self.chains[self.addresses.at["place"][rows]]
        return linking, np.column_stack([chains, once(templates), once(places)]), once(anchors)

    def release(self, kept: Ints) -> None:
        """Give free the rows of what has ended, but for `kept` and the pages that are learned of."""
        ended = self.addresses.at["ended"][: len(self.addresses)].copy()
        for rows in (self.fetched, kept, self.addresses.free):
            ended[rows] = False
        self.addresses.release(np.flatnonzero(ended).astype(np.int32))

    def take(self, row: int, saying: Saying) -> Ints:
        """Take in what the page fetched last, at `row`, says of others; the rows of its targets, each once."""
        saying = self._without_gone(saying)
        if not saying.targets:
            return np.zeros(0, np.int32)
        anchors = np.array([anchor_number(text) for text in saying.anchors], np.int32)
        known = list(map(self.addresses.rows.get, saying.targets))
        fresh = iter(self._take_new([i for i, had in enumerate(known) if had is None], saying, anchors).tolist())
        found = [next(fresh) if had is None else had for had in known]
        rows = np.array(found, np.int32)
        self._take_words(rows, anchors, saying, np.array([had is not None for had in known], bool))
        own = {path: self.groups.unnamed() for path in dict.fromkeys(saying.templates)}
        templates = {path: (self.groups.number(f"t {path}"), place) for path, place in own.items()}
        where = list({row: i for i, row in enumerate(found)}.values())  # two addresses may be one page
        rows = rows[where]
        at = self.addresses.at
        links = at["links"][rows]
        numbers = np.empty((len(RINGS), len(rows)), np.int32)  # in the order of `RINGS`
        numbers[0] = self.number
        numbers[1:3] = np.array([templates[path] for path in saying.templates], np.int32)[where].T
        numbers[3] = anchors[where]
        at["rings"].put(rows, links % RING, numbers)
        new = rows[links == 0]
        at["depth"][new] = at["depth"][row] + 1
        at["links"][rows] = links + 1
        at["masses"][rows] = np.maximum(at["masses"][rows], saying.masses[where])
        at["anchor_sum"][rows] += saying.masses[where, 0]
        at["foreign"][rows] = np.maximum(at["foreign"][rows], saying.foreign[where])
        at["position"][rows] = saying.position[where]
        return rows

    def _without_gone(self, saying: Saying) -> Saying:
        """What is said of targets of which more is held than that they were known."""
        if not len(self.addresses.gone):
            return saying
        gone = self.addresses.gone.holds(saying.targets)
        kept = [i for i, url in enumerate(saying.targets) if not gone[i] or url in self.addresses.rows]
        return saying if len(kept) == len(saying.targets) else saying.only(kept)

    def _take_new(self, new: Sequence[int], saying: Saying, anchors: Ints) -> Ints:
        """Rows for the targets not heard of before, with the hashed words of their first link, if it has any text."""
        if not new:
            return np.zeros(0, np.int32)
        urls = [saying.targets[i] for i in new]
        places = [place_of(url, saying.addresses[i]) for i, url in zip(new, urls, strict=True)]
        texts = zip(new, anchors[new].tolist(), strict=True)
        return self._add(places, urls, [link_tokens(saying, i) if there else _NO_LINK for i, there in texts])

    def _take_words(self, rows: Ints, anchors: Ints, saying: Saying, known: NDArray[np.bool_]) -> None:
        """The hashed words of links to known targets whose anchor text is new for them."""
        at = self.addresses.at
        old = np.flatnonzero(known)
        rows, anchors = rows[old], anchors[old]
        wanted = ~at["ended"][rows] & ~(at["rings"][rows][3] == anchors[:, None]).any(1)
        at["graph"][rows[wanted]] = 0
        for i, row in zip(old[wanted].tolist(), rows[wanted].tolist(), strict=True):
            at["tokens"].fill(row, PLACE_SLOTS, ANCHOR_SLOTS, anchor_tokens(saying.anchors[i]))
            at["tokens"].fill(row, _TEMPLATE_AT, TEMPLATE_SLOTS, template_tokens(saying.templates[i]))

    def remember(self) -> dict[str, Any]:
        """Everything."""
        return {
            "addresses": self.addresses.remember(),
            "groups": self.groups.remember(),
            "anchors": self.anchors.remember(),
            "pages": self.pages.remember(),
            "odds": self.odds.remember(),
            "chains": pack_array(self.chains),
            "fetched": pack_array(np.array(self.fetched, np.int32)),
            "counts": [self.older, self._total, self._old_total],
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.addresses.restore(memory["addresses"])
        self.groups.restore(memory["groups"])
        self.anchors.restore(memory["anchors"])
        self.pages.restore(memory["pages"])
        self.odds.restore(memory["odds"])
        self.chains = unpack_array(memory["chains"])
        self.fetched = unpack_array(memory["fetched"]).tolist()
        self.older, self._total, self._old_total = memory["counts"]
