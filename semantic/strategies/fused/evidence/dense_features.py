"""The dense evidence of waiting addresses: one named number each.

Evidence of links comes from the kept in-links of an address (`waiting_addresses.RING`); means over groups are shrunk
(`group_statistics`). r stands for the target value of a fetched page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room
from semantic.strategies.fused.evidence.group_statistics import Groups, sums_and_counts
from semantic.strategies.fused.evidence.waiting_addresses import Addresses

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

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
GROUP_K = 3.0
PARENT_K = 2.0


@dataclass(slots=True)
class Pages:
    """What is known of fetched pages, by number of fetching from 1; 0 is no page. Grown by doubling."""

    value: Floats = field(default_factory=lambda: np.zeros(256))
    since: Floats = field(default_factory=lambda: np.zeros(256))
    child_sum: Floats = field(default_factory=lambda: np.zeros(256))
    child_count: Floats = field(default_factory=lambda: np.zeros(256))
    old_child_sum: Floats = field(default_factory=lambda: np.zeros(256))  # by pages that are not judged again
    old_child_count: Floats = field(default_factory=lambda: np.zeros(256))
    _size: int = 1

    def grow(self, number: int) -> None:
        """Make room for the page of this number, the last one."""
        self._size = number + 1
        if self._size > len(self.value):
            for name in _PAGE_ARRAYS:
                setattr(self, name, with_room(getattr(self, name)))

    def recount(self, linking: Ints, r: Floats) -> None:
        """Of pages worth r all that their linking pages (a row a page, 0 none) know of their children, anew."""
        size = self._size  # what was never written takes no memory: see `with_room`
        sums, counts = sums_and_counts(linking, r, size)
        self.child_sum[:size] = self.old_child_sum[:size] + sums
        self.child_count[:size] = self.old_child_count[:size] + counts

    def retire(self, linking: Ints, r: Floats) -> None:
        """The same of pages that are not judged again, for good."""
        sums, counts = sums_and_counts(linking, r, self._size)
        self.old_child_sum[: self._size] += sums
        self.old_child_count[: self._size] += counts

    def remember(self) -> dict[str, Any]:
        """The arrays."""
        return {name: pack_array(getattr(self, name)[: self._size]) for name in _PAGE_ARRAYS}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        for name in _PAGE_ARRAYS:
            setattr(self, name, unpack_array(memory[name]))
        self._size = len(self.value)


_PAGE_ARRAYS = ("value", "since", "child_sum", "child_count", "old_child_sum", "old_child_count")


def prior_of(x: Floats) -> Floats:
    """The fixed formula of what a link says, from the other columns: see `semantic.links.fixed_prior`."""
    anchor, context, address, layer_1, layer_2, parent = (x[:, column] for column in _OF_PRIOR)
    found: Floats = (anchor + 0.3 * context + 0.3 * address + 0.5 * np.minimum(parent, 1.0)) + 0.1 * (
        layer_1 + layer_2 > 0
    )
    return found


def left_out(x: Floats, columns: Sequence[int]) -> Floats:
    """The evidence as if nothing were known of these columns."""
    if columns:
        x[:, columns] = 0.0
        x[:, PRIOR] = 0.0 if PRIOR in columns else prior_of(x)
    return x


def chain_means(chain: Ints, sums: Floats, counts: Floats, mean: Floats | float) -> tuple[Floats, Floats]:
    """Shrunk means down the chain host, directories: (host's, innermost's); a column a group, as in `chain`."""
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
    """What `dense` looks at; see `semantic.strategies.fused.evidence.crawl_evidence`."""

    addresses: Addresses
    groups: Groups
    anchors: Groups
    pages: Pages
    chains: Ints

    @property
    def mean(self) -> float:
        """Mean worth of a page."""
        ...


def dense(rows: Ints, seen: Seen, hashed: Floats, layers: Floats) -> Floats:
    """The matrix of `NAMES`, a row an address; what its hashed words are worth, how typical they are of `layers`."""
    groups, pages, mean, at = seen.groups, seen.pages, seen.mean, seen.addresses.at
    ring, templates, places, anchors = at["rings"].narrow(rows)
    there = ring > 0
    n_in = there.sum(1)
    linked = n_in > 0
    n_in = np.maximum(1, n_in)
    value = np.where(there, pages.value[ring], 0.0)
    value_sum = value.sum(1)
    behind = (pages.child_sum[ring] + GROUP_K * mean) / (pages.child_count[ring] + GROUP_K)
    template = groups.means(templates, mean, GROUP_K)
    place = groups.means(places, template, GROUP_K)
    anchor = seen.anchors.means(anchors, mean, GROUP_K)
    links = at["links"][rows]

    def over(values: Floats) -> Floats:
        found: Floats = np.where(there, values, 0.0).sum(1) / n_in
        return np.where(linked, found, mean)

    def most(values: Floats) -> Floats:
        return np.where(linked, np.where(there, values, -9.0).max(1), mean)

    x = np.empty((len(NAMES), len(rows)))  # a row a name: columns are written one by one
    x[_SAID] = np.tanh(at["masses"][rows].astype(float)).T
    x[_AT["anchors, mean"]] = np.tanh(at["anchor_sum"][rows] / np.maximum(1, links))
    x[_AT["best linking page"]] = np.maximum(value.max(1), 0.0)
    x[_AT["linking pages, mean"]] = value_sum / n_in
    x[_AT["linking pages, sum"]] = np.log1p(value_sum)
    x[_AT["links"]] = np.log1p(links)
    x[_AT["depth"]] = np.log1p(at["depth"][rows])
    x[_AT["steps since a relevant page"]] = np.log1p(np.where(there, pages.since[ring], 20.0).min(1))
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
    """The columns that addresses of one directory have in common, a row each; they are made once for each directory."""
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
