"""The default judge r(p): four views of how much of a page its concepts fill, each on the crawl's own scale.

With tf_k and tf_c the occurrences of word k and of feature c outside anchors, weighted by position, w the feature's
weight, L the length of the text outside anchors, L' its mean over the pages judged, n their number, a = n/(n+50):

    idf_k = a log(1 + (1-df_k)/(df_k + 2/n)) + 3(1-a)         idf_c = a max(0, log(1/(df_c + .001))) + 2(1-a)
    bm = sum_k w idf_k tf_k / (tf_k + 1.2(.5 + .5 L/L'))      sq = sum_c w idf_c sqrt(tf_c) / sqrt(L + 300)
    ti = sum_{k in title, h1} w idf_k                         de = sum_c w idf_c log(1 + tf_c) / (1 + log(1 + L/500))
    di = log(1 + distinct words and features)
    x = z(bm) + z(sq) + z(ti)/2 + z(de)/2 + z(di)/2           z: divided by its scale (`Scale`)
    x is lowered when one word makes up all of bm (a word repeated is weak evidence: up to one half), and halved when
    the page is written in a language of which the ontology has no word.
    r = min(x / scale(x), 1.3);  on topic from `threshold` (0.5)

Why not the cosine of paper O: it ignores how much of the page the topic fills, so that one lone mention can score 1.
idf comes from the crawl itself, so that a word which stands on every page of a site says little.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import Any

from ontology.topic import Topic
from semantic.counting import ConceptCounts
from semantic.judges.scale import Scale
from semantic.page import Page, Position
from semantic.relevance import Reason, Relevance
from semantic.wordtable import WordTable
from semantic.writing import is_foreign

POSITION_WEIGHT = {
    Position.TITLE: 3.0,
    Position.H1: 3.0,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.5,
    Position.OTHER: 1.0,
}
# Typical 95th percentiles on webs with a topic in them; they matter for the first pages only (see `Scale`).
PRIOR_SCALES = {"bm": 10.0, "sq": 0.5, "ti": 5.0, "de": 4.0, "di": 2.5, "x": 3.0}
VIEW_WEIGHT = {"bm": 1.0, "sq": 1.0, "ti": 0.5, "de": 0.5, "di": 0.5}
HIGHEST = 1.3
FOREIGN = 0.5  # what a page in a language of which the ontology has no word is worth


def topic_words(counts: ConceptCounts, table: WordTable) -> tuple[dict[int, float], set[int]]:
    """The topic's words outside anchors: occurrences weighted by position, and which of them stand in a title."""
    words: dict[int, float] = {}
    titled: set[int] = set()
    for mention in counts.mentions:
        if mention.position is Position.ANCHOR or not table.weight[mention.word]:
            continue
        words[mention.word] = words.get(mention.word, 0.0) + POSITION_WEIGHT[mention.position]
        if mention.position in (Position.TITLE, Position.H1):
            titled.add(mention.word)
    return words, titled


@dataclass(slots=True)
class _Views:
    """Each view of one page, split by feature so that a score can be explained."""

    bm: dict[str, float]
    sq: dict[str, float]
    ti: dict[str, float]
    de: dict[str, float]
    distinct: float
    heaviest_word: float

    def totals(self) -> dict[str, float]:
        by_feature = {"bm": self.bm, "sq": self.sq, "ti": self.ti, "de": self.de}
        return {name: sum(parts.values()) for name, parts in by_feature.items()} | {"di": self.distinct}


