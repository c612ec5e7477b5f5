"""`oc:excludes` and `oc:relatedness`, from the file to what a crawl says of its pages."""

import json

import pytest
from test_end_to_end import HOST, ONTOLOGY, crawl, ontocrawl, warc

pytestmark = pytest.mark.slow
MARKED = (
    ONTOLOGY
    + """:Tea oc:excludes "green tea party"@en ; :servedIn :Pot .
:servedIn a owl:ObjectProperty ; oc:relatedness 0.5 .
:Pot a owl:Class ; rdfs:label "teapot"@en .
"""
)
PAGES = {
    "/": ("Start", '<p>Green tea, black tea.</p><a href="/party">one</a> <a href="/pot">two</a>'),
    "/party": ("A party", "<p>The green tea party went on: a green tea party all night.</p>"),
    "/pot": ("A pot", "<p>A teapot of iron is a good teapot.</p>"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("marks")
    (folder / "tea.ttl").write_text(MARKED, encoding="utf-8")
    (folder / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (folder / "web.warc").write_bytes(warc(PAGES))
    assert crawl(folder, "--max-pages", "5").returncode == 0
    return folder


def test_words_in_an_excluded_phrase_count_for_nothing(made):
    cypher = (
        "MATCH (p:Page) WHERE p.order IS NOT NULL RETURN p.url AS url, p.relevance AS relevance, p.reasons AS reasons"
    )
    pages = {row["url"]: row for row in json.loads(ontocrawl(made, "query", cypher, "--format", "json").stdout)}
    assert not any("green tea" in reason for reason in pages[f"{HOST}/party"]["reasons"])
    assert any("green tea" in reason for reason in pages[f"{HOST}/"]["reasons"])
    assert pages[f"{HOST}/party"]["relevance"] < pages[f"{HOST}/pot"]["relevance"] < pages[f"{HOST}/"]["relevance"]


def test_explain_tells_for_what_a_related_word_counts(made):
    told = ontocrawl(made, "explain", f"{HOST}/pot").stdout
    assert "tea: teapot" in told
    assert "green tea" not in ontocrawl(made, "explain", f"{HOST}/party").stdout.partition("What it lacks")[0]


def test_check_and_match_know_both(made):
    check = ontocrawl(made, "ontology", "check", "tea.ttl", "--json")
    codes = {finding["code"] for finding in json.loads(check.stdout)["findings"]}
    assert check.returncode == 0 and not codes & {"W108", "W218", "W219", "W217"}
    (made / "text.txt").write_text("A green tea party beside a teapot.", encoding="utf-8")
    lines = ontocrawl(made, "ontology", "match", "tea.ttl", "text.txt", "--json").stdout.splitlines()
    (pot,) = map(json.loads, lines)
    assert (pot["term"], pot["related"]) == ("teapot", ["http://onto.example/tea#Tea", 0.5])
    assert "0.5 of tea" in ontocrawl(made, "ontology", "match", "tea.ttl", "text.txt").stdout
