"""All Cypher of the project is valid Neo4j 5: a real server plans each statement, and runs none."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import ClientError

from benchmarks.neo4j_server import USER
from graphdb.cypher.statements import FOLDER, statements

ROOT = Path(__file__).resolve().parents[2]
LABELS = "Page Site Concept Crawl Trap OnTopic Seed Waiting Listing Copy"  # docs: the graph
RELATIONS = "LINKS_TO MENTIONS DISCOVERED_FROM COPY_OF NARROWER ON_SITE SEED"
PASSED_OVER = ("01N52", "01N60")  # a property that no node has, a parameter without a value; GQL status codes
BLOCK = re.compile(r"^```cypher\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^//.*", re.MULTILINE)
DOCUMENTS = [file for file in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if BLOCK.search(file.read_text("utf-8"))]
FILES = sorted([*ROOT.glob("graphdb/*/*.cypher"), *DOCUMENTS])


@pytest.mark.parametrize("file", sorted(path.stem for path in FOLDER.glob("*.cypher")))
def test_every_statement_of_a_file_is_found_by_its_name(file):
    text = (FOLDER / f"{file}.cypher").read_text("utf-8")
    assert list(statements(file)) == re.findall(r"^// name: (.*)$", text, re.MULTILINE)
    code = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("//"))
    assert len(statements(file)) == code.count(";")


def written_in(file: Path) -> Iterator[str]:
    """The statements of a file of Cypher, or those in another file's blocks of it."""
    text = file.read_text("utf-8")
    for part in [text] if file.suffix == ".cypher" else BLOCK.findall(text):
        for statement in COMMENT.sub("", part).split(";\n"):
            if statement.strip():
                yield statement.strip().removesuffix(";")


@pytest.fixture(scope="module")
def findings(neo4j):
    """What Neo4j says of the statements of a file."""
    with GraphDatabase.driver(neo4j.uri, auth=(USER, neo4j.password)) as driver, driver.session() as asked:
        for name in LABELS.split():
            asked.run("CALL db.createLabel($name)", name=name).consume()
        for name in RELATIONS.split():
            asked.run("CALL db.createRelationshipType($name)", name=name).consume()

        def found(file: Path) -> list[str]:
            said = []
            for statement in written_in(file):
                try:
                    statuses = asked.run(f"EXPLAIN {statement}").consume().gql_status_objects
                except ClientError as error:
                    said.append(f"{file.name}: {error.message}")
                    continue
                odd = [status for status in statuses if status.gql_status[:2] == "01"]
                said += [f"{file.name}: {each}" for each in odd if each.gql_status not in PASSED_OVER]
            return said

        yield found


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=[path.name for path in FILES])
def test_all_cypher_is_valid(findings, file):
    assert findings(file) == []


@pytest.mark.slow
def test_what_is_wrong_is_found(findings, tmp_path):
    (tmp_path / "bad.cypher").write_text("MATCH (p:Page)\nRETURN q;\nMATCH (p:Paje)-[:LEADS_TO]->() RETURN p;\n")
    (tmp_path / "bad.md").write_text("Text\n```cypher\nMATCH (p:Page\n```\n")
    undefined, *unknown = findings(tmp_path / "bad.cypher")
    label, relation = sorted(unknown)
    assert "Variable `q` not defined" in undefined
    assert "label `Paje`" in label and "type `LEADS_TO`" in relation
    assert "Invalid input" in findings(tmp_path / "bad.md")[0]
