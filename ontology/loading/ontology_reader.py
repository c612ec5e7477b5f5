"""Reading what Protégé saves: bytes of RDF/XML, Turtle, N-Triples, JSON-LD, functional, Manchester, OWL/XML or OBO.

The way of the data, one module a step:

    bytes -decoding-> text -syntaxes (wellformed)-> Source -rdf | horned | obo_lines-> Facts -assembling-> concepts

The syntax is told by the content; imports come only from files beside (`import_resolution`); all of it happens in a
child process with limits on time and memory (`child_process`, `imports_closure`), because files are other people's.
"""

from pathlib import Path

from ontology.child_process import run_isolated
from ontology.concepts import Ontology
from ontology.loading.imports_closure import check_size, load


def read_ontology(path: Path, *, reason: bool = False, seconds: float = 60, memory_mb: int = 1024) -> Ontology:
    """Read an ontology file and what it imports from files beside it; nothing is ever fetched.

    `reason` adds the parents that HermiT infers (needs Java). `seconds` of computing (of wall clock: a multiple) and
    `memory_mb` of address space (Java: of heap) are the limits. Raises OntologyError with file, line where known, and a
    cure. What is odd but readable is in `findings`, with codes of `ontology.inspection.checks`: W101 and following,
    E101.
    """
    check_size(path)
    return run_isolated(load, (path, reason, memory_mb), name=path.name, seconds=seconds, memory_mb=memory_mb)
