"""Everything that the crawl has seen and that says something about an address not yet fetched.

**Rows.** There are three kinds: addresses (`waiting_addresses`), fetched pages (numbered from 1 in order), and groups
of pages (`Groups`): hosts, directories, templates (places where a site's program puts links), templates on one page,
and anchor texts. Some groups have no name: a template on one page gets a new number, an anchor text the number that it
hashes to.

**Groups.** A group is anything that links or pages have in common. For each, sums and counts of the worth of its pages
are stored. With n pages of mean v in a group and m the mean one level up, its shrunk mean is (n v + k m) / (n + k): the
posterior mean of a normal with k = variance within / variance between (James and Stein 1961; Efron and Morris 1973).
Recent pages are counted again when they are judged again (`rebuild`), older ones once and for all (`retire`).

**Odds.** How likely an address is to be a page of its own, and no failure or copy, by the requests so far:

    odds  = min(1, share / 0.25)
    share = mean over the links to it of (pages + 3 W) / (asked + 3),    W: the share of its way

`asked` and `pages` count requests for addresses that were linked from the same template and have the same way. The way
of an address is its directory; for an address with a query it is its host with the names of the query's parameters
(`wiki.example?action&title`). The share of a way is the share of pages among its requests, shrunk towards the level
above, down the directories of its host. The host's share is shrunk towards 1; a query's, too, unless the host has given
no page yet.

So the odds are 1 unless three in four of the similar addresses failed, and do not affect the order as long as little
fails. They react to failures at once: a wiki's hundred links to pages that nobody has written are all recognised after
a few.

Failures on other hosts say nothing about a host that was not requested yet. Rejected:
- Starting such a host with the share of pages among all requests to hosts that never gave one. It predicts best (of
  6,300 failures on a web of blogs 6,100 had a share below 0.1), but crawls then never leave the hosts that they know:
  0.03 of the oracle instead of 0.43.
- Using the share itself as odds. A crawl is valued by its pages; if half of a directory fails, the other half is worth
  as much as before. On a web of repositories it gave 0.38 and 0.67 of the oracle instead of 0.61 and 0.83.

Measured on a crawl of 2,000 pages of a wiki with 7,266 failures: of the failures 4,000 had a share below 0.3, of the
pages 3.

**Dense evidence.** Each waiting address has one number for each of `NAMES`. Evidence of links comes from the stored
links to an address (`waiting_addresses.RING`); means over groups are shrunk as above. r is the target value of a
fetched page.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semantic.frame import LinkRows
from semantic.learning.feature_hashing import once
from semantic.links.fixed_prior import PRIOR_WEIGHTS
from semantic.links.link_reading import (
    ANCHOR_SLOTS,
    ANCHORS,
    CONTEXT_AT,
    NO_LINK,
    PLACE_SLOTS,
    TEMPLATE_AT,
    TEMPLATE_SLOTS,
    address_of,
)
from semantic.memory.arrays import with_room
from semantic.memory.strategy_memory import Remembering, Rows
from semantic.strategies.fused.waiting_addresses import RING, RINGS, AddressColumns

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


# groups without a name; after that the oldest is cleared and its number used again; chosen, not measured
UNNAMED = 1 << 16
# last pages whose worth is stored, and the worth of the pages that they link to; chosen, not measured
LINKING = 1 << 16


class Totals(Remembering):
    """For numbered things the sum and the number of values. Number 0 is none and stays empty. Recent values, which
    are judged again, can be replaced: of each number that has some, the sum and count without them are stored, too.
    """

    KEPT: ClassVar = dict.fromkeys(("sums", "counts", "_touched", "_old_sums", "_old_counts"), np.ndarray)

    def __init__(self, size: int = 1) -> None:
        self.sums: Floats = np.zeros(size)
        self.counts: Ints = np.zeros(size, np.int32)
        self._touched: Ints = np.zeros(1, np.int32)  # numbers with recent values, sorted
        self._old_sums: Floats = np.zeros(1)  # without recent values, by place in `_touched`
        self._old_counts: Ints = np.zeros(1, np.int32)
        self._fresh: dict[int, tuple[float, int]] = {}  # number -> sum and count; not in `_touched` yet

    def grow(self) -> None:
        """Double the size."""
        self.sums, self.counts = with_room(self.sums), with_room(self.counts)

    def clear(self, number: int) -> None:
        """Forget the values of a number."""
        self.sums[number] = self.counts[number] = 0
        place = self._places(number)
        if number in self._fresh:
            self._fresh[number] = 0.0, 0
        elif self._touched[place] == number:
            self._old_sums[place] = self._old_counts[place] = 0

    def add(self, members: Ints, values: Floats) -> None:
        """Count recent pages. Row i of `members` has the numbers of page i, whose value is `values[i]`; 0: none."""
        page, slot = members.nonzero()
        numbers = members[page, slot]
        self._set_aside(numbers)
        np.add.at(self.sums, numbers, values[page])
        np.add.at(self.counts, numbers, 1)

    def rebuild(self, members: Ints, values: Floats) -> None:
        """Replace the values of recent pages, as in `add`."""
        self._merge()
        self.sums[self._touched], self.counts[self._touched] = self._old_sums, self._old_counts
        touched, sums, counts = sums_and_counts(members, values)
        self._old_sums, self._old_counts = self.sums[touched], self.counts[touched]
        self.sums[touched] += sums
        self.counts[touched] += counts
        self._touched = touched

    def retire(self, members: Ints, values: Floats) -> None:
        """Count recent pages permanently: they are no longer part of `rebuild`, which is to follow."""
        touched, sums, counts = sums_and_counts(members, values)
        self._set_aside(touched)
        self._merge()
        places = self._places(touched)
        self._old_sums[places] += sums
        self._old_counts[places] += counts

    def _places(self, numbers: Any) -> Any:
        return self._touched[:-1].searchsorted(numbers)

    def _set_aside(self, numbers: Ints) -> None:
        for number in numbers[self._touched[self._places(numbers)] != numbers].tolist():
            if number not in self._fresh:
                self._fresh[number] = float(self.sums[number]), int(self.counts[number])

    def _merge(self) -> None:
        if not self._fresh:
            return
        touched = np.append(self._touched, np.fromiter(self._fresh, np.int32))
        sums, counts = zip(*self._fresh.values(), strict=True)
        order = touched.argsort(kind="stable")
        self._touched = touched[order]
        self._old_sums = np.append(self._old_sums, sums)[order]
        self._old_counts = np.append(self._old_counts, np.array(counts, np.int32))[order]
        self._fresh = {}

    def remember(self) -> dict[str, Any]:
        """The kept attributes, with the latest values in their places."""
        self._merge()
        return super().remember()


def sums_and_counts(members: Ints, values: Floats) -> tuple[Ints, Floats, Ints]:
    """The numbers in `members`, sorted, and of each the sum and count of its values. Row i of `members` has the numbers
    of `values[i]`. Number 0 is always the first, without values.
    """
    flat = members.ravel()
    counts = np.bincount(flat, minlength=1)
    sums: Floats = np.bincount(flat, np.repeat(values, members.shape[1]), 1).astype(np.float64)
    counts[0] = 1
    numbers = counts.nonzero()[0]
    counts[0], sums[0] = 0, 0.0
    return numbers.astype(np.int32), sums[numbers], counts[numbers].astype(np.int32)


class Groups(Totals):
    """Numbered groups of pages. Number 0 is no group. Numbers below `given` are assigned by the caller."""

    KEPT: ClassVar = Totals.KEPT | {
        **dict.fromkeys(("sums", "counts", "recent"), Rows("_size")),
        "_numbers": dict[str, int],
        "_size": int,
        "_unnamed": array,
        "_oldest": int,
    }

    def __init__(self, given: int = 1) -> None:
        super().__init__(given)
        self._numbers: dict[str, int] = {"": 0}
        self._size = given
        self.recent: Floats = np.zeros(given)
        self._unnamed = array("i")
        self._oldest = 0  # index in `_unnamed` of the oldest

    def __len__(self) -> int:
        return self._size

    def number(self, key: str) -> int:
        """The number of a group; a new one for a new key."""
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = self._new()
        return known

    def known(self, key: str) -> int | None:
        """The number of a group; None for an unknown key."""
        return self._numbers.get(key)

    def named(self) -> Iterable[tuple[str, int]]:
        """Every group that has a name, with its number, in order of creation."""
        return (item for item in self._numbers.items() if item[1])

    def unnamed(self) -> int:
        """The number of a new group without a name."""
        if len(self._unnamed) < UNNAMED:
            self._unnamed.append(self._new())
            return self._unnamed[-1]
        number = self._unnamed[self._oldest]
        self._oldest = (self._oldest + 1) % UNNAMED
        self.clear(number)
        self.recent[number] = 0.0
        return number

    def _new(self) -> int:
        self._size += 1
        if self._size > len(self.sums):
            self.grow()
            self.recent = with_room(self.recent)
        return self._size - 1

    def follow(self, number: int, value: float, rate: float, start: float) -> None:
        """Move the group's recent mean towards a value by `rate`. Before the first value it is `start`."""
        before = self.recent[number] if self.counts[number] else start
        self.recent[number] = before + rate * (value - before)

    def means(self, numbers: Ints, above: Floats | float, k: float) -> Floats:
        """The shrunk means of groups; `above` for group 0."""
        found: Floats = (self.sums[numbers] + k * above) / (self.counts[numbers] + k)
        return found


