"""From the bytes of a response to a judged page with scored links: what the crawl asks of this package.

**Samples** are pages marked good or bad, detail or list, from which classifiers, idf and layers are learned. There are
two sources, which are never mixed, so that a crawl's record can say which was used:

- `examples`: pages that the user marked. A file is learned from before the first page; an address when this crawl
  fetches it (nothing is fetched because it is marked), also after redirects.
- `ontology`: without examples, the pages that the ontology judged clearly in this crawl. With u of
  `semantic.relevance.relevance_model`, a page is good from u = 0.6 on and bad up to u = 0.15; pages in between teach
  nothing. On archived webs with labels by their editors, three of four pages from 0.6 on were results, and one in a
  hundred of those up to 0.15. The ontology says nothing about detail and list.

**The beginning** of a crawl whose topic is made of its seeds (papers A and C): nothing is judged before all seeds have
come. The judgement of pages that come earlier is deferred: a seed counts as on topic, any other page as unknown, and
their links wait behind all others. When the last seed has come, or failed, all deferred pages are judged and their
links get their priorities. After `MOST` deferred pages the missing seeds are no longer waited for; they join the topic
when they come.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Protocol

from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.links.link_scorer import JudgedFrame, JudgedPage, LinkScorer, best_links
from semantic.memory.strategy_memory import Remembering, pack_memory, unpack_memory
from semantic.page import SITEMAP_INDEX, Page
from semantic.parsing.page_reader import pack, read_page, unpack
from semantic.reasons import PageError, Reason
from semantic.records import JudgedRecord, LinkRecord, Mark, MentionRecord, Priority, Relevance, RevisedRecord
from semantic.relevance.judge_protocol import Judge
from semantic.relevance.relevance_model import GROWTH, HALF, REPEATED
from semantic.terms.term_matching import ConceptCounts
from semantic.urls import identity

# relevance of a clearly good and a clearly bad page: measured, see the module's text
CLEARLY_ON, CLEARLY_OFF = 0.6 / (0.6 + HALF), 0.15 / (0.15 + HALF)


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks of a page; None: not marked."""

    good: bool | None = None
    detail: bool | None = None


UNMARKED = Marks()


@dataclass(frozen=True, slots=True)
class Examples:
    """What the user marked: addresses (normalised), and pages read from files."""

    addresses: Mapping[str, Marks] = field(default_factory=dict)
    pages: Sequence[tuple[Page, Marks]] = ()

    @property
    def good_and_bad(self) -> dict[str, Mark]:
        """The addresses that are marked good or bad."""
        found = ((url, marks.good) for url, marks in self.addresses.items() if marks.good is not None)
        return {url: "good" if is_good else "bad" for url, is_good in found}


class Samples(Remembering):
    """Tells what each fetched page is a sample of. `teacher`: the judge by the ontology.

    Several parts may ask about the same page, which is judged once. It also knows the seeds, under the addresses they
    were redirected to.
    """

    KEPT: ClassVar = {
        "_teacher": Remembering,
        "_addresses": dict[str, Marks] | None,
        "_seeds": dict[str, None],
        "_awaited": set[str],
    }

    def __init__(self, examples: Examples | None, seeds: Iterable[str], teacher: Judge) -> None:
        self._addresses = None if examples is None else _named(examples.addresses.items())
        self._seeds = dict.fromkeys(seeds)
        self._awaited = set(self._seeds)
        self._teacher = teacher
        self._page: Page | None = None
        self._relevance = Relevance(0.0, False)
        self.pages = () if examples is None else tuple(examples.pages)

    @property
    def source(self) -> Literal["examples", "ontology"]:
        """Where samples come from."""
        return "ontology" if self._addresses is None else "examples"

    def is_seed(self, url: str) -> bool:
        """Whether the crawl began at this address, or at one that was redirected here."""
        return url in self._seeds

    @property
    def awaits_seeds(self) -> bool:
        """Whether some seed has neither come nor failed."""
        return bool(self._awaited)

    def marked(self, url: str) -> Marks:
        """The user's marks of an address."""
        return (self._addresses or {}).get(identity(url), UNMARKED)

    def meet(self, url: str) -> None:
        """Note that a page has come."""
        self._awaited.discard(url)

    def await_no_more(self) -> None:
        """Stop waiting for missing seeds. They still count as seeds when they come."""
        self._awaited.clear()

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """The ontology's judgement of a page."""
        if page is not self._page:
            self._page, self._relevance = page, self._teacher.judge(page, counts)
        return self._relevance

    def marks(self, page: Page, counts: ConceptCounts) -> Marks:
        """What a page is a sample of."""
        if self._addresses is not None:
            return self.marked(page.url)
        score = self.judge(page, counts).score
        return Marks(True) if score >= CLEARLY_ON else Marks(False) if score <= CLEARLY_OFF else UNMARKED

    def forget(self, url: str, successor: str | None) -> None:
        """Note that an address ended without a page. If it was redirected, its marks go to `successor`."""
        if url in self._awaited:
            self._awaited.remove(url)
            self._awaited |= {successor} - self._seeds.keys() if successor else set()
        if successor and url in self._seeds:
            self._seeds[successor] = None
        if successor and self._addresses and (name := identity(url)) in self._addresses:
            self._addresses.setdefault(identity(successor), self._addresses[name])

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave. Marks given now override remembered ones."""
        addresses, seeds, awaited = self._addresses, self._seeds, self._awaited
        super().restore(memory)
        self._awaited |= awaited - self._seeds.keys()
        self._seeds = seeds | self._seeds
        self._addresses = None if addresses is None else addresses | (self._addresses or {}) | addresses


def _named(marked: Iterable[tuple[str, Marks]]) -> dict[str, Marks]:
    """Marks by the identity of a page, independent of its address's spelling: http or https, %-coding, index.html."""
    return {identity(url): marks for url, marks in marked}


