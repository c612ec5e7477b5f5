"""Lines for people, as wide as their terminal."""

import pytest

from cli.render.terminal import cut, fitted, width, wrapped


@pytest.mark.parametrize(("text", "columns", "shown"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("树莓派", 5, "树莓…")])
def test_a_text_is_cut_by_columns_not_by_characters(text, columns, shown):
    assert cut(text, columns) == shown
    assert width(shown) <= columns


def test_in_a_fitted_line_numbers_stay_whole(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    assert fitted("  0.123  ", "树莓派" * 20, "  (7)") == "  0.123  树莓派树莓派树…  (7)"


def test_a_long_sentence_goes_on_below_its_beginning(monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    first, second = wrapped("order  ", "one two " * 8).splitlines()
    assert first.startswith("order  one two one")
    assert second.startswith("       two one two ")
    assert len(first) <= 50


def test_what_is_no_terminal_gets_whole_lines(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert fitted("a ", "b" * 500) == "a " + "b" * 500
    assert wrapped("a ", "b " * 500) == "a " + "b " * 500
