"""What a source says of words: one shape for all sources, from a synonym file to WordNet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ontology.concepts import Label
from ontology.lexicon.surface_forms import HAN, same_word_key
from ontology.proposals.proposal import Kind

Wanted = Mapping[str, Label]
"""The words that are asked about: by their key (`same_word_key`) the label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One word that a source puts beside a wanted one.

    `word`: key of the wanted one. `kind`: what the other is to it (SYNONYM, NARROWER or RELATED). `text`: the entry
    where that stands, a sense of its own; `place`: where in the source.
    """

    word: str
    kind: Kind
    term: str
    language: str
    text: str
    place: str


def wanted_words(labels: Iterable[Label]) -> dict[str, Label]:
    """The words to ask about, each once."""
    found: dict[str, Label] = {}
    for label in labels:
        if key := same_word_key(label.text):
            found.setdefault(key, label)
    return found


def language_of(text: str) -> str:
    """Chinese by its signs, else English: of lists that have no tags."""
    return "zh" if any("\u3400" <= sign <= HAN[-1] for sign in text) else "en"
