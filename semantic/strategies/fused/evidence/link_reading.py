"""What a page says of the pages it links to, before anything is known of them: the rows of its frame.

One row a target. For the strategy it is that of the best link to it on the page (most topic words in the anchor, then
most text); for the record, of the first.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np

from semantic.frame import Ints, LinkRows
from semantic.links.link_features import NO_WORDS, LinkFeatures, LinkReader
from semantic.page import PARAGRAPH, Link, Page
from semantic.strategies.fused.evidence.link_words import (
    NO_CONTEXT,
    NO_TEXT,
    anchor_number,
    anchor_tokens,
    context_tokens,
    place_tokens,
    template_tokens,
)
from semantic.strategies.fused.evidence.page_odds import query_way
from semantic.strategies.fused.evidence.site_places import place_of
from semantic.strategies.fused.evidence.token_table import SLOTS
from semantic.terms.term_frequency import ConceptCounts
from semantic.terms.word_table import WordTable
from semantic.urls import host_of, is_page_like

MASSES = ("anchor", "context", "address", "layer 1", "layer 2")
_TEXT = 80  # characters of an anchor that tell it from others
_NO_MASSES = (0.0,) * len(MASSES)
_PATH = 2  # tags at the end of a DOM path that make a template
Value = TypeVar("Value", bound=Any)
_Best = tuple[Link, tuple[float, ...], LinkFeatures]


class LinkRowsReader:
    """Reads what a page says of others."""

    def __init__(self, table: WordTable, reader: LinkReader) -> None:
        self._table = table
        self._reader = reader

    def read(self, page: Page, counts: ConceptCounts) -> LinkRows:
        """One row a target in the order of the page; not the page itself."""
        best: dict[str, _Best] = {}
        first: dict[str, Link] = {}
        for link, features in zip(page.links, self._reader.describe(page, counts), strict=True):
            if link.url not in first:
                if not is_page_like(link.url):
                    continue
                first[link.url] = link
                best[link.url] = (link, self._masses(features), features)
                continue
            masses, held = self._masses(features), best[link.url]
            if (masses[0], bool(link.anchor)) > (held[1][0], bool(held[0].anchor)):
                best[link.url] = (link, masses, features)
        if best.pop(page.url, None):
            del first[page.url]
        return self._rows(page, list(first.values()), list(best.values()))

    def _rows(self, page: Page, first: list[Link], best: list[_Best]) -> LinkRows:
        n, host = len(first), host_of(page.url)
        targets = [link.url for link in first]
        said = [_target(url, self._reader.words_of_address(url)) for url in targets]
        texts = [(link.anchor or link.title)[:_TEXT] for link, _, _ in best]
        templates = [_template(host, link.dom_path) for link, _, _ in best]
        tokens = b"".join(
            [
                target.tokens
                + (anchor_tokens(text) + context_tokens(link.before, link.after) if text else NO_TEXT + NO_CONTEXT)
                + template_tokens(path)
                for target, text, (link, _, _), path in zip(said, texts, best, templates, strict=True)
            ]
        )
        own_templates, template = _each_once(templates)
        folders, folder = _each_once([target.chain for target in said])
        queries, query = _each_once([target.query for target in said])
        return LinkRows(
            tuple(targets),
            tuple([link.anchor for link in first]),
            tuple([f"{link.before}{link.anchor}{link.after}".replace(PARAGRAPH, " ") for link in first]),
            tuple([link.order for link in first]),
            tuple([self._named(features) for _, _, features in best]),
            own_templates,
            folders,
            queries,
            template,
            folder,
            query,
            np.array([target.depth for target in said], np.int32),
            np.array(list(map(anchor_number, texts)), np.int32),
            np.frombuffer(bytearray(tokens), np.int32).reshape(n, SLOTS),
            np.array([masses for _, masses, _ in best], np.float32).reshape(n, len(MASSES)),
            np.array([target.host != host for target in said], bool),
            np.array([link.order / max(1, len(page.links)) for link, _, _ in best], np.float32),
        )

    def _named(self, features: LinkFeatures) -> str:
        return "" if features == NO_WORDS else self._table.told(word for words in features for word in words)

    def _masses(self, features: LinkFeatures) -> tuple[float, ...]:
        if features == NO_WORDS:
            return _NO_MASSES
        weight, layer = self._table.weight, self._table.layer

        def sum_of(words: Sequence[int]) -> float:
            return sum([weight[word] for word in words]) if words else 0.0

        layers = [0.0, 0.0]
        for words, share in ((features.anchor, 1.0), (features.context, 0.5)):
            for word in words:
                if 0 < layer[word] <= 2:
                    layers[layer[word] - 1] += share
        return (sum_of(features.anchor), sum_of(features.context), sum_of(features.address), *layers)


def _each_once(values: Iterable[Value]) -> tuple[tuple[Value, ...], Ints]:
    """The different values, in the order in which they come first; for each value which of them it is."""
    number: dict[Value, int] = {}
    which = [number.setdefault(value, len(number)) for value in values]
    return tuple(number), np.array(which, np.int32)


class _Target(NamedTuple):
    """What an address says by itself: its words as bytes, the chain of its directories, their number, its query."""

    tokens: bytes
    chain: tuple[str, ...]
    depth: int
    query: str
    host: str


@lru_cache(maxsize=50_000)  # more than half of all links lead to addresses that were named before
def _target(url: str, said: str) -> _Target:
    place = place_of(url, said)
    return _Target(place_tokens(place.tokens), place.chain, place.depth, query_way(url), host_of(url))


@lru_cache(maxsize=10_000)
def _template(host: str, path: str) -> str:
    return f"{host} {'/'.join(path.rsplit('/', _PATH)[-_PATH:])}"
