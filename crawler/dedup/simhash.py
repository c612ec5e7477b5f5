"""SimHashes of texts (`semantic.parsing.fingerprint`): which of those kept is near (Manku et al., WWW 2007)."""

from array import array
from bisect import bisect_left

import numpy as np

from semantic.parsing.fingerprint import Hashes

DISTANCE = 3  # bits


class NearTexts:
    """SimHashes of numbered texts, 12 bytes each; finds one that is near.

    All are compared: of a million in 2 ms. (Tables by blocks of bits, as Manku et al. have them, took longer where the
    pages of a site share their template, and with it a block.)
    """

    def __init__(self) -> None:
        self._hashes: Hashes = np.zeros(1024, np.uint64)
        self._texts = array("i")

    def find(self, simhash: int) -> int | None:
        """The number of the nearest text, of equally near ones the first; None where none is near."""
        if not self._texts:
            return None
        distances = np.bitwise_count(self._hashes[: len(self._texts)] ^ np.uint64(simhash))
        best = int(distances.argmin())
        return self._texts[best] if distances[best] <= DISTANCE else None

    def change(self, text: int, simhash: int) -> None:
        """The numbered text is another now; numbers were added in their order."""
        place = bisect_left(self._texts, text)
        assert self._texts[place] == text, "the text has no SimHash"
        self._hashes[place] = simhash

    def add(self, simhash: int, text: int) -> None:
        """Keep one."""
        if len(self._texts) == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, np.zeros_like(self._hashes)])
        self._hashes[len(self._texts)] = simhash
        self._texts.append(text)
