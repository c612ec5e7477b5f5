"""The differences between two versions of an ontology, concept by concept."""

from collections.abc import Iterator
from dataclasses import dataclass

from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.surface_forms import same_word_key
from ontology.messages import joined, message


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


def differences(old: Ontology, new: Ontology) -> list[Difference]:
    """All differences: the topic, concepts that are new, removed or have another IRI, then changes of each remaining
    concept.
    """
    found = list(_of_topic(old, new))
    moved = _moved(old, new)
    for iri, concept in old.concepts.items():
        if iri not in new.concepts and iri not in moved:
            found.append(Difference("concept", iri, concept.label, _placed(concept, old), None))
    for iri, concept in new.concepts.items():
        if iri not in old.concepts and iri not in moved.values():
            found.append(Difference("concept", iri, concept.label, None, _placed(concept, new)))
    for before, after in moved.items():
        found.append(Difference("iri", after, new.concepts[after].label, before, after))
    for iri, concept in old.concepts.items():
        other = new.concepts.get(moved.get(iri, iri))
        if other is not None:
            found += _of_concept(concept, other, old, new, moved)
    return found


def _of_topic(old: Ontology, new: Ontology) -> Iterator[Difference]:
    if old.topic != new.topic:
        names = [one.topic and _called(one.topic, one) for one in (old, new)]
        yield Difference("topic", "", "", *names)
    for prop in dict.fromkeys((*old.relatedness, *new.relatedness)):
        was, now = old.relatedness.get(prop), new.relatedness.get(prop)
        if was != now:
            texts = (None if v is None else f"{v:g} at <{prop}>" for v in (was, now))
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
    before: Concept, after: Concept, old: Ontology, new: Ontology, moved: dict[str, str]
) -> Iterator[Difference]:
    for what in dict.fromkeys(filter(None, _KINDS.values())):
        was, now = ([written(label) for label in one.labels if _KINDS[label.kind] == what] for one in (before, after))
        yield from _of_lists(what, after, was, now)
    was, now = ([_called(iri, one) for iri in each.above] for each, one in ((before, old), (after, new)))
    if [moved.get(iri, iri) for iri in before.above] != list(after.above):
        yield from _of_lists("parent", after, was, now)
    yield from _of_lists("excluded", after, *([written(each) for each in one.excludes] for one in (before, after)))
    for what in ("weight", "layer"):
        first, second = getattr(before, what), getattr(after, what)
        if first != second:
            yield Difference(what, after.iri, after.label, *(None if v is None else f"{v:g}" for v in (first, second)))
    if before.deprecated != after.deprecated:
        states = ("yes" if one.deprecated else None for one in (before, after))
        yield Difference("deprecated", after.iri, after.label, *states)


def _of_lists(what: str, concept: Concept, was: list[str], now: list[str]) -> Iterator[Difference]:
    for text in was:
        if text not in now:
            yield Difference(what, concept.iri, concept.label, text, None)
    for text in now:
        if text not in was:
            yield Difference(what, concept.iri, concept.label, None, text)


def _placed(concept: Concept, ontology: Ontology) -> str:
    """The parents of a concept, and its other names."""
    above = ", ".join(_called(iri, ontology) for iri in concept.above)
    names = ", ".join(written(label) for label in concept.labels[1:] if label.kind != "fragment")
    placed = message("below {above}", above=above) if above else message("a root")
    return joined(filter(None, (placed, names)), "; ")


def _called(iri: str, ontology: Ontology) -> str:
    return ontology.concepts[iri].label if iri in ontology.concepts else f"<{iri}>"


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
