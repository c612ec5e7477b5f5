"""The format of a file of proposals: the kind of each in the label of its class, and the record of what was
proposed.
"""

import json
import re

from ontology.errors import OntologyError
from ontology.messages import joined, message
from ontology.proposals.proposal import Kind
from ontology.syntaxes.annotation_properties import OC

GROUP = OC + "Proposals"
"""The superclass of proposals that are about the topic as a whole."""

EVIDENCE = "Evidence: "
"""The beginning of each comment written by this program; other comments are the expert's."""

_KINDS = {kind.value: kind for kind in Kind}
_UNKNOWN = re.compile(r"\s*[(（]([^()（）]*)[?？]\s*[)）]\s*\Z")
_MARK = re.compile(rf"\s*[(（]\s*({'|'.join(_KINDS)})\s*[?？]?\s*[)）]\s*\Z", re.IGNORECASE)


def proposals_iri(ontology: str | None) -> str:
    """The IRI of the proposals for the ontology with this IRI; the same one for all ontologies without an IRI."""
    return f"{ontology.rstrip('#/')}/proposals" if ontology else OC.rstrip("#") + "/proposals"


def marked(term: str, kind: Kind) -> str:
    """The label of a proposal's class, with its kind in brackets. A narrower concept has its plain name, because that
    is what the class already looks like.
    """
    return term if kind is Kind.NARROWER else f"{term} ({kind.value}?)"


def unmarked(label: str) -> tuple[str, Kind]:
    """Term and kind from a label, which an expert may have edited; without brackets it is a narrower concept."""
    found = _MARK.search(label)
    return (label[: found.start()].strip(), _KINDS[found[1].lower()]) if found else (label.strip(), Kind.NARROWER)


def unknown_mark(label: str) -> tuple[str, str] | None:
    """The term before brackets with a question mark that name none of our kinds, and what they name; else None."""
    found = None if _MARK.search(label) else _UNKNOWN.search(label)
    return (label[: found.start()].strip(), found[1].strip()) if found else None


def known_marks() -> str:
    """The brackets that say a kind."""
    return joined(f"({kind.value}?)" for kind in Kind if kind is not Kind.NARROWER)


def as_record(key: str, kind: Kind, term: str, language: str, concept: str | None) -> str:
    """What was proposed, as one text that is not meant to be edited."""
    return json.dumps([key, kind.value, term, language, concept], ensure_ascii=False)


def from_record(text: str, name: str) -> tuple[str, Kind, str, str, str | None]:
    """The inverse of `as_record`. Raises OntologyError for an invalid text; `name`: the file, for the message."""
    try:
        key, kind, term, language, concept = json.loads(text)
        return str(key), _KINDS[kind], str(term), str(language), concept if concept is None else str(concept)
    except (ValueError, TypeError, KeyError, RecursionError):
        what = message("{name}: a record of what was proposed cannot be read: {text}", name=name, text=text[:60])
        raise OntologyError(what, "write the proposals again: {command} ontology suggest") from None
