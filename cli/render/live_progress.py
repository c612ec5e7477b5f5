"""A crawl's figures: live on standard error while it runs, then as a summary or as JSON."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from cli.render.terminal import LEAST, live, one_line, say
from crawler.engine.crawl_statistics import Progress
from semantic.urls import readable

Observe = Callable[[Progress], None]

LINE_EVERY = 10.0  # seconds between two plain progress lines
LACKING = 12  # uncovered concepts that are named
BAR = 50  # characters of the progress bar
BEFORE = len("best link  0.000  ")
STOPPED = {
    "max-pages": "--max-pages is reached",
    "queue-empty": "no links are left",
    "enough": "the number of results set by the parameter 'enough' is found",
    "covered": "every concept that can be covered has the pages that --until-covered asks for",
    "unreachable": "only hosts out of reach, or to be left alone for now, have links waiting; the same command goes on",
    "interrupted": "interrupted; everything is saved",
}


@contextmanager
def watching(max_pages: int) -> Iterator[Observe]:
    """Give the function that shows a crawl's progress: as a live block on a terminal, otherwise as occasional lines."""
    if not sys.stderr.isatty():
        yield _lines(max_pages)
        return
    latest = Progress()

    def observe(progress: Progress) -> None:
        nonlocal latest
        latest = progress

    with live(lambda: block(latest, max_pages)):
        yield observe


def figures(progress: Progress) -> dict[str, object]:
    """The figures for `--json`."""
    return {
        "pages": progress.pages,
        "on_topic": progress.on_topic,
        "harvest_rate": round(progress.harvest_rate, 4),
        "copies": progress.copies,
        "requests": progress.requests,
        "errors": progress.errors,
        "inversions": progress.inversions,
        "seconds": round(progress.seconds, 3),
        "pages_per_s": round(progress.pages_per_s, 2),
        "stopped": progress.stopped,
        **({"out_of_scope": dict(progress.outside)} if progress.outside else {}),
        **covered_figures(progress),
        **({"given_up": progress.given_up} if progress.given_up else {}),
        **({"asked_again": dict(progress.asked)} if progress.asked else {}),
    }


def covered_figures(progress: Progress) -> dict[str, object]:
    """How many concepts are covered and which lack pages, if the crawl was to end by coverage."""
    if progress.covered is None:
        return {}
    done, every = progress.covered
    return {"covered": done, "can_be_covered": every, "lacking": list(progress.lacking)}


def summary(progress: Progress) -> str:
    """The summary of a crawl for people."""
    rows = (
        ("pages", f"{progress.pages:,}"),
        ("on topic", f"{progress.on_topic:,} (harvest rate {progress.harvest_rate:.1%})"),
        ("copies", f"{progress.copies:,} (the same pages under other addresses)"),
        ("requests", f"{progress.requests:,}"),
        ("errors", f"{progress.errors:,}{_kinds(progress)}"),
        ("inversions", f"{progress.inversions:,} (fetches that were not the best ready link)"),
        ("time", f"{progress.seconds:,.1f} s, this run {progress.pages_per_s:.1f} pages/s"),
        ("waiting", f"{progress.queued:,} links"),
        ("stopped", STOPPED.get(progress.stopped, progress.stopped)),
        *_covered(progress),
        *_given_up(progress),
        *_asked(progress),
        *_cut(*progress.cut),
        *_deep(progress.too_deep),
        *_outside(progress.outside),
    )
    return "\n".join(f"{name:<11} {value}" for name, value in rows)


def _covered(progress: Progress) -> Iterator[tuple[str, str]]:
    if progress.covered:
        yield "covered", covered_line(*progress.covered, progress.lacking)


def covered_line(done: int, every: int, lacking: Sequence[tuple[str, int]]) -> str:
    """How many concepts are covered, and the first uncovered ones with their pages."""
    named = [f"{one_line(label, 40)} ({count})" for label, count in lacking]
    more = f" and {len(named) - LACKING:,} more" if len(named) > LACKING else ""
    told = f"; pages on topic of the others: {', '.join(named[:LACKING])}{more}" if named else ""
    return f"{done:,} of {every:,} concepts{told}"


def _given_up(progress: Progress) -> Iterator[tuple[str, str]]:
    if progress.given_up:
        yield "given up", progress.given_up


def _asked(progress: Progress) -> Iterator[tuple[str, str]]:
    told = [f"{count:,} {what}" for what, count in progress.asked.items()]
    left = [f"{progress.wanted:,} still to be asked: the same command goes on"] if progress.wanted else []
    if told or left:
        yield "asked again", f"{sum(progress.asked.values()):,} pages: {', '.join(told + left)}"


def _cut(links: int, traps: int) -> Iterator[tuple[str, str]]:
    if links:
        yield "cut off", f"{links:,} links wait behind {traps:,} traps: ontocrawl status --traps"


def _deep(links: int) -> Iterator[tuple[str, str]]:
    if links:
        yield "too deep", f"{links:,} links wait for a run with a larger --max-depth, or none"


def _outside(outside: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    if outside:
        yield "left out", outside_line(outside)


def outside_line(outside: Mapping[str, int]) -> str:
    """How many links are outside the crawl's scope, and by which options."""
    told = sorted(outside.items(), key=lambda item: (-item[1], item[0]))
    by = ", ".join(f"{count:,} by {one_line(why, 60)}" for why, count in told)
    return f"{sum(outside.values()):,} links out of scope ({by})"


def _lines(max_pages: int) -> Observe:
    last = time.monotonic()

    def observe(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= LINE_EVERY:
            last = now
            say(
                f"{progress.pages} of {max_pages} pages, {progress.on_topic} on topic ({progress.harvest_rate:.1%}), "
                f"{progress.pages_per_s:.1f} pages/s, {progress.queued} waiting{_wanted(progress)}, "
                f"{progress.errors} errors{'; ' + progress.given_up if progress.given_up else ''}"
            )

    return observe


def block(progress: Progress, max_pages: int) -> list[tuple[str, str]]:
    """The rows of the live display."""
    room = max(LEAST, shutil.get_terminal_size((100, 0)).columns - BEFORE)
    done = min(BAR, BAR * progress.pages // max_pages)
    best = f"{progress.best[1]:.3f}  {one_line(readable(progress.best[0]), room)}" if progress.best else "-"
    return [
        ("pages", f"{progress.pages:,} of {max_pages:,}  ({progress.pages_per_s:.1f}/s)"),
        ("", "━" * done + "─" * (BAR - done)),
        ("on topic", f"{progress.on_topic:,}  (harvest {progress.harvest_rate:.1%})"),
        *_covered(progress),
        ("queue", f"{progress.queued:,}{_wanted(progress)}"),
        ("best link", best),
        ("errors", f"{progress.errors:,}{_kinds(progress)}"),
        *_given_up(progress),
    ]


def _wanted(progress: Progress) -> str:
    asked = sum(progress.asked.values())
    return f"  (asked again: {asked:,} of {asked + progress.wanted:,} pages)" if progress.wanted else ""


def _kinds(progress: Progress) -> str:
    kinds = sorted(progress.errors_by_kind.items(), key=lambda item: -item[1])
    return f" (this run: {', '.join(f'{kind} {count}' for kind, count in kinds)})" if kinds else ""
