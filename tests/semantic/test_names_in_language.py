"""Names that concepts lack in the pages' language: by brackets, by a dictionary, by meaning."""

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np
from test_suggestions import page, topic

from ontology.concepts import Label, Ontology
from ontology.inspection.concept_captions import Captions
from ontology.lexicon.lexicon import build_lexicon
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Kind, Proposal
from ontology.proposals.proposals_owl import evidence_texts
from ontology.thesauri.entries import Entry, Wanted
from ontology.topic import build_topic
from semantic.candidates.own_text import ReadPage
from semantic.languages.sentence_encoder import SentenceEncoder, Vectors
from semantic.proposals.composed_names import composed
from semantic.proposals.names_in_language import Dictionary, NameSearch, best, language_of_most, wanting

CONTAINERS = topic(
    {"Root": ["container"], "Engine": ["container engine"], "Image": ["base image"]},
    {"Engine": "Root", "Image": "Root"},
)
DAYS = ["今天", "昨天", "去年", "上周"]
ON = [
    "{day}我们在服务器上运行容器。一个容器（container）里只有一个进程，这样的容器启动很快。",
    "{day}发布的容器引擎负责启动容器。基础镜像保存在本地。我们有容器引擎，基础镜像。",
]
OFF = ["{day}港口的集装箱堆满了码头，工人们很忙。", "{day}的天气很好，花园里的苹果熟了。"]


def chinese() -> list[ReadPage]:
    """Pages of as many hosts."""
    return [
        page(f"http://{kind}{place}{number}.example/", f"<p>{text.format(day=day)}</p>", on_topic=kind == "on")
        for number, day in enumerate(DAYS)
        for kind, texts in (("on", ON), ("off", OFF))
        for place, text in enumerate(texts)
    ]


def proposed(
    ontology: Ontology,
    pages: Sequence[ReadPage],
    dictionary: Dictionary | None = None,
    encoder: SentenceEncoder | None = None,
) -> dict[str | None, list[Proposal]]:
    """The proposals by concept."""
    about = build_topic(ontology)
    language, _ = language_of_most(pages)
    search = NameSearch(build_lexicon(ontology, about), pages, language)
    found: dict[str | None, list[Proposal]] = {}
    for one in search.proposals(best(search.connected(wanting(ontology, about, language), dictionary, encoder))):
        found.setdefault(one.concept, []).append(one)
    return found


def dictionary(wanted: Wanted) -> list[Entry]:
    known = {"container": ["集装箱", "容器"], "engine": ["引擎", "发动机"]}
    return [
        Entry(word=word, kind=Kind.SYNONYM, term=term, language="zh", text=f"{term} /{word}/", place="list:1")
        for word, terms in known.items()
        for term in terms
        if word in wanted
    ]


class FakeEncoder:
    """The base image and 基础镜像 point in one direction, all other texts each in its own."""

    languages = frozenset({"en", "zh"})

    def encode(self, texts: Sequence[str]) -> Vectors:
        same = {same_word_key("base image"), "基础镜像"}
        rows = [0 if same_word_key(text) in same else 1 + crc32(text.encode()) % 997 for text in texts]
        return np.eye(998, dtype=np.float32)[rows]


def test_what_stands_before_a_bracketed_name_is_a_name() -> None:
    (found,) = proposed(CONTAINERS, chinese())["Root"]
    assert (found.term, found.language, found.kind) == ("容器", "zh", Kind.SYNONYM)
    assert (found.evidence.bracketed, found.evidence.parts) == (4, 0)
    assert "容器（container）" in found.evidence.sentences[0].text


def test_pages_tell_the_senses_of_a_word_apart() -> None:
    found = proposed(CONTAINERS, chinese(), dictionary)
    assert [one.term for one in found["Root"]] == ["容器"]
    assert found["Root"][0].evidence.parts == 1


def test_a_name_is_put_together_of_its_parts() -> None:
    found = proposed(CONTAINERS, chinese(), dictionary)
    assert [(one.term, one.evidence.parts) for one in found["Engine"]] == [("容器引擎", 2)]


def test_a_term_near_in_meaning_is_a_name() -> None:
    assert "Image" not in proposed(CONTAINERS, chinese(), dictionary)
    (found,) = proposed(CONTAINERS, chinese(), dictionary, FakeEncoder())["Image"]
    assert (found.term, found.evidence.closeness) == ("基础镜像", 1.0)
    assert any("1.00" in text for text in evidence_texts(found, Captions(CONTAINERS)))


def test_english_pages_name_a_chinese_concept() -> None:
    texts = [
        "This is how a {day} firewall (防火墙) filters the packets that come from the network. The firewall has rules.",
        "We ate the {day} apples that were in the garden, and then we went home because it was late.",
    ]
    pages = [
        page(f"http://{place}{number}.example/", f"<p>{2 * text.format(day=day)}</p>", on_topic=not place)
        for number, day in enumerate(["red", "green", "blue", "white"])
        for place, text in enumerate(texts)
    ]
    found = proposed(topic({"Root": ["防火墙"]}, {}), pages)
    assert [(one.term, one.language) for one in found["Root"]] == [("firewall", "en")]


def test_without_results_or_articles_nothing_is_proposed() -> None:
    off = [replace(one, on_topic=False) for one in chinese()]
    listings = [replace(one, is_listing=True) for one in chinese()]
    assert not proposed(CONTAINERS, off, dictionary, FakeEncoder())
    assert not proposed(CONTAINERS, listings, dictionary, FakeEncoder())


def test_concepts_with_a_name_in_the_language_want_none() -> None:
    both = topic({"Root": ["container"], "Engine": ["container engine", "容器引擎"]}, {"Engine": "Root"})
    assert list(wanting(both, build_topic(both), "zh")) == ["Root"]
    assert not wanting(both, build_topic(both), "en")
    assert wanting(both, build_topic(both), "de") == {
        "Root": [Label("container")],
        "Engine": [Label("container engine"), Label("容器引擎")],
    }


def test_parts_without_translation_stay_beside_translated_ones() -> None:
    known = {("image",): [("镜像",), ("图像",)], ("base", "image"): [("基础", "镜像")]}
    assert composed(("docker", "image"), known) == {("docker", "镜像"): 2, ("docker", "图像"): 2}
    assert composed(("base", "image"), known)[("基础", "镜像")] == 1
    assert not composed(("docker",), known)
