"""From evidence to a score: a fixed prior, two ridges that take over from it, and a bonus for what was seldom seen.

    value = a (hashed + dense)/2 + (1 - a)(slope prior + base) + bonus,     a: see `fused.learner.trust`
    score = odds value - (1 - odds) cost,                                   odds: see `fused.evidence.page_odds`
    worth of a page = y + opening best                                      what the ridges learn

y is the denoised judgement (`semantic.strategies.fused.link_learner`). `best` is what a page opened: the
largest worth, above the going rate, of an address that it was the first to name: y where that was fetched, else its
score. The going rate is the mean y of the last 50 pages, so that a way to better pages counts only while better pages
are wanted: while the queue is full of them it says nothing. Scores hold predictions of `best`, so what is learned
reaches back over several links: fitted Q-iteration (Ernst et al. 2005) with a discount `opening`.

The prior (`dense_features.prior_of`) needs no learning. Its slope is shrunk to `SLOPE`, for the pages fetched were
chosen by it: among them it seems to say less than it does.

    slope = max(.02, (sum P y + 20 SLOPE)/(sum P^2 + .001 n + 20)),  P and y centred

    bonus = sd(y) ((.3 + wide dry) u(pages of the host) + wide dry u(pages of the directory)),  u(k) = 1/sqrt(1+k) - .2
    dry   = max(0, 1 - 2 level/high), level the running mean of the scores that were chosen, high y's 95th percentile

Looking where little was seen costs nothing while links half as good as the best are at hand (dry is 0), and is all that
is left to do when there are none (dry is 1): so exploration needs no schedule.

What the learner is to predict: the page's own judgement, denoised by its neighbourhood.

Pages of one directory, and pages that link to each other, are about the same more often than not, and a page's own
text may say little of it. With r the page's own judgement (at most 1), m its mean over all pages:

    y = (r + m + a (dir - m) + b (in - m)) / 2,  not below 0
    dir   the mean of r over the other pages down the chain host, directories, each level drawn to the one above
    in    (sum of r of the linking pages + m) / (n_in + 1)
    a, b  not below 0: those that tell r best, sum (r - m - a (dir - m) - b (in - m))^2 + 5 var(r) (a^2 + b^2)
    flattened: y := q min(y/q, 1.3)^0.6, q the 95th percentile of y

So the crawl finds out how much a page's directory and the pages that link to it say here: on a site in one directory
nothing, on one with a directory for each subject nearly all.

How far to go by what was learned, and how far by the fixed prior: by what each said of pages before they came.

    a = n/(n + 100) min(1, 2 (g + 2 s)), not below 0      n pages fetched
    g, s    of the last 200 pages: worth = c + b prior + g learned by least squares, and the standard error of g

With g = 0 what was learned foretold nothing beyond the prior. (Stacked regressions, Wolpert 1992 and Breiman 1996, take
b and g for weights. Here they only guard: pages are chosen for what was learned of them, so that these 200 are alike in
it and say little of how much it is worth, but something of its failure.) So the learner takes over with the pages, and
loses what it has, down to nothing, where g is clearly below 1/2: by two standard errors and more.

Linear regression with a penalty on its weights (Hoerl and Kennard 1970), dense and over hashed words.

Why a link stands where it stands: the share of each kind of evidence in its score, which is a sum of such shares.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls  # type: ignore[import-untyped]
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from scipy.sparse.linalg import lsmr  # type: ignore[import-untyped]

from semantic.learning.feature_hashing import SIZE
from semantic.memory.arrays import pack_array, unpack_array
from semantic.records import Reason
from semantic.strategies.fused.crawl_evidence import GROUP_K, NAMES, PARENT_K, PRIOR
from semantic.strategies.fused.link_reading import ANCHOR_SLOTS, CONTEXT_SLOTS, PLACE_SLOTS, TEMPLATE_SLOTS

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


COMPARED = 200  # pages
HALF = 100  # pages after which what was learned counts as much as the prior
ENOUGH = 0.5  # g, with which nothing is lost
ERRORS = 2  # standard errors that g may fall short of it
NO_DIFFERENCE = 1e-9  # sum of squares of what says the same of all pages


class Trust:
    """See the module's text."""

    def __init__(self) -> None:
        self._said: deque[tuple[float, float]] = deque(maxlen=COMPARED)  # of a page: the prior, what was learned
        self._kept = 1.0

    def hear(self, prior: float, learned: float) -> None:
        """What was said of the page that comes now; nan for nothing."""
        self._said.append((prior, learned))

    def compare(self, worth: Floats) -> None:
        """What the last pages are worth."""
        count = min(len(self._said), len(worth))
        said = np.array(self._said).reshape(-1, 2)[len(self._said) - count :]
        there = ~np.isnan(said).any(1)
        prior, learned = said[there].T
        self._kept = _kept(prior, learned, worth[len(worth) - count :][there])

    def share(self, n: int) -> float:
        """a, after n pages."""
        return n / (n + HALF) * self._kept

    def remember(self) -> list[Any]:
        """What was said, and what came of it."""
        return [list(self._said), self._kept]

    def restore(self, memory: Any) -> None:
        """Take back what `remember` gave."""
        said, self._kept = memory
        self._said.clear()
        self._said.extend((prior, learned) for prior, learned in said)


