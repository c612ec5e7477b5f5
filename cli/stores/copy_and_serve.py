"""`ontocrawl copy` and `ontocrawl serve`: making an embedded store available to other programs."""

import contextlib
import threading

from cli.render.terminal import say, show
from graphdb import stores
from ontology.errors import SettingsError

NEXT = "MATCH way = (p:Page {on_topic: true})-[:DISCOVERED_FROM*]->(:Page) RETURN way LIMIT 25"


def copy(source: str, target: str) -> int:
    """Copy the crawl at `source` into the Neo4j database at `target`. Exit code 0."""
    pages = stores.copy(source, target, lambda done: say(f"{done:,} pages") if done % 5000 == 0 else None, say)
    show(f"copied {pages:,} pages from {source} to {target}")
    show(f"next, in Neo4j Browser: {NEXT}")
    return 0


def serve(store: str, *, show_password: bool) -> int:
    """Keep an embedded store open until Ctrl-C, and print how to connect to it. Exit code 0."""
    if "://" in store:
        raise SettingsError(f"{store} is a server of its own", "serve is for an embedded store: give its folder")
    opened = stores.open_store(store, create=False, tell=say)
    try:
        address = opened.address()
        password = address.password if show_password else f"in the file {address.password_file}; or: --show-password"
        with contextlib.suppress(KeyboardInterrupt):
            print(f"address   {address.uri}\nuser      {address.user}\npassword  {password}", flush=True)
            say(f"The user {address.user} may read and not write. Ctrl-C ends it.")
            threading.Event().wait()
    finally:
        opened.close()
    return 0
