"""The option `--store`: its default, and how a suggested command names a store."""

import shlex

DEFAULT_STORE = "./ontocrawl-store"


def store_words(store: str) -> str:
    """The option that names a store in a suggested command; "" for the default store."""
    return "" if store == DEFAULT_STORE else f" --store {shlex.quote(store)}"
