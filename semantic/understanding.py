"""Bytes to a judged page with scored links, in one step: what the crawl asks of this package for each response."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from ontology.lexicon import Lexicon
from semantic.content import pack
from semantic.counting import count_concepts, mention_records
from semantic.judges.judge import Judge
from semantic.matching import Matcher
from semantic.memory import pack_memory, unpack_memory
from semantic.page import SITEMAP_INDEX, Link, Page
from semantic.reading import read_page
from semantic.records import LinkGraph, MentionRecord
from semantic.relevance import Priority, Relevance
from semantic.samples import Samples
from semantic.scorers.scorer import JudgedPage, LinkScorer
from semantic.sitemaps import promising
from semantic.wordtable import WordTable


@dataclass(frozen=True, slots=True)
class Understood:
    """`links`: None for a link that the strategy discards. `content`: the page as it is kept (`semantic.content`)."""

    page: Page
    relevance: Relevance
    mentions: tuple[MentionRecord, ...]
    links: tuple[tuple[Link, Priority | None], ...]
    content: bytes


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

    def miss(self, url: str) -> Mapping[str, Priority]:
        """A request for an address was in vain: it failed, or was a copy. New places that follow from it."""
        ...

    def text_of(self, url: str) -> str:
        """The same address; where its text is held already, that one, so that a long queue holds it once."""
        ...

    def wants_graph(self) -> bool:
        """Whether the link graph of now is wanted before anything else is fetched; until `receive_graph`."""
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
    ) -> None:
        self._lexicon = lexicon
        self._table = table
        self._matcher = matcher
        self._judge = judge
        self._scorer = scorer
        self._samples = samples
        self._read = read

    def understand(self, body: bytes, url: str, headers: Mapping[str, str]) -> Understood:
        """See `Understanding`."""
        return self.understand_page(promising(self._read(body, url, headers), self._matcher, self._table))

    def understand_page(self, page: Page) -> Understood:
        """The same for a page that has been read."""
        if page.source == SITEMAP_INDEX:  # its links lead to no pages
            return Understood(page, Relevance(0.0, False), (), tuple((link, None) for link in page.links), pack(page))
        counts = count_concepts(page, self._matcher)
        relevance = self._judge.judge(page, counts)
        priorities = self._scorer.prioritise(JudgedPage(page, counts, relevance))
        mentions = mention_records(counts, self._lexicon, self._table)
        links = tuple(zip(page.links, priorities, strict=True))
        return Understood(page, relevance, mentions, links, pack(page))

    def revise(self) -> Mapping[str, Priority]:
        """See `Understanding`."""
        return self._scorer.revise()

    def forget(self, url: str, successor: str | None) -> None:
        """See `Understanding`."""
        self._samples.forget(url, successor)
        self._scorer.forget(url, successor)

    def miss(self, url: str) -> Mapping[str, Priority]:
        """See `Understanding`."""
        return self._scorer.miss(url)

    def text_of(self, url: str) -> str:
        """See `Understanding`."""
        return self._scorer.text_of(url)

    def wants_graph(self) -> bool:
        """See `Understanding`."""
        return self._scorer.wants_graph()

    def receive_graph(self, graph: LinkGraph) -> None:
        """See `Understanding`."""
        self._scorer.receive_graph(graph)

    def remember(self) -> bytes:
        """See `Understanding`."""
        memory = {
            "judge": self._judge.remember(),
            "scorer": self._scorer.remember(),
            "samples": self._samples.remember(),
        }
        return pack_memory(memory, self._scorer.layout)

    def restore(self, memory: bytes) -> None:
        """See `Understanding`."""
        if memory:
            parts = unpack_memory(memory, self._scorer.layout)
            self._judge.restore(parts["judge"])
            self._scorer.restore(parts["scorer"])
            self._samples.restore(parts["samples"])
