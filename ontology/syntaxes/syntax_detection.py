"""Detects the syntax of a text by its content, because file endings are unreliable (`.owl` may be any of them)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ontology.errors import OntologyError
from ontology.messages import Message, message
from ontology.syntaxes.annotation_properties import OWL, RDF
from ontology.syntaxes.language_tags import STRINGS, OddTag, with_tags_mended
from ontology.syntaxes.xml_wellformedness import NotWellFormed, Xml, check_xml

Syntax = Literal["rdfxml", "turtle", "trig", "nt", "nquads", "trix", "jsonld", "ofn", "omn", "owx", "obo"]
RDF_SYNTAXES: tuple[Syntax, ...] = ("rdfxml", "turtle", "trig", "nt", "nquads", "trix", "jsonld")
SAVE_AS = message("in Protégé: File > Save as > RDF/XML Syntax (or Turtle), then read that file")
MEND = message(
    "if you have edited it by hand, mend this line or the one before it; else save it again from Protégé "
    "(File > Save as > RDF/XML Syntax or Turtle)"
)
MEND_XML = message(
    "if you have edited it by hand, mend this line: & is written &amp;, < is written &lt;, and every tag is closed; "
    "else the file is damaged or cut short: save or fetch it again"
)
BEGIN = message("a list of words is none yet: begin with {command} ontology new tea, or {save_as}", save_as=SAVE_AS)
EXCERPT = 80  # characters of the line that is shown; chosen


@dataclass(frozen=True, slots=True)
class OntologyText:
    """A text, as a parser takes it, and its syntax. `name`: the file's name, for messages. `xml`: the parsed head of
    the document, if it is XML. `odd_tags`: language tags that are none in the file.
    """

    name: str
    text: str
    syntax: Syntax
    xml: Xml | None = None
    odd_tags: tuple[OddTag, ...] = ()


def broken(name: str, what: str, line: int | None = None, cure: str = SAVE_AS) -> OntologyError:
    """The error for a file that cannot be read; the message begins with file and line."""
    place = message("{name}, line {line}", name=name, line=line) if line else name
    return OntologyError(message("{path}: {why}", path=place, why=what), cure)


def not_valid(name: str, text: str, syntax: str, what: str, line: int | None) -> OntologyError:
    """The error of a parser, with the line at which it stopped."""
    why = message("not valid {syntax}: {what}", syntax=syntax, what=what)
    return broken(name, _quoting(text, line, why), line, MEND if line else SAVE_AS)


def _quoting(text: str, line: int | None, why: Message) -> Message:
    """What is wrong, with the line at which it was noticed."""
    lines = text.splitlines()
    said = lines[line - 1].strip() if line and line <= len(lines) else ""
    shown = said if len(said) <= EXCERPT else f"{said[:EXCERPT]}…"
    return message("{why}; there it says: {shown}", why=why, shown=shown) if said else why


_TRIX = "http://www.w3.org/2004/03/trix/trix-1/"
_COMMENTS = re.compile(r"(?:\s+|#[^\n]*(?:\n|$)|![^\n]*(?:\n|$))*")
_XML_START = re.compile(r"<[A-Za-z_][\w.-]*(:[\w.-]+)?(\s|>|/>)")
_OBO = re.compile(
    r"(format-version|data-version|ontology|date|saved-by|auto-generated-by|default-namespace|import|subsetdef"
    r"|synonymtypedef|idspace|remark|namespace-id-rule|treat-xrefs-[a-z-]+|owl-axioms|property_value):\s"
    r"|\[(Term|Typedef|Instance)\]"
)
_FUNCTIONAL = re.compile(r"(Prefix|Ontology)\s*\(")
_MANCHESTER = re.compile(
    r"(Prefix|Ontology|Import|Annotations|Class|Individual|Datatype|(Object|Data|Annotation)Property):\s"
)
_NODE = r"(<[^<>\"\s]*>|_:\S+)"
_TRIPLE = rf"{_NODE}\s+<[^<>\"\s]*>\s+({_NODE}|\".*\"(@[\w-]+|\^\^<[^<>\"\s]*>)?)"
_TRIPLE_LINE = re.compile(rf"{_TRIPLE}\s*\.\s*(#.*)?")
_QUAD_LINE = re.compile(rf"{_TRIPLE}(\s*{_NODE})?\s*\.\s*(#.*)?")
_TRIG = re.compile(r"graph\b|\{", re.IGNORECASE)
# a brace outside of comments, IRIs and strings: the graphs of TriG
_BRACE = re.compile(rf"#[^\n]*+|<[^<>\"\s]*+>|{STRINGS}|\{{", re.DOTALL)
_TURTLE = re.compile(
    r"@(prefix|base|keywords|forAll)\b|(prefix|base)\s+|<[^<>\"{}|^`\s]*>|_:\w|[\[(\"']|[\w.-]*:[\w%\\]*\s", re.I
)


def check_text(name: str, body: str, cure: str) -> None:
    """Raise OntologyError for what was decoded from a packed or a binary file."""
    if "\0" in body[:1000]:
        raise broken(name, message("this is not text (perhaps a packed or a binary file)"), cure=cure)


def recognise(name: str, text: str) -> OntologyText:
    """Detect the syntax of a decoded text. Raises OntologyError if it is none that is read."""
    source = _recognised(name, text)
    mended, odd_tags = with_tags_mended(source.text, source.syntax)
    return replace(source, text=mended, odd_tags=odd_tags) if odd_tags else source


def _recognised(name: str, text: str) -> OntologyText:
    start = _COMMENTS.match(text)
    body = text[start.end() if start else 0 :]
    if not body:
        raise broken(name, message("the file is empty"), cure=message("save it again from Protégé"))
    if body.startswith("$HDT"):
        what = message("this is HDT, which is not read")
        raise broken(name, what, cure=message("convert it to N-Triples: hdt2rdf FILE topic.nt"))
    check_text(name, body, message("unpack it, or {save_as}", save_as=SAVE_AS))
    if body[0] == "<" and _is_xml(body):
        return _recognise_xml(name, text)
    if body[0] == "{" or (body[0] == "[" and _is_json(body)):
        return _recognise_json(name, text)
    for syntax, pattern in _PATTERNS:
        if pattern.match(body):
            return OntologyText(name, text, syntax)
    if _TURTLE.match(body) or _TRIG.match(body):
        return OntologyText(name, text, _of_triples(name, body))
    begin = " ".join(body[:40].split())
    what = message("this is not an ontology in a known syntax; it begins with: {begin}", begin=begin)
    raise broken(name, what, cure=BEGIN)


_PATTERNS: tuple[tuple[Syntax, re.Pattern[str]], ...] = (("obo", _OBO), ("ofn", _FUNCTIONAL), ("omn", _MANCHESTER))


def _is_xml(body: str) -> bool:
    if body.startswith(("<?", "<!")) or body[:5].lower() == "<html":
        return True
    return _XML_START.match(body) is not None and "xmlns" in body[:65536]


def _is_json(body: str) -> bool:
    """Whether a text that begins with `[` is JSON, not Turtle. Only in JSON may `[]` be the whole text."""
    return re.match(r"\[\s*([\[{]|\]\s*\Z)", body) is not None


def _of_triples(name: str, body: str) -> Syntax:
    """Which of the syntaxes that write one triple after the other: by the lines, by braces, by the file's ending."""
    if _consists_of(_TRIPLE_LINE, body):
        return "nt"
    ending = name.lower().rpartition(".")[2]
    if _consists_of(_QUAD_LINE, body) or ending in ("nq", "nquads"):
        return "nquads"
    is_trig = ending == "trig" or (ending != "n3" and any(found[0] == "{" for found in _BRACE.finditer(body)))
    return "trig" if is_trig else "turtle"


