"""The full text of a crawl's pages, to be searched: one SQLite file (FTS5) beside the store, for every kind of store.

Theory. Chinese has no blanks between words, and what is searched for is seldom cut as the page was: so a run of Han
characters is indexed as its overlapping pairs, and searched for as a phrase of pairs. Every part of a text of two
characters or more is found that way, and nothing else; it is what the analyzer `cjk` of Lucene does. Other words are
found by their stems (Porter's). Text is folded first: width, case, traditional characters. The order is BM25's, in
which a title counts `TITLE` times as much as the text.

The file holds what was read of the store before, and is brought up to date by what was fetched since. So nothing is
written to the store, a crawl that runs is not held up, and each save of a crawl costs what it did. A page that was
fetched again takes a new row; its old one counts no more.

Rejected: full-text indexes of the databases. They read properties, and the text stands compressed in one: each page
would hold its text once more as plain text, in Neo4j Browser for all to see, and each save would pay for it.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ontology.errors import StoreError
from ontology.lexicon.surface_forms import fold

TITLE = 4.0  # chosen, not measured
VERSION = 1  # of the file; one of another version is made anew
_HAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(f"[{_HAN}]+|[^\\W_{_HAN}]+")
_IS_HAN = re.compile(f"[{_HAN}]")
_ASKED = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")  # what a mark in a snippet does not insist on
_POINTS = "。，、；.,;"
_TABLES = f"""
CREATE TABLE pages (number INTEGER PRIMARY KEY, url TEXT, fetched_at TEXT);
CREATE INDEX pages_url ON pages (url);
CREATE INDEX pages_fetched_at ON pages (fetched_at);
CREATE VIRTUAL TABLE texts USING fts5(title, text, content='', tokenize='porter unicode61 remove_diacritics 2');
PRAGMA user_version = {VERSION};
"""
_FOUND = f"""
SELECT pages.url FROM texts JOIN pages ON pages.number = texts.rowid
WHERE texts MATCH ? AND pages.url IS NOT NULL ORDER BY bm25(texts, {TITLE}, 1.0), pages.url
"""


class Text(NamedTuple):
    """What of a page is indexed."""

    url: str
    fetched_at: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is searched for: each phrase must stand on a page, none of `without` may."""

    phrases: tuple[str, ...]
    without: tuple[str, ...] = ()


def read_words(words: Iterable[str]) -> Asked:
    """What was typed: words, "phrases", and -words that may not stand there."""
    found: dict[str, list[str]] = {"": [], "-": []}
    for minus, phrase, word in _ASKED.findall(" ".join(words)):
        asked = phrase or word
        if _tokens(fold(asked)):
            found[minus].append(asked)
    return Asked(phrases=tuple(found[""]), without=tuple(found["-"]))


class TextIndex:
    """The index in a file, which is made where there is none. Raises StoreError where it cannot be used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection = self._opened()
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=60.0)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            connection.close()
            self._file.unlink()
            connection = sqlite3.connect(self._file, timeout=60.0)
            connection.executescript(_TABLES)
        return connection

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(
            f"the index of texts cannot be used: {error}", f"remove {self._file}; the next search makes it anew"
        )

    @property
    def size(self) -> int:
        """How many pages it has."""
        return int(self._connection.execute("SELECT count(*) FROM pages WHERE url IS NOT NULL").fetchone()[0])

    @property
    def last(self) -> str:
        """When the page that was fetched last was (ISO text); '' where there is none."""
        return str(self._connection.execute("SELECT coalesce(max(fetched_at), '') FROM pages").fetchone()[0])

    def missing(self, pages: Iterable[tuple[str, str]]) -> list[str]:
        """Which of these pages, each with the time of fetching, it does not have as they were fetched then."""
        query = "SELECT 1 FROM pages WHERE url = ? AND fetched_at = ?"
        return [url for url, at in pages if self._connection.execute(query, (url, at)).fetchone() is None]

    def add(self, texts: Iterable[Text]) -> None:
        """Take pages in, in the place of what it had of them."""
        try:
            with self._connection as connection:
                for page in texts:
                    connection.execute("UPDATE pages SET url = NULL WHERE url = ?", (page.url,))
                    row = connection.execute("INSERT INTO pages (url, fetched_at) VALUES (?, ?)", page[:2])
                    spelled = (row.lastrowid, _spelled(page.title), _spelled(page.text))
                    connection.execute("INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?)", spelled)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def find(self, asked: Asked, *, every: bool = True) -> Iterator[str]:
        """Addresses of pages, best first: with every phrase, or with any of them."""
        wanted = (" AND " if every else " OR ").join(map(_phrase, asked.phrases))
        unwanted = "".join(f" NOT {_phrase(phrase)}" for phrase in asked.without)
        try:
            for (url,) in self._connection.execute(_FOUND, (f"({wanted}){unwanted}",)):
                yield str(url)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def close(self) -> None:
        """Release the file."""
        self._connection.close()


def _tokens(folded: str) -> list[str]:
    found: list[str] = []
    for run in _TOKEN.findall(folded):
        if _IS_HAN.match(run):
            found += [run[at : at + 2] for at in range(len(run))]  # the last character alone, too
        else:
            found.append(run)
    return found


def _spelled(text: str) -> str:
    return " ".join(_tokens(fold(text)))


def _phrase(asked: str) -> str:
    """A phrase of tokens; the single character at the end of a Han run is none of them, unless it is all there is."""
    tokens: list[str] = []
    runs = _TOKEN.findall(fold(asked))
    for run in runs:
        pieces = _tokens(run)
        tokens += pieces[:-1] if _IS_HAN.match(run) and len(pieces) > 1 else pieces
    begins = "*" if len(runs[-1]) == 1 and _IS_HAN.match(runs[-1]) else ""
    return f'"{" ".join(tokens)}"{begins}'


def marked(text: str, asked: Asked, around: int, signs: tuple[str, str] = ("[", "]")) -> str:
    """The part of a text where most of the phrases stand together, with up to `around` characters on either side of
    the first, and the phrases between signs; sentences before menus. Where none stands there, the text's beginning.
    """
    folded = fold(text)
    pattern = re.compile("|".join(_mark(phrase) for phrase in sorted(asked.phrases, key=len, reverse=True)))
    spans = [match.span() for match in pattern.finditer(folded)]
    if not spans:
        return text[: 2 * around] + ("…" if len(text) > 2 * around else "")
    best = max(spans, key=lambda span: _worth(folded, span[0], around, spans))
    begin, end = max(0, best[0] - around), min(len(text), best[1] + around)
    pieces, at = [], begin
    for start, stop in spans:
        if begin <= start and stop <= end:
            pieces += [text[at:start], signs[0], text[start:stop], signs[1]]
            at = stop
    return f"{'…' if begin else ''}{''.join(pieces)}{text[at:end]}{'…' if end < len(text) else ''}"


def _worth(folded: str, start: int, around: int, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Of a part of a text: how many phrases stand in it, and how much it looks like sentences."""
    near = folded[max(0, start - around) : start + around]
    return len({folded[a:b] for a, b in spans if start <= a < start + around}), sum(map(near.count, _POINTS))


def _mark(phrase: str) -> str:
    """An expression for a phrase in folded text; other words than Han ones with any ending."""
    words = []
    for run in _TOKEN.findall(fold(phrase)):
        is_han = _IS_HAN.match(run)
        words.append(re.escape(run) if is_han else rf"\b{re.escape(_ENDING.sub('', run))}\w{{0,3}}\b")
    return r"[\W_]*".join(words)
