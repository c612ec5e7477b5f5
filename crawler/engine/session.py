"""The crawl as a state machine without I/O: it decides what to fetch, and takes the answers.

`next_action` decides, and `receive` takes one answer or several that came together. The driver, a simulator or a test
executes the decisions and passes in the time. There is no clock, socket, database or randomness in here, so the same
answers give the same crawl.

Rules
- An address ends once: fetched, failed, refused or redirected. It is queued until then, also while it is being fetched:
  what a killed crawl was fetching is fetched again.
- The number of open page fetches never exceeds the number of pages still wanted, so `max_pages` is never exceeded.
- A page without an answer, or with 429 or 5xx, is requested again (`crawler.politeness.robots_and_pace`): twice, or
  more often if Retry-After says when; not if its tries have taken `TRYING` seconds.
- A redirect is an end with one link. Its target waits with the same priority and depth, so that each hop obeys
  robots.txt, politeness and the source's address checks. More than five in a row fail.
- `crawler.engine.admission` decides which waiting link may be started, and when; a better link whose host rests may be
  waited for (`crawler.engine.patience`). If only links are left whose origins have had their time (`Gate.hopeless`), or
  have asked to be left alone for hours (`Politeness.away`), the crawl ends as `unreachable`. These links stay queued,
  and the next run begins with them.
- What a browser shows instead of a page, or in it, waits like a redirect's target: frames, and where a refresh leads.
- A link out of the crawl's scope is recorded and not queued; a redirect to such an address is recorded and not
  followed.
- A link that the strategy discards is recorded and not queued; a later, better link may queue its target.
- Of a long queue only a part is held in memory (`crawler.frontier.queue_tail`).
- A link may raise a waiting page and never lowers it; parent and depth stay those of the page that first queued it.
- The strategy may change the priorities of waiting pages, up or down, after each page, after a failed request and after
  a link graph. A seed keeps its priority, which the user gave.
- When the strategy wants the link graph, the graph is read before anything else is started, from a store that has
  everything received so far. The crawl waits for it, so that the order does not depend on how long that takes.
- `rel=nofollow` on a link is evidence for the strategy. The nofollow of a whole page is obeyed: its links are not even
  recorded.
- noindex: the page is fetched and its links are followed, but it is not a result: not on topic, no text, no mentions.
  The same holds for an error page (`semantic.parsing.error_pages`).
- A page on topic names sources of links: its first feed, and the sitemaps of its robots.txt. They wait with the page's
  own priority; the links that they list wait with the strategy's priorities. They are not pages: they have no `order`
  and do not count. Pages off topic, and guesses (`/sitemap.xml`), do not cause such fetches.
- Pages to be fetched again (`crawler.recrawl.revisits`) come first, whatever `max_pages` says.
- A crawl may end once every concept has enough pages on topic (`crawler.engine.coverage_goal`).
- A person may pause the crawl, ban a host or put it first (`crawler.engine.steering`).
- A copy of another page (`crawler.dedup.duplicate_pages`) has no `order` either, and does not count; a better page with
  the same text takes the place of the former one.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from crawler.engine.actions import (
    CHANGED,
    Action,
    Answer,
    Done,
    Fetch,
    Limits,
    ReadGraph,
    ReadQueue,
    Wait,
    check_limits,
)
from crawler.engine.admission import Admission, Hosts, Outside, Refusal
from crawler.engine.answers import AnswerHandler, Results, Shared, WaitingLinks
from crawler.engine.coverage_goal import Coverage
from crawler.engine.crawl_records import Progress, RunCounts, Tally, Unsaved
from crawler.engine.patience import seconds_for
from crawler.engine.steering import Steering
from crawler.frontier.priority_queue import ROBOTS_PRIORITY, robots_entry
from crawler.frontier.queue_tail import QueueInRecord
from crawler.politeness.robots_and_pace import Gate, Politeness, Tries
from crawler.recrawl.revisits import Revisits
from crawler.traps.cut_links import behind, number_of
from crawler.traps.trap_detection import Traps
from semantic.links.link_scorer import BY_RANK, NEVER
from semantic.reasons import Reason
from semantic.records import (
    Batch,
    Counters,
    FingerprintRecord,
    JudgedRecord,
    LinkGraph,
    Nearest,
    QueuedRecord,
    Resumed,
    WantedRecord,
)
from semantic.understanding import Understanding
from semantic.urls import host_of, origins_of

AT_ONCE = 10  # links checked in one decision: robots.txt may take a tenth of a second for one; chosen, not measured
SETTLE_AT_ONCE = 5000  # pages judged again in one batch at the crawl's end; chosen, not measured
INSTANT = 0.001  # seconds; less time is none
# Pages between two copies of the strategy's memory: at least the smaller of REMEMBER_EVERY and the pages at the last
# copy, one for each REMEMBER_SHARE pages, and one for each WAITING_A_PAGE waiting links, because a copy costs more the
# more there is to remember: after 200,000 pages it has 33 MB. Chosen, not measured.
REMEMBER_EVERY, REMEMBER_SHARE, WAITING_A_PAGE = 1000, 50, 100


@dataclass(frozen=True, slots=True)
class HandedOn:
    """What a session passes to the next one of the same run: what it knows about hosts, and the counts of the run."""

    hosts: Hosts
    counts: RunCounts


class Session:
    """One crawl, from the state in its store to its end. Times are seconds of any monotonic clock.

    It chooses what to fetch, and says where the crawl stands. What answers leave: `crawler.engine.answers`.
    """

    def __init__(  # noqa: PLR0913 - what a store holds of a crawl, one by one
        self,
        understanding: Understanding,
        limits: Limits,
        resumed: Resumed,
        queued: Iterable[QueuedRecord],
        known: Iterable[str],
        *,
        fingerprints: Iterable[FingerprintRecord] = (),
        traps: Traps | None = None,
        wanted: Iterable[WantedRecord] = (),
        away: Iterable[tuple[str, float]] = (),
        results: Iterable[str] = (),
        remembers: bool = True,
        after: HandedOn | None = None,
        coverage: Coverage | None = None,
        steering: Steering | None = None,
        store: QueueInRecord | None = None,
    ) -> None:
        """The crawl as its store has it, and its parameters.

        - `remembers`: batches contain the strategy's memory; False for a store that ends with this process.
        - `away`: hosts, and the seconds for which they want to be left alone.
        - `after`: what the previous session of the same run passed on. It has ended, with no request open.
        - `coverage`: ends the crawl once it is reached.
        - `steering`: manual control.
        - `store`: the record, in which the tail of a long queue stays; None: all of the queue is held.
        """
        check_limits(limits)
        if resumed.memory:
            understanding.restore(resumed.memory)
        self.handed_on = after or HandedOn(
            Hosts(Politeness(limits.delay, limits.per_host), Gate(respects=limits.respects), Tries()),
            RunCounts(resumed.counters),
        )
        hosts, run = self.handed_on.hosts, self.handed_on.counts
        self.remembers = remembers
        self._understanding = understanding
        self._limits = limits
        self._away = tuple(away)
        self._tally = Tally(resumed.counters, run)
        self._unsaved = Unsaved()
        self._steering = steering or Steering()
        self._revisits = Revisits(wanted, run.asked)
        self._traps = traps or Traps()
        self._admission = Admission(
            limits,
            hosts,
            self._traps,
            self._revisits,
            lambda url: understanding.forget(url, None),
            steering=self._steering,
        )
        self.frontier, self._in_flight = self._admission.frontier, self._admission.in_flight
        shared = Shared(understanding, self._admission, self._tally, self._steering, self._unsaved)
        self._waiting = WaitingLinks(shared, known, resumed.found, store)
        self._results = Results(shared, results, coverage)
        self._answers = AnswerHandler(shared, self._waiting, self._results, fingerprints)
        waiting = self._waiting
        self._steering.attach(self.frontier, self._in_flight, self._why_under_way, waiting.place, waiting.raise_host)
        understanding.recall = waiting.recall
        self._stopped = ""
        self._is_graph_asked = False  # the link graph was asked for and has not come yet
        self._settling: Iterator[JudgedRecord] | None = None
        self._before_settling: int | None = None
        self._started: list[str] = []  # addresses chosen that the understanding does not know yet
        self._remembered = 0  # not the pages so far: a killed run may have left a memory older than its pages
        self._waiting.begin(queued, resumed.waiting)
        for entry in self._revisits.entries():
            self._admission.push(entry)
        for url in hosts.gate.on_their_way:
            self._admission.push(robots_entry(url))
        for host in hosts.politeness.hosts:
            self._admission.reschedule(host)

    @property
    def unsaved(self) -> tuple[int, int]:
        """The numbers of pages and links in the next batch."""
        return self._unsaved.size

    @property
    def connections(self) -> int:
        """The most requests that may be open at once."""
        return self._limits.connections

    @connections.setter
    def connections(self, number: int) -> None:
        self._limits = self._admission.limits = replace(self._limits, connections=number)

    @property
    def laid_aside(self) -> int:
        """The number of waiting links that are only in the record."""
        return self._waiting.tail.number

    def nearest(self) -> Nearest:
        """The links to be held, by the record, for a ReadQueue."""
        return self._waiting.nearest()

    def receive_queue(self, near: Nearest) -> None:
        """Take the links that a ReadQueue asked for."""
        self._tell_started()
        self._waiting.receive_queue(near)

    def stop(self, reason: str) -> None:
        """End the crawl now; links being fetched stay queued."""
        self._stopped = self._stopped or reason

    # What to do next.

    def next_action(self, now: float) -> Action:
        """Decide what to do at this time."""
        self._tick(now)
        if self._revisits and not self._in_flight and self._is_at_end(now):
            self._answers.give_up_revisits()
        # 1. The crawl may be over.
        self._stop_if_over()
        if self._stopped:
            return Done(self._stopped)
        # 2. Something may have to be read before anything else is started.
        reading = self._reading(now)
        if reading is not None:
            return reading
        # 3. The best link is started, unless it is better to start none now.
        rests_until = self._rests_until(now)
        end = now + self._seconds_left()
        action = Wait(min(rests_until, end)) if rests_until > now else self._start_best(now)
        if action is not None:
            return action
        # 4. No host may be asked now: the crawl waits for one, or nothing is left.
        until = self.frontier.next_time()
        if not self._revisits and not self._in_flight and self._is_at_end(now):
            return self._end(now)
        assert until < math.inf or self._in_flight, "a host rests with links and nothing will wake it"
        return Wait(min(until, end))

    def _stop_if_over(self) -> None:
        """End the crawl if it has reached one of its limits."""
        if self._tally.pages >= self._limits.max_pages and not self._revisits:
            self.stop("max-pages")
        if self._seconds_left() < INSTANT:
            self.stop("max-minutes")
        if 0 < self._understanding.enough <= len(self._results) and not self._revisits:
            self.stop("enough")
        if self._results.coverage and self._results.coverage.is_reached and not self._revisits:
            self.stop("covered")

    def _reading(self, now: float) -> ReadGraph | ReadQueue | None:
        """What must be read now: the link graph, because the strategy wants to learn; the queue, because a better link
        may wait only in the record.
        """
        if self._understanding.scorer.wants_graph() and not self._is_graph_asked:
            self._is_graph_asked = True
            return ReadGraph(self._understanding.scorer.any_way)
        return ReadQueue() if self._waiting.wants_queue(now) else None

    def _end(self, now: float) -> Done | ReadQueue:
        """End the crawl because no link that it holds can be started, unless the record may have others."""
        if not self._waiting.tail.may_end:
            return ReadQueue()
        lost = self._admission.out_of_reach(now) if self.laid_aside else {}
        if lost and not self._tally.pages:
            self._tally.run.refusals.update(lost.values())
        self.stop("unreachable" if self.frontier or lost else "queue-empty")
        return Done(self._stopped)

    def _rests_until(self, now: float) -> float:
        """The time before which no request is started, inf: before an answer comes; `now` if one may be started."""
        if self._steering.is_paused:
            self._tally.run.lately.clear()  # a pause tells nothing of the pace
        wanted = len(self._revisits) or self._limits.max_pages - self._tally.pages
        if self._admission.is_full(wanted) or self._admission.is_better_behind_answer(now):
            return math.inf
        until = self._admission.learns_until(self._tally.requests, now)
        waits = self._understanding.scorer.waits
        if until > now or waits == NEVER:
            return until
        return self._admission.waits_until(now, self._patience(), wanted, by_rank=waits == BY_RANK)

    def _patience(self) -> float:
        """The patience asked for; less, in proportion, if the pages left take longer than the time left."""
        left, pages = self._seconds_left(), self._limits.max_pages - self._tally.pages
        return self._limits.patience * min(1.0, self._tally.pace() * left / max(1, pages))

    def _seconds_left(self) -> float:
        """Until `max_minutes` are over; inf without."""
        minutes = self._limits.max_minutes
        return math.inf if minutes is None else max(0.0, 60 * minutes - self._tally.seconds)

    def _start_best(self, now: float) -> Fetch | Wait | None:
        """Start the best link that may be started; a Wait until now if many were checked and none could be started.

        A robots.txt that would not be sent (https, through a proxy that refuses it) is out of reach at once: most links
        to other sites may be https, and each such origin would take a connection, and a place among the answers that
        are received together.
        """
        for _ in range(AT_ONCE):
            popped = self.frontier.pop(now)
            if popped is None:
                return None
            admitted = self._admission.admit(*popped, now)
            if admitted is None:
                continue
            if isinstance(admitted, Refusal):
                self._answers.refuse(admitted.entry, admitted.reason)
            elif isinstance(admitted, Outside):
                self._answers.leave_out(admitted.entry, admitted.why)
            else:
                self._tally.requests += 1
                unsent = self._answers.unsent(admitted.url) if admitted.robots else None
                if unsent is None:
                    if not admitted.robots:
                        self._started.append(popped[1].url)
                        self._waiting.tail.note_pop(popped[1], self.frontier.waiting(popped[0]))
                    return admitted
                self._answers.finish(admitted, replace(unsent, url=admitted.url), now, "")
            self._admission.reschedule(host_of(popped[1].url))
        return Wait(now)

    def _is_at_end(self, now: float) -> bool:
        """With no request open: whether only links wait whose origins have been out of reach for long."""
        hopeless = self._admission.hopeless(now)
        if hopeless and not self._tally.pages:  # only a crawl without a page reports why
            self._tally.run.refusals.update(hopeless.values())
        return hopeless is not None

    def _tick(self, now: float) -> None:
        if self._tally.tick(now):
            for host, seconds in self._away:
                self._admission.leave(host, seconds, now)

    # What came.

    def receive(self, answers: Sequence[Answer], now: float, stamp: str) -> None:
        """Take answers to Fetches that came by `now`; `stamp` is the same time as ISO text.

        Pages that come together are judged and learned together.
        """
        self._tick(now)
        self._tell_started()
        self._answers.receive(answers, now, stamp)

    def receive_graph(self, graph: LinkGraph) -> None:
        """Take the link graph that a ReadGraph asked for."""
        self._tell_started()
        run = self._tally.run
        run.graph_at = len(self._results) if run.graph_at is None else run.graph_at
        self._is_graph_asked = False
        self._understanding.scorer.receive_graph(graph)
        assert not self._understanding.scorer.wants_graph(), "the strategy asks for the same graph for ever"
        self._waiting.revise(self._understanding.revise())

    def _tell_started(self) -> None:
        """Report which addresses were chosen, before the understanding learns anything else."""
        if self._started:
            started, self._started = self._started, []
            self._understanding.scorer.choose(started)

    def _why_under_way(self, url: str) -> tuple[Reason, ...]:
        """Why an address was chosen that is being fetched."""
        self._tell_started()
        return self._understanding.scorer.why_chosen(url)

    # The end.

    def settle(self) -> bool:
        """At the end: judge all pages by everything that is known, some for each batch; returns whether any are
        left.
        """
        if self._settling is None:
            self._settling = self._understanding.settle()
            self._before_settling = self._totals().on_topic
        return self._results.judge_again(islice(self._settling, SETTLE_AT_ONCE)) > 0

    @property
    def is_cut_off(self) -> bool:
        """Whether the crawl has ended with only links behind traps."""
        return self._stopped == "queue-empty" and (self.frontier.cut_links.by_traps[0] > 0 or self.laid_aside > 0)

    def goes_on(self) -> bool:
        """After `settle`, if it was cut off: whether that has opened a trap; then the crawl continues."""
        if not self.frontier and not (self.laid_aside and self._waiting.wants_queue(self._tally.now)):
            return False
        self._stopped, self._settling = "", None
        return True

    # Batches and progress.

    def take_batch(self) -> Batch:
        """Everything since the last call. Its memory is empty unless it is time for a new copy of the strategy's
        memory. With a copy, and at the end, come the traps that links wait behind; again if settling opens one.

        A session that is followed by another one in this process leaves its memory in any case.
        """
        memory, traps = b"", None
        pages, waiting = self._tally.pages, len(self.frontier)
        due = max(min(REMEMBER_EVERY, self._remembered), pages // REMEMBER_SHARE, waiting // WAITING_A_PAGE)
        is_due = (self._stopped and not self._settling) or pages - self._remembered >= due
        is_due = is_due or self._unsaved.has_laid_aside  # what was laid aside belongs to the memory without it
        if is_due and (self.remembers or self._stopped == CHANGED):
            memory, self._remembered, self._results.cut = self._understanding.remember(), pages, None
        if (is_due or self._stopped) and self.remembers and self._results.cut is None and not self.laid_aside:
            left = (entry for entry in self.frontier.entries() if entry.url not in self._revisits)
            traps = tuple(behind(self._traps, [(entry.priority, entry) for entry in left if entry.depth]))
            self._results.cut = number_of(traps)
        return self._unsaved.take(self._totals(), memory, traps)

    def progress(self, now: float) -> Progress:
        """The state at this time."""
        self._tick(now)
        totals, run, best, awaited = self._totals(), self._tally.run, self.frontier.best(), self._awaited(now)
        if awaited:
            best = min(filter(None, [best, *map(self.frontier.top, origins_of(awaited[0]))]), default=None)
        coverage = self._results.coverage
        return Progress(
            pages=totals.pages,
            on_topic=totals.on_topic,
            before_settling=self._before_settling,
            requests=totals.requests,
            errors=totals.errors,
            inversions=totals.inversions,
            seconds=totals.seconds,
            pages_per_s=self._tally.rate(),
            left=self._time_left(),
            awaited=awaited,
            open=len(self._in_flight),
            queued=len(self.frontier) + self.laid_aside,
            best=None if best is None or best.priority == ROBOTS_PRIORITY else (best.url, best.priority),
            errors_by_kind=dict(run.errors),
            missing=run.missing,
            refusals=dict(run.refusals),
            stopped=self._stopped,
            cut=self._results.cut if self._stopped and self._results.cut else self.frontier.cut_links.by_traps,
            wanted=len(self._revisits),
            asked=dict(run.asked),
            graph_at=run.graph_at,
            too_deep=self.frontier.cut_links.too_deep,
            copies=totals.copies,
            given_up=run.given_up,
            outside=dict(run.outside),
            covered=coverage.covered if coverage else None,
            lacking=coverage.lacking() if coverage and self._stopped else (),
        )

    def _time_left(self) -> tuple[float, float] | None:
        """In which time (seconds) the pages left will probably come; None if nothing tells yet."""
        pages, pace = self._limits.max_pages - self._tally.pages, self._tally.pace()
        if self._revisits or self._stopped or pages <= 0:
            return None
        at_once = max(1, sum(1 for _ in islice(self.frontier.tops(), self._limits.connections)))
        patience = 0.0 if self._understanding.scorer.waits == NEVER else self._limits.patience
        found = seconds_for(pages, pace, patience=patience, delay=self._limits.delay, at_once=at_once)
        most = self._seconds_left()
        return found and (min(most, found[0]), min(most, found[1]))

    def _awaited(self, now: float) -> tuple[str, float] | None:
        """The host that is waited for, because its link is better than those at hand or because none is at hand."""
        host, at = self._admission.awaited or ("", math.inf)
        if not host and not self._in_flight and (origin := self.frontier.next_host()):
            host, at = host_of(origin), self.frontier.next_time()
        return (host, at - now) if host and now < at < math.inf and not self._stopped else None

    def _totals(self) -> Counters:
        return self._tally.totals(len(self._results), self.frontier.inversions)
