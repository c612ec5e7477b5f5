"""`ontocrawl crawl`: builds ontology, understanding, source and store, and runs the crawl."""

import asyncio
import contextlib
import json
import os
import shlex
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import uvloop

from cli.crawl_register import registered
from cli.crawling.answering_schemes import http_for
from cli.crawling.changed_settings import bring_into_scope, revive
from cli.crawling.crawl_parts import captioned, make_record, marks_given, understanding_of
from cli.crawling.live_files import OntologyFile, SettingsFile, tell_moved
from cli.crawling.nothing_matched import few_names, unmatched
from cli.crawling.recrawl import mark_for_recrawl
from cli.crawling.rejudge import Judging
from cli.crawling.result_news import news_lines, read_news, write_news
from cli.exits import ExitCode
from cli.inputs.concept_names import chosen_language, concept_records
from cli.inputs.crawl_topic import About, check_ontology, read_about, stored_seeds
from cli.inputs.example_pages import check_examples, examples_of
from cli.inputs.given_files import check_archive
from cli.inputs.seed_lists import read_seeds
from cli.interrupts import interruptible
from cli.live.live_door import answering
from cli.live.live_state import LiveState
from cli.live.live_steering import LiveHosts, LiveMarks
from cli.live.page_beside import listening, page_beside
from cli.recorded.page_counts import left_out_line, page_counts
from cli.render.language import command_word, listed, reason_told, tr
from cli.render.live_progress import Observe, figures, summary, watching
from cli.render.terminal import say, show
from cli.settings import ONE_WORKER, PROXIES, Settings
from cli.store_option import store_words
from crawler.engine.actions import CHANGED, Limits, check_limits
from crawler.engine.coverage_goal import Coverage, goals_of
from crawler.engine.crawl_records import Progress
from crawler.engine.driver import crawl
from crawler.engine.session import HandedOn, Session
from crawler.engine.steering import Steering
from crawler.frontier.scope import scope_of
from crawler.politeness.robots_and_pace import LOST, RETRY_AFTER_CAP
from crawler.ports import PartSource, Source
from crawler.sandbox.sandboxed_reading import ReadingSource
from crawler.traps.cut_links import keep_traps, number_of
from crawler.traps.trap_detection import Traps
from graphdb.graph.followed_crawl import FollowedCrawl
from graphdb.store_folder import MEMORY, record_file
from graphdb.stores import Store, open_store
from ontology.errors import CrawlBroken, OntocrawlError, SettingsError
from ontology.lexicon.lexicon import Lexicon
from ontology.messages import SEMICOLON
from semantic import compiled
from semantic.reasons import Reason
from semantic.records import ConceptRecord, CrawlRecord, Mark, QueuedRecord, Resumed, VisitRecord, WantedRecord
from semantic.strategies.strategy_table import strategy_row, takes_marks
from semantic.understanding import Examples, TopicUnderstanding
from semantic.urls import without_password

