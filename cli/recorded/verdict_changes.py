"""How judging all pages of a crawl again has changed it, and how that is told."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from cli.recorded.page_counts import PageCounts, pages_line
from cli.recorded.recorded_marks import marks_line
from cli.recorded.recorded_verdicts import Verdict
from cli.render.language import tr
from cli.render.terminal import one_line, padded, show, wrapped

HEAD = 12  # columns of the names before the figures, as in `status`
SHOWN = 10  # pages gained and pages lost that are shown


@dataclass(frozen=True, slots=True)
class Changes:
    """How judging again has changed the crawl. `pages`, `hidden`, `error_pages`: as in `PageCounts`. `before`: pages on
    topic before.

    `likely`: from which relevance on a page is more likely good than bad by marks that were just learned, and how many
    pages reach it.
    """

    pages: int
    hidden: int
    error_pages: int
    on_topic: int
    before: int
    gained: tuple[Verdict, ...]
    lost: tuple[Verdict, ...]
    marks: Mapping[str, int]
    likely: tuple[float, int] | None = None


def changed(
    before: Mapping[str, Verdict],
    now: Mapping[str, Verdict],
    counts: PageCounts,
    marks: Mapping[str, int],
    likely: tuple[float, int] | None = None,
) -> Changes:
    """Compare judgements before and now. `counts`: of the crawl. `marks`: number of marks of each kind."""
    moved = [url for url, verdict in now.items() if url in before and verdict.on_topic != before[url].on_topic]
    best = sorted((now[url] for url in moved), key=lambda verdict: (-verdict.relevance, verdict.url))
    return Changes(
        counts.pages,
        counts.hidden,
        counts.error_pages,
        sum(verdict.on_topic for verdict in now.values()),
        sum(verdict.on_topic for verdict in before.values()),
        tuple(verdict for verdict in best if verdict.on_topic),
        tuple(verdict for verdict in best if not verdict.on_topic),
        marks,
        likely,
    )


def named(page: Verdict) -> str:
    """A page's name in one line; listings are labelled."""
    title = one_line(page.title or page.url, 80)
    return tr("{title}  (a listing)", title=title) if page.kind == "listing" else title


def tell_changes(changes: Changes, *, as_json: bool = False) -> None:
    """Print the changes, for people or as one JSON object."""
    if as_json:
        show(json.dumps(asdict(changes), ensure_ascii=False))
        return
    show(
        padded(tr("on topic"), HEAD)
        + tr(
            "{on_topic:,} of {told} (before: {before:,})",
            on_topic=changes.on_topic,
            told=pages_line(PageCounts(changes.pages, changes.hidden, changes.error_pages)),
            before=changes.before,
        )
    )
    if any(changes.marks.values()):
        show(wrapped(padded(tr("marks"), HEAD), marks_line(changes.marks)))
    for what, found in ((tr("gained"), changes.gained), (tr("lost"), changes.lost)):
        if found:
            show(f"{padded(what, HEAD)}{len(found):,}")
            for verdict in found[:SHOWN]:
                show(f"  {verdict.relevance:.3f}  {named(verdict)}")
