"""The files for Neo4j Browser agree with each other."""

import html
import re
from dataclasses import replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url
from store_fixtures import fill_from

from benchmarks import neo4j_server
from graphdb.browser.browser_files import FOLDER, GUIDE, PORT, STYLE, browser_files, saved_queries
from graphdb.cypher.vocabulary import known_labels, labels_in, relations_in
from semantic.records import Batch


def test_the_guide_has_every_saved_query_as_it_is():
    runnable = re.findall(r'<pre class="[^"]*runnable">(.*?)</pre>', browser_files()[GUIDE], re.DOTALL)
    assert set(saved_queries().values()) <= set(map(html.unescape, runnable))
    assert browser_files()[GUIDE].count("<slide ") == 10


def test_the_guide_names_the_port_at_which_it_is_served():
    assert f"localhost:{PORT}/{STYLE}" in browser_files()[GUIDE]
    assert f"localhost:8000/{STYLE}" in browser_files(8000)[GUIDE]


def test_docker_serves_the_guide_beside_the_neo4j_of_the_tests():
    compose = (FOLDER.parents[1] / "docker-compose.yml").read_text("utf-8")
    assert f'"127.0.0.1:{PORT}:80"' in compose
    assert f"style http://localhost:{PORT}/{STYLE}; guide http://localhost:{PORT}/{GUIDE}" in compose
    assert f"image: neo4j:{neo4j_server.VERSION}-community" in compose
    assert f"./{FOLDER.relative_to(FOLDER.parents[1])}:/usr/share/nginx/html:ro" in compose


def test_queries_begin_with_a_title_and_know_the_graph():
    for query in saved_queries().values():
        assert query.startswith("// ")
        assert labels_in(query) | relations_in(query)
        assert labels_in(query) <= known_labels()


def test_the_style_has_a_colour_for_every_label():
    styled = set(re.findall(r"^node\.(\w+) \{", browser_files()[STYLE], re.MULTILINE))
    assert known_labels() == styled


@pytest.mark.parametrize("words", ['"冰与雪"', "ice AND 冰*", "与雪 NOT water"])
def test_words_are_found_in_titles_and_links(neo4j_graph, record, words):
    store = record
    store.open_crawl(CRAWL, CONCEPTS, [SEED])
    links = (link(1, 0.5)._replace(anchor="冰与雪 ice"), link(2, 0.5)._replace(anchor="water"))
    store.save(Batch(pages=(replace(fetched(0, links=links), title="冰与雪 ice"), fetched(3))))
    fill_from(store, neo4j_graph)
    list(neo4j_graph.read("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()"))
    found = {}
    for name in ("words_in_titles", "words_in_links"):
        query = saved_queries()[name].replace("WITH ''", f"WITH '{words}'").rstrip(";")
        found[name] = [row["address"] for row in neo4j_graph.query(query, {}).rows]
    assert found == {"words_in_titles": [page_url(0)], "words_in_links": [page_url(1)]}
