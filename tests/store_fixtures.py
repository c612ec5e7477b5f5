"""Fixtures for the stores. Each store is emptied before a test. A test process starts one server of the embedded
store. There is one Neo4j server for all test processes, which use it in turns.
"""

import fcntl
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from benchmarks import neo4j_server
from graphdb.embedded.embedded_store import find_server, open_embedded
from graphdb.graph.graph_store import GraphStore
from graphdb.neo4j.bolt_driver import Connection
from graphdb.record.database import Database
from graphdb.record.sqlite_store import SqliteStore, open_record
from graphdb.store_answers import Address
from graphdb.stores import Store, open_store

EMPTY = "MATCH (n) DETACH DELETE n"


class Lasting(SqliteStore):
    """A record in memory that outlasts the crawl that closes it."""

    def __init__(self) -> None:
        super().__init__(Database(None))

    def close(self) -> None:
        pass


@dataclass
class Kept:
    """A store under test, and the ways in which another process would open it."""

    store: Store
    address: Address | None = None
    database: str | None = None
    folder: Path | None = None
    file: Path | None = None
    others: list[Store] = field(default_factory=list)

    def again(self) -> Store:
        """The same record, opened for reading."""
        if self.file is not None:
            self.others.append(open_record(self.file))
            return self.others[-1]
        if self.folder is not None:
            self.others.append(open_store(str(self.folder)))
            return self.others[-1]
        return self.store if self.address is None else GraphStore(Connection(self.address, self.database))

    def reopened(self) -> Store:
        """The same record, opened for writing; a file or a folder can only have one writer at a time."""
        if self.folder is None and self.file is None:
            return self.again()
        self.store.close()
        self.again()
        self.store = self.others.pop()
        return self.store

    def close(self) -> None:
        for store in (self.store, *self.others):
            store.close()


@pytest.fixture(scope="session")
def embedded_folder(tmp_path_factory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("embedded") / "store"
    store = open_store(str(folder))
    yield folder
    store.close()


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


@contextmanager
def emptied(folder: Path) -> Iterator[Kept]:
    """The embedded store in a folder, without its former content; a server runs for it."""
    found = find_server(folder)
    assert found is not None
    store = open_embedded(folder, create=False)
    store.connection.write(lambda run: run(EMPTY))
    kept = Kept(store, *found, folder)
    yield kept
    kept.close()


@pytest.fixture
def embedded_kept(embedded_folder) -> Iterator[Kept]:
    with emptied(embedded_folder) as kept:
        yield kept


@pytest.fixture
def empty_store(embedded_kept) -> Callable[[Path], Store]:
    """Puts an empty embedded store at a path, for the commands of one test. It is the one store of this process, by
    another name: a server of its own would take two seconds of CPU.
    """

    def put(path: Path) -> Store:
        assert embedded_kept.folder is not None
        path.symlink_to(embedded_kept.folder)
        return embedded_kept.store

    return put


@pytest.fixture(scope="module")
def store_of_module(embedded_folder) -> Iterator[Callable[[Path], None]]:
    """The same for all tests of a file; none of them may use another embedded store of these fixtures."""
    with emptied(embedded_folder):
        yield lambda path: path.symlink_to(embedded_folder)


@pytest.fixture
def neo4j_kept(neo4j, common) -> Iterator[Kept]:
    address = Address(neo4j.uri, neo4j_server.USER, neo4j.password)
    with (common / "neo4j.turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        connection = Connection(address)
        connection.write(lambda run: run(EMPTY))
        store = GraphStore(connection)
        yield Kept(store, address)
        store.close()


EMBEDDED, NEO4J = (pytest.param(name, marks=pytest.mark.slow) for name in ("embedded", "neo4j"))


@pytest.fixture
def record_kept(tmp_path) -> Iterator[Kept]:
    file = tmp_path / "crawl.sqlite"
    kept = Kept(open_record(file), file=file)
    yield kept
    kept.close()


@pytest.fixture(params=["record", "record in memory", EMBEDDED, NEO4J])
def kept(request) -> Iterator[Kept]:
    if request.param == "record in memory":
        yield Kept(open_record(":memory:"))
    else:
        yield request.getfixturevalue(f"{request.param}_kept")


@pytest.fixture(params=[EMBEDDED, NEO4J])
def graph_kept(request) -> Kept:
    return request.getfixturevalue(f"{request.param}_kept")
