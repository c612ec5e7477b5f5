"""The record of one crawl in plain dicts: for simulation, for speed, and as the reference that other stores are tested
by.

Batches are stored as they are until the graph is asked for. Most crawls in memory never ask, and converting a page with
its links into rows would cost more than everything else that this store does.
"""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf

from graphdb.record.batch_rows import Plan, Row, check_addresses, concept_row, place_of, plan, plan_seeds, present
from graphdb.record.changes import changes, check_topic
from graphdb.store_answers import Address, Table
from ontology.errors import StoreError
from ontology.messages import message
from semantic.records import (
    ANCHOR,
    Batch,
    ConceptRecord,
    Counters,
    CrawlRecord,
    FingerprintRecord,
    HostRecord,
    LinkGraph,
    LinkRecord,
    MentionedRecord,
    OutsideRecord,
    QueuedRecord,
    Resumed,
    StoredPage,
    TrapRecord,
    VisitRecord,
    WantedRecord,
)

NO_QUERY_CURE = message("crawl with --store DIR or --store bolt://HOST, then query that")


@dataclass(slots=True)
class Graph:
    """Nodes as properties by key; relations as properties by their two ends (`parents`, `narrower`, `copies`: no
    properties).
    """

    pages: dict[str, Row] = field(default_factory=dict)
    sites: dict[str, Row] = field(default_factory=dict)
    concepts: dict[str, Row] = field(default_factory=dict)
    links: dict[str, dict[str, Row]] = field(default_factory=dict)
    mentions: dict[str, dict[str, Row]] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)  # inverse of `parents`, former children included
    narrower: dict[str, list[str]] = field(default_factory=dict)
    seeds: set[str] = field(default_factory=set)
    copies: dict[str, str] = field(default_factory=dict)
    traps: list[Row] = field(default_factory=list)


