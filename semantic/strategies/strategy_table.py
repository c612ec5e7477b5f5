"""The table of strategies: for each a judge, a link scorer, and the parameters that a user may change.

To add a strategy, add a row and, if its judge or scorer is new, a module in a folder of `semantic/strategies`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from math import isfinite

from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon
from ontology.messages import joined, message
from ontology.topic import Topic
from semantic.learning.centroid import FEATURES
from semantic.links.fixed_prior import PRIOR_WEIGHTS, FixedPrior
from semantic.links.link_reading import LinkReader
from semantic.links.link_scorer import LinkScorer
from semantic.parsing.page_reader import read_page
from semantic.relevance.judge_protocol import Judge
from semantic.segmentation.word_segmentation import DICTIONARY, open_segmenter
from semantic.strategies.adaptive.adaptive_judge import AdaptiveJudge
from semantic.strategies.baselines.breadth_first import BreadthFirst, PageRelevance
from semantic.strategies.baselines.opic import Opic
from semantic.strategies.baselines.pagerank_scorer import PageRank
from semantic.strategies.customised.centre_judge import LIKE
from semantic.strategies.fused.link_learner import USUAL
from semantic.strategies.ontology_based.cosine_judge import weights_from
from semantic.strategies.strategy_parts import (
    Parts,
    analyst_of,
    centre,
    context_graph,
    cosine,
    fused,
    joint,
    keywords,
    mixture,
    mixture_judge,
    opie,
    prediction,
    results,
    shark,
    tunnelling,
)
from semantic.terms.bag_of_words import WordReader
from semantic.terms.name_words import with_name_words
from semantic.terms.term_matching import Matcher, build_word_table, count_concepts
from semantic.understanding import Examples, Reader, Samples, SamplesJudge, TopicUnderstanding

_ATA_SHARES, _ATA_WHOLES = {"off_topic": 0, "expand": 0}, {"enough": 0}  # of paper J without its link graph


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One strategy. `threshold` and the parameters, named as in the source, are defaults.

    - `shares`: parameters from 0 to 1. `wholes`: whole numbers. `between`: more than 0, less than 1. `amounts`: others.
    - `samples`: it learns from marked pages. `marks`: the expert's marks change how other pages are judged; so it is
      with the default judge, which also reads the single words of names.
    - `weights`: marked pages that are files may give the weights w_ir of its features (paper O).
    - `by_threshold`: a page is on topic exactly if its relevance reaches the threshold.
    - `graph`: it reads the link graph G_w.
    - `ontology`: it needs an ontology.
    """

    summary: str
    judge: Callable[[Parts], Judge]
    scorer: Callable[[Parts], LinkScorer]
    threshold: float
    shares: Mapping[str, float] = field(default_factory=dict)
    wholes: Mapping[str, float] = field(default_factory=dict)
    between: Mapping[str, float] = field(default_factory=dict)
    amounts: Mapping[str, float] = field(default_factory=dict)
    samples: bool = False
    marks: bool = False
    weights: bool = False
    by_threshold: bool = True
    graph: bool = False
    ontology: bool = True

    @property
    def parameters(self) -> dict[str, float]:
        """All that a user may change, by name."""
        return {"threshold": self.threshold, **self.shares, **self.wholes, **self.between, **self.amounts}


