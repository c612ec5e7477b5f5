"""The crawl as a state machine without I/O: it says what to fetch, and takes the answers.

`next_action` decides and `receive` learns, of one answer or of several that came together; the driver, a simulator or a
test does what is decided and brings the time along. No clock, socket, database or chance in here, so that the same
answers give the same crawl.

Rules
- An address ends once: fetched, failed, refused or redirected. It is queued until then, also while it is in flight:
  what a killed crawl had in flight is fetched again.
- Never more page fetches are open than pages are still wanted, so `max_pages` is never overshot.
- A page without an answer, or with 429 or 5xx, is asked for again (`crawler.politeness.pacing`): twice, or more often
  where Retry-After says when; not where its tries have taken `PATIENCE` seconds.
- A redirect is an end with one link; its target waits with the same priority and depth, so that each hop obeys
  robots.txt, politeness and the source's address checks. More than five in a row fail.
- Which waiting link may be started, and when: `crawler.engine.admission`. Where only links are left whose origins have
  had their time (`Gate.hopeless`), or have asked to be left alone for hours (`Politeness.away`), the crawl ends as
  `unreachable`; they stay queued, and the same crawl begins with them again.
- A link out of the crawl's scope is recorded and not queued; a redirect there is recorded and not followed.
- A link that the strategy discards is recorded and not queued; a later, better one may queue its target.
- Of a long queue the best are loaded first, and crawled while the rest is read from the store (`load`).
- A link raises a waiting page and never lowers it; its parent and depth are those of the page that first queued it.
- The strategy may revise the places of waiting pages, up or down, after each page, after a request in vain and after a
  link graph. A seed keeps its place, which the user gave.
- When the strategy wants the link graph, it is read before anything else is started, from a store that holds all that
  was received. The crawl waits for it, so that the order does not depend on how long that takes.
- `rel=nofollow` is evidence for the strategy; the page's own nofollow is obeyed: its links are not even kept.
- noindex: the page is fetched and its links are followed, but it is no result: not on topic, no text, no mentions.
- A page that is on topic names sources of links: the first feed it tells of, and the sitemaps of its robots.txt. They
  wait with the page's own priority; what they list waits as the strategy says. They are no pages: they have no `order`
  and do not count. No page off topic, and no guess (`/sitemap.xml`), costs a site such a fetch.
- Pages to be asked for again (`crawler.recrawl.revisits`) come first, whatever `max_pages` says.
- A crawl may end once every concept has enough pages on topic (`crawler.engine.coverage_goal`).
- A person may hold the crawl, ban a host or put it first (`crawler.engine.steering`).
- A copy of another page (`crawler.dedup.duplicate_pages`) has no `order` either, and does not count; a better one takes
  its place.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from crawler.dedup.duplicate_pages import Copies, HashSet
from crawler.engine.actions import Action, Answer, Done, Fetch, Limits, ReadGraph, Wait, check_limits
from crawler.engine.admission import Admission, Hosts, Outside, Refusal
from crawler.engine.coverage_goal import Coverage, outside_links
from crawler.engine.crawl_statistics import Progress, RunCounts, Tally
from crawler.engine.page_records import Unsaved, Verdicts, ending, refused
from crawler.engine.steering import Steering
from crawler.fetch.body_types import is_read_as_page
from crawler.frontier.priority_queue import HELD, ROBOTS_RANK, Entry, entry_of, robots_entry
from crawler.politeness.pacing import Politeness, Tries
from crawler.politeness.robots import Gate, is_robots_url, robots_url
from crawler.ports import Failed, Fetched, Outcome
from crawler.recrawl.revisits import CHANGED, GONE, SILENT, UNCHANGED, Revisits, became
from crawler.traps.trap_detection import Traps
from ontology.errors import PageError
from semantic.records import (
    AskedRecord,
    Batch,
    Counters,
    JudgedRecord,
    LinkGraph,
    LinkRecord,
    MarkRecord,
    MentionRecord,
    PageRecord,
    Priority,
    QueuedRecord,
    Reason,
    Resumed,
    WantedRecord,
)
from semantic.understanding import Understanding, Understood
from semantic.urls import host_of

AT_ONCE = 10  # links looked at in one decision: what robots.txt says of one may take a tenth of a second
SETTLE_AT_ONCE = 5000  # in one batch at the crawl's end
REMEMBER_EVERY = 1000  # pages between two copies of the strategy's memory, fewer in a run's beginning,
WAITING_A_PAGE = 100  # or as many as this goes into the waiting links: a copy costs more the more of them there are


@dataclass(frozen=True, slots=True)
class HandedOn:
    """What a session leaves to the next one of the same run: what it knows of hosts, and what is counted of the run."""

    hosts: Hosts
    counts: RunCounts


class Session:
    """One crawl from its store's state to its end. Times are seconds of any clock that only goes forward."""

    def __init__(  # noqa: PLR0913 - what a store holds of a crawl, one by one
        self,
        understanding: Understanding,
        limits: Limits,
        resumed: Resumed,
        queued: Iterable[QueuedRecord],
        known: Iterable[str],
        *,
        fingerprints: Iterable[MarkRecord] = (),
        traps: Traps | None = None,
        wanted: Iterable[WantedRecord] = (),
        away: Iterable[tuple[str, float]] = (),
        results: Iterable[str] = (),
        remembers: bool = True,
        after: HandedOn | None = None,
        coverage: Coverage | None = None,
        steering: Steering | None = None,
    ) -> None:
        """`remembers`: batches hold what the strategy has learned; not for a store that ends with this process.

        `away`: hosts, and the seconds for which they want to be left alone. `after`: what the session of the same run
        handed on that ended for this one, with nothing under way. `coverage`: ends the crawl once it is reached.
        `steering`: a person's hand on it.
        """
        check_limits(limits)
        if resumed.memory:
            understanding.restore(resumed.memory)
        self._understanding = understanding
        self._limits = limits
        self.handed_on = after or HandedOn(
            Hosts(Politeness(limits.delay, limits.per_host), Gate(), Tries()), RunCounts(resumed.counters)
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
        self._ended = HashSet(map(hash, known))  # 64 bits an address: two of 10 million agree once in 300,000 crawls
        self._copies = Copies(fingerprints)
        self._verdicts = Verdicts(results)
        self._coverage = coverage
        self._away = tuple(away)
        self._stopped = ""
        self._settling: Iterator[JudgedRecord] | None = None
        self._why: dict[str, tuple[Reason, ...]] = {}  # why addresses were chosen whose answers are being taken
        self._started: list[str] = []  # addresses that were chosen since the understanding heard of any
        self._missed: list[str] = []  # addresses that were asked in vain, of the answers that are being taken
        self._unsaved = Unsaved()
        self._remembers = remembers
        self._remembered = 0  # a run that was killed may have left a memory that is older than its pages
        self._found = resumed.found
        for record in queued:
            self._admission.push_new(entry_of(record, understanding.text_of(record.url)))
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
        """Pages and links that the next batch will hold."""
        return self._unsaved.size

    @property
    def is_loading(self) -> bool:
        """Whether more waits in the store than was queued here: until `load` has got all of it."""
        return self._is_loading

    def load(self, records: Sequence[QueuedRecord]) -> None:
        """Queue what waits in the store, in any order; with none, that was all."""
        self._is_loading = bool(records)
        for record in records:
            waiting = self.frontier.get(record.url)
            if waiting is None and hash(record.url) not in self._ended and record.url not in self._in_flight:
                self._admission.push_new(entry_of(record, self._understanding.text_of(record.url)))
            elif waiting is not None and waiting.found != record.found:  # found again before it came
                raised = entry_of(record, waiting.url)._replace(rank=min(waiting.rank, -record.priority))
                self._admission.push(raised)

    def stop(self, reason: str) -> None:
        """End the crawl now; what is in flight stays queued."""
        self._stopped = self._stopped or reason

    def change(self, understanding: Understanding, limits: Limits, results: Iterable[str]) -> None:
        """Go on with other parameters and limits, and these pages on topic; what was learned stays."""
        self._started = []
        understanding.restore(self._understanding.remember())
        understanding.choose(self._in_flight.page_urls)
        self._understanding, self._limits, self._verdicts = understanding, limits, Verdicts(results)
        self._admission.change(limits)

    # What to do next.

    def next_action(self, now: float) -> Action:
        """Decide what to do at this time."""
        self._tick(now)
        if self._revisits and not self._in_flight and self._is_at_end(now):
            self._give_up_revisits()
        if self._tally.pages >= self._limits.max_pages and not self._revisits:
            self.stop("max-pages")
        if 0 < self._understanding.enough <= len(self._verdicts) and not self._revisits:
            self.stop("enough")
        if self._coverage and self._coverage.is_reached and not self._revisits:
            self.stop("covered")
        if self._stopped:
            return Done(self._stopped)
        if self._understanding.wants_graph():
            return ReadGraph(self._understanding.any_way)
        wanted = len(self._revisits) or self._limits.max_pages - self._tally.pages
        if self._admission.is_full(wanted) or self._admission.is_better_behind_answer(now):
            return Wait(math.inf)
        action = self._start_best(now)
        if action is not None:
            return action
        until = self.frontier.next_time()
        if not self._revisits and not self._in_flight and not self._is_loading and self._is_at_end(now):
            self.stop("unreachable" if self.frontier else "queue-empty")
            return Done(self._stopped)
        will_come = self._in_flight or self._is_loading
        assert until < math.inf or will_come, "a host rests with links and nothing will wake it"
        return Wait(until)

    def _start_best(self, now: float) -> Fetch | Wait | None:
        """The best link that may be started; a Wait for nothing where many were looked at in vain."""
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
                if not admitted.robots:
                    self._started.append(popped[1].url)
                return admitted
        return Wait(now)

    def _refuse(self, refusal: Refusal) -> None:
        entry = refusal.entry
        if entry.url in self._revisits:
            self._drop_revisit(entry.url)
        else:
            self._end(refused(entry, refusal.reason), entry)
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
        """An address that has not ended is out of scope; a run counts it once."""
        self._understanding.forget(url, None)
        if hash(url) not in self._outside:
            self._outside.add(hash(url))
            self._tally.run.outside[why] += 1
            self._unsaved.outside(url, why)

    def _is_at_end(self, now: float) -> bool:
        """With nothing in flight: whether no link waits but those of origins that are out of reach for long."""
        hopeless = self._admission.hopeless(now)
        if hopeless and not self._tally.pages:  # only a crawl without a page tells why
            self._tally.run.refusals.update(hopeless.values())
        return hopeless is not None

    def _tick(self, now: float) -> None:
        if self._tally.tick(now):
            for host, seconds in self._away:
                self._admission.leave(host, seconds, now)

    # What the answers say.

    def receive(self, answers: Sequence[Answer], now: float, stamp: str) -> None:
        """Take answers to Fetches that came by `now`; `stamp` is the same as ISO text.

        Pages that come together are judged and learned of together.
        """
        self._tick(now)
        self._tell_started()
        ended = [end for fetch, outcome in answers if (end := self._finish(fetch, outcome, now, stamp))]
        pages: list[tuple[Entry, Fetched]] = []
        others: list[tuple[Entry, Outcome]] = []
        for entry, outcome in ended:
            self._ended.add(hash(entry.url))
            self._why[entry.url] = self._understanding.why_chosen(entry.url)
            is_new = entry.url not in self._revisits or became(outcome) == CHANGED
            if is_new and is_read_as_page(outcome, entry.url):
                pages.append((entry, outcome))
            else:
                others.append((entry, outcome))
        for entry, outcome in others:
            self._receive_one(entry, outcome, stamp)
        has_missed = self._tell_missed()  # before the pages, whose links are then placed by it
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
        """An answer has come: for robots.txt, for an address that is asked again, or, given back, for one that ends."""
        entry, away = self._admission.finish(fetch, outcome, now, stamp)
        if isinstance(outcome, Failed) and not outcome.asked:
            self._tally.requests -= 1
            self._tally.run.given_up = outcome.detail
        if away:
            self._unsaved.away(host_of(fetch.url), away)
        if fetch.robots:
            error, sites = self._admission.receive_robots(outcome, now, stamp)
            if error:
                self._tally.fail(error)
            for site in sites:
                self._unsaved.site(site)
        return None if entry is None else (entry, outcome)

    def _receive_one(
        self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None = None
    ) -> None:
        receive = self._receive_again if entry.url in self._revisits else self._receive_page
        receive(entry, outcome, stamp, read)

    def receive_graph(self, graph: LinkGraph) -> None:
        """Take the answer to a ReadGraph."""
        self._tell_started()
        run = self._tally.run
        run.graph_at = len(self._verdicts) if run.graph_at is None else run.graph_at
        self._understanding.receive_graph(graph)
        assert not self._understanding.wants_graph(), "the strategy asks for the same graph for ever"
        self._revise(self._understanding.revise())

    def _receive_page(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> None:
        end = ending(entry, outcome, stamp, read)
        if end.error:
            self._tally.fail(end.error)
        if end.mark is None:
            if end.record.status == "failed":
                self._traps.fail(entry.url)
            elif end.record.status == "fetched":
                self.frontier.open(self._traps.receive_source(end.record))
            self._end(end.record, entry, end.sources)
            return
        kept = self._copies.receive(end.record, end.mark, end.titles, self._knows, self._tally.pages + 1)
        if kept.record.copy_of is not None:
            self._missed.append(entry.url)
        record, opened = self._traps.receive(kept.record, end.mark, is_original=kept.record.copy_of is None)
        self.frontier.open(opened)
        if kept.record.copy_of is not None:
            self._understanding.withdraw(entry.url)
        if kept.outdone is not None:
            self._understanding.withdraw(kept.outdone.url)
            self._traps.take_back(kept.outdone.url)
            self._unsaved.outdone(kept.outdone)
            self._say(kept.outdone.url, on_topic=False)
        self._read(record.url, record.mentions)
        self._say(record.url, on_topic=bool(record.on_topic))
        self._tally.pages += kept.pages
        self._tally.copies += kept.copies
        self._end(
            record, entry, (*self.handed_on.hosts.gate.sitemaps(entry.url), *end.sources) if record.on_topic else ()
        )

    def _end(self, record: PageRecord, entry: Entry, sources: Iterable[str] = ()) -> None:
        why = self._why.pop(entry.url, ())
        self._ended.add(hash(entry.url))
        if record.status == "refused" and not self._tally.pages:  # only a crawl without a page tells them
            self._tally.run.refusals.update(record.reasons)
        named = (LinkRecord(url, "", "", -entry.rank, 0, ("source of links",)) for url in sources)
        links = (*record.links, *(link for link in named if not is_robots_url(link.url)))
        if links:
            if record.status == "redirected":  # its target takes its place
                like = entry._replace(parent=entry.url, redirects=entry.redirects + 1)
            else:
                like = Entry(0.0, 0, entry.depth + 1, "", entry.url, 0)
            record = replace(record, queued=self._queue(links, like))
        self._unsaved.end(record, why)
        self._steering.note(record, why)
        if record.status != "fetched":
            if record.status == "failed":
                self._missed.append(entry.url)
            self._understanding.forget(entry.url, record.links[0].url if record.links else None)

    # Pages that are asked for again.

    def _receive_again(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> None:
        before, what = self._revisits.before(entry.url), became(outcome)
        if what == CHANGED:
            end = ending(entry, outcome, stamp, read)
            record = replace(end.record, order=before.order, priority=before.priority)
            record = self._copies.again(record, end.mark, before)
            if end.mark is not None and (record.copy_of or record.fingerprint == before.fingerprint):
                what = UNCHANGED
            if what == UNCHANGED and record.content is not None:
                self._unsaved.asked(AskedRecord(entry.url, stamp))
            else:
                self._read(record.url, record.mentions)
                self._say(record.url, on_topic=bool(record.on_topic))
                self._end(record, entry, end.sources if record.on_topic or end.mark is None else ())
        else:
            gone = outcome.status if what == GONE and isinstance(outcome, Fetched) else None
            if gone:
                self._copies.withdraw(before)
                self._say(entry.url, on_topic=False)
            self._unsaved.asked(AskedRecord(entry.url, "" if what == SILENT else stamp, gone))
        self._end_revisit(entry.url, what)

    def _drop_revisit(self, url: str) -> None:
        """It is not asked: refused, or out of reach."""
        self._unsaved.asked(AskedRecord(url))
        self._end_revisit(url, SILENT)

    def _give_up_revisits(self) -> None:
        """What is left to be asked again is out of reach."""
        for url in self._revisits:
            self.frontier.remove(robots_url(url), url)
            self._drop_revisit(url)

    def _end_revisit(self, url: str, what: str) -> None:
        self._revisits.end(url, what)
        if not self._revisits:
            self.frontier.open([HELD])

    # What the understanding is told, and tells.

    def _tell_started(self) -> None:
        """Tell which addresses were chosen by what the understanding knows, before it learns anything else."""
        if self._started:
            started, self._started = self._started, []
            self._understanding.choose(started)

    def _why_under_way(self, url: str) -> tuple[Reason, ...]:
        """Why an address was chosen that is not answered yet."""
        self._tell_started()
        return self._understanding.why_chosen(url)

    def _tell_missed(self) -> bool:
        """Tell which addresses were asked in vain; whether there are any."""
        missed, self._missed = self._missed, []
        if missed:
            self._understanding.miss(missed)
        return bool(missed)

    def _follow(self, *, learned: bool) -> None:
        """Addresses have ended: record what is now said of pages and of waiting links."""
        learned = self._tell_missed() or learned
        if self._judge_again(self._understanding.rejudged()) or learned:
            self._revise(self._understanding.revise())

    def _forget_waiting(self, url: str) -> None:
        """A waiting link will not be fetched in this run, as far as is known."""
        self._understanding.forget(url, None)

    def settle(self) -> bool:
        """At the end: judge all pages by what is known now, some at a time for a batch each; whether any is left."""
        if self._settling is None:
            self._settling = self._understanding.settle()
        return self._judge_again(islice(self._settling, SETTLE_AT_ONCE)) > 0

    def _judge_again(self, records: Iterable[JudgedRecord]) -> int:
        """Record what pages fetched before are worth now; how many they are."""
        number = 0
        for record in records:
            number += 1
            if record.mentions is not None:
                self._read(record.url, record.mentions)
            self._say(record.url, on_topic=record.on_topic)
            self._unsaved.judge(record)
        return number

    def _read(self, url: str, mentions: Iterable[MentionRecord]) -> None:
        if self._coverage:
            self._coverage.read(url, outside_links(mentions))

    def _say(self, url: str, *, on_topic: bool) -> None:
        """A page is on topic, or is not (any more)."""
        self._verdicts.say(url, on_topic=on_topic)
        if self._coverage:
            self._coverage.say(url, on_topic=on_topic)

    # Which links wait, and where.

    def _revise(self, places: Mapping[str, Priority]) -> None:
        """Give waiting pages the places that the strategy now sees for them."""
        raised = self._steering.raised
        for url, priority in places.items():
            waiting = self.frontier.get(url)
            if waiting is None or url in self._revisits:
                continue
            place = self._steering.raise_place(url, priority) if raised else priority
            if waiting.depth > 0 and waiting.rank != -place.score:
                self._place(url, place)

    def _place(self, url: str, priority: Priority) -> None:
        """Give a waiting page this place."""
        waiting = self.frontier.get(url)
        if waiting is not None:
            self._admission.push(waiting._replace(rank=-priority.score))
            self._unsaved.revise(url, priority)

    def _queue(self, links: Sequence[LinkRecord], like: Entry) -> tuple[QueuedRecord, ...]:
        """Queue the targets of links, or raise them where they wait: those of which anything changes."""
        queued = []
        waiting_at, raised = self.frontier.get, self._steering.raised
        ended = self._ended.among([hash(link.url) for link in links])
        for link in links:
            url, priority = link.url, link.priority
            if priority is None:
                continue
            if raised:
                priority = self._steering.raise_place(url, Priority(priority)).score
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
            queued.append(QueuedRecord(url, *place, waiting is not None, link.reasons, entry.found, link.shares))
        return tuple(queued)

    def _knows(self, url: str) -> bool:
        return hash(url) in self._ended or url in self._in_flight or self.frontier.get(url) is not None

    # What is saved and shown.

    def take_batch(self) -> Batch:
        """All that came since the last call. Its memory is empty where the strategy's has not been copied anew."""
        memory = b""
        due = max(min(REMEMBER_EVERY, self._remembered), len(self.frontier) // WAITING_A_PAGE)
        is_due = (self._stopped and not self._settling) or self._tally.pages - self._remembered >= due
        if is_due and self._remembers:
            memory, self._remembered = self._understanding.remember(), self._tally.pages
        batch, self._unsaved = self._unsaved.batch(self._totals(), memory), Unsaved()
        return batch

    def progress(self, now: float) -> Progress:
        """The figures at this time."""
        self._tick(now)
        totals, run, best = self._totals(), self._tally.run, self.frontier.best()
        return Progress(
            pages=totals.pages,
            on_topic=totals.on_topic,
            requests=totals.requests,
            errors=totals.errors,
            inversions=totals.inversions,
            seconds=totals.seconds,
            pages_per_s=self._tally.rate(),
            queued=len(self.frontier),
            best=None if best is None or best.rank == ROBOTS_RANK else (best.url, -best.rank),
            errors_by_kind=dict(run.errors),
            refusals=dict(run.refusals),
            stopped=self._stopped,
            cut=self.frontier.cut_off,
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

    def _totals(self) -> Counters:
        return self._tally.totals(len(self._verdicts), self.frontier.inversions)
