"""Headless Chromium for the tests in tests/browser: Debian's own, driven by playwright. It reaches this machine only.

`make test-browser` installs Chromium and a font with Chinese signs where they are missing. CHROMIUM in the environment
names another Chromium.

Playwright keeps an event loop in this thread, so that no crawl can run in it: `command` starts one as a program.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request, Route

DESK = (1280, 900)  # CSS pixels
PHONE = (360, 740)  # a narrow phone of today
HERE = {"127.0.0.1", "localhost"}
LEAST_MILLISECONDS = 30_000  # until a page that does not become what a test waits for fails it


@dataclass
class Seen:
    """A page of the browser, and what it did: `asked` for, said on its console in anger, tried to reach elsewhere."""

    page: "Page"
    asked: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    @property
    def spills(self) -> int:
        """By how many pixels the page is wider than the window: 0 where nothing has to be scrolled sideways."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return width


Open = Callable[..., Seen]


def command(folder: Path, *words: str, state: Path | None = None) -> subprocess.Popen[str]:
    """`ontocrawl` as a program of its own, in a folder. `state`: where it notes crawls, if not among those of here."""
    return subprocess.Popen(
        [sys.executable, "-c", "from cli.main import main; main()", *words],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
            "PYTHONIOENCODING": "utf-8",
            **({"XDG_STATE_HOME": str(state)} if state else {}),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """One browser for the whole session."""
    from playwright.sync_api import sync_playwright

    program = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if program is None:
        pytest.fail("there is no Chromium: make test-browser installs it, or name one: CHROMIUM=google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: "Browser") -> Iterator[Open]:
    """Opens an address, or a file of this machine, in a window of its own: `opened(where, size=PHONE)`."""
    contexts: list[BrowserContext] = []

    def open_page(where: str | Path, size: tuple[int, int] = DESK, **options: object) -> Seen:
        width, height = size
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        context.set_default_timeout(LEAST_MILLISECONDS)
        contexts.append(context)
        seen = Seen(context.new_page())

        def gate(route: "Route", request: "Request") -> None:
            seen.asked.append(request.url)
            parts = urlsplit(request.url)
            if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in HERE:
                seen.outside.append(request.url)
                route.abort()
            else:
                route.continue_()

        context.route("**/*", gate)
        seen.page.on("console", lambda said: seen.errors.append(said.text) if said.type == "error" else None)
        seen.page.on("pageerror", lambda error: seen.errors.append(str(error)))
        seen.page.goto(where.as_uri() if isinstance(where, Path) else where)
        return seen

    yield open_page
    for context in contexts:
        context.close()
