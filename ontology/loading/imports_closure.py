"""The work of the child process: reads one file and its imports, from bytes to `Ontology`."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from ontology.concepts import Concept, Finding, Ontology
from ontology.errors import OntologyError
from ontology.file_failures import refusal
from ontology.loading.concept_assembly import assemble, count_individuals, label_findings, mark_findings, relatedness_of
from ontology.loading.import_resolution import Imports, without_end
from ontology.loading.reasoner import infer_parents
from ontology.messages import joined, message
from ontology.syntaxes import owl_parser, rdf_parser
from ontology.syntaxes.file_facts import Facts
from ontology.syntaxes.language_tags import CURE, OddTag
from ontology.syntaxes.obo_lines import read_obo
from ontology.syntaxes.packed_files import LARGEST, unpacked
from ontology.syntaxes.syntax_detection import RDF_SYNTAXES, OntologyText, broken, recognise
from ontology.syntaxes.text_decoding import decode

if TYPE_CHECKING:
    from rdflib import Graph

TAGS_SHOWN = 3  # of those that are none; chosen
INVALID_MARK = "E103"  # the code of a number that cannot be used
LONGEST_LAYER = 9  # digits; chosen, not measured


@dataclass(slots=True)
class _Loading:
    """What has been read so far. `graphs`: only filled if there is a reasoner to run."""

    root: Path
    reason: bool
    facts: list[Facts] = field(default_factory=list)
    graphs: "list[Graph]" = field(default_factory=list)
    imported: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def load(path: Path, reason: bool, memory_mb: int) -> Ontology:
    """The same as `load_with_errors`. Raises OntologyError also for a number of ontocrawl that cannot be used."""
    ontology = load_with_errors(path, reason, memory_mb)
    for finding in ontology.findings:
        if finding.code == INVALID_MARK:
            raise OntologyError(finding.message, finding.cure)
    return ontology


def load_with_errors(path: Path, reason: bool, memory_mb: int) -> Ontology:
    """Read the file and its imports. Raises OntologyError. The caller has set the limits."""
    loading = _Loading(path.resolve(), reason)
    syntax = _load_file(loading, loading.root)
    _load_imports(loading)
    inferred: Sequence[tuple[str, str]] = ()
    if reason:
        inferred = infer_parents(path.name, rdf_parser.triples_of(loading.graphs), memory_mb)
    concepts = assemble(loading.facts, inferred)
    root = loading.facts[0]
    if not concepts:
        raise OntologyError(
            message("{path}: no class, individual or SKOS concept; {found}", path=path.name, found=_found(loading)),
            _NO_CLASS_CURE,
        )
    return Ontology(
        path=str(path),
        format=syntax,
        iri=root.iri,
        concepts=concepts,
        topic=root.topic,
        classes=len(root.classes),
        skos_concepts=len(root.skos_concepts),
        individuals=count_individuals(root, concepts),
        imported=tuple(loading.imported),
        findings=(*loading.findings, *_findings(loading, concepts)),
        relatedness=relatedness_of(loading.facts),
    )


def _findings(loading: _Loading, concepts: dict[str, Concept]) -> list[Finding]:
    """Warnings about all files together."""
    marks = mark_findings(loading.facts, concepts)
    return [*label_findings(loading.facts), *marks, *_no_words(concepts, loading)]


_NO_CLASS_CURE = message(
    "declare its classes (owl:Class, rdfs:Class or skos:Concept), or put the imported files beside this one"
)
_NO_WORDS_CURE = message(
    "give the classes labels (rdfs:label or skos:prefLabel), or put the imported files beside this one"
)


def _no_words(concepts: dict[str, Concept], loading: _Loading) -> list[Finding]:
    if any(concept.labels for concept in concepts.values()):
        return []
    what = message(
        "{number} concepts but not one word: no labels, and their IRIs end in codes; {found}",
        number=len(concepts),
        found=_found(loading),
    )
    return [Finding("E101", what, _NO_WORDS_CURE)]


def _found(loading: _Loading) -> str:
    used: Counter[str] = sum((facts.used for facts in loading.facts), Counter())
    top = joined(f"{name} ({count})" for name, count in used.most_common(5))
    missing = len(loading.missing)
    imports = message("; {number} imports were not loaded", number=missing) if missing else ""
    if not top:
        return message("no statement was found{imports}", imports=imports)
    return message(
        "found {number} statements{imports}; most used: {top}", number=used.total(), imports=imports, top=top
    )


def _load_imports(loading: _Loading) -> None:
    """Read the imports, nearest first. A cycle ends at a file, or an ontology IRI, that was read already."""
    imports = Imports()
    read = {loading.root}
    waiting = deque((iri, loading.root) for iri in loading.facts[0].imports)
    while waiting:
        iri, importer = waiting.popleft()
        if without_end(iri) in _loaded_iris(loading) or iri in loading.missing:
            continue
        path = imports.find(iri, [importer.parent, loading.root.parent])
        if path is None:
            loading.missing.append(iri)
            loading.findings.append(_missing(iri))
        elif path.resolve() not in read:
            read.add(path.resolve())
            waiting.extend(_load_import(loading, path.resolve()))
    for catalog, error in imports.broken_catalogs:
        what = message(
            "{catalog} in {parent} cannot be read ({error})",
            catalog=catalog.name,
            parent=catalog.parent.name,
            error=error,
        )
        loading.findings.append(Finding("W103", what, message("save it again from Protégé, or delete it")))


def _missing(iri: str) -> Finding:
    what, place = message("missing import, not beside the file, and nothing is fetched from the web"), f"<{iri}>"
    cure = message("put its file into the same folder, or name it in catalog-v001.xml")
    return Finding("W101", message("{what}: {place}", what=what, place=place), cure, place=place)


def _loaded_iris(loading: _Loading) -> set[str]:
    named = (iri for facts in loading.facts for iri in (facts.iri, facts.version) if iri)
    return {without_end(iri) for iri in named}


def _load_import(loading: _Loading, path: Path) -> list[tuple[str, Path]]:
    """Read one import. A catalog may name any file: messages about one outside the folder do not quote its content."""
    inside, told = path.is_relative_to(loading.root.parent), len(loading.findings)
    parsed = None
    try:
        parsed = _parse(loading, path)
        _keep(loading, *parsed)
    except OntologyError as error:
        loading.findings.append(
            Finding("W103", message("an imported file cannot be read: {error}", error=error), error.cure)
        )
    if not inside:
        loading.findings[told:] = [_without_quotes(finding, path) for finding in loading.findings[told:]]
    if parsed is None:
        return []
    loading.imported.append(path.relative_to(loading.root.parent).as_posix() if inside else str(path))
    return [(iri, path) for iri in parsed[1].imports]


def _without_quotes(finding: Finding, path: Path) -> Finding:
    what = message("something is wrong with the imported file {path}, which lies outside the folder", path=path)
    return Finding(finding.code, what, message("for details: {command} ontology check {path}", path=path), finding.line)


def _load_file(loading: _Loading, path: Path) -> str:
    source, facts = _parse(loading, path)
    _keep(loading, source, facts)
    return source.syntax


def _keep(loading: _Loading, source: OntologyText, facts: Facts) -> None:
    loading.findings += _check_marks(source, facts)
    loading.facts.append(facts)


def _parse(loading: _Loading, path: Path) -> tuple[OntologyText, Facts]:
    check_size(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OntologyError(*refusal(path, error, "check the permissions of the file")) from None
    name, data = unpacked(path.name, data)
    decoded = decode(data)
    source = recognise(name, decoded.text)
    if decoded.replaced:
        what = message(
            "{path}: bytes that are not {encoding} were replaced ({replaced})",
            path=path.name,
            encoding=decoded.encoding,
            replaced=decoded.replaced,
        )
        line = decoded.text[: decoded.text.index("\ufffd")].count("\n") + 1
        loading.findings.append(Finding("W102", what, message("save the file as UTF-8"), line))
    if source.odd_tags:
        loading.findings.append(_of_tags(path, source.odd_tags))
    if source.syntax in RDF_SYNTAXES:
        return _parse_rdf(loading, source)
    return source, _parse_owl(loading, source)


def _of_tags(path: Path, odd: Sequence[OddTag]) -> Finding:
    """What is said of language tags that are none."""
    read = dict.fromkeys((each.tag, each.read_as) for each in odd)
    named = [
        message("{tag} is read as {read_as}", tag=repr(tag), read_as=read_as)
        if read_as
        else message("{tag} as no language", tag=repr(tag))
        for tag, read_as in list(read)[:TAGS_SHOWN]
    ]
    what = message(
        "{path}: {number:,} language tags that are none ({tags})",
        path=path.name,
        number=len(odd),
        tags=joined(named),
    )
    return Finding("W109", what, CURE, odd[0].line)


def _parse_rdf(loading: _Loading, source: OntologyText) -> tuple[OntologyText, Facts]:
    """Parse RDF. A file `.nt` is first read as N-Triples; if it is Turtle instead, it is read as such, with a
    warning.
    """
    if source.syntax == "turtle" and source.name.lower().endswith(".nt"):
        source = replace(source, syntax="nt")
    graph, forgiven = rdf_parser.parse_rdf(source)
    if forgiven is not None and forgiven.parser == "tags":
        loading.findings.append(Finding("W109", str(forgiven.error), forgiven.error.cure))
    elif forgiven is not None and forgiven.parser in ("lines", "names"):
        loading.findings.append(_of_bad_parts(forgiven))
    elif forgiven is not None and source.syntax == "nt":
        what = message("{forgiven}; it was read as Turtle instead", forgiven=forgiven.error)
        loading.findings.append(Finding("W107", what, message("fix that line, or rename it to .ttl")))
        source = replace(source, syntax="turtle")
    if loading.reason:
        loading.graphs.append(graph)
    return source, rdf_parser.facts_of(graph)


def _of_bad_parts(forgiven: rdf_parser.Forgiven) -> Finding:
    """What is said of a file with parts that its parser refuses, and that was read all the same."""
    what = message("{forgiven}; names that XML does not allow were read as they are", forgiven=forgiven.error)
    if forgiven.lines:
        what = message("{forgiven}; {number:,} lines were left out", forgiven=forgiven.error, number=forgiven.lines)
    return Finding("W110", what, message("mend that line"))


def _parse_owl(loading: _Loading, source: OntologyText) -> Facts:
    try:
        ontology = owl_parser.parse_owl(source)
    except OntologyError as error:
        if source.syntax != "obo" or loading.reason:
            raise
        what = message("{error}; it was read line by line instead", error=error)
        loading.findings.append(Finding("W106", what, message("fix that line if terms are missing")))
        return read_obo(source.text)
    if loading.reason:
        loading.graphs.append(
            rdf_parser.parse_rdf(OntologyText(source.name, owl_parser.rdfxml_of(ontology), "rdfxml"))[0]
        )
    return owl_parser.facts_of(ontology)


def check_size(path: Path) -> None:
    """Raise OntologyError for a file that is too large, empty or not a regular file."""
    try:
        status = path.stat()
    except OSError as error:
        raise OntologyError(*refusal(path, error, "check the path and its permissions")) from None
    if S_ISDIR(status.st_mode):
        raise OntologyError(message("{path} is a folder", path=path), "name the ontology file in it")
    if not S_ISREG(status.st_mode):
        raise OntologyError(message("{path} is not a regular file", path=path), "save it as a file first")
    size = status.st_size
    if size > LARGEST:
        what = message(
            "{path} has {size:.0f} MB; more than {largest:.0f} MB are not read",
            path=path,
            size=size / 1e6,
            largest=LARGEST / 1e6,
        )
        raise OntologyError(what, "in Protégé: Refactor > Copy/move axioms (or Save as) with only the part needed")
    if size == 0:
        raise OntologyError(message("{path}: the file is empty", path=path), "save it again from Protégé")


def _check_marks(source: OntologyText, facts: Facts) -> list[Finding]:
    """Findings about each invalid `oc:weight`, `oc:layer` and `oc:relatedness`. They are taken out of the facts."""
    marks = (
        ("weight", facts.weights, _is_weight, message("a number of at least 0, such as 0.5")),
        ("layer", facts.layers, _is_layer, message("1 or 2")),
        ("relatedness", facts.relatedness, _is_fraction, message("a number from 0 to 1, such as 0.5")),
    )
    found = []
    for mark, values, is_valid, wanted in marks:
        for iri in [iri for iri, said in values.items() if len(said) > 1 or not is_valid(next(iter(said)))]:
            found.append(_invalid(source, iri, mark, list(values.pop(iri)), wanted))
    return found


def _is_layer(text: str) -> bool:
    return text.strip().isdecimal() and len(text.strip()) <= LONGEST_LAYER


def _is_fraction(text: str) -> bool:
    return _is_weight(text) and float(text) <= 1


def _is_weight(text: str) -> bool:
    try:
        return isfinite(float(text)) and float(text) >= 0
    except ValueError:
        return False


def _invalid(source: OntologyText, iri: str, mark: str, values: list[str], wanted: str) -> Finding:
    lines = [
        number
        for number, line in enumerate(source.text.splitlines(), 1)
        if mark in line and any(value in line for value in values)
    ]
    line = lines[0] if len(lines) == 1 else None
    said = " and ".join(repr(value) for value in values)
    kind = message("the property") if mark == "relatedness" else message("the class")
    cure = message(
        "in Protégé, select {place} in the tab Entities and set its annotation oc:{mark} to {wanted}",
        place=kind,
        mark=mark,
        wanted=wanted,
    )
    what = message("oc:{mark} of <{iri}> is {said}, but must be {wanted}", mark=mark, iri=iri, said=said, wanted=wanted)
    return Finding(INVALID_MARK, broken(source.name, what, line).message, cure, line)
