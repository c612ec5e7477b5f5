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

from semantic.frame import LinkRows
from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room
from semantic.memory.ring_buffers import RING, RINGS, once
from semantic.strategies.fused.evidence.dense_features import Pages, dense
from semantic.strategies.fused.evidence.group_statistics import Groups
from semantic.strategies.fused.evidence.link_words import ANCHORS, NO_LINK, place_tokens
from semantic.strategies.fused.evidence.page_odds import Alike, Odds, query_way
from semantic.strategies.fused.evidence.site_places import place_of
from semantic.strategies.fused.evidence.token_table import (
    ANCHOR_SLOTS,
    CONTEXT_AT,
    PLACE_SLOTS,
    TEMPLATE_AT,
    TEMPLATE_SLOTS,
)
from semantic.strategies.fused.evidence.waiting_addresses import Addresses

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

RELEVANT = 0.4  # r of a page from which steps are counted
HOST_RATE, FOLDER_RATE = 0.1, 0.15  # how fast recent means follow
CHANCE = 1e-4  # what chance adds to a score: it breaks ties
_CHAIN = 6  # groups of a place: host, directories
AT_ONCE = 100  # pages taken in at once, at most: among so many is a copy that has just come


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
            place = place_of(url)
            tokens = np.frombuffer(place_tokens(place.tokens) + NO_LINK, np.int32)[np.newaxis]
            where = np.array([self._innermost(place.chain)], np.int32)
            query = np.array([self.groups.number(query_way(url))], np.int32)
            self._add([url], where, query, np.array([place.depth], np.int32), tokens)
        return self.addresses.rows[url]

    def _add(self, urls: Sequence[str], places: Ints, queries: Ints, depths: Ints, tokens: Ints) -> Ints:
        """Rows for addresses not heard of before; `places`, `queries`: their groups; `tokens`: of a link to each."""
        rows = self.addresses.add(urls)
        at = self.addresses.at
        self.odds.grow(len(self.groups))
        at["place"][rows], at["query"][rows], at["folders"][rows] = places, queries, depths
        at["tokens"].put(rows, tokens)
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
        place = at["place"][rows]
        inner, which = np.unique(place, return_inverse=True)
        chain = self.chains[inner]
        known = self.groups.counts[chain[:, 0]] > 0
        templates = at["rings"].narrow(rows)[RINGS.index("templates")]
        return Alike(place, at["query"][rows], templates, chain, known, which)

    def miss(self, urls: Sequence[str]) -> None:
        """Addresses were asked in vain: they failed, or were copies, pages that have just come and were counted."""
        found = [row for url in urls if (row := self.addresses.rows.get(url)) is not None]
        if found:
            rows = np.array(found, np.int32)
            is_copy = np.isin(rows, self.fetched[-AT_ONCE:])
            self.odds.count(self._alike(rows), np.where(is_copy, 0.0, 1.0), np.where(is_copy, -1.0, 0.0))
            self.addresses.at["ended"][rows] = True

    def count(self, rows: Ints, worths: Floats) -> None:
        """Pages have been fetched, and are worth so much by a first look; what they say of others is taken later."""
        groups, pages = self.groups, self.pages
        self.odds.count(self._alike(rows), np.ones(len(rows)), np.ones(len(rows)))
        linking, members, anchors = self._found_with(rows)
        linking = once(linking)
        inner = self.addresses.at["place"][rows]
        of_page = zip(rows.tolist(), worths.tolist(), self.chains[inner, 0].tolist(), inner.tolist(), strict=True)
        for i, (row, r, host, innermost) in enumerate(of_page):
            self.fetched.append(row)
            number, mean = self.number, self.mean
            pages.grow(number)
            pages.value[number] = r
            groups.follow(host, r, HOST_RATE, mean)
            if innermost != host:
                groups.follow(innermost, r, FOLDER_RATE, mean)
            before = pages.since[linking[i][linking[i] > 0]].min(initial=np.inf) + 1
            pages.since[number] = 0.0 if r > RELEVANT or before == np.inf else before
            self._total += r
        groups.add(members, worths)
        self.anchors.add(anchors, worths)
        page, slot = linking.nonzero()
        np.add.at(pages.child_sum, linking[page, slot], worths[page])
        np.add.at(pages.child_count, linking[page, slot], 1.0)

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

    def take(self, number: int, links: LinkRows) -> Ints:
        """Take in what the page of this number says of others; the rows of its targets, each once."""
        targets, kept = self._without_gone(links.targets)
        if not targets:
            return np.zeros(0, np.int32)
        anchors = links.anchor_groups[kept]
        known = list(map(self.addresses.rows.get, targets))
        new = [i for i, had in enumerate(known) if had is None]
        if new:
            for i, fresh in zip(new, self._take_new([targets[i] for i in new], kept[new], links), strict=True):
                known[i] = fresh
        rows = np.array(known, np.int32)
        self._take_words(rows, anchors, kept, links, np.delete(np.arange(len(rows)), new))
        on_page = [self.groups.unnamed() for _ in links.templates]
        templates = [self.groups.number(f"t {path}") for path in links.templates]
        where = list({row: i for i, row in enumerate(known)}.values())  # two addresses may be one page
        rows, kept = rows[where], kept[where]
        at = self.addresses.at
        links_before = at["links"][rows]
        numbers = np.empty((len(RINGS), len(rows)), np.int32)  # in the order of `RINGS`
        numbers[0] = number
        numbers[1:3] = np.array([templates, on_page], np.int32)[:, links.template[kept]]
        numbers[3] = anchors[where]
        at["rings"].put(rows, links_before % RING, numbers)
        fresh_rows = rows[links_before == 0]
        at["depth"][fresh_rows] = at["depth"][self.fetched[number - self.older - 1]] + 1
        at["links"][rows] = links_before + 1
        masses = links.masses[kept]
        at["masses"][rows] = np.maximum(at["masses"][rows], masses)
        at["anchor_sum"][rows] += masses[:, 0]
        at["foreign"][rows] = np.maximum(at["foreign"][rows], links.foreign[kept])
        at["position"][rows] = links.places[kept]
        return rows

    def _without_gone(self, targets: tuple[str, ...]) -> tuple[Sequence[str], NDArray[np.int64]]:
        """The targets of which more is held than that they were known, and which of all they are."""
        every = np.arange(len(targets))
        if not len(self.addresses.gone):
            return targets, every
        gone = self.addresses.gone.holds(targets)
        kept = [i for i, url in enumerate(targets) if not gone[i] or url in self.addresses.rows]
        return [targets[i] for i in kept], every[kept]

    def _take_new(self, urls: Sequence[str], which: NDArray[np.int64], links: LinkRows) -> list[int]:
        """Rows for the targets not heard of before, with the hashed words of their link, if it has any text."""
        places = np.array([self._innermost(links.folders[i]) for i in links.folder[which].tolist()], np.int32)
        queries = np.array([self.groups.number(links.queries[i]) for i in links.query[which].tolist()], np.int32)
        tokens = links.tokens[which]
        tokens[links.anchor_groups[which] == 0, PLACE_SLOTS:] = 0
        found: list[int] = self._add(urls, places, queries, links.depths[which], tokens).tolist()
        return found

    def _take_words(
        self, rows: Ints, anchors: Ints, which: NDArray[np.int64], links: LinkRows, old: NDArray[np.int64]
    ) -> None:
        """The hashed words of links to known targets, `old` of them, whose anchor text is new for them."""
        at = self.addresses.at
        rows, anchors = rows[old], anchors[old]
        wanted = ~at["ended"][rows] & ~(at["rings"][rows][3] == anchors[:, None]).any(1)
        at["graph"][rows[wanted]] = 0
        tokens = links.tokens[which[old[wanted]]]
        for row, words in zip(rows[wanted].tolist(), tokens.tolist(), strict=True):
            at["tokens"].fill(row, PLACE_SLOTS, ANCHOR_SLOTS, _there(words[PLACE_SLOTS:CONTEXT_AT]))
            at["tokens"].fill(row, TEMPLATE_AT, TEMPLATE_SLOTS, _there(words[TEMPLATE_AT:]))

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


def _there(numbers: list[int]) -> list[int]:
    """Those before the first 0."""
    return numbers[: numbers.index(0)] if 0 in numbers else numbers
