"""What a report reads of a crawl, and what it makes of it; the page itself is looked at in tests/browser."""

import json
import re
from dataclasses import replace

import pytest
import records_at_hand
from test_end_to_end import ontocrawl

from cli.inputs.crawl_topic import read_about
from cli.ontologies.coverage import BELOW_ONLY, FEW_PAGES, GOOD, NEVER_SEEN, Covered
from cli.ontologies.suggesting import sampled
from cli.recorded.recorded_verdicts import Verdict
from cli.render.html_pages import data
from cli.render.language import LANGUAGES
from cli.render.page_texts import texts
from cli.report.crawl_figures import Part, Scale, SiteCount, concept_tree, read_figures
from cli.report.page_cards import Words, best_pages
from cli.report.plots import fields, harvest_curve, histogram, language_bars, site_map
from cli.report.report import Told, rendered
from semantic.candidates.own_text import ReadPage
from semantic.parsing.page_reader import read_page
from semantic.reasons import because
from semantic.records import Batch, ConceptRecord, Counters, MentionRecord, PageRecord, QueuedRecord

CRAWL = replace(records_at_hand.CRAWL, settings=json.dumps({"ontology": None, "seeds": [], "max_pages": 9}))
CONCEPTS = [
    ConceptRecord(iri="urn:tea", label="tea", weight=1.0, narrower=("urn:green",)),
    ConceptRecord(iri="urn:green", label="green", weight=1.0),
]
HTML = {"content-type": "text/html; charset=utf-8"}


def page(number: int, **about: object) -> PageRecord:
    """Every second one is on topic, of relevance 0.6, and was promised 0.5."""
    hit = number % 2 == 1
    made = PageRecord(
        url=f"http://{number % 3}.example/{number}",
        status="fetched",
        depth=1,
        priority=0.5,
        parent=None,
        http_status=200,
        order=number,
        relevance=0.6 if hit else 0.2,
    )
    mentions = (MentionRecord("urn:green", 1, 1.0, {"other": 1}),) if hit else ()
    language = "zh-CN" if number == 2 else "zh"
    return replace(made, on_topic=hit, language=language, content=b"x", mentions=mentions, kind="article", **about)


@pytest.fixture
def figures(record):
    store = record
    store.open_crawl(CRAWL, CONCEPTS, [QueuedRecord("http://0.example/seed", 10.0, 0)])
    lost = [
        PageRecord(
            url=f"http://1.example/lost{n}",
            status="failed",
            depth=1,
            priority=0.1,
            parent=None,
            http_status=404,
            reasons=(because("http", f"page {n}", status=404),),
        )
        for n in range(3)
    ]
    pages = tuple(page(number) for number in range(1, 7))
    store.save(Batch(pages=pages[:4], counters=Counters(pages=4, on_topic=2, seconds=2.0)))
    store.save(Batch(pages=(*pages[4:], *lost), counters=Counters(pages=6, on_topic=3, seconds=6.0)))
    return read_figures(store, "here")


def test_the_curve_tells_what_was_promised_and_what_came(figures):
    last = figures.curve[-1]
    assert (last.until, last.found, last.promised) == (6, 3, 0.5)
    assert last.kept == pytest.approx(0.4)
    assert [part.found for part in figures.curve] == [1, 1, 2, 2, 3, 3]


def test_speed_counts_all_pages_that_were_saved_at_once(figures):
    assert [part.pages_per_s for part in figures.curve] == [None, None, None, 2.0, None, 0.5]


def test_hosts_languages_and_what_was_in_vain_are_counted(figures):
    assert {site.host: (site.pages, site.on_topic, site.waiting, site.in_vain) for site in figures.sites} == {
        "0.example": (2, 1, 1, 0),
        "1.example": (2, 1, 0, 3),
        "2.example": (2, 1, 0, 0),
    }
    assert [(row["language"], row["pages"], row["on_topic"]) for row in figures.languages] == [("zh", 6, 3)]
    assert [(one.status, one.reason, one.pages) for one in figures.in_vain] == [("failed", "http 404", 3)]


