"""Sparse matrices by scipy, which is imported where the first one is made: that takes half a second, and most commands
make none.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Sparse = Any  # scipy.sparse.csr_matrix, which has no types


def sparse(given: tuple[Any, ...], shape: tuple[int, int] | None = None, dtype: Any = None) -> Sparse:
    """A matrix of values with their rows and columns, in any form that scipy's `csr_matrix` takes."""
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    return csr_matrix(given, shape, dtype)


def load_solver() -> None:
    """Import what `sparse` and `least_squares` need, while something else is waited for."""
    import scipy.sparse.linalg  # type: ignore[import-untyped]  # noqa: F401


def used_columns(columns: NDArray[Any], size: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The columns that occur among `size` possible ones, ascending; and for each of `columns` its index among these. So
    a matrix has only columns with entries.
    """
    used = np.flatnonzero(np.bincount(columns, minlength=size))
    index = np.zeros(size, np.int32)
    index[used] = np.arange(len(used))
    return used, index[columns]


def least_squares(matrix: Sparse, target: NDArray[Any], *, damp: float, steps: int) -> NDArray[np.float64]:
    """The x for which `matrix` x is nearest to `target` (LSMR, Fong and Saunders 2011); `damp` keeps it small."""
    from scipy.sparse.linalg import lsmr

    found: NDArray[np.float64] = lsmr(matrix, target, damp=damp, maxiter=steps)[0]
    return found
