"""Values that a store returns to its users: the rows of a query, and the store's address."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Table:
    """The result of a Cypher query. Each row maps all `columns`, in order, to plain values that JSON can represent.

    A node is {"id", "labels", "properties"}, a relation {"id", "type", "start", "end", "properties"} (the ids of its
    nodes), a path {"nodes", "relations"}; times are ISO text, bytes are base64 text.
    """

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, slots=True)
class BoltAddress:
    """The Bolt address of a store, and the user to connect as.

    `password_file`: None for a Neo4j server, whose password belongs to the user. `reader`: the same server with a user
    who may only read, if the server has one.
    """

    uri: str
    user: str
    password: str = field(repr=False)
    password_file: Path | None = None
    reader: "BoltAddress | None" = None
