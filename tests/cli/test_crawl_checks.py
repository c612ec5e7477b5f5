"""`ontology check --store`: what pages tell of an ontology's words, by hand-made pages and by the command."""

import json

import pytest
from test_end_to_end import ontocrawl

from cli.inputs.crawl_topic import read_about
from cli.ontologies.crawl_checks import Crawled, places
from cli.ontologies.said_words import said_words
from ontology.inspection.checks import RULES, finding_at
from ontology.inspection.concept_captions import Captions
from semantic.parsing.page_reader import pack, read_page
from semantic.proposals.doubtful_words import Doubtful

TEA = "http://example.org/tea#"
TOPIC = """
@prefix : <http://example.org/tea#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oc: <https://w3id.org/ontocrawl#> .
<http://example.org/tea> a owl:Ontology ; oc:topic :Drink .
:Drink a owl:Class ; rdfs:label "beverage"@en .
:Tea a owl:Class ; rdfs:subClassOf :Drink ; rdfs:label "tea"@en, "cha"@en ; oc:weight 1.0 .
:Well a owl:Class ; rdfs:subClassOf :Drink ; rdfs:label "longjing"@en, "well"@en .
:Spring a owl:Class ; rdfs:subClassOf :Drink ; rdfs:label "spring"@en, "well"@en .
:Pot a owl:Class ; rdfs:subClassOf :Drink ; rdfs:label "teapot"@en .
:Shop a owl:Class ; oc:layer 1 ; rdfs:label "shop"@en .
:Other a owl:Class ; rdfs:label "elsewhere"@en .
"""
TEXTS = [
    *["tea from the well"] * 6,
    *["longjing tea"] * 2,
    *["a well near a spring"] * 6,
    "shop",
    "<a href='/x'>cha</a>",
]


def url(number: int) -> str:
    return f"http://a.example/{number}"


@pytest.fixture
def crawled(tmp_path):
    path = tmp_path / "tea.ttl"
    path.write_text(TOPIC, encoding="utf-8")
    about = read_about(path)
    pages = [read_page(f"<p>{text}</p>".encode(), url(number), {}) for number, text in enumerate(TEXTS)]
    said = said_words(((page.url, pack(page)) for page in pages), about, "dictionary")
    words = [word.text for word in about.lexicon.words]
    doubtful = (Doubtful(TEA + "Well", words.index("well"), 6, 6, 20.0), Doubtful(TEA + "Tea", None, 3, 9, 15.0, 0.4))
    return Crawled(about, said, frozenset(map(url, range(8))), doubtful)


def messages(crawled, code):
    captions = Captions(crawled.about.ontology)
    found = [finding_at(each, place, captions) for each, place in places(crawled) if each == code]
    return [finding.message.removeprefix(RULES[code].what) for finding in found]


def test_doubtful_words_and_features_have_their_figures(crawled):
    assert "well, at longjing (6 of 12 " in messages(crawled, "W301")[0]
    assert "tea (3 of 12 " in messages(crawled, "W302")[0] and "0.4" in messages(crawled, "W302")[0]


def test_a_word_of_two_has_the_shares_of_both(crawled):
    (told,) = messages(crawled, "W303")
    assert "well, 6 of 12 " in told and "2 of 2, 0 of 6" in told


def test_concepts_that_no_page_says_are_told_without_parents(crawled):
    assert messages(crawled, "W304") == [": teapot"]


def test_words_are_said_outside_of_links_alone(crawled):
    assert messages(crawled, "W305") == [": cha, at tea"]


@pytest.mark.slow
def test_the_command_adds_what_the_crawl_tells(read_crawl):
    text = (read_crawl / "tea.ttl").read_text(encoding="utf-8")
    (read_crawl / "more.ttl").write_text(text.replace('"tea"@en', '"tea"@en, "brew"@en'), encoding="utf-8")
    alone = json.loads(ontocrawl(read_crawl, "ontology", "check", "more.ttl", "--json").stdout)
    told = ontocrawl(read_crawl, "ontology", "check", "more.ttl", "--store", "ontocrawl-store", "--json")
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)["findings"]
    assert [each for each in found if not each["code"].startswith("W3")] == alone["findings"]
    assert any(each["code"] == "W305" and "brew" in each["message"] for each in found)
