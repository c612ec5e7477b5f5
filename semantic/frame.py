"""A frame: everything that can be computed from one page alone.

`semantic.analyst` makes frames, usually in a process beside the crawl. The crawl's own process works on frames when it
judges a page, learns from it, orders its links and records it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantic.learning.feature_hashing import HashedPage
from semantic.page import UNDECLARED, Declared, Page
from semantic.parsing.fingerprint import Fingerprint
from semantic.reasons import Evidence
from semantic.records import MentionRecord
from semantic.terms.term_matching import ConceptCounts
from semantic.terms.topic_counts import CountedWords

Ints = NDArray[np.int32]
NO_COUNTS = ConceptCounts((), 0, 0)


class LinkRows(NamedTuple):
    """The outgoing links of one page as columns: n rows, one for each target, in the page's order. Links to the page
    itself are left out.

    Columns for the record, taken from the first link to each target: `anchors`, `contexts` (the anchor with up to 60
    characters on either side), `positions` (rank on the page).

    Columns for the strategy, taken from the best link to each target (most topic words in the anchor, then the longest
    text):
    - `words`: the words of the topic and its layers in anchor, context and address, as evidence of reasons.
    - `masses` (n, 5): summed weights of the topic's words in anchor, context and address, and counts of layer words.
    - `tokens` (n, 48): hashed words. Columns 0 to 15 are of the address, the next of the anchor, then of the text
      around it, then the template; 0 is padding (`semantic.strategies.fused.waiting_addresses`).
    - `anchor_groups`: number of the anchor text, 0 for no text.
    - `foreign`: whether the target is on another host.
    - `places`: rank on the page, scaled to 0..1.
    - `templates`: distinct pairs of host and DOM path. `folders`: distinct pairs of host and directories. `queries`:
      distinct pairs of host and names of the query's parameters.
    - `template`, `folder`, `query`: for each row, its index into `templates`, `folders`, `queries`.
    - `depths`: number of directories in the address.
    """

    targets: tuple[str, ...]
    anchors: tuple[str, ...]
    contexts: tuple[str, ...]
    positions: tuple[int, ...]
    words: tuple[Evidence, ...]
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

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: arrays as bytes, which takes a fifth of the time."""
        values: tuple[Any, ...] = self
        texts, arrays = values[: -len(_TYPES)], values[-len(_TYPES) :]
        return _rows, (texts, (self.tokens.shape, self.masses.shape), [column.tobytes() for column in arrays])


_TYPES = (*[np.int32] * 6, np.float32, np.bool_, np.float32)  # of the last columns


def _rows(texts: tuple[Any, ...], shapes: Any, columns: list[bytes]) -> LinkRows:
    arrays: Iterator[Any] = map(np.frombuffer, columns, _TYPES)
    rows = LinkRows(*texts, *arrays)
    tokens, masses = shapes
    return rows._replace(tokens=rows.tokens.reshape(tokens), masses=rows.masses.reshape(masses))


@dataclass(frozen=True, slots=True)
class Frame:
    """One page, read and counted.

    - `canonical`: the address that the page declares as its own, if it is on the same registered domain.
    - `kind`: article, listing or error (`semantic.parsing.page_kind`). `error`: of an error page, the words by which it
      is one; it is no result, as with noindex.
    - `feed`: the first feed that it names. `sitemaps`: the addresses that a sitemap index names.
    - `onward`: the frames of a frameset, and where a refresh leads: what a browser shows for the page, or in it.
    - `source`: "" for a page; otherwise which kind of list of links this is (`semantic.page.FEED`, ...).
    - `content`: the packed page for the record (`semantic.parsing.page_reader`).
    - `fingerprint`, `presents`, `titles`: used to recognise copies (`semantic.parsing.fingerprint`).
    - `counted`, `hashed`: input of the default judge.
    - `parts`: the parts of its text, by which the page's own text is found (`semantic.parsing.repeated_blocks`).
    - `reserved`: by what the page is reserved for text and data mining; `obeyed`: that makes it no result.
    - `declared`: its dates, its author and the name of its site.
    - `bare`: as in `semantic.page.Page`.
    - `links`: for a strategy that reads rows. For the others it is None, and `page` and `counts` are set instead.
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
    onward: tuple[str, ...]
    kind: str | None
    content: bytes
    mentions: tuple[MentionRecord, ...]
    fingerprint: Fingerprint
    presents: str | None
    titles: frozenset[str]
    counted: CountedWords
    hashed: HashedPage
    links: LinkRows | None = None
    page: Page | None = None
    counts: ConceptCounts = NO_COUNTS
    reserved: str = ""
    obeyed: bool = False
    parts: bytes = b""
    declared: Declared = UNDECLARED
    error: str = ""
    bare: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: its values in their order."""
        return Frame, _VALUES(self)


_VALUES = attrgetter(*[field.name for field in fields(Frame)])
