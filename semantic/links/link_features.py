"""What a link says of its target before anyone looks there: the words in and around its anchor, title and address."""

from collections.abc import Sequence
from typing import NamedTuple

from semantic.page import PARAGRAPH, Link, Page
from semantic.terms.term_matching import WINDOW, ConceptCounts, Matcher
from semantic.urls import words_of

CONTEXT = 60  # characters either side of the anchor
_KEPT = 50_000  # texts whose words are remembered: menus repeat on every page of a site
_APART = PARAGRAPH * (2 * WINDOW + 1)  # so far apart, no text decides how its neighbour is segmented


class LinkFeatures(NamedTuple):
    """Word indices (`Lexicon.words`), with repetitions: in the anchor or its title, around it, in the address."""

    anchor: tuple[int, ...]
    context: tuple[int, ...]
    address: tuple[int, ...]


NO_WORDS = LinkFeatures((), (), ())


class LinkReader:
    """Describes links. The page's mentions serve for anchors and contexts; other texts are matched and remembered."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._words: dict[str, tuple[int, ...]] = {}
        self._addresses: dict[str, str] = {}

    def describe(self, page: Page, counts: ConceptCounts) -> list[LinkFeatures]:
        """One description for each link of the page, in order; `counts`: of its text."""
        links, known = page.links, self._addresses.get
        addresses = [known(link.url) or self.words_of_address(link.url) for link in links]
        unwritten = [_unwritten(link) if link.title or link.start == link.end else "" for link in links]
        found = self._matched(addresses + unwritten)
        written = [_written(counts, link) for link in links]
        return [
            LinkFeatures(anchor + title, context, address) if anchor or title or context or address else NO_WORDS
            for (anchor, context), address, title in zip(written, found, found[len(links) :], strict=False)
        ]

    def words_of_address(self, url: str) -> str:
        """The words of an address, as text."""
        if len(self._addresses) > _KEPT:
            self._addresses.clear()
        words = self._addresses.get(url)
        if words is None:
            words = self._addresses[url] = words_of(url)
        return words

    def _matched(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        """The words in each text, whatever stands beside it; all that are new are matched in one pass."""
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


def _written(counts: ConceptCounts, link: Link) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The words in the link's text, and those around it."""
    start, end = link.start, link.end
    near = counts.between(start - CONTEXT, end + CONTEXT)
    if not near:
        return (), ()
    anchor = tuple([m.word for m in near if m.start >= start and m.end <= end])
    context = tuple([m.word for m in near if m.end <= start or m.start >= end])
    return anchor, context


def _unwritten(link: Link) -> str:
    """What a link says beside its anchor text: the image's alt where there is no text, and its title."""
    alt = link.anchor if link.start == link.end else ""
    title = link.title if link.title != link.anchor else ""
    return f"{alt}{PARAGRAPH}{title}" if alt and title else alt or title
