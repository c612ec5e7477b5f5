"""The page's tab of results: all of them, chosen by facets, marked, saved; and the threshold from which they count."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from cli.explaining.threshold import BINS, count_pages, decides
from cli.recorded.store_reading import crawl_row
from cli.render.language import later
from cli.render.terminal import clean
from cli.results.result_formats import csv_of, jsonl_of, ris_of
from cli.results.result_list import Fitting, Result, Wanted, fitting, read_results, results_by_concept
from cli.ui import judging
from cli.ui.asked import Answer, Asked
from cli.ui.shown_results import shown, words_of
from ontology.errors import SettingsError
from semantic.urls import readable

MOST_SITES = 500  # that a person can choose from; chosen, not measured
AREAS, SAMPLED = 50, 2  # of the scale, and pages of each that the slider may show at the border; chosen, not measured
COUNTED: Mapping[str, Callable[[Fitting], Mapping[str, int]]] = {
    "site": lambda found: found.sites,
    "kind": lambda found: found.kinds,
    "language": lambda found: found.languages,
}
FORMS: Mapping[str, Callable[[Sequence[Result]], str]] = {"csv": csv_of, "ris": ris_of, "jsonl": jsonl_of}


def found(asked: Asked) -> dict[str, Any]:
    """The numbers of the results that fit, best first. For each facet, what can be chosen, and how many results would
    fit then.
    """
    wanted = _wanted(asked)
    with asked.store() as store:
        fits = fitting(store, wanted)
        counts = {
            name: counted(fits if getattr(wanted, name) is None else fitting(store, _without(wanted, name)))
            for name, counted in COUNTED.items()
        }
    facets = {
        name: [[value, readable(value), number] for value, number in some.items() if value][:MOST_SITES]
        for name, some in counts.items()
    }
    return {"pages": fits.pages, "facets": facets}


def rows(asked: Asked) -> list[dict[str, Any]]:
    """What is shown of some of them."""
    with asked.store() as store:
        return shown(store, asked.where, asked.numbers("pages"))


def concepts(asked: Asked) -> list[dict[str, Any]]:
    """The concepts that results mention, and how many mention each or a narrower one, whatever concept is chosen."""
    with asked.store() as store:
        pages = fitting(store, _without(_wanted(asked), "concept")).pages
        return [{**asdict(one), "label": clean(one.label)} for one in results_by_concept(store, pages)]


def scale(asked: Asked) -> dict[str, Any] | None:
    """How many pages other thresholds would leave, and pages near them; None where no threshold decides."""
    with asked.store() as store:
        crawl = crawl_row(store)
        if not decides(str(crawl["strategy"])):
            return None
        told = count_pages(store, crawl)
        rows = sorted(told["rows"], key=lambda row: row["part"])
        chosen: dict[int, dict[str, None]] = defaultdict(dict)
        for row in rows:
            chosen[row["part"] * AREAS // BINS] |= dict.fromkeys([row["first"], row["last"]])
        urls = sorted(url for some in chosen.values() for url in list(some)[:SAMPLED])
        near = sorted(store.ask("status", "near", urls=urls), key=lambda row: (row["relevance"], row["url"]))
    (reaching,) = (border["pages"] for border in told["borders"] if border["from"] == told["threshold"])
    return {
        "threshold": told["threshold"],
        "reaching": reaching,
        "pages": told["pages"],
        "bins": BINS,
        "parts": [(row["part"], row["pages"]) for row in rows],
        "samples": [{**page, "title": clean(page["title"] or readable(page["url"]))} for page in near],
    }


def export(asked: Asked) -> dict[str, Any]:
    """Some results as text of a file: `form` is one of `FORMS`. Only the first part of a CSV file has names."""
    form = FORMS.get(asked.text("form") or "")
    if form is None:
        raise SettingsError("nothing can be written in this form", "load the page again")
    with asked.store() as store:
        text = clean(form(list(read_results(store, asked.numbers("pages"), words_of(store, asked.where)))))
    return {"text": text if asked.flag("first") or form is not csv_of else text.partition("\n")[2]}


def _wanted(asked: Asked) -> Wanted:
    return Wanted(
        concept=asked.text("concept"),
        site=asked.text("site"),
        kind=asked.text("kind"),
        language=asked.text("language"),
        marked=asked.text("marked"),
        is_new=asked.flag("is_new"),
    )


def _without(wanted: Wanted, name: str) -> Wanted:
    """The same, whatever the results have of this."""
    nothing: dict[str, Any] = {name: None}
    return replace(wanted, **nothing)


ANSWERS: Mapping[str, Answer] = {
    "results.found": found,
    "results.rows": rows,
    "results.concepts": concepts,
    "results.scale": scale,
    "results.export": export,
    "results.mark": judging.mark,
    "results.judge": judging.judge,
    "results.judged": judging.judged,
}
TEXTS: Mapping[str, str] = {
    "results_found": later("{number} results, best first"),
    "results_none": later("No result fits."),
    "choose_results": later("Choose"),
    "facet_site": later("Site"),
    "facet_kind": later("Kind"),
    "facet_language": later("Language"),
    "facet_marked": later("Marked"),
    "facet_concept": later("Concept"),
    "facet_all": later("all"),
    "facet_unmarked": later("not marked"),
    "facet_new": later("only new since the last run began"),
    "choose_all": later("Show all"),
    "kind_article": later("Articles"),
    "kind_listing": later("Listings"),
    "more_results": later("More"),
    "load_again": later("Load again"),
    "take_back": later("Undo"),
    "results_keys": later(
        "Keys: g good, b bad, h hub (no result, but its links lead to results), "
        "u undo, o or Enter open, j or ↓ next, k or ↑ back"
    ),
    "judge_by_marks": later("Judge again by the marks"),
    "judging_now": later("All pages are being judged again …"),
    "judging_by_crawl": later("The running crawl judges all pages again as soon as it has saved. Load again then."),
    "results_now": later("{on_topic} of {pages} pages are on topic now; before: {before}."),
    "results_came": later("{number} came"),
    "results_went": later("{number} went"),
    "results_same": later("No page came or went."),
    "likely_from": later(
        "By your marks a page is more likely good than bad from a relevance of {border} on; {number} pages reach it."
    ),
    "likely_holds": later("By your marks the threshold is right as it is."),
    "use_threshold": later("Use {border} as the threshold"),
    "change_threshold": later("Change the threshold"),
    "at_threshold": later("{number} of {pages} pages reach {border}"),
    "pages_come": later("{number} come"),
    "pages_go": later("{number} go"),
    "export_results": later("Save what is shown:"),
    "exporting": later("{done} of {number} results written …"),
    "exported": later("{number} results saved."),
}
