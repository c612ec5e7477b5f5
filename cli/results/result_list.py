"""The results of a crawl as the record has them, for the terminal, for files, and for a page."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from cli.render.language import listed, tr
from cli.render.terminal import clean, one_line
from cli.report.page_cards import Words
from graphdb.record.batch_rows import parts
from graphdb.stores import Store
from ontology.errors import SettingsError
from ontology.lexicon.surface_forms import same_word_key
from semantic.parsing.page_reader import unpack
from semantic.reasons import Reason
from semantic.urls import normalise

READ_AT_ONCE = 50  # results, with their texts; chosen, not measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which results are asked for. None: whatever they have.

    - `concept`: a name of a concept in any language, or its IRI; results about narrower ones fit, too.
    - `site`: a host or a domain. `language`: the first part of its tag. `marked`: good, bad, hub or none.
    - `is_new`: no result when the last run began.
    """

    concept: str | None = None
    site: str | None = None
    kind: str | None = None
    language: str | None = None
    marked: str | None = None
    is_new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """The numbers of the pages that fit, best first, and how many there are by site, kind and language. The number of a
    site includes hosts below it.
    """

    pages: Sequence[int]
    sites: Mapping[str, int]
    kinds: Mapping[str, int]
    languages: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A page on topic.

    - `published`: the day, as the page says. `marked`: by the expert, good, bad or hub. What is unknown is "".
    - `concepts`: what it says most about. `why` it is a result.
    - `said`: what it says most about the topic, in pieces, and whether each is a word of the topic.
    """

    url: str
    title: str
    site: str
    published: str
    relevance: float
    marked: str
    kind: str
    language: str
    author: str
    site_name: str
    fetched_at: str
    concepts: tuple[str, ...]
    said: tuple[tuple[str, bool], ...]
    why: tuple[Reason, ...]

    @property
    def sentence(self) -> str:
        """The same as one text."""
        return one_line("".join(piece for piece, _ in self.said))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptCount:
    """How many results mention a concept or a narrower one. `narrower`: IRIs of those directly below it."""

    iri: str
    label: str
    results: int
    narrower: tuple[str, ...]


def fitting(store: Store, wanted: Wanted) -> Fitting:
    """Ask the record which results fit. Raises SettingsError for a concept that it does not know."""
    rows = store.ask(
        "results",
        "fitting",
        concepts=None if wanted.concept is None else json.dumps(_concepts_named(store, wanted.concept)),
        site=None if wanted.site is None else _host(wanted.site),
        kind=wanted.kind,
        language=wanted.language,
        marked=wanted.marked,
        new=wanted.is_new or None,
    )
    return Fitting(
        pages=[row["id"] for row in rows],
        sites=_counted(_with_hosts_below(Counter(row["host"] for row in rows))),
        kinds=_counted(row["kind"] or "" for row in rows),
        languages=_counted((row["language"] or "").partition("-")[0].lower() for row in rows),
    )


def results_by_concept(store: Store, pages: Sequence[int]) -> list[ConceptCount]:
    """Each concept that these pages mention, or a narrower one of which they do; that of most pages first."""
    said = {row["concept"]: set(row["pages"]) for row in store.ask("results", "mentioning", among=json.dumps(pages))}
    concepts = store.ask("results", "concepts")
    below = {row["id"]: row["narrower"] for row in concepts}

    def pages_below(concept: int) -> set[int]:
        found, waiting = {concept}, [concept]
        while waiting:
            new = [one for one in below[waiting.pop()] if one not in found]
            found.update(new)
            waiting += new
        return set().union(*(said.get(one, ()) for one in found))

    iris = {row["id"]: row["iri"] for row in concepts}
    counted = (
        ConceptCount(
            iri=row["iri"],
            label=row["label"],
            results=len(pages_below(row["id"])),
            narrower=tuple(iris[one] for one in row["narrower"]),
        )
        for row in concepts
    )
    return sorted((one for one in counted if one.results), key=lambda one: (-one.results, one.label, one.iri))


def read_results(store: Store, pages: Sequence[int], words: Words | None) -> Iterator[Result]:
    """What is shown of these pages, in their order; without `words` no sentences."""
    for some in parts(pages, READ_AT_ONCE):
        for row in store.ask("results", "shown", pages=some):
            said = words.excerpt(unpack(row["content"], row["url"]), row["own"]) if words and row["content"] else ()
            yield _result(row, tuple((clean(piece), is_word) for piece, is_word in said))


def _result(row: Mapping[str, Any], said: tuple[tuple[str, bool], ...]) -> Result:
    texts = {
        name: one_line(row[name] or "")
        for name in ("title", "published", "kind", "language", "author", "site_name", "fetched_at")
    }
    return Result(
        url=row["url"],
        site=row["host"],
        relevance=row["relevance"],
        marked=row["verdict"] or "",
        concepts=tuple(map(one_line, row["concepts"])),
        said=said,
        why=row["reasons"] or (),
        **texts,
    )


def _with_hosts_below(hosts: Mapping[str, int]) -> Counter[str]:
    """The same hosts; the number of each includes those of hosts below it."""
    found: Counter[str] = Counter()
    for host, number in hosts.items():
        labels = host.split(".")
        above = (".".join(labels[first:]) for first in range(len(labels)))
        found.update({site: number for site in above if site in hosts})
    return found


def _counted(values: Iterable[str]) -> dict[str, int]:
    """How often each occurs, the commonest first. `values`: also as a Counter."""
    return dict(sorted(Counter(values).items(), key=lambda one: (-one[1], one[0])))


def _host(typed: str) -> str:
    """The host in what was typed: an address, a host or a domain, also with characters that are not ASCII."""
    url = normalise(typed if "://" in typed else f"http://{typed}")
    return url.split("/")[2] if url else typed


def _concepts_named(store: Store, typed: str) -> list[int]:
    """The concepts with this name or IRI. Raises SettingsError where there is none."""
    key = same_word_key(typed)
    named: dict[str, set[int]] = {}
    for row in store.ask("results", "concepts"):
        for name in (row["label"], *(row["names"] or ())):
            named.setdefault(same_word_key(name), set()).add(row["id"])
        named.setdefault(row["iri"], set()).add(row["id"])
    found = named.get(typed) or named.get(key)
    if found:
        return sorted(found)
    near = get_close_matches(key, named, n=3)
    raise SettingsError(
        tr("no concept is called {name}", name=typed),
        tr("there are: {near}", near=listed(near)) if near else "see: {command} ontology coverage",
    )
