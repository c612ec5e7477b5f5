"""What a file states of named things, one by one and as written, and all it says as sums to compare two files by."""

from collections import Counter
from dataclasses import dataclass

from ontology.syntaxes import owl_parser, rdf_parser
from ontology.syntaxes.obo_lines import statements_of_obo
from ontology.syntaxes.statement import Statement
from ontology.syntaxes.syntax_detection import Source, Syntax


@dataclass(frozen=True, slots=True)
class Stated:
    """All that one file says.

    `statements`: about things with an IRI, in the file's order where its syntax keeps one. `sums`: one for every axiom
    or triple, with how often it is there; a blank node stands for what is said of it. Two files that say the same have
    the same sums.
    """

    syntax: Syntax
    statements: tuple[Statement, ...]
    sums: Counter[str]


def read_statements(source: Source) -> Stated:
    """Read the text of one file; imports are not followed. Raises OntologyError for what its parser refuses."""
    if source.syntax in ("rdfxml", "turtle", "nt", "jsonld"):
        graph, _ = rdf_parser.parse_rdf(source)
        return Stated(source.syntax, tuple(rdf_parser.statements_of(graph)), rdf_parser.sums(graph))
    if source.syntax == "obo":
        lines = Counter(line.strip() for line in source.text.splitlines())
        return Stated(source.syntax, tuple(statements_of_obo(source.text)), lines)
    ontology = owl_parser.parse_owl(source)
    return Stated(source.syntax, tuple(owl_parser.statements_of(ontology)), owl_parser.sums(ontology))
