"""Reads from the store of a crawl and prints the result, without the machinery of judging: numpy takes 0.3 s."""

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from cli.render.answer_tables import Row
from cli.render.terminal import show
from graphdb.stores import Store, open_store
from ontology.errors import StoreError
from semantic.reasons import Reason
from semantic.urls import normalise

Told = TypeVar("Told")


def tell(store: str, read: Callable[[Store], Told], lines: Callable[[Told], Iterable[str]], *, as_json: bool) -> int:
    """Read from a store, close it, and print the result for people or as JSON."""
    with contextlib.closing(open_store(store, create=False)) as opened:
        found = read(opened)
    for line in [json.dumps(found, ensure_ascii=False, default=_plain)] if as_json else lines(found):
        show(line)
    return 0


def crawl_row(store: Store) -> Row:
    """The crawl's totals. Raises StoreError if there is no crawl."""
    crawls = store.ask("status", "crawl")
    if not crawls:
        raise StoreError("the store holds no crawl", "begin one: {command} crawl --help")
    return crawls[0]


def known_address(store: Store, typed: str) -> str:
    """The address of a page of the crawl as it was typed. If it is unknown so, with https, then with http."""
    rest = typed.partition("://")[2] or typed
    spelled = (normalise(text) for text in (typed, f"https://{rest}", f"http://{rest}"))
    tried = list(dict.fromkeys(filter(None, spelled)))
    return next((url for url in tried if store.ask("explain", "page", url=url)), tried[0] if tried else typed)


def _plain(value: Any) -> dict[str, object]:
    """A value for JSON; a reason in it is its sentence."""
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {name: str(one) if isinstance(one, Reason) else one for name, one in fields.items()}
