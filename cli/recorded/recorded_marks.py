"""How many pages of a crawl an expert has marked."""

from collections.abc import Mapping

from cli.render.language import tr
from graphdb.stores import Store
from semantic.relevance.judge_training import EACH_KIND, ENOUGH, is_enough
from semantic.strategies.strategy_table import takes_marks


def marks_counted(store: Store, strategy: str) -> dict[str, int]:
    """How many pages are marked good and how many bad; empty if the strategy takes no marks."""
    if not takes_marks(strategy):
        return {}
    marks = list(store.marks().values())
    return {"good": sum(marks), "bad": len(marks) - sum(marks)}


def marks_line(marks: Mapping[str, int]) -> str:
    """How many marks there are, and from how many on they propose a threshold."""
    told = tr("{good} good, {bad} bad", good=marks["good"], bad=marks["bad"])
    if is_enough(**marks):
        return told
    return told + tr(
        "; with {enough}, {each} of each kind at least, they propose a threshold", enough=ENOUGH, each=EACH_KIND
    )
