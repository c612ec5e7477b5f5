"""All Cypher of the project is valid Neo4j 5, by Neo4j's own language support."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from graphdb.cypher.statements import FOLDER, statements

LINTER = Path(__file__).resolve().parents[1] / "cypher_lint"


@pytest.fixture(scope="module")
def lint():
    if shutil.which("npm") is None:
        from conftest import missing

        missing("Node with npm for the Cypher linter")
    script = str(LINTER / "run.sh")
    return lambda: subprocess.run(["sh", script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("file", sorted(path.stem for path in FOLDER.glob("*.cypher")))
def test_every_statement_of_a_file_is_found_by_its_name(file):
    text = (FOLDER / f"{file}.cypher").read_text("utf-8")
    assert list(statements(file)) == re.findall(r"^// name: (.*)$", text, re.MULTILINE)
    code = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("//"))
    assert len(statements(file)) == code.count(";")


@pytest.mark.slow
def test_all_cypher_is_valid(lint):
    linted = lint()
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert " 0 findings" in linted.stdout


@pytest.mark.slow
def test_the_linter_finds_what_is_wrong(lint, tmp_path):
    (tmp_path / "bad.cypher").write_text("MATCH (p:Page)\nRETURN q;\nMATCH (p:Paje) RETURN p;\n")
    (tmp_path / "bad.md").write_text("Text\n```cypher\nMATCH (p:Page\n```\n")
    command = ["node", str(LINTER / "lint.mjs"), str(tmp_path / "bad.cypher"), str(tmp_path / "bad.md")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "bad.cypher:2: Variable `q` not defined" in found.stdout
    assert "bad.cypher:3: Label Paje" in found.stdout
    assert "bad.md:" in found.stdout
