"""What an expert has refused, kept in the ontology itself: values of `oc:refused`, said of that very property.

It travels with the file so, whatever the file is called and however it is saved again. It can be written at the end of
a file in every syntax, also where an ontology has no IRI. In Protégé it is one entry (Entities > Annotation properties
> refused): the expert reads the list there, and takes a refusal back by deleting its line. As annotations of the
ontology they would fill its first page; such are read all the same.
"""

from pathlib import Path

from ontology.child_process import run_isolated
from ontology.editing.edited_file import open_file
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.decisions import Term, refused_term
from ontology.proposals.proposal import Proposal
from ontology.syntaxes.annotation_properties import REFUSED
from ontology.syntaxes.file_statements import Stated, read_statements

SECONDS, MEMORY_MB = 60.0, 1024


def refused(ontology: Path) -> frozenset[str]:
    """The refused terms, folded by `same_word_key`: compare with `refusal_key` of a proposal.

    Raises OntologyError for a file that cannot be read.
    """
    return run_isolated(_read, (ontology,), name=ontology.name, seconds=SECONDS, memory_mb=MEMORY_MB)


def _read(path: Path) -> frozenset[str]:
    return frozenset(map(same_word_key, refused_texts(read_statements(open_file(path).source))))


def refused_texts(stated: Stated) -> list[str]:
    """The same of a file that has been read, as written."""
    return [each.value for each in stated.statements if each.prop == REFUSED and not each.is_iri]


def refusal_key(proposal: Proposal) -> str:
    """What stands among the refused ones if this proposal was refused."""
    term = refused_term(proposal.kind, Term(proposal.term, proposal.language), proposal.concept)
    return same_word_key(term.text)
