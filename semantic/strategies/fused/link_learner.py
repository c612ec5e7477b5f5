"""From evidence to a score: a fixed prior, two ridge regressions that replace it, and a bonus for rarely seen places.

At the end of the file: what the link graph says about a waiting link.

**Score**

    value = a (hashed + dense)/2 + (1 - a)(slope prior + base) + bonus,     a: see Trust
    score = odds value - (1 - odds) cost,                                   odds: see `crawl_evidence`
    worth of a page = y + opening best                                      what the ridges learn

y is the denoised judgement, see Target. `best` is what a page opened: the largest worth, above the going rate, of an
address that it was the first to link to. That is y for a fetched address, otherwise its score. The going rate is the
mean y of the last 50 pages, so a way to better pages counts only while such pages are wanted; while the queue is full
of them it counts nothing. Scores contain predictions of `best`, so learning reaches back over several links: fitted
Q-iteration (Ernst et al. 2005) with the discount `opening`.

The prior (`crawl_evidence.prior_of`) is not learned. Its slope is shrunk to `SLOPE`, because fetched pages were chosen
by the prior; among them it seems to predict less than it does.

    slope = max(.02, (sum P y + 20 SLOPE)/(sum P^2 + .001 n + 20)),  P and y centred

    bonus = sd(y) ((.3 + wide dry) u(pages of the host) + wide dry u(pages of the directory)),  u(k) = 1/sqrt(1+k) - .2
    dry   = max(0, 1 - 2 level/high), level the running mean of the scores that were chosen, high y's 95th percentile

While links half as good as the best are available (dry is 0), there is no need to explore. When there are none (dry is
1), exploring is all that is left. So exploration needs no schedule.

**Target.** What the learner predicts: the page's judgement, denoised by its neighbourhood. Pages of one directory, and
pages that link to each other, are often about the same, while a page's own text may say little. With r the page's
judgement (at most 1) and m its mean over all pages:

    y = (r + m + a (dir - m) + b (in - m)) / 2,  not below 0
    dir   mean of r over the other pages down the chain host, directories, each level shrunk towards the one above
    in    (sum of r of the linking pages + m) / (n_in + 1)
    a, b  not below 0: those that predict r best, sum (r - m - a (dir - m) - b (in - m))^2 + 5 var(r) (a^2 + b^2)
    flattened: y := q min(y/q, 1.3)^0.6, q the 95th percentile of y

So the crawl learns how much a page's directory and its linking pages say: on a site in one directory nothing, on one
with a directory for each subject nearly everything.

**Trust.** How much the learned part counts against the prior: by what each predicted for pages before they came.

    a = n/(n + 100) min(1, 2 (g + 2 s)), not below 0      n pages fetched
    g, s    over the last 200 pages: worth = c + b prior + g learned, by least squares, and the standard error of g

With g = 0 the learned part predicted nothing beyond the prior. (Stacked regressions, Wolpert 1992 and Breiman 1996, use
b and g as weights. Here they only guard against failure: pages are chosen for what was learned of them, so these 200
are similar in it and say little about its value, but something about its failure.) So the learned part gains weight
with the number of pages, and loses it, down to 0, if g is below 1/2 by two standard errors or more.

**Ridges.** Linear regression with a penalty on its weights (Hoerl and Kennard 1970), over dense evidence and over
hashed words.

**Reasons.** A score is a sum of shares, one for each kind of evidence.

**Link graph.** What G_w says about a waiting link: which fetched pages have similar links, and what they led to. This
is paper J's evidence in a form that fits the other kinds. A link is its triple (anchor text, address, words around it)
as hashed words; a fetched page is represented by the triples of the links to it.

    Q(v) = max(y(v), gamma max of Q over the pages that v links to in G_w)      formulas 17 and 18; r(v) = y(v), the
                                                                                denoised worth of v, also on the way
    likeness(l, v) = sum of idf over the words of both / sum of idf over the words of l       at most 1
    evidence(l) = (sum likeness^2 Q + S m)/(sum likeness^2 + S), over the K pages most like l; m the mean of Q

G_w has the ways by which the crawl found its results. Pages outside of it have Q = y, also those that lead to a result
in another way. Words that occur for more than one page in ten are left out. The ridges give this evidence little
weight, because words, templates and anchors of links say the same: without it the order is as good
(benchmarks/orders.md). What is learned of delayed benefit is `best`, above.

**Predecessor layers** (Diligenti et al. 2000) are learned from the same graph: for the pages d = 1 and 2 links before
the nearest result, the words typical of the links to them.

    weight_d(t) = log((n_dt + 1/2)/(n_d + 1)) - log((n_t + 1/2)/(n + 1)),   of a link: the mean over its words

n_dt of the n_d pages of layer d have word t, n_t of all n pages. A layer of fewer than `FEW` pages is not used.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, nan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import SIZE
from semantic.learning.sparse_matrices import Sparse, least_squares, sparse, used_columns
from semantic.links.link_reading import ANCHOR_SLOTS, CONTEXT_SLOTS, PLACE_SLOTS, TEMPLATE_SLOTS
from semantic.memory.strategy_memory import Remembering
from semantic.reasons import Reason, because
from semantic.strategies.fused.crawl_evidence import GROUP_K, NAMES, PARENT_K, PRIOR
from semantic.strategies.fused.waiting_addresses import TokenTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

SHRINK = 5.0  # pages' worth of evidence against the neighbourhood: the 5 in Target; chosen, not measured


def smoothed(r: Floats, chain: Ints, linked: Floats) -> Floats:
    """y of fetched pages. `chain`: groups of each; `linked`: r of the pages that link to each, nan for none."""
    r = np.minimum(r, 1.0)
    m = float(r.mean())
    there = ~np.isnan(linked)
    found_in = (np.where(there, linked, 0.0).sum(1) + m) / (there.sum(1) + 1)
    around = np.column_stack([without_own(r, chain, m), found_in]) - m
    return flattened(np.maximum(0.0, (r + m + around @ _not_negative(around, r - m, SHRINK * float(r.var()))) / 2))


def _not_negative(x: Floats, y: Floats, penalty: float) -> Floats:
    """The two weights, none below 0, with the least sum (y - x w)^2 + penalty w^2.

    If the best pair has a negative weight, the best one is on the border: there one weight is 0.
    """
    square, product = x.T @ x + penalty * np.eye(2), x.T @ y
    both = np.linalg.lstsq(square, product)[0]
    if (both >= 0).all():
        return np.asarray(both)
    alone = [max(0.0, p / s) if s > 0 else 0.0 for p, s in zip(product, square.diagonal(), strict=True)]
    gains = [one * p for one, p in zip(alone, product, strict=True)]
    return np.array([alone[0], 0.0] if gains[0] >= gains[1] else [0.0, alone[1]])


def without_own(r: Floats, chain: Ints, m: float) -> Floats:
    """For each page the shrunk mean of r over the other pages, down the chain of groups."""
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
    """Reduce differences between good and very good pages. Flattening gained .01 (../shared/research/orders.md)."""
    q = float(np.percentile(y, 95)) or 1.0
    found: Floats = q * np.minimum(y / q, 1.3) ** 0.6
    return found


COMPARED = 200  # recent pages over which predictions are compared; chosen, not measured
# pages at which the learned part counts as much as the prior: 50 and 200 were no better on webs left out
HALF = 100
ENOUGH = 0.5  # g from which on no trust is lost; chosen, not measured
ERRORS = 2  # standard errors by which g may fall short; chosen, not measured
NO_DIFFERENCE = 1e-9  # sum of squares below which a predictor is constant


class Trust(Remembering):
    """Trust: see the module's text."""

    KEPT: ClassVar = {"_said": deque[tuple[float, float]], "_kept": float}

    def __init__(self) -> None:
        # predictions for the last pages: by the prior, by the learned part
        self._said: deque[tuple[float, float]] = deque(maxlen=COMPARED)
        self._kept = 1.0

    def hear(self, prior: float, learned: float) -> None:
        """Store what was predicted for the page that comes now; nan for nothing."""
        self._said.append((prior, learned))

    def compare(self, worth: Floats) -> None:
        """Compare the predictions with the worth of the last pages."""
        count = min(len(self._said), len(worth))
        said = np.array(self._said).reshape(-1, 2)[len(self._said) - count :]
        there = ~np.isnan(said).any(1)
        prior, learned = said[there].T
        self._kept = _kept(prior, learned, worth[len(worth) - count :][there])

    def share(self, n: int) -> float:
        """a, after n pages."""
        return n / (n + HALF) * self._kept


