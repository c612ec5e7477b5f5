"""Combines the facts of a file and its imports into concepts: classes, individuals, SKOS concepts, and their names."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ontology.concepts import Concept, ConceptKind, Finding, Label, LabelKind
from ontology.loading.label_words import fragment_words, lost_its_encoding, split_label
from ontology.messages import joined, message
from ontology.syntaxes.annotation_properties import (
    LANGUAGES_OF_ONTOLOGIES,
    OC,
    SKOS,
    SKOSXL,
    TOPIC,
    intended_mark,
    is_like_ours,
    namespace,
)
from ontology.syntaxes.file_facts import Facts, Many, add

_ORDER: Mapping[LabelKind, int] = {"name": 0, "synonym": 1, "related": 2, "hidden": 3, "fragment": 4}
_VOCABULARY = (*LANGUAGES_OF_ONTOLOGIES, SKOS, SKOSXL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_SHOWN = 5  # concepts named in a message; chosen


def assemble(files: Sequence[Facts], inferred: Iterable[tuple[str, str]] = ()) -> dict[str, Concept]:
    """Combine the files. The first is the one asked for; its weights and layers override those of imported files.

    `inferred`: (concept, parent) pairs found by a reasoner. A parent that no loaded file describes (because its import
    is missing) stays a bare IRI in `parents`.
    """
    together = _together(files)
    for child, parent in inferred:
        add(together.superclasses, child, parent)
    kinds = {iri: kind for iri, kind in _kinds(together).items() if _is_of_a_domain(iri, files[0])}
    related, relations = _related(together, kinds), _relations(together, kinds)
    concepts = (_concept(iri, kind, together, related, relations) for iri, kind in kinds.items())
    return {concept.iri: concept for concept in concepts if concept.labels or _is_declared(concept.iri, together)}


def _is_of_a_domain(iri: str, root: Facts) -> bool:
    """Whether the IRI is a concept of a domain. OWL's own classes are not; those of SKOS only if the SKOS vocabulary
    itself was asked for.
    """
    return not iri.startswith(_VOCABULARY) or (iri.startswith(SKOS) and iri in root.classes)


def _is_declared(iri: str, facts: Facts) -> bool:
    """Whether the IRI is declared or weighted, not only mentioned."""
    return any(iri in known for known in (facts.classes, facts.skos_concepts, facts.individuals, facts.weights))


def relatedness_of(files: Sequence[Facts]) -> dict[str, float]:
    """Property -> its `oc:relatedness`; the first file overrides those it imports."""
    return {prop: float(next(iter(values))) for file in reversed(files) for prop, values in file.relatedness.items()}


def count_individuals(file: Facts, concepts: Mapping[str, Concept]) -> int:
    """The number of named individuals of this one file. `concepts`: tells which of their types are classes."""
    typed = {iri for iri, types in file.types.items() if any(_is_class(name, concepts) for name in types)}
    return len((file.individuals.keys() | typed) & concepts.keys())


def _is_class(iri: str, concepts: Mapping[str, Concept]) -> bool:
    return iri in concepts and concepts[iri].kind == "class"


def _together(files: Sequence[Facts]) -> Facts:
    whole = Facts()
    for file in files:
        for name in ("classes", "skos_concepts", "individuals"):
            getattr(whole, name).update(getattr(file, name))
        for name in ("types", "superclasses", "broader", "related", "same"):
            _extend(getattr(whole, name), getattr(file, name))
        whole.properties |= file.properties
        whole.annotation_properties |= file.annotation_properties
        whole.deprecated |= file.deprecated
        whole.links += file.links
        for iri, labels in file.labels.items():
            whole.labels.setdefault(iri, []).extend(labels)
        for iri, phrases in file.excluded.items():
            whole.excluded.setdefault(iri, []).extend(phrases)
        whole.weights = {**file.weights, **whole.weights}
        whole.layers = {**file.layers, **whole.layers}
        whole.relatedness = {**file.relatedness, **whole.relatedness}
        whole.restrictions += file.restrictions
    return whole


def _extend(many: Many, more: Many) -> None:
    for key, values in more.items():
        many.setdefault(key, {}).update(values)


def _kinds(facts: Facts) -> dict[str, ConceptKind]:
    """The kind of each IRI; a class has precedence over a SKOS concept, and that over an individual."""
    classes = {**facts.classes, **_described(facts.superclasses), **_of_own_namespace(facts.types)}
    classes |= _of_own_namespace(facts.same)
    concepts = {**facts.skos_concepts, **_described(facts.broader)}
    domain = {name for name in classes if not name.startswith(_VOCABULARY)}
    typed = {iri: None for iri, types in facts.types.items() if not domain.isdisjoint(types)}
    individuals = {iri: None for iri in (*facts.individuals, *typed) if iri not in facts.properties}
    kinds: dict[str, ConceptKind] = {}
    ranked: tuple[tuple[dict[str, None], ConceptKind], ...]
    ranked = ((classes, "class"), (concepts, "concept"), (individuals, "individual"))
    for iris, kind in ranked:
        for iri in iris:
            kinds.setdefault(iri, kind)
    return kinds


def _described(above: Many) -> dict[str, None]:
    """The subjects and objects of a hierarchy."""
    return {**dict.fromkeys(above), **_of_own_namespace(above)}


def _of_own_namespace(above: Many) -> dict[str, None]:
    """Parents in the namespace of their children: in files written by hand, roots and classes are often not
    declared.
    """
    pairs = ((child, parent) for child, parents in above.items() for parent in parents)
    return {parent: None for child, parent in pairs if namespace(parent) == namespace(child)}


def _related(facts: Facts, kinds: Mapping[str, ConceptKind]) -> Many:
    related: Many = {}
    _extend(related, facts.related)
    for subject, prop, value in facts.links:
        # Protégé declares every property it finds: there skos:related is an annotation property, but still a relation.
        is_own = not prop.startswith(_VOCABULARY) and prop not in facts.annotation_properties
        if (is_own or prop == SKOS + "related") and subject in kinds and value in kinds:
            add(related, subject, value)
    return related


def _relations(facts: Facts, kinds: Mapping[str, ConceptKind]) -> dict[str, list[tuple[str, str]]]:
    """For each concept its relations by properties that have a relatedness, including annotation properties."""
    found: dict[str, list[tuple[str, str]]] = {}
    for subject, prop, value in (*facts.links, *facts.restrictions):
        if prop in facts.relatedness and subject in kinds and value in kinds and subject != value:
            found.setdefault(subject, []).append((prop, value))
    return found


def _concept(
    iri: str, kind: ConceptKind, facts: Facts, related: Many, relations: Mapping[str, Sequence[tuple[str, str]]]
) -> Concept:
    above = [*facts.superclasses.get(iri, ()), *facts.broader.get(iri, ())]
    # Some editors make each class an instance of itself (math-zh.ttl: 72 of 73); that is not a cycle.
    above += [parent for parent in facts.types.get(iri, ()) if parent != iri]
    weights, layers = facts.weights.get(iri), facts.layers.get(iri)
    return Concept(
        iri,
        kind,
        labels=labels_of(iri, facts.labels.get(iri, ())),
        parents=tuple(dict.fromkeys(parent for parent in above if not parent.startswith(_VOCABULARY))),
        related=tuple(name for name in related.get(iri, ()) if name != iri and not name.startswith(_VOCABULARY)),
        weight=float(next(iter(weights))) if weights else None,
        layer=int(next(iter(layers))) if layers else None,
        deprecated=iri in facts.deprecated,
        same=tuple(name for name in facts.same.get(iri, ()) if name != iri and not name.startswith(_VOCABULARY)),
        excludes=tuple(dict.fromkeys(facts.excluded.get(iri, ()))),
        relations=tuple(dict.fromkeys(relations.get(iri, ()))),
    )


def labels_of(iri: str, stated: Iterable[Label]) -> tuple[Label, ...]:
    """The names of one concept, best first: lists split, unreadable names dropped, with the words of the IRI if
    necessary.

    The words of the IRI are needed if no name is in Chinese, in English or untagged (pizza.owl: labels in Portuguese,
    English only in the IRIs).
    """
    labels = [
        Label(word, label.language, label.kind)
        for label in stated
        for word in split_label(label.text)
        if not lost_its_encoding(word)
    ]
    if not any(label.kind in ("name", "synonym") and _is_ours(label.language) for label in labels):
        labels += [Label(word, None, "fragment") for word in fragment_words(iri)]
    labels.sort(key=lambda label: (_ORDER[label.kind], not _is_ours(label.language)))
    best: dict[tuple[str, str | None], Label] = {}
    for label in labels:
        best.setdefault((label.text, label.language), label)
    return tuple(best.values())


def _is_ours(language: str | None) -> bool:
    return language is None or language.partition("-")[0] in ("zh", "en")


def label_findings(files: Iterable[Facts]) -> list[Finding]:
    """Warnings about empty labels, and about labels whose encoding was lost before they were saved."""
    stated = [(iri, label.text) for file in files for iri, labels in file.labels.items() for label in labels]
    empty = [iri for iri, text in stated if not text.strip()]
    lost = [iri for iri, text in stated if lost_its_encoding(text)]
    return [
        *_about(empty, "W105", message("empty label"), message("write the label or delete it")),
        *_about(
            lost,
            "W104",
            message("label of question marks alone (it lost its encoding)"),
            message("write the label again"),
        ),
    ]


def mark_findings(files: Sequence[Facts], concepts: Mapping[str, Concept]) -> list[Finding]:
    """Warnings about annotations that look like ours but are not: a weight that was meant does not count."""
    stated: dict[str, dict[str, None]] = {}
    for file in files:
        for iri, prop, value in file.misnamed:
            if _is_meant(iri, prop, value, file, concepts):
                stated.setdefault(prop, {})[iri] = None
    return [finding for prop, iris in stated.items() for finding in _about(list(iris), "W108", *_misnamed(prop))]


def _is_meant(iri: str, prop: str, value: str, file: Facts, concepts: Mapping[str, Concept]) -> bool:
    """Whether a similar annotation was meant as ours: a number on a class, or a concept named as the file's topic. A
    number on an individual (the weight of one laptop) was not.
    """
    if is_like_ours(prop):
        return True
    if intended_mark(prop) == TOPIC:
        return iri in ("", file.iri) and value in concepts
    return iri in concepts and concepts[iri].kind != "individual" and _NUMBER.fullmatch(value.strip()) is not None


def _misnamed(prop: str) -> tuple[str, str]:
    what = message("<{prop}> looks like an annotation of ontocrawl, but is none, and does not count", prop=prop)
    mark = intended_mark(prop) or OC
    if mark == OC:
        return what, message(
            "there are oc:weight, oc:layer, oc:topic, oc:excludes and oc:relatedness, where oc: is {oc}", oc=OC
        )
    return what, message("use oc:{name}, whose whole IRI is {mark}", name=mark.removeprefix(OC), mark=mark)


def _about(iris: list[str], code: str, what: str, cure: str) -> list[Finding]:
    concepts = tuple(dict.fromkeys(iris))
    more = message(" and {number} more", number=len(concepts) - _SHOWN) if len(concepts) > _SHOWN else ""
    place = message("{names}{more}", names=joined(concepts[:_SHOWN]), more=more)
    return (
        [Finding(code, message("{what}: {place}", what=what, place=place), cure, None, place, concepts)]
        if concepts
        else []
    )
