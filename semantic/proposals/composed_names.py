"""Names put together of translations of their parts: container engine -> 容器 + 引擎."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from semantic.candidates.phrase_counts import LONGEST

Words = tuple[str, ...]
Translations = Mapping[Words, Sequence[Words]]
"""The words of a name, or of a part of one -> translations, as words."""

MOST = 300  # combinations of translations of one way to divide a name; chosen, not measured


def parts_of(words: Words) -> Iterator[Words]:
    """All runs of words of a name."""
    return (words[start:end] for start in range(len(words)) for end in range(start + 1, len(words) + 1))


def composed(words: Words, known: Translations) -> dict[Words, int]:
    """The translations of a name by its parts, each with the smallest number of parts. A word of an alphabet that has
    no translation stays as it is, if another part has one.
    """
    found: dict[Words, int] = {}
    for way in _ways(words, known) if len(words) <= LONGEST else ():
        if prod(map(len, way)) <= MOST:
            for chosen in product(*way):
                whole = tuple(word for part in chosen for word in part)
                if whole != words:
                    found[whole] = min(found.get(whole, LONGEST), len(way))
    return found


def _ways(words: Words, known: Translations) -> Iterator[list[Sequence[Words]]]:
    """Each way to divide the words into parts, with the translations of each part."""
    if not words:
        yield []
    for end in range(1, len(words) + 1):
        part = words[:end]
        translations = known.get(part) or ([part] if end == 1 and part[0].isascii() else [])
        if translations:
            yield from ([translations, *rest] for rest in _ways(words[end:], known))
