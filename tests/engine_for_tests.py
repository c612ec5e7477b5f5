"""How tests start the engine of embedded stores: with little compiling, and from an archive of its classes.

A test's server runs for seconds, of which half is the start. Measured for one that saves 20 pages: 1.8 instead of 2.4 s
of CPU. The archive takes 6 s of CPU to be made, once for each version of the engine, and stays in the user's cache, as
Neo4j's files do. It is another one than that of `graphdb.embedded.engine_archive`, so that tests neither need nor
change the user's.
"""

import contextlib
import fcntl
import os
import tempfile
from pathlib import Path

CACHE = Path.home() / ".cache" / "ontocrawl-tests"
ARGUMENTS = "ARCADEDB_JVM_ARGS"  # of the Java machine, in the environment
QUICK = "-XX:TieredStopAtLevel=1"  # for seconds the second compiler costs more than it saves


def use_archive() -> None:
    """Make the archive unless it is there, and have all servers of this process and its children use it."""
    from graphdb.embedded import engine_archive
    from graphdb.embedded.server_process import JVM

    archive = CACHE / engine_archive.file_name(JVM)
    CACHE.mkdir(parents=True, exist_ok=True)
    with archive.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process of several makes it
        if not archive.exists():
            with contextlib.suppress(Exception), tempfile.TemporaryDirectory() as made:  # tests run without it, too
                new = archive.with_suffix(".new")
                new.unlink(missing_ok=True)
                engine_archive.record(Path(made) / "store", new)
                new.replace(archive)
    if archive.exists():
        os.environ[ARGUMENTS] = f"{QUICK} -XX:AOTCache={archive}"
