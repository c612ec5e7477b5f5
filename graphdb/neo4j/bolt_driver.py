"""Access over Bolt, for a Neo4j server and for the embedded engine. Only this file imports the neo4j driver.

Failures that a user can fix are raised as StoreError: no answer, a wrong password, an invalid query.
"""

import base64
import contextlib
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from graphdb.cypher.read_only_check import objection_to_plan, objection_to_refused, objection_to_words
from graphdb.store_answers import BoltAddress, Table
from ontology.errors import StoreAway, StoreError
from ontology.messages import message

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Record, Session
    from neo4j.graph import Entity, Path

# The driver would import numpy, pandas and pyarrow where they are installed, for values that no store has. That takes
# longer than all the rest of it, so this module, where it does so, is replaced: each of them is None there.
_NO_ARRAYS = ModuleType("neo4j._optional_deps")
_NO_ARRAYS.__getattr__ = lambda name: None  # type: ignore[method-assign]  # PEP 562
sys.modules.setdefault(_NO_ARRAYS.__name__, _NO_ARRAYS)

READER = "reader"  # the user of the embedded engine who may only read
RETRY_SECONDS = 5.0  # for one transaction; chosen, not measured
REFUSED = (
    message("the store could not execute the statement"),
    message("is its disk full, or is it damaged? See its log; what was saved is kept"),
)
Rows = list[dict[str, Any]]
_COLUMN = re.compile(r"""(?:[^,(\[{'"]|\([^)]*\)|\[[^\]]*\]|\{[^}]*\}|'[^']*'|"[^"]*")+""")  # no comma inside brackets
Result = TypeVar("Result")
WRONG_QUERY = (
    message("the store refused the query"),
    message("correct the Cypher; if it is correct, the store may be damaged"),
)
LOOK_CURE = message("to change the graph, use Neo4j Browser or cypher-shell")
READER_CURE = message(
    "give the store's folder as --store, or the user and password shown by {command} serve --show-password"
)
CREDENTIALS_CURE = message("set NEO4J_USERNAME and NEO4J_PASSWORD, or name a file of both in NEO4J_CREDENTIALS_FILE")


class StatementRunner(Protocol):
    """Runs one statement of a transaction and returns its rows."""

    def __call__(self, statement: str, **parameters: object) -> Rows:
        """All rows, by column."""
        ...


class Connection:
    """A driver for one database. `database`: None for the server's default."""

    def __init__(self, address: BoltAddress, database: str | None = None) -> None:
        from neo4j import GraphDatabase

        # Failures are raised; warnings about labels that do not exist yet are useless.
        logging.getLogger("neo4j").setLevel(logging.CRITICAL)
        self.address = address
        self._database = database
        with self._as_store_error(*REFUSED):
            self._driver = GraphDatabase.driver(
                address.uri, auth=(address.user, address.password), max_transaction_retry_time=RETRY_SECONDS
            )
            try:
                self._is_arcadedb = "ArcadeDB" in self._driver.get_server_info().agent
            except BaseException:
                self._driver.close()
                raise

    @property
    def has_labels(self) -> bool:
        """Whether a node may have several labels: in Neo4j."""
        return not self._is_arcadedb

    @property
    def reading_address(self) -> BoltAddress:
        """The address for other programs: as the user who may only read, if the server has one."""
        return self.address.reader or self.address

    def define(self, statements: Mapping[str, str]) -> None:
        """Create constraints and indexes, each statement on its own."""
        with self._session() as session:
            for statement in statements.values():
                session.run(statement).consume()

    def write(self, work: Callable[[StatementRunner], Result]) -> Result:
        """Do all of `work` in one transaction; it is repeated if the server asks for that (deadlock, lost answer)."""

        def unit(transaction: "ManagedTransaction") -> Result:
            def run(statement: str, **parameters: object) -> Rows:
                result = transaction.run(statement, parameters)
                rows = list(map(_row, result))
                # The driver's objects form reference cycles and wait for the garbage collector, which a crawl rarely
                # runs. The parameters, megabytes in each batch, are removed from them at once.
                (result.consume().parameters or {}).clear()
                return rows

            return work(run)

        with self._session() as session:
            return session.execute_write(unit)

    def read(self, statement: str, **parameters: object) -> Iterator[dict[str, Any]]:
        """The rows of one statement, as they arrive; none is stored."""
        with self._session() as session:
            for record in session.run(statement, parameters):
                yield _row(record)

    def query(self, cypher: str, parameters: Mapping[str, object] | None = None, seconds: float = 0) -> Table:
        """Run a user's own query, which may only read. Raises StoreError if it does more, or if the server refuses
        it. `seconds`: after this time a Neo4j server may end it; 0: never.
        """
        _refuse(objection_to_words(cypher))
        given = dict(parameters or {})
        if self._is_arcadedb and self.reading_address.user != READER:
            what = message(
                "{uri} would let a query of the user {user} write", uri=self.address.uri, user=self.address.user
            )
            raise StoreError(what, READER_CURE)
        try:
            with self._session("READ", WRONG_QUERY) as session:
                if not self._is_arcadedb:  # there the user's rights suffice, and EXPLAIN executes some statements
                    summary = session.run(f"EXPLAIN {cypher}", given).consume()
                    _refuse(objection_to_plan(summary.query_type, summary.plan))
                return _ask(session, cypher, given, seconds)
        except StoreAway:
            raise
        except StoreError:
            _refuse(objection_to_refused(cypher))
            raise

    def close(self) -> None:
        """Close the connections."""
        self._driver.close()

    @contextlib.contextmanager
    def _session(self, access: str = "WRITE", refused: tuple[str, str] = REFUSED) -> Iterator["Session"]:
        """A session. `refused`: message and next step of the error raised if the store refuses a statement."""
        reader = self.address.reader if access == "READ" else None
        open_session = self._driver.session(
            database=self._database, default_access_mode=access, auth=(reader.user, reader.password) if reader else None
        )
        with self._as_store_error(*refused), open_session as session:
            yield session

    @contextlib.contextmanager
    def _as_store_error(self, refused: str, cure: str) -> Iterator[None]:
        from neo4j.exceptions import (
            AuthError,
            ConfigurationError,
            Neo4jError,
            ServiceUnavailable,
            SessionExpired,
            TransientError,
        )

        try:
            yield
        except AuthError as error:
            raise StoreError(
                message("{uri} refuses this user name and password", uri=self.address.uri), CREDENTIALS_CURE
            ) from error
        except ConfigurationError as error:
            raise StoreError(f"{self.address.uri}: {error}", "give bolt://HOST:PORT or neo4j://HOST:PORT") from error
        except (ServiceUnavailable, SessionExpired) as error:
            what = message("{uri} does not answer: {error}", uri=self.address.uri, error=_line(error))
            raise StoreAway(what, "start the server, then run it again") from error
        except TransientError as error:
            what = message(
                "{uri} cannot execute the statement now: {why}", uri=self.address.uri, why=_line(error.message)
            )
            raise StoreAway(what, "run it again: nothing that was saved is lost") from error
        except Neo4jError as error:
            raise StoreError(message("{refused}: {why}", refused=refused, why=_line(error.message)), cure) from error


