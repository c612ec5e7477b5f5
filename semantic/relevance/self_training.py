"""Self-training (Scudder 1965): learn from the relevance model's own numbers what clear pages have in common.

The model knows only the ontology's words. A ridge regression learns its number from all words of a page, from the words
of its address and of links to it, and from the pages that link to it. With u the model's number, A and L the characters
of a page inside and outside of links, n the number of pages trained on:

    g = 1 - .9 (A/(A + L + 50))^2                               a page that is nearly all links says little itself
    p = mean + T b_T + K b_K + P b_P,  fitted to min(u g, 1.3)  by ridge regression with penalty `PENALTY`
    u' = (1 - w) u g + w s p g,  w = n/(n + 200)                relevance = u'/(u' + 1/2)

The rows of T (words of the text, hashed), K (words of links and address, hashed) and P (linking pages) have length 1; T
and K are weighted by log((1 + n)/(1 + df)) + 1. s makes the 95th percentile of p, over pages that name a concept, equal
to that of the target, so that the scale stays the model's.

It is trained on the last `LEARNED` pages and on the `CLEAREST` pages with the highest u before them. So a crawl that
passes through thousands of pages about other things still knows its topic.

Measured on 1,000 pages each of 30 tasks (benchmarks/judge.md): average precision .61 -> .70 where labels are of content
(19 tasks, none down), .64 -> .70 where they are of addresses (11, one down). With w = 1 it is .01 better, and scores
change twice as much during the crawl. The words of the text alone give half of the gain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from scipy.sparse.linalg import lsmr  # type: ignore[import-untyped]

from semantic.learning.feature_hashing import SIZE
from semantic.memory.arrays import once, pack_array, unpack_array
from semantic.relevance.expert_marks import joined, rarity
from semantic.relevance.hashed_pages import Block
from semantic.relevance.relevance_model import TRUST

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

PENALTY = 10.0  # 3, 10 and 30 were tried: with 10 the verdicts at 0.5 have the highest F1
MOST = 1.3  # the largest training target, so that differences between good and very good pages are not learned
STEPS = 40  # iterations of the solver, as in the measurements above
LEARNED = 5000  # most recent pages in the training set; chosen, not measured
CLEAREST = 1000  # clear pages before them in the training set; chosen, not measured
RETRAINED = 0.25  # growth, as a share, after which it is trained again; chosen, not measured
LINKS = 0.9  # reduction of g for a page of nothing but links: ../shared/research/judge.md, J


class Surroundings(Protocol):
    """Where the links to pages are known."""

    def surroundings(self, urls: Sequence[str]) -> tuple[Ints, Ints]:
        """For each page: hashed words of the links to it and of its address; numbers of the pages that link to it. 0:
        none.
        """
        ...


class Rows(NamedTuple):
    """Pages of the training set: the words of their texts, and what `Surroundings` gives for them."""

    texts: Sequence[Block]
    links: Ints
    parents: Ints


def together(one: Rows, other: Rows) -> Rows:
    """Concatenate the rows of two sets."""
    links, parents = (np.concatenate(both) for both in zip(one[1:], other[1:], strict=True))
    return Rows([*one.texts, *other.texts], links, parents)


class _Entries(NamedTuple):
    """A sparse matrix as entries of row, column and value. Rows have length 1."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    value: Floats


@dataclass(frozen=True, slots=True)
class Taught:
    """The trained regression. `weights`: b_T, b_K, b_P; `rarity`: idf of T's and K's words; `share`: w; `scale`: s."""

    share: float
    mean: float
    scale: float
    rarity: tuple[Floats, Floats]
    weights: tuple[Floats, Floats, Floats]

    def parts(self, rows: Rows) -> tuple[Floats, Floats]:
        """What a page's own words (with the mean) and the links to it add to u', before multiplication by g."""
        return self.parts_of(_entries(rows, self.rarity, len(self.weights[2])), len(rows.texts))

    def parts_of(self, blocks: Sequence[_Entries], n: int) -> tuple[Floats, Floats]:
        """The same from the entries of T, K and P."""
        words, *links = (
            np.bincount(entries.row, entries.value * weights[entries.column], n)
            for entries, weights in zip(blocks, self.weights, strict=True)
        )
        factor = self.share * self.scale
        return np.asarray(factor * (self.mean + words)), np.asarray(factor * (links[0] + links[1]))

    def mixed(self, u: Floats, g: Floats, words: Floats, links: Floats) -> Floats:
        """u' of pages. `words`, `links`: their parts, already multiplied by g."""
        return np.asarray(np.maximum((1 - self.share) * u * g + words + links, 0.0))

    def remember(self) -> list[Any]:
        """The regression, for a memory."""
        return [self.share, self.mean, self.scale, *map(_sparse, (*self.rarity, *self.weights))]

    @classmethod
    def restored(cls, memory: Sequence[Any]) -> "Taught":
        """Restore what `remember` gave."""
        share, mean, scale, *arrays = memory
        texts, links, *weights = map(_dense, arrays)
        return cls(share, mean, scale, (texts, links), (weights[0], weights[1], weights[2]))


