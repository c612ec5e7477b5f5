"""What stands near a link in the tree of its page: Context of paper J (3.2.1), a window of delta steps.

    distance(link, text) = depth(link) + depth(text) - 2 depth(of the innermost element that holds both)

Context(link) is all text at most delta steps from the link's element; its own anchor text, one step away, is part of
it. Elements that HTML lets a page leave out (`<html>`, `<tbody>`) count where the page writes them.

The page tells of each text and each link how many elements were open there, and the fewest since the one before
(`semantic.parsing.html_extraction`). The element that holds a link and a text is as deep as the fewest open anywhere
between them: so a running minimum to either side of a link gives all distances, and no tree is built. The links of a
list stand equally far from all of its texts and have one Context, which is put together once.

Bounds, for pages made to be slow: `NEAR` texts and links either side of a link are looked at, and a Context ends after
`LONGEST` characters. A page without a tree (`Link.node` -1) gives the characters beside the link instead.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from semantic.page import PARAGRAPH, Link, Page

NEAR = 1000
LONGEST = 5000

Numbers = NDArray[np.int64]


def contexts(page: Page, delta: int) -> list[str]:
    """The Context of every link of the page, in order; equal ones are one text."""
    nodes = np.array(page.nodes, dtype=np.int64).reshape(-1, 3)
    starts = np.where(nodes[:, 0] < 0, ~nodes[:, 0], nodes[:, 0])
    ends = np.append(starts[1:], len(page.text))
    is_text = nodes[:, 0] >= 0
    made: dict[bytes, str] = {}
    found = []
    for link in page.links:
        if not 0 <= link.node < len(nodes):
            found.append(beside(link))
            continue
        near = _near(nodes, is_text, link.node, delta)
        key = near.tobytes()
        if key not in made:
            made[key] = _joined(page.text, starts[near], ends[near])
        found.append(made[key])
    return found


def beside(link: Link) -> str:
    """The anchor and up to 60 characters either side."""
    return f"{link.before}{link.anchor}{link.after}"


def _near(nodes: Numbers, is_text: NDArray[np.bool_], link: int, delta: int) -> Numbers:
    """Numbers of the texts at most `delta` steps from a link."""
    first, last = max(0, link - NEAR), min(len(nodes), link + NEAR + 1)
    depth, fewest = nodes[first:last, 1], nodes[first:last, 2]
    at = link - first
    before = np.minimum.accumulate(fewest[at:0:-1])[::-1]
    after = np.minimum.accumulate(np.append(depth[at], fewest[at + 1 :]))
    held = np.minimum(np.concatenate([before, after]), depth[at])
    steps = depth[at] + (depth + 1) - 2 * held
    near: Numbers = np.flatnonzero((steps <= delta) & is_text[first:last]) + first
    return near


def _joined(text: str, starts: Sequence[int] | Numbers, ends: Sequence[int] | Numbers) -> str:
    """Pieces of a text; what lies between them is left out, and stands as the end of a block."""
    parts, length = [], 0
    pieces = [(int(start), int(end)) for start, end in zip(starts, ends, strict=True)]
    for (start, end), (following, _) in pairwise([*pieces, (-1, -1)]):
        parts.append(text[start:end] if end == following else text[start:end] + PARAGRAPH)
        length += end - start
        if length > LONGEST:
            break
    return "".join(parts)[:LONGEST].strip(PARAGRAPH + " ")
