"""JLSE, joint link similarity evaluation (paper J, 3.2): what a link says itself, and where links like it have led.

    sim(u,t)           = max(sim_anchor(u,t), sim_predicted(u,t))                                    (3)
    sim_anchor(u,t)    = P(good | anchor text) by naive Bayes, 0.01 where the anchor is likelier bad (scorers.anchors)
    sim_predicted(u,t) = score_v Q(v), v the vertex of G_w that u looks most like                    (9; learning.bm25)
    priority(i)        = sim(i,t) / sqrt(sum_{u in page} sim(u,t)^2) P(topic | page)                 (10)

G_w (definition 5) is read from the store, and Q learned from it (learning.qlearning), whenever the number of results
reaches a multiple of cf; before that, sim_predicted is 0.

Left open, and read here so:
- Context: the anchor and 60 characters either side, which is about what delta = 4 to 6 steps in the DOM give. Words of
  the address are those of path and query. The text of a vertex is that of the link by which it was found.
- Several links of a page to one address are one in the sum of (10), the most similar. Waiting links keep their priority
  when G_w is rebuilt.
- Links of results are followed, too (algorithm 2 drops them): on most webs detail pages link to detail pages.
- The paper expands pages on topic alone, on a web that never runs out of them. With `off_topic` 0 links of other pages
  are discarded so (not those of seeds, and none before naive Bayes knows), and the queue may run empty; with 1 they
  wait with what (10) gives them, P(topic | page) being next to nothing there (`scorers.anchors`), and are followed
  where nothing better is left.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from semantic.addresses import words_of
from semantic.learning.bm25 import Likeness, LinkSpace, LinkTexts
from semantic.learning.qlearning import q_values
from semantic.page import Link, Page
from semantic.records import LinkGraph
from semantic.relevance import Priority, Reason, Relevance
from semantic.scorers.anchors import AnchorBayes, on_page
from semantic.scorers.scorer import JudgedPage, LinkScorer
from semantic.words import WordReader

_KEPT = 50_000  # links whose place in G_w is remembered: menus repeat on every page of a site

Expands = Callable[[Page, Relevance], bool]
Vertices = dict[str, tuple[str, str, float]]  # address -> anchor, context, Q


class JointLinks(LinkScorer):
    """The module's formulas; `p` holds cf (0: no G_w), gamma, rd, k, k1, b, w1, w2, w3 and off_topic.

    `expands`: whether links of a judged page are followed as the paper has it.
    """

    def __init__(self, anchors: AnchorBayes, expands: Expands, words: WordReader, p: Mapping[str, float]) -> None:
        self._anchors = anchors
        self._expands = expands
        self._words = words
        self._p = p
        self._results = 0
        self._wanted = False
        self._vertices: Vertices = {}
        self._space = LinkSpace({})
        self._places: dict[tuple[str, str, str], Likeness | None] = {}

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Formula 10 for the links of the page, and whether it is time for a new G_w."""
        self._anchors.learn(judged)
        self._count(judged)
        links = judged.page.links
        if not self._p["off_topic"] and not self._expands(judged.page, judged.relevance):
            return [None] * len(links)
        similar = self._anchors.similarities(judged)
        told = self._predict(links, similar)
        places = on_page(similar, judged.relevance.score)
        for url, why in told.items():
            places[url] = Priority(places[url].score, (replace(places[url].reasons[0], what="link graph"), why))
        return [places[link.url] for link in links]

    def _count(self, judged: JudgedPage) -> None:
        """Results; every cf of them another G_w is wanted."""
        if judged.relevance.on_topic and not judged.page.noindex:
            self._results += 1
            self._wanted = self._wanted or (self._p["cf"] > 0 and self._results % int(self._p["cf"]) == 0)

    def _predict(self, links: Sequence[Link], similar: dict[str, float]) -> Mapping[str, Reason]:
        """Raise `similar` to sim_predicted where that is more (formula 3); the vertices that did it, with their Q."""
        told: dict[str, Reason] = {}
        for link, likeness in zip(links, self._nearest(links), strict=True):
            if likeness is not None:
                _, _, q = self._vertices[likeness.vertex]
                if likeness.score * q > similar[link.url]:
                    similar[link.url] = likeness.score * q
                    detail = f"{likeness.vertex}, similarity {likeness.score:.3g}, Q {q:.3g}"
                    told[link.url] = Reason(0.0, "looks like the link to", detail)
        return told

    def _nearest(self, links: Sequence[Link]) -> list[Likeness | None]:
        if not self._vertices:
            return [None] * len(links)
        if len(self._places) > _KEPT:
            self._places.clear()
        keys = [(link.anchor, link.url, f"{link.before}{link.anchor}{link.after}") for link in links]
        new = [key for key in dict.fromkeys(keys) if key not in self._places]
        texts = [self._texts(*key) for key in new]
        self._places.update(zip(new, self._space.nearest(texts), strict=True))
        return [self._places[key] for key in keys]

    def _texts(self, anchor: str, url: str, context: str) -> LinkTexts:
        texts = (anchor, words_of(url), context)
        return LinkTexts(*(tuple(self._words.of_text(text).elements()) for text in texts))

    def forget(self, url: str, successor: str | None) -> None:
        """Where an address was redirected, its anchor goes along."""
        self._anchors.forget(url, successor)

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
        """What anchors taught, how many results there were, and the vertices with their Q."""
        return {
            "anchors": self._anchors.remember(),
            "results": self._results,
            "wanted": self._wanted,
            "vertices": self._vertices,
        }

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        self._anchors.restore(memory["anchors"])
        self._results = memory["results"]
        self._wanted = memory["wanted"]
        self._place({url: (anchor, context, q) for url, (anchor, context, q) in memory["vertices"].items()})
