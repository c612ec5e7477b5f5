"""Crawls that are killed again and again: `python -m benchmarks.torture [--kills N] [--strategies A,B] [--neo4j N]`.

A web with an end (`benchmarks.torture_web`) is served on this machine and crawled to exhaustion by the command itself,
once undisturbed, and once with `kill -9` at moments drawn by --seed: after some requests, or while it starts. Then the
two graphs must be the same: pages, links, mentions, and judgements with `--strategy ontology`. Other judges learn on
the way, so what they say depends on the order of fetching, and that on when a crawl was killed. `jlse` and `ata` also
leave out links by what they have learned: of their two crawls the pages that both have fetched are compared.

CountedWords for each crawl
- fetched again: pages that were answered in one run and again in a later one. Nothing that was committed is fetched
  again if of a run's pages not more are than it had not committed: what the server answered less by how much the next
  run's "resumed: N pages" is more.
- left behind: processes that the crawler had started and that live on 30 s after its end.
- memory: whether the strategy, after the last kill, takes its memory from the store and gives it back the same.

Exit code 1 where something differs. With no options: 50 kills of `fused` and 5 of every other strategy, and 20 of
`fused` while the graph of a Neo4j server follows, which is started for it (it needs Java and Maven). `--pages` are of
the web, besides the demonstration's.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import neo4j_server
from benchmarks.measured import ROOT
from benchmarks.options import options
from benchmarks.orders_tables import table
from benchmarks.processes import descendants
from benchmarks.torture_web import finite_sites, made_sites, seeds_of
from cli.crawling.crawl import make_plan
from cli.settings import Settings
from cli.store_option import DEFAULT_STORE
from examples.server import WebServer
from examples.sites import ONTOLOGY, Site
from graphdb.stores import copy, open_store
from semantic.strategies.strategy_table import STRATEGIES

CHOOSY = ("jlse", "ata")  # strategies whose pages depend on the order of fetching
FIXED_JUDGE = "ontology"  # the strategy whose judgements do not depend on the order of fetching
QUESTIONS = {
    "pages": "SELECT url, status, title FROM pages ORDER BY url",
    "links": "SELECT sources.url AS a, targets.url AS b, anchor, context, position FROM links "
    "JOIN pages AS sources ON sources.id = source JOIN pages AS targets ON targets.id = target ORDER BY a, b",
    "mentions": "SELECT url AS p, iri, count FROM mentions JOIN pages ON pages.id = page "
    "JOIN concepts ON concepts.id = concept ORDER BY p, iri",
    "judgements": "SELECT url, relevance, on_topic, reasons FROM pages ORDER BY url",
}
Graph = dict[str, list[dict[str, object]]]
Job = tuple[str, int, str]  # strategy, kills, store
STORE = "store"
LASTING = 30.0  # seconds in which a process ends whose crawler has ended
STARTING, STARTING_SECONDS = 0.1, 10.0  # the share of kills before the crawl proper, and in how long a time


@dataclass
class Count:
    """What one tortured crawl has shown; `wrong`: what ought not to be."""

    kills: int = 0
    answered: int = 0
    fetched_again: int = 0
    memory: str = ""
    sizes: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def start(  # noqa: PLR0913 - as typed
    folder: Path,
    proxy: str,
    strategy: str,
    store: str,
    seeds: Sequence[str],
    *,
    also: Sequence[str] = (),
    first: str = "",
) -> "subprocess.Popen[bytes]":
    """The command as a process of its own; its figures are in `figures` in the folder, what it says is in `said`.

    `also`: further options. `first`: Python that is run before.
    """
    (folder / "seeds.txt").write_text("\n".join(seeds))
    code = f"{first}\nfrom cli.main import main; main()"
    words, env = [*typed(strategy, store, proxy), *also], {**os.environ, "PYTHONPATH": str(ROOT)}
    with (folder / "said").open("wb") as said, (folder / "figures").open("wb") as result:
        return subprocess.Popen([sys.executable, "-c", code, *words], cwd=folder, env=env, stdout=result, stderr=said)


def typed(strategy: str, store: str, proxy: str) -> list[str]:
    """The words of the command, for the seeds in `seeds.txt`."""
    words = f"crawl --ontology {ONTOLOGY} --seeds seeds.txt --strategy {strategy} --store {store} --proxy {proxy}"
    return f"{words} --delay 0 --per-host 2 --connections 8 --max-pages 1000000 --json".split()


def graph(store: str, strategy: str) -> Graph:
    """What a store holds of a strategy's crawl that does not depend on the order of fetching."""
    asked = [name for name in QUESTIONS if strategy == FIXED_JUDGE or name != "judgements"]
    with closing(open_store(store, create=False)) as opened:
        return {name: list(opened.read(QUESTIONS[name])) for name in asked}