def _kept(prior: Floats, learned: Floats, worth: Floats) -> float:
    """The factor min(1, 2 (g + 2 s)) of the module's text."""
    freedom = len(worth) - 3
    if freedom < 1:
        return 1.0
    p, x, y = prior - prior.mean(), learned - learned.mean(), worth - worth.mean()
    if p @ p > NO_DIFFERENCE:  # remove what the prior already explains
        x, y = x - (x @ p) / (p @ p) * p, y - (y @ p) / (p @ p) * p
    if x @ x <= NO_DIFFERENCE:
        return 1.0
    g = (x @ y) / (x @ x)
    left = y - g * x
    error = np.sqrt(left @ left / (freedom * (x @ x)))
    return float(np.clip((g + ERRORS * error) / ENOUGH, 0.0, 1.0))


# weights of words by slot: ../shared/research/orders.md
SLOT_WEIGHT = np.array(
    [1.0] * PLACE_SLOTS + [1.0] * ANCHOR_SLOTS + [0.7] * CONTEXT_SLOTS + [0.7] * TEMPLATE_SLOTS, np.float32
)


@dataclass(frozen=True, slots=True)
class DenseRidge:
    """A ridge regression over standardised columns."""

    centre: Floats
    size: Floats
    weights: Floats
    mean: float

    def predict(self, x: Floats) -> Floats:
        """Predictions for rows."""
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
    """A ridge regression over token numbers in slots; number 0 weighs nothing."""

    weights: NDArray[np.float32]
    mean: float

    def predict(self, tokens: Ints) -> Floats:
        """Predictions for rows of tokens."""
        found: Floats = (self.weights.take(tokens) @ SLOT_WEIGHT).astype(float) + self.mean
        return found


