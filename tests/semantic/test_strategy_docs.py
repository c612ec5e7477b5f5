"""docs/strategies.md describes every strategy and every parameter."""

import re
from pathlib import Path

import pytest

from semantic.strategies.strategy_table import STRATEGIES

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
SECTIONS = {
    name: body
    for title, body in re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", TEXT, re.MULTILINE)
    for name in title.split(" and ")
}


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_every_strategy_has_a_section_with_its_parameters(name):
    assert name in SECTIONS
    for parameter in STRATEGIES[name].parameters:
        if parameter != "threshold":
            assert f"`{parameter}`" in SECTIONS[name], parameter
    assert "**When to use.**" in SECTIONS[name]


def test_the_table_names_every_strategy_and_what_it_learns_from():
    rows = re.findall(r"^\| \[([\w-]+)\]\(#[\w-]+\) \| [^|]+ \| ([^|]+) \| (yes|no) \|", TEXT, re.MULTILINE)
    told = {name: (needs, learns) for name, needs, learns in rows}
    assert set(STRATEGIES) <= set(told)
    for name, row in STRATEGIES.items():
        assert (told[name][1] == "yes") == row.samples, name
        assert ("ontology" in told[name][0]) == row.ontology, name
