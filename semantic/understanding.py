"""From the bytes of a response to a judged page with scored links: what the crawl asks of this package."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ontology.errors import PageError
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.links.link_scorer import JudgedFrame, JudgedPage, LinkScorer, best_links
from semantic.memory.strategy_memory import pack_memory, unpack_memory
from semantic.page import SITEMAP_INDEX, Page
from semantic.parsing.page_reader import read_page
from semantic.records import (
    JudgedRecord,
    LinkGraph,
    LinkRecord,
    MentionRecord,
    Priority,
    Reason,
    Relevance,
    RevisedRecord,
    shares_of,
)
from semantic.relevance.default_judge import MixtureJudge
from semantic.relevance.judge_protocol import Judge
from semantic.relevance.relevance_model import GROWTH, REPEATED
from semantic.relevance.training_samples import WAITS, Beginning, Samples, raised

# at most so many changed judgements are reported after one page; the rest follow after the next ones; chosen, not
# measured
NEWS_AT_ONCE = 200


def judged_record(
    url: str, found: Relevance, mentions: tuple[MentionRecord, ...] | None = None, kind: str | None = None
) -> JudgedRecord:
    """Make the record of a new judgement. Where `mentions` or `kind` is None, the stored value stays."""
    reasons = tuple(map(str, found.reasons))
    return JudgedRecord(url, found.score, found.on_topic, reasons, mentions, shares_of(found.reasons), kind)


def revised_record(url: str, place: Priority) -> RevisedRecord:
    """Make the record of a waiting address's new priority."""
    return RevisedRecord(url, place.score, tuple(map(str, place.reasons)), shares_of(place.reasons))


