"""The lexicon seen from the topic: for each word, the feature it counts for, what that weighs, and its layer."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from ontology.lexicon import Lexicon, Word
from ontology.topic import Topic


@dataclass(frozen=True, slots=True)
class WordTable:
    """Rows run parallel to `Lexicon.words`. `weight` is 0 where a word counts for no feature, `layer` 0 for no layer.

    `feature` is the nearest feature (of several senses: the heaviest). `features`: all of them for paper O, where a
    hyponym counts for every feature above it that the expert gave. `names`: feature -> a word for it, to show.
    `texts`: the words themselves.
    """

    weight: tuple[float, ...]
    feature: tuple[str, ...]
    features: tuple[tuple[str, ...], ...]
    layer: tuple[int, ...]
    names: Mapping[str, str]
    texts: tuple[str, ...]


def build_word_table(lexicon: Lexicon, topic: Topic) -> WordTable:
    """Join lexicon and topic once, so that judging a page needs no look-up by name."""
    given = topic.given.keys()
    nearest = [_nearest_feature(word, topic) for word in lexicon.words]
    return WordTable(
        weight=tuple(weight for weight, _ in nearest),
        feature=tuple(feature for _, feature in nearest),
        features=tuple(_all_features(word, given) for word in lexicon.words),
        layer=tuple(min((s.layer for s in word.senses if s.layer), default=0) for word in lexicon.words),
        names=_names(lexicon),
        texts=tuple(word.text for word in lexicon.words),
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


def _names(lexicon: Lexicon) -> dict[str, str]:
    names: dict[str, str] = {}
    for word in lexicon.words:
        for sense in word.senses:
            if sense.generation == 0:
                names.setdefault(sense.concept, word.text)
    return names


def _nearest_feature(word: Word, topic: Topic) -> tuple[float, str]:
    candidates = [
        (topic.weights.get(sense.features[0][0], 0.0), sense.features[0][0]) for sense in word.senses if sense.features
    ]
    return max(candidates, default=(0.0, ""))


def _all_features(word: Word, given: Set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(feature for sense in word.senses for feature, _ in sense.features if feature in given))
