"""The network source against small servers on 127.0.0.1."""

import asyncio
import contextlib
import errno
import gc
import gzip
import os
import socket
import threading
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

import brotli
import pytest
from aiohttp import web
from raw_servers import HERE, answered, sending, served

from crawler.fetch import client
from crawler.fetch.client import TUNNELS, USER_AGENT, HttpSource
from crawler.ports import Failed, Fetched, Outcome, Refused
from ontology.errors import SettingsError
from semantic.parsing.page_reader import read_page

BOMB = b"0" * 20_000_000
SHORT = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<p>ok"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def fetch(path: str, handler: Handler, host: str = "127.0.0.1", **options: Any) -> Outcome:
    """Serve with the handler and fetch one path."""

    async def go() -> Outcome:
        runner = web.ServerRunner(web.Server(handler))
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        proxy = {"proxy": f"http://127.0.0.1:{port}"} if options.pop("proxied", False) else {}
        conditions = options.pop("conditions", ())
        if "allow_at" in options:
            options["allow"] = frozenset({options.pop("allow_at").format(port)})
        source = HttpSource(**{"allow": HERE, **proxy, **options})
        try:
            return await source.fetch(path if path.startswith("http") else f"http://{host}:{port}{path}", conditions)
        finally:
            await source.close()
            await runner.cleanup()

    return asyncio.run(go())


def page(body: bytes, coding: str = "", **headers: str) -> Handler:
    async def answer(request: web.Request) -> web.StreamResponse:
        extra = {"Content-Encoding": coding} if coding else {}
        return web.Response(body=body, content_type="text/html", headers=extra | headers)

    return answer


def test_a_request_on_conditions_is_answered_without_a_page() -> None:
    asked = {}

    async def answer(request: web.Request) -> web.StreamResponse:
        asked.update(request.headers)
        return web.Response(status=304, headers={"ETag": '"2"'})

    outcome = fetch("/", answer, conditions=(("If-None-Match", '"1"'), ("If-Modified-Since", "Sun, 22 Nov 2026")))
    assert (asked["If-None-Match"], asked["If-Modified-Since"]) == ('"1"', "Sun, 22 Nov 2026")
    assert (outcome.status, outcome.body) == (304, b"")


def test_a_page_with_its_headers_in_lower_case() -> None:
    outcome = fetch("/x?y=%E4%B8%AD", page("中".encode(), **{"X-Robots-Tag": "noindex"}))
    assert (outcome.status, outcome.body) == (200, "中".encode())
    assert outcome.headers["x-robots-tag"] == "noindex"
    assert outcome.headers["content-type"] == "text/html"


def test_a_crawler_says_who_it_is() -> None:
    """That it sends no cookie: tests/crawler/test_trust.py."""

    async def echo(request: web.Request) -> web.StreamResponse:
        return web.Response(text=request.headers["User-Agent"], content_type="text/html")

    assert fetch("/", echo).body.decode() == USER_AGENT
    named = fetch("/", echo, contact="a@b.example").body.decode()
    assert named == USER_AGENT.removesuffix(")") + "; a@b.example)"


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body)[2:-4]),
        ("br", brotli.compress),
    ],
)
def test_codings_and_their_bombs(coding: str, pack: Callable[[bytes], bytes]) -> None:
    small = fetch("/", page(pack("页".encode() * 1000), coding))
    assert (small.status, small.body) == (200, "页".encode() * 1000)
    exact, bomb = (fetch("/", page(pack(body), coding), max_bytes=100_000) for body in (BOMB[:100_000], BOMB))
    assert (len(exact.body), exact.remark) == (100_000, None)
    assert (bomb.body, bool(bomb.remark)) == (BOMB[:100_000], True)


@pytest.mark.parametrize("behind", [b"", bytes(600), b"no gzip"])
def test_gzip_of_several_members_is_read_to_its_end(behind: bytes) -> None:
    packed = b"".join(map(gzip.compress, (b"<p>one", b"", b"<p>two" * 100_000, b"<p>three"))) + behind
    outcome = fetch("/", page(packed, "gzip"))
    assert (outcome.status, outcome.body) == (200, b"<p>one" + b"<p>two" * 100_000 + b"<p>three")
    bomb = fetch("/", page(gzip.compress(b"") * 50 + gzip.compress(BOMB), "gzip"), max_bytes=100_000)
    assert (bomb.status, bomb.body) == (200, BOMB[:100_000])