def living(pids: Sequence[int]) -> list[str]:
    """Those processes that have not ended (a zombie has) within `LASTING` seconds, by their command lines."""
    deadline = time.monotonic() + LASTING
    while left := [line for pid in pids if (line := _command_line(pid))]:
        if time.monotonic() > deadline:
            return left
        time.sleep(0.05)
    return []


def _command_line(pid: int) -> str:
    """Of a process that lives; '' for one that has ended."""
    try:
        is_zombie = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        return "" if is_zombie else f"{pid} {Path(f'/proc/{pid}/cmdline').read_text()[:60]}"
    except (FileNotFoundError, ProcessLookupError):
        return ""


class Torture:
    """One crawl that is killed: `folder` keeps its store and all that it says. `graph`: what it leaves."""

    graph: Graph

    def __init__(self, folder: Path, sites: dict[str, Site], strategy: str, store: str, chance: random.Random) -> None:
        folder.mkdir()
        self._folder, self._sites, self._strategy, self._store = folder, sites, strategy, store
        self._place = str(folder / (DEFAULT_STORE if "://" in store else store))  # of the record
        self._chance = chance
        self._answered: list[list[str]] = []  # the pages of each run
        self._held: list[int] = []  # the pages that each run found in the store
        self.count = Count()

    def run(self, kills: int, pages: int) -> Count:
        """Crawl to the end, `pages` pages, with so many kills."""
        with WebServer(self._sites) as server:
            for left in range(kills, 0, -1):
                process = self._start(server)
                rest = pages - len({url for run in self._answered for url in run})  # at least as many requests follow
                self._wait(process, server, 2 * rest / (left + 1))
                self.count.kills += process.poll() is None
                started = descendants(process.pid)
                process.kill()
                self._note(process, server)
                self.count.wrong += [f"left behind: {line}" for line in living(started)]
            with closing(open_store(self._place, create=False)) as opened:
                self.count.memory = self._memory(opened.remembered())
            self._note(self._start(server), server)
            self.graph = graph(self._place, self._strategy)
            if "://" in self._store:
                copy(self._place, self._store)  # compares the graph with the record
        figures = (self._folder / "figures").read_text()
        if '"queue-empty"' not in figures:
            self.count.wrong.append(f"the end: {figures} {(self._folder / 'said').read_text()[-500:]}")
        self._count_again()
        return self.count

    def _start(self, server: WebServer) -> "subprocess.Popen[bytes]":
        return start(self._folder, server.proxy, self._strategy, self._store, seeds_of(self._sites))

    def _wait(self, process: "subprocess.Popen[bytes]", server: WebServer, requests: float) -> None:
        """Wait for the moment to kill: while it starts, or after some requests up to `requests`."""
        began, before = time.monotonic(), len(server.log)
        starting = self._chance.random() < STARTING
        most, seconds = self._chance.uniform(0, requests), self._chance.uniform(0, STARTING_SECONDS)
        while process.poll() is None:
            if (time.monotonic() - began > seconds) if starting else (len(server.log) - before > most):
                return
            time.sleep(0.002)

    def _note(self, process: "subprocess.Popen[bytes]", server: WebServer) -> None:
        """Wait for a run's end; one that did not come to crawling does not count."""
        process.wait()
        time.sleep(0.2)  # for what is on its way to the server
        answered = [url for url, status in server.log if status == 200 and not url.endswith("/robots.txt")]
        answered = answered[sum(map(len, self._answered)) :]
        said = re.search(r"resumed: (\d+) pages", (self._folder / "said").read_text())
        if said or answered:
            self._answered.append(answered)
            self._held.append(int(said[1]) if said else 0)

    def _count_again(self) -> None:
        self.count.answered = sum(map(len, self._answered))
        for run, answered in enumerate(self._answered[:-1]):
            later = {url for pages in self._answered[run + 1 :] for url in pages}
            again = len(later.intersection(answered))
            lost = len(answered) - (self._held[run + 1] - self._held[run])
            self.count.fetched_again += again
            if again > lost or lost < 0:
                self.count.wrong.append(f"run {run}: {again} pages fetched again, {lost} were not committed")

    def _memory(self, held: bytes) -> str:
        """Whether what the store holds of the strategy's memory comes back out of the strategy."""
        settings = Settings(str(ONTOLOGY), tuple(seeds_of(self._sites)), 1, strategy=self._strategy)
        understanding = make_plan(settings).understanding
        understanding.restore(held)
        if held and understanding.remember() != held:
            self.count.wrong.append("the memory is not what it was")
        return f"{len(held):,} bytes"


