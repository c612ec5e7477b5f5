"""Simulated crawls of the tasks of ../shared/webs, two at a time, each kept as soon as it is done.

A run is found again in `benchmarks/measured.tsv` by what it depends on (`benchmarks.code_hash`, the task's files, what
the run changes), so that nothing is measured twice and whatever broke off goes on where it was.
"""

import hashlib
import signal
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import active_children, get_context

from benchmarks.code_hash import ROOT, code_of
from benchmarks.expert import MARKED, marked
from benchmarks.lab_runs import Job, as_in_the_table, bench_of, folder_of, measure
from benchmarks.measured import Measured, Run, add, find
from benchmarks.replayed import WEBS
from benchmarks.seeds_only import seeds_only

OUT = ROOT / "bench-out" / "lab"
SEEDS_ONLY = "seeds only"
BUILDS = {"": as_in_the_table, SEEDS_ONLY: seeds_only, MARKED: marked}  # by `Variant.judge`


def code_of_job(job: Job) -> str:
    """What a run depends on."""
    given = (*job.variant.parameters, *job.variant.constants, *([("delay", job.delay)] if job.delay else ()))
    code = f"{row_code(job)} {given} {_inputs(job.task)}"
    return hashlib.sha256(code.encode()).hexdigest()[:12]


def row_code(job: Job) -> str:
    """The hash of the code alone."""
    return _code(job.strategy, job.variant.judge)


def kept(jobs: Sequence[Job], *, stale: bool = False) -> dict[Job, Measured]:
    """Runs that were measured; `stale`: where there is none of this code, the last of another will do."""
    return find({job: (_run(job), code_of_job(job)) for job in jobs}, stale=stale)


def _run(job: Job) -> Run:
    how = f"delay {job.delay:g}" if job.delay else ""
    return job.task, job.strategy, " ".join(filter(None, (job.variant.name, how))), job.seed, job.budget


@cache
def _code(strategy: str, judge: str) -> str:
    build = BUILDS[judge]
    return code_of([("benchmarks.lab_runs", "measure"), (build.__module__, build.__name__)], strategy)


@cache
def _inputs(task: str) -> str:
    folder = folder_of(task)
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()} {(folder.parents[1] / 'web.warc.xz').stat().st_size}"


def tasks(chosen: Sequence[str]) -> list[str]:
    """The tasks whose names begin with one of these."""
    found = [task for web in sorted(WEBS.iterdir()) if web.is_dir() for task in sorted((web / "tasks").iterdir())]
    names = [f"{task.parent.parent.name}/{task.name}" for task in found]
    return [name for name in names if name.startswith(tuple(chosen))]


def run_all(jobs: Sequence[Job], processes: int, *, stale: bool) -> None:
    """Measure what is not kept, a task in one process; tells of every run. Ctrl-C loses only the runs under way."""
    done = kept(jobs, stale=stale)
    missing = [job for job in dict.fromkeys(jobs) if job not in done]
    print(f"{len(done)} runs are kept, {len(missing)} are to be done", flush=True)
    if not missing:
        return
    of_tasks = [[job for job in missing if job.task == task] for task in sorted({job.task for job in missing})]
    commit, began, runs = commit_now(), time.monotonic(), 0
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for future in as_completed([pool.submit(_run_task, those, commit) for those in of_tasks]):
                runs += future.result()
                left = (time.monotonic() - began) / runs * (len(missing) - runs)
                print(f"{runs} of {len(missing)} runs; {left / 60:.0f} minutes left", flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def _run_task(jobs: Sequence[Job], commit: str) -> int:
    """Measure jobs of one task in this process, and keep each as soon as it is done."""
    for job in jobs:
        began = time.monotonic()
        found = measure(job, bench_of(job.task, job.budget, OUT / "cache"), BUILDS[job.variant.judge])
        cpu = round(1000 * found["cpu_seconds"] / max(1, found["pages"]), 2)
        what = (*_run(job), code_of_job(job), row_code(job), commit)
        copies = found["copies"], found["targets_by_copy"]
        add(Measured(*what, found["pages"], found["of_oracle"], cpu, found["order"], *copies, found["virtual_seconds"]))
        name = " ".join(filter(None, (*_run(job)[:3], f"seed {job.seed}")))
        print(f"{name}: {found['of_oracle']:.3f}, {time.monotonic() - began:.0f} s", flush=True)
    return len(jobs)


def commit_now() -> str:
    """The commit of the code, with a + where it was changed since; what the file COMMIT says in a copy without git."""
    told = ROOT / "COMMIT"
    if told.exists():
        return told.read_text(encoding="utf-8").strip()
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True).stdout.strip()
