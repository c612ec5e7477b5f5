"""What `ontocrawl query` says of a question that the graph cannot answer, and `browser` of a folder."""

import contextlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED

from cli.stores.neo4j_browser import run as show_in_browser
from cli.stores.query import hints, hints_on_answer
from cli.stores.query_mistakes import WIDE, mistake, unquoted
from graphdb.cypher.vocabulary import known_labels, known_properties, known_relations, properties_in
from graphdb.stores import open_store
from ontology.errors import SettingsError, StoreError


def test_sql_gets_a_question_in_cypher():
    (hint,) = hints("SELECT url FROM pages WHERE on_topic = 1")
    assert "Cypher" in hint
    assert "MATCH (p:Page)" in hint


@pytest.mark.parametrize(
    ("cypher", "told"),
    [
        ("MATCH (p:page) RETURN p", "no label page; did you mean Page?"),
        ("MATCH (p:Pages {url: 'x'}) RETURN p", "no label Pages; did you mean Page?"),
        ("MATCH (:Page)-[:LINKS]->(q:Page) RETURN q", "no relation LINKS; did you mean LINKS_TO?"),
        ("MATCH (:Page)-[:MENTIONS|REFERS*1..2]->(c) RETURN c", "no relation REFERS"),
    ],
)
def test_an_unknown_label_or_relation_gets_the_nearest(cypher, told):
    (hint,) = hints(cypher)
    assert told in hint
    assert "it has " in hint


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (p:Page)-[m:MENTIONS]->(c:Concept {label: 'select from'}) RETURN p {.url, m: [x IN [1] | x]}",
        "MATCH way = (:Page)-[:DISCOVERED_FROM*]->(:Page)<-[:SEED]-(:Crawl) RETURN way // (x:Other)",
        "MATCH (p:Page) WITH p.url AS url, {a: p.title} AS x, date() AS d RETURN url, x.a, d.year, 'p.nonsense', 1.5",
        "RETURN 1",
    ],
)
def test_a_question_in_the_graph_s_own_words_gets_none(cypher):
    assert list(hints(cypher)) == []


def test_the_graph_s_words_are_those_of_our_statements():
    assert {"Page", "Site", "Concept", "Crawl", "Trap"} <= known_labels()
    assert {"LINKS_TO", "MENTIONS", "NARROWER", "ON_SITE", "SEED", "DISCOVERED_FROM"} <= known_relations()


@pytest.mark.parametrize(
    ("cypher", "near"),
    [
        ("MATCH (p:Page) RETURN p.url, p.relevence", "relevence; did you mean relevance?"),
        ("MATCH (p:Page {onTopic: true}) RETURN p.url", "onTopic; did you mean on_topic?"),
        ("MATCH (:Page)-[l:LINKS_TO]->(q) WHERE q.titel = 'x' RETURN l.anchor", "titel; did you mean title?"),
    ],
)
def test_an_unknown_property_gets_the_nearest(cypher, near):
    (hint,) = hints(cypher)
    assert near in hint


@pytest.mark.parametrize(
    ("cypher", "rows", "told"),
    [
        (
            "MATCH (p:Page) RETURN p.url, p.score",
            [{"p.url": "http://a/", "p.score": None}],
            "score; did you mean scope?",
        ),
        (
            "MATCH (p:Page) RETURN p.url, p.相关度",
            [{"p.url": "http://a/", "p.相关度": None}],
            "相关度; those of a page:",
        ),
        ("MATCH (p:Page) RETURN p.url, p.score", [{"p.url": "http://a/", "p.score": 1}], None),
        ("MATCH (p:Page) RETURN p.url, p.layer", [{"p.url": "http://a/", "p.layer": None}], None),
    ],
)
def test_an_empty_column_of_an_unknown_property_is_explained(cypher, rows, told):
    found = list(hints_on_answer(cypher, rows))
    assert len(found) == (told is not None)
    assert all(told in hint for hint in found)


def test_properties_are_those_that_our_statements_read():
    assert {"url", "relevance", "anchor", "label_zh", "http_status", "seconds"} <= known_properties()
    assert properties_in("MATCH (p:Page)-[:ON_SITE]->(s) RETURN p.url, s.host, row.set") == {"url", "host"}


@pytest.mark.parametrize(
    ("cypher", "what", "pointed_at", "cure"),
    [
        ("MATCH (p:Page RETURN p.url", "the ( at column 7 is never closed", "(", "add the missing )"),
        ("MATCH (p:Page)) RETURN p", "the ) at column 15 closes nothing", ")", "remove it"),
        ("MATCH (p:Page {url: 'x(') RETURN p", "the { at column 15 is never closed", "{", "add the missing }"),
        ("MATCH (p:Page)\nRETURN [p.url", "the [ at line 2, column 8 is never closed", "[", "add the missing ]"),
        ("MATCH (p) WHERE p.t = '茶 RETURN p", "the ' at column 23 has no other half", "'", "add the missing '"),
    ],
)
def test_a_missing_half_is_told_with_its_place(cypher, what, pointed_at, cure):
    told, next_step = mistake(cypher, "mismatched input 'RETURN' expecting {'$', ')'}")
    first, line, pointer = told.split("\n")
    assert what in first
    assert line[pointer.index("^")] == pointed_at
    assert next_step.startswith(cure)


