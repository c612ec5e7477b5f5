"""What `fused` has learned, read from its memory: for people, and so that it can be checked against the pages.

- Words are hashed (`semantic.learning.feature_hashing`), and no list of them is stored. The strongest numbers are
  looked up with a few addresses each, and named by hashing the words in these addresses and in links to them. Only
  words of links to at least `FEWEST` pages are shown.
- Hosts and directories have names. Their means are shrunk towards the mean of all pages, so that one page does not make
  a best host (`semantic.strategies.fused.crawl_evidence`).
- A kind of evidence affects the order as much as its shares differ between links: it is shown with their standard
  deviation over the fetched pages, by the current weights.
- A layer is shown with what one word of it in the anchor adds to the score of an average link.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.surface_forms import fold
from semantic.learning.feature_hashing import token, words
from semantic.links.fixed_prior import PRIOR_WEIGHTS
from semantic.links.link_reading import ANCHOR_SLOTS, CONTEXT_SLOTS, PLACE_SLOTS
from semantic.memory.strategy_memory import copied
from semantic.reasons import Reason, because, called
from semantic.segmentation.word_segmentation import whole_word
from semantic.strategies.fused.crawl_evidence import GROUP_K, NAMES, LinkEvidence, left_out
from semantic.strategies.fused.link_learner import (
    KINDS,
    LAYERS,
    SLOT_WEIGHT,
    Learner,
    Vertices,
    Weights,
    columns_of,
    reasons_of,
)
from semantic.urls import words_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

FEWEST = 3  # pages that links with a word must have led to; chosen, not measured
SOUGHT = 40  # numbers of words that are looked up, of either sign; chosen, not measured
EXAMPLES = 3  # addresses for each number

_PLACE, _ANCHOR = PLACE_SLOTS, PLACE_SLOTS + ANCHOR_SLOTS
_SLOTS = {"address": slice(0, _PLACE), "word": slice(_PLACE, _ANCHOR), "near": slice(_ANCHOR, _ANCHOR + CONTEXT_SLOTS)}
_WHERE = {"address": "word in address", "word": "word in link", "near": "word near link"}
_PRIOR, _LAYER_PRIOR = NAMES.index("prior"), PRIOR_WEIGHTS["layer"]


class Belief(NamedTuple):
    """One thing learned. `worth`: what it adds to a priority; `what`: its name, a message if the program gave it;
    `pages`: how many it was learned from.
    """

    worth: float
    what: str
    pages: int


class Number(NamedTuple):
    """A word not named yet: its kind and number, and some `urls` of links with it."""

    kind: str
    number: int
    worth: float
    pages: int
    urls: tuple[str, ...]


class FusedBeliefs:
    """Reads what was learned from `memory`, as `unpack_memory` gives that of a `Fusion`."""

    def __init__(self, memory: Mapping[str, Any], weights: Weights | None = None) -> None:
        self._evidence = LinkEvidence(0)
        self._evidence.restore(memory["evidence"])
        self._learner = Learner(weights or Weights())
        self._learner.restore(memory["learner"])
        self._vertices = Vertices()
        self._vertices.restore(memory["vertices"])
        self._vertices.learn_again(self._evidence.addresses.at["tokens"])
        self._snapshots: Floats = copied(memory["snapshots"])
        self._rows = np.array(self._evidence.fetched, np.int32)

    @property
    def pages(self) -> int:
        """Number of pages learned from."""
        return len(self._rows)

    @property
    def trust(self) -> float:
        """Share of the learned part in a priority; the rest is the fixed prior."""
        return self._learner.trust

    @property
    def dryness(self) -> float:
        """How strongly rarely seen places are explored, 0 to 1 (`Learner.dryness`)."""
        return self._learner.dryness

    def kinds(self) -> list[Belief]:
        """How much each kind of evidence affects the order, the strongest first."""
        seen = self._snapshots[~np.isnan(self._snapshots).any(axis=1)]
        if not len(seen):
            return []
        spread = self._learner.shares(seen, np.ones(len(seen))).std(axis=0)
        sizes = [(kind, float(size)) for kind, size in zip(KINDS, spread, strict=True) if size >= 5e-4]
        found = [Belief(size, called(because(kind)), len(seen)) for kind, size in sizes]
        return sorted(found, key=lambda belief: (-belief.worth, belief.what))

    def layers(self) -> list[Belief]:
        """What a word of either predecessor layer in the anchor adds."""
        seen = self._snapshots[~np.isnan(self._snapshots).any(axis=1)]
        if not len(seen) or LAYERS in self._learner.weights.without:
            return []
        found = []
        for number in (1, 2):
            column = NAMES.index(f"layer {number}")
            pages = int((seen[:, column] > 0).sum())
            without, with_word = np.tile(seen.mean(axis=0), (2, 1))
            without[column], with_word[column] = 0.0, np.tanh(1.0)
            with_word[_PRIOR] = without[_PRIOR] + _LAYER_PRIOR
            low, high = self._learner.value(np.stack([without, with_word]))
            found.append(Belief(float(high - low), called(because("word of a layer", number=number)), pages))
        return found

    def groups(self) -> dict[str, list[Belief]]:
        """Hosts and directories with a fetched page, by the worth of their pages, the best first."""
        collected: dict[str, list[Belief]] = {"host": [], "directory": []}
        groups, mean = self._evidence.groups, self._evidence.mean
        for name, number in groups.named():
            pages = int(groups.counts[number])
            if pages and " " not in name:
                worth = groups.means(np.array([number], np.int32), mean, GROUP_K)[0]
                collected["directory" if "/" in name else "host"].append(Belief(float(worth), name, pages))
        return {
            kind: sorted(found, key=lambda one: (-one.worth, -one.pages, one.what)) for kind, found in collected.items()
        }

    def numbers(self) -> list[Number]:
        """The strongest words, not named yet."""
        table = self._evidence.addresses.at["tokens"][self._rows]
        return [number for kind in _SLOTS for number in self._strongest(kind, table[:, _SLOTS[kind]])]

    def last(self, most: int) -> dict[str, float]:
        """The fixed prior of the `most` last pages: address -> prior; without seeds."""
        addresses = self._evidence.addresses
        said = zip(self._rows[-most:].tolist(), self._snapshots[-most:, _PRIOR].tolist(), strict=True)
        return {addresses.urls[row]: prior for row, prior in said if not np.isnan(prior)}

    def reasons(self, url: str) -> tuple[Reason, ...]:
        """The reasons for a waiting address's current priority; () if nothing is known of it."""
        addresses = self._evidence.addresses
        row = addresses.rows.get(url)
        if row is None or not addresses.at["links"][row]:
            return ()
        rows = np.array([row], np.int32)
        tokens = addresses.at["tokens"][rows]
        x = self._evidence.dense(rows, self._learner.hashed(tokens), self._vertices.layers(tokens))
        x = left_out(x, columns_of(self._learner.weights.without))
        return reasons_of(self._learner.shares(x, self._evidence.odds_of(rows)))[0]

    def likeness(self, url: str) -> tuple[str, float] | None:
        """The page of the link graph to which links are most similar to the links to this address, with its Q. None if
        unknown.
        """
        addresses = self._evidence.addresses
        row = addresses.rows.get(url)
        vertex = 0 if row is None else int(addresses.at["vertex"][row])
        q = self._vertices.q_of(vertex - 1)
        return None if q is None else (addresses.urls[vertex - 1], q)

    def _strongest(self, kind: str, table: Ints) -> Iterable[Number]:
        there, pages = np.unique(table[table > 0], return_counts=True)
        there, pages = there[pages >= FEWEST], pages[pages >= FEWEST]
        # the contribution of one word in the first of these slots to the prediction
        weight = self._learner.weights_of(there) * float(SLOT_WEIGHT[_SLOTS[kind].start])
        order = np.argsort(weight, kind="stable")
        ends = np.unique(np.concatenate([order[:SOUGHT], order[-SOUGHT:]]))
        for i in ends[np.abs(weight[ends]) >= 5e-4].tolist():
            rows = self._rows[(table == there[i]).any(axis=1)][:EXAMPLES].tolist()
            urls = tuple(self._evidence.addresses.urls[row] for row in rows)
            yield Number(kind, int(there[i]), float(weight[i]), int(pages[i]), urls)


