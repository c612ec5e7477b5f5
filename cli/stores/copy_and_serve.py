"""`ontocrawl copy` and `ontocrawl serve`: a store elsewhere, and for other programs."""

import contextlib
import threading
import time

from cli.exits import ExitCode
from cli.render.language import later, tr
from cli.render.terminal import say, show
from graphdb import stores
from ontology.errors import SettingsError

TELL_SECONDS = 5.0  # between two lines of progress about one stage; chosen, not measured

TOLD = {
    "pages": later("{number:,} pages copied"),
    "relations": later("{number:,} pages whose links are copied"),
    "compared": later("{number:,} pages read back and compared"),
    "emptied": later("{number:,} nodes removed"),
}


def copy(source: str, target: str, *, with_memory: bool = False, anew: bool = False) -> int:
    """Copy the crawl at `source` to `target`, a folder or a Neo4j database; exit code 0."""
    told, told_stage = 0.0, ""

    def progress(stage: str, done: int) -> None:
        nonlocal told, told_stage
        if stage != told_stage or time.monotonic() - told > TELL_SECONDS:
            told, told_stage = time.monotonic(), stage
            say(tr(TOLD[stage], number=done))

    try:
        rows = stores.copy(source, target, progress, say, with_memory=with_memory, anew=anew)
    except KeyboardInterrupt:
        say(tr("interrupted: the same command goes on where this ended"))
        return ExitCode.INTERRUPTED
    pages, links = rows.get("pages", 0), rows.get("links", 0)
    show(
        tr(
            "copied {pages:,} pages and {links:,} links from {source} to {target}; read back, it is the same",
            pages=pages,
            links=links,
            source=source,
            target=target,
        )
    )
    if "://" in target:
        show(tr("next: {command} browser --store {target}", target=target))
    elif not with_memory:
        show(tr("what the strategy remembers was left out: a crawl that goes on there learns it again from the record"))
    return 0


def serve(store: str, *, show_password: bool) -> int:
    """Keep an embedded store open until Ctrl-C, exit code 0; how to reach it goes to standard output."""
    if "://" in store:
        raise SettingsError(
            tr("{store} is a server of its own", store=store), "serve is for an embedded store: give its folder"
        )
    opened = stores.open_store(store, create=False, tell=say)
    try:
        address = opened.address()
        password = (
            address.password
            if show_password
            else tr("in the file {password_file}; or: --show-password", password_file=address.password_file)
        )
        with contextlib.suppress(KeyboardInterrupt):
            print(
                tr(
                    "address   {uri}\nuser      {user}\npassword  {password}",
                    uri=address.uri,
                    user=address.user,
                    password=password,
                ),
                flush=True,
            )
            say(tr("The user {user} may read and not write. Ctrl-C ends it.", user=address.user))
            threading.Event().wait()
    finally:
        opened.close()
    return 0
