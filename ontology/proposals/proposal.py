"""What is proposed for an ontology, and why."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a term would become."""

    SYNONYM = "synonym"
    NARROWER = "narrower"
    RELATED = "related"
    LAYER_1 = "layer 1"
    LAYER_2 = "layer 2"
    MISLEADING = "misleading"
    WEIGHT = "weight"


@dataclass(frozen=True, slots=True)
class Sentence:
    """Where a page says the term."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Counts are of pages; `beside`: concept IRI, pages of both; `score`: log-likelihood ratio."""

    on_topic: int
    off_topic: int
    beside: tuple[tuple[str, int], ...]
    sentences: tuple[Sentence, ...]
    gain: int
    score: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change. `value`: the weight proposed, of `Kind.WEIGHT`."""

    kind: Kind
    term: str
    language: str
    concept: str | None
    evidence: Evidence
    value: float | None = None
