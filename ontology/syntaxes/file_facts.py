"""The statements of one file, before they are combined with those of imported files. Every reader produces this
form.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from ontology.concepts import Label, LabelKind
from ontology.syntaxes.annotation_properties import (
    DEPRECATED_TYPES,
    EXCLUDES,
    LAYER,
    OWL,
    RDF,
    RDFS,
    RELATEDNESS,
    SKOS,
    TOPIC,
    WEIGHT,
    intended_mark,
    label_kind,
    says_deprecated,
)

_CLASS_TYPES = frozenset({OWL + "Class", RDFS + "Class"})
_PROPERTY_ENDING = "Property"  # owl:ObjectProperty, rdf:Property, owl:TransitiveProperty, ...


ExpressionKind = Literal["named", "all", "any", "one", "filler"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A class expression. `named`: one class; `all`, `any`, `one`: intersection, union or enumeration of the parts;
    `filler`: the filler of a restriction.

    `iri`: of a named class; for a restriction, of its property, if it has one.
    """

    kind: ExpressionKind
    iri: str = ""
    parts: tuple["Expression", ...] = ()

    def names(self) -> list[str]:
        """Every class or individual named anywhere inside."""
        return [self.iri] if self.kind == "named" else [name for part in self.parts for name in part.names()]

    def fillers(self) -> list[tuple[str, str]]:
        """The property and a named class of each restriction anywhere inside."""
        found = [pair for part in self.parts for pair in part.fillers()]
        if self.kind == "filler" and self.iri:
            found += [(self.iri, part.iri) for part in self.parts if part.kind == "named"]
        return found


Many = dict[str, dict[str, None]]
"""Several values for each key, each once, in the order of the file."""


