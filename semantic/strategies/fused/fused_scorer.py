"""The default strategy `fused` as a link scorer: what happens when pages come.

For each page it learns from the page, scores the links, and scores the top of the queue again. It learns from the last
`RECENT` pages. The worth of older pages stays in their groups; rows of addresses that have ended are reused. So a page
costs the same time and memory however many came before it.

Cost. With every page, its links and the `LOOK` best of a pool of some thousand addresses are scored; with every
`SWEEP_EVERY`th page the whole pool; after the learner was fitted all waiting addresses, up to `MOST`. Fits follow when
the judge has recomputed its statistics (`semantic.relevance.relevance_model.is_due`). Pages that come together are
learned from together and cost one look at the pool. Only those priorities are reported to the queue that matter: the
top, addresses that the queue holds above their true place there, and links found again that are worth less than before.
Other priorities in the queue may be out of date and are corrected when they come near the top.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, ClassVar, NamedTuple, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semantic.frame import Frame, LinkRows
from semantic.links.link_scorer import JudgedFrame, LinkScorer
from semantic.memory.arrays import distinct
from semantic.memory.strategy_memory import Remembering, copied
from semantic.reasons import Reason
from semantic.records import LinkGraph, LinkRecord, Priority
from semantic.relevance.relevance_model import FIT_EVERY, RECENT
from semantic.strategies.fused.crawl_evidence import NAMES, RELEVANT, LinkEvidence, left_out
from semantic.strategies.fused.link_learner import (
    KINDS,
    LINK_GRAPH,
    Learner,
    Vertices,
    Weights,
    columns_of,
    expected,
    layers,
    reasons_of,
    smoothed,
    values,
    with_similar_page,
    worth_of,
)
from semantic.strategies.fused.waiting_addresses import COLUMNS, TABLES

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

# pages between two sweeps: ../shared/research/orders.md
SWEEP_EVERY = 25
# addresses in the pool after it was cut; chosen, not measured
POOL = 2000
# addresses of the pool scored with every page; chosen, not measured
LOOK = 24
FALL = 0.01  # loss of score from which a link found again is reported at once; chosen, not measured
MOST = 50_000  # rows scored again after a fit, those with the highest priorities; chosen, not measured
TURN = 10_000  # rows of the others scored after the same fit, in turn; chosen, not measured
AT_ONCE = 20_000  # rows scored in one pass; chosen, not measured
FIRST_RESULTS = 10  # results (pages with r > RELEVANT) at which the link graph is first read; chosen, not measured
MORE_RESULTS = 1.5  # growth of the results at which it is read again; chosen, not measured
RATE = 50  # recent pages whose mean worth is the going rate; chosen, not measured
FORMAT = 12  # version of `remember`'s format, for changes that no name below shows
LAYOUT = f"fused-{crc32(repr((FORMAT, NAMES, KINDS, COLUMNS, TABLES)).encode()):08x}"


class Worths(Protocol):
    """The worth of pages, by a judge that sees each page before `Fusion.arrive`."""

    looked_back: int  # number of pages at the last recomputation of the judge's statistics

    def recent(self, count: int) -> Floats:
        """Worth of the last `count` pages, 0 or more; 1 is as good as the best twentieth."""
        ...


class _Choice(NamedTuple):
    """The predicted worth of an address and its evidence at the time when it was chosen."""

    worth: float
    snapshot: Floats
    shares: Floats | None = None  # of the score, by `KINDS`
    vertex: int = 0  # row of the page that its links are most similar to, plus 1; 0: none


class Named(NamedTuple):
    """The targets of one page, each once, with their scores."""

    rows: Ints
    scores: Floats


def opened(evidence: LinkEvidence, rows: Ints, y: Floats) -> Floats:
    """For each recent page (`rows`, worth `y`): the largest worth, above the going rate, of the addresses that it was
    the first to link to.
    """
    at, size = evidence.addresses.at, len(evidence.addresses)
    unknown = at["ended"][:size] | (at["links"][:size] == 0)
    worth = np.where(unknown, -np.inf, at["score"][:size])
    worth[rows] = np.where(at["links"][rows] > 0, y, -np.inf)
    best = np.zeros(len(rows) + 1)
    first = np.maximum(at["first"][:size] - evidence.older, 0)
    np.maximum.at(best, first, worth - float(y[-RATE:].mean()))
    return best[1:]


class Fusion(Remembering):
    """The strategy's core: see the module's text."""

    KEPT: ClassVar = {
        "evidence": Remembering,
        "learner": Remembering,
        "vertices": Remembering,
        **dict.fromkeys(("_fitted", "_results", "_graphs"), int),
        "wants_graph": bool,
        **dict.fromkeys(("_pool", "_looked_rows", "_looked"), np.ndarray),
    }

    def __init__(self, worths: Worths, seed: int = 0, weights: Weights | None = None) -> None:
        self._worths = worths
        self.evidence = LinkEvidence(seed)
        self.learner = Learner(weights or Weights())
        self.vertices = Vertices()
        self._left_out = columns_of(self.learner.weights.without)
        self._reads_graph = LINK_GRAPH not in self.learner.weights.without
        self.snapshots: list[Floats] = []
        self._fitted = 0
        self._results = 0  # number of results at the last link graph,
        self._graphs = 0  # and the number of that graph
        self.wants_graph = False
        self._pool: Ints = np.zeros(0, np.int32)
        self._looked_rows: Ints = np.zeros(0, np.int32)
        self._fallen: Ints = np.zeros(0, np.int32)
        self._looked: Floats = np.zeros((0, len(NAMES)))
        self._has_missed = False  # whether requests failed since the last look at the pool
        self._chosen: dict[str, _Choice] = {}  # addresses that are being fetched

    def arrive(self, pages: Sequence[tuple[str, LinkRows]], *, look: bool = True) -> list["Named"]:
        """Learn from pages that came together, and from their links. Gives the targets of each page with scores.

        The judge has seen all of them before. With `look=False`, targets are scored only when the learner is fitted.
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
        every = targets[0] if len(targets) == 1 else distinct(np.concatenate(targets))
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
        """What was known of each page when it was chosen; what is known now, if `choose` was not called for it."""
        missing = [i for i, url in enumerate(urls) if url not in self._chosen]
        found = dict(zip(missing, self._known_of([rows[i] for i in missing]), strict=True))
        return [self._chosen.pop(url) if url in self._chosen else found[i] for i, url in enumerate(urls)]

    def choose(self, urls: Sequence[str]) -> None:
        """Store what is known of these addresses now, for learning from it when their pages come.

        If several are fetched at once, similar pages may come in between. Learned from evidence that includes them, the
        evidence looked better than it was when it was used: with eight connections three tasks lost .05.
        """
        rows = self.evidence.addresses.rows.find(urls)
        ended = self.evidence.addresses.at["ended"]
        waiting = {url: row for url, row in zip(urls, rows, strict=True) if row >= 0 and not ended[row]}
        self._chosen |= zip(waiting, self._known_of(list(waiting.values())), strict=True)
        for url, row in zip(urls, rows, strict=True):
            # addresses with an ended row are pages requested again: they teach nothing; those without a row are new
            if row < 0:
                self._chosen[url] = _Choice(-np.inf, np.full(len(NAMES), np.nan))

    def _known_of(self, rows: Sequence[int]) -> "list[_Choice]":
        if not rows:
            return []
        at, every = self.evidence.addresses.at, np.array(rows, np.int32)
        scores, odds = (at["score"][every] - at["chance"][every]).tolist(), at["odds"][every]
        snapshots = self._snapshots(every)
        shares = self.learner.shares(snapshots, odds.astype(float))
        worths = map(worth_of, scores, odds.tolist())
        kept = [snapshot.copy() for snapshot in snapshots]  # copied, so that the whole array is not held in memory
        return list(map(_Choice, worths, kept, shares, at["vertex"][every].tolist()))

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """The reasons why an address that is being fetched was chosen; () for a seed."""
        choice = self._chosen.get(url)
        if choice is None or choice.shares is None or np.isnan(choice.snapshot[0]):
            return ()
        (reasons,) = reasons_of(choice.shares[np.newaxis])
        page = choice.vertex - 1
        q = self.vertices.q_of(page)
        return reasons if q is None else with_similar_page(reasons, self.evidence.addresses.urls[page], q)

    def forget(self, url: str, successor: str | None) -> None:
        """Note that an address ended without a page. If it was redirected, its links go to `successor`."""
        self._chosen.pop(url, None)
        self.evidence.hand_on(url, successor)

    def revise(self) -> tuple[Ints, Floats]:
        """Rows and scores that must be reported: risen to the top, held there wrongly by the queue, or fallen with the
        last pages.
        """
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
        """Learn from all pages again after their worth has changed, and score everything that waits."""
        if self.evidence.number:
            self._fit()
            self._look(np.zeros(0, np.int32), everything=True)

    def places(self) -> Iterator[tuple[Ints, Floats]]:
        """Rows and scores of all waiting addresses, in portions. They count as reported."""
        at, size = self.evidence.addresses.at, len(self.evidence.addresses)
        waiting = np.flatnonzero(~at["ended"][:size] & (at["links"][:size] > 0)).astype(np.int32)
        for start in range(0, len(waiting), AT_ONCE):
            rows = waiting[start : start + AT_ONCE]
            self._score(rows)
            at["sent"][rows] = at["score"][rows]
            yield rows, at["score"][rows]

    def lay_aside(self, held: Collection[str]) -> Iterable[tuple[str, bytes]]:
        """Give up the rows of waiting addresses that are not `held`; returns what was known of each."""
        at, addresses = self.evidence.addresses.at, self.evidence.addresses
        size, successors = len(addresses), set(addresses.rows.moved.values())
        waiting = np.flatnonzero(~at["ended"][:size] & (at["links"][:size] > 0)).tolist()
        urls = addresses.urls
        gone = [row for row in waiting if urls[row] not in held and row not in successors]
        laid_aside = addresses.lay_aside(np.array(gone, np.int32))
        self._pool = self._pool[~at["ended"][self._pool]]
        stays = ~at["ended"][self._looked_rows]
        self._looked_rows, self._looked = self._looked_rows[stays], self._looked[stays]
        return laid_aside

    def bring_in(self, laid_aside: Mapping[str, bytes]) -> None:
        """Take back what was known of addresses, and score them by what is known now."""
        rows = self.evidence.addresses.bring_in(laid_aside)
        self._score_all(rows)
        self.evidence.addresses.at["pooled"][rows] = True
        self._pool = np.concatenate([self._pool, rows])

    def miss(self, urls: Sequence[str]) -> None:
        """Note failed requests: similar addresses are worth less from the next look on."""
        self.evidence.miss(urls)
        self._has_missed = True

    def _look_at_best(self) -> None:
        """Score the best addresses of the pool again."""
        self._pool = self._pool[~self.evidence.addresses.at["ended"][self._pool]]
        rows = self._best(self._pool, LOOK)
        self._looked, self._looked_rows = self._score(rows), rows

    def _snapshots(self, rows: Ints) -> Floats:
        """The evidence of rows: the one last computed if it is current, otherwise computed now; nan for a seed."""
        place = {row: i for i, row in enumerate(self._looked_rows.tolist())}
        where = np.array([place.get(row, -1) for row in rows.tolist()])
        found = np.full((len(rows), len(NAMES)), np.nan)
        found[where >= 0] = self._looked[where[where >= 0]]
        new = (where < 0) & (self.evidence.addresses.at["links"][rows] > 0)
        if new.any():
            found[new] = self._dense(rows[new])
        return found

    def _dense(self, rows: Ints) -> Floats:
        at = self.evidence.addresses.at
        tokens = at["tokens"][rows]
        new = np.flatnonzero(at["layered"][rows] != self._graphs)
        if len(new):
            at["layers"][rows[new]] = self.vertices.layers(tokens[new])
            at["layered"][rows[new]] = self._graphs
        x = self.evidence.dense(rows, self.learner.hashed(tokens), at["layers"][rows].astype(float))
        return left_out(x, self._left_out)

    def _resemble(self, rows: Ints) -> None:
        """Find the pages of the link graph whose links are most similar to those of these rows, if that is not known
        yet.
        """
        at = self.evidence.addresses.at
        rows = rows[at["graph"][rows] != self._graphs]
        if len(self.vertices) and len(rows):
            at["q"][rows], nearest = self.vertices.evidence(at["tokens"][rows])
            at["vertex"][rows], at["graph"][rows] = nearest + 1, self._graphs

    def _score(self, rows: Ints) -> Floats:
        """Score rows. Gives their evidence."""
        x, odds = self._dense(rows), self.evidence.odds_of(rows)
        at = self.evidence.addresses.at
        at["odds"][rows] = odds
        at["score"][rows] = expected(self.learner.value(x), odds) + at["chance"][rows]
        return x

    def _score_all(self, rows: Ints) -> None:
        """Score many rows; those with few links separately, because that is cheaper."""
        has_many = self.evidence.addresses.at["rings"].has_many(rows)
        for some in (rows[~has_many], rows[has_many]):
            for start in range(0, len(some), AT_ONCE):
                self._score(some[start : start + AT_ONCE])

    def _look(self, rows: Ints, *, everything: bool, sweep: bool = False) -> None:
        """Score rows that have changed, and the best of the pool with them."""
        at, size = self.evidence.addresses.at, len(self.evidence.addresses)
        if everything:
            at["pooled"][self._pool] = False
            pool = np.flatnonzero(~at["ended"][:size] & (at["links"][:size] > 0)).astype(np.int32)
            if len(pool) > MOST:  # the best, and the next portion of the others
                turn = self.evidence.number // FIT_EVERY * TURN % len(pool)
                pool = np.union1d(self._best(pool, MOST), pool[turn : turn + TURN])
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

    def _best(self, rows: Ints, most: int) -> Ints:
        """The rows with the highest priorities, either current or last reported."""
        if len(rows) <= most:
            return rows
        at = self.evidence.addresses.at
        height = np.maximum(at["score"][rows], at["sent"][rows])
        return rows[np.argpartition(-height, most)[:most]]

    def _fit(self) -> bool:
        """Learn from the recent pages, after they were judged again."""
        evidence, at = self.evidence, self.evidence.addresses.at
        if (count := len(evidence.fetched) - RECENT) > 0:  # the first ones teach no more
            evidence.retire(count)
            del self.snapshots[:count]
        rows = np.array(evidence.fetched, np.int32)
        r = np.minimum(self._worths.recent(len(rows)), 1.0)
        evidence.recount(r)
        y = self._smoothed(rows, r)
        self.learner.fit(at["tokens"][rows], np.array(self.snapshots), y, opened(evidence, rows, y), evidence.number)
        self._fitted = evidence.number
        results = int((r > RELEVANT).sum())
        if self._reads_graph and not evidence.older and results >= max(FIRST_RESULTS, MORE_RESULTS * self._results):
            self._results, self.wants_graph = results, True
        return True

    def _smoothed(self, rows: Ints, r: Floats) -> Floats:
        """The learning target of recent pages."""
        evidence, at = self.evidence, self.evidence.addresses.at
        linking = evidence.pages.rows(at["rings"][rows][0])
        linked = np.where(linking > 0, evidence.pages.value[linking], np.nan)
        return smoothed(r, evidence.chains[at["place"][rows]], linked)

    def receive_graph(self, graph: LinkGraph) -> None:
        """Learn the values Q of pages, and what the links to them look like."""
        evidence, at = self.evidence, self.evidence.addresses.at
        self.wants_graph = False
        self._graphs += 1
        rows = np.array(evidence.fetched, np.int32)
        n = len(rows)
        r = evidence.worths()
        number = {evidence.addresses.urls[row]: i for i, row in enumerate(evidence.fetched)}
        known = [(number[u], number[v]) for u, v in graph.links if u in number and v in number]
        edges = np.array(sorted(known), np.int64).reshape(-1, 2)
        q = values(edges, self._smoothed(rows, r))
        results = [number[url] for url in graph.results if url in number]
        linked = at["links"][rows] > 0
        self.vertices.learn(rows[linked], at["tokens"][rows[linked]], q[linked], layers(edges, results, n)[linked])
        self._resemble(self._pool[~at["ended"][self._pool]])

    def remember(self) -> dict[str, Any]:
        """The whole state, exact."""
        return super().remember() | {"snapshots": np.array(self.snapshots).reshape(-1, len(NAMES))}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        super().restore(memory)
        self.snapshots = list(copied(memory["snapshots"]))
        self.vertices.learn_again(self.evidence.addresses.at["tokens"])


