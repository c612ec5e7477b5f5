"""What marks of the expert say of other pages: words of pages, likeness, and what is learned."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from miniature import page

from semantic.learning.feature_hashing import HashedPage, HashedWords, hash_page, token
from semantic.memory.strategy_memory import pack_memory, unpack_memory
from semantic.page import Position
from semantic.relevance.judge_training import (
    DOUBT,
    LEVEL,
    NOTHING,
    Marked,
    given_back,
    inverse_frequency,
    learn_marks,
    pack_words,
    unit_rows,
    unpack_words,
    words_of_pages,
)


def block(*words: int) -> HashedWords:
    return HashedWords(np.array(words, np.int32), np.ones(len(words), np.float32))


def a_page(word: int, folder: int = 900) -> HashedPage:
    """A page of two words in a folder; a third word stands on no other page."""
    return HashedPage(block(word, 800), block(folder))


def held(found: HashedWords) -> dict[int, float]:
    return dict(zip(found.words.tolist(), found.weights.tolist(), strict=True))


def test_words_of_a_page_count_by_position():
    found = hash_page(
        page((Position.TITLE, "tea"), (Position.OTHER, "tea cup"), (Position.ANCHOR, "cup"), url="http://h/")
    )
    expected = {token("text", "tea"): log(1 + 3 + 1), token("text", "cup"): log(1 + 1 + 0.3)}
    assert held(found.text) == pytest.approx(expected, rel=1e-6)


def test_words_of_an_address_are_its_words_folders_and_host():
    found = hash_page(page(url="http://h/green/tea.html"))
    wanted = {token("address", word) for word in ("h", "h/green", "green", "tea")}
    assert wanted <= set(found.address.words.tolist())
    assert token("address", "h/green/tea.html") not in found.address.words


def test_likeness_weighs_words_by_how_rare_they_are():
    """Word 1 is on pages 0 and 1, word 2 on one page, word 3 on all four, which is more than half."""
    rows = words_of_pages([block(1, 3), block(1, 2, 3), block(3), block(3)])
    idf = inverse_frequency(rows)
    assert idf[[1, 2, 3]] == pytest.approx([log(5 / 3) + 1, 0, 0])
    units = unit_rows(rows, idf)
    assert (units @ units.T).toarray().tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0] * 4, [0] * 4]


def test_words_go_through_memory():
    pages = [a_page(1), HashedPage(block(), block(5)), a_page(2, 901)]
    back = unpack_words(unpack_memory(pack_memory(pack_words(pages))))
    assert [[held(one) for one in found] for found in back] == [[held(one) for one in found] for found in pages]


def marked(words: list[int], good: list[bool], host: str = "h", folder: int = 900) -> list[Marked]:
    return [
        Marked(f"http://{host}/{i}", host, is_good, 0.5, a_page(word, folder))
        for i, (word, is_good) in enumerate(zip(words, good, strict=True))
    ]


CROWD = [a_page(word, folder) for word, folder in ((1, 900), (2, 900), (3, 901), (4, 902), (5, 903)) for _ in range(8)]


def test_pages_like_good_ones_rise_and_like_bad_ones_fall():
    learned = learn_marks(marked([1] * 6 + [2] * 6, [True] * 6 + [False] * 6), CROWD)
    assert learned is not None
    like_good, like_bad, other = learned.parts([a_page(1), a_page(2), a_page(3, 901)], ["h", "h", "h"]).sum(1)
    assert like_good > 0.2 and like_bad < -0.2
    assert other == pytest.approx(0, abs=0.01)


def pull_by_formula(kernel: np.ndarray, wrong: np.ndarray, doubt: np.ndarray | float = 0.0) -> np.ndarray:
    """The mean of s (s K + D + v I)^-1 (y - J), each pair of s and v by how likely it makes the marks."""
    pull, total = np.zeros(len(wrong)), 0.0
    for s in (0.0, 0.03, 0.1, 0.3, 1.0, 2.0):
        for v in (0.05, 0.1, 0.2, 0.3):
            covariance = s * kernel + doubt + v * np.eye(len(wrong))
            pulled = np.linalg.solve(covariance, wrong)
            density = np.exp(-wrong @ pulled / 2) / np.sqrt(np.linalg.det(2 * np.pi * covariance))
            likely = density * (NOTHING if s == 0 else (1 - NOTHING) / 5)
            pull += likely * s * pulled
            total += likely
    return pull / total


def test_doubt_of_the_judge_is_in_the_formula():
    told = [replace(one, score=0.2 + 0.05 * i) for i, one in enumerate(marked([1, 2] * 4, [True, False] * 4))]
    learned = learn_marks(told, CROWD)
    assert learned is not None
    words, scores = np.array([1, 2] * 4), np.array([one.score for one in told])
    kernel = (words[:, None] == words).astype(float) / 2 + 1 / 2 + LEVEL  # one text of two, all addresses alike
    wrong = np.array([one.good for one in told]) - scores
    doubt = DOUBT * np.outer(scores - 0.5, scores - 0.5)
    assert learned.pull == pytest.approx(pull_by_formula(kernel, wrong, doubt), rel=1e-6)
    parts = learned.parts([a_page(1)], ["h"])[0]
    assert parts == pytest.approx((np.where(words == 1, 1.0, 0.5) + LEVEL) * learned.pull)


def test_few_marks_teach_nothing_of_other_pages():
    assert learn_marks(marked([1, 1, 2], [True, True, False]), CROWD) is None


def test_on_a_host_without_marks_a_page_s_text_decides():
    learned = learn_marks(marked([1] * 6 + [2] * 6, [True] * 6 + [False] * 6), CROWD)
    assert learned is not None
    here, elsewhere = learned.parts([a_page(1), a_page(1)], ["h", "other"])
    assert here - elsewhere == pytest.approx(0.5 * learned.pull)


def alternating(count: int, good: int) -> list[Marked]:
    """So many marks in turn good and bad; the judge gave the good ones .7 and the bad ones .2."""
    order = [i % 2 == 0 for i in range(2 * good)] + [False] * (count - 2 * good)
    return [
        Marked(f"http://h/{i}", "h", is_good, 0.7 if is_good else 0.2, a_page(10 + i))
        for i, is_good in enumerate(order)
    ]


@pytest.mark.parametrize(("count", "good"), [(19, 8), (20, 4)])
def test_fewer_marks_propose_no_threshold(count: int, good: int):
    learned = learn_marks(alternating(count, good), CROWD)
    assert learned is not None and learned.likely_from is None


@pytest.mark.parametrize("share", [0.25, 0.75])
def test_the_threshold_proposed_follows_the_share_of_good_marks(share: float):
    """The judge gave every page .5, and this share of them is good: is a page like them likely good?"""
    some = [Marked(f"http://h/{i}", "h", i % 4 < 4 * share, 0.5, a_page(10 + i)) for i in range(40)]
    learned = learn_marks(some, CROWD)
    assert learned is not None and learned.likely_from is not None
    here = 0.5 + learned.parts([a_page(99)], ["h"]).sum()
    assert (here >= learned.likely_from) == (share > 0.5)


@pytest.mark.parametrize(("good", "stay"), [(0, 5), (1, 4), (3, 2), (5, 0), (9, 0)])
def test_each_of_five_good_marks_lets_a_fifth_go(good: int, stay: int):
    """Five of six pages reach one half before the marks, and none after them."""
    scores, shifts = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.2]), np.full(6, -0.6)
    back = given_back(scores, shifts, good, 0.5)
    assert (scores + shifts + back + 1e-9 >= 0.5).sum() == stay


def test_marks_that_take_no_page_away_give_nothing_back():
    assert given_back(np.array([0.9, 0.4]), np.array([-0.1, 0.2]), 0, 0.5) == 0.0
    assert given_back(np.zeros(0), np.zeros(0), 0, 0.5) == 0.0
