"""One small ontology of tea in every syntax, what it imports, and what an expert can do wrong."""

import bz2
import gzip
import lzma
import os
import re
import shutil
import socket
from itertools import count, pairwise
from pathlib import Path

import pytest
from conftest import missing

from benchmarks.office_files import packed
from ontology import child_process
from ontology.child_process import PATIENCE, run_isolated
from ontology.concepts import Concept, Label, Ontology
from ontology.errors import OntologyError
from ontology.loading.imports_closure import load, load_with_errors
from ontology.loading.ontology_reader import read_ontology
from ontology.syntaxes.packed_files import LARGEST

ISOLATED = True  # the limits of the child process are tested here
FILES = Path(__file__).parent / "files"
TEA = "http://example.org/tea#"
OBO = "http://purl.obolibrary.org/obo/TEA_"

CONCEPTS = {
    TEA + "Tea": Concept(TEA + "Tea", "class", (Label("tea", "en"), Label("茶", "zh")), weight=1.5),
    TEA + "GreenTea": Concept(
        TEA + "GreenTea",
        "class",
        (
            Label("green tea", "en"),
            Label("绿茶", "zh", "synonym"),
            Label("青茶", "zh", "synonym"),
            Label("gren tea", "en", "hidden"),
        ),
        parents=(TEA + "Tea",),
        related=(TEA + "YoungLeaf",),
    ),
    TEA + "YoungLeaf": Concept(
        TEA + "YoungLeaf", "class", (Label("Young Leaf", None, "fragment"), Label("YoungLeaf", None, "fragment"))
    ),
    TEA + "BrickTea": Concept(TEA + "BrickTea", "class", (Label("brick tea", "en"),), deprecated=True),
    TEA + "longjing": Concept(
        TEA + "longjing",
        "individual",
        (Label("龙井", "zh"),),
        parents=(TEA + "GreenTea",),
        related=(TEA + "YoungLeaf",),
    ),
}


def here(path: Path) -> Ontology:
    """Read without a child process: quicker, the same but for the limits."""
    return load(path, False, 1024)


def written(tmp_path: Path, text: str | bytes, name: str = "topic.owl") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(path: Path) -> OntologyError:
    with pytest.raises(OntologyError) as caught:
        here(path)
    assert caught.value.cure
    return caught.value


@pytest.mark.parametrize(
    ("ending", "syntax"),
    [
        ("owl", "rdfxml"), ("ttl", "turtle"), ("trig", "trig"), ("nt", "nt"), ("nq", "nquads"),
        ("jsonld", "jsonld"), ("ofn", "ofn"), ("omn", "omn"), ("owx", "owx"),
    ],
)  # fmt: skip
def test_every_syntax_says_the_same_under_any_ending(ending: str, syntax: str, tmp_path: Path) -> None:
    tea = here(Path(shutil.copy(FILES / f"tea.{ending}", tmp_path / "renamed.xyz")))
    assert tea.format == syntax
    assert dict(tea.concepts) == CONCEPTS
    assert (tea.iri, tea.topic) == ("http://example.org/tea", TEA + "Tea")
    assert (tea.classes, tea.skos_concepts, tea.individuals) == (4, 0, 1)
    assert (tea.imported, tea.findings) == ((), ())


def test_the_child_process_gives_the_same() -> None:
    path = FILES / "tea.ttl"
    assert read_ontology(path) == here(path)


@pytest.mark.parametrize("stray", ["", "\nxref: a \\, b {\n"])
def test_obo_strictly_and_line_by_line(stray: str, tmp_path: Path) -> None:
    text = (FILES / "tea.obo").read_text()
    tea = here(written(tmp_path, text.replace("\nis_a:", f"{stray}\nis_a:"), "tea.obo"))
    green = tea.concepts[OBO + "0002"]
    assert green.labels == (
        Label("green tea"),
        Label("sencha, gyokuro", None, "synonym"),
        Label("leaf tea", None, "related"),
    )
    assert green.parents == (OBO + "0001",)
    assert green.related == (OBO + "0003",)
    assert tea.concepts[OBO + "0004"].deprecated
    assert (tea.format, tea.classes, tea.individuals) == ("obo", 4, 0)
    assert [finding.code for finding in tea.findings] == (["W106"] if stray else [])


