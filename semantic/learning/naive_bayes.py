"""On topic or not, or which layer, by words: multinomial naive Bayes with Laplace smoothing (paper J, formulas 1, 2).

    P(c_i | d_j) = P(c_i) prod_{w_k in d_j} P(w_k | c_i) / P(d_j)                                                   (1)
    P(w_k | c_i) = (1 + sum_{d_s in c_i} N(w_k, d_s)) / (|V| + sum_{w_l in V} sum_{d_s in c_i} N(w_l, d_s))         (2)

N(w, d): occurrences of w in d. Left open, and read here so: P(c_i) is the share of the samples that are in c_i; a word
that stands in d_j several times counts as often; V is the vocabulary of all classes (the paper says: of c_i; then the
probabilities of one class would be smoothed less than those of another for no reason but its size); words that are not
in V are passed over.

The sums of formula 2 are all there is to learn: a sample costs one step for each of its words, and so does a document.
(scikit-learn's MultinomialNB gives the same numbers, but takes 50 ms to be fitted anew after a sample.)
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any


class NaiveBayes:
    """Samples may come at any time, and count at once."""

    def __init__(self, classes: Sequence[str]) -> None:
        self._samples = dict.fromkeys(classes, 0)
        self._words: dict[str, Counter[str]] = {name: Counter() for name in classes}
        self._sums = dict.fromkeys(classes, 0)
        self._vocabulary: set[str] = set()

    @property
    def ready(self) -> bool:
        """Whether every class has a sample with a word; before, `posteriors` must not be asked."""
        return all(self._words.values())

    def samples(self, name: str) -> int:
        """How many samples of class `name` there were."""
        return self._samples[name]

    def add(self, name: str, words: Mapping[str, int]) -> None:
        """A sample page or anchor of class `name`: word -> occurrences."""
        self._samples[name] += 1
        self._vocabulary.update(words)
        self._words[name].update(words)
        self._sums[name] += sum(words.values())

    def posteriors(self, documents: Sequence[Mapping[str, int]]) -> list[dict[str, float]]:
        """Formula 1 of each document: class -> P(class | document)."""
        return [self._posterior(document) for document in documents]

    def _posterior(self, document: Mapping[str, int]) -> dict[str, float]:
        total = sum(self._samples.values())
        known = [(word, n) for word, n in document.items() if word in self._vocabulary]
        logs = {name: log(n / total) + sum(self._evidence(name, known)) for name, n in self._samples.items()}
        highest = max(logs.values())
        parts = {name: exp(value - highest) for name, value in logs.items()}
        whole = sum(parts.values())
        return {name: part / whole for name, part in parts.items()}

    def telling(self, document: Mapping[str, int], name: str, other: str) -> dict[str, float]:
        """What each word of V adds to log(P(name | document) / P(other | document))."""
        known = [(word, n) for word, n in document.items() if word in self._vocabulary]
        both = zip(known, self._evidence(name, known), self._evidence(other, known), strict=True)
        return {word: one - another for (word, _), one, another in both}

    def _evidence(self, name: str, known: Sequence[tuple[str, int]]) -> list[float]:
        """Logarithm of formula 2, times its occurrences, for words of V."""
        held, whole = self._words[name].get, log(len(self._vocabulary) + self._sums[name])
        return [n * (log(1 + held(word, 0)) - whole) for word, n in known]

    def remember(self) -> Mapping[str, Any]:
        """The samples' sums, as JSON values."""
        return {"samples": self._samples, "words": self._words}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._samples = dict(memory["samples"])
        self._words = {name: Counter(words) for name, words in memory["words"].items()}
        self._sums = {name: words.total() for name, words in self._words.items()}
        self._vocabulary = set().union(*self._words.values())


class TopicBayes:
    """Two classes, `good` and `bad`, from samples that come while crawling.

    `least`: samples that each class must have before the classifier is asked. `lead`: by how many samples one class may
    be ahead of the other; more of it are passed over, unless the classifier is wrong about them: with many more words in
    one class, every word that is rare there speaks for the other. `most`: samples of a class; then it has learned
    enough, and its memory stays bounded.
    """

    def __init__(self, least: int, lead: int, most: int = 1000) -> None:
        self._least = least
        self._lead = lead
        self._most = most
        self._bayes = NaiveBayes(("good", "bad"))

    @property
    def ready(self) -> bool:
        """Whether there are enough samples of both."""
        return min(self.samples) >= self._least and self._bayes.ready

    @property
    def samples(self) -> tuple[int, int]:
        """Good and bad ones."""
        return self._bayes.samples("good"), self._bayes.samples("bad")

    def add(self, words: Mapping[str, int], *, good: bool) -> None:
        """A sample; one without words teaches nothing."""
        mine, other = self.samples if good else self.samples[::-1]
        if not words or mine >= self._most:
            return
        if mine < other + self._lead or (self.ready and (self.good(words) >= 0.5) != good):
            self._bayes.add("good" if good else "bad", words)

    def good(self, words: Mapping[str, int]) -> float:
        """P(good | words)."""
        return self._bayes.posteriors([words])[0]["good"]

    def telling(self, words: Mapping[str, int], shown: int = 5) -> list[str]:
        """The words that say most, for the class that is the likelier."""
        one, other = ("good", "bad") if self.good(words) >= 0.5 else ("bad", "good")
        told = self._bayes.telling(words, one, other)
        return [word for word, value in sorted(told.items(), key=lambda item: (-item[1], item[0]))[:shown] if value > 0]

    def remember(self) -> Mapping[str, Any]:
        """The samples' sums."""
        return self._bayes.remember()

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._bayes.restore(memory)
