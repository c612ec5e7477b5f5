"""Who says where Chinese words begin and end: the dictionary (`word_segmentation`), or HanLP's neural model.

`--segmenter` names one: `dictionary`; `hanlp`, the model that `hanlp_model` names; `hanlp:DIR`, any other.
"""

from collections.abc import Callable, Sequence

from ontology.errors import SettingsError
from ontology.lexicon.lexicon import Lexicon
from ontology.lexicon.text_folding import fold
from semantic.segmentation.word_segmentation import cut

DICTIONARY, HANLP = "dictionary", "hanlp"
Segmenter = Callable[[Sequence[str]], list[list[str]]]  # folded texts -> of each its words, and what is between them


def by_dictionary(texts: Sequence[str]) -> list[list[str]]:
    """The default: half a second to load, megabytes of text a second."""
    return [cut(text) for text in texts]


def check_segmenter(name: str) -> None:
    """Raise SettingsError for a name that is none; whether the model is there, `open_segmenter` finds out."""
    if name not in (DICTIONARY, HANLP) and not (name.startswith(f"{HANLP}:") and name != f"{HANLP}:"):
        raise SettingsError(f"no segmenter is called '{name}'", "there are: dictionary, hanlp, hanlp:DIR")


def open_segmenter(name: str, lexicon: Lexicon) -> Segmenter:
    """The segmenter of that name. HanLP joins its words to those of the lexicon where they make one up.

    Raises SettingsError for another name, and where HanLP or its model is missing.
    """
    check_segmenter(name)
    if name == DICTIONARY:
        return by_dictionary
    from semantic.segmentation.hanlp_model import HanlpSegmenter

    return HanlpSegmenter(name.partition(":")[2], {fold(form) for form in lexicon.forms})
