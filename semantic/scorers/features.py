"""What a link says of its target before anyone looks there: the words in and around its anchor, title and address."""

from collections.abc import Sequence
from dataclasses import dataclass

from semantic.addresses import words_of
from semantic.matching import WINDOW, Matcher
from semantic.page import PARAGRAPH, Link
from semantic.scorers.scorer import JudgedPage

CONTEXT = 60  # characters either side of the anchor
_KEPT = 50_000  # texts whose words are remembered: menus repeat on every page of a site
_APART = PARAGRAPH * (2 * WINDOW + 1)  # so far apart, no text decides how its neighbour is segmented


@dataclass(frozen=True, slots=True)
class LinkFeatures:
    """Word indices (`Lexicon.words`), with repetitions: in the anchor or its title, around it, in the address."""

    anchor: tuple[int, ...]
    context: tuple[int, ...]
    address: tuple[int, ...]


class LinkReader:
    """Describes links. The page's mentions serve for anchors and contexts; other texts are matched and remembered."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._words: dict[str, tuple[int, ...]] = {}

    def describe(self, judged: JudgedPage) -> list[LinkFeatures]:
        """One description for each link of the page, in order."""
        links = judged.page.links
        addresses = self._matched([words_of(link.url) for link in links])
        titles = self._matched([_unwritten(link) for link in links])
        return [
            LinkFeatures(self._within(judged, link) + title, self._around(judged, link), address)
            for link, title, address in zip(links, titles, addresses, strict=True)
        ]

    @staticmethod
    def _within(judged: JudgedPage, link: Link) -> tuple[int, ...]:
        return tuple(mention.word for mention in judged.counts.between(link.start, link.end))

    @staticmethod
    def _around(judged: JudgedPage, link: Link) -> tuple[int, ...]:
        before = judged.counts.between(link.start - CONTEXT, link.start)
        after = judged.counts.between(link.end, link.end + CONTEXT)
        return tuple(mention.word for mention in (*before, *after))

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


def _unwritten(link: Link) -> str:
    """What a link says beside its anchor text: the image's alt where there is no text, and its title."""
    alt = link.anchor if link.start == link.end else ""
    title = link.title if link.title != link.anchor else ""
    return f"{alt}{PARAGRAPH}{title}" if alt and title else alt or title