def fit_hashed(tokens: Ints, y: Floats, alpha: float) -> HashedRidge:
    """Minimise the same over 2^18 columns, in at most 40 steps of conjugate gradients (LSMR, Fong and Saunders
    2011).
    """
    n, slots = tokens.shape
    there = tokens.ravel() > 0
    numbers = tokens.ravel()[there]
    # as doubles, because scipy would convert them for each product
    data = np.tile(SLOT_WEIGHT.astype(np.float64), n)[there]
    starts = np.concatenate([[0], np.cumsum(there.reshape(n, slots).sum(1))])
    used, columns = used_columns(numbers, SIZE)
    x = sparse((data, columns, starts), (n, len(used)))
    mean = float(y.mean())
    found = least_squares(x, y - mean, damp=alpha**0.5, steps=40)
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
SMALL_SHARE = 0.01  # smaller shares are combined into one reason
NO_SHARE = 0.0005  # and left out if together they are below this

_AS_REASON = partial(tuple.__new__, Reason)  # avoids a Python call for each reason

_GROUPING = np.array([[float(name in names) for names in EVIDENCE.values()] for name in NAMES])


def columns_of(kinds: Sequence[str]) -> list[int]:
    """The columns of `NAMES` that belong to these kinds of evidence."""
    return [NAMES.index(name) for kind in kinds for name in EVIDENCE[kind]]


