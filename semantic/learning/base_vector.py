"""Paper A's topic: a base vector, extracted from samples and then repeatedly from fetched pages, and an adaptive
threshold.

    W_ik     = t_ik log(N/n_k + 0.1) Wc_k / sqrt(sum_k [...]^2)
    Sim(i,f) = sum_d W_id f_d / (|W_i| |f|)

t_ik: occurrences of word k in page i. N: number of pages, n_k of them with the word. Wc_k: class weight of the word. f:
the base vector.

After every interval, with S pages wanted in one, f_T kept in it, r_T of these on topic, and F_T kept so far:

    1. f_T > S and F_T > S T:                  thd *= alpha   (1 < alpha < 1.1)
    2. the same, and r_T < mu f_T:             thd *= beta    (1.1 < beta < 1.5, 0.1 < mu < 0.5)
    3. f_T < S and F_T < S T:                  thd *= gamma   (0.9 < gamma < 1)

The paper leaves these points open; our choices:
- Time is counted in pages: an interval is T = 50 answered pages; T in `S T` is the number of intervals so far. A page
  is kept if it passes the threshold (the paper's table counts the others as discarded); S = 10.
- r_T needs a second source: a kept page is on topic unless it is a sample marked bad.
- If 2 holds it is used instead of 1. alpha 1.05, beta 1.2, gamma 0.95, mu 0.3. thd stays between 0.02 and 0.9.
- The seeds are the first samples of the topic, as in the paper, whatever the ontology says of them. f is extracted from
  the expert's words and the seeds before any page is judged (`semantic.understanding`).
- After that, a page marked good is a sample of the topic, and so is a page without a mark that is kept; all other pages
  are samples of the other class.
- Wc_k is the share of the topic in the word: (p + b_k) / 2 with p = P(k | topic) / (P(k | topic) + P(k | others)). The
  probabilities are counted in pages and smoothed by 1 in 2. b_k is the weight that the expert gave the word, at most 1.
- f_k = (t_k + e b_k) log(N/n_k + 0.1) Wc_k. t_k is the mean share of the word in the topic's pages, scaled to 1 for the
  most frequent one. e = 10 / (10 + number of the topic's pages): at first f is the expert's words, later what the pages
  say. Its 200 heaviest words are kept.
- A page's length |W_i| is over all its words, so that a page mostly about something else scores less.
- Of the words' counts, the 50,000 most frequent are kept.
"""

from collections import Counter
from collections.abc import Mapping
from math import log, sqrt
from typing import ClassVar

from semantic.memory.strategy_memory import Remembering

# words counted, and words in the base vector; chosen, not measured
KEPT_WORDS, KEPT_FEATURES = 50_000, 200
EXPERT_PAGES = 10  # the expert's words weigh as much as this many pages; chosen, not measured
LOWEST, HIGHEST = 0.02, 0.9  # limits of thd; chosen, not measured


