"""The relevance model of the default judge: how much of a page the topic's concepts fill, on one scale for a crawl.

With tf_k and tf_c the occurrences of word k and of feature c outside anchors, weighted by position, w the feature's
weight, L the length of the text outside anchors in characters, L' its mean over the judged pages, n their number, a =
n/(n + 200):

    idf_k = a log(1 + (1-df_k)/(df_k + 2/n)) + 3 r (1-a)      idf_c = a max(0, log(1/(df_c + .001))) + 2 r (1-a)
    bm = sum_k w idf_k tf_k / (tf_k + 1.2(.5 + .5 L/L'))      sq = sum_c w idf_c sqrt(tf_c) / sqrt(L + 300)
    ti = sum_{k in title, h1} w idf_k                         de = sum_c w idf_c log(1 + tf_c) / (1 + log(1 + L/500))
    di = log(1 + distinct words and features)
    x = z(bm) + z(sq) + z(ti)/2 + z(de)/2 + z(di)/2           z: divided by its scale
    x is reduced, by up to one half, if one word makes up most of bm (a repeated word is weak evidence), and halved if
    the page is in a language of which the ontology has no word.
    u = x / scale(x),  relevance = u / (u + 1/2)

A page in a language of which the ontology has few words is also compared with its features by meaning
(`semantic.languages.page_meaning`), which gives c and b. If most pages of the crawl are such pages,

    p = 1/2 + (c - border)/(high - border)/2, from 0 to 1.3;  u := (1 - b) u + b p

high: the 97.5th percentile of c; border: the value that divides c best into two groups (Otsu 1979). It works
whatever share of the pages is near. b is 1 while the words find nothing on any page.

r is 1, and `COMMON` for words of names (`semantic.terms.name_words`), until the crawl tells how rare they are.

A scale is the 95th percentile of the positive values, averaged with a usual one that counts as 100 values. So a
relevance lies between 0 and 1, and is 1/2 if a page has half of what the best twentieth of the crawl's pages have.

Statistics (df, L', scales) are those of the last `RECENT` pages. They are recomputed at 25, 50, 75, 100, 200, ... pages
(`is_due`) and at the end of a crawl, and apply to all pages, whenever they were read: a relevance means the same
throughout a crawl.

Why not the cosine of paper O: it ignores how much of the page the topic fills, so one lone mention can score 1. idf
comes from the crawl itself, so a word that stands on every page of a site counts little.

For each page the model stores which topic words it has, how often and where, in columns of numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ontology.topic import Topic
from semantic.memory.arrays import distinct, with_room
from semantic.memory.compression import compress, decompress
from semantic.memory.strategy_memory import raw, view_of
from semantic.terms.name_words import PREFIX
from semantic.terms.term_matching import WordTable
from semantic.terms.topic_counts import NOT_COMPARED, Closeness, CountedWords, features_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Number = TypeVar("Number", float, Floats)


class MeaningScale(NamedTuple):
    """c at which p is 1/2, and 1. `alone`: the words find nothing on any page."""

    border: float
    high: float
    alone: bool = False


# Typical 95th percentiles on webs that contain a topic; they matter for the first pages only.
USUAL_SCALES = {"bm": 10.0, "sq": 0.5, "ti": 5.0, "de": 4.0, "di": 2.5, "x": 3.0}
USUAL_LENGTH = 3000.0  # characters, mean over the same webs
# weights of z(...) in x, as in the measured prototype (../shared/research/orders.md)
VIEW_WEIGHT = {"bm": 1.0, "sq": 1.0, "ti": 0.5, "de": 0.5, "di": 0.5}
USUAL_MEANING = MeaningScale(0.3, 0.45)  # of a crawl of fewer than 25 pages: languages.md, 6
CLOSEST = 1.3  # largest p: ibid.
SAME_MEANING = 0.01  # pages whose c differs by less are not told apart; chosen, not measured
FOREIGN = 0.5  # factor for a page in a language of which the ontology has no word
TRUST = 200  # pages after which half of an idf comes from the crawl
# share of the usual idf: about 1, as of a word on a third of the pages; by an idf of 3 or of 0 crawls from few names
# found less in the mean of eight tasks
COMMON = 1 / 3
STRENGTH = 100  # values that a usual scale counts for; both steady the first hundreds of pages
HALF = 0.5  # u of a page with relevance 1/2
RECENT = 10_000  # pages that statistics are computed from; chosen, not measured
# pages after which statistics are recomputed, as in the measured prototype (../shared/research/orders.md),
FIRST_FITS = (25, 50, 75)
FIT_EVERY = 100  # then after each so many pages,
GROWTH = 0.02  # or when the crawl has grown by this share, if that is later; chosen, not measured
REPEATED = 0.5  # the same when all pages are learned from again, since intermediate results are not used then


class Columns(NamedTuple):
    """Many pages as columns: `page`, `word`, `tf`, `titled` have a row for each page and word, the others one for each
    page. Rows are in the order of pages. `language`: its number in the list of `CountedPages`. `c`, `share`, `closest`:
    see `Closeness`.
    """

    page: NDArray[Any]
    word: NDArray[Any]
    tf: NDArray[Any]
    titled: NDArray[Any]
    length: NDArray[Any]
    anchors: NDArray[Any]
    foreign: NDArray[Any]
    language: NDArray[Any]
    c: NDArray[Any]
    share: NDArray[Any]
    closest: NDArray[Any]

    def part(self, first: int, last: int) -> "Columns":
        """Pages `first` to `last` (exclusive), numbered from 0."""
        rows = slice(*self.page.searchsorted([first, last]))
        columns = [column[rows if i < _BY_WORD else slice(first, last)] for i, column in enumerate(self)]
        return Columns(columns[0] - first, *columns[1:])


_BY_WORD = 4  # columns with a row for each page and word
_KINDS = tuple(  # of stored columns
    map(np.dtype, ("<i4", "<i4", "<f8", "?", "<i4", "<i4", "?", "<i4", "<f8", "<f8", "<i4"))
)
TOGETHER = 1024  # pages packed as one piece; chosen, not measured


class CountedPages:
    """All pages judged so far. The last `RECENT` take 17 bytes for each distinct topic word, and 33; those before are
    packed in pieces, and take about 2 bytes for each word, and 4.
    """

    def __init__(self) -> None:
        self._packed: list[bytes] = []  # pieces of `TOGETHER` pages
        self._open = -1, columns_of(())  # the piece that was read last
        self._recent = Columns(*(np.zeros(1024, kind) for kind in _KINDS))  # the pages after these, with room for more
        self._pages = self._rows = 0  # of `_recent`
        self._languages: dict[str | None, int] = {None: 0}

    def __len__(self) -> int:
        return self._first + self._pages

    @property
    def _first(self) -> int:
        """The number of the first page that is not packed."""
        return len(self._packed) * TOGETHER

    def add(self, page: CountedWords) -> None:
        """Append a page."""
        self._extend(self._columns_of(page))

    def _columns_of(self, page: CountedWords) -> Columns:
        language = self._languages.setdefault(page.language, len(self._languages))
        return columns_of([page])._replace(language=np.array([language]))

    def _extend(self, more: Columns) -> None:
        """Append pages, and pack the first ones if there are too many recent ones."""
        columns: list[Any] = list(self._recent)
        for i, new in enumerate(more):
            start = self._rows if i < _BY_WORD else self._pages
            while start + len(new) > len(columns[i]):
                columns[i] = with_room(columns[i])
            columns[i][start : start + len(new)] = new if i else new + self._pages
        self._recent = Columns(*columns)
        self._rows, self._pages = self._rows + len(more.page), self._pages + len(more.length)
        if self._pages >= RECENT + TOGETHER:
            recent = self._recent_pages()
            self._packed.append(_packed(recent.part(0, TOGETHER)))
            self._start_with(recent.part(TOGETHER, self._pages))

    def _start_with(self, pages: Columns) -> None:
        """Make these the pages that are not packed."""
        self._rows = self._pages = 0
        self._extend(pages)

    def replace(self, number: int, page: CountedWords) -> None:
        """Replace the counts of a page."""
        before, place = self._around(number)
        parts = before.part(0, place), self._columns_of(page), before.part(place + 1, len(before.length))
        if number < self._first:
            self._packed[number // TOGETHER] = _packed(_joined(parts))
            self._open = -1, before
        else:
            self._start_with(_joined(parts))

    def page(self, number: int) -> CountedWords:
        """One page, by its number from 0."""
        pages, place = self._around(number)
        rows = slice(*pages.page.searchsorted([place, place + 1]))
        words = zip(pages.word[rows].tolist(), pages.tf[rows].tolist(), pages.titled[rows].tolist(), strict=True)
        language = next(islice(self._languages, int(pages.language[place]), None))
        length, anchors = int(pages.length[place]), int(pages.anchors[place])
        share = float(pages.share[place])
        closeness = Closeness(float(pages.c[place]), share, int(pages.closest[place])) if share else NOT_COMPARED
        return CountedWords(tuple(words), length, bool(pages.foreign[place]), language, anchors, closeness)

    def _around(self, number: int) -> tuple[Columns, int]:
        """The piece, or the recent pages, in which a page is, and its number there."""
        if number >= self._first:
            return self._recent_pages(), number - self._first
        return self._piece(number // TOGETHER), number % TOGETHER

    def lengths(self, which: slice | Ints) -> tuple[Floats, Floats]:
        """Characters outside and inside of anchors, of pages by their numbers."""
        if isinstance(which, slice):
            columns = self.columns(which.start, which.stop)
            return columns.length, columns.anchors
        lengths = np.zeros((2, len(which)))
        recent = which >= self._first
        for found, column in zip(lengths, (self._recent.length, self._recent.anchors), strict=True):
            found[recent] = column[which[recent] - self._first]
        for at in np.flatnonzero(~recent).tolist():
            page = self.page(int(which[at]))
            lengths[:, at] = page.length, page.anchors
        return lengths[0], lengths[1]

    def columns(self, first: int = 0, last: int | None = None) -> Columns:
        """Pages `first` to `last` (exclusive; None: the end) as columns, numbered from 0."""
        last = len(self) if last is None else last
        pieces = range(first // TOGETHER, min(-(-last // TOGETHER), len(self._packed)))
        parts = [
            self._piece(piece).part(max(first - piece * TOGETHER, 0), min(last - piece * TOGETHER, TOGETHER))
            for piece in pieces
        ]
        parts.append(self._recent_pages().part(max(first - self._first, 0), max(last - self._first, 0)))
        found = _joined(parts)
        return found._replace(
            page=found.page.astype(int),
            word=found.word.astype(int),
            length=found.length.astype(float),
            anchors=found.anchors.astype(float),
        )

    def _piece(self, number: int) -> Columns:
        if self._open[0] != number:
            self._open = number, _unpacked(self._packed[number])
        return self._open[1]

    def _recent_pages(self) -> Columns:
        """The pages that are not packed, without the room for more."""
        return Columns(
            *(column[: self._rows if i < _BY_WORD else self._pages] for i, column in enumerate(self._recent))
        )

    def remember(self) -> dict[str, Any]:
        """All pages, for a memory."""
        return {"pieces": map(raw, (*self._packed, _packed(self._recent_pages()))), "languages": list(self._languages)}

    @classmethod
    def restored(cls, memory: Mapping[str, Any], now: Sequence[int | None]) -> Self:
        """Restore what `remember` gave. `now`: old number of a word -> its number in today's lexicon, None if it is
        gone.
        """
        pages, number = cls(), np.array([-1 if new is None else new for new in now] or [-1], np.int32)
        pages._languages = _numbered([None, *memory["languages"]])
        for columns in (_unpacked(view_of(piece).data) for piece in memory["pieces"]):
            word = number[columns.word]
            by_word = (column[word >= 0] for column in (columns.page, word, columns.tf, columns.titled))
            found = Columns(*by_word, *columns[_BY_WORD:])
            for first in range(0, len(found.length), TOGETHER):
                pages._extend(found.part(first, min(first + TOGETHER, len(found.length))))
        return pages


def _numbered(languages: Iterable[str | None]) -> dict[str | None, int]:
    """A number for each language, in order, from 0."""
    return {language: number for number, language in enumerate(dict.fromkeys(languages))}


def _joined(parts: Sequence[Columns]) -> Columns:
    """These pages one after another."""
    starts = np.cumsum([0, *(len(part.length) for part in parts[:-1])])
    moved = [part._replace(page=part.page + start) for part, start in zip(parts, starts, strict=True)]
    return Columns(*map(np.concatenate, zip(*moved, strict=True)))


def _packed(columns: Columns) -> bytes:
    """Pages as few bytes: the numbers of pages and rows, then the columns. Of each column the lowest bytes of all
    numbers come first, then the next ones, which compresses better.
    """
    raw = [np.array([len(columns.length), len(columns.page)], "<i4").tobytes()]
    for column, kind in zip(columns, _KINDS, strict=True):
        raw.append(np.ascontiguousarray(column, kind).view(np.uint8).reshape(-1, kind.itemsize).T.tobytes())
    return compress(b"".join(raw))


def _unpacked(packed: bytes | memoryview) -> Columns:
    """Restore what `_packed` made."""
    raw, columns = np.frombuffer(decompress(packed), np.uint8), []
    pages, rows = raw[:8].view("<i4").tolist()
    start = 8
    for i, kind in enumerate(_KINDS):
        size = rows if i < _BY_WORD else pages
        apart = raw[start : start + size * kind.itemsize].reshape(kind.itemsize, size)
        columns.append(np.ascontiguousarray(apart.T).view(kind).reshape(size))
        start += apart.size
    return Columns(*columns)


def columns_of(pages: Sequence[CountedWords]) -> Columns:
    """These pages as columns, without languages."""
    words = [word for page in pages for word in page.words]
    word, tf, titled = zip(*words, strict=True) if words else ((), (), ())
    return Columns(
        np.repeat(np.arange(len(pages)), [len(page.words) for page in pages]),
        np.array(word, int),
        np.array(tf, float),
        np.array(titled, bool),
        np.array([page.length for page in pages], float),
        np.array([page.anchors for page in pages], float),
        np.array([page.foreign for page in pages], bool),
        np.zeros(len(pages), int),
        np.array([page.closeness.c for page in pages], float),
        np.array([page.closeness.share for page in pages], float),
        np.array([page.closeness.feature for page in pages], int),
    )


def is_due(pages: int, before: int, growth: float = GROWTH) -> bool:
    """Whether learning is due again at `pages` pages, after `before`. `growth`: share by which the crawl must have
    grown.
    """
    begun = before // FIT_EVERY * FIT_EVERY  # round down: pages that came together may have been judged some pages late
    return pages in FIRST_FITS or (pages % FIT_EVERY == 0 and pages - begun >= growth * min(pages, RECENT))


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a crawl: idf by word and by feature, mean length, scale of each view; `meaning` None: most pages
    are not compared by meaning.
    """

    idf: Floats
    feature_idf: Floats
    length: float
    scales: Mapping[str, float]
    meaning: MeaningScale | None = None


