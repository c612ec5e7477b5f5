"""Builds the judges and scorers of `strategy_table` from topic, words and parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ontology.lexicon.lexicon import Lexicon
from ontology.topic import Topic
from semantic.analyst import Analyst, concepts_of
from semantic.languages.page_meaning import page_meaning
from semantic.languages.sentence_encoder import find_encoder
from semantic.links.link_reading import LinkReader, LinkRowsReader
from semantic.links.link_scorer import LinkScorer
from semantic.relevance.default_judge import MixtureJudge
from semantic.relevance.judge_protocol import Judge
from semantic.strategies.adaptive.adaptive_judge import AdaptiveJudge
from semantic.strategies.adaptive.tunnelling import Tunnelling
from semantic.strategies.baselines.context_graph import ContextGraph
from semantic.strategies.baselines.opic import Opie
from semantic.strategies.baselines.shark_search import Shark
from semantic.strategies.customised.centre_judge import CentreJudge
from semantic.strategies.fused.fused_scorer import Fused
from semantic.strategies.fused.link_learner import weights_of
from semantic.strategies.jlse.anchor_bayes import AnchorBayes
from semantic.strategies.jlse.joint_similarity import JointLinks
from semantic.strategies.jlse.result_judge import ResultJudge
from semantic.strategies.ontology_based.cosine_judge import CosineJudge
from semantic.strategies.ontology_based.link_prediction import LinkPrediction
from semantic.terms.bag_of_words import WordReader
from semantic.terms.term_matching import Matcher, WordTable, keyword_table
from semantic.terms.topic_counts import features_of
from semantic.understanding import Samples


@dataclass(frozen=True, slots=True)
class Parts:
    """What judges and scorers are built from. `judge`: the row's judge, once it is built, for a scorer that needs it.

    `seed`: of the random numbers that break ties. `listings`: whether the default judge takes listings for results.
    """

    topic: Topic
    lexicon: Lexicon
    table: WordTable
    matcher: Matcher
    parameters: Mapping[str, float]
    samples: Samples
    words: WordReader
    seed: int = 0
    judge: Judge | None = None
    listings: bool = False


def analyst_of(parts: Parts, judge: Judge, scorer: LinkScorer) -> Analyst:
    """The analyst that makes frames for this judge and scorer. It gets only the columns of the table that it needs,
    because it is sent to another process.
    """
    table = replace(parts.table, features=(), names={}, captions={})
    encoder = find_encoder() if judge.reads_frames else None
    features = features_of(parts.table)
    reader = LinkRowsReader(table, LinkReader(parts.matcher)) if scorer.reads_rows else None
    return Analyst(
        parts.matcher,
        table,
        concepts_of(parts.lexicon),
        _languages(parts.lexicon),
        hashes=judge.takes_marks,
        tree=scorer.tree,
        read_links=reader.read if reader else None,
        keeps_page=not (judge.reads_frames and scorer.reads_rows),
        meaning=page_meaning(parts.topic, parts.lexicon, parts.table, features, encoder) if encoder else None,
    )


def _languages(lexicon: Lexicon) -> frozenset[str]:
    return frozenset({(word.language or "").split("-")[0] for word in lexicon.words} - {""})


def mixture(parts: Parts) -> Judge:
    """The default judge, with the row's threshold."""
    given, languages = parts.parameters, _languages(parts.lexicon)
    trains = given.get("self_training", 0) > 0
    return MixtureJudge(parts.topic, parts.table, languages, given["threshold"], trains=trains, listings=parts.listings)


def mixture_judge(topic: Topic, lexicon: Lexicon, table: WordTable) -> MixtureJudge:
    """The default judge for an ontology, without training."""
    return MixtureJudge(topic, table, _languages(lexicon))


def fused(parts: Parts) -> LinkScorer:
    """The default strategy's scorer, connected with its judge."""
    judge = parts.judge
    assert isinstance(judge, MixtureJudge)
    scorer = Fused(judge, weights_of(parts.parameters), parts.seed)
    judge.use_links(scorer)
    return scorer


def cosine(parts: Parts) -> CosineJudge:
    """Paper O's judge."""
    return CosineJudge(parts.topic, parts.table, parts.parameters["threshold"])


def keywords(parts: Parts) -> Judge:
    """Best-first as paper O compares with it: the page's cosine with the topic's keywords.

    It is not the best-first of paper C, which is trained on a corpus of pages on and off topic (tf-idf of chosen
    words). Paper O gives formula 1 for keywords (2.1) and adds the ontology afterwards (2.2, algorithm 2). So
    `best-first` and `ontology` have the same formula and the same scorer. They differ in what counts as an occurrence
    of a feature: here its own name, there its synonyms and hyponyms as well.
    """
    table = keyword_table(parts.table, parts.lexicon, parts.topic)
    return CosineJudge(parts.topic, table, parts.parameters["threshold"])


def shark(parts: Parts) -> LinkScorer:
    """Shark search, with paper O's cosine as similarity."""
    return Shark(LinkReader(parts.matcher), cosine(parts).similarity, parts.parameters)


def opie(parts: Parts) -> LinkScorer:
    """OPIE, with paper O's cosine as similarity."""
    return Opie(LinkReader(parts.matcher), cosine(parts).similarity, parts.parameters)


def centre(parts: Parts) -> Judge:
    """Paper C's judge."""
    given = parts.parameters
    return CentreJudge(parts.samples, parts.words, given["threshold"], given["like"], int(given["features"]))


def anchors(parts: Parts) -> AnchorBayes:
    """sim_anchor of paper J; until it has samples, paper O's cosine of the anchor."""
    similarity = CosineJudge(parts.topic, parts.table).similarity
    return AnchorBayes(parts.samples, parts.words, LinkReader(parts.matcher), similarity)


def context_graph(parts: Parts) -> LinkScorer:
    """The context graph's scorer, whose layers are learned from samples."""
    given = parts.parameters
    return ContextGraph(parts.samples, parts.words, int(given["N"]), given["posterior"], int(given["documents"]))


def tunnelling(parts: Parts) -> LinkScorer:
    """Paper A's scorer; its f is the judge's current threshold."""
    judge = parts.judge
    assert isinstance(judge, AdaptiveJudge)
    return Tunnelling(lambda: judge.thd, parts.samples.is_seed, parts.parameters["d"], parts.parameters["r"])


def results(parts: Parts) -> Judge:
    """Paper J's judge of results."""
    return ResultJudge(parts.samples, parts.words, parts.parameters["threshold"])


def joint(parts: Parts) -> LinkScorer:
    """Paper J's scorer; with cf = 0 it is ATA."""
    judge = parts.judge
    assert isinstance(judge, ResultJudge)
    return JointLinks(anchors(parts), judge.expands, parts.words, {"cf": 0, **parts.parameters})


def prediction(parts: Parts) -> LinkScorer:
    """Algorithm 3 of paper O."""
    return LinkPrediction(parts.table, parts.parameters, parts.samples.is_seed)
