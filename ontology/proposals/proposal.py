"""One proposal: a term that pages say, what it could become in the ontology, and what speaks for it."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a term could become.

    SYNONYM: another name of the concept. NARROWER: a concept of its own below it. RELATED: a concept of its own beside
    it, in the topic. LAYER_1, LAYER_2: a mark of pages one or two links before a target. MISLEADING: a phrase in which
    the concept's words mean something else. WEIGHT: another weight of the concept itself.
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
    """One sentence that says the term, and the address of its page."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a proposal.

    `on_topic`, `off_topic`: how many pages of either kind say the term. `beside`: IRIs of concepts with the number of
    pages that say both, most first. `sentences`: at most three. `gain`: pages or waiting links that would rank higher.
    `score`: the log-likelihood ratio of the term in pages on topic against the others (Dunning 1993).
    """

    on_topic: int
    off_topic: int
    beside: tuple[tuple[str, int], ...]
    sentences: tuple[Sentence, ...]
    gain: int
    score: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """A term as pages write it, with its language tag ("" where none is known) and the concept's IRI that it is about.

    `concept` is None where it is about the topic as a whole. `value`: the weight that WEIGHT proposes, None for others.
    """

    kind: Kind
    term: str
    language: str
    concept: str | None
    evidence: Evidence
    value: float | None = None
