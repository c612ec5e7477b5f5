"""Entries of sources about words, in one form for all sources, from synonym files to WordNet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ontology.concepts import Label
from ontology.lexicon.surface_forms import HAN, same_word_key
from ontology.proposals.proposal import Kind

Wanted = Mapping[str, Label]
"""The words that are looked up: key (`same_word_key`) -> label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A word that a source relates to a wanted one.

    - `word`: key of the wanted word. `term`, `language`: the other word.
    - `kind`: the relation of the other word to it (SYNONYM, NARROWER or RELATED).
    - `text`: the source's entry for one sense. `place`: its place in the source.
    """

    word: str
    kind: Kind
    term: str
    language: str
    text: str
    place: str


def wanted_words(labels: Iterable[Label]) -> dict[str, Label]:
    """The words to be looked up, each once."""
    found: dict[str, Label] = {}
    for label in labels:
        if key := same_word_key(label.text):
            found.setdefault(key, label)
    return found


def language_of(text: str) -> str:
    """Chinese if it has Chinese characters, otherwise English; for lists without language tags."""
    return "zh" if any("\u3400" <= sign <= HAN[-1] for sign in text) else "en"
