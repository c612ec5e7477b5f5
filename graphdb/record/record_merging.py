"""Merges the crawl of one record into that of another, both about the same topic.

Theory. What the record knows stays. An address that the other one has read (or found redirected), and this one has not,
takes the other's outcome, as if this crawl had gone on and fetched it. An address that only failed in the other is
taken if this one does not know it. Addresses that wait in either wait afterwards, with the better priority.

- Parents. A page that both know keeps its parent, all others have theirs of the other record, with the link between
  them (a page that both have read may have had other links when the other one read it). So every way back follows the
  other record until it meets a page of this one, and ends at a seed of one of them: no way is a circle.
- Depth is counted again from the parent. The rank of fetching (`order`) goes on after the last one, in the other's
  order; so does the rank of finding.
- A page whose text this record has under another address becomes a copy of that page, unless that is no result (gone,
  noindex). A page that is gone here stays gone.
- Marks of the expert are taken where this record has none.

All of it is one transaction of statements in `merging.sql`: after a kill nothing has happened. What both did (requests,
errors, seconds) is added once: the record remembers (`merged`) what it has added of which crawl. Pages keep the other's
judgement until they are judged again; the strategy's memory is removed, so that the next run does this if nobody has
done it before.
"""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphdb.record.database import Database
from graphdb.record.saving import update_paths
from graphdb.record.sql_statements import sql
from ontology.errors import StoreError
from ontology.messages import message
from semantic.reasons import because, to_json

ADDED = ("requests", "errors", "inversions", "seconds")  # totals of the work done, which pages do not show
STEPS = slice(2, -3)  # the statements of the file without those before and after
COPIED_TEXT = because("merged copy")


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did. `pages`: taken from the other record; `copies`: addresses taken that are copies; `waiting`:
    links that wait because of it; `known`: addresses with an outcome in both.
    """

    pages: int
    copies: int
    waiting: int
    known: int


def merge_record(database: Database, other: Path) -> Merged:
    """Merge the record in the file `other`, which is only read. All pages are to be judged again afterwards.

    Raises StoreError if one of them has no crawl, if both are the same, or if their topics differ.
    """
    if database.path is not None and database.path.resolve() == other.resolve():
        raise StoreError(message("{source} cannot be merged into itself", source=other), "give --into another store")
    known = sql("merging")
    with database.writing_from(other) as run:
        ours, theirs = (_crawl(run, known[name], option) for name, option in (("ours", "--into"), ("theirs", "FROM")))
        if ours["topic"] != theirs["topic"]:
            raise StoreError(
                message("the topics differ: {theirs} and {ours}", theirs=theirs["topic"], ours=ours["topic"]),
                "only crawls about one topic are merged; export both to look at them side by side",
            )
        for name in list(known)[STEPS]:
            run.execute(known[name], {**ours, "copied": to_json([COPIED_TEXT])})
        done = dict(run.execute(known["numbers"]).fetchone())
        run.execute(known["save_totals"], {**done, **_work(ours, theirs)})
        run.execute(known["drop_compared"])
        run.execute(sql("crawl")["forget_memory"])  # it does not know the new pages
        update_paths(run)
    return Merged(**{name: done[name] for name in Merged.__slots__})


def _crawl(run: sqlite3.Connection, statement: str, option: str) -> dict[str, Any]:
    for row in run.execute(statement):
        return dict(row)
    raise StoreError(message("{option} holds no crawl", option=option), "crawl into it first, or give the right one")


def _work(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """What is added to the totals, and what the record then remembers to have added of each crawl."""
    merged = json.loads(ours["merged"] or "{}")
    if ours["id"] == theirs["id"]:  # copies of one crawl: what both did before they parted is not known
        before = ours
    else:
        before = merged.get(theirs["id"], {})
        merged[theirs["id"]] = {name: theirs[name] for name in ADDED}
    added = {name: max(0, theirs[name] - before.get(name, 0)) for name in ADDED}
    return {**added, "merged": json.dumps(merged)}
