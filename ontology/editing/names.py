"""IRIs as a file writes them: with prefixes, with entities, or relative to its base."""

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
"""Namespace -> its usual prefix."""

_PLAIN_LOCAL = re.compile(r"\w[\w-]*")  # a part of what Turtle, functional syntax and Manchester allow
_NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_SPLIT = re.compile(r"(.*[#/:])([^#/:]+)")


def writable(text: str) -> str:
    """The text without characters that XML forbids (XML 1.0, 2.2: most control characters, lone surrogates)."""
    return _NOT_IN_XML.sub("", text)


def split(iri: str) -> tuple[str, str]:
    """Namespace and local name; "" if there is no local name that could be written by itself."""
    parts = _SPLIT.fullmatch(iri)
    return (parts[1], parts[2]) if parts else (iri, "")


def abbreviated(iri: str, prefixes: Mapping[str, str]) -> str | None:
    """`prefix:local` with the longest matching namespace of the prefixes (prefix -> namespace); None if none
    matches.
    """
    fitting = [(space, prefix) for prefix, space in prefixes.items() if space and iri.startswith(space)]
    for space, prefix in sorted(fitting, key=lambda pair: -len(pair[0])):
        local = iri[len(space) :]
        if _PLAIN_LOCAL.fullmatch(local):
            return f"{prefix}:{local}"
    return None


def angled(iri: str, prefixes: Mapping[str, str]) -> str:
    """The abbreviated IRI if possible, otherwise the whole IRI in angle brackets."""
    return abbreviated(iri, prefixes) or f"<{iri}>"


def quoted(text: str) -> str:
    """A text in double quotes, escaped as in Turtle, N-Triples and JSON."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'
