"""Words as numbers: feature hashing (Weinberger et al. 2009), so that no vocabulary grows with the crawl.

A token is `kind` and a text, hashed by CRC-32 to 18 bits; 0 is no token. The same word in an anchor and in an address
gives two tokens. Han text has no blanks: it is cut into overlapping pairs of characters, which work as well as words
here.

`numbers_in` hashes all words of a page at once, without an object for each word. It uses that a CRC-32 is linear: it is
a value for the word's length, XOR a value for each byte by its distance from the word's end (`_by_distance`).

`in_c/feature_hashing.c` does the same word by word.

`hash_page` gives the words by which the judge's training knows which pages are similar. A page has two blocks: the
words of its text (Han text as pairs of characters), each weighing log(1 + occurrences weighted by position), and the
words, folders and host of its address. A page takes about 1.5 KB.

The processes that read pages import this; so it must not import scipy, which takes half a second.
"""

import re
import struct
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from operator import add
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.surface_forms import fold
from semantic.compiled import loops
from semantic.page import Page, Position, Span
from semantic.urls import host_of, words_of

# bits of a hash: 262,144 numbers; chosen, not measured
BITS = 18
SIZE = 1 << BITS
_PART_BITS = 3  # bits for the index of a text: hashed pages have texts of four different weights
Weighed = tuple[NDArray[np.int32], NDArray[np.float64]]

_HAN = r"\u3400-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"([{_HAN}]+)|([^\W_{_HAN}]+)")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_NO_WORD = re.compile(rf"[\W_{_HAN}]+")
_ASCII = re.compile("[a-z0-9]+")
_BLANK, _END = ord(" "), ord("\n")
_MARK = 1 << 31  # bit that marks a Han character in `word_characters`
_LONGEST = 32  # bytes; longer words are hashed one by one; chosen, not measured
_REMEMBERED = 30_000  # cached words of one kind, about 3 MB; chosen, not measured
_CODES = f"utf-32-{sys.byteorder[0]}e"


def token(kind: str, text: str) -> int:
    """The number of a token, 1 to 2^18 - 1."""
    return crc32(f"{kind}\t{text}".encode()) % (SIZE - 1) + 1


def words(text: str) -> list[str]:
    """The words of a text, folded, in order; Han runs as overlapping pairs."""
    if text.isascii():
        return _ASCII.findall(text.lower())
    found: list[str] = []
    for han, word in _RUN.findall(fold(text)):
        if word:
            found.append(word)
        else:
            found += map(add, han, han[1:])
    return found


def tokens(kind: str, found: Iterable[str], most: int) -> list[int]:
    """The numbers of the first `most` different words."""
    return numbers_of(kind, list(dict.fromkeys(found))[:most])


def numbers_of(kind: str, found: Iterable[str]) -> list[int]:
    """The number of each word. For short texts, whose words recur often."""
    return list(map(_known_numbers(kind).__getitem__, found))


def first_numbers(kind: str, text: str, most: int) -> bytes:
    """The numbers of the first `most` different words of a text, as int32."""
    found = tokens(kind, words(text), most)
    return struct.pack(f"={len(found)}i", *found)


def near_numbers(kind: str, before: str, after: str, half: int) -> bytes:
    """The numbers of the last `half` words of one text and the first of another, as 2 `half` int32.

    Ascending, each once: 0 for one that comes again, and where there are fewer.
    """
    found = sorted(numbers_of(kind, [*words(before)[-half:], *words(after)[:half]]))
    if len(set(found)) < len(found):
        found = [0 if number == last else number for last, number in pairwise([0, *found])]
    return bytes(4 * (2 * half - len(found))) + struct.pack(f"={len(found)}i", *found)


@cache
def begun(kind: str) -> int:
    """The CRC-32 of what stands before each word."""
    return crc32(f"{kind}\t".encode())


