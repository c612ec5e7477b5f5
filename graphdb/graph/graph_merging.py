"""Merges the crawl of one store into the crawl of another, both about the same topic.

Theory. What the target knows stays. An address that the source has read (or found redirected), and the target has not,
takes the source's outcome, as if the target's crawl had gone on and fetched it. An address that only failed in the
source is taken if the target does not know it. Addresses that wait in either wait afterwards, with the better priority.

- Parents. A page that both know keeps its parent in the target, all others have theirs of the source, with the link
  between them (a page that both have read may have had other links when the source read it). So every way
  back follows the source until it meets a page of the target, and ends at a seed of one of them: no way is a circle.
- Depth is counted again from the parent. The rank of fetching (`order`) goes on after the target's last, in the
  source's order; so does the rank of finding.
- A page whose text the target has under another address becomes a copy of that page, unless that is no result (gone,
  noindex). A page that is gone in the target stays gone.
- Marks of the expert are taken where the target has none.

One transaction holds some pages with their links, mentions, copies and the links found on them that wait. It is a crawl
like any other, so nothing is half after a kill, and the same command goes on: what was taken before is then known to
the target. What both did (requests, errors, seconds) is added at the end, once: the target remembers (`merged`) what it
has added of which crawl. Pages keep the source's judgement until they are judged anew; the strategy's memory is
removed, so that the next run does this if nobody has done it before.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from graphdb.cypher.statements import statements
from graphdb.graph.graph_copy import Progress
from graphdb.graph.graph_store import define_schema, label_pages, save_crawl, save_plan
from graphdb.neo4j.bolt_driver import Connection, Run
from graphdb.record.batch_rows import COPY_FIELDS, ENDED_FIELDS, Plan, Row, parts, plan
from ontology.errors import StoreError
from ontology.messages import message
from semantic.reasons import Reason
from semantic.records import Batch

READ_AT_ONCE = 100  # ended pages in one transaction; chosen, not measured
WAITING_AT_ONCE = 2000  # waiting pages in one transaction; chosen, not measured
READ = ("fetched", "redirected")
ADDED = ("requests", "errors", "inversions", "seconds")  # totals of the work done, which pages do not show


@dataclass(slots=True)
class Merged:
    """What a merge did. `pages`: taken from the source; `copies`: of them, those that are copies; `waiting`: links that
    wait because of it; `known`: addresses with an outcome in both.
    """

    pages: int = 0
    copies: int = 0
    waiting: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class _Tree:
    """The source's pages by address, and the links that wait by the page they were found on ("" for none)."""

    pages: Mapping[str, Row]
    waiting: Mapping[str, list[str]]

    @classmethod
    def of(cls, source: Connection) -> "_Tree":
        pages = {str(row["url"]): row for row in source.read(statements("merge")["tree"])}
        waiting: dict[str, list[str]] = {}
        for url, row in pages.items():
            if row["status"] == "queued":
                parent = pages.get(row["parent"] or "")
                waiting.setdefault(row["parent"] if parent and _has_ended(parent) else "", []).append(url)
        return cls(pages, waiting)

    def groups(self) -> Iterator[list[str]]:
        """The pages that ended, in the order of fetching; each after its parent and the page that it is a copy of.

        Pages of a group need each other, so they must be saved together.
        """
        ended = {url: row for url, row in self.pages.items() if _has_ended(row)}
        entered: set[str] = set()
        placed: set[str] = set()
        for first in sorted(ended, key=lambda url: (ended[url]["order"] is None, ended[url]["order"] or 0, url)):
            group: list[str] = []
            todo = [first]
            while todo:
                url = todo[-1]
                entered.add(url)
                before = (ended[url]["parent"], ended[url]["copy_of"])
                needed = [other for other in before if other in ended and other not in entered]
                if needed:
                    todo += needed
                    continue
                todo.pop()
                if url not in placed:
                    placed.add(url)
                    group.append(url)
            if group:
                yield group

    def parted(self) -> Iterator[list[str]]:
        """The pages that ended, with the links that wait, in parts of about equal work."""
        part: list[str] = []
        work = 0.0
        yield from parts(self.waiting.get("", ()), WAITING_AT_ONCE)
        for group in self.groups():
            for url in group:
                found = self.waiting.get(url, [])
                part += [url, *found]
                work += 1 / READ_AT_ONCE + len(found) / WAITING_AT_ONCE
            if work >= 1:
                yield part
                part, work = [], 0.0
        if part:
            yield part


