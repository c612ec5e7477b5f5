"""Pages small enough to read by eye; pages made to break readers; pages broken at random."""

import random

import pytest

from semantic.page import PARAGRAPH, Link, Page
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError

URL = "http://h.org/dir/page"


def read(html: str, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_page(html.encode(), URL, {"content-type": "text/html; charset=utf-8", **named})


def link(html: str) -> Link:
    (only,) = read(html).links
    return only


def pieces(page: Page) -> list[tuple[str, str]]:
    return [(page.text[span.start : span.end], str(span.position)) for span in page.spans]


def check(page: Page) -> None:
    """What holds for every page."""
    end = 0
    for span in page.spans:
        assert page.text[end : span.start] in ("", PARAGRAPH)
        assert span.start < span.end
        end = span.end
    assert end == len(page.text)
    assert "\ud800" not in page.text
    paragraphs = page.text.split(PARAGRAPH)
    assert paragraphs == [" ".join(paragraph.split()) for paragraph in paragraphs]
    for order, found in enumerate(page.links):
        assert 0 <= found.start <= found.end <= len(page.text)
        assert found.order == order
        assert found.dom_path.count("/") < 8
        assert found.url.startswith(("http://", "https://"))


def test_each_text_has_one_position() -> None:
    page = read(
        "<title> Old &amp;\n new </title><h1>Big <a href=x>lin<b>k</b></a> end</h1><h2>Two<strong>!</strong></h2>"
        "<p>see <strong>this</strong> and <b>that</b>, <i>too</i><h3>Three"
    )
    assert pieces(page) == [
        ("Old & new", "title"), ("Big ", "h1"), ("link", "anchor"), (" end", "h1"), ("Two!", "h2"),
        ("see ", "other"), ("this", "strong"), (" and ", "other"), ("that", "emphasis"), (", too", "other"),
        ("Three", "emphasis"),
    ]  # fmt: skip
    assert page.title == "Old & new"
    check(page)


def test_blocks_divide_and_blanks_fold() -> None:
    page = read(
        "<div> one\n\t two<p>三四\u3000五<br>five</p>six<ul><li>a<li>b</ul><table><td>c<td>d</table><span>e</span>f "
    )
    assert page.text.split(PARAGRAPH) == ["one two", "三四 五", "five", "six", "a", "b", "c", "d", "ef"]
    check(page)


def test_what_is_not_text() -> None:
    page = read(
        "a<script>b</script><style>c</style><!-- d --><noscript>e<meta http-equiv=refresh content=0;url=/n></noscript>"
        "<template>f<template>g</template><a href=h>h</a></template><svg><title>i</title><text>j</text></svg>"
        "<textarea>k</textarea><select><option>l<option>m</select>\0n"
    )
    assert page.text.split(PARAGRAPH) == ["a", "l", "m", "n"]
    assert [found.url for found in page.links] == ["http://h.org/n"]
    assert page.title == ""


def test_html_inside_an_unclosed_svg_is_read() -> None:
    assert read("<svg><text>no<p>yes <a href=x>link</a>").text == "yes link"


def test_a_link_with_its_surroundings() -> None:
    html = (
        f"<html><body id=b><div class=' main wide'><p>{'x' * 70} before "
        "<a href='../to#f' title=' a  b ' rel='NoFollow me'> the <b>anchor</b> </a> after<p>next"
    )
    found = link(html)
    page = read(html)
    assert found == Link(
        url="http://h.org/to",
        anchor="the anchor",
        title="a b",
        start=78,
        end=88,
        before="x" * 52 + " before ",
        after=" after next",
        dom_path="html/body#b/div.main/p/a",
        rel=frozenset({"nofollow", "me"}),
        order=0,
        node=1,
    )
    assert page.text[found.start : found.end] == "the anchor"


def test_an_image_link_is_named_by_its_alt() -> None:
    found = link("text <a href=x><img alt='red '><img alt=' house'></a>")
    assert (found.anchor, found.start, found.end) == ("red house", 4, 4)
    assert link("<map><area href=x alt=Nord></map>").anchor == "Nord"
    assert link("<a href=x><img alt=no>yes</a>").anchor == "yes"


@pytest.mark.parametrize(
    "href",
    ["", " ", "#top", "page", "/dir/page#part", "javascript:go()", "mailto:a@b", "http://", "tel:1", "http://h:x/"],
)
def test_what_is_no_link(href: str) -> None:
    page = read(f"<a href='{href}'>text</a><a name=x>named</a>")
    assert page.links == ()
    assert page.text == "textnamed"


def test_an_unclosed_link_ends_with_its_block_or_another_link() -> None:
    page = read("<table><tr><td><a href=1>one<a href=2>two<td>no</table><p><a href=3>three</p>no")
    assert [found.anchor for found in page.links] == ["one", "two", "three"]


def test_an_unclosed_name_is_no_link_and_ends_nothing() -> None:
    page = read("<a name=top><h1>one <a href=x>two</a> three</h1>")
    assert pieces(page) == [("one ", "h1"), ("two", "anchor"), (" three", "h1")]


def test_frames_and_own_embedded_pages_are_links() -> None:
    page = read(
        "<frameset><frame src=/menu name=m title=Menu><frame src=main>"
        "<noframes><a href=no>none</a></noframes></frameset>"
        "<iframe src=//www.h.org/in>no<a href=no></iframe><iframe src=//ads.example/x></iframe><iframe></iframe>"
        "<object data=doc.pdf>yes</object><embed src=//films.example/x><embed src=own>"
    )
    found = ["http://h.org/menu", "http://h.org/dir/main", "http://www.h.org/in", "http://h.org/dir/doc.pdf"]
    assert [each.url for each in page.links] == [*found, "http://h.org/dir/own"]
    assert (page.links[0].title, page.text) == ("Menu", "yes")


def test_links_for_readers_without_scripts_are_read() -> None:
    page = read(
        "a<noscript>b<p><a href=/x?a=1&amp;b title=t>Green &amp;\n <b>tea</b></a><area href=y>"
        "<a href=z><img alt=three></a>"
        "<iframe src=//ads.example/x></iframe><meta name=robots content=noindex></noscript>c"
        "<svg><a xlink:href=/d>e</a></svg>"
    )
    named = [(found.url.removeprefix("http://h.org/"), found.anchor, found.title) for found in page.links]
    assert named == [("x?a=1&b", "Green & tea", "t"), ("dir/y", "", ""), ("dir/z", "three", ""), ("d", "", "")]
    assert (page.text, page.noindex) == ("ac", False)


XHTML = (
    '<?xml version="1.0" encoding="{codec}"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">'
    '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="zh"><head><script src="x"/><title>茶</title><style/></head>'
    '<body><a id="top"/><div/><p>A&nbsp;<![CDATA[<b>&]]> <iframe src="in"/><textarea/>'
    '<a href="/b?k=茶&amp;c">绿茶</a></p>'
    '<script>if (a &lt; b) "</p>"</script><noscript><a href="/n">n</a></noscript>end</body></html>'
)


@pytest.mark.parametrize(
    "kind", ["application/xhtml+xml", "text/xml", "application/xml; charset=x", "application/vnd.wap.xhtml+xml"]
)
@pytest.mark.parametrize(("codec", "query"), [("utf-8", "%E8%8C%B6"), ("utf-16", "%E8%8C%B6"), ("gbk", "%B2%E8")])
def test_xhtml_is_read_by_the_rules_of_xml(kind: str, codec: str, query: str) -> None:
    html = XHTML.format(codec=codec).replace('</p>"', "p")
    page = read_page(html.encode(codec), URL, {"content-type": kind})
    assert (page.title, page.text.split(PARAGRAPH)) == ("茶", ["茶", "A <b>& 绿茶", "end"])
    assert [found.url for found in page.links] == [
        "http://h.org/dir/in",
        f"http://h.org/b?k={query}&c",
        "http://h.org/n",
    ]


def test_xhtml_with_prefixes_and_foreign_elements() -> None:
    html = (
        '<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns:o="urn:o"><h:title>T</h:title><o:title>o</o:title>'
        '<h:body><svg xmlns="http://www.w3.org/2000/svg"><title>no</title></svg>'
        '<h:a href="/x">a</h:a></h:body></h:html>'
    )
    page = read_page(html.encode(), URL, {"content-type": "application/xml"})
    assert (page.title, [found.url for found in page.links]) == ("T", ["http://h.org/x"])
    assert page.text.split(PARAGRAPH) == ["T", "o", "a"]


@pytest.mark.parametrize("fault", ["<p>open", '<a href="/x" href="/y"/>', "a & b", "&unknown;"])
def test_broken_xhtml_is_read_as_html(fault: str) -> None:
    begin = '<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="x"/><title/></head><body><br/>'
    html = f'{begin}<![CDATA[a < b]]> <a id="x"/><a href="/b">b</a>{fault}</body></html>'
    page = read_page(html.encode(), URL, {"content-type": "text/xml"})
    assert page.text.startswith("a < b b")
    assert page.links[0].url == "http://h.org/b"


def test_xhtml_that_declares_entities_expands_none() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    html = f'{bomb}<html xmlns="http://www.w3.org/1999/xhtml"><body><a href="/b">&b;</a></body></html>'
    page = read_page(html.encode(), URL, {"content-type": "text/xml"})
    assert [found.anchor for found in page.links] == ["&b;"]


@pytest.mark.parametrize(
    "root", ["<html><body/></html>", '<x xmlns="http://www.w3.org/1999/xhtml"/>', "<!-- <rss> --><y/>"]
)
def test_other_xml_is_no_page(root: str) -> None:
    with pytest.raises(PageError):
        read_page(root.encode(), URL, {"content-type": "text/xml"})


HREFS = [
    ("/路?k=绿茶#绿", "/%E8%B7%AF?k=%C2%CC%B2%E8"),
    ("?&#32511;=%b2%e8&amp;amp;x=100%&copy=2", "/dir/page?%C2%CC=%B2%E8&amp;x=100%&copy=2"),
    ("//中国.cn/?k=&#54620;", "//xn--fiqs8s.cn/?k=%26%2354620%3B"),
    ("\n\\a\n b?c 茶\t", "/a%20b?c%20%B2%E8"),
    ("http:/x?茶", "/x?%B2%E8"),
    ("///o.org?茶", "//o.org/?%B2%E8"),
]


@pytest.mark.parametrize(("href", "address"), HREFS)
@pytest.mark.parametrize(
    "html",
    [
        '<a href="{}">x</a>', '<area href="{}">', '<frame src="{}">',
        '<meta http-equiv=refresh content="0;url={}">', '<noscript><a href="{}">x</a></noscript>',
        '<link rel=canonical href="{}">',
    ],
)  # fmt: skip
def test_a_query_is_in_the_charset_of_its_page(html: str, href: str, address: str) -> None:
    page = read_page(html.format(href).encode("gbk"), URL, {"content-type": "text/html; charset=gb2312"})
    expected = f"http:{address}" if address.startswith("//") else f"http://h.org{address}"
    assert ([found.url for found in page.links] or [page.canonical]) == [expected]


@pytest.mark.parametrize(
    "xml",
    [
        "<rss version='2.0'><channel><title>t</title><item><title>茶</title><link>http://o.org/绿?k=绿&amp;c=1</link></item></channel></rss>",
        "<urlset><url><loc>http://o.org/绿?k=绿&amp;c=1</loc></url></urlset>",
    ],
)
def test_queries_of_feeds_and_sitemaps_are_in_their_charset(xml: str) -> None:
    for codec, query in (("gbk", "%C2%CC"), ("utf-8", "%E7%BB%BF")):
        body = f'<?xml version="1.0" encoding="{codec}"?>{xml}'.encode(codec)
        (found,) = read_page(body, URL, {"content-type": "text/xml"}).links
        assert found.url == f"http://o.org/%E7%BB%BF?k={query}&c=1"


@pytest.mark.parametrize("html", ["<base href=/new/><a href=x>", "<a href=x>x</a><base href='/new/'><base href=/no/>"])
def test_the_first_base_holds_for_the_whole_page(html: str) -> None:
    assert link(html).url == "http://h.org/new/x"


def test_a_base_that_is_no_address_is_passed_over() -> None:
    assert link("<base href='data:x'><a href=x>").url == "http://h.org/dir/x"


REFRESHES = ["0; url=/next", "5;URL='/next' x", "1.5 , /next", '0;url = "/next"', "0,url=/next", " 3 /next", ".5;/next"]


@pytest.mark.parametrize("content", [*REFRESHES, "00000;url=/next", "0\n;\tURL\n=\n/next\n"])
def test_a_quick_refresh_is_a_link(content: str) -> None:
    quoted = content.replace('"', "&quot;")
    meta = f'<meta http-equiv=" Refresh" content="{quoted}">'
    for page in (read(meta), read(f"<noscript>{meta}</noscript>"), read("<title>moved", refresh=content)):
        assert [(found.url, found.anchor) for found in page.links] == [("http://h.org/next", "")]


@pytest.mark.parametrize("content", ["30; url=/next", "0", "", "x", "0;url=page", "90000000000;url=/next"])
def test_a_slow_or_empty_refresh_is_none(content: str) -> None:
    assert read(f'<meta http-equiv=refresh content="{content}">').links == ()


@pytest.mark.parametrize(
    ("html", "header", "expected"),
    [
        ("", "", (False, False)),
        ("<meta name=Robots content='NOINDEX, follow'>", "", (False, True)),
        ("<meta name=robots content='noindex nofollow'>", "", (True, True)),
        ("<meta name=robots content='max-image-preview: none'>", "", (False, False)),
        ("", "noindex nofollow", (True, True)),
        ("<meta name=robots content='max-snippet:-1 noindex max-image-preview:large'>", "", (False, True)),
        ("", "max-snippet:-1 noindex", (False, True)),
        ("", "max-image-preview: none", (False, False)),
        ("", "otherbot: noindex nofollow", (False, False)),
        ("<meta name=robots content=none>", "", (True, True)),
        ("<meta name=ontocrawl content=nofollow>", "", (True, False)),
        ("<meta name=otherbot content=nofollow>", "", (False, False)),
        ("", "noindex, nofollow", (True, True)),
        ("", "otherbot: noindex, nofollow", (False, False)),
        ("", "otherbot: noindex, ontocrawl: nofollow", (True, False)),
        ("", "otherbot: noindex\nnofollow", (True, False)),
        ("", "unavailable_after: 25 Jun 2010, noindex", (False, True)),
    ],
)
def test_robots_directives(html: str, header: str, expected: tuple[bool, bool]) -> None:
    page = read(html, x_robots_tag=header)
    assert (page.nofollow, page.noindex) == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [("/other", "http://h.org/other"), ("page#x", None), ("mailto:x", None), ("//else.org", "http://else.org/")],
)
def test_canonical(href: str, expected: str | None) -> None:
    assert read(f"<link rel='x Canonical' href='{href}'>").canonical == expected


