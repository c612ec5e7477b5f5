"""What the link graph G_w says about a waiting link: which fetched pages have similar links, and what they led to.

This is paper J's evidence in a form that fits the other kinds. A link is its triple (anchor text, address, words around
it) as hashed words; a fetched page is represented by the triples of the links to it.

    Q(v) = max(y(v), gamma max of Q over the pages that v links to in G_w)      formulas 17 and 18; r(v) = y(v), the
                                                                                denoised worth of v, also on the way
    likeness(l, v) = sum of idf over the words of both / sum of idf over the words of l       at most 1
    evidence(l) = (sum likeness^2 Q + S m)/(sum likeness^2 + S), over the K pages most like l; m the mean of Q

Pages outside of G_w led to nothing and have Q = y: similarity to them lowers a link. Words that occur for more than one
page in ten are left out.

Predecessor layers (Diligenti et al. 2000) are learned from the same graph: for the pages d = 1 and 2 links before the
nearest result, the words typical of the links to them.

    weight_d(t) = log((n_dt + 1/2)/(n_d + 1)) - log((n_t + 1/2)/(n + 1)),   of a link: the mean over its words

n_dt of the n_d pages of layer d have word t, n_t of all n pages. A layer of fewer than `FEW` pages is not used.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

from semantic.learning.feature_hashing import SIZE
from semantic.memory.arrays import pack_array, unpack_array
from semantic.strategies.fused.waiting_addresses import TokenTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Edges = NDArray[np.int64]

# discount of Q; 0.5 was tried with the prototype (../shared/research/orders.md)
GAMMA = 0.5
# most similar pages used; chosen, not measured
K = 8
# weight of the mean Q; chosen, not measured
S = 0.3
# share of pages above which a word is left out; chosen, not measured
COMMON = 0.1
# predecessor layers that are learned
LAYERS = 2
# pages that a layer must have; chosen, not measured
FEW = 5
SWEEPS = 4  # links over which Q is passed back; chosen, not measured
_FAR = LAYERS + 1


class Vertices:
    """The pages fetched until the last link graph was read: words, Q, layers."""

    def __init__(self) -> None:
        self.rows: Ints = np.zeros(0, np.int32)
        self._q: Floats = np.zeros(0)
        self._q_of: dict[int, float] = {}
        self._layer: Ints = np.zeros(0, np.int32)
        self._idf: NDArray[np.float32] = np.zeros(SIZE, np.float32)
        self._postings = csr_matrix((SIZE, 0), dtype=np.float32)
        self._typical: list[NDArray[np.float32]] = []

    def __len__(self) -> int:
        return len(self.rows)

    def learn(self, rows: Ints, tokens: Ints, q: Floats, layer: Ints) -> None:
        """Set the pages: rows, hashed words, Q, and number of links to the nearest result (above `LAYERS`: farther)."""
        self.rows, self._q, self._layer = rows, q, layer
        self._q_of = dict(zip(rows.tolist(), q.tolist(), strict=True))
        n = len(rows)
        page, slot = np.nonzero(tokens)
        word = tokens[page, slot]
        df = np.bincount(word, minlength=SIZE)
        self._idf = np.where(df <= COMMON * n, np.log(n / np.maximum(df, 1)), 0.0).astype(np.float32)
        is_used = self._idf[word] > 0
        value = self._idf[word[is_used]]
        self._postings = csr_matrix((value, (word[is_used], page[is_used])), (SIZE, n))
        self._typical = [_typical(word, page, df, layer == d + 1) for d in range(LAYERS)]

    def layers(self, tokens: Ints) -> Floats:
        """For rows of hashed words: how typical they are of links to pages of layers 1 and 2."""
        if not len(self):
            return np.zeros((len(tokens), LAYERS))
        count = np.maximum(1, (tokens > 0).sum(1))
        each = np.ones(tokens.shape[1], np.float32)
        return np.column_stack([weights.take(tokens) @ each / count for weights in self._typical]).astype(float)

    def evidence(self, tokens: Ints) -> tuple[Floats, Ints]:
        """For rows of hashed words: the evidence, and the row of the most similar page."""
        n, slots = tokens.shape
        weight = np.where(tokens > 0, self._idf[tokens], 0)
        there = csr_matrix(
            ((weight > 0).astype(np.float32).ravel(), tokens.ravel(), np.arange(n + 1) * slots), (n, SIZE)
        )
        likeness = (there @ self._postings).toarray() / np.maximum(weight.sum(1), 1e-6)[:, None]
        k = min(K, len(self))
        nearest = np.argpartition(-likeness, k - 1, axis=1)[:, :k]
        likeness = np.take_along_axis(likeness, nearest, 1).astype(float)
        best = likeness.argmax(1)
        square = likeness**2
        found = ((square * self._q[nearest]).sum(1) + S * self._q.mean()) / (square.sum(1) + S)
        return found, self.rows[nearest[np.arange(n), best]]

    def q_of(self, row: int) -> float | None:
        """Q of a page; None if it is not among them."""
        return self._q_of.get(row)

    def remember(self) -> dict[str, Any]:
        """Rows, Q and layers, for a memory. The words are those of the rows."""
        return {"rows": pack_array(self.rows), "q": pack_array(self._q), "layer": pack_array(self._layer)}

    def restore(self, memory: Mapping[str, Any], tokens: TokenTable) -> None:
        """Take back what `remember` gave. `tokens`: the words of all rows."""
        rows = unpack_array(memory["rows"])
        if len(rows):
            self.learn(rows, tokens[rows], unpack_array(memory["q"]), unpack_array(memory["layer"]))


def values(edges: Edges, y: Floats) -> Floats:
    """Q of pages numbered from 0. `edges`: pairs of page and page it links to."""
    q = y.copy()
    for _ in range(SWEEPS):
        onward = np.zeros(len(y))
        np.maximum.at(onward, edges[:, 0], q[edges[:, 1]])
        q = np.maximum(y, GAMMA * onward)
    return q


def layers(edges: Edges, results: Sequence[int], n: int) -> Ints:
    """Number of links from each of n pages to the nearest result; `LAYERS` + 1 for all that are farther."""
    layer = np.full(n, _FAR, np.int32)
    layer[list(results)] = 0
    for _ in range(LAYERS):
        np.minimum.at(layer, edges[:, 0], layer[edges[:, 1]] + 1)
    return layer


def _typical(
    word: Ints, page: NDArray[np.int64], df: NDArray[np.int64], inside: NDArray[np.bool_]
) -> NDArray[np.float32]:
    n, n_layer = len(inside), int(inside.sum())
    if n_layer < FEW:
        return np.zeros(SIZE, np.float32)
    counts = np.bincount(word[inside[page]], minlength=SIZE)
    weight = np.log((counts + 0.5) / (n_layer + 1)) - np.log((df + 0.5) / (n + 1))
    return np.where(df > 0, weight, 0.0).astype(np.float32)
