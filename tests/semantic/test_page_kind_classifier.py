"""Detail pages and lists: the three features by hand, their scale, and the samples that come with the program.

`python tests/semantic/test_page_kind_classifier.py` writes the demonstration web's samples anew, the others stay.
"""

from collections import Counter
from math import log2

import pytest
from miniature import page

from examples.pages import answer
from examples.sites import read_marks, read_sites
from semantic.page import Page, Position
from semantic.parsing.page_reader import read_page
from semantic.strategies.jlse.page_kind_classifier import MARKED, PageKinds, kind_features

HEAD = "web\tkind\tTextDegree\tLinkDegree\tAggregation"
EACH = 6  # every sixth page of the demonstration web is a sample


def demonstration() -> list[str]:
    sites, lines = read_sites(), []
    for url, mark in read_marks().items():
        found = answer(sites, url)
        if found.status == 200:
            features = kind_features(read_page(found.body, url, {name.lower(): value for name, value in found.headers}))
            lines.append("\t".join(["demonstration", mark.kind, *(f"{feature:.4f}" for feature in features)]))
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


def test_the_table_holds_the_demonstration_web():
    lines = MARKED.read_text("utf-8").splitlines()
    assert [lines[0], *(line for line in lines if line.startswith("demonstration"))] == [HEAD, *demonstration()[::EACH]]


def test_no_web_has_more_samples_than_another():
    webs = Counter(line.split("\t")[0] for line in MARKED.read_text("utf-8").splitlines()[1:])
    assert len(webs) == 7 and max(webs.values()) - min(webs.values()) <= 2


def test_most_pages_of_the_demonstration_web_are_told_apart():
    """On the scale of its own pages; a third of the classifier's samples would do for more than this."""
    kinds = PageKinds()
    rows = [line.split("\t")[1:] for line in demonstration()]
    pages = [(kind, tuple(map(float, features))) for kind, *features in rows]
    for _, features in pages:
        kinds.see(features)
    for wanted in ("detail", "list"):
        right = [kinds.is_detail(features) == (kind == "detail") for kind, features in pages if kind == wanted]
        assert sum(right) / len(right) > 0.6, wanted


def test_features_count_on_the_scale_of_the_crawl():
    """A page is a list where the others have more text and fewer links, and a detail page where they have less."""
    features = (0.5, -3.5, 3.8)
    among_long, among_short = PageKinds(), PageKinds()
    for i in range(200):
        among_long.see((1.0 + i % 4, -4.0 - i % 3, 4.0 + i % 3))
        among_short.see((-2.0 + i % 4, -1.5 - i % 3, 1.8 + i % 3))
    assert not among_long.is_detail(features)
    assert among_short.is_detail(features)


def test_a_user_may_mark_more():
    """A page of small blocks is a list, until a user has marked enough of its kind."""
    features = (-0.4, -3.2, 3.2)
    kinds = PageKinds()
    assert not kinds.is_detail(features)
    for _ in range(200):
        kinds.add(features, detail=True)
    assert kinds.is_detail(features)


if __name__ == "__main__":
    held = [line for line in MARKED.read_text("utf-8").splitlines()[1:] if not line.startswith("demonstration")]
    MARKED.write_text("\n".join([HEAD, *demonstration()[::EACH], *held]) + "\n", "utf-8")