def test_the_scale_holds_every_page_once(figures):
    scale = figures.scale
    assert (sum(scale.bars), sum(scale.parts.values())) == (6, 6)
    assert [border["pages"] for border in scale.borders if border["from"] == scale.threshold] == [3]


def test_the_tree_has_each_concept_with_its_verdict(figures):
    (tea,) = figures.tree
    assert (tea.concept.verdict, tea.narrower[0].concept.verdict) == (BELOW_ONLY, FEW_PAGES)


@pytest.mark.parametrize("strategy", ["fused", "adaptive", "customised"])
def test_a_crawl_without_pages_threshold_or_ontology_has_a_report(record, strategy, monkeypatch):
    record.open_crawl(replace(CRAWL, strategy=strategy), CONCEPTS, [QueuedRecord("http://0.example/", 10.0, 0)])
    figures = read_figures(record, "here")
    assert (figures.scale is not None) == (strategy != "adaptive")
    told = Told(cards=(), proposals=(), no_terms="why", captions=None)
    for language in LANGUAGES:
        monkeypatch.setenv("LANGUAGE", language)
        assert rendered(figures, told, [], figures).endswith("</html>\n")


def covered(iri: str, *narrower: str, pages: int = 0) -> Covered:
    return Covered(iri, iri, 1.0, None, pages, pages, 1, 0.1, 1, False, "", narrower)


def test_a_cycle_and_two_parents_unfold_each_concept_once():
    tree = concept_tree([covered("a", "b", "c"), covered("b", "c"), covered("c"), covered("x", "y"), covered("y", "x")])
    seen = []

    def walk(branches):
        for branch in branches:
            if not branch.again:
                seen.append(branch.concept.iri)
            walk(branch.narrower)

    walk(tree)
    assert sorted(seen) == ["a", "b", "c", "x", "y"]
    assert [branch.concept.iri for branch in tree] == ["a", "x"]


def test_a_branch_counts_what_was_never_seen_below_it():
    (top,) = concept_tree([covered("a", "b", "c", pages=20), covered("b", pages=20), covered("c")])
    assert (top.concept.verdict, top.lacks, top.is_wanting) == (GOOD, 1, True)
    assert [branch.concept.verdict for branch in top.narrower] == [GOOD, NEVER_SEEN]


def test_the_best_pages_are_articles_and_not_marked_bad():
    one = Verdict("a", "A", 0.9, True, "", "listing")
    found = [one, replace(one, url="b", kind="article", relevance=0.5), replace(one, url="c", marked="bad")]
    found.append(replace(one, url="d", marked="hub"))
    assert [each.url for each in best_pages({each.url: each for each in found})] == ["b", "a"]


@pytest.mark.slow
def test_an_excerpt_is_the_sentence_that_says_most(read_crawl):
    words = Words(read_about(read_crawl / "tea.ttl"), "dictionary")
    html = "<title>Tea</title><h1>Green tea</h1><p>Tea. Of green tea and black tea this tells. No more.</p>"
    read = read_page(f"{html}<a href='/x'>green tea black tea</a>".encode(), "http://a.example/", HTML)
    pieces = words.excerpt(read, None)
    assert [text for text, found in pieces if found] == ["green tea", "black tea"]
    assert "".join(text for text, _ in pieces).strip().startswith("Of green tea")


@pytest.mark.slow
def test_a_page_of_one_endless_word_is_cut_at_once(read_crawl):
    words = Words(read_about(read_crawl / "tea.ttl"), "dictionary")
    read = read_page(f"<p>{'green tea ' * 30_000}".encode(), "http://a.example/", HTML)
    pieces = words.excerpt(read, None)
    assert 100 < sum(len(text) for text, _ in pieces) < 500


