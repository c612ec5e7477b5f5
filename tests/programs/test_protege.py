"""What ontocrawl writes, read by Protégé's own loader and the OWL API of its version: nothing is lost on the way."""

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from java_programs import java
from made_crawl import GREEN, HOME, TOPIC, MadeCrawl
from made_crawl import TEA as TEA_PAGE

from cli.exchange.turtle_file import write_turtle
from ontology.editing.edited_file import open_file
from ontology.loading.imports_closure import load
from ontology.proposals.accepting import edited
from ontology.proposals.decisions import Decisions, Kept, Term, as_kept
from ontology.proposals.new_ontology import write_new
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from ontology.proposals.proposals_owl import write
from ontology.proposals.proposals_reading import read_decisions
from ontology.syntaxes.file_statements import read_statements

PROTEGE = "edu.stanford.protege:protege-editor-owl:5.6.5"  # the newest on Maven Central; OWL API 4.5.29
FILES = Path(__file__).parents[1] / "ontology" / "files"
TEA = "http://example.org/tea#"
OC = "https://w3id.org/ontocrawl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SYNTAXES = ["owl", "ttl", "owx", "ofn", "omn"]  # in which Protégé saves
EVIDENCE = Evidence(
    34, 2, ((TEA + "GreenTea", 20),), (Sentence("喝 & <b>茶</b>\x0b", "https://a.example/?x&y"),), 5, 51.3
)
PROPOSALS = [
    Proposal(Kind.SYNONYM, 'a "good" leaf \\ & <herb>', "en", TEA + "GreenTea", EVIDENCE),
    Proposal(Kind.NARROWER, "信阳毛尖", "zh", TEA + "GreenTea", EVIDENCE),
    Proposal(Kind.NARROWER, "shifeng", "en", TEA + "longjing", EVIDENCE),
    Proposal(Kind.RELATED, "tea pot", "en", TEA + "GreenTea", EVIDENCE),
    Proposal(Kind.LAYER_1, "tea shops", "en", None, EVIDENCE),
    Proposal(Kind.MISLEADING, "tea party", "en", TEA + "GreenTea", EVIDENCE),
    Proposal(Kind.WEIGHT, "green tea", "en", TEA + "GreenTea", EVIDENCE, 0.25),
]
REFUSED = (Term("茗", "zh"),)
ACCEPTED = {
    f'AnnotationAssertion(<{SKOS}altLabel> <{TEA}GreenTea> "a \\"good\\" leaf \\\\ & <herb>"@en)',
    f'AnnotationAssertion(rdfs:label <{TEA}信阳毛尖> "信阳毛尖"@zh)',
    f"SubClassOf(<{TEA}信阳毛尖> <{TEA}GreenTea>)",
    f"ClassAssertion(<{TEA}GreenTea> <{TEA}Shifeng>)",
    f"AnnotationAssertion(<{SKOS}related> <{TEA}TeaPot> <{TEA}GreenTea>)",
    f"SubClassOf(<{TEA}TeaPot> <{OC}ToBePlaced>)",
    f'AnnotationAssertion(<{OC}layer> <{TEA}OneLinkBefore> "1"^^xsd:integer)',
    f'AnnotationAssertion(<{OC}excludes> <{TEA}GreenTea> "tea party"@en)',
    f'AnnotationAssertion(<{OC}weight> <{TEA}GreenTea> "0.25"^^xsd:decimal)',
    f'AnnotationAssertion(<{OC}refused> <{OC}refused> "茗"@zh)',
}
REAL = [
    "bfo-core.owl",
    "pizza.owl",
    "pizza-2004-protege3.owl",
    "family-entities.owl",
    "fibo-bonds.rdf",
    "math-zh-protege4-entities.owl",
    "math-zh.ttl",
    "foaf.n3",
    "sosa-common.ttl",
    "ssn-ext.nt",
    "skosmos-xl.ttl",
    "kgbook-patent-owlxml.owl",
    "owlready-owlxml-2.owl",
    "go-gorel-edit-functional.owl",
    "envo-chebi-seed-latin1-functional.owl",
    "hp-ncit-functional.owl",
    "horned-punning.omn",
    "import-super.omn",
]

