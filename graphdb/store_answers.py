"""What a store gives to its users: the rows of a query, and where it can be reached."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Table:
    """An answer to a Cypher query. Each row maps all of `columns`, in their order, to plain values fit for JSON.

    A node is {"id", "labels", "properties"}, a relation {"id", "type", "start", "end", "properties"} (the ids of its
    nodes), a path {"nodes", "relations"}; times are ISO text, bytes are base64 text.
    """

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, object], ...]


@dataclass(frozen=True, slots=True)
class Address:
    """Where a store answers over Bolt, and to whom. `password_file` is None for a Neo4j server: its password is the
    user's own. `reader` is who may only read, where the server knows such a one.
    """

    uri: str
    user: str
    password: str = field(repr=False)
    password_file: Path | None = None
    reader: "Address | None" = None
