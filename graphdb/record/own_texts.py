"""Decides which parts of pages are their own text, by what each host repeats (`semantic.parsing.repeated_blocks`).

A page is saved with what it alone tells. `decide` looks at all pages of each host, and corrects the mentions of
concepts and the full-text index where something has changed.
"""

import json
import sqlite3
from itertools import groupby
from operator import itemgetter

from graphdb.record.sql_statements import sql
from semantic.parsing.repeated_blocks import by_position, in_own_parts, own_on_host

AGAIN = 32  # pages at least between two decisions of one crawl; chosen: sooner no host is known


def decide(run: sqlite3.Connection) -> int:
    """Decide it for all pages of a record. Returns the number of pages for which this changed something."""
    known = sql("own_texts")
    changed: list[tuple[bytes, int]] = []
    for _, rows in groupby(run.execute(known["parts"]), itemgetter("host")):
        pages = list(rows)
        decided = own_on_host([row["texts"] for row in pages])
        changed += [(own, row["page"]) for own, row in zip(decided, pages, strict=True) if own != row["own"]]
    run.executemany(known["set_own"], changed)
    run.executemany(known["outdate_index"], ((page,) for _, page in changed))
    for own, page in changed:
        _recount(run, page, own)
    return len(changed)


def recount(run: sqlite3.Connection, page: int) -> None:
    """Count the mentions of a page in those of its parts that are known to be its own."""
    for (own,) in run.execute(sql("own_texts")["own_parts"], (page,)).fetchall():
        _recount(run, page, own)


def _recount(run: sqlite3.Connection, page: int, own: bytes) -> None:
    known = sql("own_texts")
    for row in run.execute(known["places"], (page,)).fetchall():
        counts = by_position(in_own_parts(json.loads(row["places"]), own))
        where = json.dumps(counts)
        if where != row["where"]:
            run.execute(known["set_count"], (sum(counts.values()), where, page, row["concept"]))
