"""`ontocrawl status`: the state of a crawl."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from cli.explaining.link_differences import ANY_DEPTH, depth_limit, whole
from cli.explaining.threshold import (
    count_pages,
    decides,
    read_thresholds,
    threshold_line,
    threshold_lines,
)
from cli.explaining.what_was_learned import learned_lines, read_learned
from cli.inputs.example_pages import SAMPLES
from cli.recorded.page_counts import PageCounts, left_out_line, page_counts
from cli.recorded.recorded_marks import marks_counted, marks_line
from cli.recorded.store_reading import crawl_row, tell
from cli.render.answer_tables import Row
from cli.render.language import later, listed, tr
from cli.render.live_progress import covered_line, outside_line
from cli.render.terminal import fitted, one_line, padded, wrapped
from crawler.engine.coverage_goal import Coverage, goals_of
from graphdb.stores import Store
from semantic.records import ConceptRecord
from semantic.urls import readable

BARREN, MUCH = 0.02, 20  # share on topic under which a host is told of, and 1/share of all pages; chosen, not measured
HEAD = 12  # columns of the names before the figures
SHOWN_HOSTS = 5  # as many as those with the most pages on topic
KINDS = {
    "article": (later("article"), later("articles")),
    "listing": (later("listing"), later("listings")),
    "unknown": (later("of no known kind"), later("of no known kind")),
}


def run(store: str, *, as_json: bool) -> int:
    """Print the state of the crawl in a store. Raises StoreError if it has none."""
    return tell(store, read_status, lambda status: status_lines(status, store), as_json=as_json)


def threshold(store: str, *, as_json: bool) -> int:
    """Print how many pages other thresholds would keep, with pages at each. Raises SettingsError if there is no
    threshold.
    """

    def read(opened: Store) -> dict[str, Any]:
        return read_thresholds(opened, crawl_row(opened))

    return tell(store, read, lambda found: threshold_lines(found, store), as_json=as_json)


def read_status(store: Store) -> dict[str, Any]:
    """Totals, pages by status, the best waiting links, the best hosts, and what was learned."""
    crawl = crawl_row(store)
    with ThreadPoolExecutor(1) as beside:  # a store answers two questions at once, and this one takes half of the time
        learned = beside.submit(read_learned, store)
        return {**_counts(store, crawl), "learned": learned.result(), "coverage": _coverage(store, crawl)}


def _counts(store: Store, crawl: Row) -> dict[str, Any]:
    scale = count_pages(store, crawl) if decides(str(crawl["strategy"])) else {}
    rows = store.ask("status", "addresses")
    depth = depth_limit(json.loads(str(crawl["settings"])))
    outside = _summed(("why", row) for row in rows if row["status"] == "refused" and row["why"] is not None)
    return {
        **{name: value for name, value in crawl.items() if name != "settings"},
        "hidden": page_counts(store).hidden,
        "samples": json.loads(str(crawl["settings"])).get("samples"),
        "pages_by_status": dict(_summed(("status", row) for row in rows).most_common()),
        "on_topic_by_kind": dict(sorted(_summed(("kind", row) for row in rows if row["on_topic"]).items())),
        "thresholds": {name: value for name, value in scale.items() if name != "rows"},
        "marks": marks_counted(store, str(crawl["strategy"])),
        "out_of_scope": dict(sorted(outside.items(), key=lambda one: (-one[1], one[0]))),
        "too_deep": _too_deep(store, depth),
        "waiting": [dict(row) for row in store.ask("status", "waiting", depth=depth)],
        "hosts": [dict(row) for row in store.ask("status", "hosts")],
        "barren": _barren(store, crawl),
        "error_pages": [dict(row) for row in store.ask("status", "error_pages")],
        "reserved": [dict(row) for row in store.ask("status", "reserved")],
        "scripts": {row["script"]: dict(row) for row in store.ask("status", "scripts")},
        "away": dict(store.away(datetime.now(UTC).isoformat(timespec="milliseconds"))),
    }


def _summed(rows: Iterable[tuple[str, Row]]) -> Counter[str]:
    """Numbers of pages by one column each, "unknown" where it is empty."""
    found: Counter[str] = Counter()
    for name, row in rows:
        pages = row["pages"]
        assert isinstance(pages, int)
        found[str(row[name] or "unknown")] += pages
    return found


def _coverage(store: Store, crawl: Row) -> dict[str, Any] | None:
    """How many concepts are covered, if the crawl is to end by coverage."""
    wanted = json.loads(str(crawl["settings"])).get("until_covered")
    if wanted is None:
        return None
    rows = store.ask("coverage", "concepts")
    concepts = [
        ConceptRecord(
            iri=row["iri"],
            label=row["label"],
            weight=row["weight"],
            layer=row["layer"],
            narrower=tuple(row["narrower"]),
        )
        for row in rows
    ]
    coverage = Coverage(goals_of(concepts), wanted, store.mentioned())
    covered, every = coverage.covered
    return {"wanted": wanted, "covered": covered, "can_be_covered": every, "lacking": coverage.lacking()}


def _too_deep(store: Store, depth: int) -> int:
    """How many links wait beyond the crawl's depth."""
    rows = [] if depth == ANY_DEPTH else store.ask("status", "too_deep", depth=depth)
    return sum(whole(row["pages"]) for row in rows)