STRATEGIES: Mapping[str, StrategyRow] = {
    "fused": StrategyRow(
        "the default: evidence of many kinds about a link, joined by what this crawl has found behind its links",
        mixture,
        fused,
        0.5,
        amounts={"self_training": 1, "opening": USUAL.opening, "wide": USUAL.wide, "words": 1, "layers": 1, "graph": 1},
        marks=True,
        graph=True,
    ),
    "fixed": StrategyRow(
        "words of anchor, context and address with the linking page's relevance, at fixed weights",
        mixture,
        lambda parts: FixedPrior(parts.table, LinkReader(parts.matcher), parts.parameters),
        0.5,
        amounts=PRIOR_WEIGHTS,
        marks=True,
    ),
    "ontology": StrategyRow(
        "paper O without link prediction: a link takes its page's cosine relevance (formulas 1 and 2)",
        cosine,
        lambda parts: PageRelevance(),
        0.3,
        weights=True,
    ),
    "ontology-links": StrategyRow(
        "paper O with link prediction (algorithm 3): links without topic or predecessor words are discarded",
        cosine,
        prediction,
        0.3,
        shares={"off_topic": 0},
        wholes={"area": 30},
        amounts={"alpha": 2, "alpha_layer": 3},
        weights=True,
    ),
    "best-first": StrategyRow(
        "a link takes its page's cosine with the topic's keywords (paper O's, not the trained one of paper C)",
        keywords,
        lambda parts: PageRelevance(),
        0.3,
    ),
    "shark": StrategyRow(
        "Hersovici et al. 1998: words in and around the anchor, and what relevant pages before hand down",
        cosine,
        shark,
        0.3,
        shares={"delta": 0.5, "gamma": 0.8},
        amounts={"beta": 0.8},
    ),
    "opic": StrategyRow(
        "Abiteboul et al. 2003: a page shares its cash equally among its links; most cash first",
        mixture,
        lambda parts: Opic(),
        0.5,
        marks=True,
    ),
    "opie": StrategyRow(
        "Guan et al. 2008: as opic, but cash goes where the link's context and its page are similar to the topic",
        cosine,
        opie,
        0.3,
        shares={"near": 0.5, "off_topic": 0.5},
    ),
    "jlse": StrategyRow(
        "paper J: what the anchor says (naive Bayes), or what the link that looks most like it led to (Q-learning)",
        results,
        joint,
        0.5,
        shares={"gamma": 0.9, "b": 0.75, **_ATA_SHARES},
        wholes={"cf": 150, "k": 100, "window": 5, **_ATA_WHOLES},
        amounts={"rd": 1, "k1": 2, "w1": 0.5, "w2": 0.2, "w3": 0.3},
        samples=True,
        by_threshold=False,
        graph=True,
    ),
    "pagerank": StrategyRow(
        "the address that the known web points at most (formula of paper A)",
        mixture,
        lambda parts: PageRank(parts.parameters["d"]),
        0.5,
        shares={"d": 0.85},
        marks=True,
    ),
    "context-graph": StrategyRow(
        "Diligenti et al. 2000: pages are put into layers by the links from there to a result; the nearest layer first",
        lambda parts: SamplesJudge(parts.samples, parts.parameters["threshold"]),
        context_graph,
        0.5,
        shares={"posterior": 0.5},
        wholes={"N": 4, "documents": 300},
        samples=True,
    ),
    "ata": StrategyRow(
        "paper J without its link graph: what the anchor says (naive Bayes)",
        results,
        joint,
        0.5,
        shares=_ATA_SHARES,
        wholes=_ATA_WHOLES,
        samples=True,
        by_threshold=False,
    ),
    "adaptive": StrategyRow(
        "paper A: a base vector and a threshold that adapt themselves, PageRank, and a genetic factor for tunnelling",
        lambda parts: AdaptiveJudge(parts.table, parts.samples, parts.words, parts.parameters),
        tunnelling,
        0.15,
        shares={"gamma": 0.95, "mu": 0.3, "d": 0.85},
        wholes={"T": 50},
        between={"r": 0.5},  # a blocked road has a lower rank, and not none
        amounts={"S": 10, "alpha": 1.05, "beta": 1.2},
        samples=True,
        by_threshold=False,
    ),
    "customised": StrategyRow(
        "paper C: from seeds alone; a link takes its page's cosine with the centre of the seed pages, which drifts",
        centre,
        lambda parts: PageRelevance(),
        0.3,
        wholes={"features": FEATURES},
        amounts={"like": LIKE},
        ontology=False,
    ),
    "bfs": StrategyRow("breadth-first: first in, first out", mixture, lambda parts: BreadthFirst(), 0.5, marks=True),
}


# a parameter is of the same kind in all strategies
_SHARES = {"threshold"}.union(*(row.shares for row in STRATEGIES.values()))
_WHOLES = set[str]().union(*(row.wholes for row in STRATEGIES.values()))
_BETWEEN = set[str]().union(*(row.between for row in STRATEGIES.values()))


