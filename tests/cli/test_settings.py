import sys
from pathlib import Path

import pytest

from cli.crawling.crawl_parts import make_record
from cli.inputs.crawl_topic import read_about
from cli.render.language import command_word
from cli.settings import Settings, make_settings
from ontology.errors import SettingsError
from semantic.strategies.strategy_table import STRATEGIES

TYPED = {"ontology": "topic.owl", "seeds": ["seeds.txt"], "max_pages": 10}


def write(folder: Path, text: str) -> Path:
    path = folder / "topic.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_typed_is_enough():
    settings = make_settings({**TYPED, "delay": None, "allow": []})
    assert settings == Settings(ontology="topic.owl", seeds=("seeds.txt",), max_pages=10)


def test_typed_words_win_over_the_file_and_that_over_defaults(tmp_path):
    path = write(tmp_path, 'max-pages = 7\ndelay = 3\nstrategy = "bfs"\n[parameters]\nlocality = 0.3\n')
    settings = make_settings({**TYPED, "strategy": "ontology"}, path)
    assert (settings.max_pages, settings.delay, settings.strategy) == (10, 3, "ontology")
    assert settings.parameters == {"locality": 0.3}


def test_files_named_in_the_file_are_beside_it(tmp_path):
    path = write(tmp_path, 'ontology = "t.owl"\nseeds = ["s.txt", "http://a.example/"]\nmax_pages = 1\n')
    settings = make_settings({}, path)
    assert settings.ontology == str(tmp_path / "t.owl")
    assert settings.seeds == (str(tmp_path / "s.txt"), "http://a.example/")


@pytest.mark.parametrize(
    ("text", "message", "cure"),
    [
        ("max_page = 3", "'max_page'", "max_pages"),
        ("conections = 3", "'conections'", "connections"),
        ("xyzzy = 3", "'xyzzy'", "known are"),
        ('max_pages = "3"', "max_pages = '3'", "a whole number"),
        ("max_pages = true", "max_pages = True", "a whole number"),
        ("max_pages = 2.5", "max_pages = 2.5", "a whole number"),
        ("seeds = [1]", "seeds = [1]", "list of strings"),
        ('[parameters]\na = "x"', "a is no number", "name = number"),
        ('[parameters]\ngamma = 0.8\nstore = "tea"', "store is no number", "above [parameters]"),
        ("strategy = bfs", "is not TOML", "quotes"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_cure(tmp_path, text, message, cure):
    with pytest.raises(SettingsError) as caught:
        make_settings(TYPED, write(tmp_path, text))
    assert message in str(caught.value)
    assert cure in caught.value.cure


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"allow": ["localhost:0"]}, "--allow localhost:0 is no host"),
        ({"allow": ["localhost:65536"]}, "--allow localhost:65536 is no host"),
        ({"allow": ["http://localhost"]}, "--allow http://localhost is no host"),
        ({"insecure_host": ["a.example/x"]}, "--insecure-host a.example/x is no host"),
        ({"allow": [""]}, "--allow  is no host"),
        ({"threshold": float("nan")}, "--threshold nan is not between 0 and 1"),
        ({"threshold": 3.0}, "--threshold 3 is not between 0 and 1"),
        ({"threshold": -0.1}, "--threshold -0.1 is not between 0 and 1"),
        ({"parameters": {"threshold": 3.0}}, "a parameter threshold of 3"),
        ({"generations": -1}, "generations"),
        ({"contact": "a@b.example\r\nX-Evil: 1"}, "--contact"),
        ({"contact": "a@b.example)"}, "--contact"),
        ({"contact": "安@b.example"}, "--contact"),
        ({"contact": " "}, "--contact"),
        ({"proxy": "127.0.0.1:8888"}, "--proxy"),
        ({"archive": "w.warc", "proxy": "http://127.0.0.1:1"}, "--archive and --proxy"),
        ({"ontology": None}, "--ontology is missing"),
        ({"seeds": []}, "missing: --seeds"),
        ({"include": ["tea.example"]}, "--include 'tea.example' fits no address"),
        ({"exclude": [" "]}, "--exclude ' ' fits no address"),
        ({"parameters": {"r": 1}}, "a parameter r of 1 makes no sense"),
        ({"parameters": {"r": 0}}, "a parameter r of 0"),
        ({"parameters": {"cf": 0.5}}, "a parameter cf of 0.5"),
        ({"parameters": {"area": float("inf")}}, "a parameter area of inf"),
        ({"parameters": {"opening": float("nan")}}, "a parameter opening of nan"),
        ({"parameters": {"d": 2.0}}, "a parameter d of 2"),
    ],
)
def test_words_that_make_no_sense_together_are_refused(typed, message):
    with pytest.raises(SettingsError, match=message):
        make_settings({**TYPED, **typed})


