"""A simulated crawl, and its results measured against labels: harvest, recall, area and share of the oracle."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from cli.crawling.crawl import seed_records
from cli.inputs.crawl_topic import About
from cli.render.language import tr
from cli.render.live_progress import Observe
from crawler.engine.actions import Limits
from crawler.engine.coverage_goal import Coverage, goals_of
from crawler.engine.crawl_records import Progress
from crawler.engine.session import Session
from crawler.frontier.scope import Scope
from crawler.simulation.order_measures import MARKS, Links, area, breadth_first, found_after, oracle
from crawler.simulation.recorded_web import RecordedWeb
from crawler.simulation.simulator import seconds_since_begin, simulate
from graphdb.record.reading import reasons_in, texts
from graphdb.record.sql_statements import sql
from graphdb.record.sqlite_store import SqliteStore, open_record
from ontology.messages import SEMICOLON, joined, message
from semantic.reasons import Evidence, Reason, Reasons, sentence
from semantic.records import CrawlRecord
from semantic.understanding import Understanding

TARGETS = "targets"
JUDGE = "judge"
NOTES = {
    TARGETS: message("A result is a page that the file of targets names."),
    JUDGE: message(
        "No targets were given: a result is a page that the default strategy's judge (without an ontology, that of "
        "customised) calls on topic where it reads the web breadth-first; the same pages for all. "
        "Figures tell how fast "
        "each strategy finds them, not how right the judge is."
    ),
}


class Labels:
    """Which pages are results. `kind`: their source, TARGETS (a file) or JUDGE (`cli.lab.judge_labels`)."""

    def __init__(
        self, web: RecordedWeb, results: Iterable[str], ignored: Iterable[str] = (), *, kind: str = TARGETS
    ) -> None:
        self._web = web
        self._names: dict[str, str] = {}
        self.kind = kind
        self.note = NOTES[kind]
        self.results = {web.page_name(url) for url in results} & web.links.keys()
        self.ignored = {web.page_name(url) for url in ignored}
        self._of_text: dict[str, set[str]] = {}
        for result in self.results:
            for name in web.same_text(result):
                self._of_text.setdefault(name, set()).add(result)

    def found_with(self, name: str) -> frozenset[str]:
        """The results with the same text as the page of this name: itself, and pages that it is a copy of."""
        return frozenset(self._of_text.get(name, ()))

    def name(self, url: str) -> str:
        """The name under which an address is compared with labels."""
        name = self._names.get(url)
        if name is None:  # cached, because every strategy meets the same addresses
            name = self._names[url] = self._web.page_name(url)
        return name


@dataclass(frozen=True, slots=True)
class Visit:
    """A fetched page, copies included, by rank from 1. `seconds`: after the beginning, in virtual time.

    `link`: the anchor of the link that led there, and why it was chosen. `targets`: results found with it, because it
    or a copy of it is one; each result is found only once.
    """

    rank: int
    seconds: float
    url: str
    name: str
    priority: float
    relevance: float
    on_topic: bool
    targets: frozenset[str]
    reasons: Reasons
    link: Evidence
    concepts: frozenset[str]
    is_copy: bool
    has_result: bool  # whether its text is that of a result, found before or not

    @property
    def is_target(self) -> bool:
        """Whether a result is found with it."""
        return bool(self.targets)

    @property
    def by_copy(self) -> int:
        """How many results are found with it that have another address."""
        return len(self.targets - {self.name})


@dataclass(frozen=True, slots=True)
class Run:
    """One strategy with one random seed. `missed`: name of a known page that was not fetched -> why."""

    strategy: str
    seed: int
    visits: tuple[Visit, ...]
    missed: Mapping[str, str]
    progress: Progress
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Results found after 1, 2, ... pages, and the area under that curve (`crawler.simulation.order_measures`)."""

    found: Sequence[int]
    area: float


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of a run; shares from 0 to 1.

    - `precision`, `recall`, `h`: the judge as a filter; None if the judge's verdict is the label.
    - `by_copy`: of the targets found, how many through a copy of them.
    - `per_hour`: results in an hour of polite crawling; None without a delay.
    - `by_minute`: results found after 1, 2, ... minutes of crawling, in virtual time.
    """

    run: Run
    curve: Curve
    of_oracle: float
    by_copy: int
    harvest: Mapping[int, float]
    target_recall: Mapping[int, float]
    precision: float | None
    recall: float | None
    h: float | None
    per_hour: float | None
    by_minute: Sequence[int]

    @property
    def name(self) -> str:
        """Strategy and random seed."""
        return f"{self.run.strategy} ({self.run.seed})"

    def line(self) -> str:
        """The run in one line for people."""
        covered = self.run.progress.covered
        last = max(self.harvest)
        return tr(
            "{name:<22} {number:>6} pages  harvest {harvest:.3f}  recall {target_recall:.3f}  area {area:.3f}  "
            "of oracle {of_oracle:.3f}  {copies} copies ({by_copy} targets by a copy)  {cpu_seconds:.1f} s "
            "CPU{covered}",
            name=self.name,
            number=len(self.run.visits),
            harvest=self.harvest[last],
            target_recall=self.target_recall[last],
            area=self.curve.area,
            of_oracle=self.of_oracle,
            copies=self.run.progress.copies,
            by_copy=self.by_copy,
            cpu_seconds=self.run.cpu_seconds,
            covered=f"  {covered[0]} of {covered[1]} concepts covered" if covered else "",
        )


@dataclass(frozen=True)
class Yardstick:
    """What all runs of a lab are measured against."""

    labels: Labels
    limits: Limits
    reachable: frozenset[str]
    oracle: Curve
    breadth_first: Curve

    @cached_property
    def marks(self) -> tuple[int, ...]:
        """The numbers of pages at which curves are read."""
        most = self.limits.max_pages
        return (*(mark for mark in MARKS if mark < most), most)

    def measured(self, runs: Sequence[Run]) -> list[Measured]:
        """The figures of each run."""
        return [self._measure(run) for run in runs]

    def _measure(self, run: Run) -> Measured:
        visits = [visit for visit in run.visits if visit.name not in self.labels.ignored]
        hits = [len(visit.targets & self.reachable) for visit in visits]
        curve = _curve(hits, len(self.reachable), self.limits.max_pages)
        found = {mark: sum(visit.is_target for visit in visits[:mark]) for mark in self.marks}
        all_found = {mark: sum(len(visit.targets) for visit in visits[:mark]) for mark in self.marks}
        hours = run.progress.seconds / 3600
        total = sum(visit.is_target for visit in visits)
        return Measured(
            run,
            curve,
            curve.area / self.oracle.area if self.oracle.area else 0.0,
            sum(visit.by_copy for visit in visits),
            {mark: count / mark for mark, count in found.items()},
            {mark: count / max(1, len(self.labels.results)) for mark, count in all_found.items()},
            *_filter(visits, self.labels.kind),
            total / hours if self.limits.delay > 0 else None,
            _by_minute(visits, hits, run.progress.seconds),
        )


def make_yardstick(web: RecordedWeb, labels: Labels, seeds: Iterable[str], limits: Limits) -> Yardstick:
    """Oracle and breadth-first on the recorded links within scope, without a limit of depth."""
    names = [web.page_name(url) for url in seeds]
    links = links_in_scope(web, limits.scope)
    walk = breadth_first(links, names)
    reachable = labels.results & set(walk)
    most = limits.max_pages
    best = oracle(links, reachable, names, most)
    orders = ([name for name in order if name not in labels.ignored] for order in (best, walk))
    curves = [_curve(_hits(order, labels, reachable), len(reachable), most) for order in orders]
    return Yardstick(labels, limits, frozenset(reachable), *curves)


def links_in_scope(web: RecordedWeb, scope: Scope) -> Links:
    """The recorded links to pages in a crawl's scope, which is checked by their recorded addresses."""
    if scope.is_everywhere:
        return web.links
    allowed = {name for name in web.links if not scope.why_outside(web.address(name))}
    return {name: [target for target in links if target in allowed] for name, links in web.links.items()}


