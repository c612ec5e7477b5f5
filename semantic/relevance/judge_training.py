"""What the judge learns while it judges: from the expert's marks, and from its own clear verdicts (self-training).

**Marks.** They say something about similar pages. Pages' words are stored for the last `KEPT` pages if there are marks,
for the last `RECENT` if the judge trains itself, and otherwise for none. What is learned from marks (`Correction`)
applies to these pages; an older page keeps what marks last added.

Hashed words tell which pages are similar (`semantic.learning.feature_hashing`).

The correction is a Gaussian process on the errors of the judge at the marked pages. With J the relevance model's
number, y = 1 for a page marked good and 0 for one marked bad, and M the marked pages:

    J' = J + s K_M (s K_MM + D + v I)^-1 (y_M - J_M)
    K  = (cosine of the texts' words + cosine of the addresses' words)/2 + LEVEL
    D  = DOUBT (J_M - 1/2)(J_M - 1/2)^T

(Rasmussen and Williams 2006, 2.25). LEVEL lets marks that all agree move every page a little. A page on a host without
marks is compared by its text alone, because what marks say about a host holds only for that host. D allows for a judge
whose numbers say less than they claim: errors that grow with J are explained by it, and not by the pages' words. It
moves no page itself.

s and v are not chosen: the correction is the mean over a small grid, in which each pair counts for how likely it makes
the marks (marginal likelihood, ibid. 2.30; Bayesian model averaging, Hoeting and others 1999). With s = 0 the marks say
nothing of other pages; before any mark that has the probability `NOTHING`. So marks without a pattern move other pages
little, and a weak pattern counts a little at once. Measured on 19 tasks with labels of content, average precision of
the pages without a mark, with 10, 20 and 40 marks: +.04, +.08, +.18; with good and bad shuffled among the marks (five
times) -.006, -.004, .000. Without D: +.05, +.09, +.21, and shuffled -.010, -.012, -.006.

Relevance is J', limited to 0..1, however many marks there are. So it stays on one scale, and a threshold keeps its
meaning. A probability that a page is good would have neither: with 2 good and 18 bad marks it leaves 24 of 167 pages on
topic, where J' leaves 106, of which 100 are good. Its verdicts are no better: with 20, 30 and 40 marks they have an F1
of .701, .767, .814, those of J' of .704, .762, .811 (30 tasks).

While fewer than `EACH_KIND` pages are marked good, marks say which pages are bad, and little about how many are good,
but J' of all pages sinks. (By 10 and 20 bad marks 63 and 7 of 202 pages were left on topic.) So with g good marks only
g fifths of the pages that would leave the list leave it: all pages get back the same amount (`given_back`), with which
the others stay. Marked pages do not count. The order of pages does not change.

With `ENOUGH` marks, `EACH_KIND` of each kind at least, marks propose a threshold, which is never applied unasked: the
J' from which on a page is more likely good than bad (`likely_from`). It is -b/a, where the probability that a page is
good is 1/(1 + exp(-(a J' + b))) (Platt 1999). a and b are the most likely for the marked pages, each with the J' that
the other marks give it (ibid. 5.12), with a normal prior around `USUAL`.

**Self-training** (Scudder 1965): learn from the relevance model's own numbers what clear pages have in common. The
model knows only the ontology's words. A ridge regression learns its number from all words of a page, from the words of
its address and of links to it, and from the pages that link to it. With u the model's number, A and L the characters of
a page inside and outside of links, n the number of pages trained on:

    g = 1 - .9 (A/(A + L + 50))^2                               a page that is nearly all links says little itself
    p = mean + T b_T + K b_K + P b_P,  fitted to min(u g, 1.3)  by ridge regression with penalty `PENALTY`
    u' = (1 - w) u g + w s p g,  w = n/(n + 200)                relevance = u'/(u' + 1/2)

The rows of T (words of the text, hashed), K (words of links and address, hashed) and P (linking pages) have length 1; T
and K are weighted by log((1 + n)/(1 + df)) + 1. s makes the 95th percentile of p, over pages that name a concept, equal
to that of the target, so that the scale stays the model's.

It is trained on the last `LEARNED` pages and on the `CLEAREST` pages with the highest u before them. So a crawl that
passes through thousands of pages about other things still knows its topic.

Measured on 1,000 pages each of 30 tasks (benchmarks/judge.md): average precision .61 -> .70 where labels are of content
(19 tasks, none down), .64 -> .70 where they are of addresses (11, one down). With w = 1 it is .01 better, and scores
change twice as much during the crawl. The words of the text alone give half of the gain.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import NO_PAGE, NO_WORDS, SIZE, HashedPage, HashedWords, once
from semantic.learning.sparse_matrices import Sparse, least_squares, sparse, used_columns
from semantic.memory.strategy_memory import copied
from semantic.records import Mark
from semantic.relevance.relevance_model import RECENT, TRUST
from semantic.urls import host_of, identity

Floats = NDArray[np.float64]

COMMONEST = 0.5  # a word in a larger share of the pages is ignored: ../shared/research/judge.md, J


class Joined(NamedTuple):
    """The blocks of several pages as entries: index of the page, word and weight."""

    page: NDArray[np.int64]
    words: NDArray[np.int32]
    weights: NDArray[np.float32]


def joined(blocks: Sequence[HashedWords]) -> Joined:
    """Concatenate the blocks of pages 0, 1, 2, ..."""
    return Joined(
        np.repeat(np.arange(len(blocks)), [len(block.words) for block in blocks]),
        np.concatenate([NO_WORDS.words, *(block.words for block in blocks)]),
        np.concatenate([NO_WORDS.weights, *(block.weights for block in blocks)]),
    )


def words_of_pages(blocks: Sequence[HashedWords]) -> Sparse:
    """Matrix with a row for each page and a column for each word."""
    page, words, weights = joined(blocks)
    return sparse((weights, (page, words)), (len(blocks), SIZE))


def inverse_frequency(rows: Sparse) -> Floats:
    """`rarity` of the words of these pages. Each page has a word at most once."""
    return rarity(rows.indices, rows.shape[0])


def rarity(words: NDArray[np.int32], pages: int) -> Floats:
    """Inverse document frequency by word, log((1 + n)/(1 + df)) + 1 for n pages.

    0 for a word of only one page or of more than `COMMONEST` of them. `words`: those of all pages, each once for each
    page; 0 is no word.
    """
    df = np.bincount(words, minlength=SIZE)
    df[0] = 0
    used = np.flatnonzero((df >= 2) & (df <= COMMONEST * pages))
    found = np.zeros(SIZE)
    found[used] = np.log((1 + pages) / (1 + df[used])) + 1
    return found


def unit_rows(rows: Sparse, idf: Floats) -> Sparse:
    """Weigh the rows by idf and scale each to length 1 (0 if nothing is left)."""
    values = rows.data * idf[rows.indices]
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    length = np.sqrt(np.bincount(row, values**2, rows.shape[0]))
    found = sparse((values / np.where(length > 0, length, 1.0)[row], rows.indices, rows.indptr), rows.shape)
    found.eliminate_zeros()
    return found


def pack_words(pages: Sequence[HashedPage]) -> dict[str, Any]:
    """Pack pages for a memory."""
    blocks = [block for page in pages for block in page]
    return {
        "ends": np.cumsum([len(block.words) for block in blocks]),
        "words": np.concatenate([NO_WORDS.words, *(block.words for block in blocks)]),
        "weights": np.concatenate([NO_WORDS.weights, *(block.weights for block in blocks)]),
    }


def unpack_words(memory: Mapping[str, Any]) -> list[HashedPage]:
    """Restore what `pack_words` gave."""
    ends, words, weights = (copied(memory[name]) for name in ("ends", "words", "weights"))
    blocks = list(map(HashedWords, np.split(words, ends), np.split(weights, ends)))[: len(ends)]
    return list(map(HashedPage, blocks[::2], blocks[1::2]))


# constant part of the kernel: ../shared/research/judge.md, Marks
LEVEL = 0.02
AMPLITUDES = (0.03, 0.1, 0.3, 1.0, 2.0)  # grid of s; chosen, not measured
NOISES = (0.05, 0.1, 0.2, 0.3)  # grid of v; chosen, not measured
NOTHING = 0.75  # probability of s = 0 before any mark; .5, .9 and .95 were tried on one task: see the module's text
# variance of the slope b of the judge's own error b (J - 1/2); with b = -1 its number says nothing. Chosen on six of
# the tasks of the module's text, where .5 and 2 did the same.
DOUBT = 0.5
FEWEST = 4  # marks from which something is learned for other pages; chosen, not measured
# With 20 marks the probability is off by .11 in the mean, with 10 by .13. With 20 of which three or four are bad it is
# off by .12, with fewer by .13, with five or more by .10 (30 tasks). Fewer than five good ones were two tasks.
ENOUGH, EACH_KIND = 20, 5
# means and standard deviations of the prior of a and b (with these means 1/2 stays 1/2); chosen, not measured
USUAL, PRIOR = (8.0, -4.0), (1.0, 0.5)


@dataclass(frozen=True, slots=True)
class Marked:
    """One marked page. `score`: the relevance model's number J."""

    url: str
    host: str
    good: bool
    score: float
    words: HashedPage