def test_skos_both_directions_and_labels_that_are_nodes() -> None:
    thesaurus = here(FILES / "thesaurus.ttl")
    space = "http://example.org/thesaurus/"
    tea = thesaurus.concepts[space + "tea"]
    assert tea.kind == "concept"
    assert tea.labels == (Label("tea", "en"), Label("茗", "zh", "synonym"))
    assert tea.parents == thesaurus.concepts[space + "cup"].parents == (space + "drinks",)
    assert tea.related == (space + "cup",)
    assert thesaurus.concepts[space + "drinks"].labels == (Label("drinks", "en"),)
    assert (thesaurus.classes, thesaurus.skos_concepts, len(thesaurus.concepts)) == (0, 3, 3)


def test_imports_work_by_catalog_iri_in_circles_missing_and_broken() -> None:
    main = here(FILES / "set" / "main.omn")
    assert main.imported == ("parts/listed.owl", "found.ttl")
    assert {concept.label for concept in main.concepts.values()} == {"kettle", "spout", "lid"}
    assert main.classes == 1
    missing_import, broken = sorted(main.findings, key=lambda finding: finding.code)
    assert (missing_import.code, broken.code) == ("W101", "W103")
    assert "http://example.org/set/nowhere" in missing_import.message
    assert "cut.ttl, line 3" in broken.message


def test_a_relative_import_is_a_file_beside(tmp_path: Path) -> None:
    written(tmp_path, "<#Lid> a <http://www.w3.org/2002/07/owl#Class> .", "other.ttl")
    text = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<> a owl:Ontology ; owl:imports <other.ttl> .\n"
    ontology = here(written(tmp_path, text + "<#Pot> a owl:Class .", "main.ttl"))
    assert ontology.imported == ("other.ttl",)
    assert set(ontology.concepts) == {"file:///main.ttl#Pot", "file:///other.ttl#Lid"}


@pytest.mark.parametrize(
    "header",
    [
        '{{"@type": ["{owl}Ontology"], "@id": "{iri}", "{owl}versionInfo": "1"}}',
        "@base <http://example.org/> .\n<pots> a <{owl}Ontology> .",
        "BASE <{iri}>\n<> a <{owl}Ontology> .",
    ],
)
def test_a_neighbour_file_s_iri_is_found_in_any_spelling(header: str, tmp_path: Path) -> None:
    names = {"owl": "http://www.w3.org/2002/07/owl#", "iri": "http://example.org/pots"}
    written(tmp_path, header.format(**names), "beside.owl")
    text = (
        "<http://example.org/m> a <{owl}Ontology> ; <{owl}imports> <{iri}> . <http://example.org/Pot> a <{owl}Class> ."
    )
    assert here(written(tmp_path, text.format(**names), "main.ttl")).imported == ("beside.owl",)


TURTLE = """@prefix : <http://example.org/x#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix oc: <https://w3id.org/ontocrawl#> .
"""


def test_turtle_may_begin_with_a_blank_node(tmp_path: Path) -> None:
    text = "[] <http://example.org/p> <http://example.org/q> .\n<http://example.org/Tea> a <{}Class> ."
    tea = here(written(tmp_path, text.format("http://www.w3.org/2002/07/owl#")))
    assert (tea.format, tea.classes) == ("turtle", 1)


@pytest.mark.parametrize("text", ["[]", " [ ] \n"])
def test_an_empty_list_alone_is_json(tmp_path: Path, text: str) -> None:
    assert "no class" in str(refusal(written(tmp_path, text)))


TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
NT = f"<http://example.org/Tea> {TYPE} <http://www.w3.org/2002/07/owl#Class> .\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [(NT + "<http://example.org/Tea> a <http://example.org/Drink> .\n", 2), (TURTLE + ":Tea a owl:Class .", 1)],
)
def test_triples_with_errors_are_read_as_turtle_and_told(tmp_path: Path, text: str, line: int) -> None:
    found = here(written(tmp_path, text, "tea.nt"))
    assert (found.format, found.classes) == ("turtle", 1)
    assert [finding.code for finding in found.findings] == ["W107"]
    assert found.findings[0].message.startswith(f"tea.nt, line {line}: not valid nt")


def test_parents_inside_definitions(tmp_path: Path) -> None:
    text = """
    :Hot a owl:Class ; owl:equivalentClass [ owl:intersectionOf ( :Drink
        [ owl:onProperty :p ; owl:hasValue :fire ] ) ] .
    :Drink a owl:Class ; owl:equivalentClass [ owl:unionOf ( :Tea :Coffee ) ] , <http://example.com/Beverage> .
    :Tea a owl:Class . :Coffee a owl:Class .
    :Taste a owl:Class ; owl:oneOf ( :bitter ) . :bitter a owl:NamedIndividual .
    """
    concepts = here(written(tmp_path, TURTLE + text)).concepts
    x = "http://example.org/x#"
    assert (concepts[x + "Hot"].parents, concepts[x + "Hot"].related) == ((x + "Drink",), (x + "fire",))
    assert concepts[x + "Drink"].parents == ()
    assert concepts[x + "Tea"].parents == concepts[x + "Coffee"].parents == (x + "Drink",)
    assert (concepts[x + "bitter"].kind, concepts[x + "bitter"].parents) == ("individual", (x + "Taste",))


def test_what_was_written_by_hand_need_not_be_declared(tmp_path: Path) -> None:
    text = (
        ":Oolong rdfs:subClassOf :Tea . :tieguanyin a :Oolong . :me a <http://example.com/Person> . :pot a owl:Thing ."
    )
    ontology = here(written(tmp_path, TURTLE + text))
    kinds = {concept.label: concept.kind for concept in ontology.concepts.values()}
    assert kinds == {"Oolong": "class", "Tea": "class", "tieguanyin": "individual", "pot": "individual"}
    assert (ontology.classes, ontology.individuals) == (0, 2)


def test_what_is_deprecated(tmp_path: Path) -> None:
    text = """
    :A a owl:Class ; owl:deprecated true . :B a owl:DeprecatedClass . :C a owl:Class ; rdfs:label "obsolete cup" .
    :D a owl:Class ; owl:deprecated false . :E a owl:Class ; rdfs:label "obsolescence" .
    """
    concepts = here(written(tmp_path, TURTLE + text)).concepts
    assert {iri[-1] for iri, concept in concepts.items() if concept.deprecated} == {"A", "B", "C"}


def test_own_properties_under_or_named_as_known_ones_give_labels(tmp_path: Path) -> None:
    text = """
    :called rdfs:subPropertyOf rdfs:label . :Tea a owl:Class ; :called "茶"@zh ; :别名 "茗"@zh ; :grade "fine" .
    """
    tea = here(written(tmp_path, TURTLE + text)).concepts["http://example.org/x#Tea"]
    assert tea.labels == (Label("茶", "zh"), Label("茗", "zh", "synonym"))


def test_empty_and_lost_labels_are_told(tmp_path: Path) -> None:
    text = ':A a owl:Class ; rdfs:label " " . :B a owl:Class ; rdfs:label "???"@zh , "b" .'
    ontology = here(written(tmp_path, TURTLE + text))
    assert [(finding.code, finding.message[-1]) for finding in ontology.findings] == [("W105", "A"), ("W104", "B")]
    assert [label.text for concept in ontology.concepts.values() for label in concept.labels] == ["A", "b"]


