"""Marks of the expert and judging anew, on a crawl in a folder."""

import json
import re

import pytest
import typer
from records_at_hand import CRAWL
from test_end_to_end import ONTOLOGY, ontocrawl
from test_recrawl import served

from cli.crawling.rejudge import all_marks
from cli.marking.marking import marks_of, next_to_review
from cli.marking.review import ask
from cli.recorded.recorded_verdicts import Verdict
from ontology.errors import SettingsError
from semantic.records import Batch, Mark, PageRecord


def crawl(web, folder, *more):
    words = ("--seeds", web.seed, "--allow", "127.0.0.1", "--delay", "0", "--max-pages", "4", "--threshold", "0.1")
    done = ontocrawl(folder, "crawl", "--ontology", "tea.ttl", *words, *more)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def web():
    with served() as server:
        yield server


@pytest.fixture(scope="module")
def folder(web, tmp_path_factory):
    """A crawl of four pages, without marks; each test leaves it so."""
    made = tmp_path_factory.mktemp("marked")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    crawl(web, made)
    return made


def asked(folder, cypher):
    return json.loads(ontocrawl(folder, "query", cypher, "--format", "json").stdout)


def results(folder):
    return {row["t"] for row in asked(folder, "MATCH (p:Page) WHERE p.on_topic RETURN p.title AS t")}


def test_a_mark_moves_its_page_and_can_be_taken_away(folder):
    before = results(folder)
    rows = asked(folder, "MATCH (p:Page) WHERE p.order IS NOT NULL AND NOT p.on_topic RETURN p.url AS u, p.title AS t")
    page = rows[0]
    marked = ontocrawl(folder, "mark", page["u"], "good", "--json")
    assert marked.returncode == 0, marked.stderr
    told = json.loads(marked.stdout)
    assert [gained["url"] for gained in told["gained"]] == [page["u"]]
    assert results(folder) == before | {page["t"]}
    explained = ontocrawl(folder, "explain", page["u"]).stdout
    assert "relevance 1.000, on topic" in explained and "marked good by the expert" in explained
    assert ontocrawl(folder, "mark", page["u"], "none").returncode == 0
    assert results(folder) == before


def test_a_threshold_holds_at_once_and_for_the_next_run(folder):
    before = results(folder)
    assert before
    told = ontocrawl(folder, "rejudge", "--threshold", "0.99")
    assert (told.returncode, results(folder)) == (0, set()), told.stderr
    assert f"lost        {len(before)}" in told.stdout
    assert ontocrawl(folder, "rejudge").returncode == 0
    assert results(folder) == set()
    assert ontocrawl(folder, "rejudge", "--threshold", "0.1").returncode == 0
    assert results(folder) == before


def test_an_edited_ontology_judges_all_pages_without_a_request(folder):
    requests = asked(folder, "MATCH (c:Crawl) RETURN c.requests AS n")
    (folder / "other.ttl").write_text(ONTOLOGY.replace('"black tea"@en', '"chair"@en'), encoding="utf-8")
    told = ontocrawl(folder, "rejudge", "--ontology", "other.ttl", "--json")
    assert told.returncode == 0, told.stderr
    assert re.search(r"\b4 pages .*judged", told.stderr)
    assert asked(folder, "MATCH (c:Crawl) RETURN c.requests AS n") == requests
    figures = {"pages", "hidden", "error_pages", "on_topic", "before", "likely"}
    assert set(json.loads(told.stdout)) == figures | {"marks", "gained", "lost"}
    assert ontocrawl(folder, "rejudge", "--ontology", "tea.ttl").returncode == 0


def test_a_file_of_examples_that_is_gone_is_named(web, folder):
    (folder / "marked.txt").write_text(f"good {web.seed}\n", encoding="utf-8")
    crawl(web, folder, "--examples", "marked.txt")
    assert ontocrawl(folder, "rejudge").returncode == 0
    (folder / "marked.txt").unlink()
    told = ontocrawl(folder, "rejudge")
    assert told.returncode == 2 and str(folder / "marked.txt") in told.stderr and "without --examples" in told.stderr
    crawl(web, folder)
    assert ontocrawl(folder, "rejudge").returncode == 0


