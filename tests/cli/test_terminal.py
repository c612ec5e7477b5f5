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


def test_chinese_lines_are_wrapped_by_columns_between_characters(monkeypatch):
    monkeypatch.setenv("COLUMNS", "46")
    text = (
        "宜兴[紫砂壶]，底槽清，全手工拍打成型。出水直，断水利落，盖子合缝（“studio”，在地址中）。新壶先用清水煮一遍。"
    )
    lines = wrapped("     ", text).splitlines()
    assert "".join(line.strip() for line in lines) == text
    assert all(40 < width(line) <= 46 for line in lines[:-1])
    assert not any(line.strip()[0] in "，。）”" or line[-1] in "（“" for line in lines)


def test_what_is_no_terminal_gets_whole_lines(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert fitted("a ", "b" * 500) == "a " + "b" * 500
    assert wrapped("a ", "b " * 500) == "a " + "b " * 500
