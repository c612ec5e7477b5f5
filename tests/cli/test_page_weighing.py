"""`ontology match --store`: the number that a crawl gives, for its pages and for any other text."""

import json

import pytest
from test_end_to_end import HOST, PAGES, ontocrawl

from graphdb.stores import open_store

pytestmark = pytest.mark.slow
STORE = ("--store", "ontocrawl-store")


def weighed(read_crawl, named, *words):
    told = ontocrawl(read_crawl, "ontology", "match", "tea.ttl", named, *STORE, "--json", *words)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout.splitlines()[-1])


def recorded(read_crawl, path):
    cypher = f"MATCH (p:Page {{url: '{HOST}{path}'}}) RETURN p.relevance AS r, p.reasons AS w"
    (row,) = json.loads(ontocrawl(read_crawl, "query", cypher, "--format", "json").stdout)
    return row["r"], row["w"]


def test_a_page_of_the_crawl_has_the_records_number(read_crawl):
    found = weighed(read_crawl, f"{HOST}/green")
    assert (found["relevance"], found["reasons"]) == recorded(read_crawl, "/green")
    assert found["page"] == f"{HOST}/green"


@pytest.mark.parametrize("before", ["", "<!-- read from a file -->"])
def test_a_file_with_a_pages_text_has_its_number(read_crawl, before):
    title, body = PAGES["/black"]
    html = f"{before}<html><head><title>{title}</title></head><body>{body}</body></html>"
    (read_crawl / "black.html").write_text(html, encoding="utf-8")
    found = weighed(read_crawl, "black.html")
    assert found["relevance"] == pytest.approx(recorded(read_crawl, "/black")[0], abs=1e-12)


def test_a_file_that_is_no_text_is_not_judged(read_crawl):
    (read_crawl / "packed.bin").write_bytes(b"\x1f\x8b\x08\0\xff\0\0tea")
    told = ontocrawl(read_crawl, "ontology", "match", "tea.ttl", "packed.bin", *STORE)
    assert told.returncode == 2 and "this is not text" in told.stderr


def test_other_texts_are_judged_and_nothing_is_learned(read_crawl):
    (read_crawl / "some.txt").write_text("Green tea & black tea < tea.", encoding="utf-8")
    store = open_store(str(read_crawl / "ontocrawl-store"), create=False)
    before = store.remembered()
    first = weighed(read_crawl, "some.txt")
    assert first["page"] is None and 0 < first["relevance"] < 1
    assert weighed(read_crawl, "some.txt") == first
    assert store.remembered() == before
    store.close()
    assert weighed(read_crawl, "seeds.txt")["relevance"] < 0.1


def test_a_short_text_without_the_ontology_s_words_says_little(read_crawl):
    (read_crawl / "none.txt").write_text("The players went home.", encoding="utf-8")
    (read_crawl / "nothing.txt").write_text("", encoding="utf-8")
    wordless = weighed(read_crawl, "nothing.txt")["relevance"]
    told = ontocrawl(read_crawl, "ontology", "match", "tea.ttl", "none.txt", *STORE).stdout
    assert "So it is judged only by what the crawl has learned from other words, links and marks.\n" in told
    assert f"A short text says little: without any word it would have {wordless:.3f}" in told
    for text in ("Green tea & black tea < tea.", "players " * 60):
        (read_crawl / "none.txt").write_text(text, encoding="utf-8")
        told = ontocrawl(read_crawl, "ontology", "match", "tea.ttl", "none.txt", *STORE).stdout
        assert "A short text says little" not in told


def test_another_ontology_and_an_unknown_page_are_refused(read_crawl):
    (read_crawl / "other.ttl").write_text((read_crawl / "tea.ttl").read_text("utf-8") + "# edited\n", encoding="utf-8")
    other = ontocrawl(read_crawl, "ontology", "match", "other.ttl", "seeds.txt", *STORE)
    assert other.returncode == 2 and "rejudge --store ontocrawl-store --ontology other.ttl" in other.stderr
    unknown = ontocrawl(read_crawl, "ontology", "match", "tea.ttl", "http://nowhere.example/", *STORE)
    assert unknown.returncode == 2
