"""Which pages are on topic now. A verdict may change long after its page was fetched, as the crawl knows more."""

from collections.abc import Iterable


class Verdicts:
    """A set of 64-bit hashes of addresses; `results`: the pages on topic of earlier runs."""

    def __init__(self, results: Iterable[str] = ()) -> None:
        self._results = set(map(hash, results))

    def __len__(self) -> int:
        """How many pages are on topic."""
        return len(self._results)

    def say(self, url: str, *, on_topic: bool) -> None:
        """The page is on topic, or is not (any more)."""
        if on_topic:
            self._results.add(hash(url))
        else:
            self._results.discard(hash(url))
