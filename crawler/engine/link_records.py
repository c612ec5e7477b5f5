"""From a page's scored links to what the record keeps of them: one link a target, the best if repeated."""

from collections.abc import Iterator

from crawler.politeness.robots import is_robots_url
from semantic.page import PARAGRAPH, Link
from semantic.records import LinkRecord
from semantic.scores import Priority, shares_of
from semantic.understanding import Understood
from semantic.urls import is_page_like


def outlinks(understood: Understood, url: str) -> Iterator[LinkRecord]:
    """The links of the page at `url` in the order of its targets; none to itself or to what is no page."""
    best: dict[str, tuple[Link, Priority | None]] = {}
    for link, priority in understood.links:
        held = best.get(link.url)
        if held is None or _better(priority, held[1]):
            best[link.url] = (link, priority)
    best.pop(url, None)
    for target, (link, priority) in best.items():
        if is_page(target):
            yield _record(link, priority)


def is_page(url: str) -> bool:
    """Whether an address may be a page of the crawl."""
    return is_page_like(url) and not is_robots_url(url)


def _better(one: Priority | None, other: Priority | None) -> bool:
    return one is not None and (other is None or one.score > other.score)


def _record(link: Link, priority: Priority | None) -> LinkRecord:
    context = f"{link.before}{link.anchor}{link.after}".replace(PARAGRAPH, " ")
    if priority is None:
        return LinkRecord(link.url, link.anchor, context, None, link.order)
    reasons = tuple(map(str, priority.reasons))
    return LinkRecord(link.url, link.anchor, context, priority.score, link.order, reasons, shares_of(priority.reasons))
