"""`ontology match --store`: the number that a crawl gives, for its pages and for any other text."""

import json

import pytest
from test_end_to_end import HOST, PAGES, folder, ontocrawl  # noqa: F401 - a fixture

from graphdb.stores import open_store

pytestmark = pytest.mark.slow
STORE = ("--store", "ontocrawl-store")


def weighed(folder, named, *words):  # noqa: F811
    told = ontocrawl(folder, "ontology", "match", "tea.ttl", named, *STORE, "--json", *words)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout.splitlines()[-1])


def recorded(folder, path):  # noqa: F811
    cypher = f"MATCH (p:Page {{url: '{HOST}{path}'}}) RETURN p.relevance AS r, p.reasons AS w"
    (row,) = json.loads(ontocrawl(folder, "query", cypher, "--format", "json").stdout)
    return row["r"], row["w"]


def test_a_page_of_the_crawl_has_the_records_number(folder):  # noqa: F811
    found = weighed(folder, f"{HOST}/green")
    assert (found["relevance"], found["reasons"]) == recorded(folder, "/green")
    assert found["page"] == f"{HOST}/green"


@pytest.mark.parametrize("before", ["", "<!-- read from a file -->"])
def test_a_file_with_a_pages_text_has_its_number(folder, before):  # noqa: F811
    title, body = PAGES["/black"]
    html = f"{before}<html><head><title>{title}</title></head><body>{body}</body></html>"
    (folder / "black.html").write_text(html, encoding="utf-8")
    found = weighed(folder, "black.html")
    assert found["relevance"] == pytest.approx(recorded(folder, "/black")[0], abs=1e-12)


def test_other_texts_are_judged_and_nothing_is_learned(folder):  # noqa: F811
    (folder / "some.txt").write_text("Green tea & black tea < tea.", encoding="utf-8")
    store = open_store(str(folder / "ontocrawl-store"), create=False)
    before = store.remembered()
    first = weighed(folder, "some.txt")
    assert first["page"] is None and 0 < first["relevance"] < 1
    assert weighed(folder, "some.txt") == first
    assert store.remembered() == before
    store.close()
    assert weighed(folder, "seeds.txt")["relevance"] < 0.1


def test_another_ontology_and_an_unknown_page_are_refused(folder):  # noqa: F811
    (folder / "other.ttl").write_text((folder / "tea.ttl").read_text("utf-8") + "# edited\n", encoding="utf-8")
    other = ontocrawl(folder, "ontology", "match", "other.ttl", "seeds.txt", *STORE)
    assert other.returncode == 2 and "rejudge --store ontocrawl-store --ontology other.ttl" in other.stderr
    unknown = ontocrawl(folder, "ontology", "match", "tea.ttl", "http://nowhere.example/", *STORE)
    assert unknown.returncode == 2