class _HashNumbers(dict[str, int]):
    """A cache of the numbers of one kind's words: looking up takes a quarter of the time of hashing."""

    def __init__(self, kind: str) -> None:
        self._start = begun(kind)

    def __missing__(self, word: str) -> int:
        number = crc32(word.encode(), self._start) % (SIZE - 1) + 1
        if len(self) >= _REMEMBERED:
            self.clear()
        if len(word) <= _LONGEST:
            self[word] = number
        return number


@cache
def _known_numbers(kind: str) -> _HashNumbers:
    return _HashNumbers(kind)


def numbers_in(kind: str, texts: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The number of each word in some texts, as `words` cuts them, and the index of its text; in any order."""
    characters = word_characters().take(_codes("\n".join([*texts, ""])))
    ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int64) - 1
    han = characters.view(np.int32) < 0
    pairs = np.zeros(0, np.int64)
    if han.any():
        pairs = np.flatnonzero(han[:-1] & han[1:])
        spaced = np.full((len(pairs), 3), _BLANK, np.uint32)
        spaced[:, 1], spaced[:, 2] = characters[pairs], characters[pairs + 1]
        characters[han] = _BLANK
        characters[ends] = _END
        characters = np.concatenate([characters, spaced.ravel() & ~np.uint32(_MARK)])
    else:
        characters[ends] = _END
    raw = np.frombuffer(characters.tobytes().decode(_CODES).encode(), np.uint8)
    numbers, starts = _hashed(kind, raw)
    words_before = starts.searchsorted(np.flatnonzero(raw == _END))
    where = np.repeat(np.arange(len(texts)), np.diff(words_before, prepend=0))
    return numbers, np.concatenate([where, ends.searchsorted(pairs)])


def weighed_in_python(kind: str, text: str, spans: Sequence[Span], weights: dict[Position, float]) -> Weighed:
    """The numbers of all words in a text, ascending, and the summed weights of the spans that have it, by position.

    There are up to eight different weights.
    """
    texts: dict[float, list[str]] = defaultdict(list)
    for start, end, position in spans:
        texts[weights[position]].append(text[start:end])
    found, where = numbers_in(kind, ["\n".join(parts) for parts in texts.values()])
    if not len(found):
        return np.zeros(0, np.int32), np.zeros(0)
    both = np.sort(found << np.uint32(_PART_BITS) | where.astype(np.uint32))
    first = np.flatnonzero(np.diff(both, prepend=np.uint32(0)))  # 0 is no word
    counts = np.diff(first, append=len(both))
    both = both[first]
    numbers = (both >> np.uint32(_PART_BITS)).astype(np.int32)
    first = np.flatnonzero(np.diff(numbers, prepend=0))
    sums = np.add.reduceat(np.array(list(texts)).take(both & np.uint32(2**_PART_BITS - 1)) * counts, first)
    return numbers[first], sums


def weighed_compiled(kind: str, text: str, spans: Sequence[Span], weights: dict[Position, float]) -> Weighed:
    """The same in C."""
    numbers, sums = loops.weighed_numbers(text, spans, weights, word_characters(), begun(kind))
    return np.frombuffer(numbers, np.int32), np.frombuffer(sums, np.float64)


weighed_numbers = weighed_compiled if loops else weighed_in_python


def _hashed(kind: str, raw: NDArray[np.uint8]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The numbers of words in UTF-8, separated by blanks or bytes below a blank; and the offset at which each
    begins.
    """
    inside = np.zeros(len(raw) + 2, bool)
    np.greater(raw, _BLANK, out=inside[1:-1])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return np.zeros(0, np.uint32), starts
    sizes = ends - starts
    places = np.flatnonzero(inside[1:-1])
    distance = np.minimum(np.repeat(ends, sizes) - places, _LONGEST)
    hashes = np.bitwise_xor.reduceat(_by_distance().take(distance * 256 + raw.take(places)), np.cumsum(sizes) - sizes)
    hashes ^= _by_length(kind).take(np.minimum(sizes, _LONGEST))
    for word in np.flatnonzero(sizes > _LONGEST):
        hashes[word] = crc32(raw[starts[word] : ends[word]].tobytes(), begun(kind))
    return hashes % np.uint32(SIZE - 1) + np.uint32(1), starts


@cache
def word_characters() -> NDArray[np.uint32]:
    """For each code point the folded character, with a mark bit for Han; a blank for what is no part of a word."""
    every = np.arange(sys.maxunicode + 1, dtype=np.uint32).tobytes().decode(_CODES, "surrogatepass")
    folded = fold(every)
    characters = _codes(folded).copy()
    for run in _NO_WORD.finditer(folded):
        characters[run.start() : run.end()] = _BLANK
    for run in _HAN_RUN.finditer(folded):
        characters[run.start() : run.end()] = _codes(run[0]) | _MARK
    return characters


@cache
def _by_distance() -> NDArray[np.uint32]:
    """The effect of each byte on a CRC-32, by its distance from the end: 256 entries for each distance from 0."""
    rows = [
        [crc32(bytes([byte, *bytes(after)])) ^ crc32(bytes(after + 1)) for byte in range(256)]
        for after in range(_LONGEST)
    ]
    return np.array([[0] * 256, *rows], np.uint32).ravel()


@cache
def _by_length(kind: str) -> NDArray[np.uint32]:
    """The CRC-32 of `kind` followed by as many zero bytes as a word has bytes, for each length."""
    return np.array([crc32(f"{kind}\t".encode() + bytes(size)) for size in range(_LONGEST + 1)], np.uint32)


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode(_CODES, "surrogatepass"), np.uint32)