LIKELY = 0.25  # share of pages from which the odds are 1; chosen, not measured
PLACES = 1 << 16  # groups that pairs of template and way are hashed to; chosen, not measured
_STEP = 40_503  # multiplier of the hash, odd, so that neighbours spread (Knuth 1973, 6.4)


class Shares(Remembering):
    """For numbered groups: how many addresses were requested (`asked`), and how many were `pages`. Group 0 is no
    group.
    """

    KEPT: ClassVar = {"asked": np.ndarray, "pages": np.ndarray}

    def __init__(self, size: int = 1024) -> None:
        self.asked: Floats = np.zeros(size)
        self.pages: Floats = np.zeros(size)

    def grow(self, number: int) -> None:
        """Make room for a group."""
        while number >= len(self.asked):
            self.asked, self.pages = with_room(self.asked), with_room(self.pages)

    def add(self, numbers: Ints, asked: Floats, pages: Floats) -> None:
        """Count addresses, one in each row, in the groups of the row; a repeated group counts once."""
        numbers = once(numbers)
        address, slot = numbers.nonzero()
        numbers = numbers[address, slot]
        np.add.at(self.asked, numbers, asked[address])
        np.add.at(self.pages, numbers, pages[address])

    def drawn(self, numbers: Ints, above: Floats) -> Floats:
        """The shares, shrunk towards `above`; `above` itself for group 0."""
        found: Floats = (self.pages[numbers] + GROUP_K * above) / (self.asked[numbers] + GROUP_K)
        return found


