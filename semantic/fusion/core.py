"""The learner of the default strategy: evidence in, places in the queue out. Knows nothing of pages' text or of Python objects.

score = a (hashed + dense)/2 + (1 - a)(slope prior + base) + bonus,  a = n/(n + 100), n pages fetched
bonus = 0.3 sd(y) max(0, 1/sqrt(1 + n_host) - 0.2)
"""

import os
from collections.abc import Mapping
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semantic.fusion.features import NAMES, Pages, dense, innermost
from semantic.fusion.hindsight import Counted, Hindsight
from semantic.fusion.memory import packed, unpacked
from semantic.fusion.places import place_of
from semantic.fusion.reading import Saying
from semantic.fusion.reasons import grouped, told
from semantic.fusion.ridge import DenseRidge, HashedRidge, fit_dense, fit_hashed
from semantic.fusion.statistics import Groups
from semantic.fusion.target import smoothed
from semantic.fusion.tokens import token, tokens, words
from semantic.fusion.waiting import (
    ANCHOR_SLOTS,
    CONTEXT_SLOTS,
    PLACE_SLOTS,
    RING,
    TEMPLATE_SLOTS,
    Addresses,
)
from semantic.relevance import Reason

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

FIRST_FITS = (25, 50, 75)
FIT_EVERY = 100
SWEEP_EVERY = 25
LEAST = 60  # snapshots before anything learned counts
SLOPE = 0.35
POOL = 2000
LOOK = 24
RATE = 50  # pages whose mean worth is the going rate
CHANCE = 1e-4  # what chance adds at most: it breaks ties
PRIOR, HASHED, HOST_PAGES, FOLDER_PAGES = (
    NAMES.index(name) for name in ("prior", "hashed words", "pages of the host", "pages of the directory")
)