PDF = b"%PDF-1.7\n" + b"x" * 100_000
OPEN = "application/vnd.oasis.opendocument"
OFFICE = b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml" + b"x" * 100_000


@pytest.mark.parametrize(
    ("kind", "body", "found"),
    [
        ("application/octet-stream", PDF, "application/pdf"),
        ("application/force-download", b"\r\n" + PDF, "application/pdf"),
        ("text/plain", PDF, "application/pdf"),
        ("application/zip", OFFICE, OPEN),
        ("application/msword", OFFICE, OPEN),
        ("application/octet-stream", OFFICE.replace(b"[Content_Types]", b"mimetypexxxxxxx"), OPEN),
        ("application/octet-stream", b"x" * 100_000, ""),
        ("application/zip", OFFICE.replace(b"[Content", b"[content"), ""),
        ("application/octet-stream", b"short", ""),
    ],
)
def test_a_document_is_known_by_its_bytes(kind: str, body: bytes, found: str) -> None:
    """One that is sent as an unknown type is received; anything else sent so is not."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, content_type=kind)

    outcome = fetch("/get?id=7", answer)
    assert outcome.headers["content-type"].partition(";")[0] == (found or kind)
    assert outcome.body == (body if found or len(body) < 1000 else b"")


@pytest.mark.parametrize(
    ("head", "piece"), [(b"", b""), (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), (SHORT.replace(b": 5", b": 5000"), b"x")]
)
def test_time_is_capped(head: bytes, piece: bytes) -> None:
    """Also where an answer trickles in."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        with contextlib.suppress(OSError):
            while True:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.05)

    async def ask(source: HttpSource, url: str) -> Outcome:
        return await source.fetch(f"{url}/robots.txt", robots=True)

    outcome = served(serve, ask, seconds=0.4)
    assert (outcome.kind, outcome.seconds >= 0.4) == ("timeout", True)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"", "read"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nshort", "read"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxzz\r\n", "protocol"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n", "protocol"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10_000 + b"\r\n", "protocol"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "protocol"),
        (b"HTTP/1.1 2000 OK\r\nContent-Type: text/html\r\n\r\n<p>ok", "protocol"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\0\1\2", "encoding"),
        (b"\xff\xfe\x00" * 100, "protocol"),
    ],
)
def test_broken_answers_are_failures(answer: bytes, kind: str) -> None:
    outcome = answered(answer)
    assert outcome.kind == kind
    assert len(outcome.detail) <= 200


def test_an_x_robots_tag_for_all_holds_beside_another_s() -> None:
    tags = b"X-Robots-Tag: otherbot: noindex\r\nX-Robots-Tag: nofollow\r\n"
    outcome = answered(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + tags + b"Content-Length: 2\r\n\r\nok")
    assert isinstance(outcome, Fetched)
    page = read_page(outcome.body, outcome.url, outcome.headers)
    assert (page.noindex, page.nofollow) == (False, True)


def test_odd_header_bytes_are_no_error() -> None:
    outcome = answered("HTTP/1.1 302 嗯\r\nLocation: /中文\r\nContent-Length: 0\r\n\r\n".encode())
    assert outcome.headers["location"] == "/中文"


HERE_SPELLED = "127.0.0.1 127.0.0.1. 127.1 0x7f.1 localhost localhost. 0.0.0.0 [::1] [::ffff:127.0.0.1] 127.0.0.1%00.a"


@pytest.mark.parametrize("host", HERE_SPELLED.split())
def test_private_hosts_are_refused(host: str) -> None:
    assert isinstance(fetch("/", page(b"secret"), host=host, allow=frozenset()), Refused)


def test_a_port_that_is_not_named_is_refused() -> None:
    for host, port in (("127.0.0.1", "{}"), ("localhost", "{}"), ("127.0.0.1", "1"), ("localhost", "1")):
        outcome = fetch("/", page(b"mine"), host=host, allow_at=f"{host}:{port}")
        assert isinstance(outcome, Fetched if port == "{}" else Refused)


