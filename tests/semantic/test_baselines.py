"""The baselines on the miniature topic, each with sums done by hand.

Formula 1 of a text that names one feature only: fighter 1 / sqrt(1.25) = 0.8944, missile 0.5 / sqrt(1.25) = 0.4472.
"""

from math import sqrt

import pytest
from frames_at_hand import understand
from miniature import FIGHTER, LEXICON, MISSILE, TOPIC, page, scores, shares
from stored_memory import resumed

from semantic.links.address_sums import Accounts
from semantic.links.link_reading import LinkReader
from semantic.links.link_scorer import JudgedPage
from semantic.page import Page, Position
from semantic.records import Relevance
from semantic.strategies.baselines.opic import Opic, Opie
from semantic.strategies.baselines.shark_search import Shark
from semantic.strategies.ontology_based.cosine_judge import CosineJudge
from semantic.strategies.strategy_table import build_understanding
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts, keyword_table

TABLE = build_word_table(LEXICON, TOPIC)
MATCHER = Matcher(LEXICON)
SIMILARITY = CosineJudge(TOPIC, TABLE).similarity
FIGHTER_ALONE, MISSILE_ALONE = 1 / sqrt(1.25), 0.5 / sqrt(1.25)
FAR = "x" * 70


def judged(target: Page, score: float, on_topic: bool) -> JudgedPage:
    return JudgedPage(target, count_concepts(target, MATCHER), Relevance(score, on_topic))


def shark() -> Shark:
    return Shark(LinkReader(MATCHER), SIMILARITY, {"delta": 0.5, "beta": 0.8, "gamma": 0.8})


def opie() -> Opie:
    return Opie(LinkReader(MATCHER), SIMILARITY, {"near": 0.5, "off_topic": 0.5})


# best-first


def test_keywords_are_a_feature_s_first_name_in_each_language():
    table = keyword_table(TABLE, LEXICON, TOPIC)
    named = dict(zip(table.texts, table.features, strict=True))
    assert {text for text, features in named.items() if features} == {"fighter", "missile", "导弹"}
    assert named["fighter"] == (FIGHTER,)
    assert named["导弹"] == (MISSILE,)


def test_best_first_sees_keywords_where_ontology_sees_hyponyms():
    """fighter tf 1 and missile tf 1: w = (1, 0.5), the topic itself; with F-22 (tf 2, 1): w = (2·1, 1·½·½)."""
    body = b"<html><body><p>fighter</p><p>F-22</p><p>missile</p><a href='/a'>on</a></body></html>"
    found = {}
    for name in ("best-first", "ontology"):
        understood = understand(build_understanding(name, TOPIC, LEXICON), body)
        (link,) = understood.links
        assert link.priority == understood.relevance.score
        found[name] = link.priority
    assert found["best-first"] == pytest.approx(1.0)
    assert found["ontology"] == pytest.approx((2 * 1 + 0.25 * 0.5) / sqrt((2 * 2 + 0.25**2) * 1.25))


# shark


def test_formula_1_of_a_few_words():
    assert [SIMILARITY(()), SIMILARITY((5,))] == [0, 0]  # nothing; a layer word
    assert [SIMILARITY((0,)), SIMILARITY((3, 3))] == pytest.approx([FIGHTER_ALONE, MISSILE_ALONE])


def test_shark_on_a_relevant_page():
    """inherited = 0.5 · 0.6 = 0.3 for all; potential = 0.8 · 0.3 + 0.2 (0.8 anchor + 0.2 context)."""
    linked = page(
        (Position.ANCHOR, "missile"), (Position.OTHER, FAR),  # anchor matches: context is 1
        (Position.ANCHOR, "there"), (Position.OTHER, "fighter"), (Position.OTHER, FAR),  # only around
        (Position.ANCHOR, "elsewhere"), (Position.OTHER, FAR),  # nothing
    )  # fmt: skip
    assert scores(shark(), judged(linked, 0.6, True)) == pytest.approx(
        [0.24 + 0.2 * (0.8 * MISSILE_ALONE + 0.2), 0.24 + 0.2 * 0.2 * FIGHTER_ALONE, 0.24]
    )


def test_shark_hands_down_through_pages_off_topic_and_resumes():
    """First page on topic: /0 inherits 0.3. /0 is off topic: its link inherits 0.15, and that page's link 0.075."""
    scorer = shark()
    scorer.prioritise(judged(page((Position.ANCHOR, "a")), 0.6, True))
    scorer = resumed(scorer, shark())
    second = page((Position.ANCHOR, "self"), (Position.ANCHOR, "b"), url="http://example.org/0")
    assert scores(scorer, judged(second, 0.1, False)) == pytest.approx([0.8 * 0.15] * 2)
    third = page((Position.ANCHOR, "c"), url="http://example.org/1")
    assert scores(scorer, judged(third, 0.1, False)) == pytest.approx([0.8 * 0.075])


def test_shark_inherits_the_most_of_several_linking_pages():
    scorer = shark()
    scorer.prioritise(judged(page((Position.ANCHOR, "a"), url="http://example.org/rich"), 0.6, True))
    scorer.prioritise(judged(page((Position.ANCHOR, "a"), url="http://example.org/poor"), 0.4, True))
    last = judged(page((Position.ANCHOR, "b"), url="http://example.org/0"), 0.0, False)
    assert scores(scorer, last) == pytest.approx([0.8 * 0.5 * 0.3])


# opic and opie


