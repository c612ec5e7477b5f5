"""`ontocrawl try URL`: fetch one page, judge it, and show its links in the order in which a crawl would follow them.

This runs a real crawl of one page with a record in memory. So robots.txt, redirects, scope and politeness are those of
a crawl, and nothing is written to disk. With --store the page is judged with what that crawl has learned.
"""

import asyncio
import contextlib
import json
import shlex
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cli.crawl_register import without_secrets
from cli.crawling.crawl import Plan, limits_of, make_plan, planned, seed_records, way_out
from cli.crawling.nothing_matched import few_names, unmatched
from cli.exits import ExitCode
from cli.explaining.explain import declared_lines, kind_told, left_out_lines
from cli.inputs.crawl_topic import read_about, stored_seeds
from cli.inputs.seed_lists import read_address
from cli.interrupts import interruptible
from cli.ontologies.page_weighing import bring_up_to_date
from cli.recorded.recorded_verdicts import stored_settings
from cli.render.language import as_told, command_word, listed, reason_told, tr
from cli.render.live_progress import Observe, outside_line, watching
from cli.render.terminal import fitted, one_line, show
from cli.settings import make_settings
from cli.store_option import store_words
from crawler.engine.crawl_records import Progress
from crawler.engine.driver import crawl
from crawler.engine.session import Session
from crawler.politeness.robots_and_pace import LOST
from crawler.ports import NOT_IN_ARCHIVE
from graphdb.record.database import Database
from graphdb.record.reading import reasons_in
from graphdb.record.sql_statements import sql
from graphdb.record.sqlite_store import SqliteStore
from graphdb.store_folder import MEMORY
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError
from ontology.messages import message
from semantic.page import Declared
from semantic.parsing.page_reader import left_out_of
from semantic.reasons import Reason, Reasons, because
from semantic.records import Batch, QueuedRecord, Resumed
from semantic.understanding import TopicUnderstanding
from semantic.urls import host_of, readable

MENTIONED = 10  # concepts


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link that would be queued. `known`: the state of its address in the store's crawl, '' if it is new there.

    `priority`: None for an address that the store's crawl has asked already, or must not ask.
    """

    url: str
    priority: float | None
    anchor: str
    reasons: Reasons
    known: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The result. `asked`: the address as given; `url`: the one to which it redirects; `status`: as in the graph;
    `errors`: failed requests by their kind.
    """

    asked: str
    url: str
    status: str
    reasons: Reasons
    http_status: int | None = None
    title: str = ""
    kind: str = ""
    relevance: float | None = None
    on_topic: bool = False
    mentions: Mapping[str, int] = field(default_factory=dict)
    declared: Mapping[str, str | None] = field(default_factory=dict)
    left_out: Reasons = ()
    links: Sequence[Link] = ()
    discarded: int = 0
    out_of_scope: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)


def run(  # noqa: PLR0913 - what may be typed
    url: str, typed: Mapping[str, Any], file: Path | None, store: str | None, *, most: int, as_json: bool
) -> int:
    """Try one page; exit code 1 where there is none to judge."""
    seed = read_address(url, "URL")
    if store is None:
        settings = make_settings({**typed, "seeds": [seed], "max_pages": 1, "store": MEMORY}, file)
        tried, hints = _try(make_plan(settings), seed)
    else:
        with contextlib.closing(open_store(store, create=False)) as opened:
            tried, hints = _try_in(opened, store, seed, typed)
    if as_json:
        show(json.dumps(_as_dict(tried, most), ensure_ascii=False))
    else:
        for line in (*lines(tried, most, store), *hints):
            show(line)
        if tried.status == "fetched":
            show(_next_steps(seed, typed, file, store))
    return ExitCode.DONE if tried.status == "fetched" else ExitCode.NOT_GOOD


def _as_dict(tried: Tried, most: int) -> dict[str, object]:
    """The result for programs: reasons are English sentences."""
    links = [{**asdict(replace(one, reasons=())), "reasons": [*map(str, one.reasons)]} for one in tried.links[:most]]
    said = {"reasons": [*map(str, tried.reasons)], "left_out": [*map(str, tried.left_out)], "links": links}
    return asdict(replace(tried, reasons=(), left_out=(), links=())) | said


