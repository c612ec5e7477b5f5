import os
import signal
import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from cli import main as cli_main
from cli.crawling.crawl import tell_loops
from cli.render.language import as_told, tr
from cli.settings import make_settings
from ontology.errors import CrawlBroken, SettingsError, StoreError
from ontology.messages import message
from semantic import compiled

runner = CliRunner()
START = "from ontocrawl import start; start()"
COMMANDS = ["crawl", "demo", "query", "explain", "status", "copy", "serve", "ontology"]


def test_help_names_every_command_and_the_exit_codes():
    text = runner.invoke(cli_main.app, ["--help"]).output
    assert [name for name in COMMANDS if name not in text] == []
    assert "130" in text


def test_the_version_is_told():
    told = runner.invoke(cli_main.app, ["--version"])
    assert told.exit_code == 0
    assert told.output.startswith(f"ontocrawl {version('ontocrawl')}\ntext loops: {compiled.form()}\n")


def test_loops_in_python_name_the_cure(monkeypatch):
    monkeypatch.setattr(compiled, "loops", None)
    monkeypatch.setattr(compiled, "FORM", "in Python: not compiled")
    monkeypatch.delenv(compiled.ASKED, raising=False)
    assert "C compiler" in runner.invoke(cli_main.app, ["--version"]).output


def test_a_crawl_tells_of_loops_in_python_in_one_line(monkeypatch, capsys):
    monkeypatch.delenv(compiled.ASKED, raising=False)
    monkeypatch.setattr(compiled, "loops", None)
    tell_loops()
    told = capsys.readouterr().err
    assert "make setup" in told and told.count("\n") == 1
    monkeypatch.setenv(compiled.ASKED, "python")
    tell_loops()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    assert runner.invoke(cli_main.app, [command, "--help"]).exit_code == 0


