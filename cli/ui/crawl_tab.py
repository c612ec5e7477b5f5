"""The page's tab of the crawl: how it runs, what a person wants of it, what was not fetched, and how to begin one."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from cli.crawl_register import known_crawls, log_of, named
from cli.explaining.ledger import read_ledger
from cli.live.live_door import ask_crawl
from cli.render.language import as_told, later, tr
from cli.render.terminal import one_line
from cli.stores.crawls import without_page
from cli.ui.asked import Answer, Asked
from graphdb.store_folder import record_file
from ontology.errors import SettingsError
from semantic.urls import readable

ONTOLOGIES = (".owl", ".ttl", ".rdf", ".obo", ".ofn", ".omn", ".owx", ".jsonld")  # names offered where the page began
MOST_OFFERED = 100  # of them; chosen, not measured
OF_A_PAGE = (
    "--allow",
    "--archive",
    "--contact",
    "--delay",
    "--proxy",
    "--respect",
    "--segmenter",
)  # options of `try`, too
SCOPES = {"host": "--stay-on-host", "domain": "--stay-on-domain"}


def live(asked: Asked) -> dict[str, Any]:
    """Whether a crawl runs, and its state; that is None while it begins or ends."""
    where = asked.where
    state = ask_crawl(where, {})
    return {"state": state, "is_running": state is not None or _is_running(where)}


def want(asked: Asked) -> dict[str, Any]:
    """Pass a wish on to the crawl that runs. Raises SettingsError if it refuses, or if none runs."""
    answer = ask_crawl(asked.where, {name: value for name, value in asked.words.items() if name != "store"})
    if answer is None:
        raise SettingsError("no crawl runs in this store", "begin it again")
    if "error" in answer:
        raise SettingsError(str(answer["error"]), "")
    return answer


def ledger(asked: Asked) -> dict[str, Any]:
    """What became of all addresses that the crawl knows, in groups."""
    with asked.store() as store:
        found = read_ledger(store)
    for group in found["groups"]:
        group["group"] = tr(group["group"])
        for row in group["rows"]:
            row["what"], row["shown"] = one_line(as_told(row["what"])), one_line(readable(row["example"]))
    return found


def offered(_: Asked) -> dict[str, Any]:
    """What a form for a new crawl offers: the folder where stores are made, and ontologies."""
    here = Path.cwd()
    beside = sorted(str(file) for file in here.iterdir() if file.suffix.lower() in ONTOLOGIES)[:MOST_OFFERED]
    used = [crawl.ontology for crawl in known_crawls() if crawl.ontology and Path(crawl.ontology).is_file()]
    return {"folder": str(here), "ontologies": list(dict.fromkeys([*beside, *used]))}


def check(asked: Asked) -> dict[str, Any]:
    """Check the ontology, and try the first seed, beside the page."""
    ontology, seeds = _given(asked)
    asked.jobs.begin("", "check", ["ontology", "check", "--", ontology])
    more = [word for option in _options(_more(asked)) if option[0].partition("=")[0] in OF_A_PAGE for word in option]
    asked.jobs.begin("", "try", ["try", f"--ontology={ontology}", "--links=10", *more, "--", seeds[0]])
    return checked(asked)


def checked(asked: Asked) -> dict[str, Any]:
    """How check and try stand."""
    return {name: asked.jobs.state("", name) for name in ("check", "try")}


def begin(asked: Asked) -> dict[str, Any]:
    """Begin a crawl, which goes on when the page ends. Raises SettingsError for a store that has one already."""
    ontology, seeds = _given(asked)
    name, pages = asked.text("name"), asked.number("pages")
    if name is None or pages is None:
        raise SettingsError("name and number of pages are missing", "fill in the form")
    store = str(Path(name).absolute())
    if record_file(store, create=True).exists():
        raise SettingsError(
            tr("there is a crawl in {store} already", store=store), "give another name, or go on with it"
        )
    words = ["crawl", f"--ontology={ontology}", *(f"--seeds={seed}" for seed in seeds), f"--store={store}"]
    words += [f"--max-pages={pages:g}", *_scope(asked), *_more(asked)]
    asked.jobs.begin(store, "crawl", words, log=log_of(store))
    return {"store": store}


def go_on(asked: Asked) -> dict[str, Any]:
    """Begin the crawl of this store again as it was begun, up to a larger number of pages."""
    crawl, pages = named(asked.where), asked.number("pages")
    if crawl.is_running:
        raise SettingsError(tr("{crawl} is running", crawl=crawl.name), "end it first")
    if crawl.is_import or pages is None:
        raise SettingsError("this crawl cannot go on from here", "begin it again with: {command} crawl")
    words = [*without_page(crawl.command), f"--max-pages={pages:g}"]  # the last number counts
    asked.jobs.begin(crawl.store, "crawl", words, folder=crawl.where, log=log_of(crawl.store))
    return {"store": crawl.store}


def begun(asked: Asked) -> dict[str, Any]:
    """Whether a crawl that was begun here runs already; what it said if it has ended."""
    store = asked.text("at") or ""
    return {"is_running": _is_running(store), "job": asked.jobs.state(store, "crawl")}


def _is_running(store: str) -> bool:
    return any(crawl.store == store and crawl.is_running for crawl in known_crawls())


def _given(asked: Asked) -> tuple[str, Sequence[str]]:
    ontology, seeds = asked.text("ontology"), [seed.strip() for seed in asked.texts("seeds") if seed.strip()]
    if ontology is None or not seeds:
        raise SettingsError("ontology and seeds are missing", "fill in the form")
    return ontology, seeds


def _scope(asked: Asked) -> Iterator[str]:
    option = SCOPES.get(asked.text("scope") or "")
    if option:
        yield option
    patience = asked.number("patience")
    if patience is not None:
        yield f"--patience={patience:g}"


def _more(asked: Asked) -> list[str]:
    """Further options as they are typed in a terminal."""
    try:
        return shlex.split(asked.text("more") or "")
    except ValueError as error:
        raise SettingsError(tr("further options: {why}", why=str(error)), "close the quotation") from error


def _options(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Each option with the words after it that begin with no dash."""
    starts = [rank for rank, word in enumerate(words) if word.startswith("-")]
    return (words[start:end] for start, end in pairwise([*starts, len(words)]))


