"""From evidence to a score: a fixed prior, two ridges that take over from it, and a bonus for what was seldom seen.

    value = a (hashed + dense)/2 + (1 - a)(slope prior + base) + bonus,     a: see `fused.learner.trust`
    score = odds value - (1 - odds) cost,                                   odds: see `fused.evidence.page_odds`
    worth of a page = y + opening best                                      what the ridges learn

y is the denoised judgement (`semantic.strategies.fused.learner.learning_target`). `best` is what a page opened: the
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
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantic.memory.array_packing import pack_array, unpack_array
from semantic.strategies.fused.evidence.dense_features import NAMES, PRIOR
from semantic.strategies.fused.learner.ridge_regression import DenseRidge, HashedRidge, fit_dense, fit_hashed
from semantic.strategies.fused.learner.score_shares import grouped
from semantic.strategies.fused.learner.trust import Trust

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

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
