"""An expert who marks pages by a task's labels, as `ontocrawl review` asks: ten at a time."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import partial

from benchmarks.lab_runs import Bench, Job, as_in_the_table
from cli.explaining.recorded_verdicts import Verdict
from cli.lab.measured_crawl import Labels
from cli.marking.marking import next_to_review
from crawler.simulation.recorded_web import RecordedWeb
from graphdb.record.sqlite_store import SqliteStore
from semantic.frame import Frame
from semantic.reasons import PageError
from semantic.records import Priority
from semantic.understanding import Answer, TopicUnderstanding, Understood

THRESHOLD = 0.5
MARKED = "marks"  # name of the variant
AFTER, ROUNDS = 200, 2  # pages after which the expert is asked, how often in a row


def is_result(labels: Labels, url: str) -> bool:
    """Whether the label says so."""
    return labels.name(url) in labels.results


def relevance_of(store: SqliteStore, labels: Labels) -> dict[str, float]:
    """Of the pages that a lab crawl fetched and that have a label. A page that asks not to be a result (noindex) is
    judged once, when it comes; it has no content.
    """
    fetched = store.read(
        'SELECT url, relevance FROM pages JOIN contents ON page = id WHERE "order" IS NOT NULL ORDER BY id'
    )
    return {row["url"]: row["relevance"] for row in fetched if labels.name(row["url"]) not in labels.ignored}


def reviewed(scores: Mapping[str, float], marks: Mapping[str, bool], is_good: Callable[[str], bool]) -> dict[str, bool]:
    """The marks of the next round."""
    verdicts = {
        url: Verdict(url, "", score, score >= THRESHOLD, {True: "good", False: "bad", None: ""}[marks.get(url)])
        for url, score in scores.items()
    }
    new: dict[str, bool] = {}
    for verdict in next_to_review(verdicts, THRESHOLD, new):
        new[verdict.url] = is_good(verdict.url)
    return new


def teach(
    understanding: TopicUnderstanding, web: RecordedWeb, marks: Mapping[str, bool], scores: MutableMapping[str, float]
) -> None:
    """Let the marks count; `scores`: the relevance of all pages, brought up to date."""

    def read(url: str) -> Frame:
        return understanding.analyst.frame(web.read(b"", url, {}))

    understanding.teach(marks, lambda: map(read, list(scores)))
    bring_up_to_date(scores, understanding)


def bring_up_to_date(scores: MutableMapping[str, float], understanding: TopicUnderstanding) -> None:
    """Let `scores` have the relevance of its pages by all that is known now."""
    scores.update({record.url: record.relevance for record in understanding.settle() if record.url in scores})


class Watched:
    """A crawl with somebody beside it: `scores` has the relevance of all pages, `visit` is called after each."""

    def __init__(self, understanding: TopicUnderstanding, bench: Bench) -> None:
        self.understanding, self.bench = understanding, bench
        self.scores: dict[str, float] = {}
        self._understand, self._revise = understanding.understand, understanding.revise
        understanding.understand = self._noted  # type: ignore[method-assign]
        understanding.revise = self._visited  # type: ignore[method-assign]

    def visit(self) -> Mapping[str, Priority]:
        """New places of links, if any."""
        return {}

    def look(self) -> dict[str, float]:
        """The relevance of all pages by what is known now."""
        bring_up_to_date(self.scores, self.understanding)
        return dict(self.scores)

    def _noted(self, answers: Sequence[Answer]) -> list[Understood | PageError]:
        found = self._understand(answers)
        for read in found:
            if isinstance(read, Understood):
                frame = read.frame
                if not (
                    frame.source or frame.noindex or self.bench.labels.name(frame.url) in self.bench.labels.ignored
                ):
                    self.scores[frame.url] = read.relevance.score
        return found

    def _visited(self) -> Mapping[str, Priority]:
        return {**self.visit(), **self._revise()}


class Reviewed(Watched):
    """After `AFTER` pages twenty are marked, and the crawl goes on with the places that follow."""

    _is_done = False

    def visit(self) -> Mapping[str, Priority]:
        """The places by the marks, once."""
        if self._is_done or len(self.scores) < AFTER:
            return {}
        self._is_done = True
        marks: dict[str, bool] = {}
        self.look()
        for _ in range(ROUNDS):
            marks |= reviewed(self.scores, marks, partial(is_result, self.bench.labels))
            teach(self.understanding, self.bench.web, marks, self.scores)
        return dict(self.understanding.places())


def marked(job: Job, bench: Bench) -> TopicUnderstanding:
    """The strategy by its row, with an expert beside it."""
    return Reviewed(as_in_the_table(job, bench), bench).understanding
