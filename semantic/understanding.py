"""Bytes to a judged page with scored links, in one step: what the crawl asks of this package for each response."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ontology.lexicon.lexicon import Lexicon
from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.memory.strategy_memory import pack_memory, unpack_memory
from semantic.page import SITEMAP_INDEX, Link, Page
from semantic.parsing.listings import kind_of
from semantic.parsing.page_reader import read_page
from semantic.parsing.sitemaps import promising
from semantic.parsing.stored_content import pack
from semantic.records import JudgedRecord, LinkGraph, MentionRecord
from semantic.relevance.default_judge import MixtureJudge
from semantic.relevance.judge_protocol import Judge
from semantic.relevance.seed_phase import WAITS, Beginning, raised
from semantic.relevance.training_samples import Samples
from semantic.scores import Priority, Relevance, shares_of
from semantic.terms.term_frequency import ConceptCounts, count_concepts, mention_records
from semantic.terms.term_matching import Matcher
from semantic.terms.word_table import WordTable

NEWS_AT_ONCE = 200  # pages of another relevance told after one page: all, within some pages of a look back


def judged_record(
    url: str, found: Relevance, mentions: tuple[MentionRecord, ...] | None = None, kind: str | None = None
) -> JudgedRecord:
    """What the record is to say of a page; `mentions` or `kind` None: they stay as they are."""
    reasons = tuple(map(str, found.reasons))
    return JudgedRecord(url, found.score, found.on_topic, reasons, mentions, shares_of(found.reasons), kind)


@dataclass(frozen=True, slots=True)
class Understood:
    """`links`: None for a link that the strategy discards. `content`: the page as it is kept.

    How it is kept: `semantic.parsing.stored_content`. `held`: it is judged later (`semantic.relevance.seed_phase`).
    """

    page: Page
    relevance: Relevance
    mentions: tuple[MentionRecord, ...]
    links: tuple[tuple[Link, Priority | None], ...]
    content: bytes
    held: bool = False


Reader = Callable[[bytes, str, Mapping[str, str]], Page]  # `read_page`, or what has read the page before


class Understanding(Protocol):
    """Reads, judges, predicts; keeps what it has learned as `memory`. The crawl owns one; tests hand in a fake."""

    def understand(self, body: bytes, url: str, headers: Mapping[str, str]) -> Understood:
        """Judge a page; header names are lower case. Raises PageError where the bytes are no page."""
        ...

    def revise(self) -> Mapping[str, Priority]:
        """New places of waiting addresses, higher or lower; asked after every page and after a link graph."""
        ...

    def forget(self, url: str, successor: str | None) -> None:
        """An address ended without a page: it failed or was refused (None), or `successor` takes its place."""
        ...

    def choose(self, url: str) -> None:
        """An address was chosen, by all that is known now, and is being fetched; others may come before its answer."""
        ...

    def miss(self, url: str) -> Mapping[str, Priority]:
        """A request for an address was in vain: it failed, or was a copy. New places that follow from it."""
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
    """The real one: a reader, `count_concepts`, a judge and a link scorer, in that order."""

    def __init__(  # noqa: PLR0913 - the parts of one chain
        self,
        lexicon: Lexicon,
        table: WordTable,
        matcher: Matcher,
        judge: Judge,
        scorer: LinkScorer,
        *,
        samples: Samples,
        read: Reader = read_page,
        enough: int = 0,
        meet: Callable[[Page], None] | None = None,
    ) -> None:
        """`meet`: what takes the seeds, of a strategy whose topic is made of them."""
        self._lexicon = lexicon
        self._table = table
        self._matcher = matcher
        self._judge = judge
        self._scorer = scorer
        self._samples = samples
        self._read = read
        self.enough = enough
        self._meet = meet
        self._beginning = Beginning(samples)
        self._places: dict[str, Priority] = {}

    def understand(self, body: bytes, url: str, headers: Mapping[str, str]) -> Understood:
        """See `Understanding`."""
        return self.understand_page(promising(self._read(body, url, headers), self._matcher, self._table))

    def understand_page(self, page: Page) -> Understood:
        """The same for a page that has been read."""
        if page.source == SITEMAP_INDEX:  # its links lead to no pages
            return Understood(page, Relevance(0.0, False), (), tuple((link, None) for link in page.links), pack(page))
        counts = count_concepts(page, self._matcher)
        self._samples.meet(page.url)
        held = self._is_held(page)
        relevance, priorities = self._held(page) if held else self._judged(page, counts)
        mentions = mention_records(counts, self._lexicon, self._table)
        links = tuple(zip(page.links, priorities, strict=True))
        return Understood(page, relevance, mentions, links, pack(page, nodes=self._scorer.tree), held)

    def _is_held(self, page: Page) -> bool:
        if self._meet is None:
            return False
        if self._samples.is_seed(page.url):
            self._meet(page)
        return self._beginning.holds(page)

    def _held(self, page: Page) -> tuple[Relevance, Sequence[Priority | None]]:
        return self._beginning.relevance(page), [WAITS] * len(page.links)

    def _judged(self, page: Page, counts: ConceptCounts) -> tuple[Relevance, Sequence[Priority | None]]:
        relevance = self._judge.judge(page, counts)
        return relevance, self._scorer.prioritise(JudgedPage(page, counts, relevance))

    def rejudged(self) -> Sequence[JudgedRecord]:
        """See `Understanding`."""
        held = [news for page in self._beginning.release() if (news := self._judge_held(page))]
        return [*held, *itertools.starmap(judged_record, self._judge.news(NEWS_AT_ONCE))]

    def _judge_held(self, page: Page) -> JudgedRecord | None:
        """Judge a page that was held; its links' places are told by `revise`. None for what is no result anyway."""
        counts = count_concepts(page, self._matcher)
        relevance, priorities = self._judged(page, counts)
        for link, priority in zip(page.links, priorities, strict=True):
            if priority is not None:
                self._places[link.url] = raised(self._places, link.url, priority)
        if page.source or page.noindex:
            return None
        mentions = mention_records(counts, self._lexicon, self._table)
        return judged_record(page.url, relevance, mentions, kind_of(page))

    def withdraw(self, url: str) -> None:
        """See `Understanding`."""
        self._beginning.withdraw(url)
        self._judge.leave_out(url)

    def weigh(self, page: Page) -> Relevance:
        """What a page that is none of the crawl's would be worth in it, by all that is known now."""
        return self._judge.weigh(page, count_concepts(page, self._matcher))

    @property
    def takes_marks(self) -> bool:
        """Whether the expert's marks move what is judged."""
        return isinstance(self._judge, MixtureJudge)

    @property
    def marks(self) -> Mapping[str, bool]:
        """The marks that it knows, by the identity of the address: whether the page is good."""
        return self._judge.marks

    def teach(self, marks: Mapping[str, bool], pages: Callable[[], Iterator[Page]]) -> None:
        """Take all marks there are, and judge all pages again by them; `pages`: what was read so far, where needed.

        Raises TypeError for a strategy that takes none.
        """
        if not isinstance(self._judge, MixtureJudge):
            raise TypeError("this strategy's judge takes no marks")
        if self._judge.teach(marks):
            self._judge.read_again(pages())
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

    def choose(self, url: str) -> None:
        """See `Understanding`."""
        self._scorer.choose(url)

    def miss(self, url: str) -> Mapping[str, Priority]:
        """See `Understanding`."""
        return self._scorer.miss(url)

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
