"""The record of one crawl in a graph database: the same statements for Neo4j and for the embedded store.

Theory. A batch names a few thousand addresses; one look-up finds out which of them exist. Everything else follows from
that, and is plain CREATE in the same transaction. That is twice as fast as MERGE (measured), and hubs with many links
cost nothing extra. A transaction that is sent again (because the answer to its commit was lost) finds everything in
place, and changes nothing. Only one crawl writes at a time: the embedded store refuses a second one; on a server the
crawl that was opened last takes over.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Protocol, TypeVar

from graphdb.cypher.statements import statements
from graphdb.graph.imported_ways import stored_ways
from graphdb.graph.plan_merging import merged
from graphdb.graph.stored_crawl import (
    best_first,
    stored_best,
    stored_contents,
    stored_fingerprints,
    stored_link_graph,
    stored_memory,
    stored_mentions,
    stored_outside,
    stored_pages,
    stored_paths,
    stored_places,
    stored_queue,
    stored_to_judge,
    stored_visits,
    stored_wanted,
)
from graphdb.neo4j.bolt_driver import Connection, Run
from graphdb.record.batch_rows import (
    VERDICTS,
    Plan,
    Row,
    as_in_graph,
    clean,
    concept_row,
    parts,
    plan,
    plan_for_graph,
    plan_seeds,
    portions,
)
from graphdb.record.changes import changes, check_topic
from graphdb.record.database import OTHER_WRITER_CURE
from graphdb.store_answers import Address, Table
from ontology.errors import StoreError
from semantic.records import (
    Batch,
    ConceptRecord,
    Counters,
    CrawlRecord,
    FingerprintRecord,
    HostRecord,
    LinkGraph,
    MentionedRecord,
    OutsideRecord,
    QueuedRecord,
    Resumed,
    StoredPage,
    TrapRecord,
    VisitRecord,
    WantedRecord,
)

PAGES_AT_ONCE = 25  # pages with their texts in one statement; chosen, not measured
MEMORY_PART = 2**18  # bytes of the strategy's memory in one node; chosen, not measured
# Pages judged again in one transaction of the embedded server, which writes each anew with its text. Measured: 4,000
# with texts of 40 KB exceed its memory.
RENEWED_AT_ONCE = 1000
# the same, where only numbers are saved: so many that the embedded store goes through all of its pages (`GraphWriting`)
PRIORITIES_AT_ONCE = 20_000
ROWS_AT_ONCE = 2000  # small rows in one statement; chosen, not measured
CRAWL_FIELDS = ("id", "topic", "ontology", "fingerprint", "strategy", "settings", "started_at")
COUNTER_FIELDS = ("pages", "on_topic", "requests", "errors", "inversions", "seconds", "copies")
TRAP_TEXTS = ("trap", "kind", "why", "first")
Result = TypeVar("Result")


class GraphStore:
    """A crawl's record over Bolt.

    - `claim`: returns whether this process may write a crawl, if that can be known in advance.
    - `release`: called once, after the connection is closed.
    - `check`: raises StoreError if saved data was removed.
    """

    def __init__(
        self,
        connection: Connection,
        claim: Callable[[], bool] = lambda: True,
        release: Callable[[], None] = lambda: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.connection = connection
        self._claim = claim
        self._release = release
        self._check = check
        self._writer = ""

    def open_crawl(
        self, crawl: CrawlRecord, concepts: Sequence[ConceptRecord], seeds: Sequence[QueuedRecord]
    ) -> Resumed:
        """Begin or resume the one crawl of this store. Raises StoreError if the store contains a crawl about another
        topic.
        """
        self.claim()
        self._writer = crawl.id
        define_schema(self.connection)
        labels = self.connection.has_labels
        self.label_all()
        resumed = self.connection.write(
            lambda run: _open(run, crawl, concepts, plan_for_graph(plan_seeds(seeds)), labels=labels)
        )
        if list(self.connection.read(statements("recrawl")["is_under_way"])):
            self.mark_for_recrawl()
        return resumed

    def claim(self) -> None:
        """Become the one process that writes. Raises StoreError if it is known that another process writes."""
        if not self._claim():
            raise StoreError("another crawl is writing to this store", OTHER_WRITER_CURE)

    def save(self, batch: Batch) -> None:
        """Commit the whole batch in one transaction. An empty memory leaves the stored one unchanged."""
        planned = plan_for_graph(plan(batch))

        def work(run: Run) -> None:
            save_crawl(run, self._writer, _totals(batch))
            save_plan(run, planned, labels=self.connection.has_labels)
            if batch.memory:
                save_memory(run, batch.memory, batch.counters.seconds)
            if batch.traps is not None:
                save_traps(run, batch.traps)

        try:
            self.connection.write(work)
        finally:
            self._check()

    def queued(self, most: int | None = None) -> Iterator[QueuedRecord]:
        """The waiting pages, best first. `most`: if many wait, give only about this many."""
        if most is not None:
            return stored_best(self.connection, most)
        return iter(best_first(stored_queue(self.connection, "queued")))

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, in no particular order, without reasons."""
        return stored_queue(self.connection, "waiting")

    def languages(self) -> Mapping[str, int]:
        """Language tag -> number of pages fetched in it."""
        return {str(row["language"]): row["pages"] for row in self.connection.read(statements("crawl")["languages"])}

    def keep_concepts(self, concepts: Sequence[ConceptRecord]) -> None:
        """Update the labels of stored concepts."""
        self.connection.write(lambda run: _save_concepts(run, concepts, []))

    def known(self) -> Iterator[str]:
        """The addresses of all pages that ended, without those that only discarded links lead to."""
        for row in self.connection.read(statements("frontier")["known"]):
            yield str(row["url"])

    def discarded(self) -> Iterator[str]:
        """The addresses whose incoming links were all discarded by the strategy."""
        for row in self.connection.read(statements("frontier")["discarded"]):
            yield str(row["url"])

    def outside(self) -> Iterator[OutsideRecord]:
        """The addresses that are out of the crawl's scope and were not fetched."""
        return stored_outside(self.connection)

    def places_by_links(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """Queue entries for these addresses, which are not waiting: with their former priority, or that of the best
        link.
        """
        return stored_places(self.connection, urls)

    def requested(self) -> tuple[int, int]:
        """The crawl's totals of requests and inversions; zeros before it has begun."""
        row = next(self.connection.read(statements("imported")["requested"]), {"requests": 0, "inversions": 0})
        return int(row["requests"]), int(row["inversions"])

    def keep_requested(self, requests: int, inversions: int) -> None:
        """Set these totals, where what was counted since was asked of an archive."""
        self._write(statements("imported")["keep_requested"], requests=requests, inversions=inversions)

    def find_ways(self) -> int:
        """Give each imported page with incoming links the first linking page as its parent; only the others stay seeds.
        What was done before an interruption is not done again. Returns the number of seeds.
        """
        known, labels = statements("imported"), self.connection.has_labels
        before, found = stored_ways(self.connection)

        def work(run: Run, ways: list[Row]) -> None:
            urls = [way["url"] for way in ways]
            run(known["set_parents"], rows=ways)
            run(known["unseed"], urls=urls)
            if labels:
                label_pages(run, urls)

        for some in parts(found, ROWS_AT_ONCE):
            self.connection.write(partial(work, ways=some))
        self._change(before, known["unseed"], labels=True)
        self.update_paths()
        (counted,) = self.connection.read(known["seeds"])
        return int(counted["seeds"])

    def save_settings(self, settings: str) -> None:
        """Store the settings (JSON) with which the crawl continues."""
        self._write(statements("crawl")["save_settings"], settings=settings)

    def save_traps(self, traps: Sequence[TrapRecord]) -> None:
        """Store the traps that links wait behind, instead of those of before, in one transaction."""
        self.connection.write(lambda run: save_traps(run, traps))

    def hosts_wanted(self) -> Iterator[HostRecord]:
        """The hosts that a person has banned or raised."""
        for row in self.connection.read(statements("crawl")["hosts_wanted"]):
            yield HostRecord(str(row["host"]), bool(row["banned"]), float(row["raised"] or 0.0))

    def save_hosts(self, hosts: Sequence[HostRecord]) -> None:
        """Store what a person wants of these hosts now; the others stay as they are."""
        rows = [{"host": clean(one.host), "banned": one.banned or None, "raised": one.raised or None} for one in hosts]
        self._write(statements("crawl")["save_hosts"], rows=rows)

    def fingerprints(self) -> Iterator[FingerprintRecord]:
        """For each page that is not a copy, what is needed to recognise copies of it; in the order of fetching."""
        return stored_fingerprints(self.connection)

    def away(self, now: str) -> Iterator[tuple[str, str]]:
        """Hosts whose Retry-After lasts beyond `now`, with its end (ISO texts, UTC)."""
        for row in self.connection.read(statements("frontier")["away"], now=now):
            yield str(row["host"]), str(row["away"])

    def visits(self) -> Iterator[VisitRecord]:
        """Pages fetched, copies and feeds included, in their order, with the parents of those on topic; then the
        failures.
        """
        return stored_visits(self.connection)

    def mentioned(self) -> Iterator[MentionedRecord]:
        """The pages, without copies, that mention a concept outside link texts."""
        return stored_mentions(self.connection)

    def remembered(self) -> bytes:
        """The strategy's memory."""
        memory, _ = stored_memory(self.connection.read)
        return memory

    def link_graph(
        self, most: int = 0, is_wanted: Callable[[], bool] = lambda: True, *, is_awaited: bool = False
    ) -> LinkGraph:
        """The pages on a path from a seed to a result, and the links among them; see `stored_link_graph`."""
        return stored_link_graph(self.connection, most)

    def stored_pages(self) -> Iterator[StoredPage]:
        """Every answered address as it was stored: pages in the order of fetching, then copies, then what was not a
        page.
        """
        return stored_pages(self.connection, "ended")

    def contents(self, urls: Iterable[str]) -> Iterator[bytes]:
        """What each of these pages says, packed; b"" for one without text."""
        return stored_contents(self.connection, urls)

    def pages_to_judge(self) -> Iterator[StoredPage]:
        """The same as far as judging needs it, at a fraction of the cost: of addresses without a page only how they
        ended, of pages also their mentions and how they are judged.
        """
        return stored_to_judge(self.connection, "ended")

    def unremembered(self) -> Iterator[StoredPage]:
        """Those of `stored_pages` that were answered after the strategy's memory was saved."""
        return stored_pages(self.connection, "unremembered")

    def mark_for_recrawl(self) -> None:
        """Mark the pages to be fetched again: pages on topic, seeds, feeds and sitemaps. Also recomputes the paths to
        results.

        This is done in parts, because the embedded server cannot change 200,000 pages at once. If it is interrupted,
        the next `open_crawl` completes it.
        """
        known = statements("recrawl")
        self._write(known["begin"])
        self.update_paths()
        self._change((row["url"] for row in self.connection.read(known["to_be_wanted"])), known["want"])
        self._write(known["end"])

    def set_threshold(self, threshold: float) -> int:
        """Set each page's `on_topic` by this threshold on its stored relevance, except pages that may not be results.
        Returns the number of pages on topic. Also recomputes the paths to results.
        """
        known = statements("recrawl")
        rows = list(self.connection.read(known["judged"]))
        on_topic = {row["url"]: row["relevance"] >= threshold for row in rows}
        for wanted in (True, False):
            urls = (row["url"] for row in rows if on_topic[row["url"]] is wanted and row["on_topic"] is not wanted)
            self._change(urls, known["set_on_topic"], labels=True, on_topic=wanted)
        self.update_paths()
        return sum(on_topic.values())

    def marks(self) -> dict[str, bool]:
        """The expert's marks: address of a page -> whether it is good."""
        return {
            str(row["url"]): row["verdict"] == VERDICTS[True]
            for row in self.connection.read(statements("marks")["marked"])
        }

    def mark(self, marks: Mapping[str, bool | None]) -> list[str]:
        """Mark pages as good or bad; None removes a mark. Returns the addresses that are not fetched pages.

        Raises StoreError, and marks nothing, if it is known that another process writes.
        """
        self.claim()
        rows: list[Row] = [{"url": url, "verdict": VERDICTS[good]} for url, good in marks.items()]
        known: set[str] = set()
        for some in parts(rows, ROWS_AT_ONCE):
            known.update(str(row["url"]) for row in self._written(statements("marks")["mark"], rows=some))
        return [url for url in marks if url not in known]

    def update_paths(self) -> int:
        """Recompute which pages lie on a path to a result, by the current relevance of pages. Returns the number of
        results.

        Traps depend on which pages are on topic, too; they are noted as out of date until they are stored again.
        """
        known = statements("recrawl")
        self._write(known["outdate_traps"])
        strays, missed, results = stored_paths(self.connection)
        self._change(strays, known["set_on_path"], on_path=None)
        self._change(missed, known["set_on_path"], on_path=True)
        return results

    def _change(self, urls: Iterable[str], statement: str, *, labels: bool = False, **parameters: object) -> None:
        """Run a statement for these pages, some at a time."""
        labels = labels and self.connection.has_labels

        def work(run: Run, some: list[str]) -> None:
            run(statement, urls=some, **parameters)
            if labels:
                label_pages(run, some)

        for some in parts(sorted(urls), ROWS_AT_ONCE):
            self.connection.write(partial(work, some=some))

    def label_all(self) -> bool:
        """Give all pages their labels if an earlier version without labels wrote the store; returns whether it did."""
        known = statements("labels")
        if not self.connection.has_labels or not list(self.connection.read(known["unlabelled"])):
            return False
        define_schema(self.connection)
        unlabelled = (row["url"] for row in self.connection.read(known["pages"]))
        for some in parts(unlabelled, ROWS_AT_ONCE):
            self.connection.write(partial(label_pages, urls=some))
        return True

    def _write(self, statement: str, **parameters: object) -> None:
        self._written(statement, **parameters)

    def _written(self, statement: str, **parameters: object) -> Sequence[Mapping[str, Any]]:
        """The rows returned by a statement that writes."""
        return self.connection.write(lambda run: run(statement, **parameters))

    def wanted(self) -> Iterator[WantedRecord]:
        """The pages marked to be fetched again that were not requested since, most relevant first."""
        return iter(stored_wanted(self.connection))

    def query(self, cypher: str, parameters: Mapping[str, object] | None = None, seconds: float = 0) -> Table:
        """Run a user's own Cypher, which may only read. Raises StoreError for an invalid query.

        `seconds`: after this time a Neo4j server may end it; 0: never.
        """
        return self.connection.query(cypher, parameters or {}, seconds)

    def ask(self, file: str, name: str, /, **parameters: object) -> Sequence[Mapping[str, Any]]:
        """The rows of a named question: a statement in `graphdb/cypher/<file>.cypher`, which has its counterpart in
        `graphdb/record/<file>.sql`. Bytes are base64 text.
        """
        return self.query(statements(file)[name], parameters).rows

    def address(self) -> Address:
        """The address at which other programs reach this store while it is open; as the user who may only read, if
        there is one.
        """
        return self.connection.address.reader or self.connection.address

    def wait_until_filled(self) -> None:
        """Return at once: the graph always has everything that was saved."""

    def close(self) -> None:
        """Release the store; nothing committed is lost. May be called twice."""
        self.connection.close()
        self._release()
        self._release = lambda: None


class Writing(Protocol):
    """What fills a graph: a `Connection`, or the engine itself (`graphdb.embedded.direct_writing`)."""

    @property
    def has_labels(self) -> bool:
        """Whether a node may have several labels."""
        ...

    def write(self, work: Callable[[Run], Result]) -> Result:
        """Do all of `work` in one transaction."""
        ...

    def read(self, statement: str, **parameters: object) -> Iterator[dict[str, Any]]:
        """The rows of one statement."""
        ...

    def close(self) -> None:
        """Release it."""
        ...


def filled_up_to(connection: Writing) -> int:
    """The number of the journal's last record in the graph; 0 if there is none."""
    return max((int(row["record"]) for row in connection.read(statements("journal")["filled"])), default=0)


def fill(connection: Writing, batches: Sequence[Batch], record: int) -> None:
    """Commit the batches of a journal, up to this record, in one transaction; does nothing if the graph has them
    already.
    """
    planned, later = _postponed(plan_for_graph(merged([plan(batch) for batch in batches])))
    remembering = [batch for batch in batches if batch.memory][-1:]
    traps = [batch.traps for batch in batches if batch.traps is not None][-1:]
    known = statements("journal")

    def work(run: Run) -> bool:
        if any(row["record"] >= record for row in run(known["filled"])):
            return False
        run(known["save_totals"], set=_totals(*batches))
        save_plan(run, planned, labels=connection.has_labels)
        for batch in remembering:
            save_memory(run, batch.memory, batch.counters.seconds)
        for found in traps:
            save_traps(run, found)
        if not later:
            run(known["note_record"], record=record)
        return True

    if connection.write(work) and later:  # all of this is repeated if it is interrupted, and changes nothing then
        for rows in parts(later, RENEWED_AT_ONCE):
            connection.write(partial(_update, rows=rows))
        connection.write(lambda run: run(known["note_record"], record=record))


def _postponed(planned: Plan) -> tuple[Plan, list[Row]]:
    """The plan without the judgements that are too many for its transaction, and these as rows."""
    if len(planned.renewed) <= RENEWED_AT_ONCE:
        return planned, []
    copied = {url for url, *_ in planned.replaced}  # becoming a copy comes last
    first = {url: row for url, row in planned.renewed.items() if url in copied}
    return replace(planned, renewed=first), [
        {"url": url, "set": row} for url, row in planned.renewed.items() if url not in copied
    ]


def _update(run: Run, rows: list[Row]) -> None:
    run(statements("save")["update_pages"], rows=rows)


def _totals(*batches: Batch) -> dict[str, object]:
    """The properties of the crawl after these batches."""
    scopes = [batch.scope for batch in batches if batch.scope is not None]
    totals = {name: getattr(batches[-1].counters, name) for name in COUNTER_FIELDS}
    return totals | ({"scope": clean(scopes[-1])} if scopes else {})


def define_schema(connection: Connection) -> None:
    """Create the constraints and indexes that do not exist yet."""
    connection.define(statements("schema"))
    if connection.has_labels:
        connection.define(statements("browser_schema"))


def label_pages(run: Run, urls: Iterable[str]) -> None:
    """Set the labels that follow from the properties of these pages; only for a store that supports several labels."""
    for some in parts(urls, ROWS_AT_ONCE):
        run(statements("labels")["label_pages"], urls=some)


def _open(run: Run, crawl: CrawlRecord, concepts: Sequence[ConceptRecord], seeds: Plan, *, labels: bool) -> Resumed:
    found = run(statements("crawl")["crawls"])
    stored: dict[str, Any] = found[0]["crawl"] if found else {}
    if stored:
        check_topic(stored["topic"], crawl.topic)
    if "copying" in stored:
        raise StoreError("this store is an unfinished copy", "run the same {command} copy again, to its end")
    fields = {name: getattr(crawl, name) for name in CRAWL_FIELDS} | {"writer": crawl.id}
    crawl_id = stored.get("id", crawl.id)
    if stored:
        run(statements("crawl")["go_on"], id=crawl_id, set=fields | {n: stored[n] for n in ("id", "started_at")})
    else:
        run(statements("crawl")["begin"], id=crawl_id, set=fields | {name: 0 for name in COUNTER_FIELDS})
    if stored and (stored["strategy"], stored["fingerprint"]) != (crawl.strategy, crawl.fingerprint):
        # What another strategy learned, or with another ontology, does not apply. Without a memory everything is
        # learned again; if this command is interrupted, by the next one.
        run(statements("save")["forget_memory"], parts=0)
    rows = run(statements("crawl")["concepts"])
    before = {str(row["iri"]): ConceptRecord(**{**row, "names": tuple(row["names"])}) for row in rows}
    now = {concept.iri: replace(concept, narrower=()) for concept in concepts}
    if stored.get("fingerprint") != crawl.fingerprint or before != now:
        _save_concepts(run, concepts, sorted(before.keys() - now.keys()))
    run(statements("crawl")["retry_seeds"], urls=list(seeds.waiting))
    save_plan(run, seeds, labels=False)
    run(statements("crawl")["save_seeds"], id=crawl_id, urls=list(seeds.waiting))
    if labels:
        label_pages(run, seeds.waiting)
    (size,) = run(statements("frontier")["queue_size"])
    resumed = _resumed(stored, crawl, before, concepts)
    memory, _ = stored_memory(run)
    return replace(resumed, memory=memory, waiting=size["waiting"], found=size["found"] or 0)


def _resumed(
    stored: dict[str, Any], crawl: CrawlRecord, before: Mapping[str, ConceptRecord], concepts: Iterable[ConceptRecord]
) -> Resumed:
    if not stored:
        return Resumed(previous=None, counters=Counters(), memory=b"")
    previous = CrawlRecord(**{name: stored[name] for name in CRAWL_FIELDS})
    counters = Counters(
        **{name: stored.get(name, 0) for name in COUNTER_FIELDS}
    )  # 0: earlier versions did not count copies
    changed = changes(previous, crawl, before, {concept.iri: concept for concept in concepts})
    return Resumed(previous=previous, counters=counters, memory=b"", changed=changed, scope=stored.get("scope", ""))


def save_memory(run: Run, memory: bytes, seconds: float | None) -> None:
    """Replace the strategy's memory. `seconds`: of crawling, up to which it is complete."""
    pieces = [memory[start : start + MEMORY_PART] for start in range(0, len(memory), MEMORY_PART)]
    for number, piece in enumerate(pieces):
        run(statements("save")["put_memory"], rows=[{"part": number, "bytes": piece, "seconds": seconds}])
    run(statements("save")["forget_memory"], parts=len(pieces))


def save_traps(run: Run, traps: Sequence[TrapRecord]) -> None:
    """Replace the traps."""
    known = statements("crawl")
    rows: list[Row] = [{**asdict(trap), **{n: clean(str(getattr(trap, n))) for n in TRAP_TEXTS}} for trap in traps]
    run(known["forget_traps"])
    for some in parts(rows, ROWS_AT_ONCE):
        run(known["save_traps"], rows=some)


def _save_concepts(run: Run, concepts: Sequence[ConceptRecord], gone: list[str]) -> None:
    known = statements("crawl")
    rows = [concept_row(concept) for concept in concepts]
    for some in parts(rows, ROWS_AT_ONCE):
        run(known["save_concepts"], rows=some)
    run(known["forget_narrower"])
    for some in parts(rows, ROWS_AT_ONCE):
        run(known["save_narrower"], rows=some)
    if gone:
        run(known["retire_concepts"], iris=gone)
        run(known["remove_concepts"], iris=gone)


def save_crawl(run: Run, writer: str, properties: Mapping[str, object]) -> None:
    """Set properties of the crawl. Raises StoreError if another run has become its writer."""
    if not run(statements("save")["save_crawl"], writer=writer, set=properties):
        raise StoreError("another crawl has taken over this store", OTHER_WRITER_CURE)


def save_plan(run: Run, planned: Plan, *, labels: bool) -> None:
    """Save pages that end, pages that wait, and all their relations."""
    known = statements("save")
    addresses = planned.addresses()
    taken: dict[object, object] = {}
    for urls in parts(addresses, ROWS_AT_ONCE):
        taken |= {url: row["taken"] for row in run(known["existing"], urls=urls) for url in row["urls"]}
    new = [url for url in addresses if url not in taken]
    waiting = planned.waiting.keys() - planned.ended.keys()
    children = {url for url in new if url in waiting and planned.parents.get(url) in planned.ended}
    _add_sites(run, planned, new)
    _add_pages(run, planned, [url for url in new if url not in children])
    for rows in portions(_by_parent(planned, (url for url in new if url in children)).items()):
        run(known["add_children"], rows=rows)
    _update_pages(run, planned, taken)
    others = [url for url in planned.parents if not taken.get(url) and url not in children]
    for rows in portions(_by_parent(planned, others).items()):
        run(known["add_parents"], rows=rows)
    ended_before = [url for url in planned.ended if url in taken]
    if ended_before:
        run(known["forget_page"], urls=ended_before)
    for rows in portions(planned.links.items()):
        run(known["add_links"], rows=rows)
    _renew_pages(run, planned)
    for rows in portions(planned.mentions.items()):
        run(known["add_mentions"], rows=rows)
    _mark_paths(run, planned.results)
    freed = _add_copies(run, planned)
    if labels:
        queued = [url for url in planned.waiting if taken.get(url) is False]
        replaced = [url for url, *_ in planned.replaced]
        label_pages(run, dict.fromkeys([*new, *ended_before, *queued, *planned.renewed, *replaced, *freed]))


def _mark_paths(run: Run, urls: Sequence[str]) -> None:
    while urls:
        found = (run(statements("save")["mark_path"], urls=some) for some in parts(urls, ROWS_AT_ONCE))
        urls = list(dict.fromkeys(row["url"] for rows in found for row in rows))


def _add_copies(run: Run, planned: Plan) -> list[str]:
    """Save copies, and then the former pages that have become copies."""
    known, all_freed = statements("save"), list[str]()
    copies: list[Row] = [{"url": url, "copy_of": page} for url, page in planned.copies.items()]
    for some in parts(copies, ROWS_AT_ONCE):
        run(known["add_copies"], rows=some)
    for url, page, properties in planned.replaced:
        run(known["become_copy"], url=url, set=properties)
        run(known["forget_links"], url=url)
        run(known["forget_mentions"], urls=[url])
        freed = [row["url"] for row in run(known["free_copies"], url=url)]
        all_freed += freed
        run(known["add_copies"], rows=[{"url": copy, "copy_of": page} for copy in (url, *freed)])
        way = [{"url": url}]
        while way and way[0]["url"] is not None:
            way = list(run(known["unmark_path"], url=way[0]["url"]))
    return all_freed


def _renew_pages(run: Run, planned: Plan) -> None:
    """Update pages that ended before: after they were fetched or judged again."""
    known = statements("save")
    renewed: list[Row] = [{"url": url, "set": row} for url, row in planned.renewed.items()]
    for some in parts(renewed, ROWS_AT_ONCE):
        run(known["update_pages"], rows=some)
    counted_anew = [url for url in planned.mentions if url not in planned.ended]
    whole = [url for url in counted_anew if url not in planned.unsaid]
    if whole:
        run(known["forget_mentions"], urls=whole)
    partly: list[Row] = [{"url": url, "concepts": of} for url in counted_anew if (of := planned.unsaid.get(url))]
    if partly:
        run(known["forget_some_mentions"], rows=partly)


def _add_sites(run: Run, planned: Plan, new: Iterable[str]) -> None:
    hosts = dict.fromkeys(str(planned.properties(url)["host"]) for url in new)
    sites: list[Row] = [{"host": host, "set": planned.sites.get(host, {})} for host in {**hosts, **planned.sites}]
    for some in parts(sites, ROWS_AT_ONCE):
        run(statements("save")["save_sites"], rows=some)


def _add_pages(run: Run, planned: Plan, new: Iterable[str]) -> None:
    rows: list[Row] = [{"url": url, "set": as_in_graph(planned.properties(url))} for url in new]
    for some in parts(rows, ROWS_AT_ONCE):
        run(statements("save")["add_pages"], rows=some)


def _update_pages(run: Run, planned: Plan, taken: Mapping[object, object]) -> None:
    """Update existing pages: queue those that only discarded links led to, raise priorities, and end pages."""
    known = statements("save")
    queued: list[Row] = [{"url": url, "set": row} for url, row in planned.waiting.items() if taken.get(url) is False]
    for some in parts(queued, ROWS_AT_ONCE):
        run(known["update_pages"], rows=some)
    raised: list[Row] = [
        {"url": url, "priority": row["priority"], "reasons": row["reasons"], "shares": row["shares"]}
        for url, row in planned.waiting.items()
        if taken.get(url)
    ]
    for some in parts(raised, ROWS_AT_ONCE):
        run(known["raise_pages"], rows=some)
    revised: list[Row] = [{"url": url, "set": row} for url, row in planned.revised.items()]
    for some in parts(revised, PRIORITIES_AT_ONCE):
        run(known["revise_pages"], rows=some)
    left_out: list[Row] = [{"url": url, "set": row} for url, row in planned.outside.items() if url in taken]
    for some in parts(left_out, ROWS_AT_ONCE):
        run(known["leave_out"], rows=some)
    ended: list[Row] = [
        {"url": url, "set": row, "chosen": planned.chosen.get(url)}
        for url, row in planned.ended.items()
        if url in taken
    ]
    for some in parts(ended, PAGES_AT_ONCE):
        run(known["end_pages"], rows=some)


def _by_parent(planned: Plan, urls: Iterable[str]) -> dict[str, list[Row]]:
    """Pages grouped by the page they were found on, with the properties of those that wait."""
    children: dict[str, list[Row]] = {}
    for url in urls:
        children.setdefault(planned.parents[url], []).append({"url": url, **planned.waiting.get(url, {})})
    return children
