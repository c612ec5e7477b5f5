"""On topic or not, or which layer, by words: multinomial naive Bayes with Laplace smoothing (paper J, formulas 1, 2).

    P(c_i | d_j) = P(c_i) prod_{w_k in d_j} P(w_k | c_i) / P(d_j)                                                   (1)
    P(w_k | c_i) = (1 + sum_{d_s in c_i} N(w_k, d_s)) / (|V| + sum_{w_l in V} sum_{d_s in c_i} N(w_l, d_s))         (2)

N(w, d): occurrences of w in d. Left open, and read here so: P(c_i) is the share of the samples that are in c_i; a word
that stands in d_j several times counts as often; V is the vocabulary of all classes (the paper says: of c_i; then the
probabilities of one class would be smoothed less than those of another for no reason but its size); words that are not
in V are passed over.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from semantic.learning.fitting import Classifier, fit_multinomial


class NaiveBayes:
    """Samples may come at any time; the model is fitted anew when it is next asked (one step a word of V)."""

    def __init__(self, classes: Sequence[str]) -> None:
        self._samples = dict.fromkeys(classes, 0)
        self._words: dict[str, Counter[str]] = {name: Counter() for name in classes}
        self._classify: Classifier | None = None

    @property
    def ready(self) -> bool:
        """Whether every class has a sample with a word; before, `posteriors` must not be asked."""
        return all(self._words.values())

    def add(self, name: str, words: Mapping[str, int]) -> None:
        """A sample page or anchor of class `name`: word -> occurrences."""
        self._samples[name] += 1
        self._words[name].update(words)
        self._classify = None

    def posteriors(self, documents: Sequence[Mapping[str, int]]) -> list[dict[str, float]]:
        """Formula 1 of each document: class -> P(class | document). Asking for many at once is cheaper by far."""
        if not documents:
            return []
        if self._classify is None:
            total = sum(self._samples.values())
            self._classify = fit_multinomial(self._words, {name: n / total for name, n in self._samples.items()})
        return self._classify(documents)

    def remember(self) -> Mapping[str, Any]:
        """The samples' sums, as JSON values."""
        return {"samples": self._samples, "words": self._words}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._samples = dict(memory["samples"])
        self._words = {name: Counter(words) for name, words in memory["words"].items()}
        self._classify = None
