"""docs/tutorial.md: each of its commands is run, in order, on the small web, and prints what is shown.

`make docs` writes what they print into the page. Decimal numbers, and times, may differ from what is shown.
"""

import locale
import os
import re
import shlex
from pathlib import Path

import pytest
from test_end_to_end import ontocrawl

from examples.server import WebServer
from examples.sites import read_sites

pytestmark = pytest.mark.slow
PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
SERVED = "http://127.0.0.1:8700"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_VARIES = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.+]+|\d+\.\d+")


class Played:
    """The page as it is when its commands have been run; `failed`: those that did not succeed."""

    def __init__(self, folder: Path, proxy: str) -> None:
        self._folder, self._proxy = folder, proxy
        self.failed: list[str] = []
        self.text = _BLOCK.sub(self._played, PAGE.read_text(encoding="utf-8"))

    def _played(self, block: re.Match[str]) -> str:
        kind, file, text = block.groups()
        if file:
            (self._folder / file).write_text(text, encoding="utf-8")
        if kind != "console":
            return block[0]
        commands = [line for line in text.splitlines() if line.startswith("$ ")]
        return f"```console\n{''.join(map(self._run, commands))}```\n"

    def _run(self, line: str) -> str:
        typed, _, most = line.partition(" | head -")
        words = shlex.split(typed.replace(SERVED, self._proxy))[2:]
        done = ontocrawl(self._folder, *words)
        if done.returncode:
            self.failed.append(f"{typed}: {done.stderr}")
        told = (done.stdout.strip("\n") or done.stderr.strip("\n")).replace(self._proxy, SERVED)
        shown = told.replace(f"{self._folder}/", "").splitlines()[: int(most) if most else None]
        return "".join(f"{text.rstrip()}\n" for text in (line, *shown))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tutorial")
    with pytest.MonkeyPatch.context() as patch, WebServer(read_sites()) as server:
        patch.setenv("COLUMNS", "110")
        patch.setattr(locale, "getlocale", lambda *_: (None, None))
        for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
            patch.setenv(name, "C.UTF-8")
        result = Played(folder, server.proxy)
    if os.environ.get("WRITE_TUTORIAL") and varied(result.text) != varied(PAGE.read_text(encoding="utf-8")):
        PAGE.write_text(result.text, encoding="utf-8")
    return result, folder


def varied(text: str) -> list[str]:
    return [re.sub(r"\s+", " ", _VARIES.sub("N", line)) for line in text.splitlines()]


def test_every_command_of_the_tutorial_succeeds(played):
    assert played[0].failed == []
    assert (played[1] / "report.html").stat().st_size > 10_000


def test_the_tutorial_shows_what_its_commands_print(played):
    """Else: make docs."""
    assert varied(played[0].text) == varied(PAGE.read_text(encoding="utf-8"))
