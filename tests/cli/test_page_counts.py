"""All commands count the pages of a crawl in the same way, and say what of them can be no result."""

import json
import re
import shutil
from contextlib import closing

import pytest
from test_end_to_end import HOST, ONTOLOGY, ontocrawl
from test_what_is_a_result import WEB
from warc_records import response_record

from cli.report.crawl_figures import read_figures
from cli.report.page_cards import best_pages
from cli.ui import results_tab
from cli.ui.asked import Asked
from cli.ui.jobs import Jobs
from graphdb.stores import open_store

pytestmark = pytest.mark.slow

HIDDEN = (
    "<meta name=robots content=noindex><title>Hidden</title><p>Green tea that asks not to be indexed. " + "Tea. " * 9
)
LEFT_OUT = ", 1 of them ask not to be indexed, 1 of them are error pages"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A crawl of nine pages: one asks not to be indexed, one is an error page, and a tenth address shows a copy."""
    folder = tmp_path_factory.mktemp("counts")
    (folder / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    links = "<p><a href='/hidden'>hidden green tea</a> <a href='/copy'>green tea again</a></p>"
    web = {**WEB, "/": WEB["/"] + links, "/hidden": HIDDEN, "/copy": WEB["/1"], "/more": f"<p>{WEB['/2']}more"}
    web["/list"] += "<p><a href='/more'>more green tea</a></p>"
    records = [
        response_record(HOST + path, f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}".encode())
        for path, body in web.items()
    ]
    (folder / "web.warc").write_bytes(b"".join(records))
    given = f"--ontology tea.ttl --seeds {HOST}/ --archive web.warc --delay 0 --max-pages 20 --threshold 0.4 --json"
    crawled = ontocrawl(folder, "crawl", *given.split())
    assert crawled.returncode == 0, crawled.stderr
    (folder / "crawled.json").write_text(crawled.stdout, encoding="utf-8")
    return folder


def figures(folder, *words):
    return json.loads(ontocrawl(folder, *words, "--json").stdout)


def test_all_commands_give_the_same_numbers_of_pages(folder):
    shutil.copy(folder / "tea.ttl", folder / "same.ttl")
    crawled = json.loads((folder / "crawled.json").read_text(encoding="utf-8"))
    status, threshold = figures(folder, "status"), figures(folder, "threshold")
    diff = figures(folder, "ontology", "diff", "tea.ttl", "same.ttl", "--store", "ontocrawl-store")
    rejudged = figures(folder, "rejudge")
    listed = next(one for one in json.loads(ontocrawl(folder, "crawls", "--json").stdout) if one["name"] == folder.name)
    assert {told["pages"] for told in (crawled, status, threshold, diff, rejudged, listed)} == {9}
    assert [told["hidden"] for told in (status, threshold, diff, rejudged)] == [1, 1, 1, 1]
    on_topic = crawled["on_topic"]
    reaching = next(row["pages"] for row in threshold["borders"] if row["from"] == threshold["threshold"])
    results = json.loads(ontocrawl(folder, "results", "--format", "json").stdout)["results"]
    assert [status["on_topic"], rejudged["before"], rejudged["on_topic"], listed["on_topic"], reaching] == [
        on_topic
    ] * 5
    assert results == on_topic > 0
    assert status["copies"] == crawled["copies"] == 1


def test_a_hub_is_counted_in_the_same_way_everywhere(folder):
    best = json.loads(ontocrawl(folder, "results", "--format", "json").stdout)
    url, before = best["rows"][0]["url"], best["results"]
    rejudged = json.loads(ontocrawl(folder, "mark", url, "hub", "--json").stdout)
    status, ledger = figures(folder, "status"), figures(folder, "status", "--ledger")
    assert "hubs: 1" in ontocrawl(folder, "status").stdout
    assert status["marks"] == rejudged["marks"] == {"good": 0, "bad": 0, "hub": 1}
    written = json.loads(ontocrawl(folder, "results", "--format", "json").stdout)["results"]
    store = str(folder / "ontocrawl-store")
    shown = len(results_tab.found(Asked({"store": store}, store, Jobs()))["pages"])
    with closing(open_store(store)) as record:
        reported = len(best_pages(read_figures(record, store).verdicts))
    listed = sum(row["addresses"] for group in ledger["groups"] for row in group["rows"] if row["what"] == "result")
    ontocrawl(folder, "export", "--format", "jsonl", "--pages", "on-topic", "-o", "pages.jsonl")
    exported = (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    assert [rejudged["on_topic"], status["on_topic"], written, shown, reported, listed] == [before - 1] * 6
    assert sum(json.loads(line)["on_topic"] for line in exported) == before - 1
    hubs = json.loads(ontocrawl(folder, "results", "--marked", "hub", "--format", "json").stdout)
    assert [page["url"] for page in hubs["rows"]] == [url]
    assert json.loads(ontocrawl(folder, "mark", url, "none", "--json").stdout)["on_topic"] == before


@pytest.mark.parametrize("command", ["status", "threshold", "results", "ontology coverage", "rejudge"])
def test_each_command_says_what_is_left_out(folder, command):
    told = ontocrawl(folder, *command.split())
    head = "pages 9" if command == "status" else "9 pages fetched"
    assert head + LEFT_OUT in re.sub(r"\s+", " ", told.stdout)
