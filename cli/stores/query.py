"""`ontocrawl query`: runs Cypher and prints rows, with hints if names in it are not those of the graph."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches

from cli.interrupts import ending_at_once
from cli.render.answer_tables import Format, Row, render
from cli.render.language import later, listed, tr
from cli.render.terminal import say
from cli.stores.copy_and_serve import filling_progress
from cli.stores.query_mistakes import mistake, unquoted
from graphdb.cypher.vocabulary import (
    known_labels,
    known_properties,
    known_relations,
    labels_in,
    properties_in,
    relations_in,
)
from graphdb.stores import open_graph
from ontology.errors import StoreAway, StoreError
from ontology.messages import SEMICOLON

_SQL = re.compile(
    r"\bselect\b.*\bfrom\b|\binsert\s+into\b|\bdelete\s+from\b|\bshow\s+tables\b", re.IGNORECASE | re.DOTALL
)
_CYPHER = re.compile(r"\b(?:match|return|call|unwind)\b", re.IGNORECASE)
LONGEST = 10**7  # seconds, a third of a year; chosen, not measured
LIKE = 0.5  # similarity of `difflib`, 1 for equal words; chosen, not measured
NEARLY = 0.75  # the same, for a name that somebody may have given on purpose; chosen, not measured
SQL_CURE = later(
    "this looks like SQL; the graph answers Cypher, as in: MATCH (p:Page) WHERE p.on_topic RETURN p.url LIMIT 10"
)


def run(store: str, cypher: str, form: Format, seconds: int, *, as_it_is: bool = False) -> int:
    """Run a query on the graph of a crawl and print the rows. Exit code 0. Raises StoreError with a hint.

    - A query that takes more than `seconds` ends the process with a message; 0: none does.
    - `as_it_is`: the graph is not filled with what is new before.
    """
    seconds = min(seconds, LONGEST)
    late = StoreError(
        tr("the query took more than {seconds} seconds and was ended", seconds=seconds),
        tr("look for parts that are not connected, add LIMIT, or give it more time with --timeout (0: no limit)"),
    )
    with open_graph(store, say, filling_progress(), as_it_is=as_it_is) as graph:
        try:
            with ending_at_once(seconds, late):
                # the server is a second later, so that the limit is told here
                table = graph.query(cypher, {}, seconds and seconds + 1)
        except StoreAway:
            raise
        except StoreError as error:
            told = None if _is_sql(cypher) else mistake(cypher, str(error))
            if told:
                raise StoreError(*told) from error
            error.cure = listed(hints(cypher), SEMICOLON) or error.cure
            raise
    print(render(table.columns, table.rows, form))
    for hint in hints_on_answer(cypher, table.rows):
        say(tr("hint: {hint}", hint=hint))
    return 0


def hints_on_answer(cypher: str, rows: Sequence[Row]) -> Iterator[str]:
    """What in a query that was answered with these rows is probably not meant."""
    if not any(_says_something(row) for row in rows):
        return hints(cypher)
    full = {column for row in rows for column, value in row.items() if value is not None}
    named = {column.rpartition(".")[2] for column in full}  # somebody has given pages such a property
    return unknown_properties(cypher, is_empty=len(full) < len(rows[0]), named=named)


def hints(cypher: str) -> Iterator[str]:
    """What in a query cannot match anything in the graph."""
    if _is_sql(cypher):
        yield tr(SQL_CURE)
    for word in unquoted(cypher):
        yield tr("nothing says what {name} is; write a text in quotes: '{name}'", name=word)
    yield from _unknown(tr("label"), labels_in(cypher), known_labels())
    yield from _unknown(tr("relation"), relations_in(cypher), known_relations())
    yield from unknown_properties(cypher, is_empty=True)


def _is_sql(cypher: str) -> bool:
    return bool(_SQL.search(cypher)) and not _CYPHER.search(cypher)


def unknown_properties(cypher: str, *, is_empty: bool, named: Collection[str] = ()) -> Iterator[str]:
    """Properties that the graph has not: they are null, without a word.

    `is_empty`: whether the answer has an empty column, or no rows; otherwise only names near to a known one are told.
    `named`: those that have a value in the answer, which are not told.
    """
    known = known_properties()
    for name in sorted(properties_in(cypher) - known - set(named)):
        near = get_close_matches(name.lower(), known, n=1, cutoff=LIKE if is_empty else NEARLY)
        if near:
            yield tr("no page, concept or link has a property {name}; did you mean {near}?", name=name, near=near[0])
        elif is_empty:
            yield tr(
                "no page, concept or link has a property {name}; "
                "those of a page: MATCH (p:Page) RETURN keys(p) LIMIT 1",
                name=name,
            )


def _unknown(kind: str, used: Iterable[str], known: frozenset[str]) -> Iterator[str]:
    spelled = {name.lower(): name for name in known}
    for name in sorted(set(used) - known):
        near = [spelled[word] for word in get_close_matches(name.lower(), spelled, n=1, cutoff=LIKE)]
        meant = tr("did you mean {near}? ", near=near[0]) if near else ""
        yield tr(
            "the graph has no {kind} {name}; {meant}it has {known}",
            kind=kind,
            name=name,
            meant=meant,
            known=listed(sorted(known)),
        )


def _says_something(row: Row) -> bool:
    """Whether a row has more than nulls, zeros and empty lists."""
    return any(bool(value) for value in row.values())
