"""`ontocrawl search WORDS`: pages of a crawl by their words, with what the crawl says of them."""

import base64
import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cli.exits import ExitCode
from cli.render.language import tr
from cli.render.terminal import fitted, one_line, say, show, wrapped
from graphdb.stores import Store, open_store
from graphdb.text_index import Asked, Text, TextIndex, marked, read_words
from ontology.errors import SettingsError, StoreError
from semantic.page import PARAGRAPH
from semantic.parsing.page_reader import unpack
from semantic.reasons import PageError
from semantic.urls import readable

AT_ONCE = 200  # pages read of the store in one statement
TELL_EVERY = 2000  # pages
AROUND = 70  # characters on either side of what was found
CONCEPTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that was found. `snippet`: where the words stand, between [ and ]; `concepts`: the weightiest ones."""

    url: str
    title: str
    relevance: float
    on_topic: bool
    kind: str
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
    with contextlib.closing(open_store(store, create=False, tell=say)) as opened:
        found = search(opened, index_file(opened, store), asked, most=most, on_topic=on_topic)
    if as_json:
        show(json.dumps(asdict(found), ensure_ascii=False))
    else:
        for line in _lines(found, asked):
            show(line)
    return ExitCode.DONE if found.hits else ExitCode.NOT_GOOD


def index_file(store: Store, where: str) -> Path:
    """Where the index of a store's texts is: among the user's caches, by the crawl and the place of its store.

    A merge brings pages that were fetched earlier than the last one indexed, so it begins another index.
    """
    rows = store.ask("search", "crawl")
    if not rows:
        raise StoreError("the store holds no crawl", "begin one: {command} crawl --help")
    place = where if "://" in where else str(Path(where).resolve())
    name = hashlib.sha256(f"{rows[0]['id']} {place} {rows[0]['merged']}".rstrip().encode()).hexdigest()[:24]
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "ontocrawl" / f"texts-{name}.sqlite"


def search(store: Store, file: Path, asked: Asked, *, most: int, on_topic: bool = False) -> Found:
    """Bring the index up to date, then ask it."""
    with contextlib.closing(TextIndex(file)) as index:
        _bring_up_to_date(index, store)
        for every in (True, False) if len(asked.phrases) > 1 else (True,):
            hits = tuple(islice(_hits(store, index.find(asked, every=every), asked, on_topic=on_topic), most))
            if hits:
                return Found(hits=hits, every=every, pages=index.size)
        return Found(hits=(), every=True, pages=index.size)


def _bring_up_to_date(index: TextIndex, store: Store) -> None:
    fetched = ((str(row["url"]), str(row["fetched_at"])) for row in store.ask("search", "since", since=index.last))
    missing = index.missing(sorted(fetched, key=lambda page: page[1]))
    if len(missing) > TELL_EVERY:
        say(tr("reading the texts of {number:,} pages (once; kept in the user's cache)", number=len(missing)))
    done = 0
    for urls in _parts(missing, AT_ONCE):
        index.add(_texts(store, urls))
        done += len(urls)
        if done % TELL_EVERY == 0:
            say(tr("  {done:,} of {number:,} pages", done=done, number=len(missing)))


def _texts(store: Store, urls: Sequence[str]) -> Iterator[Text]:
    for row in store.ask("search", "texts", urls=urls):
        with contextlib.suppress(PageError):
            page = unpack(_bytes(row["content"]), row["url"])
            yield Text(row["url"], row["fetched_at"], row["title"] or "", page.text)


def _bytes(content: object) -> bytes:
    return base64.b64decode(content) if isinstance(content, str) else bytes(content)  # type: ignore[call-overload]


def _hits(store: Store, urls: Iterable[str], asked: Asked, *, on_topic: bool) -> Iterator[Hit]:
    """What the crawl says of the pages now, some at a time."""
    for some in _parts(urls, AT_ONCE // 4):
        rows = {row["url"]: row for row in store.ask("search", "shown", urls=some)}
        kept = [url for url in some if url in rows and (rows[url]["on_topic"] or not on_topic)]
        for few in _parts(kept, 10):  # their texts are read for those alone that are shown
            concepts = _concepts(store, few)
            texts = {text.url: text.text for text in _texts(store, few)}
            for url in few:
                yield _hit(rows[url], concepts.get(url, ()), texts.get(url, ""), asked)


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
        concepts=concepts,
        snippet=one_line(marked(text.replace(PARAGRAPH, " "), asked, AROUND)),
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
        yield f"     {readable(hit.url)}"
        yield wrapped("     ", hit.snippet)
        if hit.concepts:
            yield wrapped("     ", tr("concepts: {concepts}", concepts=", ".join(map(one_line, hit.concepts))))
    yield tr("\nThe best of {pages:,} pages, by BM25; a word in the title counts four times.", pages=found.pages)


def _parts(items: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
