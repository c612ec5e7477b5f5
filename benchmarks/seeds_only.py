"""`fused` without any ontology, for the ablation: pages are judged as in `customised`, links by what is learned alone.

Its target is the cosine of a page with the drifting centre of the seeds (paper C), on the crawl's own scale: divided by
the 95th percentile of its positive values, drawn to 0.5 by 20 pages. No words of the topic or of its layers are looked
for in links.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.lab_runs import Bench, Job
from ontology.lexicon import Lexicon
from ontology.topic import Topic
from semantic.fusion.hindsight import Counted, Hindsight
from semantic.fusion.learner import Weights
from semantic.fusion.reading import SayingReader
from semantic.fusion.scorer import Fused
from semantic.judges.centre import CentreJudge
from semantic.judges.mixture import MixtureJudge
from semantic.matching import Matcher
from semantic.samples import Samples
from semantic.scorers.features import LinkReader
from semantic.scorers.scorer import JudgedPage
from semantic.understanding import TopicUnderstanding
from semantic.words import WordReader
from semantic.wordtable import build_word_table

HIGHEST = 1.3
USUAL, STRENGTH = 0.5, 20


@dataclass(frozen=True, slots=True)
class Likeness(Counted):
    """A page as its cosine alone."""

    cosine: float = 0.0


class CentreReader(SayingReader):
    """Hands on what the judge said of the page."""

    def count(self, judged: JudgedPage) -> Likeness:
        return Likeness((), judged.counts.length, foreign=False, cosine=judged.relevance.score)


class CentreSight(Hindsight):
    """Looks back on cosines."""

    def __init__(self, topic: Topic, lexicon: Lexicon) -> None:
        super().__init__(topic, build_word_table(lexicon, topic))
        self._cosines: list[float] = []
        self._scale = USUAL

    def add(self, page: Counted) -> None:
        assert isinstance(page, Likeness)
        self._cosines.append(page.cosine)

    def glance(self, page: Counted) -> float:
        assert isinstance(page, Likeness)
        return min(page.cosine / self._scale, HIGHEST)

    def judge(self) -> NDArray[np.float64]:
        cosines = np.array(self._cosines)
        positive = cosines[cosines > 0]
        n = len(positive)
        top = float(np.percentile(positive, 95)) if n else USUAL
        self._scale = (n * top + STRENGTH * USUAL) / (n + STRENGTH)
        return np.minimum(cosines / self._scale, HIGHEST)


def seeds_only(job: Job, bench: Bench) -> TopicUnderstanding:
    """`fused` that knows its seeds and nothing else."""
    topic, lexicon = Topic(None, "seeds", {}, {}), Lexicon((), {})
    table, matcher = build_word_table(lexicon, topic), Matcher(lexicon)
    reader = CentreReader(table, LinkReader(matcher), frozenset())
    scorer = Fused(
        reader, CentreSight(topic, lexicon), Weights(without=("topic words", "predecessor layers")), job.seed
    )
    samples = Samples(None, bench.seeds, MixtureJudge(topic, table, frozenset(), 0.5))  # asked for seeds only
    return TopicUnderstanding(
        lexicon,
        table,
        matcher,
        CentreJudge(samples, WordReader()),
        scorer,
        samples=samples,
        read=bench.read_once(job.variant.judge).read,
    )
