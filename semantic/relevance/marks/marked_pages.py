"""The expert's marks in a crawl: which pages are marked, what all pages say in words, and what was learned of both.

Words are kept of the last `KEPT` pages where there are marks, of the last `RECENT` where the judge trains itself, and
of none otherwise. What is learned of marks (`semantic.relevance.marks.marks_regression`) holds for those pages; what
marks once added to an older page stays.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantic.relevance.marks.hashed_words import NO_PAGE, HashedPage, pack_words, unpack_words
from semantic.relevance.marks.marks_regression import Correction, Marked, learn_marks
from semantic.relevance.relevance_model import RECENT
from semantic.urls import host_of, identity

Floats = NDArray[np.float64]

KEPT = 50_000  # pages whose words are kept where there are marks, about 75 MB
COMPARED = 10_000  # pages by which words are common or rare
FEW = 100  # pages that are looked up one by one
AT_ONCE = 2000  # pages compared with the marks in one go


class Like(NamedTuple):
    """A marked page to which a page is like, and what that adds to its relevance."""

    url: str
    good: bool
    share: float


class Lessons:
    """See the module's text. Pages are numbered as the judge numbers them, from 0."""

    def __init__(self, *, always: bool = False) -> None:
        """`always`: words are kept whether there are marks or not."""
        self._always = always
        self._marks: dict[str, bool] = {}  # identity of an address -> good
        self._words: deque[HashedPage] = deque()  # of the last pages
        self._marked: dict[int, HashedPage] = {}  # marked pages that were read,
        self._verdicts: dict[int, bool] = {}  # and whether they are good
        self._pages = 0

    def teach(self, marks: Mapping[str, bool], urls: Sequence[str]) -> None:
        """What the expert says of addresses, instead of all that was said before; `urls`: of the pages read so far."""
        self._marks = {identity(url): good for url, good in marks.items()}
        held = dict(self._numbered())
        self._verdicts = {number: mark for number, url in enumerate(urls) if (mark := self.mark_of(url)) is not None}
        self._marked = {number: held.get(number, NO_PAGE) for number in self._verdicts}

    @property
    def marks(self) -> Mapping[str, bool]:
        """All of them, by the identity of the address."""
        return self._marks

    def mark_of(self, url: str) -> bool | None:
        """Whether the page was marked good; None: it was not marked."""
        return self._marks.get(identity(url)) if self._marks else None

    def follow(self, url: str, successor: str, number: int | None) -> None:
        """A marked address was redirected: the mark goes along; `number`: of the successor, where it was read."""
        mark = self.mark_of(url)
        if mark is None or self.mark_of(successor) is not None:
            return
        self._marks[identity(successor)] = mark
        if number is not None:
            self._verdicts[number] = mark
            self._marked[number] = self._words[number - self._first] if number >= self._first else NO_PAGE

    def lacks_words(self, pages: int) -> bool:
        """Whether there are marks, and pages that came before words were kept."""
        return bool(self._marks) and len(self._words) < min(pages, KEPT)

    def make_room(self, pages: int) -> None:
        """Keep words of so many pages that were read before; `read_again` gives them."""
        self._words = deque([NO_PAGE] * min(pages, KEPT))
        self._pages = pages

    def read_again(self, number: int, words: HashedPage) -> None:
        """The words of a page that was read before."""
        if not self.keeps:
            return
        if number >= self._first:
            self._words[number - self._first] = words
        if number in self._marked:
            self._marked[number] = words

    def read(self, url: str, words: HashedPage) -> None:
        """The words of the page that came last."""
        self._pages += 1
        if not self.keeps:
            self._words.clear()  # they are those of the last pages, without a gap
            return
        self._words.append(words)
        while len(self._words) > (KEPT if self._marks else RECENT):
            self._words.popleft()
        mark = self.mark_of(url)
        if mark is not None:
            self._marked[self._pages - 1], self._verdicts[self._pages - 1] = words, mark

    @property
    def keeps(self) -> bool:
        """Whether words of pages are kept."""
        return self._always or bool(self._marks)

    def kept(self, first: int, last: int) -> tuple[int, list[HashedPage]]:
        """Pages `first` to `last` (exclusive) as far as their words are kept: the number of the first, and these."""
        first = max(first, self._first)
        if last - first < FEW:  # a deque is quick at either end
            return first, [self._words[number - self._first] for number in range(first, last)]
        return first, list(islice(self._words, first - self._first, last - self._first))

    @property
    def _first(self) -> int:
        return self._pages - len(self._words)

    def _numbered(self) -> Iterator[tuple[int, HashedPage]]:
        return enumerate(self._words, self._first)

    @property
    def verdicts(self) -> Mapping[int, bool]:
        """The marked pages that were read, by number, and whether they are good."""
        return self._verdicts

    def learn(self, urls: Sequence[str], scores: Floats, last: int) -> Correction | None:
        """What the marks of pages before number `last` say of others; `scores`: the model's number of each page."""
        marked = [
            Marked(urls[number], host_of(urls[number]), mark, float(scores[number]), self._marked[number])
            for number, mark in self._verdicts.items()
            if number < last
        ]
        recent = [words for number, words in self._numbered() if last - COMPARED <= number < last]
        return learn_marks(marked, recent)

    def shifts(self, correction: Correction, urls: Sequence[str], first: int, last: int) -> tuple[int, Floats]:
        """What marks add to pages `first` to `last` whose words are kept; the number of the first of them."""
        first, kept = self.kept(first, last)
        parts = [
            correction.parts(kept[i : i + AT_ONCE], list(map(host_of, urls[first + i : first + i + AT_ONCE])))
            for i in range(0, len(kept), AT_ONCE)
        ]
        return first, np.concatenate([np.zeros(0), *(part.sum(1) for part in parts)])

    def likes_of(self, correction: Correction, url: str, number: int) -> list[Like]:
        """The marked pages, and what each adds to a page: those that move it most first."""
        return [] if number < self._first else _likes(correction, self._words[number - self._first], url)

    def likes(self, correction: Correction, words: HashedPage, url: str) -> list[Like]:
        """The same of a page that is none of the crawl's."""
        return _likes(correction, words, url)

    def remember(self) -> dict[str, Any]:
        """Marks and words."""
        return {
            "marks": self._marks,
            "pages": self._pages,
            "words": pack_words(list(self._words)),
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
