"""The lexicon seen from the topic: for each word, the feature it counts for, what that weighs, and its layer."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ontology.lexicon.lexicon import Lexicon, Sense, Word
from ontology.topic import Topic

_REMEMBERED = 512
"""Words whose features are remembered: what pages of one topic mention again and again. A chain of 30,000: 120 MB."""


class FeaturesOfWords(Sequence[tuple[str, ...]]):
    """For each word all the features it counts for, found when asked: a page mentions few of the words."""

    def __init__(self, words: Sequence[Word], given: Set[str]) -> None:
        def of(index: int) -> tuple[str, ...]:
            pairs = (pair for sense in words[index].senses for pair in sense.features)
            return tuple(dict.fromkeys(feature for feature, _ in pairs if feature in given))

        self._words = words
        self._of = lru_cache(_REMEMBERED)(of)

    def __getitem__(self, index: Any) -> Any:
        """The features of the word with this index."""
        return self._of(index)

    def __len__(self) -> int:
        """As many as there are words."""
        return len(self._words)


@dataclass(frozen=True, slots=True)
class WordTable:
    """Rows run parallel to `Lexicon.words`. `weight` is 0 where a word counts for no feature, `layer` 0 for no layer.

    `feature` is the nearest feature (of several senses: the heaviest), or a related one that counts for more.
    `features`: all of them for paper O, where a hyponym counts for every feature above it that the expert gave.
    `names`: concept -> a word for it, to show. `texts`: the words themselves; `meanings`: the same for people, with the
    concept and its generation. `captions`: `names` by language; `language`: the one in which all are shown, None for
    that of each page.
    """

    weight: tuple[float, ...]
    feature: tuple[str, ...]
    features: Sequence[tuple[str, ...]]
    layer: tuple[int, ...]
    names: Mapping[str, str]
    texts: tuple[str, ...]
    meanings: tuple[str, ...]
    captions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    language: str | None = None

    def caption(self, concept: str, spoken: str | None) -> str:
        """A name of a concept: in the language that was asked for, else in the one `spoken`, else any."""
        named = self.captions.get((self.language or spoken or "").partition("-")[0], {})
        return named.get(concept) or self.names.get(concept, concept)

    def told(self, words: Iterable[int]) -> str:
        """Words of features and layers, each once, with what they mean."""
        return ", ".join(dict.fromkeys(self.meanings[word] for word in words if self.weight[word] or self.layer[word]))


def build_word_table(lexicon: Lexicon, topic: Topic, language: str | None = None) -> WordTable:
    """Join lexicon and topic once, so that judging a page needs no look-up by name. `language`: of what is shown."""
    nearest = [_nearest(word, topic) for word in lexicon.words]
    counting = [_counting(word, sense, topic) for word, sense in zip(lexicon.words, nearest, strict=True)]
    called, captions = _called(lexicon.words), _by_language(lexicon)
    shown = {
        spoken: called | captions.get(language or spoken, {}) for spoken in {_primary(word) for word in lexicon.words}
    }
    return WordTable(
        weight=tuple(weight for _, weight in counting),
        feature=tuple(feature for feature, _ in counting),
        features=FeaturesOfWords(lexicon.words, topic.given.keys()),
        layer=tuple(min((s.layer for s in word.senses if s.layer), default=0) for word in lexicon.words),
        names=called,
        texts=tuple(word.text for word in lexicon.words),
        meanings=tuple(
            _meaning(word, sense, shown[_primary(word)]) for word, sense in zip(lexicon.words, nearest, strict=True)
        ),
        captions=captions,
        language=language,
    )


def keyword_table(table: WordTable, lexicon: Lexicon, topic: Topic) -> WordTable:
    """The table without what the ontology adds (paper O, 2.1): a feature counts by its own name alone, the first word
    that it has in each language; its synonyms and hyponyms count for nothing.
    """
    given = topic.given.keys()
    named: set[tuple[str, str | None]] = set()
    features = []
    for word in lexicon.words:
        own = [s.concept for s in word.senses if s.concept in given and (s.concept, word.language) not in named]
        named.update((concept, word.language) for concept in own)
        features.append(tuple(own))
    return replace(table, features=tuple(features))


def _primary(word: Word) -> str:
    return (word.language or "").partition("-")[0]


def _by_language(lexicon: Lexicon) -> dict[str, dict[str, str]]:
    words: dict[str, list[Word]] = {}
    for word in lexicon.words:
        words.setdefault(_primary(word), []).append(word)
    return {language: _called(some) for language, some in words.items() if language}


def _called(words: Iterable[Word]) -> dict[str, str]:
    """Concept -> its first word."""
    called: dict[str, str] = {}
    for word in words:
        for sense in word.senses:
            called.setdefault(sense.concept, word.text)
    return called


def _nearest(word: Word, topic: Topic) -> Sense | None:
    """The sense by which a word counts: the one whose nearest feature is the heaviest."""
    counting = [sense for sense in word.senses if sense.features]
    return max(counting, key=lambda s: (topic.weights.get(s.features[0][0], 0.0), s.features[0][0]), default=None)


def _counting(word: Word, nearest: Sense | None, topic: Topic) -> tuple[str, float]:
    """The feature for which a word counts, and its weight: by is-a, or by another relation where that is more."""
    feature = nearest.features[0][0] if nearest else ""
    related = ((topic.weights[f] * part, f) for s in word.senses if s.related for f, part in [s.related])
    weight, other = max(related, default=(0.0, ""))
    own = topic.weights.get(feature, 0.0)
    return (other, weight) if weight > own else (feature, own)


def _meaning(word: Word, sense: Sense | None, called: Mapping[str, str]) -> str:
    """The word; in brackets its concept, if it is called otherwise, the feature above it, and its layer."""
    layered = min((s for s in word.senses if s.layer), key=lambda s: s.layer or 0, default=None)
    named = sense or layered
    notes = [called[named.concept]] if named and called[named.concept] != word.text else []
    if sense and sense.generation:
        notes.append(f"{sense.generation} below {called.get(sense.features[0][0], sense.features[0][0])}")
    notes += [
        f"related to {called.get(s.related[0], s.related[0])}, {s.related[1]:g}" for s in word.senses if s.related
    ]
    if layered:
        notes.append(f"layer {layered.layer}")
    return f"{word.text} ({', '.join(notes)})" if notes else word.text
