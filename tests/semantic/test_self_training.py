"""Self-training: what clear pages have in common counts for pages that name no concept."""

from dataclasses import replace

import numpy as np
import pytest
from miniature import LEXICON, TOPIC, page, shares
from stored_memory import stored

from semantic.learning.feature_hashing import NO_WORDS, SIZE, HashedWords
from semantic.page import Page, Position
from semantic.records import Relevance
from semantic.relevance.default_judge import MixtureJudge
from semantic.relevance.judge_training import MOST, PENALTY, Taught, TrainingRows, own_text_share, rarity, self_train
from semantic.relevance.relevance_model import relevance_of
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts

TABLE = build_word_table(LEXICON, TOPIC)
MATCHER = Matcher(LEXICON)
WEATHER = "the weather of yesterday was rather fine for the season "
CLEAR = "a fighter jet with a missile on the runway, afterburner and canopy and squadron "
ALIKE = "on the runway the squadron lit the afterburner and closed the canopy "


class Links:
    """Links as a test says: `to[url]`: (hashed words, numbers of linking pages)."""

    def __init__(self, to: dict[str, tuple[list[int], list[int]]]) -> None:
        self.to = to

    def surroundings(self, urls):
        said = [self.to.get(url, ([0], [0])) for url in urls]
        return np.array([words for words, _ in said], np.int32), np.array([pages for _, pages in said], np.int32)


def judge_of(links: Links | None = None) -> MixtureJudge:
    judge = MixtureJudge(TOPIC, TABLE, trains=True)
    if links:
        judge.use_links(links)
    return judge


def relevance(judge: MixtureJudge, target: Page) -> Relevance:
    return judge.judge(target, count_concepts(target, MATCHER))


def text(words: str, url: str, **given: object) -> Page:
    return replace(page((Position.OTHER, words * 5)), url=url, **given)


def some_pages(count: int = 100) -> list[Page]:
    return [text(CLEAR if i % 4 == 0 else f"{WEATHER} {i % 7}", f"http://example.org/{i}") for i in range(count)]


def ending(judge: MixtureJudge, pages: list[Page]) -> dict[str, Relevance]:
    told = {one.url: relevance(judge, one) for one in pages}
    return told | dict(judge.settle())


def test_page_with_the_words_of_clear_pages_gains():
    alike, other = text(ALIKE, "http://example.org/alike"), text(WEATHER, "http://example.org/other")
    found = ending(judge_of(), [*some_pages(), alike, other])
    assert found[alike.url].score > found[other.url].score + 0.05
    assert ending(MixtureJudge(TOPIC, TABLE), [*some_pages(), alike])[alike.url].score == 0


def test_links_like_those_to_clear_pages_gain():
    pages = some_pages()
    to = {one.url: ([5, 0] if i % 4 == 0 else [6, 0], [2, 0] if i % 4 == 0 else [1, 3]) for i, one in enumerate(pages)}
    mute = [text("12 ", f"http://example.org/mute{i}") for i in range(2)]
    to |= {mute[0].url: ([5, 0], [2, 0]), mute[1].url: ([6, 0], [1, 3])}
    found = ending(judge_of(Links(to)), [*pages, *mute])
    assert found[mute[0].url].score > found[mute[1].url].score + 0.1


def test_shares_of_words_and_links_add_up():
    found = ending(judge_of(), [*some_pages(), text(ALIKE, "http://example.org/alike")])
    for one in found.values():
        assert shares(one.reasons) == pytest.approx(one.score, abs=1e-9)


def test_self_trained_page_has_one_relevance_whenever_read():
    pages = [*some_pages(120), text(ALIKE, "http://example.org/alike")]
    early, late = ending(judge_of(), pages), ending(judge_of(), pages[::-1])
    assert {url: one.score for url, one in early.items()} == pytest.approx(
        {url: one.score for url, one in late.items()}
    )


def test_a_page_of_links_counts_less():
    assert own_text_share(np.array([0.0, 350.0]), np.array([100.0, 0.0])) == pytest.approx([1.0, 1 - 0.9 * 0.875**2])


def test_nothing_is_learned_before_the_first_fit():
    assert relevance(judge_of(), text(ALIKE, "http://example.org/a")).score == 0


