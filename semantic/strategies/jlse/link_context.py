"""The text near a link in the DOM tree: Context of paper J (3.2.1), a window of delta steps.

    distance(link, text) = depth(link) + depth(text) - 2 depth(innermost element that contains both)

Context(link) is all text at most delta steps from the link's element, including its own anchor text, which is one step
away. Elements that HTML allows to omit (`<html>`, `<tbody>`) count only if the page writes them.

For each text and link the page records how many elements were open there, and the fewest open since the previous one
(`semantic.parsing.html_extraction`). The innermost element that contains a link and a text is as deep as the fewest
elements open anywhere between them. So a running minimum on both sides of a link gives all distances, without building
a tree. The links of a list are equally far from all its texts and share one Context, which is built once.

Limits, for pages made to be slow: `NEAR` texts and links on either side of a link are examined, and a Context ends
after `LONGEST` characters. For a page without a tree (`Link.node` -1) the characters beside the link are used instead.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from semantic.page import PARAGRAPH, Link, Page

NEAR = 1000  # texts and links on either side; chosen, not measured
LONGEST = 5000  # characters; chosen, not measured

Numbers = NDArray[np.int64]


def contexts(page: Page, delta: int) -> list[str]:
    """The Context of every link of the page, in order. Equal ones are the same string."""
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
    """The anchor with up to 60 characters on either side."""
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
    """Concatenate pieces of a text, with PARAGRAPH where something between them is left out."""
    parts, length = [], 0
    pieces = [(int(start), int(end)) for start, end in zip(starts, ends, strict=True)]
    for (start, end), (following, _) in pairwise([*pieces, (-1, -1)]):
        parts.append(text[start:end] if end == following else text[start:end] + PARAGRAPH)
        length += end - start
        if length > LONGEST:
            break
    return "".join(parts)[:LONGEST].strip(PARAGRAPH + " ")
