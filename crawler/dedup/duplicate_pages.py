"""Which pages are copies of one that the crawl has: the same content under another address is stored once.

A page has the text of another
- where its text is that of a page before, to the letter, on whatever host: mirrors, session ids, `/` and `/index.php`.
  As few words say little of a page, one with a text shorter than `SHORT` must have the same title and links, too;
- or where the text is nearly the same (`semantic.parsing.fingerprint`) and the page shows nothing new: no link to an
  address that the crawl did not know.

Of pages with the same text one is *the page*, the others are its copies. The first one is it, until a better one comes.
One is better than the page so far, by the first of these rules that says anything:
1. the canonical name of the page so far is its address (where its own canonical name is the other's, it is a copy);
2. the page so far asks not to be a result, or is gone, and it does not;
3. a heading of the page so far links to it by its title (`semantic.parsing.fingerprint`): a list that shows one
   article;
4. the page so far is a view by its address, and it is none: a list by tag or month, page 2, print.

Then they change places. The newcomer has just been read in full, so nothing must be kept of a page for that day but 30
bytes. It takes the rank of the one before (`order`), and the crawl has as many pages as it had; what is on topic is
counted anew. The one before is a copy now, and so are its copies of the newcomer.

A copy is recorded with `copy_of`, without text, mentions and links: it is no result, and what it links to is not queued
from it. A newcomer that takes the place is the page, and none of its links is left out: those not known yet are queued.
Of the page before, the record keeps the links by which others were found: the way to them did lead there.

What a strategy has learned stays. It learns from every page that is fetched, copies too, under the address at which it
was fetched: a link led to that text, whatever the text is called later. It is not told of a change of places. Where a
strategy learns again from the record, it meets each text once, under the address and at the rank of the page.

Canonical names. Measured on the archived webs: of 712 canonicals that name another page of the same host, 220 name a
page with the same text, 365 one with other text (listings whose pages 2, 3, ... name page 1, and templates that name
the home page or an author's list), 127 what is not there. Of 1,463 that name another host most are a template's
`yoursite.com`. So a canonical name never stands in for a fetch, never stops one, and makes no page a copy: believing
addresses would have lost every listing's later pages. It is kept where it names the same host, and only of pages with
the same text it says which one is the page.

Views are addresses that show other pages once more: lists by tag or month, further pages of a list, print views,
searches. Only the names that the usual programs give them are known: WordPress, Hexo, Hugo and Jekyll (`/tag/x/`,
`/category/x/`, `/author/x/`, `/2019/05/`, `/page/2/`, `?m=201905`, `?replytocom=7`), Blogger (`/search/label/x`),
MediaWiki (`?printable=yes`, `?oldid=7`), and what is usual for print and mobile views. A name alone proves nothing, so
this is asked only of two addresses that have the same text.

Which of the SimHashes kept is near another is looked up by Manku et al. (WWW 2007).

What a crawl must remember of every page, small: a week's pages are a million.

Objects of their own take 56 to 110 bytes each; these take 8 to 12 of a hash, and of an address about 20. What is new
stands in a dict or set for a while: it is sorted in when it has become a fiftieth of all.
"""

import re
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from semantic.parsing.fingerprint import Fingerprint, Hashes, read_fingerprint
from semantic.records import CopyRecord, MarkRecord, PageRecord, WantedRecord

_TOGETHER = 64  # texts in one piece
_FRESH = 4096  # hashes that are not sorted in yet, at least