def test_learned_weights_are_those_of_ridge_regression():
    words = [[1, 2], [1], [2, 3], [3], [4]]
    blocks = [HashedWords(np.array(each, np.int32), np.ones(len(each), np.float32)) for each in words]
    u, g = np.array([1.0, 2.0, 0.2, 0.0, 0.0]), np.ones(5)
    none = np.zeros((5, 1), np.int32)
    taught, parts = self_train(u, g, TrainingRows(blocks, none, none))
    assert np.array_equal(parts, taught.parts(TrainingRows(blocks, none, none)))
    rare = rarity(np.concatenate([block.words for block in blocks]), 5)
    assert rare[:5].tolist() == pytest.approx([0, *[np.log(2) + 1] * 3, 0])
    x = np.zeros((5, 4))
    for row, each in zip(x, words, strict=True):
        row[[word for word in each if word < 4]] = 1
    x /= np.maximum(1.0, np.sqrt((x**2).sum(1)))[:, None]
    target = np.minimum(u, MOST)
    weights = np.linalg.solve(x.T @ x + PENALTY * np.eye(4), x.T @ (target - target.mean()))
    assert taught.weights[0][1:4] == pytest.approx(weights[1:], abs=1e-6)
    predicted = x @ weights + target.mean()
    named = target > 0
    scale = np.percentile(target[named], 95) / np.percentile(predicted[named], 95)
    own, links = taught.parts(TrainingRows(blocks, none, none))
    assert own == pytest.approx(5 / 205 * scale * predicted, abs=1e-6)
    assert links.tolist() == [0] * 5


def test_linking_pages_met_later_say_nothing():
    zeros = np.zeros(SIZE)
    taught = Taught(1.0, 0.0, 1.0, (zeros, zeros), (zeros, zeros, np.array([0.0, 2.0])))
    own, links = taught.parts(TrainingRows([NO_WORDS] * 2, np.zeros((2, 1), np.int32), np.array([[1], [7]], np.int32)))
    assert (own.tolist(), links.tolist()) == ([0, 0], [2, 0])
    assert relevance_of(links).tolist() == [0.8, 0]


def test_what_clear_pages_taught_outlasts_pages_about_other_things(monkeypatch):
    """Of 60 clear pages none is among the last 100 learned of; a page like them is still told from others."""
    monkeypatch.setattr("semantic.relevance.default_judge.LEARNED", 100)
    clear = [text(CLEAR, f"http://example.org/clear/{i}") for i in range(60)]
    others = [text(f"{WEATHER} {i % 7}", f"http://example.org/other/{i}") for i in range(300)]
    alike, other = text(ALIKE, "http://example.org/alike"), text(WEATHER, "http://example.org/weather")
    judge = judge_of()
    found = ending(judge, [*clear, *others, alike, other])
    assert found[clear[0].url].on_topic
    assert found[alike.url].score > found[other.url].score + 0.05
    again = judge_of()
    again.restore(stored(judge))
    assert {url: one.score for url, one in again.settle()} == pytest.approx(
        {url: one.score for url, one in found.items()}
    )


def test_a_rare_topic_keeps_its_relevance():
    """Three pages of a hundred name a concept; self-training leaves them on topic."""
    pages = [text(CLEAR if i % 33 == 0 else f"{WEATHER} {i % 7}", f"http://example.org/{i}") for i in range(600)]
    found = ending(judge_of(), pages)
    assert all(found[one.url].on_topic == (i % 33 == 0) for i, one in enumerate(pages))


def test_self_training_turned_off_leaves_the_model_alone():
    plain, trained = MixtureJudge(TOPIC, TABLE), judge_of()
    pages = some_pages(90)
    expected = ending(plain, pages)
    for one in pages:
        relevance(trained, one)
    off = MixtureJudge(TOPIC, TABLE)
    off.restore(stored(trained))
    assert {url: one.score for url, one in off.settle()} == pytest.approx(
        {url: one.score for url, one in expected.items()}
    )


def test_self_training_turned_on_lowers_no_page_read_before():
    plain, pages = MixtureJudge(TOPIC, TABLE), some_pages(90)
    before = ending(plain, pages)
    on = judge_of()
    on.restore(stored(plain))
    later = [replace(one, url=one.url + "x") for one in some_pages(30)]
    found = {one.url: relevance(on, one).score for one in later} | {url: one.score for url, one in on.settle()}
    assert found[pages[0].url] == pytest.approx(before[pages[0].url].score, abs=0.1)
