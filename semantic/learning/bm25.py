"""Which page of the link graph is a link most similar to? BM25 over its three texts (paper J, formulas 4 to 9).

    link u = <AnchorText, Url, Context>                                                            (4)
    sim(d_u, d_v) = sum_{t in d_u} idf(t) f(t, d_v) (k1 + 1)
                                  / (k1 (b l(d_v) / avgl + 1 - b) + f(t, d_v))                     (5)
    idf(t) = log((N - df(t) + 0.5) / (df(t) + 0.5))                                                (6)
    A = (a_1, a_2, a_3), a_i = (sim of text i to every vertex), normalised                         (7)
    score = A w, w = (0.5, 0.2, 0.3)                                                               (8)
    sim_predicted(u) = score_v Q(v), v the vertex with the highest score                           (9)

N: number of documents. f(t, d): occurrences of t in d. df(t): number of documents with t. l: length of a document in
words; avgl: its mean. k1 = 2, b = 0.75.

All links of a page are compared with all vertices in one product of sparse matrices (words by documents): 100 links
against 1,000 vertices take 8 ms instead of 36.

The paper leaves these points open; our choices:
- A link's text is a set of words (definition 1), so a word counts once, however often the link has it.
- A column of A is divided by its largest value. Divided by its length, a link would score lower the more good pages it
  is similar to.
- idf is negative for a word in more than half of the documents, as in formula 6. A similarity below 0 counts as 0 when
  the column is normalised.
- Of vertices with equal scores the first by address is taken.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

W = (0.5, 0.2, 0.3)  # weights of anchor text, address, context: formula 8
LINKS_AT_ONCE = 200  # limits the size of the matrix for pages with thousands of links; chosen, not measured


class Bm25:
    """Formulas 5 and 6 over fixed documents. What a word adds to each document is computed once."""

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = 2.0, b: float = 0.75) -> None:
        gains: dict[str, list[tuple[int, float]]] = {}
        mean = sum(map(len, documents)) / max(1, len(documents))
        for number, document in enumerate(documents):
            for word, f in Counter(document).items():
                gain = f * (k1 + 1) / (k1 * (b * len(document) / mean + 1 - b) + f)
                gains.setdefault(word, []).append((number, gain))
        self._rows = {word: row for row, word in enumerate(gains)}
        idf = [log((len(documents) - len(found) + 0.5) / (len(found) + 0.5)) for found in gains.values()]
        parts = [[(number, idf[row] * gain) for number, gain in found] for row, found in enumerate(gains.values())]
        self._gains = _sparse(parts, len(documents))

    def similarities(self, texts: Sequence[Iterable[str]]) -> Any:
        """Formula 5: an array with a row for each text and a column for each document."""
        rows = [[(self._rows[word], 1.0) for word in dict.fromkeys(words) if word in self._rows] for words in texts]
        return (_sparse(rows, len(self._rows)) @ self._gains).toarray()


def _sparse(rows: Sequence[Sequence[tuple[int, float]]], columns: int) -> Any:
    """Build a sparse matrix from rows of (column, value)."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    ends = [0]
    for row in rows:
        ends.append(ends[-1] + len(row))
    numbers = [value for row in rows for _, value in row]
    places = [column for row in rows for column, _ in row]
    return csr_array((numbers, places, ends), shape=(len(rows), columns), dtype=float)


def _normalise(column: Any, weight: float) -> None:
    """Formula 7 for each row of an array, times the weight. In place, because these arrays are large."""
    column.clip(0.0, None, out=column)
    largest = column.max(axis=1, keepdims=True)
    largest[largest == 0] = 1.0
    column /= largest
    column *= weight


@dataclass(frozen=True, slots=True)
class LinkTexts:
    """Formula 4: the words of a link's anchor text, address and context."""

    anchor: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Likeness:
    """The vertex that a link is most similar to, and the score (formula 8; above 0, at most 1)."""

    vertex: str
    score: float

    def predicted(self, q: float) -> float:
        """Formula 9: sim_predicted. `q`: Q of the vertex."""
        return self.score * q


class LinkSpace:
    """The vertices of a link graph, searchable by the texts of links."""

    def __init__(
        self, vertices: Mapping[str, LinkTexts], w: tuple[float, float, float] = W, k1: float = 2.0, b: float = 0.75
    ) -> None:
        self._names = sorted(vertices)
        self._w = w
        texts = [vertices[name] for name in self._names]
        self._anchor = Bm25([text.anchor for text in texts], k1, b)
        self._address = Bm25([text.address for text in texts], k1, b)
        self._context = Bm25([text.context for text in texts], k1, b)

    def scores(self, links: Sequence[LinkTexts]) -> Any:
        """Formula 8: an array with a row for each link and a column for each vertex, ordered by address."""
        columns = (
            self._anchor.similarities([link.anchor for link in links]),
            self._address.similarities([link.address for link in links]),
            self._context.similarities([link.context for link in links]),
        )
        for weight, column in zip(self._w, columns, strict=True):
            _normalise(column, weight)
        anchor, address, context = columns
        anchor += address
        anchor += context
        return anchor

    def nearest(self, links: Sequence[LinkTexts]) -> list[Likeness | None]:
        """For each link the vertex with the highest score; None if all scores are 0."""
        if not self._names:
            return [None] * len(links)
        found: list[Likeness | None] = []
        for start in range(0, len(links), LINKS_AT_ONCE):
            scores = self.scores(links[start : start + LINKS_AT_ONCE])
            best = zip(scores.argmax(axis=1).tolist(), scores.max(axis=1).tolist(), strict=True)
            found += [Likeness(self._names[number], score) if score > 0 else None for number, score in best]
        return found
