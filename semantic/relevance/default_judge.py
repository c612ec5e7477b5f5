"""The default judge: the relevance model (`semantic.relevance.relevance_model`) over all pages of a crawl.

A page is judged on arrival, by the statistics of the pages before it. When the statistics are recomputed, the last
`RECENT` pages are judged again, and as many older pages in turn; `news` reports pages whose relevance has changed. At
the end of a crawl `settle` judges all pages by the final statistics. So all relevances in the record are on one scale,
whenever a page was read. Words are stored for the last pages only (`semantic.relevance.judge_training`); an older page
keeps what self-training and marks last added.

Self-training (`semantic.relevance.judge_training`) learns from the model's numbers what clear pages have in common. A
page's relevance combines both.

A listing (`semantic.parsing.page_kind`) leads to results and is none, as in papers J (detail pages) and C (hubs). So
its relevance is that of half of u. Its links, self-training and marks see all of u. Measured on the 19 content tasks of
benchmarks/judge.md, the same crawls: average precision .706 with all of u, .791 with half; F1 at .5 .623 and .683.

An error page counts as left out: worth 0 for learning from links.

A page that the expert has marked (`teach`) has relevance 1 if it is good, else 0. For its links a hub counts as much as
it was judged, and at least the threshold. What good and bad pages say about similar ones
(`semantic.relevance.judge_training`) is learned again whenever the statistics are recomputed, and added to the
relevance. Nothing else changes with marks, so that the list of results never shrinks by more than they explain.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontology.topic import Topic
from semantic.analyst import bare_frame
from semantic.frame import Frame
from semantic.learning.feature_hashing import NO_WORDS, HashedPage, HashedWords
from semantic.memory.arrays import with_room
from semantic.memory.compact_collections import FirstOf, PackedTexts
from semantic.memory.strategy_memory import converted, copied, lines_of, read_lines
from semantic.page import Page
from semantic.parsing.page_kind import Kind
from semantic.reasons import Reason, because
from semantic.records import Mark, Relevance
from semantic.relevance.judge_protocol import Judge
from semantic.relevance.judge_training import (
    CLEAREST,
    LEARNED,
    RETRAINED,
    Correction,
    Lessons,
    Like,
    PageSurroundings,
    Taught,
    TrainingRows,
    given_back,
    own_text_share,
    pack_words,
    self_train,
    together,
    unpack_words,
)
from semantic.relevance.relevance_model import (
    GROWTH,
    HALF,
    RECENT,
    CountedPages,
    RelevanceModel,
    Statistics,
    columns_of,
    extent_of,
    is_due,
    relevance_of,
)
from semantic.terms.name_words import PREFIX
from semantic.terms.term_matching import ConceptCounts, WordTable
from semantic.terms.topic_counts import CountedWords

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]  # of pages
Ints = NDArray[np.int32]

# change of relevance that is reported during the crawl; at its end every change is reported; chosen, not measured
MOVED = 0.05
SAME = 1e-9  # tolerance for sums in a different order
LISTED: Kind = "listing"
SHOWN = 5  # words of a feature shown in a reason
LIKEST = 2  # marked pages shown in a reason
LISTING = 0.5  # of a listing's u that counts for its relevance; .7 is nearly as good (measured on eight of these tasks)

_Row = tuple[HashedWords, Ints, Ints]  # text, links and parents of one page: a row of `TrainingRows`


@dataclass(slots=True)
class _Sight:
    """All pages as judged at one moment, by number: the model's `u`, what self-training adds, what marks add (`shift`).

    `words`, `links`: see `Taught.parts`; `words` is nan for a page without a self-trained part. The arrays have room
    for more pages. Without a `correction`, `shift` is all 0.
    """

    known: Statistics
    taught: Taught | None
    correction: Correction | None
    u: Floats
    words: Floats
    links: Floats
    shift: Floats

    def make_room(self) -> None:
        """Double the arrays."""
        self.u, self.words, self.links, self.shift = map(with_room, (self.u, self.words, self.links, self.shift))


class MixtureJudge(Judge):
    """The judge of the module's text. `languages`: those of the ontology's words; `trains`: whether it trains itself;
    `listings`: whether listings are results like other pages.
    """

    reads_frames = True
    takes_marks = True

    def __init__(  # noqa: PLR0913 - topic, words and three choices
        self,
        topic: Topic,
        table: WordTable,
        languages: frozenset[str] = frozenset(),
        threshold: float = 0.5,
        *,
        trains: bool = False,
        listings: bool = False,
    ) -> None:
        self._model = RelevanceModel(topic, table)
        self._table = table
        self._languages = languages
        self._threshold = threshold
        self._pages = CountedPages()
        self._name_pages(())
        self._arrivals = array("l")  # numbers of the last pages in order of arrival; one read again is added again
        self._arrived = 0  # number of all arrivals
        self._trains = trains
        self._links: PageSurroundings | None = None
        self._lessons = Lessons(always=trains)
        self._now = _Sight(self._model.usual(), None, None, *(np.zeros(1024) for _ in range(4)))
        self._reported = np.zeros(1024)  # relevance last reported, by page; nan: unknown, inf: the page has none
        self._is_left_out = np.zeros(1024, np.int8)  # by page
        self._is_listing = np.zeros(1024, np.int8)  # by page
        self._leads = np.zeros(1024, np.int8)  # by page: whether all of u was last said to reach the threshold
        self._listings = listings
        self._pending: dict[int, None] = {}  # pages whose changed relevance is to be reported
        self._turn = 0  # first of the older pages that are judged again next
        self._trained = 0  # number of pages at the last self-training
        self._clearest: dict[int, _Row] = {}  # of pages before the last `LEARNED`, by number
        self.looked_back = 0  # number of pages when the statistics were last recomputed

    def use_links(self, links: PageSurroundings) -> None:
        """Set the source of links to pages. Without it self-training uses texts alone."""
        self._links = links

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """Judge one page, for a strategy that reads pages instead of frames."""
        frame = bare_frame(page, counts, self._table, self._languages, hashes=self._lessons.keeps)
        return self.judge_frames([frame])[0]

    def judge_frames(self, frames: Sequence[Frame], growth: float = GROWTH) -> list[Relevance]:
        """Judge new pages by the current statistics, and add them to the pages of the crawl.

        `growth`: by which share the crawl must grow before statistics are recomputed (`is_due`).
        """
        now, before = self._now, self._arrived
        numbers = [self._place(frame) for frame in frames]
        u = self._model.judge(columns_of([frame.counted for frame in frames]), now.known).tolist()
        for number, value in zip(numbers, u, strict=True):
            now.u[number] = value
        for first, last in _runs(numbers):
            self._apply(now, first, last)
            self._shift(now, first, last)
        self._arrivals.extend(numbers)
        self._arrived += len(numbers)
        del self._arrivals[: -RECENT - len(numbers)]
        due = [pages for pages in range(before + 1, self._arrived + 1) if is_due(pages, self.looked_back, growth)]
        if due:
            self._look_back(due[-1])
        found = [relevance for _, relevance in self._relevances(numbers, now)]
        for number, frame, relevance in zip(numbers, frames, found, strict=True):
            if frame.error:
                self._is_left_out[number] = True
            if frame.noindex or frame.source:
                self._report_no_more(number)
            else:
                self._reported[number] = relevance.score
                self._leads[number] = relevance.for_links >= self._threshold
        return found

    def weigh(self, frames: Sequence[Frame]) -> list[Relevance]:
        """The relevance of pages that are not part of the crawl, by all that is known now. Nothing is learned from
        them.
        """
        final = self._settled()  # this judges all pages of the crawl
        return [self._weighed(frame, final) for frame in frames]

    def _weighed(self, frame: Frame, final: _Sight) -> Relevance:
        columns = columns_of([frame.counted])
        (shares,) = self._model.shares(columns, final.known)
        by_meaning = self._model.by_meaning(columns, final.known)
        extent, links = by_meaning + sum(shares.values()), np.zeros(1)
        if final.taught:
            g = own_text_share(columns.anchors, columns.length)
            own, links = (part * g for part in final.taught.parts(self._rows_of([frame.hashed.text], [frame.url])))
            extent = final.taught.mixed(extent, g, own, links)
        likes = self._lessons.likes(final.correction, frame.hashed, frame.url) if final.correction else []
        back = final.correction.given_back if final.correction else 0.0
        shift = sum(like.share for like in likes) + back, likes
        parts = float(extent[0]), float(links[0]), self._counting(is_listing=frame.kind == LISTED)
        reasons = self._by_features(frame.counted, shares, float(by_meaning[0]))
        return self._add_up(frame.url, reasons, parts, shift, final)

    def _place(self, frame: Frame) -> int:
        """Store a page's counts under its number, a new number for a new page."""
        number = self._number_of(frame.url)
        if number is not None:
            self._pages.replace(number, frame.counted)
            self._lessons.read_again(number, frame.hashed)
            self._is_left_out[number] = False
            self._is_listing[number] = frame.kind == LISTED
            return number
        number = len(self._urls)
        self._pages.add(frame.counted)
        self._urls.append(frame.url)
        self._numbers.add(_key(frame.url), number)
        self._lessons.read(frame.url, frame.hashed)
        if number == len(self._reported):
            self._now.make_room()
            self._reported, self._is_left_out = with_room(self._reported), with_room(self._is_left_out)
            self._is_listing, self._leads = with_room(self._is_listing), with_room(self._leads)
        self._now.words[number], self._reported[number] = np.nan, np.inf
        self._is_listing[number] = frame.kind == LISTED
        return number

    def _name_pages(self, urls: Iterable[str]) -> None:
        """Store the addresses of the pages. `_numbers`: number by a hash of 64 bits; two of 10 million addresses have
        the same one once in 300,000 crawls.
        """
        self._urls, self._numbers = PackedTexts(RECENT), FirstOf()
        for number, url in enumerate(urls):
            self._urls.append(url)
            self._numbers.add(_key(url), number)

    def _number_of(self, url: str) -> int | None:
        return self._numbers.get(_key(url))

    def recent(self, count: int) -> Floats:
        """The worth of the last `count` pages as the link learner's target: u by the model, plus what marks add.

        Self-training is left out: it has already learned from links, and an order taught by it was .01 worse in the
        mean of 15 tasks. Where pages are compared by meaning, which is less exact, it counts: the order of four tasks
        was .14 better with it. What is left out is worth 0, because links similar to those to copies lead to nothing
        new, and those to pages that are gone to no result. A hub is worth the threshold at least.
        """
        numbers = np.array(self._arrivals[len(self._arrivals) - count :], np.int64)
        first, last = int(numbers.min()) if count else 0, len(self._urls)
        u = self._now.u[first:last]
        if self._now.known.meaning:
            u = self._extents(self._now, slice(first, last))
        if self._lessons.marks:
            moved = np.clip(relevance_of(u) + self._now.shift[first:last], 0.0, 1.0)
            u = extent_of(self._with_marks(moved, first, last, for_links=True))
        u = np.where(self._is_left_out[first:last], 0.0, u)
        return np.asarray(u[numbers - first])

    def leave_out(self, url: str) -> None:
        """Treat a page as no result: its relevance is no longer reported, and it counts as worth 0 for learning from
        links.
        """
        number = self._number_of(url)
        if number is not None:
            self._is_left_out[number] = True
            self._report_no_more(number)

    def _report_no_more(self, number: int) -> None:
        self._reported[number] = np.inf
        self._pending.pop(number, None)

    def news(self, most: int) -> Iterator[tuple[str, Relevance]]:
        """At most `most` pages whose relevance has changed since it was reported, with the new relevance."""
        numbers = list(islice(self._pending, most))
        for number in numbers:
            del self._pending[number]
        yield from self._report(numbers, self._now)

    def settle(self) -> Iterator[tuple[str, Relevance]]:
        """Every page whose relevance by the current statistics differs from the one last reported. The judge's state
        stays.
        """
        self._pending.clear()
        n, final = len(self._urls), self._settled()
        for first in range(0, n, RECENT):
            last = min(first + RECENT, n)
            reported = self._reported[first:last]
            moved = ~(np.abs(self._scores(final, first, last) - reported) <= SAME)
            moved |= self._leading(final, first, last) != self._leads[first:last]
            moved[np.isinf(reported)] = False
            yield from self._report((np.flatnonzero(moved) + first).tolist(), final)

    def _settled(self) -> _Sight:
        """All pages judged by the current statistics."""
        n, now = len(self._urls), self._now
        words, links, shift = (column[:n].copy() for column in (now.words, now.links, now.shift))
        final = _Sight(self._statistics(), None, None, np.zeros(n), words, links, shift)
        self._judge_pages(final, 0, n)
        self._train(final, 0)
        self._learn_marks(final, 0)
        return final

    @property
    def likely(self) -> tuple[float, int] | None:
        """The relevance, to the hundredth, from which on a page is more likely good than bad by the marks; and how many
        pages reach it, by the relevance last reported. None: too few marks.
        """
        correction = self._now.correction
        if correction is None or correction.likely_from is None:
            return None
        border = round(correction.likely_from, 2)
        return border, int((self._known_scores() >= border).sum())

    def threshold_for(self, pages: int) -> float:
        """The highest threshold, to the hundredth, that so many pages reach, by the relevance last reported."""
        scores = np.sort(self._known_scores())[::-1]
        return int(scores[pages - 1] * 100) / 100 if 0 < pages <= len(scores) else 0.0

    def _known_scores(self) -> Floats:
        """The relevance last reported of all pages that may be results."""
        reported = self._reported[: len(self._urls)]
        return reported[np.isfinite(reported)]

    @property
    def marks(self) -> Mapping[str, Mark]:
        """The expert's marks, by the identity of the address."""
        return self._lessons.marks

    def teach(self, marks: Mapping[str, Mark]) -> bool:
        """Replace the expert's marks. Whether earlier pages must be read again (`read_again`, then `look_back`)."""
        self._lessons.teach(marks, self._urls)
        return self._lessons.lacks_words(len(self._urls))

    def read_again(self, frames: Iterator[Frame]) -> None:
        """Store the words of pages judged earlier, so that they can be compared with marked ones."""
        self._lessons.make_room(len(self._urls))
        for frame in frames:
            number = self._number_of(frame.url)
            if number is not None:
                self._lessons.read_again(number, frame.hashed)

    def follow(self, url: str, successor: str) -> None:
        """Give the mark of a redirected address to its successor."""
        self._lessons.follow(url, successor, self._number_of(successor))

    def look_back(self) -> None:
        """Judge all pages again after marks have changed. Marks affect only pages whose words are stored."""
        self._look_back(self._arrived, everything=True)

    def _look_back(self, due: int, *, everything: bool = False) -> None:
        """Recompute the statistics; judge the recent pages by them, and some of the older ones, or all (`everything`).

        `due`: the number of pages at which this was due; as pages come together, there may be more by now.
        """
        n = len(self._urls)
        recent = max(0, n - RECENT)
        start = self._turn if self._turn < recent and not everything else 0
        end = recent if everything else min(start + RECENT, recent)
        self._turn = end if end < recent else 0
        self._now.known, self.looked_back = self._statistics(), self._arrived
        self._judge_pages(self._now, start, end)
        self._judge_pages(self._now, recent, n)
        if due - self._trained >= RETRAINED * min(due, RECENT):
            self._train(self._now, recent)
            self._trained = due
        self._learn_marks(self._now, 0 if everything else recent)
        self._note_moved(recent, n)
        self._note_moved(start, end)

    def _statistics(self) -> Statistics:
        return self._model.statistics(self._pages.columns(max(0, len(self._pages) - RECENT)))

    def _judge_pages(self, sight: _Sight, first: int, last: int) -> None:
        """Judge pages `first` to `last` by the model, in portions."""
        for start in range(first, last, RECENT):
            end = min(start + RECENT, last)
            sight.u[start:end] = self._model.judge(self._pages.columns(start, end), sight.known)

    def _train(self, sight: _Sight, again: int) -> None:
        """Train on recent and clear pages, then judge pages from `again` on whose words are stored."""
        if not self._trains or not self._urls:
            return
        n = len(self._urls)
        first, rows = self._rows(n - LEARNED, n)
        if not rows.texts:
            return
        clearest = self._clearest_before(sight, first)
        if sight is self._now:
            self._clearest = clearest
        numbers = np.array([*clearest, *range(first, n)])
        if clearest:
            texts, links, parents = zip(*clearest.values(), strict=True)
            rows = together(TrainingRows(texts, np.array(links), np.array(parents)), rows)
        sight.taught, parts = self_train(sight.u[numbers], self._own_text_share(numbers), rows)
        if again < first:
            self._apply(sight, again, first)
        self._keep_parts(sight, first, [part[len(clearest) :] for part in parts])

    def _clearest_before(self, sight: _Sight, last: int) -> dict[int, _Row]:
        """The pages before `last` with the highest u, by number. New ones are added while their words are still
        stored.
        """
        first, words = self._lessons.kept(0, last)
        fresh = [number for number in range(first, last) if number not in self._clearest]
        order = sorted([*self._clearest, *fresh], key=lambda number: (-sight.u[number], number))[:CLEAREST]
        chosen = [number for number in order if number not in self._clearest]
        rows = self._rows_of(
            [words[number - first].text for number in chosen], [self._urls[number] for number in chosen]
        )
        found = self._clearest | dict(zip(chosen, zip(*rows, strict=True), strict=True))
        return {number: found[number] for number in sorted(order)}

    def _apply(self, sight: _Sight, first: int, last: int) -> None:
        """Apply the trained regression to pages `first` to `last`."""
        if sight.taught:
            first, rows = self._rows(first, last)
            self._keep_parts(sight, first, sight.taught.parts(rows))

    def _keep_parts(self, sight: _Sight, first: int, parts: Sequence[Floats]) -> None:
        """Store the self-trained parts of pages from `first` on."""
        last = first + len(parts[0])
        g = self._own_text_share(slice(first, last))
        for column, part in zip((sight.words, sight.links), parts, strict=True):
            column[first:last] = part * g

    def _rows(self, first: int, last: int) -> tuple[int, TrainingRows]:
        """Input of self-training for those of pages `first` to `last` whose words are stored, and the number of the
        first.
        """
        first, words = self._lessons.kept(max(first, 0), last)
        return first, self._rows_of([one.text for one in words], self._urls[first:last])

    def _rows_of(self, texts: Sequence[HashedWords], urls: Sequence[str]) -> TrainingRows:
        if self._links is None:
            nothing = np.zeros((len(urls), 1), np.int32)
            return TrainingRows(texts, nothing, nothing)
        return TrainingRows(texts, *self._links.surroundings(urls))

    def _own_text_share(self, which: slice | Numbers) -> Floats:
        length, anchors = self._pages.lengths(which)
        return own_text_share(anchors, length)

    def _extents(self, sight: _Sight, which: slice | Numbers) -> Floats:
        """u of pages, with self-training."""
        u, words, links = sight.u[which], sight.words[which], sight.links[which]
        if sight.taught is None:
            return u
        return np.where(np.isnan(words), u, sight.taught.mixed(u, self._own_text_share(which), words, links))

    def _counting(self, *, is_listing: bool) -> float:
        """The part of u that counts for a page itself."""
        return LISTING if is_listing and not self._listings else 1.0

    def _counted_extents(self, sight: _Sight, first: int, last: int) -> Floats:
        """What counts of u for pages `first` to `last` themselves."""
        listed = self._counting(is_listing=True)
        return self._extents(sight, slice(first, last)) * np.where(self._is_listing[first:last], listed, 1.0)

    def _learn_marks(self, sight: _Sight, first: int) -> None:
        """Learn from the marks and apply the result to pages from `first` on. If nothing is learned, all shifts are
        removed.
        """
        n, marked = len(self._urls), list(self._lessons.verdicts)
        scores = relevance_of(self._extents(sight, np.array(marked, np.int64))).tolist()
        found = dict(zip(marked, scores, strict=True))
        sight.correction = self._lessons.learn(self._urls, found, n) if self._lessons.marks else None
        if sight.correction:
            first, shifts = self._lessons.shifts(sight.correction, self._urls, first, n)
            back = self._given_back(sight, first, shifts)
            sight.correction = replace(sight.correction, given_back=back)
            sight.shift[first:n] = shifts + back
        elif sight.shift.any():
            sight.shift[:n] = 0.0

    def _given_back(self, sight: _Sight, first: int, shifts: Floats) -> float:
        """See `given_back`. `shifts`: of pages from `first` on. Pages that are no results do not count."""
        last, verdicts = first + len(shifts), self._lessons.verdicts
        counts = ~np.isinf(self._reported[first:last])
        counts[[number - first for number in verdicts if first <= number < last]] = False
        scores = relevance_of(self._counted_extents(sight, first, last))
        good = sum(mark == "good" for mark in verdicts.values())
        back = given_back(scores[counts], shifts[counts], good, self._threshold)
        return back + SAME if back else 0.0

    def _shift(self, sight: _Sight, first: int, last: int) -> None:
        if sight.correction:
            first, shifts = self._lessons.shifts(sight.correction, self._urls, first, last)
            sight.shift[first:last] = shifts

    def _scores(self, sight: _Sight, first: int, last: int) -> Floats:
        """Relevance of pages, with marks."""
        moved = relevance_of(self._counted_extents(sight, first, last)) + sight.shift[first:last]
        return self._with_marks(np.clip(moved, 0.0, 1.0), first, last)

    def _leading(self, sight: _Sight, first: int, last: int) -> NDArray[np.bool_]:
        """Whether what counts of pages for their links reaches the threshold."""
        whole = relevance_of(self._extents(sight, slice(first, last))) + sight.shift[first:last]
        whole = self._with_marks(np.clip(whole, 0.0, 1.0), first, last, for_links=True)
        return np.asarray(whole >= self._threshold)

    def _with_marks(self, scores: Floats, first: int, last: int, *, for_links: bool = False) -> Floats:
        """Set the scores of marked pages. `scores`: of pages `first` to `last`, or what they count for their links."""
        for number, mark in self._lessons.verdicts.items():
            if first <= number < last:
                scores[number - first] = self._by_mark(mark, scores[number - first], for_links=for_links)
        return scores

    def _by_mark(self, mark: Mark, score: float, *, for_links: bool = False) -> float:
        """The score of a marked page, or what it counts for its links. `score`: the same without the mark."""
        if mark == "hub" and for_links:
            return max(score, self._threshold)
        return float(mark == "good")

    def _note_moved(self, first: int, last: int) -> None:
        now, reported = self._scores(self._now, first, last), self._reported[first:last]
        moved = ~(np.abs(now - reported) <= MOVED) | ((now >= self._threshold) != (reported >= self._threshold))
        moved |= self._leading(self._now, first, last) != self._leads[first:last]
        moved[np.isinf(reported)] = False
        self._pending |= dict.fromkeys((np.flatnonzero(moved) + first).tolist())

    def _report(self, numbers: Sequence[int], sight: _Sight) -> Iterator[tuple[str, Relevance]]:
        for number, (url, found) in zip(numbers, self._relevances(numbers, sight), strict=True):
            self._reported[number] = found.score
            self._leads[number] = found.for_links >= self._threshold
            yield url, found

    def _relevances(self, numbers: Sequence[int], sight: _Sight) -> Iterator[tuple[str, Relevance]]:
        if not numbers:
            return
        pages = [self._pages.page(number) for number in numbers]
        extents = self._extents(sight, np.array(numbers, np.int64)).tolist()
        columns = columns_of(pages)
        every_share = self._model.shares(columns, sight.known)
        meant = self._model.by_meaning(columns, sight.known).tolist()
        for number, page, shares, by_meaning, extent in zip(numbers, pages, every_share, meant, extents, strict=True):
            url = self._urls[number]
            likes = self._lessons.likes_of(sight.correction, url, number) if sight.correction else []
            counting = self._counting(is_listing=bool(self._is_listing[number]))
            parts = extent, float(sight.links[number]), counting
            shift = float(sight.shift[number]), likes
            yield url, self._add_up(url, self._by_features(page, shares, by_meaning), parts, shift, sight)

    def _add_up(
        self,
        url: str,
        reasons: list[Reason],
        extent: tuple[float, float, float],
        shift: tuple[float, Sequence[Like]],
        sight: _Sight,
    ) -> Relevance:
        """Build a page's relevance with reasons for the features, self-training and marks, which add up to the score.

        `extent`: u, the part of it from links to the page, and the part of it that counts for the page itself; `shift`:
        what marks add, and the marked pages it comes from.
        """
        before = sum(reason.share or 0.0 for reason in reasons)
        whole = relevance_of(extent[0])
        links = extent[1] * whole / extent[0] if sight.taught and extent[0] else 0.0
        if abs(whole - before - links) > SAME:
            reasons.append(Reason("own words", whole - before - links))
        if links:
            reasons.append(Reason("links to it", links))
        model = relevance_of(extent[2] * extent[0])
        if model != whole:
            reasons.append(Reason("listing", model - whole))
        score, full = (min(max(part + shift[0], 0.0), 1.0) for part in (model, whole))
        mark = self._lessons.mark_of(url)
        if mark is not None:
            score, full = (self._by_mark(mark, full, for_links=for_links) for for_links in (False, True))
            reasons.append(Reason(f"marked {mark}", score - model))
        elif score != model:
            reasons.append(Reason("like marked pages", score - model, _likest(shift[1])))
        leads = full != score and full >= self._threshold
        return Relevance(score, score >= self._threshold, tuple(reasons), None if full == score else full, leads)

    def _by_features(self, page: CountedWords, shares: Mapping[str, float], by_meaning: float) -> list[Reason]:
        """The reasons for the model's part: what each feature adds, what all words of names add together, and what the
        page's meaning adds.
        """
        u = sum(shares.values()) + by_meaning
        by_names = sorted((name for name in shares if name.startswith(PREFIX)), key=lambda name: -shares[name])
        rows = [
            Reason("concept", share, self._found(feature, page), feature, (("name", self._caption(feature, page)),))
            for feature, share in shares.items()
            if feature not in by_names
        ]
        if by_names:
            found = tuple(word for name in by_names[:SHOWN] for word in self._found(name, page))
            rows.append(Reason("words of names", sum(shares[name] for name in by_names), found))
        if by_meaning:
            feature = self._model.features[page.closeness.feature]
            closeness = page.closeness.c / self._model.weight_of(page.closeness.feature)
            name = self._caption(feature, page)
            rows.append(because("close in meaning", share=by_meaning, concept=feature, name=name, cosine=closeness))
        ranked = sorted(((reason.share or 0.0, reason) for reason in rows), key=lambda row: -row[0])
        return [reason._replace(share=share / (u + HALF)) for share, reason in ranked]

    def _caption(self, feature: str, page: CountedWords) -> str:
        return self._table.caption(feature, page.language)

    def _found(self, feature: str, page: CountedWords) -> tuple[str, ...]:
        """The words found for a feature, heaviest first, each with its occurrences weighted by position."""
        own = [(tf, word) for word, tf, _ in page.words if self._table.feature[word] == feature]
        return tuple(f"{self._table.texts[word]} ×{tf:g}" for tf, word in sorted(own, reverse=True)[:SHOWN])

    def remember(self) -> dict[str, Any]:
        """All pages as counted, the current statistics, and the marks."""
        n, now = len(self._urls), self._now
        columns = (now.u, now.words, now.links, *([now.shift] if now.correction else []))
        return {
            "texts": list(self._table.texts),
            "arrivals": np.asarray(self._arrivals, np.int32),
            "urls": lines_of(self._urls),
            "pages": self._pages.remember(),
            "known": self._now.known,
            "columns": [column[:n] for column in columns],
            "clearest": [
                list(self._clearest),
                pack_words([HashedPage(block, NO_WORDS) for block, _, _ in self._clearest.values()]),
                *(np.array([row[part] for row in self._clearest.values()], np.int32) for part in (1, 2)),
            ],
            "correction": self._now.correction.remember() if self._now.correction else None,
            "taught": self._now.taught.remember() if self._now.taught else None,
            "copies": self._is_left_out[:n],
            "listings": self._is_listing[:n],
            "without": np.isinf(self._reported[:n]),
            "lessons": self._lessons.remember,
            "counts": [self.looked_back, self._turn, self._trained, self._arrived],
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave. Words are matched by their text, so the ontology may have been edited."""
        index = {text: word for word, text in enumerate(self._table.texts)}
        self._pages = CountedPages.restored(memory["pages"], [index.get(text) for text in memory["texts"]])
        self._name_pages(read_lines(memory["urls"]))
        self._arrivals = array("l", copied(memory["arrivals"]).tolist())
        self._reported = with_room(np.where(copied(memory["without"]), np.inf, np.nan))
        self._is_left_out = with_room(copied(memory["copies"]))
        self._is_listing = with_room(copied(memory["listings"]))
        self._leads = np.zeros_like(self._is_listing)
        self._pending = {}
        self.looked_back, self._turn, self._trained, self._arrived = memory["counts"]
        same = memory["texts"] == list(self._table.texts)
        known = converted(memory["known"], Statistics) if same else self._statistics()
        numbers, words, *rows = memory["clearest"]
        texts = [page.text for page in unpack_words(words)]
        self._clearest = dict(zip(numbers, zip(texts, *map(copied, rows), strict=True), strict=True))
        taught = Taught.restored(memory["taught"]) if memory["taught"] and self._trains else None
        correction = Correction.restored(memory["correction"]) if memory["correction"] else None
        u, words, links, *shift = map(copied, memory["columns"])  # without `shift` where nothing was learned
        self._now = _Sight(known, taught, correction, u, words, links, shift[0] if correction else np.zeros(len(u)))
        self._now.make_room()
        self._lessons.restore(memory["lessons"])


def _key(url: str) -> int:
    return hash(url) % 2**64


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Group numbers into runs of consecutive ones: (first, last + 1) of each run."""
    first = 0
    for i in range(1, len(numbers) + 1):
        if i == len(numbers) or numbers[i] != numbers[i - 1] + 1:
            yield numbers[first], numbers[i - 1] + 1
            first = i


def _likest(likes: Sequence[Like]) -> tuple[Reason, ...]:
    kinds = {True: "good page", False: "bad page"}
    return tuple(because(kinds[like.good], page=like.url, shift=float(like.share)) for like in likes[:LIKEST])
