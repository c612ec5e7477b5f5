"""`ontocrawl explain`: what the store says about one page. Nothing is computed again."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from math import inf

from cli.explaining.link_differences import LEAST, Crawl, stored_shares
from cli.explaining.trap_status import why_cut
from cli.recorded.store_reading import known_address
from cli.render.answer_tables import Row
from cli.render.language import listed, reason_told, tr
from cli.render.terminal import one_line, show
from cli.store_option import store_words
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError
from ontology.messages import SEMICOLON
from semantic.parsing.page_reader import left_out_of
from semantic.reasons import Reason, Reasons
from semantic.urls import host_of, normalise, readable

WAY = 10  # steps of a long way that are shown at either end


def run(store: str, url: str) -> int:
    """Print the explanation of `url`. Raises SettingsError for an address that the crawl does not know."""
    opened = open_store(store, create=False)
    try:
        for line in explanation(opened, store, known_address(opened, url)):
            show(line)
    finally:
        opened.close()
    return 0


def explanation(store: Store, where: str, url: str) -> Iterable[str]:
    """The lines: the page and its copies, its judgement, its link and priority, other links to it, its path from a
    seed.
    """
    rows = store.ask("explain", "page", url=url)
    if not rows:
        raise _unknown(store, where, url)
    page, crawl = rows[0], Crawl(store)
    yield f"{readable(url)}  {one_line(str(page['title'] or ''), 80)}".rstrip()
    yield _state(page)
    yield from declared_lines(page)
    if page["copy_of"]:
        yield tr("\nIt is a copy of {copy_of}", copy_of=page["copy_of"])
    copies = store.ask("explain", "copies", url=url)
    if copies:
        yield tr("\nCopies of it: {names}", names=listed(str(row["url"]) for row in copies))
    if page["status"] == "queued" and page["depth"]:
        yield from why_cut(store, url)
    yield from _judgement(store, crawl, url, page)
    yield from _script(page)
    if page["reserved"]:
        yield tr("\nReserved for text and data mining: {how}", how=one_line(str(page["reserved"])))
    yield from _link(crawl, url, page)
    others = [row for row in store.ask("explain", "linking", url=url) if row["url"] != page["parent"]]
    if others:
        yield tr("\nOther links to it:")
        for row in others:
            priority = _priority(-inf if _is_later(row["order"], page["order"]) else row["priority"])
            yield f"  {priority}  {readable(str(row['url']))}  {_quoted(row['anchor'])}"
    yield from _way(store.ask("explain", "way", url=url))


def _judgement(store: Store, crawl: Crawl, url: str, page: Row) -> Iterable[str]:
    if isinstance(relevance := page["relevance"], float) and not page["copy_of"]:
        verdict = tr("on topic") if page["on_topic"] else tr("off topic")
        kind = kind_told(str(page["kind"]))
        yield tr(
            "\nWhy this page: relevance {relevance:.3f}, {verdict}{kind}",
            relevance=relevance,
            verdict=verdict,
            kind=kind,
        )
        yield from _indented(_listed(page["reasons"]))
        yield from _mentions(store.ask("explain", "mentions", url=url))
        contents = (row["content"] for row in store.ask("explain", "judged", url=url))
        yield from (line for content in contents if content for line in left_out_lines(left_out_of(content)))
        if not page["on_topic"]:
            yield from crawl.lacks(relevance, page)
    elif page["status"] != "queued":
        yield from _indented(_listed(page["reasons"]))


def _script(page: Row) -> Iterable[str]:
    """Whether its scripts were run, where the reasons do not say so (those of a page judged again do not)."""
    reasons = page["reasons"]
    assert isinstance(reasons, tuple)
    if not page["script"] or any(reason.kind in ("rendered", "not rendered") for reason in reasons):
        return
    yield tr("\nIts JavaScript was run.") if page["script"] == "run" else tr("\nIts text needs JavaScript (--render).")


def kind_told(kind: str) -> str:
    """The kind of a page, as it follows the verdict."""
    told = {"article": tr(", an article"), "listing": tr(", a listing"), "error": tr(", an error page")}
    return told.get(kind, "")


def _state(page: Row) -> str:
    if page["status"] == "queued":
        return tr("waiting with priority {priority}", priority=_priority(page["priority"]))
    number = tr(", page {order} of the crawl", order=page["order"]) if page["order"] is not None else ""
    answer = tr(", HTTP {http_status}", http_status=page["http_status"]) if page["http_status"] is not None else ""
    return f"{tr(str(page['status']))} {page['fetched_at'] or ''}{answer}{number}"


def declared_lines(page: Row) -> Iterable[str]:
    """The line about what a page says of itself, if it says anything: its dates, its author, and its site."""
    named = (
        ("published", tr("published {day} ({where})", day=page["published"], where=page["dated_by"])),
        ("modified", tr("changed {day}", day=page["modified"])),
        ("author", tr("author: {name}", name=one_line(str(page["author"])))),
        ("site_name", tr("site: {name}", name=one_line(str(page["site_name"])))),
    )
    if told := [text for name, text in named if page[name]]:
        yield listed(told, SEMICOLON)


def _mentions(rows: Iterable[Row]) -> Iterable[str]:
    named = [f"{one_line(str(row['label']))} ×{row['count']}" for row in rows]
    if named:
        yield tr("  mentions {named}", named=listed(named))


def _link(crawl: Crawl, url: str, page: Row) -> Iterable[str]:
    """Why the link has its priority, or had it when it was chosen. A link may have been found long before that."""
    waits = page["status"] == "queued"
    if page["parent"] is None:
        if page["depth"] == 0:
            yield tr("\nWhy this link: it is a seed")
        return
    found = _listed(page["link_reasons"])
    now = _listed(page["reasons"] if waits else page["chosen"])
    # recorded only when it is chosen; until then the strategy's memory has the reasons
    known = crawl.reasons(url) if waits and not stored_shares(page) else ()
    now = known or now
    priority = page["link_priority"] if page["priority"] is None else page["priority"]
    parent = readable(str(page["parent"]))
    yield tr(
        "\nWhy this link: priority {priority}, {anchor} on {parent}",
        priority=_priority(priority),
        anchor=_quoted(page["anchor"]),
        parent=parent,
    )
    if page["context"]:
        yield tr("  around it: {context}", context=one_line(str(page["context"]), 100))
    yield from _indented(now or found)
    worth = sum(reason.share or 0.0 for reason in known)
    if known and isinstance(priority, float) and abs(worth - priority) > LEAST:
        yield tr("  together {worth:.3f} by the present record; the queue has an earlier value", worth=worth)
    yield from crawl.likeness(url)
    if now and found and now != found:
        yield tr(
            "  when it was found it had {priority}{reasons}",
            priority=_priority(page["link_priority"]),
            reasons=_with(found),
        )
    if waits and isinstance(priority, float):
        yield from crawl.place(url, page)


def _is_later(order: object, fetched: object) -> bool:
    """Whether a page was fetched after another one, by their ranks in the crawl."""
    return isinstance(order, int) and isinstance(fetched, int) and order > fetched


def _with(reasons: Sequence[Reason | str]) -> str:
    return tr(": {reasons}", reasons=one_line(listed(map(reason_told, reasons), SEMICOLON), 100))


def _way(rows: Iterable[Row]) -> Iterable[str]:
    for row in rows:
        urls = row["urls"]
        if isinstance(urls, list) and len(urls) > 1:
            yield tr("\nIts way from the seed:")
            steps = [f"  {step:>3}  {readable(url)}" for step, url in enumerate(reversed(urls))]
            if len(steps) <= 2 * WAY:
                yield from steps
            else:
                left_out = tr("       … {count:,} more steps …", count=len(steps) - 2 * WAY)
                yield from (*steps[:WAY], left_out, *steps[-WAY:])


def left_out_lines(left_out: Reasons) -> Iterable[str]:
    """What of a document could not be read."""
    if what := listed(map(reason_told, left_out), SEMICOLON):
        yield tr("  left out: {what}", what=one_line(what, 300))


def _listed(reasons: object) -> Sequence[Reason | str]:
    """Reasons of an answer; none where there are none."""
    return reasons if isinstance(reasons, list | tuple) else ()


def _indented(reasons: Iterable[Reason | str]) -> Iterable[str]:
    return (f"  {one_line(reason_told(reason), 300)}" for reason in reasons)


def _priority(value: object) -> str:
    if value == -inf:
        return tr("none (it was fetched already)")
    return f"{value:.3f}" if isinstance(value, int | float) else tr("none (discarded)")


def _quoted(anchor: object) -> str:
    text = one_line(str(anchor or ""), 60)
    return f'"{text}"' if text else tr("without text")


def _unknown(store: Store, where: str, url: str) -> SettingsError:
    known = [str(row["url"]) for row in store.ask("explain", "same_host", host=host_of(url))] if normalise(url) else []
    near = get_close_matches(url, known, n=3)
    some = tr(
        '{command} query{store} "MATCH (p:Page) RETURN p.url LIMIT 20" shows some',
        store=store_words(where),
    )
    return SettingsError(
        tr("the crawl knows no page {url}", url=url), tr("known are: {near}", near=listed(near)) if near else some
    )
