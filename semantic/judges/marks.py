"""What the expert's marks say of pages that are like the marked ones: a Gaussian process on what the judge got wrong.

With J the relevance model's number, y = 1 for a page marked good and 0 for one marked bad, M the marked pages:

    J' = J + s K_M (s K_MM + v I)^-1 (y_M - J_M),  between 0 and 1
    K  = (cosine of the texts' words + cosine of the addresses' words)/2 + LEVEL

(Rasmussen and Williams 2006, 2.25; the words: `semantic.judges.hashed_words`). LEVEL lets marks that all point one way
move every page a little. A page on a host without any mark is compared by its text alone: what a host's marks say
holds for that host.

s and v are those of a small grid with the highest marginal likelihood (ibid. 2.30). They count only where they explain
the marks clearly better than noise alone: by `STRONG` (a Bayes factor of 20, "strong" in Kass and Raftery 1995). So
marks that follow no pattern move nothing but themselves. Without it shuffled marks cost up to 0.6 of average precision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

from semantic.judges.hashed_words import Block, HashedPage, inverse_frequency, unit_rows, words_of_pages

Floats = NDArray[np.float64]

LEVEL = 0.02
AMPLITUDES = (0.03, 0.1, 0.3, 1.0, 2.0)  # s
NOISES = (0.05, 0.1, 0.2, 0.3)  # v
STRONG = log(20)
FEWEST = 4  # marks, of which something is learned for other pages


@dataclass(frozen=True, slots=True)
class Marked:
    """One marked page. `score`: the model's number."""

    url: str
    host: str
    good: bool
    score: float
    words: HashedPage


@dataclass(frozen=True, slots=True)
class Correction:
    """What marks add to other pages' relevance: see the module's text."""

    marked: tuple[Marked, ...]
    pull: Floats  # of each marked page: s (s K_MM + v I)^-1 (y_M - J_M)
    idf: tuple[Floats, Floats]  # of texts and of addresses
    rows: tuple[csr_matrix, csr_matrix]

    def parts(self, pages: Sequence[HashedPage], hosts: Sequence[str]) -> Floats:
        """A row a page, a column a marked page: what this mark adds to that page."""
        known = np.isin(np.array(hosts, object), list({one.host for one in self.marked}))
        texts, addresses = (
            (unit_rows(words_of_pages(blocks), idf) @ rows.T).toarray()
            for blocks, idf, rows in zip(_blocks(pages), self.idf, self.rows, strict=True)
        )
        found: Floats = ((texts + addresses * known[:, None]) / 2 + LEVEL) * self.pull
        return found


def learn_marks(marked: Sequence[Marked], pages: Sequence[HashedPage]) -> Correction | None:
    """What the marks say; `pages`: those of the crawl, by which words are common or rare. None: nothing clear."""
    if len(marked) < FEWEST:
        return None
    idf = tuple(map(inverse_frequency, map(words_of_pages, _blocks(pages))))
    rows = tuple(
        unit_rows(words_of_pages(blocks), weight)
        for blocks, weight in zip(_blocks([one.words for one in marked]), idf, strict=True)
    )
    kernel = sum((block @ block.T).toarray() for block in rows) / 2 + LEVEL
    wrong = np.array([one.good - one.score for one in marked])
    pull = _pull(kernel, wrong)
    return None if pull is None else Correction(tuple(marked), pull, (idf[0], idf[1]), (rows[0], rows[1]))


def _pull(kernel: Floats, wrong: Floats) -> Floats | None:
    """s (s K + v I)^-1 of what the judge got wrong, with the likeliest s and v; None where noise alone explains it."""
    noise = max(_likelihood(0.0 * kernel, wrong, v) for v in NOISES)
    likeliest, s, v = max((_likelihood(s * kernel, wrong, v), s, v) for s in AMPLITUDES for v in NOISES)
    if likeliest < noise + STRONG:
        return None
    return np.asarray(s * np.linalg.solve(s * kernel + v * np.eye(len(wrong)), wrong), np.float64)


def _likelihood(kernel: Floats, wrong: Floats, noise: float) -> float:
    """Log marginal likelihood, without its constant."""
    root = np.linalg.cholesky(kernel + noise * np.eye(len(wrong)))
    whitened = np.linalg.solve(root, wrong)
    return float(-0.5 * whitened @ whitened - np.log(np.diag(root)).sum())


def _blocks(pages: Sequence[HashedPage]) -> tuple[list[Block], list[Block]]:
    return [page.text for page in pages], [page.address for page in pages]