@dataclass(slots=True)
class Facts:
    """The statements of one file, by the IRI they are about, in the file's order. Filled while the file is read."""

    iri: str | None = None
    version: str | None = None
    topic: str | None = None
    imports: list[str] = field(default_factory=list)
    classes: dict[str, None] = field(default_factory=dict)
    skos_concepts: dict[str, None] = field(default_factory=dict)
    individuals: dict[str, None] = field(default_factory=dict)
    properties: set[str] = field(default_factory=set)
    annotation_properties: set[str] = field(default_factory=set)
    types: Many = field(default_factory=dict)
    superclasses: Many = field(default_factory=dict)
    broader: Many = field(default_factory=dict)
    related: Many = field(default_factory=dict)
    links: list[tuple[str, str, str]] = field(default_factory=list)
    labels: dict[str, list[Label]] = field(default_factory=dict)
    weights: Many = field(default_factory=dict)
    layers: Many = field(default_factory=dict)
    relatedness: Many = field(default_factory=dict)
    restrictions: list[tuple[str, str, str]] = field(default_factory=list)
    same: Many = field(default_factory=dict)
    excluded: dict[str, list[Label]] = field(default_factory=dict)
    misnamed: list[tuple[str, str, str]] = field(default_factory=list)
    deprecated: set[str] = field(default_factory=set)
    label_properties: dict[str, LabelKind] = field(default_factory=dict)
    statements: int = 0
    used: Counter[str] = field(default_factory=Counter)

    def add_type(self, iri: str, kind: str) -> None:
        """Add `iri rdf:type kind`."""
        if kind in _CLASS_TYPES:
            self.classes[iri] = None
        elif kind == SKOS + "Concept":
            self.skos_concepts[iri] = None
        elif kind in (OWL + "NamedIndividual", OWL + "Thing"):
            self.individuals[iri] = None
        elif kind == OWL + "Ontology":
            self.iri = self.iri or iri
        elif kind.startswith("http://www.w3.org/") and kind.endswith(_PROPERTY_ENDING):
            self.properties.add(iri)
            if kind == OWL + "AnnotationProperty":
                self.annotation_properties.add(iri)
        elif kind in DEPRECATED_TYPES:
            self.superclasses.setdefault(iri, {})
            self.deprecated.add(iri)
        else:
            add(self.types, iri, kind)

    def annotate(self, iri: str, prop: str, value: str, language: str | None = None) -> None:
        """Add an annotation whose value is a text: a label, a weight, a layer, a deprecation; others are ignored."""
        kind = self.label_properties.get(prop) or label_kind(prop)
        if kind is not None:
            self.add_label(iri, value, language, kind)
        elif prop == TOPIC:
            self._add_header(iri, prop, value)
        elif prop == WEIGHT:
            add(self.weights, iri, value)
        elif prop == LAYER:
            add(self.layers, iri, value)
        elif prop == RELATEDNESS:
            add(self.relatedness, iri, value)
        elif prop == EXCLUDES:
            self.excluded.setdefault(iri, []).append(Label(value, language.lower() if language else None))
        elif says_deprecated(prop, value):
            self.deprecated.add(iri)
        elif intended_mark(prop):
            self.misnamed.append((iri, prop, value))

    def add_link(self, iri: str, prop: str, value: str) -> None:
        """Add a statement whose value is an IRI: a type, a broader concept, an import, or another relation."""
        if prop == RDF + "type":
            self.add_type(iri, value)
        elif prop == SKOS + "broader":
            add(self.broader, iri, value)
        elif prop == SKOS + "narrower":
            add(self.broader, value, iri)
        elif prop in (OWL + "imports", OWL + "versionIRI", TOPIC):
            self._add_header(iri, prop, value)
        elif prop in (WEIGHT, LAYER, RELATEDNESS):
            self.annotate(iri, prop, value)
        else:
            self.links.append((iri, prop, value))
            if intended_mark(prop):
                self.misnamed.append((iri, prop, value))

    def _add_header(self, iri: str, prop: str, value: str) -> None:
        self.iri = iri  # a file may also declare other files as owl:Ontology, but only its own has these properties
        if prop == TOPIC:
            self.topic = value
        elif prop == OWL + "versionIRI":
            self.version = value
        else:
            self.imports.append(value)

    def add_label(self, iri: str, text: str, language: str | None, kind: LabelKind) -> None:
        """Add a label as written in the file."""
        self.labels.setdefault(iri, []).append(Label(text, language.lower() if language else None, kind))
        if kind == "name" and text.lower().startswith("obsolete "):
            self.deprecated.add(iri)

    def add_superclass(self, iri: str, above: Expression) -> None:
        """Put the class below the expression: named classes are parents, fillers of restrictions are related."""
        self.superclasses.setdefault(iri, {})
        if above.kind == "named":
            add(self.superclasses, iri, above.iri)
            if above.iri in DEPRECATED_TYPES:
                self.deprecated.add(iri)
        elif above.kind == "all":
            for part in above.parts:
                self.add_superclass(iri, part)
        else:
            for name in above.names():
                add(self.related, iri, name)
            self.restrictions += [(iri, prop, name) for prop, name in above.fillers()]

    def add_equivalent(self, iri: str, same: Expression) -> None:
        """Make the class equivalent to the expression. An equivalent named class stays a separate class.

        Measured: most such pairs lead to other vocabularies (DBpedia to schema.org) that the file does not describe.
        """
        if same.kind == "named":
            add(self.same, iri, same.iri)
            add(self.same, same.iri, iri)
        elif same.kind == "any":
            for name in (part.iri for part in same.parts if part.kind == "named"):
                add(self.superclasses, name, iri)
        elif same.kind == "one":
            for name in same.names():
                add(self.types, name, iri)
        else:
            self.add_superclass(iri, same)

    def add_subproperty(self, prop: str, above: str) -> None:
        """Add a subproperty; below a property that gives labels, it gives labels too."""
        kind = label_kind(above)
        if kind is not None and label_kind(prop) is None:
            self.label_properties[prop] = kind


def add(many: Many, key: str, value: str) -> None:
    """Add a value to a key."""
    many.setdefault(key, {})[value] = None
