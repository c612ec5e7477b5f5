"""The differences between two versions of an ontology, concept by concept."""

from collections.abc import Iterator
from dataclasses import dataclass

from ontology.concepts import Concept, Label, Ontology
from ontology.inspection.concept_captions import Captions
from ontology.lexicon.surface_forms import same_word_key
from ontology.messages import SEMICOLON, joined, message


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `concept`: its IRI, "" for the topic. `before` and `after`: texts to show.

    `what`: `topic`, `concept`, `iri`, `name`, `synonym`, `related name`, `misspelling`, `parent`, `weight`, `layer`,
    `excluded`, `deprecated`, `same`, `relatedness` (of a property). Something new has no `before`, something removed no
    `after`.
    """

    what: str
    concept: str
    label: str
    before: str | None
    after: str | None


OF_A_LABEL = ("name", "synonym", "related name", "misspelling")
"""The kinds of differences that concern a label."""

_KINDS = {"name": "name", "synonym": "synonym", "related": "related name", "hidden": "misspelling", "fragment": ""}


def differences(old: Ontology, new: Ontology, language: str | None = None) -> list[Difference]:
    """All differences: the topic, concepts that are new, removed or have another IRI, then changes of each remaining
    concept. `language`: of the labels that name concepts, where there is one; None: the first label.
    """
    was, now = Captions(old, language=language), Captions(new, language=language)
    found = list(_of_topic(old, new, was, now))
    moved = _moved(old, new)
    for iri, concept in old.concepts.items():
        if iri not in new.concepts and iri not in moved:
            found.append(Difference("concept", iri, was.label(iri), _placed(concept, was), None))
    for iri, concept in new.concepts.items():
        if iri not in old.concepts and iri not in moved.values():
            found.append(Difference("concept", iri, now.label(iri), None, _placed(concept, now)))
    for before, after in moved.items():
        found.append(Difference("iri", after, now.label(after), before, after))
    for iri, concept in old.concepts.items():
        other = new.concepts.get(moved.get(iri, iri))
        if other is not None:
            found += _of_concept(concept, other, was, now, moved)
    return found


def _of_topic(old: Ontology, new: Ontology, was: Captions, now: Captions) -> Iterator[Difference]:
    if old.topic != new.topic:
        names = (one.topic and called.label(one.topic) for one, called in ((old, was), (new, now)))
        yield Difference("topic", "", "", *names)
    for prop in dict.fromkeys((*old.relatedness, *new.relatedness)):
        before, after = old.relatedness.get(prop), new.relatedness.get(prop)
        if before != after:
            texts = (None if v is None else f"{v:g} at <{prop}>" for v in (before, after))
            yield Difference("relatedness", "", "", *texts)


def _moved(old: Ontology, new: Ontology) -> dict[str, str]:
    """Concepts with another IRI: old IRI -> new IRI, if the same names occur once in each version."""
    gone, come = _by_names(old, new), _by_names(new, old)
    pairs = ((gone[names], come[names]) for names in gone.keys() & come.keys())
    return {before[0]: after[0] for before, after in pairs if len(before) == len(after) == 1}


def _by_names(ontology: Ontology, other: Ontology) -> dict[frozenset[str], list[str]]:
    found: dict[frozenset[str], list[str]] = {}
    for iri, concept in ontology.concepts.items():
        names = frozenset(same_word_key(label.text) for label in concept.labels if label.kind == "name")
        if iri not in other.concepts and names:
            found.setdefault(names, []).append(iri)
    return found


def _of_concept(
    before: Concept, after: Concept, was: Captions, now: Captions, moved: dict[str, str]
) -> Iterator[Difference]:
    about = (after.iri, now.label(after.iri))
    for what in dict.fromkeys(filter(None, _KINDS.values())):
        lists = ([written(label) for label in one.labels if _KINDS[label.kind] == what] for one in (before, after))
        yield from _of_lists(what, *about, *lists)
    if [moved.get(iri, iri) for iri in before.above] != list(after.above):
        yield from _of_lists("parent", *about, list(map(was.label, before.above)), list(map(now.label, after.above)))
    yield from _of_lists("excluded", *about, *([written(each) for each in one.excludes] for one in (before, after)))
    for what in ("weight", "layer"):
        first, second = getattr(before, what), getattr(after, what)
        if first != second:
            yield Difference(what, *about, *(None if v is None else f"{v:g}" for v in (first, second)))
    if before.deprecated != after.deprecated:
        yield Difference("deprecated", *about, *("yes" if one.deprecated else None for one in (before, after)))


def _of_lists(what: str, concept: str, label: str, was: list[str], now: list[str]) -> Iterator[Difference]:
    for text in was:
        if text not in now:
            yield Difference(what, concept, label, text, None)
    for text in now:
        if text not in was:
            yield Difference(what, concept, label, None, text)


def _placed(concept: Concept, captions: Captions) -> str:
    """The parents of a concept, and its other names."""
    above = joined(map(captions.label, concept.above))
    shown = captions.label(concept.iri)
    others = [label for label in concept.labels if label.kind != "fragment" and label.text != shown]
    placed = message("below {above}", above=above) if above else message("a root")
    return joined(filter(None, (placed, joined(map(written, others)))), SEMICOLON)


def written(label: Label) -> str:
    """A label as it is shown in a `Difference`: `茶@zh`."""
    return f"{label.text}@{label.language}" if label.language else label.text


def in_words(difference: Difference) -> str:
    """One line: what it is about, then what was added, removed or changed."""
    before, after, what = difference.before, difference.after, message(difference.what)
    if difference.what == "concept":
        sign, placed = ("+", after) if before is None else ("-", before)
        return message("{sign} {label} ({placed})", sign=sign, label=difference.label, placed=placed)
    about = message("{label}: {what}", label=difference.label, what=what) if difference.concept else what
    if before is None:
        return message("{about} + {after}", about=about, after=after)
    if after is None:
        return message("{about} - {before}", about=about, before=before)
    return message("{about} {before} -> {after}", about=about, before=before, after=after)