class MixtureJudge:
    """See the module's text. Learns document frequencies and scales from the pages it judges."""

    def __init__(
        self, topic: Topic, table: WordTable, languages: frozenset[str] = frozenset(), threshold: float = 0.5
    ) -> None:
        self._topic = topic
        self._table = table
        self._languages = languages
        self._threshold = threshold
        self._pages = 0
        self._length = 0
        self._word_pages: dict[int, int] = {}
        self._feature_pages: dict[str, int] = {}
        self._scales = {name: Scale(prior) for name, prior in PRIOR_SCALES.items()}

    def judge(self, page: Page, counts: ConceptCounts) -> Relevance:
        """r(p) of the module's text; the page itself is counted in the frequencies and scales first."""
        words, titled = topic_words(counts, self._table)
        features = self._by_feature(words)
        self._learn(words, features, counts.length)
        if not words:
            return Relevance(0.0, False)
        views = self._views(words, features, titled, counts.length)
        totals = views.totals()
        for name, total in totals.items():
            self._scales[name].add(total)
        factor = self._factor(page, views, totals["bm"])
        shares = self._shares(views, totals["di"], factor)
        raw = sum(shares.values())
        self._scales["x"].add(raw)
        return self._relevance(shares, raw, words, page.language)

    def _by_feature(self, words: Mapping[int, float]) -> dict[str, float]:
        features: dict[str, float] = {}
        for word, tf in words.items():
            feature = self._table.feature[word]
            features[feature] = features.get(feature, 0.0) + tf
        return features

    def _learn(self, words: Mapping[int, float], features: Mapping[str, float], length: int) -> None:
        self._pages += 1
        self._length += length
        for word in words:
            self._word_pages[word] = self._word_pages.get(word, 0) + 1
        for feature in features:
            self._feature_pages[feature] = self._feature_pages.get(feature, 0) + 1

    def _word_idf(self, word: int) -> float:
        n, trust = self._pages, self._pages / (self._pages + 50)
        share = self._word_pages[word] / n
        return trust * log1p((1 - share) / (share + 2 / n)) + (1 - trust) * 3

    def _feature_idf(self, feature: str) -> float:
        trust = self._pages / (self._pages + 50)
        share = self._feature_pages[feature] / self._pages
        return trust * max(0.0, log(1 / (share + 0.001))) + (1 - trust) * 2

    def _views(
        self, words: Mapping[int, float], features: Mapping[str, float], titled: set[int], length: int
    ) -> _Views:
        saturation = 1.2 * (0.5 + 0.5 * length * self._pages / max(1, self._length))
        bm = dict.fromkeys(features, 0.0)
        ti = dict.fromkeys(features, 0.0)
        heaviest = 0.0
        for word, tf in words.items():
            value = self._table.weight[word] * self._word_idf(word)
            part = value * tf / (tf + saturation)
            heaviest = max(heaviest, part)
            bm[self._table.feature[word]] += part
            if word in titled:
                ti[self._table.feature[word]] += value
        sq, de = {}, {}
        for feature, tf in features.items():
            value = self._topic.weights[feature] * self._feature_idf(feature)
            sq[feature] = value * sqrt(tf) / sqrt(length + 300)
            de[feature] = value * log1p(tf) / (1 + log1p(length / 500))
        return _Views(bm, sq, ti, de, log1p(len(words) + len(features)), heaviest)

    def _factor(self, page: Page, views: _Views, bm: float) -> float:
        factor = 1 - 0.5 * views.heaviest_word / bm if bm else 1.0
        return factor * FOREIGN if is_foreign(page, self._languages) else factor

    def _shares(self, views: _Views, distinct: float, factor: float) -> dict[str, float]:
        """What each feature adds to x; the view `di` is shared out evenly."""
        size = {name: self._scales[name].value() for name in VIEW_WEIGHT}
        even = VIEW_WEIGHT["di"] * distinct / size["di"] / len(views.bm)
        by_feature = (("bm", views.bm), ("sq", views.sq), ("ti", views.ti), ("de", views.de))
        return {
            feature: factor
            * (even + sum(VIEW_WEIGHT[name] * parts[feature] / size[name] for name, parts in by_feature))
            for feature in views.bm
        }

    def _relevance(
        self, shares: Mapping[str, float], raw: float, words: Mapping[int, float], language: str | None
    ) -> Relevance:
        size = self._scales["x"].value()
        score = min(raw / size, HIGHEST)
        scale = score / raw if raw else 0.0
        reasons = [
            Reason(share * scale, self._table.caption(feature, language), self._found(feature, words), feature)
            for feature, share in sorted(shares.items(), key=lambda item: -item[1])
        ]
        return Relevance(score, score >= self._threshold, tuple(reasons))

    def _found(self, feature: str, words: Mapping[int, float]) -> str:
        """The words found for a feature, heaviest first, each with its occurrences weighted by position."""
        mine = sorted(((tf, word) for word, tf in words.items() if self._table.feature[word] == feature), reverse=True)
        return ", ".join(f"{self._table.texts[word]} ×{tf:g}" for tf, word in mine[:5])

    def remember(self) -> Mapping[str, Any]:
        """Frequencies and scales."""
        return {
            "pages": self._pages,
            "length": self._length,
            "words": {self._table.texts[word]: n for word, n in self._word_pages.items()},
            "features": self._feature_pages,
            "scales": {name: scale.remember() for name, scale in self._scales.items()},
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back frequencies and scales; words are known by their text, so that an edited ontology may go on."""
        self._pages = memory["pages"]
        self._length = memory["length"]
        index = {text: word for word, text in enumerate(self._table.texts)}
        self._word_pages = {index[text]: n for text, n in memory["words"].items() if text in index}
        self._feature_pages = dict(memory["features"])
        for name, values in memory["scales"].items():
            self._scales[name].restore(values)
