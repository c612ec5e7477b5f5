"""What a link says about its target: the words in its anchor and title, around it, and in its address."""

from collections.abc import Sequence
from typing import NamedTuple

from semantic.compiled import loops
from semantic.page import PARAGRAPH, Link, Page
from semantic.terms.term_matching import WINDOW, ConceptCounts, Matcher
from semantic.urls import words_of

CONTEXT = 60  # characters on either side of the anchor; chosen, not measured
_KEPT = 50_000  # cached texts: menus repeat on every page of a site; chosen, not measured
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
        addresses = [known(link.url) or self.words_of_address(link.url) for link in links]
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
