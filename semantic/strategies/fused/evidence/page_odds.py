"""How likely an address is to be a page of its own, and not a failure or a copy: its odds, by what was asked so far.

    odds  = min(1, share / 0.25)
    share = mean over the links to it of (pages + 3 W) / (asked + 3),    W: the share of its way

`asked` and `pages` count what was linked to from the same place of a site's template and has the same way.
The way of an address is its directory; with a query it is its host with the names of the query's parameters
(`wiki.example?action&title`). The share of a way is that of pages among what was asked, drawn to the one above it as in
`group_statistics`, down the directories of its host; the host's is drawn to 1, and so is a query's, but where the host
has given no page.

So the odds are 1 where less than three in four of what is like it failed, and order nothing as long as little fails.
They follow a failure at once: a wiki's hundred links to pages that nobody wrote are all known after a few.

What other hosts did says nothing of one that was not asked yet. Rejected:
- to begin such a host with the share of pages among all that was asked of hosts that never gave one. It foretells best
  (of 6,300 failures on a web of blogs 6,100 had a share below 0.1), and crawls never leave the hosts that they know:
  0.03 of the oracle where it was 0.43;
- the share itself for odds. A crawl's worth is counted by pages, and where half of a directory fails the other half is
  worth as much as before: on a web of repositories 0.38 and 0.67 of the oracle where it was 0.61 and 0.83.

Measured on a crawl of 2,000 pages of a wiki, with 7,266 failures: of the failures 4,000 had a share below 0.3, of the
pages 3.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.memory.array_packing import pack_array, unpack_array
from semantic.memory.growing_arrays import with_room
from semantic.memory.ring_buffers import once
from semantic.strategies.fused.evidence.dense_features import GROUP_K, chain_means

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

LIKELY = 0.25  # share from which an address counts as a page
PLACES = 1 << 16  # groups that a template with a way hashes to
_STEP = 40_503  # odd, so that neighbours of both kinds spread (Knuth 1973, 6.4)
_LONGEST = 8  # parameters that name a way
_NUMBER = re.compile(r"[0-9]+")


class Shares:
    """Of numbered groups: how many addresses were `asked`, and how many of them were `pages`. 0 is no group."""

    def __init__(self, size: int = 1024) -> None:
        self.asked: Floats = np.zeros(size)
        self.pages: Floats = np.zeros(size)

    def grow(self, number: int) -> None:
        """Make room for a group."""
        while number >= len(self.asked):
            self.asked, self.pages = with_room(self.asked), with_room(self.pages)

    def add(self, numbers: Ints, asked: Floats, pages: Floats) -> None:
        """Count addresses, a row each, in these groups, each once a row."""
        numbers = once(numbers)
        address, slot = numbers.nonzero()
        numbers = numbers[address, slot]
        np.add.at(self.asked, numbers, asked[address])
        np.add.at(self.pages, numbers, pages[address])

    def drawn(self, numbers: Ints, above: Floats) -> Floats:
        """The shares, drawn to what stands above; of no group that."""
        found: Floats = (self.pages[numbers] + GROUP_K * above) / (self.asked[numbers] + GROUP_K)
        return found


@dataclass(frozen=True, slots=True)
class Alike:
    """What tells which addresses are alike, a row each: the group of the directory in which they stand, their ways if
    they have a query, the templates of their links.

    Of the directories, each once: groups of host and directories, and whether the host has given a page (`known`);
    `which` of them is each address's.
    """

    place: Ints
    query: Ints
    templates: Ints
    chain: Ints
    known: NDArray[np.bool_]
    which: NDArray[np.intp]

    @property
    def ways(self) -> Ints:
        """Their ways."""
        found: Ints = np.where(self.query > 0, self.query, self.place)
        return found

    @property
    def places(self) -> Ints:
        """The groups of templates with a way, 0 where there is no template."""
        mixed = self.templates.astype(np.int64) * _STEP + self.ways[:, np.newaxis]
        found: Ints = np.where(self.templates > 0, mixed % (PLACES - 1) + 1, 0).astype(np.int32)
        return found


class Odds:
    """See the module's text. Groups are numbered as in `Evidence.groups`."""

    def __init__(self) -> None:
        self._ways = Shares()
        self._places = Shares(PLACES)

    def grow(self, number: int) -> None:
        """Make room for a group."""
        self._ways.grow(number)

    def count(self, alike: Alike, asked: Floats, pages: Floats) -> None:
        """So many requests for addresses and what is like each, and so many pages that came of them."""
        ways, host = alike.chain[alike.which], alike.chain[:, 0]
        has_query = alike.query > 0
        ways[has_query] = 0
        # One with a query counts for its host, too, until the host has given a page.
        ways[:, 0] = np.where(has_query, np.where(alike.known, 0, host)[alike.which], ways[:, 0])
        self._ways.add(np.column_stack([ways, alike.query]), asked, pages)
        self._places.add(alike.places, asked, pages)

    def of(self, alike: Alike) -> Floats:
        """The odds of addresses."""
        return np.minimum(1.0, self.shares(alike) / LIKELY)

    def shares(self, alike: Alike) -> Floats:
        """The shares of pages among what was like them."""
        chain, which = alike.chain, alike.which
        host, folder = chain_means(chain, self._ways.pages[chain], self._ways.asked[chain], 1.0)
        query = self._ways.drawn(alike.query, np.where(alike.known, 1.0, host)[which])
        above = np.where(alike.query > 0, query, folder[which])
        drawn = self._places.drawn(alike.places, above[:, np.newaxis])
        there = alike.templates > 0
        count = there.sum(1)
        found: Floats = np.where(there, drawn, 0.0).sum(1) / np.maximum(count, 1)
        return np.where(count > 0, found, above)

    def remember(self) -> list[Any]:
        """All counts."""
        return [[pack_array(part.asked), pack_array(part.pages)] for part in (self._ways, self._places)]

    def restore(self, memory: Any) -> None:
        """Take back what `remember` gave."""
        for part, (asked, pages) in zip((self._ways, self._places), memory, strict=True):
            part.asked, part.pages = unpack_array(asked), unpack_array(pages)


def query_way(url: str) -> str:
    """The way of an address with a query, as text; '' for others."""
    address, mark, query = url.partition("://")[2].partition("?")
    return f"{address.partition('/')[0]}?{_names(query)}" if mark else ""


@lru_cache(maxsize=10_000)
def _names(query: str) -> str:
    return "&".join(sorted({_NUMBER.sub("#", part.partition("=")[0]) for part in query.split("&")})[:_LONGEST])