@dataclass(frozen=True, slots=True)
class _Views:
    """The views bm, sq, ti, de and di (`parts`), with a row for each page (`owner`) and feature; and the factor of each
    page.
    """

    owner: NDArray[np.int64]
    feature: NDArray[np.int64]
    parts: Mapping[str, Floats]
    factor: Floats


class RelevanceModel:
    """The formula of the module's text, over columns of pages."""

    def __init__(self, topic: Topic, table: WordTable) -> None:
        self.features = features_of(table)
        number = {name: i for i, name in enumerate(self.features)}
        self._feature = np.array([number.get(name, 0) for name in table.feature], np.int64)
        self._count = len(self.features) or 1
        self._weight = np.array(table.weight)
        self._own_weight = np.array([topic.weights.get(name, 0.0) for name in self.features] or [0.0])
        self._rarity = np.array([COMMON if name.startswith(PREFIX) else 1.0 for name in self.features] or [1.0])

    def weight_of(self, feature: int) -> float:
        """The weight of a feature, by its number."""
        return float(self._own_weight[feature])

    def usual(self) -> Statistics:
        """The statistics assumed before the first page."""
        idf, feature_idf = 3 * self._rarity[self._feature], 2 * self._rarity
        return Statistics(idf, feature_idf, USUAL_LENGTH, dict(USUAL_SCALES))

    def statistics(self, pages: Columns) -> Statistics:
        """Compute the statistics from these pages."""
        n, meaning = len(pages.length), _meaning_scale(pages)
        if not len(pages.page):
            return replace(self.usual(), meaning=meaning)
        trust, usual = n / (n + TRUST), self.usual()
        df = np.bincount(pages.word, minlength=len(self._weight)) / n
        idf = trust * np.log1p((1 - df) / (df + 2 / n)) + (1 - trust) * usual.idf
        pairs = distinct(pages.page * self._count + self._feature[pages.word])
        df = np.bincount(pairs % self._count, minlength=self._count) / n
        feature_idf = trust * np.maximum(0.0, np.log(1 / (df + 0.001))) + (1 - trust) * usual.feature_idf
        found = Statistics(idf, feature_idf, max(1.0, float(pages.length.mean())), dict(USUAL_SCALES), meaning)
        views = self._views(pages, found)
        scales = {
            name: _scale(np.bincount(views.owner, part, n).astype(float), name) for name, part in views.parts.items()
        }
        found = replace(found, scales=scales)
        return replace(found, scales=scales | {"x": _scale(self._x(views, found, n), "x")})

    def judge(self, pages: Columns, known: Statistics) -> Floats:
        """u of each page: x on the crawl's scale, 0 for a page without words; with what its meaning adds."""
        u = np.zeros(len(pages.length))
        if len(pages.page):
            u = self._x(self._views(pages, known), known, len(u)) / known.scales["x"]
        if known.meaning is None:
            return u
        b = _share_of_meaning(pages, known)
        return (1 - b) * u + self.by_meaning(pages, known)

    def by_meaning(self, pages: Columns, known: Statistics) -> Floats:
        """What its meaning adds to u of each page: b p."""
        if known.meaning is None:
            return np.zeros(len(pages.length))
        border, high, _ = known.meaning
        p = 0.5 + (pages.c - border) / max(high - border, SAME_MEANING) / 2
        return _share_of_meaning(pages, known) * np.clip(p, 0.0, CLOSEST)

    def shares(self, pages: Columns, known: Statistics) -> list[dict[str, float]]:
        """What the words of each feature add to u, for each page."""
        found: list[dict[str, float]] = [{} for _ in pages.length]
        if len(pages.page):
            views = self._views(pages, known)
            factor = views.factor * (1 - _share_of_meaning(pages, known))
            parts = self._weighted(views, known) * factor[views.owner] / known.scales["x"]
            for page, feature, part in zip(views.owner.tolist(), views.feature.tolist(), parts.tolist(), strict=True):
                found[page][self.features[feature]] = part
        return found

    def _views(self, pages: Columns, known: Statistics) -> _Views:
        page, word, tf, length = pages.page, pages.word, pages.tf, pages.length
        n = len(length)
        value = self._weight[word] * known.idf[word]
        part = value * tf / (tf + 1.2 * (0.5 + 0.5 * length[page] / known.length))
        bm = np.bincount(page, part, n)
        heaviest = np.zeros(n)
        np.maximum.at(heaviest, page, part)
        pairs, inverse = np.unique(page * self._count + self._feature[word], return_inverse=True)
        owner, feature = pairs // self._count, pairs % self._count
        sums, own = np.bincount(inverse, tf), self._own_weight[feature] * known.feature_idf[feature]
        features = np.bincount(owner, minlength=n)
        distinct = np.log1p(np.bincount(page, minlength=n) + features) / np.maximum(features, 1)
        parts = {
            "bm": np.bincount(inverse, part),
            "sq": own * np.sqrt(sums) / np.sqrt(length[owner] + 300),
            "ti": np.bincount(inverse, value * pages.titled),
            "de": own * np.log1p(sums) / (1 + np.log1p(length[owner] / 500)),
            "di": distinct[owner],
        }
        factor = (1 - 0.5 * heaviest / np.maximum(bm, 1e-9)) * np.where(pages.foreign, FOREIGN, 1.0)
        return _Views(owner, feature, parts, factor)

    def _weighted(self, views: _Views, known: Statistics) -> Floats:
        """What each feature of each page adds to x, before the page's factor."""
        weighted: Floats = sum(
            (weight / known.scales[name] * views.parts[name] for name, weight in VIEW_WEIGHT.items()),
            start=np.zeros(len(views.owner)),
        )
        return weighted

    def _x(self, views: _Views, known: Statistics, n: int) -> Floats:
        return np.bincount(views.owner, self._weighted(views, known), n) * views.factor


