"""`ontocrawl simulate`: strategies compared on a recorded web.

This module sets up the runs; `cli.lab.measured_crawl` measures them. Several runs are distributed over processes, one
for each processor; the results do not depend on that.
"""

import contextlib
import math
import os
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import active_children, get_context
from pathlib import Path

from cli.crawling.crawl_parts import make_record
from cli.exits import ExitCode
from cli.inputs.crawl_topic import About, read_about
from cli.inputs.example_pages import check_examples, examples_of
from cli.inputs.seed_lists import read_addresses, read_seeds
from cli.lab.compared_strategies import Choice, read_choices
from cli.lab.judge_labels import judge_all
from cli.lab.lab_report import write_report
from cli.lab.lab_tables import without_graph, write_order, write_results
from cli.lab.measured_crawl import JUDGE, Labels, Run, Yardstick, crawl_recorded, make_yardstick, run_of
from cli.lab.recordings import Recording, recording_of
from cli.render.language import as_told, tr
from cli.render.live_progress import Observe, counting, watching
from cli.render.terminal import say, show
from cli.settings import Settings, check_patterns, check_without_ontology
from crawler.engine.actions import Limits, check_limits
from crawler.engine.crawl_records import Progress
from crawler.frontier.scope import scope_of
from crawler.simulation.recorded_web import RecordedWeb, spelled_in
from crawler.simulation.simulator import MEDIAN, latencies
from ontology.errors import SettingsError
from ontology.file_failures import why_refused
from semantic.segmentation.word_segmentation import check_segmenter
from semantic.strategies.strategy_table import build_understanding, takes_examples
from semantic.understanding import Examples
from semantic.urls import normalise

# limit of --max-pages; chosen, not measured
MOST_PAGES = 1_000_000
LOOK_SECONDS = 0.25  # between two looks at how far the runs are
CACHE = "ontocrawl-cache"  # a folder beside --out, so that tasks on one web share it


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """What is to be compared on which web.

    `crawl`: how every run crawls; its strategy, parameters and seed are replaced by those of the run. Its ontology is
    None only for strategies that need none; without seeds, those of the store's crawl are used. Either `archive` or
    `store` is given.

    `targets`, `ignored`: files of addresses; `settings`: a file with parameters of one strategy; `chances`: random
    seeds; `latency`: the median of the seconds that answers take.
    """

    crawl: Settings = field(hash=False)  # its parameters are a dict
    out: Path
    archive: Path | None = None
    store: str | None = None
    targets: Path | None = None
    ignored: Path | None = None
    strategies: str = "all"
    settings: Path | None = None
    chances: str = "0"
    latency: float = MEDIAN


@dataclass(frozen=True, slots=True)
class Given:
    """The contents of the files that a lab names.

    `seeds`: empty if the store's crawl has them. `ignored`, `targets`: not normalised.
    """

    seeds: tuple[str, ...]
    ontology: About | None
    examples: Examples | None
    targets: tuple[str, ...] | None
    ignored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bench:
    """What all runs share."""

    lab: Lab
    recording: Recording
    about: About
    examples: Examples | None
    seeds: tuple[str, ...]
    web: RecordedWeb
    labels: Labels
    remarks: tuple[str, ...]  # warnings about addresses that were named and not recorded
    judged: tuple[str, ...] | None = None  # pages on topic, if there is no file of targets


def run(lab: Lab) -> int:
    """Run every strategy with every random seed and write the results. Exit code 130 if Ctrl-C ended it early."""
    choices = read_choices(lab.strategies, lab.settings)
    plan = [(choice, chance) for choice in choices for chance in _chances(lab.chances)]
    check_limits(_limits(lab.crawl, ()))
    check_patterns(lab.crawl.include, lab.crawl.exclude)
    check_segmenter(lab.crawl.segmenter)
    if lab.crawl.until_covered is not None and (lab.crawl.until_covered < 1 or lab.crawl.ontology is None):
        raise SettingsError(
            tr("--until-covered {until_covered} makes no sense here", until_covered=lab.crawl.until_covered),
            "give --ontology, and 1 or more",
        )
    if not 0 <= lab.latency < math.inf:
        raise SettingsError(tr("answers cannot take {seconds} s", seconds=lab.latency), "give --latency 0 or more")
    if lab.crawl.max_pages > MOST_PAGES:
        raise SettingsError(
            tr("--max-pages {max_pages} is more than simulate can compare", max_pages=lab.crawl.max_pages),
            tr("give at most {most_pages}", most_pages=MOST_PAGES),
        )
    given = _read_files(lab)
    _make_folder(lab.out)
    recording = recording_of(lab.archive, lab.store, lab.out.resolve().parent / CACHE)
    bench = _bench(lab, given, recording)
    for remark in bench.remarks:
        say(remark)
    spelled = spelled_in(recording.file)
    runs: list[Run] = []
    orders: set[str] = set()
    code = ExitCode.DONE
    try:
        for one in _runs(bench, plan):
            runs.append(one)
            with _writing(lab.out):
                orders.add(write_order(lab.out, one, spelled, with_seed="," in lab.chances))
    except KeyboardInterrupt:
        say(tr("interrupted; {done} of {runs} runs were finished", done=len(runs), runs=len(plan)))
        code = ExitCode.INTERRUPTED
    except BrokenProcessPool:
        say(
            tr(
                "a run's process was ended from outside, as where memory is short; {done} of {runs} runs "
                "were finished\n  try: --strategies and --seed with fewer runs",
                done=len(runs),
                runs=len(plan),
            )
        )
        code = ExitCode.NOT_GOOD
    if runs:
        _write(bench, runs)
        _remove_orders_but(lab.out, orders)
    bench.web.close()
    return code