def _try_in(opened: Store, store: str, url: str, typed: Mapping[str, Any]) -> tuple[Tried, list[str]]:
    """Try the page with what the store's crawl has learned, and with its settings unless others are typed."""
    kept = asdict(stored_settings(opened)) | {"recrawl": False, "watch": False, "warc": None, "until_covered": None}
    settings = make_settings({**kept, **_given(typed), "seeds": [url], "max_pages": 1, "store": MEMORY})
    seeds = stored_seeds(opened)
    about = read_about(settings.ontology, seeds, settings.generations, reason=settings.reason)
    rows = opened.ask("explain", "crawl")
    if not rows or rows[0]["fingerprint"] != about.fingerprint:
        cure = tr(
            "judge it by this one first: {command} rejudge{store} --ontology {ontology}",
            store=store_words(store),
            ontology=settings.ontology,
        )
        raise SettingsError(
            tr("the crawl was judged by another ontology than {ontology}", ontology=settings.ontology), cure
        )
    plan = planned(settings, about, seeds)
    bring_up_to_date(plan.understanding, opened, store)
    tried, hints = _try(replace(plan, seeds=seed_records([url]), limits=limits_of(settings, [*seeds, url])), url)
    asked = opened.ask("explain", "known", urls=[link.url for link in tried.links])
    known = {str(row["url"]): row for row in asked}
    links = [_in_crawl(link, known[link.url]) if link.url in known else link for link in tried.links]
    return replace(tried, links=sorted(links, key=lambda link: link.priority is None)), hints


def _given(typed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in typed.items() if value not in (None, [], ())}


def _in_crawl(link: Link, row: Mapping[str, Any]) -> Link:
    """The link with the state of its address. Only one that waits has a priority, with reasons."""
    if row["status"] == "queued":
        return replace(link, known=message("waiting"))
    known = message(str(row["status"]))
    if row["status"] == "fetched":
        known = message("fetched, on topic") if row["on_topic"] else message("fetched, off topic")
    return replace(link, priority=None, reasons=(), known=known)


class OnePage(SqliteStore):
    """A record in memory of the one page. Other pages that are judged again, from the crawl of --store, are ignored."""

    def __init__(self) -> None:
        super().__init__(Database(None))

    def save(self, batch: Batch) -> None:
        """Save the batch without judgements of pages that are not fetched here: those to which the page links wait."""
        own = {page.url for page in batch.pages}.union(self.known())
        super().save(replace(batch, judged=tuple(record for record in batch.judged if record.url in own)))


def _try(plan: Plan, url: str) -> tuple[Tried, list[str]]:
    """Try the page. Also gives the lines that are told of a page on which no word of the ontology stands."""
    store = OnePage()
    resumed = store.open_crawl(plan.record, plan.concepts, plan.seeds)
    with interruptible() as ending, watching(lambda: 1) as observe:
        progress = asyncio.run(_crawled(plan, resumed, store, observe, ending.stop))
        ending.saved.set()
    if progress.stopped == "interrupted":
        raise KeyboardInterrupt
    tried = _tried(store, progress, url, plan.understanding)
    lexicon = plan.about.lexicon
    hints = [*unmatched(store, lexicon), *few_names(store.languages(), lexicon)]
    return tried, hints if tried.relevance is not None else []


async def _crawled(plan: Plan, resumed: Resumed, store: OnePage, observe: Observe, stop: threading.Event) -> Progress:
    try:
        limits = replace(plan.limits, max_depth=0)  # a feed, which is no page, would lead the crawl on to one
        session = Session(plan.understanding, limits, resumed, store.queued(), store.known(), remembers=False)
        return await crawl(session, plan.source, store, observe, stop)
    finally:
        await plan.source.close()


def _tried(store: OnePage, progress: Progress, asked: str, understanding: TopicUnderstanding) -> Tried:
    url = asked
    while (row := next(store.read(sql("lab")["page"], (url,))))["status"] == "redirected":
        url = next(store.read(sql("record")["links"], (row["id"],)))["url"]
    links = {link["url"]: link for link in store.read(sql("record")["links"], (row["id"],))}
    waiting = list(store.queued())
    understanding.scorer.choose([record.url for record in waiting])
    reasons = reasons_in(row["reasons"])
    if row["status"] == "queued":
        reasons = tuple(progress.refusals) or (because("no answer", kinds=tuple(progress.errors_by_kind)),)
    return Tried(
        asked=asked,
        url=url,
        status=row["status"],
        reasons=reasons,
        http_status=row["http_status"],
        title=row["title"],
        kind=row["kind"],
        relevance=row["relevance"],
        on_topic=bool(row["on_topic"]),
        mentions={said["label"]: said["count"] for said in store.read(sql("lab")["mentions"], (row["id"],))},
        declared={name: row[name] for name in Declared._fields},
        left_out=left_out_of(row["content"]) if row["content"] else (),
        links=[_link(record, links, understanding) for record in waiting if record.url != url],
        discarded=sum(link["priority"] is None for link in links.values()),
        out_of_scope=dict(progress.outside),
        errors=dict(progress.errors_by_kind),
    )


def _link(record: QueuedRecord, links: Mapping[str, Mapping[str, Any]], understanding: TopicUnderstanding) -> Link:
    why = understanding.scorer.why_chosen(record.url) or record.reasons
    anchor = str(links.get(record.url, {}).get("anchor", ""))
    return Link(url=record.url, priority=record.priority, anchor=anchor, reasons=why)


