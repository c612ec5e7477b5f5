"""The relevance model's formula, with sums done by hand."""

import random
from math import log, log1p, sqrt

import numpy as np
import pytest
from miniature import LEXICON, TOPIC
from stored_memory import stored

from semantic.relevance.relevance_model import (
    RECENT,
    CountedPages,
    RelevanceModel,
    columns_of,
    is_due,
    relevance_of,
)
from semantic.terms.term_matching import build_word_table
from semantic.terms.topic_counts import NOT_COMPARED, Closeness, CountedWords

TABLE = build_word_table(LEXICON, TOPIC)
MODEL = RelevanceModel(TOPIC, TABLE)
FIGHTER, JET, MISSILE = 0, 1, 3


def test_a_page_of_one_word_by_hand():
    """The word makes up all of bm, so x is halved; statistics are the usual ones: idf 3 and 2, L' 3000, scale(x) 3."""
    page = CountedWords(((FIGHTER, 4.0, True),), 3000)
    bm = 3 * 4 / (4 + 1.2) / 10
    sq = 2 * sqrt(4) / sqrt(3300) / 0.5
    ti = 3 / 5
    de = 2 * log1p(4) / (1 + log1p(6)) / 4
    di = log1p(1 + 1) / 2.5
    u = (bm + sq + ti / 2 + de / 2 + di / 2) / 2 / 3
    assert MODEL.judge(columns_of([page]), MODEL.usual()) == pytest.approx([u])
    assert sum(MODEL.shares(columns_of([page]), MODEL.usual())[0].values()) == pytest.approx(u)


def test_statistics_of_two_pages_by_hand():
    """Page 1 has two words of one feature, page 2 one word of another; a = 2/202."""
    pages = [
        CountedWords(((FIGHTER, 1.0, False), (JET, 1.0, False)), 1000),
        CountedWords(((MISSILE, 1.0, False),), 3000),
    ]
    known = MODEL.statistics(columns_of(pages))
    a = 2 / 202
    idf = a * log(1 + (1 - 0.5) / (0.5 + 1)) + (1 - a) * 3
    assert known.idf[[FIGHTER, JET, MISSILE]] == pytest.approx([idf] * 3)
    assert known.feature_idf == pytest.approx([a * log(1 / 0.501) + (1 - a) * 2] * 2)
    assert known.length == 2000
    values = np.log1p([3.0, 2.0])
    assert known.scales["di"] == pytest.approx((2 * np.percentile(values, 95) + 100 * 2.5) / 102)


def test_many_pages_are_judged_as_each_alone():
    pages = [
        CountedWords(((FIGHTER, 4.0, True), (MISSILE, 1.5, False)), 900),
        CountedWords((), 10),
        CountedWords(((JET, 1.0, False),), 90),
    ]
    known = MODEL.statistics(columns_of(pages))
    together = MODEL.judge(columns_of(pages), known)
    alone = [float(MODEL.judge(columns_of([page]), known)[0]) for page in pages]
    assert together == pytest.approx(alone)
    assert together[1] == 0


def test_a_page_in_a_language_without_words_counts_half():
    own, foreign = (CountedWords(((FIGHTER, 2.0, False),), 5000, foreign=f) for f in (False, True))
    first, second = MODEL.judge(columns_of([own, foreign]), MODEL.usual())
    assert second == pytest.approx(first / 2)


def test_relevance_is_one_half_at_half_of_the_best():
    assert relevance_of(np.array([0.0, 0.5, 1.0])) == pytest.approx([0, 0.5, 2 / 3])


def made_pages(count: int) -> list[CountedWords]:
    chance = random.Random(count)
    return [
        CountedWords(
            tuple((word, chance.randrange(99) / 2, chance.random() < 0.5) for word in chance.sample(range(3), n % 4)),
            chance.randrange(2**20),
            n % 3 == 0,
            [None, "zh", "\u8336\n"][n % 3],
            chance.randrange(2**20),
            Closeness(n / 2048, 0.65, 40_000 + n) if n % 5 == 0 else NOT_COMPARED,
        )
        for n in range(count)
    ]


def same(held: CountedPages, pages: list[CountedWords]) -> None:
    assert [held.page(number) for number in range(len(held))] == pages
    for first, last in ((0, len(pages)), (100, 700), (255, 257), (len(pages) - 3, len(pages)), (5, 5)):
        found, plain = held.columns(first, last)._asdict(), columns_of(pages[first:last])._asdict()
        assert all(found[name].tolist() == plain[name].tolist() for name in plain.keys() - {"language"})
    assert [part.tolist() for part in held.lengths(np.array([700, 3, 3]))] == [
        [pages[number].length for number in (700, 3, 3)],
        [pages[number].anchors for number in (700, 3, 3)],
    ]


def test_old_packed_pages_are_read_and_replaced_like_recent_ones(monkeypatch):
    monkeypatch.setattr("semantic.relevance.relevance_model.RECENT", 300)
    monkeypatch.setattr("semantic.relevance.relevance_model.TOGETHER", 256)
    held, pages = CountedPages(), made_pages(1500)
    for page in pages:
        held.add(page)
    assert (len(stored(held)["pieces"]) - 1) * 256 > 1500 - (300 + 256), "only recent pages are not packed"
    same(held, pages)
    for number in (0, 255, 700, 1499):
        pages[number] = pages[(number + 10) % 1500]
        held.replace(number, pages[number])
    same(held, pages)
    memory = stored(held)
    again = CountedPages.restored(memory, range(3))
    same(again, pages)
    without = CountedPages.restored(memory, [0, None, 2])
    assert without.page(1499).words == tuple(word for word in pages[1499].words if word[0] != 1)


def test_look_backs_grow_rarer_with_the_crawl():
    due, before = [], 0
    for pages in range(1, 2 * RECENT):
        if is_due(pages, before):
            due.append(pages)
            before = pages
    assert due[:5] == [25, 50, 75, 100, 200]
    assert set(np.diff(due[-20:])) == {200}
