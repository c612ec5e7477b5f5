"""Multinomial naive Bayes with Laplace smoothing, over words: is a page on topic, or in which layer? (Paper J, 1 and
2.)

    P(c_i | d_j) = P(c_i) prod_{w_k in d_j} P(w_k | c_i) / P(d_j)                                                   (1)
    P(w_k | c_i) = (1 + sum_{d_s in c_i} N(w_k, d_s)) / (|V| + sum_{w_l in V} sum_{d_s in c_i} N(w_l, d_s))         (2)

N(w, d): occurrences of w in d. V: the words of all classes, and in formula 1 a word counts as often as the page has it:
the usual multinomial form (McCallum and Nigam 1998), which the context graph of Diligenti et al. has, too. Paper J says
that V is the vocabulary of c_i, and a page a set of words. With its samples, 1,012 good and 1,003 bad pages, this makes
little difference. With classes of unequal size it runs away: words that a class has not seen speak for the class with
fewer words. The paper leaves these points open; our choices: P(c_i) is the share of the samples that are in c_i; words
that no class has are ignored, because they would only tell which class has fewer words.

The posterior is computed from the counts. Samples come one by one during the crawl; fitting a model again would cost a
step for every word of V, while a document costs a step only for each of its own words.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import ClassVar

from semantic.memory.strategy_memory import Remembering

FEWEST = 5  # samples of either class needed before the classifier is used; chosen, not measured
KEPT = 50_000  # words; chosen, not measured
LEAD = 10  # samples by which one class may exceed the other; chosen, not measured


class NaiveBayes(Remembering):
    """The classifier. Samples may be added at any time. At most 2 `KEPT` words are stored; then the most frequent
    `KEPT` of them stay.
    """

    KEPT: ClassVar = {"_samples": dict[str, int], "_words": dict[str, Counter[str]]}

    def __init__(self, classes: Sequence[str] = ()) -> None:
        self._samples = dict.fromkeys(classes, 0)
        self._words: dict[str, Counter[str]] = {name: Counter() for name in classes}
        self._total: Counter[str] = Counter()  # words of all classes, with occurrences
        self._length = dict.fromkeys(classes, 0)

    @property
    def ready(self) -> bool:
        """Whether every class has a sample with a word. `posteriors` requires it."""
        return all(self._words.values())

    def samples(self, name: str) -> int:
        """Number of samples of a class."""
        return self._samples[name]

    def add(self, name: str, words: Mapping[str, int]) -> None:
        """Add a page or anchor as a sample of class `name`. `words`: word -> occurrences."""
        self._samples[name] += 1
        self._words[name].update(words)
        self._total.update(words)
        self._length[name] += sum(words.values())
        if len(self._total) > 2 * KEPT:
            self._cut()

    def posteriors(self, documents: Sequence[Mapping[str, int]]) -> list[dict[str, float]]:
        """Formula 1 for each document: class -> P(class | document)."""
        return [self._posterior(document) for document in documents]

    def likelihood(self, document: Mapping[str, int], name: str) -> float:
        """P(document | class) per word: the geometric mean of formula 2 over the known words; 0 if there are none."""
        known = self._known(document)
        length = sum(count for _, count in known)
        return exp(sum(count * self._log_word(word, name) for word, count in known) / length) if length else 0.0

    def evidence(self, document: Mapping[str, int], name: str, against: str) -> list[tuple[float, str]]:
        """The words that speak for class `name` against another: log of the ratio of their probabilities, highest
        first.
        """
        ratios = [
            (count * (self._log_word(word, name) - self._log_word(word, against)), word)
            for word, count in self._known(document)
        ]
        return sorted(((ratio, word) for ratio, word in ratios if ratio > 0), key=lambda item: (-item[0], item[1]))

    def typical(self, name: str, most: int) -> list[tuple[float, str]]:
        """The words that distinguish a class from all others together: log of the ratio of formula 2."""
        size = log(len(self._total) + sum(self._length.values()) - self._length[name])
        found = []
        for word, count in self._words[name].items():
            other = log(1 + self._total[word] - count) - size
            ratio = self._log_word(word, name) - other
            found.append((ratio * exp(self._log_word(word, name)), ratio, word))
        found.sort(key=lambda item: (-item[0], item[2]))
        return [(ratio, word) for weight, ratio, word in found[:most] if weight > 0]

    def _posterior(self, document: Mapping[str, int]) -> dict[str, float]:
        known = self._known(document)
        total = sum(self._samples.values())
        logs = {}
        for name, samples in self._samples.items():
            words, size = self._words[name], self._log_size(name)
            logs[name] = log(samples / total) + sum(count * (log(1 + words[word]) - size) for word, count in known)
        most = max(logs.values())
        parts = {name: exp(value - most) for name, value in logs.items()}
        whole = sum(parts.values())
        return {name: part / whole for name, part in parts.items()}

    def _log_word(self, word: str, name: str) -> float:
        """Logarithm of formula 2."""
        return log(1 + self._words[name][word]) - self._log_size(name)

    def _log_size(self, name: str) -> float:
        """Logarithm of formula 2's denominator."""
        return log(len(self._total) + self._length[name])

    def _known(self, document: Mapping[str, int]) -> list[tuple[str, int]]:
        """The words of a document that some class has, and how often each counts."""
        return [(word, count) for word, count in document.items() if word in self._total]

    def _cut(self) -> None:
        ranked = sorted(self._total.items(), key=lambda item: (-item[1], item[0]))
        self._total = Counter(dict(ranked[:KEPT]))
        for name, words in self._words.items():
            self._words[name] = Counter({word: n for word, n in words.items() if word in self._total})
            self._length[name] = sum(self._words[name].values())

    def derive(self) -> None:
        """Add up the words."""
        self._length = {name: sum(words.values()) for name, words in self._words.items()}
        self._total = sum(self._words.values(), Counter())


class TopicBayes(Remembering):
    """Naive Bayes with the classes `good` and `bad`. It is used once there are `FEWEST` samples of each.

    `marked`: samples are pages that the user marked, and each is learned. Otherwise they are what the ontology judges
    clearly in the crawl, most of them bad. To keep the classes about equal, as in the paper, a class that is
    `LEAD` samples ahead of the other gets only further samples that the classifier gets wrong.
    """

    KEPT: ClassVar = {"_bayes": Remembering}

    def __init__(self, *, marked: bool) -> None:
        self._marked = marked
        self._bayes = NaiveBayes(("good", "bad"))

    @property
    def knows(self) -> bool:
        """Whether there are enough samples for `good` to be used."""
        return self._bayes.ready and min(self._bayes.samples("good"), self._bayes.samples("bad")) >= FEWEST

    def learn(self, words: Mapping[str, int], *, good: bool) -> None:
        """Add a sample. One without words is ignored."""
        mine, other = ("good", "bad") if good else ("bad", "good")
        ahead = not self._marked and self._bayes.samples(mine) - self._bayes.samples(other) >= LEAD
        if words and not (ahead and (not self.knows or (self.good(words) >= 0.5) == good)):
            self._bayes.add(mine, words)

    def good(self, words: Mapping[str, int]) -> float:
        """P(good | words)."""
        return self._bayes.posteriors([words])[0]["good"]

    def evidence(self, words: Mapping[str, int]) -> list[str]:
        """The words that speak for the likelier class, the strongest first."""
        one, other = ("good", "bad") if self.good(words) >= 0.5 else ("bad", "good")
        return [word for _, word in self._bayes.evidence(words, one, other)]
