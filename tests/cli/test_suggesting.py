"""`ontology suggest`, as typed: what the pages of a crawl say that its ontology lacks."""

import contextlib
import io
import json
from types import SimpleNamespace

import pytest
from records_at_hand import CONCEPTS, CRAWL, SEED
from test_end_to_end import HOST, ONTOLOGY, ontocrawl, warc
from test_results import PAGES_SAVED

from cli.inputs.crawl_topic import read_about
from cli.ontologies import suggesting, weighing
from cli.ontologies.suggesting import hand_over, proposals_table
from cli.ontologies.suggesting_from_sources import run as run_from
from ontology.errors import OntologyError
from ontology.loading.ontology_reader import read_ontology
from ontology.proposals.accepting import apply
from ontology.proposals.decisions import Decisions, Term
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from semantic.records import Batch

pytestmark = pytest.mark.slow
STORE = ("--store", "ontocrawl-store")


def test_suggest_reads_the_store_and_tells_rows(read_crawl):
    told = ontocrawl(read_crawl, "ontology", "suggest", *STORE, "--json", "--most", "3")
    assert told.returncode == 0, told.stderr
    rows = json.loads(told.stdout)
    kinds = {"synonym", "narrower", "related", "misleading", "weight"}
    assert {row["kind"] for row in rows} <= kinds
    assert all(sentence["url"].startswith(HOST) for row in rows for sentence in row["evidence"]["sentences"])


def test_a_hub_is_read_as_a_listing_and_not_weighed(record, tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, "utf-8")
    record.open_crawl(CRAWL, CONCEPTS, [SEED])
    record.save(Batch(pages=PAGES_SAVED))
    record.mark({"http://a.example/1": "hub", "http://a.example/7": "bad"})
    assert {page.url[-1]: (page.is_listing, page.good) for page in suggesting.read_pages(record)} == {
        "1": (True, None),
        "2": (False, None),
        "3": (True, None),
        "4": (False, None),
        "7": (False, False),
    }
    weighed = weighing.read_pages(record, read_about(tmp_path / "tea.ttl"))
    assert [page.good for page in weighed] == [None, None, None, False]


def test_what_to_do_is_said_below_the_table(tmp_path):
    both = io.StringIO()
    about = SimpleNamespace(ontology=SimpleNamespace(path="tea.owl"))
    with contextlib.redirect_stdout(both), contextlib.redirect_stderr(both):
        hand_over([], about, tmp_path / "none.owl", lambda: "the table", one_by_one=False, as_rows=False)
    table, advice = both.getvalue().splitlines()
    assert table == "the table" and "none.owl" in advice


def test_a_file_that_stays_is_told_before_any_question(tmp_path, capsys):
    topic = tmp_path / "tea.ttl"
    topic.write_text(ONTOLOGY, "utf-8")
    about = read_about(topic)
    topic.chmod(0o444)
    found = [Proposal(Kind.SYNONYM, "茗", "zh", next(iter(about.ontology.concepts)), Evidence(1, 0, (), (), 0, 1.0))]
    with pytest.raises(OntologyError, match="may not be written"):
        hand_over(found, about, None, lambda: "", one_by_one=True, as_rows=False)
    assert capsys.readouterr() == ("", "")


CHINESE_PAGES = {
    "/": (
        "茶",
        f"{'<p>这里说的是茶的种类，每一种茶都有自己的做法。</p>' * 8}<a href=/1>green tea</a> <a href=/2>more tea</a>",
    ),
    **{
        f"/{number}": (
            f"第{number}页",
            f"<p>{day}我们喝绿茶（green tea）。</p><p>{day}的 green tea 很香，绿茶不发酵。</p>"
            f"<p>{day}{'看书、散步，' * 30}喝 green tea，也喝 black tea。</p>",
        )
        for number, day in enumerate(("今天", "昨天"), 1)
    },
}


def test_names_in_the_pages_language_go_into_the_ontology(tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, "utf-8")
    (tmp_path / "web.warc").write_bytes(warc(CHINESE_PAGES))
    (tmp_path / "cedict.u8").write_text("綠茶 绿茶 [lu:4 cha2] /green tea/\n", "utf-8")
    words = f"--ontology tea.ttl --seeds {HOST}/ --archive web.warc --delay 0 --max-pages 9 --threshold 0.1"
    assert ontocrawl(tmp_path, "crawl", *words.split()).returncode == 0
    told = ontocrawl(tmp_path, "ontology", "suggest", "--languages", "--from", "cedict.u8", *STORE, "-o", "names.owl")
    assert told.returncode == 0, told.stderr
    assert ontocrawl(tmp_path, "ontology", "accept", "names.owl", "--into", "tea.ttl").returncode == 0
    (green,) = (one for iri, one in read_ontology(tmp_path / "tea.ttl").concepts.items() if iri.endswith("#Green"))
    assert [(label.text, label.language) for label in green.labels] == [("green tea", "en"), ("绿茶", "zh")]


