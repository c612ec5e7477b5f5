"""The bench of bad input: the same seed gives the same bytes, what fails is found, and a small run finds nothing."""

import pytest

from benchmarks import fuzz
from benchmarks.mutations import LARGEST, NASTY, mutated
from ontology.errors import OntocrawlError

BASES = [b"<p>one page", b"<p>another page"]


def test_an_input_is_decided_by_its_name():
    names = [f"1/page/{number}" for number in range(200)]
    made = [mutated("page", BASES, name) for name in names]
    assert made == [mutated("page", BASES, name) for name in names]
    assert len(set(made)) > 180
    assert max(map(len, made)) <= LARGEST


def test_every_kind_has_its_own_nasty_pieces():
    assert set(fuzz.TARGETS) == set(fuzz.SHARES) == set(NASTY) - {"any"}


def test_only_an_error_of_the_project_s_own_is_none():
    def dislikes(data, name):
        raise OntocrawlError("as is its right")

    def breaks(data, name):
        raise ValueError(name)

    assert fuzz.failure_of(dislikes, b"", "x") == ""
    assert fuzz.failure_of(breaks, b"", "x").startswith("ValueError: x (test_fuzz.py:")


@pytest.mark.slow
def test_a_small_run_finds_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert fuzz.fuzz(40, 7) == []
    assert len(capsys.readouterr().out.splitlines()) == len(fuzz.TARGETS)
