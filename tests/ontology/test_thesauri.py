"""Other people's word lists propose: each kind of source in a few lines, and what is made of its entries."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ontology.concepts import Concept, Label, Ontology
from ontology.errors import OntologyError
from ontology.lexicon.lexicon import build_lexicon
from ontology.proposals.proposal import Kind, Proposal
from ontology.thesauri.entries import Entry, wanted_words
from ontology.thesauri.source_proposals import proposals_of
from ontology.thesauri.source_reading import read_source

TEA = Concept("urn:tea", "class", (Label("tea", "en"), Label("茶", "zh")))
OOLONG = Concept("urn:oolong", "class", (Label("oolong", "en"),), ("urn:tea",))
TOPIC = Ontology("tea.owl", "Turtle", None, {each.iri: each for each in (TEA, OOLONG)}, "urn:tea")

CILIN = """Bh01A01= 茶 茗 茶叶
Bh01A02# 茶 咖啡
Bh01A03@ 开水
Aa01A01= 人 士
"""
CEDICT = """# CC-CEDICT
茗 茗 [ming2] /tea/tea leaf (old)/Taiwan pr. [ming3]/
茶 茶 [cha2] /tea/tea plant/CL:杯[bei1],壺|壶[hu2]/
烏龍 乌龙 [wu1 long2] /oolong/own goal/to blunder/
書 书 [shu1] /book/
茶水 茶水 [cha2 shui3] /beverage; (hot, brewed) tea/
"""
SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:s:t> a skos:Concept ; skos:prefLabel "Tea"@en ; skos:altLabel "cha"@en , "茶叶"@zh ; skos:related <urn:s:pot> .
<urn:s:o> a skos:Concept ; skos:prefLabel "white tea"@en ; skos:broader <urn:s:t> .
<urn:s:pot> a skos:Concept ; skos:prefLabel "teapot"@en .
<urn:s:car> a skos:Concept ; skos:prefLabel "car"@en ; skos:altLabel "motor car"@en .
"""
LMF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
<Lexicon id="mini" label="Mini" language="en" email="a@b.example" license="none" version="1">
<LexicalEntry id="mini-tea"><Lemma writtenForm="tea" partOfSpeech="n"/>
<Sense id="mini-tea-1" synset="mini-1"/><Sense id="mini-tea-2" synset="mini-2"/></LexicalEntry>
<LexicalEntry id="mini-cuppa"><Lemma writtenForm="cuppa" partOfSpeech="n"/>
<Sense id="mini-c" synset="mini-1"/></LexicalEntry>
<LexicalEntry id="mini-supper"><Lemma writtenForm="supper" partOfSpeech="n"/>
<Sense id="mini-s" synset="mini-2"/></LexicalEntry>
<LexicalEntry id="mini-green"><Lemma writtenForm="green tea" partOfSpeech="n"/>
<Sense id="mini-g" synset="mini-3"/></LexicalEntry>
<Synset id="mini-1" ili="i1" partOfSpeech="n" members="mini-tea-1 mini-c"><Definition>a drink, as oolong is</Definition>
<SynsetRelation relType="hyponym" target="mini-3"/></Synset>
<Synset id="mini-2" ili="i2" partOfSpeech="n"><Definition>a light meal</Definition></Synset>
<Synset id="mini-3" ili="i3" partOfSpeech="n"><Definition>it is not fermented</Definition>
<SynsetRelation relType="hypernym" target="mini-1"/></Synset>
</Lexicon>
<Lexicon id="minizh" label="Mini zh" language="cmn-Hans" email="a@b.example" license="none" version="1">
<LexicalEntry id="minizh-1"><Lemma writtenForm="茶水" partOfSpeech="n"/>
<Sense id="minizh-s" synset="minizh-s1"/></LexicalEntry>
<Synset id="minizh-s1" ili="i1" partOfSpeech="n"/>
</Lexicon>
</LexicalResource>
"""
HOWNET = """class Sense:
    def __init__(self, number, zh, en, meaning):
        self.No, self.zh_word, self.en_word, self.Def = number, zh, en, meaning
class Sememe:
    def __init__(self, en_zh):
        self.en_zh, self.related_sememes = en_zh, {}
class HowNetDict:
    def __init__(self):
        print("Initializing OpenHowNet succeeded!")
        words = [("茶", "tea", "{drinks|饮品:tea}"), ("茗", "tea drink", "{drinks|饮品:tea}"), ("车", "car", "{car}"),
            ("饮料", "beverage", "{drinks|饮品}"), ("酒", "liquor", "{alcoholic drink|酒}"),
            ("黄酒", "rice wine", "{alcoholic drink|酒:material={rice|米}}"),
            ("吃", "eat", "{eat|吃:patient={drinks|饮品}}")]
        self.sense_dic = {n: Sense(n, *word) for n, word in enumerate(words)}
        self.zh_map = {}
        self.sememe_dic = {name: Sememe(name) for name in ("food|食品", "drinks|饮品", "alcoholic_drink|酒", "eat|吃")}
        for line in ("food|食品 hyponym drinks|饮品", "drinks|饮品 hypernym food|食品",
            "drinks|饮品 hyponym alcoholic_drink|酒", "alcoholic_drink|酒 hypernym drinks|饮品"):
            one, relation, other = line.split()
            self.sememe_dic[one].related_sememes.setdefault(relation, []).append(self.sememe_dic[other])
