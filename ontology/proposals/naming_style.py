"""The naming style of an expert's file: its properties for names and synonyms, its language tags, its IRIs."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from uuid import NAMESPACE_URL, uuid5

from ontology.concepts import LabelKind, Ontology
from ontology.lexicon.surface_forms import fold
from ontology.syntaxes.annotation_properties import OBO_IN_OWL, RDFS, SKOS, label_kind, local_name, namespace
from ontology.syntaxes.file_statements import Stated
from ontology.syntaxes.statement import CLASS, TYPE, Statement

_CLASS_TYPES = (CLASS, RDFS + "Class", SKOS + "Concept")
_NUMBERED = re.compile(r"(.*?)(\d{3,})")
_WEBPROTEGE = re.compile(r"(?=.*\d)R[A-Za-z0-9]{20,24}")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_OF_TRADITIONAL = ("hant", "tw", "hk", "mo")


class NamingStyle:
    """The style of one file, and the IRIs that are taken. `ontology`: also contains what the file imports."""

    def __init__(self, stated: Stated, ontology: Ontology) -> None:
        self._stated, self._ontology = stated, ontology
        typed = [each for each in stated.statements if each.prop == TYPE and each.value in _CLASS_TYPES]
        self._iris = list(dict.fromkeys(each.subject for each in typed))
        self._taken = {iri for each in stated.statements for iri in (each.subject, each.value)} | set(ontology.concepts)
        self._kinds = self._label_kinds()
        self.class_type = RDFS + "Class" if typed and not any(each.value == CLASS for each in typed) else CLASS
        self.is_thesaurus = bool(typed) and 2 * sum(each.value == SKOS + "Concept" for each in typed) > len(typed)
        self._tags = Counter(each.language for each in self._labels())

    def _label_kinds(self) -> Mapping[str, LabelKind | None]:
        """Property -> kind of label, by itself or by its superproperty."""
        kinds = {each.prop: label_kind(each.prop) for each in self._stated.statements}
        for each in self._stated.statements:
            if each.prop == RDFS + "subPropertyOf" and not kinds.get(each.subject):
                kinds[each.subject] = label_kind(each.value)
        return kinds

    def _labels(self, *kinds: LabelKind) -> Iterator[Statement]:
        """The labels of these kinds (without arguments: of all kinds) that the file gives its concepts."""
        for each in self._stated.statements:
            kind = self._kinds.get(each.prop)
            is_wanted = kind in kinds or (kind and not kinds)
            if is_wanted and each.subject in self._ontology.concepts and not each.is_iri:
                yield each

    @property
    def name_property(self) -> str:
        """The property with most names in this file."""
        usual = SKOS + "prefLabel" if self.is_thesaurus else RDFS + "label"
        return self._most_used("name", usual)

    @property
    def synonym_property(self) -> str:
        """The property with most synonyms in this file; without any, the usual one of OBO in an OBO file, otherwise
        that of SKOS.
        """
        usual = OBO_IN_OWL + "hasExactSynonym" if self._stated.syntax == "obo" else SKOS + "altLabel"
        return self._most_used("synonym", usual)

    def _most_used(self, kind: LabelKind, usual: str) -> str:
        used = Counter(each.prop for each in self._labels(kind))
        return max(used, key=lambda prop: (used[prop], prop == usual), default=usual)

    def tag(self, text: str, language: str) -> str:
        """The language tag as this file writes it: zh may be zh-Hans or zh-CN, or "" if labels have no tags."""
        if not language or self._stated.syntax == "obo":  # OBO has no language tags
            return ""
        primary = language.lower().partition("-")[0]
        same = {tag: count for tag, count in self._tags.items() if tag and tag.lower().partition("-")[0] == primary}
        if not same:
            return "" if 2 * self._tags[""] > self._tags.total() else language
        if "-" in language or 4 * same.get(language, 0) >= max(same.values()):
            return language
        is_traditional = primary == "zh" and fold(text) != text.lower()
        fitting = [tag for tag in same if _is_traditional(tag) == is_traditional or tag.lower() == primary] or list(
            same
        )
        return max(fitting, key=lambda tag: same[tag])

    def new_iri(self, name: str) -> str:
        """An IRI for a new class of this name, in the style of most classes of the file; never the same one twice."""
        space = self._namespace()
        for local in self._locals(name, space):
            if space + local not in self._taken:
                self._taken.add(space + local)
                return space + local
        raise AssertionError("the numbers end nowhere")

    def _namespace(self) -> str:
        spaces = Counter(map(namespace, self._iris))
        if spaces:
            return max(spaces, key=spaces.__getitem__)
        return f"{self._ontology.iri.rstrip('#/')}#" if self._ontology.iri else "#"

    def _locals(self, name: str, space: str) -> Iterator[str]:
        own = [local_name(iri) for iri in self._iris if namespace(iri) == space]
        half = len(own) / 2
        if sum(bool(_WEBPROTEGE.fullmatch(local)) for local in own) > half:
            yield from ("R" + blake2b(f"{space}{name}{i}".encode(), digest_size=11).hexdigest() for i in range(999))
        elif sum(bool(_UUID.fullmatch(local)) for local in own) > half:
            yield from (str(uuid5(NAMESPACE_URL, f"{space}{name}{i}")) for i in range(999))
        numbered = [found for local in own if (found := _NUMBERED.fullmatch(local))]
        if len(numbered) > half:
            yield from _numbers(numbered)
        first = _readable(name, own)
        yield first
        yield from (f"{first}{i}" for i in range(2, 999_999))


def _is_traditional(tag: str) -> bool:
    return any(part in _OF_TRADITIONAL for part in tag.lower().split("-"))


def _numbers(numbered: list[re.Match[str]]) -> Iterator[str]:
    """The numbers after the highest one with the most common prefix and length."""
    shapes = Counter((found[1], len(found[2])) for found in numbered)
    (prefix, width), _ = shapes.most_common(1)[0]
    highest = max(int(found[2]) for found in numbered if (found[1], len(found[2])) == (prefix, width))
    return (f"{prefix}{number:0{width}}" for number in range(highest + 1, highest + 9999))


def _readable(name: str, own: list[str]) -> str:
    """The words of the name, joined as in most of the file: green_tea, green-tea, greenTea, otherwise GreenTea."""
    words: list[str] = _WORD.findall(name) or ["Term"]
    joint = "_" if sum("_" in local for local in own) >= sum("-" in local for local in own) else "-"
    joined = [local for local in own if joint in local]
    humps = [local for local in own if not re.search("[_-]", local) and re.search("[a-z][A-Z]", local)]
    small = sum(local[:1].islower() for local in joined or own)
    is_small = 2 * small > len(joined or own)
    if len(joined) > len(humps):
        return joint.join(words if not is_small else [word.lower() for word in words])
    first = words[0][:1].lower() if is_small else words[0][:1].upper()
    return first + words[0][1:] + "".join(word[:1].upper() + word[1:] for word in words[1:])
