"""What of a crawl grows with its pages: `python -m benchmarks.session_growth [--strategy fused] [--pages 20000,60000]`.

The made web of `benchmarks.soak` is crawled by the crawl's own session, without network and with a store that keeps
nothing. At each number of pages all objects of the session are walked through. Printed are the bytes that each
attribute has grown by since the number before, for each page; and the memory of the process. Of an array only those
parts count that are not all 0: memory that was never written takes no room (`semantic.memory.arrays.with_room`).
`--log`: a file for a hash of every batch, to compare two versions.
"""

import argparse
import gc
import os
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from benchmarks.made_web import MadeWeb
from benchmarks.processes import resident_mb
from benchmarks.queue_memory import Crawl
from benchmarks.soak import HOSTS, PART
from crawler.engine.garbage_collection import collect, rare_collections
from crawler.engine.glibc_memory import keep_in_one_place
from semantic.records import Batch

SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)  # no part of one session
BLOCK = 4096  # bytes of a page of memory


def sizes(root: Any) -> Counter[str]:
    """Bytes by attribute: what it alone holds; what two hold counts for the first."""
    found: Counter[str] = Counter()
    seen: set[int] = set()
    ahead: list[tuple[str, Any]] = [("session", root)]
    while ahead:
        name, held = ahead.pop()
        if id(held) in seen or isinstance(held, SHARED):
            continue
        seen.add(id(held))
        found[name] += size_of(held)
        ahead += parts_of(name, held)
    return found


def size_of(held: Any) -> int:
    """Bytes of an object without what it refers to."""
    if not isinstance(held, np.ndarray):
        return sys.getsizeof(held)
    if held.base is not None and isinstance(held.base, np.ndarray):
        return 0  # of another array
    blocks = held.ravel().view(np.uint8)
    whole = len(blocks) // BLOCK * BLOCK
    return int(blocks[:whole].reshape(-1, BLOCK).any(1).sum()) * BLOCK + len(blocks) - whole


def parts_of(name: str, held: Any) -> list[tuple[str, Any]]:
    """What an object refers to, by attribute; what a container holds, by the container's."""
    if isinstance(held, np.ndarray):
        return [(name, held.base)] if isinstance(held.base, np.ndarray) else []
    if isinstance(held, (str, bytes, int, float)):
        return []
    if isinstance(held, dict) and held and len(held) < 50 and all(isinstance(key, str) for key in held):
        return [(f"{name}[{key}]", part) for key, part in held.items()]
    if hasattr(held, "__dict__"):
        return [(f"{name}.{key}", part) for key, part in vars(held).items()]
    slots = [key for kind in type(held).__mro__ for key in getattr(kind, "__slots__", ()) if hasattr(held, key)]
    return [(f"{name}.{key}", getattr(held, key)) for key in slots] or [(name, part) for part in gc.get_referents(held)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", default="fused")
    parser.add_argument("--pages", default="20000,60000")
    parser.add_argument("--log", type=Path)
    given = parser.parse_args()
    keep_in_one_place()
    log = given.log.open("w", encoding="utf-8") if given.log else None

    def keep(batch: Batch) -> None:
        if log:
            told = repr((batch.pages, batch.judged, batch.revised, batch.copies, batch.counters))
            log.write(sha256(told.encode("utf-8", "surrogatepass")).hexdigest() + "\n")

    with rare_collections():
        crawl = Crawl(given.strategy, keep, MadeWeb(HOSTS, PART))
        before, pages, memory = sizes(crawl.session), 0, 0.0
        for mark in map(int, given.pages.split(",")):
            spent = crawl.pages(mark - pages)
            collect()
            now, held = sizes(crawl.session), resident_mb(os.getpid())
            cpu = 1000 * spent / (mark - pages)
            grown = 1e6 * (held - memory) / (mark - pages)
            print(f"{mark:,} pages: {held:.0f} MB, {cpu:.2f} ms of CPU a page; bytes a page since then:")
            each = {name: (size - before[name]) / (mark - pages) for name, size in now.items()}
            for name, more in sorted(each.items(), key=lambda one: -one[1]):
                if more >= 1:
                    print(f"{more:>8.1f} {name}")
            print(f"{sum(each.values()):>8.1f} together, {grown:.0f} of the process", flush=True)
            before, pages, memory = now, mark, held
        crawl.end()
        while crawl.session.settle():
            keep(crawl.session.take_batch())


if __name__ == "__main__":
    main()
