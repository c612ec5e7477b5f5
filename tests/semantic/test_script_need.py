"""Pages that get their text from scripts are known by their HTML; pages with text of their own are not."""

import pytest

from semantic.parsing.page_reader import read_page

WORDS = "green tea " * 15
MANY = "<p>" + "green tea " * 101
LINKS = "".join(f"<a href=/{number}>n</a>" for number in range(10))


@pytest.mark.parametrize(
    ("html", "bare"),
    [
        ("<title>Tea</title><div id=root></div><script src=a.js></script>", 1),
        ('<p>Menu of tea<div class="x" id="app" data-a=1> <!-- here --> </div>', 3),
        ("<app-root></app-root>", 0),
        ("<p>Loading ...<script>load()</script>", 1),
        (f"<div id=root></div>{WORDS}", 30),
    ],
)
def test_a_page_filled_by_scripts_is_known_by_its_words(html, bare):
    assert read_page(html.encode(), "http://a.example/", {}).bare == bare


@pytest.mark.parametrize(
    "html",
    [
        "<p>A short page without a script",
        f"<script>count()</script><p>{WORDS}",
        f"<script>count()</script>{LINKS}",
        f"<div id=root></div>{MANY}",
        "<div id=root><p>green tea</p></div>",
        f"<script>count()</script><p>{'茶' * 30}",
    ],
)
def test_a_page_with_its_own_text_needs_no_script(html):
    assert read_page(html.encode(), "http://a.example/", {}).bare is None


def test_a_hostile_page_is_looked_at_in_linear_time():
    for hostile in ("<div id=root ", "<div id=root>   ", "<div id=root><!-- ", "<app-root "):
        assert read_page(hostile.encode() * 200_000, "http://a.example/", {}).text is not None