def _hits(order: Iterable[str], labels: Labels, reachable: Set[str]) -> list[int]:
    """For each page, how many reachable results it finds that no earlier page has found."""
    left, hits = set(reachable), []
    for name in order:
        found = labels.found_with(name) & left
        left -= found
        hits.append(len(found))
    return hits


def crawl_recorded(  # noqa: PLR0913 - what a crawl is made of
    web: RecordedWeb,
    understanding: Understanding,
    record: CrawlRecord,
    about: About,
    *,
    seeds: Sequence[str],
    limits: Limits,
    observe: Observe,
    latency: Callable[[], float],
    until_covered: int | None = None,
) -> tuple[SqliteStore, Progress]:
    """Crawl a recorded web in virtual time. Gives the record, which is in memory, and how the crawl ended. `latency`:
    the seconds that the next answer takes.
    """
    store = open_record(":memory:")
    resumed = store.open_crawl(record, about.concepts, seed_records(seeds))
    coverage = None if until_covered is None else Coverage(goals_of(about.concepts), until_covered)
    session = Session(
        understanding, limits, resumed, store.queued(), store.known(), remembers=False, coverage=coverage, store=store
    )
    progress = simulate(session, web.answer, store, observe, latency)
    return store, progress


def run_of(name: tuple[str, int], store: SqliteStore, progress: Progress, cpu_seconds: float, labels: Labels) -> Run:
    """Read from the record what is compared between runs.

    Copies count as fetched pages: they cost a request, and anyone who judges a crawl by its requests counts them.
    """
    left = set(labels.results)
    visits: list[Visit] = []
    for rank, row in enumerate(store.read(sql("lab")["fetched"]), 1):
        targets = labels.found_with(labels.name(row["url"])) & left
        left -= targets
        visits.append(_visit(rank, row, labels, targets))
    missed = {
        labels.name(row["url"]): _why_missed(row)
        for row in store.read(sql("lab")["missed"])
        if labels.name(row["url"]) in left
    }
    return Run(*name, tuple(visits), missed, progress, cpu_seconds)