class SamplesJudge(Judge):
    """The ontology's judgement as the judge of a strategy that learns from samples. Its state is part of `samples`."""

    def __init__(self, samples: Samples, threshold: float) -> None:
        self._samples = samples
        self._threshold = threshold

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """The ontology's judgement of a page, with this strategy's threshold."""
        judged = self._samples.judge(page, counts)
        return replace(judged, on_topic=judged.score >= self._threshold)


# pages whose judgement may be deferred; chosen, not measured
MOST = 100
WAITS = Priority(0.0, (Reason("waits until all seeds have come", 0.0),))


class Beginning:
    """The pages whose judgement is deferred. `samples` knows which seeds are missing."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._deferred: dict[str, Page] = {}

    def defers(self, page: Page) -> bool:
        """Defer the judgement of a page if seeds are missing or other pages still wait. Whether it was deferred."""
        if not (self._deferred or self._samples.awaits_seeds):
            return False
        self._deferred[page.url] = page
        return True

    def relevance(self, page: Page) -> Relevance:
        """The relevance of a page until it is judged."""
        if self._samples.is_seed(page.url):
            return Relevance(1.0, True, (Reason("a seed, not compared with the others yet", 1.0),))
        return Relevance(0.0, False, (Reason("not judged before all seeds have come", 0.0),))

    def withdraw(self, url: str) -> None:
        """Forget a page that is no result."""
        self._deferred.pop(url, None)

    def release(self) -> Sequence[Page]:
        """The deferred pages, once they can be judged; otherwise nothing."""
        if len(self._deferred) >= MOST:
            self._samples.await_no_more()
        if self._samples.awaits_seeds:
            return ()
        deferred, self._deferred = self._deferred, {}
        return tuple(deferred.values())

    def remember(self) -> Sequence[Any]:
        """The deferred pages, for a memory."""
        return [[url, page.noindex, pack(page, nodes=True)] for url, page in self._deferred.items()]

    def restore(self, memory: Sequence[Any]) -> None:
        """Take back what `remember` gave."""
        self._deferred = {}
        for url, noindex, content in memory:
            self._deferred[url] = replace(unpack(bytes(content), url), noindex=noindex)


def raised(places: Mapping[str, Priority], url: str, priority: Priority) -> Priority:
    """The higher of two priorities of an address."""
    other = places.get(url)
    return priority if other is None or priority.score > other.score else other


# at most so many changed judgements are reported after one page; the rest follow after the next ones; chosen, not
# measured
NEWS_AT_ONCE = 200


def judged_record(
    url: str, found: Relevance, mentions: tuple[MentionRecord, ...] | None = None, kind: str | None = None
) -> JudgedRecord:
    """Make the record of a new judgement. Where `mentions` or `kind` is None, the stored value stays."""
    return JudgedRecord(url, found.score, found.on_topic, found.reasons, mentions, kind, leads=found.leads)


def revised_record(url: str, place: Priority) -> RevisedRecord:
    """Make the record of a waiting address's new priority."""
    return RevisedRecord(url, place.score, place.reasons)


@dataclass(frozen=True, slots=True)
class Understood:
    """A page as the crawl records it.

    `links`: one for each target; the priority is None where the strategy discards the link. `deferred`: the page is
    judged later, once all seeds have come (`semantic.understanding`).
    """

    frame: Frame
    relevance: Relevance
    links: tuple[LinkRecord, ...]
    deferred: bool = False


