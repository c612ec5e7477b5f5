"""What the learner is to predict: the page's own judgement, denoised by its neighbourhood.

Pages of one directory, and pages that link to each other, are about the same more often than not, and a page's own
text may say little of it. With r the page's own judgement (at most 1), m its mean over all pages:

    y = (r + m + a (dir - m) + b (in - m)) / 2,  not below 0
    dir   the mean of r over the other pages down the chain host, directories, each level drawn to the one above
    in    (sum of r of the linking pages + m) / (n_in + 1)
    a, b  not below 0: those that tell r best, sum (r - m - a (dir - m) - b (in - m))^2 + 5 var(r) (a^2 + b^2)
    flattened: y := q min(y/q, 1.3)^0.6, q the 95th percentile of y

So the crawl finds out how much a page's directory and the pages that link to it say here: on a site in one directory
nothing, on one with a directory for each subject nearly all.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls  # type: ignore[import-untyped]

from semantic.strategies.fused.evidence.dense_features import GROUP_K, PARENT_K

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

SHRINK = 5.0  # pages' worth of evidence that a neighbourhood says nothing


def smoothed(r: Floats, chain: Ints, linking: Ints, before: Floats) -> Floats:
    """y of fetched pages; `chain`: groups of each, `linking`: numbers of pages that link to each, 0 none.

    `before`: r by number of what comes before the first page, of number 0 to begin with, which is none.
    """
    r = np.minimum(r, 1.0)
    m = float(r.mean())
    numbered = np.concatenate([before, r])
    there = linking > 0
    found_in = (np.where(there, numbered[linking], 0.0).sum(1) + m) / (there.sum(1) + 1)
    around = np.column_stack([without_own(r, chain, m), found_in]) - m
    penalty = math.sqrt(SHRINK * float(r.var())) * np.eye(2)
    weights, _ = nnls(np.vstack([around, penalty]), np.concatenate([r - m, np.zeros(2)]))
    return flattened(np.maximum(0.0, (r + m + around @ weights) / 2))


def without_own(r: Floats, chain: Ints, m: float) -> Floats:
    """The shrunk mean of r over the other pages, down the chain of groups."""
    above: Floats = np.full(len(r), m)
    size = int(chain.max()) + 1
    for level in range(chain.shape[1]):
        k = PARENT_K if level == chain.shape[1] - 1 else GROUP_K
        group = chain[:, level]
        sums, counts = np.bincount(group, r, size), np.bincount(group, minlength=size)
        mean = (sums[group] - r + k * above) / (counts[group] - 1 + k)
        above = np.where(group > 0, mean, above)
    return above


def flattened(y: Floats) -> Floats:
    """Less between good and very good: a page is a result or it is not."""
    q = float(np.percentile(y, 95)) or 1.0
    found: Floats = q * np.minimum(y / q, 1.3) ** 0.6
    return found
