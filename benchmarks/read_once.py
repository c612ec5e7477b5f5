"""What depends on a page and the ontology alone is worked out once for all runs of a task: reading, matching, counting.

A third to a half of a run goes there, and the runs of a task differ in all else. The CPU time that it took is kept and
counted in every run that finds it done (`spared`), so that a run costs what it would cost alone.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from semantic import understanding
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.links.link_reading import LinkReader
from semantic.page import Page
from semantic.terms import bag_of_words as words


class ReadOnce:
    """For one web and one lexicon; `read` gives the same Page for the same address."""

    def __init__(self, read: understanding.Reader) -> None:
        self._read = read
        self._made: dict[tuple[str, object], tuple[Any, float]] = {}
        self.spared = 0.0

    def read(self, body: bytes, url: str, headers: Any) -> Page | Frame:
        """A `Reader`."""
        read: Page | Frame = self._once("read", url, lambda: self._read(body, url, headers))
        return read

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """In the block, what is asked again for a page that was `read` here is not worked out again."""
        with ExitStack() as stack:
            for holder, name, key in _OF_A_PAGE:
                stack.enter_context(patch.object(holder, name, self._shared(name, getattr(holder, name), key)))
            yield

    def _shared(self, name: str, make: Callable[..., Any], key: Callable[..., object]) -> Callable[..., Any]:
        def shared(*given: Any, **named: Any) -> Any:
            return self._once(name, key(*given, **named), lambda: make(*given, **named))

        return shared

    def _once(self, what: str, key: object, make: Callable[[], Any]) -> Any:
        held = self._made.get((what, key))
        if held is None:
            before = time.process_time() + self.spared
            made = make()
            held = self._made[what, key] = made, time.process_time() + self.spared - before
        else:
            self.spared += held[1]
        return held[0]


# Keys: pages are kept here, so that no other object takes their id.
_OF_A_PAGE: tuple[tuple[Any, str, Callable[..., object]], ...] = (
    (Analyst, "frame", lambda analyst, page: (id(page), analyst.hashes, analyst.tree, analyst.keeps_page)),
    (words, "count_words", lambda text, segmenter: (text, segmenter)),
    (LinkReader, "describe", lambda reader, page, counts: id(page)),
)
