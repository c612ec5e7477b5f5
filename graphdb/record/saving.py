"""Saves a batch in the record: its plan (`graphdb.record.batch_rows`) as rows, in one transaction.

Theory. One look-up finds out which of a batch's addresses the record has, and their numbers; new addresses are numbered
here, because only one process writes. Everything else is then INSERT and UPDATE by number or address. The columns that
are written are those of the plan's rows, so a property of pages has its name in the schema and in the plan, and
nowhere else. A batch that is saved twice changes nothing.
"""

import functools
import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from itertools import groupby

from graphdb.record.batch_rows import BatchPlan, Row, clean, concept_row, parts
from graphdb.record.own_texts import recount
from graphdb.record.sql_statements import sql
from semantic.parsing.repeated_blocks import own_alone
from semantic.reasons import to_json
from semantic.records import ConceptRecord, TrapRecord

LOOKED_UP = 500  # addresses in one statement; measured: 100 and 2,000 are no faster
TRAP_TEXTS = ("trap", "kind", "first")
NO_REASONS = to_json(())
QUEUED = "status = 'queued'"
APART = ("content", "parts")  # of a page that ended: in tables of their own
UNFETCHED = "(status = 'queued' OR depth IS NULL)"


def save_plan(run: sqlite3.Connection, planned: BatchPlan) -> None:
    """Save pages that end, pages that wait, and all their relations."""
    # 1. which addresses are known, which are new, and their numbers
    addresses = planned.addresses()
    stored = _stored(run, _named(planned, addresses))
    last = run.execute(sql("save")["last_page"]).fetchone()[0]
    numbers = {url: number for url, (number, _) in stored.items()}
    new = [url for url in addresses if url not in numbers]
    numbers.update(zip(new, range(last + 1, last + 1 + len(new)), strict=True))
    taken = {url for url, (_, is_taken) in stored.items() if is_taken}
    ways = {url: numbers[way] for url, way in planned.parents.items() if url not in taken and way in numbers}

    # 2. the pages themselves, and by which page each was found
    _add_pages(run, planned, new, numbers, ways)
    _update_pages(run, planned, stored, taken)
    run.executemany(sql("save")["set_parent"], ((ways[url], stored[url][0]) for url in ways.keys() & stored.keys()))
    # 3. what pages that ended say, instead of what they said before
    ended_before = [(numbers[url],) for url in planned.ended if url in stored]
    for forget in ("forget_links", "forget_mentions", "forget_content", "forget_laid_aside"):
        run.executemany(sql("save")[forget], ended_before)
    _add_links(run, planned, numbers)
    contents = ((numbers[url], row["content"]) for url, row in planned.ended.items() if row["content"] is not None)
    run.executemany(sql("save")["add_content"], contents)
    texts = ((numbers[url], row["parts"]) for url, row in planned.ended.items() if row["parts"])
    run.executemany(sql("save")["add_parts"], ((page, found, own_alone(found)) for page, found in texts))
    # 4. what is said anew of other pages
    _update(run, planned.revised.items(), QUEUED)
    _update(run, planned.renewed.items())
    _add_mentions(run, planned, numbers)
    # 5. results, and last the pages that are none because they are copies
    _mark_paths(run, [numbers[url] for url in planned.results if url in numbers])
    copies = ((numbers.get(page), numbers[url]) for url, page in planned.copies.items())
    run.executemany(sql("save")["set_copy"], copies)
    for url, page, row in planned.replaced:
        _update(run, [(url, row)])
        _become_copy(run, numbers[url], numbers.get(page))


def save_concepts(run: sqlite3.Connection, concepts: Iterable[ConceptRecord], before: Iterable[str]) -> None:
    """Update the concepts to those of the ontology. `before`: the IRIs of those that were its concepts."""
    known = sql("crawl")
    rows = [concept_row(concept) for concept in concepts]
    sets = [row["set"] for row in rows]
    named = [{**one, "names": one["names"] and json.dumps(one["names"], ensure_ascii=False)} for one in sets]
    run.executemany(known["save_concept"], named)
    run.execute(known["forget_narrower"])
    run.executemany(known["add_narrower"], ((row["iri"], below) for row in rows for below in row["narrower"]))
    gone = set(before) - {row["iri"] for row in rows}
    run.executemany(known["retire_concept"], ((iri,) for iri in gone))
    run.execute(known["remove_concepts"])


def save_traps(run: sqlite3.Connection, traps: Iterable[TrapRecord]) -> None:
    """Replace the traps."""
    run.execute(sql("crawl")["forget_traps"])
    rows = (
        {**asdict(trap), **{name: clean(getattr(trap, name)) for name in TRAP_TEXTS}, "why": clean(to_json([trap.why]))}
        for trap in traps
    )
    run.executemany(sql("crawl")["save_trap"], rows)


def update_paths(run: sqlite3.Connection) -> int:
    """Recompute which pages are on a path to a result; traps are out of date then. Returns the number of results."""
    known = sql("paths")
    for statement in ("outdate_traps", "unmark_strays", "mark_missed"):
        run.execute(known[statement])
    return int(run.execute(known["results"]).fetchone()[0])


def _mark_paths(run: sqlite3.Connection, results: Collection[int]) -> None:
    """Mark the pages on the ways from these results back to their seeds, as far as they are not marked."""
    if results:
        run.execute(sql("save")["mark_paths"], (json.dumps(list(results)),))


