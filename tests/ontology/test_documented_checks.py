"""docs/checks.md explains each code, and what it shows as an example of one is one."""

import re
from pathlib import Path

import pytest

from ontology.inspection.checks import RULES, check
from ontology.loading.imports_closure import load_with_errors

TEXT = (Path(__file__).parents[2] / "docs" / "checks.md").read_text(encoding="utf-8")
BEGINNING, *SECTIONS = re.split(r"^### (?=[EW]\d)", TEXT, flags=re.MULTILINE)
BLOCK = re.compile(r"^```turtle\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = {each[:4]: found[1] for each in SECTIONS if (found := BLOCK.search(each))}


def test_every_code_is_explained_once_and_no_other() -> None:
    assert [each[:4] for each in SECTIONS] == list(RULES)


def test_each_code_has_its_cure() -> None:
    assert [each[:4] for each in SECTIONS if each.count("**Cure**: ") != 1] == []


def test_each_rule_about_the_file_alone_has_an_example() -> None:
    assert {code for code, rule in RULES.items() if rule.places} <= EXAMPLES.keys()


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_has_what_it_is_an_example_of(code: str, tmp_path: Path) -> None:
    prefixes = BLOCK.search(BEGINNING)
    assert prefixes
    path = tmp_path / "tea.ttl"
    path.write_text(prefixes[1] + EXAMPLES[code], encoding="utf-8")
    found = {finding.code: finding for finding in check(load_with_errors(path, False, 1024))}
    if RULES[code].places and code != "E101":  # which the reader tells in other words
        assert found[code].message.startswith(RULES[code].what)
    assert found[code].cure