class MemoryStore:
    """A crawl's record that ends with the process; its content is the same as that of every other store."""

    def __init__(self) -> None:
        self._graph = Graph()
        self._saved: list[Batch] = []  # batches that are not in the graph yet
        self._applying = threading.Lock()
        self._languages: dict[str, str] = {}
        self.crawl: CrawlRecord | None = None
        self.counters = Counters()
        self.memory, self._remembered_after = b"", 0.0
        self._scope = ""

    @property
    def graph(self) -> Graph:
        """The graph of everything saved."""
        with self._applying:
            saved, self._saved = self._saved, []
            for batch in saved:
                _apply(self._graph, plan(batch))
        return self._graph

    def open_crawl(
        self, crawl: CrawlRecord, concepts: Sequence[ConceptRecord], seeds: Sequence[QueuedRecord]
    ) -> Resumed:
        """Begin or resume the one crawl of this store. Raises StoreError if the store contains a crawl about another
        topic.
        """
        previous = self.crawl
        if previous:
            check_topic(previous.topic, crawl.topic)
        if previous and (previous.strategy, previous.fingerprint) != (crawl.strategy, crawl.fingerprint):
            # what another strategy learned, or with another ontology, does not apply
            self.memory = b""
        before = _records(self.graph)
        changed = changes(previous, crawl, before, {c.iri: c for c in concepts}) if previous else ()
        self._keep_concepts(concepts)
        self.crawl = replace(crawl, id=previous.id, started_at=previous.started_at) if previous else crawl
        planned = plan_seeds(seeds)
        for page in (self.graph.pages.get(url, {}) for url in planned.waiting):
            if page.get("status") in ("failed", "refused"):  # tried again
                for name in ("depth", "http_status", "fetched_at", "ended_after"):
                    page.pop(name, None)
        _apply(self.graph, planned)
        self.graph.seeds.update(planned.waiting)
        ranks = [row["found"] for row in self.graph.pages.values() if row["status"] == "queued"]
        return Resumed(
            previous=previous,
            counters=self.counters,
            memory=self.memory,
            changed=changed,
            waiting=len(ranks),
            found=max(ranks, default=0),
            scope=self._scope,
        )

    def save(self, batch: Batch) -> None:
        """Store the whole batch. An empty memory leaves the stored one unchanged."""
        check_addresses(batch)
        with self._applying:
            self._saved.append(replace(batch, memory=b"") if batch.memory else batch)
        for page in batch.pages:
            self._languages[page.url] = (page.status == "fetched" and page.language) or ""
        for asked in batch.asked:
            if asked.gone is not None:
                self._languages[asked.url] = ""
        self.counters = batch.counters
        self._scope = self._scope if batch.scope is None else batch.scope
        if batch.traps is not None:
            self.save_traps(batch.traps)
        if batch.memory:
            self.memory, self._remembered_after = batch.memory, batch.counters.seconds

    def queued(self, most: int | None = None) -> Iterator[QueuedRecord]:
        """The waiting pages, best first. `most`: only the best so many."""
        return iter(sorted(self.waiting(), key=lambda record: (-record.priority, record.found, record.url))[:most])

    def waiting(self) -> Iterator[QueuedRecord]:
        """All waiting pages, in no particular order."""
        pages = list(self.graph.pages.items())  # a copy, because others may be added during the iteration
        return (self._queued(url, row) for url, row in pages if row["status"] == "queued")

    def languages(self) -> Mapping[str, int]:
        """Language tag -> number of pages fetched in it."""
        return Counter(filter(None, self._languages.values()))

    def keep_concepts(self, concepts: Sequence[ConceptRecord]) -> None:
        """Update the labels of stored concepts."""
        self._keep_concepts(concepts)

    def known(self) -> Iterator[str]:
        """The addresses of all pages that ended, without those that only discarded links lead to."""
        pages = self.graph.pages.items()
        return iter([url for url, row in pages if row["status"] != "queued" and "depth" in row])

    def fingerprints(self) -> Iterator[FingerprintRecord]:
        """For each page that is not a copy, what is needed to recognise copies of it; in the order of fetching."""
        pages = [(row.get("order") or 0, url, row) for url, row in self.graph.pages.items() if row.get("fingerprint")]
        pages.sort(key=lambda page: page[:2])
        return (_mark(url, row) for _, url, row in pages)

    def discarded(self) -> Iterator[str]:
        """The addresses whose incoming links were all discarded by the strategy."""
        pages = self.graph.pages.items()
        refused = (url for url, row in pages if row["status"] == "refused" and "outside" not in row)
        return (url for url in refused if "depth" not in self.graph.pages[url])

    def outside(self) -> Iterator[OutsideRecord]:
        """The addresses that are out of the crawl's scope and were not fetched."""
        pages = self.graph.pages.items()
        return iter([OutsideRecord(url, row["outside"]) for url, row in pages if "outside" in row])

    def places_by_links(self, urls: Sequence[str]) -> Iterator[QueuedRecord]:
        """Queue entries for these addresses, which are not waiting: with their former priority, or that of the best
        link.
        """
        pages, wanted = self.graph.pages, set(urls)
        leading: dict[str, list[tuple[Row, str, Row]]] = {}
        for source, links in self.graph.links.items():
            for url in wanted.intersection(self._extracted(source)):
                leading.setdefault(url, []).append((links[url], source, pages[source]))
        for url in urls:
            parent = self.graph.parents.get(url)
            place = place_of(url, pages[url], pages.get(parent or ""), leading.get(url, ()))
            if place is not None:
                yield place

    def save_settings(self, settings: str) -> None:
        """Store the settings (JSON) with which the crawl continues."""
        assert self.crawl is not None
        self.crawl = replace(self.crawl, settings=settings)

    def save_traps(self, traps: Sequence[TrapRecord]) -> None:
        """Store the traps that links wait behind, instead of those of before."""
        self.graph.traps = [asdict(trap) for trap in traps]

    def hosts_wanted(self) -> Iterator[HostRecord]:
        """The hosts that a person has banned or raised."""
        sites = self.graph.sites.items()
        steered = [(host, row) for host, row in sites if row.get("banned") or row.get("raised")]
        return (HostRecord(host, bool(row.get("banned")), row.get("raised", 0.0)) for host, row in steered)

    def save_hosts(self, hosts: Sequence[HostRecord]) -> None:
        """Store what a person wants of these hosts now; the others stay as they are."""
        for one in hosts:
            wanted = {"banned": one.banned or None, "raised": one.raised or None}
            self.graph.sites[one.host] = present(self.graph.sites.get(one.host, {}) | wanted)

    def visits(self) -> Iterator[VisitRecord]:
        """Pages fetched, copies and feeds included, in their order, with the parents of those on topic; then the
        failures.
        """
        fetched = [(row["fetched_at"], url, row) for url, row in self.graph.pages.items() if row["status"] == "fetched"]
        for _, url, row in sorted(fetched, key=lambda page: page[:2]):
            on_topic, stale = bool(row.get("on_topic")), "stale" in row or row.get("order") is None
            said_by = self.graph.copies.get(url) if row.get("order") is None else url
            parent = self.graph.parents.get(url) if on_topic else None
            yield VisitRecord(url, parent, on_topic, stale, said_by=said_by)
        failed = (url for url, row in self.graph.pages.items() if row["status"] == "failed")
        yield from (VisitRecord(url, failed=True) for url in failed)

    def mentioned(self) -> Iterator[MentionedRecord]:
        """The pages, without copies, that mention a concept outside link texts."""
        for url, mentions in self.graph.mentions.items():
            row = self.graph.pages[url]
            concepts = tuple(iri for iri, mention in mentions.items() if json.loads(mention["where"]).keys() - {ANCHOR})
            if row.get("order") is not None and concepts:
                yield MentionedRecord(url, bool(row.get("on_topic")), concepts)

    def away(self, now: str) -> Iterator[tuple[str, str]]:
        """Hosts whose Retry-After lasts beyond `now`, with its end (ISO texts, UTC)."""
        sites = self.graph.sites.items()
        return ((host, row["away"]) for host, row in sites if row.get("away", "") > now)

    def link_graph(
        self, most: int = 0, is_wanted: Callable[[], bool] = lambda: True, *, is_awaited: bool = False
    ) -> LinkGraph:
        """The pages on a path from a seed to a result, and the links among them; sorted by address.

        If at most `most` pages were fetched, these are the pages on any path; otherwise those on the paths by which
        results were found.
        """
        pages = {url: row for url, row in self.graph.pages.items() if row.get("on_path")}
        any_way = 0 < self.counters.pages <= most
        if any_way:
            pages = self._leading_on(url for url, row in pages.items() if row.get("on_topic"))
        links = ((url, target) for url in pages for target in self._extracted(url) if target in pages)
        return LinkGraph(
            tuple(sorted(pages)),
            tuple(sorted(links)),
            frozenset(url for url, row in pages.items() if row.get("on_topic")),
            frozenset(self.graph.seeds & pages.keys()),
            {url: (link["anchor"], link["context"]) for url in pages if (link := self._found_by(url))},
            any_way,
        )

    def _leading_on(self, results: Iterable[str]) -> dict[str, Row]:
        """The pages from which a result can be reached, found by searching backwards."""
        sources: dict[str, list[str]] = {}
        for url in self.graph.links:
            for target in self._extracted(url):
                sources.setdefault(target, []).append(url)
        found = dict.fromkeys(results)
        edge = list(found)
        while edge:
            edge = list(dict.fromkeys(page for url in edge for page in sources.get(url, ()) if page not in found))
            found |= dict.fromkeys(edge)
        return {url: self.graph.pages[url] for url in found}

    def _extracted(self, url: str) -> Iterator[str]:
        """The targets of a page's links that the strategy did not discard: those with a priority."""
        return (target for target, link in self.graph.links.get(url, {}).items() if "priority" in link)

    def _found_by(self, url: str) -> Row | None:
        """The link by which a page was found."""
        return self._graph.links.get(self._graph.parents.get(url, ""), {}).get(url)

    def remembered(self) -> bytes:
        """The strategy's memory."""
        return self.memory

    def stored_pages(self) -> Iterator[StoredPage]:
        """Every answered address as it was stored: pages in the order of fetching, then copies, then what was not a
        page.
        """
        return (self._stored_page(url) for url in sorted(self.known(), key=self._rank))

    def contents(self, urls: Iterable[str]) -> Iterator[bytes]:
        """What each of these pages says, packed; b"" for one without text."""
        pages = self.graph.pages
        return (pages.get(url, {}).get("content", b"") for url in urls)

    def pages_to_judge(self) -> Iterator[StoredPage]:
        """The same; in memory there is nothing to save by leaving something out."""
        return self.stored_pages()

    def unremembered(self) -> Iterator[StoredPage]:
        """Those of `stored_pages` that were answered after the strategy's memory was saved."""
        pages, after = self.graph.pages, self._remembered_after
        return (kept for kept in self.stored_pages() if pages[kept.url].get("ended_after", 0.0) > after)

    def _rank(self, url: str) -> tuple[bool, float, str]:
        row = self._graph.pages[url]
        return row["status"] != "fetched", row.get("order", inf), url

    def _stored_page(self, url: str) -> StoredPage:
        row = self._graph.pages[url]
        links: list[LinkRecord] = []
        if "content" not in row:
            links = [_link(target, link) for target, link in self._graph.links.get(url, {}).items()]
            links.sort(key=lambda link: (link.position, link.url))
        return StoredPage(
            url,
            row["status"],
            row.get("http_status"),
            row.get("order"),
            row.get("title", ""),
            row.get("language"),
            tuple(row.get("reasons", ())),
            row.get("content"),
            tuple(links),
            row.get("depth", 0),
            self._graph.copies.get(url),
        )

    def mark_for_recrawl(self) -> None:
        """Mark the pages to be fetched again: pages on topic, seeds, feeds and sitemaps. Also recomputes the paths to
        results.
        """
        pages = self.graph.pages
        self.update_paths()
        for url, row in pages.items():
            source = row.get("order") is None and "stale" not in row
            if row["status"] == "fetched" and (row.get("on_topic") or source or url in self.graph.seeds):
                row["wanted"] = True

    def set_threshold(self, threshold: float) -> int:
        """Set each page's `on_topic` by this threshold on its stored relevance, except pages that may not be results.
        Returns the number of pages on topic. Also recomputes the paths to results.
        """
        needed = {"order", "relevance", "content"}
        judged = [row for row in self.graph.pages.values() if row["status"] == "fetched" and needed <= row.keys()]
        for row in judged:
            row["on_topic"] = row["relevance"] >= threshold
        self.update_paths()
        return sum(row["on_topic"] for row in judged)

    def marks(self) -> dict[str, bool]:
        """The expert's marks: address of a page -> whether it is good."""
        return {url: row["verdict"] == "good" for url, row in self.graph.pages.items() if row.get("verdict")}

    def mark(self, marks: Mapping[str, bool | None]) -> list[str]:
        """Mark pages as good or bad; None removes a mark. Returns the addresses that are not fetched pages."""
        known = [url for url in marks if self.graph.pages.get(url, {}).get("status") == "fetched"]
        for url in known:
            verdict = {True: "good", False: "bad", None: None}[marks[url]]
            self.graph.pages[url] = present(self.graph.pages[url] | {"verdict": verdict})
        return [url for url in marks if url not in known]

    def update_paths(self) -> int:
        """Recompute which pages lie on a path to a result, by the current relevance of pages. Returns the number of
        results.
        """
        for trap in self.graph.traps:
            trap["outdated"] = True
        for row in self.graph.pages.values():
            row.pop("on_path", None)
        for url in sorted(url for url, row in self.graph.pages.items() if row.get("on_topic")):
            _mark_path(self.graph, url)
        return sum(bool(row.get("on_topic")) for row in self.graph.pages.values() if row["status"] == "fetched")

    def wanted(self) -> Iterator[WantedRecord]:
        """The pages marked to be fetched again that were not requested since, most relevant first."""
        found = [self._wanted(url, row) for url, row in self.graph.pages.items() if "wanted" in row]
        return iter(sorted(found, key=lambda record: (-record.relevance, record.order or inf, record.url)))

    def query(self, cypher: str, parameters: Mapping[str, object] | None = None, seconds: float = 0) -> Table:
        """Raise StoreError: without a database there is no Cypher."""
        raise StoreError("a store in memory answers no queries", NO_QUERY_CURE)

    def address(self) -> Address:
        """Raise StoreError: no other program can reach this store."""
        raise StoreError("a store in memory has no address", NO_QUERY_CURE)

    def wait_until_filled(self) -> None:
        """Return at once: the graph always has everything that was saved."""

    def close(self) -> None:
        """Do nothing."""

    def _keep_concepts(self, concepts: Sequence[ConceptRecord]) -> None:
        graph = self.graph
        mentioned = {iri for mentions in graph.mentions.values() for iri in mentions}
        gone = graph.concepts.keys() - {concept.iri for concept in concepts}
        kept: dict[str, Row] = {
            iri: {"iri": iri, "label": graph.concepts[iri].get("label"), "gone": True} for iri in gone & mentioned
        }
        rows = [concept_row(concept) for concept in concepts]
        graph.concepts = kept | {str(row["iri"]): present(row["set"]) for row in rows}
        graph.narrower = {str(row["iri"]): _among(row["narrower"], graph.concepts) for row in rows}

    def _wanted(self, url: str, row: Row) -> WantedRecord:
        names = ("fingerprint", "etag", "last_modified")
        return WantedRecord(
            url,
            row.get("order"),
            row["priority"],
            row["depth"],
            self._graph.parents.get(url),
            row.get("relevance", 0.0),
            row.get("on_topic", False),
            *(row.get(name) for name in names),
        )

    def _queued(self, url: str, row: Row) -> QueuedRecord:
        return QueuedRecord(
            url,
            row["priority"],
            row["depth"],
            self._graph.parents.get(url),
            row["redirects"],
            reasons=tuple(row["reasons"]),
            found=row["found"],
        )


