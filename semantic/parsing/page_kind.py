"""The kind of a page, listing or article, and the language in which it is written.

**Kind.** A *listing* leads to other pages, an *article* has content of its own.

    share = (A + E) / (A + L + 50)          a page is a listing if this is 1/3 or more

A and L are the characters inside and outside of links. E is the part of L that is excerpts of the pages behind links.
50 keeps pages with hardly any text from being listings.

An excerpt is the text after an *entry*, up to the next entry or heading. An entry is a link in a heading (h1 to h3), or
a link that begins a block and stands directly in a list's item or a division. Entries with the same DOM path form a
group; a group of entries that are no headings needs at least two. Each entry of a group counts with the group's median,
at most 300: so the text after a menu is no excerpt. A site's name that links to its home page is no entry.

Nothing else is used, so a page has the same kind in every crawl. Measured on seven archived webs, with pages labelled
by their addresses (indexes, tags, categories and chapters against all others and all labelled results), and on the
demonstration web, labelled by a person. Recall of listings and of articles: wiki 0.90, 0.97; blogs 0.95, 0.82; law code
0.99, 0.88; Chinese news 0.97, 0.99; Chinese blogs 0.96, 0.87; demonstration 0.97, 0.97; articles alone: manual 0.92,
university 0.76 (many of its results are lists of readings). Most articles taken for listings are short posts with much
navigation around them; most listings missed are indexes that have their posts in full. With A alone, no listing of the
Chinese news was found.

**Language.** By the page's script, else by its most frequent small words, else as the page declares. Templates often
carry a wrong `lang`: an English wiki's pages in Spanish or Russian all say `en`. So the declaration comes last. A
script that several languages share stands for the most common of them, unless the page declares another.
"""

import re
import struct
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from statistics import median_low
from typing import Literal
from urllib.parse import urlsplit

from semantic.compiled import loops
from semantic.page import PARAGRAPH, Page, Position, Span

Kind = Literal["article", "listing"]

LISTING = 1 / 3  # share from which a page is a listing; measured: see above
EXCERPT = 300  # characters, at most, for one entry; 200 and 500 gave the same kinds
NO_TEXT = 50  # characters; chosen, not measured
_HOMES = ("", "/", "/index.html")
_ANCHOR, _H1, _H2 = Position.ANCHOR, Position.H1, Position.H2  # looking up an enumeration's member costs time in a loop
_IN_HEADING = re.compile(r"(?:^|/)h[1-3](?:[#.][^/]*)?/")  # h1 to h3 in a DOM path, with or without id or class
_IN_ITEM = re.compile(r"(?:^|/)(?:li|dd|dt|div|article|section|header)(?:[#.][^/]*)?/a(?:[#.][^/]*)?$")


def kind_of(page: Page) -> Kind | None:
    """The kind of a page; None for a feed or a sitemap."""
    if page.source:
        return None
    return "listing" if _share(page) >= LISTING else "article"


def _share(page: Page) -> float:
    text = page.text
    paths = {}  # offset -> DOM path of the entry that begins there, "" for a link that is no entry
    for url, _, _, start, end, _, _, path, _, _, _ in page.links:
        # a link that begins a block or stands in a heading, so that an excerpt before it ends there
        if start < end and (text[start - 1 : start] in ("", PARAGRAPH) or _is_in_heading(path)):
            paths[start] = _entry_path(url, path)
    anchors, others, below = text_below(text, page.spans, list(paths))
    return (anchors + _excerpts(paths.values(), below)) / (anchors + others + NO_TEXT)


def below_in_python(text: str, spans: Sequence[Span], offsets: list[int]) -> tuple[int, int, list[int]]:
    """How many characters are inside and outside of links, and outside from each offset to the next or to a heading.

    Spans are in the order of the text.
    """
    starts = sorted({*offsets, *[start for start, _, position in spans if position is _H1 or position is _H2]})
    below = [0] * (len(starts) + 1)  # before the first of them, and from each on
    anchors = at = 0
    for start, end, position in spans:
        if position is _ANCHOR:
            anchors += end - start
            continue
        while at < len(starts) and starts[at] <= start:
            at += 1
        below[at] += end - start
    return anchors, sum(below), [below[bisect_left(starts, offset) + 1] for offset in offsets]


def below_compiled(text: str, spans: Sequence[Span], offsets: list[int]) -> tuple[int, int, list[int]]:
    """The same in C."""
    found: tuple[int, int, list[int]] = loops.text_below(text, spans, offsets, _ANCHOR, _H1, _H2)
    return found


text_below = below_compiled if loops else below_in_python


def _entry_path(url: str, path: str) -> str:
    if _is_in_heading(path):
        return "" if urlsplit(url).path in _HOMES else path
    return path if _is_in_item(path) else ""


def _excerpts(paths: Iterable[str], below: Sequence[int]) -> int:
    sizes = defaultdict(list)
    for path, size in zip(paths, below, strict=True):
        if path:
            sizes[path].append(size)
    counted = (found for path, found in sizes.items() if len(found) > 1 or _is_in_heading(path))
    return sum(len(found) * min(EXCERPT, median_low(found)) for found in counted)


@lru_cache(maxsize=4096)
def _is_in_heading(path: str) -> bool:
    return _IN_HEADING.search(path) is not None


