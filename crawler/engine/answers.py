"""What answers leave: records to be saved, links that wait, and pages on topic.

- `AnswerHandler` takes the answers, of new addresses and of pages that are fetched again.
- `Results` knows which pages are on topic, and tells what depends on it.
- `WaitingLinks` queues the links that were found, and changes the priorities of those that wait.

The rules are those of `crawler.engine.session`, which decides what is fetched and makes these parts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from crawler.dedup.duplicate_pages import Copies
from crawler.engine.actions import Answer, Fetch
from crawler.engine.admission import Admission
from crawler.engine.coverage_goal import Coverage, outside_links
from crawler.engine.crawl_records import NEEDS_SCRIPT, AddressEnding, Tally, Unsaved, ending, refused
from crawler.engine.steering import Steering
from crawler.frontier.priority_queue import ROBOTS_PRIORITY, Cut, Entry, entry_of
from crawler.frontier.queue_tail import QueueInRecord, QueueTail
from crawler.ports import Failed, Fetched, Outcome
from crawler.recrawl.revisits import CHANGED, GONE, NO_ANSWER, UNCHANGED, status_change
from semantic.memory.compact_collections import HashSet
from semantic.parsing.document_types import is_read_as_page
from semantic.reasons import PageError, Reason, sentence
from semantic.records import (
    AskedRecord,
    FingerprintRecord,
    JudgedRecord,
    LinkRecord,
    MentionRecord,
    Nearest,
    PageRecord,
    Priority,
    QueuedRecord,
)
from semantic.understanding import Understanding, Understood
from semantic.urls import host_of, is_robots_url, robots_url


@dataclass(frozen=True, slots=True)
class Shared:
    """What the parts of a session use together. `unsaved`: the next batch."""

    understanding: Understanding
    admission: Admission
    tally: Tally
    steering: Steering
    unsaved: Unsaved


class AnswerHandler:
    """Takes answers. `fingerprints`: of the pages of earlier sessions."""

    def __init__(
        self,
        shared: Shared,
        waiting: "WaitingLinks",
        results: "Results",
        fingerprints: Iterable[FingerprintRecord],
    ) -> None:
        self._understanding, self._admission = shared.understanding, shared.admission
        self._tally, self._steering, self._unsaved = shared.tally, shared.steering, shared.unsaved
        self._traps, self._revisits = shared.admission.traps, shared.admission.revisits
        self._gate = shared.admission.hosts.gate
        self._waiting = waiting
        self._results = results
        self._copies = Copies(fingerprints)
        self._unsent: dict[str, Failed] = {}  # by scheme: the answer to a request that was not sent
        # of the answers being received: why their addresses were chosen, and those requested without success
        self._why: dict[str, tuple[Reason, ...]] = {}
        self._missed: list[str] = []

    def receive(self, answers: Sequence[Answer], now: float, stamp: str) -> None:
        """Take answers to Fetches that came by `now`; `stamp` is the same time as ISO text."""
        # 1. What is to be requested again waits again; a robots.txt goes to its origins. The others have ended.
        ended = [end for fetch, outcome in answers if (end := self.finish(fetch, outcome, now, stamp))]
        pages: list[tuple[Entry, Fetched]] = []
        others: list[tuple[Entry, Outcome]] = []
        for entry, outcome in ended:
            self._waiting.end(entry.url)
            self._why[entry.url] = self._understanding.scorer.why_chosen(entry.url)
            is_new = entry.url not in self._revisits or status_change(outcome) == CHANGED
            if is_new and isinstance(outcome, Fetched) and is_read_as_page(outcome.status, outcome.headers, entry.url):
                pages.append((entry, outcome))
            else:
                others.append((entry, outcome))
        # 2. What is no page comes first, so that it affects the priorities of the pages' links.
        for entry, outcome in others:
            self._receive_one(entry, outcome, stamp)
        has_missed = self._tell_missed()
        # 3. Pages that came together are judged and learned together.
        answers_read = [(outcome.body, entry.url, outcome.headers) for entry, outcome in pages]
        read = self._understanding.understand(answers_read) if pages else []
        for (entry, outcome), one in zip(pages, read, strict=True):
            self._receive_one(entry, outcome, stamp, one)
        self._why.clear()
        self._waiting.forget_new()
        # 4. What was learned changes pages judged before, and the priorities of waiting links.
        if ended:
            self.follow(learned=has_missed or any(isinstance(one, Understood) for one in read))
        # 5. Their hosts may be asked again at the times that follow.
        for host in dict.fromkeys(host_of(fetch.url) for fetch, _ in answers):
            self._admission.reschedule(host)

    def finish(self, fetch: Fetch, outcome: Outcome, now: float, stamp: str) -> tuple[Entry, Outcome] | None:
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

    def unsent(self, url: str) -> Failed | None:
        """The answer to a request that was not sent, if none with the scheme of this address will be."""
        return self._unsent.get(_scheme(url))

    def refuse(self, entry: Entry, reason: Reason) -> None:
        """End a link whose turn has come and that may not be fetched."""
        if entry.url in self._revisits:
            self._drop_revisit(entry.url)
            return
        record = replace(refused(entry, reason), reserved=self._gate.reservation(entry.url) or None)
        self._end(record, entry)
        self.follow(learned=False)

    def leave_out(self, entry: Entry, why: str) -> None:
        """End a link whose turn has come and that is out of scope."""
        if entry.url in self._revisits:
            self._drop_revisit(entry.url)
        else:
            self._waiting.note_outside(entry.url, why)

    def follow(self, *, learned: bool) -> None:
        """After addresses have ended: record the new relevance of pages and the new priorities of waiting links."""
        learned = self._tell_missed() or learned
        if self._results.judge_again(self._understanding.rejudged()) or learned:
            self._waiting.revise(self._understanding.revise())

    def _tell_missed(self) -> bool:
        """Report which addresses were requested without success; returns whether there are any."""
        missed, self._missed = self._missed, []
        if missed:
            self._understanding.scorer.miss(missed)
        return bool(missed)

    def _receive_one(
        self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None = None
    ) -> None:
        if isinstance(outcome, Fetched) and isinstance(read, Understood) and read.frame.bare is not None:
            outcome = replace(outcome, remark=outcome.remark or NEEDS_SCRIPT)
        if isinstance(outcome, Fetched) and outcome.remark:
            self._results.remarks[entry.url] = outcome.remark
        receive = self._receive_again if entry.url in self._revisits else self._receive_new
        receive(entry, outcome, stamp, read)

    def _receive_new(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> None:
        # 1. The answer becomes a record, whatever came.
        end = self._ending(entry, outcome, stamp, read)
        if end.error:
            self._tally.fail(end.error)
        # 2. No page: a failure, a redirect, or a list of links. The traps charge it, and its links are queued.
        if end.fingerprint is None:
            if end.record.status == "failed":
                self._traps.fail(entry.url)
            elif end.record.status == "fetched":
                self._admission.frontier.open(self._traps.receive_source(end.record))
            self._end(end.record, entry, end.sources)
            return
        # 3. A page: its text is new, or it is a copy, or it is better than the page with the same text.
        kept = self._copies.receive(end.record, end.fingerprint, end.titles, self._waiting.knows, self._tally.pages + 1)
        if kept.record.copy_of is not None:
            self._missed.append(entry.url)
        if kept.replaced is not None:
            self._traps.take_back(kept.replaced.url, kept.record.url)
        # 4. The traps count it: whether it says anything new decides about the links of its kind.
        is_original = kept.record.copy_of is None and not kept.is_alike
        record, opened = self._traps.receive(kept.record, end.fingerprint, is_original=is_original)
        self._admission.frontier.open(opened)
        # 5. What is a copy now is no result.
        if kept.record.copy_of is not None:
            self._results.withdraw(entry.url)
        if kept.replaced is not None:
            self._results.withdraw(kept.replaced.url)
            self._unsaved.replaced(kept.replaced)
        # 6. It is counted, as a page and perhaps as a result.
        self._results.set_mentions(record.url, record.mentions)
        self._results.set_on_topic(record.url, on_topic=bool(record.on_topic))
        self._tally.count(kept.pages)
        self._tally.copies += kept.copies
        # 7. Its links are queued, and if it is on topic the feed and the sitemaps that it names.
        sources = (*self._gate.sitemaps(entry.url), *end.sources) if record.is_leading else ()
        self._end(record, entry, sources, end.onward if record.copy_of is None else ())

    def _ending(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> AddressEnding:
        """What an answer leaves, with what the origin reserves."""
        end = ending(entry, outcome, stamp, read)
        said = self._gate.reservation(entry.url) if end.record.status == "fetched" else ""
        if not said:
            return end
        return replace(end, record=replace(end.record, reserved=", ".join(filter(None, (end.record.reserved, said)))))

    def _end(self, record: PageRecord, entry: Entry, sources: Iterable[str] = (), onward: Iterable[str] = ()) -> None:
        """Queue the links of an address that has ended, and put its record into the batch."""
        why = self._why.pop(entry.url, ())
        self._waiting.end(entry.url)
        if record.status == "refused" and not self._tally.pages:  # only a crawl without a page reports them
            self._tally.run.refusals.update(record.reasons)
        named = (LinkRecord(url, "", "", entry.priority, 0, (Reason("source of links"),)) for url in sources)
        links = (*record.links, *(link for link in named if not is_robots_url(link.url)))
        if links:
            # a redirect's target is queued with its priority and depth, like what stands for a page
            instead = entry._replace(parent=entry.url, redirects=entry.redirects + 1)
            leading = [LinkRecord(url, "", "", entry.priority, 0, (Reason("stands for the page"),)) for url in onward]
            like = instead if record.status == "redirected" else Entry(0.0, 0, entry.depth + 1, "", entry.url, 0)
            queued = self._waiting.queue(leading, instead._replace(found=0))
            record = replace(record, queued=(*queued, *self._waiting.queue(links, like)))
        self._unsaved.end(record, why)
        self._steering.note(record, why)
        if record.status != "fetched":
            if record.status == "failed":
                self._missed.append(entry.url)
            self._understanding.forget(entry.url, record.links[0].url if record.links else None)

    # Pages that are fetched again.

    def _receive_again(self, entry: Entry, outcome: Outcome, stamp: str, read: Understood | PageError | None) -> None:
        before, what = self._revisits[entry.url], status_change(outcome)
        if what == CHANGED:
            # 1. A new text, or a redirect. It keeps its rank; perhaps it says the same as before, or as another page.
            end = self._ending(entry, outcome, stamp, read)
            record = replace(end.record, order=before.order, priority=before.priority)
            record = self._copies.again(record, end.fingerprint, before)
            if end.fingerprint is not None and (record.copy_of or record.fingerprint == before.fingerprint):
                what = UNCHANGED
            if what == UNCHANGED and record.content is not None:
                self._unsaved.asked(AskedRecord(entry.url, stamp))
            else:
                # 2. Its record is replaced. What is no page now is no result.
                self._results.set_mentions(record.url, record.mentions)
                if end.fingerprint is None or record.content is None:
                    self._results.withdraw(record.url)
                else:
                    self._results.change(record.url, on_topic=bool(record.on_topic), leads=record.is_leading)
                sources = end.sources if record.is_leading or end.fingerprint is None else ()
                self._end(record, entry, sources, end.onward)
        else:
            # 3. No new body: it is as it was, or gone, or there was no answer.
            gone = outcome.status if what == GONE and isinstance(outcome, Fetched) else None
            if gone:
                self._copies.withdraw(before)
                self._results.withdraw(entry.url)
                self._missed.append(entry.url)
                self._understanding.forget(entry.url, None)
            self._unsaved.asked(AskedRecord(entry.url, "" if what == NO_ANSWER else stamp, gone))
        self._end_revisit(entry.url, what)

    def give_up_revisits(self) -> None:
        """End all remaining revisits, because they are out of reach."""
        for url in list(self._revisits):
            self._admission.frontier.remove(robots_url(url), url)
            self._drop_revisit(url)

    def _drop_revisit(self, url: str) -> None:
        """End the revisit of a page that is not requested: it is refused, or out of reach."""
        self._unsaved.asked(AskedRecord(url))
        self._end_revisit(url, NO_ANSWER)

    def _end_revisit(self, url: str, what: str) -> None:
        self._revisits.end(url, what)
        if not self._revisits:
            self._admission.frontier.open([Cut.REVISITS])


class Results:
    """The pages on topic, as a set of 64-bit hashes of addresses, and what depends on them: coverage and traps.

    - `on_topic`: those of earlier sessions. `coverage`: the goal of the crawl, if it has one.
    - `remarks`: of pages of this session, what stays among their reasons (`Fetched.remark`).
    - `cut`: links behind traps as last recorded, and the number of these traps; None if they are to be counted (again).
    """

    def __init__(self, shared: Shared, on_topic: Iterable[str], coverage: Coverage | None) -> None:
        self.coverage = coverage
        self.remarks: dict[str, Reason] = {}
        self.cut: tuple[int, int] | None = None
        self._on_topic = HashSet(map(hash, on_topic))
        self._understanding, self._unsaved = shared.understanding, shared.unsaved
        self._traps, self._frontier = shared.admission.traps, shared.admission.frontier

    def __len__(self) -> int:
        """The number of pages on topic."""
        return len(self._on_topic)

    def judge_again(self, records: Iterable[JudgedRecord]) -> int:
        """Record the new relevance of pages fetched before; returns their number."""
        number = 0
        for record in records:
            number += 1
            if record.mentions is not None:
                self.set_mentions(record.url, record.mentions)
            self.change(record.url, on_topic=record.on_topic, leads=record.is_leading)
            remark = self.remarks.get(record.url)
            self._unsaved.judge(replace(record, reasons=(remark, *record.reasons)) if remark else record)
        return number

    def withdraw(self, url: str) -> None:
        """Note that a page is no result, whatever is learned later: it is gone or has moved, asks not to be one, is a
        copy of another, or is no page any more. No other code takes a result away for good.
        """
        self._understanding.withdraw(url)
        self._unsaved.withdraw(url)
        self.change(url, on_topic=False, leads=False)

    def change(self, url: str, *, on_topic: bool, leads: bool) -> None:
        """Note whether a page received before is on topic now. If it leads now, or no longer, the traps count it
        again.
        """
        opened = self._traps.judge_again(url, leads=leads)
        self._frontier.open(opened)
        if opened:
            self.cut = None
        self.set_on_topic(url, on_topic=on_topic)

    def set_mentions(self, url: str, mentions: Iterable[MentionRecord]) -> None:
        """Note which concepts a page mentions."""
        if self.coverage:
            self.coverage.set_mentions(url, outside_links(mentions))

    def set_on_topic(self, url: str, *, on_topic: bool) -> None:
        """Note whether a page is on topic."""
        if on_topic:
            self._on_topic.add(hash(url))
        else:
            self._on_topic.discard(hash(url))
        if self.coverage:
            self.coverage.set_on_topic(url, on_topic=on_topic)


class WaitingLinks:
    """Queues links, each address once.

    `ended`: addresses that have ended in earlier sessions. `found`: the highest rank of finding so far. `store`: the
    record, where the tail of a long queue stays; None if there is no tail.
    """

    def __init__(self, shared: Shared, ended: Iterable[str], found: int, store: QueueInRecord | None) -> None:
        self.tail = QueueTail(store)
        self._new: set[str] = set()  # addresses looked for in the tail in vain, of the answers being received
        self._openings = 0  # of traps, that the tail knows of
        self._tally = shared.tally
        self._understanding, self._admission = shared.understanding, shared.admission
        self._steering, self._unsaved = shared.steering, shared.unsaved
        self._frontier, self._in_flight = shared.admission.frontier, shared.admission.in_flight
        self._revisits = shared.admission.revisits
        self._count_outside = shared.tally.run.outside
        self._ended = HashSet(map(hash, ended))  # 64 bits: two of 10 million addresses collide once in 300,000 crawls
        self._outside = HashSet()  # addresses out of scope that were counted
        self._found = found

    def begin(self, records: Iterable[QueuedRecord], number: int) -> None:
        """Queue what waits in the record, `number` links: all of them (`records`), or the best of a long queue."""
        if self.tail.is_long(number):
            self.receive_queue(self.nearest())
            return
        for record in records:
            self._push_stored(record)
            self._found = max(self._found, record.found)

    def _push_stored(self, record: QueuedRecord) -> None:
        self._admission.push_new(entry_of(record, self._understanding.scorer.interned(record.url)))

    # The tail of a long queue (`crawler.frontier.queue_tail`).

    def wants_queue(self, now: float) -> bool:
        """Whether the queue is to be read again before the next link is started."""
        if self._revisits:
            return False
        if self._openings != self._frontier.openings:
            self._openings = self._frontier.openings
            self.tail.note_news()
        held = len(self._frontier) + len(self._frontier.cut_links)
        if not self.tail.number and not self.tail.is_long(held):
            return False
        return self.tail.is_due(self._frontier.peek(now), held, len(self._frontier), self._tally.requests)

    def nearest(self) -> Nearest:
        """Read the queue. The record has everything received so far, and nothing is received meanwhile."""
        return self.tail.nearest(self._admission.leaving_out(self._tally.now))

    def receive_queue(self, near: Nearest) -> None:
        """Hold these links, and lay all others aside."""
        # 1. What is new here is queued; what the strategy knows of it comes back.
        missing = [one for one in near.links if self._is_unknown(one.url)]
        self._bring_in(missing)
        # 2. The others are dropped, and what the strategy knows of them is saved.
        stay = {one.url for one in near.links}
        dropped = self._frontier.keep(lambda entry: entry.url in stay or not self._waits_in_record(entry))
        under_way = [entry for entry in self._in_flight.entries if self._waits_in_record(entry)]
        stay.update(entry.url for entry in under_way)
        self._unsaved.lay_aside(self._understanding.scorer.lay_aside(stay))
        held = sum(map(self._waits_in_record, self._frontier.entries())) + len(under_way)
        self.tail.note_reading(near, near.total - held, self._tally.requests, is_dry=not missing and not dropped)
        # 3. What was brought in is scored by what is known now.
        self.revise(self._understanding.revise())

    def recall(self, urls: Iterable[str]) -> None:
        """Bring in those of these addresses, which were found, that are laid aside."""
        if not self.tail.number or self.tail.store is None:
            return
        asked = [url for url in dict.fromkeys(urls) if url not in self._new and self._is_unknown(url)]
        found = list(self.tail.store.waiting_among(asked)) if asked else []
        self._new.update(asked)
        self._bring_in(found)
        self.tail.number -= len(found)

    def forget_new(self) -> None:
        """What is found from now on is looked for in the tail again."""
        self._new.clear()

    def _bring_in(self, records: Sequence[QueuedRecord]) -> None:
        if records and self.tail.store is not None:
            self._understanding.scorer.bring_in([record.url for record in records], self.tail.store.laid_aside)
            for record in records:
                self._push_stored(record)

    def _is_unknown(self, url: str) -> bool:
        """Whether an address does not wait here, and has not ended or been left out as far as this run knows."""
        if self._frontier.get(url) is not None or url in self._in_flight:
            return False
        return hash(url) not in self._ended and hash(url) not in self._outside

    def _waits_in_record(self, entry: Entry) -> bool:
        """Whether a link is one that waits in the record, and no robots.txt or known page."""
        return entry.priority != ROBOTS_PRIORITY and entry.url not in self._revisits

    def queue(self, links: Sequence[LinkRecord], like: Entry) -> tuple[QueuedRecord, ...]:
        """Queue the targets of links, or raise those that wait; returns the entries that are new or have changed.
        `like`: has the depth, the parent and the number of redirects of new entries; their rank of finding too, or 0.
        """
        self.recall(link.url for link in links if link.priority is not None)
        queued = []
        waiting_at, raised = self._frontier.get, self._steering.raised
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
                    self.note_outside(url, why)
                    continue
                self._found += 1
                entry = Entry(priority, like.found or self._found, like.depth, url, like.parent, like.redirects)
                self._admission.push_new(entry)
            else:
                if priority <= waiting.priority or url in self._revisits:
                    continue
                entry = waiting.worth(priority)
                self._admission.push(entry)
                self._unsaved.raise_again(link)
            place = (priority, entry.depth, entry.parent, entry.redirects)
            queued.append(QueuedRecord(url, *place, waiting is not None, link.reasons, entry.found))
        return tuple(queued)

    def revise(self, places: Mapping[str, Priority]) -> None:
        """Apply the strategy's new priorities to waiting pages."""
        raised = self._steering.raised
        for url, priority in places.items():
            waiting = self._frontier.get(url)
            if url in self._revisits or (waiting is None and not self.tail.number):
                continue
            place = self._steering.raised_priority(url, priority) if raised else priority
            if waiting is None:
                if self._is_unknown(url):  # it may be laid aside
                    self._unsaved.revise(url, place)
                    self.tail.note_rank(place.score)
            elif waiting.depth > 0 and waiting.priority != place.score:
                self.place(url, place)

    def place(self, url: str, priority: Priority) -> None:
        """Give a waiting page this priority."""
        waiting = self._frontier.get(url)
        if waiting is not None:
            self._admission.push(waiting.worth(priority.score))
            self._unsaved.revise(url, priority)

    def raise_host(self, host: str, by: float) -> None:
        """Add to the priorities of a host's links that are laid aside."""
        if self.tail.number:
            self._unsaved.raise_host(host, by)
            self.tail.note_news()

    def end(self, url: str) -> None:
        """Note that an address has ended."""
        self._ended.add(hash(url))

    def knows(self, url: str) -> bool:
        """Whether an address leads to nothing new: it was met before, or repeats one that was."""
        is_met = hash(url) in self._ended or url in self._in_flight or self._frontier.get(url) is not None
        return is_met or self._admission.traps.is_repeat(url)

    def note_outside(self, url: str, why: str) -> None:
        """Record an address that is out of scope and was not fetched; each is counted once in a run."""
        self._understanding.forget(url, None)
        if hash(url) not in self._outside:
            self._outside.add(hash(url))
            self._count_outside[why] += 1
            self._unsaved.outside(url, why)


def _scheme(url: str) -> str:
    return url.partition(":")[0]
