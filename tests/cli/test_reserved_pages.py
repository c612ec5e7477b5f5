"""Pages that are reserved for text and data mining: recorded and told always, left out with `--respect tdm`."""

import json

import pytest
from test_end_to_end import HOST, ONTOLOGY, ontocrawl
from warc_records import response_record

from graphdb.stores import open_store

pytestmark = pytest.mark.slow

TEXT = "<p>Green tea is tea: green tea, black tea. Black tea is tea that is fully oxidised.</p>"
LINKS = "".join(f'<a href="/{name}">{name} tea</a> ' for name in ("header", "meta", "file", "free"))
RULES = [{"location": "/file", "tdm-reservation": 1, "tdm-policy": "https://a.example/licence"}]
WEB = {
    "/robots.txt": ("text/plain", "User-agent: *\nAllow: /"),
    "/.well-known/tdmrep.json": ("application/json", json.dumps(RULES)),
    "/": ("text/html", f"<title>Start</title>{TEXT}{LINKS}"),
    "/header": ("text/html\r\nTDM-Reservation: 1", f"<title>Header</title>{TEXT}<p>Header.</p>"),
    "/meta": ("text/html", f'<title>Meta</title><meta name="TDM-RESERVATION" content="1">{TEXT}<p>Meta.</p>'),
    "/file": ("text/html", f"<title>File</title>{TEXT}<p>File.</p>"),
    "/free": ("text/html", f"<title>Free</title>{TEXT}<p>Free.</p>"),
}
ASKED = """SELECT url, status, on_topic, id IN (SELECT page FROM contents) AS kept, reserved FROM pages"""


@pytest.fixture
def crawled(tmp_path):
    """The rows of the pages by path, and what `status` says, of a crawl with these words."""
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    records = [
        response_record(HOST + path, f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}".encode())
        for path, (kind, body) in WEB.items()
    ]
    (tmp_path / "web.warc").write_bytes(b"".join(records))

    def run(*words):
        store = open_store(str(tmp_path / "ontocrawl-store"))
        given = f"--ontology tea.ttl --seeds {HOST}/ --archive web.warc --delay 0 --max-pages 9"
        told = ontocrawl(tmp_path, "crawl", *given.split(), *words)
        assert told.returncode == 0, told.stderr
        rows = {row["url"].removeprefix(HOST): row for row in store.read(ASKED)}
        return rows, json.loads(ontocrawl(tmp_path, "status", "--json").stdout)["reserved"]

    return run


def test_reservations_are_recorded_and_told(crawled, tmp_path):
    rows, told = crawled()
    assert {path: row["reserved"] for path, row in rows.items()} == {
        "/": None,
        "/header": "header tdm-reservation",
        "/meta": "meta tdm-reservation",
        "/file": None,  # the file is not asked for
        "/free": None,
    }
    assert all(row["on_topic"] and row["kept"] for row in rows.values())
    assert [row["pages"] for row in told] == [2]
    assert "header tdm-reservation" in ontocrawl(tmp_path, "explain", f"{HOST}/header").stdout


def test_respected_reservations_leave_no_text(crawled):
    rows, told = crawled("--respect", "tdm")
    assert {path: (row["status"], row["on_topic"], row["kept"]) for path, row in rows.items()} == {
        "/": ("fetched", True, True),
        "/header": ("fetched", False, False),
        "/meta": ("fetched", False, False),
        "/file": ("refused", None, False),
        "/free": ("fetched", True, True),
    }
    assert rows["/file"]["reserved"] == "tdmrep.json: https://a.example/licence"
    assert [row["pages"] for row in told] == [3]


def test_another_word_to_respect_is_refused(tmp_path):
    told = ontocrawl(tmp_path, *f"crawl --ontology tea.ttl --seeds {HOST}/ --max-pages 9 --respect ai".split())
    assert told.returncode == 2
    assert "--respect tdm" in told.stderr


def test_a_store_shows_what_is_reserved(crawled, tmp_path):
    crawled()
    told = ontocrawl(tmp_path, "export", "--format", "csv", "-o", "tables")
    assert told.returncode == 0
    assert "meta tdm-reservation" in (tmp_path / "tables" / "pages.csv").read_text("utf-8")
