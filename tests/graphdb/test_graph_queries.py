"""A person's queries: plain values, columns, mistakes."""

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, page_url
from store_fixtures import fill_from

from ontology.errors import StoreError
from semantic.records import Batch


def test_a_user_asks_in_cypher_and_gets_plain_values(graph, record):
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    record.save(Batch(pages=(fetched(0, links=(link(1, 0.5),)),)))
    fill_from(record, graph)
    table = graph.query(
        "MATCH way = (p:Page {url: $url})-[l:LINKS_TO]->(q) "
        "RETURN p, l, way, [1, null] AS list, date('2026-01-02') AS day",
        {"url": SEED.url},
    )
    assert table.columns == ("p", "l", "way", "list", "day")
    (row,) = table.rows
    page, relation, way = row["p"], row["l"], row["way"]
    assert ("Page" in page["labels"], page["properties"]["title"]) == (True, "page 0")
    assert (relation["type"], relation["start"], relation["properties"]["anchor"]) == ("LINKS_TO", page["id"], "to 1")
    assert [node["properties"]["url"] for node in way["nodes"]] == [SEED.url, page_url(1)]
    assert (row["list"], row["day"]) == ([1, None], "2026-01-02")


def test_an_answer_without_rows_has_its_columns(graph):
    cypher = (
        "MATCH (p:Page {url: 'none'}) RETURN p.url, coalesce(p.title, 'a, b'), {a: 1, b: [1, 2]} AS both, p.host AS h"
    )
    table = graph.query(cypher)
    assert (table.columns, table.rows) == (("p.url", "coalesce(p.title, 'a, b')", "both", "h"), ())


def test_a_wrong_query_is_a_users_mistake(graph):
    with pytest.raises(StoreError, match="refused the query"):
        graph.query("MATCH (p:Page RETURN p")
    with pytest.raises(StoreError, match="refused the query"):
        graph.query("RETURN $nothing")
