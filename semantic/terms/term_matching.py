"""The topic's words in a text: what each counts for, where they stand, and how often each concept is mentioned.

Three parts, in the order in which a page passes through them:

- `WordTable`: the lexicon seen from the topic, built once for a crawl. For each word its feature, weight and layer.
- `Matcher`: finds the lexicon's words in a text, Chinese and English in one pass.
- `count_concepts`: semantic term frequency (algorithm 2 of paper O), the concepts of a page counted by position.

How words are found. One Aho-Corasick automaton finds every place where a form stands. Then these rules apply, in this
order:

1. Edge rule: a form that begins or ends with a letter or digit of an alphabet must not touch another one there (10kV in
   110kV, F-22 in XF-220). Nor may the hit be part of an address, a file name or an identifier (www.camera-shop.com).
2. Case rule: forms in `Lexicon.cased` must have the same case in the text (IT, AC).
3. No-crossing rule: no word of the Chinese segmentation may overlap the hit partially (手机 in 对手|机会). A word that
   contains the whole hit is fine (大桥 in 长江大桥). See also `is_rather_cut`. Only windows around hits are segmented.
   A form of one Han character must be a word by itself, or the word around it must name the same thing (酒 in 米酒,
   酒庄 and 酿酒, not in 酒店: `compound_words`). A form of four or more is never an accident and is not checked.
4. Of what is left, the leftmost hit wins, and of hits with the same start the longest. Hits never overlap.
5. A hit ends where the label ends: "fighter jets" is a hit of 11 characters for "fighter jet", "batteries" one of 9.
   "diabetes" is a hit of 8, where that is the label.

Tried and rejected: the lexicon as the segmenter's own dictionary (loses 19-31 % of the true hits, most of them heads of
compounds); requiring both edges at word borders (the same loss); stemming instead of inflected forms (lens, lenses).

The text is folded first; runs of blanks become one, and zero-width characters are removed. Offsets are mapped back.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from itertools import accumulate
from typing import Any, NamedTuple
from unicodedata import category, normalize

from daachorse import CharwiseDoubleArrayAhoCorasick

from ontology.lexicon.lexicon import Lexicon, Sense, Word
from ontology.lexicon.surface_forms import HAN, INVISIBLE, fold, same_case, same_word_key
from ontology.topic import Topic
from semantic.page import PARAGRAPH, Page, Position, Span
from semantic.parsing.repeated_blocks import Part, by_position, in_own_parts, is_own, place_in
from semantic.parsing.wrapped_lines import BREAK
from semantic.reasons import Evidence, Reason, because
from semantic.records import MentionRecord
from semantic.segmentation.compound_words import names, names_alone
from semantic.segmentation.word_segmentation import Segmenter, by_dictionary, is_rather_cut

_REMEMBERED = 512  # words with cached features; those of a chain of 30,000 subclasses take 120 MB


class FeaturesOfWords(Sequence[tuple[str, ...]]):
    """For each word all the features it counts for, computed on access, since a page mentions few of the words."""

    def __init__(self, words: Sequence[Word], given: Set[str]) -> None:
        def of(index: int) -> tuple[str, ...]:
            pairs = (pair for sense in words[index].senses for pair in sense.features)
            return tuple(dict.fromkeys(feature for feature, _ in pairs if feature in given))

        self._words = words
        self._of = lru_cache(_REMEMBERED)(of)

    def __getitem__(self, index: Any) -> Any:
        """The features of the word with this index."""
        return self._of(index)

    def __len__(self) -> int:
        """As many as there are words."""
        return len(self._words)


@dataclass(frozen=True, slots=True)
class WordTable:
    """Columns parallel to `Lexicon.words`. `weight` is 0 for a word of no feature, `layer` 0 for a word of no layer.

    - `feature`: the nearest feature above the word (of several senses, the heaviest), or a related one that counts for
      more.
    - `features`: all its features as paper O has it: a hyponym counts for every feature above it that the expert gave.
    - `names`: concept -> a word for it, to show.
    - `texts`: the words themselves. `meanings`: the same for people, with the concept and its generation.
    - `captions`: `names` by language. `language`: the one to show everything in; None for the language of each page.
    """

    weight: tuple[float, ...]
    feature: tuple[str, ...]
    features: Sequence[tuple[str, ...]]
    layer: tuple[int, ...]
    names: Mapping[str, str]
    texts: tuple[str, ...]
    meanings: Evidence
    captions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    language: str | None = None

    def caption(self, concept: str, spoken: str | None) -> str:
        """A name of a concept: in the language asked for, else in the one `spoken` on the page, else in any."""
        named = self.captions.get((self.language or spoken or "").partition("-")[0], {})
        return named.get(concept) or self.names.get(concept, concept)

    def describe(self, words: Iterable[int]) -> Evidence:
        """The words that are of features or layers, each once, with their meanings."""
        return tuple(dict.fromkeys(self.meanings[word] for word in words if self.weight[word] or self.layer[word]))


def build_word_table(lexicon: Lexicon, topic: Topic, language: str | None = None) -> WordTable:
    """Join lexicon and topic once, so that judging a page needs no look-up by name. `language`: see `WordTable`."""
    nearest = [_nearest(word, topic) for word in lexicon.words]
    counting = [_counting(word, sense, topic) for word, sense in zip(lexicon.words, nearest, strict=True)]
    called, captions = _called(lexicon.words), _by_language(lexicon)
    shown = {
        spoken: called | captions.get(language or spoken, {}) for spoken in {_primary(word) for word in lexicon.words}
    }
    return WordTable(
        weight=tuple(weight for _, weight in counting),
        feature=tuple(feature for feature, _ in counting),
        features=FeaturesOfWords(lexicon.words, topic.given.keys()),
        layer=tuple(min((s.layer for s in word.senses if s.layer), default=0) for word in lexicon.words),
        names=called,
        texts=tuple(word.text for word in lexicon.words),
        meanings=tuple(
            _meaning(word, sense, shown[_primary(word)]) for word, sense in zip(lexicon.words, nearest, strict=True)
        ),
        captions=captions,
        language=language,
    )


def keyword_table(table: WordTable, lexicon: Lexicon, topic: Topic) -> WordTable:
    """Remove what the ontology adds, for comparison with plain keywords (paper O, 2.1).

    A feature counts by its own name alone: the first word that it has in each language. Its synonyms and hyponyms count
    for nothing.
    """
    given = topic.given.keys()
    named: set[tuple[str, str | None]] = set()
    features = []
    for word in lexicon.words:
        own = [s.concept for s in word.senses if s.concept in given and (s.concept, word.language) not in named]
        named.update((concept, word.language) for concept in own)
        features.append(tuple(own))
    return replace(table, features=tuple(features))


def _primary(word: Word) -> str:
    return (word.language or "").partition("-")[0]


def _by_language(lexicon: Lexicon) -> dict[str, dict[str, str]]:
    words: dict[str, list[Word]] = {}
    for word in lexicon.words:
        if word.is_name:  # a name in another language is better than a synonym in this one
            words.setdefault(_primary(word), []).append(word)
    return {language: _called(some) for language, some in words.items() if language}


def _called(words: Iterable[Word]) -> dict[str, str]:
    """Concept -> its first word."""
    called: dict[str, str] = {}
    for word in words:
        for sense in word.senses:
            if sense.concept:
                called.setdefault(sense.concept, word.text)
    return called


def _nearest(word: Word, topic: Topic) -> Sense | None:
    """The sense by which a word counts: the one whose nearest feature is the heaviest."""
    counting = [sense for sense in word.senses if sense.features]
    return max(counting, key=lambda s: (topic.weights.get(s.features[0][0], 0.0), s.features[0][0]), default=None)


def _counting(word: Word, nearest: Sense | None, topic: Topic) -> tuple[str, float]:
    """The feature for which a word counts, and its weight: by is-a, or by another relation if that weighs more."""
    feature = nearest.features[0][0] if nearest else ""
    related = ((topic.weights[f] * part, f) for s in word.senses if s.related for f, part in [s.related])
    weight, other = max(related, default=(0.0, ""))
    own = topic.weights.get(feature, 0.0)
    return (other, weight) if weight > own else (feature, own)


def _meaning(word: Word, sense: Sense | None, called: Mapping[str, str]) -> str | Reason:
    """The word, with notes about its concept (if named differently), the feature above it, and its layer."""
    layered = min((s for s in word.senses if s.layer), key=lambda s: s.layer or 0, default=None)
    named = sense or layered
    if named and not named.concept:
        return because("word", word=word.text, notes=(Reason("of a name"),))
    notes: list[str | Reason] = [called[named.concept]] if named and called[named.concept] != word.text else []
    if sense and sense.generation:
        feature = sense.features[0][0]
        notes.append(because("below", generation=sense.generation, feature=called.get(feature, feature)))
    related = [sense.related for sense in word.senses if sense.related]
    notes += [because("related", feature=called.get(feature, feature), part=part) for feature, part in related]
    if layered:
        notes.append(because("layer", number=layered.layer or 0))
    return because("word", word=word.text, notes=tuple(notes)) if notes else word.text


_RUN = re.compile(rf"[ {INVISIBLE}]{{2,}}|{INVISIBLE}")
_LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028]")
# characters on either side of a hit that are segmented; of 13,891 hits, a window of 4 changes 2, one of 6 none
WINDOW = 10
TRUSTED = 4  # a form with at least this many Han characters is not checked by segmentation
_SEEN = 200  # characters examined on either side for an address; chosen, not measured
_HAN = re.compile(f"[{HAN}]")
_UNTOUCHED_FROM = 0x2E80  # Han, kana, Hangul and beyond: the edge rule does not apply to them
# Thai to Burmese, Khmer: written without blanks between words
_UNSPACED = (range(0x0E00, 0x10A0), range(0x1780, 0x1800))
_NEAR_ADDRESS = frozenset("./@:_-=?&#%+'")
_PRINTABLE = re.compile("[!-~]*")
_NAME = re.compile(r"[\w.@-]*", re.ASCII)
_WEB = re.compile(r"://|\bwww\.", re.IGNORECASE)
_DOTTED = re.compile(r"[A-Za-z]\w*\.[a-z]|@", re.ASCII)
_DECIMAL = re.compile(r"\d\.\Z")
_NOT_BESIDE_ONE_LETTER = frozenset("+#'&-")

Place = tuple[int, int, int]  # start, end, pattern
Found = tuple[int, int, int, tuple[int, ...]]  # start, end, number of letters of the ending, words


@dataclass(frozen=True, slots=True)
class Normalised:
    """`text` is the folded text. From `starts[i]` on, an offset in it plus `shifts[i]` is the offset in the input."""

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def original(self, offset: int) -> int:
        """The offset in the input of the character at `offset` of `text`."""
        if not self.starts:
            return offset
        i = bisect_right(self.starts, offset)
        return offset + (self.shifts[i - 1] if i else 0)


def normalise(text: str) -> Normalised:
    """Fold a text in linear time. A blank line becomes PARAGRAPH, a line break inside a Chinese word nothing. Most
    pages have no runs of blanks and need no mapping.
    """
    if "\n" in text or "\r" in text:  # never in the text of a page
        text = BREAK.sub(lambda run: INVISIBLE * len(run[0]), text)
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


class TermHit(NamedTuple):
    """Characters `start` to `end` (exclusive) of the text are a form of `words` (indices into `Lexicon.words`).

    A plural ending that is only appended to the label (jet|s, lens|es) lies after `end`.
    """

    start: int
    end: int
    words: tuple[int, ...]


class Matcher:
    """Finds the words of one lexicon. It never changes after construction, so threads may share it."""

    def __init__(self, lexicon: Lexicon, segmenter: Segmenter = by_dictionary) -> None:
        forms: dict[str, list[str]] = {}
        for form in lexicon.forms:
            forms.setdefault(same_word_key(form), []).append(form)
        touchy = _touchy_characters()
        self._segmenter = segmenter
        self._forms = list(forms.values())
        self._left = bytes(key[0] in touchy or not key[0].isalnum() for key in forms)
        self._right = bytes(key[-1] in touchy for key in forms)
        self._doubtful = frozenset(i for i, key in enumerate(forms) if 0 < len(_HAN.findall(key)) < TRUSTED)
        self._any_case = tuple(
            tuple(dict.fromkeys(word for form in same for word in lexicon.forms[form]))
            if lexicon.cased.isdisjoint(same)
            else ()
            for same in self._forms
        )
        self._own_case = {
            form: lexicon.forms[form]
            for same, words in zip(self._forms, self._any_case, strict=True)
            if not words
            for form in same
        }
        self._cased = lexicon.cased
        labels = {same_word_key(word.text) for word in lexicon.words}
        self._ending = bytes(0 if key in labels else _added_ending(key, forms, lexicon) for key in forms)
        self._automaton = CharwiseDoubleArrayAhoCorasick(list(forms))

    def load(self) -> None:
        """Load the segmenter's dictionary now, if any form needs it, instead of at the first hit."""
        if self._doubtful:
            self._segmenter(["的"])

    @property
    def travels(self) -> bool:
        """Whether it can be sent to another process. One with a neural segmenter cannot."""
        return self._segmenter is by_dictionary

    def find(self, text: str) -> list[TermHit]:
        """All mentions in `text`, sorted, without overlaps; offsets in characters of `text`. Linear time."""
        normal = normalise(text)
        found: list[Place] = self._automaton.find_overlapping(normal.text.replace("-", " "))
        places = self._uncrossed(_whole_places(found, normal.text, self._left, self._right), normal.text)
        if normal.starts:
            places = [(normal.original(start), normal.original(end - 1) + 1, i) for start, end, i in places]
        return _longest_hits(places, text, self._left, self._any_case, self._ending, self._in_own_case)

    def _uncrossed(self, places: list[Place], text: str) -> list[Place]:
        """The no-crossing rule: the places that no Chinese word overlaps partially."""
        doubtful = sorted(place for place in places if place[2] in self._doubtful)
        if not doubtful:
            return places
        crossed: set[Place] = set()
        windows = list(_windows(doubtful, len(text)))
        stretches = [text[first:last] for first, last, _ in windows]
        for (first, _, inside), stretch, words in zip(windows, stretches, self._segmenter(stretches), strict=True):
            borders = list(accumulate(map(len, words), initial=0))
            crossed.update(
                place for place in inside if _is_crossed(stretch, place[0] - first, place[1] - first, borders)
            )
        return [place for place in places if place not in crossed] if crossed else places

    def _in_own_case(self, pattern: int, found: str) -> tuple[int, ...]:
        narrow = normalize("NFKC", found)
        forms = (f for f in self._forms[pattern] if f not in self._cased or same_case(f, narrow))
        return tuple(dict.fromkeys(word for form in forms for word in self._own_case[form]))


