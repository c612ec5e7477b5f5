"""Bytes to a judged page with scored links, in one step: what the crawl asks of this package for each response."""

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

NEWS_AT_ONCE = 200  # pages of another relevance told after one page: all, within some pages of a look back


def judged_record(
    url: str, found: Relevance, mentions: tuple[MentionRecord, ...] | None = None, kind: str | None = None
) -> JudgedRecord:
    """What the record is to say of a page; `mentions` or `kind` None: they stay as they are."""
    reasons = tuple(map(str, found.reasons))
    return JudgedRecord(url, found.score, found.on_topic, reasons, mentions, shares_of(found.reasons), kind)


def revised_record(url: str, place: Priority) -> RevisedRecord:
    """What the record is to say of a waiting page that has another place."""
    return RevisedRecord(url, place.score, tuple(map(str, place.reasons)), shares_of(place.reasons))


@dataclass(frozen=True, slots=True)
class Understood:
    """A page as the crawl records it. `links`: one a target, with a priority of None where the strategy discards it.

    `held`: it is judged later (`semantic.relevance.training_samples`).
    """

    frame: Frame
    relevance: Relevance
    links: tuple[LinkRecord, ...]
    held: bool = False


Answer = tuple[bytes, str, Mapping[str, str]]  # body, address, headers with names in lower case
Reader = Callable[[bytes, str, Mapping[str, str]], Page | Frame]  # `read_page`, or what has read the page before


class Understanding(Protocol):
    """Reads, judges, predicts; keeps what it has learned as `memory`. The crawl owns one; tests hand in a fake."""

    def understand(self, answers: Sequence[Answer]) -> list[Understood | PageError]:
        """Judge pages that came together, learn of them, score their links; PageError where the bytes are no page."""
        ...

    def revise(self) -> Mapping[str, Priority]:
        """New places of waiting addresses, higher or lower; asked after every page and after a link graph."""
        ...

    def forget(self, url: str, successor: str | None) -> None:
        """An address ended without a page: it failed or was refused (None), or `successor` takes its place."""
        ...

    def choose(self, urls: Sequence[str]) -> None:
        """Addresses were chosen, by all that is known now, and are being fetched; others may come before them."""
        ...

    def why_chosen(self, url: str) -> tuple[Reason, ...]:
        """Why an address that is being fetched was chosen; () where that was told with its place."""
        ...

    def miss(self, urls: Sequence[str]) -> None:
        """Requests for addresses were in vain: they failed, or were copies. `revise` tells what follows from it."""
        ...

    def rejudged(self) -> Sequence[JudgedRecord]:
        """What is now said of pages understood before; asked after every address that ended, before `revise`."""
        ...

    def settle(self) -> Iterator[JudgedRecord]:
        """When the crawl ends: all pages whose relevance, by all that is known now, is not the one last told."""
        ...

    def withdraw(self, url: str) -> None:
        """A page is a copy of another: nothing more is to be said of it."""
        ...

    def text_of(self, url: str) -> str:
        """The same address; where its text is held already, that one, so that a long queue holds it once."""
        ...

    def wants_graph(self) -> bool:
        """Whether the link graph of now is wanted before anything else is fetched; until `receive_graph`."""
        ...

    @property
    def enough(self) -> int:
        """The number of results with which the crawl ends; 0: with none."""
        ...

    @property
    def any_way(self) -> int:
        """Of how many pages fetched, at most, that graph is to hold those on any way to a result."""
        ...

    def receive_graph(self, graph: LinkGraph) -> None:
        """The link graph of this moment."""
        ...

    def remember(self) -> bytes:
        """What a resumed crawl must know to go on as if it had not stopped."""
        ...

    def restore(self, memory: bytes) -> None:
        """Take back what `remember` gave. Raises OutdatedMemory, with nothing taken, where other code wrote it."""
        ...


class TopicUnderstanding:
    """The real one: an analyst, a judge and a link scorer, in that order."""

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
        """`meet`: what takes the seeds, of a strategy whose topic is made of them."""
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
        """The same for pages that have been read.

        Without `links` nobody asks what their links are worth: they are learned of, and `end_learning` scores them.
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
        if self._is_held(page):
            links = best_links(page, [WAITS] * len(page.links))
            return Understood(frame, self._beginning.relevance(page), links, held=True)
        (relevance,) = self._judge.judge_frames([frame])
        (links,) = self._scorer.score([JudgedFrame(frame, relevance)])
        return Understood(frame, relevance, links)

    def _is_held(self, page: Page) -> bool:
        if self._meet is None:
            return False
        if self._samples.is_seed(page.url):
            self._meet(page)
        return self._beginning.holds(page)

    def rejudged(self) -> Sequence[JudgedRecord]:
        """See `Understanding`."""
        held = [news for page in self._beginning.release() if (news := self._judge_held(page))]
        return [*held, *itertools.starmap(judged_record, self._judge.news(NEWS_AT_ONCE))]

    def _judge_held(self, page: Page) -> JudgedRecord | None:
        """Judge a page that was held; its links' places are told by `revise`. None for what is no result anyway."""
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
        """What a page that is none of the crawl's would be worth in it, by all that is known now."""
        return self._judge.weigh(self.analyst.frame(page))

    @property
    def takes_marks(self) -> bool:
        """Whether the expert's marks move what is judged."""
        return isinstance(self._judge, MixtureJudge)

    @property
    def marks(self) -> Mapping[str, bool]:
        """The marks that it knows, by the identity of the address: whether the page is good."""
        return self._judge.marks

    def teach(self, marks: Mapping[str, bool], frames: Callable[[], Iterator[Frame]]) -> None:
        """Take all marks there are, and judge all pages again by them; `frames`: of all pages so far, where needed.

        Raises TypeError for a strategy that takes none.
        """
        if not isinstance(self._judge, MixtureJudge):
            raise TypeError("this strategy's judge takes no marks")
        if self._judge.teach(marks):
            self._judge.read_again(frames())
        self._judge.look_back()
        self._scorer.rejudge()

    def end_learning(self) -> None:
        """All pages have been learned of again, without asking for links: learn what follows from all of them."""
        if isinstance(self._judge, MixtureJudge):
            self._judge.look_back()
        self._scorer.rejudge()

    def places(self) -> Iterator[tuple[str, Priority]]:
        """Where each waiting address belongs by all that is known now; nothing where places follow from rules."""
        return self._scorer.places()

    @property
    def repeatable(self) -> bool:
        """Whether what was discarded can be asked about again (`LinkScorer.repeatable`)."""
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

    def text_of(self, url: str) -> str:
        """See `Understanding`."""
        return self._scorer.text_of(url)

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
    """An index of sitemaps, whose links lead to no pages."""
    return Understood(frame, Relevance(0.0, False), ())
