"""Finding the lexicon's words in a text, Chinese and English in one pass.

Every place where a form stands is found by one Aho-Corasick automaton. Then, in this order:

1. Edge rule: a letter or digit of an alphabet must not touch an edge of a form that is one (10kV in 110kV, F-22 in
   XF-220), nor may the hit be a part of an address, a file name or an identifier (www.camera-shop.com).
2. Case rule: forms in `Lexicon.cased` must have their own case in the text (IT, AC).
3. No-crossing rule: no word of the Chinese segmentation may overlap the hit partially (手机 in 对手|机会); a word that
   contains it whole is fine (大桥 in 长江大桥). See also `is_rather_cut`. Only windows around the hits are segmented.
   A form of one Han character must be a word by itself, or the word around it must name the same (酒 in 米酒, 酒庄 and
   酿酒, not in 酒店: `compound_words`); a form of four or more is never an accident and is not checked.
4. Of what is left, the leftmost and of these the longest wins; hits never overlap.
5. A hit ends where the label ends: "fighter jets" is a hit of 11 characters, "batteries" one of 9, and so is
   "diabetes", where that is the label.

Checked and rejected: the lexicon as the segmenter's own dictionary (loses 19-31 % of the true hits, nested heads above
all), both edges on word borders (the same), stemming instead of inflected forms (lens, lenses; transformation).

The text is read folded, with runs of blanks made one and marks without width gone; offsets lead back.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple
from unicodedata import category, normalize

from daachorse import CharwiseDoubleArrayAhoCorasick

from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import HAN, same_case
from ontology.lexicon.text_folding import INVISIBLE, fold, same_word_key
from semantic.page import PARAGRAPH
from semantic.segmentation.compound_words import names, names_alone
from semantic.segmentation.segmenter_choice import Segmenter, by_dictionary
from semantic.segmentation.word_segmentation import is_rather_cut

_RUN = re.compile(rf"[ {INVISIBLE}]{{2,}}|{INVISIBLE}")
_LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028]")
WINDOW = 10  # characters either side of a hit that decide its segmentation; 4 changes 2 of 13,891 hits, 6 none
TRUSTED = 4  # from so many Han characters on a form is not checked by segmentation
_SEEN = 200  # characters looked at either side for an address
_HAN = re.compile(f"[{HAN}]")
_UNTOUCHED_FROM = 0x2E80  # Han, kana, Hangul: their neighbours are free
_UNSPACED = (range(0x0E00, 0x10A0), range(0x1780, 0x1800))  # Thai to Burmese, Khmer: no blanks between words
_NEAR_ADDRESS = frozenset("./@:_-=?&#%+'")
_PRINTABLE = re.compile("[!-~]*")
_NAME = re.compile(r"[\w.@-]*", re.ASCII)
_WEB = re.compile(r"://|\bwww\.", re.IGNORECASE)
_DOTTED = re.compile(r"[A-Za-z]\w*\.[a-z]|@", re.ASCII)
_DECIMAL = re.compile(r"\d\.\Z")
_NOT_BESIDE_ONE_LETTER = frozenset("+#'&-")

Place = tuple[int, int, int]  # start, end, pattern
Found = tuple[int, int, int, tuple[int, ...]]  # start, end, letters of the ending, words


@dataclass(frozen=True, slots=True)
class Normalised:
    """`text` is the folded text. From `starts[i]` on, its offsets are `shifts[i]` smaller than those of the input."""

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def original(self, offset: int) -> int:
        """Where in the input the character at `offset` stands."""
        if not self.starts:
            return offset
        i = bisect_right(self.starts, offset)
        return offset + (self.shifts[i - 1] if i else 0)


def normalise(text: str) -> Normalised:
    """Fold a text in linear time. A blank line becomes PARAGRAPH; most pages have no run of blanks and need no map."""
    folded = fold(text)
    if "  " not in folded and INVISIBLE not in folded:
        return Normalised(folded)
    pieces, starts, shifts = [], [], []
    end = length = 0
    for run in _RUN.finditer(folded):
        between = _instead_of(run[0], text[run.start() : run.end()])
        pieces += [folded[end : run.start()], between]
        length += run.start() - end + len(between)
        end = run.end()
        starts.append(length)
        shifts.append(end - length)
    return Normalised("".join([*pieces, folded[end:]]), tuple(starts), tuple(shifts))


def _instead_of(folded: str, written: str) -> str:
    if " " not in folded:
        return ""
    return PARAGRAPH if len(_LINE_END.findall(written)) > 1 else " "


class Hit(NamedTuple):
    """Characters `start` to `end` (exclusive) of the text are a form of `words` (indices into `Lexicon.words`).

    An ending of the plural that is only added to the label (jet|s, lens|es) lies behind `end`.
    """

    start: int
    end: int
    words: tuple[int, ...]


class Matcher:
    """Finds the words of one lexicon. Nothing changes after it is built: threads may share it."""

    def __init__(self, lexicon: Lexicon, segmenter: Segmenter = by_dictionary) -> None:
        forms: dict[str, list[str]] = {}
        for form in lexicon.forms:
            forms.setdefault(same_word_key(form), []).append(form)
        touchy = touchy_characters()
        self._segmenter = segmenter
        self._forms = list(forms.values())
        self._left = frozenset(i for i, key in enumerate(forms) if key[0] in touchy or not key[0].isalnum())
        self._right = frozenset(i for i, key in enumerate(forms) if key[-1] in touchy)
        self._doubtful = frozenset(i for i, key in enumerate(forms) if 0 < len(_HAN.findall(key)) < TRUSTED)
        self._any_case = {
            i: tuple(dict.fromkeys(word for form in same for word in lexicon.forms[form]))
            for i, same in enumerate(self._forms)
            if lexicon.cased.isdisjoint(same)
        }
        self._own_case = {
            form: lexicon.forms[form] for i, same in enumerate(self._forms) if i not in self._any_case for form in same
        }
        self._cased = lexicon.cased
        labels = {same_word_key(word.text) for word in lexicon.words}
        self._ending = tuple(0 if key in labels else _added_ending(key, forms, lexicon) for key in forms)
        self._automaton = CharwiseDoubleArrayAhoCorasick(list(forms))

    def load(self) -> None:
        """Read the dictionary now, if a form needs it, and not at its first mention."""
        if self._doubtful:
            self._segmenter(["的"])

    @property
    def travels(self) -> bool:
        """Whether another process can be given it: a neural segmenter stays where it was loaded."""
        return self._segmenter is by_dictionary

    def find(self, text: str) -> list[Hit]:
        """All mentions in `text`, sorted, without overlaps; offsets in characters of `text`. Linear in its length."""
        normal = normalise(text)
        places = self._uncrossed(self._whole(normal.text), normal.text)
        moved = [(normal.original(start), normal.original(end - 1) + 1, i) for start, end, i in places]
        return _longest(self._named(moved, text))

    def _whole(self, text: str) -> list[Place]:
        """Where a pattern stands and no letter or digit touches its edges."""
        left, right, touchy = self._left, self._right, touchy_characters()
        padded = text + " "  # index -1 is what stands before the first character
        return [
            (start, end, i)
            for start, end, i in self._automaton.find_overlapping(text.replace("-", " "))
            if not (i in left and padded[start - 1] in touchy) and not (i in right and padded[end] in touchy)
        ]

    def _uncrossed(self, places: list[Place], text: str) -> list[Place]:
        """Without those that a Chinese word overlaps partially."""
        doubtful = sorted(place for place in places if place[2] in self._doubtful)
        crossed: set[Place] = set()
        windows = list(_windows(doubtful, len(text)))
        stretches = [text[first:last] for first, last, _ in windows]
        for (first, _, inside), stretch, words in zip(windows, stretches, self._segmenter(stretches), strict=True):
            borders = list(accumulate(map(len, words), initial=0))
            crossed.update(
                place for place in inside if _is_crossed(stretch, place[0] - first, place[1] - first, borders)
            )
        return [place for place in places if place not in crossed] if crossed else places

    def _named(self, places: Iterable[Place], text: str) -> Iterator[Found]:
        """With their words; without parts of addresses and what stands in another case."""
        for start, end, i in places:
            if i in self._left and _is_part_of_address(text, start, end):
                continue
            if words := self._any_case.get(i) or self._in_own_case(i, text[start:end]):
                yield start, end, self._ending[i], words

    def _in_own_case(self, pattern: int, found: str) -> tuple[int, ...]:
        narrow = normalize("NFKC", found)
        forms = (f for f in self._forms[pattern] if f not in self._cased or same_case(f, narrow))
        return tuple(dict.fromkeys(word for form in forms for word in self._own_case[form]))


def _added_ending(key: str, forms: Mapping[str, list[str]], lexicon: Lexicon) -> int:
    """How many letters of a pattern are an ending added to another form of the same word."""
    for length, endings in ((1, ("s", "e")), (2, ("es",))):
        if key.endswith(endings) and _words_of(forms.get(key[:-length], ()), lexicon) & _words_of(forms[key], lexicon):
            return length
    return 0


def _words_of(forms: Iterable[str], lexicon: Lexicon) -> set[int]:
    return {word for form in forms for word in lexicon.forms[form]}


@cache
def touchy_characters() -> frozenset[str]:
    """Letters, digits and accents of alphabets that divide words by blanks, folded; and the underscore."""
    codes = (code for code in range(_UNTOUCHED_FROM) if not any(code in block for block in _UNSPACED))
    return frozenset(c for c in map(chr, codes) if c == "_" or category(c)[0] in "LNM")


def _windows(places: list[Place], size: int) -> Iterator[tuple[int, int, list[Place]]]:
    """Sorted places with the stretch of text around them; stretches that touch are one."""
    first = last = 0
    inside: list[Place] = []
    for place in places:
        if inside and place[0] - WINDOW > last:
            yield first, last, inside
            inside = []
        if not inside:
            first = max(0, place[0] - WINDOW)
        last = min(size, max(last, place[1] + WINDOW))
        inside.append(place)
    if inside:
        yield first, last, inside


def _is_crossed(text: str, start: int, end: int, borders: list[int]) -> bool:
    """Whether a word reaches over one edge of the hit but not over the other; for one character see `names`."""
    before = bisect_right(borders, start) - 1
    if end - start == 1:
        first, last = borders[before], borders[before + 1]
        if last - first > 1:
            return not names(text[first:last], start - first)
        left, right = borders[max(0, before - 1)], borders[min(before + 2, len(borders) - 1)]
        return not names_alone(text, start, text[left:start], text[end:right])
    if borders[before] < start:
        return borders[before + 1] < end
    after = bisect_left(borders, end)
    if borders[after] > end:
        return borders[after - 1] > start
    return borders[after + 1 : after + 2] == [end + 1] and is_rather_cut(text, start, end)


def _is_part_of_address(text: str, start: int, end: int) -> bool:
    """Whether a hit stands in an address, a file name or a decimal number, or is one letter of C++ or X-ray."""
    beside = text[start - 1 : start] + text[end : end + 1] if start else text[end : end + 1]
    if _NEAR_ADDRESS.isdisjoint(beside):
        return False
    if end - start == 1 and not _NOT_BESIDE_ONE_LETTER.isdisjoint(beside):
        return True
    before, after = text[max(0, start - _SEEN) : start][::-1], text[end : end + _SEEN]
    if ("//:" in before or ".www" in before.lower()) and _WEB.search(_matched(_PRINTABLE, before)[::-1]):
        return True
    before, after = _matched(_NAME, before)[::-1], _matched(_NAME, after)
    if "." not in before + after and "@" not in before + after:
        return False
    if text[start].isdigit() and _DECIMAL.search(before):
        return True
    return bool(_DOTTED.search(before + text[start]) or _DOTTED.search(text[end - 1] + after))


def _matched(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found[0] if found else ""


def _longest(found: Iterable[Found]) -> list[Hit]:
    """Leftmost, of these longest, without overlaps."""
    hits: list[Hit] = []
    free = 0
    for start, end, ending, words in sorted(found, key=lambda place: (place[0], -place[1])):
        if start >= free:
            hits.append(Hit(start, end - ending, words))
            free = end
    return hits
