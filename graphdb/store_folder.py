"""What is in a crawl's folder: its record, and the folder of the embedded engine, which is filled from it."""

from pathlib import Path

from ontology.errors import NoStore, StoreError
from ontology.file_failures import is_there, why_refused
from ontology.messages import message

MEMORY = "memory:"  # a store that is no folder, and ends with its crawl
RECORD = "crawl.sqlite"
GRAPH = "graph"  # the engine's folder, and the name of its graph in the record
FORMER = "ontocrawl-store"  # file in a store of a version that kept a crawl in a graph
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
OF_A_CRAWL = message("give the folder of a crawl; those of this machine: {command} crawls")


def is_server(where: str) -> bool:
    """Whether this is the address of a Neo4j server."""
    scheme, divider, _ = where.partition("://")
    return bool(divider) and scheme in SCHEMES


def record_file(where: str, *, create: bool = False) -> Path:
    """The record's file in a crawl's folder, which may not exist yet. Raises StoreError if the folder is something
    else.
    """
    if is_server(where):
        raise StoreError(
            message("{where} holds a graph; the record of its crawl is in a folder", where=where),
            "give that folder with --store; only query and browser take the address of a server",
        )
    if "://" in where or where == MEMORY:
        raise StoreError(message("{where} is not a store", where=where), "give a folder")
    folder = Path(where)
    if is_there(folder) and not folder.is_dir():
        raise StoreError(
            message("{folder} is a file, not a store", folder=folder),
            "give a folder that does not exist yet" if create else OF_A_CRAWL,
        )
    names = _names(folder)
    if RECORD in names:
        return folder / RECORD
    if FORMER in names:
        raise StoreError(
            message("{folder} was made by an earlier version of ontocrawl, with the crawl in a graph", folder=folder),
            "crawl into another --store; with --archive DIR, nothing that --warc DIR has kept is requested again",
        )
    if any(not name.startswith(RECORD) and name != GRAPH for name in names):
        raise StoreError(
            message("{folder} contains other files and is not a store", folder=folder),
            "give an empty folder, or one that does not exist" if create else OF_A_CRAWL,
        )
    if not create:
        raise NoStore(
            message("there is no store at {folder}", folder=folder), "crawl first: {command} crawl --store DIR …"
        )
    return folder / RECORD


def _names(folder: Path) -> set[str]:
    try:
        return {path.name for path in folder.iterdir()} if is_there(folder) else set()
    except OSError as error:
        raise StoreError(
            message("{folder} cannot be read: {why}", folder=folder, why=why_refused(error)),
            "run it as the folder's owner",
        ) from error
