"""How an address ends: from its one answer to the record of it. Pure; the session counts, and queues the links."""

from dataclasses import dataclass

from crawler.frontier import Entry
from crawler.outlinks import is_page, outlinks
from crawler.ports import Failed, Fetched, Outcome, Refused
from ontology.errors import PageError
from semantic.addresses import host_of, normalise
from semantic.records import LinkRecord, PageRecord
from semantic.understanding import Understanding, Understood

MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class Ending:
    """`error`: the kind that is counted, '' for none. `text`: the page's, None for no page."""

    record: PageRecord
    error: str = ""
    text: str | None = None


def ending(entry: Entry, outcome: Outcome, stamp: str, understanding: Understanding) -> Ending:
    """The end of an address by an answer that came at `stamp` (ISO text)."""
    if isinstance(outcome, Refused):
        return Ending(refused(entry, outcome.reason, stamp))
    if isinstance(outcome, Failed):
        return _failed(entry, outcome.kind, outcome.detail, stamp)
    if 300 <= outcome.status < 400 and "location" in outcome.headers:
        return _redirected(entry, outcome, stamp)
    if outcome.status != 200:
        return _failed(entry, f"http {outcome.status}", "", stamp, outcome.status)
    return _fetched(entry, outcome, stamp, understanding)


def is_html(outcome: Fetched) -> bool:
    """Whether an answer says that it is HTML, or does not say what it is."""
    content_type = outcome.headers.get("content-type", "")
    return not content_type or "html" in content_type.lower()


def refused(entry: Entry, reason: str, stamp: str = "") -> PageRecord:
    """The end of an address that may not be asked for."""
    return PageRecord(
        entry.url, "refused", entry.depth, -entry.rank, entry.parent or None, None, stamp, reasons=(reason,)
    )


def _failed(entry: Entry, kind: str, detail: str, stamp: str, status: int | None = None) -> Ending:
    reason = f"{kind}: {detail}" if detail else kind
    record = PageRecord(
        entry.url, "failed", entry.depth, -entry.rank, entry.parent or None, status, stamp, reasons=(reason,)
    )
    return Ending(record, kind)


def _redirected(entry: Entry, outcome: Fetched, stamp: str) -> Ending:
    location = outcome.headers["location"]
    target = normalise(location, entry.url)
    if target is None or target == entry.url or not is_page(target):
        return _failed(entry, "redirect", f"leads to no other page: {location}", stamp, outcome.status)
    if entry.redirects >= MAX_REDIRECTS:
        return _failed(entry, "redirect", "too many redirects", stamp, outcome.status)
    link = LinkRecord(target, "", "", -entry.rank, 0, ("redirect",))
    return Ending(
        PageRecord(
            entry.url,
            "redirected",
            entry.depth,
            -entry.rank,
            entry.parent or None,
            outcome.status,
            stamp,
            links=(link,),
        )
    )


def _fetched(entry: Entry, outcome: Fetched, stamp: str, understanding: Understanding) -> Ending:
    if not is_html(outcome):
        return _failed(entry, "not HTML", outcome.headers["content-type"], stamp, outcome.status)
    try:
        understood = understanding.understand(outcome.body, entry.url, outcome.headers)
    except PageError as error:
        return _failed(entry, "no page", str(error), stamp, outcome.status)
    canonical = _canonical(understood, entry.url)
    return Ending(_page_record(entry, understood, canonical, stamp), text=understood.page.text)


def _canonical(understood: Understood, url: str) -> str | None:
    """The address that the page gives as its own, where it is one of the same host."""
    canonical = understood.page.canonical and normalise(understood.page.canonical, url)
    return canonical if canonical and host_of(canonical) == host_of(url) else None


def _page_record(entry: Entry, understood: Understood, canonical: str | None, stamp: str) -> PageRecord:
    page, relevance = understood.page, understood.relevance
    reasons = tuple(map(str, relevance.reasons))
    return PageRecord(
        entry.url,
        "fetched",
        depth=entry.depth,
        priority=-entry.rank,
        parent=entry.parent or None,
        http_status=200,
        fetched_at=stamp,
        title=page.title,
        language=page.language,
        canonical=canonical,
        relevance=relevance.score,
        on_topic=relevance.on_topic and not page.noindex,
        reasons=("noindex: the page asks not to be a result", *reasons) if page.noindex else reasons,
        content=None if page.noindex else understood.content,
        links=() if page.nofollow else tuple(outlinks(understood, entry.url)),
        mentions=() if page.noindex else understood.mentions,
    )
