"""Converts a batch into rows of plain properties, cleaned and merged once for all stores.

Rules
- An address that is queued and ends in the same batch has ended. One that is queued twice gets its first depth and
  parent and its best priority.
- Text that UTF-8 cannot represent (lone surrogates) gets replacement characters. A link to an address of more than
  2,000 characters is dropped. A page with such an address, or with none, is a bug of the caller: ValueError.
- A page that is only the target of discarded links has the status `refused` and no depth: it was never queued, and a
  better link may still queue it. The same holds for a page out of the crawl's scope, which also has `outside`. An
  address that is queued and put out of scope in one batch is out of scope.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

from semantic.reasons import Reasons, because, from_json, sentence, shares_of, to_json
from semantic.records import (
    AskedRecord,
    Batch,
    ConceptRecord,
    CopyRecord,
    JudgedRecord,
    LinkRecord,
    MentionRecord,
    PageRecord,
    QueuedRecord,
    RevisedRecord,
)
from semantic.urls import MAX_LENGTH, host_of

Row = dict[str, Any]
Item = TypeVar("Item")
DISCARDED = to_json([because("discarded", because("no link wanted"))])
SHARE_DIGITS = 4  # decimals of a stored share; chosen, not measured
SAME = 1024  # reasons whose JSON is remembered, since most links of a page have the same; chosen, not measured
# the properties that a page loses or gets when it becomes a copy
COPY_FIELDS: Row = {
    **dict.fromkeys(("order", "content", "fingerprint", "presents", "kind")),
    "on_topic": False,
    "leads": False,
    "stale": True,
}
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """The content of a batch by address: properties of pages that ended and of waiting pages, and their relations.

    - `revised`: new priorities and reasons of pages that wait, in this batch or before it.
    - `chosen`: why ended pages were chosen, if the store does not know it from the time they waited.
    - `renewed`: new properties of pages that ended before. `mentions`: of pages that ended and of those judged again.
      `unsaid`: for pages judged again, the concepts whose stored mentions go; without an entry all go.
    - `results`: ended and judged pages that are on topic, or listings that lead to the topic.
    - `copies`: page that ended -> the page it is a copy of. `replaced`: pages that become copies after that, in this
      order: address, page, new properties.
    - `outside`: addresses that have not ended and are out of scope, so they do not wait.
    """

    ended: Mapping[str, Row]
    waiting: Mapping[str, Row]
    parents: Mapping[str, str]
    links: Mapping[str, list[Row]]
    mentions: Mapping[str, list[Row]]
    sites: Mapping[str, Row]
    results: tuple[str, ...]
    revised: Mapping[str, Row]
    chosen: Mapping[str, Any]
    renewed: Mapping[str, Row]
    copies: Mapping[str, str]
    replaced: tuple[tuple[str, str, Row], ...]
    outside: Mapping[str, Row] = field(default_factory=dict)
    unsaid: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def addresses(self) -> list[str]:
        """All pages that the batch names, each once, in order."""
        targets = (str(link["url"]) for links in self.links.values() for link in links)
        return list(dict.fromkeys([*self.ended, *self.waiting, *self.outside, *targets]))

    def properties(self, url: str) -> Row:
        """The properties with which a new page is created."""
        if url in self.ended:
            waited = self.revised.get(url) or self.waiting.get(url)
            chosen = self.chosen.get(url, waited and waited["reasons"])
            return self.ended[url] | ({} if chosen is None else {"chosen": chosen})
        if url in self.waiting or url in self.outside:
            return self.waiting.get(url) or self.outside[url]
        return {"status": "refused", "host": host_of(url), "reasons": DISCARDED}


def plan(batch: Batch) -> BatchPlan:
    """Clean and merge a batch. Raises ValueError for a page with an invalid address."""
    ended = {_address(page.url): page for page in batch.pages}
    judged = {clean(record.url): record for record in batch.judged}
    replaced = {clean(record.url) for record in batch.copies}
    mentions = {url: page.mentions for url, page in ended.items()}
    mentions |= {url: record.mentions for url, record in judged.items() if record.mentions is not None}
    mentions |= {clean(record.url): () for record in batch.asked if record.gone is not None}
    results = {url: page.is_leading for url, page in ended.items()}
    results |= {url: record.is_leading for url, record in judged.items()}
    queued = _merged([*(record for page in batch.pages for record in page.queued), *batch.revived])
    outside = {url: _outside(url, r.why) for r in batch.outside if (url := clean(r.url)) not in ended}
    waiting = {url: record for url, record in queued.items() if url not in ended and url not in outside}
    parents = {url: page.parent for url, page in ended.items()} | {url: q.parent for url, q in queued.items()}
    return BatchPlan(
        {url: _ended(url, page, batch.counters.seconds) for url, page in ended.items()},
        {url: _waiting(url, record) for url, record in waiting.items()},
        {url: clean(parent) for url, parent in parents.items() if parent},
        {url: _links(page.links) for url, page in ended.items()},
        {url: [_mention(mention) for mention in said] for url, said in mentions.items()},
        _sites(batch),
        tuple(url for url, leads in results.items() if leads and url not in replaced),
        {
            url: _revised(record)
            for record in batch.revised
            if (url := clean(record.url)) not in ended and url not in outside
        },
        {url: _as_json(page.chosen) for url, page in ended.items() if page.chosen},
        _renewed(batch, judged),
        {url: clean(page.copy_of) for url, page in ended.items() if page.copy_of},
        tuple((clean(r.url), clean(r.copy_of), _replaced(r, batch.counters.seconds)) for r in batch.copies),
        outside,
        {url: _unsaid(record) for url, record in judged.items() if record.unsaid is not None},
    )


def place_of(url: str, row: Row, parent: Row | None, links: Iterable[tuple[Row, str, Row]]) -> QueuedRecord | None:
    """The queue entry of an address that does not wait. `row`: its page.

    `parent`: the page that first queued it, if any. `links`: those that lead to it, each as (link, address of its page,
    its page). None if the strategy discarded all of them.
    """
    ranked = [(link["priority"], source, link, page) for link, source, page in links if link["priority"] is not None]
    best = max(ranked, key=lambda one: one[:2], default=None)
    if parent is None and best is None:
        return None
    source = parent if parent is not None else best[3] if best else {}
    is_moved = source["status"] == "redirected"  # its target has the same depth
    priority = max([*([] if row.get("priority") is None else [row["priority"]]), *([best[0]] if best else [])])
    return QueuedRecord(
        url,
        priority,
        (source.get("depth") or 0) + (not is_moved),
        best[1] if parent is None and best else None,
        row.get("redirects") or int(is_moved),
        reasons=best[2]["reasons"] if best else (),
        found=row.get("found") or 0,
    )


def plan_seeds(seeds: Iterable[QueuedRecord]) -> BatchPlan:
    """A plan with the seeds as waiting pages."""
    queued = _merged(seeds)
    return replace(plan(Batch()), waiting={url: _waiting(url, record) for url, record in queued.items()})


def concept_row(concept: ConceptRecord) -> Row:
    """A concept's properties (`set`, without `gone`) and the IRIs of narrower concepts."""
    properties = {
        "iri": clean(concept.iri),
        "label": clean(concept.label),
        "label_zh": None if concept.label_zh is None else clean(concept.label_zh),
        "label_en": None if concept.label_en is None else clean(concept.label_en),
        "names": [clean(name) for name in concept.names] or None,
        "weight": concept.weight,
        "layer": concept.layer,
        "gone": None,
    }
    return {"iri": clean(concept.iri), "set": properties, "narrower": [clean(iri) for iri in concept.narrower]}


