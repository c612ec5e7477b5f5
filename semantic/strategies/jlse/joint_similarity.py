"""JLSE, joint link similarity evaluation (paper J, 3.2): what a link says itself, and where similar links have led.

    sim(u,t)           = max(sim_anchor(u,t), sim_predicted(u,t))                                    (3)
    sim_anchor(u,t)    = P(good | anchor text) by naive Bayes, 0.01 if the anchor is more likely bad (`anchor_bayes`)
    sim_predicted(u,t) = score_v Q(v), v the vertex of G_w that u is most similar to                 (9; `bm25`)
    priority(i)        = sim(i,t) / sqrt(sum_{u in page} sim(u,t)^2) P(topic | page)                 (10)

G_w (definition 5) is read from the store, and Q is learned from it (`q_learning`), whenever the number of results
reaches a multiple of cf. Before that, sim_predicted is 0.

Only links of pages that are on topic and no results are followed (algorithm 2): a page off topic is discarded, and a
result is stored but not expanded. `off_topic` 1 also follows the links of pages off topic, with the priority of (10),
where P(topic | page) is nearly 0 (`anchor_bayes`). `expand` 1 also follows those of results.

ATA is JLSE with sim_anchor alone in (3) and without G_w.

The paper leaves these points open; our choices:
- Context is the text within `window` (the paper's delta) steps of the link in the DOM tree
  (`semantic.strategies.jlse.link_context`). The Context of a vertex is that of the link by which it was found. It is
  stored for 100,000 addresses; for others the 60 characters on either side are used, which the record has. Words of the
  address are those of path and query.
- G_w contains the pages on any path from a seed to a result as long as the crawl has at most `ANY_WAY` pages. In a
  larger crawl nearly all pages are on such a path, so it contains those on the paths by which the crawl found its
  results. The reasons of a link say which it was.
- Several links of a page to one address are one in the sum of (10), the most similar. Waiting links keep their priority
  when G_w is rebuilt.
- Seeds are always expanded, and so are pages off topic while naive Bayes has too few samples; otherwise there would be
  nothing to learn from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from semantic.learning.bm25 import Likeness, LinkSpace, LinkTexts
from semantic.learning.q_learning import q_values
from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.memory.strategy_memory import Remembering
from semantic.page import Link, Page
from semantic.reasons import Reason, because
from semantic.records import LinkGraph, Priority, Relevance
from semantic.strategies.jlse.anchor_bayes import AnchorBayes, on_page
from semantic.strategies.jlse.link_context import contexts
from semantic.terms.bag_of_words import WordReader
from semantic.urls import words_of

ANY_WAY = 5000  # pages up to which all paths are used; chosen, not measured
_KEPT = 50_000  # cached links with their nearest vertex: menus repeat on every page of a site; chosen, not measured
_CONTEXTS = 100_000  # addresses whose context is stored; those found first are dropped; chosen, not measured

Expands = Callable[[Page, Relevance], bool]
Vertices = dict[str, tuple[str, str, float]]  # address -> anchor, context, Q


class JointLinks(LinkScorer):
    """JLSE. `p`: cf, gamma, rd, k, k1, b, w1, w2, w3, window, off_topic and expand.

    `expands`: whether links of a judged page are followed according to the paper. With cf = 0 there is no G_w, and (3)
    is sim_anchor.
    """

    KEPT: ClassVar = {
        "_any_way": bool,
        "_contexts": dict[str, str],
        "_anchors": Remembering,
        "_results": int,
        "_wanted": bool,
        "_vertices": Vertices,
    }

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
        """Formula 10 for the links of the page. A new G_w is asked for if it is time."""
        self._anchors.learn(judged)
        self._count(judged)
        links = judged.page.links
        if not self._follows(judged):
            return [None] * len(links)
        similar = self._anchors.similarities(judged)
        reasons = self._predict(judged.page, similar)
        places = on_page(similar, judged.relevance.score)
        for url, why in reasons.items():
            places[url] = Priority(places[url].score, (places[url].reasons[0]._replace(kind="link graph"), why))
        return [places[link.url] for link in links]

    def _follows(self, judged: JudgedPage) -> bool:
        relaxed = self._p["expand" if _is_result(judged) else "off_topic"]
        return relaxed > 0 or self._expands(judged.page, judged.relevance)

    def _count(self, judged: JudgedPage) -> None:
        """Count results; after each cf of them a new G_w is wanted."""
        if _is_result(judged):
            self._results += 1
            self._wanted = self._wanted or (self._p["cf"] > 0 and self._results % int(self._p["cf"]) == 0)

    def _predict(self, page: Page, similar: dict[str, float]) -> Mapping[str, Reason]:
        """Raise `similar` to sim_predicted where that is higher (formula 3). Gives the reasons: the vertices with their
        Q.
        """
        reasons: dict[str, Reason] = {}
        if not self.tree:
            return reasons
        near = contexts(page, int(self._p["window"]))
        self._keep(page, near)
        kind, number = f"vertex on {'any way' if self._any_way else 'ways taken'}", len(self._vertices)
        for link, likeness in zip(page.links, self._nearest(page.links, near), strict=True):
            if likeness is not None:
                _, _, q = self._vertices[likeness.vertex]
                if likeness.predicted(q) > similar[link.url]:
                    similar[link.url] = likeness.predicted(q)
                    score = float(likeness.score)
                    vertex = because(kind, page=likeness.vertex, similarity=score, q=float(q), number=number)
                    reasons[link.url] = Reason("looks like the link to", 0.0, (vertex,))
        return reasons

    def _keep(self, page: Page, near: Sequence[str]) -> None:
        """Store the context of new addresses, and mark that of the page itself as the latest."""
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
        """Give the anchor and context of a redirected address to its successor."""
        self._anchors.forget(url, successor)
        context = self._contexts.pop(url, None)
        if context is not None and successor is not None:
            self._contexts.setdefault(successor, context)

    def wants_graph(self) -> bool:
        """Whether the number of results has reached a multiple of cf."""
        return self._wanted

    def receive_graph(self, graph: LinkGraph) -> None:
        """Learn Q (algorithm 3), and index the vertices by their texts."""
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

    def remember(self) -> dict[str, Any]:
        """The kept attributes, each text of the contexts once."""
        numbers = {text: number for number, text in enumerate(dict.fromkeys(self._contexts.values()))}
        contexts = {url: numbers[text] for url, text in self._contexts.items()}
        return super().remember() | {"texts": list(numbers), "contexts": contexts}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back what `remember` gave."""
        contexts = {url: memory["texts"][number] for url, number in memory["contexts"].items()}
        super().restore({**memory, "contexts": contexts})

    def derive(self) -> None:
        """Index the vertices."""
        if self._vertices:
            self._place(self._vertices)


def _is_result(judged: JudgedPage) -> bool:
    return judged.relevance.on_topic and not judged.page.noindex
