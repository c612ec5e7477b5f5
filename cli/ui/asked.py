"""What the page asks of its server: words from a browser, checked one by one before they are used."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cli.crawl_register import known_crawls
from cli.render.language import tr
from cli.ui.jobs import Jobs
from graphdb.stores import Store, open_store
from ontology.errors import SettingsError

Answer = Callable[["Asked"], object]  # gives what becomes JSON, in a thread; raises OntocrawlError


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. `words`: the JSON object that came with it. `given`: the store that was typed with `ontocrawl ui`.

    `jobs`: commands that take long, and run beside the page.
    """

    words: Mapping[str, Any]
    given: str | None
    jobs: Jobs

    @property
    def where(self) -> str:
        """The store that is asked about: one of this machine's crawls, or the typed one. Raises SettingsError."""
        store = self.text("store")
        if store is None or (store != self.given and all(store != crawl.store for crawl in known_crawls())):
            raise SettingsError("no crawl is chosen", "choose one at the top of the page")
        return store

    @contextlib.contextmanager
    def store(self) -> Iterator[Store]:
        """That store, open to be read and marked; a crawl may write into it meanwhile."""
        with contextlib.closing(open_store(self.where, create=False)) as store:
            yield store

    def text(self, name: str) -> str | None:
        """A text; None if it is missing or empty."""
        return self._of_type(name, str) or None

    def number(self, name: str) -> float | None:
        """A number; None if it is missing."""
        found: float | None = self._of_type(name, (int, float))
        return found

    def flag(self, name: str) -> bool:
        """True or false; false if it is missing."""
        return bool(self._of_type(name, bool))

    def texts(self, name: str) -> list[str]:
        """A list of texts; empty if it is missing."""
        return self._list_of(name, str)

    def numbers(self, name: str) -> list[int]:
        """A list of whole numbers; empty if it is missing."""
        return self._list_of(name, int)

    def _list_of(self, name: str, kind: type) -> list[Any]:
        found: list[Any] = self._of_type(name, list) or []
        if not all(type(one) is kind for one in found):
            raise SettingsError(tr("{name} is wrong", name=name), "load the page again")
        return found

    def _of_type(self, name: str, kind: type | tuple[type, ...]) -> Any:
        value = self.words.get(name)
        if value is not None and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)):
            raise SettingsError(tr("{name} is wrong", name=name), "load the page again")
        return value
