"""How much the known web points at a page (paper A, 2.2.2).

    PR(i) = (1 - d) + d sum_{j -> i} PR(j) / N(j)

N(j): the number of addresses that j links to; d = 0.85. The values are not probabilities: their mean is at most 1.
"""

from collections.abc import Collection, Mapping

TOLERANCE = 1e-6  # a sweep that changes no value by more is the last
SWEEPS = 200  # d = 0.85 needs about 90


def pagerank(links: Mapping[str, Collection[str]], d: float = 0.85) -> dict[str, float]:
    """PR of every page and link target; `links`: fetched page -> the addresses it links to, each once.

    Only fetched pages hand anything on, so the sweeps go over the links among them; what the others get is summed up
    once at the end. Costs one step for such a link and sweep.
    """
    inner = {page: [target for target in targets if target in links] for page, targets in links.items()}
    rank = dict.fromkeys(links, 1.0)
    for _ in range(SWEEPS):
        swept = dict.fromkeys(links, 1 - d)
        for page, targets in inner.items():
            for target in targets:
                swept[target] += d * rank[page] / len(links[page])
        change = max((abs(swept[page] - rank[page]) for page in links), default=0.0)
        rank = swept
        if change <= TOLERANCE:
            break
    outer: dict[str, float] = {}
    for page, onward in links.items():
        for target in onward:
            if target not in links:
                outer[target] = outer.get(target, 1 - d) + d * rank[page] / len(onward)
    return rank | outer
