"""What a page says about the pages it links to: the rows of its frame.

One row for each target. For the strategy it describes the best link to the target on the page (most topic words in the
anchor, then the longest text), for the record the first.

`LinkReader` finds the topic's words in a link's anchor and title, around it, and in its address, for every strategy.
`LinkRowsReader` makes the rows.

In a row a link is described by its anchor text, the words around it, and the place where a site's program puts it
(`template`). Words are numbers in a fixed number of slots (`waiting_addresses`), 0 for empty slots. They are stored as
bytes of int32, so that the rows of a page are built by joining bytes.

An address stands below its host and a chain of directories: a site's directories group its pages. Pages that differ
only in a query stand in the directory of their script.
"""

import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

import numpy as np

from semantic.compiled import loops
from semantic.frame import Ints, LinkRows
from semantic.learning.feature_hashing import first_numbers, first_rows, near_rows, token
from semantic.page import PARAGRAPH, Link, Page
from semantic.terms.term_matching import WINDOW, ConceptCounts, Matcher, WordTable
from semantic.urls import host_of, is_page_like, words_of

CONTEXT = 60  # characters on either side of the anchor; chosen, not measured
_KEPT = 20_000  # cached texts: menus repeat on every page of a site; chosen, not measured
# longer than two windows, so that no text affects the segmentation of its neighbours
_APART = PARAGRAPH * (2 * WINDOW + 1)


class LinkFeatures(NamedTuple):
    """Indices into `Lexicon.words`, with repetitions: words in the anchor or its title, around it, and in the
    address.
    """

    anchor: tuple[int, ...]
    context: tuple[int, ...]
    address: tuple[int, ...]


NO_WORDS = LinkFeatures((), (), ())