def grouped(contributions: Floats) -> Floats:
    """Sum the shares of columns (one row for each address) to shares of `EVIDENCE`."""
    found: Floats = contributions @ _GROUPING
    return found


def reasons_of(shares: Floats) -> list[tuple[Reason, ...]]:
    """The reasons for each row of shares by `KINDS`, the largest first. Small shares are combined."""
    size = np.abs(shares)
    order = np.argsort(-size, axis=1, kind="stable")
    counts = (size >= SMALL_SHARE).sum(1)
    large = np.where(size >= SMALL_SHARE, shares, 0.0).sum(1)
    rest = shares.sum(1) - large
    rows = zip(shares.tolist(), order.tolist(), counts.tolist(), rest.tolist(), strict=True)
    return [_reasons_of_row(share, kinds[:count], other) for share, kinds, count, other in rows]


def with_similar_page(reasons: tuple[Reason, ...], page: str, q: float) -> tuple[Reason, ...]:
    """Add to the reasons the page of the link graph that the link is most similar to."""
    like = (because("like the link", page=page, q=float(q)),)
    return tuple(reason._replace(evidence=like) if reason.kind == LINK_GRAPH else reason for reason in reasons)


def _reasons_of_row(shares: Sequence[float], kinds: Sequence[int], rest: float) -> tuple[Reason, ...]:
    reasons = [_AS_REASON((KINDS[kind], shares[kind], (), "", ())) for kind in kinds]
    if abs(rest) >= NO_SHARE:
        reasons.append(Reason("other evidence", rest))
    return tuple(reasons)


LEAST = 60  # pages with evidence before the dense ridge is used: ../shared/research/orders.md
# 0.2 and 0.6 were no better on webs left out
SLOPE, SLOPE_STRENGTH = 0.35, 20.0
# hashed 4 and dense 5 were no better on webs left out
ALPHA_HASHED, ALPHA_DENSE = 1.0, 20.0
# 0.6 was no better on webs left out
HOST_BONUS = 0.3
# rate of the running mean `level`: ../shared/research/orders.md
LEVEL_RATE = 0.05
COST = 0.05  # of a request without a page, in units of a page's worth; chosen, not measured
HASHED, HOST_PAGES, FOLDER_PAGES = (
    NAMES.index(name) for name in ("hashed words", "pages of the host", "pages of the directory")
)


@dataclass(frozen=True, slots=True)
class Weights:
    """What a user may change. `opening`: 0 counts only a page's own worth. `wide`: 0 means no extra exploration when
    dry.

    `without`: kinds of evidence, as in `EVIDENCE`, that are not used. 0 and 0.6 for `opening`, 0 and 1 for
    `wide` were no better on webs left out.
    """

    opening: float = 0.3
    wide: float = 0.3
    without: tuple[str, ...] = ()


USUAL = Weights()
_LEFT_OUT_AT_0 = {"words": "topic words", "layers": "predecessor layers", "graph": "link graph"}


def weights_of(parameters: Mapping[str, float]) -> Weights:
    """The weights from a crawl's parameters; the default for each that is missing."""
    without = tuple(kind for name, kind in _LEFT_OUT_AT_0.items() if not parameters.get(name, 1))
    return Weights(parameters.get("opening", USUAL.opening), parameters.get("wide", USUAL.wide), without)


