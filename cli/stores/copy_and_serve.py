"""`ontocrawl copy` and `ontocrawl serve`: a crawl elsewhere, and for other programs."""

import contextlib
import threading
import time
from collections.abc import Callable

from cli.exits import ExitCode
from cli.render.language import later, tr
from cli.render.terminal import say, show
from graphdb import stores
from graphdb.store_folder import is_server
from ontology.errors import SettingsError

TELL_SECONDS = 5.0  # between two lines of progress about one stage; chosen, not measured

TOLD = {
    "sites": later("filling the graph: {number:,} sites"),
    "pages": later("filling the graph: {number:,} pages"),
    "relations": later("filling the graph: links of {number:,} pages"),
    "changes": later("filling the graph: {number:,} pages that have changed"),
    "compared": later("{number:,} pages read back and compared"),
    "emptied": later("{number:,} nodes removed"),
}


def filling_progress() -> Callable[[str, int], None]:
    """Shows how far filling a graph is, in a line every few seconds; nothing if it takes less."""
    shown = time.monotonic()

    def progress(stage: str, done: int) -> None:
        nonlocal shown
        if time.monotonic() - shown > TELL_SECONDS:
            shown = time.monotonic()
            say(tr(TOLD[stage], number=done))

    return progress


def copy(source: str, target: str, *, with_contents: bool = False, anew: bool = False) -> int:
    """Copy the crawl at `source` to `target`, a folder or a Neo4j server; exit code 0."""
    try:
        rows = stores.copy(source, target, filling_progress(), with_contents=with_contents, anew=anew)
    except KeyboardInterrupt:
        say(tr("interrupted: the same command goes on where this ended"))
        return ExitCode.INTERRUPTED
    show(
        tr(
            "copied {pages:,} pages and {links:,} links from {source} to {target}",
            pages=rows["pages"],
            links=rows["links"],
            source=source,
            target=target,
        )
    )
    if is_server(target):
        show(tr("read back, the graph is the same as the record"))
        show(tr("next: {command} browser --store {target}", target=target))
    elif is_server(source):
        show(tr("a graph does not contain what the strategy remembers: the next crawl learns it again from the record"))
    return ExitCode.DONE


def serve(store: str, *, show_password: bool) -> int:
    """Fill the graph of a folder and serve it until Ctrl-C, exit code 0; how to reach it goes to standard output."""
    if is_server(store):
        raise SettingsError(
            tr("{store} is a server of its own", store=store), "serve is for a crawl in a folder: give that"
        )
    with stores.open_graph(store, say, filling_progress()) as graph:
        address = graph.reading_address
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
    return ExitCode.DONE
