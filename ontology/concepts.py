"""The content of an ontology, independent of its syntax: concepts, their labels and relations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

LabelKind = Literal["name", "synonym", "hidden", "related", "fragment"]
ConceptKind = Literal["class", "individual", "concept"]


@dataclass(frozen=True, slots=True)
class Label:
    """One name of a concept.

    `language`: a lower-case language tag or None. `kind`: `name` (rdfs:label, skos:prefLabel), `synonym` (exact),
    `hidden` (misspellings), `related` (broad, narrow and related synonyms), `fragment` (made from the IRI).
    """

    text: str
    language: str | None = None
    kind: LabelKind = "name"


@dataclass(frozen=True, slots=True)
class Concept:
    """A class, an individual or a SKOS concept (an IRI that is several of these is one concept).

    - `parents`: by subClassOf, type, broader. `same`: named classes that it is equivalent to.
    - `related`: fillers of restrictions, and values of object properties.
    - `weight`, `layer`: the expert's `oc:weight` and `oc:layer`, None if not given.
    - `excludes`: phrases in which its words mean something else (`oc:excludes`).
    - `relations`: (property, other concept), for properties with an `oc:relatedness`.
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
        """The concepts that it is directly below: its parents and its equivalents, because equivalents are below each
        other.
        """
        return (*self.parents, *self.same) if self.same else self.parents

    @property
    def label(self) -> str:
        """The name to show: the first label, otherwise the IRI."""
        return self.labels[0].text if self.labels else self.iri


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark to the expert: a code (E101, W201, ...), a message with its place, and what to do (`cure`).

    See `ontology.inspection.checks`. `place`: the end of the message, if it names a place. `concepts`: IRIs of the
    concepts that it is about.
    """

    code: str
    message: str
    cure: str = ""
    line: int | None = None
    place: str = ""
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ontology:
    """The content of one file and its imports. The three counts are of the file itself, without imports.

    `relatedness`: property -> the fraction with which the concepts that it relates count for each other
    (`oc:relatedness`).
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
