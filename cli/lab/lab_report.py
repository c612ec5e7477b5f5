"""The lab's report: curves, figures, coverage by concept, and where strategies differ. One file without external
parts.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from cli.inputs.example_pages import SAMPLES
from cli.lab.lab_tables import figures, without_graph
from cli.lab.measured_crawl import JUDGE, Curve, Measured, Run, Visit, Yardstick, concepts_found
from cli.render.language import as_told, language, later, listed, reason_told, tr
from cli.render.terminal import clean, one_line
from ontology.messages import SEMICOLON

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 780, 360, 60, 24, 44  # of a drawing, in pixels
POINTS = 200  # of a curve, at most
SHOWN = 12  # pages in a table of differences
UNSEEN = later("no page that it fetched links there")
CONCEPTS = 60  # rows in the table of concepts
HUES = "1f77b4 d62728 2ca02c 9467bd ff7f0e 8c564b e377c2 17becf bcbd22 3b5bdb a61e4d 087f5b e8590c 5f3dc4"
COLOURS = [f"#{hue}" for hue in HUES.split()]
STYLE = """
body { font: 15px/1.5 system-ui, "Noto Sans SC", "PingFang SC", sans-serif; max-width: 1100px; margin: 2em auto;
  padding: 0 1em; color: #222; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; }
th, td { border-bottom: 1px solid #ddd; padding: 3px 8px; text-align: right; vertical-align: top; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
td.text { overflow-wrap: anywhere; min-width: 14em; } td:first-child { min-width: 13em; max-width: 22em; }
.wide { overflow-x: auto; }
.note { background: #fff8e1; border-left: 4px solid #f0b400; padding: .5em 1em; }
figure { margin: 1em 0; } figcaption span { margin-right: 1.2em; white-space: nowrap; }
svg text { font-size: 11px; fill: #555; } details { margin: .5em 0; }
"""
HEADS = (
    ("strategy", later("strategy"), "{}"),
    ("seed", later("seed"), "{}"),
    ("pages", later("pages"), "{}"),
    ("copies", later("copies"), "{}"),
    ("targets_by_copy", later("targets by a copy"), "{}"),
    ("area", later("area"), "{:.3f}"),
    ("of_oracle", later("of oracle"), "{:.3f}"),
    ("precision", later("precision"), "{:.3f}"),
    ("recall", later("recall"), "{:.3f}"),
    ("h", later("H"), "{:.3f}"),
    ("graph_at", later("G_w from"), "{}"),
    ("inversions", later("inversions"), "{}"),
    ("results_per_hour", later("results/hour"), "{:.1f}"),
    ("cpu_seconds", later("CPU s"), "{:.1f}"),
)
GRAPH_AT = [key for key, _, _ in HEADS].index("graph_at")
BREADTH_FIRST = later("breadth-first by recorded links")  # without robots.txt and copies, unlike the strategy `bfs`

Line = tuple[str, str, Sequence[float], bool]  # name, colour, a value after each page, whether dashed


def write_report(
    out: Path, about: Mapping[str, object], yardstick: Yardstick, runs: Sequence[Run], labels: Mapping[str, str]
) -> None:
    """Write `report.html`. `labels`: concept -> its name."""
    measured = sorted(yardstick.measured(runs), key=lambda one: (-one.curve.area, one.run.strategy, one.run.seed))
    parts = [
        *_head(about, labels),
        *_curves(about, yardstick, measured),
        *_figures(yardstick, measured),
        *_coverage(measured, labels),
        *_differences(measured),
        "</body></html>",
    ]
    (out / "report.html").write_text("\n".join(parts) + "\n", encoding="utf-8")


def _head(about: Mapping[str, object], labels: Mapping[str, str]) -> Iterable[str]:
    topic = str(about["topic"])
    title = _text(tr("{topic} on {web}", topic=labels.get(topic, topic), web=about["web"]))
    yield "<!DOCTYPE html>"
    yield f'<html lang="{_tag()}"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head><body>'
    yield f"<h1>{title}</h1>"
    told = tr(
        "{recorded} recorded pages, {targets} targets, {reachable} of them reachable by links from the seeds; "
        "{pages} pages a strategy; delay {delay} s, {connections} connections, patience {patience}; half of the "
        "answers take {latency} s at most.",
        recorded=about["pages_recorded"],
        targets=about["targets"],
        reachable=about["targets_reachable"],
        pages=about["max_pages"],
        delay=about["delay"],
        connections=about["connections"],
        patience=about["patience"],
        latency=about["latency"],
    )
    yield f"<p>{told}</p>"
    for note in filter(None, (about["labels_note"], about["web_note"])):
        yield f'<p class="note">{_text(as_told(note if isinstance(note, str) else str(note)))}</p>'
    samples = tr(SAMPLES[str(about["samples"])])
    yield f"<p>{tr('Samples, for strategies that learn from them: {samples}.', samples=samples)}</p>"


def _curves(about: Mapping[str, object], yardstick: Yardstick, measured: Sequence[Measured]) -> Iterable[str]:
    colours = {name: COLOURS[rank % len(COLOURS)] for rank, name in enumerate(sorted(one.name for one in measured))}
    counts = [(one.name, colours[one.name], one.curve.found, False) for one in measured]
    counts += [  # drawn last: a dashed line on top of another shows both
        (tr("oracle"), "#000", yardstick.oracle.found, True),
        (tr(BREADTH_FIRST), "#777", yardstick.breadth_first.found, True),
    ]
    reachable = max(1, len(yardstick.reachable))
    label = tr("labels: {labels}", labels=about["labels"])
    recall = [(name, colour, [n / reachable for n in found], dash) for name, colour, found, dash in counts]
    caption = tr("Share of the reachable targets found ({label})", label=label)
    yield from _figure(caption, tr("share of the reachable targets"), recall)
    if any(one.run.progress.seconds for one in measured):
        minutes = [(one.name, colours[one.name], one.by_minute, False) for one in measured]
        by_time = [(name, colour, [n / reachable for n in found], dash) for name, colour, found, dash in minutes]
        caption = tr("The same by time ({label})", label=label)
        yield from _figure(caption, tr("share of the reachable targets"), by_time, tr("minutes of crawling"))
    rates = [
        (name, colour, [n / rank for rank, n in enumerate(found, 1)], dash) for name, colour, found, dash in counts
    ]
    caption = tr("Harvest rate: targets found / pages fetched ({label})", label=label)
    yield from _figure(caption, tr("harvest rate"), rates)


def _figure(caption: str, upwards: str, lines: Sequence[Line], along: str = "") -> Iterable[str]:
    """A drawing of shares from 0 to 1. `along`: what is counted on the other axis, pages fetched if not given."""
    most = max((len(values) for _, _, values, _ in lines), default=1)
    yield f"<h2>{_text(caption)}</h2><figure>"
    yield f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
    for step in range(6):
        share = step / 5
        x, y = _place(share, share)
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eee"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.1f}</text>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{round(share * most)}</text>'
    across, up = LEFT + (WIDTH - LEFT - RIGHT) / 2, (HEIGHT - BOTTOM) / 2
    yield f'<text x="{across:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{_text(along or tr("pages fetched"))}</text>'
    yield f'<text transform="translate(14 {up:.0f}) rotate(-90)" text-anchor="middle">{_text(upwards)}</text>'
    for name, colour, values, dashed in lines:
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        points = " ".join("{:.1f},{:.1f}".format(*_place(x, y)) for x, y in _sampled(values, most))
        yield (
            f'<polyline fill="none" stroke="{colour}" stroke-width="1.6"{dash} points="{points}">'
            f"<title>{_text(name)}</title></polyline>"
        )
    yield "</svg><figcaption>"
    yield from (
        f'<span style="color:{colour}">{"┄" if dash else "━"} {_text(name)}</span>' for name, colour, _, dash in lines
    )
    yield "</figcaption></figure>"


def _sampled(values: Sequence[float], most: int) -> Iterable[tuple[float, float]]:
    step = max(1, len(values) // POINTS)
    for rank in sorted({*range(step - 1, len(values), step), len(values) - 1}):
        yield (rank + 1) / most, values[rank]


def _place(x: float, y: float) -> tuple[float, float]:
    return LEFT + x * (WIDTH - LEFT - RIGHT), (HEIGHT - BOTTOM) - y * (HEIGHT - BOTTOM - 8)


def _figures(yardstick: Yardstick, measured: Sequence[Measured]) -> Iterable[str]:
    kind = (
        tr("no file of targets: the judge's verdict is the label")
        if yardstick.labels.kind == JUDGE
        else tr("labels: targets")
    )
    yield f"<h2>{_text(tr('Figures ({kind})', kind=kind))}</h2>"
    marks = [(tr("harvest@"), mark) for mark in yardstick.marks] + [(tr("recall@"), mark) for mark in yardstick.marks]
    rows = []
    for one in measured:
        told = figures(one)
        shares = [one.harvest[mark] for mark in yardstick.marks] + [one.target_recall[mark] for mark in yardstick.marks]
        cells = ["" if told[key] is None else form.format(told[key]) for key, _, form in HEADS]
        rows.append([*cells, *(f"{share:.3f}" for share in shares)])
    rows += [
        _reference(tr("oracle"), yardstick.oracle, yardstick),
        _reference(tr(BREADTH_FIRST), yardstick.breadth_first, yardstick),
    ]
    heads = [*(tr(head) for _, head, _ in HEADS), *(f"{name}{mark}" for name, mark in marks)]
    yield _table(*_without_empty_columns(heads, rows))
    if any(row[GRAPH_AT] for row in rows):
        from_where = tr("G_w from: the results by the strategy's own judge when the link graph was first built.")
        yield f"<p>{from_where}</p>"
    if never := without_graph(measured):
        yield f'<p class="note">{escape(never)}</p>'


def _reference(name: str, curve: Curve, yardstick: Yardstick) -> list[str]:
    """The row of a reference order, which has no judge, requests or time."""
    told = {"strategy": name, "area": curve.area, "of_oracle": curve.area / (yardstick.oracle.area or 1.0)}
    cells = [form.format(told[key]) if key in told else "" for key, _, form in HEADS]
    found = [curve.found[mark - 1] for mark in yardstick.marks]
    harvest = [f"{count / mark:.3f}" for count, mark in zip(found, yardstick.marks, strict=True)]
    return [*cells, *harvest, *(f"{count / max(1, len(yardstick.labels.results)):.3f}" for count in found)]


def _without_empty_columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    kept = [rank for rank in range(len(heads)) if any(row[rank] for row in rows)]
    return [heads[rank] for rank in kept], [[row[rank] for rank in kept] for row in rows]


def _coverage(measured: Sequence[Measured], labels: Mapping[str, str]) -> Iterable[str]:
    yield f"<h2>{tr('Coverage by concept')}</h2><p>{tr('Results that mention the concept, by strategy.')}</p>"
    found = [concepts_found(one.run) for one in measured]
    concepts = sorted({iri for counts in found for iri in counts}, key=lambda iri: (-sum(c[iri] for c in found), iri))
    rows = [[labels.get(iri, iri), *(counts[iri] for counts in found)] for iri in concepts[:CONCEPTS]]
    yield _table([tr("concept"), *(one.name for one in measured)], rows)
    if len(concepts) > CONCEPTS:
        yield f"<p>{tr('{number} more concepts are not shown.', number=len(concepts) - CONCEPTS)}</p>"


def _differences(measured: Sequence[Measured]) -> Iterable[str]:
    """Compare the best run with each other one, in both directions."""
    yield f"<h2>{tr('Where strategies differ')}</h2>"
    if len(measured) < 2:
        yield f"<p>{tr('One run only: nothing to compare.')}</p>"
        return
    best = measured[0]
    told = tr("Results that one found and the other did not; each run beside the best one, {best}.", best=best.name)
    yield f"<p>{_text(told)}</p>"
    for other in measured[1:]:
        yield from _difference(best, other)
        yield from _difference(other, best)


def _difference(one: Measured, other: Measured) -> Iterable[str]:
    theirs = frozenset[str]().union(*(visit.targets for visit in other.run.visits))
    alone = [visit for visit in one.run.visits if visit.targets - theirs]
    summary = tr("{one} found, {other} did not: {number}", one=one.name, other=other.name, number=len(alone))
    rows = [
        [visit.rank, visit.url, _why_found(visit), as_told(other.run.missed.get(visit.name, UNSEEN))]
        for visit in alone[:SHOWN]
    ]
    heads = [
        tr("rank"),
        tr("page"),
        tr("why {name} went there", name=one.name),
        tr("why {name} did not", name=other.name),
    ]
    yield f"<details><summary>{_text(summary)}</summary>{_table(heads, rows, text_from=1)}</details>"


def _why_found(visit: Visit) -> str:
    return tr(
        "priority {priority:.3f}: {why}", priority=visit.priority, why=listed(map(reason_told, visit.link), SEMICOLON)
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], text_from: int = 99) -> str:
    def cells(tag: str, row: Sequence[object]) -> str:
        kinds = (' class="text"' if rank >= text_from else "" for rank in range(len(row)))
        return "".join(f"<{tag}{kind}>{_text(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{cells("th", heads)}</tr></thead><tbody>{body}</tbody></table></div>'


def _tag() -> str:
    """The language of the page."""
    return "zh-Hans" if language() == "zh" else language()


def _text(value: object) -> str:
    """Any value as text of a page: shortened, without control characters, escaped."""
    return "" if value is None else escape(one_line(clean(str(value)), 400))
