"""Tunnelling by a genetic factor (paper A, 2.3): links through irrelevant pages are followed further, at a lower rank.

    Val(seed) = 100
    Val(link) = Val(page)      if val > f
              = Val(page) r    if val < f

val: the link's own value. f: the threshold of relevance. The queue is ordered by Val, then by relevance.

The paper leaves these points open; our choices: a link with val = f passes, as a page at the threshold is on topic; r =
0.5 (the paper only calls it a factor). f = 0.15 is the paper's.
"""

from math import log

# paper A, 2.3
SEED_VAL = 100.0


def inherited_val(parent: float, val: float, f: float = 0.15, r: float = 0.5) -> float:
    """The Val of a link, from the Val of the page on which it stands."""
    return parent if val >= f else parent * r


def two_key_priority(inherited: float, relevance: float, r: float = 0.5) -> float:
    """One number with the order of the pair (Val, relevance), for a queue with one key. `relevance` >= 0.

    Val is 100 r^n with n blocked links on the way. The number is -n + relevance / (1 + relevance); the second part is
    below 1.
    """
    blocked = round(log(inherited / SEED_VAL) / log(r))
    return -blocked + relevance / (1 + relevance)
