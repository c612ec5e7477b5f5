"""What a report tells of one crawl, read from its store. What other commands tell is asked of them."""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cli.explaining.status import read_status
from cli.explaining.threshold import BINS, count_pages, decides
from cli.explaining.trap_status import read_traps
from cli.ontologies.coverage import NEVER_SEEN, TOO_GENERAL, Covered, covered, named
from cli.recorded.recorded_verdicts import Verdict, stored_settings, verdicts
from cli.recorded.store_reading import crawl_row
from cli.settings import Settings
from graphdb.stores import Store
from semantic.reasons import sentence
from semantic.records import TrapRecord

WINDOW = 20  # pages at least of which a mean is told: of fewer it jumps
POINTS = 150  # parts of a curve at most: what a line of 800 pixels can show
BARS = 50  # of the histogram, each of 20 of the scale's thousand parts
DEPTH = 40  # of the tree of concepts; what lies deeper is listed at that depth
REASONS = 60  # why addresses gave no page, told one by one; the rest is counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some pages in a row: how many there were `until` its end, and how many of all these are on topic; the pages a
    second, since the part before that tells them. Of the last `WINDOW` pages the share on topic, the mean place in the
    queue and the mean relevance, seeds left out of both. None where nothing can be told.
    """

    until: int
    found: int
    share: float
    promised: float | None
    kept: float | None
    pages_per_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCount:
    """Addresses of a host: pages fetched, how many are on topic, links that wait, and what failed or was refused."""

    host: str
    pages: int
    on_topic: int
    waiting: int
    in_vain: int

    @property
    def share(self) -> float:
        """Of its pages, on topic."""
        return self.on_topic / self.pages if self.pages else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class InVain:
    """Addresses that gave no page for one reason; `first`: one of them."""

    status: str
    reason: str
    pages: int
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How relevance is spread. `threshold`: the one in force; `parts`: thousandth -> pages; `borders`: other thresholds
    and how many pages reach each, as `ontocrawl threshold` tells them.
    """

    threshold: float
    parts: Mapping[int, int]
    borders: Sequence[Mapping[str, Any]]

    @property
    def bars(self) -> list[int]:
        """Pages in each bar of the histogram."""
        found = [0] * BARS
        for part, pages in self.parts.items():
            found[min(max(part, 0) * BARS // BINS, BARS - 1)] += pages
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A concept with those below it; `again`: it is unfolded elsewhere in the tree."""

    concept: Covered
    narrower: Sequence["Branch"]
    again: bool = False

    @property
    def lacks(self) -> int:
        """How many concepts below it were never seen."""
        return sum((each.concept.verdict == NEVER_SEEN and not each.again) + each.lacks for each in self.narrower)

    @property
    def is_wanting(self) -> bool:
        """Whether it, or a concept below it, was never seen or is too general."""
        mine = self.concept.verdict in (NEVER_SEEN, TOO_GENERAL) and not self.again
        return mine or any(each.is_wanting for each in self.narrower)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlFigures:
    """All that is told of one crawl. `where`: its store; `scale` is None where no threshold decides."""

    where: str
    settings: Settings
    status: Mapping[str, Any]
    curve: Sequence[Part]
    concepts: Sequence[Covered]
    tree: Sequence[Branch]
    scale: Scale | None
    verdicts: Mapping[str, Verdict]
    sites: Sequence[SiteCount]
    languages: Sequence[Mapping[str, Any]]
    in_vain: Sequence[InVain]
    left_out: int
    traps: Sequence[TrapRecord]

    @property
    def pages(self) -> int:
        """Pages fetched, copies left out."""
        return int(self.status["pages"] or 0)

    @property
    def on_topic(self) -> int:
        """Of these, on topic."""
        return int(self.status["on_topic"] or 0)

    @property
    def harvest_rate(self) -> float:
        """The share of them."""
        return self.on_topic / self.pages if self.pages else 0.0


def read_figures(store: Store, where: str) -> CrawlFigures:
    """Raises StoreError where the store holds no crawl."""
    settings = stored_settings(store)
    concepts = named(covered(store), settings.ontology)
    return CrawlFigures(
        where=where,
        settings=settings,
        status=read_status(store),
        curve=_curve(store),
        concepts=concepts,
        tree=concept_tree(concepts),
        scale=_scale(store),
        verdicts=verdicts(store),
        sites=_sites(store),
        languages=_languages(store.ask("report", "languages")),
        in_vain=_in_vain(store.ask("report", "in_vain")),
        left_out=int(store.ask("report", "left_out")[0]["pages"]),
        traps=read_traps(store),
    )


def _languages(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Pages by language, most first. Variants as pages declare them (zh-CN, zh-Hans) are one language."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        language = re.split("[^a-z]", row["language"].lower())[0]
        one = found.setdefault(language, {"language": language, "pages": 0, "on_topic": 0})
        one["pages"] += row["pages"]
        one["on_topic"] += row["on_topic"]
    return sorted(found.values(), key=lambda one: (-one["pages"], one["language"]))


def _curve(store: Store) -> list[Part]:
    rank = store.ask("coverage", "last_rank")[0]["last"]
    step = max(1, math.ceil(rank / POINTS))
    rows = sorted(store.ask("report", "curve", step=step), key=lambda row: row["part"])
    pages, found, timed, ended = 0, 0, 0, 0.0
    parts = []
    for number, row in enumerate(rows, 1):
        pages, found = pages + row["pages"], found + row["on_topic"]
        until = row["ended_after"] or ended
        is_last = number == len(rows) or (rows[number]["ended_after"] or 0.0) > until  # of those saved at once
        seconds = until - ended if is_last else 0.0
        recent = rows[max(0, number - math.ceil(WINDOW / step)) : number]
        last = {
            name: sum(each[name] for each in recent) for name in ("pages", "on_topic", "promise", "kept", "promised")
        }
        parts.append(
            Part(
                until=pages,
                found=found,
                share=last["on_topic"] / last["pages"],
                promised=_mean(last["promise"], last["promised"]),
                kept=_mean(last["kept"], last["promised"]),
                pages_per_s=(pages - timed) / seconds if seconds > 0 else None,
            )
        )
        if seconds > 0:
            timed, ended = pages, until
    return parts


def _mean(total: float, number: int) -> float | None:
    return total / number if number and math.isfinite(total) else None


def _scale(store: Store) -> Scale | None:
    """How relevance is distributed; None where no threshold decides."""
    crawl = crawl_row(store)
    if not decides(str(crawl["strategy"])):
        return None
    told = count_pages(store, crawl)
    return Scale(
        threshold=told["threshold"],
        parts={row["part"]: row["pages"] for row in told["rows"]},
        borders=told["borders"],
    )


def _sites(store: Store) -> list[SiteCount]:
    found = [SiteCount(**row) for row in store.ask("report", "sites")]
    return sorted(found, key=lambda site: (-site.pages, -site.on_topic, -site.waiting, site.host))


def _in_vain(rows: Iterable[Mapping[str, Any]]) -> list[InVain]:
    """Addresses without a page, those with the commonest reasons first."""
    found = [InVain(**{**row, "reason": sentence(row["reason"][0] or "")}) for row in rows]
    return sorted(found, key=lambda one: (-one.pages, one.status, one.reason))[:REASONS]


def concept_tree(concepts: Sequence[Covered]) -> list[Branch]:
    """The concepts as a tree: first those without a broader concept, then those that are only in a cycle.

    The narrower concepts of each are listed once, where it occurs first. Among its siblings the concept with most pages
    comes first.
    """
    known = {one.iri: one for one in concepts}
    below = {iri for one in concepts for iri in one.narrower if iri != one.iri}
    unfolded: set[str] = set()

    def branch(one: Covered, depth: int) -> Branch:
        if one.iri in unfolded:
            return Branch(concept=one, narrower=(), again=True)
        unfolded.add(one.iri)
        children = sorted((known[iri] for iri in one.narrower if iri in known), key=lambda child: -child.pages)
        shown = [branch(child, depth + 1) for child in children] if depth < DEPTH else []
        return Branch(concept=one, narrower=tuple(shown))

    tree = [branch(one, 0) for one in concepts if one.iri not in below]
    while left := [one for one in concepts if one.iri not in unfolded]:
        tree.append(branch(left[0], 0))
    return tree


def settings_rows(stored: str) -> list[tuple[str, str]]:
    """The settings with which the crawl ran last, as they would be typed."""
    kept: Mapping[str, Any] = json.loads(stored)
    told = ((name.replace("_", "-"), value) for name, value in kept.items())
    return [(name, _typed(value)) for name, value in sorted(told) if value not in (None, [], {}, "")]


def _typed(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | bool) else str(value)
