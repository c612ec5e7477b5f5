"""A user's files with hostile values: each is told in a few lines with its name and the next step."""

import shutil
import sys
from pathlib import Path

import pytest
from warc_records import response_record

from cli.crawling.live_files import SettingsFile
from cli.main import main
from cli.settings import LARGEST, make_settings
from ontology.syntaxes.annotation_properties import OC, OWL, RDFS

ISOLATED = True  # a file is read in a child process, whose limits count, too
pytestmark = pytest.mark.slow
TEA = Path(__file__).parents[2] / "examples" / "ontologies" / "tea.owl"
DEEP = 100_000
MANY = "9" * 5000  # more digits than `int` takes
HEAD = 'ontology = "tea.owl"\nseeds = ["https://example.org/"]\nmax_pages = 1\nstore = "memory:"\n'
SETTINGS = {
    "nested list": HEAD + "parameters = " + "[" * DEEP,
    "nested tables": HEAD + "parameters = " + "{a = " * DEEP,
    "nested names": HEAD + "delay" + ".a" * 2000 + " = 1",
    "digits": HEAD + f"delay = {MANY}",
    "digits of base 16": HEAD + "dashboard = 0x" + "f" * 5000,
    "large threshold": HEAD + "threshold = 0x" + "f" * 500,
    "large parameter": HEAD + f"[parameters]\nmu = {MANY[:400]}",
    "infinite parameter": HEAD + "[parameters]\nmu = inf",
    "no number": HEAD + "delay = nan",
    "pages": HEAD.replace("= 1", f"= {MANY[:4000]}"),
    "zero byte in a name": HEAD.replace("tea.owl", "tea\\u0000.owl"),
    "zero byte in a seed": HEAD.replace("https://example.org/", "a\\u0000b"),
    "zero byte in a folder": HEAD + 'warc = "a\\u0000b"',
    "zero byte in a proxy": HEAD + 'proxy = "http://\\u0000"',
    "zero byte": HEAD + "\0",
    "long name": HEAD.replace("tea.owl", "x" * DEEP),
    "date": HEAD + "delay = 1979-05-27",
    "date out of range": HEAD + "delay = 9999-99-99",
    "half of a character": HEAD + 'lang = "\\ud800"',
    "address": HEAD.replace("memory:", "bolt://["),
}
RDF = f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}"'


def ontology(inside: str, about: str = "", declared: str = "") -> str:
    head = f'{declared}{RDF} xmlns:oc="{OC}"><owl:Ontology rdf:about="http://example.org/o">{about}</owl:Ontology>'
    return f'{head}<owl:Class rdf:about="http://example.org/o#a">{inside}</owl:Class></rdf:RDF>'


ONTOLOGIES = {
    "nested JSON": "[" * DEEP,
    "digits in JSON": f'{{"@id": "http://example.org/a", "http://example.org/p": {MANY}}}',
    "digits of a layer": ontology(f"<oc:layer>{MANY}</oc:layer>"),
    "digits of a weight": ontology(f"<oc:weight>{MANY}</oc:weight>"),
    "infinite weight": ontology("<oc:weight>1e999</oc:weight>"),
    "nested classes": "<http://example.org/a> <http://example.org/p> " + "[ <http://example.org/p> " * DEEP,
    "zero bytes": "\0" * 100,
}


def proposals(record: str) -> str:
    imports = '<owl:imports rdf:resource="https://w3id.org/ontocrawl/examples/tea"/>'
    return ontology(f"<rdfs:label>x</rdfs:label><oc:proposed>{record}</oc:proposed>", imports)


PROPOSALS = {
    "nested": proposals("[" * DEEP),
    "digits": proposals(f"[{MANY}]"),
    "of other types": proposals('["p-1", ["narrower"], {}, 5, null]'),
    "too few": proposals('["p-1"]'),
}
LINES = {
    "address": "http://[::1",
    "port": f"http://a.example:{MANY}/",
    "zero byte": "http://a.example\0/",
    "long": "good " + "x" * 1_000_000,
    "nested": "[" * DEEP,
    "compatibility signs": "http://℀.com/",
}
CASES = {
    "crawl --settings FILE": ("x.toml", SETTINGS),
    "ontology check FILE": ("x.owl", ONTOLOGIES),
    "ontology accept tea.owl --into FILE": ("x.owl", ONTOLOGIES),
    "ontology accept FILE --into tea.owl": ("x.owl", PROPOSALS),
    "crawl --ontology tea.owl --max-pages 1 --seeds FILE": ("x.txt", LINES),
    "mark --file FILE": ("x.txt", LINES),
    "import FILE --ontology tea.owl": (
        "x.csv",
        {"quotes": 'url\n"' + "x" * 140_000_000, "addresses": "url\nhttp://[\n"},
    ),
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    shutil.copy(TEA, tmp_path / "tea.owl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "C")

    def run(command):
        monkeypatch.setattr(sys, "argv", ["ontocrawl", *command.split()])
        with pytest.raises(SystemExit) as left:
            main()
        return left.value.code, capsys.readouterr().err

    return run


@pytest.mark.parametrize(
    ("command", "kind"), [(command, kind) for command, (_, kinds) in CASES.items() for kind in kinds]
)
def test_a_hostile_value_is_told_with_its_file(run, tmp_path, command, kind):
    name, kinds = CASES[command]
    (tmp_path / name).write_text(kinds[kind], "utf-8")
    code, told = run(command.replace("FILE", name))
    is_listed = command.startswith("ontology check") and kind.endswith(("layer", "weight"))
    assert code == (1 if is_listed else 2)
    if is_listed:
        return
    assert name in told or kind == "address"  # the store is opened later
    assert "try: " in told
    assert "split the file" not in told or "nested" in told  # the cure of what nobody has thought of
    assert len(told) < 6000


@pytest.mark.parametrize("encoding", ["utf-7", "unicode_escape", "raw_unicode_escape", "idna", "undefined", "rot13"])
def test_an_encoding_of_python_alone_is_no_encoding(run, tmp_path, encoding):
    half = "+2AA-" if encoding == "utf-7" else "\\ud800"
    text = ontology(f"<rdfs:label>{half}</rdfs:label>", declared=f'<?xml version="1.0" encoding="{encoding}"?>')
    (tmp_path / "x.owl").write_text(text)
    code, told = run("ontology check x.owl")
    assert (code, told) == (0, "")


@pytest.mark.parametrize("name", ["max_pages", "connections", "generations", "seed", "max_depth"])
def test_the_largest_number_is_no_mistake(run, tmp_path, name):
    (tmp_path / "web.warc").write_bytes(response_record("https://example.org/", b"HTTP/1.1 200 OK\r\n\r\n<p>tea</p>"))
    head = "\n".join(line for line in HEAD.splitlines() if not line.startswith(f"{name} "))
    (tmp_path / "x.toml").write_text(f'{head}\narchive = "web.warc"\n{name} = {LARGEST}\n')
    assert run("crawl --settings x.toml")[0] == 0


def test_a_hostile_change_of_settings_ends_no_crawl(tmp_path, capsys):
    path = tmp_path / "x.toml"
    path.write_text(HEAD)
    live = SettingsFile(path, lambda: make_settings({}, path), make_settings({}, path))
    for text in SETTINGS.values():
        path.write_text(text)
        live.has_changed(lambda settings: None)  # raises nothing
        assert "settings: " in capsys.readouterr().err