def _records(graph: Graph) -> dict[str, ConceptRecord]:
    return {
        iri: ConceptRecord(
            iri=iri,
            label=str(row.get("label", iri)),
            weight=row.get("weight"),
            layer=row.get("layer"),
            names=tuple(row.get("names", ())),
        )
        for iri, row in graph.concepts.items()
        if "gone" not in row
    }


def _among(iris: object, concepts: Mapping[str, Row]) -> list[str]:
    assert isinstance(iris, list)
    return [iri for iri in iris if iri in concepts]


def _by_target(links: Iterable[Row]) -> dict[str, Row]:
    found = {}
    for link in links:
        if link["priority"] is None:  # nothing else of a link can be; `present` would copy every link
            del link["priority"]
        found[str(link.pop("url"))] = link
    return found


def _apply(graph: Graph, planned: Plan) -> None:
    """Apply a plan to the graph; the same as `graph_store` does by Cypher, in the same order. Its rows become the
    graph's, so it cannot be applied twice.
    """
    addresses = planned.addresses()
    taken = {url for url in addresses if "depth" in graph.pages.get(url, ())}
    for url in addresses:
        _keep_page(graph, planned, url, is_taken=url in taken)
    for host, site in planned.sites.items():
        graph.sites[host] = graph.sites.get(host, {}) | site
    for url, parent in planned.parents.items():
        if url not in taken and parent in graph.pages:
            graph.parents[url] = parent
            graph.children.setdefault(parent, []).append(url)
    for url in planned.ended:
        graph.copies.pop(url, None)
        graph.links[url] = _by_target(planned.links.get(url, []))
    for url, mentions in planned.mentions.items():
        stored = graph.mentions.get(url, {}) if url in planned.unsaid else {}
        kept = {iri: row for iri, row in stored.items() if iri not in planned.unsaid[url]}
        graph.mentions[url] = kept | {str(m.pop("concept")): present(m) for m in mentions}
        for iri in graph.mentions[url]:
            graph.concepts.setdefault(iri, {"iri": iri})
    _renew_pages(graph, planned)
    for result in planned.results:
        _mark_path(graph, result)
    graph.copies.update(planned.copies)
    for url, page, row in planned.replaced:
        _become_copy(graph, url, page, row)


