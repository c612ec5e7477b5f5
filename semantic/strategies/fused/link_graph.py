"""What the link graph G_w says of a waiting link: which fetched pages' links it looks like, and what lay behind those.

Paper J's evidence, made to fit beside the other kinds: a link is its triple (anchor text, address, words around it), as
hashed words; a page fetched is the triple of the links to it.

    Q(v) = max(y(v), gamma max of Q over the pages that v links to in G_w)      formulas 17 and 18, r(v) = y(v) the
                                                                                denoised worth of v, on the way too
    likeness(l, v) = sum of idf over the words of both / sum of idf over the words of l       at most 1
    evidence(l) = (sum likeness^2 Q + S m)/(sum likeness^2 + S), over the K pages most like l; m the mean of Q

Pages outside of G_w led to nothing and have Q = y: to look like those speaks against a link. Words that more than one
page in ten has tell nothing apart, and are left out.

Learned predecessor layers (Diligenti et al. 2000) come from the same graph: for the pages d = 1 and 2 links before the
nearest result, the words typical of the links to them.

    weight_d(t) = log((n_dt + 1/2)/(n_d + 1)) - log((n_t + 1/2)/(n + 1)),   of a link: the mean over its words

n_dt of the n_d pages of layer d have word t, n_t of all n pages. Less than `FEW` pages are no layer.
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

GAMMA = 0.5
K = 8
S = 0.3
COMMON = 0.1
LAYERS = 2
FEW = 5
SWEEPS = 4  # links that Q reaches back
_FAR = LAYERS + 1


class Vertices:
    """The pages fetched up to the last link graph: words, Q, layers."""

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
        """Pages fetched: their rows, hashed words, Q, and links before the nearest result (more than `LAYERS`: far)."""
        self.rows, self._q, self._layer = rows, q, layer
        self._q_of = dict(zip(rows.tolist(), q.tolist(), strict=True))
        n = len(rows)
        page, slot = np.nonzero(tokens)
        word = tokens[page, slot]
        df = np.bincount(word, minlength=SIZE)
        self._idf = np.where(df <= COMMON * n, np.log(n / np.maximum(df, 1)), 0.0).astype(np.float32)
        told = self._idf[word] > 0
        value = self._idf[word[told]]
        self._postings = csr_matrix((value, (word[told], page[told])), (SIZE, n))
        self._typical = [_typical(word, page, df, layer == d + 1) for d in range(LAYERS)]

    def layers(self, tokens: Ints) -> Floats:
        """For rows of hashed words: how typical they are of the links to pages of layers 1 and 2."""
        if not len(self):
            return np.zeros((len(tokens), LAYERS))
        count = np.maximum(1, (tokens > 0).sum(1))
        each = np.ones(tokens.shape[1], np.float32)
        return np.column_stack([weights.take(tokens) @ each / count for weights in self._typical]).astype(float)

    def evidence(self, tokens: Ints) -> tuple[Floats, Ints]:
        """For rows of hashed words: the evidence, and the row of the page that each looks most like."""
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
        """Q of a page; None where it is none of the graph's."""
        return self._q_of.get(row)

    def remember(self) -> dict[str, Any]:
        """Rows, Q and layers; the words are those of the rows."""
        return {"rows": pack_array(self.rows), "q": pack_array(self._q), "layer": pack_array(self._layer)}

    def restore(self, memory: Mapping[str, Any], tokens: TokenTable) -> None:
        """Take back what `remember` gave; `tokens`: the words of all rows."""
        rows = unpack_array(memory["rows"])
        if len(rows):
            self.learn(rows, tokens[rows], unpack_array(memory["q"]), unpack_array(memory["layer"]))


def values(edges: Edges, y: Floats) -> Floats:
    """Q of pages numbered from 0; `edges`: (page, page it links to)."""
    q = y.copy()
    for _ in range(SWEEPS):
        onward = np.zeros(len(y))
        np.maximum.at(onward, edges[:, 0], q[edges[:, 1]])
        q = np.maximum(y, GAMMA * onward)
    return q


def layers(edges: Edges, results: Sequence[int], n: int) -> Ints:
    """Links from each of n pages to the nearest result, `LAYERS` + 1 for all that is farther."""
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
