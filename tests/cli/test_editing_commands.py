"""`ontocrawl ontology new|accept|diff` and the round at the terminal: what a person types, and what is in the files."""

import json
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.main import main
from cli.ontologies.reviewing_proposals import review
from ontology.inspection.checks import check
from ontology.loading.imports_closure import load
from ontology.proposals.decisions import Decisions, Kept, Term, as_kept, as_refused
from ontology.proposals.new_ontology import write_new
from ontology.proposals.proposal import Evidence, Kind, Proposal

FILES = Path(__file__).parents[1] / "ontology" / "files"
TEA = "http://example.org/tea#"
EVIDENCE = Evidence(34, 2, (), (), 5, 51.3)
PROPOSALS = [
    Proposal(Kind.SYNONYM, "茗", "zh", TEA + "Tea", EVIDENCE),
    Proposal(Kind.NARROWER, "毛尖", "zh", TEA + "Tea", EVIDENCE),
    Proposal(Kind.WEIGHT, "tea", "en", TEA + "Tea", EVIDENCE, 0.5),
]

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: object) -> tuple[str, str, int]:
        monkeypatch.setattr(sys, "argv", ["ontocrawl", "ontology", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        return captured.out, captured.err, int(end.value.code or 0)

    return run


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "topic.ttl"
    path.write_bytes((FILES / "tea.ttl").read_bytes())
    return path


def test_accept_writes_what_was_kept_and_names_the_copy(run: Run, topic: Path) -> None:
    before = topic.read_bytes()
    out, _, code = run("accept", FILES / "proposals" / "proposals.owx", "--into", topic)
    assert code == 0
    assert "茗" in out
    assert "topic.ttl.bak" in out
    assert (topic.parent / "topic.ttl.bak").read_bytes() == before
    answer = json.loads(run("accept", FILES / "proposals" / "proposals.ofn", "--into", topic, "--json")[0])
    assert set(answer) == {"done", "passed_over", "added", "backup"}
    assert (answer["done"], answer["added"], answer["backup"], len(answer["passed_over"])) == ([], 0, None, 9)


@pytest.mark.parametrize("proposals", ["tea.ttl", "nowhere.owl", "set"])
def test_accept_says_what_is_wrong_and_writes_nothing(run: Run, topic: Path, proposals: str) -> None:
    before = topic.read_bytes()
    out, err, code = run("accept", FILES / proposals, "--into", topic)
    assert (out, code) == ("", 2)
    assert "try: " in err
    assert topic.read_bytes() == before
    assert list(topic.parent.iterdir()) == [topic]


def test_new_begins_an_ontology_without_findings(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.owl"
    _, _, code = run("new", "green tea", "--label", "green tea", "--label", "绿茶", "--label", "thé@fr", "-o", path)
    assert code == 0
    ontology = load(path, False, 1024)
    assert check(ontology) == ()
    root = ontology.concepts[ontology.topic or ""]
    labels = {(label.text, label.language) for label in root.labels}
    assert labels == {("green tea", "en"), ("绿茶", "zh"), ("thé", "fr")}
    below = [each for each in ontology.concepts.values() if each.parents == (root.iri,)]
    assert [{label.language for label in each.labels} for each in below] == [{"en", "zh"}] * 2


def test_new_never_overwrites(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tea.owl"
    path.write_text("mine")
    assert run("new", "tea", "-o", path)[2] == 2
    assert path.read_text() == "mine"


def test_new_takes_the_name_of_its_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "茶.owl")[2] == 0
    root = load(tmp_path / "茶.owl", False, 1024)
    assert [label.text for label in root.concepts[root.topic or ""].labels] == ["茶"]


@pytest.mark.parametrize("words", [["!"], ["tea", "--label", "@en"], ["tea", "--lang", "chinese"], ["a/b"]])
def test_new_says_what_was_typed_wrong(
    run: Run, tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out, err, code = run("new", *words)
    assert (out, code) == ("", 2)
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", " ", ".owl", "@en"])
def test_new_names_the_name_that_was_typed(run: Run, name: str) -> None:
    _, err, code = run("new", name)
    assert code == 2 and err.startswith(f"error: {name!r} is no name")


def test_new_takes_examples_in_languages_that_were_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "t.owl"
    write_new(path, "tea", [Term("thé", "fr")], ["fr", "zh"])
    examples = [each for each in load(path, False, 1024).concepts.values() if each.parents]
    assert [{label.language for label in each.labels} for each in examples] == [{"zh"}] * 2


def test_diff_tells_changes_in_words_and_as_json(run: Run, topic: Path) -> None:
    same, _, code = run("diff", FILES / "tea.owx", topic)
    assert code == 0
    assert json.loads(run("diff", FILES / "tea.owx", topic, "--json")[0]) == {"differences": []}
    topic.write_text(topic.read_text(encoding="utf-8").replace("oc:weight 1.5", "oc:weight 0.5"), encoding="utf-8")
    changed, _, _ = run("diff", FILES / "tea.owx", topic)
    assert changed != same
    assert "tea: weight 1.5 -> 0.5" in changed
    assert json.loads(run("diff", FILES / "tea.owx", topic, "--json")[0]) == {
        "differences": [{"what": "weight", "concept": TEA + "Tea", "label": "tea", "before": "1.5", "after": "0.5"}]
    }


def test_diff_names_concepts_in_the_user_s_language(run: Run, topic: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    topic.write_text(topic.read_text(encoding="utf-8").replace("oc:weight 1.5", "oc:weight 0.5"), encoding="utf-8")
    assert "茶：权重 1.5 -> 0.5" in run("diff", FILES / "tea.owx", topic)[0]
    (found,) = json.loads(run("diff", FILES / "tea.owx", topic, "--json")[0])["differences"]
    assert found["label"] == "tea"


def answers(*given: str | type[BaseException]) -> Callable[[str, str], str]:
    """A person who gives these answers, each of them a key or a line; a type of exception is raised."""
    coming: Iterator[str | type[BaseException]] = iter(given)

    def ask(_: str, keys: str) -> str:
        answer = next(coming)
        if not isinstance(answer, str):
            raise answer
        assert not keys or answer in keys
        return answer

    return ask


def test_a_round_keeps_what_was_accepted_and_notes_the_rest() -> None:
    tea = load(FILES / "tea.ttl", False, 1024)
    assert review(PROPOSALS, tea, answers("y", "n", "s")) == Decisions(
        (Kept(Kind.SYNONYM, (Term("茗", "zh"),), (TEA + "Tea",)),), (Term("毛尖", "zh"),)
    )
    assert review(PROPOSALS, tea, answers("s", "s", "n")).refused == (Term(f"weight of {TEA}Tea"),)


def test_each_kind_of_proposal_is_asked_about_in_english(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    evidence = Evidence(1, 1, (), (), 1, 9.0)
    proposals = [
        Proposal(Kind.MISLEADING, "tea party", "en", TEA + "Tea", evidence),
        Proposal(Kind.WEIGHT, "tea", "en", TEA + "Tea", evidence, 0.3),
        Proposal(Kind.LAYER_2, "markets", "en", None, replace(evidence, gain=0)),
        Proposal(Kind.SYNONYM, "cha", "en", TEA + "Tea", replace(evidence, on_topic=2, off_topic=3)),
    ]
    review(proposals, load(FILES / "tea.ttl", False, 1024), answers("s", "s", "s", "s"))
    asked = [line for line in capsys.readouterr().err.splitlines()[1:] if line]
    figures = "said by 1 page on topic and 1 other (log-likelihood ratio 9.0)"
    assert asked == [
        "1 of 4  tea party: a phrase in which tea is not meant?",
        f"  {figures}; 1 page would rank lower",
        "2 of 4  tea: should its weight be 0.3?",
        f"  {figures}; 1 page would rank lower",
        "3 of 4  markets: a word of pages two links before results?",
        "  by links to 1 page nearer to results, and to 1 other (log-likelihood ratio 9.0)",
        "4 of 4  cha: synonym of tea?",
        "  said by 2 pages on topic and 3 others (log-likelihood ratio 9.0); 1 page or link would rank higher",
    ]


def test_one_answer_decides_about_a_whole_kind() -> None:
    words = {Kind.LAYER_1: ["market", "shelf"], Kind.SYNONYM: ["cha"], Kind.LAYER_2: ["village", "road", "river"]}
    evidence = Evidence(4, 1, (), (), 0, 20.0)
    proposals = [Proposal(kind, term, "en", None, evidence) for kind, terms in words.items() for term in terms]
    decided = review(proposals, load(FILES / "tea.ttl", False, 1024), answers("a", "s", "s", "d"))
    assert [(kept.kind, kept.names[0].text) for kept in decided.kept] == [
        (Kind.LAYER_1, "market"),
        (Kind.LAYER_1, "shelf"),
    ]
    assert [term.text for term in decided.refused] == ["road", "river"]


def test_a_proposal_can_be_moved_by_part_of_a_name() -> None:
    tea = load(FILES / "tea.ttl", False, 1024)
    moved = review(
        PROPOSALS[:1], tea, answers("m", "k", "nothing like it", "m", "k", "ＧREEN", "n", "m", "k", "绿", "1")
    )
    assert [kept.concepts for kept in moved.kept] == [(TEA + "GreenTea",)]


def test_a_proposal_can_be_kept_as_another_kind() -> None:
    tea = load(FILES / "tea.ttl", False, 1024)
    changed = review(PROPOSALS[:2], tea, answers("m", "n", "", "m", "r", "绿", "1"))
    assert [(kept.kind, kept.concepts) for kept in changed.kept] == [
        (Kind.NARROWER, (TEA + "Tea",)),
        (Kind.RELATED, (TEA + "GreenTea",)),
    ]
    assert as_kept(PROPOSALS[0], kind=Kind.NARROWER) == changed.kept[0]
    assert as_refused(PROPOSALS[0]) == Term("茗", "zh")


@pytest.mark.parametrize("end", ["q", KeyboardInterrupt, EOFError])
def test_a_round_that_is_ended_keeps_what_was_decided(end: str | type[BaseException]) -> None:
    tea = load(FILES / "tea.ttl", False, 1024)
    assert len(review(PROPOSALS, tea, answers("y", end)).kept) == 1
    if end != "q":
        assert len(review(PROPOSALS, tea, answers("y", "m", end)).kept) == 1


def test_labels_of_one_language_give_each_example_one_label(run, tmp_path):
    path = tmp_path / "tea.owl"
    assert run("new", "tea", "--label", "茶@zh", "--label", "茗@zh", "-o", path)[2] == 0
    assert path.read_text(encoding="utf-8").count("茶的第一个例子") == 1


def test_folders_of_a_new_ontology_are_made(run, tmp_path):
    assert run("new", "tea", "-o", tmp_path / "a" / "new" / "tea.owl")[2] == 0
    assert run("new", "tea", "-o", tmp_path / "a" / "new" / "tea.owl" / "x.owl")[2] == 2


def test_what_was_accepted_names_concepts_in_the_locale_s_language(
    run: Run, topic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    out, _, code = run("accept", FILES / "proposals" / "proposals.ttl", "--into", topic)
    assert code == 0
    assert "绿茶" in out
    assert "green tea" not in out


def test_a_full_disk_leaves_no_part_of_a_new_ontology(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tea.owl"
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, most))
    try:
        _, err, code = run("new", "tea", "-o", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert (code, "tea.owl" in err, path.exists()) == (2, True, False)
