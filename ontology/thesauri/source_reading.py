"""Reads a source given by name: a file of a known kind, `wordnet`, or `hownet`."""

from collections.abc import Iterable
from pathlib import Path

from ontology.errors import OntologyError
from ontology.file_failures import refusal
from ontology.loading.ontology_reader import read_ontology
from ontology.messages import message
from ontology.syntaxes.text_decoding import decode
from ontology.thesauri.entries import Entry, Wanted
from ontology.thesauri.hownet import hownet_entries
from ontology.thesauri.vocabularies import vocabulary_entries
from ontology.thesauri.word_lists import cedict_entries, cilin_entries, is_cedict, is_cilin
from ontology.thesauri.wordnet import wordnet_entries

WORDNET, HOWNET = "wordnet", "hownet"
_LARGEST = 200_000_000  # bytes of a file; CC-CEDICT has 10 million; chosen, not measured
_HEAD = 1_000_000  # first bytes of a file, by which its kind is detected; chosen, not measured


def read_source(name: str, wanted: Wanted) -> list[Entry]:
    """The source's entries for the words. Raises OntologyError, with the next step, if it is missing or of an unknown
    kind.
    """
    if name.lower() == WORDNET:
        return list(wordnet_entries(wanted))
    if name.lower() == HOWNET:
        return list(hownet_entries(wanted))
    return list(_of_file(Path(name), wanted))


def _of_file(path: Path, wanted: Wanted) -> Iterable[Entry]:
    try:
        if path.stat().st_size > _LARGEST:
            raise OntologyError(
                message("{path} is larger than {largest} MB", path=path.name, largest=_LARGEST // 1000000),
                "give a part of it",
            )
        with path.open("rb") as file:
            head = file.read(_HEAD)
            lines = decode(head).text.splitlines()
            kind = is_cilin(lines) or is_cedict(lines)
            if kind:
                lines = decode(head + file.read()).text.splitlines()
    except OSError as error:
        cure = message("name a SKOS or OWL file, a Cilin file, CC-CEDICT, or wordnet, or hownet")
        raise OntologyError(*refusal(path, error, cure)) from error
    if is_cilin(lines):
        return cilin_entries(lines, path.name, wanted)
    if is_cedict(lines):
        return cedict_entries(lines, path.name, wanted)
    return vocabulary_entries(read_ontology(path), wanted)
