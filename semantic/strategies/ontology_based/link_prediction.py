"""Paper O, algorithm 3: whether a link is worth following, by the words in and around its anchor.

The paper first filters pages by the topic and analyses the links of those that pass; a page off topic is dropped with
its links. Our additions: the links of a seed are always predicted, because the user chose it and nothing else is known
yet; and with `off_topic` 1 those of all pages are.
"""

from collections.abc import Callable, Mapping, Sequence

from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.page import Link, Page
from semantic.reasons import Reason, because
from semantic.records import Priority
from semantic.terms.term_matching import WordTable


class LinkPrediction(LinkScorer):
    """Queue a link by the words in its anchor and in `area` bytes on either side.

    A link is queued if there are at least `alpha` topic words; else if there are at least `alpha_layer` words of
    predecessor layer 1, or of layer 2. Others are discarded. (Paper: alpha 2 and 3, N = 2, area 30 bytes.) The queue is
    ordered as without prediction: by the relevance of the linking page.

    `p` holds these and `off_topic`; `is_seed`: whether the crawl began at an address.
    """

    repeatable = True

    def __init__(self, table: WordTable, p: Mapping[str, float], is_seed: Callable[[str], bool]) -> None:
        self._table = table
        self._alpha = p["alpha"]
        self._alpha_layer = p["alpha_layer"]
        self._area = int(p["area"])
        self._off_topic = bool(p["off_topic"])
        self._is_seed = is_seed

    def prioritise(self, judged: JudgedPage) -> Sequence[Priority | None]:
        """The priority of each link, None for those that algorithm 3 discards."""
        links = judged.page.links
        if not (judged.relevance.on_topic or self._off_topic or self._is_seed(judged.page.url)):
            return [None] * len(links)
        return [self._predict(link, judged) for link in links]

    def _predict(self, link: Link, judged: JudgedPage) -> Priority | None:
        start, end = anchor_area(judged.page, link, self._area)
        words = [mention.word for mention in judged.counts.between(start, end)]
        topic = sum(1 for word in words if self._table.features[word])
        if topic >= self._alpha:
            return self._queue(judged, because("number of topic words", number=topic))
        for layer in (1, 2):
            count = sum(1 for word in words if self._table.layer[word] == layer)
            if count >= self._alpha_layer:
                return self._queue(judged, because("number of layer words", number=count, layer=layer))
        return None

    @staticmethod
    def _queue(judged: JudgedPage, why: Reason) -> Priority:
        score = judged.relevance.score
        return Priority(score, (Reason("relevance of the linking page", score, (why,)),))


def anchor_area(page: Page, link: Link, area: int) -> tuple[int, int]:
    """Offsets of the anchor with `area` bytes on either side. A Han character is two bytes, as in the paper's GBK."""
    text = page.text
    start, left = link.start, area
    while start > 0 and left >= (cost := 1 if text[start - 1] < "\x80" else 2):
        start, left = start - 1, left - cost
    end, left = link.end, area
    while end < len(text) and left >= (cost := 1 if text[end] < "\x80" else 2):
        end, left = end + 1, left - cost
    return start, end