@pytest.mark.parametrize("value", ['"heavy"', '"-1"', '"NaN"', '"1e999"', '"1" , "2"', "<heavy:>"])
def test_a_weight_that_is_none_names_concept_file_and_line(value: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{TURTLE}:Tea a owl:Class ;\n    oc:weight {value} .", "tea.ttl")
    (finding,) = load_with_errors(path, False, 1024).findings
    assert (finding.code, finding.line) == ("E103", 6)
    assert finding.message.startswith("tea.ttl, line 6: oc:weight of <http://example.org/x#Tea> is ")
    with pytest.raises(OntologyError) as caught:
        here(path)
    assert (caught.value.message, caught.value.cure) == (finding.message, finding.cure)


def test_every_number_that_cannot_be_used_is_found(tmp_path: Path) -> None:
    text = ':Tea a owl:Class ; oc:weight "-1" ; oc:layer "one" . :Pot oc:weight "0,5" . :of oc:relatedness 2 .'
    found = load_with_errors(written(tmp_path, TURTLE + text), False, 1024)
    assert [finding.code for finding in found.findings] == ["E103"] * 4
    assert found.concepts["http://example.org/x#Tea"].weight is None


def test_a_file_wins_over_the_weights_it_imports(tmp_path: Path) -> None:
    text = f"{TURTLE}<http://example.org/a> a owl:Ontology . :Tea a owl:Class ; oc:weight 1 ; oc:layer 1 ."
    written(tmp_path, text, "a.ttl")
    text = f"{TURTLE}<http://example.org/b> a owl:Ontology ; owl:imports <http://example.org/a> . :Tea oc:weight 0.5 ."
    tea = here(written(tmp_path, text, "b.ttl")).concepts["http://example.org/x#Tea"]
    assert (tea.weight, tea.layer) == (0.5, 1)


MISNAMED = [
    (":weight", "0.5", "oc:weight"),
    ("oc:weigth", '"0.5"', "oc:weight"),
    ("<http://w3id.org/ontocrawl#layer>", "1", "oc:layer"),
    ("<https://w3id.org/ontocrawl/Weight>", "1", "oc:weight"),
    ("oc:importance", "1", "there are oc:weight, oc:layer, oc:topic, oc:excludes"),
    (":权重", "0.5", "oc:weight"),
    (":height", "0.5", None),
    (":weight", '"heavy"', None),
    ("oc:weight", "0.5", None),
    ("oc:exclude", '"tea party"', "oc:excludes"),
    ("oc:excludes", '"tea party"', None),
    ("oc:refused", '"tea party"', None),
]


@pytest.mark.parametrize(("prop", "value", "meant"), MISNAMED)
def test_a_mark_that_is_nearly_ours_is_told(prop: str, value: str, meant: str | None, tmp_path: Path) -> None:
    found = here(written(tmp_path, f"{TURTLE}:Tea a owl:Class ; {prop} {value} . :pot a :Tea ; :weight 2 ."))
    assert [finding.code for finding in found.findings] == ([] if meant is None else ["W108"])
    for finding in found.findings:
        assert meant in finding.cure
        assert finding.concepts == ("http://example.org/x#Tea",)


@pytest.mark.parametrize("name", ["tea.ttl", "tea.ofn", "tea.omn", "tea.owx", "tea.jsonld", "tea.nt"])
def test_a_topic_nearly_ours_is_told_in_every_syntax(name: str, tmp_path: Path) -> None:
    text = (FILES / name).read_text().replace("https://w3id.org/ontocrawl#", "http://example.org/own#")
    found = here(written(tmp_path, text, name))
    assert sorted(f.message.partition(">")[0] for f in found.findings) == [
        "<http://example.org/own#topic",
        "<http://example.org/own#weight",
    ]


def test_a_named_equivalent_class_is_kept_on_both_sides(tmp_path: Path) -> None:
    text = """
    :Tea a owl:Class ; owl:equivalentClass :Cha , <http://example.com/Tea> . :Cha rdfs:label "cha" .
    :Green rdfs:subClassOf :Cha .
    """
    concepts = here(written(tmp_path, TURTLE + text)).concepts
    x = "http://example.org/x#"
    assert (concepts[x + "Tea"].same, concepts[x + "Cha"].same) == ((x + "Cha", "http://example.com/Tea"), (x + "Tea",))
    assert concepts[x + "Tea"].parents == concepts[x + "Cha"].parents == ()
    assert set(concepts) == {x + "Tea", x + "Cha", x + "Green"}


TAGS = {
    "zh_CN": "zh-cn", "zh_Hans_CN": "zh-hans-cn", "en-US-": "en-us", "zh CN": "zh-cn", "zh_CN.UTF-8": "zh-cn",
    "unit.example": None, "": None, "x" * 50: None, "日文": None, "1": None,
}  # fmt: skip


TAGGED = [(tag, ending) for tag in TAGS for ending in ("owl", "ttl", "trig", "nt", "nq", "jsonld", "ofn", "omn", "owx")]
TAGGED.remove(("zh CN", "omn"))  # there nothing tells where such a tag ends


@pytest.mark.parametrize(("tag", "ending"), TAGGED)
def test_a_language_tag_that_is_none_costs_no_text(tag: str, ending: str, tmp_path: Path) -> None:
    text = (FILES / f"tea.{ending}").read_text()
    for sign in ('xml:lang="zh"', '"@language": "zh"', '"@zh'):
        text = text.replace(sign, sign.replace("zh", tag))
    tea = here(written(tmp_path, text, f"tea.{ending}"))
    assert Label("茶", TAGS[tag]) in tea.concepts[TEA + "Tea"].labels
    codes = [finding.code for finding in tea.findings]
    assert codes == (["W109"] if tag or ending not in ("owl", "owx", "jsonld") else [])


@pytest.mark.parametrize(("tag", "read_as"), [("zh_CN", "zh-cn"), ("unit.example", None)])
def test_a_key_of_a_language_map_is_mended(tag: str, read_as: str | None, tmp_path: Path) -> None:
    label = '{"@id": "http://www.w3.org/2000/01/rdf-schema#label", "@container": "@language"}'
    kind = "http://www.w3.org/2002/07/owl#Class"
    text = f'{{"@context": {{"l": {label}}}, "@id": "x:Tea", "@type": "{kind}", "l": {{"en": "tea", "{tag}": "茶"}}}}'
    found = here(written(tmp_path, text))
    assert set(found.concepts["x:Tea"].labels) == {Label("tea", "en"), Label("茶", read_as)}
    assert [finding.code for finding in found.findings] == ["W109"]


def test_what_looks_like_a_tag_inside_a_text_stays(tmp_path: Path) -> None:
    text = ':Tea a owl:Class ; rdfs:label """he said "tea"@a_b # "x"@c_d""" , "茶"@zh_CN . # "x"@e_f'
    (concept,) = here(written(tmp_path, TURTLE + text)).concepts.values()
    assert concept.labels == (Label('he said "tea"@a_b # "x"@c_d', None), Label("茶", "zh-cn"))


ID = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xml:base="http://example.org/tea">
<owl:Class rdf:ID="%s"><rdfs:label>tea</rdfs:label></owl:Class>
<owl:Class rdf:ID="Green"><rdfs:seeAlso rdf:nodeID="%s"/></owl:Class></rdf:RDF>"""
BAD_PARTS = {
    "a name with a blank": (ID % ("Green Tea", "n1"), "tea.owl"),
    "a name with a digit": (ID % ("1", "n1"), "tea.owl"),
    "a name twice": (ID % ("Green", "n1"), "tea.owl"),
    "a node's name": (ID % ("Tea", "1 x"), "tea.owl"),
    "a line of triples": (f"{NT}nothing at all\n{NT.replace('Tea', 'Cha')}", "tea.nt"),
    "a line of quads": (f"{NT}nothing at all\n{NT.replace('Tea', 'Cha')}".replace(" .", " <x:g> ."), "tea.nq"),
}


@pytest.mark.parametrize(("text", "name"), BAD_PARTS.values(), ids=BAD_PARTS)
def test_a_bad_part_costs_itself_and_is_told(text: str, name: str, tmp_path: Path) -> None:
    found = here(written(tmp_path, text, name))
    assert found.classes in (1, 2)
    assert [finding.code for finding in found.findings if finding.code != "E101"] == ["W110"]


GRAPHS = {
    "braces": "PREFIX : <http://example.org/x#>\n{ :Tea a owl:Class . }\nGRAPH :g { :Cha a owl:Class }",
    "names": ":g { :Tea a owl:Class . } _:h { :Cha a owl:Class . }",
    "none": ':Tea a owl:Class ; rdfs:comment "{" . # {\n:Cha a owl:Class .',
}


@pytest.mark.parametrize("graphs", GRAPHS)
def test_all_graphs_of_a_file_are_read_together(graphs: str, tmp_path: Path) -> None:
    found = here(written(tmp_path, TURTLE + GRAPHS[graphs]))
    assert (found.format, found.classes) == ("turtle" if graphs == "none" else "trig", 2)


def test_trix_is_read(tmp_path: Path) -> None:
    texts = (
        "http://example.org/Tea",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
        "http://www.w3.org/2002/07/owl#Class",
    )
    triple = "".join(map("<uri>{}</uri>".format, texts))
    text = f'<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple>{triple}</triple></graph></TriX>'
    found = here(written(tmp_path, text))
    assert (found.format, found.classes) == ("trix", 1)


def zipped(*names: str) -> bytes:
    return packed(dict.fromkeys(names, NT))


PARTS = gzip.compress(b"# tea\n") + gzip.compress(NT.encode())
PACKED = {"gz": gzip.compress(NT.encode(), mtime=0), "bz2": bz2.compress(NT.encode()), "xz": lzma.compress(NT.encode())}


@pytest.mark.parametrize(
    ("ending", "packed"), [*PACKED.items(), ("gz", PARTS), ("zip", zipped("x/tea.nt", "__MACOSX/x"))], ids=range(5)
)
def test_a_packed_file_is_read(ending: str, packed: bytes, tmp_path: Path) -> None:
    found = here(written(tmp_path, packed, f"tea.nt.{ending}"))
    assert (found.format, found.classes, found.findings) == ("nt", 1, ())


@pytest.mark.parametrize(
    "content",
    [PACKED["gz"][:20], PACKED["gz"][:-8], b"\x1f\x8bno", zipped("a.nt", "b.nt"), b"$HDT\x01\0\0"],
    ids=range(5),
)
def test_what_is_packed_otherwise_is_refused(content: bytes, tmp_path: Path) -> None:
    assert refusal(written(tmp_path, content, "tea.owl")).cure


CUT = [
    ("tea.owl", 1200, "not well-formed XML"),
    ("tea.owx", 1800, "not well-formed XML"),
    ("tea.ttl", 700, "line 1"),
    ("tea.nt", 1000, "line "),
    ("tea.jsonld", 700, "not valid JSON"),
    ("tea.ofn", 700, "not valid ofn"),
    ("tea.omn", 755, "not valid omn"),
]


@pytest.mark.parametrize(("name", "length", "said"), CUT)
def test_a_file_cut_short_is_refused_with_its_line(name: str, length: int, said: str, tmp_path: Path) -> None:
    error = refusal(written(tmp_path, (FILES / name).read_bytes()[:length], name))
    assert str(error).startswith(f"{name}, line ")
    assert said in str(error)


NOT_ONTOLOGIES = [
    (b"", "empty"),
    (b" \n# nothing but a comment\n", "empty"),
    (b"PK\x03\x04\x00\x00\x08\x00\x00", "not a zip file"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", "not text"),
    (b"Dear Sir, here is my ontology.", "not an ontology in a known syntax"),
    (b"<!DOCTYPE html><html><body>404</body></html>", "web page"),
    (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "<svg>"),
    (b'<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"/>', "catalogue"),
    (b'{"a": 1}', "no class"),
    (b'{"@context": "https://schema.org", "@id": "x"}', "is on the web"),
    (b'{"@context": [{"@import": "https://schema.org"}], "@id": "x"}', "is on the web"),
    (b"<http://a> <http://b> <http://c> .\n", "found 1 statements; most used: http://b (1)"),
]


@pytest.mark.parametrize(("data", "said"), NOT_ONTOLOGIES)
def test_what_is_no_ontology_is_refused(data: bytes, said: str, tmp_path: Path) -> None:
    assert said in str(refusal(written(tmp_path, data)))


def test_nothing_found_names_the_imports_that_are_missing(tmp_path: Path) -> None:
    error = refusal(
        written(tmp_path, f"{TURTLE}<http://example.org/a> a owl:Ontology ; owl:imports <http://b>, <http://c> .")
    )
    assert re.search(r"\b3 statements; 2 imports\b", str(error))


def test_codes_for_names_give_concepts_without_words_and_say_so(tmp_path: Path) -> None:
    ontology = here(written(tmp_path, f"{TURTLE}:OEO_00020467 a owl:Class ."))
    assert ontology.classes == 1
    assert [finding.code for finding in ontology.findings] == ["E101"]


BOMB = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [
<!ENTITY a "ha ha ha ha ha ha ha ha">
{entities}
]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description>&l9;</rdf:Description></rdf:RDF>"""


def test_an_entity_bomb_is_refused_where_it_is_declared(tmp_path: Path) -> None:
    names = ["a", *(f"l{level}" for level in range(10))]
    levels = [f'<!ENTITY {name} "{f"&{inner};" * 10}">' for inner, name in pairwise(names)]
    error = refusal(written(tmp_path, BOMB.format(entities="\n".join(levels))))
    assert re.match(r"topic\.owl, line 6: .*\bentity\b", str(error))


def test_an_entity_that_names_a_file_is_not_read(tmp_path: Path) -> None:
    secret = written(tmp_path, "secret", "secret.txt")
    entity = f'<!ENTITY l9 SYSTEM "{secret.as_uri()}">'
    assert "secret" not in str(refusal(written(tmp_path, BOMB.format(entities=entity))))


def test_folders_missing_files_and_giants_are_refused(tmp_path: Path) -> None:
    giant = tmp_path / "giant.owl"
    giant.touch()
    os.truncate(giant, LARGEST + 1)  # takes no room on the disk
    for path, said in ((tmp_path, "folder"), (tmp_path / "none.owl", "no such file"), (giant, "100 MB")):
        with pytest.raises(OntologyError, match=said) as caught:
            read_ontology(path)
        assert caught.value.cure


def test_a_limit_of_time_is_told_with_the_file() -> None:
    with pytest.raises(OntologyError, match=r"tea\.ttl: .* 0\.01 seconds"):
        read_ontology(FILES / "tea.ttl", seconds=0.01 / PATIENCE)


@pytest.mark.slow
def test_reading_that_computes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "PATIENCE", 600)  # not the wall clock: the machine may be busy
    with pytest.raises(OntologyError, match=r"\b1 seconds"):
        run_isolated(sum, (count(),), name="a.owl", seconds=1, memory_mb=200)