def test_language() -> None:
    assert read("<html lang=zh-Hant-TW>", content_language="en").language == "zh-hant-tw"
    assert read("<html>", content_language="en-GB, fr").language == "en-gb"
    assert read("<html lang=''>").language is None
    assert read(f"<html lang=en>{CHINESE}").language == "zh"


def test_gbk_without_a_header_is_read() -> None:
    page = read_page("<title>数据挖掘</title><p>从大量的数据中发现有用的知识".encode("gbk"), URL, {})
    assert (page.title, page.charset) == ("数据挖掘", "gbk")


@pytest.mark.parametrize("kind", ["text/plain", "image/png", "application/pdf", "application/json; charset=utf-8"])
def test_what_is_not_html_is_no_page(kind: str) -> None:
    with pytest.raises(PageError, match="not HTML"):
        read_page(b"<p>x", URL, {"content-type": kind})


def test_binary_sent_as_html_is_no_page() -> None:
    with pytest.raises(PageError, match="not text"):
        read_page(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10", URL, {"content-type": "text/html"})


MANY = 100_000
HOSTILE = {
    "nested": ("<div>" * MANY + "end", 0, "end"),
    "nested links": ("<a href=x>" * MANY + "end", 10_000, "end"),
    "attributes": ("<a " + " ".join(f"a{i}=1" for i in range(MANY)) + " href=x>end</a>", 1, "end"),
    "quotes": ('<a ="' * MANY, 0, ""),
    "one text": ("x " * 2_500_000 + "end", 0, "end"),
    "formatting": ("<p>" + "".join(f"<b id={i}>" for i in range(5_000)) + "</p>" + "<p>x" * 5_000 + "<p>end", 0, "end"),
    "end tags": ("<i>" * 40 + "</b>" * MANY + "end", 0, "end"),
    "unclosed items": ("<ul><li><span>" * MANY + "end", 0, "end"),
    "brackets": ("<" * 1_000_000 + " end", 0, " end"),
    "surrogates": ("&#xD800;&#0;" * MANY + "end", 0, "\ufffd\ufffdend"),
    "zero bytes": ("x" * 1024 + "\0y" * MANY + "<a href=\0/z\0>end", 1, "yend"),
    "images": ("<a href=x>" + "<img alt=i>" * MANY + "</a>end", 1, "end"),
    "long names": (f"<div class={'c' * 1_000_000}>" + "<a href=x>y</a>" * 1_000 + "end", 1_000, "end"),
    "long base": (f"<base href=/{'b/' * 500_000}>" + "<a href=x>y</a>" * 1_000 + "end", 1_000, "end"),
    "refreshes": (f"<meta http-equiv=refresh content='0{' ' * 1_000_000}'>end", 0, "end"),
    "blanks": (" " * 5_000_000 + "end", 0, "end"),
    "unclosed heading": ("<h1>" + "\n<p>" * MANY + "end", 0, "end"),
    "nested marks in a title": (f"<title>{'<b>' * MANY}x{'</b>' * MANY}</title>end", 0, "end"),
    "underscores in a title": (f"<title>{'_' * MANY}x</title>end", 0, "end"),
    "nested marks in a name": (f'<meta name=title content="{"<b>" * MANY}x{"</b>" * MANY}">end', 0, "end"),
    "ruby": ("<ruby>x<rt>" * MANY + "end", 0, "end"),
    "styles": ("".join(f"<p style='display:none;x:{i}'>x" for i in range(MANY)) + "<p>" + "y" * MANY + "end", 0, "end"),
    "open styles": (f"<p style='{'/*' * MANY}display:{'a ' * MANY}'>end", 0, "end"),
    "hidden": ("<div hidden><a href=x>y" * MANY + "end", 10_000, "end"),
    "classes": ("".join(f"<div class='menu-{i} {'x' * (i % 99)}'><p>y" for i in range(MANY // 5)) + "end", 0, "end"),
    "noscript": ("<noscript " * MANY + "><p>x</noscript>" + "<noscript><p>y</noscript>" * MANY + "end", 0, "end"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read(name: str) -> None:
    html, links, end = HOSTILE[name]
    page = read(html)
    assert len(page.links) == links
    assert page.text.endswith(end)
    check(page)


GOOD = (
    "<!doctype html><html lang=zh><head><title>数据</title><base href=/b/><meta http-equiv=refresh content='0;url=x'>"
    "<style>p{}</style></head><body class=a><h1>一 <a href='x?y=1&amp;z' rel=nofollow>二<img alt=三></a></h1><ul><li>四"
    "<li><b>五</ul><table><tr><td>六<td><a href=//o.org>七</a></table><svg><a href=q><path/></svg><p>&#x516b;&nbsp;九"
    "<select><option>十</select><script>if(a<b)</script><template><p>t</template></body></html>"
).encode()


@pytest.mark.parametrize("codec", ["utf-8", "gbk"])
def test_pages_broken_at_random_are_read_or_refused(codec: str) -> None:
    chance = random.Random(7)
    page_bytes = GOOD.decode().encode(codec)
    tokens = b"< > </a> <a_href= \" ' <svg> </td> &# \xff \0 <h1> http://[".split()
    read_well = 0
    for _ in range(250):
        body = bytearray(page_bytes)
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(body))
            body[at : at + chance.randrange(12)] = (
                chance.choice(tokens) if chance.random() < 0.7 else chance.randbytes(3)
            )
        try:
            check(read_page(bytes(body), URL, {}))
            read_well += 1
        except PageError:
            continue
    assert read_well > 200


CHINESE = "<p>树莓派是一种小巧的计算机，可以用来做服务器，也可以学习编程。" * 5
