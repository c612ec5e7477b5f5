"""What a strategy has learned so far, read from the memory that its crawl saves in the store: for `ontocrawl status`.

A strategy that learns has a row in `_TELLERS`. Nothing here is used for crawling, and nothing is learned again: the
memory is the one last saved, at most some hundred pages old.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from semantic.learning.naive_bayes import NaiveBayes
from semantic.memory.strategy_memory import unpack_memory
from semantic.strategies.fused.fused_beliefs import Belief, FusedBeliefs, Number
from semantic.strategies.fused.fused_scorer import LAYOUT
from semantic.strategies.fused.link_learner import weights_of

SHOWN = 8  # entries shown of each kind


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What has been learned. `numbers`: name -> value. `lists`: beliefs by kind, the strongest first.

    `unnamed`: hashed words, whose texts only links can tell (`semantic.strategies.fused.fused_beliefs.named`). `fused`:
    more of the default strategy.
    """

    numbers: Mapping[str, float] = field(default_factory=dict)
    lists: Mapping[str, Sequence[Belief]] = field(default_factory=dict)
    unnamed: Sequence[Number] = ()
    fused: FusedBeliefs | None = None


def beliefs(strategy: str, memory: bytes, parameters: Mapping[str, float]) -> Beliefs | None:
    """What a strategy has learned. None if it learns nothing, or nothing is stored yet.

    Raises OutdatedMemory if another version of the code wrote the memory.
    """
    tell = _TELLERS.get(strategy)
    layout = LAYOUT if strategy == "fused" else ""
    return tell(unpack_memory(memory, layout), parameters) if tell and memory else None


def learns(strategy: str) -> bool:
    """Whether a strategy learns anything that `status` can show."""
    return strategy in _TELLERS


def ends(found: Sequence[Belief], most: int = SHOWN) -> tuple[Sequence[Belief], Sequence[Belief]]:
    """The best and the worst of `found`, which has the best first; no entry is in both."""
    half = min(most, (len(found) + 1) // 2)
    return found[:half], found[: half - 1 : -1][:most]


def _fused(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    learned = FusedBeliefs(memory["scorer"], weights_of(parameters))
    lists: dict[str, Sequence[Belief]] = {"evidence": learned.kinds()[:SHOWN], "predecessor layers": learned.layers()}
    for kind, found in learned.groups().items():
        lists[f"best {kind}"], lists[f"worst {kind}"] = ends(found)
    numbers = {"pages learned of": learned.pages, "trust": learned.trust, "dryness": learned.dryness}
    return Beliefs(numbers, lists, learned.numbers(), learned)


def _jlse(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    scorer = memory["scorer"]
    vertices = [Belief(q, f"{url} {anchor}", 1) for url, (anchor, _, q) in scorer["vertices"].items()]
    vertices.sort(key=lambda belief: (-belief.worth, belief.what))
    which = "on any way to a result" if scorer["any_way"] else "on the ways taken to results"
    numbers = {"results": scorer["results"], f"vertices of G_w, {which}": len(vertices)}
    return Beliefs(numbers, {"highest Q in G_w": vertices[:SHOWN], **_words(scorer["anchors"]["bayes"], "link")})


def _ata(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    scorer = memory["scorer"]
    return Beliefs({"results": scorer["results"]}, _words(scorer["anchors"]["bayes"], "link"))


def _context_graph(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    scorer = memory["scorer"]
    results, fitted = scorer["results"]
    lists = {} if scorer["model"] is None else _words(scorer["model"], "page")
    return Beliefs({"results": results, "results at the last fit": fitted}, lists)


def _adaptive(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    judge = memory["judge"]
    heaviest = _heaviest(judge["vector"]["base"], judge["vector"]["pages"])
    return Beliefs({"threshold": judge["threshold"]["thd"]}, {"words of the base vector": heaviest})


def _customised(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    judge = memory["judge"]
    return Beliefs(
        {"pages in the centre": judge["pages"]}, {"words of the centre": _heaviest(judge["sum"], judge["pages"])}
    )


def _words(memory: Mapping[str, Any], where: str) -> dict[str, Sequence[Belief]]:
    """The words that distinguish each class of a naive Bayes classifier from the others."""
    bayes = NaiveBayes(())
    bayes.restore(memory)
    return {
        f"words of a {name} {where}": [
            Belief(ratio, f"“{word}”", bayes.samples(name)) for ratio, word in bayes.typical(name, SHOWN)
        ]
        for name in memory["samples"]
    }


def _heaviest(vector: Mapping[str, float], pages: int) -> list[Belief]:
    ranked = sorted(vector.items(), key=lambda item: (-item[1], item[0]))
    return [Belief(value, f"“{word}”", pages) for word, value in ranked[:SHOWN]]


_TELLERS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, float]], Beliefs]] = {
    "fused": _fused,
    "jlse": _jlse,
    "ata": _ata,
    "context-graph": _context_graph,
    "adaptive": _adaptive,
    "customised": _customised,
}
