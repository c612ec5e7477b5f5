"""One part of a copy: rows of pages or of their relations, read from one store, summed, and written to the other.

Theory. Both ends of a relation are known by the ids that each store has given to its nodes, because a look-up by id
costs half of one by address, for reading and for writing. `Names` converts between the ids of one store and addresses
or IRIs. Most pages and nearly all links have no other properties than those of a link's record: these are read and
written by position, without names.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from graphdb.cypher.statements import statements
from graphdb.neo4j.bolt_driver import Connection, Run
from graphdb.record.batch_rows import portions
from ontology.messages import message

HEAVY_AT_ONCE = 100  # pages with their texts in one part; chosen, not measured
LIGHT_AT_ONCE = 2000  # pages without text in one part; chosen, not measured
# The columns of `plain_pages` and `plain_links` between the id and the number of properties.
PLAIN_PAGE = ("depth", "found", "host", "priority", "reasons", "redirects", "shares", "status", "url")
PLAIN_LINK = ("anchor", "context", "position", "priority", "reasons")
PAGE_STATUS = 1 + PLAIN_PAGE.index("status")
KINDS = {"plain_pages": "pages", "plain_links": "links"}  # of rows by position -> what they are counted as
ON_SITE = "on a site"  # relation of a page to its site; it follows from the property `host`, so it is only counted
SUMS = 2**64  # checksums are 64-bit integers, like the hashes that they add up

Values = list[tuple[str, Any]]  # properties that are there, in the order of their names
Rows = dict[str, list[Any]]  # kind -> rows, as the statements of that name give them


class Place(NamedTuple):
    """A page of one store: its address, its id there, and whether it has text."""

    url: str
    id: str
    heavy: bool


@dataclass(frozen=True, slots=True)
class Names:
    """The addresses of pages and the IRIs of concepts by the ids of one store."""

    pages: Mapping[str, str]
    concepts: Mapping[str, str]

    @classmethod
    def of(cls, connection: Connection, places: Iterable[Place]) -> "Names":
        """The names of a store, whose pages are given."""
        concepts = {row["id"]: row["iri"] for row in connection.read(statements("copy")["concept_ids"])}
        return cls({place.id: place.url for place in places}, concepts)

    def ids_in(self, other: "Names") -> dict[str, str]:
        """Id in this store -> id of the same page or concept in the other one. Raises KeyError if it is not there."""
        ids: dict[str, str] = {}
        for mine, theirs in ((self.pages, other.pages), (self.concepts, other.concepts)):
            there = {name: id_ for id_, name in theirs.items()}
            ids.update((id_, there[name]) for id_, name in mine.items())
        return ids


def places(connection: Connection) -> list[Place]:
    """All pages of a store, in the order of their addresses."""
    rows = connection.read(statements("copy")["addresses"])
    return sorted(Place(row["url"], row["id"], row["heavy"]) for row in rows)


def parted(pages: Iterable[Place]) -> list[list[Place]]:
    """The pages in parts of about equal work."""
    found: list[list[Place]] = []
    room = 0.0
    for place in pages:
        weight = 1 / HEAVY_AT_ONCE if place.heavy else 1 / LIGHT_AT_ONCE
        if not found or room < weight:
            found.append([])
            room = 1.0
        found[-1].append(place)
        room -= weight
    return found


def read_pages(connection: Connection, part: Sequence[Place]) -> Rows:
    """The properties of these pages."""
    plain = _rows(connection, "plain_pages", [place.id for place in part if not place.heavy])
    others = [place.id for place in part if place.heavy] + [row[0] for row in plain if not _is_plain(row, PLAIN_PAGE)]
    return {
        "plain_pages": [row for row in plain if _is_plain(row, PLAIN_PAGE)],
        "pages": _rows(connection, "pages", others),
    }


def read_relations(connection: Connection, part: Sequence[Place]) -> Rows:
    """The relations that begin at these pages."""
    ids = [place.id for place in part]
    links = _rows(connection, "plain_links", ids)
    odd = {page for page, items in links if not all(_is_plain(item, PLAIN_LINK) for item in items)}
    return {
        "plain_links": [row for row in links if row[0] not in odd],
        "links": _rows(connection, "links", sorted(odd)),
        **{kind: _rows(connection, kind, ids) for kind in ("mentions", "parents", "copies")},
    }


def _rows(connection: Connection, kind: str, ids: Sequence[str]) -> list[Any]:
    if not ids:
        return []
    return next(connection.read(statements("copy")[kind], ids=ids))["rows"] or []


def _is_plain(row: Sequence[Any], columns: Sequence[str]) -> bool:
    """Whether a row (id, values, number of properties) has no properties but these."""
    return bool(row[-1] == len(columns) - row.count(None))


def write_pages(run: Run, rows: Rows, *, labels: bool) -> None:
    """Create pages, in a store with several labels together with those that follow from their properties."""
    known = statements("copy")
    waiting = [row for row in rows["plain_pages"] if labels and row[PAGE_STATUS] == "queued"]
    others = [row for row in rows["plain_pages"] if not (labels and row[PAGE_STATUS] == "queued")]
    for statement, some in (
        (statements("labels")["put_waiting_pages"], waiting),
        (known["put_plain_pages"], others),
        ((statements("labels") if labels else known)["put_pages"], rows["pages"]),
    ):
        if some:
            run(statement, rows=some)


def write_relations(run: Run, rows: Rows, *, labels: bool) -> None:
    """Create relations. The ids in the rows are those of this store (see `with_ids`)."""
    known = statements("copy")
    for kind in ("plain_links", "links", "mentions"):
        for some in portions(rows[kind], "id"):
            run(known[f"put_{kind}"], rows=some)
    if rows["parents"]:
        run(known["put_parents"], rows=rows["parents"])
    if rows["copies"]:
        run((statements("labels") if labels else known)["put_copies"], rows=rows["copies"])


def with_ids(rows: Rows, ids: Mapping[str, str]) -> Rows:
    """Relations with other ids."""
    return {
        kind: [[ids[row[0]], ids[row[1]]] for row in some]
        if kind in ("parents", "copies")
        else [[ids[row[0]], [[ids[item[0]], *item[1:]] for item in row[1]]] for row in some]
        for kind, some in rows.items()
    }


@dataclass(slots=True)
class Sums:
    """The number of rows of each kind, and the sum of the hashes of what each page has of it."""

    kinds: dict[str, list[int]] = field(default_factory=dict)

    def copied(self) -> "Sums":
        """The same sums, to be added to."""
        return Sums({kind: list(held) for kind, held in self.kinds.items()})

    def add(self, kind: str, key: str, properties: Mapping[str, Any]) -> None:
        """Count one row."""
        self._add(kind, [(1, _hash(f"{key}\0{_by_name(properties)!r}"))])

    def add_part(self, rows: Rows, names: Names) -> None:
        """Count the rows of a part. `names`: of the store that they were read from."""
        for kind, some in rows.items():
            self._add(KINDS.get(kind, kind), _hashes(kind, some, names))

    def _add(self, kind: str, hashes: Iterable[tuple[int, int]]) -> None:
        held = self.kinds.setdefault(kind, [0, 0])
        for number, value in hashes:
            held[0] += number
            held[1] = (held[1] + value) % SUMS

    def numbers(self) -> dict[str, int]:
        """The number of rows of each kind."""
        return {kind: held[0] for kind, held in self.kinds.items() if kind != ON_SITE}

    def differences(self, other: "Sums") -> list[str]:
        """The differences in words, none if both are equal."""
        found: list[str] = []
        for kind in sorted(self.kinds.keys() | other.kinds.keys()):
            mine, theirs = self.kinds.get(kind, [0, 0]), other.kinds.get(kind, [0, 0])
            if mine[0] != theirs[0]:
                found.append(message("{kind}: {mine:,} and {theirs:,}", kind=kind, mine=mine[0], theirs=theirs[0]))
            elif mine[1] != theirs[1]:
                found.append(message("{kind}: as many, and not the same", kind=kind))
        return found


def _hashes(kind: str, rows: Iterable[Any], names: Names) -> Iterable[tuple[int, int]]:
    """For each page the number of its rows, and one hash of them all."""
    match kind:
        case "plain_pages":
            return ((1, _hash(repr(row[1:-1]))) for row in rows)
        case "pages":
            return ((1, _hash(repr(_by_name(row)))) for row in rows)
        case "plain_links":
            return _relation_hashes(rows, names.pages, names.pages, lambda item: item[1:-1])
        case "links":
            return _relation_hashes(rows, names.pages, names.pages, lambda item: _by_name(item[1]))
        case "mentions":
            return _relation_hashes(rows, names.pages, names.concepts, lambda item: _by_name(item[1]))
        case _:
            return ((1, _hash(f"{names.pages[page]} {names.pages[other]}")) for page, other in rows)


def _relation_hashes(
    rows: Iterable[Any], starts: Mapping[str, str], ends: Mapping[str, str], values: Callable[[Any], Any]
) -> Iterator[tuple[int, int]]:
    for start, items in rows:
        texts = [repr((ends[item[0]], values(item))) for item in items]
        yield len(items), _hash("\0".join([starts[start], *sorted(texts)]))


def _by_name(properties: Mapping[str, Any]) -> Values:
    """Values in the order of their names; converted, because stores return different types for lists and bytes."""
    return [(name, _plain(value)) for name, value in sorted(properties.items()) if value is not None]


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    return list(value) if isinstance(value, tuple | list) else value
