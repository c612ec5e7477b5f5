"""Serves the demonstration web over real HTTP on 127.0.0.1: a proxy for its host names, which exist nowhere else."""

import asyncio
import threading
from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType
from urllib.parse import urlsplit

from examples.pages import Answer, answer
from examples.sites import Site

BUSY = Answer(503, (("Retry-After", "1"), ("Content-Type", "text/plain")), b"busy, come back in a second")


class WebServer:
    """`with WebServer(sites) as server:` listens at `server.proxy` in a thread of its own until the block ends.

    A page that its site calls busy answers 503 with `Retry-After: 1` at its first request, 200 from then on.
    """

    def __init__(self, sites: Mapping[str, Site], port: int = 0) -> None:
        """`port`: 0 for any that is free. Entering raises OSError where it is taken."""
        self.proxy = ""
        self._port = port
        self._failure: OSError | None = None
        self.log: list[tuple[str, int]] = []
        self._sites = sites
        self._answered_busy: set[str] = set()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="demonstration web", daemon=True)

    def __enter__(self) -> "WebServer":
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def pages(self) -> list[str]:
        """The distinct pages answered 200 so far, in order; robots.txt is none."""
        return list(dict.fromkeys(url for url, status in self.log if status == 200 and not url.endswith("/robots.txt")))

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        try:
            server = await asyncio.start_server(self._talk, "127.0.0.1", self._port)
        except OSError as error:
            self._failure = error
            self._ready.set()
            return
        self.proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._stop.wait()
        server.close()  # connections still open end with the loop

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer requests on one connection until the client closes it."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                method, url = _request(head.decode("latin-1"))
                reply = self._reply(url)
                writer.write(_wire(reply, with_body=method != "HEAD"))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client is done, or the server is; the task ends here in any case
        finally:
            writer.close()

    def _reply(self, url: str) -> Answer:
        parts = urlsplit(url)
        site = self._sites.get(parts.hostname or "")
        if site and parts.path in site.busy and url not in self._answered_busy:
            self._answered_busy.add(url)
            reply = BUSY
        else:
            reply = answer(self._sites, url)
        self.log.append((url, reply.status))
        return reply


def _request(head: str) -> tuple[str, str]:
    """Method and absolute address of a request, be it meant for a proxy (`GET http://host/`) or a host (`GET /`)."""
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ")
    headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
    return method, target if target.startswith("http://") else f"http://{headers.get('host', '')}{target}"


def _wire(reply: Answer, with_body: bool) -> bytes:
    phrase = HTTPStatus(reply.status).phrase
    fields = (*reply.headers, ("Content-Length", str(len(reply.body))))
    head = f"HTTP/1.1 {reply.status} {phrase}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
    return head.encode("latin-1") + (reply.body if with_body else b"")
