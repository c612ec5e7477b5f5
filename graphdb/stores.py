"""Opens what a crawl has: its record, crawl.sqlite in a folder or one in memory, and the graphs that are filled from
it: in the embedded engine, beside the record, and in Neo4j servers.
"""

import contextlib
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from graphdb.embedded.engine import Engine, Tell, remove
from graphdb.graph.filling import Progress, empty, fill, follows, marks_in, state_of
from graphdb.graph.reading_back import check_whole, compare, restore
from graphdb.neo4j.bolt_driver import Connection
from graphdb.neo4j.credentials import address_of
from graphdb.record.database import Database, Saving
from graphdb.record.noted_changes import NotedChanges
from graphdb.record.sqlite_store import SqliteStore, no_queries, open_record
from graphdb.store_folder import GRAPH, MEMORY, is_server, record_file
from ontology.errors import StoreError
from ontology.messages import message
from semantic.records import Mark

Store = SqliteStore


def open_store(where: str, *, create: bool = True, saving: Saving = nullcontext) -> Store:
    """Open the record of a crawl: in memory (`memory:`), or in a folder.

    - `create`: make it if there is none.
    - `saving`: a context entered for each write, so that others know that one is under way.

    Raises StoreError with the next step.
    """
    if where == MEMORY:
        if not create:
            raise no_queries()
        return open_record(":memory:", saving=saving)
    return open_record(record_file(where, create=create), create=create, saving=saving)


@contextlib.contextmanager
def open_graph(
    where: str,
    tell: Tell = lambda line: None,
    progress: Progress = lambda stage, done: None,
    *,
    as_it_is: bool = False,
) -> Iterator[Connection]:
    """The graph of a crawl: of a folder in the embedded engine, filled first with what is new; or that of a server.

    - `tell`: receives messages for a user who has to wait. `progress`: how far filling is.
    - `as_it_is`: do not fill it first.

    Raises StoreError with the next step.
    """
    if is_server(where):
        with contextlib.closing(Connection(address_of(where))) as server:
            yield server
        return
    if where == MEMORY:
        raise no_queries()
    file = record_file(where)
    with contextlib.closing(Database(file, create=False)) as database:
        source = NotedChanges(database)
        with contextlib.closing(_engine(file.parent / GRAPH, source, tell, progress, as_it_is=as_it_is)) as engine:
            yield engine.connection


def copy(
    source: str,
    target: str,
    progress: Progress = lambda stage, done: None,
    *,
    with_contents: bool = False,
    anew: bool = False,
) -> dict[str, int]:
    """Copy a crawl: from its folder to another folder, or into the graph of a server; or from such a graph, if it was
    filled with the contents of pages, into a new folder.

    - `progress`: receives the stage and the number of pages done.
    - `with_contents`: fill a graph with the contents, too.
    - `anew`: empty the graph first.

    An interrupted copy to a server continues when it is started again. A graph is read back and compared. Returns the
    numbers of rows by kind. Raises StoreError with the next step.
    """
    if is_server(target):
        file = record_file(source)
        with (
            contextlib.closing(Database(file, create=False)) as database,
            contextlib.closing(Connection(address_of(target))) as graph,
        ):
            noted = NotedChanges(database)
            if anew:
                empty(graph, progress)
            fill(noted, graph, target, progress, with_contents=with_contents)
            return compare(noted, graph, progress)
    made = record_file(target, create=True)
    if made.exists():
        raise StoreError(message("there is a crawl at {folder}", folder=target), "give --to a new folder")
    if not is_server(source):
        with (
            contextlib.closing(Database(record_file(source), create=False)) as database,
            contextlib.closing(Database(made)) as other,
        ):
            database.copy_to(other)
            NotedChanges(other).forget_graphs()
            return NotedChanges(other).counts()
    with contextlib.closing(Connection(address_of(source))) as graph:
        check_whole(graph)
        with contextlib.closing(Database(made)) as database:
            restore(graph, database, progress)
            return NotedChanges(database).counts()


def marks_in_graphs(where: str, tell: Tell) -> dict[str, Mark | None]:
    """The marks that a person has set in the Neo4j servers that are filled from a record, and the record does not have:
    address -> mark; None for one that was removed. `tell`: receives which server cannot be asked.
    """
    marks: dict[str, Mark | None] = {}
    with contextlib.closing(Database(record_file(where), create=False)) as database:
        source = NotedChanges(database)
        for server in source.servers():
            try:
                with contextlib.closing(Connection(address_of(server))) as graph:
                    found = marks_in(source, graph, server)
            except StoreError as error:
                tell(message("marks set in {server} are not read: {why}", server=server, why=error))
            else:
                marks |= found
    return marks


def _engine(folder: Path, source: NotedChanges, tell: Tell, progress: Progress, *, as_it_is: bool) -> Engine:
    """The engine with the record's graph. A graph that does not belong to the record is removed and filled again."""
    with contextlib.ExitStack() as ends:
        engine = ends.enter_context(contextlib.closing(Engine(folder, tell)))
        if not _belongs(engine, source):
            ends.close()
            if not remove(folder):
                raise StoreError(
                    message("the graph at {folder} does not belong to the record beside it", folder=folder),
                    "end the process that has it open, then run this again: it is filled again",
                )
            tell(message("the graph does not belong to the record beside it, and is filled again"))
            engine = ends.enter_context(contextlib.closing(Engine(folder, tell)))
        if not as_it_is:
            with engine.filling():
                fill(source, engine.connection, GRAPH, progress)
        ends.pop_all()
        return engine


def _belongs(engine: Engine, source: NotedChanges) -> bool:
    """Whether the engine's graph is empty, or was filled from this record."""
    try:
        state = state_of(engine.connection)
    except StoreError:
        return False
    return state is None or follows(source, state, GRAPH)