@pytest.mark.parametrize(
    ("cypher", "why", "cure"),
    [
        ("MATCH (p) WHRE p.x = 1 RETURN p", "Unexpected input 'WHRE' at line 1, column 11", "did you mean WHERE?"),
        ("MATCH (p:Page) RETURN", "mismatched input '<EOF>', expected: one of", "say after RETURN what is wanted"),
        ("MATCH (p:Page) RETURN q", "UndefinedVariable: Variable 'q' not defined", "name it in MATCH"),
    ],
)
def test_what_a_server_refuses_is_told_in_plain_words(cypher, why, cure):
    told, next_step = mistake(cypher, why)
    assert why not in told
    assert next_step.startswith(cure)


@pytest.mark.parametrize(
    "text", ["MATCH (p：Page) RETURN p", "MATCH (p:Page） RETURN p", "MATCH (p) WHERE p.url = “x” RETURN p"]
)
def test_a_full_width_sign_is_told_with_its_place(text):
    what, _, shown = mistake(text, "no viable alternative")[0].partition("\n")
    at = next(number for number, sign in enumerate(text, 1) if sign in WIDE)
    assert f"column {at}" in what and shown.splitlines()[0].strip() == text


def test_a_text_without_quotes_and_a_property_alone_are_told():
    text = "MATCH (p:Page) WHERE p.title CONTAINS 茶 RETURN p.url"
    assert "'茶'" in next(hints(text)) and "'茶'" in mistake(text, "Variable `茶` not defined")[1]
    ordered = "MATCH (p:Page) RETURN p.url ORDER BY relevance"
    assert "p.relevance" in mistake(ordered, "Variable 'relevance' not defined")[1]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (p:Page) WHERE p.on_topic = true AND p.url = $url RETURN p",
        "MATCH (a:Page) WITH a.host AS host MATCH (b:Page) WHERE b.host = host RETURN b",
        "MATCH (c:Concept) WHERE any(name IN c.names WHERE name = 'x') RETURN c",
        "MATCH (p:Page) WHERE p.url CONTAINS 'a' AND p.depth < size(p.url) RETURN p",
        "MATCH (a)-[l]->(b) WHERE a = b AND l.a < 3 RETURN a",
    ],
)
def test_names_that_a_query_explains_are_no_texts(text):
    assert unquoted(text) == []


def test_what_is_not_understood_stays_as_the_server_says_it():
    assert mistake("MATCH (p:Page) RETURN foo(p)", "UnknownFunction: Unknown function 'foo'") is None


def test_the_browser_of_a_folder_without_a_store_says_so(tmp_path):
    with pytest.raises(StoreError, match="there is no store at"):
        show_in_browser(str(tmp_path / "nothere"), tmp_path, serve=False, port=0)
    open_store(str(tmp_path / "store")).close()
    with pytest.raises(SettingsError, match="is a folder"):
        show_in_browser(str(tmp_path / "store"), tmp_path, serve=False, port=0)


ENDLESS = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a < 0 RETURN count(*)"
COMMAND = [str(Path(sys.executable).with_name("ontocrawl")), "query", ENDLESS, "--store"]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("queried") / "store"
    with contextlib.closing(open_store(str(folder))) as store:
        store.open_crawl(CRAWL, CONCEPTS, [SEED])
    return folder


@pytest.mark.slow
def test_an_endless_query_ends_by_its_limit(crawl):
    told = subprocess.run([*COMMAND, crawl, "--timeout", "1"], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (2, "")
    assert "--timeout" in told.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_an_endless_query(crawl, number):
    asked = [*COMMAND, crawl, "--timeout", "0"]
    with subprocess.Popen(asked, stderr=subprocess.PIPE, text=True) as command:
        time.sleep(3)  # it waits for the answer, or on a busy machine for the server
        command.send_signal(number)
        _, told = command.communicate(timeout=60)
    assert command.returncode == 130
    assert "Traceback" not in told


@pytest.mark.slow
def test_a_query_is_answered_after_an_endless_one(crawl):
    subprocess.run([*COMMAND, crawl, "--timeout", "1"], capture_output=True, check=False)
    told = subprocess.run(
        [*COMMAND[:2], "RETURN 1 AS one", "--format", "csv", "--store", crawl],
        capture_output=True,
        check=False,
    )
    assert told.stdout.split() == [b'"one"', b'"1"']
