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

Pages quote other languages, and are full of code. So what counts is in which language most words are: the letters of a
script divided by those of a word, against the small words of English and others, which are 3 of 10 words. Of 240 pages
of Chinese blogs with 3 to 10 % of Han characters 209 were Chinese about code, with more Han words than English ones
on each. Chinese with a quotation in Japanese stays Chinese: of Han and kana up to 6 % were kana on pages in Chinese.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from statistics import median_low
from typing import Literal
from urllib.parse import urlsplit

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
    anchors, others, below = _text_below(text, page.spans, list(paths))
    return (anchors + _excerpts(paths.values(), below)) / (anchors + others + NO_TEXT)


def _text_below(text: str, spans: Sequence[Span], offsets: list[int]) -> tuple[int, int, list[int]]:
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
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc]+")
_MOSTLY_KANA = 0.2  # of Han and kana, from which these are Japanese; 0.05 if the page declares it
_SAID_KANA = 0.05
# language, its letters, how many of them a word has, other languages with that script; sizes chosen, not measured
_SCRIPTS = (
    ("zh", re.compile(r"[\u3041-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"), 1.7, ()),
    ("ko", re.compile(r"[\uac00-\ud7af]+"), 2.5, ()),
    ("ru", re.compile(r"[\u0400-\u04ff]+"), 6, ("uk", "bg", "sr", "mk", "be", "kk", "mn", "ky", "tg")),
    ("ar", re.compile(r"[\u0600-\u06ff]+"), 5, ("fa", "ur", "ckb", "ps")),
    ("el", re.compile(r"[\u0370-\u03ff]+"), 6, ()),
    ("he", re.compile(r"[\u0590-\u05ff]+"), 5, ("yi",)),
    ("th", re.compile(r"[\u0e00-\u0e7f]+"), 5, ()),
    ("hi", re.compile(r"[\u0900-\u097f]+"), 5, ("mr", "ne", "sa")),
)
_BEYOND_LATIN = re.compile(r"[\u0370-\u1dff\u3041-\ufaff\U00020000-\U0003ffff]+")
_MANY, _SOME = 0.10, 0.03  # shares of the sample from which letters, or letters of `_LEAST` words, tell a script
_SMALL_SHARE = 0.3  # of the words of a text are small words of its language; chosen, not measured
_WORD = 5  # characters of a word of an alphabet, at least on average
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
    "vi": "và là các có cho không trong khi như này trên theo hay cũng làm vào bài đã đó nhưng",
    "id": "yang dan di untuk dengan dari ini itu pada adalah ke tidak dalam atau akan juga oleh bisa anda saya",
    "ro": "și în de la cu este pentru nu care sau din un o pe mai sunt fi acest",
}
# languages without a list, whose words those of another list mostly are
_LIKE = {"nb": "da", "no": "da", "nn": "da", "gl": "pt", "ca": "es", "ms": "id", "sk": "cs", "af": "nl", "lb": "de"}
_LANGUAGES_OF: dict[str, tuple[int, ...]] = {}  # by rank
for _rank, _words in enumerate(_SMALL_WORDS.values()):
    for _word in _words.split():
        _LANGUAGES_OF[_word] = (*_LANGUAGES_OF.get(_word, ()), _rank)
_SHORT = 200  # characters; a shorter text may by chance show no sign of its language; chosen, not measured
_LEAST = 12  # occurrences of small words needed to decide; chosen, not measured
_CLEARLY = 1.5  # how many times more occurrences are needed than of the declared language; chosen, not measured


def _small_words(text: str) -> list[int]:
    """How often the small words of each language stand in a text."""
    found = [0] * len(_SMALL_WORDS)
    for word, count in Counter(filter(_LANGUAGES_OF.__contains__, text.lower().split())).items():
        for rank in _LANGUAGES_OF[word]:
            found[rank] += count
    return found


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
    script, words = _script_of(sample, declared)
    if script and (script == declared or words * _CLEARLY >= len(sample) / _WORD):
        return script
    small = dict(zip(_SMALL_WORDS, _small_words(sample), strict=True))
    most = max(small.values())
    if script and words * _CLEARLY >= most / _SMALL_SHARE:
        return script
    if most >= _LEAST and most > _CLEARLY * small.get(declared, 0):
        found = max(language for language, count in small.items() if count == most)
        return declared if _LIKE.get(declared) == found else found
    return declared if declared and declared not in {"ja", "ko", "zh"} else script


def _script_of(sample: str, declared: str) -> tuple[str | None, float]:
    """The language of the script with most words beside Latin, and how many words that are."""
    best: tuple[str | None, float] = (None, 0.0)
    rest = len(sample) - len(sample.encode("ascii", "ignore"))
    if rest > _SOME * len(sample):
        rest = sum(map(len, _BEYOND_LATIN.findall(sample)))
    for language, letters, length, others in _SCRIPTS:
        if rest <= max(_SOME * len(sample), length * best[1]):
            break
        runs = letters.findall(sample)
        count = sum(map(len, runs))
        rest -= count
        is_told = count > _MANY * len(sample) or (count > _SOME * len(sample) and count > _LEAST * length)
        if is_told and count / length > best[1]:
            found = _of_han("".join(runs), declared) if language == "zh" else language
            best = declared if declared in others else found, count / length
    return best


def _of_han(letters: str, declared: str) -> str:
    """Tell Chinese and Japanese apart."""
    kana = sum(map(len, _KANA.findall(letters))) if _KANA.search(letters) else 0
    return "ja" if kana > (_SAID_KANA if declared == "ja" else _MOSTLY_KANA) * len(letters) else "zh"