@dataclass(frozen=True, slots=True)
class Alike:
    """Properties by which addresses are grouped for the odds, one row for each address.

    `place`: group of its directory. `query`: group of its way if it has a query, else 0. `templates`: of links to it.

    `chain`, `known`: for each distinct directory, the groups of host and directories, and whether the host has given a
    page. `which`: index of each address's directory.
    """

    place: Ints
    query: Ints
    templates: Ints
    chain: Ints
    known: NDArray[np.bool_]
    which: NDArray[np.intp]

    @property
    def ways(self) -> Ints:
        """The way of each address, as a group."""
        found: Ints = np.where(self.query > 0, self.query, self.place)
        return found

    @property
    def places(self) -> Ints:
        """The groups of pairs of template and way, 0 where there is no template."""
        mixed = self.templates.astype(np.int64) * _STEP + self.ways[:, np.newaxis]
        found: Ints = np.where(self.templates > 0, mixed % (PLACES - 1) + 1, 0).astype(np.int32)
        return found


class Odds(Remembering):
    """The odds of the module's text. Groups are numbered as in `LinkEvidence.groups`."""

    KEPT: ClassVar = {"_ways": Remembering, "_places": Remembering}

    def __init__(self) -> None:
        self._ways = Shares()
        self._places = Shares(PLACES)

    def grow(self, number: int) -> None:
        """Make room for a group."""
        self._ways.grow(number)

    def count(self, alike: Alike, asked: Floats, pages: Floats) -> None:
        """Count requests for addresses, and the pages that they brought."""
        ways, host = alike.chain[alike.which], alike.chain[:, 0]
        has_query = alike.query > 0
        ways[has_query] = 0
        # An address with a query also counts for its host, until the host has given a page.
        ways[:, 0] = np.where(has_query, np.where(alike.known, 0, host)[alike.which], ways[:, 0])
        self._ways.add(np.column_stack([ways, alike.query]), asked, pages)
        self._places.add(alike.places, asked, pages)

    def of(self, alike: Alike) -> Floats:
        """The odds of addresses."""
        return np.minimum(1.0, self.shares(alike) / LIKELY)

    def shares(self, alike: Alike) -> Floats:
        """The share of pages among requests for similar addresses."""
        chain, which = alike.chain, alike.which
        host, folder = chain_means(chain, self._ways.pages[chain], self._ways.asked[chain], 1.0)
        query = self._ways.drawn(alike.query, np.where(alike.known, 1.0, host)[which])
        above = np.where(alike.query > 0, query, folder[which])
        drawn = self._places.drawn(alike.places, above[:, np.newaxis])
        there = alike.templates > 0
        count = there.sum(1)
        found: Floats = np.where(there, drawn, 0.0).sum(1) / np.maximum(count, 1)
        return np.where(count > 0, found, above)


