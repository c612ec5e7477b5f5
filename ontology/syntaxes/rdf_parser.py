"""RDF/XML, Turtle, N3, TriG, N-Triples, N-Quads, TriX and JSON-LD through rdflib: text to `Facts`. Only this file
imports rdflib.

rdflib is imported inside functions, because that takes a third of a second.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ontology.errors import OntologyError
from ontology.messages import message
from ontology.syntaxes.annotation_properties import LABEL_NODES, LITERAL_FORM, OWL, RDF, RDFS, XSD
from ontology.syntaxes.file_facts import Expression, ExpressionKind, Facts, add
from ontology.syntaxes.language_tags import CURE, mended
from ontology.syntaxes.statement import Statement
from ontology.syntaxes.syntax_detection import OntologyText, Syntax, broken, not_valid

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

# The parsers that are tried in turn. `names`: of RDF/XML with its names written such that they are valid; `lines`: of
# those lines of N-Quads that are valid; `tags`: of JSON-LD with the keys of its language maps mended
_PARSERS: dict[Syntax, tuple[str, ...]] = {
    "rdfxml": ("xml", "names"),
    "turtle": ("turtle", "n3"),
    "trig": ("trig", "turtle", "n3"),
    "nt": ("nt", "turtle", "lines"),
    "nquads": ("nquads", "trig", "lines"),
    "trix": ("trix",),
    "jsonld": ("json-ld", "tags"),
}
# those whose files may have several graphs; all of them count
_OF_GRAPHS = ("json-ld", "trig", "nquads", "trix", "lines", "tags")
_LANGUAGE_KEY = re.compile(r""""([A-Za-z]{2,3}_[\w-]{1,20}|[A-Za-z][\w-]*\.[\w.-]+)"(\s*:\s*[\["])""")
_ID = re.compile(r"""\brdf:ID\s*=\s*(["'])""")
_NODE_ID = re.compile(r"""(\brdf:nodeID\s*=\s*)(["'])([^"'<>]*)\2""")
_FILLERS = tuple(OWL + name for name in ("someValuesFrom", "allValuesFrom", "hasValue", "onClass"))
_GROUPS: dict[str, ExpressionKind] = {OWL + "intersectionOf": "all", OWL + "unionOf": "any", OWL + "oneOf": "one"}
_DEPTH = 40
"""Nesting to which class expressions are followed; chosen, not measured."""


@dataclass(frozen=True, slots=True)
class Forgiven:
    """What a file's own parser refused, and which of the others took it (`_PARSERS`). `lines`: that were left out."""

    error: OntologyError
    parser: str
    lines: int = 0


def parse_rdf(source: OntologyText) -> tuple["Graph", Forgiven | None]:
    """Parse the text. Also returns what was wrong with it, if another parser than the first took it.

    Raises OntologyError, with the line if the parser gives one.
    """
    import rdflib

    rdflib.NORMALIZE_LITERALS = False
    failures: list[Exception] = []
    for parser in _PARSERS[source.syntax]:
        try:
            graph, left_out = _parsed(source, parser)
            return graph, Forgiven(_error(source, failures[0]), parser, left_out) if failures else None
        except MemoryError:
            raise
        except Exception as error:  # rdflib raises all kinds, for instance IndexError for Turtle that was cut short
            failures.append(error)
    raise _error(source, failures[0])


def _parsed(source: OntologyText, parser: str) -> tuple["Graph", int]:
    """The graph, and the number of lines that were left out."""
    import rdflib

    # A relative IRI must not depend on the file's folder.
    base = f"file:///{quote(source.name)}"
    graph = rdflib.Graph(store=_store_class()(), bind_namespaces="none")
    if parser == "names":
        return graph.parse(data=_with_valid_names(source.text), format="xml", publicID=base), 0
    if parser not in _OF_GRAPHS:
        return graph.parse(data=source.text, format=parser, publicID=base), 0
    dataset = rdflib.Dataset(default_union=True)
    left_out = 0
    if parser == "lines":
        left_out = _parse_lines(source.text, dataset)
    elif parser == "tags":
        dataset.parse(data=_LANGUAGE_KEY.sub(_with_tag, source.text), format="json-ld", publicID=base)
    else:
        dataset.parse(data=source.text, format=parser, publicID=base)
    for triple in sorted(dataset.triples((None, None, None)), key=str):  # the dataset has no order
        graph.add(triple)
    return graph, left_out


def _with_tag(key: re.Match[str]) -> str:
    """A key that may be a language tag: mended, or that of texts without a language (JSON-LD 1.1, 9.8)."""
    return f'"{mended(key[1]) or "@none"}"{key[2]}'


def _with_valid_names(text: str) -> str:
    """RDF/XML whose `rdf:ID`s are no XML names, or not unique, and `rdf:nodeID`s likewise, in another spelling."""

    def named(found: re.Match[str]) -> str:
        return f'{found[1]}"n{found[3].encode().hex()}"'

    return _NODE_ID.sub(named, _ID.sub(r"rdf:about=\1#", text))


def _parse_lines(text: str, dataset: Any) -> int:
    """Add the statements of the valid lines; returns the number of the others.

    Raises ValueError if those are most, or if the last is one of them: then the file was cut short.
    """
    from rdflib.exceptions import ParserError as ParseError
    from rdflib.parser import create_input_source
    from rdflib.plugins.parsers.nquads import NQuadsParser

    bad, is_cut = 0, False

    class StatementLines(NQuadsParser):
        def parseline(self, bnode_context: Any = None) -> None:
            nonlocal bad, is_cut
            is_blank = not str(self.line).strip()
            try:
                super().parseline(bnode_context)
                is_cut = is_cut and is_blank
            except (ParseError, ValueError):
                bad, is_cut = bad + 1, True

    StatementLines().parse(create_input_source(data=text), dataset, bnode_context={})
    if bad > len(dataset) or is_cut:
        raise ValueError("cut short, or hardly a line is a statement")
    return bad


@cache
def _store_class() -> Any:
    """A store class that only indexes triples by subject; it needs a third of the memory of rdflib's own."""
    from rdflib.plugins.stores.memory import SimpleMemory

    class BySubject(SimpleMemory):
        def __init__(self) -> None:
            super().__init__()
            self._statements: dict[Any, dict[tuple[Any, Any], None]] = {}
            self._same: dict[Any, Any] = {}

        def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
            same, (subject, prop, value) = self._same.setdefault, triple
            self._statements.setdefault(same(subject, subject), {})[same(prop, prop), same(value, value)] = None

        def triples(self, pattern: Any, context: Any = None) -> Iterator[Any]:
            subject, prop, value = pattern
            subjects = self._statements if subject is None else (subject,)
            for each in subjects:
                for name, what in self._statements.get(each, ()):
                    if prop in (None, name) and value in (None, what):
                        yield (each, name, what), ()

        def __len__(self, context: Any = None) -> int:
            return sum(map(len, self._statements.values()))

    return BySubject


def _error(source: OntologyText, error: Exception) -> OntologyError:
    if isinstance(error, IndexError):  # rdflib reads beyond the end of the text
        return broken(source.name, message("the file ends in the middle of a statement"), source.text.count("\n") + 1)
    if isinstance(error, RecursionError):
        return broken(source.name, message("its statements are nested too deeply"))
    text = str(error)
    if "language tag" in text:  # rdflib gives no line, and quotes the tag
        tag = text.split("'")[1] if "'" in text else ""
        line = _line_of(source, f'"{tag}"') or _line_of(source, f"@{tag}")
        return broken(source.name, text.strip("!"), line, CURE)
    for pattern in _PLACES:
        found = pattern.match(text)
        if found:
            parts = found.groupdict()
            line = int(parts["line"]) if "line" in parts else _line_of(source, "".join(found.groups()))
            what = _BYTES.sub("", parts.get("what", text))
            return not_valid(source.name, source.text, source.syntax, _one_line(what), line)
    return not_valid(source.name, source.text, source.syntax, _one_line(text), None)


_PLACES = (
    re.compile(r"at line (?P<line>\d+) of <[^>]*>:\s*(?P<what>.*)", re.DOTALL),  # Turtle
    re.compile(r".*?:(?P<line>\d+):\d+: (?P<what>.*)", re.DOTALL),  # RDF/XML: "file:///name:17:4: ..."
    re.compile(r"Invalid line: (.*)", re.DOTALL),  # N-Triples
    re.compile(r"Quote expected in string at \^ in (.*)\^(.*)", re.DOTALL),  # Turtle, a string without an end
)
"""How parsers report the place of an error: a line, or the text there (two groups: before and after)."""
_BYTES = re.compile(r"(?<=\)) at \^ in:?\s.*", re.DOTALL)  # the excerpt that rdflib adds, with \xe9 for 铁


def _line_of(source: OntologyText, text: str) -> int | None:
    place = source.text.find(text.rstrip("."))
    return source.text[:place].count("\n") + 1 if place >= 0 else None


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:200] + " ..."


def facts_of(graph: "Graph") -> Facts:
    """Collect what the graph states about its classes, individuals and SKOS concepts."""
    return _Gathering(graph).facts


def triples_of(graphs: Iterable["Graph"]) -> str:
    """The graphs as N-Triples, without their imports, for the reasoner."""
    lines = (line for graph in graphs for line in graph.serialize(format="nt").splitlines())
    return "\n".join(line for line in lines if f"<{OWL}imports>" not in line) + "\n"


def statements_of(graph: "Graph") -> Iterator[Statement]:
    """Every triple about an IRI, as written."""
    from rdflib import BNode, Literal, URIRef

    for subject, prop, value in graph:
        if not isinstance(subject, URIRef):
            continue
        if isinstance(value, Literal):
            datatype = str(value.datatype or "")
            yield Statement(str(subject), str(prop), str(value), value.language or "", _no_string(datatype))
        else:
            is_named = not isinstance(value, BNode)
            yield Statement(str(subject), str(prop), str(value) if is_named else "", is_iri=True, is_named=is_named)


def _no_string(datatype: str) -> str:
    """The datatype, "" for xsd:string, because in RDF 1.1 a plain literal is an xsd:string."""
    return "" if datatype == XSD + "string" else datatype


def sums(graph: "Graph") -> Counter[str]:
    """A checksum for each triple; a blank node is represented by everything said about it."""
    from rdflib import BNode

    blank_sums = _blank_sums(graph)
    found: Counter[str] = Counter()
    for subject, prop, value in graph:
        if not isinstance(subject, BNode):
            found[_sum(str(subject), str(prop), blank_sums.get(value) or _term(value))] += 1
    found.update(blank_sums.values())
    return found


def _blank_sums(graph: "Graph") -> dict["Node", str]:
    """A checksum of each blank node's triples, inner nodes first; a node inside a cycle is represented by `_`."""
    from rdflib import BNode

    rows: dict[Node, list[tuple[str, Node]]] = {}
    for subject, prop, value in graph:
        if isinstance(subject, BNode):
            rows.setdefault(subject, []).append((str(prop), value))
    blank_sums: dict[Node, str] = {}
    entered: set[Node] = set()
    waiting = list(rows)
    while waiting:
        node = waiting[-1]
        inner = [value for _, value in rows[node] if value in rows and value not in entered]
        if node not in entered and inner:
            entered.add(node)
            waiting += inner
            continue
        entered.add(node)
        waiting.pop()
        if node not in blank_sums:
            blank_sums[node] = _sum(
                *sorted(f"{prop} {blank_sums.get(value) or _term(value)}" for prop, value in rows[node])
            )
    return blank_sums


def _term(node: "Node") -> str:
    from rdflib import BNode, Literal

    if isinstance(node, BNode):
        return "_"
    return (
        f"{node!s}@{node.language}^{_no_string(str(node.datatype or ''))}"
        if isinstance(node, Literal)
        else f"<{node!s}>"
    )


def _sum(*parts: str) -> str:
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class _Gathering:
    """One pass over all triples; the property of a triple decides what it means."""

    def __init__(self, graph: "Graph") -> None:
        from rdflib import BNode, Literal, URIRef

        self._blank, self._literal, self._iri = BNode, Literal, URIRef
        self._graph, self.facts = graph, Facts()
        self._seen: set[Node] = set()  # blank nodes of one class expression; a valid one contains each once
        for sub, _, above in graph.triples((None, URIRef(RDFS + "subPropertyOf"), None)):
            self.facts.add_subproperty(str(sub), str(above))
        for subject, prop, value in graph:
            self.facts.statements += 1
            self.facts.used[str(prop)] += 1
            if isinstance(subject, URIRef):
                self._note(str(subject), str(prop), value)

    def _note(self, subject: str, prop: str, value: "Node") -> None:
        self._seen.clear()
        if prop in LABEL_NODES:
            self._label_node(subject, prop, value)
        elif prop in (RDFS + "subClassOf", OWL + "intersectionOf"):
            self.facts.add_superclass(subject, self._superclass(prop, value))
        elif prop in (OWL + "equivalentClass", OWL + "unionOf", OWL + "oneOf", OWL + "disjointUnionOf"):
            self.facts.add_equivalent(subject, self._equivalent(prop, value))
        elif isinstance(value, self._literal):
            self.facts.annotate(subject, prop, str(value), value.language)
        elif isinstance(value, self._iri):
            self.facts.add_link(subject, prop, str(value))
        elif prop == RDF + "type":
            for name in self._expression(value).names():
                add(self.facts.types, subject, name)

    def _superclass(self, prop: str, value: "Node") -> Expression:
        return self._expression(value) if prop.endswith("subClassOf") else self._members("all", value)

    def _equivalent(self, prop: str, value: "Node") -> Expression:
        if prop.endswith("equivalentClass"):
            return self._expression(value)
        return self._members("one" if prop.endswith("oneOf") else "any", value)

    def _label_node(self, subject: str, prop: str, node: "Node") -> None:
        for form in self._graph.objects(node, self._iri(LITERAL_FORM)):
            language = form.language if isinstance(form, self._literal) else None
            self.facts.add_label(subject, str(form), language, LABEL_NODES[prop])

    def _expression(self, node: "Node", depth: int = 0) -> Expression:
        if isinstance(node, self._iri):
            return Expression("named", str(node))
        if depth > _DEPTH or node in self._seen:
            return Expression("filler")
        self._seen.add(node)
        for prop, kind in _GROUPS.items():
            members = self._graph.value(node, self._iri(prop))
            if members is not None:
                return self._members(kind, members, depth)
        fillers = (self._graph.value(node, self._iri(prop)) for prop in _FILLERS)
        parts = (self._expression(filler, depth + 1) for filler in fillers if filler is not None)
        restricted = self._graph.value(node, self._iri(OWL + "onProperty"))
        return Expression("filler", str(restricted) if isinstance(restricted, self._iri) else "", tuple(parts))

    def _members(self, kind: ExpressionKind, node: "Node", depth: int = 0) -> Expression:
        return Expression(kind, parts=tuple(self._expression(each, depth + 1) for each in self._items(node)))

    def _items(self, node: "Node") -> Iterator["Node"]:
        seen: set[Node] = set()
        first, rest = self._iri(RDF + "first"), self._iri(RDF + "rest")
        following: Node | None = node
        while following is not None and following not in seen:
            seen.add(following)
            item = self._graph.value(following, first)
            if item is not None:
                yield item
            following = self._graph.value(following, rest)
