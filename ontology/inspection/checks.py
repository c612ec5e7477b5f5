"""Checks of an ontology as a topic: a table of coded findings, each with what to do.

E: an error; the ontology cannot steer a crawl. W1..: found while reading (`ontology.loading.ontology_reader`). W2..:
about the topic. W3..: found by means of a crawl (`cli.ontologies.crawl_checks`). Each is explained in docs/checks.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter

from ontology.concepts import Concept, Finding, Ontology
from ontology.errors import OntologyError
from ontology.inspection.concept_captions import Captions, and_more
from ontology.inspection.label_checks import (
    in_another_language,
    is_in_every_text,
    is_out_of_use,
    unnamed,
    without_label,
    wrong_tags,
)
from ontology.lexicon.hypernyms import over
from ontology.lexicon.lexicon import Lexicon, build_lexicon, found_instead
from ontology.lexicon.surface_forms import same_word_key
from ontology.messages import SEMICOLON, Message, joined, message
from ontology.topic import Topic, below, build_topic, meant_topic


@dataclass(frozen=True, slots=True)
class Material:
    """The input of a check. `lexicon`: None if there is no word. `topic`: ignores an invalid `oc:topic`.

    `common`: Chinese characters that occur in every text.
    """

    ontology: Ontology
    topic: Topic
    lexicon: Lexicon | None
    common: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a finding: some concepts, with text before, between and after their names."""

    concepts: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    between: str = ", "

    def text(self, captions: Captions) -> str:
        """The place in words."""
        named = captions.of_all(self.concepts, self.between)
        return message("{before}{named}{after}", before=self.before, named=named, after=self.after)


@dataclass(frozen=True, slots=True)
class Rule:
    """A check. `what` and `cure`: for the expert. `places`: finds the places; None if the reader or a crawl does
    that.
    """

    what: str
    cure: str
    places: Callable[[Material], Iterable[Place]] | None = None


def check(
    ontology: Ontology, common: Set[str] = frozenset(), *, iris: bool = False, language: str | None = None
) -> tuple[Finding, ...]:
    """All findings, errors first: those of the reader, then those of each rule in RULES.

    `common`: Chinese characters that are not useful as labels. `iris`, `language`: see `Captions`.
    """
    material, captions = _material(ontology, common), Captions(ontology, iris=iris, language=language)
    met = (_called(finding, captions) for finding in ontology.findings)
    known = {finding.code for finding in ontology.findings}
    found = [
        finding_at(code, place, captions)
        for code, rule in RULES.items()
        if rule.places is not None and code not in known and (material.lexicon or code in OF_NO_WORD)
        for place in rule.places(material)
    ]
    return tuple(sorted((*met, *found), key=lambda finding: finding.code))


def _called(finding: Finding, captions: Captions) -> Finding:
    """A finding of the reader, which only knows IRIs, with labels in its message."""
    if not finding.concepts:
        return finding
    place = captions.of_all(finding.concepts)
    return replace(finding, message=_with_place(finding, place), place=place)


def _with_place(finding: Finding, place: str) -> str:
    """The message of a finding with another place."""
    if isinstance(finding.message, Message) and "place" in finding.message.values:
        return message(finding.message.template, **{**finding.message.values, "place": place})
    return finding.message.removesuffix(finding.place) + place


def finding_at(code: str, place: Place, captions: Captions) -> Finding:
    """The finding of a rule at one place."""
    rule, text = RULES[code], place.text(captions)
    said = message("{what}: {place}", what=message(rule.what), place=text) if text else message(rule.what)
    return Finding(code, said, message(rule.cure), place=text, concepts=place.concepts)


def summed(findings: Iterable[Finding], shown: int) -> list[Finding]:
    """The findings, with many warnings of one code combined into one that names the first few."""
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    is_whole = {code: code.startswith("E") or len(same) <= shown for code, same in by_code.items()}
    return [each for code, same in by_code.items() for each in (same if is_whole[code] else [_sum(same, shown)])]


def _sum(same: list[Finding], shown: int) -> Finding:
    first = same[0]
    placed = all(each.place for each in same)
    named = joined((each.place if placed else each.message for each in same[:shown]), SEMICOLON)
    whole = message("{named}{more}", named=named, more=and_more(tuple(same), shown))
    return replace(first, message=_with_place(first, whole) if placed else whole, line=None)