Answer = tuple[bytes, str, Mapping[str, str]]  # body, address, headers with names in lower case
# `read_page`, or a function that looks up a page that was read elsewhere
Reader = Callable[[bytes, str, Mapping[str, str]], Page | Frame]


class Understanding(Protocol):
    """Reads and judges pages, scores links, and saves what it has learned (`remember`). A crawl has one; tests pass in
    a fake.

    `recall`: called with the addresses that pages lead to before anything is learned from the pages.
    `scorer`: what a crawl tells the strategy of links, and asks of it, goes there directly. `enough`: number of results
    at which the crawl ends; 0: no limit.
    """

    scorer: LinkScorer
    enough: int
    recall: Callable[[Iterable[str]], None]

    def understand(self, answers: Sequence[Answer]) -> list[Understood | PageError]:
        """Judge pages that arrived together, learn from them and score their links.

        Gives one result for each answer, in order: a PageError where the bytes are no readable page.
        """
        ...

    def revise(self) -> Mapping[str, Priority]:
        """New priorities of waiting addresses, higher or lower. Called after every page and after a link graph."""
        ...

    def forget(self, url: str, successor: str | None) -> None:
        """Drop an address that ended without a page: it failed or was refused (`successor` None), or was replaced by
        `successor`.
        """
        ...

    def rejudged(self) -> Sequence[JudgedRecord]:
        """New judgements of pages understood earlier. Called after every outcome, before `revise`."""
        ...

    def settle(self) -> Iterator[JudgedRecord]:
        """At the end of the crawl: new judgements of all pages whose relevance differs from the one last reported."""
        ...

    def withdraw(self, url: str) -> None:
        """Note that a page is no result, or none any more (a copy of another, gone, moved, noindex): until it is read
        again, no more judgements of it are reported.
        """
        ...

    def remember(self) -> bytes:
        """Everything that a resumed crawl needs to go on as if it had not stopped."""
        ...

    def restore(self, memory: bytes) -> None:
        """Take back what `remember` gave.

        Raises OutdatedMemory, without having taken anything, if another version of the code wrote it.
        """
        ...