def _kept(prior: Floats, learned: Floats, worth: Floats) -> float:
    """The factor of the module's first line."""
    freedom = len(worth) - 3
    if freedom < 1:
        return 1.0
    p, x, y = prior - prior.mean(), learned - learned.mean(), worth - worth.mean()
    if p @ p > NO_DIFFERENCE:  # what the prior does not say already
        x, y = x - (x @ p) / (p @ p) * p, y - (y @ p) / (p @ p) * p
    if x @ x <= NO_DIFFERENCE:
        return 1.0
    g = (x @ y) / (x @ x)
    left = y - g * x
    error = np.sqrt(left @ left / (freedom * (x @ x)))
    return float(np.clip((g + ERRORS * error) / ENOUGH, 0.0, 1.0))


SLOT_WEIGHT = np.array(
    [1.0] * PLACE_SLOTS + [1.0] * ANCHOR_SLOTS + [0.7] * CONTEXT_SLOTS + [0.7] * TEMPLATE_SLOTS, np.float32
)


@dataclass(frozen=True, slots=True)
class DenseRidge:
    """Predicts from standardised columns."""

    centre: Floats
    size: Floats
    weights: Floats
    mean: float

    def predict(self, x: Floats) -> Floats:
        """Predictions of rows."""
        weights = self.weights / self.size
        found: Floats = x @ weights + (self.mean - self.centre @ weights)
        return found

    def parts(self, x: Floats) -> Floats:
        """What each column adds to the mean."""
        found: Floats = (x - self.centre) / self.size * self.weights
        return found


def fit_dense(x: Floats, y: Floats, alpha: float) -> DenseRidge:
    """Minimise |y - mean - Zw|^2 + alpha |w|^2, Z the standardised columns of x."""
    centre, size = x.mean(0), x.std(0)
    size[size < 1e-6] = 1.0
    z = (x - centre) / size
    mean = float(y.mean())
    weights = np.linalg.solve(z.T @ z + alpha * np.eye(z.shape[1]), z.T @ (y - mean))
    return DenseRidge(centre, size, weights, mean)


@dataclass(frozen=True, slots=True)
class HashedRidge:
    """Predicts from token numbers in slots; number 0 weighs nothing."""

    weights: NDArray[np.float32]
    mean: float

    def predict(self, tokens: Ints) -> Floats:
        """Predictions of rows of tokens."""
        found: Floats = (self.weights.take(tokens) @ SLOT_WEIGHT).astype(float) + self.mean
        return found