Answer = dict[str, Any]
Read = Callable[..., Answer]


@pytest.fixture(scope="module")
def protege() -> Iterator[Read]:
    """Reads a file as Protégé does; with a folder, also saves it there in each of Protégé's syntaxes."""
    command = java("ReadOntologies.java", "protege-5.6.5", [PROTEGE])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as program:
        assert program.stdin is not None and program.stdout is not None
        requests, answers = program.stdin, program.stdout

        def read(path: Path, into: Path | None = None) -> Answer:
            print(f"{path}\t{into}" if into else path, file=requests, flush=True)
            answer: Answer = json.loads(answers.readline())
            assert "error" not in answer, answer
            return answer

        yield read
        requests.close()


@pytest.fixture(scope="module")
def saved(protege, tmp_path_factory) -> Path:
    """A topic as Protégé saves it, in every syntax."""
    folder, saved = tmp_path_factory.mktemp("topic"), tmp_path_factory.mktemp("saved")
    (folder / "tea.ttl").write_bytes((FILES / "tea.ttl").read_bytes())
    protege(folder / "tea.ttl", saved)
    return saved


def copied(path: Path, folder: Path) -> Path:
    """Alone in a folder, where Protégé and the import's search see no other file."""
    folder.mkdir()
    (folder / path.name).write_bytes(path.read_bytes())
    return folder / path.name


def lost(before: Answer, after: Answer) -> list[str]:
    was, now = (Counter(each["axioms"] + each["annotations"]) for each in (before, after))
    return list((was - now).elements())


def test_a_new_ontology_is_whole_and_in_owl_dl(protege, tmp_path):
    write_new(tmp_path / "tea.owl", "tea", [Term("tea", "en"), Term("茶", "zh")], ["en", "zh"])
    new = protege(tmp_path / "tea.owl")
    assert new["iri"] == "https://example.org/tea"
    assert (new["undeclared"], new["not understood"], new["not OWL 2 DL"]) == ([], [], [])
    assert new["annotations"] == [f"Annotation(<{OC}topic> <https://example.org/tea#Tea>)"]
    assert 'AnnotationAssertion(rdfs:label <https://example.org/tea#Tea> "茶"@zh)' in new["axioms"]


@pytest.mark.parametrize("ending", SYNTAXES)
def test_proposals_open_with_the_topic_beside_them(protege, saved, tmp_path, ending):
    topic = copied(saved / f"tea.{ending}", tmp_path / "topic")
    for place in (topic.parent, tmp_path):
        write(PROPOSALS, topic, place / "proposals.owl")
        read = protege(place / "proposals.owl")
        assert (read["missing"], read["imported"]) == ([], [TEA.rstrip("#")])
        assert (read["undeclared"], read["not understood"]) == ([], [])
        shown = [f"SubClassOf(<{TEA[:-1]}/proposals#narrower-2> <{TEA}GreenTea>)"]
        shown += [f"SubClassOf(<{TEA}longjing> <{TEA}GreenTea>)"]  # the individual's stand-in
        assert set(shown) <= set(read["axioms"])


def test_proposals_open_beside_a_new_ontology(protege, tmp_path):
    write_new(tmp_path / "tea.owl", "tea", [Term("tea", "en")], ["en"])
    own = "https://example.org/tea#Tea"
    write([Proposal(Kind.SYNONYM, "cha", "en", own, EVIDENCE)], tmp_path / "tea.owl", tmp_path / "proposals.owl")
    read = protege(tmp_path / "proposals.owl")
    assert (read["missing"], read["imported"], read["undeclared"]) == ([], ["https://example.org/tea"], [])


