"""Pages in a language of few names, compared with the topic by meaning."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from miniature import ANALYST, FIGHTER, LEXICON, TOPIC, page, shares
from stored_memory import stored

from ontology.lexicon.lexicon import Lexicon, Word
from semantic.analyst import Analyst
from semantic.languages.page_meaning import BEGINNING, ENOUGH, FEW, WITH_FEW, WITHOUT, PageMeaning, page_meaning
from semantic.page import Page, Position
from semantic.records import Relevance
from semantic.relevance.default_judge import MixtureJudge
from semantic.terms.term_matching import build_word_table
from semantic.terms.topic_counts import NOT_COMPARED, features_of

TABLE = build_word_table(LEXICON, TOPIC)
FEATURES = features_of(TABLE)


class Pictures:
    """An encoder of two dimensions: one for aircraft, in English, Chinese or French, one for all the rest."""

    languages = frozenset({"en", "zh", "fr"})

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        rows = [[sum(map(text.count, ("fighter", "F-22", "战斗机", "avion"))), 1] for text in texts]
        return np.array([np.array(row) / np.linalg.norm(row) for row in rows], np.float32)


def meaning(lexicon: Lexicon = LEXICON) -> PageMeaning:
    return page_meaning(TOPIC, lexicon, build_word_table(lexicon, TOPIC), FEATURES, Pictures())


def named(language: str | None, count: int, text: str = "fighter") -> Lexicon:
    """So many words of the first feature in a language."""
    return replace(
        LEXICON, words=tuple(replace(LEXICON.words[0], text=f"{text} {i}", language=language) for i in range(count))
    )


@pytest.mark.parametrize(
    ("lexicon", "language", "share"),
    [
        (named("en", 3), "zh", WITHOUT),
        (named("en", 3), "zh-hant", WITHOUT),
        (named("en", 3), "en-gb", WITH_FEW),
        (named("zh", FEW), "zh", WITH_FEW),
        (named("zh", (FEW + ENOUGH) // 2), "zh", WITH_FEW / 2),
        (named("zh", ENOUGH), "zh", 0.0),
        (named(None, ENOUGH), "en", 0.0),
        (named(None, ENOUGH), "zh", WITHOUT),
        (named(None, ENOUGH, "战斗机"), "zh", 0.0),
        (named("en", 3), "sw", 0.0),
        (named("en", 3), None, 0.0),
    ],
)
def test_it_counts_by_words_in_the_pages_language(lexicon, language, share):
    assert meaning(lexicon).share(language) == pytest.approx(share)


def frame(target: Page, compared: PageMeaning | None = None):
    return replace(ANALYST, meaning=compared or meaning()).frame(target)


def test_the_closest_feature_is_found_in_another_language():
    found = frame(page((Position.OTHER, "Un avion, encore un avion."), language="fr")).counted.closeness
    assert FEATURES[found.feature] == FIGHTER and found.c > 0.8 and found.share == pytest.approx(WITHOUT)


def test_title_and_beginning_outside_of_links_are_compared():
    compared = meaning()
    target = page(
        (Position.ANCHOR, "accueil"), (Position.OTHER, "un avion"), (Position.OTHER, "x" * 500), language="fr"
    )
    frame(replace(target, title="titre"), compared)
    text = compared.encoder.texts[-1]
    assert text.startswith("titre") and "un avion" in text and "accueil" not in text
    assert len(text) < BEGINNING + 20


@pytest.mark.parametrize("target", [page((Position.OTHER, "the fighter"), language="sw"), page(language="fr")])
def test_pages_without_text_or_known_language_are_left(target):
    assert frame(target).counted.closeness is NOT_COMPARED


def french(count: int) -> list[Page]:
    """Every fifth page is about aircraft. No page has a word of the lexicon."""
    texts = ["un avion et un avion " * 9] + ["le temps de hier etait beau " * 9] * 4
    return [replace(page((Position.OTHER, texts[i % 5]), language="fr"), url=f"http://e.org/{i}") for i in range(count)]


def judged(pages: Sequence[Page], analyst: Analyst) -> dict[str, Relevance]:
    judge = MixtureJudge(TOPIC, TABLE, trains=True)
    found: dict[str, Relevance] = {}
    for target in pages:
        (found[target.url],) = judge.judge_frames([analyst.frame(target)])
    return found | dict(judge.settle())


def test_pages_are_found_by_meaning_alone():
    found = judged(french(120), replace(ANALYST, meaning=meaning()))
    assert [url for url, one in found.items() if one.on_topic] == [f"http://e.org/{i}" for i in range(0, 120, 5)]
    assert not any(one.on_topic for one in judged(french(120), ANALYST).values())


def test_reasons_name_the_concept_and_add_up():
    found = judged(french(120), replace(ANALYST, meaning=meaning()))["http://e.org/5"]
    assert shares(found.reasons) == pytest.approx(found.score)
    (close,) = (reason for reason in found.reasons if reason.kind == "close in meaning")
    assert close.concept == FIGHTER and dict(close.values)["name"] == "fighter"


def test_meaning_beside_words_needs_no_other_reason():
    pages = french(120)
    pages[7] = replace(page((Position.OTHER, "the fighter and the fighter " * 3), language="fr"), url=pages[7].url)
    judge, analyst = MixtureJudge(TOPIC, TABLE), replace(ANALYST, meaning=meaning())
    found = [judge.judge_frames([analyst.frame(target)])[0] for target in pages]
    assert {reason.kind for one in found for reason in one.reasons} == {"close in meaning", "concept"}


def test_a_minority_of_such_pages_changes_nothing():
    english = [
        replace(page((Position.OTHER, f"the fighter {i}"), language="sw"), url=f"http://e.org/en{i}") for i in range(60)
    ]
    mixed = [*english, *french(40)]
    assert judged(mixed, replace(ANALYST, meaning=meaning())) == judged(mixed, ANALYST)


def test_many_names_are_cut_and_words_of_names_left_out():
    words = [*named("en", 5000).words, Word("jet", "en", LEXICON.words[0].senses)]
    compared = meaning(replace(LEXICON, words=tuple(words)))
    frame(page((Position.OTHER, "un avion"), language="fr"), compared)
    assert len(compared.encoder.texts) <= 501


def test_a_resumed_judge_goes_on_the_same():
    analyst = replace(ANALYST, meaning=meaning())
    judge, again = MixtureJudge(TOPIC, TABLE), MixtureJudge(TOPIC, TABLE)
    pages = french(120)
    for target in pages[:80]:
        judge.judge_frames([analyst.frame(target)])
    again.restore(stored(judge))
    for target in pages[80:]:
        frames = [analyst.frame(target)]
        assert judge.judge_frames(frames) == again.judge_frames(frames)
    assert dict(judge.settle()).keys() <= dict(again.settle()).keys()
