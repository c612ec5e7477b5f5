"""Every text for people is translated, and the command speaks the language of `--lang` or of the locale."""

import ast
import pickle
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from test_end_to_end import ontocrawl as in_this_process

from cli import main as cli_main
from cli.render import language
from cli.render.help_texts import fill
from cli.render.language import LOCALE, as_told, error_lines, listed, reason_told, speak, tr
from cli.render.terminal import width
from cli.text_extraction import TEXTS_OF
from ontology.errors import CrawlBroken, OntologyError, SettingsError
from ontology.inspection.checks import check
from ontology.loading.ontology_reader import read_ontology
from ontology.messages import joined, message
from semantic.reasons import TEMPLATES, Reason, because

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("ontology", "semantic", "crawler", "graphdb", "cli")
CATALOGUES = sorted(language.FOLDER.glob("*/LC_MESSAGES/*.po"))
HAN = re.compile("[\u4e00-\u9fff]")
# without a Chinese word
SAME = {
    ", ",
    "; ",
    "robots.txt",
    "Retry-After",
    "noindex",
    "http {status}",
    ", HTTP {http_status}",
    "--warc {folder}: {why}",
    "--out {out}: {why}",
    "{path}: {why}",
    "{option} {port}: {why}",
    "{line} (--until-covered {wanted})",
    "{kind}: {mine:,} and {theirs:,}",
    " and ",
    ": {reasons}",
    "{what}: {detail}",
    "{file}: {what}",
    "{refused}: {why}",
    "{what}: {place}",
    "{label}: {what}",
    "{name}: {before} -> {now}",
    " ({figures}; {weight})",
}


def translations(path: Path) -> dict[str, str]:
    """English -> translation, of a file of Babel."""
    with path.open("rb") as file:
        return {str(one.id): str(one.string) for one in read_po(file) if one.id}


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> list[str]:
    """As `make texts` finds them."""
    found = tmp_path_factory.mktemp("texts") / "texts.pot"
    pybabel = Path(sys.executable).with_name("pybabel")
    subprocess.run([pybabel, "-q", "extract", "-F", "pyproject.toml", "-o", found, "."], cwd=ROOT, check=True)
    return list(translations(found))