def fit_hashed(tokens: Ints, y: Floats, alpha: float) -> HashedRidge:
    """The same over 2^18 columns, by at most 40 steps of conjugate gradients (LSMR, Fong and Saunders 2011)."""
    n, slots = tokens.shape
    there = tokens.ravel() > 0
    data = np.tile(SLOT_WEIGHT, n)[there]
    starts = np.concatenate([[0], np.cumsum(there.reshape(n, slots).sum(1))])
    used, columns = np.unique(tokens.ravel()[there], return_inverse=True)
    x = csr_matrix((data, columns, starts), (n, len(used)))
    mean = float(y.mean())
    found = lsmr(x, y - mean, damp=alpha**0.5, maxiter=40)[0]
    weights = np.zeros(SIZE, np.float32)
    weights[used] = found
    return HashedRidge(weights, mean)


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
SMALL_SHARE = 0.01  # shares below it are told together
NO_SHARE = 0.0005  # and not at all below this one

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
    counts = (size >= SMALL_SHARE).sum(1)
    large = np.where(size >= SMALL_SHARE, shares, 0.0).sum(1)
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
    if abs(rest) >= NO_SHARE:
        reasons.append(Reason(rest, "other evidence"))
    return tuple(reasons)


LEAST = 60  # pages with evidence before anything learned counts
SLOPE, SLOPE_STRENGTH = 0.35, 20.0
ALPHA_HASHED, ALPHA_DENSE = 1.0, 20.0
HOST_BONUS = 0.3
LEVEL_RATE = 0.05
COST = 0.05  # of a request in vain, in the worth of a page
HASHED, HOST_PAGES, FOLDER_PAGES = (
    NAMES.index(name) for name in ("hashed words", "pages of the host", "pages of the directory")
)


@dataclass(frozen=True, slots=True)
class Weights:
    """What a user may change: `opening` (0: only a page's own worth counts), `wide` (0: no looking around when dry).

    `without`: kinds of evidence, named as in `score_shares.EVIDENCE`, that are not looked at.
    """

    opening: float = 0.3
    wide: float = 0.3
    without: tuple[str, ...] = ()


USUAL = Weights()
_LEFT_OUT_AT_0 = {"words": "topic words", "layers": "predecessor layers", "graph": "link graph"}


def weights_of(parameters: Mapping[str, float]) -> Weights:
    """The weights by the names of a crawl's parameters; what is not given is as usual."""
    without = tuple(kind for name, kind in _LEFT_OUT_AT_0.items() if not parameters.get(name, 1))
    return Weights(parameters.get("opening", USUAL.opening), parameters.get("wide", USUAL.wide), without)