def usable_topic(ontology: Ontology) -> Topic:
    """The topic; an invalid `oc:topic` is ignored."""
    try:
        return build_topic(ontology)
    except OntologyError:
        return build_topic(replace(ontology, topic=None))


def _material(ontology: Ontology, common: Set[str]) -> Material:
    topic = usable_topic(ontology)
    try:
        return Material(ontology, topic, build_lexicon(ontology, topic), common)
    except OntologyError:
        return Material(ontology, topic, None, common)


def _each(iris: Iterable[str]) -> Iterator[Place]:
    return (Place((iri,)) for iri in iris)


def _no_word(material: Material) -> Iterator[Place]:
    if material.lexicon is None:
        yield Place(before=message("it has {found}", found=found_instead(material.ontology)))


def _topic_names_nothing(material: Material) -> Iterator[Place]:
    topic = material.ontology.topic
    if topic is not None and topic not in material.ontology.concepts:
        near = meant_topic(material.ontology)
        yield Place((topic,), after=message("; did you mean <{iri}>? Write it whole", iri=near) if near else "")


def _no_word_counts(material: Material) -> Iterator[Place]:
    if material.lexicon and not any(sense.features for word in material.lexicon.words for sense in word.senses):
        yield Place()


def _cycle(material: Material) -> Iterator[Place]:
    concepts = material.ontology.concepts
    above = {iri: [p for p in concept.parents if p in concepts and p != iri] for iri, concept in concepts.items()}
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        yield Place(tuple(error.args[1]), between=" -> ")


def _word_of_two(material: Material) -> Iterator[Place]:
    """Words of several concepts, those in the languages of pages first, because only the first few are shown."""
    shared = [word for word in (material.lexicon.words if material.lexicon else ()) if len(word.senses) > 1]
    for word in sorted(shared, key=lambda word: (word.language or "en").partition("-")[0] not in ("en", "zh")):
        yield Place(tuple(sense.concept for sense in word.senses), f"{word.text} (", ")")


def _several_roots(material: Material) -> Iterator[Place]:
    concepts = material.ontology.concepts
    roots = dict.fromkeys(
        iri for iri in material.topic.weights if not any(p in concepts for p in concepts[iri].parents if p != iri)
    )
    for iri in list(roots):
        if iri in roots:  # of equivalent classes only the first counts
            roots = {each: None for each in roots if each == iri or each not in concepts[iri].same}
    if material.topic.iri is None and not any(True for _ in _weighted(material)) and len(roots) > 1:
        yield Place(tuple(roots), message("{number}, such as ", number=len(roots)))


def _feature_without_word(material: Material) -> Iterator[Place]:
    words = material.lexicon.words if material.lexicon else ()
    named = (sense.concept for word in words for sense in word.senses)
    counted = over(named, _above(material))
    return _each(iri for iri in material.topic.weights if iri not in counted)


def _above(material: Material) -> dict[str, tuple[str, ...]]:
    return {iri: concept.above for iri, concept in material.ontology.concepts.items()}


def _layer_below_feature(material: Material) -> Iterator[Place]:
    under = set(below(material.ontology, material.topic.weights))
    return _each(iri for iri in material.topic.layers if iri in under)


def _weight_of_zero(material: Material) -> Iterator[Place]:
    return _each(concept.iri for concept in _weighted(material) if _weight(concept) == 0)


def _no_topic(material: Material) -> Iterator[Place]:
    if material.ontology.topic is None and any(True for _ in _weighted(material)):
        yield Place()


def _deprecated_feature(material: Material) -> Iterator[Place]:
    return _each(concept.iri for concept in material.ontology.concepts.values() if _is_chosen(concept, material))


def _deprecated(material: Material) -> Iterator[Place]:
    concepts = material.ontology.concepts.values()
    return _each(each.iri for each in concepts if each.deprecated and not _is_chosen(each, material))


def _is_chosen(concept: Concept, material: Material) -> bool:
    return concept.deprecated and (concept.weight is not None or concept.iri == material.ontology.topic)


def _weight_outside_topic(material: Material) -> Iterator[Place]:
    inside = _inside(material)
    return _each(concept.iri for concept in _weighted(material) if inside and concept.iri not in inside)


