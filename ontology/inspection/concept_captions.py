"""What a concept is called where people read of it: its label, with the IRI only where it is needed."""

from collections import Counter
from collections.abc import Iterable

from ontology.concepts import Ontology

_SHOWN = 5


class Captions:
    """Labels of one ontology's concepts. `iris`: each is followed by its IRI, else only one that others have, too."""

    def __init__(self, ontology: Ontology, *, iris: bool = False) -> None:
        self._concepts = ontology.concepts
        self._iris = iris
        self._called = Counter(concept.label.casefold() for concept in ontology.concepts.values())

    def of(self, iri: str) -> str:
        """The caption; what is no concept here is called by its IRI."""
        concept = self._concepts.get(iri)
        if concept is None or not concept.labels:
            return f"<{iri}>"
        is_alone = self._called[concept.label.casefold()] == 1
        return concept.label if is_alone and not self._iris else f"{concept.label} <{iri}>"

    def of_all(self, iris: Iterable[str], between: str = ", ") -> str:
        """The first few, and how many more there are."""
        every = tuple(iris)
        return between.join(map(self.of, every[:_SHOWN])) + and_more(every, _SHOWN)


def and_more(every: tuple[object, ...], shown: int) -> str:
    """How many there are beyond those that are shown."""
    return f" and {len(every) - shown} more" if len(every) > shown else ""
