"""Full-text search of a crawl's pages: one SQLite file (FTS5) for each store, in the user's cache.

Theory. Chinese has no blanks between words, and a search term is often segmented differently from the page. So a run of
Han characters is indexed as its overlapping pairs, and searched as a phrase of pairs. That finds exactly the texts that
contain the term, for every term of two characters or more; Lucene's analyzer `cjk` does the same. Other words are found
by their stems (Porter). Text is folded first: width, case, traditional characters. Results are ordered by BM25, in
which a title counts `TITLE` times as much as the text.

The file contains what was read from the store before, and is updated with what was fetched since. So nothing is written
to the store, a running crawl is not delayed, and saving costs nothing extra. A page that was fetched again gets a new
row; the old one is ignored.

Rejected: the full-text indexes of the databases. They index properties, but the text is stored compressed in one: each
page would need its text a second time, uncompressed, visible in Neo4j Browser, and written with each save.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ontology.errors import StoreError
from ontology.lexicon.surface_forms import fold
from ontology.messages import message

TITLE = 4.0  # weight of a title relative to the text; chosen, not measured
VERSION = 1  # of the file's format; a file of another version is rebuilt
_HAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(f"[{_HAN}]+|[^\\W_{_HAN}]+")
_IS_HAN = re.compile(f"[{_HAN}]")
_ASKED = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")  # endings that are ignored when words are marked in a snippet
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
    """The part of a page that is indexed."""

    url: str
    fetched_at: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A search: each of `phrases` must occur on a page, none of `without` may."""

    phrases: tuple[str, ...]
    without: tuple[str, ...] = ()


def read_words(words: Iterable[str]) -> Asked:
    """The search typed by a user: words, "phrases", and -words that may not occur."""
    found: dict[str, list[str]] = {"": [], "-": []}
    for minus, phrase, word in _ASKED.findall(" ".join(words)):
        asked = phrase or word
        if _tokens(fold(asked)):
            found[minus].append(asked)
    return Asked(phrases=tuple(found[""]), without=tuple(found["-"]))


class TextIndex:
    """The index in a file, which is created if necessary. Raises StoreError if it cannot be used."""

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
            message("the index of texts cannot be used: {error}", error=error),
            message("remove {file}; the next search rebuilds it", file=self._file),
        )

    @property
    def size(self) -> int:
        """The number of pages."""
        return int(self._connection.execute("SELECT count(*) FROM pages WHERE url IS NOT NULL").fetchone()[0])

    @property
    def last(self) -> str:
        """The latest time at which an indexed page was fetched (ISO text); '' without pages."""
        return str(self._connection.execute("SELECT coalesce(max(fetched_at), '') FROM pages").fetchone()[0])

    def missing(self, pages: Iterable[tuple[str, str]]) -> list[str]:
        """Those of these pages (address, time of fetching) that are not indexed in that state."""
        query = "SELECT 1 FROM pages WHERE url = ? AND fetched_at = ?"
        return [url for url, at in pages if self._connection.execute(query, (url, at)).fetchone() is None]

    def add(self, texts: Iterable[Text]) -> None:
        """Index pages, replacing their former rows."""
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
        """Addresses of pages, best first: with all phrases, or with any of them."""
        wanted = (" AND " if every else " OR ").join(map(_phrase, asked.phrases))
        unwanted = "".join(f" NOT {_phrase(phrase)}" for phrase in asked.without)
        try:
            for (url,) in self._connection.execute(_FOUND, (f"({wanted}){unwanted}",)):
                yield str(url)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _tokens(folded: str) -> list[str]:
    found: list[str] = []
    for run in _TOKEN.findall(folded):
        if _IS_HAN.match(run):
            found += [run[at : at + 2] for at in range(len(run))]  # including the last character alone
        else:
            found.append(run)
    return found


def _spelled(text: str) -> str:
    return " ".join(_tokens(fold(text)))


def _phrase(asked: str) -> str:
    """A phrase of tokens, without the single character at the end of a Han run, unless it is the only token."""
    tokens: list[str] = []
    runs = _TOKEN.findall(fold(asked))
    for run in runs:
        pieces = _tokens(run)
        tokens += pieces[:-1] if _IS_HAN.match(run) and len(pieces) > 1 else pieces
    begins = "*" if len(runs[-1]) == 1 and _IS_HAN.match(runs[-1]) else ""
    return f'"{" ".join(tokens)}"{begins}'


def marked(text: str, asked: Asked, around: int) -> str:
    """The part of a text that contains most of the phrases, with these in brackets; sentences are preferred to menus.
    Up to `around` characters on either side of the first phrase; the beginning of the text if it has no phrase.
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
            pieces += [text[at:start], "[", text[start:stop], "]"]
            at = stop
    return f"{'…' if begin else ''}{''.join(pieces)}{text[at:end]}{'…' if end < len(text) else ''}"


def _worth(folded: str, start: int, around: int, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The value of a part of a text: how many phrases it contains, and how much it looks like sentences."""
    near = folded[max(0, start - around) : start + around]
    return len({folded[a:b] for a, b in spans if start <= a < start + around}), sum(map(near.count, _POINTS))


def _mark(phrase: str) -> str:
    """An expression for a phrase in folded text; other words than Han ones with any ending."""
    words = []
    for run in _TOKEN.findall(fold(phrase)):
        is_han = _IS_HAN.match(run)
        words.append(re.escape(run) if is_han else rf"\b{re.escape(_ENDING.sub('', run))}\w{{0,3}}\b")
    return r"[\W_]*".join(words)