def test_words_of_iris_are_looked_up_and_refusals_told(tmp_path, capsys):
    topic, source = tmp_path / "bare.ttl", tmp_path / "cilin.txt"
    head = ONTOLOGY[: ONTOLOGY.index("<http://onto.example/tea> a")]
    topic.write_text(f"{head}<urn:t> a owl:Ontology . <urn:t#GreenTea> a owl:Class .", "utf-8")
    source.write_text("Bh01A01= GreenTea 绿茶\n", "utf-8")
    told = {"one_by_one": False, "as_rows": False}
    assert run_from(str(source), "", topic, None, 9, **told) == 0
    assert "绿茶" in capsys.readouterr().out
    apply(Decisions(refused=(Term("绿茶", "zh"),)), topic)
    assert run_from(str(source), "", topic, None, 9, **told) == 0
    assert "were refused earlier (1)" in capsys.readouterr().out


def test_the_sentence_below_the_table_shows_the_term(tmp_path):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, "utf-8")
    about = read_about(tmp_path / "tea.ttl")
    sentence = Sentence(
        f"{'Many words come before. ' * 12}Then gaiwans are named. {'More words. ' * 9}", "http://a.example/"
    )
    found = [
        Proposal(Kind.SYNONYM, "gaiwan", "en", about.topic.iri, Evidence(1, 0, (), (sentence,), 0, 9.0)),
        Proposal(Kind.LAYER_1, "=>", "en", None, Evidence(1, 0, (), (sentence,), 0, 9.0)),
    ]
    told = " ".join(proposals_table(found, about).split())
    assert "gaiwan: …" in told and "Then [gaiwans] are named" in told
    assert "=>: Many words" in told


def test_a_store_that_is_none_is_refused(read_crawl):
    told = ontocrawl(read_crawl, "ontology", "suggest", "--store", "nowhere")
    assert told.returncode == 2 and not told.stdout


def test_weights_go_from_the_pages_into_the_ontology(read_crawl):
    into = read_crawl / "light.ttl"
    into.write_text(ONTOLOGY.replace('"green tea"@en ; oc:weight 1.0', '"green tea"@en ; oc:weight 0.2'), "utf-8")
    words = "--ontology light.ttl --seeds seeds.txt --archive web.warc --delay 0 --max-pages 5 --store weighed"
    assert ontocrawl(read_crawl, "crawl", *words.split()).returncode == 0
    shown = ontocrawl(read_crawl, "ontology", "weigh", "--store", "weighed")
    assert "-o proposals.owl" in shown.stderr and "--review" in shown.stderr
    told = ontocrawl(read_crawl, "ontology", "weigh", "--store", "weighed", "--json", "-o", "weights.owl")
    assert told.returncode == 0, told.stderr
    rows = {row["feature"].rpartition("#")[2]: row for row in json.loads(told.stdout)}
    assert set(rows) == {"Tea", "Green", "Black"} and rows["Green"]["proposed"] > rows["Green"]["weight"] == 0.2
    accepted = ontocrawl(read_crawl, "ontology", "accept", "weights.owl", "--into", "light.ttl")
    assert accepted.returncode == 0, accepted.stderr
    now = read_ontology(into).concepts
    assert all(now[row["feature"]].weight == row["proposed"] for row in rows.values())
    shown = ontocrawl(read_crawl, "ontology", "weigh", "--store", "weighed")
    assert shown.returncode == 0 and "green tea" in shown.stdout


