"""What a strategy has learned so far, read from the memory that its crawl saves in the store: for `ontocrawl status`.

It also tells which parts of a published strategy have had no effect in this crawl, and why.

A strategy that learns has a row in `_TELLERS`. Nothing here is used for crawling, and nothing is learned again: the
memory is the one last saved, at most some hundred pages old.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ontology.messages import joined, message
from semantic.learning.centroid import Centroid
from semantic.learning.naive_bayes import NaiveBayes
from semantic.memory.strategy_memory import unpack_memory
from semantic.strategies.fused.fused_beliefs import Belief, FusedBeliefs, Number
from semantic.strategies.fused.fused_scorer import LAYOUT
from semantic.strategies.fused.link_learner import weights_of
from semantic.strategies.strategy_table import parameters_of

SHOWN = 8  # entries shown of each kind
ALIKE = 0.8  # share of vertices with one Q above which (9) ranks nearly by similarity alone; chosen, not measured


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What has been learned. `numbers`: name -> value. `lists`: beliefs by kind, the strongest first.

    `notes`: messages for people about what has an effect in this crawl; `counts`: the figures in them, by kind.
    `unnamed`: hashed words, whose texts only links can tell (`semantic.strategies.fused.fused_beliefs.named`). `fused`:
    more of the default strategy.
    """

    numbers: Mapping[str, float] = field(default_factory=dict)
    lists: Mapping[str, Sequence[Belief]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
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
    learned = FusedBeliefs(memory["scorer"]["core"], weights_of(parameters))
    lists: dict[str, Sequence[Belief]] = {"evidence": learned.kinds()[:SHOWN], "predecessor layers": learned.layers()}
    for kind, found in learned.groups().items():
        lists[f"best {kind}"], lists[f"worst {kind}"] = ends(found)
    numbers = {"pages learned of": learned.pages, "trust": learned.trust, "dryness": learned.dryness}
    return Beliefs(numbers, lists, unnamed=learned.numbers(), fused=learned)


def _jlse(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    scorer, p = memory["scorer"], parameters_of("jlse", parameters)
    numbers = {"results": scorer["results"]}
    words = _words(scorer["anchors"]["bayes"]["bayes"], "link")
    if not scorer["vertices"]:
        note = _without_graph(scorer["results"], int(p["cf"]), wanted=scorer["wanted"])
        return Beliefs(numbers, words, [note])
    vertices = [Belief(q, f"{url} {anchor}", 1) for url, (anchor, _, q) in scorer["vertices"].items()]
    vertices.sort(key=lambda belief: (-belief.worth, belief.what))
    which = "on any way to a result" if scorer["any_way"] else "on the ways taken to results"
    numbers[f"vertices of G_w, {which}"] = len(vertices)
    values = Counter(f"{belief.worth:.3g}" for belief in vertices)
    lists = {"highest Q in G_w": vertices[:SHOWN], **words}
    return Beliefs(numbers, lists, [_values_of_q(values, p["rd"])], {"vertices by Q": values})


def _without_graph(results: int, cf: int, *, wanted: bool) -> str:
    """The note that there is no G_w. `wanted`: it was due when the run ended."""
    if not cf:
        return message("G_w is never built, because cf is 0, so links are ordered as by ata")
    told = message(
        "G_w was never built: there are {results:,} of the {needed:,} results (a multiple of cf) that it needs, so "
        "links are ordered as by ata",
        results=results,
        needed=results if wanted else (results // cf + 1) * cf,
    )
    less = min(cf, results) // 2
    if not less:
        return told
    return message(
        "{told}; a new crawl has it earlier with cf = {less} below [parameters] in the file for --settings, simulate "
        "with --strategies jlse:cf={less}",
        told=told,
        less=less,
    )


def _values_of_q(values: Mapping[str, int], rd: float) -> str:
    """The note on how much Q varies. `values`: Q -> number of vertices, the highest Q first."""
    share = max(values.values()) / sum(values.values())
    shown = [message("{q} in {vertices:,}", q=q, vertices=number) for q, number in values.items()]
    told = message(
        "Q of these vertices: {shown}; {share:.0%} have the commonest value (a result has rd, {rd:g})",
        shown=joined([*shown[:SHOWN], *(["…"] if shown[SHOWN:] else [])]),
        share=share,
        rd=rd,
    )
    if share <= ALIKE:
        return told
    return message("{told}, so formula (9) ranks links nearly by similarity alone", told=told)


def _ata(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    scorer = memory["scorer"]
    return Beliefs({"results": scorer["results"]}, _words(scorer["anchors"]["bayes"]["bayes"], "link"))


def _context_graph(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    scorer = memory["scorer"]
    results, fitted = scorer["results"], scorer["fitted"]
    lists = {} if scorer["model"] is None else _words(scorer["model"], "page")
    return Beliefs({"results": results, "results at the last fit": fitted}, lists)


def _adaptive(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    judge = memory["judge"]
    heaviest = _heaviest(judge["vector"]["base"], judge["vector"]["pages"])
    rules = dict(zip(("none", "1", "2", "3"), judge["threshold"]["rules"], strict=True))
    return Beliefs(
        {"threshold": judge["threshold"]["thd"]},
        {"words of the base vector": heaviest},
        _on_rules(rules, parameters_of("adaptive", parameters)),
        {"intervals by rule": rules},
    )


def _on_rules(rules: Mapping[str, int], p: Mapping[str, float]) -> Sequence[str]:
    """The notes on the rules for thd (`semantic.learning.base_vector`). `rules`: intervals that ended with each."""
    intervals = sum(rules.values())
    told = message(
        "intervals of {pages:g} pages so far: {intervals:,}; with rule 1 (threshold · {alpha:g}): {one:,}, "
        "rule 2 (· {beta:g}): {two:,}, rule 3 (· {gamma:g}): {three:,}, no rule: {none:,}",
        intervals=intervals,
        pages=p["T"],
        one=rules["1"],
        two=rules["2"],
        three=rules["3"],
        none=rules["none"],
        **{name: p[name] for name in ("alpha", "beta", "gamma")},
    )
    if rules["2"] or not intervals:
        return [told]
    if not rules["1"]:
        why = message(
            "rule 2 was never used, because like rule 1 it needs more than {wanted:g} (S) kept pages in an interval, "
            "and on average so far",
            wanted=p["S"],
        )
    else:
        why = message(
            "rule 2 was never used, because it needs an interval in which more than {share:.0%} of the kept pages are "
            "off topic, and a page that passes the threshold counts as off topic only if it is a sample marked bad, by "
            "the ontology's judgement or --examples",
            share=1 - p["mu"],
        )
    return [told, why]


def _customised(memory: Mapping[str, Any], parameters: Mapping[str, float]) -> Beliefs:
    p = parameters_of("customised", parameters)
    centre = Centroid({}, p["like"], int(p["features"]))
    centre.restore(memory["judge"]["centroid"])
    words = _heaviest(centre.sums, centre.pages)
    return Beliefs({"pages in the centre": centre.pages}, {"words of the centre": words})


def _words(memory: Mapping[str, Any], where: str) -> dict[str, Sequence[Belief]]:
    """The words that distinguish each class of a naive Bayes classifier from the others."""
    bayes = NaiveBayes()
    bayes.restore(memory)
    return {
        message("words of a {name} {where}", name=message(name), where=message(where)): [
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
