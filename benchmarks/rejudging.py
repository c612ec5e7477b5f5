"""What judging a stored crawl again takes, and proposing for its ontology. Run as
`python -m benchmarks.rejudging [--task archwiki/networking] [--pages N]`.

Crawls a task of `../shared/webs` from its archive into an embedded store, once. Then each command runs on a copy of
that store: `status`; `rejudge` with two concepts added to the ontology; `rejudge --threshold`; `mark` with three pages
that were on topic; `ontology suggest`. Prints a table: seconds until the command ends, and processor seconds of the
command itself, of the store's server, and of the processes that make frames. For `rejudge` also the moments at which it
begins to judge, has judged, and has saved everything, by its messages, and at which its answer is there. Wall time
means something on an idle machine only, so the load is printed with it.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import IO

from benchmarks.code_hash import ROOT
from benchmarks.processes import cpu_seconds, descendants
from benchmarks.replayed import ONTOCRAWL, WEBS
from graphdb.embedded import engine_archive

LOOK_SECONDS = 0.02  # between two looks at the processes; what one uses after the last look is not counted
WORDS = ("kernel", "web browser")  # names of the added concepts
KINDS = {b"server_process": "server", b"record_frames": "frames"}
MOMENTS = {"are judged anew from": "judging begins", "pages judged anew": "judged", "are on topic now": "saved"}
MARKED = 3  # pages


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure status, rejudge, mark and suggest on an embedded store.")
    parser.add_argument("--task", default="archwiki/networking")
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=3)
    words = parser.parse_args()
    engine_archive.make()
    # with it, where modules are not compiled yet, each process would compile all of them anew: 5 of 29 s of `rejudge`
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), words.task, words.pages, words.runs)


def measure(folder: Path, task: str, pages: int, runs: int) -> None:
    """Crawl, then print a row for each run of each command."""
    web, _, name = task.partition("/")
    about, store = WEBS / web / "tasks" / name, folder / "store"
    options = ["--ontology", str(about / "topic.owl"), "--seeds", str(about / "seeds.txt"), "--store", str(store)]
    options += ["--archive", str(WEBS / web), "--max-pages", str(pages), "--delay", "0", "--connections", "64"]
    _run(["crawl", *options, "--per-host", "64"])
    edited = folder / "edited.owl"
    edited.write_text(with_concepts((about / "topic.owl").read_text(encoding="utf-8")), encoding="utf-8")
    found = _run(["query", "--store", str(store), "--format", "csv", "MATCH (p:Page) WHERE p.on_topic RETURN p.url"])
    some = [line.strip('"') for line in found.splitlines()[1 : MARKED + 1]]
    commands = {
        "status": ["status"],
        "rejudge --ontology": ["rejudge", "--ontology", str(edited)],
        "rejudge --threshold": ["rejudge", "--threshold", "0.4"],
        f"mark, {len(some)} pages": ["mark", *some, "good"],
        "ontology suggest": ["ontology", "suggest"],
    }
    print(
        "| command | wall s | command, CPU s | server | frames | all | moments, s | load |\n"
        "|---|---|---|---|---|---|---|---|"
    )
    for name, arguments in commands.items():
        for _ in range(runs):
            copy = folder / "copy"
            shutil.copytree(store, copy)
            print(f"| {name} | {_measured([*arguments, '--store', str(copy)])} |", flush=True)
            shutil.rmtree(copy)


def with_concepts(owl: str) -> str:
    """The RDF/XML text of an ontology with two more concepts, narrower than its topic."""
    topic = owl.partition('oc:topic rdf:resource="')[2].partition('"')[0]
    more = "".join(
        f'<owl:Class rdf:about="urn:added:{number}"><rdfs:subClassOf rdf:resource="{topic}"/>'
        f'<rdfs:label xml:lang="en">{word}</rdfs:label></owl:Class>\n'
        for number, word in enumerate(WORDS)
    )
    before, end, after = owl.rpartition("</rdf:RDF>")
    return before + more + end + after


def _run(arguments: list[str]) -> str:
    return subprocess.run([ONTOCRAWL, *arguments], check=True, capture_output=True, text=True, cwd=ROOT).stdout


def _measured(arguments: list[str]) -> str:
    """The cells of a row."""
    load, began = os.getloadavg()[0], time.perf_counter()
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
    child = subprocess.Popen(
        [ONTOCRAWL, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    moments: dict[str, float] = {}
    assert child.stderr is not None
    assert child.stdout is not None
    reader = threading.Thread(target=_note, args=(child.stderr, moments, began))
    answer = threading.Thread(target=_note_answer, args=(child.stdout, moments, began))
    reader.start()
    answer.start()
    used: dict[int, tuple[str, float]] = {}
    while child.poll() is None:
        for pid in (child.pid, *descendants(child.pid)):
            try:
                kind = "command" if pid == child.pid else _kind(pid)
                if not kind:  # a process that has ended has no command line any more
                    kind, _ = used.get(pid, ("other", 0.0))
                used[pid] = (kind, cpu_seconds(pid))
            except OSError:
                continue  # it has ended meanwhile
        time.sleep(LOOK_SECONDS)
    wall = time.perf_counter() - began
    reader.join()
    answer.join()
    if child.returncode:
        raise SystemExit(f"{' '.join(arguments)}: exit {child.returncode}")
    of_kind: defaultdict[str, float] = defaultdict(float)
    for kind, seconds in used.values():
        of_kind[kind] += seconds
    told = ", ".join(f"{name} {moment:.1f}" for name, moment in moments.items())
    kinds = " | ".join(f"{of_kind[kind]:.1f}" for kind in ("command", "server", "frames"))
    return f"{wall:.1f} | {kinds} | {sum(of_kind.values()):.1f} | {told} | {load:.1f}"


def _kind(pid: int) -> str:
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    return next((kind for word, kind in KINDS.items() if word in command), "other" if command else "")


def _note_answer(lines: IO[str], moments: dict[str, float], began: float) -> None:
    for _ in lines:
        moments.setdefault("answer", time.perf_counter() - began)


def _note(lines: IO[str], moments: dict[str, float], began: float) -> None:
    for line in lines:
        for words, name in MOMENTS.items():
            if words in line:
                moments[name] = time.perf_counter() - began


if __name__ == "__main__":
    main()