@dataclass(frozen=True, slots=True)
class Correction:
    """What marks add to other pages' relevance: see the module's text."""

    marked: tuple[Marked, ...]
    pull: Floats  # of each marked page: the mean of s (s K_MM + D + v I)^-1 (y_M - J_M)
    idf: tuple[Floats, Floats]  # for texts and for addresses
    columns: tuple[Sparse, Sparse]  # the marked pages' words, one column each
    given_back: float = 0.0  # added to J' of every page while few pages are marked good
    likely_from: float | None = None  # J' from which on a page is more likely good than bad

    def remember(self) -> dict[str, Any]:
        """What changes pages, for a memory: all but `likely_from`, which is told when it is learned."""
        return {
            "pages": [[one.url, one.host, one.good, one.score] for one in self.marked],
            "words": pack_words([one.words for one in self.marked]),
            "pull": self.pull,
            "idf": self.idf,
            "given_back": self.given_back,
        }

    @classmethod
    def restored(cls, memory: Mapping[str, Any]) -> "Correction":
        """Restore what `remember` gave."""
        words = unpack_words(memory["words"])
        marked = tuple(
            Marked(url, host, good, score, one)
            for (url, host, good, score), one in zip(memory["pages"], words, strict=True)
        )
        texts, addresses = map(copied, memory["idf"])
        rows = _rows(marked, (texts, addresses))
        return cls(marked, copied(memory["pull"]), (texts, addresses), _columns(rows), memory["given_back"])

    def parts(self, pages: Sequence[HashedPage], hosts: Sequence[str]) -> Floats:
        """Array with a row for each page and a column for each marked page: what this mark adds to that page."""
        known = np.isin(np.array(hosts, object), list({one.host for one in self.marked}))
        texts, addresses = (
            (unit_rows(words_of_pages(blocks), idf) @ columns).toarray()
            for blocks, idf, columns in zip(_blocks(pages), self.idf, self.columns, strict=True)
        )
        found: Floats = ((texts + addresses * known[:, None]) / 2 + LEVEL) * self.pull
        return found


