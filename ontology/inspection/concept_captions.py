"""Captions of concepts for people: the label, with the IRI only if necessary."""

from collections import Counter
from collections.abc import Iterable

from ontology.concepts import Concept, Ontology
from ontology.messages import message

_SHOWN = 5  # concepts named in a list; chosen


class Captions:
    """Captions of one ontology's concepts. `iris`: always add the IRI; otherwise only to labels that several concepts
    have. `language`: of the label where there is one; None: the first label.
    """

    def __init__(self, ontology: Ontology, *, iris: bool = False, language: str | None = None) -> None:
        self._labels = {iri: _label(concept, language) for iri, concept in ontology.concepts.items() if concept.labels}
        self._iris = iris
        self._called = Counter(label.casefold() for label in self._labels.values())

    def of(self, iri: str) -> str:
        """The caption; the IRI if it is not a concept of the ontology."""
        label = self.label(iri)
        is_clear = iri not in self._labels or (self._called[label.casefold()] == 1 and not self._iris)
        return label if is_clear else f"{label} <{iri}>"

    def label(self, iri: str) -> str:
        """The label alone; the IRI if it is not a concept of the ontology."""
        return self._labels.get(iri) or f"<{iri}>"

    def of_all(self, iris: Iterable[str], between: str = ", ") -> str:
        """The first few captions, and how many more there are."""
        every = tuple(iris)
        names = between.join(map(self.of, every[:_SHOWN]))
        return message("{names}{more}", names=names, more=and_more(every, _SHOWN))


def _label(concept: Concept, language: str | None) -> str:
    spoken = (term.text for term in concept.labels if language and (term.language or "").partition("-")[0] == language)
    return next(spoken, concept.label)


def and_more(every: tuple[object, ...], shown: int) -> str:
    """A text with the number of items that are not shown, or ''."""
    return message(" and {number} more", number=len(every) - shown) if len(every) > shown else ""