NAMES = (
    "anchor",
    "anchors, mean",
    "context",
    "address",
    "layer 1",
    "layer 2",
    "best linking page",
    "linking pages, mean",
    "linking pages, sum",
    "links",
    "depth",
    "steps since a relevant page",
    "other host",
    "place on the page",
    "found behind a linking page, best",
    "found behind linking pages",
    "template",
    "template on the page",
    "directory",
    "host",
    "anchor text",
    "pages of the directory",
    "pages of the host",
    "host lately",
    "directory lately",
    "hashed words",
    "prior",
    "folders",
    "vertices alike",
    "learned layer 1",
    "learned layer 2",
)
_AT = {name: number for number, name in enumerate(NAMES)}
PRIOR = _AT["prior"]
_SAID = [_AT[name] for name in ("anchor", "context", "address", "layer 1", "layer 2")]
_OF_PRIOR = [*_SAID, _AT["best linking page"]]
_OF_PLACE = [
    _AT[name]
    for name in (
        "directory",
        "host",
        "pages of the directory",
        "pages of the host",
        "host lately",
        "directory lately",
    )
]
_LEARNED = [_AT["learned layer 1"], _AT["learned layer 2"]]
GROUP_K = 3.0  # k of the shrunk means: ../shared/research/orders.md
PARENT_K = 2.0  # k for a page's own directory: ../shared/research/orders.md


class LinkingPages(Remembering):
    """The last `LINKING` fetched pages. Pages are numbered from 1. Each keeps its row until a later page takes it; row
    0 stands for no page, and for every page that has lost its row.

    `value`: worth; `since`: steps since a relevant page; `children`: worths of the pages that each linked to.
    """

    KEPT: ClassVar = {
        "children": Remembering,
        "value": np.ndarray,
        "since": np.ndarray,
        "_size": int,
        "_newest": int,
    }

    def __init__(self) -> None:
        self.value: Floats = np.zeros(256)
        self.since: Ints = np.zeros(256, np.int32)
        self.children = Totals(256)
        self._size = 1
        self._newest = 0  # number of the last page
        self._most = LINKING  # rows, besides row 0

    def add(self, number: int) -> int:
        """Give the next page its row."""
        self._newest = number
        row = (number - 1) % self._most + 1
        if row < self._size:
            self.children.clear(row)
            return row
        self._size = row + 1
        if self._size > len(self.value):
            self.value, self.since = with_room(self.value), with_room(self.since)
            self.children.grow()
        return row

    def rows(self, numbers: Ints) -> Ints:
        """The rows of pages."""
        if self._newest <= self._most:
            return numbers
        return np.where(numbers > self._newest - self._most, (numbers - 1) % self._most + 1, 0).astype(np.int32)