class PackedTexts:
    """A list of texts without line feeds; those of one kind, such as addresses, share their parts. Few are changed."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._last: list[str] = []
        self._changed: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._packed) * _TOGETHER + len(self._last)

    def __setitem__(self, number: int, text: str) -> None:
        self._changed[number] = text

    def __getitem__(self, number: int) -> str:
        if number in self._changed:
            return self._changed[number]
        piece, place = divmod(number, _TOGETHER)
        if piece == len(self._packed):
            return self._last[place]
        return zlib.decompress(self._packed[piece]).decode("utf-8", "surrogatepass").split("\n")[place]

    def append(self, text: str) -> None:
        """Add one."""
        self._last.append(text)
        if len(self._last) == _TOGETHER:
            self._packed.append(zlib.compress("\n".join(self._last).encode("utf-8", "surrogatepass")))
            self._last = []


class FirstOf:
    """Which came first: 64-bit hash -> number (31 bits). Few are changed."""

    def __init__(self) -> None:
        self._hashes: NDArray[np.uint64] = np.zeros(0, np.uint64)  # sorted
        self._numbers: NDArray[np.int32] = np.zeros(0, np.int32)
        self._fresh: dict[int, int] = {}
        self._changed: dict[int, int | None] = {}

    def get(self, key: int) -> int | None:
        """The number of a hash."""
        if key in self._changed:
            return self._changed[key]
        found = self._fresh.get(key)
        if found is None and len(self._hashes):
            place = self._hashes[:-1].searchsorted(np.uint64(key))
            return int(self._numbers[place]) if self._hashes[place] == key else None
        return found

    def forget(self, number: int) -> None:
        """Forget the hashes with this number: a look at all of them."""
        held = [int(key) for key in self._hashes[self._numbers == number]]
        others = [key for found in (self._fresh, self._changed) for key, other in found.items() if other == number]
        self._changed |= dict.fromkeys([*held, *others])

    def add(self, key: int, number: int) -> None:
        """Note a hash that is not in it."""
        if key in self._changed:
            self._changed[key] = number
            return
        self._fresh[key] = number
        if _is_many(len(self._fresh), len(self._hashes)):
            fresh = sorted(self._fresh.items())
            hashes = np.concatenate([self._hashes, np.array([key for key, _ in fresh], np.uint64)])
            numbers = np.concatenate([self._numbers, np.array([number for _, number in fresh], np.int32)])
            order = np.argsort(hashes, kind="stable")  # which merges two sorted runs
            self._hashes, self._numbers, self._fresh = hashes[order], numbers[order], {}


class HashSet:
    """A set of Python's own hashes, 64 bits with a sign."""

    def __init__(self, hashes: Iterable[int] = ()) -> None:
        self._sorted = np.unique(np.fromiter(hashes, np.int64))
        self._fresh: set[int] = set()

    def __contains__(self, one: int) -> bool:
        if one in self._fresh or not len(self._sorted):
            return one in self._fresh
        return bool(self._sorted[self._sorted[:-1].searchsorted(one)] == one)

    def among(self, hashes: Sequence[int]) -> set[int]:
        """Which of these are in it: asked together they cost little more than one."""
        found = self._fresh.intersection(hashes)
        if len(self._sorted):
            wanted = np.array(hashes, np.int64)
            held = self._sorted[self._sorted[:-1].searchsorted(wanted)] == wanted
            found.update(wanted[held].tolist())
        return found

    def add(self, one: int) -> None:
        """Take one in."""
        self._fresh.add(one)
        if _is_many(len(self._fresh), len(self._sorted)):
            self._sorted = np.union1d(self._sorted, np.array(list(self._fresh), np.int64))
            self._fresh = set()


