"""Texts as rows of word numbers, on which candidates are counted.

A text is folded as the lexicon folds it. A word of an alphabet is a run of letters and digits with what joins them
(node.js, c++, x86_64). A hyphen separates like a blank, so `key-value store` is `key value store`. Chinese is cut by
the dictionary. Any other character between two words is a gap, which no candidate crosses. A plural counts as its
singular if the singular occurs as well.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ontology.lexicon.inflection import singulars
from ontology.lexicon.surface_forms import HAN, INVISIBLE, fold
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
_HAN_FROM, _HAN_TO = HAN[0], HAN[2]


class TokenStream:
    """Numbers words as they come. `words[number]` is the word; number 0 is a gap."""

    def __init__(self, segmenter: Segmenter = by_dictionary) -> None:
        self._segmenter = segmenter
        self._numbers: dict[str, int] = {"": GAP}
        self.words: list[str] = [""]

    def read(self, blocks: Iterable[str]) -> Ids:
        """The words of some blocks, as numbers, with a gap before and after each block."""
        words = _PIECES.findall(fold(_DIVIDER.join(blocks)))
        runs = [piece for piece in words if _HAN_FROM <= piece[0] <= _HAN_TO]
        if runs:
            cut = iter(self._cut(runs))
            words = list(
                chain.from_iterable(next(cut) if _HAN_FROM <= piece[0] <= _HAN_TO else (piece,) for piece in words)
            )
        known = self._numbers
        for word in dict.fromkeys(words):
            if word not in known:
                self._number(word)
        found = map(known.__getitem__, words)
        return np.array([GAP, *found, GAP], np.int32)

    def _cut(self, runs: Sequence[str]) -> list[list[str]]:
        """The words of each run. All runs are segmented as one text, joined by line feeds: one call each takes three
        times as long.
        """
        (words,) = self._segmenter(["\n".join(runs)])
        return [run.split("\0") for run in "\0".join(words).split("\0\n\0")]

    def numbers(self, text: str) -> Ids | None:
        """The words of a text as numbers; None if not all of them were read before, or a gap separates them."""
        other = TokenStream(self._segmenter)
        read = [self._numbers.get(other.words[number]) for number in other.read([text])[1:-1]]
        return None if None in read or GAP in read else np.array(read, np.int32)

    def number_of(self, word: str) -> int:
        """The number of a folded word; that of a gap if it was not read."""
        return self._numbers.get(word, GAP)

    def _number(self, word: str) -> int:
        if not _IS_WORD.search(word):
            number = GAP
        else:
            bare = word.removesuffix("'s")
            if bare != word and bare in self._numbers:
                number = self._numbers[bare]
            else:
                number = len(self.words)
                self.words.append(bare)
                self._numbers[bare] = number
        self._numbers[word] = number
        return number

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


def is_han(word: str) -> bool:
    """Whether a word is Chinese."""
    return _HAN_FROM <= word[:1] <= _HAN_TO


def joined(words: Sequence[str]) -> str:
    """The words as one text (folded), with a blank between two words of alphabets."""
    text = ""
    for word in words:
        text += f" {word}" if text and not is_han(word) and not is_han(text[-1]) else word
    return text
