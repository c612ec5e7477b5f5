"""Text that no reader sees is none of the page's; its links are."""

import pytest

from semantic.page import PARAGRAPH, Page
from semantic.parsing.page_reader import read_page

SHOWN = "Boats sail from the harbour at noon. "


def read(html: str) -> Page:
    return read_page(html.encode(), "http://h.org/", {"content-type": "text/html; charset=utf-8"})


def words(html: str) -> list[str]:
    """The words of a page beside those that stand on each."""
    text = read(f"<p>{SHOWN * 3}{html}").text.removeprefix((SHOWN * 3).rstrip())
    return text.replace(PARAGRAPH, " ").split()


@pytest.mark.parametrize(
    "attributes",
    [
        "hidden",
        "HIDDEN=''",
        "hidden=hidden style='color:red'",
        "style='display:none'",
        "style='COLOR: red; DISPLAY : NONE !important; display: block'",
        "style='display:block;display:none'",
        "style='display:none;display:;display:none\\9'",
        "style='/* x */display:/* y */none'",
        "style='visibility: hidden'",
        "style='visibility:collapse'",
        "style='position:absolute; left:-9999px'",
        "style='color:red;{};display:none'".format("x:y;" * 100),
    ],
)
@pytest.mark.parametrize("tag", ["div", "span", "p", "a", "h1", "section", "b", "x-y"])
def test_what_an_attribute_hides_is_no_text(tag: str, attributes: str) -> None:
    assert words(f"<i>a</i> <{tag} {attributes}>tea <i>cup</i></{tag}> b") == ["a", "b"]


@pytest.mark.parametrize(
    "attributes",
    [
        "", "hidden=until-found", "aria-hidden=true", "style='display:none;display:block'",
        "style='display:none;display:inline-block!important'", "style='/*display:none*/'",
        "style='background:url(x;display:none)'", "style='x-display:none'", "hidden style='display:flex'",
        "style='opacity:0'", "style='font-size:0'", "style='text-indent:-9999px'", "class=hidden",
        "data-hidden type=hidden",
    ],
)  # fmt: skip
def test_what_may_be_seen_stays_text(attributes: str) -> None:
    assert words(f"a <div {attributes}>tea</div> b") == ["a", "tea", "b"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p hidden>x<p>a", "a"),
        ("<ul><li hidden>x<li>a</ul>b", "ab"),
        ("<table><tr hidden><td>x<tr><td>a<td hidden>y<td>b</table>c", "abc"),
        ("<dl><dt hidden>x<dd>a</dl>", "a"),
        ("<select><option hidden>x<option>a</select>", "a"),
        ("<div><span hidden>x</div>a", "a"),
        ("<div hidden><div>x</div>y<p hidden>z</div>a", "a"),
        ("<div hidden><b>x</div>a", "a"),
        ("<table><td><div hidden>x</table>a", "a"),
        ("<img hidden>a<br hidden>b<input hidden>c<hr hidden>d", "abcd"),
        ("<div hidden/>x</div>a", "a"),
        ("<x-y hidden/>a", "a"),
        ("<div style=visibility:hidden>x<b style=visibility:visible>a</b>y</div>b", "ab"),
        ("<div hidden>x<b style=visibility:visible>y</b></div>a", "a"),
        ("<details>a</details><del>b</del><s>c</s><select><option>d</select>", "abcd"),
        ("<dialog>x</dialog><dialog open>a</dialog>", "a"),
        ("<datalist><option>x</datalist>a<video><i>y</i></video>b<audio>z</audio>c", "abc"),
        ("<canvas>x</canvas>a<canvas />b", "ab"),
    ],
)
def test_hidden_elements_end_where_they_do_in_browsers(html: str, expected: str) -> None:
    assert "".join(words(html)) == expected


def test_hidden_text_does_not_cut_words() -> None:
    assert words("绿<span style='display:none'>j9x</span>茶") == ["绿茶"]


@pytest.mark.parametrize(
    "html", ["<a href=x hidden>tea <b>cups</b></a>", "<div style=display:none><a href=x> tea\ncups </a>more</div>"]
)
def test_a_hidden_link_stays_and_has_its_name(html: str) -> None:
    page = read(f"{SHOWN}{html} more")
    (found,) = page.links
    assert (found.anchor, found.start == found.end) == ("tea cups", True)
    assert "tea" not in page.text


@pytest.mark.parametrize(
    "html",
    [
        "<html hidden><body style='visibility:hidden'>{}",
        "<body style='display:none'>{}",
        "<title>x</title><div style='display:none'><p>{}</div><p>Loading",
        "<div hidden>{}",
    ],
)
def test_a_page_that_a_script_shows_is_read(html: str) -> None:
    assert SHOWN.strip() in read(html.format(SHOWN * 3)).text
