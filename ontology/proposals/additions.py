"""Turns decisions into statements to be added to the expert's file, in the style of that file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ontology.concepts import Concept, ConceptKind, Ontology
from ontology.editing.names import writable
from ontology.inspection.concept_captions import Captions
from ontology.lexicon.surface_forms import same_word_key
from ontology.messages import joined, message
from ontology.proposals.decisions import Decisions, Kept, Term
from ontology.proposals.naming_style import NamingStyle
from ontology.proposals.proposal import Kind
from ontology.proposals.refusals import refused_texts
from ontology.syntaxes.annotation_properties import (
    EXCLUDES,
    LAYER,
    OWL,
    RDF,
    RDFS,
    REFUSED,
    SKOS,
    TO_BE_PLACED,
    WEIGHT,
    XSD,
)
from ontology.syntaxes.file_statements import Stated
from ontology.syntaxes.statement import ANNOTATION_PROPERTY, INDIVIDUAL, SUBCLASS, TYPE, Statement, link
from ontology.topic import narrower

_OF_ITS_OWN = (Kind.NARROWER, Kind.RELATED)
_LAYERS = {Kind.LAYER_1: 1, Kind.LAYER_2: 2}
_LAYER_NAMES = {1: "One link before", 2: "Two links before"}
# What a related concept counts for, as a share of the heaviest weight: without a weight it would count as much as the
# topic's name. 0.1, 0.2 and 0.5 are about the same
LIGHT = 0.2
TO_BE_PLACED_LABELS = (("to be placed", "en"), ("待归类", "zh"))
ABOUT_REFUSED = "Terms that were proposed and refused. Delete one here, and it may be proposed again."


@dataclass(slots=True)
class Additions:
    """The planned changes.

    - `statements`: to be added. `values`: statements of the file, each with its new value.
    - `done`, `passed_over`: descriptions of the result of each decision.
    """

    statements: list[Statement] = field(default_factory=list)
    values: list[tuple[Statement, str]] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)


def additions(decisions: Decisions, ontology: Ontology, stated: Stated, language: str | None = None) -> Additions:
    """Plan what is to be written; what the ontology states already is passed over. `language`: see `Captions`."""
    return _Planning(decisions, ontology, stated, language).additions


class _Planning:
    """One pass over the decisions. New classes get their IRIs first, because others may be placed below them."""

    def __init__(self, decisions: Decisions, ontology: Ontology, stated: Stated, language: str | None) -> None:
        self._ontology, self._stated, self._said = ontology, stated, set(stated.statements)
        self._captions, self._style = Captions(ontology, language=language), NamingStyle(stated, ontology)
        self._children = narrower(ontology)
        self._known = {iri: _keys(concept) for iri, concept in ontology.concepts.items()}
        self._new: dict[str, tuple[str, str]] = {}  # key of a kept proposal -> the IRI of its class, its name
        self._called: dict[str, str] = {}  # IRI of a new class -> its name
        self._made_of: dict[str, Kept] = {}  # IRI of a new class -> the proposal it comes from
        self._kinds: dict[str, ConceptKind] = {}  # IRI of a new concept -> its kind
        self._layer_classes: dict[int, str] = {}
        for concept in ontology.concepts.values():
            if concept.layer:
                self._layer_classes.setdefault(concept.layer, concept.iri)
        self._kept = {kept.key: kept for kept in decisions.kept if kept.key}
        self.additions = Additions(passed_over=list(decisions.passed_over))
        for kept in decisions.kept:
            if kept.kind in _OF_ITS_OWN:
                self._name(kept)
        for kept in decisions.kept:
            self._add(kept)
        self._edit(decisions.edits)
        self._refuse(decisions.refused)
        self.additions.statements[:0] = self._declarations()

    def _name(self, kept: Kept) -> None:
        """Find an existing concept, or an IRI for a new one."""
        name = kept.names[0]
        below = (child for iri in self._above(self._concepts(kept.concepts)) for child in self._children.get(iri, ()))
        among = self._known if kept.kind is Kind.RELATED else below
        there = next((iri for iri in among if same_word_key(name.text) in self._known[iri]), None)
        iri = there or self._style.new_iri(name.text)
        if there is None:
            self._called[iri], self._made_of[iri] = name.text, kept
        self._new[kept.key or f"{kept.kind} {name}"] = iri, name.text

    def _concepts(self, iris: Sequence[str]) -> list[str]:
        """The concepts of a decision in the ontology; for a proposal below another one, the concept that this one
        becomes.
        """
        found: dict[str, None] = {}
        waiting, seen = list(iris), set(iris)
        while waiting:
            iri = waiting.pop(0)
            if iri in self._new:
                found[self._new[iri][0]] = None
            elif iri in self._ontology.concepts or iri in self._called:
                found[iri] = None
            elif iri in self._kept:
                waiting += [each for each in self._kept[iri].concepts if each not in seen]
                seen.update(waiting)
        return list(found)

    def _add(self, kept: Kept) -> None:
        concepts = self._concepts(kept.concepts)
        if kept.kind in _OF_ITS_OWN:
            self._add_concept(kept, concepts)
        elif kept.kind in _LAYERS:
            self._add_layer_words(kept, concepts)
        elif not concepts and not (kept.kind is Kind.MISLEADING and self._ontology.topic):
            self._pass_over(message("{text}: it belongs to no class; move it onto one", text=kept.names[0].text))
        elif kept.kind is Kind.WEIGHT:
            for iri in concepts:
                self._set_weight(iri, kept)
        else:
            for iri in concepts or [self._ontology.topic or ""]:
                self._add_words(iri, kept, EXCLUDES if kept.kind is Kind.MISLEADING else self._style.synonym_property)

    def _add_concept(self, kept: Kept, concepts: list[str]) -> None:
        iri, name = self._new[kept.key or f"{kept.kind} {kept.names[0]}"]
        if iri not in self._called:
            self._pass_over(message("{name}: this concept exists already", name=name))
            return
        parents = self._theme(concepts) if kept.kind is Kind.RELATED else concepts
        kind, above = self._kind(iri), self._above(parents)
        if kind == "individual" and not above:
            self._pass_over(
                message(
                    "{name}: {parents} is an individual of no class; move it onto a class",
                    name=name,
                    parents=self._of(parents),
                )
            )
            return
        self._place(iri, kind, parents, above)
        if kept.kind is Kind.RELATED and self._stated.syntax != "obo":  # OBO cannot express it
            for each in concepts:
                self._state(link(iri, SKOS + "related", each))
        for term in kept.names:
            self._state(self._text(iri, self._style.name_property, term))
        for note in kept.notes:
            self._state(replace(note, subject=iri))
        detail: str = ""
        if concepts:
            detail = message(", {kind} to {concept}", kind=message(kept.kind.value), concept=self._of(concepts))
        weight = self._light_weight(kept)
        if weight and kind != "individual":
            self._state(Statement(iri, WEIGHT, _decimal(weight), datatype=_weight_type(self._stated.statements)))
            detail = message("{detail}, weight {weight}", detail=detail, weight=weight)
        if kind == "individual":
            detail = message(" of {above}, as {concept} is one", above=self._of(above), concept=self._of(parents))
            self._done(message("new individual {name}{detail}", name=name, detail=detail))
            return
        self._done(message("new class {name}{detail}", name=name, detail=detail))

    def _place(self, iri: str, kind: ConceptKind, parents: list[str], above: list[str]) -> None:
        """State the type and parents of a new concept. An individual gets the classes of the individual it was proposed
        for.
        """
        if TO_BE_PLACED in parents and TO_BE_PLACED not in self._ontology.concepts:
            self._state(link(TO_BE_PLACED, TYPE, self._style.class_type))
            self._state(link(TO_BE_PLACED, SUBCLASS, self._ontology.topic or ""))
            for label, language in TO_BE_PLACED_LABELS:
                self._state(Statement(TO_BE_PLACED, RDFS + "label", label, language))
        if kind == "individual":
            is_declared = any((each.prop, each.value) == (TYPE, INDIVIDUAL) for each in self._stated.statements)
            for each in [INDIVIDUAL, *above] if is_declared else above:
                self._state(link(iri, TYPE, each))
            return
        for each in self._types_of_concepts(parents) if kind == "concept" else [self._style.class_type]:
            self._state(link(iri, TYPE, each))
        for parent in parents:
            self._state(link(iri, SKOS + "broader" if kind == "concept" else SUBCLASS, parent))

    def _types_of_concepts(self, parents: list[str]) -> list[str]:
        """skos:Concept, or the types that the file uses with `skos:broader` instead."""
        stated = [each.value for each in self._stated.statements if each.prop == TYPE and each.subject in parents]
        return [SKOS + "Concept"] if SKOS + "Concept" in stated or not stated else list(dict.fromkeys(stated))

    def _kind(self, iri: str) -> ConceptKind:
        """The kind of an existing or new concept: a concept below an individual is an individual."""
        if iri in self._ontology.concepts:
            return self._ontology.concepts[iri].kind
        if iri not in self._kinds:
            self._kinds[iri] = "class"  # provisionally, so that a cycle of proposals ends
            kinds = {self._kind(parent) for parent in self._parents_of_new(iri)}
            is_concept = "concept" in kinds or self._style.is_thesaurus
            self._kinds[iri] = "concept" if is_concept else "individual" if "individual" in kinds else "class"
        return self._kinds[iri]

    def _parents_of_new(self, iri: str) -> list[str]:
        kept = self._made_of.get(iri)
        if kept is None:
            return []
        concepts = self._concepts(kept.concepts)
        return self._theme(concepts) if kept.kind is Kind.RELATED else concepts

    def _above(self, parents: Sequence[str]) -> list[str]:
        """The parents, with an individual replaced by its classes."""
        found: dict[str, None] = {}
        waiting, seen = list(parents), set(parents)
        while waiting:
            iri = waiting.pop(0)
            if self._kind(iri) != "individual":
                found[iri] = None
                continue
            known = self._ontology.concepts.get(iri)
            classes = known.parents if known else self._parents_of_new(iri)
            waiting += [each for each in classes if each not in seen]
            seen.update(classes)
        return list(found)

    def _theme(self, concepts: list[str]) -> list[str]:
        """The parent of a related concept: the class of what is to be placed, where the topic's root is a class; else
        that root; without one, the highest concept above.
        """
        if self._ontology.topic:
            is_class = self._kind(self._ontology.topic) == "class" and self._stated.syntax != "obo"
            return [TO_BE_PLACED if is_class else self._ontology.topic]
        above, seen = concepts[:1], set(concepts)
        while parents := [p for iri in above for p in self._parents(iri) if p not in seen]:
            above = parents[:1]
            seen.update(above)
        return [] if above == concepts[:1] else above

    def _parents(self, iri: str) -> Sequence[str]:
        concept = self._ontology.concepts.get(iri)
        return [each for each in concept.parents if each in self._ontology.concepts] if concept else ()

    def _add_layer_words(self, kept: Kept, concepts: list[str]) -> None:
        """Add words of a layer as names of a class with `oc:layer`; create that class if there is none."""
        layer = _LAYERS[kept.kind]
        own = (
            iri for iri in concepts if iri in self._ontology.concepts and self._ontology.concepts[iri].layer == layer
        )
        iri = next(own, self._layer_classes.get(layer))
        if iri is not None:
            self._add_words(iri, kept, self._style.synonym_property)
            return
        iri = self._layer_classes[layer] = self._style.new_iri(_LAYER_NAMES[layer])
        first, *others = kept.names
        self._called[iri] = first.text
        self._known[iri] = {same_word_key(first.text)}
        self._state(link(iri, TYPE, self._style.class_type))
        self._state(Statement(iri, LAYER, str(layer), datatype=XSD + "integer"))
        self._state(self._text(iri, self._style.name_property, first))
        self._done(message("new class {name} with oc:layer {layer}", name=first.text, layer=layer))
        if others:
            self._add_words(iri, replace(kept, names=tuple(others)), self._style.synonym_property)

    def _add_words(self, iri: str, kept: Kept, prop: str) -> None:
        for term in kept.names:
            key, word = same_word_key(term.text), self._text(iri, prop, term)
            named = next((each for each, keys in self._known.items() if prop == EXCLUDES and key in keys), None)
            if named is not None:
                cure = message("delete that label in the ontology, or propose the longer phrase in which it misleads")
                self._pass_over(
                    message(
                        "{text}: it is a name of {named}, which oc:excludes cannot cancel; {cure}",
                        text=term.text,
                        named=self._caption(named),
                        cure=cure,
                    )
                )
                continue
            if (prop != EXCLUDES and key in self._known.setdefault(iri, set())) or word in self._said:
                self._pass_over(message("{text}: {iri} has it already", text=term.text, iri=self._caption(iri)))
                continue
            if prop != EXCLUDES:
                self._known[iri].add(key)
            self._state(word)
            self._done(
                message(
                    "{kind} {term} of {concept}",
                    kind=message(kept.kind.value),
                    term=term.text,
                    concept=self._caption(iri),
                )
            )
        for note in kept.notes:
            self._pass_over(
                message(
                    "{text}: <{prop}> is stated about it, but it does not become a class",
                    text=kept.names[0].text,
                    prop=note.prop,
                )
            )

    def _set_weight(self, iri: str, kept: Kept) -> None:
        weight = f"{kept.weight:g}"
        of_it = (each for each in self._stated.statements if (each.subject, each.prop) == (iri, WEIGHT))
        stated = [each for each in of_it if not each.is_iri]
        if not stated:
            self._state(Statement(iri, WEIGHT, _decimal(weight), datatype=_weight_type(self._stated.statements)))
        elif float(stated[0].value) == kept.weight:
            self._pass_over(message("{iri} has the weight {weight} already", iri=self._caption(iri), weight=weight))
            return
        else:
            self.additions.values.append((stated[0], _decimal(weight)))
        self._done(message("weight {weight} of {concept}", weight=weight, concept=self._caption(iri)))

    def _light_weight(self, kept: Kept) -> str:
        """The weight of a related concept that the expert gave none; empty for others, and where no concept has one."""
        if kept.kind is not Kind.RELATED or any(note.prop == WEIGHT for note in kept.notes):
            return ""
        given = [each.weight for each in self._ontology.concepts.values() if each.weight and not each.layer]
        return f"{LIGHT * max(given):.3g}" if given else ""

    def _edit(self, edits: Sequence[Statement]) -> None:
        for edit in edits:
            if edit not in self._said:
                self._state(edit)
                self._done(f"{self._caption(edit.subject)}: <{edit.prop}> {edit.value}")

    def _refuse(self, terms: Sequence[Term]) -> None:
        known = set(map(same_word_key, refused_texts(self._stated)))
        for term in terms:
            if same_word_key(term.text) not in known:
                known.add(same_word_key(term.text))
                self._state(self._text(REFUSED, REFUSED, term))
                self._done(message("refused {term}", term=term.text))

    def _declarations(self) -> Iterator[Statement]:
        """Declarations of annotation properties that the file does not have yet. RDF without OWL needs none."""
        used = {iri for each in self._stated.statements for iri in (each.subject, each.prop)}
        is_owl = any(each.value.startswith(OWL) for each in self._stated.statements if each.prop == TYPE)
        for prop in dict.fromkeys(each.prop for each in self.additions.statements):
            if prop in used or prop.startswith((RDF, RDFS, OWL)) or self._stated.syntax == "obo":
                continue
            if is_owl and (prop != SKOS + "broader"):
                yield link(prop, TYPE, ANNOTATION_PROPERTY)
            if prop == REFUSED:
                yield Statement(prop, RDFS + "comment", ABOUT_REFUSED, "en")

    def _text(self, iri: str, prop: str, term: Term) -> Statement:
        return Statement(iri, prop, writable(term.text), self._style.tag(term.text, term.language))

    def _state(self, statement: Statement) -> None:
        if statement not in self._said:
            self._said.add(statement)
            self.additions.statements.append(statement)

    def _caption(self, iri: str) -> str:
        return self._called.get(iri) or self._captions.of(iri)

    def _of(self, iris: Sequence[str]) -> str:
        return joined(map(self._caption, iris))

    def _done(self, what: str) -> None:
        self.additions.done.append(what)

    def _pass_over(self, what: str) -> None:
        self.additions.passed_over.append(what)


def _weight_type(statements: Iterable[Statement]) -> str:
    """The datatype that a file uses for other weights."""
    found = next((each.datatype for each in statements if each.prop == WEIGHT), XSD + "decimal")
    return XSD + "decimal" if found == XSD + "integer" else found


def _decimal(number: str) -> str:
    """The number as an xsd:decimal, with a decimal point."""
    return number if "." in number or "e" in number else f"{number}.0"


def _keys(concept: Concept) -> set[str]:
    return {same_word_key(label.text) for label in concept.labels if label.kind != "fragment"}


def kinds_of(ontology: Ontology) -> Mapping[str, str]:
    """IRI -> kind of the concept."""
    return {iri: concept.kind for iri, concept in ontology.concepts.items()}
