"""Patience: start the best ready link now, or wait for a better one whose host rests?

A page is the budget of a crawl, and asking one host does not delay another. So a worse link that is started while the
host of a better one rests saves that one no time: it spends a page of the budget on less, and the learner learns from
it. Waiting costs time instead. One rule weighs the two:

    A link loses the share 1 - patience of its priority for each `--delay` that its host must still rest.
    The crawl takes the link that is then the best, and waits if that one's host rests.

- Patience 0 waits for nothing, 1 waits for the best link of all. A host is not waited for if it has to be left alone
  for longer than `LONGEST` seconds and two delays (Crawl-delay, Retry-After), if it is in trouble or out of reach, or
  if it owes an answer for much longer than usual.
- A strategy whose priorities are ranks or layers has no such shares. It waits while more than `RANKS` * (1 - patience)
  better links wait on resting hosts.
- While the crawl waits, it fetches the robots.txt of the hosts whose links come next: their pages can be asked for as
  soon as it is their turn. A robots.txt does not count as a page. On a web of many hosts this alone made a crawl that
  always waits for the best link take 1,049 s instead of 2,800.
- If less time is left (`--max-minutes`) than the pages left take at the present pace, patience shrinks by that
  proportion: time is then what is scarce.

Measured: benchmarks/README.md, "Patience". Compared and left: to start whatever is ready (Scrapy, Nutch), a fixed ratio
to the best link that rests, the n best of all waiting links, and a moving mean of the priorities chosen.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

LONGEST = 60.0  # seconds; as the longest Crawl-delay that is obeyed; chosen, not measured
RANKS = 50  # chosen, not measured
# How long a crawl will take: seconds of the delay for each page with full patience, by how much it becomes faster when
# more hosts are known, and the factor within which both are told. Measured: benchmarks/README.md, "Patience".
PATIENT, GROWS, WITHIN = 0.95, 1.2, 1.5


class Resting(NamedTuple):
    """A host that rests, for so many seconds, with a better link than the best ready one.

    `priority`: of its best link. `ahead`: how many of its links are better than the ready one; counted by rank only.
    """

    seconds: float
    host: str
    priority: float
    ahead: int


def awaited(
    ready: float, resting: Iterable[Resting], *, patience: float, delay: float, by_rank: bool = False
) -> Resting | None:
    """The host to wait for; None if the best ready link, of priority `ready`, is to be started.

    `resting`: the best priority first; no more are looked at than may win. `patience`: 0 to 1. `delay`: seconds, above
    0. `by_rank`: priorities have an order and no shares.
    """
    if by_rank:
        hosts = list(resting)
        return min(hosts) if sum(one.ahead for one in hosts) > round(RANKS * (1 - patience)) else None
    worth, best = max(0.0, ready), None
    for one in resting:
        if one.priority <= worth:
            break
        if (waited := one.priority * patience ** (one.seconds / delay)) > worth:
            worth, best = waited, one
    return best


def seconds_for(pages: int, pace: float, *, patience: float, delay: float, at_once: int) -> tuple[float, float] | None:
    """In which time (seconds, from and to) so many pages will probably come; None if nothing tells.

    `pace`: pages per second lately, inf if that is not known. `at_once`: hosts that are asked at the same time.
    """
    if pace < math.inf:
        probably = pages / pace / GROWS
    elif delay > 0:
        probably = pages * delay * (PATIENT * patience + (1 - patience) / at_once)
    else:
        return None
    return probably / WITHIN, probably * WITHIN
