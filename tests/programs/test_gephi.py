"""Graphs of ontocrawl, opened by Gephi's own library: nodes, links, labels, and attributes with their types."""

import subprocess
from pathlib import Path

import pytest
from java_programs import java

from cli.exchange.graph_files import write_gexf, write_graphml
from graphdb.record.exported_graph import LINKS, PAGES, Row

GEPHI = "org.gephi:gephi-toolkit:0.10.1:all"  # the newest on Maven Central; it needs no other jar
TYPES = {
    "text": "String",
    "texts": "String",
    "moment": "String",
    "whole": "Long",
    "number": "Double",
    "truth": "Boolean",
}
BLUE, ORANGE = -0xFFFFFF - 1 + (0 << 16 | 114 << 8 | 178), -0xFFFFFF - 1 + (230 << 16 | 159 << 8 | 0)


def page(url: str, **known: object) -> Row:
    return {column.name: None for column in PAGES} | {"url": url, "on_topic": False, "seed": False, **known}


def link(source: str, target: str, **known: object) -> Row:
    return {column.name: None for column in LINKS} | {"source": source, "target": target, **known}


HOME, TEA, WAITING = (f"https://茶.example/{path}" for path in ("", "绿茶?a=1&b=<2>", "next"))
WEB = [
    page(HOME, title="Start", status="fetched", seed=True, order=1, relevance=0.05),
    page(
        TEA,
        title='绿茶 & "龙井" 𠮷\x0b',
        status="fetched",
        on_topic=True,
        relevance=0.75,
        reasons=["+0.7 茶", "-0.1 x"],
    ),
    page(WAITING, status="queued", priority=0.25),
]
ENDS = [link(HOME, TEA, anchor="绿茶", priority=0.5, position=3), link(TEA, TEA), link(TEA, WAITING), link(TEA, HOME)]


@pytest.fixture(scope="module", params=["gexf", "graphml"])
def opened(request, tmp_path_factory) -> tuple[str, list[list[str]]]:
    """The kind of the file, and what Gephi has of it."""
    path: Path = tmp_path_factory.mktemp("graph") / f"web.{request.param}"
    (write_gexf if request.param == "gexf" else write_graphml)(path, PAGES, WEB, ENDS)
    command = java("ReadGraphs.java", "gephi-0.10.1", [GEPHI], alone=True)
    done = subprocess.run([*command, path], capture_output=True, encoding="utf-8", check=True)
    return request.param, [line.split("|") for line in done.stdout.splitlines()]


def test_gephi_has_every_page_and_link(opened):
    _, lines = opened
    assert [line for line in lines if line[0] == "issue" and not line[1].startswith("INFO")] == []
    labels = {line[1] for line in lines if line[0] == "node"}
    assert labels == {"Start", '绿茶 & "龙井" 𠮷', WAITING}
    ends = {(line[1], line[2]) for line in lines if line[0] == "edge"}
    tea = '绿茶 & "龙井" 𠮷'
    assert ends == {("Start", tea), (tea, tea), (tea, WAITING), (tea, "Start")}
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
    tea = nodes['绿茶 & "龙井" 𠮷']
    assert f"url={TEA}" in tea[3] and "relevance=0.75" in tea[3] and "on_topic=true" in tea[3]
    assert "reasons=+0.7 茶; -0.1 x" in tea[3]
    (to_tea,) = [line for line in lines if line[0] == "edge" and line[1] == "Start"]
    assert to_tea[4] == "[anchor=绿茶, position=3, priority=0.5]"
    if kind == "gexf":
        assert (int(tea[2]), int(nodes[WAITING][2])) == (BLUE, ORANGE)
