"""The expert's marks: `ontocrawl mark`, `review` and `rejudge`, on a crawl that is not running."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from cli.crawl_register import note_on_topic
from cli.crawling.crawl_parts import captioned, make_record, marks_given, understanding_of
from cli.crawling.rejudge import Judging
from cli.inputs.concept_names import chosen_language, concept_records
from cli.inputs.crawl_topic import About, about_of, check_ontology, read_about, stored_seeds
from cli.inputs.example_pages import examples_of
from cli.inputs.given_files import read_given, text_lines
from cli.inputs.seed_lists import REMARK
from cli.interrupts import interruptible
from cli.recorded.page_counts import page_counts
from cli.recorded.recorded_marks import marks_counted
from cli.recorded.recorded_verdicts import Verdict, stored_settings, verdicts
from cli.recorded.store_reading import crawl_row
from cli.recorded.verdict_changes import Changes, changed, tell_changes
from cli.render.language import command_word, listed, tr
from cli.render.terminal import say
from cli.settings import Settings, check_threshold
from cli.store_option import store_words
from crawler.rejudging.record_frames import FramesAhead, Makers
from graphdb.stores import Store, marks_in_graphs, open_store
from ontology.errors import SettingsError
from ontology.loading.ontology_reader import read_ontology
from semantic.learning.sparse_matrices import load_solver
from semantic.records import MARKS, JudgedRecord, Mark, StoredPage
from semantic.relevance.judge_training import EACH_KIND
from semantic.strategies.strategy_table import takes_marks
from semantic.urls import normalise

ROUND = 10  # pages that `review` asks about in one round: half of them the best, half near the threshold
# the best ones in a round while few pages are marked good. With 5, 7, 8 and 10 experts who had marked 40 pages of six
# crawls with few results on top had met 77, 83, 76 and 62 good ones: where the best are bad, others must be asked for.
LIKELY = 7


class Begun:
    """What is begun while the store's server starts, because another ontology is given: its file is read, the processes
    that make frames start, and what learning needs is imported.
    """

    def __init__(self, ontology: str) -> None:
        self.makers = Makers()
        self._threads = ThreadPoolExecutor(1, "ontology")
        self._ontology = self._threads.submit(read_ontology, Path(ontology))
        self._threads.submit(load_solver)

    def about(self, settings: Settings) -> About:
        """What the crawl is about now. Raises OntocrawlError for a file that cannot be used."""
        if settings.reason:
            return read_about(settings.ontology, (), settings.generations, reason=True)
        return about_of(self._ontology.result(), settings.generations)

    def end(self) -> None:
        """End the processes, whether they were used or not."""
        self.makers.end()
        self._threads.shutdown(cancel_futures=True)


def rejudge(where: str, ontology: str | None, threshold: float | None, *, as_json: bool) -> int:
    """Judge all pages of a store again: by another ontology or threshold, or by the marks in the store."""
    check_threshold(threshold)
    if ontology:
        check_ontology(ontology)
    with contextlib.ExitStack() as ends:
        begun = Begun(ontology) if ontology else None
        if begun is not None:
            ends.callback(begun.end)
        store = ends.enter_context(_opened(where))
        marks = marks_in_graphs(where, say)
        if marks:
            store.mark(marks)
            say(tr("{number} marks set in Neo4j are taken over", number=len(marks)))
        if ontology is None and asks_the_crawl(store, threshold):
            return 0
        judge_anew(store, where, partial(tell_judged, where, as_json=as_json), ontology, threshold, given=begun)
    return 0


def asks_the_crawl(store: Store, threshold: float | None = None) -> bool:
    """Ask the crawl that writes, if one does, to judge all pages again; False if none does."""
    if not store.is_taken():
        return False
    if threshold is None:
        store.wish("judge")
    else:
        store.wish("threshold", threshold)
    say(tr("a crawl is running: it judges all pages again as soon as it has saved"))
    return True


def mark(where: str, marks: Mapping[str, Mark | None], *, as_json: bool) -> int:
    """Mark pages of a crawl and judge all pages by the marks. Raises SettingsError if no address is a page of the
    crawl.
    """
    with _opened(where) as store:
        check_marks(store)
        unknown = store.mark(_spelled(store, marks))
        if len(unknown) == len(marks):
            some = f'{command_word()} query{store_words(where)} "MATCH (p:Page) WHERE p.on_topic RETURN p.url LIMIT 20"'
            raise SettingsError(
                tr("no page of this crawl: {unknown}", unknown=listed(unknown[:3])),
                tr("{some} shows some", some=some),
            )
        for url in unknown:
            say(tr("no page of this crawl, not marked: {url}", url=url))
        if asks_the_crawl(store):
            return 0
        judge_anew(store, where, partial(tell_judged, where, as_json=as_json))
    return 0


def marks_of(words: Sequence[str], file: str | None) -> dict[str, Mark | None]:
    """The typed marks (addresses, then good, bad, hub or none) and those of a file. Raises SettingsError."""
    found: dict[str, Mark | None] = {}
    if file:
        found |= _marks_in(Path(file))
    if words:
        *urls, verdict = words
        if verdict not in VERDICTS or not urls:
            cure = tr("write addresses, then good, bad, hub or none, as in: {command} mark https://example.org/a good")
            is_address = verdict not in VERDICTS and not urls and "." in verdict
            what = tr("no mark is given") if is_address else tr("'{verdict}' is no mark", verdict=verdict)
            raise SettingsError(tr("no address is given") if verdict in VERDICTS else what, cure)
        early = next((word for word in urls if word in VERDICTS), None)
        if early:
            raise SettingsError(
                tr("'{verdict}' stands before the last word: a command gives one mark", verdict=early),
                "give one command for each mark, or --file with lines such as: good https://example.org/a",
            )
        found |= dict.fromkeys(urls, VERDICTS[verdict])
    if not found:
        raise SettingsError("nothing to mark", "see: {command} mark --help")
    return found


def _marks_in(path: Path) -> Iterator[tuple[str, Mark | None]]:
    """The marks of a file: on each line a mark and an address."""
    cure = "write one on each line, as in: good https://example.org/tea"
    for number, line in enumerate(read_given("--file", path, text_lines, cure), 1):
        if said := REMARK.sub("", line).split():
            url = normalise(said[1]) if len(said) == 2 and said[0] in VERDICTS else None
            if url is None:
                where = tr("{path}, line {number}", path=path, number=number)
                raise SettingsError(tr("{where}: {line!r} has no mark", where=where, line=line.strip()), cure)
            yield url, VERDICTS[said[0]]


VERDICTS: Mapping[str, Mark | None] = {**dict(zip(MARKS, MARKS, strict=True)), "none": None}


def judge_anew(  # noqa: PLR0913 - what may be changed, and how it is told
    store: Store,
    where: str,
    tell: Callable[[Changes], None],
    ontology: str | None = None,
    threshold: float | None = None,
    *,
    given: Begun | None = None,
) -> None:
    """Judge all pages as a resumed crawl would.

    `where`: the store, as it was typed. `tell`: called once, with the changes, as soon as they are saved.
    `given`: what was begun for this ontology.
    """
    settings = stored_settings(store)
    settings = replace(settings, ontology=ontology or settings.ontology)
    settings = settings if threshold is None else replace(settings, threshold=threshold)
    seeds = stored_seeds(store)
    about = (
        read_about(settings.ontology, seeds, settings.generations, reason=settings.reason)
        if given is None
        else given.about(settings)
    )
    language = chosen_language(settings.lang, about.ontology)
    concepts = concept_records(about.ontology, about.lexicon, about.topic, language)
    examples = examples_of(settings.examples, stored=True)
    understanding = understanding_of(settings, about, seeds, language, examples=examples)
    # while the record of the crawl is opened, its pages are read already, if it must be judged by another ontology
    is_other = any(row["fingerprint"] != about.fingerprint for row in store.ask("marks", "fingerprint"))
    before: dict[str, Verdict] = {}
    counts, counted = page_counts(store), marks_counted(store, settings.strategy)
    begun = None
    if is_other:
        pages = _noting(store.pages_to_judge(), before)
        begun = FramesAhead(pages, understanding.analyst, given.makers if given else None)
    else:
        before = verdicts(store)
    with contextlib.closing(begun) if begun else contextlib.nullcontext(), interruptible() as ending:
        record = make_record(settings, about)
        resumed = store.open_crawl(record, captioned(concepts, language, store), ())
        marks = marks_given(examples, settings.strategy)
        judging = Judging(store, understanding, ending.stop, marks, begun, where)
        told: list[Changes] = []

        def tell_saved() -> None:
            if threshold is None:  # otherwise it may be decided again which pages are on topic
                told.append(
                    changed(before, _with_changes(before, judging.changed), counts, counted, understanding.likely)
                )
                tell(told[0])

        judging.on_saved = tell_saved
        judging.bring_up_to_date(resumed, record, settings)
        ending.saved.set()
    if not told:
        now = verdicts(store) if judging.has_decided else _with_changes(before, judging.changed)
        tell(changed(before, now, counts, counted, understanding.likely))


def _noting(pages: Iterable[StoredPage], found: dict[str, Verdict]) -> Iterator[StoredPage]:
    """The pages, noting how the record judges them."""
    for kept in pages:
        if kept.standing is not None:
            score, on_topic, verdict, kind = kept.standing
            found[kept.url] = Verdict(kept.url, kept.title, score, on_topic, verdict or "", kind or "")
        yield kept


def _with_changes(before: Mapping[str, Verdict], judged: Mapping[str, JudgedRecord]) -> dict[str, Verdict]:
    """The judgements after some pages were judged again."""
    now = dict(before)
    for url, record in judged.items():
        if url in now:
            kind = now[url].kind if record.kind is None else record.kind
            now[url] = replace(now[url], relevance=record.relevance, on_topic=record.on_topic, kind=kind)
    return now


def next_to_review(found: Mapping[str, Verdict], threshold: float, marks: Mapping[str, Mark]) -> Iterator[Verdict]:
    """The pages of one round, whose marks teach most: half of them the best, half near the threshold, none of them
    marked. While fewer than `EACH_KIND` pages are marked good, `LIKELY` are the best. `marks`: those of this round,
    added by the caller before it takes the next page.

    The worth of marks was measured with pages chosen in this way (benchmarks/judge.md).
    """
    left = sorted((one for one in found.values() if not one.marked), key=lambda one: (-one.relevance, one.url))
    good, best = sum(one.marked == "good" for one in found.values()), 0
    while best < len(left) and (
        best < ROUND // 2 or (best < LIKELY and good + sum(mark == "good" for mark in marks.values()) < EACH_KIND)
    ):
        yield left[best]
        best += 1
    border = sorted(left[best:], key=lambda one: (abs(one.relevance - threshold), one.url))
    yield from border[: ROUND - best]


def _spelled(store: Store, marks: Mapping[str, Mark | None]) -> dict[str, Mark | None]:
    """Marks by the addresses in the record: `linux.cn/x` is found with https or http."""
    spelled: dict[str, Mark | None] = {}
    for typed, mark in marks.items():
        tries = [typed] if "://" in typed else [f"https://{typed}", f"http://{typed}"]
        urls = [url for url in map(normalise, tries) if url]
        known = {str(row["url"]) for row in store.ask("marks", "known", urls=urls)}
        spelled[next((url for url in urls if url in known), urls[0] if urls else typed)] = mark
    return spelled


def check_marks(store: Store) -> None:
    """Raise SettingsError if the strategy takes no marks."""
    strategy = str(crawl_row(store)["strategy"])
    if not takes_marks(strategy):
        cure = tr(
            "crawl with --strategy fused to have marks count, or give them by --examples where the strategy takes them"
        )
        raise SettingsError(
            tr("strategy '{strategy}' uses its paper's judge, which takes no marks", strategy=strategy), cure
        )


@contextlib.contextmanager
def _opened(where: str) -> Iterator[Store]:
    with contextlib.closing(open_store(where, create=False)) as store:
        yield store


def tell_judged(where: str, changes: Changes, *, as_json: bool = False) -> None:
    """Print the changes of a store's crawl that was judged again, and note them among the crawls of this machine."""
    note_on_topic(where, changes.on_topic)
    tell_changes(changes, as_json=as_json)
