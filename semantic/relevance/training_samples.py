"""Pages marked good or bad, detail or list, from which classifiers, idf and layers are learned.

There are two sources, which are never mixed, so that a crawl's record can say which was used:

- `examples`: pages that the user marked. A file is learned from before the first page; an address when this crawl
  fetches it (nothing is fetched because it is marked), also after redirects.
- `ontology`: without examples, the pages that the ontology judged clearly in this crawl. With u of
  `semantic.relevance.relevance_model`, a page is good from u = 0.6 on and bad up to u = 0.15; pages in between teach
  nothing. On archived webs with labels by their editors, three of four pages from 0.6 on were results, and one in a
  hundred of those up to 0.15.

The ontology says nothing about detail and list.

The module also handles the beginning of a crawl whose topic is made of its seeds (papers A and C): nothing is judged
before all seeds have come. The judgement of pages that come earlier is deferred: a seed counts as on topic, any other
page as unknown, and their links wait behind all others. When the last seed has come, or failed, all deferred pages are
judged and their links get their priorities. After `MOST` deferred pages the missing seeds are no longer waited for;
they join the topic when they come.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from semantic.page import Page
from semantic.parsing.stored_content import pack, unpack
from semantic.records import Priority, Reason, Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.relevance.relevance_model import HALF
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


class Samples:
    """Tells what each fetched page is a sample of. `teacher`: the judge by the ontology.

    Several parts may ask about the same page, which is judged once. It also knows the seeds, under the addresses they
    were redirected to.
    """

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

    def remember(self) -> Mapping[str, Any]:
        """The teacher's state; seeds and marked addresses, with the addresses they were redirected to."""
        marked = [[url, marks.good, marks.detail] for url, marks in (self._addresses or {}).items()]
        seeds = {"seeds": list(self._seeds), "awaited": sorted(self._awaited)}
        return {"teacher": self._teacher.remember(), "addresses": marked, **seeds}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave. Marks given now override remembered ones."""
        self._teacher.restore(memory["teacher"])
        before = dict.fromkeys(memory["seeds"])
        self._awaited = (self._awaited - before.keys()) | set(memory["awaited"])
        self._seeds.update(before)
        if self._addresses is not None:
            for url, good, detail in memory["addresses"]:
                self._addresses.setdefault(url, Marks(good, detail))


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

    def remember(self) -> Mapping[str, Any]:
        """Nothing: `samples` saves the state."""
        return {}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Nothing to take back."""


# pages whose judgement may be deferred; chosen, not measured
MOST = 100
WAITS = Priority(0.0, (Reason(0.0, "waits until all seeds have come"),))


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
            return Relevance(1.0, True, (Reason(1.0, "a seed, not compared with the others yet"),))
        return Relevance(0.0, False, (Reason(0.0, "not judged before all seeds have come"),))

    def withdraw(self, url: str) -> None:
        """Forget a page that turned out to be a copy of another."""
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