def _named(planned: BatchPlan, addresses: list[str]) -> Iterable[str]:
    """All addresses whose numbers are needed."""
    more = (planned.parents.values(), planned.mentions, planned.results, planned.copies.values())
    replaced = (url for copy, page, _ in planned.replaced for url in (copy, page))
    return dict.fromkeys([*addresses, *(url for some in more for url in some), *replaced])


def _stored(run: sqlite3.Connection, urls: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Those of these addresses that the record has: their numbers, and whether they were ever queued or fetched."""
    found: dict[str, tuple[int, int]] = {}
    for some in parts(urls, LOOKED_UP):
        marks = ",".join("?" * len(some))
        rows = run.execute(f"SELECT url, id, depth IS NOT NULL FROM pages WHERE url IN ({marks})", some)
        found.update((url, (number, is_taken)) for url, number, is_taken in rows)
    return found


def _add_pages(
    run: sqlite3.Connection, planned: BatchPlan, new: list[str], numbers: Mapping[str, int], ways: Mapping[str, int]
) -> None:
    rows = [{**planned.properties(url), "id": numbers[url], "url": url, "parent": ways.get(url)} for url in new]
    _save_sites(run, {**{row["host"]: {} for row in rows}, **planned.sites})
    for names, some in groupby(rows, tuple):
        run.executemany(_inserting(names), some)


def _save_sites(run: sqlite3.Connection, sites: Mapping[str, Row]) -> None:
    """Save what is known of hosts; what a row does not tell stays as it is."""
    rows = ({"delay": None, "robots": None, "away": None, **row, "host": host} for host, row in sites.items())
    run.executemany(sql("save")["save_site"], rows)


def _update_pages(
    run: sqlite3.Connection, planned: BatchPlan, stored: Mapping[str, object], taken: Collection[str]
) -> None:
    """Update pages that the record has: queue those that never were, raise priorities, leave out, and end pages."""
    waiting = [(url, row) for url, row in planned.waiting.items() if url in stored]
    _update(run, ((url, row) for url, row in waiting if url not in taken))
    raised = ("priority", "reasons")
    better = ((url, {name: row[name] for name in raised}) for url, row in waiting if url in taken)
    _update(run, better, f"{QUEUED} AND priority < :priority")
    _update(run, ((url, row) for url, row in planned.outside.items() if url in stored), UNFETCHED)
    ended = [(url, row) for url, row in planned.ended.items() if url in stored]
    chosen = ({"url": url, "chosen": planned.chosen.get(url)} for url, _ in ended)
    run.executemany(sql("save")["keep_chosen"], chosen)
    _update(run, ((url, row | {"copy_of": None}) for url, row in ended))


def _add_links(run: sqlite3.Connection, planned: BatchPlan, numbers: Mapping[str, int]) -> None:
    rows = (
        (
            numbers[url],
            numbers[link["url"]],
            link["anchor"],
            link["context"],
            link["priority"],
            link["position"],
            None if link["reasons"] == NO_REASONS else link["reasons"],
        )
        for url, links in planned.links.items()
        for link in links
    )
    run.executemany(sql("save")["add_link"], rows)


def _add_mentions(run: sqlite3.Connection, planned: BatchPlan, numbers: Mapping[str, int]) -> None:
    """Add mentions, those of pages judged again instead of the former ones, or of those of some concepts."""
    again = [url for url in planned.mentions if url not in planned.ended]
    run.executemany(sql("save")["forget_mentions"], ((numbers[url],) for url in again if url not in planned.unsaid))
    unsaid = ((numbers[url], concept) for url in again for concept in planned.unsaid.get(url, ()))
    run.executemany(sql("save")["forget_mention"], unsaid)
    rows = [{**row, "page": numbers[url]} for url, said in planned.mentions.items() for row in said]
    run.executemany(sql("save")["add_concept"], ((iri,) for iri in {row["concept"] for row in rows}))
    run.executemany(sql("save")["add_mention"], rows)
    for url in again:
        recount(run, numbers[url])


def _become_copy(run: sqlite3.Connection, number: int, page: int | None) -> None:
    """Turn a former page into a copy of another one; see `Batch.copies`."""
    known = sql("save")
    for forget in ("forget_content", "forget_mentions", "forget_unfollowed_links"):
        run.execute(known[forget], (number,))
    run.execute(known["move_copies"], (page, number))
    run.execute(known["set_copy"], (page, number))
    step: int | None = number
    while step is not None and run.execute(known["unmark_path"], (step,)).rowcount:
        (step,) = run.execute(known["parent"], (step,)).fetchone()


def _update(run: sqlite3.Connection, rows: Iterable[tuple[str, Row]], condition: str = "TRUE") -> None:
    """Set the properties in each row, of the page with this address if the condition holds."""
    for names, some in groupby(({**row, "url": url} for url, row in rows), tuple):
        run.executemany(_updating(names, condition), some)


@functools.cache
def _inserting(names: tuple[str, ...]) -> str:
    columns = [name for name in names if name not in APART]
    return f"INSERT INTO pages ({', '.join(map(_quoted, columns))}) VALUES (:{', :'.join(columns)})"


@functools.cache
def _updating(names: tuple[str, ...], condition: str) -> str:
    values = ", ".join(f"{_quoted(name)} = :{name}" for name in names if name not in ("url", *APART))
    return f"UPDATE pages SET {values} WHERE url = :url AND {condition}"


def _quoted(name: str) -> str:
    return f'"{name}"'
