"""Tables in Markdown, and those of `benchmarks/orders.md` from shares of the oracle by task."""

import csv
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from statistics import fmean

Row = Mapping[str, float]  # task -> figure
Shares = Mapping[str, Row]  # name of a column -> its figures
Figures = Mapping[str, float]  # name of a column -> figure

FUSED = "fused"
CLOSE = 0.03
PEERS = Path(__file__).with_name("peers.tsv")


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Markdown; numbers with three digits."""
    cells = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    first, *others = (f"| {' | '.join(row)} |\n" for row in [head, *cells])
    return first + "|---" * len(head) + "|\n" + "".join(others)


def with_means(found: Mapping[str, Figures], groups: Mapping[str, Collection[str]]) -> str:
    """A row a task, and the means of groups of tasks. Shares have three digits, all other figures none."""
    head = list(next(iter(found.values())))
    rows: list[list[object]] = [[task, *figures.values()] for task, figures in sorted(found.items())]
    for name, some in groups.items():
        means = [fmean(found[task][column] for task in some) for column in head] if some else []
        means = [round(mean) if isinstance(rows[0][place], int) else mean for place, mean in enumerate(means, 1)]
        rows += [[f"**mean, {name}** ({len(some)})", *means]] * bool(some)
    return table(["task", *head], rows)


def put(path: Path, name: str, text: str) -> None:
    """Write a table into a page, between the marks of this name."""
    begin, end = (f"<!-- {name}: {what} -->" for what in ("begin", "end"))
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    path.write_text(f"{before}{begin}\n{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


def read_peers() -> dict[str, dict[str, float]]:
    """Peer -> task -> share, as measured by others."""
    peers: dict[str, dict[str, float]] = {}
    with PEERS.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader((line for line in stream if not line.startswith("#")), delimiter="\t"):
            peers.setdefault(row["peer"], {})[row["task"]] = float(row["share"])
    return peers


def webs_of(row: Row) -> dict[str, list[str]]:
    """Web -> its tasks."""
    webs: dict[str, list[str]] = {}
    for task in sorted(row):
        webs.setdefault(task.partition("/")[0], []).append(task)
    return webs


def mean_over(row: Row, tasks: Sequence[str]) -> float:
    """The mean of the figures of these tasks."""
    return fmean(row[task] for task in tasks)


def means(row: Row) -> list[float]:
    """The mean of each web, and of all tasks."""
    return [mean_over(row, those) for those in [*webs_of(row).values(), list(row)]]


def all_tasks(shares: Shares) -> str:
    """A row a task, a web, the mean of all."""
    first = next(iter(shares.values()))
    names = [*(f"**{web}**" for web in webs_of(first)), f"**mean of {len(first)}**"]
    rows: list[list[object]] = [[task, *(row[task] for row in shares.values())] for task in sorted(first)]
    rows += [[name, *of] for name, *of in zip(names, *map(means, shares.values()), strict=True)]
    return table(["task", *shares], rows)


def by_web(shares: Shares) -> str:
    """A row a strategy, a column a web."""
    webs = webs_of(next(iter(shares.values())))
    return table(["strategy", *webs, "mean"], [[name, *means(row)] for name, row in shares.items()])


def against_strategies(shares: Shares) -> str:
    """`fused` beside the best other strategy of each task, in words and a table."""
    rows: list[list[object]] = []
    gaps: dict[str, float] = {}
    for task, share in sorted(shares[FUSED].items()):
        best = max((name for name in shares if name != FUSED), key=lambda name: shares[name][task])
        gaps[task] = round(share - shares[best][task], 3)
        rows.append([task, share, best, shares[best][task], f"{gaps[task]:+.3f}"])
    ahead, near = (sum(gap > least for gap in gaps.values()) for least in (0, -CLOSE - 1e-9))
    worst = min(gaps, key=gaps.__getitem__)
    said = f"Ahead on {ahead}, ahead or within {CLOSE} on {near} of {len(rows)}; worst {gaps[worst]:+.3f} ({worst})."
    return f"{said}\n\n" + table(["task", FUSED, "best other", "its share", "difference"], rows)


def against_all_by_web(shares: Shares, peers: Shares) -> str:
    """`fused` beside every strategy and every peer, web by web, each over the tasks that both have."""
    fused = shares[FUSED]
    webs = webs_of(fused)
    rows: list[list[object]] = []
    for name, other in [*((n, row) for n, row in shares.items() if n != FUSED), *peers.items()]:
        both = [[task for task in tasks if task in other] for tasks in webs.values()]
        gaps = [mean_over(fused, tasks) - mean_over(other, tasks) if tasks else None for tasks in both]
        measured = [gap for gap in gaps if gap is not None]
        cells = ("" if gap is None else f"{gap:+.3f}" for gap in gaps)
        rows.append([name, *cells, f"{sum(gap >= 0 for gap in measured)} of {len(measured)}"])
    return table([f"{FUSED} minus", *webs, "ahead on"], rows)


def worth(whole: Row, without: Shares) -> str:
    """What each part adds on each web: the whole minus the crawl without it."""
    rows: list[list[object]] = [[f"{FUSED}, share", *means(whole)]]
    for name, row in without.items():
        rows.append([name, *(f"{one - other:+.3f}" for one, other in zip(means(whole), means(row), strict=True))])
    return table(["what it adds", *webs_of(whole), "mean"], rows)
