"""Refused terms, stored in the ontology itself: values of `oc:refused`, as annotations of that property.

So they stay with the file, whatever its name and however it is saved. They can be written at the end of a file in every
syntax, even if the ontology has no IRI. In Protégé they are one entry (Entities > Annotation properties > refused): the
expert reads the list there, and revokes a refusal by deleting its line. As annotations of the ontology they would fill
its first page; such annotations are read all the same.
"""

from pathlib import Path

from ontology.child_process import run_isolated
from ontology.editing.edited_file import open_file
from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.decisions import Term, refused_term
from ontology.proposals.proposal import Proposal
from ontology.syntaxes.annotation_properties import REFUSED
from ontology.syntaxes.file_statements import Stated, read_statements

SECONDS, MEMORY_MB = 60.0, 1024  # as for reading an ontology (`ontology.loading.ontology_reader`)


def refused(ontology: Path) -> frozenset[str]:
    """The refused terms, folded by `same_word_key`, to be compared with `refusal_key` of a proposal.

    Raises OntologyError for a file that cannot be read.
    """
    return run_isolated(_read, (ontology,), name=ontology.name, seconds=SECONDS, memory_mb=MEMORY_MB)


def _read(path: Path) -> frozenset[str]:
    return frozenset(map(same_word_key, refused_texts(read_statements(open_file(path).source))))


def refused_texts(stated: Stated) -> list[str]:
    """The refused terms of a file that was read, as written."""
    return [each.value for each in stated.statements if each.prop == REFUSED and not each.is_iri]


def refusal_key(proposal: Proposal) -> str:
    """The entry that this proposal would have among the refused terms."""
    term = refused_term(proposal.kind, Term(proposal.term, proposal.language), proposal.concept)
    return same_word_key(term.text)
