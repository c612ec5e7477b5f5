"""`ontocrawl search WORDS`: pages of a crawl by their words, with what the crawl says of them."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from cli.exits import ExitCode
from cli.recorded.store_reading import crawl_row
from cli.render.language import listed, tr
from cli.render.terminal import fitted, one_line, say, show, wrapped
from graphdb.record.batch_rows import parts
from graphdb.record.text_index import Asked, TextIndex, marked, read_words
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError, StoreAway
from semantic.page import PARAGRAPH
from semantic.parsing.page_reader import unpack
from semantic.parsing.repeated_blocks import own_parts, own_text
from semantic.urls import readable

INDEXED_AT_ONCE = 50  # pages; a crawl that runs meanwhile waits for them: for 50 to 100 ms
SHOWN_AT_ONCE = 50  # pages found whose rows are read together; chosen, not measured
TELL_EVERY = 2000  # pages
CONCEPTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that was found. `snippet`: where the words stand, between [ and ]; `concepts`: the weightiest ones;
    `published`: the day, as the page says, "" if it says none.
    """

    url: str
    title: str
    relevance: float
    on_topic: bool
    kind: str
    published: str
    concepts: tuple[str, ...]
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The best pages; `every`: whether all words stand on them, or any."""

    hits: tuple[Hit, ...]
    every: bool
    pages: int


def run(store: str, words: Sequence[str], *, most: int, on_topic: bool, as_json: bool) -> int:
    """Search and print; exit code 1 where nothing is found."""
    asked = read_words(words)
    if not asked.phrases:
        raise SettingsError(
            tr("nothing to search for in '{words}'", words=" ".join(words)),
            'give words: {command} search green "white tea"',
        )
    with contextlib.closing(open_store(store, create=False)) as opened:
        found = search(opened, asked, most=most, on_topic=on_topic)
    if as_json:
        show(json.dumps(asdict(found), ensure_ascii=False))
    else:
        for line in _lines(found, asked):
            show(line)
    return ExitCode.DONE if found.hits else ExitCode.NOT_GOOD


def search(store: Store, asked: Asked, *, most: int, on_topic: bool = False) -> Found:
    """Bring the index up to date, then ask it. Raises StoreError if there is no crawl."""
    crawl_row(store)
    index = store.texts()
    _bring_up_to_date(index)
    for every in (True, False) if len(asked.phrases) > 1 else (True,):
        hits = tuple(islice(_hits(store, index.find(asked, every=every), asked, on_topic=on_topic), most))
        if hits:
            return Found(hits=hits, every=every, pages=index.size())
    return Found(hits=(), every=True, pages=index.size())


def _bring_up_to_date(index: TextIndex) -> None:
    missing = index.missing()
    if len(missing) > TELL_EVERY:
        say(tr("reading the texts of {number:,} pages (once; the index is kept in the store)", number=len(missing)))
    done = 0
    for some in parts(missing, INDEXED_AT_ONCE):
        try:
            index.add(some)
        except StoreAway:
            left = len(missing) - done
            say(tr("pages not searched yet, because another program writes to the store: {number:,}", number=left))
            return
        done += len(some)
        if done % TELL_EVERY == 0:
            say(tr("  {done:,} of {number:,} pages", done=done, number=len(missing)))


def _hits(store: Store, urls: Iterable[str], asked: Asked, *, on_topic: bool) -> Iterator[Hit]:
    """What the crawl says of the pages now, some at a time."""
    for some in parts(urls, SHOWN_AT_ONCE):
        rows = {row["url"]: row for row in store.ask("search", "shown", urls=some)}
        kept = [url for url in some if url in rows and (rows[url]["on_topic"] or not on_topic)]
        for few in parts(kept, 10):  # their texts are read for those alone that are shown
            concepts = _concepts(store, few)
            for url, (content, own) in zip(few, store.contents(few), strict=True):
                page = unpack(content, url, contexts=False) if content else None
                text = own_text(page, own_parts(page, own)) if page else ""
                yield _hit(rows[url], concepts.get(url, ()), text, asked)


def _concepts(store: Store, urls: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in store.ask("search", "concepts", urls=urls):
        found.setdefault(row["url"], []).append(row)
    ranked = {url: sorted(rows, key=lambda row: (-row["weight"], -row["count"])) for url, rows in found.items()}
    return {url: tuple(str(row["label"]) for row in rows[:CONCEPTS]) for url, rows in ranked.items()}


def _hit(row: Mapping[str, Any], concepts: tuple[str, ...], text: str, asked: Asked) -> Hit:
    return Hit(
        url=row["url"],
        title=row["title"] or "",
        relevance=row["relevance"] or 0.0,
        on_topic=bool(row["on_topic"]),
        kind=row["kind"] or "",
        published=row["published"] or "",
        concepts=concepts,
        snippet=one_line(marked(text.replace(PARAGRAPH, " "), asked)),
    )


def _lines(found: Found, asked: Asked) -> Iterator[str]:
    if not found.hits:
        yield tr("None of the {pages:,} pages says {phrases}.", pages=found.pages, phrases=" ".join(asked.phrases))
        return
    if not found.every:
        yield tr("No page has all the words. These have some of them:")
    for rank, hit in enumerate(found.hits, 1):
        topic = tr("on topic") if hit.on_topic else tr("off topic")
        yield fitted(f"{rank:>3}  ", one_line(hit.title) or readable(hit.url), f"  {hit.relevance:.3f} {topic}")
        yield "     " + "  ".join(filter(None, (hit.published, readable(hit.url))))
        yield wrapped("     ", hit.snippet)
        if hit.concepts:
            yield wrapped("     ", tr("concepts: {concepts}", concepts=listed(map(one_line, hit.concepts))))
    yield tr("\nThe best of {pages:,} pages, by BM25; a word in the title counts four times.", pages=found.pages)