def _added_ending(key: str, forms: Mapping[str, list[str]], lexicon: Lexicon) -> int:
    """How many letters at the end of a pattern are an ending that another form of the same word lacks."""
    for length, endings in ((1, ("s", "e")), (2, ("es",))):
        if key.endswith(endings) and _words_of(forms.get(key[:-length], ()), lexicon) & _words_of(forms[key], lexicon):
            return length
    return 0


def _words_of(forms: Iterable[str], lexicon: Lexicon) -> set[int]:
    return {word for form in forms for word in lexicon.forms[form]}


@cache
def _touchy_characters() -> frozenset[str]:
    """Letters, digits and accents of alphabets that separate words by blanks, folded; and the underscore."""
    codes = (code for code in range(_UNTOUCHED_FROM) if not any(code in block for block in _UNSPACED))
    return frozenset(c for c in map(chr, codes) if c == "_" or category(c)[0] in "LNM")


def _whole_places(places: list[Place], text: str, left: bytes, right: bytes) -> list[Place]:
    """The edge rule: places of patterns whose edges no letter or digit touches. `left`, `right`: for each pattern
    whether that edge must be free.
    """
    touchy = _touchy_characters()
    padded = text + " "  # so that index -1, before the first character, is a blank
    return [
        (start, end, i)
        for start, end, i in places
        if not (left[i] and padded[start - 1] in touchy) and not (right[i] and padded[end] in touchy)
    ]


