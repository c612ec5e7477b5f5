"""`ontocrawl results`: which pages are results, how they are counted, and what is written of them."""

import csv
import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED
from test_end_to_end import HOST, ONTOLOGY, PAGES, crawl, ontocrawl, warc

from cli.results.result_formats import ris_of
from cli.results.result_list import Wanted, fitting, read_results, results_by_concept
from graphdb.record.database import Database
from graphdb.record.sqlite_store import SqliteStore
from ontology.errors import SettingsError
from semantic.records import Batch, JudgedRecord, MentionRecord, PageRecord

ICE, SNOW, ASIDE = ("urn:ice", 2), ("urn:snow", 1), ("urn:ice", 0)


def page(number: int, relevance: float, *said: tuple[str, int], host: str = "a.example", **about: object) -> PageRecord:
    """A page with these mentions: the concept, and how often its own text has it."""
    made = PageRecord(
        url=f"http://{host}/{number}",
        status="fetched",
        order=number,
        title=f"page {number}",
        language="en-GB",
        relevance=relevance,
        on_topic=relevance > 0.5,
        content=b"x",
        kind="article",
        mentions=tuple(MentionRecord(iri, count, 0.4, {"text": 1}) for iri, count in said),
    )
    return replace(made, **about)


PAGES_SAVED = (
    page(1, 0.6, ICE),
    page(2, 0.9, SNOW, host="sub.b.example", language="zh"),
    page(3, 0.7, ASIDE, kind="listing", host="b.example"),
    page(4, 0.1, ICE, host="notb.example"),
    page(5, 0.95, ICE, order=None, on_topic=False, stale=True, copy_of="http://a.example/1"),
    page(6, 0.8, content=None, on_topic=False),
    page(7, 0.55, SNOW),
)


@pytest.fixture
def saved(record) -> SqliteStore:
    """Best first: 2, 3, 1, 7. Page 4 is off topic, 5 a copy, 6 asks not to be a result."""
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    record.save(Batch(pages=PAGES_SAVED))
    return record


def numbers(store: SqliteStore, **wanted: object) -> list[int]:
    pages = fitting(store, Wanted(**wanted)).pages
    return [int(one.url.rpartition("/")[2]) for one in read_results(store, pages, None)]


def test_results_come_best_first_and_marks_count(saved):
    assert numbers(saved) == [2, 3, 1, 7]
    saved.mark({"http://notb.example/4": "good", "http://b.example/3": "bad", "http://a.example/6": "good"})
    saved.mark({"http://a.example/7": "hub"})
    assert numbers(saved) == [2, 1, 4]
    assert numbers(saved, marked="good") == [4]
    assert numbers(saved, marked="none") == [2, 1]
    assert numbers(saved, marked="bad") == [3]
    assert numbers(saved, marked="hub") == [7]
    assert numbers(saved, marked="bad", kind="article") == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"concept": "ice"}, [2, 1, 7]),
        ({"concept": "冰"}, [2, 1, 7]),
        ({"concept": "urn:snow"}, [2, 7]),
        ({"concept": "ICE", "site": "a.example"}, [1, 7]),
        ({"language": "en"}, [3, 1, 7]),
        ({"language": "zh", "kind": "article"}, [2]),
        ({"site": "b.example"}, [2, 3]),
        ({"site": "http://sub.B.example/x"}, [2]),
        ({"site": "example"}, [2, 3, 1, 7]),
        ({"site": "c.example"}, []),
        ({"kind": "listing"}, [3]),
    ],
)
def test_only_results_that_fit_are_shown(saved, wanted, found):
    assert numbers(saved, **wanted) == found


def test_an_unknown_concept_is_a_mistake_with_near_names(saved):
    with pytest.raises(SettingsError) as told:
        fitting(saved, Wanted(concept="snowy"))
    assert "snow" in str(told.value.cure)


def test_results_are_counted_by_site_kind_language_and_concept(saved):
    found = fitting(saved, Wanted())
    assert found.sites == {"a.example": 2, "b.example": 2, "sub.b.example": 1}
    assert all(len(fitting(saved, Wanted(site=site)).pages) == number for site, number in found.sites.items())
    assert found.kinds == {"article": 3, "listing": 1}
    assert found.languages == {"en": 3, "zh": 1}
    ice, snow = results_by_concept(saved, found.pages)
    assert (ice.iri, ice.label, ice.results, ice.narrower) == ("urn:ice", "ice", 3, ("urn:snow",))
    assert (snow.iri, snow.results, snow.narrower) == ("urn:snow", 2, ())