def _barren(store: Store, crawl: Row) -> list[dict[str, Any]]:
    """The hosts that took many pages and gave hardly a result, if others gave some."""
    pages, on_topic = whole(crawl["pages"]), whole(crawl["on_topic"])
    rows = [
        dict(row) for row in store.ask("status", "barren", share=BARREN, least=max(round(1 / BARREN), pages // MUCH))
    ]
    is_much = MUCH * sum(whole(row["pages"]) for row in rows) >= pages
    return rows if rows and is_much and sum(whole(row["on_topic"]) for row in rows) < on_topic else []


def _head(name: str) -> str:
    return padded(name, HEAD)


def status_lines(status: Mapping[str, Any], where: str) -> list[str]:
    """The state of a crawl for people. `where`: its store, as typed."""
    pages, on_topic = status["pages"] or 0, status["on_topic"] or 0
    rate = on_topic / pages if pages else 0.0
    counts = listed(f"{count:,} {tr(name)}" for name, count in status["pages_by_status"].items())
    kinds = tr(" and ").join(
        f"{count:,} {tr(KINDS[kind][count != 1])}" for kind, count in status["on_topic_by_kind"].items()
    )
    about = status["ontology"] or tr("no ontology")
    lines = [
        wrapped(
            "",
            tr(
                "{about} ({topic}), strategy {strategy}, begun {started_at}",
                about=about,
                topic=status["topic"],
                strategy=status["strategy"],
                started_at=status["started_at"],
            ),
        ),
        _head(tr("pages"))
        + tr(
            "{pages:,}{left_out}; {on_topic:,} on topic (harvest rate {rate:.1%})",
            pages=pages,
            left_out=left_out_line(
                PageCounts(pages, status["hidden"], sum(row["pages"] for row in status["error_pages"]))
            ),
            on_topic=on_topic,
            rate=rate,
        ),
        _head(tr("kinds")) + tr("{kinds} on topic", kinds=kinds or tr("no page")),
        _head(tr("copies"))
        + tr("{copies:,} of the addresses fetched show the same pages", copies=status["copies"] or 0),
        wrapped(_head(tr("addresses")), counts),
        _head(tr("requests"))
        + tr(
            "{requests:,}, {errors:,} errors",
            requests=status["requests"],
            errors=status["errors"],
        ),
        _head(tr("time")) + tr("{seconds:,.1f} s of crawling", seconds=status["seconds"]),
    ]
    if status["out_of_scope"]:
        lines.append(wrapped(_head(tr("left out")), outside_line(status["out_of_scope"])))
    if status["too_deep"]:
        lines.append(
            _head(tr("too deep")) + tr("{too_deep:,} links wait beyond --max-depth", too_deep=status["too_deep"])
        )
    if status["thresholds"]:
        lines.insert(2, wrapped(_head(tr("threshold")), threshold_line(status["thresholds"], where)))
    if any(status["marks"].values()):
        lines.insert(2, wrapped(_head(tr("marks")), marks_line(status["marks"])))
    if status["coverage"]:
        told = status["coverage"]
        line = covered_line(told["covered"], told["can_be_covered"], told["lacking"])
        lines.append(
            wrapped(_head(tr("covered")), tr("{line} (--until-covered {wanted})", line=line, wanted=told["wanted"]))
        )
    if status["samples"]:
        lines.append(_head(tr("samples")) + tr(SAMPLES[status["samples"]]))
    if status["waiting"]:
        waiting = ((row["priority"], readable(row["url"])) for row in status["waiting"])
        lines += [tr("next"), *(fitted(f"  {priority:.3f}  ", url) for priority, url in waiting)]
    lines += _hosts_told(status)
    lines += _error_pages_told(status)
    lines += _reserved_told(status)
    lines += _scripts_told(status["scripts"])
    if status["away"]:
        lines += [tr("left alone, as they asked by Retry-After")]
        lines += [
            tr("  until {until}  {host}", until=until, host=one_line(host))
            for host, until in sorted(status["away"].items())
        ]
    return [*lines, *learned_lines(status["learned"])]


def _error_pages_told(status: Mapping[str, Any]) -> list[str]:
    """How many error pages came, with one of each of the hosts that gave most."""
    rows = status["error_pages"]
    if not rows:
        return []
    head = tr(
        "{pages:,} pages are error pages, so no results: no such page, a login, a check of the browser",
        pages=sum(row["pages"] for row in rows),
    )
    return [head, *(fitted(f"  {row['pages']:>5}  ", readable(row["example"])) for row in rows[:SHOWN_HOSTS])]


def _reserved_told(status: Mapping[str, Any]) -> list[str]:
    """How many pages are reserved, and at which hosts."""
    rows = status["reserved"]
    if not rows:
        return []
    head = tr("{pages:,} pages are reserved for text and data mining", pages=sum(row["pages"] for row in rows))
    return [head, *(f"  {row['pages']:>5}  {one_line(row['host'])}" for row in rows[:SHOWN_HOSTS])]


def _scripts_told(scripts: Mapping[str, Any]) -> list[str]:
    """How many pages were rendered, and how many need it, with one of each."""
    told = (
        ("run", later("{pages:,} pages were made by their JavaScript (--render)")),
        ("needed", later("{pages:,} pages need JavaScript, which was not run or gave nothing: see crawl --render")),
    )
    some = ((scripts[name], text) for name, text in told if name in scripts)
    return [
        line for row, text in some for line in (tr(text, pages=row["pages"]), fitted("  ", readable(row["example"])))
    ]


def _hosts_told(status: Mapping[str, Any]) -> list[str]:
    """The hosts with the most results, and those that took many pages for hardly any."""
    lines: list[str] = []
    if status["hosts"]:
        lines += [tr("most on topic"), *(f"  {row['pages']:>5}  {one_line(row['host'])}" for row in status["hosts"])]
    if status["barren"]:
        barren = status["barren"]
        lines += [
            tr(
                "{number:,} of {pages:,} pages came from hosts with under {share:.0%} on topic; ban them on the "
                "page of {command} ui, or:",
                number=sum(row["pages"] for row in barren),
                pages=status["pages"] or 0,
                share=BARREN,
            ),
            *(f"  {row['pages']:>5}  --exclude '{one_line(row['host'])}/*'" for row in barren),
        ]
    return lines