def _remove_orders_but(out: Path, names: set[str]) -> None:
    """Remove order files of an earlier lab, which are not part of these results."""
    for file in out.glob("order-*.tsv"):
        if file.name not in names:
            file.unlink()


def _runs(bench: Bench, plan: Sequence[tuple[Choice, int]]) -> Iterator[Run]:
    """All runs in their order: a single run is shown live; of several, which run in parallel, the pages are counted."""
    workers = min(len(plan), os.cpu_count() or 1)
    if workers == 1:
        for choice, chance in plan:
            say(tr("{choice}, seed {chance}", choice=choice.name, chance=chance))
            with watching(lambda: bench.lab.crawl.max_pages) as observe:
                yield _run(bench, choice, chance, observe)
        return
    context = get_context("spawn")
    counts = context.Array("i", len(plan), lock=False)
    most = len(plan) * min(bench.lab.crawl.max_pages, len(bench.web.links))
    with counting(most) as tell, ProcessPoolExecutor(workers, context, _begin_apart, (counts,)) as pool:
        shared = bench.lab, bench.recording, bench.judged
        futures = [pool.submit(_run_apart, *shared, number, one) for number, one in enumerate(plan)]
        try:
            for number, ((choice, chance), future) in enumerate(zip(plan, futures, strict=True), 1):
                while not wait([future], LOOK_SECONDS).done:
                    tell(sum(counts))
                run = future.result()
                say(
                    tr(
                        "{choice}, seed {chance}: {pages:,} pages ({done} of {runs} runs)",
                        choice=choice.name,
                        chance=chance,
                        pages=len(run.visits),
                        done=number,
                        runs=len(plan),
                    )
                )
                yield run
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


_counts: list[MutableSequence[int]] = []  # in a process of runs: pages of each run so far, shared with all others


def _begin_apart(counts: MutableSequence[int]) -> None:
    """Begin a process of runs. Ctrl-C is the parent's business."""
    _counts.append(counts)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_apart(
    lab: Lab, recording: Recording, judged: tuple[str, ...] | None, number: int, one: tuple[Choice, int]
) -> Run:
    """One run in a process of its own, which reads the shared inputs once."""

    def observe(progress: Progress) -> None:
        _counts[0][number] = progress.pages

    return _run(_bench_of(lab, recording, judged), *one, observe)


def _write(bench: Bench, runs: Sequence[Run]) -> None:
    say(tr("measuring: the oracle's order …"))
    yardstick = make_yardstick(bench.web, bench.labels, bench.seeds, _limits(bench.lab.crawl, bench.seeds))
    about = _about(bench, yardstick)
    labels = {concept.iri: concept.label for concept in bench.about.concepts}
    with _writing(bench.lab.out):
        write_results(bench.lab.out, about, yardstick, runs)
        write_report(bench.lab.out, about, yardstick, runs, labels)
    measured = yardstick.measured(runs)
    for one in measured:
        show(one.line())
    if never := without_graph(measured):
        show(f"\n{never}")
    if bench.labels.kind == JUDGE:
        show(f"\n{as_told(bench.labels.note)}")
    if bench.recording.note:
        show(f"\n{as_told(bench.recording.note)}")
    show(tr("\nMore: {out}", out=bench.lab.out / "report.html"))


def _about(bench: Bench, yardstick: Yardstick) -> dict[str, object]:
    lab = bench.lab
    return {
        "web": bench.recording.name,
        "web_note": bench.recording.note,
        "ontology": bench.about.name,
        "topic": bench.about.iri,
        "samples": "ontology" if bench.examples is None else "examples",
        "labels": bench.labels.kind,
        "labels_note": bench.labels.note,
        "max_pages": lab.crawl.max_pages,
        "delay": lab.crawl.delay,
        "connections": lab.crawl.connections,
        "patience": lab.crawl.patience,
        "latency": lab.latency,
        "pages_recorded": len(bench.web.links),
        "targets": len(bench.labels.results),
        "targets_reachable": len(yardstick.reachable),
    }


