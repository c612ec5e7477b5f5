"""What pages say of themselves (day, author, site) everywhere where a crawl is told, asked or exported."""

import csv
import json

import pytest
from rdflib import Graph, Literal, URIRef
from test_end_to_end import HOST, ONTOLOGY, ontocrawl, warc

from graphdb.stores import open_store

pytestmark = pytest.mark.slow

TEXT = "<p>Green tea is tea: green tea, black tea. Black tea is tea that is fully oxidised.</p>"
HEAD = """<meta name="author" content="Lu Yu"><meta property="og:site_name" content="Tea &amp; Co">
<meta property="article:published_time" content="2024-05-03T08:00:00Z"><meta name="lastmod" content="2024-06-07">"""
WEB = {
    "/": ("Start", f'{TEXT}<a href="/old">black tea</a> <a href="/new">green tea</a> <a href="/none">tea</a>'),
    "/new": ("New", f"{HEAD}{TEXT}<p>It is new.</p>"),
    "/old": ("Old", f"<time>3 May 2020</time>{TEXT}<p>It is old.</p>"),
    "/none": ("None", f"{TEXT}<p>It has no day.</p>"),
}
NEW = ("2024-05-03", "2024-06-07", "meta", "Lu Yu", "Tea & Co")
NAMES = ("published", "modified", "dated_by", "author", "site_name")


def crawl(folder, store, pages):
    (folder / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (folder / "web.warc").write_bytes(warc(pages))
    given = f"--ontology tea.ttl --seeds {HOST}/ --archive web.warc --delay 0 --max-pages 9 --store {store}"
    told = ontocrawl(folder, "crawl", *given.split())
    assert told.returncode == 0, told.stderr


def declared(folder, store):
    opened = open_store(str(folder / store), create=False)
    try:
        rows = opened.read(f"SELECT url, {', '.join(NAMES)} FROM pages")
        return {row["url"].removeprefix(HOST): tuple(row[name] for name in NAMES) for row in rows}
    finally:
        opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("declared")
    crawl(made, "ontocrawl-store", WEB)
    return made


def test_the_record_has_what_pages_declare(folder):
    nothing = (None,) * 5
    old = ("2020-05-03", None, "time", None, None)
    assert declared(folder, "ontocrawl-store") == {"/": nothing, "/new": NEW, "/old": old, "/none": nothing}


def test_judging_again_keeps_it(folder):
    before = declared(folder, "ontocrawl-store")
    assert ontocrawl(folder, "rejudge", "--threshold", "0.1").returncode == 0
    assert declared(folder, "ontocrawl-store") == before


@pytest.mark.parametrize("since", ["p.published >= '2024'", "date(p.published) >= date('2024-01-01')"])
def test_a_query_compares_days(folder, since):
    asked = f"MATCH (p:Page) WHERE {since} RETURN p.url AS url, p.author AS author, p.site_name AS site"
    told = ontocrawl(folder, "query", asked, "--format", "json")
    assert json.loads(told.stdout) == [{"url": f"{HOST}/new", "author": NEW[3], "site": NEW[4]}], told.stderr


def test_explain_tells_it_in_one_line(folder):
    told = ontocrawl(folder, "explain", f"{HOST}/new").stdout
    (line,) = [line for line in told.splitlines() if "2024-05-03" in line]
    assert all(value in line for value in NEW)
    assert "2020-05-03" in ontocrawl(folder, "explain", f"{HOST}/old").stdout


def test_a_page_that_is_tried_tells_it(folder):
    given = f"try {HOST}/new --ontology tea.ttl --archive web.warc".split()
    assert NEW[0] in ontocrawl(folder, *given).stdout
    assert json.loads(ontocrawl(folder, *given, "--json").stdout)["declared"] == dict(zip(NAMES, NEW, strict=True))


def test_a_page_that_is_found_shows_its_day(folder):
    assert "2020-05-03" in ontocrawl(folder, "search", "old").stdout
    hits = json.loads(ontocrawl(folder, "search", "tea", "--json").stdout)["hits"]
    days = {hit["url"].removeprefix(HOST): hit["published"] for hit in hits}
    assert days == {"/": "", "/new": "2024-05-03", "/old": "2020-05-03", "/none": ""}


def test_a_card_of_the_report_shows_the_day(folder):
    assert ontocrawl(folder, "report", "-o", "report.html").returncode == 0
    assert (folder / "report.html").read_text("utf-8").count('<time datetime="2024-05-03">') == 1


def test_tables_have_it(folder):
    assert ontocrawl(folder, "export", "--format", "csv", "-o", "tables").returncode == 0
    with (folder / "tables" / "pages.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["title"]: row for row in csv.DictReader(file)}
    assert tuple(rows["New"][name] for name in NAMES) == NEW
    assert rows["None"]["published"] == ""


def test_turtle_says_it_in_schema_org_s_words(folder):
    assert ontocrawl(folder, "export", "--format", "ttl", "-o", "crawl.ttl").returncode == 0
    graph, page = Graph().parse(folder / "crawl.ttl"), URIRef(f"{HOST}/new")
    words = ("schema.org/datePublished", "schema.org/dateModified", "w3id.org/ontocrawl#datedBy")
    words += ("schema.org/author", "w3id.org/ontocrawl#siteName")
    assert tuple(graph.value(page, URIRef(f"https://{word}")) for word in words) == tuple(map(Literal, NEW))


def test_a_graph_file_has_it(folder):
    assert ontocrawl(folder, "export", "--format", "gexf", "-o", "web.gexf").returncode == 0
    assert '<attvalue for="published" value="2024-05-03"/>' in (folder / "web.gexf").read_text("utf-8")


def test_merging_brings_it_along(folder):
    crawl(folder, "./one", {"/": ("Start", TEXT)})
    assert ontocrawl(folder, "crawls", "merge", "./ontocrawl-store", "--into", "./one").returncode == 0
    assert declared(folder, "one")["/new"] == NEW
