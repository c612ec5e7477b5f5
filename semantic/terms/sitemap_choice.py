"""Which entries of a sitemap are queued: those whose addresses contain words of the topic, at most `ENTRIES`. Of a
sitemap index the most promising `SITEMAPS` are read.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from semantic.page import PARAGRAPH, SITEMAP_INDEX, Page
from semantic.terms.term_matching import WINDOW, Matcher, WordTable
from semantic.urls import words_of

# of a sitemap that are queued; chosen, not measured
ENTRIES = 1000
WORDS = 200  # characters of an address's words that are matched; chosen, not measured
MENTIONS = 150_000  # occurrences of the topic's words that are looked at: takes a second or two
# of an index that are read; chosen, not measured
SITEMAPS = 10
_AT_ONCE = 1000  # addresses matched in one pass; chosen, not measured
# longer than two windows, so that no address affects the segmentation of its neighbours
_APART = PARAGRAPH * (2 * WINDOW + 1)


def promising(page: Page, matcher: Matcher, table: WordTable) -> Page:
    """A sitemap reduced to the entries worth queueing, in its order."""
    worth = _worth([words_of(link.url) for link in page.links], matcher, table)
    best = sorted(range(len(page.links)), key=lambda i: (-worth[i], i))
    best = best[:SITEMAPS] if page.source == SITEMAP_INDEX else [i for i in best[:ENTRIES] if worth[i]]
    chosen = (page.links[i] for i in sorted(best))
    return replace(page, links=tuple(link._replace(order=order) for order, link in enumerate(chosen)))


def _worth(texts: Sequence[str], matcher: Matcher, table: WordTable) -> list[float]:
    """The summed weights of the topic's words in each text, many texts matched in one pass; 0 after `MENTIONS` hits."""
    worth: list[float] = []
    mentions = 0
    for first in range(0, len(texts), _AT_ONCE):
        some = [text[:WORDS] for text in texts[first : first + _AT_ONCE]] if mentions < MENTIONS else []
        ends = list(accumulate(len(text) + len(_APART) for text in some))
        hits = matcher.find(_APART.join(some))
        mentions += len(hits)
        at = len(worth)
        worth += [0.0] * len(texts[first : first + _AT_ONCE])
        for hit in hits:
            while hit.start >= ends[at - first]:
                at += 1
            worth[at] += max(table.weight[word] or bool(table.layer[word]) for word in hit.words)
    return worth