ANSWERS: Mapping[str, Answer] = {
    "crawl.live": live,
    "crawl.want": want,
    "crawl.ledger": ledger,
    "crawl.offered": offered,
    "crawl.check": check,
    "crawl.checked": checked,
    "crawl.begin": begin,
    "crawl.begun": begun,
    "crawl.go_on": go_on,
}
TEXTS: Mapping[str, str] = {
    "no_run": later("This crawl is not running."),
    "is_busy": later("The crawl begins or ends …"),
    "go_on": later("Go on to this number of pages"),
    "stays_queued": later("its links stay queued"),
    "ledger": later("What became of every address"),
    "ledger_note": later("All addresses that the crawl knows, and why those that were not fetched were not."),
    "ledger_sum": later("addresses that the crawl knows"),
    "new_crawl": later("Begin a crawl"),
    "ontology_file": later("Ontology (a file of this machine, as Protégé saves it)"),
    "seeds": later("Seeds: addresses of pages or sites about the topic, one a line"),
    "crawl_name": later("Name; its folder is made in {folder}"),
    "pages_wanted": later("Pages to fetch"),
    "patience": later("Patience: 0 takes any link that is ready, 1 waits for the best link"),
    "scope": later("Where it may go"),
    "scope_web": later("the whole web"),
    "scope_domain": later("the domains of the seeds"),
    "scope_host": later("the hosts of the seeds"),
    "more_options": later("Further options, as after: ontocrawl crawl"),
    "check_and_try": later("Check the ontology, and try the first seed"),
    "begin_crawl": later("Begin"),
    "beginning": later("The crawl begins …"),
    "not_begun": later("The crawl did not begin: {said}"),
    "checking": later("running …"),
    "said_check": later("ontology check"),
    "said_try": later("try: the first seed"),
    "is_running": later("running"),
    "is_judging": later("judging all pages again; then the crawl continues"),
    "is_paused": later("paused: nothing is requested until you resume"),
    "pause": later("Pause"),
    "resume": later("Resume"),
    "stop": later("Stop"),
    "stop_sure": later("End the crawl? All is saved, and the same command goes on later."),
    "under_way": later("Being fetched, and why"),
    "next": later("The best that waits:"),
    "queue_by_host": later("Queue by host"),
    "last_pages": later("Last pages, and why they count"),
    "raise_host": later("First"),
    "ban_host": later("Ban"),
    "clear_host": later("As before"),
    "banned": later("banned"),
    "raised": later("first"),
    "good": later("good"),
    "bad": later("bad"),
    "hub": later("hub"),
    "judge_anew": later("Judge again by the marks"),
    "judge_note": later(
        "Marks are saved at once; all pages and links follow them when you judge again, or with the next run."
    ),
}
