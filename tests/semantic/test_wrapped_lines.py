"""Words of scripts without blanks are whole, whatever HTML puts between their characters."""

import pytest

from semantic.page import PARAGRAPH
from semantic.parsing.page_reader import read_page


def text_of(html: str) -> str:
    page = read_page(html.encode(), "http://h.org/", {"content-type": "text/html; charset=utf-8"})
    return page.text.replace(PARAGRAPH, "|")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>喝绿\n茶吧", "喝绿茶吧"),
        ("<pre>喝绿\r\n茶吧</pre>", "喝绿茶吧"),
        ("<p>喝绿 \r\t 茶吧", "喝绿茶吧"),
        ("<p>喝茶，\n  绿茶", "喝茶，绿茶"),
        ("<p>お茶は\nチャノキ", "お茶はチャノキ"),
        ("<p>𠮷\n野家", "𠮷野家"),
        ("<p>绿&#8203;\n茶吧", "绿\u200b茶吧"),
        ("<p>녹차와\n우롱차", "녹차와 우롱차"),
        ("<p>ＧＲＥＥＮ\nＴＥＡ", "ＧＲＥＥＮ ＴＥＡ"),
        ("<p>喝 tea\n茶 cup", "喝 tea 茶 cup"),
        ("<p>喝绿\n\n茶吧", "喝绿 茶吧"),
        ("<p>喝绿\n　　茶吧", "喝绿 茶吧"),
        ("<p>喝绿 茶吧", "喝绿 茶吧"),
        ("<p>喝绿<br>茶吧", "喝绿|茶吧"),
        ("<a href=x>绿茶</a>\n<a href=y>红茶</a>", "绿茶 红茶"),
        ("<h1>绿 茶</h1>", "绿茶"),
        ("<h1>铁　观&nbsp;音</h1>", "铁观音"),
        ("<h1>绿茶 红</h1>", "绿茶 红"),
        ("<b>绿</b>茶<span>红</span><font>茶</font>", "绿茶红茶"),
        ("绿<!-- x -->茶<wbr>叶", "绿茶叶"),
        ("<ruby>绿<rp>(</rp><rt>lǜ</rt><rp>)</rp>茶<rt>chá</rt></ruby>好", "绿茶 lǜ chá 好"),
        ("<ruby>绿<rt>lǜ</rt></ruby><ruby>茶<rt>chá</rt></ruby>好", "绿茶 lǜ chá 好"),
        ("<p>喝<ruby>绿茶<rt>green tea</ruby>(GT)<p>好", "喝绿茶 green tea (GT)|好"),
        ("<ruby><rb>绿</rb><rb>茶</rb><rt>lǜ</rt><rt>chá</rt></ruby>", "绿茶 lǜ chá"),
        ("<p>a<ruby>绿<rt>lǜ<p>好", "a绿 lǜ|好"),
        ("<rt>lǜ", "lǜ"),
    ],
)
def test_only_blanks_that_readers_see_stay(html: str, expected: str) -> None:
    assert text_of(html) == expected


def test_titles_and_attributes_are_joined_as_text_is() -> None:
    html = "<title>喝绿\n茶吧</title><a href=x title='喝绿\n茶吧'><img alt='喝红\r\n 茶吧'></a>"
    page = read_page(html.encode(), "http://h.org/", {})
    (found,) = page.links
    assert (page.title, found.title, found.anchor) == ("喝绿茶吧", "喝绿茶吧", "喝红茶吧")
