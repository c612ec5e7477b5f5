"""Results as lines for a terminal, as CSV, as JSON, and as RIS for Zotero, EndNote or JabRef."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cli.exchange.table_files import BETWEEN
from cli.render.answer_tables import as_csv
from cli.render.language import listed, reason_told, tr
from cli.render.terminal import fitted, wrapped
from cli.results.result_list import Result
from semantic.urls import readable

DIGITS = 3  # of a relevance, as on the terminal
COLUMNS = (
    *("relevance", "title", "url", "site", "published", "author", "site_name", "language", "kind", "marked"),
    *("concepts", "sentence", "why", "fetched_at"),
)


def as_lines(results: Iterable[Result]) -> Iterator[str]:
    """Each result in a few lines, as wide as the terminal."""
    for rank, one in enumerate(results, 1):
        kind = tr("a listing") if one.kind == "listing" else ""
        tail = "  ".join(filter(None, (f"{one.relevance:.3f}", kind, one.marked and tr(one.marked))))
        yield fitted(f"{rank:>3}  ", one.title or readable(one.url), f"  {tail}")
        yield "     " + "  ".join(filter(None, (one.published, readable(one.url))))
        if one.sentence:
            yield wrapped("     ", one.sentence)
        if one.concepts:
            yield wrapped("     ", tr("concepts: {concepts}", concepts=listed(one.concepts)))
        yield fitted("     ", tr("why: {reasons}", reasons=why(one, "; ")))


def csv_of(results: Iterable[Result]) -> str:
    """A line of names, then a line for each result."""
    rows = (
        {
            **_columns(one),
            "relevance": round(one.relevance, DIGITS),
            "concepts": BETWEEN.join(one.concepts),
            "why": why(one, BETWEEN),
        }
        for one in results
    )
    return as_csv(COLUMNS, list(rows))


def json_of(results: Iterable[Result], counts: Mapping[str, Any]) -> str:
    """One object: the counts, and the results as `rows`."""
    return json.dumps({**counts, "rows": [_member(one) for one in results]}, ensure_ascii=False)


def jsonl_of(results: Iterable[Result]) -> str:
    """An object on a line for each result, as in the `rows` of `json_of`."""
    return "\n".join(json.dumps(_member(one), ensure_ascii=False) for one in results)


def ris_of(results: Sequence[Result]) -> str:
    """An entry for each result, of the type "electronic source". A line is a tag, two blanks, a hyphen, the value."""
    return "\n".join(f"{tag}  - {value}" for one in results for tag, value in _entry(one) if value or tag == "ER")


def _entry(one: Result) -> Iterator[tuple[str, str]]:
    yield "TY", "ELEC"
    yield "TI", one.title or readable(one.url)
    yield from (("AU", name) for name in one.author.split(", "))
    yield "PY", one.published[:4]
    yield "DA", one.published.replace("-", "/")
    yield "T2", one.site_name or one.site
    yield "UR", one.url
    yield "LA", one.language
    yield "AB", one.sentence
    yield from (("KW", concept) for concept in one.concepts)
    yield "ER", ""


def _columns(one: Result) -> dict[str, Any]:
    return {name: getattr(one, name) for name in COLUMNS}


def _member(one: Result) -> dict[str, Any]:
    return {**_columns(one), "why": [str(reason) for reason in one.why]}


def why(one: Result, between: str) -> str:
    """What speaks for it, without figures, which `explain` has."""
    reasons = (reason for reason in one.why if reason.share is None or reason.share > 0)
    return listed((reason_told(reason._replace(share=None)) for reason in reasons), between)