def _row(record: "Record") -> dict[str, Any]:
    """The values of a row by column. `dict(record)` would look up each column, and `record.data()` iterates over single
    bytes.
    """
    return dict(zip(record.keys(), tuple.__iter__(record), strict=True))


def _ask(session: "Session", cypher: str, parameters: Mapping[str, object], seconds: float) -> Table:
    """The rows. Any other effects of the query are rolled back and reported."""
    from neo4j.exceptions import Forbidden

    try:
        with session.begin_transaction(timeout=seconds or None) as transaction:
            result = transaction.run(cypher, dict(parameters))
            columns = tuple(result.keys())
            rows = tuple({name: plain(value) for name, value in _row(record).items()} for record in result)
            counters = result.consume().counters
            if not columns:  # without a row the embedded server does not give their names
                columns = planned_columns(transaction.run(f"EXPLAIN {cypher}", dict(parameters)).consume().plan)
            transaction.rollback()
    except Forbidden as error:
        _refuse(message("does what a reader may not: {why}", why=_line(error.message)))
        raise
    _refuse(message("writes") if counters.contains_updates else "")
    return Table(columns, rows)


def _refuse(objection: str) -> None:
    if objection:
        raise StoreError(message("a query may only read, but this one {objection}", objection=objection), LOOK_CURE)


def _line(message: object) -> str:
    return " ".join(str(message).split())


def load_driver() -> None:
    """Import the driver, which takes time, while something else is waited for."""
    import neo4j  # noqa: F401


def planned_columns(plan: Mapping[str, Any] | None) -> tuple[str, ...]:
    """The columns in the embedded server's plan of a query; () if the plan does not contain them."""
    text = str((plan or {}).get("args", {}).get("string-representation", ""))
    projection = text.rpartition("FINAL PROJECTION [")[2].partition("]\n")[0] if "FINAL PROJECTION [" in text else ""
    return tuple(part.strip() for part in _COLUMN.findall(projection))


def plain(value: object) -> object:
    """A value of an answer as plain Python that JSON can represent (see `graphdb.store_answers.Table`)."""
    from neo4j import graph

    if isinstance(value, graph.Entity | graph.Path):
        return _element(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return _scalar(value)


def _scalar(value: object) -> object:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode("ascii")
    iso_format = getattr(value, "iso_format", None)
    return iso_format() if iso_format else str(value)


def _element(element: "Entity | Path") -> object:
    from neo4j import graph

    if isinstance(element, graph.Path):
        return {
            "nodes": [plain(node) for node in element.nodes],
            "relations": [plain(relation) for relation in element.relationships],
        }
    named = {"id": element.element_id, "properties": plain(dict(element))}
    if isinstance(element, graph.Relationship):
        start, end = (None if node is None else node.element_id for node in element.nodes)
        return named | {"type": element.type, "start": start, "end": end}
    return named | {"labels": sorted(getattr(element, "labels", ()))}