@pytest.mark.parametrize("name", ["cli", "cli.main", "cli.exits"])
def test_an_interrupt_from_the_first_line_on_gives_no_traceback(name):
    code = f"""
import sys

class Interrupted:
    def find_spec(self, name, *_):
        if name == "{name}":
            raise KeyboardInterrupt

sys.modules.pop("{name}", None)
sys.meta_path.insert(0, Interrupted())
{START}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(("error", "code"), [(StoreError, 2), (CrawlBroken, 3)])
def test_an_expected_failure_is_one_message_with_its_cure(monkeypatch, capsys, error, code):
    def fail(_words: list[str], **_: object) -> None:
        raise error("no store at ./x\x1b[2J", "crawl first")

    monkeypatch.setattr(cli_main, "root", lambda: fail)
    monkeypatch.setattr(sys, "argv", ["ontocrawl"])
    with pytest.raises(SystemExit) as left:
        cli_main.main()
    assert left.value.code == code
    assert capsys.readouterr().err == "error: no store at ./x[2J\n  try: crawl first\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (
            ["crawl"],
            "missing: --ontology, --seeds, --max-pages\n"
            "  try: add them, as in: "
            "ontocrawl crawl --ontology topic.owl --seeds https://example.org/ --max-pages 100\n",
        ),
        (["crawl", "--ontology", "x.owl"], "missing: --seeds, --max-pages\n"),
        (["crawl", "--strategy", "customised"], "missing: --seeds, --max-pages\n"),
        (["crawl", "--ontology", "x.owl", "--seeds", "http://a.example/", "--max-pages", "0"], "at least 1"),
        (["crawl", "--settings", "none.toml"], "none.toml cannot be read"),
        (["crawl", "--ontology", "none.owl", "--seeds", "http://a.example/", "--max-pages", "1"], "none.owl"),
    ],
)
def test_mistakes_in_what_is_typed_leave_with_2(monkeypatch, capsys, tmp_path, words, named):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ontocrawl", *words])
    with pytest.raises(SystemExit) as left:
        cli_main.main()
    assert left.value.code == 2
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["crawl"], ["crawls", "schedule"], ["ontology", "check"]])
def test_help_has_a_short_name_everywhere(words):
    short, long = (runner.invoke(cli_main.app, [*words, name]) for name in ("-h", "--help"))
    assert (short.exit_code, short.output) == (0, long.output)


def test_help_has_its_short_name_in_chinese(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ontocrawl", "--lang", "zh", "crawls", "schedule", "-h"])
    with pytest.raises(SystemExit) as left:
        cli_main.main()
    told = capsys.readouterr().out
    assert left.value.code == 0
    assert told.startswith("用法：")
    assert "-h, --help" in told


@pytest.mark.parametrize("dash", ["—", "–", "－", "\N{NON-BREAKING HYPHEN}"])
def test_a_dash_before_an_option_is_told_with_its_cure(monkeypatch, capsys, dash):
    monkeypatch.setattr(sys, "argv", ["ontocrawl", "--lang", "zh", "crawl", f"{dash}store", "tea"])
    with pytest.raises(SystemExit):
        cli_main.main()
    told = capsys.readouterr().err
    assert f"多余的参数（{dash}store tea）" in told
    assert "两个连字符" in told


def test_a_cure_names_commands_as_they_can_be_typed_here(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # where no crawls are known
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "ontocrawl"), "status", "--store", str(tmp_path / "no")])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        cli_main.main()
    assert "crawl first: bin/ontocrawl crawl --store" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["explain"], ["crawl", "topic.owl"], ["serach"]])
def test_usage_and_examples_name_the_typed_command(monkeypatch, capsys, tmp_path, words):
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "ontocrawl"), *words])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        cli_main.main()
    told = capsys.readouterr().err
    assert told.count("ontocrawl") == told.count("bin/ontocrawl") == 3 - (words == ["serach"])


def test_messages_of_all_packages_name_the_typed_command(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "{bin}" / "ontocrawl")])
    monkeypatch.chdir(tmp_path)
    typed = "'{bin}/ontocrawl'"
    assert tr("next: {command} browser --store {target}", target="ontocrawl crawl") == (
        f"next: {typed} browser --store ontocrawl crawl"
    )
    known = message("for details: {command} ontology check {path}", path="a.owl")
    assert (str(known), as_told(known)) == (
        "for details: ontocrawl ontology check a.owl",
        f"for details: {typed} ontology check a.owl",
    )
    assert as_told("see: {command} mark --help") == f"see: {typed} mark --help"
    with pytest.raises(SettingsError) as caught:
        make_settings({})
    assert as_told(caught.value.cure).startswith(f"add them, as in: {typed} crawl --ontology")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["crawl", "--max-pages", "many"], "'many' is no whole number"),
        (["rejudge", "--threshold", "high"], "'high' is no number"),
        (["demo", "--serve", "99999"], "'99999' is too large; the most is 65535"),
        (["search", "tea", "--limit", "0"], "'0' is too small; the least is 1"),
        (["query", "RETURN 1", "--format", "xml"], "'xml' is not one of 'table', 'json', 'csv'."),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(monkeypatch, capsys, words, told):
    option = next(word for word in words if word.startswith("--"))
    monkeypatch.setattr(sys, "argv", ["ontocrawl", *words])
    with pytest.raises(SystemExit) as left:
        cli_main.main()
    assert left.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: Invalid value for {option}: {told}\n")


CRAWL = ["crawl", "--ontology", "topic.owl", "--seeds", "http://a.example/", "--max-pages", "1"]
LAB = ["simulate", "--ontology", "topic.owl", "--seeds", "http://a.example/", "--max-pages", "1", "--out", "lab"]
IMPORT = ["import", "pages.csv", "--ontology", "topic.owl"]


@pytest.mark.parametrize(
    "words",
    [
        [*CRAWL, "--seeds", "none"],
        [*CRAWL, "--ontology", "none"],
        [*CRAWL, "--examples", "none"],
        [*CRAWL, "--settings", "none"],
        [*CRAWL, "--archive", "none"],
        [*LAB, "--archive", "none"],
        [*LAB, "--archive", "web.warc", "--targets", "none"],
        [*LAB, "--archive", "web.warc", "--settings", "none"],
        [*IMPORT, "--links", "none"],
        [*IMPORT, "--ontology", "none"],
        ["mark", "--file", "none"],
        ["rejudge", "--ontology", "none"],
    ],
)
def test_a_missing_file_is_told_with_its_option_and_cure(monkeypatch, capsys, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    ontology = "<urn:a> a <http://www.w3.org/2002/07/owl#Class> ; <http://www.w3.org/2000/01/rdf-schema#label> 'tea' ."
    (tmp_path / "topic.owl").write_text(ontology)
    (tmp_path / "pages.csv").write_text("url,title\nhttp://a.example/,tea\n")
    (tmp_path / "web.warc").touch()
    monkeypatch.setattr(sys, "argv", ["ontocrawl", *words])
    with pytest.raises(SystemExit) as left:
        cli_main.main()
    *_, error, cure = capsys.readouterr().err.splitlines()
    assert left.value.code == 2
    assert error == f"error: {words[words.index('none') - 1]}: none cannot be read: there is no such file"
    assert cure.startswith("  try: ")


@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        (["simulate"], "--max-pages N, --out DIR"),
        (["simulate", "--out", "lab"], "--max-pages N"),
        (["crawls", "schedule"], "NAME"),
    ],
)
def test_all_that_lacks_is_told_at_once(monkeypatch, capsys, words, lacking):
    monkeypatch.setattr(sys, "argv", ["ontocrawl", *words])
    with pytest.raises(SystemExit):
        cli_main.main()
    *_, error, example = capsys.readouterr().err.splitlines()
    assert error == f"error: missing: {lacking}"
    assert example.startswith(f"  try: ontocrawl {words[0]}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "buffered"), [(["--help"], ""), (["--lang", "zh", "--help"], "1"), (["crawls", "--json"], "")]
)
def test_output_that_nobody_reads_ends_quietly(tmp_path, words, buffered):
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "PYTHONUNBUFFERED": buffered}
    command = [sys.executable, "-c", START, *words]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.slow
@pytest.mark.parametrize(("redirected", "code"), [("<&- >&-", 0), ("2>&-", 0), (">/dev/full", 3)])
def test_output_that_cannot_be_written_is_no_traceback(tmp_path, redirected, code):
    line = f'exec "$0" -c "$1" ontology new --help {redirected}'
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", line, sys.executable, START], env=environment, capture_output=True, check=False)
    assert done.returncode == code and b"Traceback" not in done.stderr


def test_help_imports_nothing_heavy():
    code = "import sys, cli.main; print([n for n in sys.argv[1:] if n in sys.modules])"
    heavy = ["rdflib", "pyhornedowl", "owlready2", "neo4j", "pycurl", "rich.console", "rjieba", "asyncio"]
    heavy += ["sklearn", "numpy"]
    told = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


WAITING = """
import os, signal, sys
from cli import main

@main.app.command()
def wait() -> None:
    try:
        os.kill(os.getpid(), {number})
        signal.pause()
    except KeyboardInterrupt as error:
        raise {raised} from error

sys.argv = ["ontocrawl", "wait"]
main.main()
"""


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, "ImportError('made of it by a library')"), (signal.SIGTERM, "error")]
)
def test_a_command_that_is_ended_says_so_in_one_line(number, raised):
    code = WAITING.format(number=number.value, raised=raised)
    environment = {**os.environ, "LANGUAGE": "C"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (130, "ended by Ctrl-C or SIGTERM\n")


@pytest.mark.slow
def test_chinese_arrives_where_python_was_told_not_to_use_utf8(tmp_path):
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-c", "import ontocrawl; ontocrawl.start()", "ontology", "new", "茶"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["茶.owl"]