def prior_of(x: Floats) -> Floats:
    """The fixed prior computed from the other columns: see `semantic.links.fixed_prior`."""
    anchor, context, address, layer_1, layer_2, parent = (x[:, column] for column in _OF_PRIOR)
    weight = PRIOR_WEIGHTS
    words = anchor + weight["context"] * context + weight["address"] * address
    found: Floats = words + weight["page"] * np.minimum(parent, 1.0) + weight["layer"] * (layer_1 + layer_2 > 0)
    return found


def left_out(x: Floats, columns: Sequence[int]) -> Floats:
    """Set these columns to 0, and compute the prior without them."""
    if columns:
        x[:, columns] = 0.0
        x[:, PRIOR] = 0.0 if PRIOR in columns else prior_of(x)
    return x


def chain_means(chain: Ints, sums: Floats, counts: Floats | Ints, mean: Floats | float) -> tuple[Floats, Floats]:
    """Shrunk means down the chain of host and directories: (the host's, the innermost's). One column for each level."""
    host = above = np.full(len(chain), mean)
    last = chain.shape[1] - 1
    for level in range(last + 1):
        k = PARENT_K if level == last else GROUP_K
        drawn = (sums[:, level] + k * above) / (counts[:, level] + k)
        above = np.where(chain[:, level] > 0, drawn, above)
        if level == 0:
            host = above
    return host, above


class Seen(Protocol):
    """What `dense` reads; implemented by `LinkEvidence`."""

    addresses: AddressColumns
    groups: Groups
    anchors: Groups
    pages: LinkingPages
    chains: Ints

    @property
    def mean(self) -> float:
        """The mean worth of a page."""
        ...


def dense(rows: Ints, seen: Seen, hashed: Floats, layers: Floats) -> Floats:
    """The matrix of `NAMES`, one row for each address.

    `hashed`: the worth that its hashed words predict; `layers`: how typical its words are of the two learned layers.
    """
    groups, pages, mean, at = seen.groups, seen.pages, seen.mean, seen.addresses.at
    ring, templates, places, anchors = at["rings"].narrow(rows)
    there = ring > 0
    n_in = there.sum(1)
    linked = n_in > 0
    n_in = np.maximum(1, n_in)
    linking = pages.rows(ring)
    value = np.where(linking > 0, pages.value[linking], mean * there)
    value_sum = value.sum(1)
    behind = (pages.children.sums[linking] + GROUP_K * mean) / (pages.children.counts[linking] + GROUP_K)
    template = groups.means(templates, mean, GROUP_K)
    place = groups.means(places, template, GROUP_K)
    anchor = seen.anchors.means(anchors, mean, GROUP_K)
    links = at["links"][rows]

    def over(values: Floats) -> Floats:
        found: Floats = np.where(there, values, 0.0).sum(1) / n_in
        return np.where(linked, found, mean)

    def most(values: Floats) -> Floats:
        return np.where(linked, np.where(there, values, -9.0).max(1), mean)

    x = np.empty((len(NAMES), len(rows)))  # one row for each name, because they are written one by one
    x[_SAID] = np.tanh(at["masses"][rows].astype(float)).T
    x[_AT["anchors, mean"]] = np.tanh(at["anchor_sum"][rows] / np.maximum(1, links))
    x[_AT["best linking page"]] = np.maximum(value.max(1), 0.0)
    x[_AT["linking pages, mean"]] = value_sum / n_in
    x[_AT["linking pages, sum"]] = np.log1p(value_sum)
    x[_AT["links"]] = np.log1p(links)
    x[_AT["depth"]] = np.log1p(at["depth"][rows])
    x[_AT["steps since a relevant page"]] = np.log1p(np.where(linking > 0, pages.since[linking], 20.0).min(1))
    x[_AT["other host"]] = at["foreign"][rows]
    x[_AT["place on the page"]] = at["position"][rows]
    x[_AT["found behind a linking page, best"]] = most(behind)
    x[_AT["found behind linking pages"]] = over(behind)
    x[_AT["template"]] = over(template)
    x[_AT["template on the page"]] = most(place)
    x[_AT["anchor text"]] = over(anchor)
    x[_OF_PLACE] = _of_places(at["place"][rows], seen)
    x[_AT["hashed words"]] = hashed
    x[_AT["folders"]] = at["folders"][rows]
    x[_AT["vertices alike"]] = np.where(at["vertex"][rows] > 0, at["q"][rows], mean)
    x[_LEARNED] = layers.T
    x[PRIOR] = prior_of(x.T)
    return x.T


