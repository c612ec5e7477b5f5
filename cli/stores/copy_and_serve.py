"""`ontocrawl copy` and `ontocrawl serve`: a store elsewhere, and for other programs."""

import contextlib
import threading
import time

from cli.exits import ExitCode
from cli.render.terminal import say, show
from graphdb import stores
from ontology.errors import SettingsError

TELL_SECONDS = 5.0  # between two lines of progress


TOLD = {
    "pages": "pages copied",
    "relations": "pages whose links are copied",
    "compared": "pages read back and compared",
    "emptied": "nodes removed",
}


def copy(source: str, target: str, *, with_memory: bool = False, anew: bool = False) -> int:
    """Copy the crawl at `source` to `target`, a folder or a Neo4j database; exit code 0."""
    told = 0.0

    def progress(stage: str, done: int) -> None:
        nonlocal told
        if time.monotonic() - told > TELL_SECONDS:
            told = time.monotonic()
            say(f"{done:,} {TOLD[stage]}")

    try:
        rows = stores.copy(source, target, progress, say, with_memory=with_memory, anew=anew)
    except KeyboardInterrupt:
        say("interrupted: the same command goes on where this ended")
        return ExitCode.INTERRUPTED
    pages, links = rows.get("pages", 0), rows.get("links", 0)
    show(f"copied {pages:,} pages and {links:,} links from {source} to {target}; read back, it is the same")
    if "://" in target:
        show(f"next: ontocrawl browser --store {target}")
    elif not with_memory:
        show("what the strategy remembers was left out: a crawl that goes on there learns it again from the record")
    return 0


def serve(store: str, *, show_password: bool) -> int:
    """Keep an embedded store open until Ctrl-C, exit code 0; how to reach it goes to standard output."""
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
