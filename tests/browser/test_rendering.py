"""`crawl --render` with a real browser: what it reads, what it must not do, and that it ends.

All pages are those of `scripted_web`. A crawl runs as a program, and the engine alone in a thread of its own.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_fixtures import command
from scripted_web import TRUTH, ScriptedWeb, served_web
from warcio.archiveiterator import ArchiveIterator

from crawler.fetch.client import HttpSource
from crawler.ports import Fetched
from crawler.render.engine_process import engine_path, without_network
from crawler.render.rendering_engines import Engines, RenderingFailed
from crawler.render.requested_parts import PageParts
from ontology.errors import SettingsError
from semantic.parsing.page_reader import unpack

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium")) or ""
ONTOLOGY = """@prefix : <http://onto.example/tea#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Tea a owl:Class ; rdfs:label "tea"@en .
:Green a owl:Class ; rdfs:subClassOf :Tea ; rdfs:label "green tea"@en .
"""
SECONDS = 4.0  # for a page that does not end
HTML = {"content-type": "text/html; charset=utf-8", "date": "Sun, 29 Nov 2026 09:00:00 GMT"}

Pages = dict[str, tuple[str | None, str, frozenset[str]]]  # by path: what scripts did, text, paths of links


@pytest.fixture(scope="module", autouse=True)
def _engine() -> None:
    """Skip these tests where a browser cannot be run without a network, with the reason."""
    try:
        engine_path(CHROMIUM)
    except SettingsError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def web() -> Iterator[ScriptedWeb]:
    with served_web() as served:
        yield served


def crawled(folder: Path, store: str, origin: str, *words: str) -> Pages:
    """The pages that a crawl leaves which renders."""
    (folder / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    with crawling(folder, store, origin, *words) as crawl:
        _, told = crawl.communicate(timeout=100)
    assert crawl.returncode == 0, told
    return kept(folder / store, origin)


def crawling(folder: Path, store: str, origin: str, *words: str) -> "subprocess.Popen[str]":
    allowed = ("--allow", "127.0.0.1", "--allow", "127.0.0.2", "--render", CHROMIUM)
    given = f"--ontology tea.ttl --seeds {origin}/ --store {store} --max-pages 50 --max-depth 1 --delay 0 --lang en"
    return command(folder, "crawl", *given.split(), *allowed, *words)


def kept(store: Path, origin: str) -> Pages:
    with contextlib.closing(sqlite3.connect(store / "crawl.sqlite")) as record:
        rows = record.execute("SELECT url, script, content FROM pages JOIN contents ON page = id")
        read = {url: (script, unpack(content, url)) for url, script, content in rows}
    return {
        url.removeprefix(origin): (script, page.text, frozenset(link.url.removeprefix(origin) for link in page.links))
        for url, (script, page) in read.items()
    }


@pytest.fixture(scope="module")
def crawl(web, tmp_path_factory) -> tuple[Path, Pages]:
    """A crawl of the whole web, archived."""
    folder = tmp_path_factory.mktemp("rendered")
    return folder, crawled(folder, "first", web.origin, "--warc", "warc")


def recall(found: Counter[str], truth: Counter[str]) -> float:
    return (found & truth).total() / truth.total()


def test_pages_have_the_text_and_links_their_scripts_make(crawl):
    _, pages = crawl
    for path, (text, links) in TRUTH.items():
        script, found, led = pages[path]
        assert script == (None if path == "/plain" else "run")
        assert recall(Counter(found.replace("\u2029", " ").split()), Counter(text.split())) >= 0.95, path
        assert len(led & links) >= 0.95 * len(links), path


def test_nothing_is_sent_but_what_a_crawl_may_ask(crawl, web):
    _, pages = crawl
    assert pages["/reach"][1].endswith("all was tried")
    assert {method for method, _ in web.asked} == {"GET"}
    assert ("GET", "/private/rows.json") not in web.asked
    assert pages["/forbidden"][1] == "not given not taken"
    assert web.cookies == []
    assert pages["/cookie-2"][1] == "found nothing and nothing"
    assert web.connections == 0


def test_a_move_and_a_popup_are_links_of_the_page(crawl):
    _, pages = crawl
    assert pages["/moves"] == ("run", "Here it stays", {"/popup", "/moved"})


def test_the_archive_has_both_forms_of_a_page(crawl, web):
    folder, pages = crawl
    (file,) = (folder / "warc").iterdir()
    with file.open("rb") as stream:
        heads = [entry.rec_headers for entry in ArchiveIterator(stream)]
    named = {head.get_header("WARC-Record-ID"): head.get_header("WARC-Target-URI") for head in heads}
    converted = {
        head.get_header("WARC-Target-URI"): head.get_header("WARC-Refers-To")
        for head in heads
        if head.get_header("WARC-Type") == "conversion"
    }
    assert {url.removeprefix(web.origin) for url in converted} == {
        path for path, page in pages.items() if page[0] == "run"
    }
    assert all(named[refers_to] == url for url, refers_to in converted.items())


def with_engine(work: Callable[[Engines, PageParts], Awaitable[Any]]) -> Any:
    """What `work` returns. In a thread of its own: this one may have playwright's event loop."""
    found: list[Any] = []

    async def go() -> None:
        source, engine = (
            HttpSource(allow=frozenset({"127.0.0.1", "127.0.0.2"})),
            Engines(engine_path(CHROMIUM), SECONDS),
        )
        parts = PageParts(source, 0.0)
        try:
            found.append(await work(engine, parts))
        finally:
            await engine.close()
            await parts.close()
            await source.close()

    thread = threading.Thread(target=lambda: asyncio.run(go()))
    thread.start()
    thread.join()
    return found[0]


