"""An expert who marks pages by a task's labels, as `ontocrawl review` asks: ten at a time."""

from collections.abc import Mapping, MutableMapping
from typing import Any

from benchmarks.lab_runs import Bench, Job, as_in_the_table
from cli.lab import Labels
from cli.marking import Verdict, next_to_review
from crawler.recorded import RecordedWeb
from semantic.page import Page
from semantic.relevance import Priority
from semantic.understanding import TopicUnderstanding, Understood

THRESHOLD = 0.5
MARKED = "marks"  # name of the variant
AFTER, ROUNDS = 200, 2  # pages after which the expert is asked, how often in a row


def is_result(labels: Labels, url: str) -> bool:
    """Whether the label says so."""
    return labels.name(url) in labels.results


def asked(scores: Mapping[str, float], marks: Mapping[str, bool]) -> list[str]:
    """The next ten pages."""
    verdicts = {
        url: Verdict(url, "", score, score >= THRESHOLD, "good" if url in marks else "")
        for url, score in scores.items()
    }
    return [verdict.url for verdict in next_to_review(verdicts, THRESHOLD)]


def teach(
    understanding: TopicUnderstanding, web: RecordedWeb, marks: Mapping[str, bool], scores: MutableMapping[str, float]
) -> None:
    """Let the marks count; `scores`: the relevance of all pages, brought up to date."""

    def read(url: str) -> Page:
        return web.read(b"", url, {})

    understanding.teach(marks, lambda: map(read, list(scores)))
    scores |= {record.url: record.relevance for record in understanding.settle() if record.url in scores}


class Reviewed:
    """A crawl that stops after `AFTER` pages for twenty marks, and goes on with the places that follow."""

    def __init__(self, understanding: TopicUnderstanding, bench: Bench) -> None:
        self._understanding, self._bench = understanding, bench
        self._understand, self._revise = understanding.understand, understanding.revise
        self._scores: dict[str, float] = {}
        self._is_done = False

    def understand(self, *given: Any) -> Understood:
        """Takes note of the page."""
        understood = self._understand(*given)
        page = understood.page
        if not (page.source or page.noindex or self._bench.labels.name(page.url) in self._bench.labels.ignored):
            self._scores[page.url] = understood.relevance.score
        return understood

    def revise(self) -> Mapping[str, Priority]:
        """Once, the places by the marks."""
        if self._is_done or len(self._scores) < AFTER:
            return self._revise()
        self._is_done = True
        marks: dict[str, bool] = {}
        self._scores |= {
            record.url: record.relevance for record in self._understanding.settle() if record.url in self._scores
        }
        for _ in range(ROUNDS):
            marks |= {url: is_result(self._bench.labels, url) for url in asked(self._scores, marks)}
            teach(self._understanding, self._bench.web, marks, self._scores)
        return dict(self._understanding.places()) | dict(self._revise())


def marked(job: Job, bench: Bench) -> TopicUnderstanding:
    """The strategy by its row, with an expert beside it."""
    understanding = as_in_the_table(job, bench)
    expert = Reviewed(understanding, bench)
    for name in ("understand", "revise"):
        setattr(understanding, name, getattr(expert, name))
    return understanding
