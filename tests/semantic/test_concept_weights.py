"""Weights of features from pages: sums that a person can do."""

import pytest

from ontology.proposals.proposal import Kind
from ontology.topic import Topic
from semantic.proposals.concept_weights import PRIOR, WeighedPage, as_proposal, weigh

TOPIC = Topic("urn:root", "root", {"urn:root": 1.0, "urn:tea": 0.8, "urn:cup": 0.8}, {}, implied="urn:root")


def page(*features: str, on_topic: bool, good: bool | None = None) -> WeighedPage:
    return WeighedPage(on_topic=on_topic, features=frozenset(features), good=good)


def by_feature(pages: list[WeighedPage]) -> dict[str, float]:
    return {one.feature: one.proposed for one in weigh(TOPIC, pages)}


def test_a_feature_weighs_by_how_often_pages_are_on_topic():
    pages = [page("urn:tea", on_topic=True)] * 10 + [page("urn:cup", on_topic=False)] * 10
    (tea, cup) = weigh(TOPIC, pages)
    assert (tea.feature, tea.pages, tea.on, tea.proposed) == ("urn:tea", 10, 10, 0.8)
    share = (0 + PRIOR / 2) / (10 + PRIOR) / ((10 + PRIOR / 2) / (10 + PRIOR))  # of the heaviest
    assert cup.proposed == pytest.approx(0.8 * share, abs=0.025)


def test_a_mark_counts_more_than_verdicts():
    verdicts = [page("urn:cup", on_topic=True)] * 4 + [page("urn:tea", on_topic=True)] * 4
    marked = [page("urn:cup", on_topic=True, good=False)]
    assert by_feature(verdicts)["urn:cup"] == 0.8
    assert by_feature([*verdicts, *marked])["urn:cup"] < 0.6


def test_unmentioned_features_and_the_implied_root_are_left_out():
    assert set(by_feature([page("urn:tea", "urn:root", on_topic=True)])) == {"urn:tea"}


def test_only_another_weight_is_news():
    pages = [page("urn:tea", on_topic=True)] * 10 + [page("urn:cup", on_topic=False)] * 10
    tea, cup = weigh(TOPIC, pages)
    assert (tea.is_news, cup.is_news) == (False, True)
    made = as_proposal(cup, "cup", "en")
    assert (made.kind, made.concept, made.value) == (Kind.WEIGHT, "urn:cup", cup.proposed)
    assert (made.evidence.on_topic, made.evidence.off_topic) == (0, 10)
