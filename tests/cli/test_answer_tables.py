import csv
import io
import json

import pytest

from cli.render.answer_tables import Format
from cli.render.answer_tables import render as render_table
from cli.render.terminal import LEAST, width

ROWS = [
    {"url": "http://a.example/", "title": "角冲量", "r": 0.123456, "tags": ["x", "y"], "none": None},
    {"url": "http://b.example/", "title": "two\nlines", "r": 2, "tags": [], "none": None},
]


def render(rows: list[dict[str, object]], form: Format) -> str:
    return render_table(list(rows[0]) if rows else ["url"], rows, form)


def test_json_is_an_array_of_objects():
    assert json.loads(render(ROWS, Format.JSON)) == ROWS
    assert json.loads(render([], Format.JSON)) == []


def test_json_has_null_for_what_is_no_number_in_json():
    rows = [{"a": float("-inf"), "b": [float("nan"), 1.5], "c": {"d": float("inf")}}]
    assert json.loads(render(rows, Format.JSON), parse_constant=pytest.fail) == [
        {"a": None, "b": [None, 1.5], "c": {"d": None}}
    ]


def test_json_keeps_hostile_characters_but_escapes_them():
    rows = [{"title": "a\x1b[2Jb\x9b1m\u202ec\x7f"}]
    text = render(rows, Format.JSON)
    assert json.loads(text) == rows
    assert not set(text) & set("\x1b\x9b\u202e\x7f")


def test_csv_has_names_and_quoted_lines():
    lines = list(csv.reader(io.StringIO(render(ROWS, Format.CSV))))
    assert lines[0] == ["url", "title", "r", "tags", "none"]
    assert lines[2] == ["http://b.example/", "two\nlines", "2", "[]", ""]


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "\x00=1",
        "\ufeff=1",
        "＝1",
        "＋1",
        "－1",
        "＠a",
        "﹦1",
        "﹫a",
        "\u22121",
    ],
)
def test_csv_text_is_never_a_formula(text):
    assert render([{"t": text}], Format.CSV).splitlines()[1].lstrip('"').startswith("'")


UNSEEN = (
    "\u00a0\u00ad\u034f\u115f\u1680\u180e\u2003\u200b\u200d\u2028"
    "\u2060\u2064\u2800\u3000\u3164\ufe0f\ufeff\uffa0\U000e0020\U000e0100"
)


@pytest.mark.parametrize("sign", [*UNSEEN, "\u200b \ufeff\t", "\x1f\u2060"])
def test_no_sign_without_ink_hides_a_formula(sign):
    for text in (f"{sign}=1+1", f"{sign}{sign}@a"):
        assert render([{"t": text}], Format.CSV).splitlines()[1].startswith("\"'")
    assert "'=1" in render([{"t": f"tea;{sign}=1"}], Format.CSV)


@pytest.mark.parametrize("text", ["tea", "a=b", "\u200btea", "\u3000茶", "100%", "'tea'"])
def test_a_cell_that_is_no_formula_stays(text):
    assert list(csv.reader(io.StringIO(render([{"t": text}], Format.CSV))))[1] == [text]


def test_long_runs_of_separators_are_written_at_once():
    text = "a" + "\n\t; " * 200_000 + "b"
    assert len(render([{"t": text}], Format.CSV)) > len(text)


def test_csv_leaves_numbers_alone():
    assert render([{"n": -1.5}], Format.CSV).splitlines() == ['"n"', '"-1.5"']


def test_csv_quotes_every_cell():
    assert render([{"t": "tea", "n": 1, "x": None}], Format.CSV) == '"t","n","x"\n"tea","1",""'


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("text", ["tea;=cmd|x", "tea; @x", "tea\t=x", "two\n=lines", "a;＝x", 'a;"=x"'])
def test_csv_is_no_formula_wherever_cells_are_divided(delimiter, text):
    written = render([{"a": "first", "t": text}], Format.CSV)
    cells = [cell for line in csv.reader(io.StringIO(written), delimiter=delimiter) for cell in line]
    assert not [cell for cell in cells if cell.lstrip(' "').startswith(("=", "@", "＝"))]


def test_a_table_lines_up_wide_characters():
    lines = render(ROWS, Format.TABLE).splitlines()
    assert lines[0].split() == ["url", "title", "r", "tags", "none"]
    assert lines[2].split() == ["http://a.example/", "角冲量", "0.1235", '["x",', '"y"]']
    assert "two lines" in lines[3]


def test_a_table_shows_no_control_characters_and_cuts_long_cells(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = render([{"t": "\x1b]0;owned\x07" + "x" * 200}], Format.TABLE)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert text.splitlines()[2].endswith("…")


@pytest.mark.parametrize("columns", [80, 120])
def test_a_table_fits_the_terminal_and_only_text_gives_way(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    row = {
        "url": "https://a.example/x/" + "y" * 12,
        "title": "树莓派上的服务器" * 20,
        "relevance": 0.512345,
        "n": 123456789,
    }
    lines = render([row, {**row, "title": "短"}], Format.TABLE).splitlines()
    assert max(map(width, lines)) == columns
    assert row["url"] in lines[2]
    assert lines[2].split()[2:] == ["0.5123", "123456789"]
    assert "树莓派上的服" in lines[2]


def test_addresses_give_way_after_titles(monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    line = render([{"url": "https://a.example/" + "y" * 90, "title": "t" * 90, "n": 1}], Format.TABLE).splitlines()[2]
    assert (len(line), line.split()[1:]) == (50, ["t" * (LEAST - 1) + "…", "1"])


def test_an_empty_table_says_so():
    assert render([], Format.TABLE) == "no rows"


def test_csv_without_rows_still_names_its_columns():
    assert render([], Format.CSV) == '"url"'
