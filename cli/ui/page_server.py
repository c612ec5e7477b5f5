"""The server of the page, on 127.0.0.1 alone. Only this file imports aiohttp.

`GET /` gives the page, `POST /ask/NAME` the answer to one question (`QUESTIONS`), as JSON for JSON.

Who may look and steer:
- Whoever has the token in the printed address. It stands after `#`; browsers send that part to no server and to no
  other page. The page sends the token in a header. A browser sends such a header for another site only if this server
  has agreed before, and it never does.
- The page itself contains nothing of any crawl, so anybody on this machine may load it.
- A request must name this server as its host; so another name that leads to 127.0.0.1 is of no use. It must not come
  from another origin.
"""

import asyncio
import hmac
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from pathlib import Path
from types import TracebackType

from aiohttp import web

from cli.live.page_beside import HERE
from cli.render.html_pages import LOOK, data, page
from cli.render.language import error_line, tr
from cli.render.page_texts import texts
from cli.settings import Settings
from cli.ui import crawl_tab, ontology_tab, results_tab, review_tab
from cli.ui.asked import Answer, Asked
from cli.ui.crawls_at_hand import crawls
from cli.ui.jobs import Jobs
from ontology.errors import OntocrawlError

PAGE = Path(__file__).parent / "page"
# Each has the answers to its questions and its texts here; in the folder of the page a template and a script, and a
# style sheet where it needs one.
TABS = {"results": results_tab, "review": review_tab, "ontology": ontology_tab, "crawl": crawl_tab}
QUESTIONS: Mapping[str, Answer] = {"crawls": crawls, **{n: a for tab in TABS.values() for n, a in tab.ANSWERS.items()}}
LONGEST = 1_000_000  # bytes of a question; marks of some thousand pages
PATIENCE = 0.5  # seconds for answers under way when the page ends
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


class PageServer:
    """`async with PageServer(...):` answers until the block ends. `given`: the store that was typed."""

    def __init__(self, listener: socket.socket, token: str, given: str | None) -> None:
        self._listener = listener
        self._token = token
        self._given = given
        self._jobs = Jobs()
        self._page = _page()
        port = listener.getsockname()[1]
        self._hosts = frozenset({f"{HERE}:{port}", f"localhost:{port}", *([HERE, "localhost"] if port == 80 else [])})
        application = web.Application(middlewares=[self._guard], client_max_size=LONGEST)
        application.add_routes([web.get("/", self._show), web.post("/ask/{name}", self._answer)])
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=PATIENCE)

    async def __aenter__(self) -> "PageServer":
        await self._runner.setup()
        await web.SockSite(self._runner, self._listener).start()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, at: TracebackType | None) -> None:
        await self._runner.cleanup()
        self._jobs.end()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if host not in self._hosts or (origin is not None and origin != f"http://{host}"):
            return _refused(403, tr("this page is on 127.0.0.1, and answers to no other name"))
        try:
            if request.path != "/" and not self._has_token(request):
                return _refused(401, tr("open the address that the command has printed, with what follows its #"))
            answer = await handler(request)
        except web.HTTPException as error:
            return _refused(error.status, error.reason)
        except OntocrawlError as error:
            return _refused(400, error_line(error))
        answer.headers.update(HEADERS)
        return answer

    def _has_token(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token.encode("ascii"))

    async def _show(self, _: web.Request) -> web.Response:
        return web.Response(text=self._page, content_type="text/html")

    async def _answer(self, request: web.Request) -> web.Response:
        try:
            words = json.loads(await request.text())
        except ValueError:
            words = None
        if not isinstance(words, dict):
            return _refused(400, tr("a JSON object is wanted"))
        question = QUESTIONS.get(request.match_info["name"])
        if question is None:
            return _refused(404, tr("there is no such question"))
        answer = await asyncio.to_thread(question, Asked(words, self._given, self._jobs))
        body = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")
        return web.Response(body=body, content_type="application/json")


def _refused(status: int, why: str) -> web.Response:
    return web.json_response({"error": why}, status=status, headers=HEADERS)


def _page() -> str:
    words = {**texts(), **{name: tr(text) for tab in TABS.values() for name, text in tab.TEXTS.items()}}
    styles = [LOOK, *filter(Path.exists, (PAGE / f"{tab}.css" for tab in ("core", *TABS)))]
    return page(
        PAGE,
        "ui.html",
        title="ontocrawl",
        script="".join((PAGE / f"{part}.js").read_text("utf-8") for part in ("core", *TABS)),
        style="".join(style.read_text("utf-8") for style in styles),
        connect="'self'",
        t=words,
        tabs=list(TABS),
        patience=next(one.default for one in fields(Settings) if one.name == "patience"),
        texts=data(words),
    )
