"""Formulas 5 to 9 of paper J by hand.

Three documents: "ice melts ice", "snow", "car": N = 3, avgl = 5/3, idf of a word of one document = log(2.5 / 1.5).
"""

from math import log

import pytest

from semantic.learning.bm25 import Bm25, Likeness, LinkSpace, LinkTexts

IDF = log(2.5 / 1.5)
DOCUMENTS = (("ice", "melts", "ice"), ("snow",), ("car",))


def test_formulas_5_and_6():
    """ice: f 2, l/avgl 1.8: 6 / (2 (0.75 · 1.8 + 0.25) + 2) = 6 / 5.2; snow: f 1, 3 / (2 (0.75 · 0.6 + 0.25) + 1)."""
    found = Bm25(DOCUMENTS).similarities([["ice", "snow", "ice", "unknown"], [], ["car"]])
    assert found.tolist() == [
        pytest.approx([IDF * 6 / 5.2, IDF * 3 / 2.4, 0]),
        [0, 0, 0],
        pytest.approx([0, 0, IDF * 3 / 2.4]),
    ]


def test_a_word_in_most_documents_speaks_against():
    (found,) = Bm25([("a",), ("a",), ("b",)]).similarities([["a"]]).tolist()
    assert found == pytest.approx([log(1.5 / 2.5), log(1.5 / 2.5), 0])


def test_no_documents_and_empty_ones():
    assert Bm25([]).similarities([["a"]]).tolist() == [[]]
    assert Bm25([(), ()]).similarities([["a"]]).tolist() == [[0, 0]]
    assert LinkSpace({}).nearest([LinkTexts(("a",))]) == [None]
    assert space().nearest([]) == []


def space() -> LinkSpace:
    anchors, contexts = DOCUMENTS, (("x",), ("melts",), ("y",))
    names = ("http://v/0", "http://v/1", "http://v/2")
    addresses = ((name[-1],) for name in names)
    return LinkSpace(
        {name: LinkTexts(*texts) for name, *texts in zip(names, anchors, addresses, contexts, strict=True)}
    )


def test_formulas_7_to_9():
    """Columns by their largest: anchor (6 / 5.2) / (3 / 2.4) = 0.923.. and 1; address 1 for v2; context 1 for v1.

    v0 has 0.5 · 0.923.., v1 0.5 + 0.3, v2 0.2; with Q(v1) = 0.9 the link is worth 0.72.
    """
    link = LinkTexts(("ice", "snow"), ("2",), ("melts",))
    (scores,) = space().scores([link]).tolist()
    assert scores == pytest.approx([0.5 * (6 / 5.2) / (3 / 2.4), 0.8, 0.2])
    (nearest,) = space().nearest([link])
    assert nearest is not None
    assert nearest == Likeness("http://v/1", pytest.approx(0.8))
    assert nearest.predicted(0.9) == pytest.approx(0.72)


def test_many_links_at_once_are_placed_as_each_alone():
    links = [LinkTexts((word,), (str(n % 3),), ()) for n, word in enumerate(["ice", "snow", "car", "sea"] * 150)]
    one = space()
    assert one.nearest(links) == [found for link in links for found in one.nearest([link])]


def test_equals_fall_by_address():
    twice = LinkSpace(
        {name: LinkTexts(("ice",)) for name in ("b", "a")} | {name: LinkTexts(("car",)) for name in "cdef"}
    )
    assert twice.nearest([LinkTexts(("ice",))]) == [Likeness("a", 0.5)]


def test_a_column_of_words_that_everyone_has_counts_for_nothing():
    """www: idf log(0.5 / 3.5) = -1.95, more than the 0.51 of "c", log(2.5 / 1.5), in the same document."""
    common = LinkSpace({name: LinkTexts(("ice",), ("www", name)) for name in ("a", "b", "c")})
    assert common.nearest([LinkTexts(("ice",), ("www", "c"))]) == [None]