def _meaning_scale(pages: Columns) -> MeaningScale | None:
    """The scale of c on these pages; None if most were not compared."""
    compared = pages.c[pages.share > 0]
    if len(compared) <= len(pages.length) / 2:
        return None
    alone = not len(pages.page)
    if len(compared) < FIRST_FITS[0]:
        return USUAL_MEANING._replace(alone=alone)
    return MeaningScale(_border(compared), float(np.percentile(compared, 97.5)), alone)


def _border(values: NDArray[Any]) -> float:
    """Where these values divide best into two groups: the variance between the groups is largest (Otsu 1979)."""
    ordered = np.sort(values.astype(float))
    sums, count = ordered.cumsum(), np.arange(1, len(ordered))
    left = len(ordered) - count
    between = count * left * (sums[:-1] / count - (sums[-1] - sums[:-1]) / left) ** 2
    place = int(between.argmax())
    return float(ordered[place : place + 2].mean())


def _share_of_meaning(pages: Columns, known: Statistics) -> Floats:
    """b of each page."""
    if known.meaning is None:
        return np.zeros(len(pages.length))
    return np.where(pages.share > 0, 1.0, 0.0) if known.meaning.alone else pages.share.astype(float)


def relevance_of(u: Number) -> Number:
    """Relevance from u: 0 to 1; 1/2 at `HALF`."""
    return u / (u + HALF)


def extent_of(relevance: Floats) -> Floats:
    """u from a relevance; infinite for 1."""
    with np.errstate(divide="ignore"):
        return HALF * relevance / (1 - relevance)


def _scale(values: Floats, name: str) -> float:
    positive = values[values > 0]
    n = len(positive)
    if not n:
        return USUAL_SCALES[name]
    return float((n * np.percentile(positive, 95) + STRENGTH * USUAL_SCALES[name]) / (n + STRENGTH))
