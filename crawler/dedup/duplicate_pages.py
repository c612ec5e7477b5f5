"""Duplicate pages: the same content under another address is stored once.

A page has the same text as another one
- if the texts are identical, on whatever host (mirrors, session ids, `/` and `/index.php`). As a few words say little
  about a page, pages with a text shorter than `SHORT` must have the same title and links too;
- or if the texts are nearly identical (`semantic.parsing.fingerprint`) and the page has no link to an address that the
  crawl did not know;
- or if the pages of one site say the same themselves, whatever their template adds (`crawler.dedup.site_texts`): twins
  for other devices, error pages with status 200. Only of such a copy the links to unknown addresses are queued.

Of pages with the same text one is *the page*, the others are its copies. The first one is the page, until a better one
comes. A newcomer is better by the first of these rules that decides: 1. The page so far names the newcomer as
canonical. (If the newcomer names the page so far, it is a copy.) 2. The page so far asks not to be a result, or is
gone, and the newcomer does not. 3. A heading of the page so far links to the newcomer by its title
(`semantic.parsing.fingerprint`): a list that shows one article. 4. By its address, the page so far is a view, and the
newcomer is not: a list by tag or month, page 2, print.

Then they change roles. The newcomer was just read in full, so only some bytes of each page must be stored for this. It
takes the rank (`order`) of the page so far, so the number of pages stays the same; the number of pages on topic is
corrected. The page so far becomes a copy of the newcomer, and so do its copies.

A copy is recorded with `copy_of`, without text, mentions and links: it is not a result, and its links are not queued. A
newcomer that becomes the page is recorded with all its links, and those not known yet are queued. Of the page that
became a copy, the record keeps the links by which other pages were found, because the crawl did find them that way.

What a strategy has learned stays. It learns from every page that is fetched, copies included, under the address of the
fetch: a link led to that text, whatever its page is called later. It is not told about a change of roles. A strategy
that learns again from the record meets each text once, under the address and at the rank of the page.

Canonical addresses. Measured on the archived webs: of 712 canonicals that name another page of the same host, 220 name
a page with the same text, 365 one with another text (listings whose pages 2, 3, ... name page 1, and templates that
name the home page or an author's list), and 127 name a missing page. Of 1,463 that name another host, most are a
template's `yoursite.com`. So a canonical never replaces or prevents a fetch, and alone never makes a page a copy:
trusting
canonicals would have lost the later pages of every listing. It is recorded if it names the same registered domain. It
decides which one of several pages with the same text is the page, and allows a template to be thinner.

Views are addresses that show other pages once more: lists by tag or month, further pages of a list, print views,
searches. Only the patterns of common programs are known: WordPress, Hexo, Hugo and Jekyll (`/tag/x/`, `/category/x/`,
`/author/x/`, `/2019/05/`, `/page/2/`, `?m=201905`, `?replytocom=7`), Blogger (`/search/label/x`), MediaWiki
(`?printable=yes`, `?oldid=7`), and common ones for print and mobile views. A pattern alone proves nothing, so it is
only used for two addresses that have the same text.

Near texts are found by the SimHash method of Manku et al. (WWW 2007).
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from crawler.dedup.site_texts import PageText, SiteTexts
from semantic.memory.arrays import with_room
from semantic.memory.compact_collections import FirstOf, PackedTexts
from semantic.parsing.fingerprint import Fingerprint, Hashes, read_fingerprint
from semantic.parsing.text_pieces import read_pieces
from semantic.reasons import Reason, because
from semantic.records import CopyRecord, FingerprintRecord, PageRecord, WantedRecord

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
DISTANCE = 3  # bits by which SimHashes of near texts differ at most (Manku et al., WWW 2007)
COPIED = Reason("copy")
SAYS_NO_MORE = Reason("says no more")
ON_TOPIC, WITHDRAWN = 1, 2  # bits of a page's flags


def view_of(url: str) -> str:
    """The kind of view that a normalised address shows, in words; "" if it is none."""
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
    """SimHashes of texts, 8 bytes each, and the search for a near one. Texts are numbered from 0 as they are added.

    The search compares all hashes: a million take 2 ms. (Tables by blocks of bits, as in Manku et al., were slower if
    the pages of a site share their template, and with it a block.)
    """

    def __init__(self) -> None:
        self._hashes: Hashes = np.zeros(1024, np.uint64)
        self._size = 0
        self._without = array("i")  # for each text without a SimHash: how many SimHashes were there before it

    def find(self, simhash: int) -> int | None:
        """The number of the nearest text, of equally near ones the first; None if none is near."""
        if not self._size:
            return None
        distances = np.bitwise_count(self._hashes[: self._size] ^ np.uint64(simhash))
        best = int(distances.argmin())
        return best + bisect_right(self._without, best) if distances[best] <= DISTANCE else None

    def change(self, text: int, simhash: int) -> None:
        """Replace the SimHash of a text."""
        before = bisect_left(range(len(self._without)), text, key=lambda k: self._without[k] + k)
        self._hashes[text - before] = simhash

    def add(self, simhash: int | None) -> None:
        """Add a text, with its SimHash if it has one."""
        if simhash is None:
            self._without.append(self._size)
            return
        if self._size == len(self._hashes):
            self._hashes = with_room(self._hashes)
        self._hashes[self._size] = simhash
        self._size += 1


@dataclass(frozen=True, slots=True)
class Received:
    """The record of a page that was received, and by how much `pages`, `on_topic` and `copies` of the crawl grow.

    `replaced`: the former page, if it became a copy of this one. `is_alike`: it says no more than another page of its
    site but for numbers of its address (`crawler.dedup.site_texts`).
    """

    record: PageRecord
    pages: int = 0
    on_topic: int = 0
    copies: int = 0
    replaced: CopyRecord | None = None
    is_alike: bool = False


class Copies:
    """The texts of all pages so far. `fingerprints`: those of earlier sessions, in the order of fetching."""

    def __init__(self, fingerprints: Iterable[FingerprintRecord] = ()) -> None:
        self._urls = PackedTexts()  # of the pages, numbered
        self._first = FirstOf()  # of the texts with the same hash
        self._near = NearTexts()
        self._site_texts = SiteTexts()
        self._instead: dict[int, int] = {}  # numbers of former pages with another text, and those of the pages now
        # 0 takes no memory here (`with_room`): most pages present none, and have the rank that follows their number
        self._later = np.zeros(1024, np.int32)  # rank - number - 1, with rank 0: none
        self._canonicals: dict[int, int] = {}  # hashes; most pages name none, or themselves
        self._presents = np.zeros(1024, np.uint64)
        self._flags = bytearray()
        for stored in fingerprints:
            self._add(stored)

    def receive(
        self,
        record: PageRecord,
        fingerprint: Fingerprint,
        titles: Collection[str],
        knows: Callable[[str], bool],
        order: int,
    ) -> Received:
        """Decide whether a page is new, a copy, or better than the page with the same text.

        `titles`: hashes by which a heading of the other page may link to it. `knows`: whether the crawl knows an
        address. `order`: the rank of the page if its text is new.
        """
        text, same = page_text(record, fingerprint), None
        first = self._same_text(record, fingerprint, knows)
        if first is None:
            same = self._site_texts.find(text, lambda: not all(knows(link.url) for link in record.links))
            first = None if same is None or same.how == "alike" else self._instead.get(same.number, same.number)
        if first is None:
            record = replace(record, fingerprint=str(fingerprint), order=order)
            self._add_page(record, text)
            return Received(record, pages=1, on_topic=bool(record.on_topic), is_alike=same is not None)
        if same is not None:
            self._site_texts.add_copy(same, text)
        before = self._urls[first]
        is_back = before == record.url  # it was gone
        why = self._why_better(first, record, titles)
        if not why and not is_back:
            copy = _copy(record, before) if same is None else _says_no_more(record, before, knows)
            return Received(copy, copies=1)
        more = bool(record.on_topic) - bool(self._flags[first] & ON_TOPIC)
        rank = int(self._later[first]) + first + 1
        new = not rank  # a page without a rank was not counted
        record = replace(record, fingerprint=str(fingerprint), order=rank or order)
        if same is None:
            self._replace(first, fingerprint_record(record), fingerprint)
        else:
            self._instead[first] = self._add_page(record, text)
        replaced = None if is_back else CopyRecord(before, record.url, (COPIED, why) if why else (COPIED,))
        return Received(record, pages=new, on_topic=more, copies=int(not is_back), replaced=replaced)

    def again(self, record: PageRecord, fingerprint: Fingerprint | None, before: WantedRecord) -> PageRecord:
        """Decide what is recorded of a page that was fetched again. `fingerprint`: None if it is a redirect or not a
        page any more.

        A copy stays a copy as long as another page has its text. A page never becomes a copy here, but it is no result
        any more if it says what another page of its site says now (an error page, with the status 200).
        """
        if fingerprint is None:
            self.withdraw(before)
            return record
        text, first = page_text(record, fingerprint), self._exact(fingerprint)
        if first is None:
            same = self._site_texts.find(text, lambda: True)
            first = None if same is None or same.how == "alike" else self._instead.get(same.number, same.number)
        other = None if first is None or self._urls[first] == record.url else self._urls[first]
        if before.fingerprint is None and other is not None:
            return _copy(record, other)
        record = replace(record, fingerprint=str(fingerprint))
        number = self._number(before)
        if other is not None:
            record = replace(record, on_topic=False, reasons=(SAYS_NO_MORE, *record.reasons), content=None, mentions=())
        elif number is not None:
            self._site_texts.add(number, text)
        if number is not None:
            self._describe(number, fingerprint_record(record))
        return record

    def withdraw(self, before: WantedRecord) -> None:
        """Note that a page is gone or has moved: the next page with its text takes its place."""
        number = self._number(before)
        if number is not None:
            self._flags[number] = WITHDRAWN

    def _number(self, page: WantedRecord) -> int | None:
        number = None if page.fingerprint is None else self._first.get(read_fingerprint(page.fingerprint).exact)
        return number if number is not None and self._urls[number] == page.url else None

    def _exact(self, fingerprint: Fingerprint) -> int | None:
        first = self._first.get(fingerprint.exact)
        return first if first is None else self._instead.get(first, first)

    def _same_text(self, record: PageRecord, fingerprint: Fingerprint, knows: Callable[[str], bool]) -> int | None:
        """The number of the page with the same whole text."""
        first = self._exact(fingerprint)
        return self._near_copy(record, fingerprint, knows) if first is None else first

    def _add_page(self, record: PageRecord, text: PageText) -> int:
        """Add a page in its own right; returns its number."""
        number = len(self._urls)
        self._add(fingerprint_record(record))
        self._site_texts.add(number, text)
        return number

    def _near_copy(self, record: PageRecord, fingerprint: Fingerprint, knows: Callable[[str], bool]) -> int | None:
        first = None if fingerprint.near is None else self._near.find(fingerprint.near)
        if first is None or not all(knows(link.url) for link in record.links):
            return None
        return self._instead.get(first, first)

    def _why_better(self, first: int, record: PageRecord, titles: Collection[str]) -> Reason | None:
        """The rule by which the newcomer is better than the page so far; None if there is none."""
        before = self._urls[first]
        if self._canonicals.get(first) == _key(record.url):
            return Reason("the canonical name says so")
        if record.canonical and _key(record.canonical) == _key(before):
            return None
        withdrawn = bool(self._flags[first] & WITHDRAWN)
        if withdrawn != _is_withdrawn(record):
            return Reason("this address is gone or asks not to be a result") if withdrawn else None
        if f"{self._presents[first]:016x}" in titles:
            return Reason("a heading here links there by its title")
        here = view_of(before)
        return because("view", view=Reason(here)) if here and not view_of(record.url) else None

    def _add(self, stored: FingerprintRecord) -> None:
        number, text = len(self._urls), read_fingerprint(stored.fingerprint)
        self._urls.append(stored.url)
        self._flags.append(0)
        if number == len(self._later):
            self._later, self._presents = with_room(self._later), with_room(self._presents)
        self._describe(number, stored)
        if self._first.get(text.exact) is None:
            self._first.add(text.exact, number)
        self._near.add(text.near)

    def _replace(self, number: int, stored: FingerprintRecord, text: Fingerprint) -> None:
        """Give the number to another page. Later runs will know the text of that page only, so this run stores only
        that too.
        """
        if self._first.get(text.exact) is None:  # the text is only nearly the same
            assert text.near is not None
            self._first.forget(number)
            self._first.add(text.exact, number)
            self._near.change(number, text.near)
        self._urls[number] = stored.url
        self._describe(number, stored)

    def _describe(self, number: int, stored: FingerprintRecord) -> None:
        _put(self._later, number, (stored.order or 0) - number - 1)
        _put(self._presents, number, int(stored.presents, 16) if stored.presents else 0)
        if stored.canonical and stored.canonical != stored.url:
            self._canonicals[number] = _key(stored.canonical)
        else:
            self._canonicals.pop(number, None)
        self._flags[number] = ON_TOPIC * stored.on_topic + WITHDRAWN * stored.withdrawn


def _put(column: NDArray[Any], number: int, value: int) -> None:
    if column[number] != value:  # a 0 that is not written takes no memory
        column[number] = value


def fingerprint_record(record: PageRecord) -> FingerprintRecord:
    """What is stored about a page in order to recognise copies of it."""
    return FingerprintRecord(
        record.url,
        record.fingerprint or "",
        record.order,
        bool(record.on_topic),
        _is_withdrawn(record),
        record.canonical,
        record.presents,
    )


def page_text(record: PageRecord, fingerprint: Fingerprint) -> PageText:
    """What is compared of a page with others of its site."""
    links = hash(frozenset([link.url for link in record.links]))
    return PageText(record.url, record.canonical, tuple(read_pieces(fingerprint.pieces)), links)


def _is_withdrawn(record: PageRecord) -> bool:
    return record.content is None


def _key(url: str) -> int:
    """A hash of an address; `/` and `/index.html` have the same, because archives treat them as one page."""
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


def _says_no_more(record: PageRecord, page: str, knows: Callable[[str], bool]) -> PageRecord:
    """A copy by what it says itself. Its links to addresses that the crawl did not know stay: they may lead on."""
    copy = replace(_copy(record, page), links=tuple([link for link in record.links if not knows(link.url)]))
    return replace(copy, reasons=(SAYS_NO_MORE, *record.reasons))