def test_without_a_person_there_is_no_review(read_crawl, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert ontocrawl(read_crawl, "ontology", "weigh", *STORE, "--review").returncode == 2


def test_another_source_proposes_and_pages_are_counted(read_crawl):
    (read_crawl / "cilin.txt").write_text("Bh01A01= tea 茗 Wheels\n", "utf-8")
    told = ontocrawl(read_crawl, "ontology", "suggest", *STORE, "--from", "cilin.txt", "--json")
    rows = {row["term"]: row for row in json.loads(told.stdout)}
    assert set(rows) == {"茗", "Wheels"} and all(row["kind"] == "synonym" for row in rows.values())
    assert rows["茗"]["evidence"]["sentences"][0]["url"] == "cilin.txt:1"
    alone = ontocrawl(
        read_crawl, "ontology", "suggest", "--from", "cilin.txt", "--ontology", "tea.ttl", "-o", "from.owl"
    )
    assert alone.returncode == 0 and "茗" in alone.stdout
    assert "gain" not in alone.stdout and "on topic" not in alone.stdout  # no crawl was read
    (row, *_) = json.loads(
        ontocrawl(read_crawl, "ontology", "suggest", "--from", "cilin.txt", "--ontology", "tea.ttl", "--json").stdout
    )
    assert [row["evidence"][name] for name in ("on_topic", "off_topic", "gain", "score")] == [None] * 4
    assert "ontocrawl ontology accept from.owl --into tea.ttl" in alone.stderr
    assert "ontocrawl ontology accept from.owl --into tea.ttl" in (read_crawl / "from.owl").read_text("utf-8")
    into = read_crawl / "copy.ttl"
    into.write_bytes((read_crawl / "tea.ttl").read_bytes())
    accepted = ontocrawl(read_crawl, "ontology", "accept", "from.owl", "--into", "copy.ttl")
    assert accepted.returncode == 0, accepted.stderr
    assert "茗" in into.read_text("utf-8")
    assert ontocrawl(read_crawl, "ontology", "suggest", "--from", "nowhere.txt", *STORE).returncode == 2
    assert ontocrawl(read_crawl, "ontology", "suggest", "--ontology", "tea.ttl").returncode == 2


def web_with_lists():
    """A start page links to 12 lists and 24 pictures, each list to a page about tea and to one about cars."""
    apart = f"<p>{'and the of ' * 4}</p>"
    to = f'{apart}<p><a href="/{{}}">{{}}</a></p>{apart}'.format

    def own(kind, n):  # words of one page, so that none is a copy of another
        return " ".join(f"{kind}{chr(97 + n)}{chr(97 + word)}" for word in range(20))

    lists = "".join(to(f"list{n}", f"monthly archives {n}") for n in range(12))
    pages = {"/": ("The", lists + "".join(to(f"picture{n}", "pictures") for n in range(24)))}
    for n in range(12):
        text = to(f"tea{n}", "continue reading") + to(f"car{n}", "engine")
        pages[f"/list{n}"] = "The", f"{text}<p>{own('list', n)}</p>"
        pages[f"/tea{n}"] = (
            "Tea",
            f"<p>Green tea is tea: green tea, black tea. Black tea keeps.</p><p>{own('tea', n)}</p>",
        )
        pages[f"/car{n}"] = "Car", f"<p>{own('wheel', n)}</p>"
    return pages | {f"/picture{n}": ("Picture", f"<p>{own('garden', n)}</p>") for n in range(24)}


def test_words_of_layers_go_into_the_ontology_as_a_whole(read_crawl):
    (read_crawl / "lists.warc").write_bytes(warc(web_with_lists()))
    (read_crawl / "lists.ttl").write_text(ONTOLOGY, "utf-8")
    words = "--ontology lists.ttl --seeds seeds.txt --archive lists.warc --delay 0 --max-pages 80 --store lists"
    assert ontocrawl(read_crawl, "crawl", *words.split()).returncode == 0
    layers = ("ontology", "suggest", "--layers", "--store", "lists")
    told = ontocrawl(read_crawl, *layers, "--json", "-o", "layers.owl")
    assert told.returncode == 0, told.stderr
    rows = [(row["kind"], row["term"]) for row in json.loads(told.stdout)]
    assert rows == [("layer 1", "continue"), ("layer 1", "reading"), ("layer 2", "archives"), ("layer 2", "monthly")]
    assert len(json.loads(ontocrawl(read_crawl, *layers, "--json", "--most", "1").stdout)) == 2
    (read_crawl / "marked.txt").write_text("".join(f"good {HOST}/car{n}\n" for n in range(12)), "utf-8")
    shown = ontocrawl(read_crawl, *layers, "--examples", "marked.txt")
    assert "engine" in shown.stdout and "reading" not in shown.stdout
    assert "nearer to results" in shown.stdout and "on topic" not in shown.stdout
    accepted = ontocrawl(read_crawl, "ontology", "accept", "layers.owl", "--into", "lists.ttl")
    assert accepted.returncode == 0, accepted.stderr
    now = read_ontology(read_crawl / "lists.ttl").concepts.values()
    said = {one.layer: {label.text for label in one.labels if label.kind != "fragment"} for one in now if one.layer}
    assert said == {1: {"continue", "reading"}, 2: {"archives", "monthly"}}
    again = ontocrawl(read_crawl, *layers)
    assert "nothing is proposed" in again.stdout and "towards 12 results" in again.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--layers --from wordnet", "does not go with --from"),
        ("--examples marks.txt", "--examples goes with --layers"),
        ("--layers --examples marks.txt", "marks no address as good"),
        ("--layers --examples nowhere.txt", "nowhere.txt"),
    ],
)
def test_options_of_layers_that_do_not_fit_are_refused(read_crawl, options, told):
    (read_crawl / "marks.txt").write_text(f"bad {HOST}/cars\ngood page.html\n", "utf-8")
    (read_crawl / "page.html").write_text("<title>Tea</title>", "utf-8")
    said = ontocrawl(read_crawl, "ontology", "suggest", *STORE, *options.split())
    assert said.returncode == 2 and told in said.stderr