def test_a_page_without_an_end_leaves_the_next_alone(web):
    async def work(engine: Engines, parts: PageParts) -> list[str]:
        found = []
        for path in ("/loop", "/flood", "/memory", "/hash"):
            page = Fetched(f"{web.origin}{path}", 200, HTML, web.pages[path].encode())
            try:
                async with asyncio.timeout(60):
                    found.append(await engine.rendered(page, parts))
            except RenderingFailed as failed:
                found.append(failed.reason.kind)
        return found

    loop, flood, memory, last = with_engine(work)
    assert (loop, flood) == ("render slow", "render requests")
    assert memory in ("render memory", "render slow")  # a busy machine gives it less than the limit in time
    assert "Home of all teas" in last


def test_the_engine_has_no_network_at_all():
    said = subprocess.run(
        [*without_network(), "cat", "/proc/self/net/dev", "/proc/self/net/route", "/proc/self/net/if_inet6"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert [line.split()[0] for line in said.splitlines()] == ["Inter-|", "face", "lo:"]  # loopback, without a route


def engines(of: int) -> list[int]:
    """The processes of the engine that a crawl has begun."""
    found = []
    for folder in filter(lambda one: one.name.isdecimal(), Path("/proc").iterdir()):
        with contextlib.suppress(OSError):
            if f"ontocrawl-engine-{of}-".encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def test_a_killed_crawl_leaves_no_process_and_ends_the_same(crawl, web):
    folder, pages = crawl
    asked = web.asked.total()
    with crawling(folder, "killed", web.origin, "--archive", "warc") as process:
        until(lambda: len(engines(process.pid)) > 3)
        process.send_signal(signal.SIGKILL)
        process.wait()
    until(lambda: not engines(process.pid))
    assert crawled(folder, "killed", web.origin, "--archive", "warc") == pages
    assert web.asked.total() == asked  # all of it is in the archive


def until(holds: Callable[[], bool]) -> None:
    """Wait for something, at most a minute."""
    ends = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_without_a_browser_or_namespaces_it_is_refused(monkeypatch, tmp_path):
    with pytest.raises(SettingsError, match="no such browser"):
        engine_path(str(tmp_path / "browser"))
    (tmp_path / "setpriv").write_text("#!/bin/sh\necho no namespaces >&2; exit 1\n")
    (tmp_path / "setpriv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(SettingsError, match="no namespaces"):
        engine_path(CHROMIUM)
    for name in ("sh", "unshare"):
        (tmp_path / name).symlink_to(shutil.which(name))
    (tmp_path / "setpriv").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingsError, match="setpriv"):
        engine_path(CHROMIUM)
