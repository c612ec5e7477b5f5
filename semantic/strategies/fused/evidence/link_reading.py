"""What a page says of the pages it links to, before anything is known of them.

One row a target: the best of its links on the page (most topic words in the anchor, then most text).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from semantic.links.link_features import NO_WORDS, LinkFeatures, LinkReader
from semantic.links.link_scorer import JudgedPage
from semantic.page import Link
from semantic.terms.word_table import WordTable
from semantic.urls import host_of, is_page_like

MASSES = ("anchor", "context", "address", "layer 1", "layer 2")
_TEXT = 80  # characters of an anchor that tell it from others
_NO_MASSES = (0.0,) * len(MASSES)
_PATH = 2  # tags at the end of a DOM path that make a template


@dataclass(frozen=True, slots=True)
class Saying:
    """`masses`: a row a target, a column of `MASSES` each: the weights of the topic's words, or layer words counted.

    `addresses`: their words, as text (`words_of`).
    `words`: those of the topic and its layers in a target's anchor, context and address, for people; "" for none.
    `templates`: host and the end of the DOM path: links that a site's program sets in one place.
    """

    targets: tuple[str, ...]
    addresses: tuple[str, ...]
    anchors: tuple[str, ...]
    contexts: tuple[tuple[str, str], ...]
    templates: tuple[str, ...]
    words: tuple[str, ...]
    masses: NDArray[np.float32]
    foreign: NDArray[np.bool_]
    position: NDArray[np.float32]

    def only(self, kept: Sequence[int]) -> "Saying":
        """What is said of these targets."""
        return Saying(
            tuple(self.targets[i] for i in kept),
            tuple(self.addresses[i] for i in kept),
            tuple(self.anchors[i] for i in kept),
            tuple(self.contexts[i] for i in kept),
            tuple(self.templates[i] for i in kept),
            tuple(self.words[i] for i in kept),
            self.masses[kept],
            self.foreign[kept],
            self.position[kept],
        )


class SayingReader:
    """Reads what a judged page says of others."""

    def __init__(self, table: WordTable, reader: LinkReader) -> None:
        self._table = table
        self._reader = reader

    def read(self, judged: JudgedPage) -> Saying:
        """One row a target in the order of the page; not the page itself."""
        page = judged.page
        best: dict[str, tuple[Link, tuple[float, ...], LinkFeatures]] = {}
        for link, features in zip(page.links, self._reader.describe(judged), strict=True):
            if not is_page_like(link.url):
                continue
            masses = self._masses(features)
            held = best.get(link.url)
            if held is None or (masses[0], bool(link.anchor)) > (held[1][0], bool(held[0].anchor)):
                best[link.url] = (link, masses, features)
        best.pop(page.url, None)
        links = [link for link, _, _ in best.values()]
        host = host_of(page.url)
        return Saying(
            tuple(best),
            tuple(map(self._reader.words_of_address, best)),
            tuple((link.anchor or link.title)[:_TEXT] for link in links),
            tuple((link.before, link.after) for link in links),
            tuple(f"{host} {_template(link.dom_path)}" for link in links),
            tuple(self._named(features) for _, _, features in best.values()),
            np.array([masses for _, masses, _ in best.values()], np.float32).reshape(-1, len(MASSES)),
            np.array([host_of(url) != host for url in best], bool),
            np.array([link.order / max(1, len(page.links)) for link in links], np.float32),
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


@lru_cache(maxsize=10_000)
def _template(path: str) -> str:
    return "/".join(path.rsplit("/", _PATH)[-_PATH:])
