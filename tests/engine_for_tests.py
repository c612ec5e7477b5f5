"""How tests start the engine of embedded stores: with little compiling, and from an archive of its classes.

A test's server runs for seconds, of which half is the start. Measured for one that saves 20 pages: 1.8 instead of 2.4 s
of CPU. The archive takes 6 s of CPU to be made, once for each version of the engine, and stays in the user's cache, as
Neo4j's files do. It is another one than that of `graphdb.embedded.engine_archive`, because tests run servers as crawls
do and not those of brief commands.
"""

import contextlib
import fcntl
import hashlib
import os
import sys
import tempfile
import time
from importlib.metadata import distribution
from pathlib import Path

CACHE = Path.home() / ".cache" / "ontocrawl-tests"
ARGUMENTS = "ARCADEDB_JVM_ARGS"  # of the Java machine, in the environment
QUICK = "-XX:TieredStopAtLevel=1"  # for seconds the second compiler costs more than it saves
PATIENCE = 120.0  # seconds for the archive to be written; chosen, not measured


def use_archive() -> None:
    """Make the archive unless it is there, and have all servers of this process and its children use it."""
    archive = _place()
    CACHE.mkdir(parents=True, exist_ok=True)
    with archive.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process of several makes it
        if not archive.exists():
            with contextlib.suppress(Exception):  # tests run without it, too
                _make(archive)
    if archive.exists():
        os.environ[ARGUMENTS] = f"{QUICK} -XX:AOTCache={archive}"


def _place() -> Path:
    from graphdb.embedded.server_process import JVM

    engine = distribution("arcadedb-embedded")
    jars = Path(str(engine.locate_file("arcadedb_embedded/jars")))
    made_of = (engine.version, str(jars), jars.stat().st_mtime_ns, JVM, sys.version)
    return CACHE / f"engine-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]}.aot"


def _make(archive: Path) -> None:
    """Use an engine that writes the archive when it ends."""
    from records_at_hand import CONCEPTS, CRAWL, SEED, fetched, link, queued

    from graphdb.embedded.embedded_store import open_embedded
    from graphdb.embedded.file_locks import is_owned
    from graphdb.store_folder import SERVER
    from semantic.records import Batch, Counters

    new = archive.with_suffix(".new")
    new.unlink(missing_ok=True)
    before = os.environ.get(ARGUMENTS, "")
    os.environ[ARGUMENTS] = f"{QUICK} -XX:AOTCacheOutput={new}"
    try:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made) / "store"
            store = open_embedded(folder, create=True, how=("record=by-its-arguments",))
            store.open_crawl(CRAWL, CONCEPTS, [SEED])
            pages = tuple(fetched(n, links=(link(n + 100, 0.5),), new=(queued(n + 100, 0.5),)) for n in range(20))
            store.save(Batch(pages=pages, counters=Counters(pages=20), memory=b"memory"))
            for read in (store.queued, store.known, store.visits, store.stored_pages, store.marks, store.link_graph):
                read()
            list(store.queued())
            list(store.stored_pages())
            store.query("MATCH (p:Page) RETURN properties(p) AS set")
            store.close()
            until = time.monotonic() + PATIENCE
            while is_owned(folder / SERVER) and time.monotonic() < until:
                time.sleep(0.1)
    finally:
        os.environ[ARGUMENTS] = before
    new.replace(archive)
