"""The words of names, as weak evidence where an ontology has few words.

"public health law" and "health authority" stand on few pages as they are, while pages of that field are full of
"health". A crawl from a handful of such names would find nothing to go by. So each word of a feature's name counts by
itself, too, less than the name:

    weight = SHARE w min(1, 2 (1 - n/MANY)),  not below 0     w: weight of the feature; n: words of the ontology

n are the words that count for a feature. From `MANY` on nothing is added, because then the ontology says itself which
single words count: with the words of all their names whole ontologies of about 200 words lost .10 of the oracle in the
mean of ten tasks. What small ontologies gained is in benchmarks/proposals.md.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from ontology.lexicon.lexicon import Lexicon, Sense, Word
from ontology.lexicon.surface_forms import same_word_key, surface_forms
from ontology.topic import Topic

SHARE = 0.2  # of the feature's weight: benchmarks/proposals.md
MANY = 100  # words of an ontology from which on names count as a whole only; chosen, not measured
PREFIX = "word of names: "  # of the feature that such a word is

Count = Callable[[str], Iterable[str]]  # the words of a text


def with_name_words(topic: Topic, lexicon: Lexicon, count: Count) -> tuple[Topic, Lexicon]:
    """Add the words of names to a topic and its lexicon. `count`: cuts a name into words, without stop words.

    Each added word is a feature of its own, and names no concept: that of its sense is "". Words that the ontology has
    already, and single characters, are not added. The language of a word is that of the name.
    """
    counting = sum(any(sense.features for sense in word.senses) for word in lexicon.words)
    share = SHARE * min(1.0, 2 * (1 - counting / MANY))
    if share <= 0:
        return topic, lexicon
    known = {same_word_key(form) for form in lexicon.forms}
    weights: dict[str, float] = {}
    words: list[Word] = []
    forms = dict(lexicon.forms)
    for named in lexicon.words:
        weight = max((topic.weights.get(sense.concept, 0.0) for sense in named.senses), default=0.0)
        for text in sorted(count(named.text)) if weight else ():
            feature = PREFIX + text
            if feature in weights:
                weights[feature] = max(weights[feature], share * weight)
            elif same_word_key(text) not in known and len(text) > 1:
                weights[feature] = share * weight
                for form in surface_forms(text, named.language):
                    forms.setdefault(form, (len(lexicon.words) + len(words),))
                words.append(Word(text, named.language, (Sense("", 0, ((feature, 0),)),)))
    widened = replace(lexicon, words=(*lexicon.words, *words), forms=forms)
    return replace(topic, weights={**topic.weights, **weights}), widened