@dataclass(slots=True)
class _Merging:
    """A merge under way, and what it knows of the target. `texts`: hash of a text -> its page."""

    source: Connection
    target: Connection
    writer: str
    tree: _Tree
    totals: dict[str, Any]
    concepts: frozenset[str]
    texts: dict[str, str]
    found: int
    done: Merged = field(default_factory=Merged)
    same: dict[str, str] = field(default_factory=dict)  # pages that became copies because of their text -> that page
    kept: set[str] = field(default_factory=set)  # pages whose outcome in the target stays

    def merge(self, urls: list[str], sites: Mapping[str, Row]) -> None:
        """Save one part. `sites`: hosts that the target does not know."""
        rows = self._rows(urls)
        planned, totals = replace(rows.plan(), sites=sites), rows.totals
        joined = list(self.source.read(statements("merge")["found_by"], urls=rows.found_on_kept))

        def work(run: Run) -> None:
            save_crawl(run, self.writer, totals)
            save_plan(run, planned, labels=self.target.has_labels)
            for some in parts(joined, WAITING_AT_ONCE):
                run(statements("merge")["join"], rows=some)

        self.target.write(work)
        self.totals |= totals

    def _rows(self, urls: list[str]) -> "_Rows":
        known, tree = statements("merge"), self.tree.pages
        ended = [url for url in urls if tree[url]["status"] != "queued"]
        links = {str(row["url"]): row["items"] for row in self.source.read(known["links"], urls=ended)}
        targets = {str(link["url"]) for found in links.values() for link in found}
        left_out = [url for url in targets if url in tree and tree[url]["outside"]]
        rows = {
            str(row["url"]): dict(row["set"])
            for some in parts(dict.fromkeys([*urls, *left_out]), WAITING_AT_ONCE)
            for row in self.source.read(known["pages"], urls=some)
        }
        ours = self._ours({*rows, *(tree[url][name] for url in urls for name in ("parent", "copy_of"))} - {None})
        said = {str(row["url"]): row["items"] for row in self.source.read(known["mentions"], urls=ended)}
        planned = _Rows(self, rows, ours, links, said, {name: self.totals[name] for name in _COUNTED})
        for url in urls:
            if rows[url]["status"] == "queued":
                planned.queue(url)
            elif _is_better(rows[url]["status"], ours.get(url)):
                planned.end(url)
            else:
                planned.keep(url)
        planned.outside = {url: _bare(rows[url]) for url in left_out if url not in ours}
        return planned

    def _ours(self, urls: Iterable[str]) -> dict[str, Row]:
        """What the target knows of addresses."""
        known = statements("merge")
        rows = (
            row for some in parts(sorted(urls), WAITING_AT_ONCE) for row in self.target.read(known["state"], urls=some)
        )
        return {str(row["url"]): row for row in rows}


_COUNTED = ("pages", "on_topic", "copies")


