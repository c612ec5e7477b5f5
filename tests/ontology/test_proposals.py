"""Proposals for one small ontology of tea: written for Protégé, edited there, read back in any syntax."""

from pathlib import Path

import pytest

from ontology.editing.edited_file import open_file
from ontology.errors import OntologyError
from ontology.loading.imports_closure import load
from ontology.proposals.decisions import Decisions, Kept, Term
from ontology.proposals.new_ontology import write_new
from ontology.proposals.proposal import Evidence, Kind, Proposal, Sentence
from ontology.proposals.proposals_owl import write
from ontology.proposals.proposals_reading import read_decisions
from ontology.syntaxes.file_statements import read_statements
from ontology.syntaxes.statement import SUBCLASS, Statement

FILES = Path(__file__).parent / "files"
TEA = "http://example.org/tea#"
OWN = "http://example.org/tea/proposals#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
EVIDENCE = Evidence(
    34, 2, ((TEA + "GreenTea", 20),), (Sentence("喝毛尖 & <b>茶</b>\x0b", "https://a.example/?x=1&y"),), 5, 51.3
)


def proposal(kind: Kind, term: str, language: str, concept: str | None, value: float | None = None) -> Proposal:
    return Proposal(kind, term, language, concept and TEA + concept, EVIDENCE, value)


PROPOSALS = [
    proposal(Kind.SYNONYM, "茗", "zh", "Tea"),
    proposal(Kind.NARROWER, "信阳毛尖", "zh", "GreenTea"),
    proposal(Kind.RELATED, "tea pot", "en", "Tea"),
    proposal(Kind.LAYER_1, "tea shops", "en", None),
    proposal(Kind.LAYER_1, "茶馆", "zh", None),
    proposal(Kind.LAYER_2, "市场", "zh", None),
    proposal(Kind.MISLEADING, "tea party", "en", "Tea"),
    proposal(Kind.WEIGHT, "tea", "en", "Tea", 0.6),
    proposal(Kind.WEIGHT, "green tea", "en", "GreenTea", 0.25),
]
KEPT = (
    Kept(Kind.SYNONYM, (Term("茗", "zh"),), (TEA + "Tea",), key=OWN + "synonym-1"),
    Kept(Kind.NARROWER, (Term("信阳毛尖", "zh"),), (TEA + "GreenTea",), key=OWN + "narrower-2"),
    Kept(Kind.RELATED, (Term("tea pot", "en"),), (TEA + "Tea",), key=OWN + "related-3"),
    Kept(Kind.LAYER_1, (Term("tea shops", "en"),), key=OWN + "layer-1-4"),
    Kept(Kind.LAYER_1, (Term("茶馆", "zh"),), key=OWN + "layer-1-5"),
    Kept(Kind.LAYER_2, (Term("市场", "zh"),), key=OWN + "layer-2-6"),
    Kept(Kind.MISLEADING, (Term("tea party", "en"),), (TEA + "Tea",), key=OWN + "misleading-7"),
    Kept(Kind.WEIGHT, (Term("0.6"),), (TEA + "Tea",), 0.6, OWN + "weight-8"),
    Kept(Kind.WEIGHT, (Term("0.25"),), (TEA + "GreenTea",), 0.25, OWN + "weight-9"),
)


def decided(path: Path, topic: Path = FILES / "tea.ttl") -> Decisions:
    return read_decisions(path, load(topic, False, 1024), read_statements(open_file(topic).source))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proposals")
    (folder / "tea.ttl").write_bytes((FILES / "tea.ttl").read_bytes())
    write(PROPOSALS, folder / "tea.ttl", folder / "proposals.owl")
    return folder / "proposals.owl"


@pytest.fixture
def edited(tmp_path: Path):
    """What an expert makes of the file as Protégé saves it in Turtle: pairs of text, before and after."""

    def edited(*changes: tuple[str, str]) -> Decisions:
        text = (FILES / "proposals" / "proposals.ttl").read_text(encoding="utf-8")
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        path = tmp_path / "proposals.ttl"
        path.write_text(text, encoding="utf-8")
        return decided(path)

    return edited


def block(name: str) -> str:
    """The lines of one class in the Turtle file."""
    text = (FILES / "proposals" / "proposals.ttl").read_text(encoding="utf-8")
    start = text.index(f":{name} rdf:type owl:Class")
    return text[start : text.index(" .\n", start) + 3]


