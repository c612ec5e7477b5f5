"""Texts as rows of word numbers, on which candidates are counted.

A text is folded as the lexicon folds it. A word of an alphabet is a run of letters and digits with what joins them
(node.js, c++, x86_64). A hyphen separates like a blank, so `key-value store` is `key value store`. Chinese is cut by
the dictionary. Any other character between two words is a gap, which no candidate crosses. A plural counts as its
singular if the singular occurs as well.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.inflection import singulars
from ontology.lexicon.surface_forms import HAN, INVISIBLE, fold
from semantic.page import PARAGRAPH
from semantic.segmentation.word_segmentation import Segmenter, by_dictionary

Ids = NDArray[np.int32]

GAP = 0  # number of a separator
_DIVIDER = " | "  # between blocks; any punctuation would do
# share of the plural's count that the singular needs: `postgre` stands beside 1,000 `postgres`; chosen, not measured
_SINGULAR_SHARE = 0.1
# a Han run, a word, or another character; blanks and hyphens are skipped
_PIECES = re.compile(
    rf"[{HAN}]+|[^\W{HAN}]+(?:[.'’+#&@](?=[^\W_{HAN}])[^\W{HAN}]+)*(?:\+\+|#(?!\w))?|\.net\b|[^\s\w{INVISIBLE}-]"
)
_IS_WORD = re.compile(r"[^\W_]")
_HAN_SIGN = re.compile(f"[{HAN}]")
_HAN_FROM, _HAN_TO = HAN[0], HAN[2]


class TokenStream:
    """Numbers words as they come. `words[number]` is the word; number 0 is a gap."""

    def __init__(self, segmenter: Segmenter = by_dictionary) -> None:
        self._segmenter = segmenter
        self._numbers = _Numbers(self._number)
        self.words: list[str] = [""]

    def read(self, blocks: Iterable[str]) -> Ids:
        """The words of some blocks, as numbers, with a gap before and after each block."""
        (words,) = self._words([_DIVIDER.join(blocks)])
        found = np.zeros(len(words) + 2, np.int32)
        found[1:-1] = np.fromiter(map(self._numbers.__getitem__, words), np.int32, len(words))
        return found

    def words_of(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text, without gaps; read together, for each call of `read` takes time."""
        numbers, words = self._numbers, self.words
        return [[words[number] for one in found if (number := numbers[one])] for found in self._words(texts)]

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text, and the signs between them. All are folded and segmented together, since each call
        takes time.
        """
        every = fold(PARAGRAPH.join(text.replace(PARAGRAPH, " ") for text in texts))
        found: list[list[str]] = [_PIECES.findall(text) for text in every.split(PARAGRAPH)[: len(texts)]]
        if not _HAN_SIGN.search(every):
            return found
        runs = [piece for words in found for piece in words if _HAN_FROM <= piece[0] <= _HAN_TO]
        cut = iter(self._cut(runs))
        return [
            list(chain.from_iterable(next(cut) if _HAN_FROM <= piece[0] <= _HAN_TO else (piece,) for piece in words))
            for words in found
        ]

    def _cut(self, runs: Sequence[str]) -> list[list[str]]:
        """The words of each run. All runs are segmented as one text, joined by line feeds: one call each takes three
        times as long.
        """
        (words,) = self._segmenter(["\n".join(runs)])
        return [run.split("\0") for run in "\0".join(words).split("\0\n\0")]

    def numbers(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The words of each text as numbers; None if not all of them were read before, or a gap separates them."""
        known = self._numbers
        found = ([known.get(word.removesuffix("'s"), GAP) for word in words] for words in self._words(texts))
        return [None if GAP in read else read for read in found]

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


class _Numbers(dict[str, int]):
    """Numbers of words; a word that is looked up by `[]` for the first time is given one."""

    def __init__(self, new: Callable[[str], int]) -> None:
        super().__init__({"": GAP})
        self._new = new

    def __missing__(self, word: str) -> int:
        number = self[word] = self._new(word)
        return number


def is_han(word: str) -> bool:
    """Whether a word is Chinese."""
    return _HAN_FROM <= word[:1] <= _HAN_TO


def joined(words: Sequence[str]) -> str:
    """The words as one text (folded), with a blank between two words of alphabets."""
    text = ""
    for word in words:
        text += f" {word}" if text and not is_han(word) and not is_han(text[-1]) else word
    return text
