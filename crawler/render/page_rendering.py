"""One page in the engine: its scripts run, buttons for more are clicked, and what it is then becomes HTML again.

The engine has no network: for each request of the page the crawl gives the answer, or none (Fetch domain). Time in the
page is virtual: it goes on while nothing is fetched, so that timers need not be waited for, and begins when the server
sent the page. So the same answers give the same page.
"""

import asyncio
import base64
import contextlib
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from crawler.fetch.content_coding import MAX_BYTES
from crawler.ports import Fetched
from crawler.render.devtools import DevTools, EngineLost, Parameters
from crawler.render.requested_parts import PageParts
from semantic.parsing.charsets import decode
from semantic.parsing.document_types import media_type
from semantic.urls import domain_of, host_of, is_page_like, normalise

# The next are chosen, not measured: what is more is no page that people wait for.
REQUESTS = 60  # answers that a page gets; Debian's tracker of packages needs 3, a forum of Discourse 40
BYTES = 20_000_000  # of these
ROUNDS = 10  # of scrolling and clicking
LINKS = 100  # addresses to which a page would have moved
PASSES = 5  # of time without an end to what is asked, as where a page looks for news
FIRST_MS, ROUND_MS = 3_000, 1_000  # of virtual time before the first round, and for each
FRAMES_SECONDS = 1.0  # for two frames, which are drawn in real time: what watches the scroll position needs them
TAKEN_SECONDS = 0.2  # until a page has taken an answer and gets the next; it takes it in a hundredth
IDLE_SECONDS, LOOK_SECONDS = 3.0, 0.2  # without a request, until a page is taken as it is, and between two looks
FRAMES_MS = 50  # of virtual time after these
NO_DATE = 1_735_689_600  # the time for a page whose server gives none: 2025-01-01

_ANSWERED = ("Script", "XHR", "Fetch")
# response fields that decide whether a script may read an answer (WHATWG, Fetch, 3.3.3), and as what
_KEPT_FIELDS = ("content-type", "location", "access-control-allow-origin", "access-control-allow-credentials")
_HTML = "text/html; charset=utf-8"


class TooMuch(Exception):
    """The page asks for more than it gets."""


