"""The table of properties that name a concept, and of the annotations that an expert or an editor sets on it.

Known IRIs come first. A property of the expert's own (`hasSynonym`, `别名`) is recognised by its local name. Measured
on 89 real files: labels are given by some twenty properties, and a third of the files use one of their own.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ontology.concepts import LabelKind

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOSXL = "http://www.w3.org/2008/05/skos-xl#"
OC = "https://w3id.org/ontocrawl#"
OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
XSD = "http://www.w3.org/2001/XMLSchema#"

LANGUAGES_OF_ONTOLOGIES = (RDF, RDFS, OWL, XSD)
"""Namespaces of ontology languages; their terms are not concepts of a domain."""

TO_BE_PLACED = OC + "ToBePlaced"  # the class below which accepted terms wait for their place; its labels are no words
WEIGHT, LAYER, TOPIC = OC + "weight", OC + "layer", OC + "topic"
EXCLUDES, REFUSED, PROPOSED = OC + "excludes", OC + "refused", OC + "proposed"
RELATEDNESS = OC + "relatedness"
MARKS: Mapping[str, str] = MappingProxyType(
    {"weight": WEIGHT, "layer": LAYER, "topic": TOPIC, "excludes": EXCLUDES, "relatedness": RELATEDNESS}
)
_OWN = frozenset({*MARKS.values(), REFUSED, PROPOSED})
_IN_CHINESE: Mapping[str, str] = MappingProxyType({"权重": WEIGHT, "层": LAYER, "主题": TOPIC, "相关度": RELATEDNESS})

_AV = "https://www.omg.org/spec/Commons/AnnotationVocabulary/"
_FIBO_AV = "https://spec.edmcouncil.org/fibo/ontology/FND/Utilities/AnnotationVocabulary/"
_NCIT = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#"

LABELS: Mapping[str, LabelKind] = MappingProxyType(
    {
        RDFS + "label": "name",
        SKOS + "prefLabel": "name",
        OBO + "IAO_0000111": "name",  # editor preferred term
        "http://schema.org/name": "name",
        "https://schema.org/name": "name",
        "http://xmlns.com/foaf/0.1/name": "name",
        "http://www.geonames.org/ontology#name": "name",
        "http://www.loc.gov/mads/rdf/v1#authoritativeLabel": "name",
        "http://www.yso.fi/onto/yso-meta/singularPrefLabel": "name",
        _NCIT + "P108": "name",  # preferred name
        SKOS + "altLabel": "synonym",
        OBO + "IAO_0000118": "synonym",  # alternative term
        OBO + "IAO_0000589": "synonym",  # OBO Foundry unique label
        OBO + "OBI_0001847": "synonym",  # ISA alternative term
        OBO_IN_OWL + "hasExactSynonym": "synonym",
        _AV + "synonym": "synonym",
        _AV + "abbreviation": "synonym",
        _AV + "acronym": "synonym",
        _FIBO_AV + "synonym": "synonym",
        _FIBO_AV + "abbreviation": "synonym",
        "http://schema.org/alternateName": "synonym",
        "https://schema.org/alternateName": "synonym",
        "http://purl.org/dc/terms/alternative": "synonym",
        "http://www.ebi.ac.uk/efo/alternative_term": "synonym",
        "http://www.loc.gov/mads/rdf/v1#variantLabel": "synonym",
        "http://www.geonames.org/ontology#alternateName": "synonym",
        _NCIT + "P90": "synonym",  # full synonym
        "https://www.commoncoreontologies.org/ont00001753": "synonym",  # acronym
        OBO_IN_OWL + "hasRelatedSynonym": "related",
        OBO_IN_OWL + "hasBroadSynonym": "related",
        OBO_IN_OWL + "hasNarrowSynonym": "related",
        SKOS + "hiddenLabel": "hidden",
    }
)

_LOCAL_NAMES: Mapping[str, LabelKind] = MappingProxyType(
    {
        **dict.fromkeys(("label", "preflabel", "name", "nameen", "namezh", "nameshorten", "nameshortzh"), "name"),
        **dict.fromkeys(("名称", "名字", "中文名", "中文名称", "英文名", "英文名称", "标签"), "name"),
        **dict.fromkeys(("altlabel", "synonym", "exactsynonym", "alias", "aliases", "alternatename"), "synonym"),
        **dict.fromkeys(("synonyms", "alternativename", "alternativeterm", "abbreviation", "acronym"), "synonym"),
        **dict.fromkeys(("别名", "同义词", "简称", "缩写", "又名", "别称"), "synonym"),
        **dict.fromkeys(("relatedsynonym", "broadsynonym", "narrowsynonym", "近义词"), "related"),
        **dict.fromkeys(("hiddenlabel", "misspelling"), "hidden"),
    }
)

LABEL_NODES: Mapping[str, LabelKind] = MappingProxyType(
    {SKOSXL + "prefLabel": "name", SKOSXL + "altLabel": "synonym", SKOSXL + "hiddenLabel": "hidden"}
)
"""SKOS-XL: a label is a node, and its text is the node's `LITERAL_FORM`."""
LITERAL_FORM = SKOSXL + "literalForm"

