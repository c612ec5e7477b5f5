"""What other thresholds would give, over both databases and by the command."""

import json
from dataclasses import replace

import pytest
import records_at_hand
from test_end_to_end import ontocrawl

from cli.explaining.status import read_status, status_lines
from cli.explaining.threshold import BORDERS, SHOWN, read_thresholds, threshold_line
from cli.recorded.store_reading import crawl_row
from ontology.errors import SettingsError
from semantic.records import Batch, Counters, PageRecord

CRAWL = replace(records_at_hand.CRAWL, settings='{"threshold": 0.45}')
PAGE = PageRecord(
    url="", status="fetched", depth=0, priority=0.5, parent=None, http_status=200, order=1, content=b"x", kind="article"
)


def pages(*relevances: float) -> tuple[PageRecord, ...]:
    return tuple(
        replace(PAGE, url=f"http://a.example/{number}", relevance=relevance, on_topic=relevance >= 0.45)
        for number, relevance in enumerate(relevances)
    )


def test_pages_are_counted_from_each_border_on(record):
    record.open_crawl(CRAWL, [], [])
    no_result = replace(PAGE, url="http://a.example/noindex", relevance=0.9, on_topic=False, content=None)
    record.save(Batch(pages=(*pages(0.0, 0.2, 0.4499, 0.45, 0.5, 0.7, 1.0), no_result), counters=Counters(pages=8)))
    found = read_thresholds(record, crawl_row(record))
    assert (found["threshold"], found["pages"], found["hidden"]) == (0.45, 8, 1)
    counts = {border["from"]: border["pages"] for border in found["borders"]}
    assert counts == {0.2: 6, 0.3: 5, 0.4: 5, 0.45: 4, 0.5: 3, 0.6: 2, 0.7: 2, 0.8: 1}


def test_the_nearest_pages_are_shown_at_a_border(record):
    record.open_crawl(CRAWL, [], [])
    record.save(Batch(pages=pages(0.31, 0.34, 0.44, 0.56, 0.502, 0.497, 0.49, 0.52, 0.9)))
    found = read_thresholds(record, crawl_row(record))
    near = {border["from"]: [page["relevance"] for page in border["near"]] for border in found["borders"]}
    assert near[0.5] == [0.502, 0.497, 0.49]
    assert near[0.3] == [0.34, 0.31]
    assert near[0.2] == near[0.8] == []


def test_a_strategy_without_such_a_threshold_is_refused(record):
    record.open_crawl(replace(CRAWL, strategy="adaptive"), [], [])
    with pytest.raises(SettingsError):
        read_thresholds(record, crawl_row(record))


def test_status_tells_hosts_that_took_pages_for_nothing(record):
    record.open_crawl(CRAWL, [], [])
    good = [replace(PAGE, url=f"http://good.example/{n}", relevance=0.9, on_topic=True) for n in range(5)]
    bad = [replace(PAGE, url=f"http://bad.example/{n}", relevance=0.1, on_topic=False) for n in range(95)]
    counters = Counters(pages=100, on_topic=5, requests=100, errors=0, inversions=0, seconds=1.0)
    record.save(Batch(pages=(*good, *bad), counters=counters))
    found = read_status(record)
    assert found["barren"] == [{"host": "bad.example", "pages": 95, "on_topic": 0}]
    told = status_lines(found, "tea")
    at = told.index("95 of 100 pages came from hosts with under 2% on topic; ban them on the page of ontocrawl ui, or:")
    assert told[at + 1] == "     95  --exclude 'bad.example/*'"


def test_status_tells_no_host_where_none_is_better(record):
    record.open_crawl(CRAWL, [], [])
    pages = [replace(PAGE, url=f"http://bad.example/{n}", relevance=0.9, on_topic=n == 0) for n in range(95)]
    counters = Counters(pages=95, on_topic=1, requests=95, errors=0, inversions=0, seconds=1.0)
    record.save(Batch(pages=tuple(pages), counters=counters))
    assert read_status(record)["barren"] == []


@pytest.mark.slow
def test_the_command_marks_the_threshold_in_force(read_crawl, monkeypatch):
    found = json.loads(ontocrawl(read_crawl, "threshold", "--json").stdout)
    assert [border["from"] for border in found["borders"]] == list(BORDERS)
    assert all(len(border["near"]) <= SHOWN for border in found["borders"])
    status = json.loads(ontocrawl(read_crawl, "status", "--json").stdout)
    (in_force,) = (border for border in found["borders"] if border["from"] == found["threshold"])
    assert in_force["pages"] == status["on_topic"]
    assert status["thresholds"]["threshold"] == found["threshold"]
    monkeypatch.setenv("COLUMNS", "80")
    lines = ontocrawl(read_crawl, "threshold").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("the threshold" in line for line in lines) == 1


def test_the_line_of_status_names_its_store():
    found = {"threshold": 0.4, "borders": [{"from": 0.4, "pages": 7}]}
    assert threshold_line(found, "tea").endswith("ontocrawl threshold --store tea")
    assert threshold_line(found, "./ontocrawl-store").endswith("ontocrawl threshold")
