"""The default judge: the relevance model (`semantic.judges.model`) over all pages of a crawl.

A page is judged the moment it arrives, by the statistics of the pages before it. When statistics are counted anew, the
last `RECENT` pages are judged again, and as many of the older ones in turn; `news` tells which of them have another
relevance now. `settle` judges all by the statistics of the moment, when a crawl ends. So the record has one scale,
whenever a page was read.

A page that the expert has marked (`teach`) is worth 1 or 0. What the marks say of pages that are like the marked ones
(`semantic.judges.marks`) is learned at each look back, and added to the model's number.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontology.topic import Topic
from semantic.counting import ConceptCounts
from semantic.judges.counted import Counted, CountedPages, columns_of, count_page
from semantic.judges.judge import Judge
from semantic.judges.lessons import Lessons, Like
from semantic.judges.marks import Correction
from semantic.judges.model import HALF, RECENT, RelevanceModel, Statistics, extent_of, is_due, relevance_of
from semantic.learning.packing import pack_array, unpack_array
from semantic.page import Page
from semantic.relevance import Reason, Relevance
from semantic.wordtable import WordTable

Floats = NDArray[np.float64]

MOVED = 0.01  # a change of relevance that is told while the crawl runs; at its end every change is
SAME = 1e-9  # what sums in another order differ by, at most
SHOWN = 5  # words of a feature in a reason
LIKEST = 2  # marked pages in a reason


@dataclass(slots=True)
class _Sight:
    """All pages as seen at one moment: `u` of each by the model, and what marks add to its relevance."""

    known: Statistics
    correction: Correction | None
    u: "array[float]"
    shift: "array[float]"


class MixtureJudge(Judge):
    """See the module's text. `languages`: those of the ontology's words."""

    def __init__(
        self, topic: Topic, table: WordTable, languages: frozenset[str] = frozenset(), threshold: float = 0.5
    ) -> None:
        self._model = RelevanceModel(topic, table)
        self._table = table
        self._languages = languages
        self._threshold = threshold
        self._pages = CountedPages()
        self._urls: list[str] = []
        self._numbers: dict[str, int] = {}  # of pages, by address
        self._arrivals = array("l")  # numbers of pages as they came; one that is read again comes again
        self._lessons = Lessons()
        self._now = _Sight(self._model.usual(), None, array("d"), array("d"))
        self._told = array("d")  # the relevance that the record has; nan: not known, inf: it has none
        self._pending: dict[int, None] = {}  # pages whose relevance is to be told
        self._turn = 0  # where the next older pages begin
        self._learned = 0  # pages that there were when marks were last learned from
        self.looked_back = 0  # pages that there were at the last look back

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """The page's relevance by what is known now; it is one of the crawl's pages from here on."""
        counted, now = count_page(page, counts, self._table, self._languages), self._now
        number = self._place(page, counted)
        now.u[number] = float(self._model.judge(columns_of([counted]), now.known)[0])
        self._shift(now, number)
        self._arrivals.append(number)
        if is_due(len(self._arrivals), self.looked_back):
            self._look_back()
        ((_, found),) = self._relevances([number], now)
        if not (page.noindex or page.source):
            self._told[number] = found.score
        return found

    def weigh(self, page: Page, counts: ConceptCounts) -> Relevance:
        """What a page that is none of the crawl's would be worth by all that is known now. Nothing is learned of it."""
        counted, final = count_page(page, counts, self._table, self._languages), self._settled()
        (shares,) = self._model.shares(columns_of([counted]), final.known)
        model, reasons = self._by_features(counted, shares)
        likes = self._lessons.likes(final.correction, page) if final.correction else []
        score = min(1.0, max(0.0, model + sum(like.share for like in likes)))
        if score != model:
            reasons.append(Reason(score - model, "like marked pages", _likest(likes)))
        return Relevance(score, score >= self._threshold, tuple(reasons))

    def _place(self, page: Page, counted: Counted) -> int:
        """The number of a page, with what it says now."""
        number = self._numbers.get(page.url)
        if number is not None:
            self._pages.replace(number, counted)
            self._lessons.read_again(number, page)
            return number
        number = self._numbers[page.url] = len(self._urls)
        self._pages.add(counted)
        self._urls.append(page.url)
        self._lessons.read(page)
        self._now.u.append(0.0)
        self._now.shift.append(0.0)
        self._told.append(np.inf)
        return number

    def recent(self, count: int) -> Floats:
        """u of the pages that came last, as last judged; marks count."""
        numbers = np.array(self._arrivals[len(self._arrivals) - count :], np.int64)
        first = int(numbers.min()) if count else 0
        return extent_of(self._scores(self._now, first, len(self._urls))[numbers - first])

    def leave_out(self, url: str) -> None:
        """The page is a copy: its relevance is not told."""
        number = self._numbers.get(url)
        if number is not None:
            self._told[number] = np.inf
            self._pending.pop(number, None)

    def news(self, most: int) -> Iterator[tuple[str, Relevance]]:
        """Some of the pages whose relevance has moved since it was told."""
        numbers = list(islice(self._pending, most))
        for number in numbers:
            del self._pending[number]
        yield from self._tell(numbers, self._now)

    def settle(self) -> Iterator[tuple[str, Relevance]]:
        """Every page whose relevance by the statistics of now is not the one last told. The judge learns nothing."""
        self._pending.clear()
        n, final = len(self._urls), self._settled()
        for first in range(0, n, RECENT):
            last = min(first + RECENT, n)
            told = self._told_of(first, last)
            moved = ~(np.abs(self._scores(final, first, last) - told) <= SAME) & ~np.isinf(told)
            yield from self._tell((np.flatnonzero(moved) + first).tolist(), final)

    def _settled(self) -> _Sight:
        """All pages by the statistics of now."""
        n = len(self._urls)
        final = _Sight(self._statistics(), None, array("d", bytes(8 * n)), array("d", self._now.shift))
        for first in range(0, n, RECENT):
            self._judge_pages(final, first, min(first + RECENT, n))
        self._learn_marks(final, 0)
        return final

    @property
    def marks(self) -> Mapping[str, bool]:
        """The expert's marks, by the identity of the address: whether the page is good."""
        return self._lessons.marks

    def teach(self, marks: Mapping[str, bool]) -> bool:
        """All marks by address. Whether pages that came before are to be shown again (`read_again`, `look_back`)."""
        self._lessons.teach(marks, self._urls)
        return self._lessons.lacks_words(len(self._urls))

    def read_again(self, pages: Iterator[Page]) -> None:
        """What pages say that were judged before, so that they can be compared with marked ones."""
        self._lessons.make_room(len(self._urls))
        for page in pages:
            if page.url in self._numbers:
                self._lessons.read_again(self._numbers[page.url], page)

    def follow(self, url: str, successor: str) -> None:
        """An address was redirected: its mark goes along."""
        self._lessons.follow(url, successor)

    def look_back(self) -> None:
        """Judge all pages again, now: marks have changed."""
        for first in range(0, len(self._urls), RECENT):
            self._judge_pages(self._now, first, min(first + RECENT, len(self._urls)))
        self._look_back()

    def _look_back(self) -> None:
        """Count the statistics anew, and judge recent pages by them, and some of the older ones."""
        n = len(self._urls)
        recent = max(0, n - RECENT)
        start = self._turn if self._turn < recent else 0
        self._turn = min(start + RECENT, recent)
        self._now.known, self.looked_back = self._statistics(), len(self._arrivals)
        self._judge_pages(self._now, recent, n)
        self._judge_pages(self._now, start, self._turn)
        self._learn_marks(self._now, recent)
        self._learned = n
        self._note_moved(recent, n)
        self._note_moved(start, self._turn)

    def _statistics(self) -> Statistics:
        return self._model.statistics(self._pages.columns(max(0, len(self._pages) - RECENT)))

    def _judge_pages(self, sight: _Sight, first: int, last: int) -> None:
        sight.u[first:last] = array("d", self._model.judge(self._pages.columns(first, last), sight.known).tobytes())

    def _learn_marks(self, sight: _Sight, first: int) -> None:
        """What the marks say of pages from `first` on."""
        if self._lessons.marks:
            sight.correction = self._lessons.learn(self._urls, relevance_of(np.frombuffer(sight.u[:])), len(self._urls))
            self._shift(sight, first)

    def _shift(self, sight: _Sight, first: int) -> None:
        if sight.correction:
            first, shifts = self._lessons.shifts(sight.correction, self._urls, first)
            sight.shift[first : first + len(shifts)] = array("d", shifts.tobytes())

    def _scores(self, sight: _Sight, first: int, last: int) -> Floats:
        """Relevance of pages, marks included."""
        model = relevance_of(np.frombuffer(sight.u[first:last]))
        found: Floats = np.clip(model + np.frombuffer(sight.shift[first:last]), 0.0, 1.0)
        for number, good in self._lessons.marked_pages(self._urls):
            if first <= number < last:
                found[number - first] = float(good)
        return found

    def _note_moved(self, first: int, last: int) -> None:
        now, told = self._scores(self._now, first, last), self._told_of(first, last)
        moved = ~(np.abs(now - told) <= MOVED) | ((now >= self._threshold) != (told >= self._threshold))
        moved[np.isinf(told)] = False
        self._pending |= dict.fromkeys((np.flatnonzero(moved) + first).tolist())

    def _told_of(self, first: int, last: int) -> Floats:
        return np.frombuffer(self._told[first:last])

    def _tell(self, numbers: Sequence[int], sight: _Sight) -> Iterator[tuple[str, Relevance]]:
        for number, (url, found) in zip(numbers, self._relevances(numbers, sight), strict=True):
            self._told[number] = found.score
            yield url, found

    def _relevances(self, numbers: Sequence[int], sight: _Sight) -> Iterator[tuple[str, Relevance]]:
        pages = [self._pages.page(number) for number in numbers]
        for number, page, shares in zip(
            numbers, pages, self._model.shares(columns_of(pages), sight.known), strict=True
        ):
            yield self._urls[number], self._relevance(number, page, shares, sight)

    def _relevance(self, number: int, page: Counted, shares: Mapping[str, float], sight: _Sight) -> Relevance:
        """The shares of the features, and of marks, add up to the relevance."""
        model, reasons = self._by_features(page, shares)
        score = float(self._scores(sight, number, number + 1)[0])
        mark = self._lessons.mark_of(self._urls[number])
        if mark is not None:
            reasons.append(Reason(score - model, f"marked {_word(mark)} by the expert"))
        elif score != model:
            likes = self._lessons.likes_of(sight.correction, self._urls[number], number) if sight.correction else []
            reasons.append(Reason(score - model, "like marked pages", _likest(likes)))
        return Relevance(score, score >= self._threshold, tuple(reasons))

    def _by_features(self, page: Counted, shares: Mapping[str, float]) -> tuple[float, list[Reason]]:
        """The model's number, and what each feature adds to it."""
        u = sum(shares.values())
        model = u / (u + HALF)
        return model, [
            Reason(share * model / u, self._table.caption(feature, page.language), self._found(feature, page), feature)
            for feature, share in sorted(shares.items(), key=lambda item: -item[1])
        ]

    def _found(self, feature: str, page: Counted) -> str:
        """The words found for a feature, heaviest first, each with its occurrences weighted by position."""
        own = [(tf, word) for word, tf, _ in page.words if self._table.feature[word] == feature]
        return ", ".join(f"{self._table.texts[word]} ×{tf:g}" for tf, word in sorted(own, reverse=True)[:SHOWN])

    def remember(self) -> Mapping[str, Any]:
        """All pages as they were counted, the statistics of the last look back, and the marks."""
        return {
            "texts": list(self._table.texts),
            "arrivals": pack_array(np.array(self._arrivals, np.int32)),
            "urls": "\n".join(self._urls).encode("utf-8", "surrogatepass"),
            "pages": self._pages.remember(),
            "known": self._now.known.remember(),
            "u": pack_array(np.array(self._now.u)),
            "shift": pack_array(np.array(self._now.shift)),
            "without": pack_array(np.isinf(np.array(self._told))),
            "lessons": self._lessons.remember(),
            "counts": [self.looked_back, self._turn, self._learned],
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave; words are known by their text, so that an edited ontology may go on."""
        index = {text: word for word, text in enumerate(self._table.texts)}
        self._pages = CountedPages.restored(memory["pages"], [index.get(text) for text in memory["texts"]])
        self._urls = str(memory["urls"], "utf-8", "surrogatepass").split("\n") if len(self._pages) else []
        self._numbers = {url: number for number, url in enumerate(self._urls)}
        self._arrivals = array("l", unpack_array(memory["arrivals"]).tolist())
        self._told = array("d", np.where(unpack_array(memory["without"]), np.inf, np.nan).tobytes())
        self._pending = {}
        self.looked_back, self._turn, self._learned = memory["counts"]
        same = memory["texts"] == list(self._table.texts)
        known = Statistics.restored(memory["known"]) if same else self._statistics()
        u, shift = (array("d", unpack_array(memory[name]).tobytes()) for name in ("u", "shift"))
        self._now = _Sight(known, None, u, shift)
        self._lessons.restore(memory["lessons"])
        if self._lessons.marks:
            before = relevance_of(np.frombuffer(u[:]))
            self._now.correction = self._lessons.learn(self._urls, before, memory["counts"][2])


def _likest(likes: Sequence[Like]) -> str:
    return ", ".join(f"{_word(like.good)} {like.url} {like.share:+.3f}" for like in likes[:LIKEST])


def _word(good: bool) -> str:
    return "good" if good else "bad"
