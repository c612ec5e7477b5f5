"""A frame: all that is computed of one page alone, by `semantic.analyst`, mostly in a process beside the crawl.

What the crawl does with a page in its own process (judge it, learn of it, order its links, record it) works on this.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantic.page import Page
from semantic.parsing.fingerprint import Fingerprint
from semantic.records import MentionRecord
from semantic.relevance.expert_marks import HashedPage
from semantic.relevance.relevance_model import Counted
from semantic.terms.term_matching import ConceptCounts

Ints = NDArray[np.int32]
NO_COUNTS = ConceptCounts((), 0, 0)


class LinkRows(NamedTuple):
    """What a page says of those it links to: n rows, one a target, in the order of the page, not the page itself.

    For the record, of the first link to each target: `anchors`, `contexts` (the anchor with up to 60 characters either
    side), `positions` (rank on the page). For the strategy, of the best link to it (most topic words in the anchor,
    then most text):
    - `words`: the words of the topic and its layers in anchor, context and address, for people; "" for none.
    - `masses` (n, 5): the weights of the topic's words in anchor, context, address, and layer words counted.
    - `tokens` (n, 48): hashed words of the address (0 to 15), of the anchor, of what stands around it, and the
      template; 0 is none (`semantic.strategies.fused.waiting_addresses`).
    - `anchor_groups`: numbers of the anchor texts, 0 for none.
    - `foreign`: on another host; `places`: rank on the page from 0 to 1.
    - `templates`, `folders`, `queries`: places of host and DOM path, of host and directories, of host and names of
      the query's parameters, each once; `template`, `folder`, `query`: for each row, which of them is its own.
    - `depths`: directories in the address.
    """

    targets: tuple[str, ...]
    anchors: tuple[str, ...]
    contexts: tuple[str, ...]
    positions: tuple[int, ...]
    words: tuple[str, ...]
    templates: tuple[str, ...]
    folders: tuple[tuple[str, ...], ...]
    queries: tuple[str, ...]
    template: Ints
    folder: Ints
    query: Ints
    depths: Ints
    anchor_groups: Ints
    tokens: Ints
    masses: NDArray[np.float32]
    foreign: NDArray[np.bool_]
    places: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Frame:
    """One page. `canonical`: the address that it gives as its own, of the same host; `kind`: see
    `semantic.parsing.listings`; `feed`: the first that it names; `sitemaps`: those that an index names; `source`: what
    it is where it is no page but a list of links.

    `content`: as the record keeps it (`semantic.parsing.stored_content`). `fingerprint`, `presents`, `titles`: by which
    copies are known (`semantic.parsing.fingerprint`). `counted`, `hashed`: for the
    default judge. `links`: for a strategy that reads rows; for others there are `page` and `counts` instead.
    """

    url: str
    title: str
    language: str | None
    canonical: str | None
    nofollow: bool
    noindex: bool
    source: str
    feed: str | None
    sitemaps: tuple[str, ...]
    kind: str | None
    content: bytes
    mentions: tuple[MentionRecord, ...]
    fingerprint: Fingerprint
    presents: str | None
    titles: frozenset[str]
    counted: Counted
    hashed: HashedPage
    links: LinkRows | None = None
    page: Page | None = None
    counts: ConceptCounts = NO_COUNTS
