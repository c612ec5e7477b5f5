"""The recorded web of a lab: a WARC file, or the pages in a crawl's store."""

from dataclasses import dataclass
from pathlib import Path

from cli.inputs.given_files import check_archive
from cli.render.answer_tables import Row
from cli.render.language import tr
from cli.render.terminal import say
from crawler.simulation.recorded_web import recorded_archive, recorded_store, remarks_in
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError, StoreError
from ontology.messages import message


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded web, parsed into `file`. `note`: its limitations; `seeds`: of the crawl that recorded it."""

    file: Path
    name: str
    note: str = ""
    seeds: tuple[str, ...] = ()


def recording_of(archive: Path | None, store: str | None, cache: Path) -> Recording:
    """Parse a recording unless `cache` has it already. Raises OntocrawlError for an unusable one."""
    if (archive is None) == (store is None):
        raise SettingsError(
            "simulate needs one recorded web", "give --archive FILE, or --store DIR for what a crawl has kept"
        )
    if archive is not None:
        check_archive(archive)
        file = recorded_archive(archive, cache, say)
        return Recording(file, archive.name, " ".join(remarks_in(file)))
    assert store is not None
    opened = open_store(store, create=False)
    try:
        return _kept(opened, store, cache)
    finally:
        opened.close()


def _kept(store: Store, where: str, cache: Path) -> Recording:
    crawls = store.ask("record", "crawl")
    if not crawls or not crawls[0]["pages"]:
        raise StoreError(
            tr("{where} holds no crawl with pages", where=where), "crawl into it first: {command} crawl --help"
        )
    crawl = crawls[0]
    name = where.rstrip("/").rpartition("/")[2] or where
    state = " ".join(str(crawl[key]) for key in ("id", "pages", "requests"))
    file = recorded_store(name, state, store.stored_pages, cache, say)
    return Recording(file, where, _note(store, crawl), tuple(str(row["url"]) for row in store.ask("record", "seeds")))


def _note(store: Store, crawl: Row) -> str:
    missing, textless = store.ask("record", "unrecorded")[0]["addresses"], store.ask("record", "textless")[0]["pages"]
    hidden = (
        message(" {textless} pages that ask not to be indexed have no text.", textless=textless) if textless else ""
    )
    return message(
        "The web is what one crawl ({strategy}) fetched, {pages:,} pages. {missing:,} addresses that it knew and "
        "did not fetch answer 404 here, and so do those that only another strategy would have met: figures lean "
        "towards {strategy}, the less, the more of the web was crawled.{hidden}",
        strategy=crawl["strategy"],
        pages=crawl["pages"],
        missing=missing,
        hidden=hidden,
    )