class Learner(Remembering):
    """The learner: see the module's text."""

    KEPT: ClassVar = {
        "_guard": Remembering,
        **dict.fromkeys(("trust", "_slope", "_base", "_spread", "_level", "_high"), float),
        "_dense": DenseRidge | None,
        "_hashed": HashedRidge | None,
    }

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.trust = 0.0
        self._guard = Trust()
        self._dense: DenseRidge | None = None
        self._hashed: HashedRidge | None = None
        self._slope, self._base = SLOPE, 0.0
        self._spread, self._level, self._high = 0.1, 0.0, 0.0

    def hashed(self, tokens: Ints) -> Floats:
        """The worth that hashed words predict, for rows of tokens."""
        return np.zeros(len(tokens)) if self._hashed is None else self._hashed.predict(tokens)

    def weights_of(self, numbers: Ints) -> Floats:
        """The worth of each of these hashed words alone."""
        return np.zeros(len(numbers)) if self._hashed is None else self._hashed.weights[numbers].astype(float)

    def value(self, x: Floats) -> Floats:
        """The value of rows of dense evidence, if they are pages."""
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
        """The parts of the score's sum, one column for each of `KINDS`."""
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
        """Note that an address was chosen with this score and evidence, as page number n. For a seed they are -inf and
        nan.
        """
        x = snapshot[np.newaxis]
        if chosen > -inf:
            self._level += LEVEL_RATE * (chosen - self._level)
        self._guard.hear(float(self._prior(x)[0]), float(self._learned(x, self._dense)[0]) if self._dense else nan)
        self.trust = self._guard.share(n) if self._dense else 0.0

    def fit(self, tokens: Ints, snapshots: Floats, y: Floats, best: Floats, n: int) -> None:
        """Learn from the last of n pages: words, evidence when they were chosen (nan: none), and worth."""
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
        """0 while links half as good as the best pages found are available, 1 when what is left is worth nothing."""
        return min(1.0, max(0.0, 1 - 2 * self._level / self._high)) if self._high > 0 else 0.0


def expected(value: Floats, odds: Floats) -> Floats:
    """The score of an address with this value and these odds."""
    found: Floats = odds * value - (1 - odds) * COST
    return found


def worth_of(score: float, odds: float) -> float:
    """The value that has this score."""
    return (score + (1 - odds) * COST) / odds


def _unseen(logs: Floats) -> Floats:
    """1/sqrt(1 + pages) - 0.2, at least 0. `logs`: log(1 + pages)."""
    found: Floats = np.maximum(0.0, np.exp(-0.5 * logs) - 0.2)
    return found


Edges = NDArray[np.int64]

# discount of Q; 0.5 was tried with the prototype (../shared/research/orders.md)
GAMMA = 0.5
# most similar pages used; chosen, not measured
K = 8
# weight of the mean Q; chosen, not measured
S = 0.3
# share of pages above which a word is left out; chosen, not measured
COMMON = 0.1
# predecessor layers that are learned
DEPTHS = 2
# pages that a layer must have; chosen, not measured
FEW = 5
SWEEPS = 4  # links over which Q is passed back; chosen, not measured
_FAR = DEPTHS + 1


Similar = tuple[NDArray[np.float32], NDArray[np.int32]]


def _most_similar(tokens: Ints, postings: Sparse, k: int) -> Similar:
    """For each row of tokens: the k pages with the largest sums of shared words' values, and these sums.

    The largest first; of equal ones the lower page. `postings`: a row for each word, a column for each page.
    """
    n, slots = tokens.shape
    ones = np.ones(tokens.size, np.float32)
    sums = (sparse((ones, tokens.ravel(), np.arange(n + 1) * slots), (n, SIZE)) @ postings).toarray()
    every = np.arange(n)
    best, nearest = np.empty((n, k), np.float32), np.empty((n, k), np.int32)
    for rank in range(k):  # all pages in order would take longer
        nearest[:, rank] = page = sums.argmax(1)
        best[:, rank] = sums[every, page]
        sums[every, page] = -1
    return best, nearest


