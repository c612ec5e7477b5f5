"""Pages marked good or bad, detail or list: what classifiers, idf and layers are learned from.

Two sources, never mixed, so that a crawl's record can say which:

- `examples`: what the user marked. Files are learned from before the first page; an address when this crawl fetches it
  (nothing is fetched for the sake of its mark), wherever it was redirected to.
- `ontology`: without examples, what the ontology judged clearly in this very crawl. With u as in the
  relevance model (`semantic.relevance.relevance_model`), a page is good from u = 0.6 and bad up to u = 0.15; what lies
  between teaches nothing. On archived webs with labels by their editors three of four pages from 0.6 on were results,
  and one in a hundred of those up to 0.15.

The ontology says nothing of detail and list.

The beginning of a crawl whose topic is made of its seeds (papers A and C): nothing is judged before all have come.

Pages that come earlier are held: a seed counts as on topic, another page as unknown, and their links wait behind all
others. When the last seed has come, or failed, all held pages are judged and their links get their places. After `MOST`
held pages the seeds that are missing are no longer waited for: they join the topic when they come.
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

CLEARLY_ON, CLEARLY_OFF = 0.6 / (0.6 + HALF), 0.15 / (0.15 + HALF)


@dataclass(frozen=True, slots=True)
class Marks:
    """None: not marked."""

    good: bool | None = None
    detail: bool | None = None


UNMARKED = Marks()


@dataclass(frozen=True, slots=True)
class Examples:
    """What the user marked: addresses (normalised), and pages read from files."""

    addresses: Mapping[str, Marks] = field(default_factory=dict)
    pages: Sequence[tuple[Page, Marks]] = ()


class Samples:
    """Says of each fetched page what it is a sample of; `teacher` is the judge by the ontology.

    Several parts may ask for the same page: it is judged once. Knows the seeds, too, where they were redirected to.
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
        """Whether the crawl began at this address, or at one that leads here."""
        return url in self._seeds

    @property
    def awaits_seeds(self) -> bool:
        """Whether some seed has neither come nor failed."""
        return bool(self._awaited)

    def marked(self, url: str) -> Marks:
        """What the user marked the address as."""
        return (self._addresses or {}).get(identity(url), UNMARKED)

    def meet(self, url: str) -> None:
        """A page has come."""
        self._awaited.discard(url)

    def await_no_more(self) -> None:
        """Seeds that come later are seeds all the same."""
        self._awaited.clear()

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """What the ontology says of the page."""
        if page is not self._page:
            self._page, self._relevance = page, self._teacher.judge(page, counts)
        return self._relevance

    def marks(self, page: Page, counts: ConceptCounts) -> Marks:
        """What the page is a sample of."""
        if self._addresses is not None:
            return self.marked(page.url)
        score = self.judge(page, counts).score
        return Marks(True) if score >= CLEARLY_ON else Marks(False) if score <= CLEARLY_OFF else UNMARKED

    def forget(self, url: str, successor: str | None) -> None:
        """An address ended without a page; where it was redirected, its mark goes along."""
        if url in self._awaited:
            self._awaited.remove(url)
            self._awaited |= {successor} - self._seeds.keys() if successor else set()
        if successor and url in self._seeds:
            self._seeds[successor] = None
        if successor and self._addresses and (name := identity(url)) in self._addresses:
            self._addresses.setdefault(identity(successor), self._addresses[name])

    def remember(self) -> Mapping[str, Any]:
        """What the teacher learned; seeds and marked addresses with where they were redirected to."""
        marked = [[url, marks.good, marks.detail] for url, marks in (self._addresses or {}).items()]
        seeds = {"seeds": list(self._seeds), "awaited": sorted(self._awaited)}
        return {"teacher": self._teacher.remember(), "addresses": marked, **seeds}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave; marks given now win over remembered ones."""
        self._teacher.restore(memory["teacher"])
        before = dict.fromkeys(memory["seeds"])
        self._awaited = (self._awaited - before.keys()) | set(memory["awaited"])
        self._seeds.update(before)
        if self._addresses is not None:
            for url, good, detail in memory["addresses"]:
                self._addresses.setdefault(url, Marks(good, detail))


def _named(marked: Iterable[tuple[str, Marks]]) -> dict[str, Marks]:
    """Marks by what a page is, whatever the spelling of its address: http or https, %-coding, index.html."""
    return {identity(url): marks for url, marks in marked}


class SamplesJudge(Judge):
    """The ontology's verdict as the judge of a strategy that learns from samples; `samples` remembers for both."""

    def __init__(self, samples: Samples, threshold: float) -> None:
        self._samples = samples
        self._threshold = threshold

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """What the ontology says of the page."""
        judged = self._samples.judge(page, counts)
        return replace(judged, on_topic=judged.score >= self._threshold)

    def remember(self) -> Mapping[str, Any]:
        """Nothing of its own."""
        return {}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Nothing to take back."""


MOST = 100
WAITS = Priority(0.0, (Reason(0.0, "waits until all seeds have come"),))


class Beginning:
    """The pages that are held; `samples` knows which seeds are awaited."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._held: dict[str, Page] = {}

    def holds(self, page: Page) -> bool:
        """Whether the page is to be held, as seeds are awaited or others are held still; then it is."""
        if not (self._held or self._samples.awaits_seeds):
            return False
        self._held[page.url] = page
        return True

    def relevance(self, page: Page) -> Relevance:
        """What is said of a page meanwhile."""
        if self._samples.is_seed(page.url):
            return Relevance(1.0, True, (Reason(1.0, "a seed, not compared with the others yet"),))
        return Relevance(0.0, False, (Reason(0.0, "not judged before all seeds have come"),))

    def withdraw(self, url: str) -> None:
        """A page is a copy of another: nothing more is said of it."""
        self._held.pop(url, None)

    def release(self) -> Sequence[Page]:
        """The held pages, once it is time."""
        if len(self._held) >= MOST:
            self._samples.await_no_more()
        if self._samples.awaits_seeds:
            return ()
        held, self._held = self._held, {}
        return tuple(held.values())

    def remember(self) -> Sequence[Any]:
        """The held pages."""
        return [[url, page.noindex, pack(page, nodes=True)] for url, page in self._held.items()]

    def restore(self, memory: Sequence[Any]) -> None:
        """Take back what `remember` gave."""
        self._held = {}
        for url, noindex, content in memory:
            self._held[url] = replace(unpack(bytes(content), url), noindex=noindex)


def raised(places: Mapping[str, Priority], url: str, priority: Priority) -> Priority:
    """The better of two places of an address."""
    other = places.get(url)
    return priority if other is None or priority.score > other.score else other