class Learner:
    """See the module's text."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.trust = 0.0
        self._guard = Trust()
        self._dense: DenseRidge | None = None
        self._hashed: HashedRidge | None = None
        self._slope, self._base = SLOPE, 0.0
        self._spread, self._level, self._high = 0.1, 0.0, 0.0

    def hashed(self, tokens: Ints) -> Floats:
        """What hashed words are worth."""
        return np.zeros(len(tokens)) if self._hashed is None else self._hashed.predict(tokens)

    def weights_of(self, numbers: Ints) -> Floats:
        """What each of these hashed words is worth by itself."""
        return np.zeros(len(numbers)) if self._hashed is None else self._hashed.weights[numbers].astype(float)

    def value(self, x: Floats) -> Floats:
        """What rows of dense evidence are worth if they are pages."""
        found = (1 - self.trust) * self._prior(x) + self._bonus(x)
        if self._dense is not None:
            found += self.trust * self._learned(x, self._dense)
        return found

    def _prior(self, x: Floats) -> Floats:
        found: Floats = self._slope * x[:, PRIOR] + self._base
        return found

    def _learned(self, x: Floats, dense: DenseRidge) -> Floats:
        found: Floats = 0.5 * (dense.predict(x) + x[:, HASHED])
        return found

    def shares(self, x: Floats, odds: Floats) -> Floats:
        """The parts of the score's sum, a column for each of `score_shares.KINDS`."""
        parts = np.zeros_like(x)
        parts[:, PRIOR] = (1 - self.trust) * self._slope * x[:, PRIOR]
        level = (1 - self.trust) * self._base
        if self._dense is not None and self._hashed is not None:
            parts += 0.5 * self.trust * self._dense.parts(x)
            parts[:, HASHED] += 0.5 * self.trust * (x[:, HASHED] - self._hashed.mean)
            level += 0.5 * self.trust * (self._dense.mean + self._hashed.mean)
        own = np.column_stack([grouped(parts), self._bonus(x), np.full(len(x), level)])
        return np.column_stack([own, (odds - 1) * (own.sum(1) + COST)])

    def follow(self, chosen: float, snapshot: Floats, n: int) -> None:
        """An address with this score was chosen by this evidence, page number n; a seed has neither (-inf, nan)."""
        x = snapshot[np.newaxis]
        if chosen > -inf:
            self._level += LEVEL_RATE * (chosen - self._level)
        self._guard.hear(float(self._prior(x)[0]), float(self._learned(x, self._dense)[0]) if self._dense else nan)
        self.trust = self._guard.share(n) if self._dense else 0.0

    def fit(self, tokens: Ints, snapshots: Floats, y: Floats, best: Floats, n: int) -> None:
        """Learn from the last of n pages: words, evidence when they were chosen (nan: none), what they were worth."""
        self._spread = float(y.std())
        self._high = float(np.percentile(y, 95))
        worth = y + self.weights.opening * best
        self._guard.compare(worth)
        self._hashed = fit_hashed(tokens, worth, ALPHA_HASHED)
        seen = ~np.isnan(snapshots[:, 0])
        if not seen.any():
            return
        x, worth = snapshots[seen], worth[seen]
        prior = x[:, PRIOR]
        p, w = prior - prior.mean(), worth - worth.mean()
        slope = (p @ w + SLOPE_STRENGTH * SLOPE) / (p @ p + 0.001 * len(y) + SLOPE_STRENGTH)
        self._slope = max(0.02, float(slope))
        self._base = float(worth.mean() - self._slope * prior.mean())
        if len(worth) >= LEAST:
            self._dense = fit_dense(x, worth, ALPHA_DENSE)
            self.trust = self._guard.share(n)

    def _bonus(self, x: Floats) -> Floats:
        dry = self.weights.wide * self.dryness
        host, folder = _unseen(x[:, HOST_PAGES]), _unseen(x[:, FOLDER_PAGES])
        found: Floats = self._spread * ((HOST_BONUS + dry) * host + dry * folder)
        return found

    @property
    def dryness(self) -> float:
        """0 while links half as good as the best pages found are at hand, 1 when what is left is worth nothing."""
        return min(1.0, max(0.0, 1 - 2 * self._level / self._high)) if self._high > 0 else 0.0

    def remember(self) -> dict[str, Any]:
        """What was learned."""
        dense, hashed = self._dense, self._hashed
        return {
            "trust": self._guard.remember(),
            "numbers": [self.trust, self._slope, self._base, self._spread, self._level, self._high],
            "dense": dense
            and [pack_array(dense.centre), pack_array(dense.size), pack_array(dense.weights), dense.mean],
            "hashed": hashed and [pack_array(hashed.weights), hashed.mean],
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.trust, self._slope, self._base, self._spread, self._level, self._high = memory["numbers"]
        self._guard.restore(memory["trust"])
        if memory["dense"]:
            centre, size, weights, mean = memory["dense"]
            self._dense = DenseRidge(unpack_array(centre), unpack_array(size), unpack_array(weights), mean)
        if memory["hashed"]:
            weights, mean = memory["hashed"]
            self._hashed = HashedRidge(unpack_array(weights), mean)


def expected(value: Floats, odds: Floats) -> Floats:
    """The score of what is worth `value` if it is a page."""
    found: Floats = odds * value - (1 - odds) * COST
    return found


def worth_of(score: float, odds: float) -> float:
    """The value that has this score."""
    return (score + (1 - odds) * COST) / odds


def _unseen(logs: Floats) -> Floats:
    """1/sqrt(1 + pages) - 0.2, not below 0; `logs`: log(1 + pages)."""
    found: Floats = np.maximum(0.0, np.exp(-0.5 * logs) - 0.2)
    return found