def concepts_found(run: Run) -> Counter[str]:
    """Concept -> number of results of the run that mention it."""
    return Counter(concept for visit in run.visits if visit.is_target for concept in visit.concepts)


def _why_missed(row: Mapping[str, Any]) -> str:
    if row["outside"] is not None:
        return message("out of scope: {why}", why=row["outside"])
    if row["depth"] is None:
        return message("all links to it were discarded")
    if row["status"] == "queued":
        return message("waiting with priority {priority:.3f}", priority=row["priority"])
    return message(
        "{what}: {detail}",
        what=message(row["status"]),
        detail=joined(map(sentence, reasons_in(row["reasons"])), SEMICOLON),
    )


def _visit(rank: int, row: Mapping[str, Any], labels: Labels, targets: frozenset[str]) -> Visit:
    name = labels.name(row["url"])
    why = reasons_in(row["chosen"]) or reasons_in(row["link_reasons"])
    led: Evidence = (Reason("a seed"),) if row["anchor"] is None else (f"“{row['anchor']}”", *why)
    return Visit(
        rank,
        seconds_since_begin(row["fetched_at"]),
        row["url"],
        name,
        row["priority"],
        row["relevance"],
        bool(row["on_topic"]),
        targets,
        reasons_in(row["reasons"]),
        led,
        frozenset(texts(row["concepts"])),
        bool(row["is_copy"]),
        bool(labels.found_with(name)),
    )


def _curve(hits: Sequence[int], reachable: int, most: int) -> Curve:
    found = found_after(hits, most)
    return Curve(found, area(found, reachable))


def _by_minute(visits: Sequence[Visit], hits: Sequence[int], seconds: float) -> list[int]:
    """The number of results found after 1, 2, ... minutes."""
    found = [0] * (int(seconds // 60) + 1)
    for visit, hit in zip(visits, hits, strict=True):
        found[min(len(found) - 1, int(visit.seconds // 60))] += hit
    return list(accumulate(found))


def _filter(visits: Sequence[Visit], kind: str) -> tuple[float | None, float | None, float | None]:
    """Precision, recall and their harmonic mean of the judge, on the pages that are no copies."""
    if kind == JUDGE:
        return None, None, None
    visits = [visit for visit in visits if not visit.is_copy]
    both = sum(visit.on_topic and visit.has_result for visit in visits)
    precision = both / max(1, sum(visit.on_topic for visit in visits))
    recall = both / max(1, sum(visit.has_result for visit in visits))
    return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0
