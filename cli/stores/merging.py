"""`ontocrawl crawls merge`: one crawl out of two about the same topic."""

import contextlib
from dataclasses import replace

from cli.crawl_register import KnownCrawl, named
from cli.exits import ExitCode
from cli.marking.marking import judge_anew
from cli.recorded.recorded_verdicts import stored_settings
from cli.recorded.store_reading import crawl_row
from cli.recorded.verdict_changes import tell_changes
from cli.render.language import tr
from cli.render.terminal import say, show
from cli.store_option import store_words
from crawler.traps.cut_links import keep_traps
from graphdb.store_folder import record_file
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError


def run(source: str, into: str) -> int:
    """Merge, then judge all pages anew; exit code 0, 130 interrupted."""
    (origin, _), (goal, known) = _store(source), _store(into)
    if known is not None and known.is_running:
        raise SettingsError(tr("{into} is running", into=into), "end it with Ctrl-C first")
    with contextlib.closing(open_store(goal, create=False)) as store:
        try:
            merged = store.merge(record_file(origin))
        except KeyboardInterrupt:
            say(tr("interrupted: nothing is merged"))
            return ExitCode.INTERRUPTED
        show(
            tr(
                "merged      {pages:,} pages and {waiting:,} waiting links from {origin} into {goal}",
                pages=merged.pages,
                waiting=merged.waiting,
                origin=origin,
                goal=goal,
            )
        )
        show(
            tr(
                "            {known:,} addresses had an outcome in both; those of {goal} stay",
                known=merged.known,
                goal=goal,
            )
        )
        if merged.copies:
            show(
                tr(
                    "            {copies:,} addresses have the text of another page, and are its copies",
                    copies=merged.copies,
                )
            )
        judge_anew(store, goal, tell_changes)
        keep_traps(store, stored_settings(store).allow_trap)
        if known is not None:
            _keep_figures(known, store)
    show(
        tr(
            "\nNext:\n  {command} status{store}\n  {command} report{store}",
            store=store_words(goal),
        )
    )
    say(tr("the store {origin} stays as it is", origin=origin))
    return ExitCode.DONE


def _store(name: str) -> tuple[str, KnownCrawl | None]:
    """The store of a crawl, by its name or its place; and what is known of it on this machine."""
    try:
        known = named(name)
    except SettingsError:
        if "://" not in name and "/" not in name and "." not in name:
            raise
        return name, None
    return known.store, known


def _keep_figures(known: KnownCrawl, store: Store) -> None:
    """Write the new figures into the list of crawls."""
    row = crawl_row(store)
    (size,) = store.ask("frontier", "queue_size")
    with contextlib.suppress(OSError):  # only the list is not up to date then; the next run writes it
        pages, on_topic, waiting = (int(str(number)) for number in (row["pages"], row["on_topic"], size["waiting"]))
        replace(known, pages=pages, on_topic=on_topic, waiting=waiting).keep()