class Fusion:
    def __init__(self, hindsight: Hindsight, seed: int = 0) -> None:
        self.seed = seed
        self.opening = float(os.environ.get('OPENING', '0'))
        self.hindsight = hindsight
        self.addresses = Addresses()
        self.groups = Groups()
        self.pages = Pages()
        self.fetched: list[int] = []
        self.snapshots: list[Floats] = []
        self.r: list[float] = []
        self.total = 0.0
        self.dense: DenseRidge | None = None
        self.hashed: HashedRidge | None = None
        self.slope, self.base = SLOPE, 0.0
        self.spread = 0.1
        self.level, self.high = 0.0, 0.0
        self.explored = 0
        self.wide = float(os.environ.get('WIDE', '0'))
        self.pool: Ints = np.zeros(0, np.int32)
        self.looked_rows: Ints = np.zeros(0, np.int32)
        self.looked: Floats = np.zeros((0, len(NAMES)))
        self._chains: dict[tuple[str, ...], list[int]] = {}
        self._anchor_tokens: dict[str, list[int]] = {}
        self._template_tokens: dict[str, list[int]] = {}

    # --- state
    @property
    def n(self) -> int:
        return len(self.fetched)

    @property
    def mean(self) -> float:
        return (self.total + 1.0) / (self.n + 10)

    def row_of(self, url: str) -> int:
        row = self.addresses.rows.get(url)
        if row is None:
            row = self.addresses.add(url)
            place = place_of(url)
            at = self.addresses.at
            chain = self._chains.get(place.chain)
            if chain is None:
                chain = [self.groups.number(f"d {key}" if key else "") for key in place.chain]
                self._chains[place.chain] = chain
            at["chain"][row] = chain
            at["folders"][row] = place.depth
            at["tokens"][row, : len(place.tokens)] = place.tokens
            at["sent"][row] = -np.inf
            at["first"][row] = self.n
            at["chance"][row] = CHANCE * (crc32(url.encode(), self.seed) / 2**32)
            at["score"][row] = -np.inf
        return row

    def forget(self, url: str, successor: str | None) -> None:
        row = self.addresses.rows.get(url)
        if row is None:
            return
        if successor is None:
            self.addresses.at["ended"][row] = True
            return
        if successor in self.addresses.rows:
            self._merge(row, self.addresses.rows[successor])
        else:
            other = self.row_of(successor)
            self.addresses.at["first"][other] = self.addresses.at["first"][row]
            self._merge(row, other)
        self.addresses.at["ended"][row] = True
        self.addresses.rows[url] = self.addresses.rows[successor]

    def _merge(self, row: int, other: int) -> None:
        at = self.addresses.at
        if row == other or at["links"][other] >= RING:
            return
        kept = int(min(at["links"][row], RING))
        have = int(at["links"][other])
        kept = min(kept, RING - have)
        for name in ("pages", "templates", "places", "anchors"):
            at[name][other, have : have + kept] = at[name][row, :kept]
        at["links"][other] += kept
        at["masses"][other] = np.maximum(at["masses"][row], at["masses"][other])
        at["anchor_sum"][other] += at["anchor_sum"][row]
        at["foreign"][other] = max(at["foreign"][row], at["foreign"][other])
        at["position"][other] = at["position"][row]
        at["sent"][other] = max(at["sent"][row], at["sent"][other])
        if have == 0:
            at["depth"][other] = at["depth"][row]
            at["tokens"][other, PLACE_SLOTS:] = at["tokens"][row, PLACE_SLOTS:]

    def _snapshot(self, row: int) -> Floats:
        """The evidence by which the address was chosen: as last looked at, if nothing has come since."""
        at = np.flatnonzero(self.looked_rows == row)
        if len(at):
            found: Floats = self.looked[at[0]]
            return found
        return self._dense(np.array([row], np.int32))[0]

    def _look(self, rows: Ints) -> None:
        """Score rows that have changed, and the best of the pool with them."""
        at = self.addresses.at
        n, size = self.n, len(self.addresses)
        if n % FIT_EVERY == 0 or n in FIRST_FITS:
            pool = np.flatnonzero(~at["ended"][:size] & (at["links"][:size] > 0))
            for start in range(0, len(pool), 20000):
                self._score(pool[start : start + 20000])
        else:
            kept = self.pool[~at["ended"][self.pool]]
            pool = np.concatenate([kept, rows[~at["pooled"][rows]]])
            if n % SWEEP_EVERY == 0:
                self._score(kept)
        at["pooled"][pool] = True
        self.pool = pool
        at["fresh"][rows] = True
        best = self._best(pool, LOOK)
        rows = np.concatenate([rows, best[~at["fresh"][best]]])
        at["fresh"][rows] = False
        self.looked, self.looked_rows = self._score(rows), rows

    # --- memory
    def remember(self) -> dict[str, Any]:
        """All that is known, to the last bit."""
        dense, hashed = self.dense, self.hashed
        arrays = {
            "snapshots": np.array(self.snapshots).reshape(-1, len(NAMES)),
            "pool": self.pool,
            "looked rows": self.looked_rows,
            "looked": self.looked,
        }
        return {
            "features": list(NAMES),
            "addresses": self.addresses.remember(),
            "groups": self.groups.remember(),
            "hindsight": self.hindsight.remember(),
            "pages": self.pages.remember(),
            "fetched": self.fetched,
            "r": self.r,
            "numbers": [self.total, self.slope, self.base, self.spread, self.level, self.high],
            "arrays": {name: packed(array) for name, array in arrays.items()},
            "dense": dense and [packed(dense.centre), packed(dense.size), packed(dense.weights), dense.mean],
            "hashed": hashed and [packed(hashed.weights), hashed.mean],
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.addresses.restore(memory["addresses"])
        self.groups.restore(memory["groups"])
        self.hindsight.restore(memory["hindsight"])
        self.pages.restore(memory["pages"])
        self.fetched, self.r = list(memory["fetched"]), list(memory["r"])
        self.total, self.slope, self.base, self.spread, self.level, self.high = memory["numbers"]
        arrays = {name: unpacked(array) for name, array in memory["arrays"].items()}
        self.snapshots = list(arrays["snapshots"])
        self.pool, self.looked_rows, self.looked = arrays["pool"], arrays["looked rows"], arrays["looked"]
        if memory["dense"]:
            centre, size, weights, mean = memory["dense"]
            self.dense = DenseRidge(unpacked(centre), unpacked(size), unpacked(weights), mean)
        if memory["hashed"]:
            weights, mean = memory["hashed"]
            self.hashed = HashedRidge(unpacked(weights), mean)

    # --- a page has come
    def arrive(self, url: str, counted: Counted, saying: Saying) -> tuple[Ints, Floats]:
        """Learn of a page and of its links; rows and scores of the targets."""
        row = self.row_of(url)
        at = self.addresses.at
        snapshot = self._snapshot(row)
        if at["links"][row]:
            self.level += 0.05 * (float(at["score"][row] - at["chance"][row]) - self.level)
        at["ended"][row] = True
        self.fetched.append(row)
        self.snapshots.append(snapshot if at["links"][row] else np.full(len(NAMES), np.nan))
        self.hindsight.add(counted)
        r = min(self.hindsight.glance(counted), 1.0)
        self.r.append(r)
        number = self.n
        self._count_page(number, row, r)
        targets = self._take(row, number, saying)
        if self.n in FIRST_FITS or self.n % FIT_EVERY == 0:
            self._fit()
        waiting = targets[~self.addresses.at["ended"][targets]]
        self._look(waiting)
        at = self.addresses.at
        at["sent"][targets] = np.maximum(at["sent"][targets], at["score"][targets])
        return targets, at["score"][targets]

    def _count_page(self, number: int, row: int, r: float) -> None:
        at, groups, pages = self.addresses.at, self.groups, self.pages
        pages.grow(number)
        mean = self.mean
        chain = at["chain"][row]
        inner = int(innermost(chain[None])[0])
        groups.follow(int(chain[0]), r, 0.1, mean)
        if inner != chain[0]:
            groups.follow(inner, r, 0.15, mean)
        groups.add(chain, r)
        for name in ("templates", "places", "anchors"):
            groups.add(np.array(list(dict.fromkeys(at[name][row].tolist()))), r)
        linking = at["pages"][row]
        linking = linking[linking > 0]
        pages.value[number] = r
        pages.child_sum[linking] += r
        pages.child_count[linking] += 1
        before = pages.since[linking].min() + 1 if len(linking) else 0.0
        pages.since[number] = 0.0 if r > 0.4 else before
        self.total += r

    def _take(self, row: int, number: int, saying: Saying) -> Ints:
        at = self.addresses.at
        known = self.addresses.rows
        first_new = len(self.addresses)
        rows = np.array([known[url] if url in known else self.row_of(url) for url in saying.targets], np.int32)
        at = self.addresses.at
        if not len(rows):
            return rows
        anchors = np.array([self.groups.number(f"a {text}" if text else "") for text in saying.anchors], np.int32)
        templates = np.array([self.groups.number(f"t {path}") for path in saying.templates], np.int32)
        of_page = [f"p {number} {path}" for path in saying.templates]
        places = np.array([self.groups.number(path) for path in of_page], np.int32)
        self._tokens(rows, anchors, saying, first_new)
        once = list({row: i for i, row in enumerate(rows.tolist())}.values())  # two addresses of one page
        rows = rows[once]
        slot = at["links"][rows] % RING
        at["pages"][rows, slot] = number
        at["templates"][rows, slot] = templates[once]
        at["places"][rows, slot] = places[once]
        at["anchors"][rows, slot] = anchors[once]
        first = at["links"][rows] == 0
        at["depth"][rows[first]] = at["depth"][row] + 1
        at["links"][rows] += 1
        masses = saying.masses[once]
        at["masses"][rows] = np.maximum(at["masses"][rows], masses)
        at["anchor_sum"][rows] += masses[:, 0]
        at["foreign"][rows] = np.maximum(at["foreign"][rows], saying.foreign[once])
        at["position"][rows] = saying.position[once]
        return rows

    def _tokens(self, rows: Ints, anchors: Ints, saying: Saying, first_new: int) -> None:
        at = self.addresses.at
        said_before = (at["anchors"][rows] == anchors[:, None]).any(1)
        wanted = np.flatnonzero(~at["ended"][rows] & ~said_before)
        for i in wanted.tolist():
            row, anchor, path = int(rows[i]), saying.anchors[i], saying.templates[i]
            found = self._anchor_tokens.get(anchor)
            if found is None:
                found = self._anchor_tokens[anchor] = tokens("word", words(anchor), 12)
            template = self._template_tokens.get(path)
            if template is None:
                template = self._template_tokens[path] = [token("path", path), token("tag", path.rpartition("/")[2])]
            if row >= first_new and at["links"][row] == 0:
                before, after = saying.contexts[i]
                context = context_tokens(before, after)
                line = at["tokens"][row]
                line[PLACE_SLOTS : PLACE_SLOTS + len(found)] = found
                start = PLACE_SLOTS + ANCHOR_SLOTS
                line[start : start + len(context)] = context
                start += CONTEXT_SLOTS
                line[start : start + len(template)] = template
            else:
                self.addresses.fill(row, PLACE_SLOTS, ANCHOR_SLOTS, found)
                self.addresses.fill(row, PLACE_SLOTS + ANCHOR_SLOTS + CONTEXT_SLOTS, TEMPLATE_SLOTS, template)

    # --- scores
    def _hashed_scores(self, rows: Ints) -> Floats:
        if self.hashed is None:
            return np.zeros(len(rows))
        return self.hashed.predict(self.addresses.at["tokens"][rows])

    def _dense(self, rows: Ints) -> Floats:
        return dense(rows, self.addresses, self.groups, self.pages, self.mean, self._hashed_scores(rows))

    def _score(self, rows: Ints) -> Floats:
        """Score rows anew; the evidence looked at."""
        x = self._dense(rows)
        if len(rows):
            prior, bonus = x[:, PRIOR], self._bonus(x)
            found = self.slope * prior + self.base
            if self.dense is not None:
                learned = 0.5 * (self.dense.predict(x) + x[:, HASHED])
                found = self._trust * learned + (1 - self._trust) * found
            self.addresses.at["score"][rows] = found + bonus + self.addresses.at["chance"][rows]
        return x

    @property
    def _trust(self) -> float:
        return self.n / (self.n + 100) if self.dense is not None else 0.0

    def _bonus(self, x: Floats) -> Floats:
        """What a host or directory of which little was seen is worth beyond what is expected of it."""
        dry = self._dryness
        found: Floats = self.spread * (
            (0.3 + self.wide * dry) * _unseen(x[:, HOST_PAGES]) + self.wide * dry * _unseen(x[:, FOLDER_PAGES])
        )
        return found

    @property
    def _dryness(self) -> float:
        """0 while links as good as the best pages found are at hand, 1 when what is fetched is worth nothing."""
        return min(1.0, max(0.0, 1 - self.level / self.high)) if self.high > 0 else 0.0

    def reasons(self, rows: Ints) -> list[tuple[Reason, ...]]:
        """Why each of these rows has its score, as last looked at: what each kind of evidence adds."""
        place = {row: i for i, row in enumerate(self.looked_rows.tolist())}
        at = [place.get(row, -1) for row in rows.tolist()]
        x = self.looked[[i for i in at if i >= 0]]
        found = iter(told(self._shares(x)))
        return [next(found) if i >= 0 else () for i in at]

    def _shares(self, x: Floats) -> Floats:
        """The parts of the score's sum, a column for each of `reasons.KINDS`."""
        trust = self._trust
        parts = np.zeros_like(x)
        parts[:, PRIOR] = (1 - trust) * self.slope * x[:, PRIOR]
        level = (1 - trust) * self.base
        if self.dense is not None and self.hashed is not None:
            parts += 0.5 * trust * self.dense.parts(x)
            parts[:, HASHED] += 0.5 * trust * (x[:, HASHED] - self.hashed.mean)
            level += 0.5 * trust * (self.dense.mean + self.hashed.mean)
        return np.column_stack([grouped(parts), self._bonus(x), np.full(len(x), level)])

    # --- learning
    def _fit(self) -> None:
        at, n = self.addresses.at, self.n
        rows = np.array(self.fetched, np.int32)
        linking = at["pages"][rows]
        r = np.minimum(self.hindsight.judge(), 1.0)
        y = smoothed(r, at["chain"][rows], linking)
        self._recount(rows, y if os.environ.get("GY") else r)
        self.spread = float(y.std())
        self.high = float(np.percentile(y, 95))
        y = y + self.opening * np.log1p(self._opened(rows, y))
        self.hashed = fit_hashed(at["tokens"][rows], y, 1.0)
        x = np.array(self.snapshots)
        seen = ~np.isnan(x[:, 0])
        x, y = x[seen], y[seen]
        if len(y):
            prior = x[:, PRIOR]
            pc, yc = prior - prior.mean(), y - y.mean()
            self.slope = max(0.02, float((pc @ yc + 20 * SLOPE) / (pc @ pc + 0.001 * n + 20)))
            self.base = float(y.mean() - self.slope * prior.mean())
        if len(y) >= LEAST:
            self.dense = fit_dense(x, y, 20.0)

    def _opened(self, rows: Ints, y: Floats) -> Floats:
        """What each fetched page first showed the way to, above the going rate."""
        size = len(self.addresses)
        at = self.addresses.at
        value = np.where(at["ended"][:size] | (at["links"][:size] == 0), -np.inf, at["score"][:size])
        value[rows] = y
        rate = float(y[-RATE:].mean())
        gain = np.maximum(0.0, value - rate)
        gain[rows[at["links"][rows] == 0]] = 0.0
        if os.environ.get('OPENMODE') == 'max':
            best = np.zeros(self.n + 1)
            np.maximum.at(best, at["first"][:size], gain)
            return np.expm1(best[1:])
        return np.bincount(at["first"][:size], gain, self.n + 1)[1:]

    def _recount(self, rows: Ints, r: Floats) -> None:
        at, pages = self.addresses.at, self.pages
        n = len(rows)
        members = [at["chain"][rows], *(_once(at[name][rows]) for name in ("templates", "places", "anchors"))]
        self.groups.rebuild(np.column_stack(members), r)
        linking = at["pages"][rows]
        size = len(pages.value)
        pages.value[1 : n + 1] = r
        pages.child_sum = np.bincount(linking.ravel(), np.repeat(r, RING), size)
        pages.child_count = np.bincount(linking.ravel(), minlength=size).astype(float)
        pages.child_sum[0] = pages.child_count[0] = 0
        self.total = float(r.sum())

    # --- what has changed
    def revise(self) -> Ints:
        """Rows whose place in the queue must be told anew."""
        return self._unsent()

    def _best(self, rows: Ints, most: int) -> Ints:
        if len(rows) <= most:
            return rows
        score = self._height(rows)
        return rows[np.argpartition(-score, most)[:most]]

    def _height(self, rows: Ints) -> Floats:
        at = self.addresses.at
        return np.maximum(at["score"][rows], at["sent"][rows])

    def _unsent(self) -> Ints:
        """Of the pool: what has risen to the top, and what the queue still holds above its place there."""
        at, pool = self.addresses.at, self.pool
        score, sent = at["score"][pool], at["sent"][pool]
        cut = -np.partition(-score, LOOK)[LOOK] if len(pool) > LOOK else -np.inf
        changed = (score != sent) & ((score >= cut) | (sent > cut))
        found = pool[changed]
        at["sent"][found] = at["score"][found]
        if len(pool) > 2 * POOL:
            self.pool = self._best(pool, POOL)
            at["pooled"][pool] = False
            at["pooled"][self.pool] = True
        return found


def _unseen(logs: Floats) -> Floats:
    """1 for a group of which no page was fetched, 0 from 24 pages on; `logs`: log(1 + pages)."""
    found: Floats = np.maximum(0.0, np.exp(-0.5 * logs) - 0.2)
    return found


def context_tokens(before: str, after: str) -> list[int]:
    """The words nearest to an anchor on either side."""
    half = CONTEXT_SLOTS // 2
    return tokens("near", [*words(before)[-half:], *words(after)[:half]], CONTEXT_SLOTS)


def _once(rings: Ints) -> Ints:
    """Each number once in a row, 0 elsewhere."""
    rings = np.sort(rings, axis=1)
    rings[:, 1:][rings[:, 1:] == rings[:, :-1]] = 0
    return rings
