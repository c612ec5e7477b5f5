"""Pages found by their words: Chinese by any part of a text, English in other forms, best first."""

import contextlib

import pytest

from graphdb.text_index import Text, TextIndex, marked, read_words
from ontology.errors import StoreError

PAGES = (
    Text("http://a/green", "1", "绿茶的制作", "手工绿茶的四道工序：采青、杀青、揉捻、烘干。"),
    Text("http://a/list", "2", "List", "Brewing teas: green teas, black teas. AI茶 online."),
    Text("http://a/trad", "3", "綠茶與紅茶", "傳統的綠茶，在台灣。"),
    Text("http://a/cars", "4", "Cars", "Engines and wheels; a tea break."),
)


@pytest.fixture
def index(tmp_path):
    with contextlib.closing(TextIndex(tmp_path / "cache" / "texts.sqlite")) as made:
        made.add(PAGES)
        yield made


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["绿茶"], {"green", "trad"}),  # traditional characters, too
        (["茶的制"], {"green"}),  # no word, but a part of the text
        (["茶"], {"green", "trad", "list"}),
        (["序"], {"green"}),  # the last before a sign
        (["茶绿"], set()),
        (["tea"], {"list", "cars"}),  # teas
        (["green", "tea"], {"list"}),
        (['"green teas"'], {"list"}),
        (['"teas green"'], {"list"}),  # "Brewing teas: green"
        (['"black green"'], set()),
        (["tea", "-green"], {"cars"}),
        (["AI茶"], {"list"}),
        (["NEAR(", "OR", "tea*"], set()),  # words as any others: OR stands on no page
        (["ＴＥＡ"], {"list", "cars"}),  # full width
    ],
)
def test_words_find_their_pages(index, words, found):
    assert {url.rpartition("/")[2] for url in index.find(read_words(words))} == found


def test_a_word_in_the_title_comes_first(index):
    index.add([Text("http://a/other", "5", "Wheels", "A page about tea, tea and tea, and engines.")])
    assert next(iter(index.find(read_words(["wheels"])))) == "http://a/other"


def test_a_page_fetched_again_is_known_as_it_is_now(index):
    assert index.missing([("http://a/cars", "4"), ("http://a/cars", "6")]) == ["http://a/cars"]
    index.add([Text("http://a/cars", "6", "Trains", "Rails.")])
    assert list(index.find(read_words(["engines"]))) == []
    assert list(index.find(read_words(["rails"]))) == ["http://a/cars"]
    assert (index.size, index.last) == (4, "6")


def test_a_snippet_marks_the_words_where_they_stand_together():
    text = "Menu tea. " + "x " * 60 + "A green tea, and black teas, as we brew them."
    told = marked(text, read_words(["green", "teas"]), 30)
    assert "[green] [tea], and black [teas]" in told
    assert told.startswith("…")
    assert marked("綠茶與紅茶", read_words(["绿茶"]), 30) == "[綠茶]與紅茶"


def test_a_file_that_is_no_index_says_what_to_do(tmp_path):
    (tmp_path / "texts.sqlite").write_text("this is no database, and long enough to be looked at as one" * 40)
    with pytest.raises(StoreError, match="index of texts") as told:
        TextIndex(tmp_path / "texts.sqlite")
    assert str(tmp_path) in told.value.cure