def _outside_topic(material: Material) -> Iterator[Place]:
    inside = _inside(material)
    inside |= over(material.topic.layers, _above(material)) if inside else set()
    words = material.lexicon.words if material.lexicon else ()
    inside |= {sense.concept for word in words for sense in word.senses if sense.related}
    others = (each for each in material.ontology.concepts.values() if inside and each.iri not in inside)
    return _each(each.iri for each in others if _could_count(each))


def _could_count(concept: Concept) -> bool:
    """Whether a concept would be a feature inside the topic; those with a weight have a rule of their own."""
    return concept.kind != "individual" and concept.weight is None and not concept.deprecated


def _inside(material: Material) -> set[str]:
    root = material.topic.iri
    return set() if root is None else set(below(material.ontology, [root]))


def _odd_layer(material: Material) -> Iterator[Place]:
    for concept in material.ontology.concepts.values():
        if concept.layer is not None and concept.layer not in (1, 2):
            yield Place((concept.iri,), after=f" ({concept.layer})")


def _unnamed(material: Material) -> Iterator[Place]:
    return _each(unnamed(material.ontology))


def _without_label(material: Material) -> Iterator[Place]:
    return _each(without_label(material.ontology))


def _in_another_language(material: Material) -> Iterator[Place]:
    for iri, label in in_another_language(material.ontology):
        yield Place((iri,), message('"{text}"@{language} of ', text=label.text, language=label.language))


def _wrong_tag(material: Material) -> Iterator[Place]:
    return (Place(tuple(iris), message("{tag} at ", tag=tag)) for tag, iris in wrong_tags(material.ontology).items())


def _in_every_text(material: Material) -> Iterator[Place]:
    for word in material.lexicon.words if material.lexicon else ():
        if word.senses and is_in_every_text(word.text, material.common):
            yield Place(tuple(sense.concept for sense in word.senses), message("{word}, of ", word=word.text))


def _out_of_use(material: Material) -> Iterator[Place]:
    return _each(concept.iri for concept in material.ontology.concepts.values() if is_out_of_use(concept))


def _idle_exclusion(material: Material) -> Iterator[Place]:
    """Excluded phrases without effect: those that contain no word of the ontology, or are a word themselves."""
    naming = (word for word in (material.lexicon.words if material.lexicon else ()) if word.senses)
    words = {same_word_key(word.text) for word in naming}
    for concept in material.ontology.concepts.values():
        for phrase in concept.excludes:
            key = same_word_key(phrase.text)
            if key in words or not any(word in key for word in words):
                yield Place((concept.iri,), message("{word}, at ", word=phrase.text))


def _idle_relatedness(material: Material) -> Iterator[Place]:
    """Relatedness without effect: on a property that relates no concepts, or 0."""
    used = {prop for concept in material.ontology.concepts.values() for prop, _ in concept.relations}
    for prop, fraction in material.ontology.relatedness.items():
        if prop not in used or not fraction:
            yield Place(before=message("{fraction:g} at <{prop}>", fraction=fraction, prop=prop))


def _weighted(material: Material) -> Iterator[Concept]:
    return (concept for concept in material.ontology.concepts.values() if concept.weight is not None)


def _weight(concept: Concept) -> float:
    return 0.0 if concept.weight is None else concept.weight


TOPIC_CURE = message(
    "let oc:topic name the root class; in Protégé: tab Active ontology, Annotations +, oc:topic, tab Entity IRI"
)
OF_NO_WORD = ("E101", "E102")
"""The only findings reported for an ontology without words; all others would just follow from that."""