def _windows(places: list[Place], size: int) -> Iterator[tuple[int, int, list[Place]]]:
    """Group sorted places by the stretch of text around them: (start, end, places). Stretches that touch are merged."""
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
    """Whether a word crosses one edge of the hit but not the other. For hits of one character see `names`."""
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
    """Whether a hit is part of an address, a file name or a decimal number, or is the one letter of C++ or X-ray."""
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


OwnCase = Callable[[int, str], tuple[int, ...]]


def _longest_hits(  # noqa: PLR0913, PLR0917 - the columns of a matcher
    places: Iterable[Place],
    text: str,
    left: bytes,
    words: Sequence[tuple[int, ...]],
    endings: bytes,
    own_case: OwnCase,
) -> list[TermHit]:
    """Of the places the leftmost ones, of these the longest, without overlaps; without parts of addresses and without
    those written in another case.

    `words`: of each pattern; `own_case` gives those of a pattern that has none here, as they are written in the text.
    `endings`: for each pattern the number of letters of its ending. `left`: see `_whole_places`.
    """
    found: list[Found] = []
    for start, end, i in places:
        if left[i] and _is_part_of_address(text, start, end):
            continue
        if named := words[i] or own_case(i, text[start:end]):
            found.append((start, end, endings[i], named))
    hits: list[TermHit] = []
    free = 0
    for start, end, ending, named in sorted(found, key=lambda place: (place[0], -place[1])):
        if start >= free:
            hits.append(TermHit(start, end - ending, named))
            free = end
    return hits


