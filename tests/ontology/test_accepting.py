"""What was kept of proposals, written into an expert's file: all else stays, in every syntax, encoding and style."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.concepts import Label, Ontology
from ontology.editing.edited_file import open_file
from ontology.errors import OntologyError
from ontology.loading.imports_closure import load
from ontology.proposals.accepting import accept, apply, check_before_asking, edited
from ontology.proposals.decisions import Decisions, Kept, Term, as_refused
from ontology.proposals.proposal import Evidence, Kind, Proposal
from ontology.proposals.refusals import refusal_key, refused
from ontology.syntaxes.annotation_properties import OC, TO_BE_PLACED, XSD
from ontology.syntaxes.file_statements import read_statements
from ontology.syntaxes.statement import Statement

FILES = Path(__file__).parent / "files"
TEA = "http://example.org/tea#"
OBO = "http://purl.obolibrary.org/obo/TEA_"
SYNTAXES = ["owl", "ttl", "trig", "nt", "nq", "jsonld", "ofn", "omn", "owx"]
PREFIXES = """
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oc: <https://w3id.org/ontocrawl#> .
"""


def kept(kind: Kind, term: str, language: str, *concepts: str, weight: float | None = None, key: str = "") -> Kept:
    return Kept(kind, (Term(term, language),), tuple(TEA + name for name in concepts), weight, key)


WORDS = Decisions(
    (
        kept(Kind.SYNONYM, 'a "good" leaf \\ & <herb>', "en", "Tea"),
        kept(Kind.NARROWER, "信阳毛尖", "zh", "GreenTea"),
        kept(Kind.RELATED, "tea pot", "en", "GreenTea"),
        kept(Kind.LAYER_1, "tea shops", "en"),
        kept(Kind.LAYER_1, "茶馆", "zh"),
        kept(Kind.MISLEADING, "tea party", "en", "Tea"),
        kept(Kind.WEIGHT, "0.25", "", "GreenTea", weight=0.25),
    ),
    (Term("茗", "zh"),),
)


def copied(tmp_path: Path, name: str) -> Path:
    path = tmp_path / name
    path.write_bytes((FILES / name).read_bytes())
    return path


def written(tmp_path: Path, text: str, name: str = "topic.ttl") -> Path:
    path = tmp_path / name
    path.write_text(PREFIXES + text, encoding="utf-8")
    return path


def after(path: Path, *accepted: Kept, refusals: tuple[Term, ...] = ()) -> Ontology:
    """The ontology with these in it; what is not written stays unwritten."""
    _, new, _ = edited(path, Decisions(accepted, refusals))
    assert new is not None
    path.write_bytes(new)
    return load(path, False, 1024)


def names(ontology: Ontology, iri: str) -> set[tuple[str, str | None, str]]:
    return {(label.text, label.language, label.kind) for label in ontology.concepts[iri].labels}


@pytest.mark.parametrize("ending", SYNTAXES)
def test_every_syntax_takes_all_kinds_and_says_them(ending: str, tmp_path: Path) -> None:
    path = copied(tmp_path, f"tea.{ending}")
    before = load(path, False, 1024)
    tea = after(path, *WORDS.kept, refusals=WORDS.refused)
    assert tea.format == before.format
    assert ('a "good" leaf \\ & <herb>', "en", "synonym") in names(tea, TEA + "Tea")
    assert tea.concepts[TEA + "Tea"].excludes == (Label("tea party", "en"),)
    assert tea.concepts[TEA + "GreenTea"].weight == 0.25
    assert tea.concepts[TEA + "信阳毛尖"].parents == (TEA + "GreenTea",)
    assert names(tea, TEA + "信阳毛尖") == {("信阳毛尖", "zh", "name")}
    assert tea.concepts[TEA + "TeaPot"].parents == (TO_BE_PLACED,)
    assert tea.concepts[TO_BE_PLACED].parents == (TEA + "Tea",)
    assert names(tea, TO_BE_PLACED) == {("to be placed", "en", "name"), ("待归类", "zh", "name")}
    assert tea.concepts[TEA + "TeaPot"].related == (TEA + "GreenTea",)
    assert tea.concepts[TEA + "TeaPot"].weight == 0.3  # a fifth of the heaviest, 1.5
    assert tea.concepts[TEA + "信阳毛尖"].weight is None
    layer = tea.concepts[TEA + "OneLinkBefore"]
    assert (layer.layer, layer.parents, {label.text for label in layer.labels}) == (1, (), {"tea shops", "茶馆"})
    for iri, concept in before.concepts.items():
        if iri not in (TEA + "Tea", TEA + "GreenTea"):
            assert tea.concepts[iri] == concept
    assert tea.findings == before.findings


@pytest.mark.parametrize("ending", [*SYNTAXES, "obo"])
def test_all_else_stays_byte_for_byte(ending: str, tmp_path: Path) -> None:
    concept = OBO + "0001" if ending == "obo" else TEA + "Tea"
    decisions = Decisions((Kept(Kind.SYNONYM, (Term("cha", "en"),), (concept,)),))
    old, new, _ = edited(copied(tmp_path, f"tea.{ending}"), decisions)
    assert new is not None
    pairs = enumerate(zip(old, new, strict=False))
    same = next((place for place, (before, now) in pairs if before != now), len(old))
    assert old[same:] == new[len(new) - (len(old) - same) :]


@pytest.mark.parametrize("ending", SYNTAXES)
def test_a_weight_is_replaced_where_it_stands(ending: str, tmp_path: Path) -> None:
    path = copied(tmp_path, f"tea.{ending}")
    old = path.read_bytes()
    tea = after(path, kept(Kind.WEIGHT, "0.6", "", "Tea", weight=0.6))
    assert tea.concepts[TEA + "Tea"].weight == 0.6
    assert path.read_bytes() == old.replace(b"1.5", b"0.6")


@pytest.mark.parametrize("ending", SYNTAXES)
def test_a_whole_number_may_become_a_decimal(ending: str, tmp_path: Path) -> None:
    path = copied(tmp_path, f"tea.{ending}")
    text = path.read_text(encoding="utf-8").replace("1.5", "1").replace("decimal", "integer")
    path.write_text(text, encoding="utf-8")
    tea = after(path, kept(Kind.WEIGHT, "0.6", "", "Tea", weight=0.6))
    assert tea.concepts[TEA + "Tea"].weight == 0.6
    stated = read_statements(open_file(path).source).statements
    (datatype,) = (each.datatype for each in stated if each.prop.endswith("#weight") and not each.is_iri)
    assert not datatype.endswith("integer")


def test_the_right_one_of_two_like_weights_is_replaced(tmp_path: Path) -> None:
    text = "@prefix : <http://example.org/tea#> . # weight 0.5\n:Tea a owl:Class ; oc:weight 0.5 ; rdfs:label 'tea' .\n"
    path = written(tmp_path, text + ":GreenTea a owl:Class ; oc:weight 0.5 ; rdfs:subClassOf :Tea .\n")
    tea = after(path, kept(Kind.WEIGHT, "0.8", "", "GreenTea", weight=0.8))
    assert [tea.concepts[TEA + name].weight for name in ("Tea", "GreenTea")] == [0.5, 0.8]


def test_a_weight_that_is_no_number_is_none(tmp_path: Path) -> None:
    path = written(tmp_path, f"<{TEA}Tea> a owl:Class ; oc:weight [] .")
    assert after(path, kept(Kind.WEIGHT, "0.8", "", "Tea", weight=0.8)).concepts[TEA + "Tea"].weight == 0.8


@pytest.mark.parametrize("written_as", ["Tea", ":Tea", f"<{TEA}Tea>"])
def test_manchester_names_classes_as_the_file_does(written_as: str, tmp_path: Path) -> None:
    path = tmp_path / "tea.omn"
    path.write_text(f"Prefix: : <{TEA}>\nOntology: <{TEA[:-1]}>\nClass: {written_as}\n", encoding="utf-8")
    tea = after(path, kept(Kind.NARROWER, "毛尖", "zh", "Tea"), kept(Kind.RELATED, "cup", "en", "Tea"))
    assert tea.concepts[TEA + "毛尖"].parents == (TEA + "Tea",)
    text = path.read_text(encoding="utf-8")
    assert f"SubClassOf: {written_as}\n" in text
    assert f"skos/core#related> <{TEA}Tea>" in text
    assert text.startswith("Prefix: rdfs: <")


@pytest.mark.parametrize("ending", SYNTAXES)
def test_the_same_once_more_writes_nothing(ending: str, tmp_path: Path) -> None:
    path = copied(tmp_path, f"tea.{ending}")
    after(path, *WORDS.kept, refusals=WORDS.refused)
    _, new, plan = edited(path, WORDS)
    assert new is None
    assert len(plan.passed_over) == len(WORDS.kept)


def test_obo_takes_synonyms_and_terms_and_says_what_it_cannot(tmp_path: Path) -> None:
    path = copied(tmp_path, "tea.obo")
    tea = after(
        path,
        Kept(Kind.SYNONYM, (Term("cha", "en"),), (OBO + "0001",)),
        Kept(Kind.NARROWER, (Term("sencha", "en"),), (OBO + "0002",)),
        refusals=(Term("mug"),),
    )
    assert ("cha", None, "synonym") in names(tea, OBO + "0001")
    assert tea.concepts[OBO + "0005"].parents == (OBO + "0002",)
    assert "id: TEA:0005\nname: sencha\nis_a: TEA:0002\n" in path.read_text()
    assert refused(path) == {"mug"}


def test_a_thesaurus_gets_concepts(tmp_path: Path) -> None:
    path = copied(tmp_path, "thesaurus.ttl")
    tea = "http://example.org/thesaurus/tea"
    ontology = after(path, Kept(Kind.NARROWER, (Term("oolong", "en"),), (tea,)))
    oolong = ontology.concepts["http://example.org/thesaurus/oolong"]
    assert (oolong.kind, oolong.parents) == ("concept", (tea,))
    assert "owl:" not in path.read_text()


@pytest.mark.parametrize(
    ("own", "term", "iri"),
    [
        ("<http://e.org/T_0007> a owl:Class . <http://e.org/T_0009> a owl:Class .", "红茶", "http://e.org/T_0010"),
        (
            "<http://e.org/green_tea> a owl:Class . <http://e.org/tea> a owl:Class .",
            "Black Tea",
            "http://e.org/black_tea",
        ),
        ("<http://e.org/o#green-tea> a owl:Class .", "black tea", "http://e.org/o#black-tea"),
        ("<http://e.org/o#greenTea> a owl:Class .", "black tea", "http://e.org/o#blackTea"),
        (
            "<http://e.org/o/GreenTea> a owl:Class . <http://e.org/o/BlackTea> a owl:Class .",
            "black tea",
            "http://e.org/o/BlackTea2",
        ),
        ("<http://e.org/o#绿茶> a owl:Class .", "红茶", "http://e.org/o#红茶"),
    ],
)
def test_a_new_class_is_named_as_others_in_the_file(tmp_path: Path, own: str, term: str, iri: str) -> None:
    path = written(tmp_path, own)
    parent = next(iter(load(path, False, 1024).concepts))
    ontology = after(path, Kept(Kind.NARROWER, (Term(term, ""),), (parent,)))
    assert ontology.concepts[iri].parents == (parent,)


@pytest.mark.parametrize(
    ("labels", "term", "tag"),
    [
        ("rdfs:label '茶'@zh-Hans , '绿茶'@zh-Hans", Term("茗", "zh"), "zh-hans"),
        ("rdfs:label '茶'@zh-Hans , '綠茶'@zh-Hant", Term("紅茶", "zh"), "zh-hant"),
        ("rdfs:label '茶'@zh , '绿茶'@zh-CN , '红茶'@zh-CN", Term("茗", "zh"), "zh"),
        ("rdfs:label 'tea' , 'green tea'", Term("cha", "en"), None),
        ("rdfs:label 'tea'@en", Term("茗", "zh"), "zh"),
        ("rdfs:label 'tea'@en", Term("茗", ""), None),
    ],
)
def test_a_word_is_tagged_as_others_in_the_file(tmp_path: Path, labels: str, term: Term, tag: str | None) -> None:
    path = written(tmp_path, f"<{TEA}Tea> a owl:Class ; {labels} .")
    tea = after(path, Kept(Kind.SYNONYM, (term,), (TEA + "Tea",)))
    assert (term.text, tag, "synonym") in names(tea, TEA + "Tea")


@pytest.mark.parametrize(
    ("own", "prop"),
    [
        ("<http://x.org/oboInOwl#p> rdfs:label 'p' .", "skos:altLabel"),
        (f"<{TEA}Tea> <http://schema.org/alternateName> 'cha' .", "<http://schema.org/alternateName>"),
        (f"<{TEA}Tea> <{TEA}别名> 'cha' .", f"<{TEA}别名>"),
        (f"<{TEA}p> rdfs:subPropertyOf skos:altLabel . <{TEA}Tea> <{TEA}p> 'cha' .", f"<{TEA}p>"),
    ],
)
def test_a_synonym_has_the_property_of_others_in_the_file(tmp_path: Path, own: str, prop: str) -> None:
    path = written(tmp_path, f"<{TEA}Tea> a owl:Class . {own}")
    tea = after(path, kept(Kind.SYNONYM, "茗", "", "Tea"))
    assert f'{prop} "茗"' in path.read_text(encoding="utf-8")
    assert ("茗", None, "synonym") in names(tea, TEA + "Tea")


def test_words_of_a_layer_join_the_class_that_has_it(tmp_path: Path) -> None:
    own = f"<{TEA}Tea> a owl:Class . <{TEA}Shop> a owl:Class ; oc:layer 1 ; rdfs:label 'shop' ."
    tea = after(written(tmp_path, own), kept(Kind.LAYER_1, "market", "en"), kept(Kind.LAYER_2, "village", "en"))
    assert ("market", None, "synonym") in names(tea, TEA + "Shop")
    assert [concept.layer for concept in tea.concepts.values()] == [None, 1, 2]


def test_a_class_may_stand_below_another_new_one(tmp_path: Path) -> None:
    path = copied(tmp_path, "tea.ttl")
    inner = Kept(Kind.NARROWER, (Term("xinyang", "en"),), ("urn:maojian",), key="urn:xinyang")
    tea = after(path, inner, kept(Kind.NARROWER, "maojian", "en", "GreenTea", key="urn:maojian"))
    assert tea.concepts[TEA + "Xinyang"].parents == (TEA + "Maojian",)
    assert tea.concepts[TEA + "Maojian"].parents == (TEA + "GreenTea",)


@pytest.mark.parametrize("ending", SYNTAXES)
def test_what_is_narrower_than_an_individual_becomes_another(ending: str, tmp_path: Path) -> None:
    path = copied(tmp_path, f"tea.{ending}")
    before = load(path, False, 1024)
    inner = Kept(Kind.NARROWER, (Term("inner", "en"),), ("urn:shifeng",), key="urn:inner")
    proposed = (inner, kept(Kind.NARROWER, "shifeng", "en", "longjing", key="urn:shifeng"))
    tea = after(path, *proposed)
    for name in ("Shifeng", "Inner"):
        concept = tea.concepts[TEA + name]
        assert (concept.kind, concept.parents) == ("individual", (TEA + "GreenTea",))
        assert names(tea, TEA + name) == {(name.lower(), "en", "name")}
    assert {iri: tea.concepts[iri] for iri in before.concepts} == before.concepts
    assert edited(path, Decisions(proposed))[1] is None


@pytest.mark.parametrize("ending", SYNTAXES)
def test_an_individual_takes_synonyms_exclusions_and_relations(ending: str, tmp_path: Path) -> None:
    tea = after(
        copied(tmp_path, f"tea.{ending}"),
        kept(Kind.SYNONYM, "longjin", "en", "longjing"),
        kept(Kind.MISLEADING, "dragon well", "en", "longjing"),
        kept(Kind.RELATED, "hangzhou", "en", "longjing"),
    )
    longjing, hangzhou = tea.concepts[TEA + "longjing"], tea.concepts[TEA + "Hangzhou"]
    assert ("longjin", "en", "synonym") in names(tea, TEA + "longjing")
    assert (longjing.kind, longjing.excludes) == ("individual", (Label("dragon well", "en"),))
    assert (hangzhou.kind, hangzhou.parents, hangzhou.related) == ("class", (TO_BE_PLACED,), (TEA + "longjing",))


def test_a_name_of_a_concept_is_no_exclusion(tmp_path: Path) -> None:
    _, new, plan = edited(copied(tmp_path, "tea.ttl"), Decisions((kept(Kind.MISLEADING, "Green Tea", "en", "Tea"),)))
    assert new is None
    assert "green tea" in plan.passed_over[0]


def test_obo_takes_another_instance(tmp_path: Path) -> None:
    path = copied(tmp_path, "tea.obo")
    path.write_text(path.read_text() + "\n[Instance]\nid: TEA:0009\nname: longjing\ninstance_of: TEA:0002\n")
    tea = after(path, Kept(Kind.NARROWER, (Term("shifeng", "en"),), (OBO + "0009",)))
    assert (tea.concepts[OBO + "0005"].kind, tea.concepts[OBO + "0005"].parents) == ("individual", (OBO + "0002",))


def test_individuals_below_each_other_get_another_below(tmp_path: Path) -> None:
    own = f"<{TEA}Tea> a owl:Class . <{TEA}a> a <{TEA}Tea> . <{TEA}b> a <{TEA}Tea> ; skos:broader <{TEA}a> ."
    path = written(tmp_path, own)
    tea = after(path, kept(Kind.NARROWER, "c", "en", "b"))
    assert set(tea.concepts[TEA + "C"].parents) == {TEA + "Tea", TEA + "b"}
    assert "skos:Concept" not in path.read_text()


def test_an_individual_of_no_class_has_none_beside_it(tmp_path: Path) -> None:
    path = written(tmp_path, f"<{TEA}Tea> a owl:Class . <{TEA}x> a owl:NamedIndividual ; rdfs:label 'xyz' .")
    _, new, plan = edited(path, Decisions((kept(Kind.NARROWER, "other", "en", "x"),)))
    assert new is None
    assert "xyz" in plan.passed_over[0]


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("gb18030", b""), ("latin-1", b"")]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encoding_byte_order_mark_and_line_ends_stay(encoding: str, mark: bytes, newline: str, tmp_path: Path) -> None:
    text = (FILES / "tea.owl").read_text(encoding="utf-8")
    if encoding == "latin-1":
        text = text.replace("绿茶;青茶", "thé").replace("茶", "cha").replace("龙井", "longjing")
    text = text.replace('<?xml version="1.0"?>', f'<?xml version="1.0" encoding="{encoding}"?>')
    path = tmp_path / "tea.owl"
    path.write_bytes(mark + text.replace("\n", newline).encode(encoding))
    tea = after(path, kept(Kind.NARROWER, "毛尖", "zh", "GreenTea"))
    assert names(tea, TEA + "毛尖") == {("毛尖", "zh", "name")}
    data = path.read_bytes()
    assert data.startswith(mark)
    now = data[len(mark) :].decode(encoding)
    assert now.count("\n") == now.count(newline)


def test_bytes_that_make_no_sense_stay(tmp_path: Path) -> None:
    path = copied(tmp_path, "tea.ofn")
    path.write_bytes(path.read_bytes().replace(b"# a comment", b"# \xb1 a comment"))
    after(path, kept(Kind.SYNONYM, "茗", "zh", "Tea"))
    assert b"# \xb1 a comment" in path.read_bytes()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one.jsonld", '{"@id": "http://example.org/tea#Tea", "@type": "http://www.w3.org/2002/07/owl#Class"}'),
        ("misread.ttl", f'<{TEA}Tea> a owl:Class ; rdfs:comment """\n@prefix t: <http://example.org/tea#> .\n""" .'),
    ],
)
def test_nothing_is_written_where_it_would_say_something_else(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text if name.endswith("jsonld") else PREFIXES + text, encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(OntologyError) as caught:
        edited(path, Decisions((kept(Kind.SYNONYM, "茗", "zh", "Tea"),)))
    assert caught.value.cure
    assert path.read_bytes() == before


@pytest.mark.slow
def test_the_file_is_replaced_and_each_one_of_before_kept(tmp_path: Path) -> None:
    path = copied(tmp_path, "tea.ttl")
    path.chmod(0o640)
    (tmp_path / "link.ttl").symlink_to(path)
    before = path.read_bytes()
    first = apply(Decisions((kept(Kind.SYNONYM, "茗", "zh", "Tea"),)), tmp_path / "link.ttl")
    between = path.read_bytes()
    second = apply(Decisions((kept(Kind.SYNONYM, "cha", "en", "Tea"),)), path)
    assert first.backup is not None
    assert second.backup is not None
    assert (first.backup.read_bytes(), second.backup.read_bytes()) == (before, between)
    assert path.read_bytes().startswith(between)
    assert path.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link.ttl").is_symlink()
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.slow
def test_a_file_that_may_not_be_written_stays(tmp_path: Path) -> None:
    path = copied(tmp_path, "tea.ttl")
    path.chmod(0o444)
    with pytest.raises(OntologyError, match=r"tea\.ttl"):
        accept(FILES / "proposals" / "proposals.ttl", path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_may_be_checked_before_anything_is_asked(tmp_path: Path) -> None:
    path = copied(tmp_path, "tea.ttl")
    check_before_asking(path)
    path.chmod(0o444)
    (tmp_path / "link.ttl").symlink_to(path)
    with pytest.raises(OntologyError, match=r"tea\.ttl") as refused:
        check_before_asking(tmp_path / "link.ttl")
    assert "--into" not in refused.value.cure and "-o" in refused.value.cure


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["owl", "ttl", "ofn", "omn", "owx", "jsonld", "nt"])
def test_refusals_travel_with_the_file_and_can_be_undone(ending: str, tmp_path: Path) -> None:
    nothing = Evidence(0, 0, (), (), 0, 0.0)
    term = Proposal(Kind.SYNONYM, "Ｔea-Pot", "en", TEA + "Tea", nothing)
    weight = Proposal(Kind.WEIGHT, "tea", "en", TEA + "Tea", nothing, 0.5)
    path = copied(tmp_path, f"tea.{ending}")
    concepts = after(path, refusals=(as_refused(term), as_refused(weight))).concepts
    assert concepts == load(FILES / f"tea.{ending}", False, 1024).concepts
    assert refused(path) == {"tea pot", refusal_key(weight)}
    assert refusal_key(term) in refused(path)
    if ending in ("ofn", "nt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join(line for line in lines if "Pot" not in line), encoding="utf-8")
        assert refused(path) == {refusal_key(weight)}


REAL = """bfo-core.owl pizza.owl family-entities.owl fibo-bonds.rdf foaf.n3 ssn-ext.nt kgbook-patent-owlxml.owl
go-gorel-edit-functional.owl envo-chebi-seed-latin1-functional.owl oeo-shared.omn derived-gbk-math-zh.ttl skosmos-xl.ttl
pronto-pato.obo schemaorg-30-current.jsonld"""


def shortened(name: str, text: str) -> str:
    """The first concepts of the two large files."""
    if name.endswith(".jsonld"):
        content = json.loads(text)
        return json.dumps({**content, "@graph": content["@graph"][:100]}, ensure_ascii=False, indent=2)
    return "\n[Term]".join(text.split("\n[Term]")[:300])


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL.split())
def test_real_files_keep_all_they_say(name: str, tmp_path: Path, shared: Path) -> None:
    path, file = tmp_path / name, shared / "ontologies" / "files" / name
    if file.stat().st_size < 500_000:
        path.write_bytes(file.read_bytes())
    else:
        path.write_text(shortened(name, file.read_text("utf-8")), "utf-8")
    before = load(path, False, 1024)
    concept = next(each for each in before.concepts.values() if each.kind != "individual" and not each.deprecated)
    ontology = after(
        path,
        Kept(Kind.SYNONYM, (Term("some other word", "en"),), (concept.iri,)),
        Kept(Kind.NARROWER, (Term("信阳毛尖", "zh"),), (concept.iri,)),
        refusals=(Term("茗", "zh"),),
    )
    others = before.concepts.keys() - {concept.iri}
    assert {iri for iri in others if ontology.concepts.get(iri) != before.concepts[iri]} == set()
    new = ontology.concepts.keys() - before.concepts.keys()
    assert [{label.text for label in ontology.concepts[iri].labels} for iri in new] == [{"信阳毛尖"}]
    assert "some other word" in {label.text for label in ontology.concepts[concept.iri].labels}


def test_a_related_concept_keeps_the_weight_that_it_was_given(tmp_path: Path) -> None:
    stated = Statement("", OC + "weight", "0.7", datatype=XSD + "decimal")
    pot = replace(kept(Kind.RELATED, "tea pot", "en", "Tea"), notes=(stated,))
    assert after(copied(tmp_path, "tea.ttl"), pot).concepts[TEA + "TeaPot"].weight == 0.7


def test_without_weights_a_related_concept_gets_none(tmp_path: Path) -> None:
    path = written(
        tmp_path, f"<{TEA}> a owl:Ontology ; oc:topic <{TEA}Tea> . <{TEA}Tea> a owl:Class ; rdfs:label 'tea' ."
    )
    concepts = after(path, kept(Kind.RELATED, "tea pot", "en", "Tea")).concepts
    assert {concept.weight for concept in concepts.values()} == {None}
