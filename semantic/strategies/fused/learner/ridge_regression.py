"""Linear regression with a penalty on its weights (Hoerl and Kennard 1970), dense and over hashed words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from scipy.sparse.linalg import lsmr  # type: ignore[import-untyped]

from semantic.learning.feature_hashing import SIZE
from semantic.strategies.fused.evidence.token_table import ANCHOR_SLOTS, CONTEXT_SLOTS, PLACE_SLOTS, TEMPLATE_SLOTS

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

SLOT_WEIGHT = np.array(
    [1.0] * PLACE_SLOTS + [1.0] * ANCHOR_SLOTS + [0.7] * CONTEXT_SLOTS + [0.7] * TEMPLATE_SLOTS, np.float32
)


@dataclass(frozen=True, slots=True)
class DenseRidge:
    """Predicts from standardised columns."""

    centre: Floats
    size: Floats
    weights: Floats
    mean: float

    def predict(self, x: Floats) -> Floats:
        """Predictions of rows."""
        weights = self.weights / self.size
        found: Floats = x @ weights + (self.mean - self.centre @ weights)
        return found

    def parts(self, x: Floats) -> Floats:
        """What each column adds to the mean."""
        found: Floats = (x - self.centre) / self.size * self.weights
        return found


def fit_dense(x: Floats, y: Floats, alpha: float) -> DenseRidge:
    """Minimise |y - mean - Zw|^2 + alpha |w|^2, Z the standardised columns of x."""
    centre, size = x.mean(0), x.std(0)
    size[size < 1e-6] = 1.0
    z = (x - centre) / size
    mean = float(y.mean())
    weights = np.linalg.solve(z.T @ z + alpha * np.eye(z.shape[1]), z.T @ (y - mean))
    return DenseRidge(centre, size, weights, mean)


@dataclass(frozen=True, slots=True)
class HashedRidge:
    """Predicts from token numbers in slots; number 0 weighs nothing."""

    weights: NDArray[np.float32]
    mean: float

    def predict(self, tokens: Ints) -> Floats:
        """Predictions of rows of tokens."""
        found: Floats = (self.weights.take(tokens) @ SLOT_WEIGHT).astype(float) + self.mean
        return found


def fit_hashed(tokens: Ints, y: Floats, alpha: float) -> HashedRidge:
    """The same over 2^18 columns, by at most 40 steps of conjugate gradients (LSMR, Fong and Saunders 2011)."""
    n, slots = tokens.shape
    there = tokens.ravel() > 0
    data = np.tile(SLOT_WEIGHT, n)[there]
    starts = np.concatenate([[0], np.cumsum(there.reshape(n, slots).sum(1))])
    used, columns = np.unique(tokens.ravel()[there], return_inverse=True)
    x = csr_matrix((data, columns, starts), (n, len(used)))
    mean = float(y.mean())
    found = lsmr(x, y - mean, damp=alpha**0.5, maxiter=40)[0]
    weights = np.zeros(SIZE, np.float32)
    weights[used] = found
    return HashedRidge(weights, mean)
