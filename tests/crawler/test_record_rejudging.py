"""What a crawl has kept, judged again by a strategy whose topic is made of its seeds."""

import pytest

from crawler.rejudging.record_rejudging import judge_again
from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic
from semantic.parsing.page_reader import read_page
from semantic.parsing.stored_content import pack
from semantic.records import KeptPage
from semantic.strategies.strategy_table import build_understanding

ICE, SNOW, LATE = ("http://h.example/ice", "http://h.example/snow", "http://h.example/late")


def kept(url: str, text: str) -> KeptPage:
    content = pack(read_page(f"<p>{text}</p>".encode(), url, {}))
    return KeptPage(url, "fetched", 200, 1, "", None, (), content, ())


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        ([ICE, SNOW], {ICE: 2 / 5**0.5, SNOW: 1 / 5**0.5}),  # (4, 0) and (0, 2) beside (2, 1)
        ([ICE, SNOW, LATE], {ICE: 1.0, SNOW: 1.0}),  # the third is still to come: seeds count as on topic
    ],
)
def test_each_page_is_told_of_once_when_all_seeds_are_known(seeds, said):
    understanding = build_understanding("customised", Topic(None, "s", {}, {}), Lexicon((), {}), None, {}, seeds=seeds)
    pages = [kept(ICE, "ice ice ice ice"), kept(SNOW, "snow snow")]
    found = [(record.url, record.relevance) for record in judge_again(pages, understanding)]
    assert len(found) == len(said)
    assert dict(found) == pytest.approx(said)


def test_pages_read_again_have_their_kind_even_where_they_were_held():
    understanding = build_understanding("customised", Topic(None, "s", {}, {}), Lexicon((), {}), None, {}, seeds=[ICE])
    pages = [kept(ICE, "ice ice ice ice"), kept(SNOW, f'<a href="/x">{"snow " * 30}</a>')]
    assert {record.url: record.kind for record in judge_again(pages, understanding)} == {
        ICE: "article",
        SNOW: "listing",
    }
    late = build_understanding("customised", Topic(None, "s", {}, {}), Lexicon((), {}), None, {}, seeds=[ICE, SNOW])
    assert {record.url: record.kind for record in judge_again(pages, late)} == {ICE: "article", SNOW: "listing"}