@dataclass(slots=True)
class _Rows:
    """Collects the plan of one part."""

    merging: _Merging
    rows: Mapping[str, Row]
    ours: Mapping[str, Row]
    links_of: Mapping[str, list[Row]]
    said: Mapping[str, list[Row]]
    totals: dict[str, Any]
    ended: dict[str, Row] = field(default_factory=dict)
    waiting: dict[str, Row] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    links: dict[str, list[Row]] = field(default_factory=dict)
    mentions: dict[str, list[Row]] = field(default_factory=dict)
    renewed: dict[str, Row] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    outside: dict[str, Row] = field(default_factory=dict)
    found_on_kept: list[str] = field(default_factory=list)  # new pages that were found on a page which stays as it is

    def end(self, url: str) -> None:
        """Take the source's outcome of an address."""
        row, tree = self.rows[url], self.merging.tree.pages[url]
        copy_of = self._page_of(tree["copy_of"]) if tree["copy_of"] else self._same_text(url, row)
        was_page = row.get("order") is not None
        row = {**dict.fromkeys(ENDED_FIELDS), **_bare(row), "depth": self._depth(url, row)}
        row["ended_after"] = (row["ended_after"] or 0.0) + self.merging.totals["seconds"]
        if copy_of and was_page:
            row |= {**COPY_FIELDS, "reasons": [str(Reason("merged copy"))]}
        if row["order"] is not None:
            self.totals["pages"] += 1
            self.totals["on_topic"] += bool(row["on_topic"])
            row["order"] = self.totals["pages"]
            self.merging.done.pages += 1
        self.ended[url] = row
        if row.get("chosen"):
            self.renewed[url] = {"chosen": list(row["chosen"])}
        self._join(url)
        if copy_of:
            self.copies[url] = copy_of
            self.totals["copies"] += 1
            self.merging.done.copies += 1
            self.merging.same[url] = copy_of
        self.links[url] = [
            _link(link) for link in self.links_of.get(url, ()) if not copy_of or self._was_found_on(link["url"], url)
        ]
        known = self.merging.concepts
        self.mentions[url] = [] if copy_of else [_mention(one) for one in self.said.get(url, ()) if one["url"] in known]

    def queue(self, url: str) -> None:
        """Let an address wait, or raise its priority where it waits already."""
        ours = self.ours.get(url)
        if ours and (ours["outside"] or (ours["depth"] is not None and ours["status"] != "queued")):
            return
        row = {**dict.fromkeys(_WAITING_FIELDS), **self.rows[url], "depth": self._depth(url, self.rows[url])}
        row["found"] = (row["found"] or 0) + self.merging.found
        self.waiting[url] = {name: row[name] for name in _WAITING_FIELDS}
        if ours is None or ours["depth"] is None:
            self._join(url)
            self.merging.done.waiting += 1

    def keep(self, url: str) -> None:
        """Leave the target's outcome as it is, and take a mark."""
        self.merging.done.known += 1
        self.merging.kept.add(url)
        verdict = self.rows[url].get("verdict")
        if verdict and not self.ours[url]["verdict"]:
            self.renewed[url] = {"verdict": verdict}

    def plan(self) -> Plan:
        """The plan of everything collected."""
        return replace(
            plan(Batch()),
            ended=self.ended,
            waiting=self.waiting,
            parents=self.parents,
            links=self.links,
            mentions=self.mentions,
            renewed=self.renewed,
            copies=self.copies,
            outside=self.outside,
        )

    def _join(self, url: str) -> None:
        """Give an address its parent in the source, unless it has one in the target."""
        parent, ours = self.merging.tree.pages[url]["parent"], self.ours.get(url)
        if parent and not (ours and (ours["depth"] is not None or ours["parent"])):
            self.parents[url] = parent
            if parent in self.merging.kept:
                self.found_on_kept.append(url)

    def _depth(self, url: str, row: Row) -> int:
        """The number of links from a seed."""
        ours = self.ours.get(url, {})
        if ours.get("depth") is not None:
            return int(ours["depth"])
        parent = ours.get("parent") or self.merging.tree.pages[url]["parent"] or ""
        above = self.ended.get(parent) or self.ours.get(parent)
        if above is None or above["depth"] is None:
            return int(row["depth"] or 0)
        return int(above["depth"]) + int(above["status"] != "redirected")

    def _same_text(self, url: str, row: Row) -> str | None:
        """The page of the target with the same text, if there is one under another address."""
        text = str(row.get("fingerprint") or "").partition(" ")[0]
        if not text or row.get("order") is None:
            return None
        page = self.merging.texts.setdefault(text, url)
        return page if page != url else None

    def _page_of(self, url: str) -> str:
        """The page itself, where the target has this one as a copy."""
        ours = self.ours.get(url)
        return str((ours and url not in self.ended and ours["copy_of"]) or self.merging.same.get(url, url))

    def _was_found_on(self, url: str, parent: str) -> bool:
        tree = self.merging.tree.pages
        return url in tree and bool(tree[url]["parent"] == parent)


_WAITING_FIELDS = ("status", "host", "depth", "priority", "redirects", "found", "reasons", "shares", "outside")


def _has_ended(row: Row) -> bool:
    return bool(row["status"] != "queued" and row["taken"])


