"""The words of a text, for the strategies that know a page by its words and not by the ontology's (papers A, C and J).

A text is folded first (width, case, simplified characters). Chinese is cut by the dictionary of `segmenting`, other
scripts at whatever is no letter or digit; words are not stemmed. Left out: stop words (Chinese: the dictionary's
grammatical words and a few auxiliary verbs; English: scikit-learn's list), numbers, and single letters.
"""

import re
from collections import Counter
from functools import cache

from ontology.folding import fold
from ontology.surface import HAN
from semantic.learning.fitting import english_stop_words
from semantic.page import PARAGRAPH, Page
from semantic.segmenting import cut, function_words

_HAN_RUN = re.compile(f"[{HAN}]+")
_SPACED = re.compile(f"[^\\W_{HAN}]{{2,}}")
_AUXILIARY = frozenset(["要", "会", "能", "可", "可以", "能够", "应", "应该", "让", "使", "到", "没有", "需要", "请"])
_KEPT = 50_000  # short texts whose words are remembered: menus repeat on every page of a site


def count_words(text: str) -> Counter[str]:
    """Word -> occurrences. Linear in the length of the text: about a millisecond for 5,000 characters."""
    folded = fold(text)
    counts = Counter(_SPACED.findall(folded))
    counts.update(cut(PARAGRAPH.join(_HAN_RUN.findall(folded))))
    stop = stop_words()
    return Counter({word: n for word, n in counts.items() if word not in stop and not word.isdecimal()})


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing of a topic."""
    return function_words() | english_stop_words() | _AUXILIARY | {PARAGRAPH}


class WordReader:
    """Counts words; the last page's and those of short texts are remembered, as several parts ask for the same."""

    def __init__(self) -> None:
        self._page: Page | None = None
        self._words: Counter[str] = Counter()
        self._texts: dict[str, Counter[str]] = {}

    def of_page(self, page: Page) -> Counter[str]:
        """The words of the whole page."""
        if page is not self._page:
            self._page, self._words = page, count_words(page.text)
        return self._words

    def of_text(self, text: str) -> Counter[str]:
        """The words of a short text, such as an anchor."""
        found = self._texts.get(text)
        if found is None:
            if len(self._texts) >= _KEPT:
                self._texts.clear()
            found = self._texts[text] = count_words(text)
        return found
