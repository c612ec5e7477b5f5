"""Both READMEs are short, say the same, name only what there is, and show commands that run as they are written."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import typer
from test_end_to_end import ontocrawl
from warc_records import response_record

from cli.main import app

ROOT = Path(__file__).resolve().parents[2]
COMMAND = typer.main.get_command(app)
README = ["README.md", "README.zh-CN.md"]
ALWAYS = {"--help", "--install-completion", "--version"}
WORDS = 900
CHARACTERS = 1_800  # Chinese ones; two of them say about what an English word says


def commands(group: click.Command, words: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something by itself, by its words."""
    for name, command in getattr(group, "commands", {}).items():
        yield f"{words}{name}", command
        yield from commands(command, f"{words}{name} ")


def options(text: str) -> list[str]:
    return re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)


def text_of(readme: str) -> str:
    return (ROOT / readme).read_text(encoding="utf-8")


def test_each_readme_is_read_in_minutes():
    one, other = map(text_of, README)
    assert len(one.split()) <= WORDS
    assert len(re.findall(r"[\u4e00-\u9fff]", other)) <= CHARACTERS


@pytest.mark.parametrize("readme", README)
def test_no_other_command_or_option_is_told(readme):
    text = text_of(readme)
    assert set(re.findall(r"(?:^|[ `])ontocrawl ([a-z]+)", text, re.MULTILINE)) <= set(COMMAND.commands)
    known = {word for _, command in commands(COMMAND) for parameter in command.params for word in parameter.opts}
    assert set(options(text)) <= known | ALWAYS


@pytest.mark.parametrize("readme", README)
def test_every_link_leads_to_a_file_and_heading(readme):
    for path, heading in re.findall(r"\]\((?!https?:)([^)#]+)#?([^)]*)\)", text_of(readme)):
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")  # a picture, too
        headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
        assert not heading or heading in {name.lower().replace(" ", "-") for name in headings}, (path, heading)


# --- what it shows to type


def blocks() -> list[list[str]]:
    """The commands of each example."""
    found = re.findall(r"^```console\n(.*?)^```", text_of(README[0]), re.MULTILINE | re.DOTALL)
    return [[line[2:] for line in block.splitlines() if line.startswith("$ ")] for block in found]


def web() -> bytes:
    """Two sites: a start page that leads to one page about tea and one about a Raspberry Pi, on each."""
    pages = {
        "": '<title>Start</title><a href="/tea">茶</a> <a href="/pi">树莓派</a>',
        "tea": "<title>tea</title><p>Tea, 茶, is made of leaves. This is all about tea.</p>" * 3,
        "pi": "<title>树莓派</title><p>树莓派是单板计算机，用 Raspbian 系统，有 GPIO 针脚。</p>" * 3,
    }
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    return b"".join(
        response_record(site + path, head + html.encode())
        for site in ("https://linux.cn/", "https://example.org/")
        for path, html in pages.items()
    )


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks(), ids=["four words", "own topic"])
def test_its_commands_run_in_their_order(block, tmp_path):
    (tmp_path / "linuxcn").mkdir()
    (tmp_path / "linuxcn" / "web.warc").write_bytes(web())
    for line in block:
        words = shlex.split(line)[1:]
        if words[0] == "crawl" and "--archive" not in words:
            words += ["--archive", "linuxcn", "--delay", "0"]
        if words[0] == "ui":
            words.append("--help")  # it serves until Ctrl-C
        done = ontocrawl(tmp_path, *words)
        assert done.returncode == 0, (line, done.stderr)


# --- the one as the other


def typed(readme: str) -> list[str]:
    """What is in the blocks to be typed, without remarks."""
    found = re.findall(r"^```(?:sh|console)\n(.*?)^```", text_of(readme), re.MULTILINE | re.DOTALL)
    lines = (re.sub(r"\s*# .*", "", line) for block in found for line in block.splitlines())
    return [line for line in lines if line.startswith(("$", "make"))]


def figures(text: str) -> Counter[str]:
    return Counter(re.findall(r"(?<![\w.:-])\d+(?:[.,]\d+)*(?![\w-])", text))


def lines(readme: str) -> list[str]:
    """Rows of tables, and items of lists."""
    return [line for line in text_of(readme).splitlines() if line.startswith(("|", "- "))]


def test_both_readmes_have_the_same_to_type():
    one, other = map(typed, README)
    assert one == other


def test_both_readmes_tell_the_same_figures_and_options():
    pairs = list(zip(*map(lines, README), strict=True))
    assert [(a, b) for a, b in pairs if figures(a) != figures(b) or options(a) != options(b)] == []
