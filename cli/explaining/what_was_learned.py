"""What a crawl's strategy has learned, from its memory and its pages in the store; for `ontocrawl status`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cli.render.answer_tables import Row
from cli.render.language import as_told, later, tr
from cli.render.terminal import fitted, padded, wrapped
from crawler.simulation.order_measures import ill_ordered
from graphdb.stores import Store
from ontology.errors import OutdatedMemory
from ontology.messages import Message
from semantic.strategies.fused.fused_beliefs import Belief, named
from semantic.strategies.learned_beliefs import SHOWN, Beliefs, beliefs, learns
from semantic.urls import readable

LAST = 200  # pages over which the order is measured
LISTED = 5  # entries of each kind shown to people
HEAD = 12  # columns of the names before the figures, as in `status`
# what a share of pairs in the wrong order means, from the worst; the borders are chosen, not measured
ORDERS = (
    (
        0.4,
        later(
            "hardly better than chance: the ontology is broad here, or the links say little of what they lead to; a "
            "narrower topic or marks (review) may help"
        ),
    ),
    (0.25, later("fair: the better pages mostly came first, and many late")),
    (0.0, later("good: the better pages came first")),
)
HEADS = {
    "evidence": (later("what affects priorities, and how much"), "±{:.3f}"),
    "predecessor layers": (later("predecessor layers: what they add"), "{:+.3f}"),
    "best host": (later("best hosts, by what their pages are worth"), "{:6.3f}"),
    "worst host": (later("worst hosts"), "{:6.3f}"),
    "best directory": (later("best directories"), "{:6.3f}"),
    "worst directory": (later("worst directories"), "{:6.3f}"),
    "best words": (later("words that raise a priority"), "{:+.3f}"),
    "worst words": (later("words that lower it"), "{:+.3f}"),
}
MEANINGS = {
    "pages learned of": later("pages it has learned from: {:,.0f}"),
    "trust": later("trust in what it has learned: {:.0%} of a link's priority; the rest is fixed weights"),
    "dryness": later("exploring places not seen yet: {:.0%} (rises as good links run out)"),
}


def read_learned(store: Store) -> dict[str, Any]:
    """Values for JSON: `learns`, what `Beliefs` has, and how well the last pages were ordered."""
    told: dict[str, Any] = {"learns": learns(str(store.ask("status", "crawl")[0]["strategy"]))}
    try:
        known = stored_beliefs(store)
    except OutdatedMemory as error:
        known, told["outdated"] = None, str(error)
    if known is not None:
        told |= {"numbers": dict(known.numbers), "notes": [*known.notes], "counts": dict(known.counts)}
        lists = {**known.lists, **_words(store, known)}
        told["lists"] = {name: [belief._asdict() for belief in found] for name, found in lists.items() if found}
    return told | {"order": _order(store, known)}


def stored_beliefs(store: Store) -> Beliefs | None:
    """What was learned; None if nothing was, or so far only by the strategy used before.

    Raises OutdatedMemory if another version of the code wrote the memory.
    """
    row = store.ask("status", "crawl")[0]
    parameters = json.loads(str(row["settings"])).get("parameters", {})
    try:
        return beliefs(str(row["strategy"]), store.remembered(), parameters)
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _words(store: Store, known: Beliefs) -> Mapping[str, Sequence[Belief]]:
    """Hashed words by their texts, which are found in links to fetched pages."""
    if not known.unnamed:
        return {}
    urls = sorted({url for number in known.unnamed for url in number.urls if number.kind != "address"})
    texts = {str(row["url"]): _texts(row) for row in store.ask("status", "said", urls=urls)}
    names = [name for row in store.ask("status", "names") for name in texts_of(row["names"])]
    found = named(known.unnamed, texts, names)
    good, bad = [one for one in found if one.worth > 0], [one for one in reversed(found) if one.worth < 0]
    return {"best words": good[:SHOWN], "worst words": bad[:SHOWN]}


def texts_of(value: object) -> Sequence[str]:
    """A list of texts; empty for another type."""
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def _texts(row: Row) -> list[tuple[str, str]]:
    """Each anchor and each context, as a pair with an empty other part."""
    anchors, contexts = row["anchors"], row["contexts"]
    assert isinstance(anchors, list)
    assert isinstance(contexts, list)
    return [(str(anchor), "") for anchor in anchors] + [("", str(context)) for context in contexts]


def _order(store: Store, known: Beliefs | None) -> dict[str, Any]:
    """`wrong`: the share of pairs among the last pages that were in the wrong order; `fixed`: the same by the prior
    alone.
    """
    said = known.fused.last(LAST) if known and known.fused else {}
    rows = store.ask("status", "places", urls=sorted(said)) if said else store.ask("status", "last", most=LAST)
    worths = [_number(row["relevance"]) for row in rows]
    told: dict[str, Any] = {
        "pages": len(rows),
        "wrong": ill_ordered([_number(row["priority"]) for row in rows], worths),
    }
    if said:
        told["fixed"] = ill_ordered([said[str(row["url"])] for row in rows], worths)
    return told


def _number(value: object) -> float:
    return value if isinstance(value, float) else 0.0


def learned_lines(told: Mapping[str, Any]) -> Iterable[str]:
    """The lines for people."""
    yield from _order_lines(told["order"])
    if not told["learns"]:
        yield wrapped(_head(tr("learned")), tr("nothing: this strategy's priorities follow fixed rules"))
    elif "outdated" in told:
        yield wrapped(_head(tr("learned")), tr(told["outdated"]))
    elif "numbers" not in told:
        yield wrapped(
            _head(tr("learned")),
            tr("nothing is remembered yet: the memory is stored every 1,000 pages and at the end of a run"),
        )
    else:
        for name, value in told["numbers"].items():
            yield wrapped(_head(tr("learned")), _meaning(name, value))
        for note in told["notes"]:
            yield wrapped(_head(tr("learned")), as_told(note))
        for name, found in told["lists"].items():
            yield from _list_lines(name, found)


def _order_lines(order: Mapping[str, Any]) -> Iterable[str]:
    if order["wrong"] is not None:
        fixed = (
            tr("; by the fixed weights alone {fixed:.0%}", fixed=order["fixed"])
            if order.get("fixed") is not None
            else ""
        )
        yield wrapped(
            _head(tr("order")),
            tr(
                "{said} (of all pairs of the last {pages} pages {wrong:.0%} had the better page in the lower "
                "place{fixed}; by chance 50%)",
                said=tr(next(said for least, said in ORDERS if order["wrong"] >= least)),
                wrong=order["wrong"],
                pages=order["pages"],
                fixed=fixed,
            ),
        )


def _head(name: str) -> str:
    return padded(name, HEAD)


def _meaning(name: str, value: float) -> str:
    known = MEANINGS.get(name)
    return tr(known).format(value) if known else f"{tr(name)}: {value:g}"


def _list_lines(name: str, found: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    head, form = HEADS.get(name, (name, "{:6.3f}"))
    found = [belief for belief in found if belief["pages"]]  # an ontology may have no layers
    if found:
        yield as_told(head)
    for belief in found[:LISTED]:
        pages = tr("{pages:,} page" if belief["pages"] == 1 else "{pages:,} pages", pages=belief["pages"])
        yield fitted(f"  {form.format(belief['worth'])}  ", _called(belief["what"]), f"  ({pages})")


def _called(what: str) -> str:
    """What was learned of: a message of the program, or a name of the web."""
    return as_told(what) if isinstance(what, Message) else readable(what)
