"""Which page of the link graph does a link look like? BM25 of its three texts (paper J, formulas 4 to 9).

    link u = <AnchorText, Url, Context>                                                            (4)
    sim(d_u, d_v) = sum_{t in d_u} idf(t) f(t, d_v) (k1 + 1)
                                  / (k1 (b l(d_v) / avgl + 1 - b) + f(t, d_v))                     (5)
    idf(t) = log((N - df(t) + 0.5) / (df(t) + 0.5))                                                (6)
    A = (a_1, a_2, a_3), a_i = (sim of text i to every vertex), normalised                         (7)
    score = A w, w = (0.5, 0.2, 0.3)                                                               (8)
    sim_predicted(u) = score_v Q(v), v the vertex with the highest score                           (9)

N documents, f(t, d) occurrences of t in d, df(t) documents with t, l the length of a document in words and avgl its
mean; k1 = 2, b = 0.75.

Left open, and read here so: a link's text is a set of words (definition 1), so a word counts once however often the
link has it. A column is divided by its largest value: by its length instead, a link would count for less the more good
pages it looks like. idf is negative for a word in more than half of the documents, as formula 6 has it; a similarity
below 0 is none, and counts as 0 when the column is normalised. Of vertices with the same score the first by address is
taken.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

W = (0.5, 0.2, 0.3)  # anchor text, address, context: formula 8


class Bm25:
    """Formulas 5 and 6 over fixed documents; what a word adds to each document is summed up beforehand."""

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = 2.0, b: float = 0.75) -> None:
        self._gains: dict[str, list[tuple[int, float]]] = {}
        mean = sum(map(len, documents)) / max(1, len(documents))
        for number, document in enumerate(documents):
            for word, f in Counter(document).items():
                gain = f * (k1 + 1) / (k1 * (b * len(document) / mean + 1 - b) + f)
                self._gains.setdefault(word, []).append((number, gain))
        self._idf = {
            word: log((len(documents) - len(gains) + 0.5) / (len(gains) + 0.5)) for word, gains in self._gains.items()
        }

    def similarities(self, words: Iterable[str]) -> dict[int, float]:
        """Document number -> formula 5, for the documents that share a word; costs one step for each that does."""
        found: dict[int, float] = {}
        for word in dict.fromkeys(words):
            for number, gain in self._gains.get(word, ()):
                found[number] = found.get(number, 0.0) + self._idf[word] * gain
        return found


@dataclass(frozen=True, slots=True)
class LinkTexts:
    """Formula 4: the words of a link's anchor text, address and context."""

    anchor: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Likeness:
    """The vertex that a link looks most like, and its score (formula 8; above 0, at most 1)."""

    vertex: str
    score: float

    def predicted(self, q: Mapping[str, float]) -> float:
        """Formula 9: sim_predicted."""
        return self.score * q[self.vertex]


class LinkSpace:
    """The vertices of a link graph by their texts: the space that a new link is placed in."""

    def __init__(self, vertices: Mapping[str, LinkTexts]) -> None:
        self._names = sorted(vertices)
        texts = [vertices[name] for name in self._names]
        self._anchor = Bm25([text.anchor for text in texts])
        self._address = Bm25([text.address for text in texts])
        self._context = Bm25([text.context for text in texts])

    def scores(self, link: LinkTexts) -> dict[str, float]:
        """Formula 8: vertex -> score, for the vertices that have one above 0."""
        columns = (
            self._anchor.similarities(link.anchor),
            self._address.similarities(link.address),
            self._context.similarities(link.context),
        )
        found: dict[str, float] = {}
        for weight, column in zip(W, columns, strict=True):
            largest = max(column.values(), default=0.0)
            for number, similarity in column.items():
                if similarity > 0:
                    name = self._names[number]
                    found[name] = found.get(name, 0.0) + weight * similarity / largest
        return found

    def nearest(self, link: LinkTexts) -> Likeness | None:
        """The vertex with the highest score; None where no vertex has any."""
        scores = self.scores(link)
        if not scores:
            return None
        best = min(scores, key=lambda name: (-scores[name], name))
        return Likeness(best, scores[best])
