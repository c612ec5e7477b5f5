"""An expert's decisions about proposals: kept ones, possibly edited, and refused ones."""

from collections.abc import Iterable
from dataclasses import dataclass

from ontology.proposals.proposal import Kind, Proposal
from ontology.syntaxes.statement import Statement


@dataclass(frozen=True, slots=True)
class Term:
    """A word with its language tag as written, "" without one."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A proposal that was kept.

    - `names`: the term, then other names that the expert added.
    - `concepts`: IRIs of the concepts it belongs to or is below, also of another kept proposal (its `key`).
    - `weight`: only for WEIGHT.
    - `notes`: other statements of the expert about it, to be made about the new concept.
    """

    kind: Kind
    names: tuple[Term, ...]
    concepts: tuple[str, ...] = ()
    weight: float | None = None
    key: str = ""
    notes: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Decisions:
    """An expert's decisions. `refused`: terms that are not to be proposed again. `edits`: statements in the file of
    proposals about the ontology's own concepts. `passed_over`: descriptions of what could not be understood.
    """

    kept: tuple[Kept, ...] = ()
    refused: tuple[Term, ...] = ()
    edits: tuple[Statement, ...] = ()
    passed_over: tuple[str, ...] = ()


def as_kept(proposal: Proposal, concept: str | None = None, kind: Kind | None = None) -> Kept:
    """The proposal unchanged; for another concept, or as another kind, if one is given."""
    about = concept or proposal.concept
    names = (Term(proposal.term, proposal.language),)
    return Kept(kind or proposal.kind, names, (about,) if about else (), proposal.value)


def as_refused(proposal: Proposal) -> Term:
    """What is recorded of a refused proposal: for a weight the concept, otherwise the term."""
    return refused_term(proposal.kind, Term(proposal.term, proposal.language), proposal.concept)


def refused_term(kind: Kind, term: Term, concept: str | None) -> Term:
    """What is recorded of a refusal. A weight is refused for its concept, whatever its number, and the concept's name
    is not.
    """
    return Term(f"weight of {concept}") if kind is Kind.WEIGHT else term


def without_twins(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Each term once, in order."""
    return tuple(dict.fromkeys(terms))
