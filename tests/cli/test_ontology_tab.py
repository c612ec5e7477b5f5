"""What the page's tab of the ontology is answered: coverage, findings, proposals; what is decided, planned, written."""

import json
import math
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from test_end_to_end import ONTOLOGY, crawled

from cli.inputs.crawl_topic import read_about
from cli.ontologies.suggesting import as_row, proposal_of
from cli.ui.asked import Asked
from cli.ui.jobs import Jobs
from cli.ui.ontology_tab import ANSWERS
from cli.ui.proposal_decisions import copy_with, decisions_of, plan, shown
from ontology.concepts import Ontology
from ontology.errors import OntocrawlError, OntologyError, SettingsError
from ontology.inspection.concept_captions import Captions
from ontology.loading.ontology_reader import read_ontology
from ontology.proposals.decisions import Term
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence

TEA, GREEN = "http://onto.example/tea#Tea", "http://onto.example/tea#Green"
SECONDS = 60  # in which a command ends that a test begins

Ask = Callable[..., object]


def decided(**other: object) -> dict[str, object]:
    """A decision as the page sends it."""
    usual = {"is_kept": True, "kind": "synonym", "term": "sencha", "language": "en", "concept": GREEN, "value": None}
    return {**usual, **other}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    with crawled(tmp_path_factory.mktemp("tab")) as folder:
        yield folder


@pytest.fixture
def folder(made: Path):
    """The crawl; its ontology and settings are as before after each test."""
    yield made
    with closing(sqlite3.connect(made / "ontocrawl-store" / "crawl.sqlite")) as record, record:
        record.execute("UPDATE crawl SET settings = json_set(settings, '$.ontology', ?)", (str(made / "tea.ttl"),))
    for file in made.glob("tea.ttl*"):
        file.unlink()
    (made / "tea.ttl").write_text(ONTOLOGY, "utf-8")


@pytest.fixture
def ask(folder: Path):
    store, jobs = str(folder / "ontocrawl-store"), Jobs()

    def asked(name: str, **words: object) -> object:
        return ANSWERS[f"ontology.{name}"](Asked({"store": store, **words}, store, jobs))

    yield asked
    jobs.end()


def done(ask: Ask, name: str) -> str:
    """The answer of a command of the tab."""
    ask(name)
    until = time.monotonic() + SECONDS
    while (job := ask("jobs")[name])["code"] is None and time.monotonic() < until:
        time.sleep(0.05)
    assert job["code"] == 0, job
    return job["answer"]


def test_coverage_is_a_tree_with_names_of_the_file(ask, folder):
    (folder / "tea.ttl").write_text(ONTOLOGY.replace('"black tea"@en', '"dark tea"@en'), "utf-8")
    found = ask("look")
    (tea,) = found["tree"]
    assert (found["file"], found["trouble"], found["unwritable"]) == (str(folder / "tea.ttl"), None, None)
    assert (tea["label"], tea["pages"], tea["on_topic"], tea["hosts"], tea["weight"]) == ("tea", 2, 2, 1, 1.0)
    assert {one["label"] for one in tea["narrower"]} == {"green tea", "dark tea"}


def test_findings_follow_each_edit_of_the_file(ask, folder):
    assert [one["code"] for one in ask("findings")] == []
    (folder / "tea.ttl").write_text(ONTOLOGY.replace('"black tea"@en', '"black tea"@cn'), "utf-8")
    (found,) = ask("findings")
    assert found["code"].startswith("W") and found["cure"] and "cn" in found["what"]


def test_an_import_that_is_edited_is_read_again(ask, folder):
    part = folder / "part.ttl"
    imports = ONTOLOGY.replace("a owl:Ontology ;", "a owl:Ontology ; owl:imports <part.ttl> ;")
    (folder / "tea.ttl").write_text(imports, "utf-8")
    names = []
    for name in ("oolong", "matcha"):
        part.write_text(ONTOLOGY.replace("green tea", name).replace("tea> a", f"{name}> a"), "utf-8")
        names.append([one["place"] for one in ask("concepts", part=name)])
    part.unlink()
    assert all(names)


@pytest.mark.parametrize("trouble", ["none", "gone", "broken"])
def test_an_unusable_ontology_is_said_with_its_cure(ask, folder, trouble):
    if trouble == "none":
        with closing(sqlite3.connect(folder / "ontocrawl-store" / "crawl.sqlite")) as record, record:
            record.execute("UPDATE crawl SET settings = json_set(settings, '$.ontology', NULL)")
    elif trouble == "gone":
        (folder / "tea.ttl").unlink()
    else:
        (folder / "tea.ttl").write_text(ONTOLOGY[:-9], "utf-8")
    found = ask("look")
    assert found["trouble"]["what"] and found["trouble"]["cure"]
    assert bool(found["tree"]) == (trouble != "none")
    with pytest.raises(OntocrawlError):
        ask("suggest")


def test_what_may_not_be_written_is_said_before_any_decision(ask, folder):
    (folder / "tea.ttl").chmod(0o444)
    assert "tea.ttl" in ask("look")["unwritable"]["what"]


