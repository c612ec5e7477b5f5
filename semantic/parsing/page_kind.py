"""The kind of a page, and the language in which it is written.

**Kind.** A *listing* leads to other pages: an index, a tag, a category, an archive, the front page of a blog, even if
whole posts stand on it. An *article* has content of its own. An *error* page stands where a page should be
(`semantic.parsing.error_pages`).

*Entries* are links of the page's own part (`semantic.parsing.page_outline`) that have one DOM path and lead to other
pages. A page is a listing if they are at least `MOST` of this part, in one of these forms:

- links in headings, two or more, each with what stands below it: an excerpt or a whole post;
- one such link, if no heading of the page's own follows;
- links that begin items or blocks, two or more, with short texts below them;
- links alone, if there are hardly any paragraphs.

`LEAST` is enough if a part of the title, or the own heading, is such a word as “Archives” or “标签”. If it says “Tag:
tea” or “标签: 茶”, nothing else is asked.

Nothing but the page is used, so it has the same kind in every crawl. Measured by `benchmarks/page_kinds.py` on 1,000
pages of five archived webs, labelled by hand; recall of articles and listings, in brackets where nothing was tuned:
archwiki 1.00, 1.00 (.97, 1.00); uci .98, .87 (.97, .95); blogs-a 1.00, .98 (1.00, 1.00); linuxcn 1.00, 1.00 (.97,
1.00); zhblogs .97, .96 (1.00, .98).

What is missed are front pages whose links stand in sentences, and lists of two or three links. What is taken for a
listing are articles of a few lines with many links. A rule by shares of links and excerpts in all blocks had .50 of the
articles of uci and .74 of the listings of blogs-a.

**Language.** By the page's script, else by its most frequent small words, else as the page declares. Templates often
carry a wrong `lang`: an English wiki's pages in Spanish or Russian all say `en`. So the declaration comes last. A
script that several languages share stands for the most common of them, unless the page declares another.

Pages quote other languages, and are full of code. So what counts is in which language most words are: the letters of a
script divided by those of a word, against the small words of English and others, which are 3 of 10 words. Of 240 pages
of Chinese blogs with 3 to 10 % of Han characters 209 were Chinese about code, with more Han words than English ones
on each. Chinese with a quotation in Japanese stays Chinese: of Han and kana up to 6 % were kana on pages in Chinese.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import fmean, median_low
from typing import Literal

from semantic.page import Page
from semantic.parsing.error_pages import error_sign
from semantic.parsing.page_outline import Entry, Outline, Sizes

Kind = Literal["article", "listing", "error"]

MOST = 0.5  # of a page's own part that entries must be; measured: .45 to .55 do as well
LEAST = 0.2  # the same, where the page calls itself a listing
MUCH = 1_000  # characters of paragraphs from which a page is no mere list of links; measured: 300 to 3,000 do as well
EXCERPT = 600  # characters, at most, below an entry that is no heading of the same site; measured: 300 finds less
LIST = 3  # links, at least; chosen, not measured
NO_TEXT = 50  # characters; keep pages with hardly any text from being listings; measured: 100 finds less
WHOLE = 0.7  # of a heading's characters, which the link in it has; chosen, not measured
NEAREST = 4  # innermost elements that items of one list have in common; chosen, not measured
_WORDS = "tags?|category|categories|archives?|author|topics?|标签|標籤|分类|分類|归档|歸檔|存档|存檔"
_CALLED = re.compile(
    rf"\W*(?:\w+ )?(?:{_WORDS})\s*[:：]\s*\S|\W*(?:index of /|archive for |posts (?:tagged|in|by) )", re.IGNORECASE
)
_NAMED = re.compile(rf"\W*(?:{_WORDS})\W*$|.*\S (?:{_WORDS})$", re.IGNORECASE)


def kind_of(page: Page) -> Kind | None:
    """The kind of a page; None for a feed or a sitemap."""
    return kind_and_sign(page)[0]


def kind_and_sign(page: Page) -> tuple[Kind | None, str]:
    """The kind of a page, and of an error page the words by which it is one."""
    if page.source:
        return None, ""
    outline = Outline(page)
    if any(map(_CALLED.match, outline.names)):
        return "listing", ""
    if sign := error_sign(outline):
        return "error", sign
    share = max(_shares(outline))
    is_listing = share >= MOST or (share >= LEAST and any(map(_NAMED.match, outline.names)))
    return ("listing" if is_listing else "article"), ""


def _shares(outline: Outline) -> Iterator[float]:
    """Which share of the page's own part is entries, by each of their forms."""
    sizes = outline.sizes
    headed, items, groups = defaultdict(list), defaultdict(list), defaultdict(list)
    for entry in outline.entries:
        groups[entry.in_heading, entry.path].append(entry)
        if entry.in_heading:
            headed[entry.path].append(entry)
        elif entry.is_item:
            items["/".join(entry.path.split("/")[-NEAREST:])].append(entry)
    for group in headed.values():
        yield _share(group, sizes, _whole if group[-1].own else _alike)
    for group in items.values():
        yield _share(group, sizes, _alike)
    yield _only(outline, [entry.block for group in headed.values() for entry in group if entry.own], sizes)
    every, free, prose = (column[-1] for column in sizes)
    if prose <= MUCH:
        listed = sum(entry.size for group in groups.values() if len(_blocks(group)) >= LIST for entry in group)
        yield listed / (listed + prose + NO_TEXT)
        yield (every - free) / (every + NO_TEXT)


def _blocks(group: Iterable[Entry]) -> list[int]:
    return sorted({entry.block for entry in group})


def _share(group: Sequence[Entry], sizes: Sizes, taken: Callable[[Sequence[int], Sequence[float]], float]) -> float:
    """The share of a group of entries. 0 for a single one, and where many paragraphs belong to no entry."""
    blocks = _blocks(group)
    if len(blocks) == 1:
        return 0.0
    prose, every = sizes.prose[-1], sizes.every[-1]
    bare = prose - taken(blocks, sizes.prose)
    if bare > MUCH and bare > prose * (1 - MOST):
        return 0.0
    return min(taken(blocks, sizes.every), every) / (every + NO_TEXT)


def _whole(blocks: Sequence[int], before: Sequence[float]) -> float:
    """What stands from the first of these blocks on; below the last as much as below the others, or up to `EXCERPT`."""
    below = _between(blocks, before)
    return sum(below) + min(before[-1] - before[blocks[-1]], max(fmean(below), EXCERPT))


def _alike(blocks: Sequence[int], before: Sequence[float]) -> float:
    """What stands below these blocks, if below each is as much as below the median, at most `EXCERPT`."""
    return len(blocks) * min(median_low(_between(blocks, before)), EXCERPT)


def _between(blocks: Sequence[int], before: Sequence[float]) -> list[float]:
    return [before[end] - before[start] for start, end in pairwise(blocks)]


def _only(outline: Outline, headed: Sequence[int], sizes: Sizes) -> float:
    """The share of the text below the only link in a heading, unless another heading follows."""
    whole = {block for block in headed if outline.is_linked(block, WHOLE)}
    if len(whole) != 1:
        return 0.0
    (block,) = whole
    if any(other > block and not outline.is_linked(other, 0.5) for other in outline.headings):
        return 0.0
    every = sizes.every[-1]
    below = every - sizes.every[block]
    return below / (every + NO_TEXT) if below <= 2 * MUCH else 0.0


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
