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
from semantic.learning.feature_hashing import begun, first_numbers, near_numbers, token, word_characters
from semantic.page import PARAGRAPH, Link, Page
from semantic.reasons import Evidence
from semantic.terms.term_matching import WINDOW, ConceptCounts, Matcher, WordTable
from semantic.urls import host_of, is_page_like, words_of

CONTEXT = 60  # characters on either side of the anchor; chosen, not measured
_KEPT = 20_000  # cached texts: menus repeat on every page of a site; chosen, not measured
# longer than two windows, so that no text affects the segmentation of its neighbours
_APART = PARAGRAPH * (2 * WINDOW + 1)

PLACE_SLOTS = 16  # hashed words of an address; chosen, not measured
LEVELS = 4  # directories distinguished below the host: ../shared/research/orders.md
_ENDING = 8  # characters of an ending that are used; chosen, not measured
_LONGEST = 8  # parameters in a way; chosen, not measured
_FOLDERS_KEPT = 10_000  # cached directories; chosen, not measured
_NUMBER = re.compile(r"[0-9]+")
_VALUE = re.compile("=[^&]*")  # of a parameter


class Address(NamedTuple):
    """What an address says.

    - `words`: its words as text (`semantic.urls.words_of`).
    - `tokens`: hashed words, of its ending, its host and directories, then its own: int32 bytes in PLACE_SLOTS slots.
    - `chain`: host, directories of levels 1 to 4, its directory if deeper; '' if missing.
    - `depth`: number of directories.
    - `way`: see `query_way`.
    - `page_like`: whether it may be a page (`semantic.urls.is_page_like`).
    """

    words: str
    tokens: bytes
    chain: tuple[str, ...]
    depth: int
    way: str
    page_like: bool


def addresses_in_python(urls: Sequence[str]) -> list[Address]:
    """What each of some normalised addresses says."""
    return list(map(address_of, urls))


def addresses_compiled(urls: Sequence[str]) -> list[Address]:
    """The same in C."""
    if len(_folders) > _FOLDERS_KEPT:
        _folders.clear()
    starts = tuple(map(begun, ("address", "ending", "host", "depth", "folder")))
    found: list[Address] = loops.read_addresses(
        tuple(urls), word_characters(), starts, _folders, words_of, query_way, is_page_like, Address, address_of
    )
    return found


read_addresses = addresses_compiled if loops else addresses_in_python


