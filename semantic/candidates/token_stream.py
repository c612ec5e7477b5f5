"""Texts as rows of word numbers, on which candidates are counted.

A text is folded as the lexicon folds it. A word of an alphabet is a run of letters and digits with what joins them
(node.js, c++, x86_64). A hyphen separates like a blank, so `key-value store` is `key value store`. Chinese is cut by
the dictionary. Any other character between two words is a gap, which no candidate crosses. A plural counts as its
singular if the singular occurs as well.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.inflection import singulars
from ontology.lexicon.surface_forms import HAN, INVISIBLE, fold
from semantic.page import PARAGRAPH
from semantic.segmentation.word_segmentation import Segmenter, by_dictionary

Ids = NDArray[np.int32]
Runs = tuple[tuple[str, ...], ...]

GAP = 0  # number of a separator
BETWEEN = -1  # what `_word_numbers` gives for a `PARAGRAPH`
_DIVIDER = " | "  # between blocks; any punctuation would do
# share of the plural's count that the singular needs: `postgre` stands beside 1,000 `postgres`; chosen, not measured
_SINGULAR_SHARE = 0.1
# a Han run, a word, or another character; blanks and hyphens are skipped
_PIECES = re.compile(
    rf"[{HAN}]+|[^\W{HAN}]+(?:[.'’+#&@](?=[^\W_{HAN}])[^\W{HAN}]+)*(?:\+\+|#(?!\w))?|\.net\b|[^\s\w{INVISIBLE}-]"
)
_IS_WORD = re.compile(r"[^\W_]")
_HAN_RUN = re.compile(f"[{HAN}]+")
_HAN_FROM, _HAN_TO = HAN[0], HAN[2]


class TokenStream:
    """Numbers words as they come. `words[number]` is the word; number 0 is a gap."""

    def __init__(self, segmenter: Segmenter = by_dictionary) -> None:
        self._segmenter = segmenter
        self._numbers = _StreamNumbers(self._number)
        self.words: list[str] = [""]

    def read(self, blocks: Iterable[str]) -> Ids:
        """The words of some blocks, as numbers, with a gap before and after each block."""
        words = self._read(_DIVIDER.join(blocks).replace(PARAGRAPH, " "), is_new=True)
        found = np.zeros(len(words) + 2, np.int32)
        found[1:-1] = words
        return found

    def words_of(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text, without gaps; read together, for each call of `read` takes time."""
        words = self.words
        return [[words[number] for number in found if number] for found in self._of_each(texts, is_new=True)]

    def numbers(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The words of each text as numbers; None if not all of them were read before, or a gap separates them."""
        return [None if GAP in found else found for found in self._of_each(texts, is_new=False)]

    def _of_each(self, texts: Sequence[str], *, is_new: bool) -> list[list[int]]:
        """For each text the numbers of its words, and gaps."""
        every = self._read(PARAGRAPH.join(text.replace(PARAGRAPH, " ") for text in texts), is_new=is_new)
        borders = [-1, *np.flatnonzero(every == BETWEEN).tolist(), len(every)]
        found = every.tolist()
        return [found[before + 1 : end] for before, end in pairwise(borders)][: len(texts)]

    def _read(self, text: str, *, is_new: bool) -> Ids:
        folded = fold(text)
        return _word_numbers(folded, self._numbers, self._cut(folded), is_new=is_new)

    def _cut(self, text: str) -> Runs:
        """The words of each run of Han characters. All runs are segmented as one text, joined by line feeds: one call
        each takes three times as long.
        """
        runs = [] if text.isascii() else _HAN_RUN.findall(text)
        if not runs:
            return ()
        (words,) = self._segmenter(["\n".join(runs)])
        return tuple(tuple(run.split("\0")) for run in "\0".join(words).split("\0\n\0"))

    def number_of(self, word: str) -> int:
        """The number of a folded word; that of a gap if it was not read."""
        return self._numbers.get(word, GAP)

    def _number(self, word: str) -> int:
        """The number of a word that was not read before."""
        if not _IS_WORD.search(word):
            return GAP
        bare = word.removesuffix("'s")
        if bare not in self._numbers:
            self._numbers[bare] = len(self.words)
            self.words.append(bare)
        return self._numbers[bare]

    def singular(self, counts: Sequence[int]) -> Ids:
        """For each word number that of its singular if that occurs often enough, else its own. `counts`: of each
        word.
        """
        found = np.arange(len(self.words), dtype=np.int32)
        for number, word in enumerate(self.words):
            if not counts[number] or not word.isascii():
                continue
            for single in singulars(word):
                other = self._numbers.get(single)
                if other is not None and counts[other] >= _SINGULAR_SHARE * counts[number]:
                    found[number] = other
                    break
        return found


class _StreamNumbers(dict[str, int]):
    """Numbers of words; a word that is looked up by `[]` for the first time is given one."""

    def __init__(self, new: Callable[[str], int]) -> None:
        super().__init__({"": GAP})
        self._new = new

    def __missing__(self, word: str) -> int:
        number = self[word] = self._new(word)
        return number


def _word_numbers(text: str, numbers: dict[str, int], cut: Runs, *, is_new: bool) -> Ids:
    """Of a folded text the numbers of its words, `GAP` for each sign that separates words, `BETWEEN` for a `PARAGRAPH`.

    `numbers`: of words; if `is_new`, it gives a number to those that it lacks, which otherwise are gaps. `cut`: the
    words of each run of Han characters.
    """
    runs = iter(cut)
    found: list[int] = []
    for part in text.split(PARAGRAPH):
        words: Iterable[str] = _PIECES.findall(part)
        if cut:
            words = chain.from_iterable(next(runs) if _HAN_FROM <= word[0] <= _HAN_TO else (word,) for word in words)
        if is_new:
            found += map(numbers.__getitem__, words)
        else:
            found += (numbers.get(word.removesuffix("'s"), GAP) for word in words)
        found.append(BETWEEN)
    return np.array(found[:-1], np.int32)


def is_han(word: str) -> bool:
    """Whether a word is Chinese."""
    return _HAN_FROM <= word[:1] <= _HAN_TO


def joined(words: Sequence[str]) -> str:
    """The words as one text (folded), with a blank between two words of alphabets."""
    text = ""
    for word in words:
        text += f" {word}" if text and not is_han(word) and not is_han(text[-1]) else word
    return text
