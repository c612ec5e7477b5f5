"""Every strategy goes on after a stop, with what it remembered, as if it had not stopped."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from frames_at_hand import understand

from examples.pages import answer
from examples.sites import ONTOLOGY, read_sites
from ontology.lexicon.lexicon import build_lexicon
from ontology.loading.ontology_reader import read_ontology
from ontology.topic import build_topic
from semantic.records import LinkGraph
from semantic.strategies.strategy_table import STRATEGIES, build_understanding
from semantic.understanding import TopicUnderstanding

STOP, END = 60, 120  # pages; the model is fitted before the stop and after it


@cache
def articles() -> list[tuple[str, bytes]]:
    """Pages of the demonstration web, of all its sites in turn."""
    sites = read_sites()
    urls = sorted((path, f"http://{site.host}{path}") for site in sites.values() for path in site.articles)
    return [(url, answer(sites, url).body) for _, url in urls[:END]]


@cache
def of_the_topic() -> tuple[Any, Any]:
    ontology = read_ontology(ONTOLOGY)
    topic = build_topic(ontology)
    return topic, build_lexicon(ontology, topic, None)


def begun(strategy: str) -> TopicUnderstanding:
    return build_understanding(strategy, *of_the_topic(), seeds=[url for url, _ in articles()[:3]])


def crawled(understanding: TopicUnderstanding, first: int, last: int) -> list[object]:
    """The relevance and links of each of these pages, and the priorities that change; every tenth address has moved.

    Not which judgements change: after a stop a judge does not know what it has reported, and reports all of them.
    """
    said: list[object] = []
    for number, (url, body) in enumerate(articles()[first:last], first):
        understanding.scorer.choose([url])
        one = understand(understanding, body, url)
        understanding.rejudged()
        said.append((one.relevance, one.links))
        if number % 10 == 9:
            understanding.forget(one.links[0].url if one.links else f"{url}/no", f"{url}/moved")
        if understanding.scorer.wants_graph():
            understanding.scorer.receive_graph(graph_of([url for url, _ in articles()[: number + 1]]))
        said.append({url: place.score for url, place in understanding.revise().items()})
    return said


def graph_of(urls: Sequence[str]) -> LinkGraph:
    """Each page links to the next; every third is a result."""
    return LinkGraph(tuple(urls), tuple(pairwise(urls)), frozenset(urls[::3]), frozenset(urls[:1]))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_resumed_strategy_goes_on_in_the_same_order(strategy):
    whole, stopped, resumed = begun(strategy), begun(strategy), begun(strategy)
    crawled(whole, 0, STOP)
    crawled(stopped, 0, STOP)
    resumed.restore(stopped.remember())
    assert resumed.remember() == stopped.remember()
    assert crawled(resumed, STOP, END) == crawled(whole, STOP, END)
    assert resumed.remember() == whole.remember()