class BaseVector(Remembering):
    """The base vector f. `expert`: word -> weight. Pages that were learned from count from the next `extract` on."""

    KEPT: ClassVar = {
        "_pages": int,
        "_with": Counter[str],
        "_topic_pages": int,
        "_topic_with": Counter[str],
        "_topic_share": dict[str, float],
        "_base": dict[str, float],
        "_fresh": list[tuple[dict[str, int], bool]],
    }

    def __init__(self, expert: Mapping[str, float]) -> None:
        heaviest = max(expert.values(), default=1.0)
        self._expert = {word: weight / heaviest for word, weight in expert.items()}
        self._pages = 0  # N
        self._with: Counter[str] = Counter()  # n_k
        self._topic_pages = 0
        self._topic_with: Counter[str] = Counter()
        self._topic_share: dict[str, float] = {}  # sum over the topic's pages of t_ik / sum_k t_ik
        self._base: dict[str, float] = {}
        self._fresh: list[tuple[Mapping[str, int], bool]] = []
        self._weights: dict[str, float] = {}  # cache of `weight`, cleared by `extract`
        self.extract()

    def learn(self, words: Mapping[str, int], *, good: bool) -> None:
        """Add a page as a sample of the topic (`good`) or of the other class. `words`: word -> occurrences."""
        if words:
            self._fresh.append((words, good))

    def _count(self, words: Mapping[str, int], *, good: bool) -> None:
        self._pages += 1
        self._with.update(words.keys())
        if good:
            self._topic_pages += 1
            self._topic_with.update(words.keys())
            length = sum(words.values())
            for word, count in words.items():
                self._topic_share[word] = self._topic_share.get(word, 0.0) + count / length
        if len(self._with) > 2 * KEPT_WORDS:
            self._with = Counter(dict(sorted(self._with.items(), key=lambda item: (-item[1], item[0]))[:KEPT_WORDS]))
            self._topic_with = Counter({word: n for word, n in self._topic_with.items() if word in self._with})
            self._topic_share = {word: share for word, share in self._topic_share.items() if word in self._with}

    def extract(self) -> None:
        """Compute f from everything learned so far."""
        for words, good in self._fresh:
            self._count(words, good=good)
        self._fresh, self._weights = [], {}
        most = max(self._topic_share.values(), default=1.0)
        trust = EXPERT_PAGES / (EXPERT_PAGES + self._topic_pages)
        values = {
            word: (self._topic_share.get(word, 0.0) / most + trust * self._expert.get(word, 0.0)) * self.weight(word)
            for word in self._topic_share | self._expert
        }
        heaviest = sorted(values.items(), key=lambda item: (-item[1], item[0]))[:KEPT_FEATURES]
        length = sqrt(sum(value * value for _, value in heaviest)) or 1.0
        self._base = {word: value / length for word, value in heaviest}

    def weight(self, word: str) -> float:
        """log(N/n_k + 0.1) Wc_k, at least 0. A word not seen yet has the highest idf."""
        known = self._weights.get(word)
        if known is None:
            known = self._weights[word] = self._weighed(word)
        return known

    def _weighed(self, word: str) -> float:
        idf = log((self._pages + 1) / (self._with[word] + 1) + 0.1) if self._pages else 1.0
        topic = (self._topic_with[word] + 1) / (self._topic_pages + 2)
        others = (self._with[word] - self._topic_with[word] + 1) / (self._pages - self._topic_pages + 2)
        return max(0.0, idf) * (topic / (topic + others) + self._expert.get(word, 0.0)) / 2

    def shares(self, words: Mapping[str, int]) -> dict[str, float]:
        """What each word of the base vector adds to the similarity of a page."""
        weights = {word: count * self.weight(word) for word, count in words.items()}
        length = sqrt(sum(weight * weight for weight in weights.values()))
        if not length:
            return {}
        return {word: weights[word] * value / length for word, value in self._base.items() if word in weights}

    def derive(self) -> None:
        """Weigh words again."""
        self._weights = {}


class Threshold(Remembering):
    """The adaptive threshold thd. `parameters`: S, T, alpha, beta, gamma and mu."""

    KEPT: ClassVar = {"thd": float, "_rules": list[int]} | dict.fromkeys(
        ("_answered", "_kept", "_on_topic", "_all_kept"), int
    )

    def __init__(self, thd: float, parameters: Mapping[str, float]) -> None:
        self.thd = thd
        self._parameters = parameters
        self._answered = self._kept = self._on_topic = self._all_kept = 0
        self._rules = [0, 0, 0, 0]  # intervals that ended without a rule, and with rule 1, 2, 3

    def count(self, *, kept: bool, on_topic: bool) -> bool:
        """Count one more page. True if an interval ended with it; then the threshold has been adapted."""
        self._answered += 1
        self._kept += kept
        self._on_topic += kept and on_topic
        if self._answered < self._parameters["T"]:
            return False
        self._all_kept += self._kept
        rule = self._rule()
        self._rules[rule] += 1
        self.thd = min(HIGHEST, max(LOWEST, self.thd * self._factor(rule)))
        self._answered = self._kept = self._on_topic = 0
        return True

    def _rule(self) -> int:
        """The rule that holds at the end of an interval, 0: none."""
        wanted, intervals = self._parameters["S"], sum(self._rules) + 1
        if self._kept > wanted and self._all_kept > wanted * intervals:
            return 2 if self._on_topic < self._parameters["mu"] * self._kept else 1
        return 3 if self._kept < wanted and self._all_kept < wanted * intervals else 0

    def _factor(self, rule: int) -> float:
        return self._parameters[("alpha", "beta", "gamma")[rule - 1]] if rule else 1.0
