"""`fused` without any ontology, for the ablation: pages are judged as in `customised`, links by what is learned alone.

Its target is the cosine of a page with the drifting centre of the seeds (paper C), on the crawl's own scale: divided by
the 95th percentile of its positive values, drawn to 0.5 by 20 pages. No words of the topic or of its layers are looked
for in links.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.lab_runs import Bench, Job
from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic
from semantic.analyst import Analyst
from semantic.links.link_reading import LinkReader, LinkRowsReader
from semantic.links.link_scorer import JudgedFrame
from semantic.records import LinkRecord
from semantic.relevance.default_judge import MixtureJudge
from semantic.relevance.relevance_model import is_due
from semantic.strategies.customised.centre_judge import CentreJudge
from semantic.strategies.fused.fused_scorer import Fused
from semantic.strategies.fused.link_learner import Weights
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import Matcher, build_word_table
from semantic.understanding import Samples, TopicUnderstanding

USUAL, STRENGTH = 0.5, 20


class CentreSight:
    """Cosines of pages on the crawl's own scale, as `fused` wants to know what pages are worth."""

    def __init__(self) -> None:
        self.looked_back = 0
        self._cosines: list[float] = []
        self._scale = USUAL

    def see(self, cosine: float) -> None:
        self._cosines.append(cosine)
        if is_due(len(self._cosines), self.looked_back):
            self.looked_back = len(self._cosines)
            positive = [cosine for cosine in self._cosines if cosine > 0]
            top = float(np.percentile(positive, 95)) if positive else USUAL
            self._scale = (len(positive) * top + STRENGTH * USUAL) / (len(positive) + STRENGTH)

    def recent(self, count: int) -> NDArray[np.float64]:
        return np.array(self._cosines[-count:]) / self._scale


class SeesCosines(Fused):
    """Tells its sight what the judge said of each page."""

    def __init__(self, sight: CentreSight, weights: Weights, seed: int) -> None:
        super().__init__(sight, weights, seed)
        self._sight = sight

    def score(self, judged: Sequence[JudgedFrame]) -> list[tuple[LinkRecord, ...]]:
        for one in judged:
            self._sight.see(one.relevance.score)
        return super().score(judged)


def seeds_only(job: Job, bench: Bench) -> TopicUnderstanding:
    """`fused` that knows its seeds and nothing else."""
    topic, lexicon = Topic(None, "seeds", {}, {}), Lexicon((), {})
    table, matcher = build_word_table(lexicon, topic), Matcher(lexicon)
    rows = LinkRowsReader(table, LinkReader(matcher))
    without = Weights(without=("topic words", "predecessor layers"))
    scorer = SeesCosines(CentreSight(), without, job.seed)
    samples = Samples(None, bench.seeds, MixtureJudge(topic, table, frozenset(), 0.5))  # asked for seeds only
    analyst = Analyst(matcher, table, (), frozenset(), hashes=False, read_links=rows.read)
    return TopicUnderstanding(
        analyst,
        CentreJudge(samples, WordReader()),
        scorer,
        samples=samples,
        read=bench.read_once(job.variant.judge).read,
    )