def is_enough(good: int, bad: int) -> bool:
    """Whether this many marks say from which relevance on a page is more likely good than bad."""
    return good + bad >= ENOUGH and min(good, bad) >= EACH_KIND


def learn_marks(marked: Sequence[Marked], pages: Sequence[HashedPage]) -> Correction | None:
    """Learn from the marks. `pages`: of the crawl, for the frequencies of words. None for less than `FEWEST`."""
    if len(marked) < FEWEST:
        return None
    texts, addresses = map(inverse_frequency, map(words_of_pages, _blocks(pages)))
    rows = _rows(marked, (texts, addresses))
    kernel = sum((block @ block.T).toarray() for block in rows) / 2 + LEVEL
    wrong = np.array([one.good - one.score for one in marked])
    good = np.array([one.good for one in marked])
    pull, others = _averaged(kernel, wrong, good - wrong)
    likely = _likely_from(good - wrong + others, good)
    return Correction(tuple(marked), pull, (texts, addresses), _columns(rows), likely_from=likely)


def given_back(scores: Floats, shifts: Floats, good: int, threshold: float) -> float:
    """What is added to J' of every page while few pages are marked good. `scores`, `shifts`: J of the pages that have
    no mark, and what marks add to it; `good`: number of pages marked good.
    """
    moved = scores + shifts
    before, after = int((scores >= threshold).sum()), int((moved >= threshold).sum())
    stay = before - (before - after) * min(good, EACH_KIND) // EACH_KIND
    return float(threshold - np.partition(moved, -stay)[-stay]) if stay > after else 0.0