def test_a_name_of_a_cluster_s_service_is_refused() -> None:
    assert isinstance(fetch("http://api.default.svc/", page(b"secret")), Refused)


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example"])
def test_a_host_that_no_name_server_can_know_is_refused(host: str) -> None:
    outcome = fetch(f"http://{host}/", page(b""))
    assert outcome.reason.kind == "no address"


def test_a_look_up_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, late = threading.Event(), threading.Event()

    def hang(*question: object, **options: object) -> list[Any]:
        asked.set()
        late.wait(60)
        raise socket.gaierror(socket.EAI_AGAIN, "no name server answers")

    async def go() -> bool:
        source = HttpSource()
        task = asyncio.create_task(source.fetch("http://somewhere.example/"))
        while not asked.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await source.close()
        return task.cancelled()

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    assert asyncio.run(go())
    assert [thread.daemon for thread in threading.enumerate() if thread.name == "look-up"] == [True]
    late.set()


@pytest.mark.parametrize("times", [3, 10**6])
def test_too_many_open_files_are_not_the_host_s_failure(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The request is made again, and counted as this machine's if that does not help."""
    left, ask_system = [times], socket.getaddrinfo

    def full(*question: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise OSError(errno.EMFILE, "Too many open files")
        return ask_system(*question, **options)

    async def ask(source: HttpSource, url: str) -> Outcome:
        monkeypatch.setattr(client, "FILES_PAUSE", 0.01)
        monkeypatch.setattr(client, "FILES_SECONDS", 60 if times < 10 else 0.1)
        monkeypatch.setattr(socket, "getaddrinfo", full)
        return await source.fetch(url.replace("127.0.0.1", "localhost"))

    outcome = served(sending(SHORT), ask, allow=frozenset({"localhost"}))
    assert isinstance(outcome, Fetched if times < 10 else Failed)
    assert isinstance(outcome, Fetched) or outcome.kind == client.NO_FILES


@pytest.mark.parametrize(
    ("url", "options", "kind"),
    [
        ("http://nowhere.example/", {}, "dns"),
        ("http://127.0.0.1:1/", {}, "connect"),
        ("http://a.example/", {"proxy": "http://127.0.0.1:1"}, "no proxy"),
    ],
)
def test_where_nobody_is_the_failure_says_so(
    monkeypatch: pytest.MonkeyPatch, url: str, options: dict[str, str], kind: str
) -> None:
    def unknown(*question: object, **options: object) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert fetch(url, page(b""), **options).kind == kind


@pytest.mark.parametrize("host", ["no-such-host.example", "xn--ls8h.example", "x_y.example"])
def test_a_proxy_looks_names_up_and_may_itself_be_reached(host: str) -> None:
    """Also those that IDNA 2008 does not know."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(text=request.raw_path, content_type="text/html")

    through = fetch(f"http://{host}/a?b", answer, proxied=True, allow=frozenset())
    assert (through.status, through.body.decode()) == (200, f"http://{host}/a?b")


@pytest.mark.parametrize(
    "proxy", ["", "127.0.0.1", "ftp://127.0.0.1:1", "http://[::1", "http://", "http://127.0.0.1:99999"]
)
def test_what_is_no_proxy_is_a_user_s_mistake(proxy: str) -> None:
    with pytest.raises(SettingsError, match="not the URL of an HTTP proxy"):
        HttpSource(proxy)


def through(answers: list[int], urls: list[str]) -> tuple[list[Outcome], list[str]]:
    """Fetch one after another through a proxy that answers CONNECT so; the last for ever. And what it was asked for."""
    lines: list[str] = []
    left = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readuntil(b"\r\n\r\n")).decode().partition(" HTTP")[0]
        lines.append(line)
        is_tunnel = line.partition(" ")[0] == "CONNECT"
        status = (left.pop(0) if len(left) > 1 else left[0]) if is_tunnel else 404
        writer.write(f"HTTP/1.1 {status} said\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        writer.close()

    async def ask(source: HttpSource, _: str) -> list[Outcome]:
        return [await source.fetch(url) for url in urls]

    return served(serve, ask, proxied=True), lines


def test_https_through_a_proxy_that_refuses_it_is_given_up() -> None:
    urls = [f"https://{n}.example/" for n in range(TUNNELS + 2)]
    for status, most in ((403, TUNNELS), (405, 1)):  # of some hosts or all; of all
        outcomes, lines = through([status], [*urls, "http://a.example/"])
        assert len(lines) == most + 1
        assert lines[-1] == "GET http://a.example/"
        asked = [outcome.asked for outcome in outcomes if isinstance(outcome, Failed)]
        assert asked == [True] * most + [False] * (len(urls) - most)


@pytest.mark.parametrize("answers", [[502], [403, 502, 403, 504, 403, 403, 503]])
def test_https_hosts_beyond_a_proxy_s_reach_give_nothing_up(answers: list[int]) -> None:
    urls = [f"https://{n}.example/" for n in range(TUNNELS + 2)]
    _, lines = through(answers, urls)
    assert len(lines) == len(urls)


def test_a_fetch_that_is_cancelled_ends_its_connection() -> None:
    ended: list[bytes] = []

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        ended.append(b"asked")
        ended.append(await reader.read())
        writer.close()

    async def ask(source: HttpSource, url: str) -> None:
        task = asyncio.create_task(source.fetch(url))
        while not ended:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        while len(ended) < 2:  # the source is still open
            await asyncio.sleep(0.01)

    served(hang, ask)
    assert ended == [b"asked", b""]


def test_a_closed_source_leaves_no_socket_and_no_thread() -> None:
    gc.collect()  # else what earlier tests left is closed meanwhile
    open_before, threads_before = len(os.listdir("/dev/fd")), threading.active_count()

    async def ask(source: HttpSource, url: str) -> tuple[int, int]:
        pages = await asyncio.gather(*(source.fetch(f"{url}/{n}") for n in range(5)))
        assert all(isinstance(page, Fetched) for page in pages)
        asked = asyncio.create_task(source.fetch(f"{url}/hang"))
        await asyncio.sleep(0.05)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        return len(os.listdir("/dev/fd")), threading.active_count()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(EOFError, OSError):
            while b"/hang" not in await reader.readuntil(b"\r\n\r\n"):
                writer.write(SHORT)
        writer.close()

    open_then, threads_then = served(answer, ask)
    assert open_then > open_before
    assert threads_then == threads_before
    assert len(os.listdir("/dev/fd")) == open_before


@pytest.mark.parametrize("answer", [SHORT, SHORT.replace(b"200 OK", b"404 Gone"), SHORT.replace(b"html", b"css")])
def test_one_connection_serves_one_request_after_another(answer: bytes) -> None:
    """Also where nobody wants the body."""
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        with contextlib.suppress(EOFError, OSError):
            while await reader.readuntil(b"\r\n\r\n"):
                head, _, body = answer.partition(b"\r\n\r\n")
                writer.write(head + b"\r\n\r\n")
                await asyncio.sleep(0.02)
                writer.write(body)
        writer.close()

    async def ask(source: HttpSource, url: str) -> list[Outcome]:
        return [await source.fetch(f"{url}/{n}") for n in range(4)]

    assert all(isinstance(outcome, Fetched) for outcome in served(serve, ask))
    assert connections == 1


def test_a_body_that_nobody_wants_is_an_answer_without_it() -> None:
    """Neither its length nor its missing end matter."""
    sent = 0

    async def promise(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        is_short = b"/gone" in await reader.readuntil(b"\r\n\r\n")
        kind = b"404 Gone" if is_short else b"200 OK\r\nContent-Type: image/png"
        writer.write(b"HTTP/1.1 " + kind + (b"\r\nContent-Length: 50" if is_short else b"") + b"\r\n\r\nbegins")
        with contextlib.suppress(OSError):
            while not is_short:
                writer.write(bytes(100_000))
                await writer.drain()
                sent += 100_000
            await reader.read()
        writer.close()

    async def ask(source: HttpSource, url: str) -> list[Outcome]:
        return [await source.fetch(f"{url}/{path}") for path in ("gone", "endless.png")]

    assert [(answer.status, answer.body) for answer in served(promise, ask, seconds=1)] == [(404, b""), (200, b"")]
    assert sent < 20_000_000  # what the buffers between take


def test_interim_answers_and_trailers_are_not_the_answer() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nContent-Type: image/png\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Type\r\n\r\n"
    for body in (b"", b"5\r\n<p>ok\r\n"):
        outcome = answered(early + head + body + b"0\r\nContent-Type: image/gif\r\n\r\n")
        assert (outcome.status, outcome.headers["content-type"], outcome.body) == (200, "text/html", body[3:8])


def test_what_the_environment_says_of_proxies_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert isinstance(fetch("/", page(b"direct")), Fetched)
    monkeypatch.setenv("no_proxy", "*")
    through = fetch("http://no-such-host.example/", page(b"gate"), proxied=True)
    assert (through.status, through.body) == (200, b"gate")


def test_a_slow_name_server_holds_up_no_other_request(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, late, ask_system = threading.Event(), threading.Event(), socket.getaddrinfo

    def slow(host: str, *question: Any, **options: Any) -> Any:
        if host == "slow.example":
            asked.set()
            late.wait(60)
            return ask_system("127.0.0.1", *question, **options)
        return ask_system(host, *question, **options)

    async def ask(source: HttpSource, url: str) -> list[Outcome]:
        first = asyncio.create_task(source.fetch(url.replace("127.0.0.1", "slow.example")))
        while not asked.is_set():
            await asyncio.sleep(0.01)
        second = await source.fetch(url)
        assert not first.done()
        late.set()
        return [await first, second]

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    outcomes = served(sending(SHORT), ask, allow=HERE | {"slow.example"})
    assert all(isinstance(outcome, Fetched) for outcome in outcomes)


def test_a_tunnel_that_leads_nowhere_is_no_answer() -> None:
    """The proxy's own head, by which it opens a tunnel, is not taken for the page's."""

    async def open_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert b"PycURL" not in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await reader.read(1)
        writer.close()

    async def ask(source: HttpSource, _: str) -> Outcome:
        return await source.fetch("https://a.example/")

    outcome = served(open_and_close, ask, proxied=True)
    assert outcome.kind == "connect"


@pytest.mark.parametrize(
    "url", ["ftp://a.example/", "file:///etc/passwd", "http://a.%6cocalhost/", "http://a.example:99999/"]
)
def test_what_is_no_normalised_web_address_is_refused(url: str) -> None:
    assert isinstance(fetch(url, page(b"secret"), proxied=True), Refused)


def test_a_condition_of_two_lines_is_not_sent() -> None:
    async def echo(request: web.Request) -> web.StreamResponse:
        return web.Response(text=str(dict(request.headers)), content_type="text/html")

    outcome = fetch("/", echo, conditions=(("If-None-Match", '"1"\rCookie: a=b'), ("If-Modified-Since", "Sun")))
    assert isinstance(outcome, Fetched)
    assert b"If-Modified-Since" in outcome.body
    assert b"Cookie" not in outcome.body


async def api(request: web.Request) -> web.StreamResponse:
    """A page for those who prefer pages, else data of a type that is no page's."""
    if "html" in request.headers["Accept"]:
        return web.Response(text="<p>a page", content_type="text/html")
    return web.Response(text=request.headers["Accept"], content_type="application/vnd.tea+json")


def test_a_part_of_a_page_comes_whatever_its_type() -> None:
    async def go() -> tuple[Outcome, Outcome]:
        runner = web.ServerRunner(web.Server(api))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url, source = f"http://127.0.0.1:{runner.addresses[0][1]}/", HttpSource(allow=HERE)
        try:
            return await source.fetch(url), await source.fetch_part(url)
        finally:
            await source.close()
            await runner.cleanup()

    page, part = asyncio.run(go())
    assert isinstance(page, Fetched)
    assert page.body == b"<p>a page"
    assert isinstance(part, Fetched)
    assert part.body == b"*/*"
