"""PageRank and paper A's tunnelling as strategies, by hand, on the pages of `miniature`."""

from dataclasses import replace

import pytest
from miniature import page, scores
from stored_memory import resumed, stored

from semantic.links.link_scorer import JudgedPage
from semantic.links.queue_updates import Places
from semantic.page import Position
from semantic.records import Relevance
from semantic.strategies.adaptive.tunnelling import Tunnelling
from semantic.strategies.baselines.pagerank_scorer import PageRank
from semantic.terms.term_matching import ConceptCounts

HERE = "http://example.org/"


def judged(anchors: int, url: str = HERE, score: float = 0.0) -> JudgedPage:
    """A page that links to /0, /1, ... as often as told."""
    linked = page(*[(Position.ANCHOR, "a")] * anchors, url=url)
    return JudgedPage(linked, ConceptCounts((), 0, 0), Relevance(score, score > 0))


def tunnelling() -> Tunnelling:
    return Tunnelling(lambda: 0.15, lambda url: url == HERE + "seed")


def crawl_fifty(scorer, score=0.0):
    """The seed links to /0, /1 and /2, /2 to /0; 48 more pages link to nothing."""
    scorer.prioritise(judged(3, score=score))
    scorer.prioritise(judged(1, HERE + "2", score))
    for number in range(48):
        assert not scorer.revise()
        scorer.prioritise(judged(0, f"{HERE}alone{number}", score))


def test_a_link_has_the_sum_of_what_it_was_handed():
    """The seed hands 0.85 · 0.15 / 3 to each; /2 has 0.1925 then and hands 0.85 of it to /0."""
    scorer = PageRank()
    assert scores(scorer, judged(3)) == pytest.approx([0.1925] * 3)
    scorer = resumed(scorer, PageRank())
    assert scores(scorer, judged(1, HERE + "2")) == pytest.approx([0.1925 * 1.85])


def test_waiting_addresses_hear_what_changed_when_all_is_computed_anew():
    """The second seed links to the first, which hands on 0.85 · 0.2775 / 2 to each instead of 0.85 · 0.15 / 2."""
    scorer = PageRank()
    first = judged(2, HERE + "0")
    scorer.prioritise(first)
    scorer.prioritise(judged(1, HERE + "seed"))
    for number in range(48):
        assert not scorer.revise()
        scorer.prioritise(judged(0, f"{HERE}alone{number}"))
    scorer = resumed(scorer, PageRank())
    news = scorer.revise()
    assert list(news) == [HERE + "1"]
    assert news[HERE + "1"].score == pytest.approx(0.15 + 0.85 * 0.2775)
    assert not scorer.revise()


def test_an_address_behind_a_redirect_gets_the_other_s_share():
    """Both links of the seed, 0.06375 each, count for /1."""
    scorer = PageRank()
    scorer.prioritise(judged(2))
    scorer.forget(HERE + "0", HERE + "1")
    assert scores(scorer, judged(2, HERE + "far"))[1] == pytest.approx(0.15 + 2 * 0.06375 + 0.06375)
    scorer.forget(HERE + "1", None)


def test_val_is_inherited_whole_from_a_page_above_the_threshold():
    """The first page has the mean PageRank's links: val = 0.3 · 0.1925 / mean, mean = (0.15 + 3 · 0.1925) / 4."""
    scorer = tunnelling()
    val = 0.3 * 0.1925 / ((0.15 + 3 * 0.1925) / 4)
    assert scores(scorer, judged(3, score=0.3)) == pytest.approx([val / (1 + val)] * 3)


def test_a_blocked_road_is_followed_on_at_lower_rank():
    """Seed below the threshold: its links have Val 50. /0, above it, hands the 50 on; /1, below it, 25."""
    scorer = tunnelling()
    blocked = scores(scorer, judged(2, score=0.1))
    assert all(-1 < place < 0 for place in blocked)
    scorer = resumed(scorer, tunnelling())
    assert all(-1 < place < 0 for place in scores(scorer, judged(3, HERE + "0", 0.9))[2:])
    assert all(-2 < place < -1 for place in scores(scorer, judged(5, HERE + "1", 0.1))[4:])


def test_the_better_of_two_roads_counts():
    """/1 is known over a blocked road when a page on topic that is reached without one links to it."""
    scorer = tunnelling()
    scorer.prioritise(judged(2, HERE + "blocked", 0.1))
    assert all(place > 0 for place in scores(scorer, judged(2, HERE + "free", 0.9)))
    assert all(place > 0 for place in scores(scorer, judged(2, HERE + "blocked-too", 0.1)))


def test_a_seed_has_the_highest_val_whoever_links_to_it():
    scorer = tunnelling()
    linked = judged(1, score=0.1)
    onto_seed = replace(linked.page, links=(linked.page.links[0]._replace(url=HERE + "seed"),))
    assert scores(scorer, replace(linked, page=onto_seed))[0] < 0
    assert all(place > 0 for place in scores(scorer, judged(1, HERE + "seed", 0.9)))


def test_a_redirect_hands_val_on():
    """Behind the redirected /0 of a blocked road the Val is 50 still."""
    scorer = tunnelling()
    scorer.prioritise(judged(1, score=0.1))
    scorer.forget(HERE + "0", HERE + "behind")
    assert all(-1 < place < 0 for place in scores(scorer, judged(2, HERE + "behind", 0.9))[1:])


def test_places_change_with_pagerank_and_val_stays():
    scorer = tunnelling()
    crawl_fifty(scorer, 0.1)
    news = resumed(scorer, tunnelling()).revise()
    assert set(news) == {HERE + "0", HERE + "1"}
    assert all(-1 < priority.score < 0 for priority in news.values())
    assert news[HERE + "0"].score > news[HERE + "1"].score


def test_the_queue_hears_of_the_best_and_of_fallen_links():
    """Told 5, 4, 3, 2, 1; now 1, 4, 3.5, 2, 1.5. Two have their true order: 1 and 2; 0 was told more than 3.5."""
    places = Places()
    for number in range(5):
        places.report(number, 5.0 - number)
    new = [1, 4, 3.5, 2, 1.5, 9]
    again = Places()
    again.restore(stored(places))
    assert again.changed(range(6), new.__getitem__, 2) == {0: 1, 2: 3.5}  # 5 was never queued
    assert again.changed(range(6), new.__getitem__, 2) == {}
    assert again.changed([3, 4], new.__getitem__, 2) == {4: 1.5}
    assert [again.reported(number) for number in range(5)] == [1, 4, 3.5, 2, 1.5]