CHANGES_SHOWN = 20  # of an edited ontology; chosen, not measured
SEED_PRIORITY = 10.0  # above the priority of any link


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a crawl needs except its store."""

    about: About
    record: CrawlRecord
    concepts: Sequence[ConceptRecord]
    seeds: Sequence[QueuedRecord]
    understanding: TopicUnderstanding
    limits: Limits
    source: ReadingSource
    language: str | None = None  # of captions; None: that of most pages
    examples: Examples | None = None


def run(settings: Settings, *, as_json: bool, file: SettingsFile | None = None) -> int:
    """Crawl, show progress and a summary. Exit code 0, 1 without a single page, 130 if interrupted."""
    remarks: list[str] = []
    left_out = ""

    def look(store: Store, progress: Progress, lexicon: Lexicon) -> None:
        nonlocal left_out
        left_out = left_out_line(page_counts(store))
        if settings.recrawl and settings.store != MEMORY:
            news = read_news(store)
            write_news(news, Path(settings.store))
            remarks.extend(news_lines(news, Path(settings.store)))
        if progress.pages and not progress.on_topic:
            remarks.extend(unmatched(store, lexicon))
        remarks.extend(few_names(store.languages(), lexicon))

    if settings.graph:
        if settings.store == MEMORY:
            raise SettingsError("--graph is filled from a record in a folder", "give a folder with --store")
        say(tr("the record is in {store}; the graph of {graph} follows it", store=settings.store, graph=settings.graph))
    plan = make_plan(settings)
    tell_loops()
    ontology = OntologyFile(plan.about, lambda: read_again(settings, plan)) if settings.watch else None
    limits = file or SimpleNamespace(settings=settings)  # a settings file may change while the crawl runs
    with watching(lambda: limits.settings.max_pages) as shown, registered(settings, shown) as observe:
        progress = carry_out(plan, settings, observe, file=file, ontology=ontology, look=look)
    if as_json:
        show(json.dumps(figures(progress)))
    else:
        show(summary(progress, settings.store, left_out))
        show(_next_steps(settings, progress))
    for remark in remarks:
        say(remark)
    if progress.stopped == "interrupted":
        return ExitCode.INTERRUPTED
    return 0 if progress.pages else 1


def tell_loops() -> None:
    """Say in one line that pages are read by the slower loops, with the next step, unless that was asked for."""
    if not compiled.is_as_asked():
        say(
            tr(
                "pages are read by loops in Python, which takes 1.6 times as long ({form}); try: {cure}",
                form=compiled.FORM,
                cure=compiled.CURE,
            )
        )


def make_plan(settings: Settings) -> Plan:
    """Read ontology and seeds, and build the understanding. Raises OntocrawlError for invalid input."""
    check_limits(limits_of(settings, ()))
    strategy_row(settings.strategy)
    if settings.examples:
        check_examples([settings.strategy])
    if settings.ontology:
        check_ontology(settings.ontology)
    if settings.archive:
        check_archive(Path(settings.archive))
    asked = replace(settings, warc=None, render="off")
    seeds = read_seeds(
        settings.seeds, None if settings.archive else lambda urls: http_for(urls, lambda: source_of(asked))
    )
    if settings.ontology:
        say(tr("reading {ontology} ...", ontology=Path(settings.ontology).name))
    about = read_about(settings.ontology, seeds, settings.generations, reason=settings.reason)
    if about.ontology.findings:
        again = f"{command_word()} ontology check {shlex.quote(about.ontology.path)}"
        say(tr("{number} findings; see: {again}", number=len(about.ontology.findings), again=again))
    chosen_language(settings.lang, about.ontology)  # checked before an archive is read
    if settings.archive:
        say(tr("reading the archive {archive} ...", archive=settings.archive))
    examples = examples_of(settings.examples)
    return _reading_by(_plan_of(settings, about, seeds, _reading(settings), examples))


def planned(settings: Settings, about: About, seeds: Sequence[str]) -> Plan:
    """The plan of a crawl whose topic has been read already. Raises OntocrawlError for invalid settings."""
    examples = examples_of(settings.examples, stored=True)
    return _reading_by(_plan_of(settings, about, seeds, ReadingSource(source_of(settings)), examples))


def read_again(settings: Settings, plan: Plan) -> About:
    """Read the ontology again. Raises OntocrawlError if the crawl of the plan cannot continue with it."""
    seeds = [record.url for record in plan.seeds]
    about = read_about(settings.ontology, seeds, settings.generations, reason=settings.reason)
    chosen_language(settings.lang, about.ontology)
    return about


def renewed(plan: Plan, settings: Settings, about: About) -> Plan:
    """The plan of the same crawl with other settings, or another ontology."""
    return _plan_of(settings, about, [record.url for record in plan.seeds], plan.source, plan.examples)


def _plan_of(
    settings: Settings, about: About, seeds: Sequence[str], source: ReadingSource, examples: Examples | None
) -> Plan:
    language = chosen_language(settings.lang, about.ontology)
    concepts = concept_records(about.ontology, about.lexicon, about.topic, language)
    understanding = understanding_of(settings, about, seeds, language, examples=examples, read=source.read)
    limits = limits_of(settings, seeds)
    check_limits(limits)
    limits = replace(limits, connections=limits.connections * source.workers)
    queue = seed_records(seeds)
    return Plan(about, make_record(settings, about), concepts, queue, understanding, limits, source, language, examples)


def _reading_by(plan: Plan) -> Plan:
    """The plan, after its source was told by which analyst pages are read."""
    if plan.understanding.analyst.matcher.travels:
        plan.source.analyst = plan.understanding.analyst
    return plan


def limits_of(settings: Settings, seeds: Iterable[str]) -> Limits:
    """The limits on a crawl's extent and speed."""
    return Limits(
        max_pages=settings.max_pages,
        max_minutes=settings.max_minutes,
        patience=settings.patience,
        delay=settings.delay,
        connections=settings.connections,
        per_host=settings.per_host,
        max_depth=settings.max_depth,
        respects=settings.respect is not None,
        scope=scope_of(
            seeds,
            settings.include,
            settings.exclude,
            stay_on_host=settings.stay_on_host,
            stay_on_domain=settings.stay_on_domain,
        ),
    )


