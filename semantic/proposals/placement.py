"""Where a term belongs in the ontology: another name of a concept, narrower than one, or related to one.

The first of these rules that applies decides:

1. A text says so (`semantic.proposals.naming_patterns`).
2. It is a concept's name in another spelling, or its initials: another name.
3. It ends with a concept's name (`graph database`, 图数据库): narrower.
4. Most of its pages mention a concept more often than by chance, and several sentences have both: related to it.
5. Otherwise its place is left open: related to the topic.

That nearly all its pages mention a concept which many others mention (M. Sanderson and B. Croft, Deriving concept
hierarchies from text, SIGIR 1999) does not make it narrower: of such terms the ontologies of the archived webs have
0.30 below that concept, of the other terms 0.28 (30 tasks).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ontology.concepts import Ontology
from ontology.proposals.proposal import Kind
from semantic.candidates.token_stream import TokenStream, is_han, joined
from semantic.proposals.naming_patterns import NameRelation, is_short_form, is_spelling
from semantic.proposals.term_contexts import Context, Contexts

_SURE = 2  # times that texts must call one another name, or a kind, of the other; chosen, not measured
_OFTEN = 0.05  # and as a share of the term's pages, because frequent words meet by accident; chosen, not measured
# Sentences with both, share of its pages, and how many times more of these than by chance; with less the place stays
# open. Chosen, not measured.
_SENTENCES, _MOST, _LIFT = 3, 0.5, 1.5
_STATEMENTS = tuple(NameRelation)  # of those made equally often the first counts
_KINDS = {NameRelation.SAME: Kind.SYNONYM, NameRelation.FIRST_NARROWER: Kind.NARROWER}


@dataclass(frozen=True, slots=True)
class TermPlace:
    """Where a term belongs. `concept` is None if no concept is near."""

    kind: Kind
    concept: str | None


class Placing:
    """Finds places of terms by the names of the topic's concepts. `usable`: concepts below which a term may be
    placed.
    """

    def __init__(self, ontology: Ontology, usable: Sequence[str], root: str | None) -> None:
        self._root = root
        self._concepts = ontology.concepts
        self._usable = frozenset(usable)
        self._names: dict[str, str] = {}  # key -> concept
        self._written = [(label.text, iri) for iri in usable for label in ontology.concepts[iri].labels]
        words = TokenStream().words_of([text for text, _ in self._written])
        for key, (_, iri) in zip(map(joined, words), self._written, strict=True):
            self._names.setdefault(key, iri)

    def place(self, key: str, words: Sequence[str], written: str, contexts: Contexts, pages: int) -> TermPlace:
        """Find the place of a term. `key`, `words`: folded; `written`: as in the text; `pages`: number of pages on
        topic.
        """
        context = contexts.of[key]
        return self._at_a_class(
            self._said(context)
            or self._spelled(written, context)
            or self._headed(words)
            or self._among(context, contexts.concepts, pages)
            or TermPlace(Kind.RELATED, None)
        )

    def _at_a_class(self, place: TermPlace) -> TermPlace:
        """Move a place from an individual to its class, since nothing can be narrower than an individual."""
        concept = self._concepts.get(place.concept or "")
        if concept is None or concept.kind != "individual" or place.kind is Kind.SYNONYM:
            return place
        above = next((parent for parent in concept.above if parent in self._usable), self._root)
        return TermPlace(place.kind, above)

    def _said(self, context: Context) -> TermPlace | None:
        said = ((-times, concept, _STATEMENTS.index(statement)) for (concept, statement), times in context.said.items())
        for less, concept, rank in sorted(said):
            times, statement = -less, _STATEMENTS[rank]
            enough = max(_SURE, _OFTEN * context.on)
            if concept in self._usable and statement in _KINDS and times >= enough:
                return TermPlace(_KINDS[statement], concept)
        return None

    def _spelled(self, written: str, context: Context) -> TermPlace | None:
        for name, concept in self._written:
            if is_spelling(written, name) or (context.pages[concept] and is_short_form(written, name)):
                return TermPlace(Kind.SYNONYM, concept)
        return None

    def _headed(self, words: Sequence[str]) -> TermPlace | None:
        for start in range(1, len(words)):
            concept = self._names.get(joined(words[start:]))
            if concept and (start < len(words) - 1 or not is_han(words[-1]) or len(words[-1]) > 1):
                return TermPlace(Kind.NARROWER, concept)
        return None

    def _among(self, context: Context, concepts: Mapping[str, int], pages: int) -> TermPlace | None:
        shared = {
            concept: _association(context, concept, concepts[concept], pages)
            for concept in context.pages
            if concept in self._usable
            and concept != self._root
            and context.near[concept] >= _SENTENCES
            and context.pages[concept] >= _MOST * context.on
            and _lift(context, concept, concepts[concept], pages) >= math.log(_LIFT)
        }
        best = max(shared, key=lambda concept: (shared[concept], concept), default=None)
        return None if best is None else TermPlace(Kind.RELATED, best)


def _association(context: Context, concept: str, every: int, pages: int) -> float:
    """Pointwise mutual information over pages, weighted by how many pages have both, plus shared sentences."""
    lift = _lift(context, concept, every, pages)
    return lift * math.log1p(context.pages[concept]) + math.log1p(context.near[concept])


def _lift(context: Context, concept: str, every: int, pages: int) -> float:
    """Logarithm of how many times more pages have both than by chance. `every`: pages with the concept."""
    return math.log((context.pages[concept] + 0.5) * max(1, pages) / ((context.on + 1) * (every + 1)))
