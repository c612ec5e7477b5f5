"""The default strategy `fused` as a link scorer: between judged pages and the learner (`fused_core`).

What the default strategy does when a page has come: learn of it, score what it names, look again at the queue's top.

It learns of the last `RECENT` pages. What older ones were worth stays in their groups; their rows and those of all else
that ended are given to new addresses. So a page costs the same time and room however many came before it.

Cost. A page's links and the `LOOK` best of a pool of some thousand addresses are scored anew at every page, the pool at
every `SWEEP_EVERY`th, all that wait when the learner was fitted, up to `MOST` of them; the fits come when the judge has
looked back (`semantic.relevance.relevance_model.is_due`). Pages that come together are learned of together, and cost
one look. The queue hears only of places that matter: the top, what it holds above its place there, and links met again
that are worth less than before. What else it holds below the top may be out of date, and is put right when it comes
near.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from math import inf
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semantic.frame import Frame, LinkRows
from semantic.links.link_scorer import JudgedFrame, LinkScorer
from semantic.memory.arrays import pack_array, unpack_array
from semantic.records import LinkGraph, LinkRecord, Priority, Reason
from semantic.relevance.relevance_model import FIT_EVERY, RECENT
from semantic.strategies.fused.crawl_evidence import NAMES, RELEVANT, Evidence, left_out
from semantic.strategies.fused.link_graph import Vertices, layers, values
from semantic.strategies.fused.link_learner import (
    KINDS,
    LINK_GRAPH,
    Learner,
    Weights,
    columns_of,
    expected,
    likened,
    smoothed,
    told,
    worth_of,
)
from semantic.strategies.fused.waiting_addresses import COLUMNS, TABLES

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

SWEEP_EVERY = 25
POOL = 2000
LOOK = 24
FALL = 0.01  # by which a link met again must be worth less for the queue to hear of it at once
MOST = 50_000  # rows scored anew after a fit, the highest;
TURN = 10_000  # of the others so many, in turn
AT_ONCE = 20_000  # rows scored in one go
FIRST_RESULTS = 10  # pages of some worth when the link graph is read first,
MORE_RESULTS = 1.5  # and how many times as many when it is read again
RATE = 50  # pages whose mean worth is the going rate
FORMAT = 7  # of what `remember` gives, where no name below tells it from before
LAYOUT = f"fused-{crc32(repr((FORMAT, NAMES, KINDS, COLUMNS, TABLES)).encode()):08x}"


class Worths(Protocol):
    """What pages are worth, by the judge that has seen each page before `Fusion.arrive` is told of it."""

    looked_back: int  # pages that there were when all were last judged again

    def recent(self, count: int) -> Floats:
        """Worth of the last `count` pages, 0 or more; 1 is as good as the best twentieth."""
        ...


class _Choice(NamedTuple):
    """What an address was thought to be worth, and the evidence, when it was chosen."""

    worth: float
    snapshot: Floats
    shares: Floats | None = None  # of the score, by `score_shares.KINDS`
    vertex: int = 0  # row of the page that its links look like, plus 1


class Named(NamedTuple):
    """The targets of one page, each once: rows and scores."""

    rows: Ints
    scores: Floats


class Fusion:
    """See the module's text."""

    def __init__(self, worths: Worths, seed: int = 0, weights: Weights | None = None) -> None:
        self._worths = worths
        self.evidence = Evidence(seed)
        self.learner = Learner(weights or Weights())
        self.vertices = Vertices()
        self._left_out = columns_of(self.learner.weights.without)
        self._reads_graph = LINK_GRAPH not in self.learner.weights.without
        self.snapshots: list[Floats] = []
        self._fitted = 0
        self._results = 0  # at the last link graph,
        self._graphs = 0  # which was this one
        self.wants_graph = False
        self._pool: Ints = np.zeros(0, np.int32)
        self._looked_rows: Ints = np.zeros(0, np.int32)
        self._fallen: Ints = np.zeros(0, np.int32)
        self._looked: Floats = np.zeros((0, len(NAMES)))
        self._has_missed = False  # addresses were asked in vain since the last look
        self._chosen: dict[str, _Choice] = {}  # addresses that are being fetched

    def arrive(self, pages: Sequence[tuple[str, LinkRows]], *, look: bool = True) -> list["Named"]:
        """Learn of pages that came together, and of their links; what is known of the targets of each.

        The judge has seen all of them before. Without `look` targets are scored when the learner is fitted.
        """
        evidence, before = self.evidence, self.evidence.number
        if evidence.older and self._fitted == before:
            self._pool = self._pool[~evidence.addresses.at["ended"][self._pool]]
            evidence.release(self.vertices.rows)
        rows = [evidence.row_of(url) for url, _ in pages]
        choices = self._choices([url for url, _ in pages], rows)
        for number, choice in enumerate(choices, before + 1):
            self.snapshots.append(choice.snapshot)
            self.learner.follow(choice.worth, choice.snapshot, number)
        every_row = np.array(rows, np.int32)
        evidence.addresses.at["ended"][every_row] = True
        evidence.count(every_row, np.minimum(self._worths.recent(len(pages)), 1.0))
        targets = [evidence.take(number, links) for number, (_, links) in enumerate(pages, before + 1)]
        fitted = self._worths.looked_back == evidence.number and self._fit()
        self._has_missed = False
        at = evidence.addresses.at
        every = targets[0] if len(targets) == 1 else np.unique(np.concatenate(targets))
        if look or fitted:
            is_swept = evidence.number // SWEEP_EVERY > before // SWEEP_EVERY
            self._look(every[~at["ended"][every]], everything=fitted, sweep=is_swept)
        fallen = (at["score"][every] < at["sent"][every] - FALL) & ~at["ended"][every]
        self._fallen = every[fallen]
        return [self._named(some) for some in targets]

    def _named(self, rows: Ints) -> "Named":
        at = self.evidence.addresses.at
        scores = at["score"][rows]
        at["sent"][rows] = np.maximum(at["sent"][rows], scores)
        return Named(rows, scores)

    def _choices(self, urls: Sequence[str], rows: Sequence[int]) -> "list[_Choice]":
        """What was known of pages when they were chosen; now, where nobody told that they were."""
        missing = [i for i, url in enumerate(urls) if url not in self._chosen]
        found = dict(zip(missing, self._known_of([rows[i] for i in missing]), strict=True))
        return [self._chosen.pop(url) if url in self._chosen else found[i] for i, url in enumerate(urls)]

    def choose(self, urls: Sequence[str]) -> None:
        """Addresses are being fetched: the learner is to learn from what was known of them now.

        Where several are fetched at once, pages like them may come before their answers. Learned from what they said of
        them, evidence looked better than it was when it was used: with eight connections three tasks lost .05.
        """
        rows = list(map(self.evidence.addresses.rows.get, urls))
        ended = self.evidence.addresses.at["ended"]
        waiting = {url: row for url, row in zip(urls, rows, strict=True) if row is not None and not ended[row]}
        self._chosen |= zip(waiting, self._known_of(list(waiting.values())), strict=True)
        for url, row in zip(urls, rows, strict=True):
            if row is None:  # others, which have ended, are pages that are asked for again: they teach nothing
                self._chosen[url] = _Choice(-np.inf, np.full(len(NAMES), np.nan))

    def _known_of(self, rows: Sequence[int]) -> "list[_Choice]":
        if not rows:
            return []
        at, every = self.evidence.addresses.at, np.array(rows, np.int32)
        scores, odds = (at["score"][every] - at["chance"][every]).tolist(), at["odds"][every]
        snapshots = self._snapshots(every)
        shares = self.learner.shares(snapshots, odds.astype(float))
        worths = map(worth_of, scores, odds.tolist())
        kept = [snapshot.copy() for snapshot in snapshots]  # for long: not with all else that was looked at
        return list(map(_Choice, worths, kept, shares, at["vertex"][every].tolist()))

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """Why an address was chosen that is being fetched: the shares of its score; () for a seed."""
        choice = self._chosen.get(url)
        if choice is None or choice.shares is None or np.isnan(choice.snapshot[0]):
            return ()
        (reasons,) = told(choice.shares[np.newaxis])
        page = choice.vertex - 1
        q = self.vertices.q_of(page)
        return reasons if q is None else likened(reasons, self.evidence.addresses.urls[page], q)

    def forget(self, url: str, successor: str | None) -> None:
        """An address has ended without a page; where it redirected, its links are its successor's."""
        self._chosen.pop(url, None)
        self.evidence.hand_on(url, successor)

    def revise(self) -> tuple[Ints, Floats]:
        """Rows whose place must be told anew: risen to the top, held above it there, or fallen by the last pages."""
        if self._has_missed:
            self._has_missed = False
            self._look_at_best()
        at, pool = self.evidence.addresses.at, self._pool
        score, sent = at["score"][pool], at["sent"][pool]
        cut = -np.partition(-score, LOOK)[LOOK] if len(pool) > LOOK else -np.inf
        moved = pool[(score != sent) & ((score >= cut) | (sent > cut))]
        found = np.array(sorted({*moved.tolist(), *self._fallen.tolist()}), np.int32)
        self._fallen = pool[:0]
        at["sent"][found] = at["score"][found]
        if len(pool) > 2 * POOL:
            self._pool = self._best(pool, POOL)
            at["pooled"][pool] = False
            at["pooled"][self._pool] = True
        return found, at["score"][found]

    def refit(self) -> None:
        """Pages have other worths: learn of them again, and score all that waits."""
        if self.evidence.number:
            self._fit()
            self._look(np.zeros(0, np.int32), everything=True)

    def places(self) -> Iterator[tuple[Ints, Floats]]:
        """Rows and scores of all that waits, some at a time; from here on these are their places."""
        at, size = self.evidence.addresses.at, len(self.evidence.addresses)
        waiting = np.flatnonzero(~at["ended"][:size] & (at["links"][:size] > 0)).astype(np.int32)
        for start in range(0, len(waiting), AT_ONCE):
            rows = waiting[start : start + AT_ONCE]
            self._score(rows)
            at["sent"][rows] = at["score"][rows]
            yield rows, at["score"][rows]

    def miss(self, urls: Sequence[str]) -> None:
        """Addresses were asked in vain: what is like them is worth less, when the next look is taken."""
        self.evidence.miss(urls)
        self._has_missed = True

    def _look_at_best(self) -> None:
        """Score the best of the pool anew."""
        self._pool = self._pool[~self.evidence.addresses.at["ended"][self._pool]]
        rows = self._best(self._pool, LOOK)
        self._looked, self._looked_rows = self._score(rows), rows

    def _snapshots(self, rows: Ints) -> Floats:
        """The evidence by which addresses are chosen: as last looked at, where that was just now; a seed's is nan."""
        place = {row: i for i, row in enumerate(self._looked_rows.tolist())}
        where = np.array([place.get(row, -1) for row in rows.tolist()])
        found = np.full((len(rows), len(NAMES)), np.nan)
        found[where >= 0] = self._looked[where[where >= 0]]
        new = (where < 0) & (self.evidence.addresses.at["links"][rows] > 0)
        if new.any():
            found[new] = self._dense(rows[new])
        return found

    def _dense(self, rows: Ints) -> Floats:
        tokens = self.evidence.addresses.at["tokens"][rows]
        x = self.evidence.dense(rows, self.learner.hashed(tokens), self.vertices.layers(tokens))
        return left_out(x, self._left_out)

    def _resemble(self, rows: Ints) -> None:
        """Look up which pages the links to these addresses look like, where that is not known."""
        at = self.evidence.addresses.at
        rows = rows[at["graph"][rows] != self._graphs]
        if len(self.vertices) and len(rows):
            at["q"][rows], nearest = self.vertices.evidence(at["tokens"][rows])
            at["vertex"][rows], at["graph"][rows] = nearest + 1, self._graphs

    def _score(self, rows: Ints) -> Floats:
        """Score rows anew; the evidence looked at."""
        x, odds = self._dense(rows), self.evidence.odds_of(rows)
        at = self.evidence.addresses.at
        at["odds"][rows] = odds
        at["score"][rows] = expected(self.learner.value(x), odds) + at["chance"][rows]
        return x

    def _score_all(self, rows: Ints) -> None:
        """Score many rows anew, those with few links by themselves: they cost less so."""
        has_many = self.evidence.addresses.at["rings"].has_many(rows)
        for some in (rows[~has_many], rows[has_many]):
            for start in range(0, len(some), AT_ONCE):
                self._score(some[start : start + AT_ONCE])

    def _look(self, rows: Ints, *, everything: bool, sweep: bool = False) -> None:
        """Score rows that have changed, and the best of the pool with them."""
        at, size = self.evidence.addresses.at, len(self.evidence.addresses)
        if everything:
            at["pooled"][self._pool] = False
            pool = self._due(np.flatnonzero(~at["ended"][:size] & (at["links"][:size] > 0)).astype(np.int32))
            self._score_all(pool)
        else:
            kept = self._pool[~at["ended"][self._pool]]
            pool = np.concatenate([kept, rows[~at["pooled"][rows]]])
            if sweep:
                self._score_all(kept)
        at["pooled"][pool] = True
        self._pool = pool
        self._resemble(rows)
        at["fresh"][rows] = True
        best = self._best(pool, LOOK)
        rows = np.concatenate([rows, best[~at["fresh"][best]]])
        at["fresh"][rows] = False
        self._looked, self._looked_rows = self._score(rows), rows

    def _due(self, waiting: Ints) -> Ints:
        """What is scored anew after a fit: all, or the best and a part of the others, each time the next."""
        if len(waiting) <= MOST:
            return waiting
        turn = self.evidence.number // FIT_EVERY * TURN % len(waiting)
        return np.union1d(self._best(waiting, MOST), waiting[turn : turn + TURN])

    def _best(self, rows: Ints, most: int) -> Ints:
        """Rows with the highest places, those that the queue holds or those that they should have."""
        if len(rows) <= most:
            return rows
        at = self.evidence.addresses.at
        height = np.maximum(at["score"][rows], at["sent"][rows])
        return rows[np.argpartition(-height, most)[:most]]

    def _fit(self) -> bool:
        """Learn from the recent pages, which have been judged again."""
        evidence, at = self.evidence, self.evidence.addresses.at
        self._retire(len(evidence.fetched) - RECENT)
        rows = np.array(evidence.fetched, np.int32)
        r = np.minimum(self._worths.recent(len(rows)), 1.0)
        y = self._smoothed(rows, r)
        evidence.recount(r)
        self.learner.fit(at["tokens"][rows], np.array(self.snapshots), y, self._opened(rows, y), evidence.number)
        self._fitted = evidence.number
        results = int((r > RELEVANT).sum())
        if self._reads_graph and not evidence.older and results >= max(FIRST_RESULTS, MORE_RESULTS * self._results):
            self._results, self.wants_graph = results, True
        return True

    def _retire(self, count: int) -> None:
        """Learn no more of the first pages."""
        if count > 0:
            self.evidence.retire(count)
            del self.snapshots[:count]

    def _smoothed(self, rows: Ints, r: Floats) -> Floats:
        """The target of recent pages."""
        evidence, at = self.evidence, self.evidence.addresses.at
        before = evidence.pages.value[: evidence.older + 1]
        return smoothed(r, evidence.chains[at["place"][rows]], at["rings"][rows][0], before)

    def receive_graph(self, graph: LinkGraph) -> None:
        """Learn what lies behind pages, and what the links to them look like."""
        evidence, at = self.evidence, self.evidence.addresses.at
        self.wants_graph = False
        self._graphs += 1
        rows = np.array(evidence.fetched, np.int32)
        n = len(rows)
        r = evidence.pages.value[evidence.older + 1 : evidence.number + 1]
        number = {evidence.addresses.urls[row]: i for i, row in enumerate(evidence.fetched)}
        known = [(number[u], number[v]) for u, v in graph.links if u in number and v in number]
        edges = np.array(sorted(known), np.int64).reshape(-1, 2)
        q = values(edges, self._smoothed(rows, r))
        results = [number[url] for url in graph.results if url in number]
        linked = at["links"][rows] > 0
        self.vertices.learn(rows[linked], at["tokens"][rows[linked]], q[linked], layers(edges, results, n)[linked])
        self._resemble(self._pool[~at["ended"][self._pool]])

    def _opened(self, rows: Ints, y: Floats) -> Floats:
        """For each page fetched: the largest worth, above the going rate, of what it was the first to name."""
        at, size = self.evidence.addresses.at, len(self.evidence.addresses)
        unknown = at["ended"][:size] | (at["links"][:size] == 0)
        worth = np.where(unknown, -np.inf, at["score"][:size])
        worth[rows] = np.where(at["links"][rows] > 0, y, -np.inf)
        best = np.zeros(len(rows) + 1)
        first = np.maximum(at["first"][:size] - self.evidence.older, 0)
        np.maximum.at(best, first, worth - float(y[-RATE:].mean()))
        return best[1:]

    def remember(self) -> dict[str, Any]:
        """All that is known, to the last bit."""
        arrays: dict[str, NDArray[Any]] = {
            "pool": self._pool,
            "looked rows": self._looked_rows,
            "looked": self._looked,
        }
        return {
            "evidence": self.evidence.remember(),
            "learner": self.learner.remember(),
            "snapshots": pack_array(np.array(self.snapshots).reshape(-1, len(NAMES))),
            "vertices": self.vertices.remember(),
            "counts": [self._fitted, self._results, self._graphs, self.wants_graph],
            "arrays": {name: pack_array(array) for name, array in arrays.items()},
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self.evidence.restore(memory["evidence"])
        self.learner.restore(memory["learner"])
        self.snapshots = list(unpack_array(memory["snapshots"]))
        self.vertices.restore(memory["vertices"], self.evidence.addresses.at["tokens"])
        self._fitted, self._results, self._graphs, self.wants_graph = memory["counts"]
        arrays = {name: unpack_array(array) for name, array in memory["arrays"].items()}
        self._pool, self._looked_rows = arrays["pool"], arrays["looked rows"]
        self._looked = arrays["looked"]


_AS_LINK = partial(tuple.__new__, LinkRecord)  # nothing between C and C


class Fused(LinkScorer):
    """See `semantic.strategies.fused.fused_scorer`."""

    layout = LAYOUT
    reads_rows = True

    def __init__(self, worths: Worths, weights: Weights, seed: int) -> None:
        self._core = Fusion(worths, seed, weights)

    def learn(self, judged: Sequence[JudgedFrame]) -> None:
        """Learn of pages, and of their links, which are scored when the learner is fitted."""
        self._arrive(judged, look=False)

    def score(self, judged: Sequence[JudgedFrame]) -> list[tuple[LinkRecord, ...]]:
        """The pages' links are scored with all that is known; the pages themselves are learned from.

        Why a link has its place is told when it is chosen (`why_chosen`) or asked about (`fused_beliefs`).
        """
        named = self._arrive(judged)
        return [self._records(rows_of(one.frame), found) for one, found in zip(judged, named, strict=True)]

    def _arrive(self, judged: Sequence[JudgedFrame], *, look: bool = True) -> list[Named]:
        return self._core.arrive([(one.frame.url, rows_of(one.frame)) for one in judged], look=look)

    def _records(self, links: LinkRows, named: Named) -> tuple[LinkRecord, ...]:
        urls = self._core.evidence.addresses.urls
        told = zip(named.rows.tolist(), named.scores.tolist(), strict=True)
        scores = {urls[row]: score for row, score in told if score > -inf}
        # Others have ended, or stand for another address.
        places = [scores.get(url, 0.0) for url in links.targets]
        reasons = [
            (f"names {words}",) if words and url in scores else ()
            for url, words in zip(links.targets, links.words, strict=True)
        ]
        columns = (links.targets, links.anchors, links.contexts, places, links.positions, reasons, repeat(()))
        return tuple(map(_AS_LINK, zip(*columns, strict=False)))

    def revise(self) -> Mapping[str, Priority]:
        """The best waiting links, and those that were thought better than they are."""
        return self._places(*self._core.revise())

    def choose(self, urls: Sequence[str]) -> None:
        """What is known of them now is what they were chosen by."""
        self._core.choose(urls)

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """The shares of its score."""
        return self._core.why_chosen(url)

    def miss(self, urls: Sequence[str]) -> None:
        """Links like them are worth less."""
        self._core.miss(urls)

    def _places(self, rows: NDArray[np.int32], scores: NDArray[np.float64]) -> Mapping[str, Priority]:
        urls = self._core.evidence.addresses.urls
        return {urls[row]: Priority(score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)}

    def surroundings(self, urls: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """See `semantic.relevance.self_training.Surroundings`."""
        return self._core.evidence.surroundings(urls)

    def rejudge(self) -> None:
        """The waiting links take their places by what pages are worth now."""
        self._core.refit()

    def places(self) -> Iterator[tuple[str, Priority]]:
        """All that wait."""
        for rows, scores in self._core.places():
            yield from self._places(rows, scores).items()

    def forget(self, url: str, successor: str | None) -> None:
        """Evidence of a redirected address goes to where it leads."""
        self._core.forget(url, successor)

    def text_of(self, url: str) -> str:
        """That of the address's row."""
        addresses = self._core.evidence.addresses
        row = addresses.rows.own(url)
        return url if row is None else addresses.urls[row]

    def wants_graph(self) -> bool:
        """When there are half as many results again as at the last time."""
        return self._core.wants_graph

    def receive_graph(self, graph: LinkGraph) -> None:
        """What lies behind the pages fetched."""
        self._core.receive_graph(graph)

    def remember(self) -> Mapping[str, Any]:
        """All that was learned."""
        return self._core.remember()

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._core.restore(memory)


def rows_of(frame: Frame) -> LinkRows:
    """The rows of a frame that was made for this strategy."""
    assert frame.links is not None
    return frame.links