class PageRendering:
    """Renders one page."""

    def __init__(self, tools: DevTools, page: Fetched, parts: PageParts) -> None:
        self._tools = tools
        self._page = page
        self._parts = parts
        self._session = self._frame = ""
        self._world: int | None = None  # in which the scripts of this folder run
        self._is_shown = False  # the page's own document was given
        self._asked = self._received = 0
        self._taken: dict[str, asyncio.Event] = {}  # set as soon as the page has taken an answer
        self._open: set[asyncio.Task[None]] = set()
        self._last: asyncio.Task[None] | None = None  # of the answers, which are given in the order of the requests
        self._has_expired = asyncio.Event()  # the virtual time that was given
        self._ended: asyncio.Future[Any] = asyncio.get_running_loop().create_future()  # by what the page does
        self._links: dict[str, None] = {}  # to which it would have moved

    @property
    def is_waiting(self) -> bool:
        """Whether the network is waited for, or the engine, which may be new."""
        return bool(self._open) or not self._is_shown

    async def html(self) -> str:
        """The page as its scripts leave it, "" where that is too long. Raises TooMuch, EngineLost."""
        work = asyncio.create_task(self._html())
        try:
            await asyncio.wait({work, self._ended}, return_when=asyncio.FIRST_COMPLETED)
            if self._ended.done():
                self._ended.result()
            return await work
        finally:
            tasks = {work, *self._open}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._ended.done():
                self._ended.exception()

    async def _html(self) -> str:
        call = self._tools.call
        context = (await call("Target.createBrowserContext", disposeOnDetach=True))["browserContextId"]
        target = await call("Target.createTarget", url="about:blank", browserContextId=context, width=1280, height=1000)
        self._frame = target["targetId"]
        self._session = (await call("Target.attachToTarget", targetId=self._frame, flatten=True))["sessionId"]
        self._tools.listen(self._session, self._on_event)
        try:
            await self._prepare(context)
            await call("Page.navigate", self._session, url=self._page.url)
            world = await call("Page.createIsolatedWorld", self._session, frameId=self._frame)
            self._world = world["executionContextId"]
            await self._evaluate(_script("in_page.js"))
            await self._pass(FIRST_MS)
            await self._show_more()
            made = await self._evaluate(f"serialised({MAX_BYTES})")
        finally:
            self._tools.listen(self._session, None)
        await call("Target.disposeBrowserContext", browserContextId=context)
        return f"<!DOCTYPE html>{made}{''.join(_links(self._links))}" if isinstance(made, str) and made else ""

    async def _prepare(self, context: str) -> None:
        send, session = self._tools.send, self._session
        send("Browser.setDownloadBehavior", behavior="deny", browserContextId=context)
        send("Page.enable", session)
        send("Network.enable", session, maxTotalBufferSize=0, maxResourceBufferSize=0)
        send("Fetch.enable", session, patterns=[{"urlPattern": "*"}])
        send("Page.addScriptToEvaluateOnNewDocument", session, source=_script("before_scripts.js"))
        begins = _sent_at(self._page.headers)
        await self._tools.call("Emulation.setVirtualTimePolicy", session, policy="pause", initialVirtualTime=begins)

    async def _pass(self, milliseconds: int) -> None:
        """Let time pass in the page, until what it has drawn asks for nothing more."""
        for _ in range(PASSES):
            await self._expire(milliseconds)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FRAMES_SECONDS):
                    await self._evaluate("drawn()")
            asked = self._asked
            await self._expire(FRAMES_MS)  # for what sees the drawn page; what it asks for has to be drawn, too
            if self._asked == asked and not self._open:
                return

    async def _expire(self, milliseconds: int) -> None:
        self._has_expired.clear()
        policy = {"policy": "pauseIfNetworkFetchesPending", "budget": milliseconds}
        await self._tools.call("Emulation.setVirtualTimePolicy", self._session, **policy)
        idle = 0.0  # where the page waits for what nobody answers, its time stands still
        while not self._has_expired.is_set() and idle < IDLE_SECONDS:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._has_expired.wait()
            idle = 0.0 if self._open else idle + LOOK_SECONDS

    async def _show_more(self) -> None:
        size: object = None
        for _ in range(ROUNDS):
            before, size = size, await self._evaluate("showMore()")
            if size == before or self._asked > REQUESTS // 2:
                return
            await self._pass(ROUND_MS)

    async def _evaluate(self, source: str) -> object:
        evaluated = await self._tools.call(
            "Runtime.evaluate",
            self._session,
            expression=source,
            contextId=self._world,
            returnByValue=True,
            awaitPromise=True,
        )
        return evaluated.get("result", {}).get("value")

    def _on_event(self, name: str, told: Parameters) -> None:
        if name == "Fetch.requestPaused":
            self._last = task = asyncio.create_task(self._answer(told, self._last))
            self._open.add(task)
            task.add_done_callback(self._note)
        elif name == "Emulation.virtualTimeBudgetExpired":
            self._has_expired.set()
        elif name in ("Network.loadingFinished", "Network.loadingFailed"):
            if taken := self._taken.pop(told["requestId"], None):
                taken.set()
        elif name == "Page.windowOpen":
            self._link(told["url"])
        elif name == "Inspector.targetCrashed":
            self._end(EngineLost())

    def _note(self, task: asyncio.Task[None]) -> None:
        self._open.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._end(error)

    def _end(self, error: BaseException) -> None:
        if not self._ended.done():
            self._ended.set_exception(error)

    def _link(self, url: str) -> None:
        normalised = normalise(url)
        if normalised and is_page_like(normalised) and len(self._links) < LINKS:
            self._links[normalised] = None

    async def _answer(self, told: Parameters, before: asyncio.Task[None] | None) -> None:
        """Answer one request of the page, after the one before it: so the same page gets the same answers."""
        part = await self._part(told)
        if before is not None:
            await asyncio.wait({before})
        taken = self._taken[told.get("networkId", "")] = asyncio.Event()
        self._give(told, part)
        if told["resourceType"] in _ANSWERED:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TAKEN_SECONDS):
                    await taken.wait()

    async def _part(self, told: Parameters) -> Fetched | None:
        """What the network gives for a request; None where it is not asked, or gives nothing."""
        request, kind = told["request"], told["resourceType"]
        url = normalise(request["url"].partition("#")[0])
        if kind not in _ANSWERED or request["method"] not in ("GET", "OPTIONS") or url is None:
            return None
        self._asked += 1
        if self._asked > REQUESTS:
            raise TooMuch
        return await self._parts.get(url, is_script=kind == "Script") if request["method"] == "GET" else None

    def _give(self, told: Parameters, part: Fetched | None) -> None:
        request, kind, number = told["request"], told["resourceType"], told["requestId"]
        if kind == "Document" and told["frameId"] == self._frame:
            self._answer_document(request, number)
        elif kind == "Stylesheet":  # a script may wait for it
            self._fulfill(number, 200, {"content-type": "text/css"})
        elif part is not None:
            self._answer_part(request, part, number)
        elif request["method"] == "OPTIONS" and (sharing := self._sharing(request)):
            self._fulfill(number, 204, sharing)
        else:
            self._send("Fetch.failRequest", number, errorReason="BlockedByClient")

    def _answer_document(self, request: Parameters, number: str) -> None:
        """Give the page itself. Where it wants to move to another one later, it stays, and the other one is a link."""
        if self._is_shown:
            if request["method"] == "GET":
                self._link(request["url"])
            self._fulfill(number, 204, {})
            return
        self._is_shown = True
        _, charset = decode(self._page.body, self._page.headers.get("content-type"))  # browsers guess it otherwise
        kind = media_type(self._page.headers) or "text/html"
        self._fulfill(number, 200, {"content-type": f"{kind}; charset={charset}"}, self._page.body)

    def _answer_part(self, request: Parameters, part: Fetched, number: str) -> None:
        self._received += len(part.body)
        if self._received > BYTES:
            raise TooMuch
        kept = {name: part.headers[name] for name in _KEPT_FIELDS if name in part.headers}
        self._fulfill(number, part.status, kept | self._sharing(request), part.body)

    def _sharing(self, request: Parameters) -> dict[str, str]:
        """The fields by which a page may read what other hosts of its own domain answer. They are given here, because
        no request names the page that it is for.
        """
        headers = {name.lower(): value for name, value in request["headers"].items()}
        url = normalise(request["url"])
        if "origin" not in headers or not url or domain_of(host_of(url)) != domain_of(host_of(self._page.url)):
            return {}
        return {
            "access-control-allow-origin": headers["origin"],
            "access-control-allow-credentials": "true",
            "access-control-allow-methods": "GET",
            "access-control-allow-headers": headers.get("access-control-request-headers", "*"),
        }

    def _fulfill(self, number: str, status: int, headers: Mapping[str, str], body: bytes = b"") -> None:
        fields = [{"name": name, "value": value} for name, value in headers.items()]
        packed = base64.b64encode(body).decode()
        self._send("Fetch.fulfillRequest", number, responseCode=status, responseHeaders=fields, body=packed)

    def _send(self, method: str, number: str, **parameters: object) -> None:
        self._tools.send(method, self._session, requestId=number, **parameters)


@cache
def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _links(urls: Iterable[str]) -> Iterable[str]:
    return (f'<a href="{escape(url)}"></a>' for url in urls)


def _sent_at(headers: Mapping[str, str]) -> float:
    try:
        return parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (ValueError, OverflowError):
        return NO_DATE


def as_fetched(page: Fetched, html: str) -> Fetched:
    """The answer with what the page became."""
    headers = {name: value for name, value in page.headers.items() if name != "content-type"}
    return Fetched(
        page.url, page.status, {**headers, "content-type": _HTML}, html.encode("utf-8", "replace"), page.seconds
    )
