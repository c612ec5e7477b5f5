"""Inserts statements into a file's text by the functions of its syntax."""

from collections.abc import Mapping, Sequence

from ontology.editing.edited_file import Change, EditedFile
from ontology.editing.jsonld_text import append_jsonld
from ontology.editing.obo_text import append_obo
from ontology.editing.owl_text import append_functional, append_manchester, append_owlxml
from ontology.editing.rdfxml_text import append_rdfxml
from ontology.editing.turtle_text import append_ntriples, append_turtle
from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.statement import Statement

_APPEND = {
    "turtle": append_turtle,
    "trig": append_turtle,
    "nt": append_ntriples,
    "nquads": append_ntriples,
    "rdfxml": append_rdfxml,
    "ofn": append_functional,
    "owx": append_owlxml,
    "jsonld": append_jsonld,
    "obo": append_obo,
}


def insertions(file: EditedFile, statements: Sequence[Statement], kinds: Mapping[str, str]) -> list[Change]:
    """The changes of the text that add the statements. `kinds`: IRI -> `class`, `individual` or `concept`.

    Raises OntologyError if the file's syntax cannot express a statement, or has no place for it.
    """
    if not statements:
        return []
    if file.source.syntax == "omn":
        return append_manchester(file, statements, kinds)
    append = _APPEND.get(file.source.syntax)
    if append is None:
        what = message("{path}: nothing can be inserted into TriX", path=file.path.name)
        raise OntologyError(what, "save it as Turtle or TriG, then do it again")
    return append(file, statements)
