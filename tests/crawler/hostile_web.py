"""A small real web on 127.0.0.0/8 that a crawl goes through: every site has an address and a behaviour of its own.

The crawl is the real one (driver, session, network source, reader in its process); only the store is a fake.
"""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from crawl_fakes import FakeStore, FakeUnderstanding
from frames_at_hand import frame_of

from crawler.archive.warc_recording import WarcFiles
from crawler.engine.actions import Limits
from crawler.engine.driver import crawl
from crawler.engine.session import Session
from crawler.fetch.client import HttpSource
from crawler.ports import Outcome
from crawler.sandbox.sandboxed_reading import ReadingSource
from semantic.links.link_scorer import best_links
from semantic.page import Page
from semantic.reasons import PageError, Reason
from semantic.records import Priority, Relevance
from semantic.understanding import Answer, Understood

GOOD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<p>still there"
MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]
Site = bytes | Behaviour  # the answer, or a function that sends it


def html(body: str | bytes, *headers: str) -> bytes:
    """A complete answer with its Content-Length."""
    body = body.encode() if isinstance(body, str) else body
    head = "".join(f"{line}\r\n" for line in (*headers, "Content-Type: text/html", f"Content-Length: {len(body)}"))
    return f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + body


class Web:
    """Sites by address and path; the first is where a crawl begins. `asked`: (address, path, request) of each request.

    A site's robots.txt is missing unless given.
    """

    def __init__(self, sites: Mapping[str, Site]) -> None:
        self.sites = dict(sites)
        self.asked: list[tuple[str, str, str]] = []
        self.port = 0

    def url(self, place: str) -> str:
        """The address of a site, which is named `127.0.0.2/path`."""
        host, _, path = place.partition("/")
        return f"http://{host}:{self.port}/{path}"

    async def serve(self) -> asyncio.Server:
        """Listen on all of 127.0.0.0/8."""
        server = await asyncio.start_server(self._answer, "0.0.0.0", self.port)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host = writer.get_extra_info("sockname")[0]
        try:
            while request := (await reader.readuntil(b"\r\n\r\n")).decode():
                path = request.split()[1].removeprefix("/")
                self.asked.append((host, path, request))
                site = self.sites.get(f"{host}/{path}", MISSING)
                if isinstance(site, bytes):
                    writer.write(site.replace(b"PORT", str(self.port).encode()))
                    await writer.drain()
                else:
                    await site(writer)
                    return
        except (OSError, EOFError):
            pass
        finally:
            writer.close()


class Reads(FakeUnderstanding):
    """Reads pages as the crawl does, finds them on topic, and follows every link."""

    def __init__(self, source: ReadingSource) -> None:
        super().__init__()
        self._read = source.read

    def _understood(self, answer: Answer) -> Understood | PageError:
        try:
            page = self._read(*answer)
        except PageError as error:
            return error
        assert isinstance(page, Page), "nobody gave an analyst"
        self.pages += 1
        links = best_links(page, [Priority(1.0, (Reason("anchor", 1.0),))] * len(page.links))
        return Understood(frame_of(page), Relevance(1.0, True, ()), links)


def answers(web: Web, *urls: str, proxy: str | None = None, warc: Path | None = None, **options) -> list[Outcome]:
    """What one source makes of them, one after another. PORT stands for the port of the web."""

    async def go() -> list[Outcome]:
        server = await web.serve()
        port = str(web.port)
        source = HttpSource(proxy and proxy.replace("PORT", port), **options)
        if warc:
            source.record_with(WarcFiles(warc, "test"))
        try:
            return [await source.fetch(url.replace("PORT", port)) for url in urls]
        finally:
            await source.close()
            server.close()

    return asyncio.run(go())


def crawl_through(web: Web, allow: frozenset[str], first: str) -> FakeStore:
    """Crawl to the end from a site; returns the content of the store."""

    async def go() -> FakeStore:
        server = await web.serve()
        store = FakeStore(web.url(first))
        try:
            await _crawl(store, HttpSource(allow=allow))
        finally:
            server.close()
        return store

    return asyncio.run(go())


@dataclass(frozen=True, slots=True)
class Apart:
    """A crawl in a process of its own. `pages`: status and reasons; `peaks`: MB of the process and of its reader."""

    pages: dict[str, tuple[str, tuple[str, ...]]]
    peaks: tuple[float, float]
    seconds: float


def crawl_apart(web: Web, first: str, seconds: float) -> Apart:
    """Crawl to the end from a site in a process of its own, whose memory is measured; `seconds` for an answer."""

    async def go() -> bytes:
        server = await web.serve()
        allow = sorted({place.partition("/")[0] for place in web.sites})
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, __file__, web.url(first), str(seconds), *allow),
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        output, _ = await child.communicate()
        server.close()
        return output

    told = json.loads(asyncio.run(go()))
    pages = {url: (status, tuple(reasons)) for url, (status, reasons) in told["pages"].items()}
    return Apart(pages, tuple(told["peaks"]), told["seconds"])


def main(first: str, seconds: str, *allow: str) -> None:
    """Crawl in this process and print the results."""
    began = time.monotonic()
    store = FakeStore(first)
    reader = asyncio.run(_crawl(store, HttpSource(allow=frozenset(allow), seconds=float(seconds))))
    pages = {url: (page.status, [*map(str, page.reasons)]) for url, page in store.pages.items()}
    print(json.dumps({"pages": pages, "peaks": (_peak(os.getpid()), reader), "seconds": time.monotonic() - began}))


def _peak(pid: int) -> float:
    """The peak memory of a process in MB; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    peak = next((line for line in status.splitlines() if line.startswith("VmHWM")), "VmHWM: 0 kB")
    return int(peak.split()[1]) / 1024


def reading_processes() -> list[int]:
    """The processes in which pages are read for this one."""
    found = []
    for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        with contextlib.suppress(OSError):
            if b"reading_process" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(int(pid))
    return found


async def _crawl(store: FakeStore, http: HttpSource) -> float:
    """Crawl to the end; returns the peak memory of its reading process in MB."""
    source = ReadingSource(http, 60)  # long enough for a busy machine
    limits = Limits(max_pages=1000, delay=0.0, connections=16, per_host=4)
    session = Session(Reads(source), limits, store.resumed(), store.queued(), store.known())
    peaks = [0.0]

    def observe(_: object) -> None:
        peaks.extend(map(_peak, reading_processes()))

    try:
        await crawl(session, source, store, observe)
        return max(peaks)
    finally:
        await source.close()


def fake_names(names: Mapping[str, list[tuple[str, ...]]]) -> Callable[..., list[tuple[object, ...]]]:
    """A `getaddrinfo` for these names: their answers in turn, the last one repeatedly; other names by the system."""
    ask = socket.getaddrinfo
    left = {name: list(answers) for name, answers in names.items()}

    def look_up(host: str, port: int, *how: object, **options: object) -> list[tuple[object, ...]]:
        if host not in left:
            if host.endswith(".example"):
                raise socket.gaierror(socket.EAI_NONAME, "unknown")
            return ask(host, port, *how, **options)
        answers = left[host]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return [info for address in answer for info in ask(address, port, type=socket.SOCK_STREAM)]

    return look_up


if __name__ == "__main__":
    main(*sys.argv[1:])