def _consists_of(pattern: re.Pattern[str], body: str) -> bool:
    """Whether the first and the last lines are all complete statements."""
    lines = [line.strip() for line in body[:20_000].splitlines()[:-1][:100] + body[-2_000:].splitlines()[1:]]
    statements = [line for line in lines if line and not line.startswith("#")]
    return bool(statements) and all(pattern.fullmatch(line) for line in statements)


def _recognise_xml(name: str, text: str) -> OntologyText:
    if re.match(r"\s*(<!doctype\s+html|<html\b)", text, re.IGNORECASE):
        raise broken(
            name,
            message("this is a web page, not an ontology"),
            cure=message("download the file itself (the 'raw' link)"),
        )
    try:
        xml = check_xml(text)
    except NotWellFormed as error:
        cure = SAVE_AS if "entit" in str(error) else MEND_XML
        why = message("not well-formed XML: {error}", error=error)
        raise broken(name, _quoting(text, error.line, why), error.line, cure) from None
    space, local = xml.root
    if (space, local) == (OWL, "Ontology") or (not space and "ontologyIRI" in xml.attributes):
        return OntologyText(name, xml.text, "owx", xml)
    if space == RDF or any(key.startswith(RDF) for key in xml.attributes) or f'"{RDF}"' in text:
        return OntologyText(name, xml.text, "rdfxml", xml)
    if (space, local) == (_TRIX, "TriX"):
        return OntologyText(name, xml.text, "trix", xml)
    if local == "catalog":
        raise broken(
            name,
            message("this is Protégé's catalogue of imports, not an ontology"),
            cure=message("name the ontology beside it"),
        )
    raise broken(name, message("XML, but neither RDF/XML nor OWL/XML: its root element is <{local}>", local=local))


def _recognise_json(name: str, text: str) -> OntologyText:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise not_valid(name, text, "JSON", error.msg, error.lineno) from None
    except ValueError:  # `int` takes 4,300 digits
        raise broken(name, message("a number in its JSON has too many digits")) from None
    except RecursionError:
        raise broken(name, message("its JSON is nested too deeply")) from None
    remote = next(_remote_contexts(document), None)
    if remote is not None:
        cure = message("put the context itself into the file, or save it as Turtle")
        raise broken(
            name,
            message("its JSON-LD @context {remote} is on the web, and nothing is downloaded", remote=remote),
            cure=cure,
        )
    return OntologyText(name, text, "jsonld")


def _remote_contexts(document: object) -> Iterator[object]:
    """Every @context (or @import) that is an address instead of a context."""
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            waiting.extend(node.values())
            context = node.get("@context")
            contexts = context if isinstance(context, list) else [context]
            yield from (each for each in contexts if isinstance(each, str))
            yield from (each["@import"] for each in contexts if isinstance(each, dict) and "@import" in each)