def undisturbed(folder: Path, sites: dict[str, Site], strategy: str) -> Graph:
    """What a crawl leaves that nothing disturbs."""
    folder.mkdir(parents=True)
    with WebServer(sites) as server:
        start(folder, server.proxy, strategy, STORE, seeds_of(sites)).wait()
    return graph(str(folder / STORE), strategy)


def differences(expected: Graph, found: Graph) -> list[str]:
    """What is not the same, and of what there is nothing at all."""
    told = []
    for name, rows in expected.items():
        if not rows or rows != found[name]:
            odd = [row for row in rows if row not in found[name]] or [row for row in found[name] if row not in rows]
            told.append(f"{name}: {len(rows)}, {len(found[name])} after kills, for example {odd[:1]}")
    return told


def tortured(folder: Path, sites: dict[str, Site], job: Job, seed: int) -> Count:
    """One strategy's two crawls, compared."""
    strategy, kills, store = job
    expected = undisturbed(folder / "whole", sites, strategy)
    torture = Torture(folder / "killed", sites, strategy, store, random.Random(f"{seed} {strategy} {kills}"))
    count = torture.run(kills, sum(page["status"] == "fetched" for page in expected["pages"]))
    found = torture.graph
    if strategy in CHOOSY:
        fetched = [page for page in expected["pages"] if page["status"] == "fetched"]
        both = {page["url"] for page in fetched if page in found["pages"]}
        columns = {"pages": "url", "links": "a", "mentions": "p"}
        expected, found = (
            {name: [row for row in rows if row[columns[name]] in both] for name, rows in one.items()}
            for one in (expected, found)
        )
    count.wrong += differences(expected, found)
    count.sizes = [f"{len(rows)} {name}" for name, rows in torture.graph.items()]
    return count


def shown(job: Job, sites: dict[str, Site], seed: int) -> bool:
    """Print a job's row, and what is wrong below it; whether nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        count = tortured(Path(folder), sites, job, seed)
    figures = [", ".join(count.sizes), count.answered, count.fetched_again, count.memory]
    row = [job[0], job[2], count.kills, *figures, "wrong" if count.wrong else "the same"]
    print("\n".join([f"| {' | '.join(map(str, row))} |", *count.wrong]), flush=True)
    return not count.wrong


def main() -> int:
    """Print the table; 1 where something differs."""
    given = options(__doc__, kills=50, strategies=",".join(STRATEGIES), pages=1000, seed=0, neo4j=20)
    sites = finite_sites() | made_sites(given.pages, given.seed)
    first, *others = given.strategies.split(",")
    jobs: list[Job] = [(first, given.kills, STORE), *((name, given.kills // 10, STORE) for name in others)]
    head = ["strategy", "store", "kills", "graph", "pages answered", "of them again", "memory", "afterwards"]
    print(table(head, []), end="", flush=True)
    good = [shown(job, sites, given.seed) for job in jobs]
    if given.neo4j:
        if needed := neo4j_server.needed():
            sys.exit(f"not run on Neo4j: it needs {needed}")
        with tempfile.TemporaryDirectory() as folder, neo4j_server.running(Path(folder)) as server:
            os.environ |= {"NEO4J_USERNAME": neo4j_server.USER, "NEO4J_PASSWORD": server.password}
            good.append(shown((first, given.neo4j, server.uri), sites, given.seed))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
