"""How fast a store takes a crawl: `python -m benchmarks.store_writes [--store DIR|bolt://…|FILE.sqlite] [--pages N]`.

Writes pages with 60 links each in batches of 50, as a crawl does: a quarter of the links lead to new pages, half of the
rest to a few much-linked ones; each page has 8 mentions and 4 kB of text. `--waiting N`: that many pages wait before.
`--new SHARE`, `--revised N`: another share of new pages, and N new priorities for each page. Then reads back what a
crawl that goes on must read. Prints one line for each thousand pages, and the totals.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.processes import children, cpu_seconds, is_store
from graphdb.record.batch_rows import parts
from graphdb.record.sqlite_store import SqliteStore, open_record
from graphdb.stores import Store, open_store
from semantic.reasons import Reason
from semantic.records import (
    Batch,
    ConceptRecord,
    CrawlRecord,
    LinkRecord,
    MentionRecord,
    PageRecord,
    QueuedRecord,
    RevisedRecord,
    SiteRecord,
)

NEW = 0.25  # share of the links that lead to new pages
BEST = 2000
LINKS, MENTIONS, BATCH, HOSTS, CONCEPTS = 60, 8, 50, 20, 100
REASONS = (Reason("anchor", 0.3, ("topic",)), Reason("relevance of the linking page", 0.12))
CONTEXT = "about sixty characters of what stands before the link, and as many of what comes after it"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the writing of a crawl's record.")
    parser.add_argument("--store", help="folder or address; a folder that is thrown away if not given")
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--waiting", type=int, default=0)
    parser.add_argument("--new", type=float, default=NEW)
    parser.add_argument("--revised", type=int, default=0)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(words.store or str(Path(folder) / "store"), words.pages, words.waiting, words.new, words.revised)


def measure(where: str, pages: int, waiting: int = 0, new: float = NEW, revised: int = 0) -> None:
    began = time.perf_counter()
    store = _opened(where)
    print(f"opened in {time.perf_counter() - began:.1f} s")
    _begin(store)
    for some in parts(range(1, waiting + 1), 5000):
        store.save(Batch(revived=tuple(QueuedRecord(_url(n), n % 997 / 997, 2, _url(0), found=n) for n in some)))
    batches = list(_batches(pages, waiting + 1, new, revised))
    began, used, served = time.perf_counter(), time.process_time(), _served()
    last = began
    for done, batch in enumerate(batches, 1):
        store.save(batch)
        if done * BATCH % 1000 == 0:
            now = time.perf_counter()
            print(f"{done * BATCH:>7} pages, the last thousand in {now - last:.1f} s")
            last = now
    seconds = time.perf_counter() - began
    print(f"{pages} pages with {LINKS} links each saved in {seconds:.1f} s: {pages * LINKS / seconds:,.0f} links/s")
    store.wait_until_filled()
    seconds = time.perf_counter() - began
    print(f"the graph is whole after {seconds:.1f} s: {pages * LINKS / seconds:,.0f} links/s")
    used, served = 1000 * (time.process_time() - used) / pages, 1000 * (_served() - served) / pages
    print(f"CPU a page: {used:.2f} ms here, {served:.2f} ms in the embedded store's server")
    began = time.perf_counter()
    queued, known = sum(1 for _ in store.queued()), sum(1 for _ in store.known())
    print(f"{queued} waiting and {known} known pages read in {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    graph = store.link_graph()
    print(f"link graph: {len(graph.pages)} pages, {len(graph.links)} links in {time.perf_counter() - began:.1f} s")
    store.close()
    began = time.perf_counter()
    store = _opened(where)
    print(f"opened again in {time.perf_counter() - began:.3f} s")
    for _ in range(2):
        began = time.perf_counter()
        best = sum(1 for _ in store.queued(BEST))
        print(f"the best {best} of the queue in {time.perf_counter() - began:.3f} s")
    store.close()


def _opened(where: str) -> Store | SqliteStore:
    return open_record(where) if where.endswith(".sqlite") or where == ":memory:" else open_store(where)


def fill_store(where: str, pages: int) -> None:
    """The same crawl, to be used by other benches; closed when its graph is whole."""
    store = open_store(where)
    _begin(store)
    for batch in _batches(pages):
        store.save(batch)
    store.wait_until_filled()
    store.close()


def _begin(store: Store | SqliteStore) -> None:
    crawl = CrawlRecord(
        id="bench",
        topic="urn:bench",
        ontology="bench.owl",
        fingerprint="",
        strategy="bfs",
        settings="{}",
        started_at="",
    )
    names = {_concept(number): f"concept {number}" for number in range(CONCEPTS)}
    concepts = [ConceptRecord(iri=iri, label=name, weight=1.0, names=(name,)) for iri, name in names.items()]
    store.open_crawl(crawl, concepts, [QueuedRecord(_url(0), 1.0, 0)])


def _served() -> float:
    """CPU seconds of the embedded store's server."""
    return sum(cpu_seconds(pid) for pid in children(os.getpid()) if is_store(pid))


def _batches(pages: int, found: int = 1, new: float = NEW, revised: int = 0) -> Iterator[Batch]:
    """`found`: the number of pages that are known. `new`: share of links to new ones. `revised`: priorities a page."""
    chance = random.Random(1)
    records: list[PageRecord] = []
    for number in range(pages):
        targets: dict[int, bool] = {}
        while len(targets) < LINKS:
            is_new = chance.random() < new
            hub = min(int(chance.paretovariate(0.5)), found - 1)
            targets[found if is_new else hub if chance.random() < 0.5 else chance.randrange(found)] = is_new
            found += is_new
            if found < LINKS and not is_new:
                targets[found], found = True, found + 1
        records.append(_page(number, targets, chance))
        if len(records) == BATCH:
            again = {chance.randrange(number, found) for _ in range(revised * BATCH)}
            yield Batch(
                pages=tuple(records),
                sites=tuple(SiteRecord(host=_host(n), delay=1.0) for n in range(HOSTS)),
                revised=tuple(RevisedRecord(_url(n), chance.random(), REASONS) for n in again),
            )
            records.clear()


def _page(number: int, targets: dict[int, bool], chance: random.Random) -> PageRecord:
    url = _url(number)
    links = tuple(
        LinkRecord(_url(target), f"anchor text 文字 {target}", CONTEXT, chance.random(), position, REASONS)
        for position, target in enumerate(targets)
    )
    mentions = tuple(
        MentionRecord(concept=_concept(n), count=3, weight=0.5, where={"title": 1, "other": 2})
        for n in chance.sample(range(CONCEPTS), MENTIONS)
    )
    queued = tuple(
        QueuedRecord(_url(target), chance.random(), 3, url, reasons=REASONS, found=target)
        for target, is_new in targets.items()
        if is_new
    )
    return PageRecord(
        url=url,
        status="fetched",
        depth=2,
        priority=0.5,
        parent=None,
        http_status=200,
        fetched_at="2026-11-22T00:00:00",
        order=number,
        title=f"Title {number}",
        relevance=0.5,
        on_topic=chance.random() < 0.3,
        reasons=REASONS,
        content=chance.randbytes(4000),
        links=links,
        mentions=mentions,
        queued=queued,
    )


def _url(number: int) -> str:
    return f"http://{_host(number)}/some/path/of/usual/length/page-{number}.html"


def _host(number: int) -> str:
    return f"host{number % HOSTS}.example"


def _concept(number: int) -> str:
    return f"urn:bench:{number}"


if __name__ == "__main__":
    main()
