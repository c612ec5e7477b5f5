"""A proposal: a term found on pages, what it could become in the ontology, and the evidence for it."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a term could become.

    - SYNONYM: another name of the concept.
    - NARROWER: a new concept below it.
    - RELATED: a new concept beside it, in the topic.
    - LAYER_1, LAYER_2: a word that marks pages one or two links before a target.
    - MISLEADING: a phrase in which the concept's words mean something else.
    - WEIGHT: another weight of the concept itself.
    """

    SYNONYM = "synonym"
    NARROWER = "narrower"
    RELATED = "related"
    LAYER_1 = "layer 1"
    LAYER_2 = "layer 2"
    MISLEADING = "misleading"
    WEIGHT = "weight"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with the term, and the address of its page."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for a proposal.

    - `on_topic`, `off_topic`: number of pages of either kind that contain the term; of a word of a layer: number of
      pages, nearer to results and others, with the word in or around the links to them.
    - `beside`: IRIs of concepts with the number of pages that mention both, most first.
    - `sentences`: at most three.
    - `gain`: number of pages or waiting links that would rank higher; of a misleading phrase or a lower weight: lower.
    - `score`: log-likelihood ratio of the term in the former pages against the others (Dunning 1993).
    - of a name in another language (`semantic.proposals.names_in_language`): `bracketed`: number of pages that have it
      in brackets beside one of the concept's names, or the other way round; `parts`: of how many translated parts a
      dictionary puts it together, 0 without one; `closeness`: to the nearest of the names, by meaning, 0.0 if unknown.
    """

    on_topic: int
    off_topic: int
    beside: tuple[tuple[str, int], ...]
    sentences: tuple[Sentence, ...]
    gain: int
    score: float
    bracketed: int = 0
    parts: int = 0
    closeness: float = 0.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A term as pages write it, with its language tag ("" if unknown) and the IRI of the concept that it is about.

    `concept`: None if it is about the topic as a whole. `value`: the proposed weight of a WEIGHT, otherwise None.
    """

    kind: Kind
    term: str
    language: str
    concept: str | None
    evidence: Evidence
    value: float | None = None
