"""Paper O, algorithm 3: is a link worth following, by the words in and around its anchor?"""

from collections.abc import Sequence

from semantic.page import Link, Page
from semantic.relevance import Priority, Reason
from semantic.scorers.scorer import JudgedPage, LinkScorer
from semantic.wordtable import WordTable


class LinkPrediction(LinkScorer):
    """Queue a link with at least `alpha` topic words in its anchor and `area` bytes either side; else one with at least
    `alpha_layer` words of predecessor layer 1, or else of layer 2; discard the others. (Paper: alpha 2 and 3, N = 2,
    area 30 bytes.) The queue is ordered as without prediction: by the relevance of the linking page.
    """

    def __init__(self, table: WordTable, alpha: float = 2, alpha_layer: float = 3, area: float = 30) -> None:
        self._table = table
        self._alpha = alpha
        self._alpha_layer = alpha_layer
        self._area = int(area)

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """None for the links that algorithm 3 discards."""
        return [self._predict(link, judged) for link in judged.page.links]

    def _predict(self, link: Link, judged: JudgedPage) -> Priority | None:
        start, end = anchor_area(judged.page, link, self._area)
        words = [mention.word for mention in judged.counts.between(start, end)]
        topic = sum(1 for word in words if self._table.features[word])
        if topic >= self._alpha:
            return self._queue(judged, f"{topic} topic words in and around the anchor")
        for layer in (1, 2):
            count = sum(1 for word in words if self._table.layer[word] == layer)
            if count >= self._alpha_layer:
                return self._queue(judged, f"{count} words of predecessor layer {layer} in and around the anchor")
        return None

    @staticmethod
    def _queue(judged: JudgedPage, why: str) -> Priority:
        score = judged.relevance.score
        return Priority(score, (Reason(score, "relevance of the linking page", why),))


def anchor_area(page: Page, link: Link, area: int) -> tuple[int, int]:
    """Offsets of the anchor with `area` bytes either side; a Han character is two bytes, as in the paper's GBK."""
    text = page.text
    start, left = link.start, area
    while start > 0 and left >= (cost := 1 if text[start - 1] < "\x80" else 2):
        start, left = start - 1, left - cost
    end, left = link.end, area
    while end < len(text) and left >= (cost := 1 if text[end] < "\x80" else 2):
        end, left = end + 1, left - cost
    return start, end
