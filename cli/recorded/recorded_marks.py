"""How many pages of a crawl an expert has marked."""

from collections.abc import Mapping

from cli.render.language import tr
from graphdb.stores import Store
from semantic.records import MARKS
from semantic.relevance.judge_training import EACH_KIND, ENOUGH, is_enough
from semantic.strategies.strategy_table import takes_marks


def marks_counted(store: Store, strategy: str) -> dict[str, int]:
    """How many pages have each mark; empty if the strategy takes no marks."""
    if not takes_marks(strategy):
        return {}
    marks = list(store.marks().values())
    return {mark: marks.count(mark) for mark in MARKS}


def marks_line(marks: Mapping[str, int]) -> str:
    """How many marks there are, and from how many on they propose a threshold."""
    told = tr("{good} good, {bad} bad", good=marks["good"], bad=marks["bad"])
    if not is_enough(marks["good"], marks["bad"]):
        told += tr(
            "; with {enough}, {each} of each kind at least, they propose a threshold", enough=ENOUGH, each=EACH_KIND
        )
    return told + tr("; hubs: {hubs}", hubs=marks["hub"]) if marks["hub"] else told