def test_wrong_marks_are_refused_with_a_cure(folder):
    unknown = ontocrawl(folder, "mark", "https://nowhere.example/x", "good")
    assert unknown.returncode == 2 and "no page of this crawl" in unknown.stderr
    review = ontocrawl(folder, "review")
    assert review.returncode == 2 and "ontocrawl mark URL... good" in review.stderr


def test_marks_are_read_from_words_and_files(tmp_path):
    (tmp_path / "marks.txt").write_text("good https://a.example/1 # best\nhub https://a.example/2\n", encoding="utf-8")
    assert marks_of(["a", "hub"], None) == {"a": "hub"} and marks_of(["a", "none"], None) == {"a": None}
    assert marks_of(["a", "b", "bad"], None) == {"a": "bad", "b": "bad"}
    assert marks_of([], str(tmp_path / "marks.txt")) == {"https://a.example/1": "good", "https://a.example/2": "hub"}
    for words in (["a"], ["good"], ["a", "better"]):
        with pytest.raises(SettingsError):
            marks_of(words, None)
    with pytest.raises(SettingsError, match="no mark is given"):
        marks_of(["https://a.example/"], None)
    with pytest.raises(SettingsError, match="'good' stands before the last word"):  # a was not meant to be bad
        marks_of(["a", "good", "b", "bad"], None)
    with pytest.raises(SettingsError, match="nothing to mark"):
        marks_of([], None)
    for line in ("https://a.example/1", "good", "better https://a.example/1", "good page.html"):
        (tmp_path / "marks.txt").write_text(f"# mine\n{line}", encoding="utf-8")
        with pytest.raises(SettingsError, match="line 2"):
            marks_of([], str(tmp_path / "marks.txt"))


def test_marks_of_a_host_with_a_port_keep_its_name(record):
    record.open_crawl(CRAWL, [], [])
    record.save(Batch(pages=(PageRecord(url="http://tea.example:8080/a", status="fetched"),)))
    record.mark({"http://tea.example:8080/a": "good"})
    given = {"https://tea.example:8080/a": "bad", "https://tea.example:8080/b": "bad"}
    assert all_marks(given, record) == {"http://tea.example:8080/a": "good", "https://tea.example:8080/b": "bad"}


def a_round(good_before, mark):
    """The pages of a round, by number; those from `good_before` on are marked good already."""
    found = {f"u{n:02}": Verdict(f"u{n:02}", "", n / 100, n >= 50, "good" * (n >= good_before)) for n in range(100)}
    marks: dict[str, Mark] = {}
    for verdict in next_to_review(found, 0.5, marks):
        marks[verdict.url] = mark
    return [int(url[1:]) for url in marks]


def test_review_asks_about_the_best_and_the_border():
    assert a_round(95, "bad") == [94, 93, 92, 91, 90, 50, 49, 51, 48, 52]


def test_review_asks_for_more_best_pages_while_few_are_good():
    assert a_round(96, "hub") == [95, 94, 93, 92, 91, 90, 89, 50, 49, 51]
    assert a_round(100, "good") == [99, 98, 97, 96, 95, 50, 49, 51, 48, 52]  # five of this round are good


def test_review_marks_by_keys_and_takes_no_others(monkeypatch):
    monkeypatch.setattr(typer, "getchar", iter("hxsgq").__next__)
    marks: dict[str, Mark] = {}
    ask([Verdict(url, "", 0.5, True) for url in "abcde"], 5, marks)
    assert marks == {"a": "hub", "c": "good"}


def test_review_of_few_pages_asks_about_all():
    found = {url: Verdict(url, "", 0.5, True) for url in "abc"}
    assert [verdict.url for verdict in next_to_review(found, 0.5, {})] == ["a", "b", "c"]