def _is_better(status: str, ours: Row | None) -> bool:
    """Whether the source's outcome replaces what the target knows of an address."""
    if ours is None or (ours["depth"] is None and not (ours["outside"] and status not in READ)):
        return True
    return bool(status in READ and ours["status"] not in READ and ours["order"] is None)


def _bare(row: Row) -> Row:
    """The properties of a page that do not depend on the crawl around it."""
    return {name: value for name, value in row.items() if name not in ("url", "wanted", "on_path")}


def _link(link: Row) -> Row:
    return {
        **dict.fromkeys(("anchor", "context", "priority", "position", "reasons")),
        **link["set"],
        "url": link["url"],
    }


def _mention(mention: Row) -> Row:
    return {**mention["set"], "concept": mention["url"]}


def merge_graph(source: Connection, target: Connection, progress: Progress) -> Merged:
    """Merge the source's crawl into the target's. `progress`: receives "merged" and the number of addresses done.

    Raises StoreError if one of them has no crawl, is an unfinished copy, or has another topic.
    """
    known, copying = statements("merge"), statements("copy")
    theirs, ours = _crawl(source, "--from"), _crawl(target, "--into")
    if theirs["set"]["topic"] != ours["set"]["topic"]:
        raise StoreError(
            message("the topics differ: {theirs} and {ours}", theirs=theirs["set"]["topic"], ours=ours["set"]["topic"]),
            "only crawls about one topic are merged; export both to look at them side by side",
        )
    define_schema(target)
    writer = str(uuid4())

    def begin(run: Run) -> None:
        run(known["begin"], writer=writer)
        run(statements("save")["forget_memory"], parts=0)

    target.write(begin)
    (size,) = target.read(statements("frontier")["queue_size"])
    texts = {
        str(row["fingerprint"]).partition(" ")[0]: str(row["url"])
        for row in target.read(statements("frontier")["fingerprints"])
        if not row["withdrawn"]
    }
    hosts = {str(row["host"]) for row in target.read(known["hosts"])}
    sites: dict[str, Row] = {
        str(row["host"]): {
            name: value for name, value in row["set"].items() if name not in ("host", "banned", "raised")
        }
        for row in source.read(copying["sites"])
        if row["host"] not in hosts
    }
    concepts = frozenset(str(row["iri"]) for row in target.read(known["concepts"]))
    totals = {name: ours["set"].get(name, 0) for name in (*_COUNTED, *ADDED)}
    merging = _Merging(source, target, writer, _Tree.of(source), totals, concepts, texts, size["found"] or 0)
    done = 0
    for urls in merging.tree.parted():
        merging.merge(urls, sites)
        sites = {}
        done += len(urls)
        progress("merged", done)
    _finish(merging, theirs, ours)
    return merging.done


def _crawl(graph: Connection, option: str) -> dict[str, Any]:
    crawl: dict[str, Any] | None = next(graph.read(statements("copy")["crawl"]), None)
    if crawl is None:
        raise StoreError(
            message("{option} holds no crawl", option=option), "an empty store is filled by: {command} copy"
        )
    if "copying" in crawl["set"]:
        raise StoreError(
            message("{option} is an unfinished copy", option=option), "run the same {command} copy again, to its end"
        )
    return crawl


def _finish(merging: _Merging, theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    """Add the source's seeds, and what it did, where that was not added before."""
    crawl, there = theirs["set"], ours["set"]
    merged: dict[str, dict[str, float]] = json.loads(there.get("merged", "{}"))
    before = merged.get(crawl["id"], {})
    worked = {name: crawl.get(name, 0) for name in ADDED}
    if crawl["id"] == there["id"]:  # copies of one crawl: what both did before they parted is not known
        added = {name: max(0, worked[name] - merging.totals[name]) for name in ADDED}
    else:
        added = {name: max(0, worked[name] - before.get(name, 0)) for name in ADDED}
        merged[crawl["id"]] = worked
    totals = {name: merging.totals[name] + added[name] for name in ADDED}

    def work(run: Run) -> None:
        save_crawl(run, merging.writer, {**totals, "merged": json.dumps(merged)})
        for urls in parts(theirs["seeds"], WAITING_AT_ONCE):
            run(statements("crawl")["save_seeds"], id=there["id"], urls=urls)
            if merging.target.has_labels:
                label_pages(run, urls)

    merging.target.write(work)
