"""docs/tutorial.md, and its Chinese: each command is run, in order, on the small web, and prints what is shown.

`make docs` writes what they print into the pages. Decimal numbers, and times, may differ from what is shown.
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
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {"tutorial.md": "en", "tutorial.zh-CN.md": "zh_CN"}  # and the language that the program speaks
SERVED = "http://127.0.0.1:8700"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_VARIES = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.+]+|\d+\.\d+")


class Played:
    """The page as it is when its commands have been run; `failed`: those that did not succeed."""

    def __init__(self, page: Path, folder: Path, proxy: str) -> None:
        self._folder, self._proxy = folder, proxy
        self.failed: list[str] = []
        self.text = _BLOCK.sub(self._played, page.read_text(encoding="utf-8"))

    def _played(self, block: re.Match[str]) -> str:
        kind, file, text = block.groups()
        if file:
            with (self._folder / file.removeprefix("+")).open(
                "a" if file[0] == "+" else "w", encoding="utf-8"
            ) as written:
                written.write(text)
        if kind != "console":
            return block[0]
        commands = [line for line in text.splitlines() if line.startswith("$ ")]
        return f"```console\n{''.join(map(self._run, commands))}```\n"

    def _run(self, line: str) -> str:
        typed, cut, number = re.fullmatch(r"(.*?)(?: \| (head|tail) -(\d+))?", line).groups()
        rows = {None: slice(None), "head": slice(int(number or 0)), "tail": slice(-int(number or 0), None)}[cut]
        words = shlex.split(typed.replace(SERVED, self._proxy))[2:]
        done = ontocrawl(self._folder, *words)
        if done.returncode:
            self.failed.append(f"{typed}: {done.stderr}")
        told = (done.stdout.strip("\n") or done.stderr.strip("\n")).replace(self._proxy, SERVED)
        shown = told.replace(f"{self._folder}/", "").splitlines()[rows]
        return "".join(f"{text.rstrip()}\n" for text in (line, *shown))


@pytest.fixture(scope="module", params=PAGES)
def played(request, tmp_path_factory):
    folder, page = tmp_path_factory.mktemp("tutorial"), DOCS / request.param
    with pytest.MonkeyPatch.context() as patch, WebServer(read_sites()) as server:
        patch.setenv("COLUMNS", "110")
        patch.setattr(locale, "getlocale", lambda *_: (None, None))
        for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
            patch.setenv(name, "C.UTF-8")
        patch.setenv("LANGUAGE", PAGES[request.param])
        result = Played(page, folder, server.proxy)
    if os.environ.get("WRITE_TUTORIAL") and varied(result.text) != varied(page.read_text(encoding="utf-8")):
        page.write_text(result.text, encoding="utf-8")
    return page, result, folder


def varied(text: str) -> list[str]:
    return [re.sub(r"\s+", " ", _VARIES.sub("N", line)) for line in text.splitlines()]


def commands(page: str) -> list[str]:
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    return [line.replace("--lang zh", "--lang en") for line in lines if line.startswith("$ ")]


def test_every_command_of_the_tutorial_succeeds(played):
    _, result, folder = played
    assert result.failed == []
    assert (folder / "report.html").stat().st_size > 10_000


def test_the_tutorial_shows_what_its_commands_print(played):
    """Else: make docs."""
    page, result, _ = played
    assert varied(result.text) == varied(page.read_text(encoding="utf-8"))


def test_both_tutorials_have_the_same_to_type():
    one, other = map(commands, PAGES)
    assert one == other
