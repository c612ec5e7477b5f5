"""How much more often a term stands on pages on topic than expected by chance, separately for each host.

    E = sum over hosts h of  d_h (n_h + k p) / (N_h + k)            score = sign(O - E) 2 sum_i O_i ln(O_i / E_i)

d_h: pages of host h with the term. N_h: all pages of h; n_h: those on topic. p: share on topic of all pages; k = 5. O:
pages on topic with the term. i runs over the four cells on and off topic, with and without the term. This is Dunning's
log-likelihood ratio (T. Dunning, Accurate methods for the statistics of surprise and coincidence, Computational
Linguistics 19, 1993), but the expectation uses each host's own share. So the name of a blog or its author, which stands
on all its pages whatever they are about, scores nothing, even if most of the blog is on topic.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_PSEUDO = 5.0  # pages of prior: a host with fewer is judged mostly like all hosts together; chosen, not measured


def expected_shares(hosts: Sequence[str], on_topic: Floats, weights: Floats) -> Floats:
    """For each page the share of its host that is on topic, smoothed towards that of all. `weights`: how much each page
    counts.
    """
    number = {host: n for n, host in enumerate(dict.fromkeys(hosts))}
    of = np.array([number[host] for host in hosts], np.int64)
    share = float((on_topic * weights).sum() / max(1e-9, weights.sum()))
    on = np.bincount(of, on_topic * weights, len(number)) + _PSEUDO * share
    every = np.bincount(of, weights, len(number)) + _PSEUDO
    result: Floats = (on / every)[of]
    return result


def log_likelihood(on: Floats, expected: Floats, every: Floats, all_on: float, all_pages: float) -> Floats:
    """The signed scores of terms. `on`: pages on topic with each term; `expected`: E; `every`: all pages with it."""
    cells = (
        (on, expected),
        (every - on, every - expected),
        (all_on - on, all_on - expected),
        (all_pages - all_on - (every - on), all_pages - all_on - (every - expected)),
    )
    total = sum(_cell(found, wanted) for found, wanted in cells)
    result: Floats = np.sign(on - expected) * np.maximum(0.0, 2 * total)
    return result


def _cell(found: Floats, wanted: Floats) -> Floats:
    found, wanted = np.maximum(found, 0.0), np.maximum(wanted, 1e-9)
    result: Floats = np.where(found > 0, found * np.log(np.maximum(found, 1e-12) / wanted), 0.0) - (found - wanted)
    return result