def of(decisions: Decisions, name: str) -> Kept:
    return next(kept for kept in decisions.kept if kept.key == OWN + name)


def test_what_was_written_and_not_touched_is_all_kept(written: Path) -> None:
    assert decided(written) == Decisions(KEPT)


def test_the_file_imports_the_ontology_and_tells_the_evidence(written: Path) -> None:
    stated = read_statements(open_file(written).source).statements
    imports = [each.value for each in stated if each.prop.endswith("#imports")]
    assert [Path(iri).name for iri in imports] == ["tea.ttl"]  # Protégé does not find the IRI of a Turtle file
    said = [each.value for each in stated if each.subject == OWN + "synonym-1" and each.prop.endswith("comment")]
    assert any("34" in text and "51.3" in text for text in said)
    assert any("喝毛尖 & <b>茶</b>" in text and "https://a.example/?x=1&y" in text for text in said)


@pytest.mark.parametrize("ending", ["ttl", "ofn", "owx", "omn"])
def test_every_syntax_in_which_protege_saves_says_the_same(ending: str) -> None:
    assert decided(FILES / "proposals" / f"proposals.{ending}") == Decisions(KEPT)


def test_a_deleted_class_is_refused(edited) -> None:
    decisions = edited((block("synonym-1"), ""), (block("weight-8"), ""))
    assert decisions.refused == (Term("茗", "zh"), Term(f"weight of {TEA}Tea"))
    assert {kept.key for kept in decisions.kept} == {kept.key for kept in KEPT} - {OWN + "synonym-1", OWN + "weight-8"}


def test_a_class_dragged_elsewhere_belongs_there(edited) -> None:
    moved = block("synonym-1").replace("<http://example.org/tea#Tea>", "<http://example.org/tea#GreenTea>")
    decisions = edited((block("synonym-1"), moved))
    assert of(decisions, "synonym-1").concepts == (TEA + "GreenTea",)
    assert decisions.refused == ()


def test_another_label_is_another_word_and_the_old_one_refused(edited) -> None:
    decisions = edited(("茗 (synonym?)", "香茗（ Synonym ）"))
    assert of(decisions, "synonym-1").names == (Term("香茗", "zh"),)
    assert decisions.refused == (Term("茗", "zh"),)


@pytest.mark.parametrize(
    ("label", "kind"), [("茗 (related?)", Kind.RELATED), ("茗", Kind.NARROWER), ("茗 (Layer 2)", Kind.LAYER_2)]
)
def test_the_brackets_of_a_label_say_the_kind(edited, label: str, kind: Kind) -> None:
    decisions = edited(("茗 (synonym?)", label))
    assert (of(decisions, "synonym-1").kind, of(decisions, "synonym-1").names) == (kind, (Term("茗", "zh"),))
    assert decisions.refused == ()


def test_a_class_with_another_iri_is_still_there(edited) -> None:
    decisions = edited((":synonym-1 rdf:type", ":Ming rdf:type"))
    assert of(decisions, "Ming").names == (Term("茗", "zh"),)
    assert decisions.refused == ()


def test_a_proposal_may_stand_below_another(edited) -> None:
    nested = block("synonym-1").replace("<http://example.org/tea#Tea>", ":narrower-2")
    assert of(edited((block("synonym-1"), nested)), "synonym-1").concepts == (OWN + "narrower-2",)


def test_what_the_expert_adds_meanwhile_is_read(edited) -> None:
    more = block("narrower-2") + (
        ":narrower-2 rdfs:label 'Xinyang Maojian'@en ; rdfs:comment 'mine' .\n"
        ":Own rdf:type owl:Class ; rdfs:subClassOf <http://example.org/tea#Tea> ; rdfs:label 'oolong'@en .\n"
        "<http://example.org/tea#Tea> <http://www.w3.org/2004/02/skos/core#altLabel> 'cha'@en .\n"
    )
    decisions = edited((block("narrower-2"), more))
    maojian = of(decisions, "narrower-2")
    assert set(maojian.names) == {Term("Xinyang Maojian", "en"), Term("信阳毛尖", "zh")}
    assert [note.value for note in maojian.notes] == ["mine"]
    assert of(decisions, "Own") == Kept(Kind.NARROWER, (Term("oolong", "en"),), (TEA + "Tea",), key=OWN + "Own")
    assert decisions.edits == (Statement(TEA + "Tea", SKOS + "altLabel", "cha", "en"),)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0.6 (weight?)", "much (weight?)"),
        ("<http://example.org/tea#GreenTea> ;\n", "<http://example.org/tea#Gone> ;\n"),
        ('"茗 (synonym?)"@zh', '" (synonym?)"@zh'),
        ('"茗 (synonym?)"@zh', '"茗 (synonim?)"@zh'),
        ("茗 (synonym?)", "香茗（同义词？）"),
        ("0.6 (weight?)", "0.6 (wieght?)"),
        ("rdf:type owl:Class ;", "rdf:type owl:Class ; rdfs:subClassOf [ a owl:Restriction ] ;"),
    ],
)
def test_what_cannot_be_understood_is_told_and_not_refused(edited, before: str, after: str) -> None:
    decisions = edited((before, after))
    assert decisions.passed_over
    assert decisions.refused == ()