def check_parameters(parameters: Mapping[str, float]) -> None:
    """Raise SettingsError for a value that makes no sense in the formulas."""
    for name, value in parameters.items():
        if not (isfinite(value) and value >= 0):
            cure = message("give a number, 0 or more")
        elif name in _WHOLES and value != int(value):
            cure = message("give a whole number")
        elif name in _SHARES and value > 1:
            cure = message("give a number from 0 to 1")
        elif name in _BETWEEN and not 0 < value < 1:
            cure = message("give a number between 0 and 1: a blocked road has a lower rank, and not none")
        else:
            continue
        raise SettingsError(message("a parameter {name} of {value:g} makes no sense", name=name, value=value), cure)


def build_understanding(  # noqa: PLR0913 - a row, the two things it is wired to, what a user may change
    strategy: str,
    topic: Topic,
    lexicon: Lexicon,
    *,
    threshold: float | None = None,
    parameters: Mapping[str, float] | None = None,
    seeds: Sequence[str] = (),
    examples: Examples | None = None,
    seed: int = 0,
    read: Reader = read_page,
    segmenter: str = DICTIONARY,
    language: str | None = None,
    respects: bool = False,
    listings: bool = False,
) -> TopicUnderstanding:
    """Build the judge, scorer and analyst of one row of the table.

    `examples` None: samples come from the ontology. `read`: makes pages of answers. `language`: of the concepts' names
    in reasons; None for the language of each page. `respects`: see `semantic.analyst`. `listings`: see `Parts`.

    Raises SettingsError for a strategy or parameter that is not in the table, and for a segmenter that is not
    installed.
    """
    row = strategy_row(strategy)
    chosen = parameters_of(strategy, parameters or {})
    if threshold is not None:
        chosen["threshold"] = threshold
    words = open_segmenter(segmenter, lexicon)
    if row.marks:
        topic, lexicon = with_name_words(topic, lexicon, WordReader(words).count)
    table = build_word_table(lexicon, topic, language)
    samples = Samples(examples, seeds, mixture_judge(topic, lexicon, table))
    parts = Parts(
        topic, lexicon, table, Matcher(lexicon, words), chosen, samples, WordReader(words), seed, listings=listings
    )
    if row.weights and examples is not None:
        good = (count_concepts(page, parts.matcher) for page, marks in examples.pages if marks.good)
        parts = replace(parts, topic=weights_from(good, topic, table))
    judge = row.judge(parts)
    if examples is not None and row.marks:
        judge.teach(examples.good_and_bad)
    scorer = row.scorer(replace(parts, judge=judge))
    enough = int(chosen.get("enough", 0))
    analyst = replace(analyst_of(parts, judge, scorer), respects=respects)
    return TopicUnderstanding(analyst, judge, scorer, samples=samples, read=read, enough=enough)


def parameters_of(strategy: str, given: Mapping[str, float]) -> dict[str, float]:
    """All parameters of a strategy: those given, and defaults for the others.

    Raises SettingsError for an unknown name, and for a value that makes no sense in the formulas.
    """
    known = strategy_row(strategy).parameters
    for name in given:
        if name not in known:
            raise SettingsError(
                message("strategy '{strategy}' has no parameter '{name}'", strategy=strategy, name=name),
                _nearest(name, known),
            )
    check_parameters(given)
    return {**known, **given}


def takes_examples(strategy: str) -> bool:
    """Whether pages that the user marked affect it."""
    row = strategy_row(strategy)
    return row.samples or row.weights or row.marks


def takes_marks(strategy: str) -> bool:
    """Whether the expert's marks affect how other pages are judged, which holds for the default judge."""
    return strategy_row(strategy).marks


def strategy_row(name: str) -> StrategyRow:
    """The row of a strategy. Raises SettingsError if there is none."""
    row = STRATEGIES.get(name)
    if row is None:
        raise SettingsError(message("no strategy is called '{name}'", name=name), _nearest(name, STRATEGIES))
    return row


def _nearest(word: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(word, known, 1)
    return (
        message("did you mean '{close}'?", close=close[0])
        if close
        else message("there are: {known}", known=joined(known))
    )
