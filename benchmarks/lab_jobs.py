"""Simulated crawls of the tasks of ../shared/webs, two at a time, each kept as soon as it is done.

What is kept of a run is found again by what it depends on (`benchmarks.code_hash`, the task's files, what the run
changes), so that nothing is measured twice and whatever broke off goes on where it was.
"""

import hashlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import active_children, get_context
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.code_hash import ROOT, code_of
from benchmarks.lab_runs import Job, as_in_the_table, bench_of, folder_of, measure
from benchmarks.replayed import WEBS
from benchmarks.seeds_only import seeds_only

KEPT = ROOT / "bench-out" / "lab"
SEEDS_ONLY = "seeds only"
MADE_IN = {"as_in_the_table": "benchmarks.lab_runs", "seeds_only": "benchmarks.seeds_only"}

Figures = Mapping[str, Any]


def code_of_job(job: Job) -> str:
    """What a run depends on."""
    given = (*job.variant.parameters, *job.variant.constants)
    code = f"{row_code(job)} {given} {_inputs(job.task)}"
    return hashlib.sha256(code.encode()).hexdigest()[:12]


def row_code(job: Job) -> str:
    """The hash of the code alone."""
    return _code(job.strategy, "seeds_only" if job.variant.judge == SEEDS_ONLY else "as_in_the_table")


def stem_of(job: Job) -> str:
    """The beginning of a kept file's name, without what the run depends on."""
    variant = f"~{job.variant.name.replace(' ', '_').replace('/', '_')}" if job.variant.name else ""
    return f"{job.task.replace('/', '-')}/{job.strategy}{variant}-{job.seed}-{job.budget}-"


def kept(job: Job, *, stale: bool = False) -> Figures | None:
    """The run's figures; `stale`: where there are none of this code, the last of another will do."""
    file = KEPT / f"{stem_of(job)}{code_of_job(job)}.json"
    if not file.exists() and stale:
        others = sorted(file.parent.glob(f"{Path(stem_of(job)).name}*.json"), key=lambda path: path.stat().st_mtime)
        file = others[-1] if others else file
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


@cache
def _code(strategy: str, made: str) -> str:
    return code_of([("benchmarks.lab_runs", "measure"), (MADE_IN[made], made)], strategy)


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


def keep(job: Job, about: Mapping[str, str]) -> float:
    """Measure a job in this process and keep what came out with `about`, its code; the seconds it took."""
    began = time.monotonic()
    build = seeds_only if job.variant.judge == SEEDS_ONLY else as_in_the_table
    found = measure(job, bench_of(job.task, job.budget, KEPT / "cache"), build)
    seconds = time.monotonic() - began
    file = KEPT / f"{stem_of(job)}{about['code']}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    told = {"task": job.task, "variant": job.variant.name, "seconds": round(seconds, 1)}
    aside = file.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps({**told, **about, **found}, indent=1) + "\n", encoding="utf-8")
    aside.replace(file)
    return seconds


def _about(job: Job, commit: str) -> dict[str, str]:
    return {"code": code_of_job(job), "code_strategy": row_code(job), "commit": commit}


def run_all(jobs: Sequence[Job], processes: int, *, stale: bool) -> None:
    """Measure what is not kept; tells of every run and of the time left. Ctrl-C loses only the runs under way."""
    missing = [job for job in dict.fromkeys(jobs) if kept(job, stale=stale) is None]
    missing.sort(key=lambda job: job.task)  # a process reads a task once
    print(f"{len(set(jobs)) - len(missing)} runs are kept, {len(missing)} are to be done", flush=True)
    if not missing:
        return
    commit = commit_now()
    spent: dict[str, list[float]] = {}
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        futures = {pool.submit(keep, job, _about(job, commit)): job for job in missing}
        try:
            for number, future in enumerate(as_completed(futures), 1):
                job = futures.pop(future)
                seconds = future.result()
                spent.setdefault(job.strategy, []).append(seconds)
                name = " ".join(filter(None, (job.task, job.strategy, job.variant.name, f"seed {job.seed}")))
                left = _left(futures.values(), spent) / processes
                print(f"{number}/{len(missing)} {name}: {seconds:.0f} s; {left / 60:.0f} minutes left", flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def _left(jobs: Any, spent: Mapping[str, Sequence[float]]) -> float:
    usual = mean(second for seconds in spent.values() for second in seconds)
    return sum(mean(spent[job.strategy]) if job.strategy in spent else usual for job in jobs)


def commit_now() -> str:
    """The commit of the code, with a + where it was changed since; what the file COMMIT says in a copy without git."""
    told = ROOT / "COMMIT"
    if told.exists():
        return told.read_text(encoding="utf-8").strip()
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True).stdout.strip()
