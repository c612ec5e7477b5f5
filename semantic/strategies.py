"""The one table of strategies: a judge and a link scorer each, and the parameters that a user may change.

Adding a strategy is adding a row and, if new, one module under `judges` or `scorers`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from ontology.errors import SettingsError
from ontology.lexicon import Lexicon
from ontology.topic import Topic
from semantic.fusion.scorer import Fused
from semantic.judges.cosine import CosineJudge
from semantic.judges.judge import Judge
from semantic.judges.mixture import MixtureJudge
from semantic.matching import Matcher
from semantic.reading import read_page
from semantic.scorers.cash import Opic, Opie
from semantic.scorers.features import LinkReader
from semantic.scorers.inherited import BreadthFirst, PageRelevance
from semantic.scorers.prediction import LinkPrediction
from semantic.scorers.prior import Prior
from semantic.scorers.scorer import LinkScorer
from semantic.scorers.shark import Shark
from semantic.understanding import Reader, TopicUnderstanding
from semantic.wordtable import WordTable, build_word_table, keyword_table


@dataclass(frozen=True, slots=True)
class Parts:
    """What judges and scorers are made of."""

    topic: Topic
    lexicon: Lexicon
    table: WordTable
    matcher: Matcher
    parameters: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """`parameters` hold the defaults, named as in the source; `threshold` is one of every row."""

    summary: str
    judge: Callable[[Parts], Judge]
    scorer: Callable[[Parts], LinkScorer]
    parameters: Mapping[str, float] = field(default_factory=dict)


def _languages(parts: Parts) -> frozenset[str]:
    return frozenset({(word.language or "").split("-")[0] for word in parts.lexicon.words} - {""})


def _mixture(parts: Parts) -> Judge:
    return MixtureJudge(parts.topic, parts.table, _languages(parts), parts.parameters["threshold"])


def _fused(parts: Parts) -> LinkScorer:
    return Fused(parts.topic, parts.table, LinkReader(parts.matcher), _languages(parts))


def _cosine(parts: Parts) -> CosineJudge:
    return CosineJudge(parts.topic, parts.table, parts.parameters["threshold"])


def _keywords(parts: Parts) -> Judge:
    """Best-first as in the papers that compare with it: the page's cosine with the topic's keywords.

    Paper O gives formula 1 for keywords (2.1) and puts the ontology in afterwards (2.2, algorithm 2). So `best-first`
    and `ontology` have the same formula and the same scorer, and differ by what counts as an occurrence of a feature:
    its own name here, and there its synonyms and hyponyms, too.
    """
    keywords = keyword_table(parts.table, parts.lexicon, parts.topic)
    return CosineJudge(parts.topic, keywords, parts.parameters["threshold"])


def _shark(parts: Parts) -> LinkScorer:
    return Shark(LinkReader(parts.matcher), _cosine(parts).similarity, parts.parameters)


def _opie(parts: Parts) -> LinkScorer:
    return Opie(LinkReader(parts.matcher), _cosine(parts).similarity, parts.parameters)


def _prediction(parts: Parts) -> LinkScorer:
    given = parts.parameters
    return LinkPrediction(parts.table, given["alpha"], given["alpha_layer"], given["area"])


STRATEGIES: Mapping[str, StrategyRow] = {
    "fused": StrategyRow(
        "the default: evidence of many kinds about a link, joined by what this crawl has found behind its links",
        _mixture,
        _fused,
        {"threshold": 0.5},
    ),
    "fixed": StrategyRow(
        "words of anchor, context and address with the linking page's relevance, at fixed weights",
        _mixture,
        lambda parts: Prior(parts.table, LinkReader(parts.matcher), parts.parameters),
        {"threshold": 0.5, "page": 0.5, "context": 0.3, "address": 0.3, "layer": 0.1},
    ),
    "ontology": StrategyRow(
        "paper O without link prediction: a link takes its page's cosine relevance (formulas 1 and 2)",
        _cosine,
        lambda parts: PageRelevance(),
        {"threshold": 0.3},
    ),
    "ontology-links": StrategyRow(
        "paper O with link prediction (algorithm 3): links without topic or predecessor words are discarded",
        _cosine,
        _prediction,
        {"threshold": 0.3, "alpha": 2, "alpha_layer": 3, "area": 30},
    ),
    "best-first": StrategyRow(
        "a link takes its page's cosine with the topic's keywords (formula 1 of paper O without its ontology)",
        _keywords,
        lambda parts: PageRelevance(),
        {"threshold": 0.3},
    ),
    "shark": StrategyRow(
        "Hersovici et al. 1998: words in and around the anchor, and what relevant pages before hand down",
        _cosine,
        _shark,
        {"threshold": 0.3, "delta": 0.5, "beta": 0.8, "gamma": 0.8},
    ),
    "opic": StrategyRow(
        "Abiteboul et al. 2003: a page shares its cash equally among its links; most cash first",
        _mixture,
        lambda parts: Opic(),
        {"threshold": 0.5},
    ),
    "opie": StrategyRow(
        "Guan et al. 2008: as opic, but cash goes where anchor and page are similar to the topic",
        _cosine,
        _opie,
        {"threshold": 0.3, "anchor": 0.5, "off_topic": 0.5},
    ),
    "bfs": StrategyRow(
        "breadth-first: first in, first out", _mixture, lambda parts: BreadthFirst(), {"threshold": 0.5}
    ),
}


def build_understanding(  # noqa: PLR0913 - a row, the two things it is wired to, what a user may change
    strategy: str,
    topic: Topic,
    lexicon: Lexicon,
    threshold: float | None,
    parameters: Mapping[str, float],
    *,
    read: Reader = read_page,
) -> TopicUnderstanding:
    """Wire one row of the table; `read` makes pages of answers.

    Raises SettingsError for a strategy or parameter that is not in the table.
    """
    row = STRATEGIES.get(strategy)
    if row is None:
        raise SettingsError(f"no strategy is called '{strategy}'", _nearest(strategy, STRATEGIES))
    for name in parameters:
        if name not in row.parameters:
            raise SettingsError(f"strategy '{strategy}' has no parameter '{name}'", _nearest(name, row.parameters))
    chosen = {**row.parameters, **parameters}
    if threshold is not None:
        chosen["threshold"] = threshold
    parts = Parts(topic, lexicon, build_word_table(lexicon, topic), Matcher(lexicon), chosen)
    return TopicUnderstanding(lexicon, parts.table, parts.matcher, row.judge(parts), row.scorer(parts), read=read)


def _nearest(word: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(word, known, 1)
    return f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(known)}"
