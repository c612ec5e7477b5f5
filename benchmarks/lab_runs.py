"""Crawls of the tasks of ../shared/webs in virtual time, as `ontocrawl simulate` does them, each kept when it is done.

A run is found again in `benchmarks/measured.tsv` by what it depends on (the code, the task's files, the parameters), so
nothing is measured twice, and what was interrupted continues.
"""

import hashlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import TypeVar

from benchmarks import measured
from benchmarks.measured import ROOT, Measured, code_of
from benchmarks.replayed import WEBS, topic_of
from cli.inputs.crawl_topic import About, read_about
from cli.inputs.seed_lists import read_seeds
from cli.lab import measured_crawl as lab
from cli.lab.measured_crawl import Labels, Run, Yardstick, crawl_recorded, make_yardstick, run_of
from crawler.engine.actions import Limits
from crawler.simulation.recorded_web import RecordedWeb, recorded_archive
from crawler.simulation.simulator import MEDIAN, latencies
from graphdb.record.sqlite_store import SqliteStore
from semantic.records import CrawlRecord
from semantic.strategies.strategy_table import build_understanding
from semantic.understanding import Examples, TopicUnderstanding

OUT = ROOT / "bench-out" / "lab"
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Job:
    """One run. `task`: web/name. With a `delay` (seconds) it has what a crawl has by default: sixteen connections,
    patience, and answers that take a spread of times. Without one it has one connection. `variant` names `parameters`.
    `encodes`: whether pages are compared by meaning, too, where an encoder is installed.
    """

    task: str
    strategy: str
    seed: int
    budget: int
    delay: float = 0.0
    variant: str = ""
    parameters: tuple[tuple[str, float], ...] = ()
    encodes: bool = True

    @property
    def run(self) -> measured.Run:
        """As in `benchmarks/measured.tsv`."""
        how = f"delay {self.delay:g}" if self.delay else ""
        return self.task, self.strategy, f"{self.variant} {how}".strip(), self.seed, self.budget

    @property
    def code(self) -> str:
        """The hash of all that it depends on."""
        given = (*self.parameters, ("delay", self.delay))
        return hashlib.sha256(f"{code_now()} {given} {_inputs(self.task)}".encode()).hexdigest()[:12]


@cache
def code_now() -> str:
    """The hash of the code that crawls in the lab."""
    return code_of()


@cache
def _inputs(task: str) -> str:
    folder, digest = folder_of(task), hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()} {(folder.parents[1] / 'web.warc.xz').stat().st_size}"


def folder_of(task: str) -> Path:
    """The task's files."""
    web, _, name = task.partition("/")
    return WEBS / web / "tasks" / name


def tasks(chosen: str) -> list[str]:
    """The tasks whose names begin with one of these, a comma between them."""
    found = sorted((path.parent.parent.name, path.name) for path in WEBS.glob("*/tasks/*"))
    return [name for name in map("/".join, found) if name.startswith(tuple(chosen.split(",")))]


@dataclass(frozen=True)
class Bench:
    """What the runs of one task share."""

    about: About
    seeds: tuple[str, ...]
    web: RecordedWeb
    labels: Labels
    yardstick: Yardstick

    def limited(self, limits: Limits) -> "Bench":
        """The same with other limits of the crawl."""
        return replace(self, yardstick=replace(self.yardstick, limits=limits))


@lru_cache(1)
def bench_of(task: str, budget: int) -> Bench:
    """Read a task's files, and its web by way of a cache. Without a delay, and with one connection."""
    folder = folder_of(task)
    archive = folder.parents[1] / "web.warc.xz"
    seeds = read_seeds([str(folder / "seeds.txt")])
    web = RecordedWeb(recorded_archive(archive, OUT / "cache" / folder.parents[1].name, lambda _: None))
    ignored = folder / "ignore.txt"
    labels = Labels(web, _lines(folder / "targets.txt"), _lines(ignored) if ignored.exists() else ())
    limits = Limits(max_pages=budget, delay=0.0, connections=1, per_host=1)
    return Bench(read_about(topic_of(folder), seeds), seeds, web, labels, make_yardstick(web, labels, seeds, limits))


