"""A server that asks by Retry-After to be left alone for hours: this run, the next one, and one of an archive."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from test_end_to_end import ONTOLOGY, ontocrawl
from warc_records import response_record

from cli.crawling.crawl import hosts_away
from crawler.politeness.robots_and_pace import RETRY_AFTER_CAP
from graphdb.record.sqlite_store import open_record
from semantic.records import Batch

pytestmark = pytest.mark.slow


class Busy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/robots.txt" else 429)
        self.send_header("Retry-After", "7200")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def host() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_next_run_leaves_a_host_that_asked_alone(host, tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Green tea.</p>"
    (tmp_path / "web.warc").write_bytes(response_record(f"http://{host}/", page))
    given = f"crawl --ontology tea.ttl --seeds http://{host}/ --delay 0 --store busy --max-pages 5 --json"
    runs = [ontocrawl(tmp_path, *given.split(), "--allow", "127.0.0.1") for _ in range(2)]
    told = ontocrawl(tmp_path, "status", "--store", "busy").stdout
    recorded = ontocrawl(tmp_path, *given.split(), "--archive", "web.warc")
    for run in runs:
        assert run.returncode == 1
        figures = json.loads(run.stdout)
        assert (figures["stopped"], figures["requests"]) == ("unreachable", 2)  # robots.txt and the seed, once
    assert "left alone" not in runs[0].stderr
    assert re.search(r"left alone.*: 1; .*ontocrawl status --store busy\n", runs[1].stderr)
    assert re.search(rf"left alone.*\n  until 20\S+  {host}\n", told)
    assert json.loads(recorded.stdout)["pages"] == 1


def test_a_wrong_clock_shuts_no_host_out_beyond_a_day():
    store = open_record(":memory:")
    store.save(Batch(away=(("a.example", "2999-01-01T00:00:00.000+00:00"),)))
    assert hosts_away(store) == [("a.example", RETRY_AFTER_CAP)]
