"""The four papers' strategies in the papers' own setting, and their claims beside what comes out here.

    python -m benchmarks.papers [--parts claims,like] [--tasks ...] [--budget 2000] [--processes 2] [--out FILE]

- Paper J trains its classifiers once, on about a thousand good and bad pages each: here on `SAMPLES` of each as files,
  drawn by chance from targets and other pages (at most half of a task's targets). They count neither for nor against a
  crawl. cf is 50, because these webs are small. Strict as published, and relaxed (`off_topic` 1, `expand` 1), because
  on a web with an end the strict crawl stops early.
- Paper C begins with ten pages about the topic: here ten targets drawn by chance. It has no ontology.
- Papers O and A: as they are by default.

No delay and one connection; strategies know no chance, so each runs once. `like` is C's threshold, chosen on all webs
but one and judged on that one.
"""

import argparse
import random
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import mean

from benchmarks.code_hash import ROOT
from benchmarks.lab_jobs import OUT, commit_now, tasks
from benchmarks.lab_runs import Bench, Job, bench_of, crawled
from benchmarks.orders_tables import one_web_left_out, put, table
from cli.lab.lab_tables import NEVER, graph_at
from cli.lab.measured_crawl import Labels, make_yardstick, run_of
from semantic.strategies.learned_beliefs import beliefs
from semantic.strategies.strategy_table import STRATEGIES, build_understanding
from semantic.understanding import Examples, Marks

PAPERS = ROOT / "benchmarks" / "papers.md"
STRATEGIES_TOLD = ROOT / "docs" / "strategies.md"
SAMPLES, SEEDS = 100, 10  # paper J: 1,012 and 1,003; paper C: 10
TASKS = (  # one of each web whose labels speak of what a page says
    "archwiki/networking",
    "blogs-a/film_tv",
    "linuxcn/phones_android",
    "lohelpzh/database",
    "uci/ai_ml",
    "zhblogs/machine_learning",
)
LIKES = (0.8, 0.3, 0.5, 0.7, 0.9)  # the default first
RELAXED = (("off_topic", 1), ("expand", 1))
CF = (("cf", 50),)
SHOWN = (200, 500, 1000, 2000)  # pages at which curves are read


@dataclass(frozen=True)
class Setting:
    """A strategy as a paper had it. `marked`: it is trained on marked files; `about`: ten targets are its seeds."""

    strategy: str
    parameters: tuple[tuple[str, float], ...] = ()
    marked: bool = False
    about: bool = False


JLSE, ATA = Setting("jlse", CF, marked=True), Setting("ata", marked=True)
JLSE_RELAXED, ATA_RELAXED = replace(JLSE, parameters=CF + RELAXED), replace(ATA, parameters=RELAXED)
JLSE_150 = replace(JLSE, parameters=RELAXED)
OPIE, CFC, J_BFS = (Setting(name, marked=True) for name in ("opie", "context-graph", "bfs"))
CONCEPTS, KEYWORDS, LINKS = map(Setting, ("ontology", "best-first", "ontology-links"))
JLSE_TAUGHT, ATA_TAUGHT = replace(JLSE_RELAXED, marked=False), replace(ATA_RELAXED, marked=False)
LINKS_1, LINKS_ALL = (
    Setting("ontology-links", parameters) for parameters in ((("alpha", 1),), (("alpha", 1), ("alpha_layer", 1)))
)
ADAPTIVE, PAGERANK = map(Setting, ("adaptive", "pagerank"))
CENTRE, C_KEYWORDS, C_BFS = (Setting(name, about=True) for name in ("customised", "best-first", "bfs"))
NAMES = {  # in the tables
    JLSE: "jlse, strict",
    JLSE_RELAXED: "jlse, relaxed",
    JLSE_150: "jlse, relaxed, cf 150",
    JLSE_TAUGHT: "jlse, relaxed, taught by the ontology",
    ATA: "ata, strict",
    ATA_RELAXED: "ata, relaxed",
    ATA_TAUGHT: "ata, relaxed, taught by the ontology",
    OPIE: "opie",
    CFC: "context-graph",
    J_BFS: "bfs",
    CONCEPTS: "ontology",
    KEYWORDS: "best-first",
    LINKS: "ontology-links",
    LINKS_1: "ontology-links, alpha 1",
    LINKS_ALL: "ontology-links, alpha 1, alpha_layer 1",
    ADAPTIVE: "adaptive",
    PAGERANK: "pagerank",
    CENTRE: "customised, ten topic pages",
    C_KEYWORDS: "best-first, ten topic pages",
    C_BFS: "bfs, ten topic pages",
}


