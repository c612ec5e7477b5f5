"""What the page's tabs of results and review are answered; the tabs themselves are looked at in tests/browser."""

from dataclasses import replace
from pathlib import Path

import pytest
import records_at_hand
from records_at_hand import CONCEPTS, SEED
from test_results import PAGES_SAVED, page

from cli.ui import judging, results_tab, review_tab
from cli.ui.asked import Asked
from cli.ui.jobs import Jobs
from graphdb.record.sqlite_store import SqliteStore
from ontology.errors import SettingsError
from semantic.records import Batch

SETTINGS = '{"ontology": null, "seeds": ["http://a.example/1"], "max_pages": 9, "threshold": 0.5}'
CRAWL = replace(records_at_hand.CRAWL, strategy="fused", settings=SETTINGS)


@pytest.fixture
def store(record: SqliteStore) -> SqliteStore:
    """Results, best first: 2, 3 (a listing), 1, 7. Page 4 is off topic."""
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    record.save(Batch(pages=PAGES_SAVED))
    return record


@pytest.fixture
def where(store, tmp_path) -> str:
    return str(tmp_path / "record")


def asked(where: str, **words: object) -> Asked:
    return Asked({"store": where, **words}, where, Jobs())


def numbers(where: str, **words: object) -> list[int]:
    found = results_tab.found(asked(where, **words))
    return [int(row["url"].rpartition("/")[2]) for row in results_tab.rows(asked(where, pages=found["pages"]))]


def test_what_could_be_chosen_instead_is_counted(where):
    found = results_tab.found(asked(where, kind="listing", language="en"))
    assert len(found["pages"]) == 1
    assert found["facets"]["kind"] == [["article", "article", 2], ["listing", "listing", 1]]
    assert found["facets"]["language"] == [["en", "en", 1]]
    assert found["facets"]["site"] == [["b.example", "b.example", 1]]
    assert numbers(where, concept="urn:snow") == [2, 7]


def test_concepts_are_counted_whatever_concept_is_chosen(where):
    counted = results_tab.concepts(asked(where, concept="urn:snow", site="a.example"))
    assert [(one["iri"], one["results"]) for one in counted] == [("urn:ice", 2), ("urn:snow", 1)]


def test_a_later_part_of_a_file_has_no_names(where):
    pages = results_tab.found(asked(where))["pages"]
    first = results_tab.export(asked(where, form="csv", pages=pages[:1], first=True))["text"].splitlines()
    later = results_tab.export(asked(where, form="csv", pages=pages[1:]))["text"].splitlines()
    assert len(first) == 2 and first[0].startswith('"relevance"') and len(later) == 3
    with pytest.raises(SettingsError):
        results_tab.export(asked(where, form="exe", pages=pages))


def test_a_mark_is_kept_and_taken_away(where, store):
    url = "http://a.example/1"
    judging.mark(asked(where, url=url, mark="hub"))
    assert store.marks() == {url: "hub"} and numbers(where) == [2, 3, 7]
    judging.mark(asked(where, url=url, mark="none"))
    assert store.marks() == {} and numbers(where) == [2, 3, 1, 7]


@pytest.mark.parametrize(
    "words", [{}, {"mark": "better"}, {"mark": "good"}, {"mark": True, "url": "http://a.example/1"}]
)
def test_wrong_marks_are_refused(where, store, words):
    with pytest.raises(SettingsError):
        judging.mark(asked(where, **{"url": "http://nowhere.example/", **words}))
    assert store.marks() == {}


def test_a_strategy_without_marks_takes_none(record, tmp_path):
    record.open_crawl(replace(CRAWL, strategy="adaptive"), CONCEPTS, [SEED])
    record.save(Batch(pages=PAGES_SAVED))
    where = str(tmp_path / "record")
    with pytest.raises(SettingsError):
        judging.mark(asked(where, url="http://a.example/1", mark="good"))
    with pytest.raises(SettingsError):
        review_tab.ten(asked(where))


def test_a_running_crawl_is_asked_to_judge(where, store):
    store.claim()
    assert judging.judge(asked(where, threshold=0.4)) == {"by_crawl": True}
    assert store.wishes() == [("threshold", 0.4)]
    assert judging.judged(asked(where)) == {"busy": False, "changes": None}
    with pytest.raises(SettingsError):
        judging.judge(asked(where, threshold=7))


def test_ten_pages_are_reviewed_without_marked_and_skipped_ones(where, store):
    store.save(Batch(pages=tuple(page(number, number / 100) for number in range(20, 40))))
    store.mark({"http://sub.b.example/2": "good"})
    skipped = "http://b.example/3"
    rows = review_tab.ten(asked(where, skipped=[skipped]))["rows"]
    urls = [row["url"] for row in rows]
    assert len(urls) == 10 and not {skipped, "http://sub.b.example/2"} & set(urls)
    assert urls[:2] == ["http://a.example/1", "http://a.example/7"]
    assert all(Path(row["url"]).name in row["title"] for row in rows)
