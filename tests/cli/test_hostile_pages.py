"""What crawled pages say is shown and never run: on the terminal, in the report, in CSV and JSON, in the store."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from test_end_to_end import HOST, ONTOLOGY, crawl, ontocrawl, warc

from cli.render.live_progress import block, summary
from cli.render.terminal import CONTROLS
from crawler.engine.crawl_records import Progress

pytestmark = pytest.mark.slow

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b2J\x9d8;;http://evil.example\x9c\x08\x08\x7f\u202egnp.exe\u2066\u2028"
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'></title></td><svg onload=alert(1)>"
CYPHER = "'}) DETACH DELETE n // \"}) MATCH (n) DETACH DELETE n; ` ${x} $x \\"
RICH = "[red]red[/red] [link=http://evil.example]x[/link] [/]"
FORMULA = '=HYPERLINK("http://evil.example","tea")'
SAID = {
    "escapes": f"tea {ESCAPES}",
    "markup": f"tea {MARKUP}".replace("<", "&lt;").replace(">", "&gt;"),
    "cypher": f"tea {CYPHER}",
    "rich": f"tea {RICH}",
    "formula": FORMULA.replace('"', "&quot;"),
}
TEXT = "<p>Green tea is tea: green tea, black tea, and tea.</p>"


def page(title: str, links: str = "") -> tuple[str, str]:
    return title, f"{TEXT}<p>{title}</p>{links}"


def link(name: str) -> str:
    written = SAID[name]
    quoted = written.replace('"', "&quot;")
    return f'<p>{written} <a title="{quoted}" href="/{name}?q={quoted}">{written}</a> {written}</p>'


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Pages whose titles, anchors, contexts and addresses are hostile, crawled into an embedded store."""
    made = tmp_path_factory.mktemp("hostile")
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "seeds.txt").write_text("".join(f"{HOST}/{name}\n" for name in ("", *SAID)), encoding="utf-8")
    pages = {"/": page("Start", "".join(map(link, SAID)))}
    pages |= {f"/{name}": page(title, '<a href="/waits">waits</a>') for name, title in SAID.items()}
    (made / "web.warc").write_bytes(warc(pages))
    done = crawl(made, "--max-pages", str(len(pages)))
    assert done.returncode == 0, done.stderr
    assert harmless(done.stdout + done.stderr)
    return made


def harmless(text: str) -> bool:
    return CONTROLS.search(text) is None


def test_every_page_is_in_the_graph_as_it_was_written(folder):
    """Cypher in titles, anchors and addresses is text: nothing was deleted, nothing was changed."""
    asked = ontocrawl(folder, "query", "MATCH (p:Page {status: 'fetched'}) RETURN p.title AS t", "--format", "json")
    titles = {row["t"] for row in json.loads(asked.stdout)}
    assert {f"tea {CYPHER}", f"tea {MARKUP}", f"tea {RICH}", FORMULA, "Start"} <= titles
    assert len(titles) == len(SAID) + 1


def test_a_question_about_a_hostile_address_is_a_question(folder):
    before = ontocrawl(folder, "query", "MATCH (n) RETURN count(n) AS n", "--format", "csv").stdout
    for address in (CYPHER, f"{HOST}/{CYPHER}", f"{HOST}/{ESCAPES}", MARKUP, "[/]"):
        told = ontocrawl(folder, "explain", address)
        assert told.returncode == 2
        assert harmless(told.stderr)
        assert "Traceback" not in told.stderr
    assert ontocrawl(folder, "query", "MATCH (n) RETURN count(n) AS n", "--format", "csv").stdout == before


@pytest.mark.parametrize("name", SAID)
def test_explain_shows_no_control_characters(folder, name):
    told = ontocrawl(folder, "explain", f"{HOST}/{name}")
    assert told.returncode == 0, told.stderr
    assert harmless(told.stdout)


def test_explain_of_a_waiting_link_shows_no_control_characters(folder):
    told = ontocrawl(folder, "explain", f"{HOST}/waits")
    assert told.returncode == 0, told.stderr
    assert harmless(told.stdout)


@pytest.mark.parametrize("words", [("status",), ("status", "--json")])
def test_status_shows_no_control_characters(folder, words):
    told = ontocrawl(folder, *words)
    assert told.returncode == 0, told.stderr
    assert harmless(told.stdout)


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_queries_show_no_control_characters(folder, form):
    cypher = "MATCH (p:Page)-[l:LINKS_TO]->(q:Page) RETURN p.title, l.anchor, l.context, q.url, p.reasons, l.reasons"
    told = ontocrawl(folder, "query", cypher, "--format", form)
    assert told.returncode == 0, told.stderr
    assert harmless(told.stdout)


def test_a_table_keeps_a_row_on_a_line(folder):
    """A title cannot begin a line of its own and pass for what the command says."""
    told = ontocrawl(folder, "query", "MATCH (p:Page {status: 'fetched'}) RETURN p.title AS t")
    assert len(told.stdout.splitlines()) == 2 + len(SAID) + 1


def test_no_cell_of_a_csv_is_a_formula(folder):
    told = ontocrawl(folder, "query", "MATCH (p:Page {status: 'fetched'}) RETURN p.title, p.url", "--format", "csv")
    cells = [cell for row in csv.reader(io.StringIO(told.stdout)) for cell in row]
    assert "'" + FORMULA in cells
    assert not [cell for cell in cells if re.match(r"\s*[=+\-@\t\r]", cell)]


def test_progress_shows_no_control_characters():
    progress = Progress(best=(f"{HOST}/{ESCAPES}", 0.5), errors_by_kind={"read": 1}, stopped="queue-empty")
    lines = [f"{name} {value}" for name, value in block(progress, 10)]
    assert all(map(harmless, lines))
    assert all(len(line.splitlines()) == 1 for line in lines)
    assert harmless(summary(progress, "memory:"))


class Tags(HTMLParser):
    """All elements of a page, and all attributes that run or load something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.active: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.active += [(n, v) for n, v in attrs if n.startswith("on") or n in ("src", "href", "action", "formaction")]


def test_the_lab_s_report_holds_no_element_of_a_page(folder):
    words = "simulate --archive web.warc --ontology tea.ttl --seeds seeds.txt --max-pages 6 --out lab"
    done = ontocrawl(folder, *words.split(), "--strategies", "bfs,fused")
    assert done.returncode == 0, done.stderr
    report = (folder / "lab" / "report.html").read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(report)
    assert not tags.tags & {"script", "img", "iframe", "a", "object", "link", "base"}
    assert tags.active == []
    assert harmless(report.replace("\n", ""))
    for table in (folder / "lab").glob("*.[ct]sv"):
        text = table.read_text(encoding="utf-8")
        assert harmless(text)
        assert not re.search(r"(?m)(^|[,\t])\s*[=+@]", text), table.name
