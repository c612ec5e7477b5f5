"""The socket at which a running crawl is looked at and steered by other processes of the same user.

It is a Unix socket in a folder that only this user can open. A connection carries one JSON object on a line, and is
answered by one: an empty object asks for the state, any other is a wish (`LiveState.want`), answered by the state
after it. An answer with `error` tells why a wish was refused.
"""

import asyncio
import contextlib
import json
import os
import socket
import stat
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cli.crawl_register import digest_of
from cli.live.live_state import LiveState
from cli.render.language import error_line, tr
from cli.render.terminal import say
from ontology.errors import OntocrawlError
from ontology.file_failures import why_refused

LONGEST = 16_384  # bytes of a wish
SECONDS = 5.0  # that an answer may take; a crawl's event loop is never held for so long; chosen, not measured


def door_of(store: str) -> Path:
    """Where the crawl of this store answers while it runs. Sockets need short paths, so it is not beside the record."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(runtime) / "ontocrawl" if runtime else Path(tempfile.gettempdir()) / f"ontocrawl-{os.getuid()}"
    return folder / f"{digest_of(store)}.sock"


@asynccontextmanager
async def answering(state: LiveState, store: str) -> AsyncIterator[None]:
    """Answer until the block ends. Where there can be no socket, this is said, and the crawl goes on without it."""
    door = door_of(store)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError, TimeoutError):  # who asked has gone, or wrote no line
            line = await asyncio.wait_for(reader.readline(), SECONDS)
            writer.write(_answer(state, line) + b"\n")
            await writer.drain()
        writer.close()

    try:
        _make_private(door.parent)
        door.unlink(missing_ok=True)  # of a crawl that was killed: the store is ours
        server = await asyncio.start_unix_server(answer, door, limit=LONGEST)
    except OSError as error:
        say(tr("this crawl cannot be steered from a page: {door}: {why}", door=door, why=why_refused(error)))
        yield
        return
    try:
        yield
    finally:
        server.close()
        door.unlink(missing_ok=True)


def ask_crawl(store: str, words: Mapping[str, Any]) -> dict[str, Any] | None:
    """The answer of the crawl that runs in this store; None if none runs, or it is beginning or ending."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(SECONDS)
        try:
            asking.connect(str(door_of(store)))
            asking.sendall(json.dumps(words).encode() + b"\n")
            with asking.makefile("rb") as answer:
                said = answer.readline()
        except OSError:
            return None
    return json.loads(said) if said else None


def _answer(state: LiveState, line: bytes) -> bytes:
    try:
        words = json.loads(line)
    except ValueError:
        words = None
    try:
        if words:
            state.want(words)
        return state.told()
    except OntocrawlError as error:
        return json.dumps({"error": error_line(error)}).encode()


def _make_private(folder: Path) -> None:
    """Make the folder. Raises OSError if somebody else could open it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid() or about.st_mode & 0o077:
        raise PermissionError(1, "others can open it", str(folder))