def test_opic_by_hand():
    """Seed s (1) -> 0, 1: a half each. Seed t (1) -> 0: 1½. Page 0 (1½) -> 0, 1, 2: a half each; 1 has 1 now."""
    scorer = Opic()
    two = page((Position.ANCHOR, "a"), (Position.ANCHOR, "b"), url="http://example.org/s")
    assert scores(scorer, judged(two, 0, False)) == [0.5, 0.5]
    one = page((Position.ANCHOR, "a"), url="http://example.org/t")
    assert scores(scorer, judged(one, 0, False)) == [1.5]
    scorer = resumed(scorer, Opic())
    three = page(*((Position.ANCHOR, text) for text in "abc"), url="http://example.org/0")
    assert scores(scorer, judged(three, 0, False)) == [0.5, 1.0, 0.5]


def test_cash_goes_over_redirects_and_is_lost_with_failures():
    """Seed (1) -> 0, 1, 2, 3: a quarter each. 0 leads to 1, over a resume: a half. 2 fails. 1 shares out its half."""
    for before, scorer in ((Opic(), Opic()), (opie(), opie())):
        seed = page(*((Position.ANCHOR, text) for text in "abcd"))
        before.prioritise(judged(seed, 0.4, True))
        assert before.revise() == {}
        before.forget("http://example.org/0", "http://example.org/1")
        before.forget("http://example.org/2", None)
        resumed(before, scorer)
        ((url, priority),) = scorer.revise().items()
        assert (url, priority.score, shares(priority.reasons)) == ("http://example.org/1", 0.5, 0.5)
        assert scorer.revise() == {}
        one = page((Position.ANCHOR, "a"), (Position.ANCHOR, "b"), url="http://example.org/1")
        assert scores(scorer, judged(one, 0.4, True)) == [0.25, 0.25]


def test_shark_inherits_over_redirects():
    """/0 inherits 0.3 and leads to /7, which is off topic: its link inherits 0.15."""
    scorer = shark()
    scorer.prioritise(judged(page((Position.ANCHOR, "a")), 0.6, True))
    scorer.forget("http://example.org/0", "http://example.org/7")
    behind = page((Position.ANCHOR, "b"), url="http://example.org/7")
    assert scores(scorer, judged(behind, 0.0, False)) == pytest.approx([0.8 * 0.15])


def test_opic_a_page_nobody_handed_cash_brings_the_mean():
    """A seed (1) -> 0, 1; page 0 brings ½; then a seed that nobody links to: (1 + ½) / 2."""
    scorer = Opic()
    scorer.prioritise(judged(page((Position.ANCHOR, "a"), (Position.ANCHOR, "b")), 0, False))
    scorer.prioritise(judged(page(url="http://example.org/0"), 0, False))
    other = page((Position.ANCHOR, "a"), url="http://example.org/other")
    assert scores(scorer, judged(other, 0, False)) == [0.75]


def test_opic_two_links_to_one_address_are_one():
    twice = page((Position.ANCHOR, "a"))
    twice = Page(twice.url, "", twice.text, twice.spans, twice.links * 2)
    assert scores(Opic(), judged(twice, 0, False)) == [1.0, 1.0]


def test_opie_on_and_off_topic_by_hand():
    """sim(0) = ½ · 0.4472 + ½ · 0.4, sim(1) = ½ · 0.4; off topic only half of the cash is handed on."""
    linked = page((Position.ANCHOR, "missile"), (Position.OTHER, FAR), (Position.ANCHOR, "b"))
    first, second = 0.5 * MISSILE_ALONE + 0.2, 0.2
    expected = [first / (first + second), second / (first + second)]
    assert scores(opie(), judged(linked, 0.4, True)) == pytest.approx(expected)
    assert scores(opie(), judged(linked, 0.4, False)) == pytest.approx([part / 2 for part in expected])


def test_opie_reads_the_context_of_a_link_and_its_page():
    """The first link stands beside "fighter", 70 characters before the second, which is called "missile"."""
    linked = page(
        (Position.OTHER, "fighter"), (Position.ANCHOR, "a"), (Position.OTHER, FAR), (Position.ANCHOR, "missile")
    )
    first, second = 0.5 * FIGHTER_ALONE + 0.2, 0.5 * MISSILE_ALONE + 0.2
    expected = [first / (first + second), second / (first + second)]
    assert scores(opie(), judged(linked, 0.4, True)) == pytest.approx(expected)


def test_opie_without_any_evidence_shares_equally_and_remembers():
    scorer = opie()
    nothing = page((Position.ANCHOR, "a"), (Position.ANCHOR, "b"))
    assert scores(scorer, judged(nothing, 0.0, False)) == [0.25, 0.25]
    scorer = resumed(scorer, opie())
    following = page((Position.ANCHOR, "c"), (Position.ANCHOR, "d"), url="http://example.org/0")
    assert scores(scorer, judged(following, 0.8, True)) == [0.125, 0.375]  # ¼ in two halves; the second adds to ¼


def test_accounts_forget_the_poorest_quarter():
    accounts = Accounts(kept=4)
    for url, total in (("e", 2.0), ("d", 1.0), ("c", 1.0), ("b", 3.0), ("none", 0.0), ("a", 4.0)):
        accounts.set(url, total)
    assert accounts.remember()["sums"] == {"a": 4.0, "b": 3.0, "e": 2.0}
    assert accounts.take("a") == 4.0
    assert accounts.take("a") is None
