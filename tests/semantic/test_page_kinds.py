"""Detail pages and lists: the three features by hand, and the table of the demonstration web.

`python tests/semantic/test_page_kinds.py` writes the table anew.
"""

import json
from math import log2

import pytest
from miniature import page

from examples.pages import answer
from examples.sites import read_marks, read_sites
from semantic.page import Page, Position
from semantic.page_kinds import MARKED, PageKinds, kind_features
from semantic.reading import read_page

HEAD = "kind\tTextDegree\tLinkDegree\tAggregation"


def table() -> list[str]:
    sites, lines = read_sites(), [HEAD]
    for url, mark in read_marks().items():
        found = answer(sites, url)
        if found.status == 200:
            features = kind_features(read_page(found.body, url, {name.lower(): value for name, value in found.headers}))
            lines.append("\t".join([mark.kind, *(f"{feature:.4f}" for feature in features)]))
    return lines


def test_features_by_hand():
    """Words outside links 4 + 2 + 2 (four Han), in links 2 + 2; three links, one empty; blocks 4, 2, 2: 24 / 8."""
    made = page(
        (Position.TITLE, "ice, snow and hail-"), (Position.ANCHOR, "read more"), (Position.OTHER, "two words"),
        (Position.ANCHOR, "and more"), (Position.OTHER, "冰雪世界"), (Position.ANCHOR, ""),
    )  # fmt: skip
    assert kind_features(made) == pytest.approx((log2(8 / 100), log2(3 / 12), log2(24 / 8)))


def test_text_around_a_link_is_one_block():
    """ "one two" and "three", with a link between them that is no block of its own: a block of 3 words."""
    made = page((Position.OTHER, "one two"), (Position.ANCHOR, "link"), (Position.OTHER, "three"))
    joined = Page(made.url, "", made.text.replace("\u2029", " "), made.spans, made.links)
    assert kind_features(joined)[2] == pytest.approx(log2(3))


def test_a_page_without_words_or_links_has_features():
    assert kind_features(page()) == (log2(0.5 / 100), 0.0, -1.0)


def test_the_table_is_the_demonstration_web():
    assert MARKED.read_text("utf-8").splitlines() == table(), __doc__


def test_most_pages_of_the_demonstration_web_are_told_apart():
    kinds = PageKinds()
    rows = [line.split("\t") for line in table()[1:]]
    right = sum(kinds.is_detail(tuple(map(float, row[1:]))) == (row[0] == "detail") for row in rows)
    assert right / len(rows) > 0.9


def test_a_user_may_mark_more():
    """A page of small blocks is a list, until a user has marked enough of its kind; and so after a resume."""
    features = (-0.4, -3.2, 3.2)
    kinds = PageKinds()
    assert not kinds.is_detail(features)
    for _ in range(200):
        kinds.add(features, detail=True)
    assert kinds.is_detail(features)
    resumed = PageKinds()
    resumed.restore(json.loads(json.dumps(kinds.remember())))
    assert resumed.is_detail(features)


if __name__ == "__main__":
    MARKED.write_text("\n".join(table()) + "\n", "utf-8")
