"""The tables of `benchmarks/orders.md`, from shares of the oracle by task."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

Shares = Mapping[str, Mapping[str, float]]  # name of a column -> task -> figure

FUSED = "fused"
CLOSE = 0.03
PEERS = Path(__file__).with_name("peers.tsv")


def put(path: Path, name: str, text: str) -> None:
    """Write a table into a page, between the marks of this name."""
    begin, end = (f"<!-- {name}: {what} -->" for what in ("begin", "end"))
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    path.write_text(f"{before}{begin}\n{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


def read_peers() -> dict[str, dict[str, float]]:
    """Peer -> task -> share, as measured by others."""
    with PEERS.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader((line for line in stream if not line.startswith("#")), delimiter="\t")
        peers: dict[str, dict[str, float]] = {}
        for row in rows:
            peers.setdefault(row["peer"], {})[row["task"]] = float(row["share"])
    return peers


def webs_of(tasks: Sequence[str]) -> dict[str, list[str]]:
    """Web -> its tasks."""
    webs: dict[str, list[str]] = {}
    for task in sorted(tasks):
        webs.setdefault(task.partition("/")[0], []).append(task)
    return webs


def mean_over(row: Mapping[str, float], tasks: Sequence[str]) -> float:
    """The mean of the figures of these tasks."""
    return mean(row[task] for task in tasks)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Markdown; numbers with three digits."""
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    lines += [
        "| " + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row) + " |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def all_tasks(shares: Shares) -> str:
    """A row a task, a web, the mean of all."""
    tasks = sorted(next(iter(shares.values())))
    rows: list[list[object]] = [[task, *(row[task] for row in shares.values())] for task in tasks]
    for web, those in webs_of(tasks).items():
        rows.append([f"**{web}**", *(mean_over(row, those) for row in shares.values())])
    rows.append([f"**mean of {len(tasks)}**", *(mean_over(row, tasks) for row in shares.values())])
    return table(["task", *shares], rows)


def by_web(shares: Shares) -> str:
    """A row a strategy, a column a web: for docs/strategies.md."""
    tasks = sorted(next(iter(shares.values())))
    webs = webs_of(tasks)
    rows = [
        [name, *(mean_over(row, those) for those in webs.values()), mean_over(row, tasks)]
        for name, row in shares.items()
    ]
    return table(["strategy", *webs, "mean"], rows)


def against_strategies(shares: Shares) -> str:
    """`fused` beside the best other strategy of each task, in words and a table."""
    rows: list[list[object]] = []
    for task, share in sorted(shares[FUSED].items()):
        best = max((name for name in shares if name != FUSED), key=lambda name: shares[name][task])
        rows.append([task, share, best, shares[best][task], _signed(share - shares[best][task])])
    behind = sorted((float(str(row[-1])), str(row[0])) for row in rows)
    near = sum(difference >= -CLOSE for difference, _ in behind)
    ahead = sum(difference > 0 for difference, _ in behind)
    worst, where = behind[0]
    told = f"Ahead on {ahead}, ahead or within {CLOSE} on {near} of {len(rows)}; worst {worst:+.3f} ({where})."
    return f"{told}\n\n" + table(["task", FUSED, "best other", "its share", "difference"], rows)


def against_all_by_web(shares: Shares, peers: Shares) -> str:
    """`fused` beside every strategy and every peer, web by web, each over the tasks that both have."""
    fused = shares[FUSED]
    webs = webs_of(list(fused))
    rows: list[list[object]] = []
    for name, other in [*((n, row) for n, row in shares.items() if n != FUSED), *peers.items()]:
        differences = [_difference(fused, other, tasks) for tasks in webs.values()]
        ahead = sum(d >= 0 for d in differences if d is not None)
        measured = sum(d is not None for d in differences)
        rows.append([name, *("" if d is None else _signed(d) for d in differences), f"{ahead} of {measured}"])
    return table([f"{FUSED} minus", *webs, "ahead on"], rows)


def _difference(fused: Mapping[str, float], other: Mapping[str, float], tasks: Sequence[str]) -> float | None:
    both = [task for task in tasks if task in other]
    return mean_over(fused, both) - mean_over(other, both) if both else None


def worth(whole: Mapping[str, float], without: Shares) -> str:
    """What each part adds on each web: the whole minus the crawl without it."""
    webs = webs_of(list(whole))
    rows: list[list[object]] = [
        [f"{FUSED}, share", *(mean_over(whole, tasks) for tasks in webs.values()), mean_over(whole, list(whole))]
    ]
    for name, row in without.items():
        differences = (mean_over(whole, tasks) - mean_over(row, tasks) for tasks in [*webs.values(), list(whole)])
        rows.append([name, *map(_signed, differences)])
    return table(["what it adds", *webs, "mean"], rows)


def one_web_left_out(variants: Shares) -> str:
    """Of each web: the variant that is best on the others, judged here; then all variants."""
    tasks = sorted(next(iter(variants.values())))
    webs = webs_of(tasks)
    usual = next(iter(variants))
    if len(webs) == 1:
        return by_web(variants)  # no web is left to choose on
    rows: list[list[object]] = []
    held: dict[str, float] = {}
    for web, those in webs.items():
        others = [task for task in tasks if task not in those]
        chosen = max(variants, key=lambda name: mean_over(variants[name], others))
        best = max(variants, key=lambda name: mean_over(variants[name], those))
        held |= {task: variants[chosen][task] for task in those}
        here = (mean_over(variants[name], those) for name in (chosen, usual))
        rows.append(
            [web, chosen, mean_over(variants[chosen], others), *here, f"{mean_over(variants[best], those):.3f} {best}"]
        )
    rows.append([f"**mean of {len(tasks)}**", "", "", mean_over(held, tasks), mean_over(variants[usual], tasks), ""])
    told = table(
        ["web left out", "best on the others", "its mean there", "here", f"{usual} here", "best here, in hindsight"],
        rows,
    )
    return told + "\n" + by_web(variants).replace("| strategy |", "| variant |", 1)


def _signed(value: float) -> str:
    return f"{value:+.3f}"