@dataclass(frozen=True)
class Figures:
    """Of one crawl. `harvest` and `own`: share of the first N pages that are targets, and that its own judge calls on
    topic; `precision`, `recall`: that judge as a filter of the pages fetched; `targets`: share of all targets found.
    """

    pages: int
    of_oracle: float
    targets: float
    precision: float
    recall: float
    harvest: Mapping[int, float]
    own: Mapping[int, float]
    graph_at: int | str | None
    alike: float  # share of the vertices of G_w that have the commonest Q; 0 without a G_w


Found = Mapping[Setting, Mapping[str, Figures]]  # task -> figures


def setting_of(setting: Setting, bench: Bench) -> tuple[Bench, Examples | None]:
    """The task with the seeds that a paper has, and the marked samples. What teaches or begins counts neither for nor
    against the crawl.
    """
    if not (setting.marked or setting.about):
        return bench, None
    chance = random.Random(1)
    web, labels = bench.web, bench.labels
    wanted = min(SEEDS if setting.about else SAMPLES, len(labels.results) // 2)
    good = chance.sample(sorted(labels.results), wanted)
    others = sorted(web.links.keys() - labels.results - labels.ignored)
    bad = chance.sample(others, wanted) if setting.marked else []
    seeds = tuple(map(web.address, good)) if setting.about else bench.seeds
    left = Labels(web, labels.results - set(good), labels.ignored | {*good, *bad})
    changed = replace(
        bench, seeds=seeds, labels=left, yardstick=make_yardstick(web, left, seeds, bench.yardstick.limits)
    )
    if not STRATEGIES[setting.strategy].samples:
        return changed, None
    marked = [(name, Marks(good=name in labels.results)) for name in (*good, *bad)]
    return changed, Examples(pages=[(web.read(b"", web.address(name), {}), marks) for name, marks in marked])


def figures_of(task: str, setting: Setting, budget: int) -> Figures:
    """One crawl of the task's web in virtual time."""
    bench = bench_of(task, budget, OUT / "cache")
    changed, examples = setting_of(setting, bench)
    once = bench.read_once("")
    with once.sharing():
        understanding = build_understanding(
            setting.strategy,
            bench.about.topic,
            bench.about.lexicon,
            parameters=dict(setting.parameters),
            seeds=changed.seeds,
            examples=examples,
            read=once.read,
        )
        store, progress = crawled(Job(task, setting.strategy, 1, budget), changed, understanding)
    run = run_of((setting.strategy, 1), store, progress, 0.0, changed.labels)
    (found,) = changed.yardstick.measured([run])
    visits = [visit for visit in run.visits if visit.name not in changed.labels.ignored]
    return Figures(
        len(run.visits),
        found.of_oracle,
        max(found.target_recall.values()),
        found.precision or 0.0,
        found.recall or 0.0,
        {n: mean(visit.is_target for visit in visits[:n]) for n in SHOWN},
        {n: mean(visit.on_topic for visit in visits[:n]) for n in SHOWN},
        graph_at(run),
        _alike(setting, understanding.remember()),
    )


def _alike(setting: Setting, memory: bytes) -> float:
    known = beliefs(setting.strategy, memory, dict(setting.parameters))
    vertices = known.counts.get("vertices by Q", {}) if known else {}
    return max(vertices.values()) / sum(vertices.values()) if vertices else 0.0


def _of_task(task: str, settings: Sequence[Setting], budget: int) -> tuple[str, dict[Setting, Figures]]:
    return task, {setting: figures_of(task, setting, budget) for setting in settings}


def measure(chosen: Sequence[str], settings: Sequence[Setting], budget: int, processes: int) -> Found:
    """All settings on all tasks, a task in one process."""
    found: dict[Setting, dict[str, Figures]] = {setting: {} for setting in settings}
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        waiting = [pool.submit(_of_task, task, settings, budget) for task in chosen]
        for number, one in enumerate(waiting, 1):
            task, row = one.result()
            print(f"{task}, {number} of {len(waiting)} tasks", flush=True)
            for setting, figures in row.items():
                found[setting][task] = figures
    return found


def _mean(found: Found, setting: Setting, figure: str) -> float:
    of_tasks: list[float] = [getattr(one, figure) for one in found[setting].values()]
    return mean(of_tasks)


def _ahead(found: Found, one: Setting, others: Sequence[Setting], figure: str) -> str:
    """On how many tasks a setting has more than all others."""
    tasks_of = found[one]
    more = sum(
        all(getattr(mine, figure) > getattr(found[other][task], figure) for other in others)
        for task, mine in tasks_of.items()
    )
    return f"{more} of {len(tasks_of)}"


def _curve(found: Found, setting: Setting, figure: str) -> str:
    """The mean over tasks at the first and the last number of pages."""
    ends = (mean(getattr(one, figure)[n] for one in found[setting].values()) for n in (SHOWN[0], SHOWN[-1]))
    return " -> ".join(f"{end:.2f}" for end in ends)


def claims(found: Found) -> str:
    """What the papers say, and the same here, in the mean of the tasks."""
    rows: list[list[object]] = []

    def compare(claim: str, said: str, settings: Sequence[Setting], figure: str) -> None:
        """The first setting beside the others."""
        here = ", ".join(f"{one.strategy} {_mean(found, one, figure):.3f}" for one in settings)
        rows.append([claim, said, here, _ahead(found, settings[0], settings[1:], figure)])

    def curve(claim: str, said: str, setting: Setting) -> None:
        here = f"by its own judge {_curve(found, setting, 'own')}, by labels {_curve(found, setting, 'harvest')}"
        rows.append([claim, said, here, ""])

    above = "harvest .55 and .38 at the end; recall .28 and .22"
    compare("J: JLSE above ATA, strict", above, [JLSE, ATA], "of_oracle")
    compare("J: the same, relaxed", above, [JLSE_RELAXED, ATA_RELAXED], "of_oracle")
    compare("J: the same, taught by the ontology", above, [JLSE_TAUGHT, ATA_TAUGHT], "of_oracle")
    compare("J: cf 150 (here first) better than 50", "150 best of 50 to 200", [JLSE_150, JLSE_RELAXED], "of_oracle")
    curve("J: harvest of JLSE, first to last page", ".68 -> .55", JLSE_RELAXED)
    curve("J: of OPIE", ".65 -> .51", OPIE)
    curve("J: of ATA", ".67 -> .38", ATA_RELAXED)
    curve("J: of CFC (`context-graph`)", ".57 -> .31", CFC)
    curve("J: of breadth-first", ".26 -> .03", J_BFS)
    compare("O: concepts beat keywords in recall", "at every point", [CONCEPTS, KEYWORDS], "recall")
    compare("O: concepts beat keywords in precision", "at every point", [CONCEPTS, KEYWORDS], "precision")
    compare("O: link prediction costs little recall", "70.5 % for 74.7 %", [LINKS, CONCEPTS], "targets")
    compare("A: more recall late than its baselines", "clearly more", [ADAPTIVE, KEYWORDS, PAGERANK], "targets")
    compare("C: seeds alone beat breadth-first", "yes", [CENTRE, C_BFS], "of_oracle")
    curve("C: harvest of seeds alone", "about .70", CENTRE)
    curve("C: of best-first", "above .75 (trained)", C_KEYWORDS)
    curve("C: of breadth-first", "below .40", C_BFS)
    return table(["claim", "the paper", "here", "ahead on"], rows)


def by_task(found: Found) -> str:
    """Every crawl: share of the oracle (pages, where it ended before the limit)."""
    every = list(next(iter(found.values())))
    rows: list[list[object]] = []
    for setting, figures in found.items():
        cells = [_cell(figures[task]) for task in every]
        rows.append([NAMES[setting], *cells, _mean(found, setting, "of_oracle")])
    return table(["setting", *every, "mean"], rows)


def _cell(one: Figures) -> str:
    graph = ", no G_w" if one.graph_at == NEVER else f", Q {one.alike:.0%}" if one.graph_at else ""
    return f"{one.of_oracle:.3f} ({one.pages:,}{graph})"


_EVERY_TOLD = (
    "Share of the oracle (pages fetched; of the last G_w, the share of its vertices that have the commonest Q)."
)


def likes(chosen: Sequence[str], budget: int, processes: int) -> str:
    """Paper C's threshold `like`, chosen without the web on which it is judged."""
    settings = {f"like {like:g}": replace(CENTRE, parameters=(("like", like),)) for like in LIKES}
    found = measure(chosen, list(settings.values()), budget, processes)
    shares = {name: {task: one.of_oracle for task, one in found[of].items()} for name, of in settings.items()}
    return "## `like` of `customised`, with ten topic pages as seeds\n\nShares of the oracle.\n\n" + one_web_left_out(
        shares
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="claims,like")
    parser.add_argument("--tasks", default="", help="default: six for the claims, all for like")
    parser.add_argument("--budget", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=PAPERS)
    typed = parser.parse_args()
    chosen = tasks(typed.tasks.split(","))
    text = f"# The papers in their own setting\n\nWritten by `python -m benchmarks.papers` at commit {commit_now()}.\n"
    if "claims" in typed.parts:
        found = measure(chosen if typed.tasks else TASKS, list(NAMES), typed.budget, typed.processes)
        told = claims(found)
        text += f"\n## Claims\n\nMeans of {len(found[JLSE])} tasks, {typed.budget:,} pages.\n\n{told}"
        text += f"\n## Every crawl\n\n{_EVERY_TOLD}\n\n{by_task(found)}"
        if not typed.tasks:
            put(STRATEGIES_TOLD, "claims", told)
    if "like" in typed.parts:
        text += "\n" + likes(chosen, typed.budget, typed.processes)
    typed.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