@lru_cache(maxsize=4096)
def _is_in_item(path: str) -> bool:
    return _IN_ITEM.search(path) is not None


_SAMPLE = 4_000  # characters examined; chosen, not measured
# language, its letters, their minimal share of the sample, other languages with that script; shares chosen, not
# measured
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]+"), 0.05, ()),
    ("ko", re.compile(r"[\uac00-\ud7af]+"), 0.10, ()),
    ("zh", re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+"), 0.10, ()),
    ("ru", re.compile(r"[\u0400-\u04ff]+"), 0.15, ("uk", "bg", "sr", "mk", "be", "kk")),
    ("ar", re.compile(r"[\u0600-\u06ff]+"), 0.15, ("fa", "ur")),
    ("el", re.compile(r"[\u0370-\u03ff]+"), 0.15, ()),
    ("he", re.compile(r"[\u0590-\u05ff]+"), 0.15, ()),
    ("th", re.compile(r"[\u0e00-\u0e7f]+"), 0.15, ()),
)
# frequent words of each language; our own lists
_SMALL_WORDS = {
    "en": "the and of to in is for with that on this are be or it as by from",
    "de": "der die und das ist nicht mit von zu den ein eine für auf werden sie im wird",
    "fr": "les des est une pour dans vous que sur pas avec par sont du et la le ce",
    "es": "los del las una para con es por que se está puede como más el y la en",
    "pt": "os do da uma para com não você que em no na são ser pode como mais é",
    "it": "il di che è per una con del sono non della gli nel può si questo essere le",
    "nl": "het een van de en is dat voor niet met zijn op te deze worden kan ook naar",
    "pl": "nie się jest na do że w jak lub z dla może można oraz aby po tym przez",
    "cs": "je se na že pro nebo v jako lze který pokud si s k ze by jsou také",
    "hu": "a az és hogy nem egy ha is van vagy ez kell csak lehet ezt már mint meg",
    "tr": "ve bir bu için ile olarak daha da de olan veya gibi çok var kadar ne ya eğer",
    "sv": "och att det är som en för av på med inte den till om kan du ett har",
    "da": "og at det er som en for af på med ikke den til om kan du et har",
    "fi": "ja on ei että se myös tai kun voi jos ole niin ovat sen joka kuin tämä mutta",
    "ro": "și în de la cu este pentru nu care sau din un o pe mai sunt fi acest",
}
_LANGUAGES_OF: dict[str, tuple[int, ...]] = {}  # by rank
for _rank, _words in enumerate(_SMALL_WORDS.values()):
    for _word in _words.split():
        _LANGUAGES_OF[_word] = (*_LANGUAGES_OF.get(_word, ()), _rank)
_SHORT = 200  # characters; a shorter text may by chance show no sign of its language; chosen, not measured
_LEAST = 12  # occurrences of small words needed to decide; chosen, not measured
_CLEARLY = 1.5  # how many times more occurrences are needed than of the declared language; chosen, not measured


def small_in_python(text: str) -> list[int]:
    """How often the small words of each language stand in a text."""
    found = [0] * len(_SMALL_WORDS)
    for word, count in Counter(filter(_LANGUAGES_OF.__contains__, text.lower().split())).items():
        for rank in _LANGUAGES_OF[word]:
            found[rank] += count
    return found


def small_compiled(text: str) -> list[int]:
    """The same in C."""
    found: list[int] = loops.small_words(text, _small_table(), len(_SMALL_WORDS))
    return found


small_words = small_compiled if loops else small_in_python


@cache
def _small_table() -> bytes:
    """For each small word, ascending: ten bits of each of its up to six characters, and a bit for each language."""
    rows = [
        (sum(ord(character) << 10 * at for at, character in enumerate(word)), sum(1 << rank for rank in ranks))
        for word, ranks in _LANGUAGES_OF.items()
    ]
    return b"".join(struct.pack("=QQ", *row) for row in sorted(rows))


def written_language(page: Page) -> str | None:
    """Primary language tag of a page, such as `zh`; None if unknown."""
    return _language_of(page.text[:_SAMPLE], (page.language or "").split("-")[0])


def text_language(text: str, claim: str) -> str | None:
    """The language tag of a text that declares `claim` (or ''). The declaration is kept if the text agrees or is too
    short.
    """
    primary = claim.partition("-")[0]
    found = _language_of(text[:_SAMPLE], primary)
    if found == primary or (found is None and len(text) < _SHORT):
        return claim or None
    return found


def is_foreign(page: Page, languages: frozenset[str]) -> bool:
    """Whether a page is known to be in none of these languages. False if no languages are given."""
    return bool(languages) and (written_language(page) or "") not in languages | {""}


@lru_cache(maxsize=4)  # a judge and a link scorer ask for the same page
def _language_of(sample: str, declared: str) -> str | None:
    odd = len(sample) - len(sample.encode("ascii", "ignore"))
    for language, letters, share, others in _SCRIPTS:
        if odd > share * len(sample) and sum(map(len, letters.findall(sample))) > share * len(sample):
            return declared if declared in others else language
    found = dict(zip(_SMALL_WORDS, small_words(sample), strict=True))
    most = max(found.values())
    if most >= _LEAST and most > _CLEARLY * found.get(declared, 0):
        return max(language for language, count in found.items() if count == most)
    return declared if declared and declared not in {"ja", "ko", "zh"} else None