def test_proposals_saved_by_protege_decide_the_same(protege, saved, tmp_path):
    topic = copied(saved / "tea.ttl", tmp_path / "topic")
    write(PROPOSALS, topic, topic.parent / "proposals.owl")
    (tmp_path / "again").mkdir()
    protege(topic.parent / "proposals.owl", tmp_path / "again")
    wanted = [as_kept(each) for each in PROPOSALS]
    for ending in SYNTAXES:
        proposals = tmp_path / "again" / f"proposals.{ending}"
        decided = read_decisions(proposals, load(topic, False, 1024), read_statements(open_file(topic).source))
        assert decided.refused == ()
        assert [(each.kind, each.names, each.concepts) for each in decided.kept] == [
            (each.kind, each.names if each.weight is None else decided.kept[-1].names, each.concepts) for each in wanted
        ]


@pytest.mark.parametrize("ending", SYNTAXES)
def test_accepting_adds_to_what_protege_saved(protege, saved, tmp_path, ending):
    path = copied(saved / f"tea.{ending}", tmp_path / "topic")
    before = protege(path)
    _, new, _ = edited(path, Decisions(tuple(as_kept(each) for each in PROPOSALS), REFUSED))
    assert new is not None
    path.write_bytes(new)
    after = protege(path)
    assert after["format"] == before["format"]
    assert lost(before, after) == []
    assert set(after["axioms"]) >= ACCEPTED
    assert len(after["axioms"]) == len(before["axioms"]) + 27  # with labels, declarations and a weight
    assert (after["undeclared"], after["not understood"], after["not OWL 2 DL"]) == ([], [], [])


def test_an_accepted_weight_replaces_the_one_it_had(protege, saved, tmp_path):
    for ending in SYNTAXES:
        path = copied(saved / f"tea.{ending}", tmp_path / ending)
        before = protege(path)
        _, new, _ = edited(path, Decisions((Kept(Kind.WEIGHT, (Term("0.6"),), (TEA + "Tea",), 0.6),)))
        path.write_bytes(new)
        after = protege(path)
        assert lost(before, after) == [f'AnnotationAssertion(<{OC}weight> <{TEA}Tea> "1.5"^^xsd:decimal)']
        assert lost(after, before) == [f'AnnotationAssertion(<{OC}weight> <{TEA}Tea> "0.6"^^xsd:decimal)']


@pytest.mark.parametrize("name", REAL)
def test_accepting_loses_nothing_of_real_files(protege, shared, tmp_path, name):
    path = copied(shared / "ontologies" / "files" / name, tmp_path / "topic")
    before = protege(path)
    concept = next(each.iri for each in load(path, False, 1024).concepts.values() if each.kind != "individual")
    words = (Kept(Kind.SYNONYM, (Term("some word", "en"),), (concept,)),)
    words += (Kept(Kind.NARROWER, (Term("信阳毛尖", "zh"),), (concept,)), Kept(Kind.LAYER_1, (Term("shops", "en"),)))
    _, new, _ = edited(path, Decisions(words, REFUSED))
    path.write_bytes(new)
    after = protege(path)
    assert after["format"] == before["format"]
    assert lost(before, after) == []
    assert len(after["not understood"]) == len(before["not understood"])
    assert any("some word" in axiom for axiom in after["axioms"])


def test_exported_pages_stand_below_their_classes(protege, tmp_path):
    write_turtle(tmp_path / "crawl.ttl", MadeCrawl(), lambda what, rows: iter(rows))
    read = protege(tmp_path / "crawl.ttl")
    assert read["iri"].startswith("urn:uuid:")
    assert f"ClassAssertion(<{GREEN}> <{TEA_PAGE}>)" in read["axioms"]
    assert f"ClassAssertion(<{TOPIC}> <{TEA_PAGE}>)" not in read["axioms"]
    (name,) = [axiom for axiom in read["axioms"] if axiom.startswith(f"AnnotationAssertion(rdfs:label <{TEA_PAGE}>")]
    assert "龙井" in name and name.endswith("@zh)")
    assert f'DataPropertyAssertion(<{OC}relevance> <{TEA_PAGE}> "0.75"^^xsd:double)' in read["axioms"]
    assert f"ObjectPropertyAssertion(<{OC}linksTo> <{HOME}> <{TEA_PAGE}>)" in read["axioms"]
    assert read["not understood"] == []
    assert read["undeclared"] == [GREEN]  # the topic declares it
