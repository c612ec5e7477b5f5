"""Creates a new ontology for Protégé: our annotation properties with explanations, a root class, and two examples below
it.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from ontology.editing.edited_file import of_bytes
from ontology.editing.rdfxml_text import append_rdfxml
from ontology.errors import OntologyError
from ontology.file_failures import refusal
from ontology.messages import message
from ontology.proposals.additions import ABOUT_REFUSED
from ontology.proposals.decisions import Term
from ontology.syntaxes.annotation_properties import (
    EXCLUDES,
    LAYER,
    OC,
    OWL,
    RDF,
    RDFS,
    REFUSED,
    RELATEDNESS,
    SKOS,
    TOPIC,
    WEIGHT,
)
from ontology.syntaxes.statement import ANNOTATION_PROPERTY, CLASS, SUBCLASS, TYPE, Statement, link

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns={own}
     xml:base={iri}
     xmlns:oc="{oc}"
     xmlns:owl="{owl}"
     xmlns:rdf="{rdf}"
     xmlns:rdfs="{rdfs}"
     xmlns:skos="{skos}">
    <owl:Ontology rdf:about={iri}>
        <oc:topic rdf:resource={root}/>
    </owl:Ontology>
</rdf:RDF>
"""
_PROPERTIES = (
    (
        TOPIC,
        "topic",
        "On the ontology: the root class of the topic, as an IRI. What is below it counts.",
        "主题",
        "用于本体：主题的根类（IRI）。其下的类都算作主题。",
    ),
    (
        WEIGHT,
        "weight",
        "On a class: how much it counts, such as 0.5. As soon as one class has a weight, only those that have one are "
        "features of the topic; what is below them counts for them.",
        "权重",
        "用于类：其重要程度，例如 0.5。只要有一个类有权重，就只有带权重的类才是主题的特征，其下位类计入它们。",
    ),
    (
        LAYER,
        "layer",
        "On a class: 1 or 2. Its words mark pages that are one or two links before a good one. Such classes stand "
        "under a root of their own.",
        "层",
        "用于类：1 或 2。其词语标志着离目标页面还有一个或两个链接的页面。这样的类放在单独的根类下。",
    ),
    (
        EXCLUDES,
        "excludes",
        "On a class: a phrase in which its words mean something else. It does not count, nor do words inside it.",
        "排除",
        "用于类：某个短语，其中的词另有所指。该短语及其中的词都不计入。",
    ),
    (
        RELATEDNESS,
        "relatedness",
        "On a property that relates classes (part of, used for): from 0 to 1. What it relates counts for each other at "
        "that fraction of the weight. Without it only subclasses count.",
        "相关度",
        "用于联系各类的属性（部分、用途等）：0 到 1。它所联系的类按此比例互相计入。没有它则只有下位类计入。",
    ),
    (REFUSED, "refused", ABOUT_REFUSED, "已拒绝", "曾被提出而未采纳的词语。在此删除一条，它便可再次被提出。"),
    (SKOS + "altLabel", "synonym", "On a class: another name of it.", "同义词", "用于类：它的另一个名称。"),
    (
        SKOS + "hiddenLabel",
        "misspelling",
        "On a class: a usual misspelling of its name.",
        "误写",
        "用于类：其名称的常见误写。",
    ),
)
_EXAMPLES = (
    ("ExampleOne", {"en": "first example of {name}", "zh": "{name}的第一个例子"}),
    ("ExampleTwo", {"en": "second example of {name}", "zh": "{name}的第二个例子"}),
)
_RENAME = {
    "en": "An example: give it another label (and IRI: Refactor > Rename entity), or delete it.",
    "zh": "示例：请改换标签（及 IRI：Refactor > Rename entity），或删除。",
}
_WORD = re.compile(r"[^\W_]+")
_TELLING = ("en", "zh")
"""The languages in which the examples have labels and comments."""


def write_new(path: Path, name: str, labels: Sequence[Term], languages: Sequence[str]) -> None:
    """Write the ontology to a new file; the root class has the labels.

    `name`: one or more words, from which the IRIs are made. `languages`: language tags for the names of the examples.
    Raises OntologyError if the file exists or cannot be written.
    """
    words = _WORD.findall(name)
    if not words:
        raise OntologyError(message("{name!r} has no letter for an IRI", name=name), "name it with a word, such as tea")
    base = f"https://example.org/{'-'.join(word.lower() for word in words)}"
    root = f"{base}#{''.join(word[:1].upper() + word[1:] for word in words)}"
    known = {"oc": OC, "owl": OWL, "rdf": RDF, "rdfs": RDFS, "skos": SKOS}
    head = _HEAD.format(own=quoteattr(f"{base}#"), iri=quoteattr(base), root=quoteattr(root), **known)
    file = of_bytes(path, head.encode())
    data = file.changed(append_rdfxml(file, list(_statements(base, root, labels, languages))))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as new:
            try:
                new.write(data)
                new.flush()
            except OSError:  # a part of it would stand in the way of the next try
                path.unlink(missing_ok=True)
                raise
    except FileExistsError as error:
        if not path.exists():
            raise OntologyError(
                message("{path} is a file and no folder", path=error.filename), "name another file with -o"
            ) from None
        raise OntologyError(
            message("{path} exists already and is not overwritten", path=path), "name another file with -o"
        ) from None
    except OSError as error:
        raise OntologyError(*refusal(path, error, "name a file that may be written with -o")) from None


def _statements(base: str, root: str, labels: Sequence[Term], languages: Sequence[str]) -> Iterator[Statement]:
    tags = list(dict.fromkeys(language for language in languages if language in _TELLING)) or ["en"]
    for prop, english, about, chinese, about_chinese in _PROPERTIES:
        yield link(prop, TYPE, ANNOTATION_PROPERTY)
        for language, label, comment in (("en", english, about), ("zh", chinese, about_chinese)):
            yield Statement(prop, RDFS + "label", label, language)
            yield Statement(prop, RDFS + "comment", comment, language)
    yield link(root, TYPE, CLASS)
    for term in labels:
        yield Statement(root, RDFS + "label", term.text, term.language)
    for local, named in _EXAMPLES:
        iri = f"{base}#{local}"
        yield link(iri, TYPE, CLASS)
        yield link(iri, SUBCLASS, root)
        for language in tags:
            name = next((term.text for term in labels if _primary(term.language) == language), labels[0].text)
            yield Statement(iri, RDFS + "label", named[language].format(name=name), language)
            yield Statement(iri, RDFS + "comment", _RENAME[language], language)


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()