def seed_records(seeds: Sequence[str]) -> list[QueuedRecord]:
    """The seeds as queue entries, in their order and before all links."""
    return [
        QueuedRecord(url, SEED_PRIORITY, 0, reasons=(Reason("a seed"),), found=rank)
        for rank, url in enumerate(seeds, 1)
    ]


def carry_out(  # noqa: PLR0913 - what is followed
    plan: Plan,
    settings: Settings,
    observe: Observe,
    *,
    file: SettingsFile | None = None,
    ontology: OntologyFile | None = None,
    look: Callable[[Store, Progress, Lexicon], None] | None = None,
) -> Progress:
    """Open the store, resume from it, crawl, and close it. Ctrl-C or SIGTERM ends it once everything is saved.

    `file` and `ontology` are watched for changes meanwhile. `look` gets the store and the ontology's words after the
    crawl, unless that was interrupted.
    """
    with contextlib.ExitStack() as ends:
        ending = ends.enter_context(interruptible())
        listener = None
        if settings.dashboard is not None:  # before there is a store: the port may be taken
            listener = ends.enter_context(listening(settings.dashboard, "--dashboard"))
        graph = ends.enter_context(contextlib.closing(FollowedCrawl(settings.graph, say))) if settings.graph else None
        plan.source.begin()
        store = ends.enter_context(contextlib.closing(open_store(settings.store, saving=ending.saving)))
        crawl = _Crawl(plan, settings, store, ending.stop, file=file, ontology=ontology)
        with ending.opening():
            crawl.open()
        if graph is not None:
            graph.begin(record_file(settings.store))
            store.ask_for_link_graph(graph.link_graph)
            crawl.marks_elsewhere = graph.marks
        if listener is not None:
            ends.enter_context(page_beside(listener, settings.store))
        # uvloop takes a tenth less of the crawl's own CPU
        with has_begun(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            progress = runner.run(crawl.run(observe) if settings.store == MEMORY else crawl.run_shown(observe))
        with has_begun():
            progress = crawl.keep_at_end(progress)
            ending.saved.set()
            if look is not None and progress.stopped != "interrupted":
                look(store, progress, crawl.plan.about.lexicon)
        return progress


@contextlib.contextmanager
def has_begun() -> Iterator[None]:
    """Any failure ends a crawl that has begun as CrawlBroken: it is no mistake in what was typed."""
    try:
        yield
    except CrawlBroken:
        raise
    except OntocrawlError as error:
        raise CrawlBroken.by(error) from error


class _Crawl:
    """One run of a crawl in its open store: a session, and a further one for each ontology saved during the crawl."""

    def __init__(  # noqa: PLR0913 - all that it is made of
        self,
        plan: Plan,
        settings: Settings,
        store: Store,
        stop: threading.Event,
        *,
        file: SettingsFile | None,
        ontology: OntologyFile | None,
    ) -> None:
        self.plan = plan
        self._given = settings
        self._store = store
        self._stop = stop
        self._marks = marks_given(plan.examples, settings.strategy)
        self._file = file
        self._ontology = ontology
        self._called: Sequence[ConceptRecord] = ()
        self._is_judged_anew = False  # by the next session: the ontology or marks have changed
        self._steering = Steering()
        self._live_marks = LiveMarks(self._steering, store)
        self._live_hosts = LiveHosts(self._steering, store)
        self._wished_threshold: float | None = None
        self._taken: Mapping[str, Mark | None] = {}  # the marks that were taken last from elsewhere
        self.marks_elsewhere: Callable[[], Mapping[str, Mark | None]] = dict

    def open(self) -> None:
        """Resume from what the store contains, or begin."""
        store, settings = self._store, self._given
        before = [] if settings.store == MEMORY else stored_seeds(store)
        resumed = self._opened(self.plan.seeds)
        store.begin_run()
        if self.plan.seeds:  # an import has none
            _tell_resumed(resumed, settings)
            _tell_seeds(before, [seed.url for seed in self.plan.seeds])
        resumed = self._judged(resumed)
        wanted = mark_for_recrawl(store, resumed) if settings.recrawl else ()
        away = [] if settings.archive else hosts_away(store)
        if away:
            status = f"{command_word()} status{store_words(settings.store)}"
            say(
                tr(
                    "  hosts that asked to be left alone for now: {number}; see: {status}",
                    number=len(away),
                    status=status,
                )
            )
        self._live_hosts.restore()
        self._begin(resumed, wanted=wanted, away=away)

    async def run(self, observe: Observe) -> Progress:
        """Crawl to the end, reopening for each new ontology. Then close the source."""

        def observe_and_note(progress: Progress) -> None:
            observe(progress)
            self.plan.source.note(noted(progress))

        try:
            with has_begun():
                while True:
                    progress = await crawl(
                        self._session,
                        self.plan.source,
                        self._store,
                        observe_and_note,
                        self._stop,
                        between=self._between,
                    )
                    if progress.stopped != CHANGED:
                        return progress
                    await self.plan.source.rest()
                    if not await asyncio.to_thread(self._reopen):  # it is still shown meanwhile
                        return replace(progress, stopped="interrupted")
        finally:
            await self.plan.source.close()

    async def run_shown(self, observe: Observe) -> Progress:
        """The same, shown and steered by other processes."""
        given = self._given
        state = LiveState(
            self._steering,
            lambda: self._settings.max_pages,
            self._stop.set,
            takes_marks=takes_marks(given.strategy),
        )

        def observe_both(progress: Progress) -> None:
            observe(progress)
            state.observe(progress)

        async with answering(state, given.store):
            return await self.run(observe_both)

    def keep_at_end(self, progress: Progress) -> Progress:
        """Store the marks that were given and, unless it was interrupted, the concepts' names in the language of the
        pages; otherwise the next run stores them. So it is with the traps that links wait behind, where the session
        did not hold all waiting links; otherwise they were in its last batch. Returns the crawl's state with
        these traps.
        """
        has_names = progress.stopped != "interrupted"
        self._live_hosts.keep()
        self._store.mark({**self._marks, **self._live_marks.given, **self._steering.marks})
        now = captioned(self.plan.concepts, self.plan.language, self._store) if has_names else self._called
        if now != self._called:  # otherwise the next run does it
            self._store.keep_concepts(now)
        if has_names and self._given.store != MEMORY and self._session.laid_aside:
            return replace(progress, cut=number_of(keep_traps(self._store, self._settings.allow_trap)))
        return progress

    def _opened(self, seeds: Sequence[QueuedRecord]) -> Resumed:
        self._called = captioned(self.plan.concepts, self.plan.language, self._store)
        return self._store.open_crawl(self.plan.record, self._called, seeds)

    def _judged(self, resumed: Resumed) -> Resumed:
        where = self._given.store
        judging = Judging(self._store, self.plan.understanding, self._stop, self._marks, where=where)
        return judging.bring_up_to_date(resumed, self.plan.record, self._settings)

    @property
    def _settings(self) -> Settings:
        """The settings currently in use."""
        settings = self._given if self._file is None else self._file.settings
        return settings if self._wished_threshold is None else replace(settings, threshold=self._wished_threshold)

    def _begin(
        self,
        resumed: Resumed,
        *,
        wanted: Sequence[WantedRecord],
        away: Sequence[tuple[str, float]] = (),
        after: HandedOn | None = None,
    ) -> list[str]:
        """Open a session. Gives the addresses on topic."""
        resumed = bring_into_scope(self._store, self.plan.limits.scope, resumed)
        resumed = revive(self._store, self.plan.understanding, resumed)
        results: list[str] = []
        self._session = Session(
            self.plan.understanding,
            self.plan.limits,
            resumed,
            self._store.queued(),
            self._store.known(),
            fingerprints=self._store.fingerprints(),
            traps=Traps(noting_results(self._store.visits(), results), self._given.allow_trap),
            wanted=wanted,
            away=away,
            results=results,
            remembers=self._given.store != MEMORY,
            after=after,
            coverage=coverage_of(self._given, self._called, self._store),
            steering=self._steering,
            store=self._store,
        )
        return results

    def _between(self) -> bool:
        """Whether the session must end, so that the crawl continues with another ontology, other settings or marks."""
        connections = self._settings.connections * self.plan.source.workers
        if connections != self._session.connections:  # more workers have joined
            self._session.connections = connections
        self._live_hosts.keep()
        self._is_judged_anew = self._live_marks.keep()
        self._is_judged_anew |= self._ontology is not None and self._ontology.news() is not None
        self._is_judged_anew |= self._takes_wishes()
        has_settings = self._file is not None and self._file.has_changed(self._renewed)
        return self._is_judged_anew or has_settings

    def _takes_wishes(self) -> bool:
        """Whether all pages are to be judged again: other processes wish it, or marks were set in the graph."""
        marks = self.marks_elsewhere()
        has_marks = bool(marks) and marks != self._taken
        if has_marks:
            self._store.mark(marks)
            self._taken = marks
        wishes = self._store.wishes()
        thresholds = [value for kind, value in wishes if kind == "threshold"]
        if thresholds:
            self._wished_threshold = thresholds[-1]
        return has_marks or bool(wishes)

    def _renewed(self, settings: Settings) -> Plan:
        """The plan by other settings, and by the ontology as it is now. Raises OntocrawlError for invalid settings."""
        return renewed(self.plan, settings, self._ontology.about if self._ontology else self.plan.about)

    def _reopen(self) -> bool:
        """Continue with what has changed, as after a restart. Waiting times of hosts are kept. False
        if it was interrupted.
        """
        self._steering.detach()
        try:
            self._resume()
        except KeyboardInterrupt:  # raised by `Judging`, which has printed the reason
            return False
        return True

    def _resume(self) -> None:
        before = [visit.url for visit in self._store.visits() if visit.on_topic] if self._is_judged_anew else ()
        after = self._session.handed_on
        del self._session  # frees the memory of a long queue
        self.plan = _reading_by(self._renewed(self._settings))
        resumed = self._judged(self._opened(()))
        wanted = list(self._store.wanted()) if self._given.recrawl else ()
        now = self._begin(resumed, wanted=wanted, after=after)
        if self._is_judged_anew:
            tell_moved(before, now)


def noted(progress: Progress) -> dict[str, float]:
    """The figures that workers show where their cluster is watched, by the names of `crawler.cluster.ray_actors`."""
    return {
        "crawl_pages": progress.pages,
        "crawl_on_topic": progress.on_topic,
        "crawl_errors": progress.errors,
        "crawl_waiting_links": progress.queued,
        "crawl_pages_per_second": progress.pages_per_s,
    }


def coverage_of(settings: Settings, concepts: Sequence[ConceptRecord], store: Store) -> Coverage | None:
    """The coverage of each concept so far, if the crawl is to end by it. Raises SettingsError without a concept."""
    if settings.until_covered is None:
        return None
    goals = goals_of(concepts)
    if not goals.labels:
        raise SettingsError(
            "--until-covered: no concept of the ontology can be covered", "see: {command} ontology check FILE"
        )
    return Coverage(goals, settings.until_covered, store.mentioned())


def noting_results(visits: Iterable[VisitRecord], results: list[str]) -> Iterator[VisitRecord]:
    """Pass the visits on; the addresses of those on topic are added to `results` on the way."""
    for visit in visits:
        if visit.on_topic:
            results.append(visit.url)
        yield visit


def hosts_away(store: Store) -> list[tuple[str, float]]:
    """Hosts that asked not to be contacted, and for how many seconds from now, at most as long as a crawl obeys."""
    now = datetime.now(UTC)
    away = store.away(now.isoformat(timespec="milliseconds"))
    seconds = ((host, (datetime.fromisoformat(until) - now).total_seconds()) for host, until in away)
    return [(host, min(RETRY_AFTER_CAP, left)) for host, left in seconds]


def _reading(settings: Settings) -> ReadingSource:
    """The source of a crawl, with its pages read: in this process's child, or by the workers asked for."""
    if settings.workers == ONE_WORKER:
        return ReadingSource(source_of(settings))
    from crawler.cluster.ray_actors import RayWorkers
    from crawler.cluster.workers_source import WorkersSource

    here = settings.workers.isdecimal()
    say(tr("starting {number} workers ...", number=settings.workers) if here else tr("reaching the cluster ..."))
    archive, warc = (path and str(Path(path).absolute()) for path in (settings.archive, settings.warc))
    workers = RayWorkers(settings.workers, partial(source_of, replace(settings, archive=archive, warc=warc)))
    each = settings.connections
    say(tr("  {number} workers run, each with {each} connections", number=workers.size, each=each))
    return WorkersSource(workers, say)


def source_of(settings: Settings) -> Source:
    """Where the pages of a crawl come from: an archive, or the network; with those rendered that need it, if asked."""
    if settings.render == "off":
        return _unrendered(settings)
    from crawler.render.engine_process import engine_path
    from crawler.render.rendering_engines import Engines
    from crawler.render.rendering_source import RenderingSource

    delay = 0.0 if settings.archive else settings.delay
    engine = Engines(engine_path(settings.render))
    return RenderingSource(_unrendered(settings), engine, delay, respects=settings.respect is not None)


def _unrendered(settings: Settings) -> PartSource:
    if settings.archive:
        from crawler.archive.warc_source import ArchiveSource

        check_archive(Path(settings.archive))
        archive = ArchiveSource(Path(settings.archive))
        for remark in archive.remarks:
            say(remark)
        return archive
    from crawler.archive.wacz_recording import ENDING, WaczFile
    from crawler.archive.warc_recording import WarcFiles
    from crawler.fetch.client import HttpSource, user_agent

    insecure = frozenset(settings.insecure_host)
    source = HttpSource(settings.proxy, frozenset(settings.allow), insecure, contact=settings.contact)
    if settings.warc:
        goal = Path(settings.warc)
        is_wacz = goal.suffix.lower() == ENDING and not goal.is_dir()
        agent = user_agent(settings.contact)
        source.record_with(WaczFile(goal, agent) if is_wacz else WarcFiles(goal, agent))
    return source


def _tell_resumed(resumed: Resumed, settings: Settings) -> None:
    if resumed.previous is None:
        return
    say(
        tr(
            "resumed: {pages} pages so far, {on_topic} on topic",
            pages=resumed.counters.pages,
            on_topic=resumed.counters.on_topic,
        )
    )
    for change in resumed.changed[:CHANGES_SHOWN]:
        say(tr("  changed: {change}", change=change))
    if len(resumed.changed) > CHANGES_SHOWN:
        say(tr("  and {number:,} more changes", number=len(resumed.changed) - CHANGES_SHOWN))
    if resumed.counters.pages >= settings.max_pages and not settings.recrawl:
        say(
            tr(
                "  --max-pages {max_pages} is reached already: give a larger number to go on",
                max_pages=settings.max_pages,
            )
        )


def _tell_seeds(before: Sequence[str], now: Sequence[str]) -> None:
    """Say what becomes of both, if a crawl goes on with seeds that it did not have."""
    new = len(set(now) - set(before))
    if before and new:
        say(
            tr(
                "  {new} new seeds are fetched next; the {old} earlier ones stay, with all pages that they led to. A "
                "separate crawl needs another --store",
                new=new,
                old=len(before),
            )
        )


def _next_steps(settings: Settings, progress: Progress) -> str:
    if not progress.pages:
        return "" if progress.stopped == "interrupted" else _no_page(progress)
    if settings.store == MEMORY:
        return ""
    store, command = store_words(settings.store), command_word()
    seed = shlex.quote(settings.seeds[0]) if "://" in settings.seeds[0] else "URL"
    asked = f"  {command} results{store}\n  {command} explain{store} {seed}"
    return tr(
        "\nNext:\n{asked}\n  {command} status{store}\n  {command} report{store}",
        asked=asked,
        command=command,
        store=store,
    )


def _no_page(progress: Progress) -> str:
    if progress.errors_by_kind and LOST.issuperset(progress.errors_by_kind):
        return tr(
            "\nNo page was fetched: there is no way out to the network.\n{way_out}",
            way_out=way_out(progress.errors_by_kind),
        )
    refused = (
        tr("\nRefused: {refusals}.", refusals=listed(map(reason_told, list(progress.refusals)[:3]), SEMICOLON))
        if progress.refusals
        else ""
    )
    return tr(
        "\nNo page was fetched.{refused}\nAre the seeds right, and the proxy? A private or local host needs "
        "--allow HOST. The same command tries the seeds again, as soon as their hosts may be asked.",
        refused=refused,
    )


def way_out(kinds: Collection[str]) -> str:
    """What to do if no name is found, no network is available, or the proxy does not answer."""
    if "no proxy" in kinds:
        return tr("The proxy does not answer. Is it running, and is --proxy right?")
    named = next(filter(None, map(os.environ.get, PROXIES)), None)
    if named:
        return tr("This machine seems to need its proxy: give --proxy {named}", named=without_password(named))
    return tr(
        "Is this machine connected, and are the seeds' host names right? Where a proxy is needed, give --proxy URL."
    )
