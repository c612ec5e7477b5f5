"""Weights of features computed from pages (paper O: w_ir is "given by the expert, or computed from sample pages").

r_i is, of the pages that mention feature i or a concept below it, the smoothed share that is on topic:

    r_i = (on_i + K s) / (n_i + K)                    w_i = W r_i / max_j r_j

A page is on topic as the judge says. A page with the expert's mark counts as the mark says, and as MARKED pages. s:
share on topic of all pages. K: 5 pages. W: the highest current weight. The judge's verdicts depend on the current
weights: a heavy feature makes its own pages on topic. To subtract from a page's relevance what the feature adds was
tried; it lowers the heavy features, since they add most, and the order of pages was not better
(benchmarks/proposals.md). Marks are what corrects the judge.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ontology.lexicon.lexicon import Lexicon
from ontology.proposals.proposal import Evidence, Kind, Proposal
from ontology.topic import Topic
from semantic.candidates.term_candidates import MARKED
from semantic.proposals.doubtful_words import surprise

PRIOR = 5.0  # pages of prior with the share of all pages, as one page says little; chosen, not measured
STEP = 0.05  # weights are rounded to multiples of this; an expert cannot judge finer ones


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedPage:
    """A page that is no copy. `features`: those that it mentions outside of links, directly or by a concept below them.

    `good`: the expert's mark.
    """

    on_topic: bool
    features: frozenset[str]
    good: bool | None = None

    @property
    def counts(self) -> bool:
        """Whether the page counts as on topic: the expert's mark before the judge's verdict."""
        return self.on_topic if self.good is None else self.good


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedConcept:
    """The result for one feature: `pages` mention it, `on` of them are on topic; current `weight`, `proposed`
    weight.

    `score`: log-likelihood ratio of these counts against the share of all pages.
    """

    feature: str
    pages: int
    on: int
    weight: float
    proposed: float
    score: float

    @property
    def is_news(self) -> bool:
        """Whether the proposed weight differs from the current one."""
        return abs(self.proposed - self.weight) >= STEP / 2


def features_of(lexicon: Lexicon) -> dict[str, str]:
    """Concept -> the nearest feature for which its words count."""
    return {sense.concept: sense.features[0][0] for word in lexicon.words for sense in word.senses if sense.features}


def weigh(topic: Topic, pages: Iterable[WeighedPage]) -> list[WeighedConcept]:
    """The weights of features that the expert gave and that some page mentions, heaviest first."""
    every, good = 0.0, 0.0
    found: dict[str, list[float]] = {feature: [0.0, 0.0, 0, 0] for feature in topic.given}
    for page in pages:
        counts = 1.0 if page.good is None else MARKED
        every += counts
        good += counts * page.counts
        for feature in page.features & found.keys():
            sums = found[feature]
            sums[0] += counts
            sums[1] += counts * page.counts
            sums[2] += 1
            sums[3] += page.counts
    share = good / every if every else 0.0
    ratios = {
        feature: (on + PRIOR * share) / (pages + PRIOR) for feature, (pages, on, number, _) in found.items() if number
    }
    top, highest = max(ratios.values(), default=0.0), max(topic.given.values(), default=1.0)
    weighed = [
        WeighedConcept(
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


def as_proposal(one: WeighedConcept, label: str, language: str) -> Proposal:
    """The weight as a proposal for the concept with this label."""
    evidence = Evidence(one.on, one.pages - one.on, (), (), 0, round(one.score, 2))
    return Proposal(Kind.WEIGHT, label, language, one.feature, evidence, one.proposed)
