"""Files that a command is given and cannot use: what it says names the file and the next step, in Chinese, too."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from cli.main import main

TEA = Path(__file__).parents[2] / "examples" / "ontologies" / "tea.owl"
COMMANDS = [
    "ontology check FILE",
    "ontology match FILE text.txt",
    "ontology match tea.owl FILE",
    "ontology accept FILE --into tea.owl",
    "ontology accept tea.owl --into FILE",
    "ontology diff tea.owl FILE",
    "ontology suggest --from FILE --ontology tea.owl",
    "import FILE --ontology tea.owl",
    "import pages.csv --links FILE --ontology tea.owl",
    "mark --file FILE",
    "rejudge --ontology FILE",
    "crawl --settings FILE",
    "crawl --ontology tea.owl --seeds FILE --max-pages 1",
]
ANY_BYTES = {"ontology match tea.owl FILE", "rejudge --ontology FILE"}  # the last looks for the store first
SYSTEM = re.compile(r"No such|Is a directory|too long|Errno|codec|Traceback")  # words of the system, or of Python


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """What a command says in Chinese that ends with exit code 2."""
    shutil.copy(TEA, tmp_path / "tea.owl")
    (tmp_path / "text.txt").write_text("tea")
    (tmp_path / "pages.csv").write_text("url,title\nhttp://a.example/,tea\n")
    (tmp_path / "folder.d").mkdir()
    (tmp_path / "latin.txt").write_bytes("Grüner Tee".encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "zh_CN")

    def run(words):
        monkeypatch.setattr(sys, "argv", ["ontocrawl", *words])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 2
        return capsys.readouterr().err

    return run


@pytest.mark.parametrize("file", ["nowhere.file", "folder.d", "x" * 300])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_cannot_be_read_is_told_plainly(said, command, file):
    told = said(command.replace("FILE", file).split())
    assert file in told
    assert "办法：" in told
    assert not SYSTEM.search(told)


@pytest.mark.parametrize("command", [each for each in COMMANDS if each not in ANY_BYTES])
def test_a_file_that_is_no_text_is_told_plainly(said, command):
    told = said(command.replace("FILE", "latin.txt").split())
    assert "latin.txt" in told
    assert "办法：" in told
    assert not SYSTEM.search(told)


@pytest.mark.parametrize("command", ["report -o FILE", "export --format csv -o FILE", "crawl --settings crawl.toml"])
def test_a_name_too_long_for_any_file_is_told_plainly(said, tmp_path, command):
    (tmp_path / "crawl.toml").write_text(f'ontology = "tea.owl"\nseeds = ["{"x" * 300}"]\nmax_pages = 1')
    told = said(command.replace("FILE", "x" * 300).split())
    assert "名称过长" in told
    assert not SYSTEM.search(told)


def test_a_file_of_nearly_the_name_is_proposed(said):
    assert "tea.owl" in said(["ontology", "check", "te.owl"]).partition("办法：")[2]


def test_a_file_without_permission_is_told_plainly(said, monkeypatch):
    read = Path.read_bytes

    def refuse(path):
        if path.name == "text.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert "text.txt：没有权限" in said(["ontology", "match", "tea.owl", "text.txt"])


def test_a_short_name_with_the_same_ending_is_not_near(said, tmp_path):
    (tmp_path / "tea.owl").rename(tmp_path / "茶具.owl")
    assert "茶具" not in said(["ontology", "check", "铁路.owl"])
    assert "茶具.owl" in said(["ontology", "check", "茶具.ttl"]).partition("办法：")[2]


def test_a_file_of_another_kind_is_not_near(said, tmp_path):
    (tmp_path / "seed.txt").write_text("https://example.org/")
    assert "seed.txt" not in said(["ontology", "check", "seeds.owl"])
    assert "tea.owl" in said(["ontology", "check", "tea.olw"]).partition("办法：")[2]
