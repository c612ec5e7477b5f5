"""What `ontocrawl query` says of a question that the graph cannot answer."""

import pytest

from cli.stores.query import hints
from graphdb.cypher.vocabulary import known_labels, known_relations


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
        "RETURN 1",
    ],
)
def test_a_question_in_the_graph_s_own_words_gets_none(cypher):
    assert list(hints(cypher)) == []


def test_the_graph_s_words_are_those_of_our_statements():
    assert {"Page", "Site", "Concept", "Crawl", "Memory"} <= known_labels()
    assert {"LINKS_TO", "MENTIONS", "NARROWER", "ON_SITE", "SEED", "DISCOVERED_FROM"} <= known_relations()
