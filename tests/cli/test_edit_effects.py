"""`ontology diff --store`: what an edit does in the pages of a crawl, foretold without writing anything."""

import json

import pytest
from test_end_to_end import HOST, ONTOLOGY, PAGES, crawl, ontocrawl, warc

pytestmark = pytest.mark.slow
NEW = ONTOLOGY.replace(
    ':Black a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "black tea"@en ; oc:weight 1.0 .',
    ':Start a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "welcome"@en, "start"@en ; oc:weight 1.0 .',
).replace('"tea"@en', '"tea"@en, "leaf"@en')
ELSEWHERE = ONTOLOGY.replace("green tea", "welcome").replace("black tea", "start").replace('"tea"', '"wheels"')
STORE = ("--store", "ontocrawl-store")
STATE = "MATCH (p:Page) RETURN p.url AS url, p.relevance AS relevance, p.on_topic AS on_topic ORDER BY p.url"
MARK = "MATCH (c:Crawl) RETURN c.fingerprint AS fingerprint, c.ontology AS ontology"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("edited")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "new.ttl").write_text(NEW, encoding="utf-8")
    (made / "elsewhere.ttl").write_text(ELSEWHERE, encoding="utf-8")
    (made / "other.ttl").write_text(ONTOLOGY + "# edited\n", encoding="utf-8")
    (made / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (made / "web.warc").write_bytes(warc(PAGES))
    assert crawl(made, "--max-pages", "3").returncode == 0
    return made


def told(folder, old, new):
    done = ontocrawl(folder, "ontology", "diff", old, new, *STORE, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def asked(folder, cypher):
    return json.loads(ontocrawl(folder, "query", cypher, "--format", "json").stdout)


def test_what_came_and_went_is_counted_in_pages(folder):
    found = told(folder, "tea.ttl", "new.ttl")["differences"]
    said = {(one["what"], one["label"], one["before"] is None): one["pages"] for one in found}
    assert said == {("concept", "black tea", False): 2, ("concept", "welcome", True): 1, ("name", "tea", True): 0}


def test_the_same_in_other_bytes_changes_no_page(folder):
    same = told(folder, "tea.ttl", "other.ttl")
    assert (same["differences"], same["gained"], same["lost"]) == ([], [], [])
    assert same["pages"] == 3


def test_nothing_is_written_and_rejudge_does_what_was_foretold(folder):
    before = asked(folder, STATE), asked(folder, MARK)
    foretold = told(folder, "tea.ttl", "elsewhere.ttl")
    assert (asked(folder, STATE), asked(folder, MARK)) == before
    ontocrawl(folder, "rejudge", "--ontology", "tea.ttl")
    rejudged = json.loads(ontocrawl(folder, "rejudge", "--ontology", "elsewhere.ttl", "--json").stdout)
    assert {name: foretold[name] for name in ("pages", "before", "on_topic", "gained", "lost")} == {
        name: rejudged[name] for name in ("pages", "before", "on_topic", "gained", "lost")
    }
    assert foretold["lost"]
