"""Decisions that a person makes on the page about proposals: checked, shown as they would be written, written."""

import difflib
import hashlib
import math
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cli.inputs.crawl_topic import files_of
from cli.ontologies.suggesting import proposal_of
from cli.render.language import as_told, locale_language, tr
from cli.render.terminal import clean, cut, one_line
from ontology.concepts import Ontology
from ontology.errors import SettingsError
from ontology.inspection.concept_captions import Captions
from ontology.inspection.label_checks import is_tag
from ontology.loading.import_resolution import CATALOG
from ontology.proposals.accepting import Accepted, apply, planned
from ontology.proposals.decisions import Decisions, Kept, Term, refused_term
from ontology.proposals.proposal import Kind
from ontology.proposals.proposals_owl import evidence_texts
from ontology.syntaxes.text_decoding import decode
from semantic.urls import readable

AGAIN = "load the page again"
KINDS = {kind.value: kind for kind in Kind}
MOST_LINES = 2_000  # of the differences; chosen, not measured
LONGEST = 400  # columns of one of them; a file may be one line; chosen, not measured


def shown(row: Mapping[str, Any], ontology: Ontology, captions: Captions) -> dict[str, Any]:
    """A proposal for the page, from a row of `suggest --json`: what it is, its place, figures in words, sentences."""
    proposal = proposal_of(row)
    known = ontology.concepts.get(proposal.concept or "")
    sentences = [{**one, "shown": one_line(readable(one["url"]))} for one in row["evidence"]["sentences"]]
    figures = proposal_of({**row, "evidence": {**row["evidence"], "sentences": []}})
    return {
        "kind": row["kind"],
        "term": row["term"],
        "language": row["language"],
        "concept": row["concept"],
        "place": one_line(captions.of(proposal.concept)) if proposal.concept else "",
        "value": row["value"],
        "weight": known.weight if known else None,
        "figures": [one_line(as_told(text)) for text in evidence_texts(figures, captions)],
        "sentences": [{name: one_line(text) for name, text in one.items()} for one in sentences],
    }


def decisions_of(given: object, ontology: Ontology) -> Decisions:
    """The decisions that the page sent, one by one. Raises SettingsError for what it cannot have sent, and for a place
    that the ontology has no more.
    """
    if not isinstance(given, list) or not given:
        raise SettingsError("nothing is decided", "keep or refuse a proposal first")
    decided = [_decision(one, ontology) for one in given]
    kept = tuple(one for one in decided if isinstance(one, Kept))
    return Decisions(kept, tuple(one for one in decided if isinstance(one, Term)))


def _decision(given: object, ontology: Ontology) -> Kept | Term:
    match given:
        case {
            "is_kept": bool(is_kept),
            "kind": str(name),
            "term": str(text),
            "language": str(language),
            "concept": (str() | None) as concept,
            "value": (int() | float() | None) as value,
        } if name in KINDS and text.strip() and _is_value(value, KINDS[name]):
            kind, term = KINDS[name], Term(text, language if is_tag(language.lower()) else "")
        case _:
            raise SettingsError(tr("{name} is wrong", name="decided"), AGAIN)
    if not is_kept:
        return refused_term(kind, term, concept)
    if concept is not None and concept not in ontology.concepts:
        what = tr("{term}: its place {iri} is not in the ontology any more", term=term.text, iri=concept)
        raise SettingsError(what, "give it another place")
    return Kept(kind, (term,), (concept,) if concept else (), value)


def _is_value(value: object, kind: Kind) -> bool:
    if kind is not Kind.WEIGHT:
        return value is None
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def plan(decisions: Decisions, file: Path) -> dict[str, Any]:
    """What would be written into the ontology's file, in words and as differences of its text.

    `was`: names the file as it is, for `write`. Raises OntologyError as `apply` does.
    """
    old, new, additions = planned(file, decisions, locale_language())
    lines = [] if new is None else _differences(file.name, decode(old).text, decode(new).text)
    return {
        **_told(additions.done, additions.passed_over),
        "lines": [cut(clean(line), LONGEST) for line in lines[:MOST_LINES]],
        "more": max(0, len(lines) - MOST_LINES),
        "was": _digest(old),
    }


def write(decisions: Decisions, file: Path, was: str | None) -> dict[str, Any]:
    """Write them. `was`: see `plan`. Raises OntologyError as `apply` does, and SettingsError for another file than was
    looked at.
    """
    if _digest(file.read_bytes()) != was:
        raise SettingsError(tr("{file} has changed meanwhile", file=file.name), "look again at what will be written")
    accepted: Accepted = apply(decisions, file, locale_language())
    said = tr("{file} stays as it is: there is nothing new to write", file=file.name)
    if accepted.backup is not None:
        said = tr(
            "{file}: {added} statements added; as it was before: {backup}",
            file=file.name,
            added=accepted.added,
            backup=accepted.backup.name,
        )
    return {**_told(accepted.done, accepted.passed_over), "said": said}


def copy_with(decisions: Decisions, ontology: Ontology, folder: Path) -> Path | None:
    """A copy of the ontology's file in a folder, with the decisions written, and beside it the files that it imports;
    None where nothing would be written.

    Raises OntologyError as `apply` does, and SettingsError for imports from other folders.
    """
    root, *imported = files_of(ontology)
    _, new, _ = planned(root, decisions, locale_language())
    if new is None:
        return None
    above = root.resolve().parent
    for file in [*imported, above / CATALOG]:
        name = os.path.relpath(file, above)
        if name.startswith(os.pardir):
            raise SettingsError(
                tr("{file} imports {name}, which is in another folder", file=root.name, name=name),
                "write it first, then: {command} ontology diff OLD NEW --store DIR",
            )
        if file.exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / name)
    copy = folder / root.name
    copy.write_bytes(new)
    return copy


def _told(done: Sequence[str], passed_over: Sequence[str]) -> dict[str, Any]:
    return {
        "done": [one_line(as_told(what)) for what in done],
        "passed_over": [one_line(as_told(what)) for what in passed_over],
    }


def _differences(name: str, old: str, new: str) -> list[str]:
    """As `diff -u`."""
    one, other = old.splitlines(), new.splitlines()
    return list(difflib.unified_diff(one, other, name, name, lineterm="", n=2))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
