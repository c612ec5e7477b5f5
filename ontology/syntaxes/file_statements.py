"""The statements of a file, one by one and as written, and checksums of all it says, to compare two files."""

from collections import Counter
from dataclasses import dataclass

from ontology.syntaxes import owl_parser, rdf_parser
from ontology.syntaxes.obo_lines import statements_of_obo
from ontology.syntaxes.statement import Statement
from ontology.syntaxes.syntax_detection import RDF_SYNTAXES, OntologyText, Syntax


@dataclass(frozen=True, slots=True)
class Stated:
    """Everything that one file states.

    `statements`: about things with an IRI, in the file's order if its syntax has one. `sums`: a checksum for every
    axiom or triple, with its number of occurrences; a blank node is represented by everything said about it. Two files
    with the same content have the same checksums.
    """

    syntax: Syntax
    statements: tuple[Statement, ...]
    sums: Counter[str]


def read_statements(source: OntologyText) -> Stated:
    """Read the text of one file, without imports. Raises OntologyError if its parser refuses the text."""
    if source.syntax in RDF_SYNTAXES:
        graph, _ = rdf_parser.parse_rdf(source)
        return Stated(source.syntax, tuple(rdf_parser.statements_of(graph)), rdf_parser.sums(graph))
    if source.syntax == "obo":
        lines = Counter(line.strip() for line in source.text.splitlines())
        return Stated(source.syntax, tuple(statements_of_obo(source.text)), lines)
    ontology = owl_parser.parse_owl(source)
    return Stated(source.syntax, tuple(owl_parser.statements_of(ontology)), owl_parser.sums(ontology))
