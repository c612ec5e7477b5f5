"""Reads a file of proposals, in any syntax, after an expert has edited it, and derives the decisions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from urllib.parse import unquote

from ontology.concepts import Ontology
from ontology.editing.edited_file import open_file
from ontology.errors import OntologyError
from ontology.lexicon.surface_forms import same_word_key
from ontology.loading.import_resolution import parts_of, without_end
from ontology.messages import joined, message
from ontology.proposals.decisions import Decisions, Kept, Term, refused_term, without_twins
from ontology.proposals.proposal import Kind
from ontology.proposals.proposal_terms import (
    EVIDENCE,
    GROUP,
    from_record,
    known_marks,
    proposals_iri,
    unknown_mark,
    unmarked,
)
from ontology.syntaxes.annotation_properties import LANGUAGES_OF_ONTOLOGIES, OC, OWL, PROPOSED, RDFS, WEIGHT, label_kind
from ontology.syntaxes.file_statements import Stated, read_statements
from ontology.syntaxes.statement import CLASS, SUBCLASS, TYPE, Statement

LONGEST_NUMBER = 18  # digits of a proposal's number; chosen, not measured
SUGGEST = message("write one for it: {command} ontology suggest -o proposals.owl")


def read_decisions(path: Path, ontology: Ontology, before: Stated) -> Decisions:
    """What was kept, edited and refused. `ontology` and `before`: the file that the proposals are for.

    Raises OntologyError if the file cannot be read, contains no proposals, or those for another ontology.
    """
    stated = read_statements(open_file(path).source)
    records = _records(stated)
    if not records:
        what = message(
            "{path} is not a file of proposals: it does not record what was proposed (oc:proposed)", path=path.name
        )
        raise OntologyError(what, SUGGEST)
    _check_import(path, stated, ontology, records)
    return _ProposalsReading(path.name, stated, ontology, before, records).decisions()


def has_proposals(path: Path) -> bool:
    """Whether a file records what was proposed. False for one that cannot be read. The work of a child process."""
    try:
        return bool(_records(read_statements(open_file(path).source)))
    except OntologyError:
        return False


def _records(stated: Stated) -> list[str]:
    return [each.value for each in stated.statements if each.prop == PROPOSED and not each.is_iri]


def _is_about(records: Sequence[str], name: str, ontology: Ontology) -> bool:
    """Whether all proposals are about concepts of this ontology."""
    concepts = (from_record(record, name)[4] for record in records)
    return all(concept is None or concept in ontology.concepts for concept in concepts)


def _check_import(path: Path, stated: Stated, ontology: Ontology, records: Sequence[str]) -> None:
    imports = [each for each in stated.statements if each.prop == OWL + "imports"]
    imported = [each.value for each in imports]
    places = {place for place in map(_file_name, imported) if place}
    if ontology.iri:
        belongs = proposals_iri(ontology.iri) in {each.subject for each in imports}
        belongs = belongs or without_end(ontology.iri) in map(without_end, imported)
    else:
        # Protégé merges an imported ontology without an IRI into the importing file, and drops the import.
        belongs = Path(ontology.path).name in places or (not imports and _is_about(records, path.name, ontology))
    if belongs:
        return
    own = f"<{ontology.iri}>" if ontology.iri else message("without an IRI")
    what = message(
        "{path} has proposals for {names}",
        path=path.name,
        names=joined(_file_name(iri) or f"<{iri}>" for iri in imported) or message("nothing"),
    )
    raise OntologyError(
        message("{what}, but {name} is the ontology {own}", what=what, name=Path(ontology.path).name, own=own),
        message("name its file, or {suggest}", suggest=SUGGEST),
    )


def _file_name(iri: str) -> str:
    """The name of the file that an import names by its place; "" for an IRI."""
    place = parts_of(iri)
    return Path(unquote(place.path)).name if place.scheme in ("", "file") else ""


@dataclass(slots=True)
class _Class:
    """A class in the file of proposals: a proposal, or a class that the expert created there."""

    iri: str
    labels: list[Statement] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    notes: list[Statement] = field(default_factory=list)

    def names(self) -> list[tuple[Term, Kind]]:
        """Its labels without their brackets, those with brackets first."""
        found = [(each, *unmarked(each.value)) for each in self.labels]
        found.sort(key=lambda name: (name[2] is Kind.NARROWER, name[0].language, name[1]))
        return [(Term(term, label.language), kind) for label, term, kind in found if term]


class _ProposalsReading:
    def __init__(self, name: str, stated: Stated, ontology: Ontology, before: Stated, records: list[str]) -> None:
        self._ontology, self._said = ontology, set(before.statements)
        self._records = sorted({from_record(record, name) for record in records}, key=lambda each: _number(each[0]))
        self._passed_over: list[str] = []
        self._edits: list[Statement] = []
        self._classes: dict[str, _Class] = {}
        own = {each.subject for each in stated.statements if (each.prop, each.value) == (TYPE, CLASS)}
        self._own = {iri for iri in own if iri not in ontology.concepts and iri != GROUP}
        for each in stated.statements:
            self._note(each)

    def _note(self, statement: Statement) -> None:
        if statement.subject in self._own:
            self._describe(self._classes.setdefault(statement.subject, _Class(statement.subject)), statement)
        elif statement.subject in self._ontology.concepts and statement.prop != TYPE and statement not in self._said:
            self._edit(statement)

    def _describe(self, described: _Class, statement: Statement) -> None:
        if statement.prop == TYPE:
            return
        if not statement.is_named:
            self._passed_over.append(
                message(
                    "<{iri}>: an expression ({prop}) is not taken over", iri=described.iri, prop=_short(statement.prop)
                )
            )
        elif statement.prop == SUBCLASS:
            described.parents.append(statement.value)
        elif statement.prop == RDFS + "label":
            described.labels.append(statement)
        elif statement.prop != RDFS + "comment" or not statement.value.startswith(EVIDENCE):
            described.notes.append(statement)

    def _edit(self, statement: Statement) -> None:
        """Handle a statement that the expert made about the ontology's own concept in the file of proposals."""
        if not statement.is_named:
            what = message(
                "<{subject}>: an expression ({prop}) is not taken over",
                subject=statement.subject,
                prop=_short(statement.prop),
            )
            self._passed_over.append(message("{what}; say it in the ontology itself", what=what))
        elif statement.prop == SUBCLASS and self._ontology.concepts[statement.subject].kind == "individual":
            self._move_individual(statement)
        elif statement.prop == SUBCLASS and statement.value in self._own:
            self._passed_over.append(
                message(
                    "<{subject}> was moved below a proposal; move it in the ontology itself", subject=statement.subject
                )
            )
        elif statement.value != GROUP:
            self._edits.append(statement)

    def _move_individual(self, statement: Statement) -> None:
        """Report an individual whose stand-in (see `proposals_owl`) the expert has moved."""
        individual = self._ontology.concepts[statement.subject]
        if statement.value not in individual.parents:
            what = message(
                "{label} is an individual and was moved below <{value}>", label=individual.label, value=statement.value
            )
            self._passed_over.append(message("{what}; give it that type in the ontology itself", what=what))

    def decisions(self) -> Decisions:
        """All decisions, in the order of the proposals."""
        order = {self._iri(key): place for place, (key, *_) in enumerate(self._records)}
        classes = sorted(self._classes.values(), key=lambda each: (order.get(each.iri, len(order)), each.iri))
        kept = [*self._weights(), *(each for described in classes for each in self._kept(described))]
        edits = tuple(each for each in self._edits if each.prop != WEIGHT)
        return Decisions(tuple(kept), without_twins(self._refused(kept)), edits, tuple(self._passed_over))

    def _iri(self, key: str) -> str:
        """The class that was written for a record; the expert may have changed its namespace."""
        return next((iri for iri in self._own if iri.endswith(f"#{key}")), "")

    def _weights(self) -> Iterator[Kept]:
        """Weights that the expert gave to the ontology's own concepts in the file of proposals."""
        for each in self._edits:
            if each.prop == WEIGHT:
                yield from self._weight((each.subject,), Term(each.value), each.subject)

    def _kept(self, described: _Class) -> Iterator[Kept]:
        names = described.names()
        unknown_kind = next(self._unknown_marks(described), None)
        if unknown_kind:
            self._passed_over.append(
                message(
                    "unknown kind ({kind}?) of {term}; write one of {known}, or no brackets for a class of its own",
                    kind=unknown_kind[1],
                    term=unknown_kind[0],
                    known=known_marks(),
                )
            )
            return
        if not names:
            self._passed_over.append(message("<{iri}> has no label any more", iri=described.iri))
            return
        kind = names[0][1]
        parents = tuple(
            iri for iri in described.parents if iri != GROUP and not iri.startswith(LANGUAGES_OF_ONTOLOGIES)
        )
        unknown = [iri for iri in parents if iri not in self._ontology.concepts and iri not in self._own]
        if unknown:
            self._passed_over.append(
                message(
                    "{text} stands below <{unknown}>, which the ontology does not have",
                    text=names[0][0].text,
                    unknown=unknown[0],
                )
            )
            return
        if kind is Kind.WEIGHT:
            yield from self._weight(parents, names[0][0], described.iri)
            return
        terms = [term for term, _ in names]
        if kind not in (Kind.NARROWER, Kind.RELATED):
            terms += [Term(each.value, each.language) for each in described.notes if label_kind(each.prop)]
            described.notes = [each for each in described.notes if not label_kind(each.prop)]
        yield Kept(kind, without_twins(terms), parents, key=described.iri, notes=tuple(described.notes))

    def _unknown_marks(self, described: _Class) -> Iterator[tuple[str, str]]:
        """Terms with brackets that name no kind, and what these name. A proposed term may end in such itself."""
        proposed = {term for _, _, term, _, _ in self._records}
        for label in described.labels:
            if (found := unknown_mark(label.value)) and label.value.strip() not in proposed:
                yield found

    def _weight(self, concepts: Sequence[str], number: Term, key: str) -> Iterator[Kept]:
        try:
            weight = float(number.text)
        except ValueError:
            weight = -1.0
        if not isfinite(weight) or weight < 0:
            self._passed_over.append(
                message("{text} is no weight; write a number of at least 0, such as 0.5", text=number.text)
            )
            return
        yield Kept(Kind.WEIGHT, (number,), tuple(concepts), weight, key)

    def _refused(self, kept: Sequence[Kept]) -> Iterator[Term]:
        """What was proposed and is missing now: its class was deleted, or has another word."""
        words = {same_word_key(term.text) for each in kept for term in each.names}
        words |= {same_word_key(term.text) for each in self._classes.values() for term, _ in each.names()}
        marks = {each.iri: list(self._unknown_marks(each)) for each in self._classes.values()}
        words |= {same_word_key(term) for found in marks.values() for term, _ in found}
        for key, kind, term, language, concept in self._records:
            described = self._classes.get(self._iri(key))
            is_unread = described is not None and (not described.names() or bool(marks[described.iri]))
            is_there = same_word_key(term) in words if kind is not Kind.WEIGHT else described is not None
            if not is_there and not is_unread:
                yield refused_term(kind, Term(term, language), concept)


def _number(key: str) -> int:
    number = key.rpartition("-")[2]
    return int(number) if number.isdecimal() and len(number) <= LONGEST_NUMBER else 0


def _short(prop: str) -> str:
    return prop.removeprefix(RDFS).removeprefix(OWL).removeprefix(OC)