def _is_many(fresh: int, held: int) -> bool:
    return fresh >= max(_FRESH, held // 50)


_FOLDERS = {
    "a list by tag": "tag tags tagged label labels 标签",
    "a list by category": "category categories 分类",
    "a list by author": "author authors 作者",
    "a search": "search",
    "a print view": "print printable",
    "a mobile view": "amp mobile",
}
_KEYS = {
    "a list by tag": "tag tags",
    "a list by category": "cat category",
    "a list by author": "author",
    "a list by month": "m",
    "a search": "s search q query",
    "a print view": "print printable",
    "a mobile view": "amp mobileaction",
    "a view of one comment": "replytocom showcomment",
    "an old version": "oldid",
}
_BY_FOLDER = {word: kind for kind, words in _FOLDERS.items() for word in words.split()}
_BY_KEY = {word: kind for kind, words in _KEYS.items() for word in words.split()}
_ENDING = re.compile(r"(?:/(?:index|default))?(?:\.(?:html?|php|aspx?))?/?$", re.IGNORECASE)
_MONTH = re.compile(r"/(?:19|20)[0-9]{2}(?:/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12][0-9]|3[01]))?)?$")
_FURTHER = re.compile(r"/page[/-]?0*(?:[2-9]|[1-9][0-9]+)$", re.IGNORECASE)
_NUMBER = re.compile(r"0*(?:[2-9]|[1-9][0-9]+)")
DISTANCE = 3  # bits
COPIED = "the same page under another address, which counts in its place"
ON_TOPIC, WITHDRAWN = 1, 2  # of a page's flags


def view_of(url: str) -> str:
    """What kind of view a normalised address names, in words; "" for none."""
    path, _, query = url.partition("://")[2].partition("?")
    path = _ENDING.sub("", "/" + unquote(path).partition("/")[2])
    for part in query.split("&"):
        key, _, value = part.lower().partition("=")
        if key in _BY_KEY and value:
            return _BY_KEY[key]
        if key in ("page", "paged") and _NUMBER.fullmatch(value):
            return "a further page of a list"
    if _FURTHER.search(path):
        return "a further page of a list"
    for folder in path.lower().split("/"):
        if folder in _BY_FOLDER:
            return _BY_FOLDER[folder]
    return "a list by month" if _MONTH.search(path) else ""


class NearTexts:
    """SimHashes of numbered texts, 12 bytes each; finds one that is near.

    All are compared: of a million in 2 ms. (Tables by blocks of bits, as Manku et al. have them, took longer where the
    pages of a site share their template, and with it a block.)
    """

    def __init__(self) -> None:
        self._hashes: Hashes = np.zeros(1024, np.uint64)
        self._texts = array("i")

    def find(self, simhash: int) -> int | None:
        """The number of the nearest text, of equally near ones the first; None where none is near."""
        if not self._texts:
            return None
        distances = np.bitwise_count(self._hashes[: len(self._texts)] ^ np.uint64(simhash))
        best = int(distances.argmin())
        return self._texts[best] if distances[best] <= DISTANCE else None

    def change(self, text: int, simhash: int) -> None:
        """The numbered text is another now; numbers were added in their order."""
        place = bisect_left(self._texts, text)
        assert self._texts[place] == text, "the text has no SimHash"
        self._hashes[place] = simhash

    def add(self, simhash: int, text: int) -> None:
        """Keep one."""
        if len(self._texts) == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, np.zeros_like(self._hashes)])
        self._hashes[len(self._texts)] = simhash
        self._texts.append(text)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a page that came, and how many `pages`, `on_topic` and `copies` the crawl has more by it.

    `outdone`: the page of before that is a copy of it now.
    """

    record: PageRecord
    pages: int = 0
    on_topic: int = 0
    copies: int = 0
    outdone: CopyRecord | None = None


class Copies:
    """The texts of all pages so far. `marks`: those of earlier sessions, see `Store.fingerprints`."""

    def __init__(self, marks: Iterable[MarkRecord] = ()) -> None:
        self._urls = PackedTexts()  # of the pages, numbered
        self._first = FirstOf()  # of the texts with the same hash
        self._near = NearTexts()
        self._orders = array("i")  # 0: none
        self._canonicals = array("q")  # hashes, 0: none
        self._presents = array("Q")
        self._flags = bytearray()
        for mark in marks:
            self._add(mark)

    def receive(
        self,
        record: PageRecord,
        mark: Fingerprint,
        titles: Collection[str],
        knows: Callable[[str], bool],
        order: int,
    ) -> Kept:
        """What is kept of a page: of a new text with this `order`. `titles`: how others may present it; `knows` tells
        of addresses.
        """
        first = self._first.get(mark.exact)
        if first is None:
            first = self._near_copy(record, mark, knows)
        if first is None:
            record = replace(record, fingerprint=str(mark), order=order)
            self._add(mark_of(record))
            return Kept(record, pages=1, on_topic=bool(record.on_topic))
        before = self._urls[first]
        why = self._why_better(first, record, titles)
        if not why:
            return Kept(_copy(record, before), copies=1)
        more = bool(record.on_topic) - bool(self._flags[first] & ON_TOPIC)
        new = not self._orders[first]  # one without a rank has not counted
        record = replace(record, fingerprint=str(mark), order=self._orders[first] or order)
        self._replace(first, mark_of(record), mark)
        outdone = CopyRecord(before, record.url, (COPIED, why))
        return Kept(record, pages=new, on_topic=more, copies=1, outdone=outdone)

    def again(self, record: PageRecord, mark: Fingerprint | None, before: WantedRecord) -> PageRecord:
        """What is kept of a page that was asked for again; `mark` None where it is none any more, but leads elsewhere.
        A copy stays one while another page has its text; a page is held to be nobody's copy.
        """
        if mark is None:
            self.withdraw(before)
            return record
        first = self._first.get(mark.exact)
        if before.fingerprint is None and first is not None and self._urls[first] != record.url:
            return _copy(record, self._urls[first])
        record = replace(record, fingerprint=str(mark))
        number = self._number(before)
        if number is not None:
            self._describe(number, mark_of(record))
        return record

    def withdraw(self, before: WantedRecord) -> None:
        """A page is gone or has moved: the next one with its text takes its place."""
        number = self._number(before)
        if number is not None:
            self._flags[number] = WITHDRAWN

    def _number(self, page: WantedRecord) -> int | None:
        number = None if page.fingerprint is None else self._first.get(read_fingerprint(page.fingerprint).exact)
        return number if number is not None and self._urls[number] == page.url else None

    def _near_copy(self, record: PageRecord, mark: Fingerprint, knows: Callable[[str], bool]) -> int | None:
        first = None if mark.near is None else self._near.find(mark.near)
        return first if first is not None and all(knows(link.url) for link in record.links) else None

    def _why_better(self, first: int, record: PageRecord, titles: Collection[str]) -> str:
        """By which rule the newcomer is better than the page so far; "" for none."""
        before = self._urls[first]
        if self._canonicals[first] == _key(record.url):
            return "the canonical name says so"
        if record.canonical and _key(record.canonical) == _key(before):
            return ""
        withdrawn = bool(self._flags[first] & WITHDRAWN)
        if withdrawn != _is_withdrawn(record):
            return "this address is gone or asks not to be a result" if withdrawn else ""
        if f"{self._presents[first]:016x}" in titles:
            return "a heading here links there by its title"
        here = view_of(before)
        return f"this is {here} by its address" if here and not view_of(record.url) else ""

    def _add(self, mark: MarkRecord) -> None:
        number, text = len(self._urls), read_fingerprint(mark.fingerprint)
        self._urls.append(mark.url)
        self._orders.append(0)
        self._canonicals.append(0)
        self._presents.append(0)
        self._flags.append(0)
        self._describe(number, mark)
        if self._first.get(text.exact) is None:
            self._first.add(text.exact, number)
        if text.near is not None:
            self._near.add(text.near, number)

    def _replace(self, number: int, mark: MarkRecord, text: Fingerprint) -> None:
        """Another page has the number now. The next run will know its text alone, so this one does."""
        if self._first.get(text.exact) is None:  # it is a near one
            assert text.near is not None
            self._first.forget(number)
            self._first.add(text.exact, number)
            self._near.change(number, text.near)
        self._urls[number] = mark.url
        self._describe(number, mark)

    def _describe(self, number: int, mark: MarkRecord) -> None:
        self._orders[number] = mark.order or 0
        self._canonicals[number] = _key(mark.canonical) if mark.canonical else 0
        self._presents[number] = int(mark.presents, 16) if mark.presents else 0
        self._flags[number] = ON_TOPIC * mark.on_topic + WITHDRAWN * mark.withdrawn


def mark_of(record: PageRecord) -> MarkRecord:
    """What is kept of a page to know copies of it."""
    return MarkRecord(
        record.url,
        record.fingerprint or "",
        record.order,
        bool(record.on_topic),
        _is_withdrawn(record),
        record.canonical,
        record.presents,
    )


def _is_withdrawn(record: PageRecord) -> bool:
    return record.content is None


def _key(url: str) -> int:
    """A hash of an address; `/` and `/index.html` are one, as they are in archives."""
    return hash(url.removesuffix("index.html"))


def _copy(record: PageRecord, page: str) -> PageRecord:
    return replace(
        record,
        copy_of=page,
        on_topic=False,
        reasons=(COPIED, *record.reasons),
        content=None,
        links=(),
        mentions=(),
        presents=None,
        kind=None,
    )
