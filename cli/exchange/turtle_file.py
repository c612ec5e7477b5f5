"""A crawl as RDF in Turtle: pages in the words of schema.org, typed with the ontology's own classes, and what was done
to get them in those of PROV-O. Written line by line: a million links need no memory.

- A page on topic is a `schema:WebPage`, and has as types those concepts of the ontology that it says most about: the
  one whose mentions weigh most, and all that weigh at least half as much. In Protégé, with the ontology beside it, the
  pages then stand as individuals below their classes. All that it mentions are `schema:mentions`.
- The capture of a page is what the crawl made at one moment: a `prov:Entity` that is a `prov:specializationOf` the page
  and was made by the crawl, a `prov:Activity`.
- What neither vocabulary says is in ours (`oc:`).
- Days are plain texts, as 2024-05-03: OWL 2 has no `xsd:date`, and reasoners reject ontologies with it.
- The file is an ontology with an IRI, which declares its classes and properties: so Protégé shows values as values, and
  an ontology that imports the file stays apart from it. What leads from pages to concepts are annotations, so that a
  class is not also an individual.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import IO
from urllib.parse import urljoin

from graphdb.record.exported_record import ExportedRecord, Row

PREFIXES = {
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "schema": "https://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "oc": "https://w3id.org/ontocrawl#",
}
DECLARED = {
    "owl:Class": ("schema:WebPage", "prov:Activity", "prov:Entity", "prov:SoftwareAgent"),
    "owl:ObjectProperty": (
        *("prov:used", "prov:wasAssociatedWith", "prov:wasGeneratedBy", "prov:specializationOf"),
        *("schema:isPartOf", "schema:sameAs", "oc:linksTo", "oc:discoveredFrom"),
    ),
    "owl:DatatypeProperty": (
        *("prov:startedAtTime", "prov:generatedAtTime", "schema:url", "schema:name", "schema:inLanguage"),
        *("schema:datePublished", "schema:dateModified", "schema:author", "oc:datedBy", "oc:siteName"),
        *("oc:ontology", "oc:strategy", "oc:pages", "oc:settings", "oc:status", "oc:onTopic", "oc:relevance"),
        *("oc:priority", "oc:kind", "oc:verdict", "oc:isSeed", "oc:reason"),
    ),
    "owl:AnnotationProperty": ("schema:mentions", "schema:about", "oc:narrowerThan"),
}
MOST = 0.5  # of the weight of the concept that a page says most about
NOT_IRI = re.compile('[\x00-\x20<>"{}|^`\\\\\x7f]|[\ud800-\udfff]')  # Turtle 1.1, IRIREF; and what UTF-8 cannot hold
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
CONTROL = re.compile('[\x00-\x1f\x7f"\\\\]')
LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
CountedWords = Callable[[str, Iterable[Row]], Iterator[Row]]  # passes rows of some kind on, and tells of them
SOFTWARE = "<https://w3id.org/ontocrawl#ontocrawl>"


def write_turtle(path: Path, record: ExportedRecord, counted: CountedWords) -> None:
    """The whole crawl; `counted` tells of rows as they pass."""
    with path.open("w", encoding="utf-8") as file:
        for prefix, iri in PREFIXES.items():
            file.write(f"@prefix {prefix}: <{iri}> .\n")
        crawl = record.crawl()
        activity = _iri(f"urn:uuid:{crawl['id']}") if crawl else "oc:crawl"
        _write(file, _header(f"urn:uuid:{crawl['id']}#export" if crawl else f"{PREFIXES['oc']}export"))
        _write_crawl(file, crawl, activity)
        on_topic = set()
        for row in counted("pages", record.pages()):
            _write(file, _page(row, activity))
            if row["on_topic"]:
                on_topic.add(row["url"])
        for url, mentions in groupby(counted("mentions", record.mentions()), lambda row: row["page"]):
            _write(file, _mentions(url, list(mentions), typed=url in on_topic))
        for row in counted("links", record.links()):
            file.write(f"{_iri(row['source'])} oc:linksTo {_iri(row['target'])} .\n")
        for row in record.concepts():
            _write(file, _concept(row))


def _write(file: IO[str], triples: Iterable[tuple[str, str, str]]) -> None:
    file.writelines(f"{subject} {verb} {thing} .\n" for subject, verb, thing in triples)


def _header(iri: str) -> Iterator[tuple[str, str, str]]:
    yield _iri(iri), "rdf:type", "owl:Ontology"
    for kind, names in DECLARED.items():
        yield from ((name, "rdf:type", kind) for name in names)


def _write_crawl(file: IO[str], crawl: Row, activity: str) -> None:
    _write(
        file,
        (
            (SOFTWARE, "rdf:type", "prov:SoftwareAgent"),
            (SOFTWARE, "rdfs:label", '"ontocrawl"'),
            (activity, "rdf:type", "prov:Activity"),
            (activity, "prov:wasAssociatedWith", SOFTWARE),
        ),
    )
    if crawl:
        told = {
            "prov:startedAtTime": _moment(crawl["started_at"]),
            "prov:used": _iri(crawl["topic"]),
            "oc:ontology": _literal(crawl["ontology"]),
            "oc:strategy": _literal(crawl["strategy"]),
            "oc:pages": _literal(crawl["pages"]),
            "oc:settings": _literal(crawl["settings"]),
        }
        _write(file, ((activity, verb, thing) for verb, thing in told.items()))


def _page(row: Row, activity: str) -> Iterator[tuple[str, str, str]]:
    page = _iri(row["url"])
    yield page, "rdf:type", "schema:WebPage"
    if row["title"]:  # by which Protégé names it
        yield page, "rdfs:label", _literal(row["title"], language=row["language"])
    told = {
        "schema:url": _literal(row["url"], "xsd:anyURI"),
        "schema:name": _literal(row["title"], language=row["language"]) if row["title"] else None,
        "schema:inLanguage": _optional(row["language"]),
        "schema:datePublished": _optional(row["published"]),
        "schema:dateModified": _optional(row["modified"]),
        "schema:author": _optional(row["author"]),
        "oc:datedBy": _optional(row["dated_by"]),
        "oc:siteName": _optional(row["site_name"]),
        "schema:isPartOf": _iri(urljoin(row["url"], "/")),
        "oc:status": _optional(row["status"]),
        "oc:onTopic": _optional(row["on_topic"]),
        "oc:relevance": _optional(row["relevance"]),
        "oc:priority": _optional(row["priority"]),
        "oc:kind": _optional(row["kind"]),
        "oc:verdict": _optional(row["verdict"]),
        "oc:isSeed": "true" if row["seed"] else None,
        "oc:discoveredFrom": _iri(row["discovered_from"]) if row["discovered_from"] else None,
        "schema:sameAs": _iri(row["copy_of"]) if row["copy_of"] else None,
    }
    yield from ((page, verb, thing) for verb, thing in told.items() if thing is not None)
    if row["fetched_at"]:
        capture = _iri(f"{row['url']}#ontocrawl-capture")
        yield capture, "rdf:type", "prov:Entity"
        yield capture, "prov:specializationOf", page
        yield capture, "prov:wasGeneratedBy", activity
        yield capture, "prov:generatedAtTime", _moment(row["fetched_at"])
        for reason in row["reasons"] or ():
            yield capture, "oc:reason", _literal(reason)


def _mentions(url: str, mentions: list[Row], *, typed: bool) -> Iterator[tuple[str, str, str]]:
    page = _iri(url)
    most = max(row["weight"] or 0.0 for row in mentions)
    for row in mentions:
        concept = _iri(row["concept"])
        yield page, "schema:mentions", concept
        if typed and most > 0 and (row["weight"] or 0.0) >= MOST * most:
            yield page, "rdf:type", concept
            yield page, "schema:about", concept


def _concept(row: Row) -> Iterator[tuple[str, str, str]]:
    concept = _iri(row["iri"])
    for name, language in (("label_en", "en"), ("label_zh", "zh")):
        if row[name]:
            yield concept, "rdfs:label", _literal(row[name], language=language)
    if not (row["label_en"] or row["label_zh"]) and row["label"]:
        yield concept, "rdfs:label", _literal(row["label"])
    for narrower in row["narrower"]:
        yield _iri(narrower), "oc:narrowerThan", concept


def _optional(value: object) -> str | None:
    return None if value is None else _literal(value)


def _literal(value: object, kind: str = "", language: str | None = None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f'"{value!r}"^^xsd:double'
    if isinstance(value, int):
        return str(value)
    text = CONTROL.sub(lambda sign: ESCAPES.get(sign[0]) or f"\\u{ord(sign[0]):04X}", str(value or ""))
    tag = f"@{language}" if language and LANGUAGE.fullmatch(language) else f"^^{kind}" if kind else ""
    return f'"{text}"{tag}'


def _moment(text: str) -> str:
    return _literal(text, "xsd:dateTime")


def _iri(url: str) -> str:
    return f"<{_escaped(url)}>"


def _escaped(url: str) -> str:
    return NOT_IRI.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode("utf-8", "replace")), url)
