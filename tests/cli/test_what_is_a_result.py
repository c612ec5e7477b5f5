"""What is a result: articles, listings with `--results all` alone, and error pages never; also if it is asked later."""

import json

import pytest
from test_end_to_end import HOST, ONTOLOGY, ontocrawl
from warc_records import response_record

from graphdb.stores import open_store

pytestmark = pytest.mark.slow

TEXT = "Green tea is picked in spring and steamed, or fired in a pan. It is drunk within a year by those who like tea. "
PLAIN = "The village lies on a hill, and its people walk down to the river when the bells have rung in the morning. "
POSTS = "".join(f'<h2><a href="/{n}">Post {n}</a></h2><p>{TEXT if n % 2 else PLAIN}{PLAIN}</p>' for n in range(4))
WEB = {
    "/robots.txt": "User-agent: *\nAllow: /",
    "/": f"<title>Start</title>{POSTS}<p><a href='/gone'>gone green tea</a> <a href='/list'>list</a></p>",
    **{f"/{n}": f"<title>Post {n}</title><h1>Post {n}</h1><p>{TEXT}{PLAIN * n}</p>" for n in range(4)},
    "/list": f"<title>All about tea</title><h1>All about tea</h1>{POSTS}",
    "/gone": "<title>Page not found</title><h1>Page not found</h1><p>No green tea at /gone: green tea, tea.</p>",
}
ASKED = """SELECT url, kind, relevance, on_topic, id IN (SELECT page FROM contents) AS kept FROM pages
WHERE status = 'fetched'"""


@pytest.fixture
def crawl(tmp_path):
    """The rows of the pages by path after a crawl with these words; all on one store."""
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    records = [
        response_record(HOST + path, f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}".encode())
        for path, body in WEB.items()
    ]
    (tmp_path / "web.warc").write_bytes(b"".join(records))
    store = open_store(str(tmp_path / "ontocrawl-store"))

    def run(*words):
        given = f"--ontology tea.ttl --seeds {HOST}/ --archive web.warc --delay 0 --max-pages 9 --threshold 0.4"
        told = ontocrawl(tmp_path, "crawl", *given.split(), *words)
        assert told.returncode == 0, told.stderr
        return {row["url"].removeprefix(HOST): row for row in store.read(ASKED)}

    return run


def half(relevance):
    """The relevance of half of u, where that of u is this."""
    return relevance / (2 - relevance)


def test_listings_are_results_if_asked_for(crawl, tmp_path):
    rows = crawl()
    whole = crawl("--results", "all")  # nothing is fetched, so it is judged again
    assert {path: row["kind"] for path, row in rows.items() if row["kind"] != "article"} == {
        "/": "listing",
        "/list": "listing",
        "/gone": "error",
    }
    for path, row in whole.items():
        counts = half(row["relevance"]) if row["kind"] == "listing" else row["relevance"]
        assert rows[path]["relevance"] == pytest.approx(counts)
    assert [bool(at["/list"]["on_topic"]) for at in (rows, whole)] == [False, True]
    assert crawl()["/list"]["relevance"] == pytest.approx(rows["/list"]["relevance"])  # and back
    assert "papers J" in ontocrawl(tmp_path, "explain", f"{HOST}/list").stdout


def test_an_error_page_is_counted_and_no_result(crawl, tmp_path):
    gone = crawl("--results", "all")["/gone"]
    assert (gone["on_topic"], gone["kept"]) == (0, 0)
    said = json.loads(ontocrawl(tmp_path, "status", "--json").stdout)["error_pages"]
    assert said == [{"host": "tea.example:8080", "pages": 1, "example": f"{HOST}/gone"}]
    assert "1 page" in ontocrawl(tmp_path, "status").stdout
    assert "Page not found" in ontocrawl(tmp_path, "explain", f"{HOST}/gone").stdout


def test_another_word_for_results_is_refused(tmp_path):
    typed = f"--results some --seeds {HOST}/ --max-pages 1 --ontology tea.ttl"
    told = ontocrawl(tmp_path, "crawl", *typed.split())
    assert told.returncode == 2
