"""What writers mark, and what the ontology's own words look like."""

import numpy as np
import pytest

from semantic.candidates.marked_words import MarkedWords
from semantic.candidates.own_text import OwnTexts, ReadPage
from semantic.candidates.own_words import FEWEST, SHARE, label_signs, likeness
from semantic.candidates.phrase_counts import collect
from semantic.candidates.term_candidates import count_pages
from semantic.candidates.token_stream import GAP, TokenStream
from semantic.parsing.page_reader import pack, read_page

TEXT = '<p>The query planner and the b-tree index; <b>query planner</b>, <a href="/i">B-tree Indexes</a>.</p>'
MENU = '<ul><li><a href="/m">query planner</a></ul>'


def counts(bodies: dict[str, str], on_topic: bool = True) -> dict[str, tuple[float, float, float]]:
    """Phrase -> pages that link by it, those on topic, pages that emphasise it."""
    marked, reads = MarkedWords(), []
    for url, body in bodies.items():
        page = read_page(f"<html><body>{body}</body></html>".encode(), url, {"content-type": "text/html"})
        reads.append(ReadPage(url, pack(page), 0.9, on_topic))
        marked.add(reads[-1], page)
    counted = count_pages(OwnTexts(reads), TokenStream())
    words = counted.stream.words
    phrases = collect(counted.rows, np.array([number != GAP for number in range(len(words))]), 1)
    found = np.expm1(np.column_stack(marked.counts(phrases, counted.stream, counted.singular)))
    keys = [" ".join(words[word] for word in phrases.words(number)) for number in range(len(phrases.hashes))]
    return {key: tuple(np.round(row).tolist()) for key, row in zip(keys, found, strict=True)}


def test_links_and_emphasis_are_counted_by_page() -> None:
    found = counts({f"http://{n}.example/": TEXT for n in range(3)})
    assert found["query planner"] == (0, 0, 3)
    assert found["b tree index"] == (3, 3, 0)  # as singular, with a blank for the hyphen
    assert found["query"] == (0, 0, 0)  # a part of what is marked is not marked


def test_what_is_off_topic_counts_as_a_link_alone() -> None:
    found = counts({f"http://{n}.example/": TEXT for n in range(3)}, on_topic=False)
    assert (found["query planner"], found["b tree index"]) == ((0, 0, 0), (3, 0, 0))


def test_menus_are_left_out() -> None:
    pages = {f"http://a.example/{n}": f"<p>{chr(97 + n) * 4} has a query planner.</p>{MENU}" for n in range(20)}
    assert counts(pages)["query planner"][0] == 0


def test_a_label_is_compared_with_the_other_labels() -> None:
    labels = {(1, 2), (3, 2), (4,)}
    found = np.expm1(label_signs([(5, 2), (1, 2), (4,), (1, 9, 6)], labels, {9}))
    assert found[:, 0].round(6).tolist() == [2, 1, 0, 0]  # others that end so
    assert found[:, 1].round(6).tolist() == [0, 0, 0, 1]  # that begin so
    assert found[2].tolist() == [0, 0, 0]
    assert found[3, 2] == pytest.approx(np.sqrt(2) - 1)  # the mean of ln 2 and ln 1, without the skipped word


def test_rows_like_the_known_ones_rank_higher() -> None:
    chance = np.random.default_rng(1)
    features = chance.normal(size=(400, 3))
    known = (features[:, 0] > 0.8) & (chance.random(400) < 0.5)
    found = likeness(features, known, np.ones(400, bool))
    assert np.corrcoef(found, features[:, 0])[0, 1] > 0.9
    assert np.abs(found).max() < 20 * SHARE


@pytest.mark.parametrize("few", [0, FEWEST - 1])
def test_of_too_few_known_words_nothing_is_learned(few: int) -> None:
    known = np.arange(100) < few
    assert not likeness(np.random.default_rng(1).normal(size=(100, 3)), known, np.ones(100, bool)).any()


def test_a_feature_that_never_differs_does_no_harm() -> None:
    features = np.column_stack([np.ones(50), np.arange(50.0)])
    found = likeness(features, np.arange(50) >= 40, np.ones(50, bool))
    assert np.isfinite(found).all() and found[49] > found[0]
