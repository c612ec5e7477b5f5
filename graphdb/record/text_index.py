"""Full-text search of a crawl's pages, by an index in its record (SQLite's FTS5).

Theory. Chinese has no blanks between words, and a search term is often segmented differently from the page. So a run of
Han characters is indexed as its overlapping pairs, and searched as a phrase of pairs. That finds exactly the texts that
contain the term, for every term of two characters or more; Lucene's analyzer `cjk` does the same. Other words are found
by their stems (Porter). Text is folded first: width, case, traditional characters. Results are ordered by BM25, in
which a title counts four times as much as the text.

A search first brings the index up to date with what was fetched since the last one. Done while crawling it would cost
1 to 2 ms of CPU a page (measured: 400 pages of 4,200 characters, Chinese, 1.9 ms; of 6,300, English, 1.0 ms), also of
crawls that are never searched. A crawl that runs meanwhile waits for one portion of pages at most. The index takes
twice the room of the packed Chinese texts, and two thirds of that of English ones.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphdb.record.database import Database
from graphdb.record.sql_statements import sql
from ontology.lexicon.surface_forms import fold
from semantic.parsing.repeated_blocks import own_parts, own_text

_HAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(f"[{_HAN}]+|[^\\W_{_HAN}]+")
_IS_HAN = re.compile(f"[{_HAN}]")
_ASKED = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e)$")  # endings that are ignored when words are marked in a snippet
AROUND = 70  # characters on either side of what was found
_POINTS = "。，、；.,;"


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
    """The index of a record's texts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def missing(self) -> list[int]:
        """The numbers of pages whose present text is not indexed."""
        return [number for (number,) in self._database.read(sql("texts")["missing"])]

    def add(self, pages: Sequence[int]) -> None:
        """Index these pages. Raises StoreAway if another process writes for long."""
        known = sql("texts")
        rows = [row for page in pages for row in self._rows(page)]
        with self._database.noting() as run:
            for page, content, title, text in rows:
                put = run.execute(known["put_page"], (page, content))
                if put.rowcount:
                    run.execute(known["put_text"], (put.lastrowid, title, text))

    def find(self, asked: Asked, *, every: bool = True) -> Iterator[str]:
        """Addresses of pages, best first: with all phrases, or with any of them."""
        wanted = (" AND " if every else " OR ").join(map(_phrase, asked.phrases))
        unwanted = "".join(f" NOT {_phrase(phrase)}" for phrase in asked.without)
        return (url for (url,) in self._database.read(sql("texts")["find"], (f"({wanted}){unwanted}",)))

    def size(self) -> int:
        """The number of pages."""
        return sum(pages for (pages,) in self._database.read(sql("texts")["size"]))

    def _rows(self, page: int) -> Iterator[tuple[int, bytes, str, str]]:
        """The page's content, and the words of its title and text."""
        from semantic.parsing.page_reader import unpack  # as in `exported_record`

        for url, title, content, own in self._database.read(sql("texts")["text"], (page,)):
            read = unpack(content, url, contexts=False)
            yield page, content, _spelled(title or ""), _spelled(own_text(read, own_parts(read, own)))


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


def marked(text: str, asked: Asked, around: int = AROUND) -> str:
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
