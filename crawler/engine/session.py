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
- Of a long queue the best links are loaded first, and fetched while the rest is read from the store (`load`).
- A link may raise a waiting page and never lowers it; parent and depth stay those of the page that first queued it.
- The strategy may change the priorities of waiting pages, up or down, after each page, after a failed request and after
  a link graph. A seed keeps its priority, which the user gave.
- When the strategy wants the link graph, the graph is read before anything else is started, from a store that has
  everything received so far. The crawl waits for it, so that the order does not depend on how long that takes.
- `rel=nofollow` on a link is evidence for the strategy. The nofollow of a whole page is obeyed: its links are not even
  recorded.
- noindex: the page is fetched and its links are followed, but it is not a result: not on topic, no text, no mentions.
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from crawler.dedup.duplicate_pages import Copies
from crawler.engine.actions import Action, Answer, Done, Fetch, Limits, ReadGraph, Wait, check_limits
from crawler.engine.admission import Admission, Hosts, Outside, Refusal
from crawler.engine.coverage_goal import Coverage, outside_links
from crawler.engine.crawl_records import Ending, Progress, RunCounts, Tally, Unsaved, Verdicts, ending, refused
from crawler.engine.steering import Steering
from crawler.frontier.priority_queue import ROBOTS_RANK, Cut, Entry, entry_of, robots_entry
from crawler.politeness.robots_and_pace import Gate, Politeness, Tries
from crawler.ports import Failed, Fetched, Outcome
from crawler.recrawl.revisits import CHANGED, GONE, NO_ANSWER, UNCHANGED, Revisits, status_change
from crawler.traps.cut_links import behind, number_of
from crawler.traps.trap_detection import Traps
from semantic.links.link_scorer import BY_RANK, NEVER
from semantic.memory.compact_collections import HashSet
from semantic.parsing.page_reader import is_read_as_page
from semantic.reasons import PageError, Reason, sentence
from semantic.records import (
    AskedRecord,
    Batch,
    Counters,
    FingerprintRecord,
    JudgedRecord,
    LinkGraph,
    LinkRecord,
    MentionRecord,
    PageRecord,
    Priority,
    QueuedRecord,
    Resumed,
    TrapRecord,
    VisitRecord,
    WantedRecord,
)
from semantic.understanding import Understanding, Understood
from semantic.urls import host_of, is_robots_url, origins_of, robots_url

