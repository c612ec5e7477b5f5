"""Both READMEs name the commands and options that there are, and no others."""

import re
from pathlib import Path

import pytest
import typer

from cli.main import app

ROOT = Path(__file__).resolve().parents[2]
COMMAND = typer.main.get_command(app)
README = ["README.md", "README.zh-CN.md"]


def options(name: str) -> set[str]:
    return {word for parameter in COMMAND.commands[name].params for word in parameter.opts if word.startswith("--")}


@pytest.mark.parametrize("readme", README)
def test_every_command_and_every_option_of_crawl_is_told(readme):
    text = (ROOT / readme).read_text(encoding="utf-8")
    assert {name for name in COMMAND.commands if f"ontocrawl {name}" not in text} == set()
    assert {option for option in options("crawl") if f"`{option}" not in text} == set()


@pytest.mark.parametrize("readme", README)
def test_no_other_command_or_option_is_told(readme):
    text = (ROOT / readme).read_text(encoding="utf-8")
    told = set(re.findall(r"(?:^|[ `])ontocrawl ([a-z]+)", text, re.MULTILINE))
    assert told <= set(COMMAND.commands)
    known = {option for name in COMMAND.commands for option in options(name)} | {"--help", "--install-completion"}
    known |= {word for each in COMMAND.commands["ontology"].commands.values() for p in each.params for word in p.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) <= known


@pytest.mark.parametrize("readme", README)
def test_the_two_commands_and_the_first_own_crawl_come_before_line_30(readme):
    head = "\n".join((ROOT / readme).read_text(encoding="utf-8").splitlines()[:29])
    places = [head.find(words) for words in ("make demo", "make test", "ontocrawl crawl --ontology")]
    assert -1 not in places
    assert places == sorted(places)
