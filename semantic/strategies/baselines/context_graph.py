"""Context graph (Diligenti et al. 2000): how many links is a page away from a result?

Layer 0 are the results, layer l the pages l links before one, l = 1 to N = 4. Each layer is a class of naive Bayes over
the words of its pages; the 40 words best by tf-idf are used, and at most 300 pages train a layer (paper J, 4.2). A
fetched page is assigned to its most likely layer if the posterior passes a threshold, else to `other`. Each layer has a
queue; the nearest layer that has links is served first, and within it the order is by likelihood. One number has that
order:

    priority(u) = -l + (prod_{w in page} P(w | layer l))^(1/n)        l = N + 1 for `other`, without the product

n: occurrences in the page of the words used, so that long and short pages are comparable.

The paper leaves these points open; our choices:
- Results are pages marked good (`semantic.understanding`). Layers are built from the last 3,000 crawled
  pages, with their 100 most frequent words each. Files among the examples belong to layer 0.
- Layers are rebuilt when the number of results has grown by a fifth; the first time there must be 3. Before that a page
  is in layer 0 if it is on topic, else in `other`, with its relevance as likelihood.
- All layers have the same prior probability: how many pages of a layer were crawled says nothing about the next page.
- Of more than 300 pages of a layer the latest are used.
- tf-idf of a word in a layer: its occurrences there times log(N / n) over the stored pages. The threshold is 0.5.
- A waiting link keeps its priority when layers are rebuilt.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import ClassVar

from semantic.learning.naive_bayes import NaiveBayes
from semantic.links.link_scorer import BY_RANK, JudgedPage, LinkScorer
from semantic.reasons import Reason, because
from semantic.records import Priority
from semantic.terms.bag_of_words import WordReader
from semantic.understanding import Samples

# pages and words of each that are stored; chosen, not measured. Words of a layer that are used: paper J, 4.2
KEPT_PAGES, KEPT_WORDS, FEATURES = 3000, 100, 40
FEWEST, GROWTH = 3, 1.2  # results for the first layers, and factor for rebuilding them; chosen, not measured


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """A crawled page, as layers are built from it."""

    words: Mapping[str, int]
    links: tuple[str, ...]
    good: bool


def layers(pages: Mapping[str, CrawledPage], most: int) -> dict[str, int]:
    """Address -> links to the nearest result, up to `most`."""
    linking: dict[str, list[str]] = {}
    for url, page in pages.items():
        for target in page.links:
            if target in pages:
                linking.setdefault(target, []).append(url)
    found = {url: 0 for url, page in pages.items() if page.good}
    edge = list(found)
    for layer in range(1, most + 1):
        edge = list(dict.fromkeys(url for target in edge for url in linking.get(target, ()) if url not in found))
        found.update(dict.fromkeys(edge, layer))
    return found


def fit(pages: Mapping[str, CrawledPage], found: Mapping[str, int], documents: int = 300) -> NaiveBayes:
    """Train the classifier of layers, with one sample for each, so that all have the same prior probability.

    A layer's sample is the sum of its last `documents` pages.
    """
    urls: dict[str, list[str]] = {}
    for url in pages:
        if url in found:
            urls.setdefault(str(found[url]), []).append(url)
    sums: dict[str, Counter[str]] = {}
    for name, those in urls.items():
        total = sums[name] = Counter()
        for url in those[-documents:]:
            total.update(pages[url].words)
    frequency = Counter(word for page in pages.values() for word in page.words)
    chosen = {word for total in sums.values() for word in _best(total, frequency, len(pages))}
    model = NaiveBayes(sorted(sums))
    for name, total in sorted(sums.items()):
        model.add(name, {word: total[word] for word in sorted(chosen) if total[word]})
    return model


def _best(total: Mapping[str, int], frequency: Mapping[str, int], pages: int) -> list[str]:
    """The 40 words of a layer with the highest tf-idf."""
    weights = ((count * log(pages / frequency[word]), word) for word, count in total.items())
    return [word for _, word in sorted(weights, key=lambda item: (-item[0], item[1]))[:FEATURES]]


class ContextGraph(LinkScorer):
    """The context graph's scorer: see the module's text."""

    KEPT: ClassVar = {"_pages": dict[str, CrawledPage], "_results": int, "_fitted": int, "_model": NaiveBayes | None}

    waits = BY_RANK

    def __init__(
        self, samples: Samples, words: WordReader, most: int = 4, threshold: float = 0.5, documents: int = 300
    ) -> None:
        self._samples = samples
        self._words = words
        self._most = most  # N
        self._threshold = threshold
        self._documents = documents
        self._pages: dict[str, CrawledPage] = {}
        self._model: NaiveBayes | None = None
        self._results = self._fitted = 0
        for page, marks in samples.pages:
            self._keep(page.url, words.count(page.text), (), good=marks.good is True)

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """All links of the page get the priority of its layer."""
        words = self._words.of_page(judged.page)
        good = self._samples.marks(judged.page, judged.counts).good is True
        links = tuple(dict.fromkeys(link.url for link in judged.page.links))
        self._keep(judged.page.url, words, links, good=good)
        if self._results >= max(FEWEST, GROWTH * self._fitted):
            self._refit()
        return [self._priority(judged, words)] * len(judged.page.links)

    def _keep(self, url: str, words: Counter[str], links: tuple[str, ...], *, good: bool) -> None:
        frequent = sorted(words.items(), key=lambda item: (-item[1], item[0]))[:KEPT_WORDS]
        self._pages[url] = CrawledPage(dict(frequent), links, good)
        self._results += good
        if len(self._pages) > KEPT_PAGES:
            del self._pages[next(iter(self._pages))]

    def _refit(self) -> None:
        self._fitted = self._results
        found = layers(self._pages, self._most)
        if len(set(found.values())) > 1:
            self._model = fit(self._pages, found, self._documents)

    def _priority(self, judged: JudgedPage, words: Mapping[str, int]) -> Priority:
        layer, likelihood = self._layer(judged, words)
        name = Reason("other") if layer > self._most else because("layer", number=layer)
        links = Reason("links before a result", -float(layer), (name,))
        reasons = (links, Reason("likelihood of the page", likelihood))
        return Priority(likelihood - layer, reasons)

    def _layer(self, judged: JudgedPage, words: Mapping[str, int]) -> tuple[int, float]:
        if self._model is None:
            return (0 if judged.relevance.on_topic else self._most + 1), min(judged.relevance.score, 1.0)
        (posterior,) = self._model.posteriors([words])
        name = max(sorted(posterior), key=lambda layer: posterior[layer])
        if posterior[name] < self._threshold:
            return self._most + 1, 0.0
        return int(name), self._model.likelihood(words, name)