class Vertices(Remembering):
    """The pages fetched until the last link graph was read: words, Q, layers."""

    KEPT: ClassVar = dict.fromkeys(("rows", "_q", "_layer"), np.ndarray)

    def __init__(self) -> None:
        self.rows: Ints = np.zeros(0, np.int32)
        self._q: Floats = np.zeros(0)
        self._q_of: dict[int, float] = {}
        self._layer: Ints = np.zeros(0, np.int32)
        self._idf: NDArray[np.float32] = np.zeros(SIZE, np.float32)
        self._entries: tuple[Any, ...] = ()  # of the matrix below that is still to be made
        self._postings: Sparse = None
        self._typical: list[NDArray[np.float32]] = []

    def __len__(self) -> int:
        return len(self.rows)

    def learn(self, rows: Ints, tokens: Ints, q: Floats, layer: Ints) -> None:
        """Set the pages: rows, hashed words, Q, and number of links to the nearest result (above `DEPTHS`: farther)."""
        self.rows, self._q, self._layer = rows, q, layer
        self._q_of = dict(zip(rows.tolist(), q.tolist(), strict=True))
        n = len(rows)
        page, slot = np.nonzero(tokens)
        word = tokens[page, slot]
        df = np.bincount(word, minlength=SIZE)
        self._idf = np.where(df <= COMMON * n, np.log(n / np.maximum(df, 1)), 0.0).astype(np.float32)
        self._idf[0] = 0  # no word
        is_used = self._idf[word] > 0
        self._entries = (self._idf[word[is_used]], (word[is_used], page[is_used]))
        self._typical = [_typical(word, page, df, layer == d + 1) for d in range(DEPTHS)]

    def layers(self, tokens: Ints) -> Floats:
        """For rows of hashed words: how typical they are of links to pages of layers 1 and 2."""
        if not len(self):
            return np.zeros((len(tokens), DEPTHS))
        count = np.maximum(1, (tokens > 0).sum(1))
        each = np.ones(tokens.shape[1], np.float32)
        return np.column_stack([weights.take(tokens) @ each / count for weights in self._typical]).astype(float)

    def evidence(self, tokens: Ints) -> tuple[Floats, Ints]:
        """For rows of hashed words: the evidence, and the row of the most similar page."""
        if self._entries:  # made where it is asked for, as `status` does not, and loading scipy takes time
            self._postings, self._entries = sparse(self._entries, (SIZE, len(self))), ()
        weight = self._idf[tokens]
        shared, nearest = _most_similar(tokens, self._postings, min(K, len(self)))
        square = (shared / np.maximum(weight.sum(1), 1e-6)[:, None]).astype(float) ** 2
        found = ((square * self._q[nearest]).sum(1) + S * self._q.mean()) / (square.sum(1) + S)
        return found, self.rows[nearest[:, 0]]

    def q_of(self, row: int) -> float | None:
        """Q of a page; None if it is not among them."""
        return self._q_of.get(row)

    def learn_again(self, tokens: TokenTable) -> None:
        """Learn the pages that were taken back. `tokens`: the words of all rows."""
        if len(self.rows):
            self.learn(self.rows, tokens[self.rows], self._q, self._layer)


def values(edges: Edges, y: Floats) -> Floats:
    """Q of pages numbered from 0. `edges`: pairs of page and page it links to."""
    q = y.copy()
    for _ in range(SWEEPS):
        onward = np.zeros(len(y))
        np.maximum.at(onward, edges[:, 0], q[edges[:, 1]])
        q = np.maximum(y, GAMMA * onward)
    return q


def layers(edges: Edges, results: Sequence[int], n: int) -> Ints:
    """Number of links from each of n pages to the nearest result; `DEPTHS` + 1 for all that are farther."""
    layer = np.full(n, _FAR, np.int32)
    layer[list(results)] = 0
    for _ in range(DEPTHS):
        np.minimum.at(layer, edges[:, 0], layer[edges[:, 1]] + 1)
    return layer


def _typical(
    word: Ints, page: NDArray[np.int64], df: NDArray[np.int64], inside: NDArray[np.bool_]
) -> NDArray[np.float32]:
    n, n_layer = len(inside), int(inside.sum())
    if n_layer < FEW:
        return np.zeros(SIZE, np.float32)
    counts = np.bincount(word[inside[page]], minlength=SIZE)
    weight = np.log((counts + 0.5) / (n_layer + 1)) - np.log((df + 0.5) / (n + 1))
    return np.where(df > 0, weight, 0.0).astype(np.float32)