"""


def read(name: object, ontology: Ontology = TOPIC) -> list[Entry]:
    labels = [label for concept in ontology.concepts.values() for label in concept.labels]
    return read_source(str(name), wanted_words(labels))


def proposed(name: object, ontology: Ontology = TOPIC) -> dict[str, Proposal]:
    found = proposals_of(read(name, ontology), ontology, build_lexicon(ontology), list(ontology.concepts))
    return {one.term: one for one in found}


def kinds(found: dict[str, Proposal]) -> dict[str, tuple[Kind, str | None, str]]:
    return {term: (one.kind, one.concept, one.language) for term, one in found.items()}


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_groups_of_cilin_give_synonyms_and_related_words(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "cilin.txt"
    file.write_bytes(CILIN.encode(encoding))
    found = proposed(file)
    assert kinds(found) == {
        "茗": (Kind.SYNONYM, "urn:tea", "zh"),
        "茶叶": (Kind.SYNONYM, "urn:tea", "zh"),
        "咖啡": (Kind.RELATED, "urn:tea", "zh"),
    }
    (said,) = found["茗"].evidence.sentences
    assert said.url == "cilin.txt:1" and "茗" in said.text


def test_cedict_translates_both_ways_and_leaves_explanations_out(tmp_path: Path) -> None:
    file = tmp_path / "cedict.u8"
    file.write_text(CEDICT, "utf-8")
    found = kinds(proposed(file))
    assert found["乌龙"] == (Kind.SYNONYM, "urn:oolong", "zh")
    assert found["茗"] == (Kind.SYNONYM, "urn:tea", "zh")
    assert found["tea plant"] == (Kind.SYNONYM, "urn:tea", "en")
    assert found["茶水"] == (Kind.SYNONYM, "urn:tea", "zh")  # after another meaning, and a remark
    assert not {"to blunder", "book", "own goal"} & found.keys()


def test_a_thesaurus_gives_names_narrower_and_related_concepts(tmp_path: Path) -> None:
    file = tmp_path / "thesaurus.ttl"
    file.write_text(SKOS, "utf-8")
    found = proposed(file)
    assert kinds(found) == {
        "cha": (Kind.SYNONYM, "urn:tea", "en"),
        "茶叶": (Kind.SYNONYM, "urn:tea", "zh"),
        "white tea": (Kind.NARROWER, "urn:tea", "en"),
        "teapot": (Kind.RELATED, "urn:tea", "en"),
    }
    assert found["white tea"].evidence.sentences[0].url == "urn:s:o"


def test_wordnet_gives_the_sense_that_the_ontology_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wn = pytest.importorskip("wn")
    monkeypatch.setattr(wn.config, "data_directory", tmp_path)
    with pytest.raises(OntologyError) as nothing:
        read("wordnet")
    assert str(tmp_path) in nothing.value.cure
    (tmp_path / "mini.xml").write_text(LMF, "utf-8")
    wn.add(tmp_path / "mini.xml", progress_handler=None)
    assert kinds(proposed("wordnet")) == {
        "cuppa": (Kind.SYNONYM, "urn:tea", "en"),
        "茶水": (Kind.SYNONYM, "urn:tea", "zh"),
        "green tea": (Kind.NARROWER, "urn:tea", "en"),
    }  # not supper: another sense


@pytest.fixture
def hownet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """HowNet with seven senses and four sememes."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "OpenHowNet.py").write_text(HOWNET, "utf-8")
    monkeypatch.delitem(sys.modules, "OpenHowNet", raising=False)
    yield
    monkeypatch.delitem(sys.modules, "OpenHowNet")


@pytest.mark.usefixtures("hownet")
def test_hownet_gives_words_of_one_definition(capsys: pytest.CaptureFixture[str]) -> None:
    assert kinds(proposed("hownet")) == {
        "茗": (Kind.SYNONYM, "urn:tea", "zh"),
        "tea drink": (Kind.SYNONYM, "urn:tea", "en"),
    }
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("hownet")
@pytest.mark.parametrize(
    ("name", "narrower"),
    [("beverage", {"tea", "tea drink", "liquor", "rice wine"}), ("饮料", {"茶", "茗", "酒", "黄酒"}), ("酒", {"黄酒"})],
)
def test_hownet_gives_narrower_words_by_its_sememes(name: str, narrower: set[str]) -> None:
    drink = Concept("urn:drink", "class", (Label(name),))
    found = proposed("hownet", Ontology("drink.owl", "Turtle", None, {drink.iri: drink}, drink.iri))
    assert {term for term, one in found.items() if one.kind is Kind.NARROWER} == narrower


def test_hownet_without_its_data_says_where_they_belong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "OpenHowNet.py").write_text("class HowNetDict:\n    def __init__(self): print('lost')\n", "utf-8")
    monkeypatch.delitem(sys.modules, "OpenHowNet", raising=False)
    with pytest.raises(OntologyError) as lost:
        read("hownet")
    assert ".openhownet" in lost.value.cure
    monkeypatch.delitem(sys.modules, "OpenHowNet")


@pytest.mark.parametrize(("name", "library"), [("wordnet", "wn"), ("hownet", "OpenHowNet")])
def test_a_missing_library_is_told_with_its_cure(name: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(OntologyError) as missing:
        read(name)
    assert "pip install" in missing.value.cure


def test_a_file_that_is_no_source_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("just some notes", "utf-8")
    for name in ("notes.txt", "nowhere.txt"):
        with pytest.raises(OntologyError):
            read(tmp_path / name)


def test_words_that_the_ontology_has_are_not_proposed(tmp_path: Path) -> None:
    (tmp_path / "cilin.txt").write_text("Bh01A01= 茶 TEA 烏龍\n", "utf-8")
    assert set(proposed(tmp_path / "cilin.txt")) == {"烏龍"}