def _read_files(lab: Lab) -> Given:
    """Read everything but the web, so that mistakes are reported before a long archive is read. Raises
    OntocrawlError.
    """
    strategies = [choice.strategy for choice in read_choices(lab.strategies, lab.settings)]
    if lab.crawl.ontology is None:
        check_without_ontology(strategies)
    if lab.crawl.examples:
        check_examples(strategies)
    seeds = read_seeds(lab.crawl.seeds) if lab.crawl.seeds else ()
    if not seeds and lab.archive and lab.store is None:
        raise SettingsError("--seeds is missing", "give addresses, or a file with one on each line")
    return Given(
        seeds,
        read_about(lab.crawl.ontology, seeds) if lab.crawl.ontology else None,
        examples_of(lab.crawl.examples),
        read_addresses(lab.targets, "--targets"),
        read_addresses(lab.ignored, "--ignore") or (),
    )


def _bench(lab: Lab, given: Given, recording: Recording, judged: tuple[str, ...] | None = None) -> Bench:
    seeds = given.seeds or recording.seeds
    about = given.ontology or read_about(None, seeds)
    web = RecordedWeb(recording.file)
    if not any(web.page_name(seed) in web.links for seed in seeds):
        raise SettingsError(
            tr("{recording} holds none of the seeds", recording=recording.name), "give seeds that were recorded"
        )
    examples, targets = given.examples, given.targets
    marked = examples.addresses if examples else ()
    ignored = _named(given.ignored, web)
    if targets is None:
        judged = _judged(web, about, seeds, lab.crawl.segmenter) if judged is None else judged
        labels = Labels(web, judged, ignored, kind=JUDGE)
    else:
        labels = Labels(web, _named(targets, web), ignored)
        if not labels.results:
            cure = tr("give --targets addresses that were recorded")
            raise SettingsError(tr("{recording} holds none of the targets", recording=recording.name), cure)
    remarks = (
        *_unrecorded("targets", len({web.page_name(url) for url in targets or ()}), len(labels.results)),
        *_unrecorded(tr("marked addresses"), len(marked), sum(web.page_name(url) in web.links for url in marked)),
    )
    return Bench(lab, recording, about, examples, seeds, web, labels, remarks, judged)


def _unrecorded(what: str, named: int, recorded: int) -> list[str]:
    return (
        [
            tr(
                "of {named:,} {what} {recorded:,} were recorded; the others count nowhere",
                named=named,
                what=what,
                recorded=recorded,
            )
        ]
        if recorded < named
        else []
    )


@cache
def _bench_of(lab: Lab, recording: Recording, judged: tuple[str, ...] | None) -> Bench:
    """The inputs shared by all runs in one process."""
    return _bench(lab, _read_files(lab), recording, judged)


def _named(urls: Iterable[str], web: RecordedWeb) -> list[str]:
    """Addresses by which pages can be found: those recorded under another spelling only are normalised."""
    return [url if web.page_name(url) in web.links else normalise(url) or url for url in urls]


def _judged(web: RecordedWeb, about: About, seeds: Sequence[str], segmenter: str) -> tuple[str, ...]:
    say(tr("no --targets: judging {number:,} recorded pages …", number=len(web.links)))
    with counting(len(web.links)) as tell:
        return judge_all(web, about, seeds, segmenter, tell)


def _run(bench: Bench, choice: Choice, chance: int, observe: Observe) -> Run:
    lab = bench.lab
    settings = replace(lab.crawl, strategy=choice.strategy, parameters=choice.parameters, seed=chance)
    about = bench.about
    began = time.process_time()
    understanding = build_understanding(
        choice.strategy,
        about.topic,
        about.lexicon,
        parameters=choice.parameters,
        seeds=bench.seeds,
        examples=bench.examples if takes_examples(choice.strategy) else None,
        seed=chance,
        read=bench.web.read,
        segmenter=lab.crawl.segmenter,
    )
    store, progress = crawl_recorded(
        bench.web,
        understanding,
        make_record(settings, about),
        about,
        seeds=bench.seeds,
        limits=_limits(lab.crawl, bench.seeds),
        observe=observe,
        latency=latencies(lab.latency, chance),
        until_covered=lab.crawl.until_covered,
    )
    return run_of((choice.name, chance), store, progress, time.process_time() - began, bench.labels)


def _limits(crawl: Settings, seeds: Iterable[str]) -> Limits:
    scope = scope_of(
        seeds, crawl.include, crawl.exclude, stay_on_host=crawl.stay_on_host, stay_on_domain=crawl.stay_on_domain
    )
    return Limits(
        max_pages=crawl.max_pages,
        delay=crawl.delay,
        connections=crawl.connections,
        patience=crawl.patience,
        max_depth=crawl.max_depth,
        scope=scope,
    )


def _chances(typed: str) -> tuple[int, ...]:
    try:
        return tuple(dict.fromkeys(int(word) for word in typed.split(",")))
    except ValueError:
        raise SettingsError(
            tr("--seed {typed} is no list of whole numbers", typed=typed), "write it as --seed 1,2,3"
        ) from None


def _make_folder(out: Path) -> None:
    with _writing(out):
        out.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=out).close()


@contextlib.contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Raise SettingsError if the folder cannot be written."""
    try:
        yield
    except OSError as error:
        told = tr("--out {out}: {why}", out=out, why=why_refused(error))
        raise SettingsError(told, "give a folder that can be made and written, on a disk with room") from error
