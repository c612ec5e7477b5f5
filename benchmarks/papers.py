"""The four papers' strategies in the papers' own setting, and their claims beside what comes out here.

    python -m benchmarks.papers [--parts claims,like] [--tasks WEB/TASK,WEB/] [--budget 2000]

- Paper J trains its classifiers once, on about a thousand good and bad pages each: here on `SAMPLES` of each as files,
  drawn by chance from targets and other pages (at most half of a task's targets). They count neither for nor against a
  crawl. cf is 50, because these webs are small. Strict as published, and relaxed (`off_topic` 1, `expand` 1), because
  on a web with an end the strict crawl stops early.
- Paper C begins with ten pages about the topic: here ten targets drawn by chance. It has no ontology.
- Papers O and A: as they are by default.

No delay and one connection; strategies know no chance, so each runs once. `like`: C's threshold, on all tasks. Writes
`benchmarks/papers.md`.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

from benchmarks.lab_runs import Bench, Job, bench_of, commit_now, crawl_task, side_by_side, tasks
from benchmarks.measured import ROOT
from benchmarks.options import options
from benchmarks.orders_tables import by_web, table
from cli.lab.lab_tables import NEVER, graph_at
from cli.lab.measured_crawl import Labels, make_yardstick
from semantic.strategies.learned_beliefs import beliefs
from semantic.strategies.strategy_table import STRATEGIES
from semantic.understanding import Examples, Marks

PAPERS = ROOT / "benchmarks" / "papers.md"
SAMPLES, SEEDS = 100, 10  # paper J: 1,012 and 1,003; paper C: 10
TASKS = (  # one of each web whose labels speak of what a page says
    *("archwiki/networking", "blogs-a/film_tv", "linuxcn/phones_android"),
    *("lohelpzh/database", "uci/ai_ml", "zhblogs/machine_learning"),
)
LIKES = (0.8, 0.3, 0.5, 0.7, 0.9)  # the default first
SHOWN = (200, 2000)  # pages at which curves are read


@dataclass(frozen=True)
class Setting:
    """A strategy as a paper had it. `marked`: it is trained on marked files; `about`: ten targets are its seeds."""

    strategy: str
    parameters: Mapping[str, float]
    marked: bool = False
    about: bool = False


CF, RELAXED = {"cf": 50.0}, {"off_topic": 1.0, "expand": 1.0}
TAUGHT = "jlse, relaxed, taught by the ontology"
SETTINGS = {
    "jlse, strict": Setting("jlse", CF, marked=True),
    "jlse, relaxed": Setting("jlse", CF | RELAXED, marked=True),
    "jlse, relaxed, cf 150": Setting("jlse", RELAXED, marked=True),
    TAUGHT: Setting("jlse", CF | RELAXED),
    "ata, strict": Setting("ata", {}, marked=True),
    "ata, relaxed": Setting("ata", RELAXED, marked=True),
    "ata, relaxed, taught by the ontology": Setting("ata", RELAXED),
    **{name: Setting(name, {}, marked=True) for name in ("opie", "context-graph", "bfs")},
    **{name: Setting(name, {}) for name in ("ontology", "best-first", "ontology-links")},
    "ontology-links, alpha 1": Setting("ontology-links", {"alpha": 1.0}),
    "ontology-links, alpha 1, alpha_layer 1": Setting("ontology-links", {"alpha": 1.0, "alpha_layer": 1.0}),
    **{name: Setting(name, {}) for name in ("adaptive", "pagerank")},
    **{f"{name}, ten topic pages": Setting(name, {}, about=True) for name in ("customised", "best-first", "bfs")},
}


Figures = Mapping[str, Any]  # of one crawl: see `figures_of`
Found = Mapping[str, Mapping[str, Figures]]  # name of a setting -> task -> figures


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
    yardstick = make_yardstick(web, left, seeds, bench.yardstick.limits)
    changed = replace(bench, seeds=seeds, labels=left, yardstick=yardstick)
    if not STRATEGIES[setting.strategy].samples:
        return changed, None
    marked = [(name, Marks(good=name in labels.results)) for name in (*good, *bad)]
    return changed, Examples(pages=[(web.read(b"", web.address(name), {}), marks) for name, marks in marked])


def figures_of(task: str, setting: Setting, budget: int) -> Figures:
    """One crawl of the task's web in virtual time. `harvest` and `own`: share of the first N pages that are targets,
    and that its own judge calls on topic; `precision`, `recall`: that judge as a filter of what was fetched; `targets`:
    share of all targets found; `alike`: share of the vertices of G_w that have the commonest Q, 0 without a G_w.
    """
    bench, examples = setting_of(setting, bench_of(task, budget))
    job = Job(task, setting.strategy, 1, budget, parameters=tuple(setting.parameters.items()))
    done = crawl_task(job, bench, examples)
    visits = [visit for visit in done.run.visits if visit.name not in bench.labels.ignored]
    known = beliefs(setting.strategy, done.understanding.remember(), dict(setting.parameters))
    vertices = known.counts.get("vertices by Q", {}) if known else {}
    return {
        "pages": len(done.run.visits),
        "of_oracle": done.figures.of_oracle,
        "targets": max(done.figures.target_recall.values()),
        "precision": done.figures.precision or 0.0,
        "recall": done.figures.recall or 0.0,
        "harvest": [fmean(visit.is_target for visit in visits[:n]) for n in SHOWN],
        "own": [fmean(visit.on_topic for visit in visits[:n]) for n in SHOWN],
        "graph_at": graph_at(done.run),
        "alike": max(vertices.values()) / sum(vertices.values()) if vertices else 0.0,
    }


def _of_task(task: str, settings: Mapping[str, Setting], budget: int) -> dict[str, Figures]:
    return {name: figures_of(task, setting, budget) for name, setting in settings.items()}


def measure(chosen: Sequence[str], settings: Mapping[str, Setting], budget: int, processes: int) -> Found:
    """All settings on all tasks, a task in one process."""
    of_tasks = dict(side_by_side(partial(_of_task, settings=settings, budget=budget), chosen, processes))
    return {name: {task: of_tasks[task][name] for task in chosen} for name in settings}


def _mean(found: Found, name: str, figure: str) -> float:
    return fmean(one[figure] for one in found[name].values())


def claims(found: Found) -> str:
    """What the papers say, and the same here, in the mean of the tasks."""
    rows: list[list[object]] = []

    def compare(claim: str, said: str, names: Sequence[str], figure: str) -> None:
        """The first setting beside the others, and on how many tasks it has more than all of them."""
        first, *others = ([one[figure] for one in found[name].values()] for name in names)
        ahead = sum(mine > max(theirs) for mine, *theirs in zip(first, *others, strict=True))
        here = ", ".join(f"{SETTINGS[name].strategy} {_mean(found, name, figure):.3f}" for name in names)
        rows.append([claim, said, here, f"{ahead} of {len(first)}"])

    def curve(claim: str, said: str, name: str) -> None:
        """The share of results at the first and the last number of pages."""
        own, harvest = (
            " -> ".join(f"{fmean(one[figure][end] for one in found[name].values()):.2f}" for end in (0, 1))
            for figure in ("own", "harvest")
        )
        rows.append([claim, said, f"by its own judge {own}, by labels {harvest}", ""])

    above = "harvest .55 and .38 at the end; recall .28 and .22"
    for claim, how in (
        ("J: JLSE above ATA, strict", "strict"),
        ("J: the same, relaxed", "relaxed"),
        ("J: the same, taught by the ontology", "relaxed, taught by the ontology"),
    ):
        compare(claim, above, [f"jlse, {how}", f"ata, {how}"], "of_oracle")
    both = ["jlse, relaxed, cf 150", "jlse, relaxed"]
    compare("J: cf 150 (here first) better than 50", "150 best of 50 to 200", both, "of_oracle")
    curve("J: harvest of JLSE, first to last page", ".68 -> .55", "jlse, relaxed")
    curve("J: of OPIE", ".65 -> .51", "opie")
    curve("J: of ATA", ".67 -> .38", "ata, relaxed")
    curve("J: of CFC (`context-graph`)", ".57 -> .31", "context-graph")
    curve("J: of breadth-first", ".26 -> .03", "bfs")
    compare("O: concepts beat keywords in recall", "at every point", ["ontology", "best-first"], "recall")
    compare("O: concepts beat keywords in precision", "at every point", ["ontology", "best-first"], "precision")
    compare("O: link prediction costs little recall", "70.5 % for 74.7 %", ["ontology-links", "ontology"], "targets")
    late = ["adaptive", "best-first", "pagerank"]
    compare("A: more recall late than its baselines", "clearly more", late, "targets")
    topic = {name: f"{name}, ten topic pages" for name in ("customised", "best-first", "bfs")}
    compare("C: seeds alone beat breadth-first", "yes", [topic["customised"], topic["bfs"]], "of_oracle")
    curve("C: harvest of seeds alone", "about .70", topic["customised"])
    curve("C: of best-first", "above .75 (trained)", topic["best-first"])
    curve("C: of breadth-first", "below .40", topic["bfs"])
    return table(["claim", "the paper", "here", "ahead on"], rows)


def by_task(found: Found) -> str:
    """Every crawl: share of the oracle (pages, where it ended before the limit)."""
    every = list(next(iter(found.values())))
    rows = [
        [name, *(_cell(figures[task]) for task in every), _mean(found, name, "of_oracle")]
        for name, figures in found.items()
    ]
    return table(["setting", *every, "mean"], rows)


def _cell(one: Figures) -> str:
    graph = ", no G_w" if one["graph_at"] == NEVER else f", Q {one['alike']:.0%}" if one["graph_at"] else ""
    return f"{one['of_oracle']:.3f} ({one['pages']:,}{graph})"


_EVERY = "Share of the oracle (pages fetched; of the last G_w, the share of its vertices that have the commonest Q)."


def main() -> None:
    given = options(__doc__, parts="claims,like", tasks="", budget=2000, processes=2)
    text = f"# The papers in their own setting\n\nWritten by `python -m benchmarks.papers` at commit {commit_now()}.\n"
    if "claims" in given.parts:
        chosen = tasks(given.tasks or ",".join(TASKS))
        found = measure(chosen, SETTINGS, given.budget, given.processes)
        said = claims(found)
        text += f"\n## Claims\n\nMeans of {len(chosen)} tasks, {given.budget:,} pages.\n\n{said}"
        text += f"\n## Every crawl\n\n{_EVERY}\n\n{by_task(found)}"
    if "like" in given.parts:
        likes = {f"like {like:g}": Setting("customised", {"like": like}, about=True) for like in LIKES}
        found = measure(tasks(given.tasks), likes, given.budget, given.processes)
        shares = {name: {task: one["of_oracle"] for task, one in row.items()} for name, row in found.items()}
        text += "\n## `like` of `customised`, with ten topic pages as seeds\n\nShares of the oracle.\n\n"
        text += by_web(shares).replace("| strategy |", "| variant |", 1)
    PAPERS.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
