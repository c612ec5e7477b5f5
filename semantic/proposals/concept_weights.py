"""Weights of features from pages (paper O: w_ir is "given by the expert, or computed from sample pages").

Of the pages that mention feature i, or a concept below it, the share that is on topic for other reasons than i:

    r_i = (on_i + K s) / (n_i + K)                    w_i = W r_i / max_j r_j

A page is on topic without i where its relevance less what i adds to it still passes the threshold; a page that the
expert has marked counts as the mark says, and as MARKED pages. s is the share of all pages, K = 5 pages, W the highest
weight of now. Without that subtraction a feature would vouch for itself: its pages are on topic since it is heavy. On
six tasks the order of pages by relevance is as good with either (benchmarks/proposals_weights.md).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ontology.lexicon.lexicon import Lexicon
from ontology.proposals.proposal import Evidence, Kind, Proposal
from ontology.topic import Topic
from semantic.candidates.term_candidates import MARKED
from semantic.proposals.doubtful_words import surprise

PRIOR = 5.0  # pages for which the share of all counts: a feature that one page mentions says little
STEP = 0.05  # of a weight: finer ones nobody can judge


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedPage:
    """A page that is no copy. `features`: those that it mentions outside of links, themselves or by what is below them.

    `without`: for each of `features` whether the page is on topic if that adds nothing; a feature that is left out adds
    nothing to it. `good`: the expert's mark.
    """

    on_topic: bool
    features: frozenset[str]
    without: Mapping[str, bool]
    good: bool | None = None

    def counts_for(self, feature: str) -> bool:
        """Whether it speaks for the feature."""
        return self.without.get(feature, self.on_topic) if self.good is None else self.good


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """One feature: pages that mention it, those of them that speak for it, the weight of now and the one proposed."""

    feature: str
    pages: int
    on: int
    weight: float
    proposed: float
    score: float

    @property
    def is_news(self) -> bool:
        """Whether another weight is proposed than the one it has."""
        return abs(self.proposed - self.weight) >= STEP / 2


def features_of(lexicon: Lexicon) -> dict[str, str]:
    """Concept -> the nearest feature for which its words count."""
    return {sense.concept: sense.features[0][0] for word in lexicon.words for sense in word.senses if sense.features}


def weigh(topic: Topic, pages: Iterable[WeighedPage]) -> list[Weighed]:
    """The features that the expert gave and that pages mention, heaviest first."""
    every, good = 0.0, 0.0
    found: dict[str, list[float]] = {feature: [0.0, 0.0, 0, 0] for feature in topic.given}
    for page in pages:
        counts = 1.0 if page.good is None else MARKED
        every += counts
        good += counts * (page.on_topic if page.good is None else page.good)
        for feature in page.features & found.keys():
            speaks = page.counts_for(feature)
            sums = found[feature]
            sums[0] += counts
            sums[1] += counts * speaks
            sums[2] += 1
            sums[3] += speaks
    share = good / every if every else 0.0
    ratios = {
        feature: (on + PRIOR * share) / (pages + PRIOR) for feature, (pages, on, number, _) in found.items() if number
    }
    top, highest = max(ratios.values(), default=0.0), max(topic.given.values(), default=1.0)
    weighed = [
        Weighed(
            feature=feature,
            pages=int(found[feature][2]),
            on=int(found[feature][3]),
            weight=topic.given[feature],
            proposed=max(STEP, round(round(highest * ratio / top / STEP) * STEP, 2)) if top else topic.given[feature],
            score=surprise(found[feature][1], found[feature][0] - found[feature][1], share),
        )
        for feature, ratio in ratios.items()
    ]
    return sorted(weighed, key=lambda one: (-one.proposed, -one.pages, one.feature))


def as_proposal(one: Weighed, label: str, language: str) -> Proposal:
    """The weight as a proposal of the concept that is called so."""
    evidence = Evidence(one.on, one.pages - one.on, (), (), 0, round(one.score, 2))
    return Proposal(Kind.WEIGHT, label, language, one.feature, evidence, one.proposed)
