"""JLSE, joint link similarity evaluation (paper J, 3.2): what a link says itself, and where links like it have led.

    sim(u,t)           = max(sim_anchor(u,t), sim_predicted(u,t))                                    (3)
    sim_anchor(u,t)    = P(good | anchor text) by naive Bayes, 0.01 where the anchor is likelier bad (scorers.anchors)
    sim_predicted(u,t) = score_v Q(v), v the vertex of G_w that u looks most like                    (9; learning.bm25)
    priority(i)        = sim(i,t) / sqrt(sum_{u in page} sim(u,t)^2) P(topic | page)                 (10)

G_w (definition 5) is read from the store, and Q learned from it (learning.qlearning), whenever the number of results
reaches a multiple of cf; before that, sim_predicted is 0.

Links of pages on topic that are no results are followed (algorithm 2): a page off topic is thrown away, and a result is
stored and not expanded. `off_topic` 1 follows the links of the former, too, which then wait with what (10) gives them,
P(topic | page) being next to nothing there (`scorers.anchors`); `expand` 1 those of the latter.

ATA is this with sim_anchor alone in (3), and nothing else changed: no G_w is read.

Left open, and read here so:
- Context is the text within `window` (the paper's delta) steps of the link in the tree of its page
  (`semantic.strategies.jlse.link_context`). That of a vertex is taken from the link by which it was found; of 100,000
  addresses it is remembered, else there are the 60 characters either side that the record keeps. Words of the address
  are those of path and query.
- G_w holds the pages on any way from a seed to a result where the crawl has at most `ANY_WAY` pages. Of a larger one it
  holds those on the ways by which the crawl came to its results: by then pages on any way are nearly all there are.
  The reasons of a link say which it was.
- Several links of a page to one address are one in the sum of (10), the most similar. Waiting links keep their priority
  when G_w is rebuilt.
- Seeds are always expanded, and pages off topic while naive Bayes has too few samples to tell them: nothing would be
  left to learn from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from semantic.learning.bm25 import Likeness, LinkSpace, LinkTexts
from semantic.learning.q_learning import q_values
from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.page import Link, Page
from semantic.records import LinkGraph, Priority, Reason, Relevance
from semantic.strategies.jlse.anchor_bayes import AnchorBayes, on_page
from semantic.strategies.jlse.link_context import contexts
from semantic.terms.bag_of_words import WordReader
from semantic.urls import words_of

ANY_WAY = 5000  # pages of which all ways are looked at
_KEPT = 50_000  # links whose place in G_w is remembered: menus repeat on every page of a site
_CONTEXTS = 100_000  # addresses whose context is remembered; those found first are forgotten

Expands = Callable[[Page, Relevance], bool]
Vertices = dict[str, tuple[str, str, float]]  # address -> anchor, context, Q


class JointLinks(LinkScorer):
    """The module's formulas; `p` holds cf, gamma, rd, k, k1, b, w1, w2, w3, window, off_topic and expand.

    `expands`: whether links of a judged page are followed as the paper has it. cf 0: no G_w, so that (3) is sim_anchor.
    """

    any_way = ANY_WAY

    def __init__(self, anchors: AnchorBayes, expands: Expands, words: WordReader, p: Mapping[str, float]) -> None:
        self._anchors = anchors
        self._expands = expands
        self._words = words
        self._p = p
        self.tree = p["cf"] > 0
        self._results = 0
        self._wanted = False
        self._any_way = False
        self._contexts: dict[str, str] = {}  # of each address, where it was found
        self._vertices: Vertices = {}
        self._space = LinkSpace({})
        self._places: dict[tuple[str, str, str], Likeness | None] = {}

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """Formula 10 for the links of the page, and whether it is time for a new G_w."""
        self._anchors.learn(judged)
        self._count(judged)
        links = judged.page.links
        if not self._follows(judged):
            return [None] * len(links)
        similar = self._anchors.similarities(judged)
        told = self._predict(judged.page, similar)
        places = on_page(similar, judged.relevance.score)
        for url, why in told.items():
            places[url] = Priority(places[url].score, (places[url].reasons[0]._replace(what="link graph"), why))
        return [places[link.url] for link in links]

    def _follows(self, judged: JudgedPage) -> bool:
        relaxed = self._p["expand" if _is_result(judged) else "off_topic"]
        return relaxed > 0 or self._expands(judged.page, judged.relevance)

    def _count(self, judged: JudgedPage) -> None:
        """Results; every cf of them another G_w is wanted."""
        if _is_result(judged):
            self._results += 1
            self._wanted = self._wanted or (self._p["cf"] > 0 and self._results % int(self._p["cf"]) == 0)

    def _predict(self, page: Page, similar: dict[str, float]) -> Mapping[str, Reason]:
        """Raise `similar` to sim_predicted where that is more (formula 3); the vertices that did it, with their Q."""
        told: dict[str, Reason] = {}
        if not self.tree:
            return told
        near = contexts(page, int(self._p["window"]))
        self._keep(page, near)
        graph = f"{len(self._vertices):,} pages on {'any way' if self._any_way else 'the ways taken'} to a result"
        for link, likeness in zip(page.links, self._nearest(page.links, near), strict=True):
            if likeness is not None:
                _, _, q = self._vertices[likeness.vertex]
                if likeness.score * q > similar[link.url]:
                    similar[link.url] = likeness.score * q
                    detail = f"{likeness.vertex}, similarity {likeness.score:.3g}, Q {q:.3g}, of {graph}"
                    told[link.url] = Reason(0.0, "looks like the link to", detail)
        return told

    def _keep(self, page: Page, near: Sequence[str]) -> None:
        """Remember the context of addresses that are new; that of the page itself is now the youngest."""
        if page.url in self._contexts:
            self._contexts[page.url] = self._contexts.pop(page.url)
        for link, context in zip(page.links, near, strict=True):
            self._contexts.setdefault(link.url, context)
        while len(self._contexts) > _CONTEXTS:
            del self._contexts[next(iter(self._contexts))]

    def _nearest(self, links: Sequence[Link], near: Sequence[str]) -> list[Likeness | None]:
        if not self._vertices:
            return [None] * len(links)
        if len(self._places) > _KEPT:
            self._places.clear()
        keys = [(link.anchor, link.url, context) for link, context in zip(links, near, strict=True)]
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
        context = self._contexts.pop(url, None)
        if context is not None and successor is not None:
            self._contexts.setdefault(successor, context)

    def wants_graph(self) -> bool:
        """When the number of results has reached a multiple of cf."""
        return self._wanted

    def receive_graph(self, graph: LinkGraph) -> None:
        """Learn Q (algorithm 3), and place the vertices by their texts."""
        self._wanted = False
        self._any_way = graph.any_way
        q = q_values(graph, self._p["rd"], self._p["gamma"], int(self._p["k"]))
        vertices: Vertices = {}
        for url in graph.pages:
            anchor, beside = graph.texts.get(url, ("", ""))
            vertices[url] = (anchor, self._contexts.get(url, beside), q[url])
        self._place(vertices)

    def _place(self, vertices: Vertices) -> None:
        weights = (self._p["w1"], self._p["w2"], self._p["w3"])
        texts = {url: self._texts(anchor, url, context) for url, (anchor, context, _) in vertices.items()}
        self._vertices, self._places = vertices, {}
        self._space = LinkSpace(texts, weights, self._p["k1"], self._p["b"])

    def remember(self) -> Mapping[str, Any]:
        """What anchors taught, how many results there were, contexts (each once), and the vertices with their Q."""
        numbers = {text: number for number, text in enumerate(dict.fromkeys(self._contexts.values()))}
        return {
            "any_way": self._any_way,
            "texts": list(numbers),
            "contexts": {url: numbers[text] for url, text in self._contexts.items()},
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
        self._any_way = memory["any_way"]
        self._contexts = {url: memory["texts"][number] for url, number in memory["contexts"].items()}
        vertices = {url: (anchor, context, q) for url, (anchor, context, q) in memory["vertices"].items()}
        if vertices:
            self._place(vertices)


def _is_result(judged: JudgedPage) -> bool:
    return judged.relevance.on_topic and not judged.page.noindex
