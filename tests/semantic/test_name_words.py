"""The words of names as weak evidence for ontologies with few words."""

import pytest
from miniature import LEXICON, TOPIC, page

from ontology.lexicon.lexicon import Lexicon, Sense, Word, build_lexicon
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import Topic, build_topic
from semantic.page import Position
from semantic.strategies.strategy_table import build_understanding
from semantic.terms.bag_of_words import WordReader
from semantic.terms.name_words import MANY, PREFIX, SHARE, with_name_words

LAW, HEALTH, CLOUD = "urn:Law", "urn:Health", "urn:Cloud"
OTHER = page((Position.OTHER, "The weather of yesterday was rather fine for the season. " * 20))


def lexicon_of(*words: Word) -> Lexicon:
    return Lexicon(words, {word.text: (number,) for number, word in enumerate(words)})


def named(text: str, concept: str, language: str = "en") -> Word:
    return Word(text, language, (Sense(concept, 0, ((concept, 0),)),))


TWO = lexicon_of(named("public health law", LAW), named("health", HEALTH))
WEIGHTS = Topic(None, "law", {LAW: 1.0, HEALTH: 0.5}, {})


def widened(topic: Topic, lexicon: Lexicon) -> tuple[Topic, Lexicon]:
    return with_name_words(topic, lexicon, WordReader().count)


def added(topic: Topic) -> dict[str, float]:
    return {name.removeprefix(PREFIX): weight for name, weight in topic.weights.items() if name.startswith(PREFIX)}


def test_each_word_of_a_name_counts_less_than_it():
    topic, lexicon = widened(WEIGHTS, TWO)
    assert added(topic) == pytest.approx({"law": SHARE, "public": SHARE})  # "health" is a name itself
    assert [word.text for word in lexicon.words] == ["public health law", "health", "law", "public"]
    assert "laws" in lexicon.forms


def test_names_of_hyponyms_and_layers_count_whole_only():
    topic, _ = widened(TOPIC, LEXICON)
    assert added(topic).keys() == {"jet"}  # not of F-22, catalogue, portal


def test_chinese_names_are_cut_into_words():
    cloud = lexicon_of(named("容器技术", CLOUD, "zh"))
    topic, _ = widened(Topic(None, "", {CLOUD: 1.0}, {}), cloud)
    assert added(topic).keys() == {"容器", "技术"}


def test_they_count_less_the_more_words_there_are():
    more = lexicon_of(*(named(f"public health law {number}", LAW) for number in range(3 * MANY // 4)))
    assert added(widened(WEIGHTS, more)[0])["public"] == pytest.approx(SHARE / 2)


def test_an_ontology_of_many_words_stays_as_it_is():
    many = lexicon_of(*(named(f"public health law {number}", LAW) for number in range(MANY)))
    assert widened(WEIGHTS, many) == (WEIGHTS, many)


def test_pages_with_words_of_names_mention_no_concept(tmp_path):
    file = tmp_path / "law.ttl"
    file.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<urn:law> a owl:Ontology . <urn:Law> a owl:Class ; rdfs:label "public health law"@en .\n'
    )
    ontology = read_ontology(file)
    topic = build_topic(ontology)
    understanding = build_understanding("fused", topic, build_lexicon(ontology, topic))
    whole = page((Position.OTHER, "The public health law of the city. " * 5), url="http://example.org/whole")
    parts = page((Position.OTHER, "The health of the public, and who cares. " * 5), url="http://example.org/parts")
    frames = [understanding.analyst.frame(one) for one in (whole, parts, OTHER)]
    found = understanding.understand_frames(frames)
    assert [[mention.concept for mention in one.frame.mentions] for one in found] == [["urn:Law"], [], []]
    first, second, last = (one.relevance for one in found)
    assert first.score > second.score > last.score == 0
    assert [(reason.kind, reason.concept) for reason in second.reasons] == [("words of names", "")]
    assert sorted(second.reasons[0].evidence) == ["health ×5", "public ×5"]