@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_every_strategys_own_parameters_make_sense(strategy):
    parameters = STRATEGIES[strategy].parameters
    assert make_settings({**TYPED, "strategy": strategy, "parameters": parameters}).parameters == parameters


def test_only_a_strategy_from_seeds_alone_needs_no_ontology():
    assert make_settings({**TYPED, "ontology": None, "strategy": "customised"}).ontology is None
    with pytest.raises(SettingsError, match="--ontology is missing: strategy 'fused'") as caught:
        make_settings({**TYPED, "ontology": None})
    assert "only customised" in caught.value.cure


def test_examples_are_beside_the_file_that_names_them(tmp_path):
    path = write(tmp_path, 'examples = "marked.txt"\n')
    assert make_settings(TYPED, path).examples == str(tmp_path / "marked.txt")


def test_a_missing_file_of_settings_is_a_users_mistake(tmp_path):
    with pytest.raises(SettingsError, match="cannot be read"):
        make_settings(TYPED, tmp_path / "none.toml")


def test_hosts_that_are_allowed_or_not_verified_may_be_several(tmp_path):
    path = write(tmp_path, 'insecure-host = ["a.example"]\nallow = ["b.example"]\n')
    settings = make_settings(TYPED, path)
    assert (settings.insecure_host, settings.allow) == (("a.example",), ("b.example",))
    typed = make_settings({**TYPED, "insecure_host": ["c.example", "d.example"]}, path)
    assert typed.insecure_host == ("c.example", "d.example")


def test_a_proxy_s_password_is_neither_shown_nor_kept():
    with pytest.raises(SettingsError) as told:
        make_settings({**TYPED, "proxy": "ann:secret@proxy.example"})
    assert "secret" not in str(told.value)
    settings = make_settings(
        {**TYPED, "ontology": None, "strategy": "customised", "proxy": "http://ann:secret@p.example"}
    )
    record = make_record(settings, read_about(None, ["http://a.example/"]))
    assert '"http://p.example"' in record.settings
    assert "secret" not in record.settings


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("LocalHost", "localhost"),
        ("a.example.", "a.example"),
        ("[::1]", "::1"),
        ("::1", "::1"),
        ("127.1", "127.0.0.1"),
        ("例子.example", "xn--fsqu00a.example"),
        ("LocalHost:80", "localhost:80"),
        ("[::1]:8000", "[::1]:8000"),
    ],
)
def test_a_host_is_meant_however_it_is_spelled(typed, host):
    assert make_settings({**TYPED, "allow": [typed]}).allow == (host,)


def test_a_model_is_looked_for_beside_the_file(tmp_path):
    file = tmp_path / "topic.toml"
    file.write_text('ontology = "t.owl"\nseeds = ["https://example.org/"]\nmax_pages = 1\nsegmenter = "hanlp:model"\n')
    assert make_settings({}, file).segmenter == f"hanlp:{tmp_path / 'model'}"
    assert make_settings({"segmenter": "dictionary"}, file).segmenter == "dictionary"


def test_a_segmenter_that_is_none_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="no segmenter is called 'jieba'"):
        make_settings({"ontology": "t.owl", "seeds": ["https://example.org/"], "max_pages": 1, "segmenter": "jieba"})


def test_commands_are_shown_as_they_can_be_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for called, shown in (
        ("ontocrawl", "ontocrawl"),
        (".venv/bin/ontocrawl", ".venv/bin/ontocrawl"),
        (str(tmp_path / "a b" / "ontocrawl"), "'a b/ontocrawl'"),
        ("/elsewhere/ontocrawl", "/elsewhere/ontocrawl"),
        ("/elsewhere/pytest", "ontocrawl"),
    ):
        monkeypatch.setattr(sys, "argv", [called])
        assert command_word() == shown
    script = tmp_path / "bin" / "ontocrawl"
    script.parent.mkdir()
    script.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert command_word() == "ontocrawl"