POSITION_WEIGHT = {  # as in the kernels measured on archived webs (../shared/research/judge.md: Marks)
    Position.TITLE: 3.0,
    Position.H1: 3.0,
    Position.H2: 1.5,
    Position.STRONG: 1.5,
    Position.EMPHASIS: 1.0,
    Position.OTHER: 1.0,
    Position.ANCHOR: 0.3,
}
DEEPEST = 4  # folders of an address that are used; chosen, not measured


class HashedWords(NamedTuple):
    """Numbers of words, ascending, and the weight of each."""

    words: NDArray[np.int32]
    weights: NDArray[np.float32]


NO_WORDS = HashedWords(np.zeros(0, np.int32), np.zeros(0, np.float32))


class HashedPage(NamedTuple):
    """The two blocks of a page."""

    text: HashedWords
    address: HashedWords

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: arrays as bytes, which takes a fifth of the time."""
        return _blocks, tuple([(words.tobytes(), weights.tobytes()) for words, weights in self])


def _blocks(*blocks: tuple[bytes, bytes]) -> HashedPage:
    return HashedPage(
        *[HashedWords(np.frombuffer(words, np.int32), np.frombuffer(weights, np.float32)) for words, weights in blocks]
    )


NO_PAGE = HashedPage(NO_WORDS, NO_WORDS)


def hash_page(page: Page) -> HashedPage:
    """Hash the words of a page and of its address."""
    numbers, sums = weighed_numbers("text", page.text, page.spans, POSITION_WEIGHT)
    counts = Counter(numbers_of("address", _address(page.url)))
    own = sorted(counts)  # an address has few words; numpy would take longer
    weights = np.log1p(np.concatenate([sums, [counts[number] for number in own]])).astype(np.float32)
    of_text, of_address = weights[: len(sums)], weights[len(sums) :]
    return HashedPage(HashedWords(numbers, of_text), HashedWords(np.array(own, np.int32), of_address))


def _address(url: str) -> list[str]:
    host = host_of(url)
    folders = urlsplit(url).path.split("/")[1:-1][:DEEPEST]
    chain = ["/".join([host, *folders[:depth]]) for depth in range(len(folders) + 1)]
    return [*words(words_of(url)), *chain]


def once(numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Keep each token once in a row; repetitions become 0, no token."""
    found = np.sort(numbers, axis=1)
    found[:, 1:][found[:, 1:] == found[:, :-1]] = 0
    return found