def test_the_child_process_has_little_memory_and_no_network() -> None:
    for work, arguments, said in (
        (bytearray, (500_000_000,), "a.owl: reading needs more than 200 MB of memory"),
        (os.abort, (), "a.owl: reading failed"),
        (socket.getaddrinfo, ("localhost", 80), "a.owl: reading failed .* never read from the network"),
    ):
        with pytest.raises(OntologyError, match=said):
            run_isolated(work, arguments, name="a.owl", seconds=30, memory_mb=200)


def test_a_parser_that_finds_no_memory_says_so(tmp_path: Path) -> None:
    many = "\n".join(f"Declaration(Class(<http://example.org/x#tea{i}>))" for i in range(200_000))
    with pytest.raises(OntologyError, match=r"\b150 MB\b"):
        read_ontology(written(tmp_path, f"Ontology(<http://example.org/x>\n{many})"), memory_mb=150)


def test_the_child_process_does_not_get_the_stores_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    monkeypatch.setenv("OTHER", "open")
    names = (("NEO4J_PASSWORD", None), ("OTHER", "open"))
    found = [run_isolated(os.getenv, (name,), name="a.owl", seconds=30, memory_mb=200) for name, _ in names]
    assert found == [value for _, value in names]


def test_reasoning_finds_the_members_of_a_defined_class() -> None:
    if shutil.which("java") is None:
        missing("java (for HermiT)")
    x = "http://example.org/defined#"
    assert here(FILES / "defined.ttl").concepts[x + "MilkTea"].parents == (x + "Drink",)
    inferred = read_ontology(FILES / "defined.ttl", reason=True).concepts
    assert set(inferred[x + "MilkTea"].parents) == {x + "Drink", x + "MilkDrink"}