RULES: Mapping[str, Rule] = {
    "E101": Rule("no word at all", "give the classes an rdfs:label, or put missing imports beside the file", _no_word),
    "E102": Rule(
        "oc:topic names nothing in this file",
        "let it name the root class of the topic; in Protégé: tab Active ontology, edit the annotation oc:topic, tab "
        "Entity IRI",
        _topic_names_nothing,
    ),
    "E103": Rule("a number that cannot be used", "write a number such as 0.5 at the annotation, as the message says"),
    "E104": Rule(
        "no word counts for a feature", "give labels to the classes with oc:weight, or to those below", _no_word_counts
    ),
    "W101": Rule("missing import", "put its file into the same folder, or name it in catalog-v001.xml"),
    "W102": Rule("bytes that are not text", "save the file as UTF-8"),
    "W103": Rule("imported file or catalog that cannot be read", "save it again from Protégé, or delete it"),
    "W104": Rule("label that lost its encoding", "write the label again"),
    "W105": Rule("empty label", "write the label or delete it"),
    "W106": Rule("OBO file that was read line by line", "fix the line if terms are missing"),
    "W107": Rule("N-Triples with an error, read as Turtle", "fix the line, or rename it to .ttl"),
    "W108": Rule(
        "an annotation that looks like one of ontocrawl and is none", "use its whole IRI, see docs/ontologies.md"
    ),
    "W109": Rule("language tag that is none", "write a tag such as en, zh or zh-CN, with a hyphen"),
    "W110": Rule("parts of a file that were left out or mended", "mend that line"),
    "W201": Rule("classes below each other in a circle", "take out one rdfs:subClassOf or skos:broader", _cycle),
    "W202": Rule(
        "one word of several concepts, it counts for each", "make one class of them, or the labels longer", _word_of_two
    ),
    "W203": Rule("several roots and no oc:topic, every class counts", TOPIC_CURE, _several_roots),
    "W204": Rule(
        "feature that no word counts for", "give it a label in the language of the pages", _feature_without_word
    ),
    "W205": Rule(
        "oc:layer below a feature, it counts for both", "move it under a root of its own", _layer_below_feature
    ),
    "W206": Rule(
        "weight 0, it is no feature",
        "write a weight above 0, or take it out; in Protégé: the o or x beside the annotation oc:weight of the class",
        _weight_of_zero,
    ),
    "W207": Rule("oc:weight but no oc:topic, all of them count", TOPIC_CURE, _no_topic),
    "W208": Rule(
        "deprecated, but with weight or topic; its words are left out", "use what replaces it", _deprecated_feature
    ),
    "W209": Rule("oc:weight outside the topic, it does not count", "move it below oc:topic", _weight_outside_topic),
    "W210": Rule("oc:layer is neither 1 nor 2", "write 1 (one link before a target) or 2", _odd_layer),
    "W211": Rule(
        "no label, it has the words of its IRI at most",
        "give it an rdfs:label with its language; in Protégé: select it, Annotations +, rdfs:label, field Lang",
        _unnamed,
    ),
    "W212": Rule(
        "Chinese with the tag of another language",
        "tag it zh (or zh-Hans, zh-Hant); in Protégé: the o beside the label, field Lang",
        _in_another_language,
    ),
    "W213": Rule(
        "no such language",
        "write zh for Chinese, en for English, or no tag; in Protégé: the o beside the label, field Lang",
        _wrong_tag,
    ),
    "W214": Rule("word that stands in nearly every text", "write a longer label, or delete it", _in_every_text),
    "W215": Rule("named as out of use, but its words count", "set owl:deprecated, or delete it", _out_of_use),
    "W216": Rule("deprecated, its words are left out", "nothing, or delete it", _deprecated),
    "W217": Rule("outside the topic, it counts for nothing", "nothing, or move it below oc:topic", _outside_topic),
    "W218": Rule(
        "oc:excludes that changes nothing: a name of a concept, or without a word of the ontology in it",
        "delete it, or write a longer phrase in which such a word stands",
        _idle_exclusion,
    ),
    "W219": Rule(
        "oc:relatedness that changes nothing: 0, or not at a property that relates two concepts",
        "write it at the property itself, as a number above 0 such as 0.5, or delete it",
        _idle_relatedness,
    ),
    "W220": Rule(
        "a synonym and no label, the synonym is shown as its name",
        "give it an rdfs:label; in Protégé: select it, Annotations +, rdfs:label, field Lang",
        _without_label,
    ),
    "W301": Rule(
        "word that stands mostly on pages off topic",
        "delete it, write a longer one, or oc:excludes with the phrases in which it misleads",
    ),
    "W302": Rule("feature whose words say little about a page", "lower its oc:weight, or give it narrower words"),
    "W303": Rule(
        "word of several concepts, which counts for each", "leave it to the one that pages mean, or make it longer"
    ),
    "W304": Rule(
        "concept that no page of the crawl says", "give it the words of the pages, or leave it: more may come"
    ),
    "W305": Rule("word that no page of the crawl says", "nothing, or write it as pages do"),
}
