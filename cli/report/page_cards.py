"""The best pages of a crawl as cards: what each says of the topic, with the words that were found."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from cli.inputs.crawl_topic import About
from cli.recorded.recorded_verdicts import Verdict
from graphdb.stores import Store
from semantic.page import Page, Position
from semantic.parsing.page_reader import unpack
from semantic.parsing.repeated_blocks import own_parts
from semantic.reasons import Reason
from semantic.segmentation.word_segmentation import open_segmenter
from semantic.terms.term_matching import Matcher, TermHit
from semantic.urls import readable

MOST = 40  # cards
TOLD = 6  # reasons of a card
BROKEN_OFF = 0.3  # what words in a piece of text count that is no whole sentence
LOOKED_AT = 1000  # words of the topic in a page: the sum of all distances between them is still quick
LONGEST = 40  # characters of a word that is not cut; chosen, not measured
REACH = 240  # characters that are shown of a text, about three lines of a card
_NOT_TEXT = (Position.ANCHOR, Position.TITLE, Position.H1, Position.H2)
_ENDS = ("。", "！", "？", ".", "!", "?", "”", '"')
_BETWEEN = "\u2029。！？；.!?"
_WITHIN = re.compile(r"[^\W\u2e80-\u9fff\uac00-\ud7ff\U00020000-\U0003ffff]+\Z")  # the end of a text, inside a word
_SENTENCE = re.compile(r"(?<=[。！？；])|(?<=[.!?])\s+|\u2029")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One page. `said`: pieces of its text, and whether each is a word of the topic; `marked`: the expert's mark."""

    url: str
    title: str
    relevance: float
    kind: str
    language: str
    published: str
    marked: str
    reasons: Sequence[Reason | str]
    said: Sequence[tuple[str, bool]]


class Words:
    """Finds the words of the topic in a text, as the crawl's judge does."""

    def __init__(self, about: About, segmenter: str) -> None:
        self._matcher = Matcher(about.lexicon, open_segmenter(segmenter, about.lexicon))
        self._weights = [
            max((about.topic.weights.get(iri, 0.0) for sense in word.senses for iri, _ in sense.features), default=0.0)
            for word in about.lexicon.words
        ]
        self._concepts = [frozenset(sense.concept for sense in word.senses) for word in about.lexicon.words]

    def excerpt(self, page: Page, own: bytes | None) -> list[tuple[str, bool]]:
        """Of the page's own text the sentence that says most about the topic, and the text after it, in pieces; the
        beginning of the text if no sentence mentions the topic. `own`: see `semantic.parsing.repeated_blocks`.

        Words in titles and headings do not count, because a card shows its page's title; nor do words in links, because
        they describe other pages.
        """
        hits = list(islice(self._hits(page), LOOKED_AT))
        sentences = [one for start, end, _ in own_parts(page, own) for one in _sentences(page.text, start, end)]
        inside: list[list[TermHit]] = [[] for _ in sentences]
        ends = [end for _, end in sentences]
        for hit in hits:
            rank = bisect_left(ends, hit.end)
            if rank < len(ends) and sentences[rank][0] <= hit.start:
                inside[rank].append(hit)
        worths = [
            self._worth(some) * _fullness(page.text[:end]) for some, (_, end) in zip(inside, sentences, strict=True)
        ]
        best = max(range(len(sentences)), key=lambda rank: (worths[rank], -rank), default=None)
        if best is None:
            return []
        start, end = sentences[best]
        for _, stop in sentences[best + 1 :]:
            if stop - start > REACH or "\u2029" in page.text[end:stop]:
                break
            end = stop
        if end - start > REACH and inside[best]:  # a long one: where its words stand thickest
            first = max(inside[best], key=lambda hit: sum(hit.start <= h.start < hit.start + REACH for h in hits))
            start = max(start, _before_word(page.text, first.start - REACH // 8))
        end = min(end, _before_word(page.text, start + REACH + REACH // 2))
        shown = [hit for hit in hits if start <= hit.start and hit.end <= end]
        return _pieces(page.text, start, end, shown)

    def _hits(self, page: Page) -> Iterator[TermHit]:
        """Words of the topic, those in titles, headings and links left out."""
        starts = [span.start for span in page.spans]
        for hit in self._matcher.find(page.text):
            place = bisect_right(starts, hit.start) - 1
            if (place < 0 or page.spans[place].position not in _NOT_TEXT) and self._worth([hit]):
                yield hit

    def _worth(self, hits: Iterable[TermHit]) -> float:
        """The sum of the weights of these words; words of the same concepts count once."""
        worth: dict[frozenset[str], float] = {}
        for hit in hits:
            for word in hit.words:
                worth[self._concepts[word]] = self._weights[word]
        return sum(worth.values())


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where each of a part of the text begins and ends, blank ones left out."""
    ends = [*(found.end() for found in _SENTENCE.finditer(text, start, end)), end]
    return [(first, last) for first, last in pairwise([start, *ends]) if text[first:last].strip()]


def _before_word(text: str, at: int) -> int:
    """The place before the word that stands at this one, where words have letters of Latin, Greek or the like."""
    found = _WITHIN.search(text[max(0, at - LONGEST) : at])
    return at - len(found[0]) if found and _WITHIN.search(text[at : at + 1]) else at


def _fullness(text: str) -> float:
    """1 if a text ends like a sentence, less otherwise, because then it is often a menu or a caption."""
    return 1.0 if text.rstrip("\u2029 ").endswith(_ENDS) else BROKEN_OFF


def _pieces(text: str, start: int, end: int, hits: Sequence[TermHit]) -> list[tuple[str, bool]]:
    pieces: list[tuple[str, bool]] = []
    at = start
    for hit in hits:
        pieces += [(text[at : hit.start], False), (text[hit.start : hit.end], True)]
        at = hit.end
    pieces.append((text[at:end], False))
    shown = [(piece.replace("\u2029", " "), found) for piece, found in pieces if piece]
    before = [("… ", False)] if _is_inside(text, start) else []
    after = [(" …", False)] if end < len(text) and _is_inside(text, end) else []
    return [*before, *shown, *after]


def _is_inside(text: str, at: int) -> bool:
    """Whether a place is inside a sentence."""
    return text[max(0, at - LONGEST) : at].rstrip(" ")[-1:] not in _BETWEEN


def best_pages(found: Mapping[str, Verdict]) -> list[Verdict]:
    """The most relevant pages, articles before listings; without those marked bad or as hubs."""
    usable = [one for one in found.values() if one.on_topic and one.marked in ("", "good")]
    return sorted(usable, key=lambda one: (one.kind == "listing", -one.relevance, one.url))[:MOST]


def cards(store: Store, pages: Sequence[Verdict], words: Words | None) -> list[Card]:
    """The cards of these pages, in their order; without `words` they show no text."""
    asked = store.ask("report", "cards", urls=[page.url for page in pages])
    rows = {str(row["url"]): row for row in asked}
    return [_card(page, rows[page.url], words) for page in pages if page.url in rows]


def _card(page: Verdict, row: Mapping[str, Any], words: Words | None) -> Card:
    return Card(
        url=page.url,
        title=page.title or readable(page.url),
        relevance=page.relevance,
        kind=page.kind,
        language=row["language"] or "",
        published=row["published"] or "",
        marked=page.marked,
        reasons=(row["reasons"] or ())[:TOLD],
        said=words.excerpt(unpack(row["content"], page.url), row["own"]) if words and row["content"] else [],
    )
