"""Which results are new, changed or gone after a run with `--recrawl`: on the terminal, and in two files."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from cli.render.language import later, listed, tr
from cli.render.terminal import clean, fitted
from graphdb.stores import Store
from ontology.errors import SettingsError
from ontology.file_failures import refusal
from semantic.urls import readable

SHOWN = 5  # results of each sort; chosen, not measured
SORTS = {"new": later("new"), "changed": later("changed"), "gone": later("gone")}
ATOM, LINES = "news.atom", "news.jsonl"
# RFC 4287; the identity of an entry has the time, so that a page that changes again is shown again
_FEED = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>{title}</title>
<id>{id}</id>
<updated>{now}</updated>
<author><name>ontocrawl</name></author>
{entries}</feed>
"""
_ENTRY = """<entry>
<title>{title}</title>
<id>{id}</id>
<link href={link}/>
<updated>{now}</updated>
<category term={what}/>
</entry>
"""

News = Sequence[Mapping[str, Any]]


def read_news(store: Store) -> News:
    """`what` (new, changed or gone), `url`, `title` and `relevance` of each result that the last run has changed."""
    return store.ask("results", "news")


def write_news(news: News, folder: Path) -> None:
    """Write the news into the store's folder as an Atom feed and as lines of JSON, in place of those before. Raises
    SettingsError where a disk refuses.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    entries = "".join(
        _ENTRY.format(
            title=escape(clean(f"{one['what']}: {one['title'] or one['url']}")),
            id=escape(f"{one['url']}#{now}"),
            link=quoteattr(one["url"]),
            now=now,
            what=quoteattr(one["what"]),
        )
        for one in news
    )
    name = folder.resolve().name
    feed = _FEED.format(title=escape(name), id=escape(folder.resolve().as_uri()), now=now, entries=entries)
    lines = "".join(json.dumps({**one, "run": now}, ensure_ascii=False) + "\n" for one in news)
    for path, text in ((folder / ATOM, feed), (folder / LINES, lines)):
        part = path.with_name(f".{path.name}.part")  # a reader finds a whole file
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            raise SettingsError(*refusal(path, error, "make room in the store's folder")) from error


def news_lines(news: News, folder: Path) -> Iterator[str]:
    """The numbers, and the first of each sort."""
    found = {what: [one for one in news if one["what"] == what] for what in SORTS}
    told = listed(f"{len(some):,} {tr(SORTS[what])}" for what, some in found.items())
    yield tr("\nResults of this run: {told}; all in {file}", told=told, file=folder / ATOM)
    for what, some in found.items():
        for one in some[:SHOWN]:
            yield fitted(f"  {tr(SORTS[what])}  ", one["title"] or readable(one["url"]))
