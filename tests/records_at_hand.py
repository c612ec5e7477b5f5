"""Short helpers for a small crawl's records: pages of one host, each named by a number; page 0 is the seed."""

import random
from dataclasses import replace

from semantic.reasons import Reason, Reasons
from semantic.records import (
    Batch,
    ConceptRecord,
    Counters,
    CrawlRecord,
    LinkRecord,
    MentionRecord,
    PageRecord,
    QueuedRecord,
    RevisedRecord,
    SiteRecord,
)

CRAWL = CrawlRecord(
    id="c1",
    topic="urn:topic",
    ontology="ice.owl",
    fingerprint="f1",
    strategy="bfs",
    settings='{"delay": 1.0, "threshold": 0.5}',
    started_at="2026-11-22T00:00:00",
)
CONCEPTS = [
    ConceptRecord(iri="urn:ice", label="ice", weight=1.0, layer=None, narrower=("urn:snow",), names=("ice", "冰")),
    ConceptRecord(iri="urn:snow", label="snow", weight=0.5, layer=1, narrower=(), names=("snow",)),
]


def page_url(number: int) -> str:
    return f"http://one.example/{number}"


SEED = QueuedRecord(page_url(0), 10.0, 0, reasons=(Reason("a seed"),))


def shown(*texts: str) -> Reasons:
    """Reasons that show these texts: `anchor: TEXT`."""
    return tuple(Reason("anchor", evidence=(text,)) for text in texts)


def link(number: int, priority: float | None) -> LinkRecord:
    return LinkRecord(page_url(number), f"to {number}", "around it", priority, number)


def queued(
    number: int, priority: float, *, parent: int | None = 0, depth: int = 1, redirects: int = 0, raised: bool = False
) -> QueuedRecord:
    above = None if parent is None else page_url(parent)
    return QueuedRecord(page_url(number), priority, depth, above, redirects, raised, (Reason("other evidence"),))


def fetched(
    number: int,
    *,
    parent: int | None = None,
    links: tuple[LinkRecord, ...] = (),
    new: tuple[QueuedRecord, ...] | None = None,
    depth: int = 0,
    on_topic: bool = False,
) -> PageRecord:
    """A fetched page. All its links with a priority are queued; `new`: only these."""
    url = page_url(number)
    if new is None:
        new = tuple(QueuedRecord(at.url, at.priority, depth + 1, url) for at in links if at.priority is not None)
    return PageRecord(
        url=url,
        status="fetched",
        depth=depth,
        priority=0.5,
        parent=None if parent is None else page_url(parent),
        http_status=200,
        title=f"page {number}",
        relevance=0.9 if on_topic else 0.1,
        on_topic=on_topic,
        links=links,
        queued=new,
    )


def random_batches(chance: random.Random) -> list[Batch]:
    """Forty pages in eight batches, each with links anywhere, as a crawl would report them."""
    waiting, ended, best, batches = {0: None}, set(), {0: 10.0}, []
    for _ in range(8):
        pages = []
        for _ in range(5):
            number = chance.choice(sorted(waiting))
            parent = waiting.pop(number)
            ended.add(number)
            links = [link(n, chance.choice([None, chance.random()])) for n in chance.sample(range(200), 12)]
            new = []
            for at in links:
                target = int(at.url.rpartition("/")[2])
                if at.priority is None or target in ended or at.priority <= best.get(target, -1):
                    continue
                new.append(queued(target, at.priority, parent=number, raised=target in waiting))
                waiting.setdefault(target, number)
                best[target] = at.priority
            page = fetched(number, parent=parent, links=tuple(links), new=tuple(new), on_topic=chance.random() < 0.3)
            pages.append(replace(page, mentions=(MentionRecord("urn:ice", 1, chance.random(), {"title": 1}),)))
        revised = tuple(
            RevisedRecord(page_url(number), chance.random()) for number in chance.sample(sorted(waiting), 9)
        )
        best |= {int(place.url.rpartition("/")[2]): place.priority for place in revised}
        counters = Counters(pages=len(ended))
        site = SiteRecord("one.example", chance.random())
        batches.append(Batch(pages=tuple(pages), sites=(site,), counters=counters, revised=revised))
    return batches