def test_a_mistyped_kind_is_told_and_becomes_no_class(edited) -> None:
    decisions = edited(("茗 (synonym?)", "茗 (synonim?)"), (":synonym-1 rdf:type", ":Ming rdf:type"))
    (told,) = decisions.passed_over
    assert told.startswith("unknown kind (synonim?) of 茗") and "(synonym?), (related?), (layer 1?)" in told
    assert decisions.refused == () and OWN + "Ming" not in {kept.key for kept in decisions.kept}


def test_a_proposed_term_may_itself_end_in_brackets(tmp_path: Path) -> None:
    write([proposal(Kind.NARROWER, "Who (is it?)", "en", "Tea")], FILES / "tea.ttl", tmp_path / "p.owl")
    assert decided(tmp_path / "p.owl").kept[0].names == (Term("Who (is it?)", "en"),)


@pytest.fixture
def of_an_individual(tmp_path: Path) -> Path:
    (tmp_path / "tea.ttl").write_bytes((FILES / "tea.ttl").read_bytes())
    write([proposal(Kind.NARROWER, "狮峰", "zh", "longjing")], tmp_path / "tea.ttl", tmp_path / "proposals.owl")
    return tmp_path / "proposals.owl"


def test_an_individual_stands_as_a_class_below_its_own(of_an_individual: Path) -> None:
    stated = read_statements(open_file(of_an_individual).source).statements
    shown = {(each.subject, each.value) for each in stated if each.prop == SUBCLASS}
    assert shown == {(OWN + "narrower-1", TEA + "longjing"), (TEA + "longjing", TEA + "GreenTea")}
    kept = Kept(Kind.NARROWER, (Term("狮峰", "zh"),), (TEA + "longjing",), key=OWN + "narrower-1")
    assert decided(of_an_individual) == Decisions((kept,))


def test_a_moved_stand_in_is_told_and_changes_nothing(of_an_individual: Path) -> None:
    text = of_an_individual.read_text(encoding="utf-8")
    of_an_individual.write_text(text.replace("tea#GreenTea", "tea#Tea"), encoding="utf-8")
    decisions = decided(of_an_individual)
    assert "龙井" in decisions.passed_over[0]
    assert decisions.edits == ()