def _become_copy(graph: Graph, url: str, page: str, row: Row) -> None:
    """Turn a former page into a copy of another one; see `Batch.copies`."""
    graph.pages[url] = present(graph.pages[url] | row)
    graph.links[url] = {to: link for to, link in graph.links[url].items() if graph.parents.get(to) == url}
    graph.mentions.pop(url, None)
    graph.copies |= {copy: page for copy, held in graph.copies.items() if held == url} | {url: page}
    _unmark_path(graph, url)


def _renew_pages(graph: Graph, planned: Plan) -> None:
    """Apply new priorities of waiting pages, and new properties of pages that ended before."""
    for url, place in planned.revised.items():
        if graph.pages.get(url, {}).get("status") == "queued":
            graph.pages[url] = present(graph.pages[url] | place)
    for url, row in planned.renewed.items():
        graph.pages[url] = present(graph.pages[url] | row)


def _keep_page(graph: Graph, planned: Plan, url: str, *, is_taken: bool) -> None:
    page = graph.pages.get(url, {})
    waiting = planned.waiting.get(url)
    if url in planned.ended and page.get("status") == "queued":
        page["chosen"] = planned.chosen.get(url, page["reasons"])
    if not page or url in planned.ended or (waiting and not is_taken):
        said = planned.ended.get(url) if page else None
        graph.pages[url] = present(page | (said or planned.properties(url)))
        graph.sites.setdefault(str(graph.pages[url]["host"]), {})
    elif url in planned.outside and (page["status"] == "queued" or not is_taken):
        graph.pages[url] = present(page | planned.outside[url])
    elif waiting and page["status"] == "queued" and page["priority"] < waiting["priority"]:
        graph.pages[url] = present(page | {name: waiting[name] for name in ("priority", "reasons", "shares")})


def _mark_path(graph: Graph, url: str | None) -> None:
    while url is not None and not graph.pages[url].get("on_path"):
        graph.pages[url]["on_path"] = True
        url = graph.parents.get(url)


def _unmark_path(graph: Graph, url: str | None) -> None:
    while url is not None and graph.pages[url].get("on_path") and not _leads_on(graph, url):
        del graph.pages[url]["on_path"]
        url = graph.parents.get(url)


def _leads_on(graph: Graph, url: str) -> bool:
    """Whether a page is a result, or on the path to one."""
    found = (graph.pages[other] for other in graph.children.get(url, ()) if graph.parents[other] == url)
    return bool(graph.pages[url].get("on_topic")) or any(row.get("on_path") for row in found)


def _mark(url: str, row: Row) -> FingerprintRecord:
    withdrawn = row["status"] != "fetched" or "content" not in row
    names = ("canonical", "presents")
    return FingerprintRecord(
        url, row["fingerprint"], row.get("order"), row["on_topic"], withdrawn, *(row.get(name) for name in names)
    )


def _link(url: str, row: Row) -> LinkRecord:
    return LinkRecord(url, row["anchor"], row["context"], row.get("priority"), row["position"])
