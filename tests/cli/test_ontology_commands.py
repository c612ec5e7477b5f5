"""`ontocrawl ontology check|show|match`, as typed: standard output, standard error, exit code."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.main import main

TOPIC = """
@prefix : <http://example.org/air#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oc: <https://w3id.org/ontocrawl#> .
<http://example.org/air> a owl:Ontology ; oc:topic :Aircraft .
:Aircraft a owl:Class ; rdfs:label "aircraft"@en , "飞机"@zh .
:Fighter a owl:Class ; rdfs:subClassOf :Aircraft ; oc:weight 0.8 ; rdfs:label "fighter"@en ; skos:altLabel "战斗机"@zh .
:Raptor a :Fighter ; rdfs:label "F-22" .
:Index a owl:Class ; oc:layer 1 ; rdfs:label "fighter"@en .
"""
BASE = "http://example.org/air#"

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "topic.owl"
    path.write_text(TOPIC, encoding="utf-8")
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: object, stdin: bytes = b"") -> tuple[str, str, int]:
        monkeypatch.setattr(sys, "argv", ["ontocrawl", "ontology", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        return captured.out, captured.err, int(end.value.code or 0)

    return run


def test_check_tells_findings_with_cures_and_warnings_are_no_failure(run: Run, topic: Path) -> None:
    out, _, code = run("check", topic)
    assert code == 0
    assert "W202" in out
    assert "errors 0, warnings 1" in out


def test_check_as_json_and_errors_fail(run: Run, topic: Path) -> None:
    topic.write_text(TOPIC.replace("oc:topic :Aircraft", "oc:topic :Nothing"), encoding="utf-8")
    out, _, code = run("check", topic, "--json")
    assert code == 1
    answer = json.loads(out)
    assert answer["errors"] == 1
    assert answer["findings"][0]["code"] == "E102"
    assert set(answer["findings"][0]) == {"code", "message", "cure", "line", "concepts"}


def test_an_unusable_file_is_a_message_and_exit_code_2(run: Run, topic: Path) -> None:
    topic.write_text("no ontology at all")
    for command in (["check"], ["show", "--json"], ["match", topic]):
        out, err, code = run(command[0], topic, *command[1:])
        assert (out, code) == ("", 2)
        assert "topic.owl" in err
        assert "Traceback" not in err


def test_show_draws_the_tree(run: Run, topic: Path) -> None:
    out, _, code = run("show", topic)
    assert code == 0
    assert "classes: 3" in out
    assert "labels: " in out
    fighter = next(line for line in out.splitlines() if "weight 0.8" in line)
    assert "战斗机" in fighter


def test_show_cuts_lines_of_a_terminal_with_an_ellipsis(run: Run, topic: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topic.write_text(TOPIC.replace('"fighter"', f'"fighter {"of the sky " * 9}"', 1), encoding="utf-8")
    monkeypatch.delenv("COLUMNS", raising=False)
    assert "战斗机" in run("show", topic)[0]
    monkeypatch.setenv("COLUMNS", "40")
    (fighter,) = (line for line in run("show", topic)[0].splitlines() if "of the sky" in line and line[0] == "└")
    assert fighter.endswith("…") and len(fighter) <= 40


def test_show_as_json_begins_with_the_figures(run: Run, topic: Path) -> None:
    out, _, _ = run("show", topic, "--json")
    answer = json.loads(out)
    assert list(answer) == ["format", "classes", "concepts", "individuals", "imported", "labels", "tree"]
    assert [answer[key] for key in list(answer)[:6]] == ["turtle", 3, 0, 1, [], {"": 1, "en": 3, "zh": 1}]
    aircraft, index = answer["tree"]
    assert aircraft["narrower"][0] == {
        "iri": BASE + "Fighter",
        "label": "fighter",
        "weight": 0.8,
        "words": ["fighter", "战斗机"],
        "narrower": [{"iri": BASE + "Raptor", "label": "F-22", "weight": None, "words": ["F-22"], "narrower": []}],
    }
    assert index["layer"] == 1


def test_match_gives_a_line_for_each_concept_of_each_mention(run: Run, topic: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes(b"\xef\xbb\xbf" + "一架Ｆ－２２，\r\ntwo Fighters.".encode())
    out, err, code = run("match", topic, text, "--json")
    assert (err, code) == ("", 0)
    assert [json.loads(line) for line in out.splitlines()] == [
        {"concept": BASE + "Raptor", "term": "Ｆ－２２", "start": 2, "end": 6, **counts(1, "Fighter")},
        {"concept": BASE + "Fighter", "term": "Fighter", "start": 13, "end": 20, **counts(0, "Fighter")},
        {"concept": BASE + "Index", "term": "Fighter", "start": 13, "end": 20, **counts(0, layer=1)},
    ]


def counts(generation: int, feature: str | None = None, layer: int | None = None) -> dict[str, object]:
    return {"generation": generation, "feature": feature and BASE + feature, "layer": layer}


def test_match_tells_for_what_a_word_counts(run: Run, topic: Path) -> None:
    more = ':Cup a owl:Class ; rdfs:label "cup"@en . :Shop a owl:Class ; oc:layer 2 ; rdfs:label "shop"@en .'
    topic.write_text(TOPIC.replace('"fighter"@en .', '"index"@en .') + more, encoding="utf-8")
    out, _, _ = run("match", topic, "-", stdin=b"F-22 fighter shop cup")
    rows = [line.split() for line in out.splitlines()[2:]]
    assert [row[4:] for row in rows] == [["fighter", "1"], ["fighter", "0"], ["layer", "2"], ["nothing"]]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_match_reads_standard_input_in_any_encoding(run: Run, topic: Path, encoding: str) -> None:
    out, _, _ = run("match", topic, "-", "--generations", 0, "--json", stdin="F-22战斗机是飞机".encode(encoding))
    terms = [json.loads(line)["term"] for line in out.splitlines()]
    assert list(dict.fromkeys(terms)) == ["战斗机", "飞机"]


def test_match_needs_no_topic_and_survives_a_broken_one(run: Run, topic: Path) -> None:
    topic.write_text(TOPIC.replace("oc:topic :Aircraft", "oc:topic :Nothing"), encoding="utf-8")
    out, _, code = run("match", topic, "-", "--json", stdin=b"an aircraft")
    assert code == 0
    assert json.loads(out)["concept"] == BASE + "Aircraft"


def test_tables_name_labels_and_iris_where_asked_or_needed(run: Run, topic: Path) -> None:
    asked, _, _ = run("match", topic, "-", "--iris", stdin=b"F-22 fighter")
    needed, _, _ = run("match", topic, "-", stdin=b"F-22 fighter")
    assert f"F-22 <{BASE}Raptor>" in asked
    assert f"{BASE}Raptor" not in needed
    assert f"fighter <{BASE}Index>" in needed
    tree, _, _ = run("show", topic)
    assert f"fighter <{BASE}Index>" in tree
    assert f"{BASE}Raptor" not in tree
    assert f"F-22 <{BASE}Raptor>" in run("show", topic, "--iris")[0]


def test_match_names_concepts_in_the_user_s_language(run: Run, topic: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topic.write_text(TOPIC + ':Kite a owl:Class ; rdfs:label "kite"@en , "风筝"@zh .', encoding="utf-8")
    for language, name in (("C", "kite"), ("zh_CN", "风筝")):
        monkeypatch.setenv("LANGUAGE", language)
        out, _, _ = run("match", topic, "-", stdin=b"a kite")
        assert out.splitlines()[2].split()[:2] == [name, "kite"]


def test_check_knows_common_chinese_characters_and_sums_up(
    run: Run, topic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    more = "".join(f':N{i} a owl:Class ; rdfs:label "n{i}x" .\n' for i in range(9))
    topic.write_text(TOPIC + more + ':Pie a :Aircraft ; rdfs:label "派"@zh .', encoding="utf-8")
    out, _, _ = run("check", topic)
    assert "W214" in out
    assert out.count("W217") == 1
    assert "n0x; n1x; n2x and 6 more" in out
    findings = json.loads(run("check", topic, "--json")[0])["findings"]
    assert next(found["concepts"] for found in findings if found["code"] == "W217") == [BASE + "N0"]


def test_match_says_when_there_is_no_mention_or_no_text(run: Run, topic: Path) -> None:
    assert run("match", topic, "-", stdin=b"nothing here")[0].startswith("no word")
    assert run("match", topic, "-", "--json")[0] == ""
    _, err, code = run("match", topic, topic.parent / "nowhere.txt")
    assert code == 2
    assert "nowhere.txt" in err


def test_match_of_an_address_says_that_it_needs_a_store(run: Run, topic: Path) -> None:
    out, err, code = run("match", topic, "https://example.org/page.html")
    assert (out, code) == ("", 2)
    assert "https://example.org/page.html is an address" in err and "--store" in err


def test_match_reads_no_bytes_that_are_no_text(run: Run, topic: Path) -> None:
    packed = topic.parent / "packed.bin"
    packed.write_bytes(b"\x1f\x8b\x08\0\xff\0\0fighter")
    for out, err, code in (run("match", topic, packed), run("match", topic, "-", stdin=packed.read_bytes())):
        assert (out, code) == ("", 2)
        assert "this is not text" in err
    assert "standard input" in err


def test_concepts_are_named_in_the_language_of_the_locale(
    run: Run, topic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic.write_text(TOPIC.replace('"fighter"@en ;', '"fighter"@en , "战机"@zh ;'), encoding="utf-8")
    assert "\naircraft " in run("show", topic)[0]
    assert "战机" not in run("check", topic)[0]
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    assert "\n飞机 " in run("show", topic)[0]
    assert "战机" in run("check", topic)[0]


def test_a_narrow_terminal_shows_a_cure_without_blanks_whole(
    run: Run, topic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    monkeypatch.setenv("COLUMNS", "60")
    topic.write_text(TOPIC + ":R1 a owl:Class ; rdfs:subClassOf :Aircraft ; oc:weight 1 .", encoding="utf-8")
    assert "…" not in run("check", topic)[0]