def own_text_share(anchors: Floats, length: Floats) -> Floats:
    """g of pages, from their characters inside and outside of links."""
    found: Floats = 1 - LINKS * (anchors / (anchors + length + 50)) ** 2
    return found


def self_train(u: Floats, g: Floats, rows: Rows) -> tuple[Taught, tuple[Floats, Floats]]:
    """Train on these pages, and give their parts. `u`: the model's numbers; `g`: see the module's text."""
    n = len(u)
    target = np.minimum(u * g, MOST)
    parents = int(rows.parents.max(initial=0)) + 1
    texts = joined(rows.texts)
    rare = rarity(texts.words, n), rarity(once(rows.links).ravel(), n)
    blocks = _entries(rows, rare, parents)
    starts = np.cumsum([0, SIZE, SIZE])
    column = np.concatenate([entries.column + start for entries, start in zip(blocks, starts, strict=True)])
    used = np.flatnonzero(np.bincount(column, minlength=2 * SIZE + parents))
    place = np.zeros(2 * SIZE + parents, np.int32)
    place[used] = np.arange(len(used))
    row, value = (np.concatenate([entries[part] for entries in blocks]) for part in (0, 2))
    matrix = csr_matrix((value, (row, place[column])), (n, len(used)))
    mean = float(target.mean())
    found = lsmr(matrix, target - mean, damp=np.sqrt(PENALTY), maxiter=STEPS)[0]
    weights = np.zeros(2 * SIZE + parents)
    weights[used] = found
    taught = Taught(n / (n + TRUST), mean, 1.0, rare, (weights[:SIZE], weights[SIZE : 2 * SIZE], weights[2 * SIZE :]))
    named = target > 0
    low = np.percentile(np.maximum(matrix @ found + mean, 0)[named], 95) if named.any() else 0.0
    if low > 0:
        taught = replace(taught, scale=float(np.percentile(target[named], 95) / low))
    return taught, taught.parts_of(blocks, n)


def _entries(rows: Rows, rare: tuple[Floats, Floats], parents: int) -> tuple[_Entries, _Entries, _Entries]:
    """The matrices T, K and P. `parents`: linking pages with this number or above are unknown and left out."""
    texts = joined(rows.texts)
    links, linking = once(rows.links), once(rows.parents)
    linking[linking >= parents] = 0
    (at_link, slot), (at_page, ring) = links.nonzero(), linking.nonzero()
    words, pages = links[at_link, slot], linking[at_page, ring]
    return (
        _unit(texts.page, texts.words, texts.weights * rare[0][texts.words]),
        _unit(at_link, words, rare[1][words]),
        _unit(at_page, pages, np.ones(len(pages))),
    )


def _unit(row: NDArray[np.int64], column: NDArray[Any], value: Floats) -> _Entries:
    there = value > 0
    row, column, value = row[there], column[there], value[there]
    length = np.sqrt(np.bincount(row, value**2))
    return _Entries(row, column.astype(np.int64), value / length[row])


def _sparse(values: Floats) -> list[Any]:
    where = values.nonzero()[0]
    return [len(values), pack_array(where), pack_array(values[where])]


def _dense(memory: Sequence[Any]) -> Floats:
    size, where, values = memory
    found = np.zeros(size)
    found[unpack_array(where)] = unpack_array(values)
    return found
