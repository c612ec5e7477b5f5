"""Finds the file of an import: by Protégé's `catalog-v001.xml` in the same folder, then by the ontology IRIs of its
files.

Nothing is ever downloaded. Format: OASIS XML Catalogs 1.1, `uri` entries, `group` with `xml:base`.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import SplitResult, unquote, urljoin, urlsplit
from xml.etree import ElementTree

from ontology.file_failures import ONTOLOGIES
from ontology.syntaxes.annotation_properties import OBO
from ontology.syntaxes.text_decoding import decode
from ontology.syntaxes.xml_wellformedness import NotWellFormed, check_xml

CATALOG = "catalog-v001.xml"
_HEAD = 65_536
"""Bytes of a file that are searched for its ontology IRI, at its beginning in Protégé's files; chosen."""

_MOST_FILES = 500
"""Files of one folder that are searched; chosen, not measured."""

_DEEPEST = 100
"""Nested groups of a catalog; Protégé nests two; chosen, not measured."""

_LONGEST_IRI = 2000
"""Characters of an IRI or an entity's value; real IRIs have fewer than 200; chosen, not measured."""

# No pattern below may scan far from many start positions: a hostile file would take time in the square of its length.
_QUOTED = r"\s*=\s*[\"']([^\"'<]*)[\"']"
_BASE = re.compile(r"\bxml:base" + _QUOTED)
_ENTITY = re.compile(r"<!ENTITY\s+(\S+)\s+[\"']([^\"']*)[\"']")
_REFERENCE = re.compile(r"&([^\s#&;]+);")
_TURTLE_BASE = re.compile(r"^[ \t]*@?base\s+<([^>\s]*)>", re.IGNORECASE | re.MULTILINE)
_PREFIX = re.compile(r"@?prefix\s+([\w.-]*):\s*<([^>\s]*)>", re.IGNORECASE)
_XML_HEADERS = (
    re.compile(r"<(?:[\w.-]+:)?Ontology\b[^<>]*?\brdf:about" + _QUOTED),
    re.compile(r"<(?:[\w.-]+:)?versionIRI\b[^<>]*?\brdf:resource" + _QUOTED),
    re.compile(r"<(?:[\w.-]+:)?Ontology\b[^<>]*?\bontologyIRI" + _QUOTED),
    re.compile(r"<(?:[\w.-]+:)?Ontology\b[^<>]*?\bversionIRI" + _QUOTED),
)
_TEXT_HEADERS = (
    re.compile(r"<([^<>\s]*)>\s+(?:a|rdf:type|<[^<>\s]*#type>)\s+(?:owl:Ontology|<[^<>\s]*/owl#Ontology>)"),
    re.compile(r"(?:owl:versionIRI|<[^<>\s]*/owl#versionIRI>)\s+<([^<>\s]+)>"),
    re.compile(r"\bOntology\s*[:(]\s*<([^<>\s]+)>"),
    re.compile(r"\bOntology\s*[:(]\s*<[^<>\s]+>\s*<([^<>\s]+)>"),
    re.compile(r'"@id"\s*:\s*"([^"]+)"\s*,\s*"@type"\s*:\s*\[?\s*"(?:owl:|[^"]*/owl#)Ontology"'),
    re.compile(r'"@type"\s*:\s*\[?\s*"(?:owl:|[^"]*/owl#)Ontology"\s*\]?\s*,\s*"@id"\s*:\s*"([^"]+)"'),
)
_PREFIXED_HEADER = re.compile(r"^([\w.-]*):([\w.-]*)\s+(?:a|rdf:type)\s+owl:Ontology\b", re.MULTILINE)
_OBO_HEADER = re.compile(r"^ontology:\s*(\S+)", re.MULTILINE)