def named(
    numbers: Sequence[Number], texts: Mapping[str, Sequence[tuple[str, str]]], names: Collection[str] = ()
) -> list[Belief]:
    """Name words by their numbers, the best first. `texts`: anchor and context of some links to each address.

    A word that does not occur there has no name and is left out. A pair of Han characters is shown as the word around
    it; of several pairs of one word the strongest is kept. `names`: words that the dictionary may not have.
    """
    collected: dict[str, Belief] = {}
    known = {fold(name) for name in names}
    for number in numbers:
        said = [text for url in number.urls for text in _said(number.kind, url, texts.get(url, ()))]
        found = {word for text in said for word in words(text)}
        for word in sorted(word for word in found if token(number.kind, word) == number.number):
            whole = word if word.isascii() else whole_word(word, map(fold, said), known)
            belief = Belief(number.worth, called(because(_WHERE[number.kind], word=whole)), number.pages)
            collected[belief.what] = max(collected.get(belief.what, belief), belief, key=lambda one: abs(one.worth))
            break
    return sorted(collected.values(), key=lambda belief: (-belief.worth, belief.what))


def _said(kind: str, url: str, texts: Sequence[tuple[str, str]]) -> Iterable[str]:
    if kind == "address":
        return [words_of(url)]
    return [anchor if kind == "word" else context for anchor, context in texts]