def lines(tried: Tried, most: int, store: str | None) -> Iterable[str]:
    """What is said of it, for people."""
    yield f"{readable(tried.url)}  {one_line(tried.title, 80)}".rstrip()
    if tried.url != tried.asked:
        yield tr("{asked} redirects there", asked=readable(tried.asked))
    answer = tr(", HTTP {http_status}", http_status=tried.http_status) if tried.http_status is not None else ""
    if tried.status != "fetched":
        state = tr("no answer" if tried.status == "queued" else tried.status)
        yield tr("nothing to judge: {state}{answer}", state=state, answer=answer)
        yield from (f"  {one_line(reason_told(reason), 300)}" for reason in tried.reasons)
        yield tr("  try: {cure}", cure=_cure(tried))
        return
    yield from declared_lines(tried.declared)
    if tried.relevance is not None:
        kind = kind_told(tried.kind)
        verdict = tr("on topic") if tried.on_topic else tr("off topic")
        yield tr(
            "\nWhy this page: relevance {relevance:.3f}, {verdict}{kind}{answer}",
            relevance=tried.relevance,
            verdict=verdict,
            kind=kind,
            answer=answer,
        )
    yield from (f"  {one_line(reason_told(reason), 300)}" for reason in tried.reasons)
    if tried.relevance is None:
        if tried.links:
            yield from _link_lines(tried, most)
        else:
            yield tr("  try: {cure}", cure=tr("the address of a page to which it leads"))
        return
    named = [f"{one_line(label)} ×{count}" for label, count in list(tried.mentions.items())[:MENTIONED]]
    yield tr("  mentions {named}", named=listed(named)) if named else tr("  mentions no concept of the ontology")
    yield from left_out_lines(tried.left_out)
    yield from _link_lines(tried, most)
    when = (
        tr("by what the crawl in {store} has learned so far", store=store)
        if store
        else tr("before anything is learned")
    )
    yield tr("\nThat is how it stands {when}. Nothing was written.", when=when)


def _cure(tried: Tried) -> str:
    """What to do where there is no page."""
    code = tried.http_status or 0
    if tried.status == "refused":
        if tried.reasons == (Reason("robots.txt"),):
            return tr("another page: the site forbids this one to crawlers, and a crawl obeys")
        return tr("another page; or, if the host is your own, --allow {host}", host=host_of(tried.url))
    if tried.status == "queued":
        return (
            way_out(tried.errors)
            if LOST.issuperset(tried.errors)
            else tr("is the address right? Then again later: its host does not answer now")
        )
    if code >= 400:
        return (
            tr("is the address right? Open it in a browser")
            if code in (404, 410)
            else tr("another page, or this one later: the server does not give it to a crawler now")
        )
    if code >= 300:
        return tr("the address at which a browser ends that opens this one")
    if tried.reasons == (Reason(NOT_IN_ARCHIVE),):
        cure = tr("another page: the archive does not have this one")
    else:
        cure = tr("an HTML page or a document with text (PDF, DOCX, PPTX, ODT, EPUB): others are not read")
    return cure


def _next_steps(url: str, typed: Mapping[str, Any], file: Path | None, store: str | None) -> str:
    """A crawl that begins with this page, with the options that were typed; or how the store's crawl stands."""
    command = command_word()
    if store is not None:
        steps = [f"{command} status{store_words(store)}", f"{command} search{store_words(store)} WORDS"]
    else:
        given = [*(["--settings", str(file)] if file else []), *_words(typed)]
        words = without_secrets([*given, "--seeds", url, "--max-pages", "100"])
        steps = [f"{command} crawl {shlex.join(words)}"]
        if typed.get("ontology"):
            steps.append(f"{command} ontology show {shlex.quote(typed['ontology'])}")
    return tr("\nNext:\n{steps}", steps="\n".join(f"  {step}" for step in steps))


def _words(typed: Mapping[str, Any]) -> Iterator[str]:
    """The options as they were typed."""
    for name, value in _given(typed).items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            yield from [option] if value else []
        else:
            for each in value if isinstance(value, list | tuple) else [value]:
                yield from (option, f"{each:g}" if isinstance(each, float) else str(each))


def _link_lines(tried: Tried, most: int) -> Iterable[str]:
    shown = tried.links[:most]
    yield tr(
        "\nIts links in their order: {number:,}{shown}",
        number=len(tried.links),
        shown=tr(", of which {most:,}", most=most) if len(tried.links) > most else "",
    )
    for rank, link in enumerate(shown, 1):
        known = f"  ({as_told(link.known)})" if link.known else ""
        priority = "  -  " if link.priority is None else f"{link.priority:.3f}"
        yield fitted(f"{rank:>4}  {priority}  ", f"{readable(link.url)}  {_quoted(link.anchor)}", known)
        yield from (fitted("             ", reason_told(reason)) for reason in link.reasons[:3])
    if tried.discarded:
        yield tr("The strategy discards {discarded:,} more.", discarded=tried.discarded)
    if tried.out_of_scope:
        yield tr("Left out: {links}", links=outside_line(tried.out_of_scope))


def _quoted(anchor: str) -> str:
    return f'"{one_line(anchor, 60)}"' if anchor else ""
