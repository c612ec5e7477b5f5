"""How fast a crawl is copied to Neo4j and back: `python -m benchmarks.store_copy [--pages N] [--keep DIR]`.

Makes a store of N pages with 60 links each (`benchmarks.store_writes`), starts a Neo4j server, copies to it and from it
into a new folder, each read back and compared by numbers and checksums. Prints seconds, seconds of processor time (of
the command and of its servers), the load of the machine, and links a second. 16,700 pages are a million links.
"""

import argparse
import contextlib
import os
import resource
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks import neo4j_server, processes
from benchmarks.store_writes import fill_store
from graphdb.stores import copy


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure copies between stores.")
    parser.add_argument("--pages", type=int, default=3350)
    parser.add_argument("--keep", type=Path, help="a folder in which all is left (default: thrown away)")
    words = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = words.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        first, second = folder / "first", folder / "second"
        if not first.exists():
            fill_store(str(first), words.pages)
        server = stack.enter_context(neo4j_server.running(folder / "neo4j", as_shipped=True))
        os.environ.update(NEO4J_USERNAME=neo4j_server.USER, NEO4J_PASSWORD=server.password)
        for source, target in ((str(first), server.uri), (server.uri, str(second))):
            began = time.monotonic()
            stages: dict[str, float] = {}
            before = used()
            rows = copy(source, target, partial(note, stages, began))
            seconds = time.monotonic() - began
            load = os.getloadavg()[0]
            way = "to Neo4j" if target == server.uri else "from Neo4j"
            size = f"{rows['pages']:,} pages, {rows['links']:,} links"
            speed = f"{rows['links'] / seconds:,.0f} links/s"
            print(f"{way}: {size} in {seconds:.0f} s at load {load:.1f}: {speed}", flush=True)
            spent = {name: used().get(name, 0.0) - before.get(name, 0.0) for name in used()}
            print("  CPU: " + ", ".join(f"{name} {cpu:.0f} s" for name, cpu in spent.items()), flush=True)
            print("  " + ", ".join(f"{stage} until {second:.0f} s" for stage, second in stages.items()), flush=True)


def used() -> dict[str, float]:
    """Seconds of processor time of this process and of the servers that it has started, by name. An embedded server has
    ended by then.
    """
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {"the command": time.process_time(), "the embedded server": ended.ru_utime + ended.ru_stime}
    for pid in processes.descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if not processes.is_store(pid):
                found["Neo4j"] = found.get("Neo4j", 0.0) + processes.cpu_seconds(pid)
    return found


def note(stages: dict[str, float], began: float, stage: str, done: int) -> None:
    stages[stage] = time.monotonic() - began


if __name__ == "__main__":
    main()
