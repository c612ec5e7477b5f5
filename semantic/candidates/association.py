"""How much more often a term stands on pages on topic than chance has it, host by host.

    E = sum over hosts h of  d_h (n_h + k p) / (N_h + k)            score = sign(O - E) 2 sum_i O_i ln(O_i / E_i)

d_h of the term's pages are of host h, whose N_h pages are on topic n_h times; p is the share of all pages, k = 5. O is
on how many pages on topic it stands. i runs over the four cells on and off topic, with and without the term: Dunning's
log-likelihood ratio (T. Dunning, Accurate methods for the statistics of surprise and coincidence, Computational
Linguistics 19, 1993), but with what is expected told by each host's own share. So a blog's name, or its author's, which
stands on its pages whatever they say, tells nothing, even where most of the blog is on topic.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_PSEUDO = 5.0  # pages: a host with fewer is like the web at large


def expected_shares(hosts: Sequence[str], on_topic: Floats, weights: Floats) -> Floats:
    """For each page the share of its host that is on topic, drawn to that of all. `weights`: what each page counts."""
    number = {host: n for n, host in enumerate(dict.fromkeys(hosts))}
    of = np.array([number[host] for host in hosts], np.int64)
    share = float((on_topic * weights).sum() / max(1e-9, weights.sum()))
    on = np.bincount(of, on_topic * weights, len(number)) + _PSEUDO * share
    every = np.bincount(of, weights, len(number)) + _PSEUDO
    result: Floats = (on / every)[of]
    return result


def log_likelihood(on: Floats, expected: Floats, every: Floats, all_on: float, all_pages: float) -> Floats:
    """Signed scores. `on`: pages on topic with each term, `expected`: E, `every`: all its pages."""
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
