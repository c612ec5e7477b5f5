"""`ontocrawl ui`: serves the page until Ctrl-C, or until the crawl that began it has ended."""

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from pathlib import Path

from cli.exits import ExitCode
from cli.live.page_beside import address_at, listening, new_token
from cli.render.language import tr
from cli.render.terminal import say
from cli.ui.page_server import PageServer
from graphdb.store_folder import record_file


def run(where: str | None, port: int, *, opens: bool) -> int:
    """Serve the page of all crawls of this machine. `where`: the store that is shown first. `opens`: in a browser."""
    if where is not None:
        record_file(where)
        where = str(Path(where).resolve())
    listener, token = listening(port, "--port"), new_token()
    address = address_at(listener, token)
    say(tr("the page: {address}", address=address))
    if opens and _has_screen():
        webbrowser.open(address)
    say(tr("Ctrl-C ends it; crawls go on without it"))
    asyncio.run(_serve(listener, token, where))
    return ExitCode.DONE


def run_beside(where: str, descriptor: int) -> int:
    """Serve the page of a crawl, at a socket that is open already, until standard input ends, as it does with the
    crawl. Its first line is the token.
    """
    token = sys.stdin.readline().strip()
    with socket.socket(fileno=descriptor) as listener:
        asyncio.run(_serve(listener, token, str(Path(where).resolve()), until_input_ends=True))
    return ExitCode.DONE


async def _serve(listener: socket.socket, token: str, given: str | None, *, until_input_ends: bool = False) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    async with PageServer(listener, token, given):
        if until_input_ends:
            loop.add_reader(sys.stdin, ended.set)  # nothing is written after the token: it can only have ended
        await ended.wait()


def _has_screen() -> bool:
    """Whether a browser can be seen here: another one would take over the terminal."""
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
