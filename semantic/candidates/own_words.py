"""What the ontology's own words look like in a crawl, as a hint which other words belong to it.

Each web has its own way with terms: a wiki writes programs in small letters and links them, a blog tags its pages, a
manual prints menus in bold. The ontology's words that occur on the pages show this way. A logistic regression with a
penalty separates them from the other candidates, both kinds with the same weight,

    max_b  sum_i w_i ln p(y_i | x_i, b) - PENALTY |b|^2 / 2                    rank += SHARE b x

by features that treat a known word as if the ontology did not have it: `label_signs` compares a run with the other
labels only. Treating all other candidates as unknown is learning from positive
examples alone (C. Elkan and K. Noto, Learning classifiers from only positive and unlabeled data, KDD 2008).
"""

from collections import Counter
from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

PENALTY = 100.0  # 30 to 300 give about the same on 16 tasks
SHARE = 1.0  # beside the rank that all webs have in common; 0.7 and 1.5 give about the same
FEWEST = 5  # known words to learn from
STEPS = 8  # of Newton's method, which has converged long before


def label_signs(runs: Sequence[Sequence[int]], labels: Set[tuple[int, ...]], skipped: Set[int]) -> Floats:
    """For each run of word numbers, three counts as ln(1 + n): other labels that end with its last word, that begin
    with its first, and, in the mean of its words without `skipped`, that contain the word.
    """
    ends = Counter(label[-1] for label in labels)
    begins = Counter(label[0] for label in labels)
    within = Counter(word for label in labels for word in set(label))
    rows = np.zeros((len(runs), 3))
    for number, run in enumerate(runs):
        itself = tuple(run) in labels
        telling = [within[word] - itself for word in run if word not in skipped]
        rows[number, :2] = np.log1p([ends[run[-1]] - itself, begins[run[0]] - itself])
        rows[number, 2] = np.log1p(telling).mean() if telling else 0.0
    return rows


def likeness(features: Floats, known: Flags, fits: Flags) -> Floats:
    """How much each row looks like the known ones among those that fit; 0 where there are too few."""
    few = int((known & fits).sum())
    if few < FEWEST or few == fits.sum():
        return np.zeros(len(known))
    rows = (features - features.mean(0)) / (features.std(0) + 1e-9)
    seen, y = rows[fits], known[fits].astype(float)
    weights = np.where(y > 0, len(y) / (2 * few), len(y) / (2 * (len(y) - few)))
    result: Floats = SHARE * (rows @ _fitted(seen, y, weights))
    return result


def _fitted(rows: Floats, y: Floats, weights: Floats) -> Floats:
    """The coefficients, without the constant."""
    x = np.column_stack([rows, np.ones(len(rows))])
    penalty = np.diag([*[PENALTY] * rows.shape[1], 1e-6])
    b = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        slope = x.T @ (weights * (y - p)) - penalty @ b
        curve = (x * (weights * p * (1 - p))[:, None]).T @ x + penalty
        b = b + np.linalg.solve(curve, slope)
    result: Floats = b[:-1]
    return result
