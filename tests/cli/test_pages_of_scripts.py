"""Pages that need JavaScript, without a browser: what is said of them, and how a browser is asked for."""

import json

import pytest
from test_end_to_end import HOST, ONTOLOGY, ontocrawl
from warc_records import response_record

pytestmark = pytest.mark.slow

WEB = {
    "/": "<title>Start</title><p>Green tea is tea: green tea, black tea. Black tea is fully oxidised. "
    + "".join(f'<a href="/{name}">{name} tea</a> ' for name in ("bare", "page")) * 9,
    "/bare": "<title>Tea shop</title><div id=root></div><script src=/shop.js></script>",
    "/page": "<title>Page</title><p>Black tea.",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("scripts")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    records = [response_record(HOST + path, f"{head}{body}".encode()) for path, body in WEB.items()]
    (made / "web.warc").write_bytes(b"".join(records))
    given = f"crawl --ontology tea.ttl --seeds {HOST}/ --archive web.warc --delay 0 --max-pages 9 --threshold .9"
    told = ontocrawl(made, *given.split())
    assert told.returncode == 0, told.stderr
    return made


def test_a_page_that_needs_scripts_is_told_everywhere(folder):
    status = json.loads(ontocrawl(folder, "status", "--json").stdout)
    assert status["scripts"] == {"needed": {"script": "needed", "pages": 1, "example": f"{HOST}/bare"}}
    assert f"{HOST}/bare" in ontocrawl(folder, "status").stdout
    ledger = json.loads(ontocrawl(folder, "status", "--ledger", "--json").stdout)
    told = {row["what"]: row["example"] for row in ledger["groups"][0]["rows"]}
    assert told["pages that need JavaScript, which was not run or gave nothing"] == f"{HOST}/bare"
    assert "its text needs JavaScript" in ontocrawl(folder, "explain", f"{HOST}/bare").stdout
    assert "JavaScript" not in ontocrawl(folder, "explain", f"{HOST}/page").stdout


def test_a_browser_that_is_not_there_is_refused(folder):
    told = ontocrawl(folder, *f"crawl --ontology tea.ttl --seeds {HOST}/ --max-pages 9 --render /no/browser".split())
    assert told.returncode == 2
    assert "--render" in told.stderr


def test_judging_again_keeps_what_is_said_of_scripts(folder):
    file = folder / "tea.ttl"
    file.write_text(file.read_text(encoding="utf-8") + "\n# edited", encoding="utf-8")
    told = ontocrawl(folder, "rejudge", "--ontology", "tea.ttl")
    assert told.returncode == 0, told.stderr
    assert ontocrawl(folder, "explain", f"{HOST}/bare").stdout.count("JavaScript") == 1