POSITION_WEIGHT = {  # f(n) of paper O, formula 2
    Position.ANCHOR: 2.0,
    Position.TITLE: 1.5,
    Position.H1: 1.5,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.0,
    Position.OTHER: 1.0,
}
_ANCHOR = Position.ANCHOR  # a local name: looking up an enumeration's member costs time in a loop


class Mention(NamedTuple):
    """One place in `Page.text` where a word of the lexicon stands. `word` is an index into `Lexicon.words`."""

    start: int
    end: int
    word: int
    position: Position


_AS_MENTION = partial(tuple.__new__, Mention)  # avoids a Python call for each mention


@dataclass(frozen=True)
class ConceptCounts:
    """All mentions of a page in text order. `length`, `anchor_length`: characters outside and inside of anchors."""

    mentions: tuple[Mention, ...]
    length: int
    anchor_length: int

    def between(self, start: int, end: int) -> Sequence[Mention]:
        """The mentions that lie completely between two offsets."""
        starts = self._starts
        first = bisect_left(starts, start)
        if first == len(starts) or starts[first] >= end:  # true for most links
            return ()
        last = bisect_left(starts, end, first)
        return [mention for mention in self.mentions[first:last] if mention.end <= end]

    @cached_property
    def _starts(self) -> list[int]:
        return [mention.start for mention in self.mentions]


