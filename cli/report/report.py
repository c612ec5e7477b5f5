"""`ontocrawl report`: reads a crawl, and another one to compare with, and writes one page that needs nothing else."""

import contextlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cli.exchange.written_files import check_place, written_beside
from cli.inputs.concept_names import chosen_language
from cli.ontologies.coverage import VERDICTS
from cli.ontologies.suggesting import proposed, read_pages, read_record, sampled
from cli.recorded.recorded_verdicts import Verdict, known_about
from cli.recorded.store_reading import crawl_row
from cli.render.html_pages import LOOK, our_markup, page
from cli.render.language import as_told, reason_told, tr
from cli.render.page_texts import texts
from cli.render.terminal import say, show
from cli.report import plots
from cli.report.crawl_figures import CrawlFigures, read_figures, settings_rows
from cli.report.page_cards import Card, Words, best_pages, cards
from cli.store_option import store_words
from graphdb.stores import Store, open_store
from ontology.errors import OntocrawlError, SettingsError
from ontology.inspection.concept_captions import Captions
from ontology.proposals.proposal import Proposal
from semantic.urls import readable

PAGE = Path(__file__).parent / "page"
TERMS = 30  # candidates that are shown
READ_BYTES = 30_000_000  # of packed texts, read for candidate terms; measured: 0.6 s of processor time each million
SITES = 60  # rows of the table
SHOWN = 25  # pages that one of two crawls has alone
CONCEPTS = 20  # that differ most between two crawls
LIBRARIES = ("ontocrawl", "numpy", "neo4j", "arcadedb-embedded", "turbohtml", "matplotlib", "jinja2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two crawls side by side. `rows`: figures of both; `concepts`: label, and pages on topic of either."""

    rows: Sequence[tuple[str, str, str]]
    both: int
    only_here: Sequence[Verdict]
    only_there: Sequence[Verdict]
    concepts: Sequence[tuple[str, int, int]]
    shown: int = SHOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is told beside figures: cards, candidate terms, or why there are none. `every`: one page in so many
    was read for the terms.
    """

    cards: Sequence[Card]
    proposals: Sequence[Proposal]
    every: int = 1
    no_terms: str
    captions: Captions | None


def run(where: str, out: Path, against: str | None) -> int:
    """Write the report on the crawl at `where`; exit code 0. Raises SettingsError where it cannot be written."""
    check_place(out)
    if out.is_dir():
        raise SettingsError(tr("{out} is a folder", out=out), "name a file with -o")
    other = None
    with contextlib.closing(open_store(where, create=False)) as store:
        if against is not None:  # first: a store that is not there is told before much is read
            say(tr("reading {against} ...", against=against))
            with contextlib.closing(open_store(against, create=False)) as second:
                other = read_figures(second, against)
        say(tr("reading the record ..."))
        figures, kept = read_figures(store, where), str(crawl_row(store)["settings"])
        say(tr("reading the best pages, and what the ontology lacks ..."))
        told = _told(store, figures)
    text = rendered(figures, told, settings_rows(kept), other)
    with written_beside() as place:
        place(out).write_text(text, encoding="utf-8", newline="\n")
    show(tr("{out}: {megabytes:.1f} MB, opens in any browser, without a network", out=out, megabytes=len(text) / 1e6))
    return 0


def _told(store: Store, figures: CrawlFigures) -> Told:
    best = best_pages(figures.verdicts)
    try:
        pages, every = sampled(read_pages(store), READ_BYTES)
        record = read_record(store, pages)
        found, about, why = proposed(record, TERMS), record.about, ""
    except OntocrawlError as error:
        found, about, why, every = [], None, as_told(error.message), 1
    about = about or known_about(store, figures.settings)
    words = Words(about, figures.settings.segmenter) if about else None
    captions = Captions(about.ontology, language=chosen_language(None, about.ontology)) if about else None
    return Told(cards=cards(store, best, words), proposals=found, every=every, no_terms=why, captions=captions)


def rendered(
    here: CrawlFigures,
    told: Told,
    settings: Sequence[tuple[str, str]],
    other: CrawlFigures | None = None,
) -> str:
    """The page as text."""
    words = texts()
    drawn = _plots(here, other, words)
    return page(
        PAGE,
        "report.html",
        title=f"{words['report']}: {_topic(here)}",
        script=(PAGE / "report.js").read_text("utf-8"),
        style=_style(drawn),
        t=words,
        told=reason_told,
        readable=readable,
        made_at=datetime.now(UTC).isoformat(timespec="minutes"),
        sections=_sections(with_other=other is not None),
        plots={name: plot and our_markup(plot.svg) for name, plot in drawn.items()},
        settings=settings,
        versions=[("Python", platform.python_version()), *((name, version(name)) for name in LIBRARIES)],
        other=other,
        compared=compared(here, other, words) if other else None,
        **_of_crawl(here, words),
        **_of_told(told),
    )


def _style(drawn: Mapping[str, plots.Plot | None]) -> str:
    """The style of the page and of its plots."""
    kinds = (kind for plot in drawn.values() if plot for kind in plot.styles.items())
    return LOOK.read_text("utf-8") + "".join(f".{kind}{{{css}}}\n" for kind, css in kinds)


def _sections(*, with_other: bool) -> list[str]:
    """The parts of the page, in their order."""
    first = ["curve", *(["against"] if with_other else []), "coverage", "best_pages", "scale", "terms"]
    return [*first, "sites", "languages", "refused", "traps", "figures", "settings"]


def _of_crawl(here: CrawlFigures, words: Mapping[str, str]) -> dict[str, Any]:
    """What is told of the crawl itself; `store`: it, as an option of commands by which one goes on with it."""
    return {
        "here": here,
        "topic": _topic(here),
        "seen": sum(one.pages > 0 or one.below for one in here.concepts),
        "hosts_seen": sum(site.pages > 0 for site in here.sites),
        "verdicts": [name for name in VERDICTS if any(one.verdict == name for one in here.concepts)],
        "sites": here.sites[:SITES],
        "other_sites": max(0, len(here.sites) - SITES),
        "figures": _figures(here, words),
        "store": store_words(here.where),
    }


def _of_told(told: Told) -> dict[str, Any]:
    """Cards and candidate terms."""
    return {
        "cards": told.cards,
        "proposals": told.proposals,
        "every": told.every,
        "no_terms": told.no_terms,
        "caption": told.captions.of if told.captions else str,
    }


def _topic(here: CrawlFigures) -> str:
    """The topic's label, else its IRI."""
    iri = str(here.status["topic"])
    return next((one.label for one in here.concepts if one.iri == iri), iri)


def _plots(here: CrawlFigures, other: CrawlFigures | None, words: Mapping[str, str]) -> dict[str, plots.Plot | None]:
    return {
        "curve": plots.harvest_curve(here.curve, words, other.curve if other else ()) if here.curve else None,
        "scale": plots.histogram(here.scale, words) if here.scale else None,
        "sites": plots.site_map(here.sites, words) if sum(site.pages > 0 for site in here.sites) > 1 else None,
        "languages": plots.language_bars(here.languages, words) if here.languages else None,
    }


def _figures(here: CrawlFigures, words: Mapping[str, str]) -> list[tuple[str, str]]:
    status = here.status
    seconds = float(status["seconds"] or 0.0)
    told = [
        (words["pages"], f"{here.pages:,}"),
        (words["on_topic"], f"{here.on_topic:,} ({here.harvest_rate:.1%})"),
        (words["seconds"], f"{seconds:,.1f}"),
        (words["pages_per_s"], f"{here.pages / seconds:.1f}" if seconds else "-"),
        *((words[name], f"{int(status[name] or 0):,}") for name in ("requests", "errors", "copies")),
    ]
    told.append((words["hidden"], f"{int(status['hidden']):,}"))
    told.append((words["reserved"], f"{sum(int(row['pages']) for row in status['reserved']):,}"))
    return [*told, (words["store"], here.where)]


def compared(here: CrawlFigures, other: CrawlFigures, words: Mapping[str, str]) -> Compared:
    """What either has that the other has not."""
    rows = [
        (name, one, two) for (name, one), (_, two) in zip(_figures(here, words), _figures(other, words), strict=True)
    ]
    rows.insert(0, (words["strategy"], str(here.status["strategy"]), str(other.status["strategy"])))
    good = {url: one for url, one in here.verdicts.items() if one.on_topic}
    theirs = {url: one for url, one in other.verdicts.items() if one.on_topic}
    return Compared(
        rows=rows,
        both=len(good.keys() & theirs.keys()),
        only_here=_best(good, theirs),
        only_there=_best(theirs, good),
        concepts=_concepts_that_differ(here, other),
    )


def _best(some: Mapping[str, Verdict], others: Mapping[str, Any]) -> list[Verdict]:
    return sorted((one for url, one in some.items() if url not in others), key=lambda one: (-one.relevance, one.url))


def _concepts_that_differ(here: CrawlFigures, other: CrawlFigures) -> list[tuple[str, int, int]]:
    ours, theirs = ({one.iri: one for one in crawl.concepts} for crawl in (here, other))
    both = [
        (label.label, ours[iri].on_topic if iri in ours else 0, theirs[iri].on_topic if iri in theirs else 0)
        for iri, label in {**theirs, **ours}.items()
    ]
    differing = [row for row in both if row[1] != row[2]]
    return sorted(differing, key=lambda row: (-abs(row[1] - row[2]), row[0]))[:CONCEPTS]
