"""An archive of the engine's classes in the user's cache, with which the engine starts sooner.

The Java machine reads, checks and links about 9,000 classes whenever the engine starts. An archive ("AOT cache",
JEP 483) holds them as they are after that, with what a first use of them has found out (JEP 515). Measured: a server
that answers one question takes 1.4 instead of 1.7 s of CPU, the one of `status` of 2,000 pages 2.0 instead of 2.3 s,
and the one of a crawl starts with 2.3 instead of 3.1 s.

The archive takes 50 MB, and to make it 7 s of CPU. The first server that ends has it made, in a process of lowest
priority (nice 19), for which nobody waits. It fits one version of the engine in one place, so each installation has an
archive of its own. Whoever makes one removes those that no server has used for `UNUSED_DAYS`. The Java machine itself
checks that an archive fits, and starts without it where it does not. Where none can be made, an empty file says so, and
it is not tried again. With ONTOCRAWL_ENGINE_ARCHIVE=none in the environment none is made or used.
"""

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path

from graphdb.cypher.statements import statements
from graphdb.embedded.embedded_store import ROOT, open_embedded
from graphdb.file_locks import Lock, is_owned
from graphdb.graph.graph_store import GraphStore
from graphdb.store_folder import SERVER
from ontology.child_process import stand_back
from semantic.reasons import Reason, because
from semantic.records import (
    Batch,
    ConceptRecord,
    Counters,
    CrawlRecord,
    JudgedRecord,
    LinkRecord,
    MentionRecord,
    PageRecord,
    QueuedRecord,
    RevisedRecord,
    SiteRecord,
)

SWITCH = "ONTOCRAWL_ENGINE_ARCHIVE"
PATIENCE = 300.0  # seconds for the archive to be written on a busy machine; chosen, not measured
PAGES = 20  # of the crawl by which the engine is used; chosen, not measured
UNUSED_DAYS = 30  # chosen, not measured: a crawl that is repeated every month keeps its archive
LOOK_SECONDS = 0.2  # between two looks whether the engine has ended; chosen, not measured


def place() -> Path | None:
    """Where the archive of the installed engine is or will be; None if there is to be none."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.environ.get(SWITCH) == "none" or not Path(folder).is_absolute():  # the user may have no home
        return None
    engine = distribution("arcadedb-embedded")
    jars = Path(str(engine.locate_file("arcadedb_embedded/jars")))
    made_of = (engine.version, str(jars), jars.stat().st_mtime_ns, sys.version)
    return Path(folder) / "ontocrawl" / f"engine-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]}.aot"


def flags() -> tuple[str, ...]:
    """Arguments by which the Java machine uses the archive, which is noted by its time; none without one."""
    archive = place()
    if archive is None or not _size(archive):
        return ()
    with contextlib.suppress(OSError):
        archive.touch()
    return (f"-XX:AOTCache={archive}",)


def make_soon() -> None:
    """Have the archive made by another process, if there is none and it has not been tried."""
    archive = place()
    if archive is not None and _size(archive) is None and _can_write(archive.parent):
        subprocess.Popen(
            [sys.executable, "-m", "graphdb.embedded.engine_archive"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def make() -> bool:
    """Make the archive unless there is one or another process is making it. Whether there is one in the end."""
    archive = place()
    if archive is None:
        return False
    if not _can_write(archive.parent):
        return False
    lock = Lock(archive.with_suffix(".lock"))
    if not lock.own():
        return False
    if _size(archive) is None:
        new = archive.with_suffix(".new")
        new.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            record_archive(Path(folder) / "store", new)
        if not _size(new):
            new.write_bytes(b"")
        new.replace(archive)
        _remove_unused(archive.parent)
    lock.release()
    return bool(_size(archive))


def _remove_unused(folder: Path) -> None:
    """Remove the archives that no server has used lately, with the files beside them."""
    for archive in folder.glob("engine-*.aot"):
        with contextlib.suppress(OSError):  # another process removes it, too
            if time.time() - archive.stat().st_mtime > UNUSED_DAYS * 86_400:
                for file in folder.glob(f"{archive.stem}.*"):
                    file.unlink()


def _can_write(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.access(folder, os.W_OK)


def _size(file: Path) -> int | None:
    try:
        return file.stat().st_size
    except OSError:
        return None


def record_archive(folder: Path, archive: Path) -> None:
    """Use an engine that writes the archive when it ends, and wait for that."""
    store = open_embedded(folder, create=True, how=("brief", f"record={archive}"))
    try:
        _use(store)
    finally:
        store.close()
    until = time.monotonic() + PATIENCE
    while is_owned(folder / SERVER) and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)


def _use(store: GraphStore) -> None:
    """Do what brief commands do, with a small crawl."""
    crawl = CrawlRecord(
        id="archive",
        topic="urn:archive",
        ontology="archive.owl",
        fingerprint="",
        strategy="fused",
        settings="{}",
        started_at="",
    )
    concepts = [ConceptRecord(iri="urn:a", label="a", weight=1.0, names=("a",))]
    pages = tuple(map(_page, range(PAGES)))
    counters = Counters(pages=PAGES, on_topic=1)
    store.open_crawl(crawl, concepts, [QueuedRecord(pages[0].url, 1.0, 0)])
    store.save(Batch(pages=pages, counters=counters, sites=(SiteRecord("archive.example", 1.0),), memory=b"memory"))
    store.wait_until_filled()
    store.open_crawl(replace(crawl, fingerprint="other"), concepts, [])
    list(store.pages_to_judge())
    judged = tuple(
        JudgedRecord(
            page.url, 0.4, True, (because("concept", share=0.4, concept="urn:a", name="a"),), page.mentions, "article"
        )
        for page in pages
    )
    waiting = tuple(RevisedRecord(page.queued[0].url, 0.1) for page in pages)
    store.save(Batch(counters=counters, judged=judged))
    store.save(Batch(counters=counters, revised=waiting, memory=b"other memory"))
    store.mark({pages[0].url: True})
    store.update_paths()
    store.set_threshold(0.5)
    for read in (store.visits, store.stored_pages, store.queued, store.unremembered, store.marks, store.remembered):
        list(read())
    for group in ("status", "marks", "crawl", "frontier"):
        for name, statement in statements(group).items():
            if "RETURN" in statement and not any(
                word in statement for word in ("SET ", "CREATE ", "DELETE ", "MERGE ")
            ):
                values = {
                    "urls": [page.url for page in pages],
                    "threshold": 0.5,
                    "most": 5,
                    "depth": 1,
                    "least": 1,
                    "share": 0.5,
                }
                store.query(statement, values | {"now": "", "worst": 0.0, "name": name})


def _page(number: int) -> PageRecord:
    url = f"http://archive.example/{number}"
    target = f"{url}/next"
    return PageRecord(
        url=url,
        status="fetched",
        http_status=200,
        order=number + 1,
        title="title",
        relevance=0.5,
        on_topic=True,
        reasons=(Reason("a seed"),),
        content=b"text",
        kind="article",
        links=(LinkRecord(target, "anchor", "context", 0.5, 0),),
        queued=(QueuedRecord(target, 0.5, 1, url, found=number),),
        mentions=(MentionRecord("urn:a", 1, 1.0, {"title": 1}),),
    )


if __name__ == "__main__":
    stand_back(19)
    made = make()
    print("the engine's archive is there" if made else "no archive of the engine was made")
