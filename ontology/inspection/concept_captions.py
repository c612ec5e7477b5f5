"""Captions of concepts for people: the label, with the IRI only if necessary."""

from collections import Counter
from collections.abc import Iterable

from ontology.concepts import Ontology
from ontology.messages import message

_SHOWN = 5  # concepts named in a list; chosen


class Captions:
    """Captions of one ontology's concepts. `iris`: always add the IRI; otherwise only to labels that several concepts
    have.
    """

    def __init__(self, ontology: Ontology, *, iris: bool = False) -> None:
        self._concepts = ontology.concepts
        self._iris = iris
        self._called = Counter(concept.label.casefold() for concept in ontology.concepts.values())

    def of(self, iri: str) -> str:
        """The caption; the IRI if it is not a concept of the ontology."""
        concept = self._concepts.get(iri)
        if concept is None or not concept.labels:
            return f"<{iri}>"
        is_alone = self._called[concept.label.casefold()] == 1
        return concept.label if is_alone and not self._iris else f"{concept.label} <{iri}>"

    def of_all(self, iris: Iterable[str], between: str = ", ") -> str:
        """The first few captions, and how many more there are."""
        every = tuple(iris)
        names = between.join(map(self.of, every[:_SHOWN]))
        return message("{names}{more}", names=names, more=and_more(every, _SHOWN))


def and_more(every: tuple[object, ...], shown: int) -> str:
    """A text with the number of items that are not shown, or ''."""
    return message(" and {number} more", number=len(every) - shown) if len(every) > shown else ""
