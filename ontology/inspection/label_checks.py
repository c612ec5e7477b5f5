"""Checks of single labels: their language, and words that occur in every text."""

import re
from collections.abc import Iterator, Set

from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.surface_forms import HAN, is_everyday

# ISO 639-1, https://www.loc.gov/standards/iso639-2/php/code_list.php: the languages that have a code of two letters,
# and three old codes (iw, ji, in).
_TWO_LETTERS = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th
ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu iw ji in"""
_OF_TWO_LETTERS = frozenset(_TWO_LETTERS.split())
# BCP 47: a language of two or three letters, or a private (x) or old (i) tag; longer ones are not in use.
_TAG = re.compile(r"([a-z]{2,3}|[xi](?=-))(-[a-z0-9]{1,8})*")
# Languages of ISO 639-3 written with Han characters, and the tags for several languages, an unknown one, and none.
_HAN_LANGUAGES = """
zh ja ko vi za yue wuu nan hak gan hsn cdo cjy cmn cpx czh czo mnp lzh och ltc zho chi jpn kor mul und zxx x i"""
_WRITTEN_IN_HAN = frozenset(_HAN_LANGUAGES.split())
_HAN = re.compile(f"[{HAN}]")
_OUT_OF_USE = re.compile(r"(obsolete|deprecated)[_\s-]", re.IGNORECASE)


def unnamed(ontology: Ontology) -> Iterator[str]:
    """Classes and SKOS concepts without a name; they have the words of their IRI, or none."""
    for concept in ontology.concepts.values():
        if concept.kind != "individual" and not concept.deprecated and not _names(concept):
            yield concept.iri


def without_label(ontology: Ontology) -> Iterator[str]:
    """Classes and SKOS concepts with a synonym and no label."""
    for concept in ontology.concepts.values():
        kinds = {label.kind for label in concept.labels}
        if concept.kind != "individual" and not concept.deprecated and "synonym" in kinds and "name" not in kinds:
            yield concept.iri


def in_another_language(ontology: Ontology) -> Iterator[tuple[str, Label]]:
    """Concepts with Chinese labels that are tagged as a language not written in Han characters."""
    for concept in ontology.concepts.values():
        for label in concept.labels:
            language = label.language or "und"
            if is_tag(language) and language.partition("-")[0] not in _WRITTEN_IN_HAN and _is_in_han(label.text):
                yield concept.iri, label


def wrong_tags(ontology: Ontology) -> dict[str, dict[str, None]]:
    """Invalid language tags -> the concepts with such a label."""
    found: dict[str, dict[str, None]] = {}
    for concept in ontology.concepts.values():
        for label in concept.labels:
            if label.language and not is_tag(label.language):
                found.setdefault(label.language, {})[concept.iri] = None
    return found


def is_tag(language: str) -> bool:
    """Whether a lower-case tag names a language: en, zh-hans-cn; not cn, chinese."""
    first = language.partition("-")[0]
    return _TAG.fullmatch(language) is not None and (len(first) != 2 or first in _OF_TWO_LETTERS)


def is_in_every_text(text: str, common: Set[str]) -> bool:
    """Whether a label is an English stop word or letter, or one of the `common` Chinese characters."""
    return text in common or is_everyday(text)


def is_out_of_use(concept: Concept) -> bool:
    """Whether only a name says that the concept is obsolete."""
    names = (label.text for label in concept.labels if label.kind in ("name", "fragment"))
    return not concept.deprecated and any(map(_OUT_OF_USE.match, names))


def _names(concept: Concept) -> bool:
    return any(label.kind in ("name", "synonym") for label in concept.labels)


def _is_in_han(text: str) -> bool:
    """Whether more than half of the letters are Chinese; `Longjing (龙井)` counts as English."""
    letters = sum(character.isalpha() for character in text)
    return 2 * len(_HAN.findall(text)) > letters
