"""Why a link stands where it stands: the share of each kind of evidence in its score, which is a sum of such shares."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from semantic.scores import Reason
from semantic.strategies.fused.evidence.dense_features import NAMES

Floats = NDArray[np.float64]

LINK_GRAPH, LAYERS = "link graph", "predecessor layers"
EVIDENCE = {
    "topic words": ("anchor", "anchors, mean", "context", "address"),
    LAYERS: ("layer 1", "layer 2", "learned layer 1", "learned layer 2"),
    LINK_GRAPH: ("vertices alike",),
    "linking pages": (
        "best linking page",
        "linking pages, mean",
        "linking pages, sum",
        "links",
        "steps since a relevant page",
    ),
    "found behind the same pages": ("found behind a linking page, best", "found behind linking pages"),
    "template": ("template", "template on the page"),
    "directory": ("directory", "pages of the directory", "directory lately", "folders"),
    "host": ("host", "pages of the host", "host lately", "other host"),
    "the same anchor text": ("anchor text",),
    "words like those of good links": ("hashed words",),
    "depth and place": ("depth", "place on the page"),
    "topic words, at fixed weights": ("prior",),
}
KINDS = (*EVIDENCE, "few pages of the host seen", "any link's worth here", "links like it that led to no page")
LEAST = 0.01  # shares below it are told together
NOTHING = 0.0005  # and not at all below this one

_AS_REASON = partial(tuple.__new__, Reason)  # nothing between C and C

_GROUPING = np.array([[float(name in names) for names in EVIDENCE.values()] for name in NAMES])


def columns_of(kinds: Sequence[str]) -> list[int]:
    """Which of `dense_features.NAMES` are evidence of these kinds."""
    return [NAMES.index(name) for kind in kinds for name in EVIDENCE[kind]]


def grouped(contributions: Floats) -> Floats:
    """Shares of features (a row an address) summed up to shares of `EVIDENCE`."""
    found: Floats = contributions @ _GROUPING
    return found


def told(shares: Floats) -> list[tuple[Reason, ...]]:
    """For each row of shares of `KINDS`: the reasons, largest first; small ones are one."""
    size = np.abs(shares)
    order = np.argsort(-size, axis=1, kind="stable")
    counts = (size >= LEAST).sum(1)
    large = np.where(size >= LEAST, shares, 0.0).sum(1)
    rest = shares.sum(1) - large
    rows = zip(shares.tolist(), order.tolist(), counts.tolist(), rest.tolist(), strict=True)
    return [_told(share, kinds[:count], other) for share, kinds, count, other in rows]


def likened(reasons: tuple[Reason, ...], page: str, q: float) -> tuple[Reason, ...]:
    """The reasons, with the page of the link graph named that the link looks most like."""
    return _detailed(reasons, (LINK_GRAPH,), f"like the link to {page}, Q {q:.2f}")


def _detailed(reasons: tuple[Reason, ...], kinds: Sequence[str], detail: str) -> tuple[Reason, ...]:
    """The first reason of these kinds with a detail."""
    if detail:
        for i, reason in enumerate(reasons):
            if reason.what in kinds:
                return (*reasons[:i], reason._replace(detail=detail), *reasons[i + 1 :])
    return reasons


def _told(shares: Sequence[float], kinds: Sequence[int], rest: float) -> tuple[Reason, ...]:
    reasons = [_AS_REASON((shares[kind], KINDS[kind], "", "")) for kind in kinds]
    if abs(rest) >= NOTHING:
        reasons.append(Reason(rest, "other evidence"))
    return tuple(reasons)