AT_ONCE = 10  # links checked in one decision: robots.txt may take a tenth of a second for one; chosen, not measured
SETTLE_AT_ONCE = 5000  # pages judged again in one batch at the crawl's end; chosen, not measured
# How long a crawl will take: seconds of the delay for each page with full patience, by how much it becomes faster when
# more hosts are known, and the factor within which both are told. Measured: benchmarks/README.md, "Order".
PATIENT, GROWS, WITHIN = 0.95, 1.2, 1.5
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
    """One crawl, from the state in its store to its end. Times are seconds of any monotonic clock."""

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
    ) -> None:
        """The crawl as its store has it, and its parameters.

        - `remembers`: batches contain the strategy's memory; False for a store that ends with this process.
        - `away`: hosts, and the seconds for which they want to be left alone.
        - `after`: what the previous session of the same run passed on. It has ended, with no request open.
        - `coverage`: ends the crawl once it is reached.
        - `steering`: manual control.
        """
        check_limits(limits)
        if resumed.memory:
            understanding.restore(resumed.memory)
        self._understanding = understanding
        self._limits = limits
        self.handed_on = after or HandedOn(
            Hosts(Politeness(limits.delay, limits.per_host), Gate(respects=limits.respects), Tries()),
            RunCounts(resumed.counters),
        )
        hosts, run = self.handed_on.hosts, self.handed_on.counts
        self._tally = Tally(resumed.counters, run)
        self._revisits = Revisits(wanted, run.asked)
        self._traps = traps or Traps()
        self._steering = steering or Steering()
        self._admission = Admission(
            limits, hosts, self._traps, self._revisits, self._forget_waiting, steering=self._steering
        )
        self.frontier, self._in_flight = self._admission.frontier, self._admission.in_flight
        self._steering.attach(self.frontier, self._in_flight, self._why_under_way, self._place)
        self._outside = HashSet()  # addresses out of scope that were counted
        self._ended = HashSet(map(hash, known))  # 64 bits: two of 10 million addresses collide once in 300,000 crawls
        self._copies = Copies(fingerprints)
        self._verdicts = Verdicts(results)
        self._coverage = coverage
        self._away = tuple(away)
        self._stopped = ""
        self._is_graph_asked = False  # the link graph was asked for and has not come yet
        self._settling: Iterator[JudgedRecord] | None = None
        self._why: dict[str, tuple[Reason, ...]] = {}  # of the answers being received: why their addresses were chosen
        self._started: list[str] = []  # addresses chosen that the understanding was not told about yet
        self._unsent: dict[str, Failed] = {}  # by scheme: the answer to a request that was not sent, nor will others be
        self._missed: list[str] = []  # of the answers being received: addresses requested without success
        self._remarks: dict[str, Reason] = {}  # of pages of this run: what stays among their reasons (`Fetched.remark`)
        self._unsaved = Unsaved()
        self.remembers = remembers
        # links behind traps in the last copy, and the number of these traps; None if they are to be counted (again)
        self._cut: tuple[int, int] | None = None
        self._remembered = 0  # not the pages so far: a killed run may have left a memory older than its pages
        self._found = resumed.found
        for record in queued:
            self._admission.push_new(entry_of(record, understanding.interned(record.url)))
            self._found = max(self._found, record.found)
        self._is_loading = len(self.frontier) < resumed.waiting
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
        self._limits = replace(self._limits, connections=number)
        self._admission.change(self._limits)

    @property
    def is_loading(self) -> bool:
        """Whether the store may contain more waiting links than were queued here; False once `load` got an empty
        part.
        """
        return self._is_loading

    def load(self, records: Sequence[QueuedRecord]) -> None:
        """Queue links that wait in the store, in any order; an empty part is the end."""
        self._is_loading = bool(records)
        for record in records:
            waiting = self.frontier.get(record.url)
            if waiting is None and hash(record.url) not in self._ended and record.url not in self._in_flight:
                self._admission.push_new(entry_of(record, self._understanding.interned(record.url)))
            elif waiting is not None and waiting.found != record.found:  # found again before it was loaded
                raised = entry_of(record, waiting.url)._replace(rank=min(waiting.rank, -record.priority))
                self._admission.push(raised)

    def stop(self, reason: str) -> None:
        """End the crawl now; links being fetched stay queued."""
        self._stopped = self._stopped or reason

    def change(self, understanding: Understanding, limits: Limits, visits: Iterable[VisitRecord]) -> None:
        """Continue with other parameters and limits; what was learned stays. `visits`: all addresses that have ended,
        and whether they are on topic now.
        """
        self._started = []
        understanding.restore(self._understanding.remember())
        understanding.choose(self._in_flight.page_urls)
        for visit in visits:
            self._change_verdict(visit.url, on_topic=visit.on_topic)
        self._understanding, self._limits = understanding, limits
        self._admission.change(limits)

    # What to do next.

    def next_action(self, now: float) -> Action:
        """Decide what to do at this time."""
        self._tick(now)
        if self._revisits and not self._in_flight and self._is_at_end(now):
            self._give_up_revisits()
        if self._tally.pages >= self._limits.max_pages and not self._revisits:
            self.stop("max-pages")
        if self._seconds_left() < INSTANT:
            self.stop("max-minutes")
        if 0 < self._understanding.enough <= len(self._verdicts) and not self._revisits:
            self.stop("enough")
        if self._coverage and self._coverage.is_reached and not self._revisits:
            self.stop("covered")
        if self._stopped:
            return Done(self._stopped)
        if self._understanding.wants_graph() and not self._is_graph_asked:
            self._is_graph_asked = True
            return ReadGraph(self._understanding.any_way)
        rests_until = self._rests_until(now)
        end = now + self._seconds_left()
        action = Wait(min(rests_until, end)) if rests_until > now else self._start_best(now)
        if action is not None:
            return action
        until = self.frontier.next_time()
        if not self._revisits and not self._in_flight and not self._is_loading and self._is_at_end(now):
            self.stop("unreachable" if self.frontier else "queue-empty")
            return Done(self._stopped)
        will_come = self._in_flight or self._is_loading
        assert until < math.inf or will_come, "a host rests with links and nothing will wake it"
        return Wait(min(until, end))

    def _rests_until(self, now: float) -> float:
        """The time before which no request is started, inf: before an answer comes; `now` if one may be started."""
        if self._steering.is_paused:
            self._tally.run.lately.clear()  # a pause tells nothing of the pace
        wanted = len(self._revisits) or self._limits.max_pages - self._tally.pages
        if self._admission.is_full(wanted) or self._admission.is_better_behind_answer(now):
            return math.inf
        until = self._admission.learns_until(self._tally.requests, now)
        waits = self._understanding.waits
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
            if isinstance(admitted, Refusal):
                self._refuse(admitted)
            elif isinstance(admitted, Outside):
                self._leave_out(admitted)
            elif admitted is not None:
                self._tally.requests += 1
                unsent = self._unsent.get(_scheme(admitted.url)) if admitted.robots else None
                if unsent is None:
                    if not admitted.robots:
                        self._started.append(popped[1].url)
                    return admitted
                self._finish(admitted, replace(unsent, url=admitted.url), now, "")
                self._admission.reschedule(host_of(admitted.url))
        return Wait(now)

    def _refuse(self, refusal: Refusal) -> None:
        entry = refusal.entry
        if entry.url in self._revisits:
            self._drop_revisit(entry.url)
        else:
            reserved = self.handed_on.hosts.gate.reservation(entry.url) or None
            self._end(replace(refused(entry, refusal.reason), reserved=reserved), entry)
            self._follow(learned=False)
        self._admission.reschedule(host_of(entry.url))

    def _leave_out(self, outside: Outside) -> None:
        entry = outside.entry
        if entry.url in self._revisits:
            self._drop_revisit(entry.url)
        else:
            self._note_outside(entry.url, outside.why)
        self._admission.reschedule(host_of(entry.url))

    def _note_outside(self, url: str, why: str) -> None:
        """Record an address that is out of scope and was not fetched; each is counted once in a run."""
        self._understanding.forget(url, None)
        if hash(url) not in self._outside:
            self._outside.add(hash(url))
            self._tally.run.outside[why] += 1
            self._unsaved.outside(url, why)

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

    # Answers.

    def receive(self, answers: Sequence[Answer], now: float, stamp: str) -> None:
        """Take answers to Fetches that came by `now`; `stamp` is the same time as ISO text.

        Pages that come together are judged and learned together.
        """
        self._tick(now)
        self._tell_started()
        ended = [end for fetch, outcome in answers if (end := self._finish(fetch, outcome, now, stamp))]
        pages: list[tuple[Entry, Fetched]] = []
        others: list[tuple[Entry, Outcome]] = []
        for entry, outcome in ended:
            self._ended.add(hash(entry.url))
            self._why[entry.url] = self._understanding.why_chosen(entry.url)
            is_new = entry.url not in self._revisits or status_change(outcome) == CHANGED
            if is_new and isinstance(outcome, Fetched) and is_read_as_page(outcome.status, outcome.headers, entry.url):
                pages.append((entry, outcome))
            else:
                others.append((entry, outcome))
        for entry, outcome in others:
            self._receive_one(entry, outcome, stamp)
        has_missed = self._tell_missed()  # before the pages, so that it affects the priorities of their links
        answers_read = [(outcome.body, entry.url, outcome.headers) for entry, outcome in pages]
        read = self._understanding.understand(answers_read) if pages else []
        for (entry, outcome), one in zip(pages, read, strict=True):
            self._receive_one(entry, outcome, stamp, one)
        self._why.clear()
        if ended:
            self._follow(learned=has_missed or any(isinstance(one, Understood) for one in read))
        for host in dict.fromkeys(host_of(fetch.url) for fetch, _ in answers):
            self._admission.reschedule(host)

    def _finish(self, fetch: Fetch, outcome: Outcome, now: float, stamp: str) -> tuple[Entry, Outcome] | None:
        """Take one answer; returns the link and the answer if the link's address has ended by it."""
        entry, away = self._admission.finish(fetch, outcome, now, stamp)
        unsent = outcome if isinstance(outcome, Failed) and not outcome.asked else None
        if unsent:
            self._tally.requests -= 1
            self._tally.run.given_up = sentence(unsent.detail)
            self._unsent[_scheme(fetch.url)] = unsent
        if away:
            self._unsaved.away(host_of(fetch.url), away)
        if fetch.robots:
            error, sites = self._admission.receive_robots(outcome, now, stamp)
            if error and not unsent:
                self._tally.fail(error)
            for site in sites:
                self._unsaved.site(site)
        return None if entry is None else (entry, outcome)

    def _receive_one(
        self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None = None
    ) -> None:
        if isinstance(outcome, Fetched) and outcome.remark:
            self._remarks[entry.url] = outcome.remark
        receive = self._receive_again if entry.url in self._revisits else self._receive_page
        receive(entry, outcome, stamp, read)

    def receive_graph(self, graph: LinkGraph) -> None:
        """Take the link graph that a ReadGraph asked for."""
        self._tell_started()
        run = self._tally.run
        run.graph_at = len(self._verdicts) if run.graph_at is None else run.graph_at
        self._is_graph_asked = False
        self._understanding.receive_graph(graph)
        assert not self._understanding.wants_graph(), "the strategy asks for the same graph for ever"
        self._revise(self._understanding.revise())

    def _receive_page(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> None:
        end = self._ending(entry, outcome, stamp, read)
        if end.error:
            self._tally.fail(end.error)
        if end.fingerprint is None:
            if end.record.status == "failed":
                self._traps.fail(entry.url)
            elif end.record.status == "fetched":
                self.frontier.open(self._traps.receive_source(end.record))
            self._end(end.record, entry, end.sources)
            return
        kept = self._copies.receive(end.record, end.fingerprint, end.titles, self._knows, self._tally.pages + 1)
        if kept.record.copy_of is not None:
            self._missed.append(entry.url)
        if kept.replaced is not None:
            self._traps.take_back(kept.replaced.url, kept.record.url)
        is_original = kept.record.copy_of is None and not kept.is_alike
        record, opened = self._traps.receive(kept.record, end.fingerprint, is_original=is_original)
        self.frontier.open(opened)
        if kept.record.copy_of is not None:
            self._withdraw(entry.url)
        if kept.replaced is not None:
            self._withdraw(kept.replaced.url)
            self._unsaved.replaced(kept.replaced)
        self._note_mentions(record.url, record.mentions)
        self._note_verdict(record.url, on_topic=bool(record.on_topic))
        self._tally.count(kept.pages)
        self._tally.copies += kept.copies
        self._end(
            record,
            entry,
            (*self.handed_on.hosts.gate.sitemaps(entry.url), *end.sources) if record.on_topic else (),
            end.onward if record.copy_of is None else (),
        )

    def _ending(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> Ending:
        """What an answer leaves, with what the origin reserves."""
        end = ending(entry, outcome, stamp, read)
        said = self.handed_on.hosts.gate.reservation(entry.url) if end.record.status == "fetched" else ""
        if not said:
            return end
        return replace(end, record=replace(end.record, reserved=", ".join(filter(None, (end.record.reserved, said)))))

    def _end(self, record: PageRecord, entry: Entry, sources: Iterable[str] = (), onward: Iterable[str] = ()) -> None:
        why = self._why.pop(entry.url, ())
        self._ended.add(hash(entry.url))
        if record.status == "refused" and not self._tally.pages:  # only a crawl without a page reports them
            self._tally.run.refusals.update(record.reasons)
        named = (LinkRecord(url, "", "", -entry.rank, 0, (Reason("source of links"),)) for url in sources)
        links = (*record.links, *(link for link in named if not is_robots_url(link.url)))
        if links:
            # a redirect's target is queued with its priority and depth, like what stands for a page
            instead = entry._replace(parent=entry.url, redirects=entry.redirects + 1)
            leading = [LinkRecord(url, "", "", -entry.rank, 0, (Reason("stands for the page"),)) for url in onward]
            like = instead if record.status == "redirected" else Entry(0.0, 0, entry.depth + 1, "", entry.url, 0)
            queued = self._queue(leading, instead._replace(found=0))
            record = replace(record, queued=(*queued, *self._queue(links, like)))
        self._unsaved.end(record, why)
        if self._steering.is_watched:
            self._steering.note(record, why)
        if record.status != "fetched":
            if record.status == "failed":
                self._missed.append(entry.url)
            self._understanding.forget(entry.url, record.links[0].url if record.links else None)

    # Pages that are fetched again.

    def _receive_again(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> None:
        before, what = self._revisits[entry.url], status_change(outcome)
        if what == CHANGED:
            end = self._ending(entry, outcome, stamp, read)
            record = replace(end.record, order=before.order, priority=before.priority)
            record = self._copies.again(record, end.fingerprint, before)
            if end.fingerprint is not None and (record.copy_of or record.fingerprint == before.fingerprint):
                what = UNCHANGED
            if what == UNCHANGED and record.content is not None:
                self._unsaved.asked(AskedRecord(entry.url, stamp))
            else:
                self._note_mentions(record.url, record.mentions)
                if end.fingerprint is None or record.content is None:
                    self._withdraw(record.url)
                else:
                    self._change_verdict(record.url, on_topic=bool(record.on_topic))
                sources = end.sources if record.on_topic or end.fingerprint is None else ()
                self._end(record, entry, sources, end.onward)
        else:
            gone = outcome.status if what == GONE and isinstance(outcome, Fetched) else None
            if gone:
                self._copies.withdraw(before)
                self._withdraw(entry.url)
                self._missed.append(entry.url)
                self._understanding.forget(entry.url, None)
            self._unsaved.asked(AskedRecord(entry.url, "" if what == NO_ANSWER else stamp, gone))
        self._end_revisit(entry.url, what)

    def _drop_revisit(self, url: str) -> None:
        """End the revisit of a page that is not requested: it is refused, or out of reach."""
        self._unsaved.asked(AskedRecord(url))
        self._end_revisit(url, NO_ANSWER)

    def _give_up_revisits(self) -> None:
        """End all remaining revisits, because they are out of reach."""
        for url in list(self._revisits):
            self.frontier.remove(robots_url(url), url)
            self._drop_revisit(url)

    def _end_revisit(self, url: str, what: str) -> None:
        self._revisits.end(url, what)
        if not self._revisits:
            self.frontier.open([Cut.REVISITS])

    # Messages to and from the understanding.

    def _tell_started(self) -> None:
        """Report which addresses were chosen, before the understanding learns anything else."""
        if self._started:
            started, self._started = self._started, []
            self._understanding.choose(started)

    def _why_under_way(self, url: str) -> tuple[Reason, ...]:
        """Why an address was chosen that is being fetched."""
        self._tell_started()
        return self._understanding.why_chosen(url)

    def _tell_missed(self) -> bool:
        """Report which addresses were requested without success; returns whether there are any."""
        missed, self._missed = self._missed, []
        if missed:
            self._understanding.miss(missed)
        return bool(missed)

    def _follow(self, *, learned: bool) -> None:
        """After addresses have ended: record the new relevance of pages and the new priorities of waiting links."""
        learned = self._tell_missed() or learned
        if self._judge_again(self._understanding.rejudged()) or learned:
            self._revise(self._understanding.revise())

    def _forget_waiting(self, url: str) -> None:
        """Report a waiting link that will probably not be fetched in this run."""
        self._understanding.forget(url, None)

    def settle(self) -> bool:
        """At the end: judge all pages by everything that is known, some for each batch; returns whether any are
        left.
        """
        if self._settling is None:
            self._settling = self._understanding.settle()
        return self._judge_again(islice(self._settling, SETTLE_AT_ONCE)) > 0

    @property
    def is_cut_off(self) -> bool:
        """Whether the crawl has ended with only links behind traps."""
        return self._stopped == "queue-empty" and self.frontier.cut_off[0] > 0

    def goes_on(self) -> bool:
        """After `settle`, if it was cut off: whether that has opened a trap; then the crawl continues."""
        if not self.frontier:
            return False
        self._stopped, self._settling = "", None
        return True

    def _judge_again(self, records: Iterable[JudgedRecord]) -> int:
        """Record the new relevance of pages fetched before; returns their number."""
        number = 0
        for record in records:
            number += 1
            if record.mentions is not None:
                self._note_mentions(record.url, record.mentions)
            self._change_verdict(record.url, on_topic=record.on_topic)
            remark = self._remarks.get(record.url)
            self._unsaved.judge(replace(record, reasons=(remark, *record.reasons)) if remark else record)
        return number

    def _withdraw(self, url: str) -> None:
        """Note that a page is no result, whatever is learned later: it is gone or has moved, asks not to be one, is a
        copy of another, or is no page any more. No other code takes a result away for good.
        """
        self._understanding.withdraw(url)
        self._unsaved.withdraw(url)
        self._change_verdict(url, on_topic=False)

    def _change_verdict(self, url: str, *, on_topic: bool) -> None:
        """Note whether a page received before is on topic now. If that has changed, the traps count it anew."""
        if on_topic != (url in self._verdicts):
            opened = self._traps.judge_again(url, on_topic=on_topic)
            self.frontier.open(opened)
            if opened:
                self._cut = None
        self._note_verdict(url, on_topic=on_topic)

    def _note_mentions(self, url: str, mentions: Iterable[MentionRecord]) -> None:
        if self._coverage:
            self._coverage.set_mentions(url, outside_links(mentions))

    def _note_verdict(self, url: str, *, on_topic: bool) -> None:
        """Note whether a page is on topic."""
        self._verdicts.set_on_topic(url, on_topic=on_topic)
        if self._coverage:
            self._coverage.set_on_topic(url, on_topic=on_topic)

    # The queue.

    def _revise(self, places: Mapping[str, Priority]) -> None:
        """Apply the strategy's new priorities to waiting pages."""
        raised = self._steering.raised
        for url, priority in places.items():
            waiting = self.frontier.get(url)
            if waiting is None or url in self._revisits:
                continue
            place = self._steering.raised_priority(url, priority) if raised else priority
            if waiting.depth > 0 and waiting.rank != -place.score:
                self._place(url, place)

    def _place(self, url: str, priority: Priority) -> None:
        """Give a waiting page this priority."""
        waiting = self.frontier.get(url)
        if waiting is not None:
            self._admission.push(waiting._replace(rank=-priority.score))
            self._unsaved.revise(url, priority)

    def _queue(self, links: Sequence[LinkRecord], like: Entry) -> tuple[QueuedRecord, ...]:
        """Queue the targets of links, or raise those that wait; returns the entries that are new or have changed."""
        queued = []
        waiting_at, raised = self.frontier.get, self._steering.raised
        ended = self._ended.among([hash(link.url) for link in links])
        for link in links:
            url, priority = link.url, link.priority
            if priority is None:
                continue
            if raised:
                priority = self._steering.raised_priority(url, Priority(priority)).score
            waiting = waiting_at(url)
            if waiting is None:
                if hash(url) in ended or url in self._in_flight or url in self._revisits:
                    continue
                why = self._admission.why_outside(url)
                if why:
                    self._note_outside(url, why)
                    continue
                self._found += 1
                entry = Entry(-priority, like.found or self._found, like.depth, url, like.parent, like.redirects)
                self._admission.push_new(entry)
            else:
                if -priority >= waiting.rank or url in self._revisits:
                    continue
                entry = waiting._replace(rank=-priority)
                self._admission.push(entry)
                self._unsaved.raise_again(link)
            place = (priority, entry.depth, entry.parent, entry.redirects)
            queued.append(QueuedRecord(url, *place, waiting is not None, link.reasons, entry.found))
        return tuple(queued)

    def _knows(self, url: str) -> bool:
        """Whether an address leads to nothing new: it was met before, or repeats one that was."""
        is_met = hash(url) in self._ended or url in self._in_flight or self.frontier.get(url) is not None
        return is_met or self._traps.is_repeat(url)

    # Batches and progress.

    def take_batch(self) -> Batch:
        """Everything since the last call. Its memory is empty unless it is time for a new copy of the strategy's
        memory. With a copy, and at the end, come the traps that links wait behind; again if settling opens one.
        """
        memory, traps = b"", None
        pages, waiting = self._tally.pages, len(self.frontier)
        due = max(min(REMEMBER_EVERY, self._remembered), pages // REMEMBER_SHARE, waiting // WAITING_A_PAGE)
        is_due = (self._stopped and not self._settling) or pages - self._remembered >= due
        if is_due and self.remembers:
            memory, self._remembered, self._cut = self._understanding.remember(), pages, None
        if (is_due or self._stopped) and self.remembers and self._cut is None:
            traps = self._cut_links()
            self._cut = None if traps is None else number_of(traps)
        batch, self._unsaved = self._unsaved.batch(self._totals(), memory), Unsaved()
        return replace(batch, traps=traps)

    def _cut_links(self) -> tuple[TrapRecord, ...] | None:
        """The traps that links wait behind; None if the queue is not loaded yet."""
        if self._is_loading:
            return None
        waiting = (entry for entry in self.frontier.entries() if entry.url not in self._revisits)
        return tuple(behind(self._traps, [(-entry.rank, entry) for entry in waiting if entry.depth]))

    def progress(self, now: float) -> Progress:
        """The state at this time."""
        self._tick(now)
        totals, run, best, awaited = self._totals(), self._tally.run, self.frontier.best(), self._awaited(now)
        if awaited:
            best = min(filter(None, [best, *map(self.frontier.top, origins_of(awaited[0]))]), default=None)
        return Progress(
            pages=totals.pages,
            on_topic=totals.on_topic,
            requests=totals.requests,
            errors=totals.errors,
            inversions=totals.inversions,
            seconds=totals.seconds,
            pages_per_s=self._tally.rate(),
            left=self._time_left(),
            awaited=awaited,
            open=len(self._in_flight),
            queued=len(self.frontier),
            best=None if best is None or best.rank == ROBOTS_RANK else (best.url, -best.rank),
            errors_by_kind=dict(run.errors),
            refusals=dict(run.refusals),
            stopped=self._stopped,
            cut=self._cut if self._stopped and self._cut else self.frontier.cut_off,
            wanted=len(self._revisits),
            asked=dict(run.asked),
            graph_at=run.graph_at,
            too_deep=self.frontier.too_deep,
            copies=totals.copies,
            given_up=run.given_up,
            outside=dict(run.outside),
            covered=self._coverage.covered if self._coverage else None,
            lacking=self._coverage.lacking() if self._coverage and self._stopped else (),
        )

    def _time_left(self) -> tuple[float, float] | None:
        """In which time (seconds) the pages left will probably come; None if nothing tells yet."""
        pages, pace = self._limits.max_pages - self._tally.pages, self._tally.pace()
        if self._revisits or self._stopped or pages <= 0:
            return None
        if pace < math.inf:
            probably = pages / pace / GROWS
        elif self._limits.delay > 0:
            patience = 0.0 if self._understanding.waits == NEVER else self._limits.patience
            at_once = max(1, min(self._limits.connections, sum(1 for _ in self.frontier.tops())))
            probably = pages * self._limits.delay * (PATIENT * patience + (1 - patience) / at_once)
        else:
            return None
        most = self._seconds_left()
        return min(most, probably / WITHIN), min(most, probably * WITHIN)

    def _awaited(self, now: float) -> tuple[str, float] | None:
        """The host that is waited for, because its link is better than those at hand or because none is at hand."""
        host, at = self._admission.awaited or ("", math.inf)
        if not host and not self._in_flight and (origin := self.frontier.next_host()):
            host, at = host_of(origin), self.frontier.next_time()
        return (host, at - now) if host and now < at < math.inf and not self._stopped else None

    def _totals(self) -> Counters:
        return self._tally.totals(len(self._verdicts), self.frontier.inversions)


def _scheme(url: str) -> str:
    return url.partition(":")[0]
