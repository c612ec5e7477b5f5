"""Which words are written as names are: with a capital inside a sentence, or inside the word."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from ontology.lexicon.surface_forms import HAN, fold

HEADING = 60  # characters of a block that may be a heading, where each word has a capital
_HAN_SIGN = re.compile(f"[{HAN}]")
# Behind a word in small letters, a comma or Chinese: there no sentence begins.
_INSIDE = re.compile(rf"(?:(?<=[a-z,;{HAN}] )|(?<=[{HAN}]))([^\W_\d{HAN}][^\W{HAN}]*(?:[.+#]+[^\W_{HAN}]*)*)")


def name_shares(blocks: Iterable[str]) -> Mapping[str, float]:
    """Word (folded) -> of the times when its letters could tell, the share in which it is written as a name."""
    found: Counter[str] = Counter()
    for block in blocks:
        if len(block) > HEADING or _HAN_SIGN.search(block):
            found.update(_INSIDE.findall(block))
    every: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for written, count in found.items():
        word = fold(written).rstrip(".")
        every[word] += count
        names[word] += 0 if written.islower() else count
    return {word: names[word] / count for word, count in every.items()}
