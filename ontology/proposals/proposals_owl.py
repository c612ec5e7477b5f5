"""Writes proposals as an ontology to be edited in Protégé; it imports the expert's own ontology.

Every proposal is a class below the concept that it is about, so the class tree shows it where it would belong. Its
label is the term with what it would become, `茗 (synonym?)`; a narrower concept has its plain name. So one action each
is enough: delete the class to refuse it, drag it to move it, edit the label for another word or another kind. (Synonyms
as annotations of the concept itself would not be in the tree: they would have to be found class by class, and retyped
to be moved.) Comments of the class contain the evidence. What was proposed is recorded at the annotation property
`oc:proposed`, which is not affected by deleting classes.

Protégé shows nothing below an individual. If a proposal is about an individual, the file has a class with the
individual's IRI, and so with its labels, below the classes of that individual. OWL 2 allows this (punning). This
stand-in is never written into the expert's file.
"""

import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from ontology.child_process import run_isolated
from ontology.concepts import Ontology
from ontology.editing.edited_file import backup_name, of_bytes
from ontology.editing.names import writable
from ontology.editing.rdfxml_text import append_rdfxml
from ontology.errors import OntologyError
from ontology.file_failures import refusal
from ontology.inspection.concept_captions import Captions
from ontology.loading.ontology_reader import read_ontology
from ontology.messages import COMMAND, message
from ontology.proposals.proposal import Evidence, Kind, Proposal
from ontology.proposals.proposal_terms import EVIDENCE, GROUP, as_record, marked, proposals_iri
from ontology.proposals.proposals_reading import has_proposals
from ontology.syntaxes.annotation_properties import OC, OWL, PROPOSED, RDF, RDFS
from ontology.syntaxes.statement import ANNOTATION_PROPERTY, CLASS, SUBCLASS, TYPE, Statement, link

SECONDS, MEMORY_MB = 60.0, 1024  # as for reading an ontology (`ontology.loading.ontology_reader`)
_BESIDE = 5  # concepts named in the evidence; chosen
_TERMS = (Kind.SYNONYM, Kind.NARROWER, Kind.RELATED)
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns={own}
     xmlns:oc="{oc}"
     xmlns:owl="{owl}"
     xmlns:rdf="{rdf}"
     xmlns:rdfs="{rdfs}">
    <owl:Ontology rdf:about={iri}>
        <owl:imports rdf:resource={imported}/>
        <rdfs:comment xml:lang="en">{english}</rdfs:comment>
        <rdfs:comment xml:lang="zh">{chinese}</rdfs:comment>
    </owl:Ontology>
