"""Words that lead to results: proposals for the predecessor layers 1 and 2.

A page off topic leads if it links to a page on topic, and that link is not in its host's menu. Its words are its title
and the anchors of links to it, in templates or not: `archives` and `research groups` are menu entries. The words of
pages that lead to results (layer 1), or to pages that lead there (layer 2), are compared with those of other pages off
topic, as terms are (`semantic.candidates.association`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semantic.candidates.association import expected_shares, log_likelihood
from semantic.candidates.own_text import ReadPage
from semantic.candidates.phrase_counts import Phrases, collect, stands_on
from semantic.candidates.term_candidates import stop_numbers
from semantic.candidates.termhood import occurrences
from semantic.candidates.token_stream import GAP, TokenStream, is_han, joined
from semantic.page import Page
from semantic.proposals.doubtful_words import SURE
from semantic.urls import host_of

EVERYWHERE = 0.2  # share of a host's pages that link to a target of its menu; chosen, not measured
FEWEST = 3  # leading pages that must have a word; chosen, not measured
# share of a word's occurrences in which it must be the whole anchor or title, as menu entries are; chosen, not measured
WHOLE = 0.5
# with this many hosts, a word must occur on two: what only one has is its own name or series; chosen, not measured
MANY_HOSTS = 5
_LONGEST = 100  # characters of an anchor or title; chosen, not measured


@dataclass(frozen=True, slots=True)
class Leading:
    """A word for a layer. `key`: folded; `layer`: 1 or 2; `leads`, `others`: pages off topic with it that lead, and
    that do not.

    `urls`: the pages that lead.
    """

    key: str
    layer: int
    leads: int
    others: int
    score: float
    urls: tuple[str, ...]


class LinkWords:
    """Collects links among all pages of a crawl, listings included, and their anchors."""

    def __init__(self, pages: Iterable[ReadPage]) -> None:
        self._pages = frozenset(read.url for read in pages)
        self._targets: dict[str, frozenset[str]] = {}
        self._anchors: defaultdict[str, set[str]] = defaultdict(set)
        self._off: dict[str, str] = {}  # page off topic -> its title
        self._on: set[str] = set()

    def add(self, read: ReadPage, page: Page) -> None:
        """Add one of the pages."""
        if read.counts_for:
            self._on.add(read.url)
        else:
            self._off[read.url] = page.title
        self._targets[read.url] = self._pages.intersection(link.url for link in page.links)
        for link in page.links:
            if link.url in self._pages and 0 < len(link.anchor) <= _LONGEST:
                self._anchors[link.url].add(link.anchor)

    def leading(self, known: Set[str]) -> list[Leading]:
        """The words of both layers, surest first. `known`: keys of words that the ontology has."""
        targets = self._outside_menus()
        first = {url for url in self._off if not self._on.isdisjoint(targets[url])}
        second = {url for url in self._off if url not in first and not first.isdisjoint(targets[url])}
        words = {url: self._words(url) for url in self._off}
        found = [*_words_of_layer(words, first, 1, known), *_words_of_layer(words, second, 2, known, apart=first)]
        best: dict[str, Leading] = {}
        for one in sorted(found, key=lambda one: (-one.score, one.key)):
            best.setdefault(one.key, one)
        return list(best.values())

    def _outside_menus(self) -> Mapping[str, frozenset[str]]:
        hosts = {url: host_of(url) for url in self._targets}
        pages = Counter(hosts.values())
        linking: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for url, found in self._targets.items():
            linking[hosts[url]].update(found)
        menus = {
            host: {target for target, times in found.items() if times > max(2, EVERYWHERE * pages[host])}
            for host, found in linking.items()
        }
        return {url: found - menus[hosts[url]] for url, found in self._targets.items()}

    def _words(self, url: str) -> list[str]:
        return [self._off[url], *sorted(self._anchors.get(url, ()))]


def _words_of_layer(
    words: Mapping[str, Sequence[str]], leads: Set[str], layer: int, known: Set[str], apart: Iterable[str] = ()
) -> list[Leading]:
    left = words.keys() - set(apart)
    urls = [url for url in words if url in left]
    stream = TokenStream()
    rows = [stream.read(words[url]) for url in urls]
    lead = np.array([url in leads for url in urls])
    if lead.sum() < FEWEST:
        return []
    stop = stop_numbers(stream.words)
    border = np.array([not one and not word.isdecimal() for one, word in zip(stop, stream.words, strict=True)])
    border[GAP] = False
    phrases = collect([row for row, one in zip(rows, lead, strict=True) if one], border, FEWEST)
    count = len(phrases.hashes)
    if not count:
        return []
    page, row = stands_on(phrases, rows)
    ones = np.ones(len(urls))
    shares = expected_shares([host_of(url) for url in urls], lead.astype(float), ones)
    on = np.bincount(row, lead[page].astype(float), count).astype(float)
    every = np.bincount(row, minlength=count).astype(float)
    expected = np.bincount(row, shares[page], count).astype(float)
    score = log_likelihood(on, expected, every, float(lead.sum()), float(len(urls)))
    whole = _whole_shares(phrases)
    few_hosts = 2 if len(set(map(host_of, urls))) >= MANY_HOSTS else 1
    found: list[Leading] = []
    for number in np.argsort(-score, kind="stable").tolist():
        own = [stream.words[word] for word in phrases.words(number)]
        key = joined(own)
        if score[number] < SURE or len(found) >= 100:
            break
        if (
            whole[number] < WHOLE
            or key in known
            or (len(key) < 2 or (len(own) == 1 and not is_han(key) and len(key) < 3))
        ):
            continue
        if any(f" {key} " in f" {other.key} " or f" {other.key} " in f" {key} " for other in found):
            continue
        where = tuple(urls[one] for one in page[row == number].tolist() if lead[one])
        if len(set(map(host_of, where))) < few_hosts:
            continue
        found.append(Leading(key, layer, int(on[number]), int(every[number] - on[number]), float(score[number]), where))
    return found


def _whole_shares(phrases: Phrases) -> NDArray[np.float64]:
    places = occurrences(phrases)
    ends = places.place + phrases.sizes[places.row]
    stream = np.append(phrases.stream, GAP)
    whole = (stream[places.place - 1] == GAP) & (stream[ends] == GAP)
    count = len(phrases.hashes)
    result: NDArray[np.float64] = np.bincount(places.row[whole], minlength=count) / phrases.times
    return result