def _of_places(places: Ints, seen: Seen) -> Floats:
    """The columns that depend on an address's directory only; computed once for each directory."""
    groups, mean = seen.groups, seen.mean
    inner, which = np.unique(places, return_inverse=True)
    chain = seen.chains[inner]
    counts, outer = groups.counts[chain], chain[:, 0]
    of_host, of_inner = counts[:, 0], groups.counts[inner]
    host, directory = chain_means(chain, groups.sums[chain], counts, mean)
    columns = (
        directory,
        host,
        np.log1p(of_inner),
        np.log1p(of_host),
        np.where(of_host > 0, groups.recent[outer], mean),
        np.where(of_inner > 0, groups.recent[inner], mean),
    )
    return np.array(columns)[:, which]


RELEVANT = 0.4  # r from which a page counts as relevant for "steps since a relevant page": ../shared/research/orders.md
HOST_RATE, FOLDER_RATE = 0.1, 0.15  # rates of the recent means: ../shared/research/orders.md
CHANCE = 1e-4  # random part of a score, at most; it breaks ties
_CHAIN = 6  # levels of a chain: host, four directories, innermost directory
AT_ONCE = 100  # pages taken in at once, at most; a copy just counted is among so many last pages


class LinkEvidence(Remembering):
    """The evidence of the module's text. `seed`: of the random numbers that break ties."""

    KEPT: ClassVar = {
        **dict.fromkeys(("addresses", "groups", "anchors", "pages", "odds"), Remembering),
        "chains": np.ndarray,
        "fetched": list[int],
        "older": int,
        "_total": float,
        "_old_total": float,
    }

    def __init__(self, seed: int) -> None:
        self.addresses = AddressColumns()
        self.groups = Groups()
        self.anchors = Groups(ANCHORS)
        self.pages = LinkingPages()
        self.odds = Odds()
        self.chains: Ints = np.zeros((1024, _CHAIN), np.int32)  # by innermost group: the groups of host and directories
        self.fetched: list[int] = []  # rows of the last pages, which are learned from
        self.older = 0  # number of pages fetched before these
        self._seed = seed
        self._total = self._old_total = 0.0

    @property
    def number(self) -> int:
        """How many pages were fetched; also the number of the last one."""
        return self.older + len(self.fetched)

    @property
    def mean(self) -> float:
        """Mean worth of a page, with ten pages of 0.1 as prior."""
        return (self._total + 1.0) / (self.number + 10)

    def row_of(self, url: str) -> int:
        """The row of an address; a new one for a new address."""
        if url not in self.addresses.rows:
            address = address_of(url)
            tokens = np.frombuffer(address.tokens + NO_LINK, np.int32)[np.newaxis]
            where = np.array([self._innermost(address.chain)], np.int32)
            query = np.array([self.groups.number(address.way)], np.int32)
            self._add([url], where, query, np.array([address.depth], np.int32), tokens)
        return self.addresses.rows[url]

    def _add(self, urls: Sequence[str], places: Ints, queries: Ints, depths: Ints, tokens: Ints) -> Ints:
        """Add rows for new addresses. `places`, `queries`: their groups; `tokens`: hashed words of a link to each."""
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
        """The group of an address's directory, whose row in `chains` is filled. `keys`: `Address.chain`."""
        inner = self.groups.known(next(filter(None, reversed(keys)), ""))
        if inner is None or not self.chains[inner, 0]:
            chain = [self.groups.number(key) for key in keys]
            inner = next(filter(None, reversed(chain)), 0)
            while inner >= len(self.chains):
                self.chains = with_room(self.chains)
            self.chains[inner] = chain
        return inner

    def hand_on(self, url: str, successor: str | None) -> None:
        """Mark an address as ended without a page. If it was redirected, its links go to `successor`."""
        row = self.addresses.rows.get(url)
        if row is None:
            return
        if successor is None or (successor not in self.addresses.rows and any(self.addresses.are_evicted([successor]))):
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
        """For each address: hashed words of links to it and of itself, and numbers of the pages that link to it; 0:
        none.
        """
        found = np.array(self.addresses.rows.find(urls), np.int32)
        known, rows = found[:, None] >= 0, np.maximum(found, 0)
        at = self.addresses.at
        return at["tokens"][rows] * known, at["rings"][rows][RINGS.index("pages")] * known

    def dense(self, rows: Ints, hashed: Floats, layers: Floats) -> Floats:
        """The dense evidence of rows, with columns `NAMES`."""
        return dense(rows, self, hashed, layers)

    def odds_of(self, rows: Ints) -> Floats:
        """How likely the addresses of these rows are to be pages."""
        return self.odds.of(self._alike(rows))

    def _alike(self, rows: Ints) -> Alike:
        """The properties by which the addresses of these rows are grouped for the odds."""
        at = self.addresses.at
        place = at["place"][rows]
        inner, which = np.unique(place, return_inverse=True)
        chain = self.chains[inner]
        known = self.groups.counts[chain[:, 0]] > 0
        templates = at["rings"].narrow(rows)[RINGS.index("templates")]
        return Alike(place, at["query"][rows], templates, chain, known, which)

    def miss(self, urls: Sequence[str]) -> None:
        """Count requests without a new page: failures, and copies, which `count` has just counted as pages."""
        found = [row for row in self.addresses.rows.find(urls) if row >= 0]
        if found:
            rows = np.array(found, np.int32)
            is_copy = np.isin(rows, self.fetched[-AT_ONCE:])
            self.odds.count(self._alike(rows), np.where(is_copy, 0.0, 1.0), np.where(is_copy, -1.0, 0.0))
            self.addresses.at["ended"][rows] = True

    def count(self, rows: Ints, worths: Floats) -> None:
        """Add fetched pages with a first estimate of their worth; what they link to is added by `take`."""
        groups, pages = self.groups, self.pages
        self.odds.count(self._alike(rows), np.ones(len(rows)), np.ones(len(rows)))
        linking, members, anchors = self._found_with(rows)
        linking = once(linking)
        inner = self.addresses.at["place"][rows]
        of_page = zip(rows.tolist(), worths.tolist(), self.chains[inner, 0].tolist(), inner.tolist(), strict=True)
        for i, (row, r, host, innermost) in enumerate(of_page):
            self.fetched.append(row)
            number, mean = self.number, self.mean
            page = pages.add(number)
            pages.value[page] = r
            groups.follow(host, r, HOST_RATE, mean)
            if innermost != host:
                groups.follow(innermost, r, FOLDER_RATE, mean)
            sources = pages.rows(linking[i])
            before = pages.since[sources[sources > 0]]
            pages.since[page] = 0 if r > RELEVANT or not len(before) else before.min() + 1
            self._total += r
        groups.add(members, worths)
        self.anchors.add(anchors, worths)
        pages.children.add(pages.rows(linking), worths)

    def recount(self, r: Floats) -> None:
        """Update everything after the recent pages were judged again. `r`: their worth."""
        linking, members, anchors = self._found_with(np.array(self.fetched, np.int32))
        self.groups.rebuild(members, r)
        self.anchors.rebuild(anchors, r)
        self.pages.value[self._recent()] = r
        self.pages.children.rebuild(self.pages.rows(linking), r)
        self._total = self._old_total + float(r.sum())

    def worths(self) -> Floats:
        """What the recent pages are worth."""
        return self.pages.value[self._recent()]

    def _recent(self) -> Ints:
        return self.pages.rows(np.arange(self.older + 1, self.number + 1, dtype=np.int32))

    def retire(self, count: int) -> None:
        """Stop learning from the first `count` recent pages. What they were worth stays in their groups."""
        linking, members, anchors = self._found_with(np.array(self.fetched[:count], np.int32))
        r = self.worths()[:count]
        self.groups.retire(members, r)
        self.anchors.retire(anchors, r)
        self.pages.children.retire(self.pages.rows(linking), r)
        self._old_total += float(r.sum())
        self.older += count
        del self.fetched[:count]

    def _found_with(self, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Of fetched pages: the pages that link to them, their groups, and the groups of their anchors; one row for
        each page.
        """
        linking, templates, places, anchors = self.addresses.at["rings"][rows]
        chains = self.chains[self.addresses.at["place"][rows]]
        return linking, np.column_stack([chains, once(templates), once(places)]), once(anchors)

    def release(self, kept: Ints) -> None:
        """Free the rows of addresses that have ended, except `kept` and the pages that are learned from."""
        ended = self.addresses.at["ended"][: len(self.addresses)].copy()
        for rows in (self.fetched, kept, self.addresses.free):
            ended[rows] = False
        self.addresses.release(np.flatnonzero(ended).astype(np.int32))

    def take(self, number: int, links: LinkRows) -> Ints:
        """Add the links of the page with this number. Gives the rows of its targets, each once."""
        targets, kept = self._without_gone(links.targets)
        if not targets:
            return np.zeros(0, np.int32)
        anchors = links.anchor_groups[kept]
        known = self.addresses.rows.find(targets)
        new = [i for i, had in enumerate(known) if had < 0]
        if new:
            for i, fresh in zip(new, self._take_new([targets[i] for i in new], kept[new], links), strict=True):
                known[i] = fresh
        rows = np.array(known, np.int32)
        self._take_words(rows, anchors, kept, links, np.delete(np.arange(len(rows)), new))
        on_page = [self.groups.unnamed() for _ in links.templates]
        templates = [self.groups.number(f"t {path}") for path in links.templates]
        where = list({row: i for i, row in enumerate(known)}.values())  # two addresses may stand for one page
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
        """The targets except evicted ones without a row, and their indices among all targets."""
        every = np.arange(len(targets))
        gone = self.addresses.are_evicted(targets)
        if not any(gone):
            return targets, every
        kept = [i for i, url in enumerate(targets) if not gone[i] or url in self.addresses.rows]
        return [targets[i] for i in kept], every[kept]

    def _take_new(self, urls: Sequence[str], which: NDArray[np.int64], links: LinkRows) -> list[int]:
        """Add rows for new targets, with the hashed words of their link if it has text."""
        folders, ways = links.folder[which], links.query[which]
        places, queries = np.zeros(len(links.folders), np.int32), np.zeros(len(links.queries), np.int32)
        for i in dict.fromkeys(folders.tolist()):
            places[i] = self._innermost(links.folders[i])
        for i in dict.fromkeys(ways.tolist()):
            queries[i] = self.groups.number(links.queries[i])
        tokens = links.tokens[which]
        tokens[links.anchor_groups[which] == 0, PLACE_SLOTS:] = 0
        found: list[int] = self._add(urls, places[folders], queries[ways], links.depths[which], tokens).tolist()
        return found

    def _take_words(
        self, rows: Ints, anchors: Ints, which: NDArray[np.int64], links: LinkRows, old: NDArray[np.int64]
    ) -> None:
        """Add hashed words of links to known targets (`old`), if a link's anchor text is new for its target."""
        at = self.addresses.at
        rows, anchors = rows[old], anchors[old]
        wanted = ~at["ended"][rows] & ~(at["rings"][rows][3] == anchors[:, None]).any(1)
        at["graph"][rows[wanted]] = at["layered"][rows[wanted]] = 0
        tokens = links.tokens[which[old[wanted]]]
        for row, words in zip(rows[wanted].tolist(), tokens.tolist(), strict=True):
            at["tokens"].fill(row, PLACE_SLOTS, ANCHOR_SLOTS, _there(words[PLACE_SLOTS:CONTEXT_AT]))
            at["tokens"].fill(row, TEMPLATE_AT, TEMPLATE_SLOTS, _there(words[TEMPLATE_AT:]))


def _there(numbers: list[int]) -> list[int]:
    """The numbers before the first 0."""
    return numbers[: numbers.index(0)] if 0 in numbers else numbers