def _rows(marked: Sequence[Marked], idf: tuple[Floats, Floats]) -> tuple[Sparse, Sparse]:
    """The words of marked pages' texts and addresses, a row of length 1 for each page."""
    texts, addresses = map(words_of_pages, _blocks([one.words for one in marked]))
    return unit_rows(texts, idf[0]), unit_rows(addresses, idf[1])


def _columns(rows: tuple[Sparse, Sparse]) -> tuple[Sparse, Sparse]:
    return rows[0].T.tocsr(), rows[1].T.tocsr()


def _averaged(kernel: Floats, wrong: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """The mean over the grid of s and v: the pull of each marked page, and what the other marks add to that page's
    number, as to any other page's (ibid. 5.12, without the part of D). `scores`: J of each marked page.
    """
    grid = [(s, v) for s in (0.0, *AMPLITUDES) for v in NOISES]
    before = [NOTHING if s == 0 else (1 - NOTHING) / len(AMPLITUDES) for s, _ in grid]
    doubt = DOUBT * np.outer(scores - 0.5, scores - 0.5)
    logs = np.log(before) + [_likelihood(s * kernel + doubt, wrong, v) for s, v in grid]
    weights = np.exp(logs - logs.max())
    pull, others = np.zeros(len(wrong)), np.zeros(len(wrong))
    for weight, (s, v) in zip(weights / weights.sum(), grid, strict=True):
        inverse = np.linalg.inv(s * kernel + doubt + v * np.eye(len(wrong)))
        one = inverse @ wrong
        pull += weight * s * one
        others += weight * s * (kernel @ one - (kernel * inverse).sum(1) * one / np.diag(inverse))
    return pull, others


def _likely_from(scores: Floats, good: NDArray[np.bool_]) -> float | None:
    """-b/a, with the most likely a and b for marked pages; None where it lies outside of the scale or marks are few.
    `scores`: each page's J' from the other marks.
    """
    count, positive = len(good), int(good.sum())
    if not is_enough(positive, count - positive):
        return None
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # here, as importing it takes 0.2 s

    target = np.where(good, (positive + 1) / (positive + 2), 1 / (count - positive + 2))  # Platt 1999, (4)

    def unlikely(guess: Floats) -> float:
        x = guess[0] * scores + guess[1]
        prior = (((guess - np.array(USUAL)) / np.array(PRIOR)) ** 2).sum() / 2
        return float((np.logaddexp(0, x) - target * x).sum() + prior)

    slope, offset = minimize(unlikely, USUAL, method="L-BFGS-B", bounds=[(0, None), (None, None)]).x
    return float(-offset / slope) if 0 < -offset < slope else None


def _likelihood(kernel: Floats, wrong: Floats, noise: float) -> float:
    """Log marginal likelihood, without its constant."""
    root = np.linalg.cholesky(kernel + noise * np.eye(len(wrong)))
    whitened = np.linalg.solve(root, wrong)
    return float(-0.5 * whitened @ whitened - np.log(np.diag(root)).sum())


def _blocks(pages: Sequence[HashedPage]) -> tuple[list[HashedWords], list[HashedWords]]:
    return [page.text for page in pages], [page.address for page in pages]


KEPT = 50_000  # pages whose words are stored if there are marks, about 75 MB; chosen, not measured
COMPARED = 10_000  # recent pages from which frequencies of words are computed; chosen, not measured
ONE_BY_ONE = 100  # below this number, pages are looked up one by one
AT_ONCE = 2000  # pages compared with the marks in one pass; chosen, not measured


class Like(NamedTuple):
    """A marked page similar to a page, and what it adds to that page's relevance."""

    url: str
    good: bool
    share: float


class Lessons:
    """Marks, words of pages, and what is learned from both. Pages are numbered as by the judge, from 0."""

    def __init__(self, *, always: bool = False) -> None:
        """`always`: store words whether there are marks or not."""
        self._always = always
        self._marks: dict[str, Mark] = {}  # by the identity of an address
        self._words: deque[HashedPage] = deque()  # of the last pages, without a gap
        self._marked: dict[int, HashedPage] = {}  # by number: words of marked pages that were read,
        self._verdicts: dict[int, Mark] = {}  # and their marks
        self._pages = 0

    def teach(self, marks: Mapping[str, Mark], urls: Sequence[str]) -> None:
        """Replace all marks. `urls`: of the pages read so far."""
        self._marks = {identity(url): mark for url, mark in marks.items()}
        held = dict(self._numbered())
        self._verdicts = {number: mark for number, url in enumerate(urls) if (mark := self.mark_of(url)) is not None}
        self._marked = {number: held.get(number, NO_PAGE) for number in self._verdicts}

    @property
    def marks(self) -> Mapping[str, Mark]:
        """All marks, by the identity of the address."""
        return self._marks

    def mark_of(self, url: str) -> Mark | None:
        """The mark of a page, if it has one."""
        return self._marks.get(identity(url)) if self._marks else None

    def follow(self, url: str, successor: str, number: int | None) -> None:
        """Give the mark of a redirected address to its successor. `number`: of the successor, if it was read."""
        mark = self.mark_of(url)
        if mark is None or self.mark_of(successor) is not None:
            return
        self._marks[identity(successor)] = mark
        if number is not None:
            self._verdicts[number] = mark
            self._marked[number] = self._words[number - self._first] if number >= self._first else NO_PAGE

    def lacks_words(self, pages: int) -> bool:
        """Whether there are marks, and pages that came before words were stored."""
        return bool(self._marks) and len(self._words) < min(pages, KEPT)

    def make_room(self, pages: int) -> None:
        """Make room for the words of pages read earlier, which `read_again` fills in."""
        self._words = deque([NO_PAGE] * min(pages, KEPT))
        self._pages = pages

    def read_again(self, number: int, words: HashedPage) -> None:
        """Store the words of a page that was read earlier."""
        if not self.keeps:
            return
        if number >= self._first:
            self._words[number - self._first] = words
        if number in self._marked:
            self._marked[number] = words

    def read(self, url: str, words: HashedPage) -> None:
        """Store the words of the page that came last."""
        self._pages += 1
        if not self.keeps:
            self._words.clear()  # keep them gapless: only the last pages may be stored
            return
        self._words.append(words)
        while len(self._words) > (KEPT if self._marks else RECENT):
            self._words.popleft()
        mark = self.mark_of(url)
        if mark is not None:
            self._marked[self._pages - 1], self._verdicts[self._pages - 1] = words, mark

    @property
    def keeps(self) -> bool:
        """Whether words of pages are stored."""
        return self._always or bool(self._marks)

    def kept(self, first: int, last: int) -> tuple[int, list[HashedPage]]:
        """Of pages `first` to `last` (exclusive) those whose words are stored: the number of the first, and the
        words.
        """
        first = max(first, self._first)
        if last - first < ONE_BY_ONE:  # indexing a deque is fast near its ends only
            return first, [self._words[number - self._first] for number in range(first, last)]
        return first, list(islice(self._words, first - self._first, last - self._first))

    @property
    def _first(self) -> int:
        return self._pages - len(self._words)

    def _numbered(self) -> Iterator[tuple[int, HashedPage]]:
        return enumerate(self._words, self._first)

    @property
    def verdicts(self) -> Mapping[int, Mark]:
        """The marks of pages that were read, by number."""
        return self._verdicts

    def learn(self, urls: Sequence[str], scores: Mapping[int, float], last: int) -> Correction | None:
        """Learn from the marks of pages before number `last`, but not from hubs, as pages like them may be results.
        `scores`: the model's number of each page.
        """
        marked = [
            Marked(urls[number], host_of(urls[number]), mark == "good", scores[number], self._marked[number])
            for number, mark in self._verdicts.items()
            if number < last and mark != "hub"
        ]
        recent = [words for number, words in self._numbered() if last - COMPARED <= number < last]
        return learn_marks(marked, recent)

    def shifts(self, correction: Correction, urls: Sequence[str], first: int, last: int) -> tuple[int, Floats]:
        """What marks add to those of pages `first` to `last` whose words are stored, and the number of the first."""
        first, kept = self.kept(first, last)
        parts = [
            correction.parts(
                kept[i : i + AT_ONCE], list(map(host_of, urls[first + i : min(first + i + AT_ONCE, last)]))
            )
            for i in range(0, len(kept), AT_ONCE)
        ]
        return first, np.concatenate([np.zeros(0), *(part.sum(1) for part in parts)]) + correction.given_back

    def likes_of(self, correction: Correction, url: str, number: int) -> list[Like]:
        """The marked pages with what each adds to a page of the crawl, the largest effect first."""
        return [] if number < self._first else _likes(correction, self._words[number - self._first], url)

    def likes(self, correction: Correction, words: HashedPage, url: str) -> list[Like]:
        """The same for a page that is not part of the crawl."""
        return _likes(correction, words, url)

    def remember(self) -> dict[str, Any]:
        """Marks and words, for a memory."""
        return {
            "marks": self._marks,
            "pages": self._pages,
            "words": partial(pack_words, list(self._words)),
            "marked": [list(self._marked), list(self._verdicts.values()), pack_words(list(self._marked.values()))],
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._marks, self._pages = dict(memory["marks"]), memory["pages"]
        self._words = deque(unpack_words(memory["words"]))
        numbers, verdicts, words = memory["marked"]
        self._marked = dict(zip(numbers, unpack_words(words), strict=True))
        self._verdicts = dict(zip(numbers, verdicts, strict=True))


def _likes(correction: Correction, words: HashedPage, url: str) -> list[Like]:
    parts, marked = correction.parts([words], [host_of(url)])[0], correction.marked
    order = np.argsort(-np.abs(parts))
    return [Like(marked[i].url, marked[i].good, float(parts[i])) for i in order.tolist()]


Ints = NDArray[np.int32]

PENALTY = 10.0  # 3, 10 and 30 were tried: with 10 the verdicts at 0.5 have the highest F1
MOST = 1.3  # the largest training target, so that differences between good and very good pages are not learned
STEPS = 40  # iterations of the solver, as in the measurements above
LEARNED = 5000  # most recent pages in the training set; chosen, not measured
CLEAREST = 1000  # clear pages before them in the training set; chosen, not measured
RETRAINED = 0.25  # growth, as a share, after which it is trained again; chosen, not measured
LINKS = 0.9  # reduction of g for a page of nothing but links: ../shared/research/judge.md, J


class PageSurroundings(Protocol):
    """Where the links to pages are known."""

    def surroundings(self, urls: Sequence[str]) -> tuple[Ints, Ints]:
        """For each page: hashed words of the links to it and of its address; numbers of the pages that link to it. 0:
        none.
        """
        ...


class TrainingRows(NamedTuple):
    """Pages of the training set: the words of their texts, and what `PageSurroundings` gives for them."""

    texts: Sequence[HashedWords]
    links: Ints
    parents: Ints


def together(one: TrainingRows, other: TrainingRows) -> TrainingRows:
    """Concatenate the rows of two sets."""
    links, parents = (np.concatenate(both) for both in zip(one[1:], other[1:], strict=True))
    return TrainingRows([*one.texts, *other.texts], links, parents)


class _Entries(NamedTuple):
    """A sparse matrix as entries of row, column and value. Rows have length 1."""

    row: NDArray[np.int64]
    column: NDArray[Any]
    value: Floats


@dataclass(frozen=True, slots=True)
class Taught:
    """The trained regression. `weights`: b_T, b_K, b_P; `rarity`: idf of T's and K's words; `share`: w; `scale`: s."""

    share: float
    mean: float
    scale: float
    rarity: tuple[Floats, Floats]
    weights: tuple[Floats, Floats, Floats]

    def parts(self, rows: TrainingRows) -> tuple[Floats, Floats]:
        """What a page's own words (with the mean) and the links to it add to u', before multiplication by g."""
        blocks = _entries(joined(rows.texts), rows, self.rarity, len(self.weights[2]))
        return self.parts_of(blocks, len(rows.texts))

    def parts_of(self, blocks: Sequence[_Entries], n: int) -> tuple[Floats, Floats]:
        """The same from the entries of T, K and P."""
        words, *links = (
            np.bincount(entries.row, entries.value * weights[entries.column], n)
            for entries, weights in zip(blocks, self.weights, strict=True)
        )
        factor = self.share * self.scale
        return np.asarray(factor * (self.mean + words)), np.asarray(factor * (links[0] + links[1]))

    def mixed(self, u: Floats, g: Floats, words: Floats, links: Floats) -> Floats:
        """u' of pages. `words`, `links`: their parts, already multiplied by g."""
        return np.asarray(np.maximum((1 - self.share) * u * g + words + links, 0.0))

    def remember(self) -> list[Any]:
        """The regression, for a memory."""
        return [self.share, self.mean, self.scale, *map(_sparse, (*self.rarity, *self.weights))]

    @classmethod
    def restored(cls, memory: Sequence[Any]) -> "Taught":
        """Restore what `remember` gave."""
        share, mean, scale, *arrays = memory
        texts, links, *weights = map(_dense, arrays)
        return cls(share, mean, scale, (texts, links), (weights[0], weights[1], weights[2]))


def own_text_share(anchors: Floats, length: Floats) -> Floats:
    """g of pages, from their characters inside and outside of links."""
    found: Floats = 1 - LINKS * (anchors / (anchors + length + 50)) ** 2
    return found


def self_train(u: Floats, g: Floats, rows: TrainingRows) -> tuple[Taught, tuple[Floats, Floats]]:
    """Train on these pages, and give their parts. `u`: the model's numbers; `g`: see the module's text."""
    n = len(u)
    target = np.minimum(u * g, MOST)
    parents = int(rows.parents.max(initial=0)) + 1
    texts = joined(rows.texts)
    rare = rarity(texts.words, n), rarity(once(rows.links).ravel(), n)
    blocks = _entries(texts, rows, rare, parents)
    starts = np.cumsum([0, SIZE, SIZE])
    column = np.concatenate([entries.column + start for entries, start in zip(blocks, starts, strict=True)])
    used, columns = used_columns(column, 2 * SIZE + parents)
    row, value = (np.concatenate([entries[part] for entries in blocks]) for part in (0, 2))
    matrix = sparse((value, (row, columns)), (n, len(used)))
    mean = float(target.mean())
    found = least_squares(matrix, target - mean, damp=np.sqrt(PENALTY), steps=STEPS)
    weights = np.zeros(2 * SIZE + parents)
    weights[used] = found
    taught = Taught(n / (n + TRUST), mean, 1.0, rare, (weights[:SIZE], weights[SIZE : 2 * SIZE], weights[2 * SIZE :]))
    named = target > 0
    low = np.percentile(np.maximum(matrix @ found + mean, 0)[named], 95) if named.any() else 0.0
    if low > 0:
        taught = replace(taught, scale=float(np.percentile(target[named], 95) / low))
    return taught, taught.parts_of(blocks, n)


def _entries(
    texts: Joined, rows: TrainingRows, rare: tuple[Floats, Floats], parents: int
) -> tuple[_Entries, _Entries, _Entries]:
    """The matrices T, K and P. `texts`: those of the rows, joined. `parents`: linking pages with this number or above
    are unknown and left out.
    """
    links, linking = once(rows.links), once(rows.parents)
    linking[linking >= parents] = 0
    (at_link, slot), (at_page, ring) = links.nonzero(), linking.nonzero()
    words, pages = links[at_link, slot], linking[at_page, ring]
    return (
        _unit(texts.page, texts.words, texts.weights * rare[0][texts.words]),
        _unit(at_link, words, rare[1][words]),
        _unit(at_page, pages, np.ones(len(pages))),
    )


def _unit(row: NDArray[np.int64], column: NDArray[Any], value: Floats) -> _Entries:
    there = np.flatnonzero(value > 0)
    row, value = row.take(there), value.take(there)
    length = np.sqrt(np.bincount(row, value**2))
    return _Entries(row, column.take(there), value / length.take(row))


def _sparse(values: Floats) -> list[Any]:
    where = values.nonzero()[0]
    return [len(values), where, values[where]]


def _dense(memory: Sequence[Any]) -> Floats:
    size, where, values = memory
    found = np.zeros(size)
    found[copied(where)] = copied(values)
    return found
