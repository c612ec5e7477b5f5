"""A crawl's figures: live on standard error while it runs, then as a summary or as JSON."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from cli.render.language import as_told, command_word, later, listed, tr
from cli.render.terminal import LEAST, live, one_line, padded, say
from cli.store_option import store_words
from graphdb.store_folder import MEMORY
from semantic.urls import readable

if TYPE_CHECKING:  # it takes half a second to import
    from crawler.engine.crawl_records import Progress

Observe = Callable[["Progress"], None]

LINE_EVERY = 10.0  # seconds between two plain progress lines
MINUTE, HOUR = 60.0, 3600.0
LACKING = 12  # uncovered concepts that are named
BAR = 50  # characters of the progress bar
BEFORE = len("best link  0.000  ")
STOPPED = {
    "max-pages": later("--max-pages is reached"),
    "max-minutes": later("the time of --max-minutes is over; the same command goes on"),
    "queue-empty": later("no links are left"),
    "enough": later("the number of results set by the parameter 'enough' is found"),
    "covered": later("every concept that can be covered has the pages that --until-covered requires"),
    "unreachable": later(
        "only hosts out of reach, or to be left alone for now, have links waiting; the same command goes on"
    ),
    "interrupted": later("interrupted; everything is saved"),
}


@contextmanager
def watching(max_pages: Callable[[], int]) -> Iterator[Observe]:
    """Give the function that shows a crawl's progress: as a live block on a terminal, otherwise as occasional lines.

    `max_pages`: the limit, which may change while the crawl runs.
    """
    if not sys.stderr.isatty():
        yield _lines(max_pages)
        return
    latest: Progress | None = None

    def observe(progress: "Progress") -> None:
        nonlocal latest
        latest = progress

    with live(lambda: block(latest, max_pages()) if latest else ()):
        yield observe


@contextmanager
def counting(number: int) -> Iterator[Callable[[int], None]]:
    """Give the function that is told how many of a number of pages are done: shown as `watching` shows a crawl."""
    done, last, is_terminal = 0, time.monotonic(), sys.stderr.isatty()

    def line() -> str:
        return tr("{done:,} of {number:,} pages", done=done, number=number)

    def tell(so_far: int) -> None:
        nonlocal done, last
        done = so_far
        if not is_terminal and time.monotonic() - last >= LINE_EVERY:
            last = time.monotonic()
            say(line())

    with live(lambda: [("", line())]) if is_terminal else nullcontext():
        yield tell


def figures(progress: "Progress") -> dict[str, object]:
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
        **({"not_in_archive": progress.missing} if progress.missing else {}),
        **({"given_up": progress.given_up} if progress.given_up else {}),
        **({"asked_again": dict(progress.asked)} if progress.asked else {}),
    }


def covered_figures(progress: "Progress") -> dict[str, object]:
    """How many concepts are covered and which lack pages, if the crawl was to end by coverage."""
    if progress.covered is None:
        return {}
    done, every = progress.covered
    return {"covered": done, "can_be_covered": every, "lacking": list(progress.lacking)}


def summary(progress: "Progress", store: str, left_out: str = "") -> str:
    """The summary of a crawl for people. `store`: where its record is. `left_out`: what follows the number of pages."""
    return _table(
        *_judged(progress, left_out),
        (tr("requests"), f"{progress.requests:,}"),
        (tr("errors"), f"{progress.errors:,}{_kinds(progress)}"),
        *_missing(progress),
        *_time(progress),
        (tr("stopped"), _why_stopped(progress.stopped, store)),
        *_covered(progress),
        *_given_up(progress),
        *_asked(progress),
        *_cut(*progress.cut, store),
        *_deep(progress.too_deep),
        *_outside(progress.outside),
    )


def _is_in_memory(store: str) -> bool:
    return store == MEMORY


def _why_stopped(stopped: str, store: str) -> str:
    if stopped == "interrupted" and _is_in_memory(store):
        return tr("interrupted; with --store memory: nothing is kept")
    return tr(STOPPED.get(stopped, stopped))


def import_summary(progress: "Progress", addresses: int, seeds: int) -> str:
    """The summary of an import, for which nothing was requested."""
    found = tr(
        "{number:,} addresses; its seeds are the {seeds:,} to which no page before them links",
        number=addresses,
        seeds=seeds,
    )
    unread = [(tr("unread"), f"{progress.errors:,}{_kinds(progress)}")] if progress.errors else []
    return _table((tr("imported"), found), *_judged(progress), *unread, *_time(progress))


def _table(*rows: tuple[str, str]) -> str:
    return "\n".join(f"{padded(name, 11)} {value}" for name, value in rows)


def _judged(progress: "Progress", left_out: str = "") -> Iterator[tuple[str, str]]:
    yield tr("pages"), f"{progress.pages:,}{left_out}"
    told = tr(
        "{on_topic:,} (harvest rate {harvest_rate:.1%})",
        on_topic=progress.on_topic,
        harvest_rate=progress.harvest_rate,
    )
    if progress.before_settling not in {None, progress.on_topic}:
        told += tr("; {number:,} while it ran: at the end all are judged again", number=progress.before_settling)
    yield tr("on topic"), told
    yield tr("copies"), tr("{copies:,} (the same pages under other addresses)", copies=progress.copies)


def _time(progress: "Progress") -> Iterator[tuple[str, str]]:
    told = tr(
        "{seconds:,.1f} s, this run {pages_per_s:.1f} pages/s",
        seconds=progress.seconds,
        pages_per_s=progress.pages_per_s,
    )
    yield tr("time"), told
    yield tr("waiting"), tr("{queued:,} links", queued=progress.queued)


def _missing(progress: "Progress") -> Iterator[tuple[str, str]]:
    if progress.missing:
        yield tr("missing"), tr("{number:,} addresses of this run are not in the archive", number=progress.missing)


def _covered(progress: "Progress") -> Iterator[tuple[str, str]]:
    if progress.covered:
        yield tr("covered"), covered_line(*progress.covered, progress.lacking)


def covered_line(done: int, every: int, lacking: Sequence[tuple[str, int]]) -> str:
    """How many concepts are covered, and the first uncovered ones with their pages."""
    named = [f"{one_line(label, 40)} ({count})" for label, count in lacking]
    more = tr(" and {number:,} more", number=len(named) - LACKING) if len(named) > LACKING else ""
    told = (
        tr("; pages on topic of the others: {named}{more}", named=listed(named[:LACKING]), more=more) if named else ""
    )
    return tr("{done:,} of {every:,} concepts{told}", done=done, every=every, told=told)


def _given_up(progress: "Progress") -> Iterator[tuple[str, str]]:
    if progress.given_up:
        yield tr("given up"), as_told(progress.given_up)


def _asked(progress: "Progress") -> Iterator[tuple[str, str]]:
    told = [f"{count:,} {tr(what)}" for what, count in progress.asked.items()]
    left = (
        [tr("{wanted:,} still to be asked: the same command goes on", wanted=progress.wanted)]
        if progress.wanted
        else []
    )
    if told or left:
        yield (
            tr("asked again"),
            tr("{number:,} pages: {told}", number=sum(progress.asked.values()), told=listed(told + left)),
        )


def _cut(links: int, traps: int, store: str) -> Iterator[tuple[str, str]]:
    if links:
        named = (
            tr("crawl into a --store DIR to see which")
            if _is_in_memory(store)
            else f"{command_word()} status{store_words(store)} --traps"
        )
        yield (
            tr("cut off"),
            tr("{links:,} links wait behind {traps:,} traps: {named}", links=links, traps=traps, named=named),
        )


def _deep(links: int) -> Iterator[tuple[str, str]]:
    if links:
        told = tr("{links:,} links of this run wait for a larger --max-depth, or none", links=links)
        yield tr("too deep"), told


def _outside(outside: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    if outside:
        yield tr("left out"), tr("this run: {told}", told=outside_line(outside))


def outside_line(outside: Mapping[str, int]) -> str:
    """How many links are outside the crawl's scope, and by which options."""
    told = sorted(outside.items(), key=lambda item: (-item[1], item[0]))
    by = listed(tr("{count:,} by {why}", count=count, why=one_line(why, 60)) for why, count in told)
    return tr("{number:,} links out of scope ({by})", number=sum(outside.values()), by=by)


