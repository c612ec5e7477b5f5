"""Both READMEs name the commands and options that there are, and no others, and say the same."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import typer

from cli.main import app

ROOT = Path(__file__).resolve().parents[2]
COMMAND = typer.main.get_command(app)
README = ["README.md", "README.zh-CN.md"]
ALWAYS = {"--help", "--install-completion", "--version"}


def commands(group: click.Command, words: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something by itself, by its words."""
    for name, command in getattr(group, "commands", {}).items():
        yield f"{words}{name}", command
        yield from commands(command, f"{words}{name} ")


def options(command: click.Command) -> set[str]:
    return {word for parameter in command.params for word in parameter.opts if word.startswith("--")}


def text_of(readme: str) -> str:
    return (ROOT / readme).read_text(encoding="utf-8")


@pytest.mark.parametrize("readme", README)
def test_every_command_and_every_option_of_crawl_is_told(readme):
    text = text_of(readme)
    assert {name for name in COMMAND.commands if f"ontocrawl {name}" not in text} == set()
    assert {option for option in options(COMMAND.commands["crawl"]) if f"`{option}" not in text} == set()


@pytest.mark.parametrize("readme", README)
def test_no_other_command_or_option_is_told(readme):
    text = text_of(readme)
    told = set(re.findall(r"(?:^|[ `])ontocrawl ([a-z]+)", text, re.MULTILINE))
    assert told <= set(COMMAND.commands)
    known = {option for _, command in commands(COMMAND) for option in options(command)} | ALWAYS
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) <= known


@pytest.mark.parametrize("readme", README)
def test_both_commands_and_the_first_own_crawl_precede_line_30(readme):
    head = "\n".join(text_of(readme).splitlines()[:29])
    places = [head.find(words) for words in ("make demo", "make test", "ontocrawl crawl --ontology")]
    assert -1 not in places
    assert places == sorted(places)


# --- the one as the other


def typed(readme: str) -> list[str]:
    """What is in the blocks to be typed, without remarks."""
    blocks = re.findall(r"^```(?:sh|console|cypher)\n(.*?)^```", text_of(readme), re.MULTILINE | re.DOTALL)
    lines = (re.sub(r"\s*(?:(?<!:)//|#) .*", "", line) for block in blocks for line in block.splitlines())
    return [line for line in lines if line.startswith(("$", "make", "MATCH", "RETURN"))]


def rows(readme: str) -> dict[str, str]:
    """Rows of tables by what stands in code in their first cell."""
    found = {}
    for line in text_of(readme).splitlines():
        first, _, rest = line.removeprefix("| ").partition(" | ")
        named = " ".join(re.findall(r"`([^`]+)`", first))
        if line.startswith("| ") and named:
            found[re.sub(r"\.\.\.|…", "", named)] = rest
    return found


def figures(text: str) -> Counter[str]:
    return Counter(re.findall(r"(?<![\w.:-])\d+(?:[.,]\d+)*(?!\w)", text))


def told_options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


def bullets(readme: str) -> list[str]:
    """What does not work yet."""
    return [line for line in text_of(readme).splitlines() if line.startswith("- ")]


def test_both_readmes_have_the_same_to_type():
    one, other = map(typed, README)
    assert one == other


def test_both_readmes_have_the_same_rows_with_the_same_options():
    one, other = map(rows, README)
    assert list(one) == list(other)
    differing = {key for key in one if told_options(one[key]) != told_options(other[key])}
    assert differing == set()


def test_both_readmes_tell_the_same_figures():
    one, other = map(rows, README)
    differing = {
        key: (figures(one[key]), figures(other[key])) for key in one if figures(one[key]) != figures(other[key])
    }
    assert differing == {}
    pairs = list(zip(*map(bullets, README), strict=True))
    assert [(a, b) for a, b in pairs if figures(a) != figures(b)] == []