def test_proposals_for_another_ontology_are_refused(written: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ttl"
    other.write_text((FILES / "tea.ttl").read_text(encoding="utf-8").replace("/tea>", "/coffee>"), encoding="utf-8")
    with pytest.raises(OntologyError, match="coffee"):
        decided(written, other)


def test_a_file_that_proposes_nothing_is_no_file_of_proposals() -> None:
    with pytest.raises(OntologyError, match="oc:proposed"):
        decided(FILES / "tea.owl")


def test_an_ontology_without_iri_is_imported_by_its_place(tmp_path: Path) -> None:
    topic = tmp_path / "mein Tee.ttl"
    text = (FILES / "tea.ttl").read_text(encoding="utf-8")
    topic.write_text(text.replace("<http://example.org/tea> a owl:Ontology ; oc:topic :Tea .", ""), encoding="utf-8")
    write(PROPOSALS[:1], topic, tmp_path / "proposals.owl")
    assert [kept.names for kept in decided(tmp_path / "proposals.owl", topic).kept] == [(Term("茗", "zh"),)]
    assert load(tmp_path / "proposals.owl", False, 1024).imported == ("mein Tee.ttl",)
    merged = (tmp_path / "proposals.owl").read_text(encoding="utf-8")  # as Protégé saves it: without the import
    merged = merged.replace('<owl:imports rdf:resource="mein%20Tee.ttl"/>', "")
    (tmp_path / "merged.owl").write_text(merged, encoding="utf-8")
    assert len(decided(tmp_path / "merged.owl", topic).kept) == 1
    with pytest.raises(OntologyError, match=r"has proposals for mein Tee\.ttl, but tea\.ttl is the ontology"):
        decided(tmp_path / "proposals.owl")


def test_an_ontology_unreadable_for_protege_is_imported_by_its_iri(tmp_path: Path) -> None:
    topic = tmp_path / "tea.jsonld"
    topic.write_bytes((FILES / "tea.jsonld").read_bytes())
    write(PROPOSALS[:1], topic, tmp_path / "proposals.owl")
    stated = read_statements(open_file(tmp_path / "proposals.owl").source).statements
    assert [each.value for each in stated if each.prop.endswith("#imports")] == ["http://example.org/tea"]
    assert len(decided(tmp_path / "proposals.owl", topic).kept) == 1


def test_classes_without_whole_iris_cannot_be_proposed_for(tmp_path: Path) -> None:
    topic = tmp_path / "tea.ttl"
    topic.write_text("<#Tea> a <http://www.w3.org/2002/07/owl#Class> .", encoding="utf-8")
    with pytest.raises(OntologyError, match="whole IRIs"):
        write([], topic, tmp_path / "proposals.owl")


def test_proposals_in_another_folder_still_belong_to_the_ontology(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    write(PROPOSALS, FILES / "tea.owl", out / "proposals.owl")
    assert decided(out / "proposals.owl") == Decisions(KEPT)


def test_the_file_names_the_command_that_accepts_it(tmp_path: Path) -> None:
    copy = tmp_path / "tea.owl"
    copy.write_bytes((FILES / "tea.owl").read_bytes())
    out = tmp_path / "my proposals.owl"
    write(PROPOSALS, copy, out, ".venv/bin/ontocrawl")
    asked = f".venv/bin/ontocrawl ontology accept '{out}' --into {copy}"
    assert out.read_text("utf-8").count(asked) == 2


def test_edited_proposals_are_kept_when_new_ones_are_written(tmp_path: Path) -> None:
    out = tmp_path / "proposals.owl"
    for number in (1, 1, 2):
        write(PROPOSALS[:number], FILES / "tea.ttl", out)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["proposals.owl", "proposals.owl.bak"]
    assert [len(decided(each).kept) for each in (out, tmp_path / "proposals.owl.bak")] == [2, 1]


def test_no_other_file_is_replaced_by_proposals(tmp_path: Path) -> None:
    topic = tmp_path / "tea.owl"
    topic.write_bytes((FILES / "tea.owl").read_bytes())
    other = tmp_path / "other.owl"
    write_new(other, "proposed", [Term("proposed", "en")], ["en"])
    assert b"proposed" in (before := other.read_bytes())
    with pytest.raises(OntologyError, match="already"):
        write(PROPOSALS, topic, other)
    assert other.read_bytes() == before


@pytest.mark.parametrize("ending", ["owl", "ttl", "ofn", "owx", "omn"])
def test_the_ontology_itself_is_never_replaced_by_proposals(tmp_path: Path, ending: str) -> None:
    name = f"proposals/proposals.{ending}" if ending != "owl" else "tea.owl"  # an ontology that says oc:proposed, too
    topic, linked = tmp_path / f"tea.{ending}", tmp_path / "linked.owl"
    topic.write_bytes((FILES / name).read_bytes())
    linked.symlink_to(topic)
    for ontology, out in ((topic, topic), (topic, linked), (linked, topic)):
        with pytest.raises(OntologyError, match="itself"):
            write(PROPOSALS, ontology, out)
    assert topic.read_bytes() == (FILES / name).read_bytes()


@pytest.mark.parametrize("ending", ["ttl", "ofn", "owx", "omn"])
def test_proposals_in_every_syntax_are_replaced_and_kept(tmp_path: Path, ending: str) -> None:
    out = tmp_path / "proposals.owl"
    out.write_bytes(before := (FILES / "proposals" / f"proposals.{ending}").read_bytes())
    write(PROPOSALS, FILES / "tea.ttl", out)
    assert (tmp_path / "proposals.owl.bak").read_bytes() == before
