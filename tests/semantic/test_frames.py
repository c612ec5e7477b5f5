"""Frames: what is made of a page once, beside the crawl, is the same wherever it is made and however it travels."""

import pickle
from math import inf

import pytest
from miniature import LEXICON, TOPIC

from semantic.frame import Frame
from semantic.parsing.page_reader import read_page, unpack
from semantic.reasons import PageError
from semantic.strategies.strategy_table import build_understanding
from semantic.understanding import Answer, TopicUnderstanding, Understood

HERE = "http://example.org/"
BODY = """<html lang=en><head><title>Fighters</title><link rel=canonical href=/main>
<link rel=alternate type=application/rss+xml href=/feed></head>
<body><h1>A fighter</h1><p>The F-22 is a fighter jet, 导弹 and missile <a href=/a>missile</a> beside
<a href=/b?x=1&y=2>the catalogue</a>, <a href=http://elsewhere.example/c>portal</a> and <a href=/a>fighter</a></p>"""
ANSWERS = [(f"{BODY}<p>{'fighter ' * n}</p><a href=/{n + 1}>on</a>".encode(), f"{HERE}{n}", {}) for n in range(5)]
READS_ROWS, READS_PAGES = "fused", "ontology"


def built(strategy: str, **about: object) -> TopicUnderstanding:
    return build_understanding(strategy, TOPIC, LEXICON, **about)


def framed(strategy: str, answer: Answer = ANSWERS[3]) -> Frame:
    return built(strategy).analyst.frame(read_page(*answer))


def test_a_frame_holds_rows_or_the_page_and_never_both():
    rows, page = framed(READS_ROWS), framed(READS_PAGES)
    assert (rows.page, rows.counts.mentions, page.links) == (None, (), None)
    assert page.page == read_page(*ANSWERS[3])
    assert page.counts.mentions


def test_a_frame_tells_what_the_record_keeps_of_its_page():
    frame = framed(READS_ROWS)
    assert (frame.url, frame.title, frame.language) == (f"{HERE}3", "Fighters", "en")
    assert (frame.canonical, frame.feed) == (f"{HERE}main", f"{HERE}feed")
    assert unpack(frame.content, frame.url).text == read_page(*ANSWERS[3]).text
    assert {mention.concept.rpartition("#")[2] for mention in frame.mentions} >= {"Fighter", "Missile", "F-22"}


def test_a_target_s_row_has_its_first_link_s_text():
    links = framed(READS_ROWS).links
    assert links is not None
    assert links.targets == (f"{HERE}a", f"{HERE}b?x=1&y=2", "http://elsewhere.example/c", f"{HERE}4")
    assert links.anchors == ("missile", "the catalogue", "portal", "on")
    assert links.foreign.tolist() == [False, False, True, False]
    assert {len(column) for column in (*links[:5], *links[8:])} == {4}


def test_the_best_link_to_a_target_has_most_topic():
    """“fighter” has weight 1, “missile” 0.5; what stands around the links counts for neither."""
    links = framed(READS_ROWS).links
    assert links is not None
    assert links.masses[:, 0].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_kept_content_is_taken_as_it_is():
    analyst = built(READS_ROWS).analyst
    assert analyst.frame(read_page(*ANSWERS[0]), b"as it was").content == b"as it was"


def comparable(read: Understood) -> tuple[object, ...]:
    return read.frame.url, read.frame.content, read.relevance, read.links, read.deferred


@pytest.mark.parametrize("strategy", [READS_ROWS, READS_PAGES])
def test_frames_made_elsewhere_are_understood_like_pages_read_here(strategy):
    analyst = pickle.loads(pickle.dumps(built(strategy).analyst))
    elsewhere = built(strategy, read=lambda *answer: pickle.loads(pickle.dumps(analyst.frame(read_page(*answer)))))
    here = built(strategy)
    for answers in (ANSWERS[:2], ANSWERS[2:], [(b"", HERE, {})]):
        both = [made.understand(answers) for made in (elsewhere, here)]
        assert [comparable(read) for read in both[0]] == [comparable(read) for read in both[1]]
    assert elsewhere.remember() == here.remember()


def test_without_learning_pages_that_come_together_are_judged_as_alone():
    together, alone = built(READS_PAGES), built(READS_PAGES)
    one_by_one = [read for answer in ANSWERS for read in alone.understand([answer])]
    assert list(map(comparable, together.understand(ANSWERS))) == list(map(comparable, one_by_one))


@pytest.mark.parametrize("strategy", [READS_ROWS, READS_PAGES])
def test_what_is_no_page_keeps_its_place_among_the_others(strategy):
    broken = (b"\x00" * 100, HERE, {})
    first, none, last = built(strategy).understand([ANSWERS[0], broken, ANSWERS[1]])
    assert isinstance(none, PageError)
    assert (first.frame.url, last.frame.url) == (ANSWERS[0][1], ANSWERS[1][1])


@pytest.mark.parametrize("strategy", [READS_ROWS, READS_PAGES])
def test_an_index_of_sitemaps_keeps_its_place_and_teaches_nothing(strategy):
    body = f"<sitemapindex><sitemap><loc>{HERE}pages.xml</loc></sitemap></sitemapindex>".encode()
    index = (body, f"{HERE}sitemap.xml", {"content-type": "application/xml"})
    with_index, without = built(strategy), built(strategy)
    read = with_index.understand([ANSWERS[0], index, ANSWERS[1]])
    assert [one.frame.sitemaps for one in read] == [(), (f"{HERE}pages.xml",), ()]
    assert (read[1].links, read[1].relevance.score) == ((), 0.0)
    assert list(map(comparable, read[::2])) == list(map(comparable, without.understand(ANSWERS[:2])))
    assert with_index.remember() == without.remember()


def test_pages_learned_of_without_links_leave_the_same_waiting():
    """So the record is judged again, where nobody asks what links are worth before the end."""
    full, bare = built(READS_ROWS), built(READS_ROWS)
    frames = [full.analyst.frame(read_page(*answer)) for answer in ANSWERS]
    found = [made.understand_frames(frames, links=links) for made, links in ((full, True), (bare, False))]
    assert [read.relevance for read in found[0]] == [read.relevance for read in found[1]]
    bare.end_learning()
    assert {url for url, _ in bare.scorer.places()} == {url for url, _ in full.scorer.places()}
    assert all(place.score > -inf for _, place in bare.scorer.places())
