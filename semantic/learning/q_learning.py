"""The value of a page on the way to results: Q-learning over the link graph (paper J, algorithm 3).

State: page; action: link; results are terminal.

    Q(u, <u,v>) = r(u, <u,v>) + gamma max_m Q(v, <v,m>)    (17)    r = rd if v is a result, else 0
    Q(u)        = max over the links of u                  (18)

The paper gives a result no Q, because it has no action. But formula 9 may need it, if a link is most similar to a link
to a result. Here it is `rd`, the reward of arriving there.
"""

from collections.abc import Mapping

from semantic.records import LinkGraph


def q_values(graph: LinkGraph, rd: float = 1.0, gamma: float = 0.9, k: int = 100) -> Mapping[str, float]:
    """Q of every page of the graph, 0 to `rd`. Sweeps until nothing changes, at most `k` times.

    A page d links before its nearest result has Q = rd gamma^(d-1); a page from which no result is reached has 0. A
    sweep costs one step for each link.
    """
    targets: dict[str, list[str]] = {page: [] for page in graph.pages if page not in graph.results}
    for source, target in graph.links:
        if source in targets:
            targets[source].append(target)
    q = dict.fromkeys(targets, 0.0)
    for _ in range(k):
        changed = False
        for page, onward in targets.items():
            value = max((rd if target in graph.results else gamma * q[target] for target in onward), default=0.0)
            if value != q[page]:
                q[page], changed = value, True
        if not changed:
            break
    return {page: q.get(page, rd) for page in graph.pages}