def _lines(max_pages: Callable[[], int]) -> Observe:
    last = time.monotonic()

    def observe(progress: "Progress") -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= LINE_EVERY:
            last = now
            say(
                tr(
                    "{pages} of {max_pages} pages, {on_topic} on topic ({harvest_rate:.1%}), {pages_per_s:.1f} "
                    "pages/s{left}, "
                    "{queued} waiting{wanted}, {errors} errors{given_up}",
                    pages=progress.pages,
                    max_pages=max_pages(),
                    on_topic=progress.on_topic,
                    harvest_rate=progress.harvest_rate,
                    pages_per_s=progress.pages_per_s,
                    left=time_left(progress),
                    queued=progress.queued,
                    wanted=_wanted(progress),
                    errors=progress.errors,
                    given_up="; " + as_told(progress.given_up) if progress.given_up else "",
                )
            )

    return observe


def block(progress: "Progress", max_pages: int) -> list[tuple[str, str]]:
    """The rows of the live display."""
    room = max(LEAST, shutil.get_terminal_size((100, 0)).columns - BEFORE)
    done = min(BAR, BAR * progress.pages // max_pages)
    best = f"{progress.best[1]:.3f}  {one_line(readable(progress.best[0]), room)}" if progress.best else "-"
    return [
        (
            tr("pages"),
            tr(
                "{pages:,} of {max_pages:,}  ({pages_per_s:.1f}/s{left})",
                pages=progress.pages,
                max_pages=max_pages,
                pages_per_s=progress.pages_per_s,
                left=time_left(progress),
            ),
        ),
        ("", "━" * done + "─" * (BAR - done)),
        (
            tr("on topic"),
            tr(
                "{on_topic:,}  (harvest {harvest_rate:.1%})",
                on_topic=progress.on_topic,
                harvest_rate=progress.harvest_rate,
            ),
        ),
        *_covered(progress),
        (tr("queue"), f"{progress.queued:,}{_wanted(progress)}"),
        (tr("best link"), best),
        (tr("now"), waits(progress) or tr("{open} requests are open", open=progress.open)),
        (tr("errors"), f"{progress.errors:,}{_kinds(progress)}"),
        *_missing(progress),
        *_given_up(progress),
    ]


def time_left(progress: "Progress") -> str:
    """In which time the pages left will come; "" if that is not known."""
    if progress.left is None or progress.stopped:
        return ""
    return tr(", about {left} left", left=_span(*progress.left))


def _span(least: float, most: float) -> str:
    """A time between two numbers of seconds."""
    if most < MINUTE:
        return tr("a minute")
    unit = MINUTE if most < HOUR else HOUR
    start, end = (f"{seconds / unit:.{0 if unit == MINUTE else 1}f}" for seconds in (max(least, MINUTE), most))
    span = start if start == end else tr("{start} to {end}", start=start, end=end)
    return tr("{span} minutes", span=span) if unit == MINUTE else tr("{span} hours", span=span)


def waits(progress: "Progress") -> str:
    """Which host is waited for, "" if none."""
    if progress.awaited is None:
        return ""
    host, seconds = progress.awaited
    return tr("waits {seconds:.1f} s for {host}", seconds=seconds, host=one_line(host, 60))


def _wanted(progress: "Progress") -> str:
    asked = sum(progress.asked.values())
    return (
        tr("  (asked again: {asked:,} of {wanted:,} pages)", asked=asked, wanted=asked + progress.wanted)
        if progress.wanted
        else ""
    )


def _kinds(progress: "Progress") -> str:
    kinds = sorted(progress.errors_by_kind.items(), key=lambda item: -item[1])
    named = listed(f"{as_told(kind)} {count}" for kind, count in kinds)
    return tr(" (this run: {names})", names=named) if named else ""