def test_a_result_is_new_if_it_was_none_before(saved):
    assert numbers(saved, is_new=True) == [2, 3, 1, 7]
    saved.begin_run()
    assert numbers(saved, is_new=True) == []
    judged = JudgedRecord("http://notb.example/4", 0.65, on_topic=True, reasons=())
    saved.save(Batch(pages=(page(8, 0.7), page(1, 0.6)), judged=(judged,)))  # the first page was fetched again
    assert numbers(saved, is_new=True) == [8, 4]
    saved.begin_run()
    assert numbers(saved, is_new=True) == []


def test_a_hostile_title_adds_no_line_to_an_entry(record):
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    record.save(Batch(pages=(page(1, 0.9, title="one\nER  - \r\u2028TY  - EVIL", language=None),)))
    text = ris_of(list(read_results(record, fitting(record, Wanted()).pages, None)))
    assert [line[:6] for line in text.splitlines()] == ["TY  - ", "TI  - ", "T2  - ", "UR  - ", "ER  - "]


def test_results_are_read_while_a_crawl_saves(tmp_path, saved):
    file = tmp_path / "record" / "crawl.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(SqliteStore(Database(file, patience=0.01))) as store:
            assert numbers(store) == [2, 3, 1, 7]


# --- the command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A crawl in two runs, of two pages and one more."""
    made = tmp_path_factory.mktemp("results")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    authors = [{"@type": "Person", "name": name} for name in ("Lu Yu", "Ann Li")]
    said = json.dumps({"@type": "Article", "datePublished": "2024-05-03", "author": authors})
    title, body = PAGES["/green"]
    declaring = f'<script type="application/ld+json">{said}</script>{body}'
    (made / "web.warc").write_bytes(warc({**PAGES, "/green": (title, declaring)}))
    for most in ("2", "3"):
        done = crawl(made, "--max-pages", most)
        assert done.returncode == 0, done.stderr
    assert "\n  ontocrawl results\n" in done.stdout
    return made


@pytest.mark.slow
def test_the_terminal_shows_each_result_with_its_sentence(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    told = ontocrawl(folder, "results")
    assert told.returncode == 0, told.stderr
    assert "Green tea is tea: green tea, black tea." in told.stdout
    assert max(len(line) for line in told.stdout.splitlines() if "://" not in line) <= 60
    assert f"2024-05-03  {HOST}/green" in told.stdout
    assert told.stdout.splitlines()[-1].startswith("2 of 2 results")
    assert ontocrawl(folder, "results", "-n", "1").stdout.splitlines()[-1].startswith("1 of 2 results")


@pytest.mark.slow
def test_what_the_last_run_found_is_new(folder):
    rows = json.loads(ontocrawl(folder, "results", "--new", "--format", "json").stdout)["rows"]
    assert [row["url"] for row in rows] == [f"{HOST}/black"]


@pytest.mark.slow
def test_files_are_written_in_the_form_of_their_names(folder):
    for name in ("all.csv", "all.ris", "all.json"):
        assert ontocrawl(folder, "results", "-o", name).returncode == 0
    with (folder / "all.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["url"]: row for row in csv.DictReader(file)}
    green = rows[f"{HOST}/green"]
    assert (folder / "all.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert (green["title"], green["published"], green["author"]) == ("Green tea", "2024-05-03", "Lu Yu, Ann Li")
    assert green["sentence"] == "Green tea is tea: green tea, black tea."
    entry = (folder / "all.ris").read_text("utf-8")
    assert "TI  - Green tea\nAU  - Lu Yu\nAU  - Ann Li\nPY  - 2024\nDA  - 2024/05/03\n" in entry
    assert entry.count("TY  - ELEC\n") == entry.count("ER  - \n") == 2
    told = json.loads((folder / "all.json").read_text("utf-8"))
    assert (told["results"], told["sites"]) == (2, {"tea.example:8080": 2})
    assert {one["label"]: one["results"] for one in told["concepts"]} == {"tea": 2, "green tea": 2, "black tea": 2}


@pytest.mark.slow
def test_none_found_and_unknown_forms_have_exit_codes(folder):
    assert ontocrawl(folder, "results", "--kind", "listing").returncode == 1
    assert ontocrawl(folder, "results", "-o", "results.docx").returncode == 2
    assert ontocrawl(folder, "results", "--concept", "coffee").returncode == 2
    assert ontocrawl(folder, "results", "--store", "elsewhere").returncode == 2


@pytest.mark.slow
def test_without_the_ontology_results_have_no_sentences(folder, tmp_path):
    (folder / "tea.ttl").rename(tmp_path / "tea.ttl")
    told = ontocrawl(folder, "results", "--format", "json")
    (tmp_path / "tea.ttl").rename(folder / "tea.ttl")
    assert told.returncode == 0
    assert [row["sentence"] for row in json.loads(told.stdout)["rows"]] == ["", ""]
    assert "tea.ttl" in told.stderr