def _lines(path: Path) -> list[str]:
    lines = map(str.strip, path.read_text(encoding="utf-8-sig").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


@dataclass(frozen=True)
class Crawled:
    """A run's record, what the strategy has learned, and the figures beside the oracle's."""

    store: SqliteStore
    understanding: TopicUnderstanding
    run: Run
    figures: lab.Measured


def understanding_of(job: Job, bench: Bench, examples: Examples | None = None) -> TopicUnderstanding:
    """The job's strategy by its row."""
    understanding = build_understanding(
        job.strategy,
        bench.about.topic,
        bench.about.lexicon,
        parameters=dict(job.parameters),
        seeds=bench.seeds,
        examples=examples,
        seed=job.seed,
        read=bench.web.read,
    )
    if not job.encodes:
        understanding.analyst = replace(understanding.analyst, meaning=None)
    return understanding


def crawl_task(
    job: Job, bench: Bench, examples: Examples | None = None, latency: Callable[[], float] | None = None
) -> Crawled:
    """One run in virtual time. `latency`: the seconds of the next answer, if they are not to be log-normal."""
    about, began = bench.about, time.process_time()
    understanding = understanding_of(job, bench, examples)
    record = CrawlRecord(
        id="bench",
        topic=about.iri,
        ontology=about.name,
        fingerprint=about.fingerprint,
        strategy=job.strategy,
        settings="{}",
        started_at="",
    )
    store, progress = crawl_recorded(
        bench.web,
        understanding,
        record,
        about,
        seeds=bench.seeds,
        limits=bench.yardstick.limits,
        observe=lambda _: None,
        latency=latency or latencies(MEDIAN, job.seed),
    )
    run = run_of((job.strategy, job.seed), store, progress, time.process_time() - began, bench.labels)
    return Crawled(store, understanding, run, bench.yardstick.measured([run])[0])


def measure(job: Job) -> Measured:
    """One run, as a line of `benchmarks/measured.tsv`."""
    bench = bench_of(job.task, job.budget)
    if job.delay:
        bench = bench.limited(Limits(max_pages=job.budget, delay=job.delay))
    done = crawl_task(job, bench)
    run, figures = done.run, done.figures
    return Measured(
        *(*job.run, job.code, code_now(), commit_now()),
        pages=len(run.visits),
        of_oracle=round(figures.of_oracle, 4),
        cpu_ms=round(1000 * run.cpu_seconds / max(1, len(run.visits)), 2),
        order=hashlib.sha256("\n".join(visit.url for visit in run.visits).encode()).hexdigest()[:12],
        copies=run.progress.copies,
        by_copy=figures.by_copy,
        seconds=round(run.progress.seconds, 2),
    )


def kept(jobs: Sequence[Job], *, stale: bool = False) -> dict[Job, Measured]:
    """Runs that were measured; `stale`: where there is none of this code, the last of another will do."""
    lines: dict[measured.Run, list[Measured]] = {}
    for one in measured.read_measured():
        lines.setdefault(one.run, []).append(one)
    found = {}
    for job in jobs:
        of_run = lines.get(job.run, [])
        if of_code := [one for one in of_run if one.code == job.code] or (of_run if stale else []):
            found[job] = of_code[-1]
    return found


def run_all(jobs: Sequence[Job], processes: int, *, stale: bool) -> None:
    """Measure what is not kept, a task in one process; prints every run. Ctrl-C loses only the runs under way."""
    done = kept(jobs, stale=stale)
    missing = [job for job in dict.fromkeys(jobs) if job not in done]
    print(f"{len(done)} runs are kept, {len(missing)} are to be done", flush=True)
    of_tasks = [tuple(job for job in missing if job.task == task) for task in sorted({job.task for job in missing})]
    began, runs = time.monotonic(), 0
    for those, _ in side_by_side(_measure_all, of_tasks, processes):
        runs += len(those)
        left = (time.monotonic() - began) / runs * (len(missing) - runs)
        print(f"{runs} of {len(missing)} runs; {left / 60:.0f} minutes left", flush=True)


def _measure_all(jobs: Sequence[Job]) -> None:
    """Measure jobs of one task, and keep each as soon as it is done."""
    for job in jobs:
        found = measure(job)
        measured.add(found)
        print(*job.run, f"{found.of_oracle:.3f}", flush=True)


def side_by_side(
    work: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Iterator[tuple[Item, Result]]:
    """Each item with its result, as soon as it is there. The processes end with the first failure, and at Ctrl-C."""
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        waiting = {pool.submit(work, item): item for item in items}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


@cache
def commit_now() -> str:
    """The commit of the code, with a + where it was changed since."""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True).stdout.strip()