class LinkReader:
    """Describes links. For anchors and contexts the page's mentions are used; other texts are matched here and
    cached.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._words: dict[str, tuple[int, ...]] = {}
        self._addresses: dict[str, str] = {}

    def describe(self, page: Page, counts: ConceptCounts) -> list[LinkFeatures]:
        """One description for each link of the page, in order. `counts`: the mentions in the page's text."""
        links, known = page.links, self._addresses.get
        addresses = [known(link[0]) or self.words_of_address(link[0]) for link in links]  # its url
        unwritten = [_unwritten(link) if link.title or link.start == link.end else "" for link in links]
        found = self._matched(addresses + unwritten)
        written = written_words(counts, links)
        return [
            LinkFeatures(anchor + title, context, address) if anchor or title or context or address else NO_WORDS
            for (anchor, context), address, title in zip(written, found, found[len(links) :], strict=False)
        ]

    def words_of_address(self, url: str) -> str:
        """The words of an address as text, cached."""
        if len(self._addresses) > _KEPT:
            self._addresses.clear()
        words = self._addresses.get(url)
        if words is None:
            words = self._addresses[url] = words_of(url)
        return words

    def _matched(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        """The lexicon's words in each text by itself; all texts not seen before are matched in one pass."""
        new = list(dict.fromkeys(text for text in texts if text and text not in self._words))
        if len(self._words) > _KEPT:
            self._words.clear()
            new = list(dict.fromkeys(filter(None, texts)))
        found: dict[int, list[int]] = {}
        ends, length = [], 0
        for text in new:
            length += len(text) + len(_APART)
            ends.append(length)
        at = 0
        for hit in self._matcher.find(_APART.join(new)):
            while hit.start >= ends[at]:
                at += 1
            found.setdefault(at, []).extend(hit.words)
        for index, text in enumerate(new):
            self._words[text] = tuple(found.get(index, ()))
        return [self._words[text] if text else () for text in texts]


Written = list[tuple[tuple[int, ...], tuple[int, ...]]]


def written_in_python(counts: ConceptCounts, links: Sequence[Link]) -> Written:
    """For each link the lexicon's words in its text, and those around it."""
    return [_written(counts, link) for link in links]


def written_compiled(counts: ConceptCounts, links: Sequence[Link]) -> Written:
    """The same in C."""
    found: Written = loops.words_near(counts.mentions, [link[3:5] for link in links], CONTEXT)  # start and end
    return found


written_words = written_compiled if loops else written_in_python


def _written(counts: ConceptCounts, link: Link) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lexicon's words in the link's text, and those around it."""
    start, end = link.start, link.end
    near = counts.between(start - CONTEXT, end + CONTEXT)
    if not near:
        return (), ()
    anchor = tuple([m.word for m in near if m.start >= start and m.end <= end])
    context = tuple([m.word for m in near if m.end <= start or m.start >= end])
    return anchor, context


def _unwritten(link: Link) -> str:
    """What a link says apart from its anchor text: the image's alt text if there is no anchor text, and its title."""
    alt = link.anchor if link.start == link.end else ""
    title = link.title if link.title != link.anchor else ""
    return f"{alt}{PARAGRAPH}{title}" if alt and title else alt or title


# words of address, anchor, context and template; chosen, not measured
PLACE_SLOTS, ANCHOR_SLOTS, CONTEXT_SLOTS, TEMPLATE_SLOTS = 16, 16, 12, 4
CONTEXT_AT = PLACE_SLOTS + ANCHOR_SLOTS
TEMPLATE_AT = CONTEXT_AT + CONTEXT_SLOTS
SLOTS = TEMPLATE_AT + TEMPLATE_SLOTS
ANCHORS = 1 << 17  # groups that anchor texts are hashed to; chosen, not measured
NO_LINK = bytes(4 * (SLOTS - PLACE_SLOTS))
_ANCHOR_TOKENS = 12  # words of one link's anchor that are used; chosen, not measured
_HALF = CONTEXT_SLOTS // 2
LEVELS = 4  # directories distinguished below the host: ../shared/research/orders.md
PLACE_TOKENS = 16  # hashed words of an address: as many as there are slots
MASSES = ("anchor", "context", "address", "layer 1", "layer 2")
_TEXT = 80  # characters that distinguish anchors; chosen, not measured
_NO_MASSES = (0.0,) * len(MASSES)
_PATH = 2  # tags at the end of a DOM path that form a template: ../shared/research/orders.md
_LONGEST = 8  # parameters in a way; chosen, not measured
_NUMBER = re.compile(r"[0-9]+")
Value = TypeVar("Value", bound=Any)
_REMEMBERED = 20_000  # descriptions whose weights are cached, about 6 MB: menus repeat on every page


class _Said(NamedTuple):
    """What the words of a link come to: their weights as `MASSES` has them, and the words for people."""

    masses: tuple[float, ...]
    named: str


_NOTHING = _Said(_NO_MASSES, "")


# parsed once: by the format's text it would be looked up for each address and each anchor
_AS_INTS = [struct.Struct(f"={count}i") for count in range(SLOTS + 1)]


def _padded(numbers: Sequence[int], slots: int) -> bytes:
    """The first `slots` numbers as int32 bytes, padded with 0."""
    some = numbers[:slots]
    return _AS_INTS[len(some)].pack(*some).ljust(4 * slots, b"\0")


def place_tokens(numbers: tuple[int, ...]) -> bytes:
    """The words of an address (`Place.tokens`) as bytes."""
    return _padded(numbers, PLACE_SLOTS)


@lru_cache(maxsize=10_000)
def template_tokens(path: str) -> bytes:
    """A template and its last tag, as bytes."""
    return _padded([token("path", path), token("tag", path.rpartition("/")[2])], TEMPLATE_SLOTS)


def anchor_number(text: str) -> int:
    """The number of the group of links with this anchor text, 0 for no text."""
    return crc32(text.encode("utf-8", "replace")) % (ANCHORS - 1) + 1 if text else 0


class Place(NamedTuple):
    """Where an address stands. `chain`: host, directories of levels 1 to 4, its directory if deeper; '' if missing.

    `depth`: number of directories; `tokens`: hashed words.
    """

    chain: tuple[str, ...]
    depth: int
    tokens: tuple[int, ...]


def place_of(url: str, said: str | None = None) -> Place:
    """Parse an address; never fails. `said`: its words (`words_of`), if already computed."""
    host, _, path = url.partition("://")[2].partition("/")
    path, query, _ = path.partition("?")
    folder, _, name = (path, "", "") if query else path.rpartition("/")
    chain, depth, found = _folder(host, folder)
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    own = first_numbers("address", words_of(url) if said is None else said, PLACE_TOKENS - 1 - len(found))
    return Place(chain, depth, (_ending(ending[:8]), *found, *own))


@lru_cache(maxsize=1000)
def _ending(text: str) -> int:
    return token("ending", text)


@lru_cache(maxsize=10_000)
def _folder(host: str, folder: str) -> tuple[tuple[str, ...], int, tuple[int, ...]]:
    folders = folder.split("/") if folder else []
    levels = ["/".join([host, *folders[:level]]) if len(folders) >= level else "" for level in range(1, LEVELS + 1)]
    parent = "/".join([host, *folders]) if len(folders) > LEVELS else ""
    found = [token("host", host), token("depth", str(len(folders)))]
    found += [token("folder", level) for level in levels if level]
    return (host, *levels, parent), len(folders), tuple(found)


class LinkRowsReader:
    """Builds the rows of pages."""

    def __init__(self, table: WordTable, reader: LinkReader) -> None:
        self._table = table
        self._reader = reader
        self._said: dict[LinkFeatures, _Said] = {}

    def read(self, page: Page, counts: ConceptCounts, texts: bool = True) -> LinkRows:
        """One row for each target, in the order of the page, without the page itself. `texts`: with the columns of text
        for the record and for people.
        """
        best: dict[str, tuple[Link, _Said]] = {}
        first: dict[str, Link] = {}
        for link, features in zip(page.links, self._reader.describe(page, counts), strict=True):
            if link.url not in first:
                if not is_page_like(link.url):
                    continue
                first[link.url] = link
                best[link.url] = (link, self._said_by(features))
                continue
            said, (previous, previous_said) = self._said_by(features), best[link.url]
            if (said.masses[0], bool(link.anchor)) > (previous_said.masses[0], bool(previous.anchor)):
                best[link.url] = (link, said)
        if best.pop(page.url, None):
            del first[page.url]
        return self._rows(page, list(first.values()), list(best.values()), texts=texts)

    def _rows(self, page: Page, first: list[Link], best: list[tuple[Link, _Said]], *, texts: bool) -> LinkRows:
        n, host = len(first), host_of(page.url)
        targets = [link.url for link in first]
        said = [_target(url, self._reader.words_of_address(url)) for url in targets]
        anchors = [(link.anchor or link.title)[:_TEXT] for link, _ in best]
        templates = [_template(host, link.dom_path) for link, _ in best]
        own_templates, template = _each_once(templates)
        folders, folder = _each_once([target.chain for target in said])
        queries, query = _each_once([target.query for target in said])
        return LinkRows(
            tuple(targets),
            tuple([link.anchor for link in first]) if texts else (),
            tuple([f"{link.before}{link.anchor}{link.after}".replace(PARAGRAPH, " ") for link in first])
            if texts
            else (),
            tuple([link.order for link in first]) if texts else (),
            tuple([words.named for _, words in best]) if texts else (),
            own_templates,
            folders,
            queries,
            template,
            folder,
            query,
            np.array([target.depth for target in said], np.int32),
            np.array(list(map(anchor_number, anchors)), np.int32),
            _tokens(said, anchors, [link for link, _ in best], templates),
            np.array([words.masses for _, words in best], np.float32).reshape(n, len(MASSES)),
            np.array([target.host != host for target in said], bool),
            np.array([link.order / max(1, len(page.links)) for link, _ in best], np.float32),
        )

    def _said_by(self, features: LinkFeatures) -> _Said:
        if features == NO_WORDS:
            return _NOTHING
        said = self._said.get(features)
        if said is None:
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            named = self._table.describe(word for words in features for word in words)
            said = self._said[features] = _Said(self._masses(features), named)
        return said

    def _masses(self, features: LinkFeatures) -> tuple[float, ...]:
        weight, layer = self._table.weight, self._table.layer

        def sum_of(words: Sequence[int]) -> float:
            return sum([weight[word] for word in words]) if words else 0.0

        layers = [0.0, 0.0]
        for numbers, share in ((features.anchor, 1.0), (features.context, 0.5)):
            for word in numbers:
                if 0 < layer[word] <= 2:
                    layers[layer[word] - 1] += share
        return (sum_of(features.anchor), sum_of(features.context), sum_of(features.address), *layers)


def _tokens(said: list["_Target"], anchors: list[str], links: list[Link], templates: list[str]) -> Ints:
    """The hashed words of each link: of its address, its anchor, the text around it if it has an anchor, its template.
    Each column is computed for all links of a page at once.
    """
    before = [link.before if text else "" for link, text in zip(links, anchors, strict=True)]
    after = [link.after if text else "" for link, text in zip(links, anchors, strict=True)]
    columns = (
        (b"".join([target.tokens for target in said]), PLACE_SLOTS),
        (first_rows("word", anchors, _ANCHOR_TOKENS, ANCHOR_SLOTS), ANCHOR_SLOTS),
        (near_rows("near", before, after, _HALF), CONTEXT_SLOTS),
        (b"".join(map(template_tokens, templates)), TEMPLATE_SLOTS),
    )
    return np.concatenate([np.frombuffer(rows, np.int32).reshape(-1, slots) for rows, slots in columns], axis=1)


def _each_once(values: Sequence[Value]) -> tuple[tuple[Value, ...], Ints]:
    """The distinct values in order of first occurrence, and for each value its index among them."""
    distinct = tuple(dict.fromkeys(values))
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    return distinct, np.array(list(map(number.__getitem__, values)), np.int32)


class _Target(NamedTuple):
    """What an address says itself: words as bytes, chain of directories, their number, way of its query, host."""

    tokens: bytes
    chain: tuple[str, ...]
    depth: int
    query: str
    host: str


@lru_cache(maxsize=20_000)  # more than half of all links lead to addresses that were linked before
def _target(url: str, said: str) -> _Target:
    place = place_of(url, said)
    return _Target(place_tokens(place.tokens), place.chain, place.depth, query_way(url), host_of(url))


@lru_cache(maxsize=10_000)
def _template(host: str, path: str) -> str:
    return f"{host} {'/'.join(path.rsplit('/', _PATH)[-_PATH:])}"


def query_way(url: str) -> str:
    """The way of an address with a query, as text; '' for others."""
    address, mark, query = url.partition("://")[2].partition("?")
    return f"{address.partition('/')[0]}?{_names(query)}" if mark else ""


@lru_cache(maxsize=10_000)
def _names(query: str) -> str:
    return "&".join(sorted({_NUMBER.sub("#", part.partition("=")[0]) for part in query.split("&")})[:_LONGEST])