@pytest.mark.slow
def test_an_excerpt_is_not_cut_inside_a_word(read_crawl):
    words = Words(read_about(read_crawl / "tea.ttl"), "dictionary")
    text = " ".join(["otherwise"] * 40 + ["green tea"] * 3 + ["otherwise"] * 80)
    pieces = words.excerpt(read_page(f"<p>{text}</p>".encode(), "http://a.example/", HTML), None)
    assert set("".join(said for said, _ in pieces).split()) == {"…", "otherwise", "green", "tea"}


def test_fields_of_the_map_fill_it_by_their_sizes():
    sizes = [60, 30, 20, 7, 5, 1]
    made = fields(sizes, 9.0, 4.0)
    areas = [width * height for _, _, width, height in made]
    assert areas == pytest.approx([36 * size / sum(sizes) for size in sizes])
    assert all(x >= -1e-9 and y >= -1e-9 and x + w <= 9 + 1e-9 and y + h <= 4 + 1e-9 for x, y, w, h in made)


def test_what_a_plot_is_told_becomes_neither_markup_nor_style():
    evil = '</text><script>x</script> style="}*{color:red}" id="a_1" $\\alpha$'
    bars = language_bars([{"language": evil, "pages": 3, "on_topic": 1}], texts())
    assert "<script" not in bars.svg and 'style="}' in bars.svg  # it is the text that it was
    assert not any("red" in css for css in bars.styles.values())
    site = SiteCount(host=evil, pages=30, on_topic=1, waiting=0, in_vain=0)
    assert "<script" not in site_map([site], texts()).svg


def test_a_plot_has_no_inline_style_and_chinese_as_text(monkeypatch):
    part = Part(until=10, found=5, share=0.5, promised=0.4, kept=0.5, pages_per_s=None)
    monkeypatch.setenv("LANGUAGE", "zh")
    plot = harvest_curve([part, replace(part, until=20)], texts())
    assert not re.search(r"<[a-z][^>]*\sstyle=|<style", plot.svg)
    assert texts()["pages_fetched"] in plot.svg
    assert set(re.findall(r'class="([^"]+)"', plot.svg)) == set(plot.styles)


def test_a_high_scale_is_told_in_plain_numbers():
    scale = Scale(threshold=0.5, parts={100: 900, 900: 9}, borders=())
    texts_in_it = re.findall(r"<text[^>]*>([^<]*)</text>", histogram(scale, texts()).svg)
    assert {"100", "relevance"} <= set(texts_in_it)
    assert not any("$" in text for text in texts_in_it)


def test_data_in_a_page_cannot_end_its_element():
    told = data({"title": "</script><!--<script>&\u2028"})
    assert not set("<>&\u2028") & set(told)
    assert json.loads(told)["title"] == "</script><!--<script>&\u2028"


@pytest.mark.slow
def test_the_command_writes_one_file_and_reads_alone(read_crawl, tmp_path):
    out = tmp_path / "r.html"
    done = ontocrawl(read_crawl, "report", "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["r.html"]
    assert 'http-equiv="Content-Security-Policy"' in out.read_text("utf-8")
    assert ontocrawl(read_crawl, "report", "-o", str(tmp_path)).returncode == 2


def test_of_a_large_crawl_some_pages_are_read_for_terms():
    pages = [ReadPage(f"http://a.example/{n}", b"x" * 10, 0.5, on_topic=True, good=n == 1 or None) for n in range(9)]
    assert sampled(pages, 90) == (pages, 1)
    assert sampled(pages, 30) == ([pages[0], pages[1], pages[3], pages[6]], 3)


@pytest.mark.parametrize(("name", "words"), [("terms_note", "ontology suggest"), ("best_note", "ui")])
def test_a_command_in_a_note_is_told_whole(name, words):
    assert f"ontocrawl {words} --store x" in texts()[name].format(store=" --store x")
