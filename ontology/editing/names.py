"""IRIs as a file writes them: prefixes, entities, what is relative to its base."""

import re
from collections.abc import Mapping

from ontology.syntaxes.annotation_properties import OBO_IN_OWL, OC, OWL, RDF, RDFS, SKOS, XSD

USUAL: Mapping[str, str] = {
    OC: "oc",
    OWL: "owl",
    RDF: "rdf",
    RDFS: "rdfs",
    SKOS: "skos",
    XSD: "xsd",
    OBO_IN_OWL: "oboInOwl",
}
"""Namespace -> the prefix that everybody gives it."""

_PLAIN_LOCAL = re.compile(r"\w[\w-]*")  # a part of what Turtle, functional syntax and Manchester allow
_NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_SPLIT = re.compile(r"(.*[#/:])([^#/:]+)")


def writable(text: str) -> str:
    """The text without what no XML file may hold (XML 1.0, 2.2: most control characters, lone surrogates)."""
    return _NOT_IN_XML.sub("", text)


def split(iri: str) -> tuple[str, str]:
    """Namespace and local name; the local name is "" where there is none that could be written by itself."""
    parts = _SPLIT.fullmatch(iri)
    return (parts[1], parts[2]) if parts else (iri, "")


def abbreviated(iri: str, prefixes: Mapping[str, str]) -> str | None:
    """`prefix:local` by the longest namespace among the prefixes (prefix -> namespace); None where none fits."""
    fitting = [(space, prefix) for prefix, space in prefixes.items() if space and iri.startswith(space)]
    for space, prefix in sorted(fitting, key=lambda pair: -len(pair[0])):
        local = iri[len(space) :]
        if _PLAIN_LOCAL.fullmatch(local):
            return f"{prefix}:{local}"
    return None


def angled(iri: str, prefixes: Mapping[str, str]) -> str:
    """The IRI short where it can be, else whole between angle brackets."""
    return abbreviated(iri, prefixes) or f"<{iri}>"


def quoted(text: str) -> str:
    """A text between double quotes, as Turtle, N-Triples and JSON escape it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'
