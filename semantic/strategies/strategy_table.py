"""The table of strategies: for each a judge, a link scorer, and the parameters that a user may change.

To add a strategy, add a row and, if its judge or scorer is new, a module in a folder of `semantic/strategies`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from math import isfinite

from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon
from ontology.messages import message
from ontology.topic import Topic
from semantic.learning.centroid import FEATURES
from semantic.links.fixed_prior import Prior
from semantic.links.link_reading import LinkReader
from semantic.links.link_scorer import LinkScorer
from semantic.parsing.page_reader import read_page
from semantic.relevance.default_judge import MixtureJudge
from semantic.relevance.judge_protocol import Judge
from semantic.segmentation.word_segmentation import DICTIONARY, open_segmenter
from semantic.strategies.adaptive.adaptive_judge import AdaptiveJudge
from semantic.strategies.baselines.breadth_first import BreadthFirst, PageRelevance
from semantic.strategies.baselines.opic import Opic
from semantic.strategies.baselines.pagerank_scorer import PageRank
from semantic.strategies.customised.centre_judge import LIKE, CentreJudge
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


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """One strategy. `parameters`: the defaults, named as in the source; every row has a `threshold`.

    - `samples`: it learns from marked pages.
    - `weights`: marked pages that are files may give the weights w_ir of its features (paper O).
    - `by_threshold`: a page is on topic exactly if its relevance reaches the threshold.
    - `graph`: it reads the link graph G_w.
    - `ontology`: it needs an ontology.
    """

    summary: str
    judge: Callable[[Parts], Judge]
    scorer: Callable[[Parts], LinkScorer]
    parameters: Mapping[str, float] = field(default_factory=dict)
    samples: bool = False
    weights: bool = False
    by_threshold: bool = True
    graph: bool = False
    ontology: bool = True


STRATEGIES: Mapping[str, StrategyRow] = {
    "fused": StrategyRow(
        "the default: evidence of many kinds about a link, joined by what this crawl has found behind its links",
        mixture,
        fused,
        {
            "threshold": 0.5,
            "self_training": 1,
            "opening": USUAL.opening,
            "wide": USUAL.wide,
            "words": 1,
            "layers": 1,
            "graph": 1,
        },
        graph=True,
    ),
    "fixed": StrategyRow(
        "words of anchor, context and address with the linking page's relevance, at fixed weights",
        mixture,
        lambda parts: Prior(parts.table, LinkReader(parts.matcher), parts.parameters),
        {"threshold": 0.5, "page": 0.5, "context": 0.3, "address": 0.3, "layer": 0.1},
    ),
    "ontology": StrategyRow(
        "paper O without link prediction: a link takes its page's cosine relevance (formulas 1 and 2)",
        cosine,
        lambda parts: PageRelevance(),
        {"threshold": 0.3},
        weights=True,
    ),
    "ontology-links": StrategyRow(
        "paper O with link prediction (algorithm 3): links without topic or predecessor words are discarded",
        cosine,
        prediction,
        {"threshold": 0.3, "alpha": 2, "alpha_layer": 3, "area": 30, "off_topic": 0},
        weights=True,
    ),
    "best-first": StrategyRow(
        "a link takes its page's cosine with the topic's keywords (paper O's, not the trained one of paper C)",
        keywords,
        lambda parts: PageRelevance(),
        {"threshold": 0.3},
    ),
    "shark": StrategyRow(
        "Hersovici et al. 1998: words in and around the anchor, and what relevant pages before hand down",
        cosine,
        shark,
        {"threshold": 0.3, "delta": 0.5, "beta": 0.8, "gamma": 0.8},
    ),
    "opic": StrategyRow(
        "Abiteboul et al. 2003: a page shares its cash equally among its links; most cash first",
        mixture,
        lambda parts: Opic(),
        {"threshold": 0.5},
    ),
    "opie": StrategyRow(
        "Guan et al. 2008: as opic, but cash goes where the link's context and its page are similar to the topic",
        cosine,
        opie,
        {"threshold": 0.3, "near": 0.5, "off_topic": 0.5},
    ),
    "jlse": StrategyRow(
        "paper J: what the anchor says (naive Bayes), or what the link that looks most like it led to (Q-learning)",
        results,
        joint,
        {
            "threshold": 0.5,
            "cf": 150,
            "gamma": 0.9,
            "rd": 1,
            "k": 100,
            "k1": 2,
            "b": 0.75,
            "w1": 0.5,
            "w2": 0.2,
            "w3": 0.3,
            "window": 5,
            "off_topic": 0,
            "expand": 0,
            "enough": 0,
        },
        samples=True,
        by_threshold=False,
        graph=True,
    ),
    "pagerank": StrategyRow(
        "the address that the known web points at most (formula of paper A)",
        mixture,
        lambda parts: PageRank(parts.parameters["d"]),
        {"threshold": 0.5, "d": 0.85},
    ),
    "context-graph": StrategyRow(
        "Diligenti et al. 2000: pages are put into layers by the links from there to a result; the nearest layer first",
        lambda parts: SamplesJudge(parts.samples, parts.parameters["threshold"]),
        context_graph,
        {"threshold": 0.5, "N": 4, "posterior": 0.5, "documents": 300},
        samples=True,
    ),
    "ata": StrategyRow(
        "paper J without its link graph: what the anchor says (naive Bayes)",
        results,
        joint,
        {"threshold": 0.5, "off_topic": 0, "expand": 0, "enough": 0},
        samples=True,
        by_threshold=False,
    ),
    "adaptive": StrategyRow(
        "paper A: a base vector and a threshold that adapt themselves, PageRank, and a genetic factor for tunnelling",
        lambda parts: AdaptiveJudge(parts.table, parts.samples, parts.words, parts.parameters),
        tunnelling,
        {
            "threshold": 0.15,
            "S": 10,
            "T": 50,
            "alpha": 1.05,
            "beta": 1.2,
            "gamma": 0.95,
            "mu": 0.3,
            "d": 0.85,
            "r": 0.5,
        },
        samples=True,
        by_threshold=False,
    ),
    "customised": StrategyRow(
        "paper C: from seeds alone; a link takes its page's cosine with the centre of the seed pages, which drifts",
        centre,
        lambda parts: PageRelevance(),
        {"threshold": 0.3, "like": LIKE, "features": FEATURES},
        ontology=False,
    ),
    "bfs": StrategyRow("breadth-first: first in, first out", mixture, lambda parts: BreadthFirst(), {"threshold": 0.5}),
}


# parameters that must be whole numbers, and those that must be from 0 to 1
_WHOLE = ("area", "cf", "documents", "enough", "features", "k", "N", "T", "window")
_SHARES = ("b", "d", "delta", "expand", "gamma", "mu", "near", "off_topic", "posterior", "threshold")


def check_parameters(parameters: Mapping[str, float]) -> None:
    """Raise SettingsError for a value that makes no sense in the formulas."""
    for name, value in parameters.items():
        if not (isfinite(value) and value >= 0):
            cure = message("give a number, 0 or more")
        elif name in _WHOLE and value != int(value):
            cure = message("give a whole number")
        elif name in _SHARES and value > 1:
            cure = message("give a number from 0 to 1")
        elif name == "r" and not 0 < value < 1:
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
) -> TopicUnderstanding:
    """Build the judge, scorer and analyst of one row of the table.

    `examples` None: samples come from the ontology. `read`: makes pages of answers. `language`: of the concepts' names
    in reasons; None for the language of each page. `respects`: see `semantic.analyst`.

    Raises SettingsError for a strategy or parameter that is not in the table, and for a segmenter that is not
    installed.
    """
    row = strategy_row(strategy)
    chosen = parameters_of(strategy, parameters or {})
    if threshold is not None:
        chosen["threshold"] = threshold
    words = open_segmenter(segmenter, lexicon)
    if row.judge is mixture:
        topic, lexicon = with_name_words(topic, lexicon, WordReader(words).count)
    table = build_word_table(lexicon, topic, language)
    samples = Samples(examples, seeds, mixture_judge(topic, lexicon, table))
    parts = Parts(topic, lexicon, table, Matcher(lexicon, words), chosen, samples, WordReader(words), seed)
    if row.weights and examples is not None:
        good = (count_concepts(page, parts.matcher) for page, marks in examples.pages if marks.good)
        parts = replace(parts, topic=weights_from(good, topic, table))
    judge = row.judge(parts)
    if examples is not None and isinstance(judge, MixtureJudge):
        judge.teach({url: marks.good for url, marks in examples.addresses.items() if marks.good is not None})
    scorer = row.scorer(replace(parts, judge=judge))
    enough = int(chosen.get("enough", 0))
    meet = judge.meet if isinstance(judge, AdaptiveJudge | CentreJudge) else None
    analyst = replace(analyst_of(parts, judge, scorer), respects=respects)
    return TopicUnderstanding(analyst, judge, scorer, samples=samples, read=read, enough=enough, meet=meet)


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
    return row.samples or row.weights or takes_marks(strategy)


def takes_marks(strategy: str) -> bool:
    """Whether the expert's marks affect how other pages are judged, which holds for the default judge."""
    return strategy_row(strategy).judge is mixture


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
        else message("there are: {known}", known=", ".join(known))
    )