</rdf:RDF>
"""
_ENGLISH = (
    "Terms that a crawl proposes for the ontology imported here. Each is a class below the concept that it is about. "
    "Delete it: no. Drag it onto another class: it belongs there. Edit its label: another word. The brackets in the "
    "label say what it becomes: (synonym?), (related?), (layer 1?), (layer 2?), (misleading?), (weight?); without "
    "brackets it becomes a class. Comments tell what speaks for it. Save, then: "
    "{command} ontology accept {out} --into {ontology}"
)
_CHINESE = (
    "抓取后为所导入的本体提出的词语。每一条是一个类，位于所属概念之下。删除：不采纳。拖到另一个类下：归到那里。修改标签：换一个词。"
    "标签括号里写明它将成为什么：(synonym?) 同义词，(related?) 关联概念，(layer 1?)、(layer 2?) 前一、二层的词，"
    "(misleading?) 易误导的词，(weight?) 权重；没有括号则成为新的下位类。注释说明依据。保存后运行："
    "{command} ontology accept {out} --into {ontology}"
)
_ABOUT_PROPOSED = "What had been proposed. Leave it as it is: by it a proposal that you delete is known as refused."


def write(proposals: Sequence[Proposal], ontology: Path, out: Path, command: str = COMMAND) -> None:
    """Write the proposals for the ontology in the file `ontology` to `out` (RDF/XML, UTF-8).

    `command`: how to type the command by which they are taken in.

    Existing proposals in `out`, which an expert may have edited, are kept as a backup (proposals.owl.bak).

    The file imports the ontology by its file's name, or by its path where it is in another folder. Raises OntologyError
    if the ontology cannot be read, if `out` cannot be written, or if `out` exists and does not contain proposals, or is
    the ontology itself.
    """
    before = _earlier(out, ontology)
    known = read_ontology(ontology)
    nameless = next((iri for iri in known.concepts if iri.startswith("file:")), None)
    if nameless:
        what = message(
            "{ontology}: its classes have no whole IRIs ({nameless}), so no other file can speak of them",
            ontology=ontology.name,
            nameless=nameless,
        )
        raise OntologyError(what, "in Protégé: Active ontology > give it an Ontology IRI, and save it")
    base = proposals_iri(known.iri)
    names = {"command": command, "out": shlex.quote(str(out)), "ontology": shlex.quote(str(ontology))}
    head = _HEAD.format(
        own=quoteattr(f"{base}#"),
        iri=quoteattr(base),
        imported=quoteattr(_import(known, ontology, out)),
        english=_ENGLISH.format(**names).replace("&", "&amp;").replace("<", "&lt;"),
        chinese=_CHINESE.format(**names).replace("&", "&amp;").replace("<", "&lt;"),
        oc=OC,
        owl=OWL,
        rdf=RDF,
        rdfs=RDFS,
    )
    file = of_bytes(out, head.encode())
    data = file.changed(append_rdfxml(file, list(_statements(proposals, known, f"{base}#"))))
    try:
        if before not in (None, data):
            shutil.copy2(out, backup_name(out))
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(data)
    except OSError as error:
        raise OntologyError(*refusal(out, error, "name a file that may be written")) from None


def _earlier(out: Path, ontology: Path) -> bytes | None:
    """The existing proposals, None without any. Raises OntologyError if the file contains something else."""
    try:
        data = out.read_bytes()
    except OSError:  # there is no such file; any other error is reported when the file is written
        return None
    if ontology.exists() and out.samefile(ontology):
        raise OntologyError(message("{out} is the ontology itself", out=out), "name another file for the proposals")
    if not run_isolated(has_proposals, (out,), name=out.name, seconds=SECONDS, memory_mb=MEMORY_MB):
        raise OntologyError(
            message("{out} exists already and contains no proposals", out=out), "name another file for them"
        )
    return data


def _import(known: Ontology, ontology: Path, out: Path) -> str:
    """By its place: of the files beside it, Protégé 5.6 knows the IRIs of those alone that are XML with `xml:base`."""
    if known.iri and known.format == "jsonld":  # Protégé cannot read it, and would then open nothing at all
        return known.iri
    same_folder = ontology.resolve().parent == out.resolve().parent
    return quote(ontology.name) if same_folder else ontology.resolve().as_uri()


def _statements(proposals: Sequence[Proposal], known: Ontology, base: str) -> Iterator[Statement]:
    captions = Captions(known)
    yield link(PROPOSED, TYPE, ANNOTATION_PROPERTY)
    yield Statement(PROPOSED, RDFS + "comment", _ABOUT_PROPOSED, "en")
    for number, each in enumerate(proposals, 1):
        key = _key(number, each.kind)
        yield Statement(PROPOSED, PROPOSED, as_record(key, each.kind, each.term, each.language, each.concept))
    if any(each.concept is None for each in proposals):
        yield link(GROUP, TYPE, CLASS)
        yield Statement(GROUP, RDFS + "label", "proposals for the topic as a whole", "en")
    for iri in dict.fromkeys(each.concept for each in proposals if each.concept):
        if iri in known.concepts and known.concepts[iri].kind == "individual":
            yield link(iri, TYPE, CLASS)
            yield from (link(iri, SUBCLASS, parent) for parent in known.concepts[iri].parents)
    for number, each in enumerate(proposals, 1):
        yield from _class(each, base + _key(number, each.kind), captions)


def _key(number: int, kind: Kind) -> str:
    return f"{kind.value.replace(' ', '-')}-{number}"


def _class(proposal: Proposal, iri: str, captions: Captions) -> Iterator[Statement]:
    yield link(iri, TYPE, CLASS)
    yield link(iri, SUBCLASS, proposal.concept or GROUP)
    is_weight = proposal.kind is Kind.WEIGHT
    term = f"{proposal.value:g}" if is_weight else proposal.term
    label = writable(marked(term, proposal.kind))
    yield Statement(iri, RDFS + "label", label, "" if is_weight else proposal.language)
    for text in evidence_texts(proposal, captions):
        yield Statement(iri, RDFS + "comment", EVIDENCE + writable(text))


def evidence_texts(proposal: Proposal, captions: Captions) -> list[str]:
    """The evidence for a proposal in words: the figures, concepts on the same pages, sentences."""
    evidence = proposal.evidence
    beside = ", ".join(f"{captions.of(iri)} ({pages})" for iri, pages in evidence.beside[:_BESIDE])
    sentences = [f"“{each.text}” {each.url}" for each in evidence.sentences]
    is_counted = evidence.on_topic or evidence.off_topic or evidence.gain  # words from a thesaurus may have no counts
    return [
        *([_figures(proposal.kind, evidence)] if is_counted else []),
        *_beside_names(evidence),
        *([message("on pages with {beside}", beside=beside)] if beside else []),
        *sentences,
    ]


def _beside_names(evidence: Evidence) -> Iterator[str]:
    """What connects a name in another language with the names that the concept has."""
    if evidence.bracketed:
        yield message("pages with it in brackets beside a name: {pages}", pages=evidence.bracketed)
    if evidence.parts == 1:
        yield message("a dictionary translates a name so")
    elif evidence.parts:
        yield message("put together of translations of a name's parts")
    if evidence.closeness:
        yield message("close to a name in meaning: {closeness:.2f}", closeness=evidence.closeness)


def _figures(kind: Kind, evidence: Evidence) -> str:
    on, off = evidence.on_topic, evidence.off_topic
    others = message("1 other") if off == 1 else message("{number} others", number=off)
    if kind in (Kind.LAYER_1, Kind.LAYER_2):
        return message(
            "by links to {pages} nearer to results, and to {others} (log-likelihood ratio {score:.1f})",
            pages=message("1 page") if on == 1 else message("{number} pages", number=on),
            others=others,
            score=evidence.score,
        )
    pages = message("1 page on topic") if on == 1 else message("{number} pages on topic", number=on)
    figures = {"pages": pages, "others": others, "score": evidence.score}
    if kind not in _TERMS and not evidence.gain:  # it is not counted
        return message("said by {pages} and {others} (log-likelihood ratio {score:.1f})", **figures)
    return message(
        "said by {pages} and {others} (log-likelihood ratio {score:.1f}); {effect}",
        **figures,
        effect=_effect(kind, evidence.gain),
    )


def _effect(kind: Kind, gain: int) -> str:
    if kind in (Kind.MISLEADING, Kind.WEIGHT):
        return message("1 page would rank lower") if gain == 1 else message("{gain} pages would rank lower", gain=gain)
    if gain == 1:
        return message("1 page or link would rank higher")
    return message("{gain} pages or links would rank higher", gain=gain)
