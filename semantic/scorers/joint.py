"""JLSE, joint link similarity evaluation (paper J, 3.2): what a link says itself, and where links like it have led.

    sim(u,t)           = max(sim_anchor(u,t), sim_predicted(u,t))                                    (3)
    sim_anchor(u,t)    = P(good | anchor text) by naive Bayes, `negative` (0.01) where that is below 1/2
    sim_predicted(u,t) = score_v Q(v), v the vertex of G_w that u looks most like                    (9; learning.bm25)
    priority(i)        = sim(i,t) / sqrt(sum_{u in page} sim(u,t)^2) P(topic | page)                 (10)

G_w (definition 5) is read from the store, and Q learned from it (learning.qlearning), whenever the number of results
reaches a multiple of cf; before that, sim_predicted is 0. Only pages on topic are expanded: links of others are
discarded. (On a web that ends somewhere the queue may run empty so. With `off_topic` above 0 they wait with so much of
what formula 10 gives them, which is next to nothing: they are followed where nothing else waits.)

Left open, and read here so:
- Links of results are followed, too (algorithm 2 drops them): on most webs details link to details.
- The samples of anchor texts are those by which sample pages were found. Until there are enough (as for pages, see
  `judges.results`), the anchor's similarity by the ontology stands in (formula 1 of paper O).
- Until the page classifier has learned enough, all pages are expanded, and always the seeds: a person chose them.
- Context: the anchor and 60 characters either side, which is about what delta = 4 to 6 steps in the DOM give. Words of
  the address are those of path and query. The text of a vertex is that of the link by which it was found.
- O_k in (10): each target once, with the best of its links. Waiting links keep their priority when G_w is rebuilt.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any

from semantic.addresses import words_of
from semantic.judges.results import ResultJudge, topic_bayes
from semantic.learning.bm25 import Likeness, LinkSpace, LinkTexts
from semantic.learning.qlearning import q_values
from semantic.page import Link
from semantic.records import LinkGraph
from semantic.relevance import Priority, Reason
from semantic.samples import Samples
from semantic.scorers.scorer import JudgedPage, LinkScorer
from semantic.words import WordReader

_ANCHORS = 200_000  # waiting addresses whose anchor texts are remembered; those found first are forgotten first
_KEPT = 50_000  # links whose place in G_w is remembered: menus repeat on every page of a site

Vertices = dict[str, tuple[str, str, float]]  # address -> anchor, context, Q


class JointLinks(LinkScorer):
    """The module's formulas; `p` holds cf (0: no G_w), gamma, rd, k, k1, b, w1, w2, w3, negative and off_topic.

    `by_ontology`: the similarity of each anchor of a page to the topic, as long as naive Bayes knows too little.
    """

    def __init__(
        self,
        by_ontology: Callable[[JudgedPage], Sequence[float]],
        judge: ResultJudge,
        samples: Samples,
        words: WordReader,
        p: Mapping[str, float],
    ) -> None:
        self._by_ontology = by_ontology
        self._judge = judge
        self._samples = samples
        self._words = words
        self._p = p
        self._bayes = topic_bayes(samples)
        self._anchors: dict[str, str] = {}
        self._results = 0
        self._wanted = False
        self._vertices: Vertices = {}
        self._space = LinkSpace({})
        self._places: dict[tuple[str, str, str], Likeness | None] = {}

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Formula 10 for the links of a page on topic; None for those of others."""
        self._learn(judged)
        links = judged.page.links
        part = 1.0 if self._judge.expands(judged.page, judged.relevance) else self._p["off_topic"]
        if not part:
            return [None] * len(links)
        for link in links:
            self._anchors.setdefault(link.url, link.anchor)
        while len(self._anchors) > _ANCHORS:
            del self._anchors[next(iter(self._anchors))]
        both = zip(self._direct(judged), self._indirect(links), strict=True)
        evidence = [predicted if predicted[0] > anchor[0] else anchor for anchor, predicted in both]
        best: dict[str, float] = {}
        for link, (sim, _) in zip(links, evidence, strict=True):
            best[link.url] = max(sim, best.get(link.url, 0.0))
        norm = sqrt(sum(sim * sim for sim in best.values())) or 1.0
        page = part * judged.relevance.score
        told = Reason(0.0, "its share of the page", f"divided by {norm:.3g}, times P(topic | page) {page:.3g}")
        return [Priority(sim / norm * page, (Reason(sim / norm * page, *why), told)) for sim, why in evidence]

    def _learn(self, judged: JudgedPage) -> None:
        """From the page's anchor, if it is a sample; and whether G_w is to be read."""
        anchor = self._anchors.pop(judged.page.url, "")
        good = self._samples.marks(judged.page, judged.counts).good
        if anchor and good is not None:
            self._bayes.add(self._words.of_text(anchor), good=good)
        if judged.relevance.on_topic and not judged.page.noindex:
            self._results += 1
            self._wanted = self._wanted or (self._p["cf"] > 0 and self._results % int(self._p["cf"]) == 0)

    def _direct(self, judged: JudgedPage) -> list[tuple[float, tuple[str, str]]]:
        """sim_anchor of each link, and what it is made of."""
        if self._bayes.ready:
            found = [self._bayes.good(self._words.of_text(link.anchor)) for link in judged.page.links]
            what, least = "anchor, by naive Bayes", 0.5
        else:
            found = list(self._by_ontology(judged))
            what, least = "anchor, by the ontology", self._p["negative"]
        return [(sim if sim >= least else self._p["negative"], (what, f"{sim:.3g}")) for sim in found]

    def _indirect(self, links: Sequence[Link]) -> list[tuple[float, tuple[str, str]]]:
        """sim_predicted of each link, the vertex and its Q."""
        if not self._vertices:
            return [(0.0, ("", ""))] * len(links)
        keys = [(link.anchor, link.url, f"{link.before}{link.anchor}{link.after}") for link in links]
        if len(self._places) > _KEPT:
            self._places.clear()
        new = [key for key in dict.fromkeys(keys) if key not in self._places]
        texts = [self._texts(*key) for key in new]
        self._places.update(zip(new, self._space.nearest(texts), strict=True))
        return [self._predicted(self._places[key]) for key in keys]

    def _predicted(self, likeness: Likeness | None) -> tuple[float, tuple[str, str]]:
        if likeness is None:
            return 0.0, ("", "")
        q = self._vertices[likeness.vertex][2]
        return likeness.score * q, ("looks like", f"{likeness.vertex}, similarity {likeness.score:.3g}, Q {q:.3g}")

    def _texts(self, anchor: str, url: str, context: str) -> LinkTexts:
        texts = (anchor, words_of(url), context)
        return LinkTexts(*(tuple(self._words.of_text(text).elements()) for text in texts))

    def forget(self, url: str, successor: str | None) -> None:
        """Where an address was redirected, its anchor goes along."""
        anchor = self._anchors.pop(url, None)
        if anchor is not None and successor is not None:
            self._anchors.setdefault(successor, anchor)

    def wants_graph(self) -> bool:
        """When the number of results has reached a multiple of cf."""
        return self._wanted

    def receive_graph(self, graph: LinkGraph) -> None:
        """Learn Q (algorithm 3), and place the vertices by their texts."""
        self._wanted = False
        q = q_values(graph, self._p["rd"], self._p["gamma"], int(self._p["k"]))
        self._place({url: (*graph.texts.get(url, ("", "")), q[url]) for url in graph.pages})

    def _place(self, vertices: Vertices) -> None:
        weights = (self._p["w1"], self._p["w2"], self._p["w3"])
        texts = {url: self._texts(anchor, url, context) for url, (anchor, context, _) in vertices.items()}
        self._vertices, self._places = vertices, {}
        self._space = LinkSpace(texts, weights, self._p["k1"], self._p["b"])

    def remember(self) -> Mapping[str, Any]:
        """Anchors of waiting links, what was learned of anchors, and the vertices with their Q."""
        return {
            "anchors": self._anchors,
            "bayes": self._bayes.remember(),
            "results": self._results,
            "wanted": self._wanted,
            "vertices": self._vertices,
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._anchors = dict(memory["anchors"])
        self._bayes.restore(memory["bayes"])
        self._results = memory["results"]
        self._wanted = memory["wanted"]
        self._place({url: (anchor, context, q) for url, (anchor, context, q) in memory["vertices"].items()})
