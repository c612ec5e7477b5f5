"""Opens the store of a crawl: `memory:` (a record in memory), a folder (embedded), or a Neo4j server. All three hold
the same of a crawl.
"""

from collections.abc import Callable
from pathlib import Path

from graphdb.embedded.embedded_store import Tell, open_embedded
from graphdb.embedded.embedded_store import serve_soon as serve_folder_soon
from graphdb.graph.graph_copy import Progress, copy_graph
from graphdb.graph.graph_merging import Merged, merge_graph
from graphdb.graph.graph_store import GraphStore
from graphdb.neo4j.bolt_driver import Connection
from graphdb.neo4j.credentials import address_of
from graphdb.record.sqlite_store import SqliteStore, no_queries, open_record
from ontology.errors import StoreError
from ontology.messages import message

MEMORY = "memory:"
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")

Store = SqliteStore | GraphStore


def open_store(where: str, *, create: bool = True, tell: Tell = lambda line: None) -> Store:
    """Open the store at `where`: `memory:`, a folder, or an address that begins with bolt:// or neo4j://, whose user
    name and password come from the environment (see `graphdb.neo4j.credentials`).

    - `create`: make the folder a store if it is not one.
    - `tell`: receives messages for a user who has to wait.

    Raises StoreError with the next step.
    """
    if where == MEMORY:
        if not create:
            raise no_queries()
        return open_record(":memory:")
    return _open_graph(where, create=create, tell=tell)


def serve_soon(where: str, *, create: bool = False, brief: bool = False) -> Callable[[], None]:
    """Start the server of an embedded store in advance, while this process does other things before `open_store`.

    - `create`: make the store where nothing has its name.
    - `brief`: the store is used for seconds only.

    Returns a function that cancels this, to be called if the store is not opened in the end; it removes a store that
    was made. Does nothing for other stores.
    """
    if "://" in where or where == MEMORY:
        return lambda: None
    return serve_folder_soon(Path(where), create=create, brief=brief)


def copy(  # noqa: PLR0913 - what may be wanted of a copy
    source: str,
    target: str,
    progress: Progress | None = None,
    tell: Tell = lambda line: None,
    *,
    with_memory: bool = False,
    anew: bool = False,
) -> dict[str, int]:
    """Copy all nodes and relations of one store to another, in either direction between a folder and a Neo4j server.

    - `progress`: receives the stage and the number of pages done. `tell`: as in `open_store`.
    - `with_memory`: copy the strategy's memory too.
    - `anew`: empty the target first.

    An interrupted copy continues when it is started again. Returns the number of rows of each kind. Raises StoreError
    if a store cannot be opened, if both are the same, if the target contains another crawl, or if the copy differs in
    the end.
    """
    if _place(source) == _place(target):
        raise StoreError(
            message("{source} cannot be copied to itself", source=source),
            "give --to another store: bolt://HOST, or a new folder",
        )
    origin = _open_graph(source, create=False, tell=tell)
    try:
        goal = _open_graph(target, tell=tell)
        try:
            goal.claim()
            report = progress or (lambda stage, pages: None)
            return copy_graph(origin.connection, goal.connection, report, with_memory=with_memory, anew=anew)
        finally:
            goal.close()
    finally:
        origin.close()


def merge(source: str, target: Store, where: str, progress: Progress, tell: Tell = lambda line: None) -> Merged:
    """Merge the crawl in the store `source` into that of an open store, which is at `where`.

    An interrupted merge continues when it is started again. All pages are to be judged anew afterwards. `progress`
    receives a stage and the number of addresses done. Raises StoreError if a store cannot be used, if both are the
    same, or if their topics differ.
    """
    if isinstance(target, SqliteStore):
        raise StoreError(message("{where} ends with this command", where=where), "give --into a folder, or bolt://HOST")
    if _place(source) == _place(where):
        raise StoreError(message("{source} cannot be merged into itself", source=source), "give --into another store")
    origin = _open_graph(source, create=False, tell=tell)
    try:
        target.claim()
        done = merge_graph(origin.connection, target.connection, progress)
        target.update_paths()
        return done
    finally:
        origin.close()


def _place(where: str) -> str:
    return where.rstrip("/") if "://" in where else str(Path(where).resolve())


def _open_graph(where: str, *, create: bool = True, tell: Tell = lambda line: None) -> GraphStore:
    scheme, divider, _ = where.partition("://")
    if scheme in SCHEMES and divider:
        return GraphStore(Connection(address_of(where)))
    if divider or where == MEMORY:
        raise StoreError(
            message("{where} is not a store", where=where),
            "give a folder, or an address that begins with bolt:// or neo4j://",
        )
    return open_embedded(Path(where), create=create, tell=tell)