def test_only_the_crawl_s_own_ontology_is_written(ask, folder, tmp_path):
    other = tmp_path / "other.ttl"
    other.write_text(ONTOLOGY, "utf-8")
    words = {"decided": [decided()], "file": str(other), "ontology": str(other), "into": str(other)}
    planned = ask("plan", **words)
    assert (folder / "tea.ttl").read_text("utf-8") == ONTOLOGY
    assert any(line.startswith("+") and '"sencha"@en' in line for line in planned["lines"])
    written = ask("write", **words, was=planned["was"])
    assert "tea.ttl.bak" in written["said"] and written["done"] == planned["done"]
    assert (folder / "tea.ttl.bak").read_text("utf-8") == ONTOLOGY
    assert '"sencha"@en' in (folder / "tea.ttl").read_text("utf-8")
    assert other.read_text("utf-8") == ONTOLOGY


def test_a_file_saved_since_the_look_is_not_written(ask, folder):
    planned = ask("plan", decided=[decided()])
    (folder / "tea.ttl").write_text(ONTOLOGY + "# edited\n", "utf-8")
    with pytest.raises(SettingsError):
        ask("write", decided=[decided()], was=planned["was"])
    with pytest.raises(SettingsError):
        ask("write", decided=[decided()])
    assert not (folder / "tea.ttl.bak").exists()


@pytest.fixture
def known(tmp_path) -> Ontology:
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, "utf-8")
    return read_ontology(tmp_path / "tea.ttl")


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        "keep",
        [[]],
        [decided(is_kept="yes")],
        [decided(kind="topic")],
        [decided(kind=["synonym"])],
        [decided(term=" ")],
        [decided(language=None)],
        [decided(concept="http://onto.example/tea#Gone")],
        [decided(value=0.5)],
        [decided(kind="weight")],
        [decided(kind="weight", value=math.nan)],
        [decided(kind="weight", value=-1)],
        [decided(kind="weight", value=True)],
    ],
)
def test_decisions_that_the_page_does_not_send_are_refused(known, given):
    with pytest.raises(SettingsError):
        decisions_of(given, known)


def test_decisions_become_what_the_terminal_makes_of_them(known):
    weight = decided(is_kept=False, kind="weight", value=0.5)
    found = decisions_of([decided(kind="narrower", value=None), decided(is_kept=False, concept=None), weight], known)
    (kept,) = found.kept
    assert (kept.kind, kept.names, kept.concepts) == (Kind.NARROWER, (Term("sencha", "en"),), (GREEN,))
    assert found.refused == (Term("sencha", "en"), Term(f"weight of {GREEN}"))


def test_a_syntax_without_insertions_is_said_with_its_cure(tmp_path):
    trix = tmp_path / "tea.trix"
    trix.write_text(
        '<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple>'
        f"<uri>{GREEN}</uri><uri>http://www.w3.org/1999/02/22-rdf-syntax-ns#type</uri>"
        "<uri>http://www.w3.org/2002/07/owl#Class</uri></triple></graph></TriX>",
        "utf-8",
    )
    with pytest.raises(OntologyError) as error:
        plan(decisions_of([decided()], read_ontology(trix)), trix)
    assert "Turtle" in error.value.cure


def test_the_effect_is_computed_on_a_copy_with_its_imports(tmp_path, known):
    folder, copies = tmp_path / "topic", tmp_path / "copies"
    folder.mkdir()
    copies.mkdir()
    file, part = folder / "tea.ttl", folder / "part.ttl"
    file.write_text(ONTOLOGY.replace("a owl:Ontology ;", "a owl:Ontology ; owl:imports <part.ttl> ;"), "utf-8")
    part.write_text(ONTOLOGY.replace("green tea", "oolong").replace("tea> a", "part> a"), "utf-8")
    copy = copy_with(decisions_of([decided()], known), read_ontology(file), copies)
    assert copy == copies / "tea.ttl"
    names = {label.text for label in read_about(copy).ontology.concepts[GREEN].labels}
    assert {"green tea", "oolong", "sencha"} <= names
    assert "sencha" not in file.read_text("utf-8")
    with pytest.raises(SettingsError):
        copy_with(decisions_of([decided()], known), replace(known, imported=("../elsewhere.ttl",)), copies)


def test_a_row_gives_its_proposal_back_and_is_shown(known):
    sentence = Sentence("Sencha\u202e <img src=x>\x1b[2J is green.", "http://a.example/\x07")
    proposal = Proposal(Kind.WEIGHT, "green tea", "en", GREEN, Evidence(9, 1, ((TEA, 4),), (sentence,), 2, 3.0), 0.5)
    row = json.loads(json.dumps(as_row(proposal)))
    assert proposal_of(row) == proposal
    found = shown(row, known, Captions(known))
    assert (found["place"], found["weight"], found["value"]) == ("green tea", 1.0, 0.5)
    assert found["sentences"][0]["text"] == "Sencha <img src=x>[2J is green."
    assert len(found["figures"]) == 2


@pytest.mark.slow
def test_commands_beside_the_page_tell_what_they_found(ask):
    assert done(ask, "suggest") == ""
    assert done(ask, "languages") == "" and ask("names") == []  # no page is long enough to tell its language
    assert "tea.ttl: errors 0" in done(ask, "check")
    assert isinstance(ask("proposals"), list)
    assert done(ask, "weigh") == ""
    assert {one["kind"] for one in ask("weights")} <= {"weight"}
    assert "on topic" in done(ask, "rejudge")
