"""Fixtures for records and graphs. A test process starts one server of the embedded engine; there is one Neo4j server
for all test processes, which use it in turns. A graph is emptied before each test.
"""

import fcntl
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from benchmarks import neo4j_server
from graphdb.embedded.engine import Engine
from graphdb.graph.filling import fill
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.database import Database
from graphdb.record.noted_changes import NotedChanges
from graphdb.record.sqlite_store import SqliteStore, open_record
from graphdb.store_answers import BoltAddress

EMPTY = "MATCH (n) DETACH DELETE n"


class Lasting(SqliteStore):
    """A record in memory that outlasts the crawl that closes it."""

    def __init__(self) -> None:
        super().__init__(Database(None))

    def close(self) -> None:
        pass


@dataclass
class Kept:
    """A record under test, and the ways in which another process would open it."""

    store: SqliteStore
    file: Path | None = None
    others: list[SqliteStore] = field(default_factory=list)

    def again(self) -> SqliteStore:
        """The same record, opened for reading."""
        if self.file is None:
            return self.store
        self.others.append(open_record(self.file))
        return self.others[-1]

    def reopened(self) -> SqliteStore:
        """The same record, opened for writing; a file can only have one writer at a time."""
        if self.file is None:
            return self.store
        self.store.close()
        self.store = open_record(self.file)
        return self.store

    def close(self) -> None:
        for store in (self.store, *self.others):
            store.close()


@pytest.fixture
def record(tmp_path) -> Iterator[SqliteStore]:
    with closing(open_record(tmp_path / "record" / "crawl.sqlite")) as store:
        yield store


@pytest.fixture
def record_kept(tmp_path) -> Iterator[Kept]:
    file = tmp_path / "crawl.sqlite"
    kept = Kept(open_record(file), file)
    yield kept
    kept.close()


@pytest.fixture(params=["record", "record in memory"])
def kept(request) -> Kept:
    return Kept(open_record(":memory:")) if "memory" in request.param else request.getfixturevalue("record_kept")


def fill_from(store: SqliteStore, graph: Connection) -> None:
    """Fill a graph from a record in a file."""
    (file,) = (row["file"] for row in store.read("PRAGMA database_list"))
    with closing(Database(Path(file), create=False)) as database:
        fill(NotedChanges(database), graph, "graph")


@pytest.fixture(scope="session")
def engine(tmp_path_factory) -> Iterator[Engine]:
    with closing(Engine(tmp_path_factory.mktemp("embedded") / "graph")) as started:
        yield started


@pytest.fixture
def engine_graph(engine) -> Connection:
    engine.connection.write(lambda run: run(EMPTY))
    return engine.connection


@pytest.fixture(scope="session")
def neo4j(common, tmp_path_factory) -> Iterator[neo4j_server.Server]:
    """The process that started the server ends it when no other one uses it any more."""
    from conftest import missing

    needed = neo4j_server.needed()
    if needed:
        missing(needed)
    address = common / "neo4j.json"
    with (common / "neo4j.users").open("w") as users, ExitStack() as started:
        with (common / "neo4j.start").open("w") as start:
            fcntl.flock(start, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_SH)
            if not address.exists():
                server = started.enter_context(neo4j_server.running(tmp_path_factory.mktemp("neo4j")))
                address.write_text(json.dumps(asdict(server)))
                started.callback(address.unlink)
                started.callback(fcntl.flock, users, fcntl.LOCK_EX)
        yield neo4j_server.Server(**json.loads(address.read_text()))


@pytest.fixture
def neo4j_graph(neo4j, common) -> Iterator[Connection]:
    with (common / "neo4j.turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        with closing(Connection(BoltAddress(neo4j.uri, neo4j_server.USER, neo4j.password))) as connection:
            connection.write(lambda run: run(EMPTY))
            yield connection


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.slow) for name in ("engine", "neo4j")])
def graph(request) -> Connection:
    return request.getfixturevalue(f"{request.param}_graph")
