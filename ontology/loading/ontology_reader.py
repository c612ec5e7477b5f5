"""Reads ontology files: RDF/XML, Turtle, TriG, N-Triples, N-Quads, TriX, JSON-LD, functional syntax, Manchester syntax,
OWL/XML or OBO, also packed (gzip, bzip2, xz, zip).

The steps, one module each:

    bytes -text_decoding-> text -syntax_detection-> Source -rdf_parser | owl_parser | obo_lines-> Facts
    -concept_assembly-> concepts

The syntax is detected by content. Imports are only read from files in the same folder (`import_resolution`). Everything
runs in a child process with limits on time and memory (`child_process`, `imports_closure`), because the files may come
from anybody.
"""

from pathlib import Path

from ontology.child_process import run_isolated
from ontology.concepts import Ontology
from ontology.loading.imports_closure import check_size, load, load_with_errors


def read_ontology(path: Path, *, reason: bool = False, seconds: float = 60, memory_mb: int = 1024) -> Ontology:
    """Read an ontology file and its imports from files in the same folder; nothing is ever downloaded.

    - `reason`: add the parents that HermiT infers (needs Java).
    - `seconds`: limit of processor time; by the clock a multiple of it (`child_process.PATIENCE`).
    - `memory_mb`: limit of address space; for Java, of its heap.

    Raises OntologyError with file, line if known, and what to do. Oddities that do not prevent reading are in
    `findings`, with codes of `ontology.inspection.checks`: W101 and following, E101.
    """
    check_size(path)
    return run_isolated(load, (path, reason, memory_mb), name=path.name, seconds=seconds, memory_mb=memory_mb)


def read_with_errors(path: Path, *, reason: bool = False, seconds: float = 60, memory_mb: int = 1024) -> Ontology:
    """The same, but numbers of ontocrawl that cannot be used are findings (E103), too, and left out."""
    check_size(path)
    work = (path, reason, memory_mb)
    return run_isolated(load_with_errors, work, name=path.name, seconds=seconds, memory_mb=memory_mb)
