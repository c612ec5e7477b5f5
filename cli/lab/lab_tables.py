"""The lab's tables: `order-STRATEGY.tsv`, `results.json`, `results.csv`."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from cli.lab.measured_crawl import Curve, Measured, Run, Yardstick
from cli.render.answer_tables import csv_cell
from cli.render.language import listed, tr
from cli.render.live_progress import covered_figures
from semantic.strategies.strategy_table import STRATEGIES
from semantic.urls import typeable

NEVER = "never"  # that G_w was built
ORDER_HEADER = ("rank", "url", "priority", "relevance", "is_target")


def write_order(out: Path, run: Run, spelled: Mapping[str, str], *, with_seed: bool) -> str:
    """Write one line for each page that counts, in order of fetching. Gives the file's name.

    Addresses are written as recorded. `spelled`: name of a page -> recorded address.
    """
    strategy = run.strategy.replace(":", "_")  # Windows allows no colon in file names
    name = f"order-{strategy}-{run.seed}.tsv" if with_seed else f"order-{strategy}.tsv"
    lines = ["\t".join(ORDER_HEADER)]
    for v in run.visits:
        url = typeable(spelled.get(v.name, v.url))
        lines.append(f"{v.rank}\t{url}\t{v.priority:.6g}\t{v.relevance:.6g}\t{int(v.is_target)}")
    (out / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


def write_results(out: Path, about: Mapping[str, object], yardstick: Yardstick, runs: Sequence[Run]) -> None:
    """Write all figures, as JSON and as CSV with a column for each."""
    measured = yardstick.measured(runs)
    whole = {
        **about,
        "oracle": _reference(yardstick.oracle, yardstick),
        "breadth_first": _reference(yardstick.breadth_first, yardstick),
        "runs": [figures(one) for one in measured],
    }
    (out / "results.json").write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    rows = [_flat(figures(one)) | {"labels": about["labels"]} for one in measured]
    with (out / "results.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows({name: csv_cell(value) for name, value in row.items()} for row in rows)


def figures(measured: Measured) -> dict[str, object]:
    """The figures of one run by name. Times in seconds; `virtual_seconds` are those of the simulated crawl."""
    run = measured.run
    return {
        "strategy": run.strategy,
        "seed": run.seed,
        "pages": len(run.visits),
        "copies": run.progress.copies,
        "targets_by_copy": measured.by_copy,
        "harvest_rate": _rounded(measured.harvest),
        "target_recall": _rounded(measured.target_recall),
        "precision": _round(measured.precision),
        "recall": _round(measured.recall),
        "h": _round(measured.h),
        "area": _round(measured.curve.area),
        "of_oracle": _round(measured.of_oracle),
        "inversions": run.progress.inversions,
        "requests": run.progress.requests,
        "stopped": run.progress.stopped,
        **covered_figures(run.progress),
        "graph_at": graph_at(run),
        "cpu_seconds": round(run.cpu_seconds, 2),
        "virtual_seconds": round(run.progress.seconds, 2),
        "results_per_hour": _round(measured.per_hour),
    }


def graph_at(run: Run) -> int | str | None:
    """How many results its own judge had found when G_w was first read; None for a strategy that does not use G_w."""
    if run.progress.graph_at is not None:
        return run.progress.graph_at
    return NEVER if STRATEGIES[_strategy(run)].graph else None


def without_graph(measured: Sequence[Measured]) -> str:
    """A sentence that names the runs of jlse in which G_w was never built; "" if there is none."""
    names = [one.name for one in measured if _strategy(one.run) == "jlse" and graph_at(one.run) == NEVER]
    if not names:
        return ""
    return tr(
        "G_w was never built in {runs}, so jlse orders links there as ata does: it is built when the number of results "
        "reaches a multiple of cf, which can be lower, as in --strategies jlse:cf=50.",
        runs=listed(names),
    )


def _strategy(run: Run) -> str:
    """The strategy without its parameters."""
    return run.strategy.partition(":")[0]


def _reference(curve: Curve, yardstick: Yardstick) -> dict[str, object]:
    found = {str(mark): curve.found[mark - 1] for mark in yardstick.marks}
    share = curve.area / yardstick.oracle.area if yardstick.oracle.area else 0.0
    return {"area": _round(curve.area), "of_oracle": _round(share), "found": found}


def _flat(figures: Mapping[str, object]) -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in figures.items():
        if isinstance(value, dict):
            flat |= {f"{name}@{mark}": share for mark, share in value.items()}
        elif not isinstance(value, list):
            flat[name] = value
    return flat


def _rounded(shares: Mapping[int, float]) -> dict[str, float | None]:
    return {str(mark): _round(share) for mark, share in shares.items()}


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
