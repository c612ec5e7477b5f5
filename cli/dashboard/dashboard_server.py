"""The dashboard's server, in the crawl's own event loop, on 127.0.0.1 alone. Only this file imports aiohttp.

Who may look and steer:
- Whoever has the token in the printed address. It stands after `#`; browsers send that part to no server and to no
  other page. The page sends the token in a header. A browser sends such a header for another site only if this server
  has agreed before, and it never does.
- The page itself contains nothing of the crawl, so anybody on this machine may load it.
- A connection takes a file from the crawl. So there are few, and the one that has been without a request for longest is
  closed for the next.
- A request must name this server as its host; so another name that leads to 127.0.0.1 is of no use. It must not come
  from another origin.
"""

import asyncio
import hmac
import json
import secrets
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType

from aiohttp import web

from cli.dashboard.live_state import LiveState
from cli.render.html_pages import LOOK, data, page
from cli.render.language import as_told, language, tr
from cli.render.page_texts import texts
from cli.render.terminal import say
from ontology.errors import OntocrawlError, SettingsError
from ontology.file_failures import why_refused

PAGE = Path(__file__).parent / "page"
HERE = "127.0.0.1"
LONGEST = 16_384  # bytes of what a person wants
CONNECTIONS = 32  # open at once; a browser opens six; chosen, not measured
IDLE_SECONDS = 15.0  # for which a connection may be without a complete request; chosen, not measured
PATIENCE = 0.5  # seconds for answers under way when the crawl ends
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the page has its own, which forbids all but this server
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def listening(port: int) -> socket.socket:
    """The dashboard's socket, to be opened before a crawl's store. Raises SettingsError if the port is taken."""
    try:
        return socket.create_server((HERE, port))
    except OSError as error:
        cure = tr("give another port, or --dashboard 0 for any that is free")
        raise SettingsError(tr("--dashboard {port}: {why}", port=port, why=why_refused(error)), cure) from error


class Dashboard:
    """`async with Dashboard(...) as dashboard:` shows the crawl at `dashboard.address` until the block ends."""

    def __init__(self, state: LiveState, listener: socket.socket) -> None:
        self.address = ""
        self._state = state
        self._listener = listener
        self._token = secrets.token_urlsafe(24)
        self._page = _page()
        self._hosts: frozenset[str] = frozenset()
        self._idle: dict[asyncio.WriteTransport, float] = {}  # without a request, since when; longest first
        self._door: asyncio.Task[None] | None = None
        application = web.Application(middlewares=[self._guard], client_max_size=LONGEST)
        application.add_routes(
            [web.get("/", self._show), web.get("/state", self._tell), web.post("/want", self._do)],
        )
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=PATIENCE)

    async def __aenter__(self) -> "Dashboard":
        await self._runner.setup()
        self._listener.setblocking(False)
        self._door = asyncio.create_task(self._accept())
        port = self._listener.getsockname()[1]
        self._hosts = frozenset({f"{HERE}:{port}", f"localhost:{port}", *([HERE, "localhost"] if port == 80 else [])})
        self.address = f"http://{HERE}:{port}/#{self._token}"
        say(tr("dashboard: {address}", address=self.address))
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, at: TracebackType | None) -> None:
        assert self._door is not None
        self._door.cancel()
        await asyncio.gather(self._door, return_exceptions=True)
        self._listener.close()
        await self._runner.cleanup()

    async def _accept(self) -> None:
        while True:
            try:
                await self._let_in()
            except OSError:  # too many files are open, or who came has gone
                await asyncio.sleep(PATIENCE)

    async def _let_in(self) -> None:
        """Wait for the next connection, and make room for it."""
        server = self._runner.server
        assert server is not None
        loop = asyncio.get_running_loop()
        connection, _ = await loop.sock_accept(self._listener)
        self._idle = {each: since for each, since in self._idle.items() if not each.is_closing()}
        if len(server.connections) >= CONNECTIONS:
            if not self._idle:
                connection.close()
                return
            self._close(next(iter(self._idle)))
        transport, _ = await loop.connect_accepted_socket(server, connection)
        self._rest(transport)

    def _rest(self, transport: asyncio.WriteTransport) -> None:
        """Note that a connection waits for a request."""
        loop = asyncio.get_running_loop()
        since = self._idle[transport] = loop.time()

        def end() -> None:
            if self._idle.get(transport) == since:
                self._close(transport)

        loop.call_later(IDLE_SECONDS, end)

    def _close(self, transport: asyncio.WriteTransport) -> None:
        self._idle.pop(transport, None)
        transport.abort()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        transport = request.transport
        if transport is not None:
            self._idle.pop(transport, None)
        try:
            return await self._guarded(request, handler)
        finally:
            if transport is not None:
                self._rest(transport)

    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if host not in self._hosts or (origin is not None and origin != f"http://{host}"):
            return _refused(403, tr("this is the dashboard of a crawl on 127.0.0.1, and answers to no other name"))
        try:
            if request.path != "/" and not self._has_token(request):
                return _refused(401, tr("open the address that the crawl has printed, with what follows its #"))
            answer = await handler(request)
        except web.HTTPException as error:
            return _refused(error.status, error.reason)
        except OntocrawlError as error:
            return _refused(400, "; ".join(map(as_told, (error.message, error.cure))))
        answer.headers.update(HEADERS)
        return answer

    def _has_token(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token.encode("ascii"))

    async def _show(self, _: web.Request) -> web.Response:
        return web.Response(text=self._page, content_type="text/html")

    async def _tell(self, _: web.Request) -> web.Response:
        return web.Response(body=self._state.told(), content_type="application/json")

    async def _do(self, request: web.Request) -> web.Response:
        try:
            words = json.loads(await request.text())
        except ValueError:
            words = None
        if not isinstance(words, dict):
            return _refused(400, tr("a JSON object is wanted"))
        self._state.want(words)
        return web.Response(body=self._state.told(), content_type="application/json")


def _refused(status: int, why: str) -> web.Response:
    return web.json_response({"error": why}, status=status, headers=HEADERS)


def _page() -> str:
    words = texts()
    return page(
        PAGE,
        "dashboard.html",
        script=(PAGE / "dashboard.js").read_text("utf-8"),
        style=LOOK.read_text("utf-8"),
        connect="'self'",
        t=words,
        language=language(),
        texts=data(dict(words)),
    )
