"""Words that their writers have marked: as the whole text of a link, or of something emphasised.

What people link by itself, tag a page with, or print in bold is mostly a term of its field (R. Mihalcea and A. Csomai,
Wikify!, CIKM 2007: how often a phrase is a link is the best sign that it is a term). Menus are left out: an anchor that
stands on a fifth of a host's pages.
"""

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from semantic.candidates.own_text import ReadPage
from semantic.candidates.phrase_counts import Phrases, whole_hashes
from semantic.candidates.token_stream import Ids, TokenStream
from semantic.page import Page, Position
from semantic.urls import host_of

Floats = NDArray[np.float64]

EVERYWHERE = 0.2  # of a host's pages: what so many link by is in its menu
FEW = 2  # pages that may have it on a small host, too
LONG = 60  # characters, beyond which it is no term
_EMPHASIS = (Position.STRONG, Position.EMPHASIS)


class MarkedWords:
    """Takes the pages of a crawl one after the other, listings too."""

    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()
        self._anchors: defaultdict[str, Counter[str]] = defaultdict(Counter)  # host -> text -> pages,
        self._anchors_on: defaultdict[str, Counter[str]] = defaultdict(Counter)  # and those on topic
        self._emphasised: Counter[str] = Counter()  # text -> pages on topic

    def add(self, read: ReadPage, page: Page) -> None:
        """One page as it was read."""
        host = host_of(read.url)
        self._pages[host] += 1
        anchors = {link.anchor for link in page.links if 0 < len(link.anchor) <= LONG}
        self._anchors[host].update(anchors)
        if read.counts_for:
            self._anchors_on[host].update(anchors)
            spans = (page.text[start:end].strip() for start, end, kind in page.spans if kind in _EMPHASIS)
            self._emphasised.update({text for text in spans if text and len(text) <= LONG})

    def counts(self, phrases: Phrases, stream: TokenStream, singular: Ids) -> tuple[Floats, Floats, Floats]:
        """For each phrase ln(1 + pages) that link by it, that do so and are on topic, and that emphasise it."""
        links: Counter[str] = Counter()
        links_on: Counter[str] = Counter()
        for host, anchors in self._anchors.items():
            most, on = max(FEW, EVERYWHERE * self._pages[host]), self._anchors_on[host]
            for text, pages in anchors.items():
                if pages <= most:
                    links[text] += pages
                    links_on[text] += on[text]
        texts = list(dict.fromkeys([*links, *self._emphasised]))
        rows = phrases.find(whole_hashes(stream.numbers(texts), singular))  # each text as a whole; -1: no phrase
        found = []
        for counts in (links, links_on, self._emphasised):
            known = np.array([counts[text] for text in texts], float)
            sums = np.bincount(rows[rows >= 0], known[rows >= 0], len(phrases.hashes))
            found.append(np.log1p(sums))
        return found[0], found[1], found[2]
