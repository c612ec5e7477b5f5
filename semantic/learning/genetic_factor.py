"""Tunnelling by a genetic factor (paper A, 2.3): a blocked road is followed further, at lower rank.

    Val(seed) = 100
    Val(link) = Val(page)      if val > f
              = Val(page) r    if val < f

val: what the link itself is worth; f: the threshold of relevance. The queue is ordered by Val, then by relevance.

Left open, and read here so: a link with val = f passes, as a page at the threshold is on topic; r = 0.5 (the paper only
calls it a factor; f = 0.15 is its own).
"""

from math import log

SEED_VAL = 100.0


def inherited_val(parent: float, val: float, f: float = 0.15, r: float = 0.5) -> float:
    """The Val of a link from the Val of the page on which it stands."""
    return parent if val >= f else parent * r


def two_key_priority(inherited: float, relevance: float, r: float = 0.5) -> float:
    """One number with the order of the pair (Val, relevance), for a queue with one key; relevance from 0.

    Val is 100 r^n, n the blocked links on the way: the number is -n + relevance / (1 + relevance), and the second part
    stays below 1.
    """
    blocked = round(log(inherited / SEED_VAL) / log(r))
    return -blocked + relevance / (1 + relevance)