def address_of(url: str) -> Address:
    """What one address says; never fails."""
    host, _, path = url.partition("://")[2].partition("/")
    path, mark, _ = path.partition("?")
    folder, _, name = (path, "", "") if mark else path.rpartition("/")
    chain, depth, standing = _folder(f"{host}/{folder}" if folder else host)
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    words = words_of(url)
    own = first_numbers("address", words, PLACE_SLOTS - 1 - len(standing) // 4)
    tokens = _as_bytes([token("ending", ending[:_ENDING])]) + standing + own
    return Address(words, tokens.ljust(4 * PLACE_SLOTS, b"\0"), chain, depth, query_way(url), is_page_like(url))


def _as_bytes(numbers: list[int]) -> bytes:
    return struct.pack(f"={len(numbers)}i", *numbers)


Folder = tuple[tuple[str, ...], int, bytes]  # chain, number of directories, their hashed words
_folders: dict[str, Folder] = {}


def _folder(key: str) -> Folder:
    """What a directory says, `host/a/b`, cached."""
    if key in _folders:
        return _folders[key]
    host, *folders = key.split("/")
    depth = len(folders)
    levels = ["/".join([host, *folders[:level]]) if depth >= level else "" for level in range(1, LEVELS + 1)]
    found = [token("host", host), token("depth", str(depth))]
    found += [token("folder", level) for level in levels if level]
    if len(_folders) > _FOLDERS_KEPT:
        _folders.clear()
    _folders[key] = (host, *levels, key if depth > LEVELS else ""), depth, _as_bytes(found)
    return _folders[key]


def query_way(url: str) -> str:
    """The way of an address with a query: its host and the names of its parameters; '' for others."""
    address, mark, query = url.partition("://")[2].partition("?")
    return f"{address.partition('/')[0]}?{_names(_VALUE.sub('', query))}" if mark else ""


@lru_cache(maxsize=1000)
def _names(parameters: str) -> str:
    return "&".join(sorted({_NUMBER.sub("#", name) for name in parameters.split("&")})[:_LONGEST])


Words = tuple[int, ...]


class LinkFeatures(NamedTuple):
    """Indices into `Lexicon.words`, with repetitions: words in the anchor or its title, around it, and in the
    address.
    """

    anchor: Words
    context: Words
    address: Words


NO_WORDS = LinkFeatures((), (), ())


class LinkReader:
    """Describes links. For anchors and contexts the page's mentions are used; other texts are matched here and
    cached.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._addresses: dict[str, tuple[Address, Words]] = {}
        self._titles: dict[str, Words] = {"": ()}

    def describe(self, page: Page, counts: ConceptCounts) -> list[LinkFeatures]:
        """One description for each link of the page, in order. `counts`: the mentions in the page's text."""
        return self.read(page, counts)[0]

    def read(self, page: Page, counts: ConceptCounts) -> tuple[list[LinkFeatures], tuple[Address, ...]]:
        """The same, and what the address of each link says."""
        links, known, titles = page.links, self._addresses, self._titles
        if not links:
            return [], ()
        if len(known) > _KEPT:
            known.clear()
        if len(titles) > _KEPT:
            titles.clear()
            titles[""] = ()
        urls = [link[0] for link in links]
        unwritten = [_unwritten(link) if link[2] or link[3] == link[4] else "" for link in links]  # title, start, end
        new = [url for url in dict.fromkeys(urls) if url not in known]
        new_titles = [title for title in dict.fromkeys(unwritten) if title not in titles]
        if new or new_titles:
            read = read_addresses(new)
            found = self._matched([address.words for address in read] + new_titles)
            known.update(zip(new, zip(read, found, strict=False), strict=True))
            titles.update(zip(new_titles, found[len(new) :], strict=True))
        addresses, in_addresses = zip(*map(known.__getitem__, urls), strict=True)
        return described(counts, links, in_addresses, tuple(map(titles.__getitem__, unwritten))), addresses

    def _matched(self, texts: Sequence[str]) -> list[Words]:
        """The lexicon's words in each text by itself; all are matched in one pass."""
        found: dict[int, list[int]] = {}
        ends, length = [], 0
        for text in texts:
            length += len(text) + len(_APART)
            ends.append(length)
        at = 0
        for hit in self._matcher.find(_APART.join(texts)):
            while hit.start >= ends[at]:
                at += 1
            found.setdefault(at, []).extend(hit.words)
        return [tuple(found.get(index, ())) for index in range(len(texts))]


Found = tuple[Words, ...]


def described_in_python(
    counts: ConceptCounts, links: Sequence[Link], addresses: Found, titles: Found
) -> list[LinkFeatures]:
    """One description for each link. `addresses`, `titles`: the lexicon's words in each address and title."""
    found = []
    for link, address, title in zip(links, addresses, titles, strict=True):
        anchor, context = _written(counts, link)
        has_words = anchor or title or context or address
        found.append(LinkFeatures(anchor + title, context, address) if has_words else NO_WORDS)
    return found


def described_compiled(
    counts: ConceptCounts, links: Sequence[Link], addresses: Found, titles: Found
) -> list[LinkFeatures]:
    """The same in C."""
    found: list[LinkFeatures] = loops.describe_links(counts.mentions, links, addresses, titles, CONTEXT, NO_WORDS)
    return found


described = described_compiled if loops else described_in_python


def _written(counts: ConceptCounts, link: Link) -> tuple[Words, Words]:
    """The lexicon's words in the link's text, and those around it."""
    start, end = link.start, link.end
    near = counts.between(start - CONTEXT, end + CONTEXT)
    anchor = tuple([m.word for m in near if m.start >= start and m.end <= end])
    context = tuple([m.word for m in near if m.end <= start or m.start >= end])
    return anchor, context


def _unwritten(link: Link) -> str:
    """What a link says apart from its anchor text: the image's alt text if there is no anchor text, and its title."""
    alt = link.anchor if link.start == link.end else ""
    title = link.title if link.title != link.anchor else ""
    return f"{alt}{PARAGRAPH}{title}" if alt and title else alt or title


ANCHOR_SLOTS, CONTEXT_SLOTS, TEMPLATE_SLOTS = 16, 12, 4  # words of anchor, context and template; chosen, not measured
CONTEXT_AT = PLACE_SLOTS + ANCHOR_SLOTS
TEMPLATE_AT = CONTEXT_AT + CONTEXT_SLOTS
SLOTS = TEMPLATE_AT + TEMPLATE_SLOTS
ANCHORS = 1 << 17  # groups that anchor texts are hashed to; chosen, not measured
NO_LINK = bytes(4 * (SLOTS - PLACE_SLOTS))
_ANCHOR_TOKENS = 12  # words of one link's anchor that are used; chosen, not measured
_HALF = CONTEXT_SLOTS // 2
MASSES = ("anchor", "context", "address", "layer 1", "layer 2")
_TEXT = 80  # characters that distinguish anchors; chosen, not measured
_NO_MASSES = (0.0,) * len(MASSES)
_PATH = 2  # tags at the end of a DOM path that form a template: ../shared/research/orders.md
Value = TypeVar("Value", bound=Any)
_REMEMBERED = 20_000  # descriptions whose weights are cached, about 6 MB: menus repeat on every page


class LinkMasses(NamedTuple):
    """What the words of a link come to: their weights as `MASSES` has them, and the words as evidence."""

    masses: tuple[float, ...]
    named: Evidence


_NOTHING = LinkMasses(_NO_MASSES, ())


@lru_cache(maxsize=10_000)
def template_tokens(path: str) -> bytes:
    """A template and its last tag, as bytes."""
    return struct.pack(f"={TEMPLATE_SLOTS}i", token("path", path), token("tag", path.rpartition("/")[2]), 0, 0)


def anchor_number(text: str) -> int:
    """The number of the group of links with this anchor text, 0 for no text."""
    return crc32(text.encode("utf-8", "replace")) % (ANCHORS - 1) + 1 if text else 0


class LinkRowsReader:
    """Builds the rows of pages."""

    def __init__(self, table: WordTable, reader: LinkReader) -> None:
        self._table = table
        self._reader = reader
        self._said: dict[LinkFeatures, LinkMasses] = {}

    def read(self, page: Page, counts: ConceptCounts, texts: bool = True) -> LinkRows:
        """One row for each target, in the order of the page, without the page itself. `texts`: with the columns of text
        for the record and for people.
        """
        described, addresses = self._reader.read(page, counts)
        said = [_NOTHING if features is NO_WORDS else self._said_by(features) for features in described]
        return link_rows(page, addresses, said, texts=texts)

    def _said_by(self, features: LinkFeatures) -> LinkMasses:
        said = self._said.get(features)
        if said is None:
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            named = self._table.describe(word for words in features for word in words)
            said = self._said[features] = LinkMasses(self._masses(features), named)
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


def rows_in_python(page: Page, addresses: Sequence[Address], said: Sequence[LinkMasses], *, texts: bool) -> LinkRows:
    """One row for each target. `addresses`, `said`: of each link."""
    best: dict[str, tuple[Link, LinkMasses]] = {}
    first: list[tuple[Link, Address]] = []
    for link, address, words in zip(page.links, addresses, said, strict=True):
        if link.url == page.url or not address.page_like:
            continue
        if link.url not in best:
            first.append((link, address))
            best[link.url] = link, words
        elif _ranked(link, words) > _ranked(*best[link.url]):
            best[link.url] = link, words
    n, host = len(first), host_of(page.url)
    firsts, addresses = [link for link, _ in first], [address for _, address in first]
    bests, said = [link for link, _ in best.values()], [words for _, words in best.values()]
    anchors = [(link.anchor or link.title)[:_TEXT] for link in bests]
    templates = [f"{host} {'/'.join(link.dom_path.rsplit('/', _PATH)[-_PATH:])}" for link in bests]
    own_templates, template = _each_once(templates)
    folders, folder = _each_once([address.chain for address in addresses])
    queries, query = _each_once([address.way for address in addresses])
    tokens = bytearray().join(map(_tokens, addresses, bests, anchors, templates))
    contexts = [f"{link.before}{link.anchor}{link.after}".replace(PARAGRAPH, " ") for link in firsts]
    return LinkRows(
        tuple(best),
        tuple([link.anchor for link in firsts]) if texts else (),
        tuple(contexts) if texts else (),
        tuple([link.order for link in firsts]) if texts else (),
        tuple([words.named for words in said]) if texts else (),
        own_templates,
        folders,
        queries,
        template,
        folder,
        query,
        np.array([address.depth for address in addresses], np.int32),
        np.array(list(map(anchor_number, anchors)), np.int32),
        np.frombuffer(tokens, np.int32).reshape(n, SLOTS),
        np.array([words.masses for words in said], np.float32).reshape(n, len(MASSES)),
        np.array([address.chain[0] != host for address in addresses], bool),
        np.array([link.order / len(page.links) for link in bests], np.float32),
    )


def rows_compiled(page: Page, addresses: Sequence[Address], said: Sequence[LinkMasses], *, texts: bool) -> LinkRows:
    """The same in C."""
    *columns, ints, tokens, floats, foreign = loops.link_rows(
        page.links,
        addresses,
        tuple(said),
        page.url,
        host_of(page.url),
        texts,
        word_characters(),
        begun("word"),
        begun("near"),
        template_tokens,
    )
    n = len(foreign)
    numbers = np.frombuffer(floats, np.float32)
    arrays = (
        *np.frombuffer(ints, np.int32).reshape(5, n),
        np.frombuffer(tokens, np.int32).reshape(n, SLOTS),
        numbers[: n * len(MASSES)].reshape(n, len(MASSES)),
        np.frombuffer(foreign, bool),
        numbers[n * len(MASSES) :],
    )
    return LinkRows(*columns, *arrays)


link_rows = rows_compiled if loops else rows_in_python


def _ranked(link: Link, words: LinkMasses) -> tuple[float, bool]:
    return words.masses[0], bool(link.anchor)


def _tokens(address: Address, link: Link, anchor: str, template: str) -> bytes:
    """The hashed words of a link: of its address, its anchor, the text around it if it has an anchor, its template."""
    near = near_numbers("near", link.before, link.after, _HALF) if anchor else bytes(4 * CONTEXT_SLOTS)
    said = first_numbers("word", anchor, _ANCHOR_TOKENS).ljust(4 * ANCHOR_SLOTS, b"\0")
    return address.tokens + said + near + template_tokens(template)


def _each_once(values: Sequence[Value]) -> tuple[tuple[Value, ...], Ints]:
    """The distinct values in order of first occurrence, and for each value its index among them."""
    distinct = tuple(dict.fromkeys(values))
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    return distinct, np.array(list(map(number.__getitem__, values)), np.int32)
