"""`ontocrawl results`: the results of a crawl, best first, on the terminal or in a file."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from cli.exchange.written_files import check_place, written_beside
from cli.exits import ExitCode
from cli.recorded.page_counts import page_counts, pages_line
from cli.recorded.recorded_verdicts import known_about, stored_settings
from cli.render.language import tr
from cli.render.terminal import clean, say, show
from cli.report.page_cards import Words
from cli.results.result_formats import as_lines, csv_of, json_of, ris_of
from cli.results.result_list import Fitting, Result, Wanted, fitting, read_results, results_by_concept
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError

Form = Literal["table", "csv", "ris", "json"]

IN_A_TABLE = 20  # results that are shown where no number is given; chosen, not measured
TELL_EVERY = 2000  # results


def run(where: str, wanted: Wanted, form: Form | None, out: Path | None, most: int | None) -> int:
    """Show the results that fit, or write them to the file `out`. `most`: how many; 0: all. Exit code 1 for none.

    Raises SettingsError and StoreError.
    """
    form = form or _form_of(out)
    if out is not None:
        check_place(out)
    if most is None:
        most = IN_A_TABLE if form == "table" else 0
    with contextlib.closing(open_store(where, create=False)) as store:
        settings = stored_settings(store)
        found = fitting(store, wanted)
        pages = found.pages[: most or None]
        about = known_about(store, settings) if pages else None
        words = Words(about, settings.segmenter) if about else None
        results = list(_counted(read_results(store, pages, words), len(pages)))
        text = _text(store, found, results, form)
        if form == "table":
            text = f"{text}\n\n{_last_line(store, found, len(results))}".lstrip("\n")
    if out is None:
        show(text)
    else:
        with written_beside() as place:
            place(out).write_text(f"{clean(text)}\n", encoding="utf-8-sig" if form == "csv" else "utf-8")
        show(tr("{out}: {number:,} results", out=out, number=len(results)))
    return ExitCode.DONE if results else ExitCode.NOT_GOOD


def _form_of(out: Path | None) -> Form:
    """The form of a file by its name."""
    if out is None:
        return "table"
    match out.suffix.lower():
        case ".csv":
            return "csv"
        case ".ris":
            return "ris"
        case ".json":
            return "json"
    raise SettingsError(
        tr("{out}: its name does not say how results are written", out=out),
        "end it with .csv, .ris or .json, or give --format",
    )


def _counted(results: Iterable[Result], number: int) -> Iterator[Result]:
    """The same results; now and then it is said how many were read."""
    for done, one in enumerate(results, 1):
        if done % TELL_EVERY == 0:
            say(tr("{done:,} of {number:,} results", done=done, number=number))
        yield one


def _text(store: Store, found: Fitting, results: list[Result], form: Form) -> str:
    if form == "csv":
        return csv_of(results)
    if form == "ris":
        return ris_of(results)
    if form == "table":
        return "\n".join(as_lines(results))
    concepts = [
        {"iri": one.iri, "label": one.label, "results": one.results} for one in results_by_concept(store, found.pages)
    ]
    counts = {"results": len(found.pages), "sites": found.sites, "kinds": found.kinds, "languages": found.languages}
    return json_of(results, {**counts, "concepts": concepts})


def _last_line(store: Store, found: Fitting, shown: int) -> str:
    if not found.pages:
        return tr("None of the {number:,} results fits.", number=len(fitting(store, Wanted()).pages))
    told = tr(
        "{shown:,} of {number:,} results, best first; {pages}",
        shown=shown,
        number=len(found.pages),
        pages=pages_line(page_counts(store)),
    )
    return told if shown == len(found.pages) else told + tr("; all: -n 0, or in a file: -o results.csv")
