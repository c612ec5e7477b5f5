"""One small crawl through the command itself: archive -> embedded store -> query, explain, status, and on again."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from warc_records import response_record

from cli.main import main
from crawler.ports import Fetched
from graphdb.cypher.vocabulary import known_properties
from graphdb.stores import open_graph, open_store

pytestmark = pytest.mark.slow

HOST = "http://tea.example:8080"
PAGES = {
    "/": ("Start", '<p>Welcome.</p><a href="/green">green tea, how it is made</a> <a href="/cars">cars</a>'),
    "/green": ("Green tea", '<p>Green tea is tea: green tea, black tea.</p><a href="/black">black tea</a>'),
    "/black": ("Black tea", "<p>Black tea is tea that is fully oxidised; black tea keeps, green tea does not.</p>"),
    "/cars": ("Cars", '<p>Engines and wheels.</p><a href="/bikes">bikes</a>'),
    "/bikes": ("Bikes", "<p>Two wheels.</p>"),
}
ONTOLOGY = """@prefix : <http://onto.example/tea#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix oc: <https://w3id.org/ontocrawl#> .
<http://onto.example/tea> a owl:Ontology ; oc:topic :Tea .
:Tea a owl:Class ; rdfs:label "tea"@en ; oc:weight 1.0 .
:Green a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "green tea"@en ; oc:weight 1.0 .
:Black a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "black tea"@en ; oc:weight 1.0 .
"""


def warc(pages: dict[str, tuple[str, str]]) -> bytes:
    """A WARC file (ISO 28500) with one response record a page."""
    records = []
    for path, (title, body) in pages.items():
        html = f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode()
        answer = (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(html)
            + html
        )
        records.append(response_record(HOST + path, answer))
    return b"".join(records)


def answer(url: str) -> Fetched:
    """What the small web answers."""
    if url.removeprefix(HOST) not in PAGES:
        return Fetched(url, 404, {}, b"")
    title, body = PAGES[url.removeprefix(HOST)]
    html = f"<html><title>{title}</title><body>{body}</body></html>".encode()
    return Fetched(url, 200, {"content-type": "text/html; charset=utf-8"}, html)


def start(folder: Path, *words: str, stderr: int | None = None) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from cli.main import main; main()", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
    )


def ontocrawl(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command in this process, which is quicker."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(SystemExit) as left,
    ):
        patch.setattr(sys, "argv", ["ontocrawl", *words])
        main()
    assert isinstance(left.value.code, int)
    texts = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(words, left.value.code, *texts)


def crawl(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    given = "--ontology tea.ttl --seeds seeds.txt --archive web.warc --delay 0 --connections 1"
    return ontocrawl(folder, "crawl", *given.split(), *words)


@contextlib.contextmanager
def crawled(made: Path) -> Iterator[Path]:
    """A folder with ontology, seeds and archive, in which three pages were crawled."""
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "seeds.txt").write_text(f"# start\n{HOST}/\n", encoding="utf-8")
    (made / "web.warc").write_bytes(warc(PAGES))
    first = crawl(made, "--max-pages", "3", "--json")
    assert first.returncode == 0, first.stderr
    (made / "first.json").write_text(first.stdout, encoding="utf-8")
    yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """For this file alone, whose last test goes on with the crawl. All queries use one server of the graph."""
    with crawled(tmp_path_factory.mktemp("crawl")) as made, open_graph(str(made / "ontocrawl-store")):
        yield made


def served(folder: Path, *words: str) -> dict[str, str]:
    """What `serve` prints, which is ended by Ctrl-C after that."""
    with start(folder, "serve", *words) as server:
        assert server.stdout is not None
        told = [server.stdout.readline().strip() for _ in range(3)]
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(60) == 0
        finally:
            server.kill()
    return dict(line.split(maxsplit=1) for line in told)


def test_serve_prints_how_to_reach_the_store(folder):
    told = served(folder)
    assert told["address"].startswith("bolt://127.0.0.1:")
    assert told["user"] == "reader"
    file = folder / "ontocrawl-store" / "graph" / "reader-password"
    assert str(file) in told["password"] and "--show-password" in told["password"]
    assert file.read_text() not in " ".join(told.values())


def test_serve_prints_the_password_where_it_is_asked_for(folder):
    secret = (folder / "ontocrawl-store" / "graph" / "reader-password").read_text()
    assert served(folder, "--show-password")["password"] == secret


def test_json_tells_the_figures(folder):
    figures = json.loads((folder / "first.json").read_text())
    assert (figures["pages"], figures["on_topic"], figures["stopped"]) == (3, 2, "max-pages")


def test_query_reads_the_store(folder):
    cypher = 'MATCH (p:Page {status: "fetched"}) RETURN p.url AS url, p.on_topic AS hit ORDER BY p.order'
    asked = ontocrawl(folder, "query", cypher, "--format", "json")
    assert json.loads(asked.stdout) == [
        {"url": f"{HOST}/", "hit": False},
        {"url": f"{HOST}/green", "hit": True},
        {"url": f"{HOST}/black", "hit": True},
    ]


def test_an_answer_without_rows_has_a_header(folder):
    asked = ontocrawl(folder, "query", "MATCH (p:Page {url: 'x'}) RETURN p.url, p.title AS t", "--format", "csv")
    assert asked.stdout == '"p.url","t"\n'


def test_a_wrong_query_is_a_users_mistake(folder):
    asked = ontocrawl(folder, "query", "MATCH (p:Page RETURN p")
    assert asked.returncode == 2
    assert "Traceback" not in asked.stderr


def test_a_misspelt_property_is_told_though_there_are_rows(folder):
    told = ontocrawl(folder, "query", "MATCH (p:Page) RETURN p.url, p.relevence")
    assert told.returncode == 0
    assert "relevance" in told.stderr


def test_every_property_of_a_graph_is_a_known_one(folder):
    with open_graph(str(folder / "ontocrawl-store")) as graph:
        nodes = graph.query("MATCH (n) UNWIND keys(n) AS name RETURN DISTINCT name").rows
        relations = graph.query("MATCH ()-[r]->() UNWIND keys(r) AS name RETURN DISTINCT name").rows
    assert {row["name"] for row in (*nodes, *relations)} - known_properties() == set()


def test_a_query_that_would_write_is_a_users_mistake(folder):
    asked = ontocrawl(folder, "query", "MATCH (p:Page) CALL (p) { DETACH DELETE p } IN TRANSACTIONS")
    assert asked.returncode == 2
    assert "(IN TRANSACTIONS)" in asked.stderr
    assert "Traceback" not in asked.stderr


def test_sql_and_unknown_labels_get_a_hint(folder):
    sql = ontocrawl(folder, "query", "SELECT url FROM Page")
    assert (sql.returncode, sql.stdout) == (2, "")
    assert "the graph answers Cypher" in sql.stderr
    unknown = ontocrawl(folder, "query", "MATCH (p:Pages) RETURN count(p) AS n", "--format", "csv")
    assert (unknown.returncode, unknown.stdout.split()) == (0, ['"n"', '"0"'])
    assert re.search(r"\bPages\b.*\bPage\b", unknown.stderr)


@pytest.mark.parametrize("typed", ["tea.example:8080/black", "https://tea.example:8080/black"])
def test_explain_finds_an_address_by_either_scheme_or_none(folder, typed):
    told = ontocrawl(folder, "explain", typed)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith(f"{HOST}/black")


def test_explain_tells_page_link_and_way(folder):
    told = ontocrawl(folder, "explain", f"{HOST}/black")
    assert told.returncode == 0, told.stderr
    assert "black tea" in told.stdout
    assert f"{HOST}/green" in told.stdout
    assert "on topic" in told.stdout


def test_explain_shows_both_ends_of_a_long_way(folder, monkeypatch):
    monkeypatch.setattr("cli.explaining.explain.WAY", 1)
    told = ontocrawl(folder, "explain", f"{HOST}/black").stdout.partition("Its way from the seed")[2]
    first, left_out, last = told.splitlines()[1:]
    assert (first, last) == (f"    0  {HOST}/", f"    2  {HOST}/black")
    assert "1 more" in left_out


def test_explain_knows_a_waiting_page(folder):
    told = ontocrawl(folder, "explain", f"{HOST}/cars")
    assert told.returncode == 0, told.stderr
    assert "waiting with priority" in told.stdout
    assert re.search(r": \d of \d .*--max-pages", told.stdout)
    assert re.search(r"\n  \+0\.\d+ \w", told.stdout.partition("Why this link")[2])


def test_of_links_with_one_priority_the_first_found_comes_first(tmp_path):
    names = ["zebra", "ox", "ape"]
    links = " ".join(f'<a href="/{name}">{name}</a>' for name in names)
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (tmp_path / "web.warc").write_bytes(warc({"/": ("Start", links)}))
    done = crawl(tmp_path, "--max-pages", "1", "--strategy", "ontology")
    assert done.returncode == 0, done.stderr
    for place, name in enumerate(names, 1):
        told = ontocrawl(tmp_path, "explain", f"{HOST}/{name}").stdout
        assert f"Its place: {place} of 3 waiting" in told
        assert ("no link that waits comes before it" in told) == (place == 1)
    told = ontocrawl(tmp_path, "status").stdout
    assert re.findall(rf"{HOST}/(\w+)", told.partition("next\n")[2])[:3] == names


def test_explain_gives_links_to_pages_fetched_before_no_priority(tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    back = '<p>green tea, made of tea</p><a href="/">green tea at home</a>'
    pages = {"/": PAGES["/"], "/green": ("Green tea", back)}
    (tmp_path / "web.warc").write_bytes(warc(pages))
    assert crawl(tmp_path, "--max-pages", "2").returncode == 0
    told = ontocrawl(tmp_path, "explain", f"{HOST}/").stdout
    assert re.search(rf'\n  none .*  {HOST}/green  "green tea at home"', told)


def test_explain_status_and_query_know_a_copy_and_its_page(tmp_path):
    """The tag list shows one article and comes first; then they change places."""
    article = "<h2><a href='/oolong'>Oolong and tea</a></h2><p>black tea, green tea, tea of both. " * 9
    start = '<p>tea</p><a href="/tag/oolong/">black tea by tag</a> <a href="/oolong">an article</a>'
    pages = {"/": ("Start", start), "/tag/oolong/": ("Oolong and tea", article), "/oolong": ("Oolong and tea", article)}
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (tmp_path / "web.warc").write_bytes(warc(pages))
    figures = json.loads(crawl(tmp_path, "--max-pages", "9", "--strategy", "bfs", "--json").stdout)
    assert (figures["pages"], figures["copies"], figures["on_topic"]) == (2, 1, 1)
    copy, page = (ontocrawl(tmp_path, "explain", f"{HOST}/{name}").stdout for name in ("tag/oolong/", "oolong"))
    assert f"It is a copy of {HOST}/oolong" in copy
    assert "a heading here links there by its title" in copy
    assert f"Copies of it: {HOST}/tag/oolong/" in page
    assert "page 2 of the crawl" in page
    assert re.search(r"\ncopies +1\b", ontocrawl(tmp_path, "status").stdout)
    cypher = "MATCH (c:Page)-[:COPY_OF]->(p:Page) RETURN c.url AS copy, p.url AS page, p.on_topic AS hit"
    told = json.loads(ontocrawl(tmp_path, "query", cypher, "--format", "json").stdout)
    assert told == [{"copy": f"{HOST}/tag/oolong/", "page": f"{HOST}/oolong", "hit": True}]


def test_explain_names_the_nearest_known_address(folder):
    told = ontocrawl(folder, "explain", f"{HOST}/blak")
    assert told.returncode == 2
    assert f"{HOST}/black" in told.stderr


def test_explain_tells_what_a_page_lacks_and_why_it_came(folder):
    told = ontocrawl(folder, "explain", f"{HOST}/")
    assert re.search(r": .*0\.\d+ .*threshold of 0\.5", told.stdout)
    assert "pages nearest above" in told.stdout
    assert re.search(r"\+0\.\d+  (Green tea|green tea|tea): 0\.\d+ there, 0\.000 here", told.stdout)
    told = ontocrawl(folder, "explain", f"{HOST}/black")
    assert re.search(r"priority [\d.]+, \"black tea\"", told.stdout)
    assert "topic words, at fixed weights" in told.stdout
    assert "names black tea" in told.stdout


def test_explain_keeps_concepts_apart_whose_names_have_a_colon(tmp_path):
    names = {"green tea": "tea: green", "black tea": "tea: black"}
    other = ONTOLOGY
    for name, colon in names.items():
        other = other.replace(f'"{name}"@en', f'"{colon}"@en, "{name}"@en')
    (tmp_path / "tea.ttl").write_text(other, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (tmp_path / "web.warc").write_bytes(warc(PAGES))
    assert crawl(tmp_path, "--max-pages", "5").returncode == 0
    told = ontocrawl(tmp_path, "explain", f"{HOST}/").stdout.partition("What it lacks")[2]
    for colon in names.values():
        assert re.search(rf"\+\d\.\d+  {colon}: \d\.\d+ there, \d\.\d+ here", told)


def test_captions_of_a_chinese_crawl_are_chinese(tmp_path, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    chinese = {"tea": "茶叶", "green tea": "绿茶", "black tea": "红茶"}
    both = ONTOLOGY
    for english, word in chinese.items():
        both = both.replace(f'"{english}"@en', f'"{english}"@en, "{word}"@zh')
    text = "绿茶是不发酵的茶叶，红茶是全发酵的茶叶。绿茶用玻璃杯冲泡，红茶用瓷壶。"
    (tmp_path / "tea.ttl").write_text(both, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (tmp_path / "web.warc").write_bytes(warc({"/": ("绿茶", f'<p lang="en">{text * 5}</p>')}))
    for words, shown in (([], "绿茶"), (["--lang", "en", "--recrawl"], "green tea")):
        done = crawl(tmp_path, "--max-pages", "1", *words)
        assert done.returncode == 0, done.stderr
        cypher = "MATCH (p:Page)-[:MENTIONS]->(c:Concept) RETURN p.language, p.reasons, c.label, c.label_zh, c.label_en"
        rows = json.loads(ontocrawl(tmp_path, "query", cypher, "--format", "json").stdout)
        assert {row["p.language"] for row in rows} == {"zh"}
        assert any(f" {shown}: 绿茶" in reason for reason in rows[0]["p.reasons"])
        named = chinese.values() if shown == "绿茶" else chinese
        assert {row["c.label"] for row in rows} == set(named)
        assert {(row["c.label_en"], row["c.label_zh"]) for row in rows} == set(chinese.items())


def test_explain_suggests_commands_for_the_store_it_was_asked_about(folder):
    told = ontocrawl(folder, "explain", "http://nowhere.example/", "--store", str(folder / "ontocrawl-store"))
    assert told.returncode == 2
    assert f"ontocrawl query --store {folder / 'ontocrawl-store'} " in told.stderr


def test_status_tells_what_was_learned(folder):
    told = ontocrawl(folder, "status")
    assert re.search(r"\nlearned .*: 3\n", told.stdout)
    assert re.search(r"trust .*: 0%", told.stdout)
    assert "best hosts" in told.stdout
    assert not re.search(r"\b1 (articles|listings)\b", told.stdout)
    assert "tea.example:8080  (3 pages)" in told.stdout
    learned = json.loads(ontocrawl(folder, "status", "--json").stdout)["learned"]
    assert learned["learns"]
    assert learned["numbers"] == {"pages learned of": 3, "trust": 0.0, "dryness": 0.0}
    assert learned["order"]["pages"] == 2


def test_status_tells_how_far(folder):
    told = ontocrawl(folder, "status", "--json")
    assert told.returncode == 0, told.stderr
    status = json.loads(told.stdout)
    assert status["pages_by_status"]["fetched"] == 3
    assert status["strategy"] == "fused"
    assert sum(status["on_topic_by_kind"].values()) == status["on_topic"]


def test_status_counts_what_is_out_of_scope(folder):
    words = ["--max-pages", "9", "--exclude", "/c*", "--max-depth", "1", "--store", "bounded", "--json"]
    figures = json.loads(crawl(folder, *words).stdout)
    status = json.loads(ontocrawl(folder, "status", "--store", "bounded", "--json").stdout)
    told = ontocrawl(folder, "explain", f"{HOST}/cars", "--store", "bounded").stdout
    place = ontocrawl(folder, "explain", f"{HOST}/black", "--store", "bounded").stdout
    assert figures["out_of_scope"] == status["out_of_scope"] == {"--exclude /c*": 1}
    assert status["too_deep"] == 1  # /black
    assert status["waiting"] == []
    assert "waits for a run with a larger --max-depth" in place
    assert "--exclude /c*" in told


def test_what_a_crawl_has_saved_tells_articles_from_listings(folder):
    cypher = "MATCH (p:Page) WHERE p.kind IS NOT NULL RETURN p.kind AS k, p.title AS t ORDER BY t"
    rows = json.loads(ontocrawl(folder, "query", cypher, "--format", "json").stdout)
    assert {row["t"]: row["k"] for row in rows} == {"Start": "article", "Green tea": "article", "Black tea": "article"}
    assert "on topic, an article" in ontocrawl(folder, "explain", f"{HOST}/green").stdout


def test_a_crawl_without_pages_says_why_and_what_helps(folder):
    words = "--ontology tea.ttl --seeds http://127.0.0.1:1/ --max-pages 1 --delay 0 --store memory:"
    told = ontocrawl(folder, "crawl", *words.split())
    assert told.returncode == 1
    assert "Refused: loopback address 127.0.0.1." in told.stdout
    assert "--allow HOST" in told.stdout


def test_a_crawl_without_a_match_says_why(folder):
    chinese = {'"green tea"@en': '"绿茶"@zh', '"black tea"@en': '"红茶"@zh', '"tea"@en': '"茶叶"@zh'}
    other = ONTOLOGY
    for name, named in chinese.items():
        other = other.replace(name, named)
    (folder / "other.ttl").write_text(other, encoding="utf-8")
    english = "It is for those who are new to the cup and to the pot, and it is as good as it can be for all of us."
    pages = {path: (title, f"<p>{english}</p>{text}") for path, (title, text) in PAGES.items()}
    (folder / "english.warc").write_bytes(warc(pages))
    words = "--ontology other.ttl --seeds seeds.txt --archive english.warc --max-pages 5 --delay 0 --store memory:"
    told = ontocrawl(folder, "crawl", *words.split())
    assert told.returncode == 0
    assert "No word of the ontology stands in any of the 5 pages" in told.stderr
    assert re.search(r"English.*Chinese only", told.stderr)
    assert re.search(r"most frequent words of the pages: .*tea", told.stderr)


def test_the_nearest_words_of_the_pages_are_told(folder):
    other = ONTOLOGY.replace("black tea", "engine room").replace("green tea", "weel").replace('"tea"', '"samovar"')
    (folder / "near.ttl").write_text(other, encoding="utf-8")
    words = "--ontology near.ttl --seeds seeds.txt --archive web.warc --max-pages 5 --delay 0 --store memory:"
    told = ontocrawl(folder, "crawl", *words.split())
    assert "engines (near to “engine room”)" in told.stderr


def test_a_store_that_is_not_there_is_a_users_mistake(folder):
    asked = ontocrawl(folder, "query", "RETURN 1", "--store", "./nowhere")
    assert asked.returncode == 2
    assert asked.stderr.startswith("error: ")
    assert not (folder / "nowhere").exists()


def test_the_same_command_goes_on(folder):  # last: it changes the store
    again = crawl(folder, "--max-pages", "10", "--json")
    assert re.search(r"resumed: 3\b", again.stderr)
    assert "max_pages: 3 -> 10" in again.stderr
    figures = json.loads(again.stdout)
    assert (figures["pages"], figures["stopped"]) == (5, "queue-empty")
    fetched = ontocrawl(folder, "query", 'MATCH (p:Page {status: "fetched"}) RETURN count(*)', "--format", "csv")
    assert fetched.stdout.split() == ['"count(*)"', '"5"']


def test_of_many_changes_the_first_are_listed(folder):  # after the last: it changes the ontology
    more = (f':T{n} a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "kind {n}"@en .' for n in range(30))
    (folder / "tea.ttl").write_text(ONTOLOGY + "\n".join(more), encoding="utf-8")
    again = crawl(folder, "--max-pages", "10")
    assert len(re.findall("  changed: ", again.stderr)) == 20 and "more changes" in again.stderr


def test_other_seeds_are_added_and_it_is_said(tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/green\n", encoding="utf-8")
    (tmp_path / "web.warc").write_bytes(warc(PAGES))
    kept = open_store(str(tmp_path / "ontocrawl-store"))
    assert "new seeds" not in crawl(tmp_path, "--max-pages", "1").stderr
    first, again = (crawl(tmp_path, "--max-pages", "2", "--seeds", f"{HOST}/cars").stderr for _ in range(2))
    assert "1 new seeds are fetched next; the 1 earlier ones stay" in first
    assert "new seeds" not in again
    rows = kept.read("SELECT url, status FROM pages WHERE is_seed ORDER BY url")
    assert [tuple(row.values()) for row in rows] == [(f"{HOST}/cars", "fetched"), (f"{HOST}/green", "fetched")]


def test_a_crawl_from_seeds_alone_resumes_and_tells_its_subject(folder):
    given = "--seeds seeds.txt --archive web.warc --delay 0 --connections 1 --strategy customised --store alone"
    for pages in ("2", "3"):
        done = ontocrawl(folder, "crawl", *given.split(), "--max-pages", pages, "--json")
        assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pages"] == 3
    told = ontocrawl(folder, "status", "--store", "alone")
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("no ontology (seeds:")
    assert "samples" not in told.stdout


def test_the_record_and_status_say_where_samples_came_from(folder):
    (folder / "marked.txt").write_text(f"good {HOST}/green\n", encoding="utf-8")
    for examples, said in ([], "what the ontology judged"), (["--examples", "marked.txt"], "marked by --examples"):
        done = crawl(folder, "--strategy", "ata", "--max-pages", "2", "--store", "learned", *examples)
        assert done.returncode == 0, done.stderr
        told = ontocrawl(folder, "status", "--store", "learned")
        assert said in told.stdout
    assert "samples: ontology -> examples" in done.stderr
