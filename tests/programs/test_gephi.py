"""Graphs of ontocrawl, opened by Gephi's own library: nodes, links, labels, and attributes with their types."""

import subprocess
from pathlib import Path

import pytest
from java_programs import java
from made_crawl import ENDS, TEA, TITLE, WAITING, WEB

from cli.exchange.graph_files import write_gexf, write_graphml
from graphdb.record.exported_record import PAGES

GEPHI = "org.gephi:gephi-toolkit:0.10.1:all"  # the newest on Maven Central; it needs no other jar
TYPES = {
    "text": "String",
    "texts": "String",
    "moment": "String",
    "whole": "Long",
    "number": "Double",
    "truth": "Boolean",
}
LABEL = TITLE.rstrip("\x0b")
OPAQUE = -1 << 24
BLUE, ORANGE = OPAQUE | 0 << 16 | 114 << 8 | 178, OPAQUE | 230 << 16 | 159 << 8 | 0  # as Java has colours


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> dict[str, list[list[str]]]:
    """Kind of file -> what Gephi has of it."""
    folder: Path = tmp_path_factory.mktemp("graphs")
    write_gexf(folder / "web.gexf", PAGES, WEB, ENDS)
    write_graphml(folder / "web.graphml", PAGES, WEB, ENDS)
    command = java("ReadGraphs.java", "gephi-0.10.1", [GEPHI], alone=True)
    paths = [folder / "web.gexf", folder / "web.graphml"]
    done = subprocess.run([*command, *paths], capture_output=True, encoding="utf-8", check=True)
    gexf, _, graphml = done.stdout.partition(f"file|{paths[1]}\n")
    return {"gexf": split(gexf), "graphml": split(graphml)}


def split(text: str) -> list[list[str]]:
    return [line.split("|") for line in text.splitlines()]


@pytest.fixture(params=["gexf", "graphml"])
def opened(seen, request) -> tuple[str, list[list[str]]]:
    return request.param, seen[request.param]


def test_gephi_has_every_page_and_link(opened):
    _, lines = opened
    assert [line for line in lines if line[0] == "issue" and not line[1].startswith("INFO")] == []
    labels = {line[1] for line in lines if line[0] == "node"}
    assert labels == {"Start", LABEL, WAITING}
    ends = {(line[1], line[2]) for line in lines if line[0] == "edge"}
    assert ends == {("Start", LABEL), (LABEL, LABEL), (LABEL, WAITING), (LABEL, "Start")}
    assert {line[3] for line in lines if line[0] == "edge"} == {"true"}


def test_gephi_knows_the_types_of_columns(opened):
    _, lines = opened
    types = {(line[1], line[2]): line[3] for line in lines if line[0] == "column"}
    for column in PAGES:
        if column.name != "chosen":
            assert types["node", column.name] == TYPES[column.kind]
    assert types["edge", "priority"] == "Double"
    assert types["edge", "position"] == "Long"


def test_gephi_has_the_values_and_colours(opened):
    kind, lines = opened
    nodes = {line[1]: line for line in lines if line[0] == "node"}
    tea = nodes[LABEL]
    assert f"url={TEA}" in tea[3] and "relevance=0.75" in tea[3] and "on_topic=true" in tea[3]
    assert "reasons=+0.7 茶; -0.1 x" in tea[3]
    (to_tea,) = [line for line in lines if line[0] == "edge" and line[1] == "Start"]
    assert to_tea[4] == "[anchor=绿茶, position=3, priority=0.5]"
    if kind == "gexf":
        assert (int(tea[2]), int(nodes[WAITING][2])) == (BLUE, ORANGE)