@dataclass(frozen=True, slots=True)
class Understood:
    """A page as the crawl records it.

    `links`: one for each target; the priority is None where the strategy discards the link. `deferred`: the page is
    judged later, once all seeds have come (`semantic.relevance.training_samples`).
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
    """

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

    def choose(self, urls: Sequence[str]) -> None:
        """Note that these addresses have been chosen and are being fetched. Other addresses may be answered before
        them.
        """
        ...

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """Why an address that is being fetched was chosen; () if the reasons were recorded with its priority."""
        ...

    def miss(self, urls: Sequence[str]) -> None:
        """Note that requests failed, or brought copies. `revise` gives the new priorities that follow."""
        ...

    def rejudged(self) -> Sequence[JudgedRecord]:
        """New judgements of pages understood earlier. Called after every outcome, before `revise`."""
        ...

    def settle(self) -> Iterator[JudgedRecord]:
        """At the end of the crawl: new judgements of all pages whose relevance differs from the one last reported."""
        ...

    def withdraw(self, url: str) -> None:
        """Forget a page that turned out to be a copy of another: no more judgements of it are reported."""
        ...

    def interned(self, url: str) -> str:
        """Give an equal string, the one already in memory if there is one, so that a long queue stores each address
        once.
        """
        ...

    def wants_graph(self) -> bool:
        """Whether the current link graph is needed before anything else is fetched. True until `receive_graph`."""
        ...

    @property
    def enough(self) -> int:
        """Number of results at which the crawl ends; 0: no limit."""
        ...

    @property
    def any_way(self) -> int:
        """Until how many fetched pages the link graph includes every path to a result (`LinkGraph.any_way`)."""
        ...

    def receive_graph(self, graph: LinkGraph) -> None:
        """Take the link graph that was asked for."""
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
    """The implementation for real crawls: an analyst, then a judge, then a link scorer."""

    def __init__(  # noqa: PLR0913 - the parts of one chain
        self,
        analyst: Analyst,
        judge: Judge,
        scorer: LinkScorer,
        *,
        samples: Samples,
        read: Reader = read_page,
        enough: int = 0,
        meet: Callable[[Page], None] | None = None,
    ) -> None:
        """`meet` receives the pages of the seeds, for a strategy whose topic is built from them."""
        self.analyst = analyst
        self._judge = judge
        self._scorer = scorer
        self._samples = samples
        self._read = read
        self.enough = enough
        self._meet = meet
        self._beginning = Beginning(samples)
        self._places: dict[str, Priority] = {}

    def understand(self, answers: Sequence[Answer]) -> list[Understood | PageError]:
        """See `Understanding`."""
        read = [self._frame_of(answer) for answer in answers]
        understood = iter(self.understand_frames([one for one in read if isinstance(one, Frame)]))
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
        together = self._scorer.reads_rows and pages
        found = iter(self._together(pages, links=links) if together else map(self._one, pages))
        return [_index(frame) if frame.source == SITEMAP_INDEX else next(found) for frame in frames]

    def _together(self, frames: Sequence[Frame], *, links: bool) -> list[Understood]:
        for frame in frames:
            self._samples.meet(frame.url)
        judged = list(map(JudgedFrame, frames, self._judge.judge_frames(frames, GROWTH if links else REPEATED)))
        if not links:
            self._scorer.learn(judged)
            return [Understood(one.frame, one.relevance, ()) for one in judged]
        scored = zip(judged, self._scorer.score(judged), strict=True)
        return [Understood(one.frame, one.relevance, records) for one, records in scored]

    def _one(self, frame: Frame) -> Understood:
        page = frame.page
        assert page is not None, "the frame was made for a strategy that reads rows"
        self._samples.meet(page.url)
        if self._is_deferred(page):
            links = best_links(page, [WAITS] * len(page.links))
            return Understood(frame, self._beginning.relevance(page), links, deferred=True)
        (relevance,) = self._judge.judge_frames([frame])
        (links,) = self._scorer.score([JudgedFrame(frame, relevance)])
        return Understood(frame, relevance, links)

    def _is_deferred(self, page: Page) -> bool:
        if self._meet is None:
            return False
        if self._samples.is_seed(page.url):
            self._meet(page)
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
        priorities = self._scorer.prioritise(JudgedPage(page, frame.counts, relevance))
        for link, priority in zip(page.links, priorities, strict=True):
            if priority is not None:
                self._places[link.url] = raised(self._places, link.url, priority)
        if page.source or page.noindex:
            return None
        return judged_record(page.url, relevance, frame.mentions, frame.kind)

    def withdraw(self, url: str) -> None:
        """See `Understanding`."""
        self._beginning.withdraw(url)
        self._judge.leave_out(url)

    def weigh(self, page: Page) -> Relevance:
        """The relevance of a page that is not part of the crawl, by all that has been learned so far."""
        return self._judge.weigh(self.analyst.frame(page))

    @property
    def takes_marks(self) -> bool:
        """Whether the expert's marks change the judgements."""
        return isinstance(self._judge, MixtureJudge)

    @property
    def marks(self) -> Mapping[str, bool]:
        """The expert's marks in use: identity of the address (`semantic.urls.identity`) -> whether the page is good."""
        return self._judge.marks

    def teach(self, marks: Mapping[str, bool], frames: Callable[[], Iterator[Frame]]) -> None:
        """Replace the expert's marks and judge all pages again by them.

        `frames`: gives the frames of all pages so far; called only if needed. Raises TypeError for a strategy that
        takes no marks.
        """
        if not isinstance(self._judge, MixtureJudge):
            raise TypeError("this strategy's judge takes no marks")
        if self._judge.teach(marks):
            self._judge.read_again(frames())
        self._judge.look_back()
        self._scorer.rejudge()

    def end_learning(self) -> None:
        """Finish learning after all pages were read again with `links=False`: update whatever depends on all of
        them.
        """
        if isinstance(self._judge, MixtureJudge):
            self._judge.look_back()
        self._scorer.rejudge()

    def places(self) -> Iterator[tuple[str, Priority]]:
        """The current priority of every waiting address; empty for strategies whose priorities never change."""
        return self._scorer.places()

    @property
    def repeatable(self) -> bool:
        """Whether discarded links can be scored again (`LinkScorer.repeatable`)."""
        return self._scorer.repeatable

    def revise(self) -> Mapping[str, Priority]:
        """See `Understanding`."""
        revised = self._scorer.revise()
        if not self._places:
            return revised
        places, self._places = self._places, {}
        return {**places, **revised}

    def forget(self, url: str, successor: str | None) -> None:
        """See `Understanding`."""
        self._samples.forget(url, successor)
        if successor is not None:
            self._judge.follow(url, successor)
        self._scorer.forget(url, successor)

    def choose(self, urls: Sequence[str]) -> None:
        """See `Understanding`."""
        self._scorer.choose(urls)

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """See `Understanding`."""
        return self._scorer.why_chosen(url)

    def miss(self, urls: Sequence[str]) -> None:
        """See `Understanding`."""
        self._scorer.miss(urls)

    def settle(self) -> Iterator[JudgedRecord]:
        """See `Understanding`."""
        return itertools.starmap(judged_record, self._judge.settle())

    def interned(self, url: str) -> str:
        """See `Understanding`."""
        return self._scorer.interned(url)

    def wants_graph(self) -> bool:
        """See `Understanding`."""
        return self._scorer.wants_graph()

    @property
    def any_way(self) -> int:
        """See `Understanding`."""
        return self._scorer.any_way

    def receive_graph(self, graph: LinkGraph) -> None:
        """See `Understanding`."""
        self._scorer.receive_graph(graph)

    def remember(self) -> bytes:
        """See `Understanding`."""
        memory = {
            "judge": self._judge.remember(),
            "scorer": self._scorer.remember(),
            "samples": self._samples.remember(),
            "held": self._beginning.remember(),
        }
        return pack_memory(memory, self._scorer.layout)

    def restore(self, memory: bytes) -> None:
        """See `Understanding`."""
        if memory:
            parts = unpack_memory(memory, self._scorer.layout)
            self._judge.restore(parts["judge"])
            self._scorer.restore(parts["scorer"])
            self._samples.restore(parts["samples"])
            self._beginning.restore(parts["held"])


def _index(frame: Frame) -> Understood:
    """An index of sitemaps. Its links lead to no pages."""
    return Understood(frame, Relevance(0.0, False), ())
