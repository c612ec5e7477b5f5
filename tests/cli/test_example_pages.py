"""The file of examples: marks, then an address or a file's name."""

import pytest

from cli.crawling.crawl import make_plan
from cli.inputs.example_pages import check_examples, read_examples
from cli.settings import Settings
from ontology.errors import SettingsError
from semantic.understanding import Marks


def write(folder, text):
    path = folder / "examples.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_marks_of_addresses_and_files(tmp_path):
    (tmp_path / "green tea.html").write_text("<title>Green</title><p>tea</p>", encoding="utf-8")
    path = write(
        tmp_path,
        "\ufeff# what we know\n\ngood detail https://Example.org/tea#x\nbad\thttp://a.example/cars # no tea\n"
        "list good\tgreen tea.html  # of ours\nlist http://a.example/\n  good  http://a.example/  \n",
    )
    examples = read_examples(path)
    assert examples.addresses == {
        "https://example.org/tea": Marks(good=True, detail=True),
        "http://a.example/cars": Marks(good=False),
        "http://a.example/": Marks(good=True, detail=False),
    }
    ((page, marks),) = examples.pages
    assert (page.title, marks) == ("Green", Marks(good=True, detail=False))


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-16-le"])
def test_marks_in_an_encoding_of_windows_are_read(tmp_path, encoding):
    path = tmp_path / "examples.txt"
    path.write_bytes("good http://a.example/绿茶 \n# 其他\n".encode(encoding))
    assert read_examples(path).addresses == {"http://a.example/%E7%BB%BF%E8%8C%B6": Marks(good=True)}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("http://a.example/", "has no mark"),
        ("godo http://a.example/", "has no mark"),
        ("good detail", "names no page"),
        ("good bad http://a.example/", "marked good and bad"),
        ("list detail x.html", "marked detail and list"),
        ("good http://[1/", "is no web address"),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path, line, told):
    with pytest.raises(SettingsError, match=r"examples.txt, line 2: ") as caught:
        read_examples(write(tmp_path, f"# first\n{line}\n"))
    assert told in str(caught.value)
    assert caught.value.cure


def test_marks_on_two_lines_that_contradict_each_other_are_named(tmp_path):
    with pytest.raises(SettingsError, match=r"line 2: marked good and bad"):
        read_examples(write(tmp_path, "good http://a.example/\nbad http://a.example/\n"))


def test_a_missing_file_or_one_without_marks_is_an_error(tmp_path):
    with pytest.raises(SettingsError, match="marks no page"):
        read_examples(write(tmp_path, "# none\n"))
    with pytest.raises(SettingsError, match="cannot be read"):
        read_examples(tmp_path / "none.txt")


def test_a_missing_page_or_what_is_none_is_an_error(tmp_path):
    with pytest.raises(SettingsError, match=r"gone.html cannot be read: there is no such file"):
        read_examples(write(tmp_path, "good gone.html\n"))
    with pytest.raises(SettingsError, match="null byte"):
        read_examples(write(tmp_path, "good a\0b.html\n"))
    (tmp_path / "image.html").write_bytes(b"\0" * 100)
    with pytest.raises(SettingsError, match="is not text"):
        read_examples(write(tmp_path, "good image.html\n"))


def test_a_strategy_that_ignores_examples_refuses_them(tmp_path):
    (tmp_path / "seeds.txt").write_text("https://example.org/\n", encoding="utf-8")
    settings = Settings(
        str(tmp_path / "none.owl"), (str(tmp_path / "seeds.txt"),), 10, strategy="shark", examples="marks.txt"
    )
    with pytest.raises(SettingsError, match="--examples: strategy 'shark' does not use them") as refused:
        make_plan(settings)
    for user in ("fused", "jlse", "ata", "adaptive", "context-graph", "ontology-links"):
        assert user in refused.value.cure
    assert "shark" not in refused.value.cure
    check_examples(["bfs", "jlse"])  # in a lab one user is enough