_TRUE = frozenset({"true", "1", "yes"})
_DEPRECATION: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        OWL + "deprecated": _TRUE,
        OBO_IN_OWL + "is_obsolete": _TRUE,
        OBO_IN_OWL + "isObsolete": _TRUE,
        "http://qudt.org/schema/qudt/deprecated": _TRUE,
        "http://www.w3.org/2003/06/sw-vocab-status/ns#term_status": frozenset({"archaic", "deprecated", "obsolete"}),
    }
)
DEPRECATED_TYPES = frozenset({OWL + "DeprecatedClass", OBO_IN_OWL + "ObsoleteClass"})


def local_name(iri: str) -> str:
    """The part of the IRI after the last `#`, otherwise its last path segment."""
    _, hash_sign, fragment = iri.rpartition("#")
    if hash_sign and fragment:
        return fragment
    return iri.rstrip("#/").rpartition("/")[2]


def namespace(iri: str) -> str:
    """The IRI without its local name."""
    return iri.rstrip("#/").removesuffix(local_name(iri))


def label_kind(iri: str) -> LabelKind | None:
    """The kind of label that the property's values are; None if it does not give names."""
    known = LABELS.get(iri)
    if known is not None or iri.startswith((*LANGUAGES_OF_ONTOLOGIES, SKOS, SKOSXL)):
        return known
    return _LOCAL_NAMES.get(local_name(iri).lower().removeprefix("has").replace("_", ""))


@cache
def intended_mark(iri: str) -> str | None:
    """The annotation property of ours that a misspelled property was probably meant to be, `OC` if none is similar;
    None for our own properties and for all that are not similar.

    In a namespace similar to ours, every property was meant to be one (`oc:weigth`). In other namespaces, those with
    the same local name, or with two neighbouring letters swapped (`#weight`, `#hasWeight`, `#weigth`, `#权重`). A
    letter more or less is not accepted there, because that would include `#height`.
    """
    if iri in _OWN:
        return None
    name = local_name(iri).rpartition(":")[2].lower().removeprefix("has").strip("_-")
    ours = is_like_ours(iri)
    same = is_slip if ours else is_changed_about
    near = next((mark for known, mark in MARKS.items() if same(name, known)), _IN_CHINESE.get(name))
    return near or (OC if ours else None)


def is_like_ours(iri: str) -> bool:
    """Whether the IRI is in our namespace, or in what an expert may have written for it (http, / for #)."""
    return namespace(iri).lower().rstrip("#/").endswith("/ontocrawl")


def is_changed_about(name: str, known: str) -> bool:
    """Whether a name equals the known one, or has two neighbouring letters swapped."""
    return name == known or any(
        name == known[:i] + known[i + 1] + known[i] + known[i + 2 :] for i in range(len(known) - 1)
    )


def is_slip(name: str, known: str) -> bool:
    """Whether a name equals the known one, has two letters swapped, or one letter more, less or different."""
    shorter, longer = sorted((name, known), key=len)
    without = {longer[:i] + longer[i + 1 :] for i in range(len(longer))}
    other = len(name) == len(known) and sum(a != b for a, b in zip(name, known, strict=True)) == 1
    return is_changed_about(name, known) or other or shorter in without


def says_deprecated(iri: str, value: str) -> bool:
    """Whether this annotation marks its concept as deprecated."""
    return value.strip().lower() in _DEPRECATION.get(iri, ())