class Imports:
    """Finds imports for one reading; caches the catalogs and folders that it has read."""

    def __init__(self) -> None:
        self._catalogs: dict[Path, dict[str, Path]] = {}
        self._folders: dict[Path, dict[str, Path]] = {}
        self.broken_catalogs: list[tuple[Path, str]] = []

    def find(self, iri: str, folders: list[Path]) -> Path | None:
        """The file of an ontology, searched in the folders in turn; None if it is in none of them."""
        paths = (path for folder in dict.fromkeys(folders) for path in self._candidates(iri, folder))
        return next((path for path in paths if _is_file(path)), None)

    def _candidates(self, iri: str, folder: Path) -> Iterator[Path]:
        """Possible places, most likely first; the files of a folder are only searched if nothing else was found."""
        parts = parts_of(iri)
        if parts.scheme == "file":  # a relative IRI, or a path on the computer on which the file was saved
            path = Path(unquote(parts.path).lstrip("/"))
            yield from (each for each in (folder / path, folder / path.name) if _is_inside(each, folder))
        for known in (self._catalog, self._folder):
            found = known(folder).get(without_end(iri))
            if found is not None:
                yield found

    def _catalog(self, folder: Path) -> dict[str, Path]:
        if folder not in self._catalogs:
            self._catalogs[folder] = {}
            path = folder / CATALOG
            if path.is_file():
                try:
                    self._catalogs[folder] = _read_catalog(path)
                except (NotWellFormed, ElementTree.ParseError, OSError) as error:
                    self.broken_catalogs.append((path, str(error)))
        return self._catalogs[folder]

    def _folder(self, folder: Path) -> dict[str, Path]:
        if folder not in self._folders:
            known: dict[str, Path] = {}
            named = (path for path in sorted(folder.iterdir()) if path.suffix.lower() in ONTOLOGIES)
            for path in islice((path for path in named if path.is_file() and path.name != CATALOG), _MOST_FILES):
                for iri in ontology_iris(path):
                    known.setdefault(without_end(iri), path)
            self._folders[folder] = known
        return self._folders[folder]


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether the path stays in the folder; `..` and Windows drives may leave it."""
    return Path(os.path.normpath(path)).is_relative_to(os.path.normpath(folder)) and ".." not in path.parts


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long or invalid
        return False


def parts_of(iri: str) -> SplitResult:
    """The parts of an IRI; empty ones where `urlsplit` refuses it, as for `http://[::1`."""
    try:
        return urlsplit(iri)
    except ValueError:
        return SplitResult("", "", "", "", "")


def _joined(base: str, iri: str) -> str:
    """An IRI relative to a base; as it is written where one of both is none."""
    try:
        return urljoin(base, iri)
    except ValueError:
        return iri


def without_end(iri: str) -> str:
    """The IRI without a final `#` or `/`, which files write or omit inconsistently."""
    return iri.rstrip("#/")


def _read_catalog(path: Path) -> dict[str, Path]:
    root = ElementTree.fromstring(check_xml(decode(path.read_bytes()).text).text)
    entries: dict[str, Path] = {}
    for name, target in _entries(root, path.resolve().as_uri()):
        parts = parts_of(target)
        if parts.scheme == "file":
            entries.setdefault(without_end(name), Path(unquote(parts.path)))
    return entries


def _entries(root: ElementTree.Element, base: str) -> Iterator[tuple[str, str]]:
    """The `uri` entries in the order of the file. Raises NotWellFormed if groups are nested too deeply."""
    waiting = [(root, base, 0)]
    while waiting:
        element, base, depth = waiting.pop()
        if element.tag.endswith("}uri") and element.get("name") and element.get("uri"):
            yield element.get("name", ""), _joined(base, element.get("uri", ""))
        elif depth == 0 or element.tag.endswith("}group"):
            if depth > _DEEPEST:
                raise NotWellFormed(f"more than {_DEEPEST} groups inside each other")
            base = _joined(base, element.get("{http://www.w3.org/XML/1998/namespace}base", ""))
            waiting += [(child, base, depth + 1) for child in reversed(element)]


def ontology_iris(path: Path) -> list[str]:
    """The ontology IRI and version IRI stated at the beginning of a file, in any syntax."""
    try:
        with path.open("rb") as file:
            text = decode(file.read(_HEAD)).text
    except OSError:
        return []
    return _iris_in_xml(text) if text.lstrip().startswith("<") and "xmlns" in text else _iris_in_text(text)


def _iris_in_xml(text: str) -> list[str]:
    entities = {name: value for name, value in _ENTITY.findall(text) if len(value) <= _LONGEST_IRI}
    stated = [found[1] for pattern in _XML_HEADERS if (found := pattern.search(text)) and len(found[1]) <= _LONGEST_IRI]
    base = _BASE.search(text)
    expanded = (_REFERENCE.sub(lambda name: entities.get(name[1], name[0]), iri) for iri in stated)
    return [_joined(base[1], iri) if base else iri for iri in expanded]


def _iris_in_text(text: str) -> list[str]:
    base = _TURTLE_BASE.search(text)
    stated = [found[1] for pattern in _TEXT_HEADERS if (found := pattern.search(text))]
    iris = [iri for each in stated if (iri := _joined(base[1], each) if base else each)]
    prefixed = _PREFIXED_HEADER.search(text)
    if prefixed:
        iris += [space + prefixed[2] for prefix, space in _PREFIX.findall(text) if prefix == prefixed[1]]
    obo = _OBO_HEADER.search(text)
    return [*iris, f"{OBO}{obo[1]}.owl"] if obo else iris