def count_concepts(page: Page, matcher: Matcher) -> ConceptCounts:
    """Find every word of the lexicon in the page. A mention has the position of its first character."""
    return _located(matcher.find(page.text), page.spans)


def _located(hits: list[TermHit], spans: tuple[Span, ...]) -> ConceptCounts:
    """The mentions of hits in these spans; both are in the order of the text."""
    starts, ends, positions = zip(*spans, strict=True) if spans else ((0,), (0,), (Position.OTHER,))
    mentions: list[Mention] = []
    span, last = 0, len(starts) - 1
    for start, end, words in hits:
        while span < last and starts[span + 1] <= start:
            span += 1
        mentions += [_AS_MENTION((start, end, word, positions[span])) for word in words]
    inside = sum([end - start for start, end, position in spans if position is _ANCHOR])
    return ConceptCounts(tuple(mentions), sum(ends) - sum(starts) - inside, inside)


def mention_records(
    counts: ConceptCounts, concepts: Sequence[tuple[str, ...]], table: WordTable, parts: Sequence[Part]
) -> tuple[MentionRecord, ...]:
    """One record for each concept that the page names. Its weight is w_ir · sum_n f(n) tf_ijn (paper O, formula 2).

    `concepts`: for each word of the lexicon, the IRIs of the concepts that it names. `parts`: of the page.
    """
    places: dict[str, list[int]] = {}
    weight: dict[str, float] = {}
    number, own = 0, [is_own(score) for _, _, score in parts] if counts.mentions else ()
    for mention in counts.mentions:
        while parts[number][1] <= mention.start:
            number += 1
        for concept in concepts[mention.word]:
            places.setdefault(concept, []).append(place_in(number, mention.position))
            gain = table.weight[mention.word] * POSITION_WEIGHT[mention.position]
            weight[concept] = weight.get(concept, 0.0) + gain
    records = []
    for concept, found in places.items():
        where = by_position(in_own_parts(found, own))
        records.append(MentionRecord(concept, sum(where.values()), weight[concept], where, tuple(found)))
    return tuple(records)