@pytest.fixture
def chinese(monkeypatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_every_text_has_a_translation(path, texts):
    """Else: make texts, and translate what is new in the file."""
    told = translations(path)
    assert len(texts) > 1000
    assert [text for text in texts if not told.get(text)] == []
    assert [text for text in told if text not in texts] == []


def placeholders(text: str) -> set[str]:
    """The names in braces; none where braces are no placeholders."""
    try:
        return {f"{name}" for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return set()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_a_translation_has_the_placeholders_of_its_text(path, texts):
    told = translations(path)
    for text in texts:
        assert placeholders(told[text]) == placeholders(text), text
        assert re.findall(r"^\n*|\n*$", told[text]) == re.findall(r"^\n*|\n*$", text), text
        assert set(re.findall(r"--[a-z][a-z-]+", told[text])) == set(re.findall(r"--[a-z][a-z-]+", text)), text


def test_chinese_translations_are_chinese(texts):
    (path,) = CATALOGUES
    told = translations(path)
    assert [text for text in texts if not HAN.search(told[text]) and text not in SAME] == []


def untold(source: str) -> Iterator[tuple[int, str]]:
    """Line and code of each f-string that is given where a text for people belongs: it cannot be translated."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in (*TEXTS_OF, "say", "show", "wrapped"):
            for argument in node.args:
                if isinstance(argument, ast.JoinedStr) and _has_words(argument):
                    yield argument.lineno, ast.unparse(argument)


def _has_words(text: ast.JoinedStr) -> bool:
    said = " ".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))
    return re.search(r"(?<![\w/.:-])[a-z]{3,}(?![\w/:=-])", said) is not None


def test_no_text_is_put_together_before_it_is_translated():
    files = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py") if "documented" not in path.name]
    assert [(path.name, *found) for path in files for found in untold(path.read_text("utf-8"))] == []


@pytest.mark.usefixtures("chinese")
def test_a_message_is_told_with_its_values():
    error = OntologyError(message("{path} is a folder", path="on topic"), "name the ontology file in it")
    assert str(error) == "on topic is a folder"
    assert error_lines(error) == ["错误：on topic 是文件夹", "  办法：请给出其中的本体文件"]
    nested = joined([message("the class"), "the class"], " | ")
    assert (nested, as_told(nested)) == ("the class | the class", "该类 | the class")
    assert as_told(pickle.loads(pickle.dumps(error.message))) == "on topic 是文件夹"
    assert listed(["tea", message("the class")]) == "tea、该类"


def test_a_broken_crawl_s_cure_is_wholly_in_chinese(chinese):
    broken = CrawlBroken.by(OntologyError("tea.owl", "check the path and its permissions"))
    assert as_told(broken.cure) == "请检查路径及其权限；同一条命令会接着进行"


# what is called the same in both languages
STAYS = (
    r"Q|P\(|sim|PageRank|val|noindex|Retry-After|robots\.txt|https?|HTTP|PDF|HTML|XFA|XML|ZIP|gzip|MB|TLS|CONNECT|JavaScript|"
    r"--[a-z-]+( tdm)?"
)


@pytest.mark.usefixtures("chinese")
def test_nothing_in_a_reason_stays_english():
    for kind, template in TEMPLATES.items():
        told = reason_told(because(kind, Reason("anchor"), share=0.5, **dict.fromkeys(placeholders(template), 7)))
        assert HAN.search(told)
        assert re.findall("[A-Za-z]{2,}", re.sub(STAYS, "", told)) == []


@pytest.mark.usefixtures("chinese")
def test_words_of_pages_in_a_reason_stay():
    word = because("word", word="page", notes=("host", because("below", generation=2, feature="anchor")))
    assert reason_told(Reason("anchor", 0.1, (word,))) == "+0.100 链接文字：page (host、anchor 之下 2 级)"
    assert reason_told(because("inside name", host="proxy")) == "内部名称 proxy"


@pytest.mark.usefixtures("chinese")
def test_findings_are_told_with_their_places(tmp_path):
    (tmp_path / "t.ttl").write_text(
        "@prefix : <http://x.example/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:A a owl:Class; rdfs:label "tea", "" .\n'
    )
    (empty,) = (one for one in check(read_ontology(tmp_path / "t.ttl")) if one.code == "W105")
    assert empty.message == "empty label: tea"
    assert as_told(empty.message) == "空标签：tea"


@pytest.mark.parametrize(
    ("locale", "spoken"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en:zh"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses_the_language(monkeypatch, locale, spoken):
    for name in LOCALE:
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert language.language() == spoken


def test_a_language_without_texts_is_a_mistake(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "en")
    with pytest.raises(SettingsError):
        speak("fr")


@pytest.mark.parametrize(
    ("words", "kept", "spoken"),
    [
        (["--lang", "zh", "status"], ["status"], "zh"),
        (["status", "--lang=zh"], ["status"], "zh"),
        (["ontology", "check", "x.owl", "--lang", "zh"], ["ontology", "check", "x.owl"], "zh"),
        (["crawl", "--lang", "zh"], ["crawl", "--lang", "zh"], "zh"),
        (["crawl", "--lang", "de"], ["crawl", "--lang", "de"], "en"),
        (["--lang", "zh", "crawl", "--lang", "en"], ["crawl", "--lang", "en"], "en"),
        (["crawl", "--lang", "en", "--lang", "zh"], ["crawl", "--lang", "en", "--lang", "zh"], "zh"),
        (["status", "--lang"], ["status", "--lang"], "en"),
        (["search", "--", "--lang", "zh"], ["search", "--", "--lang", "zh"], "en"),
    ],
)
def test_the_option_stands_before_a_command_or_after_it(monkeypatch, words, kept, spoken):
    monkeypatch.setenv("LANGUAGE", "en")
    assert cli_main.take_language(words, cli_main.root()) == kept
    assert language.language() == spoken


def test_missing_translations_are_said(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    monkeypatch.setenv("LANGUAGE", "zh")
    language.translator.cache_clear()
    try:
        assert tr("on topic") == "on topic"
        assert "ontocrawl.mo" in capsys.readouterr().err
        assert tr("on topic") == "on topic"
        assert capsys.readouterr().err == ""  # once
    finally:
        language.translator.cache_clear()


def test_lines_of_han_characters_fill_the_width():
    lines = fill("只抓取符合某个模式的地址。可重复，符合其一即可。--include 'example.org/tea/*' 请加引号。" * 3, 40)
    assert max(map(width, lines)) <= 40
    assert min(map(width, lines[:-1])) > 20
    assert not any(line[0] in "，。、）”" for line in lines)


def spoken(*words: str, folder: Path, language: str = "zh_CN.UTF-8") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": language, "PYTHONUTF8": "1", "COLUMNS": "80"}
    command = [sys.executable, "-c", "from ontocrawl import start; start()", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_help_is_told_in_the_language_of_the_locale(tmp_path):
    told = spoken("--help", folder=tmp_path)
    assert told.returncode == 0
    assert told.stderr == ""
    assert told.stdout.startswith("用法：")
    assert "显示抓取的状态" in told.stdout
    assert max(map(width, told.stdout.splitlines())) <= 90
    assert HAN.search(spoken("--help", folder=tmp_path, language="C.UTF-8").stdout) is None
    assert in_this_process(tmp_path, "crawl", "--help", "--lang", "zh").stdout.count("默认：") > 5


def test_mistakes_are_told_in_chinese(chinese, tmp_path):
    wrong = in_this_process(tmp_path, "status", "--stroe", "x")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "错误：没有选项：--stroe" in wrong.stderr
    assert "check" in in_this_process(tmp_path, "ontology", "chekc").stderr.split("错误：")[1]
    assert "错误：" in in_this_process(tmp_path, "nonsense").stderr
    lacking = in_this_process(tmp_path, "status", "--store", "x")
    assert lacking.returncode == 2
    assert lacking.stderr.startswith("错误：x 处没有存储\n  办法：")
    assert in_this_process(tmp_path, "--lang", "fr", "status").returncode == 2


def test_json_is_english_in_every_language(chinese, tmp_path):
    (tmp_path / "t.ttl").write_text(
        "@prefix : <http://x.example/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:A a owl:Class; rdfs:label "tea", "" .\n'
    )
    told = in_this_process(tmp_path, "ontology", "check", "t.ttl", "--json")
    assert "empty label: tea" in told.stdout
    assert HAN.search(told.stdout) is None