def parts(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Items in lists of at most `size`."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def clean(text: str) -> str:
    """The text with lone surrogates replaced, so that UTF-8 can represent it."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _address(url: str) -> str:
    if not 0 < len(url) <= MAX_LENGTH:
        raise ValueError(f"a page's address has 1 to {MAX_LENGTH} characters, this one {len(url)}: {url[:80]!r}")
    return clean(url)


def _merged(records: Iterable[QueuedRecord]) -> dict[str, QueuedRecord]:
    merged: dict[str, QueuedRecord] = {}
    for record in records:
        if len(record.url) > MAX_LENGTH:
            continue
        url = clean(record.url)
        first = merged.get(url)
        if first is None:
            merged[url] = record
        elif record.priority > first.priority:
            merged[url] = QueuedRecord(
                url,
                record.priority,
                first.depth,
                first.parent,
                first.redirects,
                first.raised,
                record.reasons,
                first.found,
            )
    return merged


def _ended(url: str, page: PageRecord, seconds: float) -> Row:
    return {
        "status": page.status,
        "host": host_of(url),
        "depth": page.depth,
        "priority": float(page.priority),
        "redirects": None,
        "found": None,
        "http_status": page.http_status,
        "fetched_at": page.fetched_at or None,
        "ended_after": float(seconds),
        "order": page.order,
        "title": clean(page.title),
        "language": page.language,
        "canonical": None if page.canonical is None else clean(page.canonical),
        "fingerprint": page.fingerprint,
        "presents": page.presents,
        "stale": page.stale or None,
        "relevance": None if page.relevance is None else float(page.relevance),
        "on_topic": page.on_topic,
        "leads": page.is_leading,
        "reasons": _as_json(page.reasons),
        "kind": page.kind,
        "script": page.script,
        "reserved": None if page.reserved is None else clean(page.reserved),
        **{name: clean(value) or None for name, value in page.declared._asdict().items()},
        "content": page.content,
        "parts": page.parts if page.content is not None else b"",
        "etag": page.etag,
        "last_modified": page.last_modified,
        "wanted": None,
        "outside": None,
    }


def _outside(url: str, why: str) -> Row:
    """Properties of an address out of scope. Without a depth, because it is not queued."""
    return {
        "status": "refused",
        "host": host_of(url),
        "depth": None,
        "outside": clean(why),
        "reasons": _as_json((because("out of scope", why),)),
    }


def _waiting(url: str, record: QueuedRecord) -> Row:
    return {
        "status": "queued",
        "host": host_of(url),
        "depth": record.depth,
        "priority": float(record.priority),
        "redirects": record.redirects,
        "found": record.found,
        "reasons": _as_json(record.reasons),
        "outside": None,
    }


def _revised(record: RevisedRecord) -> Row:
    return {"priority": float(record.priority), "reasons": _as_json(record.reasons)}


def _renewed(batch: Batch, judged: Mapping[str, JudgedRecord]) -> dict[str, Row]:
    rows = {clean(record.url): _asked(record, batch.counters.seconds) for record in batch.asked}
    for url, record in judged.items():
        rows[url] = rows.get(url, {}) | _judged(record)
    return rows


def _asked(record: AskedRecord, seconds: float) -> Row:
    row: Row = {"wanted": None}
    if record.at:
        row["fetched_at"] = record.at
    if record.gone is not None:
        row |= {"status": "failed", "http_status": record.gone, "ended_after": float(seconds), "on_topic": False}
        row["leads"] = False
        why = because("gone", because("answered again", status=record.gone))
        row |= {"reasons": _as_json((why,)), "relevance": None, "kind": None}
    return row


def _judged(record: JudgedRecord) -> Row:
    row: Row = {"relevance": float(record.relevance), "on_topic": record.on_topic, "reasons": _as_json(record.reasons)}
    row["leads"] = record.is_leading
    return row if record.kind is None else row | {"kind": record.kind}


def _unsaid(record: JudgedRecord) -> list[str]:
    """The concepts whose mentions go; those that come too, so that a batch that is written twice adds them once."""
    coming = [mention.concept for mention in record.mentions or ()]
    return [*dict.fromkeys(map(clean, [*(record.unsaid or ()), *coming]))]


@lru_cache(SAME)
def _as_json(reasons: Reasons) -> str:
    return clean(to_json(reasons))


@lru_cache(SAME)
def in_sentences(reasons: str) -> list[str]:
    """Reasons, given as JSON, as people read them in a graph. Callers must not change the list: it is remembered."""
    return [str(sentence(reason)) for reason in from_json(reasons)]


def stored_shares(reasons: str | bytes) -> str | None:
    """The shares of reasons, given as JSON, as JSON text; None where there are none."""
    rounded = {of: round(share, SHARE_DIGITS) for of, share in shares_of(from_json(reasons)).items()}
    return json.dumps(rounded, ensure_ascii=False) if rounded else None


def _replaced(record: CopyRecord, seconds: float) -> Row:
    return {**COPY_FIELDS, "ended_after": float(seconds), "reasons": _as_json(record.reasons)}


def _links(links: Iterable[LinkRecord]) -> list[Row]:
    rows = {clean(link.url): link for link in links if len(link.url) <= MAX_LENGTH}
    return [
        {
            "url": url,
            "anchor": clean(link.anchor),
            "context": clean(link.context),
            "priority": None if link.priority is None else float(link.priority),
            "position": link.position,
            "reasons": _as_json(link.reasons),
        }
        for url, link in rows.items()
    ]


def _mention(mention: MentionRecord) -> Row:
    return {
        "concept": clean(mention.concept),
        "count": mention.count,
        "weight": float(mention.weight),
        "where": json.dumps(dict(mention.where)),
        "places": json.dumps(mention.places) if mention.places else None,
    }


def _sites(batch: Batch) -> dict[str, Row]:
    found: dict[str, Row] = {
        clean(site.host): {"delay": float(site.delay), "robots": clean(site.robots)} for site in batch.sites
    }
    for host, until in batch.away:
        found.setdefault(clean(host), {})["away"] = until
    return found
