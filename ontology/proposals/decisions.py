"""What an expert decided on proposals: kept ones, as they may have been edited, and refused ones."""

from collections.abc import Iterable
from dataclasses import dataclass

from ontology.proposals.proposal import Kind, Proposal
from ontology.syntaxes.statement import Statement


@dataclass(frozen=True, slots=True)
class Term:
    """A word with its language tag as written, "" where it has none."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A proposal that was kept.

    `names`: the term first, then others that the expert gave it. `concepts`: IRIs of what it belongs to or stands
    below, also of another kept one (its `key`). `weight`: what WEIGHT gives. `notes`: what else the expert said of it,
    to be said of the concept that it becomes.
    """

    kind: Kind
    names: tuple[Term, ...]
    concepts: tuple[str, ...] = ()
    weight: float | None = None
    key: str = ""
    notes: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Decisions:
    """`refused`: what is not to be proposed again. `edits`: what the proposals' file says of the topic's own concepts.
    `passed_over`: what could not be understood, in words.
    """

    kept: tuple[Kept, ...] = ()
    refused: tuple[Term, ...] = ()
    edits: tuple[Statement, ...] = ()
    passed_over: tuple[str, ...] = ()


def as_kept(proposal: Proposal, concept: str | None = None) -> Kept:
    """The proposal as it is, of another concept where one is named."""
    about = concept or proposal.concept
    names = (Term(proposal.term, proposal.language),)
    return Kept(proposal.kind, names, (about,) if about else (), proposal.value)


def as_refused(proposal: Proposal) -> Term:
    """What is kept of a refused proposal: of a weight the concept, of all others the term."""
    return refused_term(proposal.kind, Term(proposal.term, proposal.language), proposal.concept)


def refused_term(kind: Kind, term: Term, concept: str | None) -> Term:
    """A weight is refused for its concept, whatever the number; its name must not be refused as a term."""
    return Term(f"weight of {concept}") if kind is Kind.WEIGHT else term


def without_twins(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Each once, in their order."""
    return tuple(dict.fromkeys(terms))
