"""Which words are written like names: with a capital inside a sentence, or inside the word."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from ontology.lexicon.surface_forms import HAN, fold

# characters of a block that may be a heading, in which every word may have a capital; chosen, not measured
HEADING = 60
_HAN_SIGN = re.compile(f"[{HAN}]")
# After a word in small letters, a comma or a Chinese character, where no sentence begins.
_INSIDE = re.compile(rf"(?:(?<=[a-z,;{HAN}] )|(?<=[{HAN}]))([^\W_\d{HAN}][^\W{HAN}]*(?:[.+#]+[^\W_{HAN}]*)*)")


def name_shares(blocks: Iterable[str]) -> Mapping[str, float]:
    """Word (folded) -> share of its occurrences written as a name, of those where that can be told."""
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