def test_what_the_reasoner_cannot_hold_names_the_cure(tmp_path: Path) -> None:
    if shutil.which("java") is None:
        missing("java (for HermiT)")
    text = (FILES / "defined.ttl").read_text(encoding="utf-8")  # OWL 2 DL allows what follows, owlready2 does not
    punned = f"{text}\n<urn:a> a owl:Class, owl:ObjectProperty . <urn:b> a owl:Class ; rdfs:subClassOf <urn:a> ."
    (tmp_path / "punned.ttl").write_text(f"{punned} <urn:p> a owl:ObjectProperty ; rdfs:subPropertyOf <urn:a> .")
    with pytest.raises(OntologyError, match="reasoner gave up") as caught:
        read_ontology(tmp_path / "punned.ttl", reason=True)
    assert "--reason" in caught.value.cure


def test_reasoning_without_java_names_the_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OntologyError, match="no `java`") as caught:
        read_ontology(FILES / "defined.ttl", reason=True)
    assert "--reason" in caught.value.cure


def test_an_error_in_turtle_shows_no_python_bytes(tmp_path: Path) -> None:
    path = tmp_path / "rail.ttl"
    path.write_text('@prefix : <http://a.example/> .\n:铁路 a owl:Class ; :名 "铁路"@zh .\n', encoding="utf-8")
    said = (
        r'line 2: not valid turtle: .*Prefix "owl:" not bound\); there it says: :铁路 a owl:Class ; :名 "铁路"@zh \.$'
    )
    with pytest.raises(OntologyError, match=said):
        read_ontology(path)


@pytest.mark.parametrize(
    ("name", "text", "said", "cure"),
    [
        ("tea.ttl", "@prefix : <urn:x> .\n:Tea :is “tea” .\n", "there it says: :Tea :is “tea” .", "the one before"),
        ("tea.owl", "<a xmlns='urn:a'>\n<b>tea & cake</b>\n</a>", "there it says: <b>tea & cake</b>", "&amp;"),
        ("tea.jsonld", '{"@id": "urn:x",\n"a": ,}', 'there it says: "a": ,}', "the one before"),
        ("words.csv", "name,weight\n茶,1\n", "it begins with: name,weight 茶,1", "ontology new"),
        ("data.json", '{"name": "tea"}', "no statement was found", "declare its classes"),
    ],
)
def test_what_is_wrong_is_shown_with_what_to_do(name: str, text: str, said: str, cure: str, tmp_path: Path) -> None:
    error = refusal(written(tmp_path, text, name))
    assert said in str(error)
    assert cure in error.cure


def test_a_link_to_nowhere_is_no_misspelt_name(tmp_path: Path) -> None:
    (tmp_path / "tea.owl").symlink_to("nowhere")
    assert "did you mean" not in refusal(tmp_path / "tea.owl").cure
