"""What an ontology says, whatever syntax it was saved in: concepts, their names and how they hang together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

LabelKind = Literal["name", "synonym", "hidden", "related", "fragment"]
ConceptKind = Literal["class", "individual", "concept"]


@dataclass(frozen=True, slots=True)
class Label:
    """One name of a concept.

    `language` is a lower-case language tag or None. `kind`: `name` (rdfs:label, skos:prefLabel), `synonym` (exact),
    `hidden` (misspellings), `related` (broad, narrow and related synonyms), `fragment` (made from the IRI).
    """

    text: str
    language: str | None = None
    kind: LabelKind = "name"


@dataclass(frozen=True, slots=True)
class Concept:
    """A class, an individual or a SKOS concept (an IRI that is several of them is one concept).

    `parents`: subClassOf, type, broader. `same`: named classes that it is equivalent to. `related`: fillers of
    restrictions and object properties. `weight` and `layer` are the expert's `oc:weight` and `oc:layer`, None where not
    given. `excludes`: phrases in which its words mean something else (`oc:excludes`). `relations`: property and
    other concept, of those properties that have an `oc:relatedness`.
    """

    iri: str
    kind: ConceptKind = "class"
    labels: tuple[Label, ...] = ()
    parents: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    weight: float | None = None
    layer: int | None = None
    deprecated: bool = False
    same: tuple[str, ...] = ()
    excludes: tuple[Label, ...] = ()
    relations: tuple[tuple[str, str], ...] = ()

    @property
    def above(self) -> tuple[str, ...]:
        """What it is below: its parents, and what it is equivalent to, since each of two such is below the other."""
        return (*self.parents, *self.same) if self.same else self.parents

    @property
    def label(self) -> str:
        """The name to show: the first label, else the IRI."""
        return self.labels[0].text if self.labels else self.iri


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to tell the expert: a code (E101, W201, ...), where, what and its cure.

    See `ontology.inspection.checks`. `place`: the end of the message, where it names a culprit. `concepts`: the IRIs of
    those that it is about.
    """

    code: str
    message: str
    cure: str = ""
    line: int | None = None
    place: str = ""
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ontology:
    """All that was read from one file and what it imports. The three counts are of the file itself, imports aside.

    `relatedness`: property -> the fraction at which concepts count for each other that it relates (`oc:relatedness`).
    """

    path: str
    format: str
    iri: str | None = None
    concepts: Mapping[str, Concept] = field(default_factory=dict)
    topic: str | None = None
    classes: int = 0
    skos_concepts: int = 0
    individuals: int = 0
    imported: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    relatedness: Mapping[str, float] = field(default_factory=dict)