class TopicUnderstanding:
    """The implementation for real crawls: an analyst, then a judge, then a link scorer.

    A crawl uses it as an `Understanding`. What works on recorded pages gives it their frames (`understand_frames`, then
    `end_learning`), and marks (`teach`).
    """

    def __init__(  # noqa: PLR0913 - the parts of one chain
        self,
        analyst: Analyst,
        judge: Judge,
        scorer: LinkScorer,
        *,
        samples: Samples,
        read: Reader = read_page,
        enough: int = 0,
    ) -> None:
        self.analyst = analyst
        self._judge = judge
        self.scorer = scorer
        self._samples = samples
        self._read = read
        self.enough = enough
        self.recall: Callable[[Iterable[str]], None] = lambda urls: None
        self._beginning = Beginning(samples)
        self._places: dict[str, Priority] = {}

    def understand(self, answers: Sequence[Answer]) -> list[Understood | PageError]:
        """See `Understanding`."""
        read = [self._frame_of(answer) for answer in answers]
        frames = [one for one in read if isinstance(one, Frame)]
        self.recall(url for frame in frames for url in _targets(frame))
        understood = iter(self.understand_frames(frames))
        return [next(understood) if isinstance(one, Frame) else one for one in read]

    def _frame_of(self, answer: Answer) -> Frame | PageError:
        try:
            read = self._read(*answer)
        except PageError as error:
            return error
        return read if isinstance(read, Frame) else self.analyst.frame(read)

    def understand_frames(self, frames: Sequence[Frame], *, links: bool = True) -> list[Understood]:
        """Do the same for pages that have been read already.

        With `links=False` nobody needs priorities: the scorer learns from the links, and `end_learning` scores them.
        """
        pages = [frame for frame in frames if frame.source != SITEMAP_INDEX]
        together = self.scorer.reads_rows and pages
        found = iter(self._together(pages, links=links) if together else map(self._one, pages))
        return [_index(frame) if frame.source == SITEMAP_INDEX else next(found) for frame in frames]

    def _together(self, frames: Sequence[Frame], *, links: bool) -> list[Understood]:
        for frame in frames:
            self._samples.meet(frame.url)
        judged = list(map(JudgedFrame, frames, self._judge.judge_frames(frames, GROWTH if links else REPEATED)))
        if not links:
            self.scorer.learn(judged)
            return [Understood(one.frame, one.relevance, ()) for one in judged]
        scored = zip(judged, self.scorer.score(judged), strict=True)
        return [Understood(one.frame, one.relevance, records) for one, records in scored]

    def _one(self, frame: Frame) -> Understood:
        page = frame.page
        assert page is not None, "the frame was made for a strategy that reads rows"
        self._samples.meet(page.url)
        if self._is_deferred(page):
            links = best_links(page, [WAITS] * len(page.links))
            return Understood(frame, self._beginning.relevance(page), links, deferred=True)
        (relevance,) = self._judge.judge_frames([frame])
        (links,) = self.scorer.score([JudgedFrame(frame, relevance)])
        return Understood(frame, relevance, links)

    def _is_deferred(self, page: Page) -> bool:
        if not self._judge.meets_seeds:
            return False
        if self._samples.is_seed(page.url):
            self._judge.meet(page)
        return self._beginning.defers(page)

    def rejudged(self) -> Sequence[JudgedRecord]:
        """See `Understanding`."""
        deferred = [news for page in self._beginning.release() if (news := self._judge_deferred(page))]
        return [*deferred, *itertools.starmap(judged_record, self._judge.news(NEWS_AT_ONCE))]

    def _judge_deferred(self, page: Page) -> JudgedRecord | None:
        """Judge a page whose judgement was deferred. `revise` reports its links' priorities. None if the page cannot be
        a result.
        """
        frame = self.analyst.frame(page)
        (relevance,) = self._judge.judge_frames([frame])
        priorities = self.scorer.prioritise(JudgedPage(page, frame.counts, relevance))
        for link, priority in zip(page.links, priorities, strict=True):
            if priority is not None:
                self._places[link.url] = raised(self._places, link.url, priority)
        if frame.source or frame.noindex:
            return None
        return judged_record(page.url, relevance, frame.mentions, frame.kind)

    def withdraw(self, url: str) -> None:
        """See `Understanding`."""
        self._beginning.withdraw(url)
        self._judge.leave_out(url)

    def weigh(self, pages: Iterable[Page]) -> list[Relevance]:
        """The relevance of pages that are not part of the crawl, by all that has been learned so far."""
        return self._judge.weigh([self.analyst.frame(page) for page in pages])

    @property
    def takes_marks(self) -> bool:
        """Whether the expert's marks change the judgements."""
        return self._judge.takes_marks

    @property
    def marks(self) -> Mapping[str, Mark]:
        """The expert's marks in use, by the identity of the address (`semantic.urls.identity`)."""
        return self._judge.marks

    @property
    def likely(self) -> tuple[float, int] | None:
        """See `Judge`."""
        return self._judge.likely

    def threshold_for(self, pages: int) -> float:
        """See `Judge`."""
        return self._judge.threshold_for(pages)

    def teach(self, marks: Mapping[str, Mark], frames: Callable[[], Iterator[Frame]]) -> None:
        """Replace the expert's marks and judge all pages again by them.

        `frames`: gives the frames of all pages so far; called only if needed. Raises TypeError for a strategy that
        takes no marks.
        """
        if self._judge.teach(marks):
            self._judge.read_again(frames())
        self._judge.look_back()
        self.scorer.rejudge()

    def end_learning(self) -> None:
        """Finish learning after all pages were read again with `links=False`: update whatever depends on all of
        them.
        """
        self._judge.look_back()
        self.scorer.rejudge()

    def revise(self) -> Mapping[str, Priority]:
        """See `Understanding`."""
        revised = self.scorer.revise()
        if not self._places:
            return revised
        places, self._places = self._places, {}
        return {**places, **revised}

    def forget(self, url: str, successor: str | None) -> None:
        """See `Understanding`."""
        self._samples.forget(url, successor)
        if successor is not None:
            self._judge.follow(url, successor)
        self.scorer.forget(url, successor)

    def settle(self) -> Iterator[JudgedRecord]:
        """See `Understanding`."""
        return itertools.starmap(judged_record, self._judge.settle())

    def remember(self) -> bytes:
        """See `Understanding`."""
        memory = {
            "judge": self._judge.remember,
            "scorer": self.scorer.remember,
            "samples": self._samples.remember,
            "held": self._beginning.remember,
        }
        return pack_memory(memory, self.scorer.layout)

    def restore(self, memory: bytes) -> None:
        """See `Understanding`."""
        if memory:
            parts = unpack_memory(memory, self.scorer.layout)
            self._judge.restore(parts["judge"])
            self.scorer.restore(parts["scorer"])
            self._samples.restore(parts["samples"])
            self._beginning.restore(parts["held"])


def _targets(frame: Frame) -> Iterable[str]:
    """The addresses that a page leads to."""
    if frame.links is not None:
        return frame.links.targets
    return (link.url for link in frame.page.links) if frame.page else ()


def _index(frame: Frame) -> Understood:
    """An index of sitemaps. Its links lead to no pages."""
    return Understood(frame, Relevance(0.0, False), ())
