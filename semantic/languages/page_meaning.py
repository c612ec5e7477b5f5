"""How close a page's beginning comes to the topic's concepts by meaning, for pages whose language has few names there.

    c = max over features of w cos(page, feature)

w: the feature's weight; page: the vector of its title and its first `BEGINNING` characters outside of links; feature:
the mean of the vectors of its names, synonyms and hyponyms (`semantic.languages.sentence_encoder`). How much c counts
for a page's relevance falls with the number L of words that the ontology has in the page's language:

    b = .65 for L = 0,   .35 for L <= 20,   .35 (50 - L)/30 to 0 for L = 50, from where on no page is encoded

Measured (../shared/research/languages.md): four English names on Chinese webs, judge's average precision of nine tasks
+.12; four names in the pages' language +.047 (19 tasks); a whole ontology in the pages' language gains nothing. L = 20
and L = 50 are chosen, not measured.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ontology.lexicon.lexicon import Lexicon
from ontology.thesauri.entries import language_of
from ontology.topic import Topic
from semantic.languages.sentence_encoder import SentenceEncoder, Vectors
from semantic.page import Page, Position
from semantic.parsing.repeated_blocks import TITLE, Part, is_own
from semantic.terms.name_words import PREFIX
from semantic.terms.term_matching import WordTable
from semantic.terms.topic_counts import NOT_COMPARED, Closeness

MOST = 500  # names that are encoded, of the heaviest features: half a second of work; chosen, not measured
BEGINNING = 150  # characters; with 500 the judge is .003 better, at three times the cost (languages.md)
WITHOUT, FEW, ENOUGH = 0.65, 20, 50
WITH_FEW = 0.35
HAN_WRITTEN = ("zh", "ja")  # languages that words of Han characters without a language tag may be of


@dataclass
class PageMeaning:
    """Compares pages with the features of a topic.

    `names`: of features, by their numbers, the words below each; `weights`: of these. `words`: of each language
    how many words the ontology has, "" for those without a tag, "Han" for those of them in Han characters.
    """

    names: Mapping[int, Sequence[str]]
    weights: Mapping[int, float]
    words: Counter[str]
    encoder: SentenceEncoder
    _vectors: Vectors | None = field(default=None, init=False)

    def share(self, language: str | None) -> float:
        """b for pages in this language."""
        spoken = (language or "").partition("-")[0]
        if spoken not in self.encoder.languages:
            return 0.0
        count = self.words[spoken] + self.words["Han" if spoken in HAN_WRITTEN else ""]
        if not count:
            return WITHOUT
        return WITH_FEW * min(1.0, max(0.0, (ENOUGH - count) / (ENOUGH - FEW)))

    def compare(self, page: Page, parts: Sequence[Part]) -> Closeness:
        """Compare a page with the topic. NOT_COMPARED for a page without text, and for one in whose language the
        ontology has enough names.

        `parts`: see `semantic.parsing.repeated_blocks.parts_of`.
        """
        share = self.share(page.language)
        text = f"{page.title} {_beginning(page, parts)}".strip() if share and self.names and not page.source else ""
        if not text:
            return NOT_COMPARED
        if self._vectors is None:
            self._vectors = self._features()
        (vector,) = self.encoder.encode([text])
        found = self._vectors @ vector
        row = int(found.argmax())
        return Closeness(float(found[row]), share, list(self.names)[row])

    def _features(self) -> Vectors:
        """A row for each feature: its vector of length 1, times its weight."""
        every = self.encoder.encode([name for names in self.names.values() for name in names])
        ends = np.cumsum([len(names) for names in self.names.values()])[:-1]
        means = np.array([rows.mean(0) for rows in np.split(every, ends)])
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        weights = np.array([self.weights[feature] for feature in self.names])
        found: Vectors = (means / lengths * weights[:, None]).astype(np.float32)
        return found


def page_meaning(
    topic: Topic, lexicon: Lexicon, table: WordTable, features: Sequence[str], encoder: SentenceEncoder
) -> PageMeaning:
    """Make the comparison for a topic. `features`: those of the relevance model, by number."""
    names: dict[str, list[str]] = {feature: [] for feature in features if not feature.startswith(PREFIX)}
    words: Counter[str] = Counter()
    for word, feature, weight in zip(lexicon.words, table.feature, table.weight, strict=True):
        if feature in names and weight:
            names[feature].append(word.text)
            language = (word.language or "").partition("-")[0]
            words[language or ("Han" if language_of(word.text) == "zh" else "")] += 1
    heaviest = sorted(names, key=lambda feature: -topic.weights.get(feature, 0.0))[:MOST]
    most = MOST // max(1, len(heaviest))
    number = {feature: place for place, feature in enumerate(features)}
    return PageMeaning(
        {number[feature]: names[feature][:most] for feature in heaviest if names[feature]},
        {number[feature]: topic.weights.get(feature, 0.0) for feature in heaviest},
        words,
        encoder,
    )


def _beginning(page: Page, parts: Sequence[Part]) -> str:
    """The first characters of the page's own text outside of links."""
    pieces: list[str] = []
    starts, room = [start for start, _, _ in parts], BEGINNING
    for start, end, position in page.spans:
        _, _, score = parts[bisect_right(starts, start) - 1]
        if position is Position.ANCHOR or score == TITLE or not is_own(score):
            continue
        pieces.append(page.text[start : min(end, start + room)])
        room -= len(pieces[-1])
        if not room:
            break
    return " ".join(pieces)
