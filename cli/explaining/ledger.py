"""`ontocrawl status --ledger`: what became of every address that the crawl knows, and why it was not fetched."""

import json
import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from cli.explaining.link_differences import depth_limit, whole
from cli.recorded.store_reading import crawl_row, tell
from cli.render.language import as_told, later, tr
from cli.render.terminal import cut, fitted, line_width, one_line, padded, width
from graphdb.stores import Store
from ontology.messages import message
from semantic.reasons import sentence
from semantic.urls import readable

SORTS = {
    "result": later("results"),
    "article": later("articles off topic"),
    "listing": later("listings off topic"),
    "error": later("error pages"),
    "script": later("pages that need JavaScript, which was not run or gave nothing"),
    "noindex": later("pages that ask not to be a result"),
    "copy": later("copies of other pages"),
    "source": later("feeds and sitemaps"),
    "redirected": later("redirects to other addresses"),
    "waits": later("for the next run"),
    "over budget": later("beyond --max-pages, which is reached"),
    "trapped": later("behind a trap: see status --traps"),
    "deep": later("deeper than --max-depth"),
    "banned": later("on hosts that were banned"),
    "away": later("on hosts that ask to be left alone for now"),
    "discarded": later("by the strategy, which discarded every link to them"),
}
OUTSIDE = later("out of scope by {option}")
GROUPS = (later("fetched"), later("waiting"), later("failed"), later("refused"), later("not queued"))
NUMBER = 11  # columns of a number
EXAMPLE = 24  # columns that an address keeps at least; chosen, not measured

Counted = Mapping[str, Any]


def run(store: str, *, as_json: bool) -> int:
    """Print the ledger of a store's crawl. Raises StoreError if it has none."""
    return tell(store, read_ledger, _lines, as_json=as_json)


def read_ledger(store: Store) -> dict[str, Any]:
    """All addresses, in groups of rows by what became of them: a text, their number, and one of them."""
    crawl = crawl_row(store)
    settings = json.loads(str(crawl["settings"]))
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    rows: dict[str, list[dict[str, Any]]] = {group: [] for group in GROUPS}
    for one in store.ask("status", "ledger", depth=depth_limit(settings), now=now):
        if one["what"] == "waits":
            is_over = whole(crawl["pages"]) >= settings.get("max_pages", math.inf)
            rows["waiting"] += _waiting(one, store.ask("status", "trapped")[0], is_over=is_over)
        else:
            rows[one["group"]].append(_row(_what(one), one))
    groups = [
        {"group": group, "addresses": sum(row["addresses"] for row in some), "rows": sorted(some, key=_most_first)}
        for group, some in rows.items()
    ]
    return {"addresses": sum(group["addresses"] for group in groups), "groups": groups}


def _waiting(one: Counted, trapped: Counted, *, is_over: bool) -> Iterator[dict[str, Any]]:
    """What waits, without what is behind a trap. That was counted at the end of the last run: some may have gone."""
    behind = min(trapped["pages"], one["pages"])
    if behind:
        yield _row(SORTS["trapped"], {**trapped, "pages": behind})
    if behind < one["pages"]:
        yield _row(SORTS["over budget" if is_over else "waits"], {**one, "pages": one["pages"] - behind})


def _what(one: Counted) -> str:
    if one["reason"]:
        return sentence(one["reason"][0] or "")
    if one["option"]:
        return message(OUTSIDE, option=one["option"])
    return SORTS[one["what"]]


def _row(what: str, one: Counted) -> dict[str, Any]:
    return {"what": what, "addresses": one["pages"], "example": one["first"]}


def _most_first(row: Counted) -> tuple[int, str]:
    return -row["addresses"], row["what"]


def _lines(ledger: Counted) -> Iterator[str]:
    told = [(group, [(one_line(as_told(row["what"])), row) for row in group["rows"]]) for group in ledger["groups"]]
    longest = max((width(what) for _, rows in told for what, _ in rows), default=0)
    room = line_width() and max(line_width() - NUMBER - EXAMPLE - 4, EXAMPLE)
    columns = min(longest, room) if room else longest
    for group, rows in told:
        yield f"{group['addresses']:>{NUMBER},}  {tr(group['group'])}"
        for what, row in rows:
            head = f"{row['addresses']:>{NUMBER},}    {padded(cut(what, columns), columns)}  "
            yield fitted(head, readable(row["example"]))
    yield f"{ledger['addresses']:>{NUMBER},}  {tr('addresses that the crawl knows')}"
