"""One crawl of a task of ../shared/webs in virtual time, as `ontocrawl simulate` does it, of any strategy."""

import hashlib
import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.read_once import ReadOnce
from benchmarks.replayed import WEBS, topic_of
from cli.inputs.crawl_topic import About, read_about
from cli.inputs.seed_lists import read_seeds
from cli.lab.lab_tables import figures
from cli.lab.measured_crawl import Labels, Yardstick, crawl_recorded, make_yardstick, run_of
from crawler.engine.actions import Limits
from crawler.engine.crawl_records import Progress
from crawler.simulation.recorded_web import RecordedWeb, recorded_archive
from crawler.simulation.simulator import MEDIAN, latencies
from graphdb.record.sqlite_store import SqliteStore
from semantic.records import CrawlRecord
from semantic.strategies.strategy_table import build_understanding
from semantic.understanding import TopicUnderstanding


@dataclass(frozen=True)
class Variant:
    """A strategy built otherwise. `constants`: (module, name, value), set while it runs; `judge`: who judges pages."""

    name: str = ""
    parameters: tuple[tuple[str, float], ...] = ()
    constants: tuple[tuple[str, str, float], ...] = ()
    judge: str = ""


@dataclass(frozen=True)
class Job:
    """One run. `task`: web/name. With a `delay` (seconds) it has what a crawl has by default: sixteen connections,
    patience, and answers that take a spread of times. Without one it has one connection.
    """

    task: str
    strategy: str
    seed: int
    budget: int
    variant: Variant = Variant()
    delay: float = 0.0


def folder_of(task: str) -> Path:
    """The task's files."""
    web, _, name = task.partition("/")
    return WEBS / web / "tasks" / name


@dataclass(frozen=True)
class Bench:
    """What the runs of one task share."""

    about: About
    seeds: tuple[str, ...]
    web: RecordedWeb
    labels: Labels
    yardstick: Yardstick
    once: dict[str, ReadOnce]  # by who judges

    def read_once(self, judge: str) -> ReadOnce:
        """What runs with the same judge need not do again."""
        return self.once.setdefault(judge, ReadOnce(self.web.read))


@lru_cache(1)
def bench_of(task: str, budget: int, cache: Path) -> Bench:
    """Read a task's files, and its web by way of the cache."""
    folder = folder_of(task)
    seeds = read_seeds([str(folder / "seeds.txt")])
    web = RecordedWeb(
        recorded_archive(folder.parents[1] / "web.warc.xz", cache / folder.parents[1].name, lambda _: None)
    )
    ignored = folder / "ignore.txt"
    labels = Labels(web, _lines(folder / "targets.txt"), _lines(ignored) if ignored.exists() else ())
    limits = Limits(max_pages=budget, delay=0.0, connections=1, per_host=1)
    about = read_about(topic_of(folder), seeds)
    return Bench(about, seeds, web, labels, make_yardstick(web, labels, seeds, limits), {})


def _lines(path: Path) -> list[str]:
    lines = map(str.strip, path.read_text(encoding="utf-8-sig").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def measure(job: Job, bench: Bench, build: Callable[[Job, Bench], TopicUnderstanding]) -> dict[str, Any]:
    """One run in virtual time; `order` tells it from other orders."""
    if job.delay:
        limits = Limits(max_pages=job.budget, delay=job.delay)
        bench = replace(bench, yardstick=replace(bench.yardstick, limits=limits))
    once = bench.read_once(job.variant.judge)
    began = time.process_time() + once.spared
    with changed(job.variant.constants), once.sharing():
        understanding = build(job, bench)
        store, progress = crawled(job, bench, understanding)
    spent = time.process_time() + once.spared - began
    run = run_of((job.strategy, job.seed), store, progress, spent, bench.labels)
    (measured,) = bench.yardstick.measured([run])
    order = hashlib.sha256("\n".join(visit.url for visit in run.visits).encode()).hexdigest()[:12]
    return {**figures(measured), "order": order}


def crawled(
    job: Job, bench: Bench, understanding: TopicUnderstanding, latency: Callable[[], float] | None = None
) -> tuple[SqliteStore, Progress]:
    """The task's web in virtual time: its record, and how it ended. `latency`: the seconds of the
    next answer, if they are not to be log-normal.
    """
    about = bench.about
    record = CrawlRecord(
        id="bench",
        topic=about.iri,
        ontology=about.name,
        fingerprint=about.fingerprint,
        strategy=job.strategy,
        settings="{}",
        started_at="",
    )
    return crawl_recorded(
        bench.web,
        understanding,
        record,
        about,
        seeds=bench.seeds,
        limits=bench.yardstick.limits,
        observe=lambda _: None,
        latency=latency or latencies(MEDIAN, job.seed),
    )


def as_in_the_table(job: Job, bench: Bench) -> TopicUnderstanding:
    """The strategy by its row, with the variant's parameters."""
    about = bench.about
    return build_understanding(
        job.strategy,
        about.topic,
        about.lexicon,
        parameters=dict(job.variant.parameters),
        seeds=bench.seeds,
        seed=job.seed,
        read=bench.read_once(job.variant.judge).read,
    )


@contextmanager
def changed(constants: Sequence[tuple[str, str, Any]]) -> Iterator[None]:
    """Constants of modules have other values in the block."""
    before = [(importlib.import_module(module), name) for module, name, _ in constants]
    held = [getattr(module, name) for module, name in before]
    try:
        for (module, name), (_, _, value) in zip(before, constants, strict=True):
            setattr(module, name, value)
        yield
    finally:
        for (module, name), value in zip(before, held, strict=True):
            setattr(module, name, value)