_AS_LINK = partial(tuple.__new__, LinkRecord)  # avoids a Python call for each link


class Fused(LinkScorer):
    """The link scorer of the default strategy; the work is done by its `core`."""

    KEPT: ClassVar = {"core": Remembering}

    layout = LAYOUT
    reads_rows = True

    def __init__(self, worths: Worths, weights: Weights, seed: int) -> None:
        self.core = Fusion(worths, seed, weights)

    def learn(self, judged: Sequence[JudgedFrame]) -> None:
        """Learn from pages and their links. Links are scored when the learner is fitted."""
        self._arrive(judged, look=False)

    def score(self, judged: Sequence[JudgedFrame]) -> list[tuple[LinkRecord, ...]]:
        """Score the links of pages by everything known, after learning from the pages.

        Reasons are given when a link is chosen (`why_chosen`) or asked about (`fused_beliefs`).
        """
        named = self._arrive(judged)
        return [self._records(rows_of(one.frame), found) for one, found in zip(judged, named, strict=True)]

    def _arrive(self, judged: Sequence[JudgedFrame], *, look: bool = True) -> list[Named]:
        return self.core.arrive([(one.frame.url, rows_of(one.frame)) for one in judged], look=look)

    def _records(self, links: LinkRows, named: Named) -> tuple[LinkRecord, ...]:
        urls = self.core.evidence.addresses.urls
        pairs = zip(named.rows.tolist(), named.scores.tolist(), strict=True)
        scores = {urls[row]: score for row, score in pairs if score > -inf}
        # targets without a score have ended, or stand for another address
        places = [scores.get(url, 0.0) for url in links.targets]
        reasons = [
            (Reason("names", values=(("words", words),)),) if words and url in scores else ()
            for url, words in zip(links.targets, links.words, strict=True)
        ]
        columns = (links.targets, links.anchors, links.contexts, places, links.positions, reasons)
        return tuple(map(_AS_LINK, zip(*columns, strict=False)))

    def revise(self) -> Mapping[str, Priority]:
        """The best waiting links, and those that the queue holds too high."""
        return self._places(*self.core.revise())

    def choose(self, urls: Sequence[str]) -> None:
        """Store the evidence by which these addresses were chosen."""
        self.core.choose(urls)

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """The shares of its score."""
        return self.core.why_chosen(url)

    def miss(self, urls: Sequence[str]) -> None:
        """Lower the worth of similar links."""
        self.core.miss(urls)

    def _places(self, rows: NDArray[np.int32], scores: NDArray[np.float64]) -> Mapping[str, Priority]:
        urls = self.core.evidence.addresses.urls
        return {urls[row]: Priority(score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)}

    def surroundings(self, urls: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """See `semantic.relevance.judge_training.Surroundings`."""
        return self.core.evidence.surroundings(urls)

    def rejudge(self) -> None:
        """Score the waiting links again by the new worth of pages."""
        self.core.refit()

    def places(self) -> Iterator[tuple[str, Priority]]:
        """The priorities of all waiting links."""
        for rows, scores in self.core.places():
            yield from self._places(rows, scores).items()

    def forget(self, url: str, successor: str | None) -> None:
        """Give the evidence of a redirected address to its target."""
        self.core.forget(url, successor)

    def lay_aside(self, held: Collection[str]) -> Iterable[tuple[str, bytes]]:
        """Give up the evidence of addresses that are not held."""
        return self.core.lay_aside(held)

    def bring_in(self, urls: Sequence[str], read: Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]) -> None:
        """Take back the evidence of addresses without any."""
        rows = self.core.evidence.addresses.rows.find(urls)
        laid_aside = dict(read([url for url, row in zip(urls, rows, strict=True) if row < 0]))
        if laid_aside:
            self.core.bring_in(laid_aside)

    def interned(self, url: str) -> str:
        """The string stored in the address's row."""
        addresses = self.core.evidence.addresses
        row = addresses.rows.own(url)
        return url if row is None else addresses.urls[row]

    def wants_graph(self) -> bool:
        """Whether the results have grown by half since the last link graph."""
        return self.core.wants_graph

    def receive_graph(self, graph: LinkGraph) -> None:
        """Learn from the link graph."""
        self.core.receive_graph(graph)


def rows_of(frame: Frame) -> LinkRows:
    """The rows of a frame that was made for this strategy."""
    assert frame.links is not None
    return frame.links
