"""What a crawl has of each concept, over both databases and by the command."""

import json

import pytest
from records_at_hand import CRAWL
from test_end_to_end import ONTOLOGY, crawl, ontocrawl

from cli.ontologies.coverage import NO_NEWS, TOO_GENERAL, Covered, covered, named
from cli.render.terminal import width
from semantic.records import Batch, ConceptRecord, Counters, MentionRecord, PageRecord

CONCEPTS = [
    ConceptRecord(iri="urn:drink", label="drink", weight=None, narrower=("urn:tea",)),
    ConceptRecord(iri="urn:tea", label="tea", weight=1.0),
    ConceptRecord(iri="urn:page", label="page", weight=1.0),
    ConceptRecord(iri="urn:kettle", label="kettle", weight=1.0),
]


def page(number: int) -> PageRecord:
    """Of twenty the first ten are on topic and mention tea; all mention page."""
    on_topic = number < 10
    concepts = ("urn:tea", "urn:page") if on_topic else ("urn:page",)
    mentions = tuple(MentionRecord(iri, 1, 1.0, {"other": 1}) for iri in concepts)
    url = f"http://{number % 4}.example/{number}"
    return PageRecord(
        url=url,
        status="fetched",
        depth=0,
        priority=0.5,
        parent=None,
        http_status=200,
        order=number + 1,
        on_topic=on_topic,
        mentions=mentions,
    )


@pytest.fixture
def found(record):
    record.open_crawl(CRAWL, CONCEPTS, [])
    pages = tuple(map(page, range(20)))
    record.save(Batch(pages=pages, counters=Counters(pages=20, on_topic=10)))
    return {one.label: one for one in covered(record)}


def test_pages_hosts_and_news_are_counted(found):
    tea, word = found["tea"], found["page"]
    assert (tea.pages, tea.on_topic, tea.hosts, tea.share, tea.late) == (10, 10, 4, 0.5, 0)
    assert (word.pages, word.on_topic, word.hosts, word.share, word.late) == (20, 10, 4, 1.0, 2)
    assert list(found) == ["page", "tea", "drink", "kettle"]


def test_what_tells_nothing_and_what_has_ended_is_remarked(found):
    assert (found["tea"].remark, found["page"].remark) == (NO_NEWS, TOO_GENERAL)


def test_a_parent_of_what_is_mentioned_is_not_missing(found):
    assert [label for label, one in found.items() if not one.pages and not one.below] == ["kettle"]


CHINESE = ONTOLOGY.replace('"green tea"@en', '"green tea"@en, "绿茶"@zh')


def test_concepts_are_named_by_the_ontology_as_it_is(tmp_path, capsys):
    (tmp_path / "tea.ttl").write_text(CHINESE, "utf-8")
    iris = [f"http://onto.example/tea#{name}" for name in ("Green", "Gone")]
    found = [Covered(iri, "recorded", 1.0, None, 5, 5, 1, 0.1, 1, False) for iri in iris]
    assert {one.label for one in named(found, tmp_path / "tea.ttl")} == {"green tea", "recorded"}
    assert named(found, tmp_path / "none.ttl") == found
    assert "none.ttl" in capsys.readouterr().err


def test_coverage_speaks_the_user_s_language_as_weigh_does(read_crawl, monkeypatch):
    before = (read_crawl / "tea.ttl").read_bytes()
    (read_crawl / "tea.ttl").write_text(CHINESE, "utf-8")
    try:
        for spoken, name in (("zh_CN", "绿茶"), ("en", "green tea")):
            monkeypatch.setenv("LANGUAGE", spoken)
            for command in ("coverage", "weigh"):
                assert f"\n{name} " in ontocrawl(read_crawl, "ontology", command).stdout
    finally:
        (read_crawl / "tea.ttl").write_bytes(before)


def test_a_crawl_without_an_ontology_covers_nothing(read_crawl):
    words = "--strategy customised --seeds seeds.txt --archive web.warc --delay 0 --max-pages 2 --store seeds-alone"
    assert ontocrawl(read_crawl, "crawl", *words.split()).returncode == 0
    assert ontocrawl(read_crawl, "ontology", "coverage", "--store", "seeds-alone").returncode == 2


def test_the_table_fits_a_terminal_of_eighty_columns(read_crawl, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = ontocrawl(read_crawl, "ontology", "coverage")
    assert shown.returncode == 0 and "share" in shown.stdout
    assert max(width(line) for line in shown.stdout.splitlines()) <= 80


def test_words_on_no_page_are_told_on_demand(read_crawl):
    told = json.loads(ontocrawl(read_crawl, "ontology", "coverage", "--words", "--json").stdout)
    assert {"iri", "label", "pages", "remark"} <= set(told["concepts"][0])
    assert told["unseen_words"] == sorted(told["unseen_words"])
    assert "unseen_words" not in json.loads(ontocrawl(read_crawl, "ontology", "coverage", "--json").stdout)


def test_a_crawl_ends_when_every_concept_has_its_pages(read_crawl):
    told = crawl(read_crawl, "--max-pages", "50", "--until-covered", "1", "--store", "covered", "--json")
    figures = json.loads(told.stdout)
    assert figures["stopped"] == "covered" and figures["covered"] == figures["can_be_covered"] > 0
    status = json.loads(ontocrawl(read_crawl, "status", "--store", "covered", "--json").stdout)
    assert status["coverage"] == {
        "wanted": 1,
        "covered": figures["covered"],
        "can_be_covered": figures["covered"],
        "lacking": [],
    }
    more = json.loads(
        crawl(read_crawl, "--max-pages", "50", "--until-covered", "9", "--store", "covered", "--json").stdout
    )
    assert more["stopped"] == "queue-empty" and more["lacking"] and more["pages"] > figures["pages"]
    assert all(count < 9 for _, count in more["lacking"])
    shown = " ".join(
        ontocrawl(read_crawl, "status", "--store", "covered").stdout.split()
    )  # lines may be wrapped anywhere
    assert all(label in shown for label, _ in more["lacking"])


def test_without_an_ontology_nothing_can_be_covered(read_crawl):
    words = ("--seeds", "seeds.txt", "--max-pages", "5", "--strategy", "customised", "--until-covered", "1")
    assert ontocrawl(read_crawl, "crawl", *words).returncode == 2
