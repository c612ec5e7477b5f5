"""Feeds read as pages that list their entries."""

import pytest

from semantic.page import FEED, Page
from semantic.parsing.page_reader import read_page
from semantic.reasons import PageError

URL = "http://a.example/feed"
ENTRY = "<item><title>绿茶 &amp; more</title><link>/green?a=1&amp;b=2</link><description>%s</description></item>"
RSS = f'<?xml version="1.0"?><rss version="2.0"><channel><title>Tea</title>{ENTRY}{ENTRY}</channel></rss>'
ATOM = """<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Tea</title>
<entry><title type="html">&lt;b&gt;绿茶&lt;/b&gt; &amp;amp; more</title><link rel="self" href="/x"/>
<link rel="alternate" href="/green?a=1&amp;b=2"/><summary>Leaves.</summary></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>Tea</title></channel><item><title>绿茶 &amp; more</title><link>/green?a=1&amp;b=2</link>
<description>Leaves.</description></item></rdf:RDF>"""


def read(text: str, kind: str = "application/rss+xml") -> Page:
    return read_page(text.encode(), URL, {"content-type": kind})


HEAD = '<?xml version="1.0"?>'
ATOM_ENTRY = '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/b/"><title>Tea</title><entry>%s</entry></feed>'
JSON_FEED = """{"version": "https:\\/\\/jsonfeed.org/version/1.1", "title": "Tea", "items": [{"id": 3}, 7,
{"id": "1", "url": "/1", "title": "Green & more"}, {"id": "http://a.example/2", "content_text": "Leaves"}]}"""


def rss(*items: str) -> str:
    return f'{HEAD}<rss version="2.0"><channel><title>Tea</title>{"".join(map("<item>{}</item>".format, items))}'


LINKS = {
    rss("<link>/1</link>").replace("2.0", "0.91"): ["1"],
    rss("<link>/1</link>").replace(' version="2.0"', ""): ["1"],
    rss("<link>/1</link>").replace("rss", "RSS").replace("item", "ITEM").replace("link", "LINK"): ["1"],
    rss("<guid>http://a.example/1</guid>", '<guid isPermaLink="false">http://a.example/2</guid>', "<guid>x</guid>"): [
        "1"
    ],
    rss("<link></link><guid>http://a.example/1</guid>", "<link>http://[</link>", "<link>/2</link>"): ["1", "2"],
    rss("<title/><link>/1</link>", "<title>a<link>/2</link>"): ["1"],
    rss("<link>/?a=1&copy=2</link>", "<link>\n /\n  2 </link>"): ["?a=1&copy=2", "2"],
    rss("<atom:link rel='self' href='/no'/><link>/1</link><media:content url='/no'/>"): ["1"],
    rss("<link>/1</link>", "<link>/2</link>").replace("</item>", ""): ["1", "2"],
    rss("<link>/1</link>", "<link>/2")[:-9]: ["1"],
    rss("<link>1</link>").replace("<rss", '<rss xml:base="/b/"'): ["b/1"],
    rss("<source url='/no'>x</source><link>/1</link>").replace("<item", "<image><link>/no</link></image><item"): ["1"],
    f"<!-- <b>made</b> -->{rss('<link>/1</link>').removeprefix(HEAD)}": ["1"],
    RDF.replace("http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/"): ["green?a=1&b=2"],
    RDF.replace("<link>/green?a=1&amp;b=2</link>", "").replace("<item", '<item rdf:about="/1"'): ["1"],
    ATOM_ENTRY % '<link href="1"/>': ["b/1"],
    ATOM_ENTRY.replace("<entry", "<entry xml:base='c/'") % '<link href="1"/>': ["b/c/1"],
    ATOM_ENTRY.replace("2005/Atom", "atom/ns#") % '<link rel="alternate" href="/1"/>': ["1"],
    ATOM_ENTRY
    % '<link rel="enclosure" href="/no"/><link rel="replies" href="/no"/><link rel="ALTERNATE" href="/1"/>': ["1"],
    ATOM_ENTRY % '<link type="application/json" href="/no"/><link type="text/html" href="/1"/>': ["1"],
    ATOM_ENTRY % '<link rel="self" href="/no"/><id>http://a.example/1</id>': ["1"],
    ATOM_ENTRY % '<content type="text/html" src="/1"/>': ["1"],
    ATOM_ENTRY % '<source><link href="/no"/></source><link href="/1"/>': ["1"],
    ATOM_ENTRY.replace("<", "<a:").replace("<a:/", "</a:") % '<a:link href="/1"/>': ["1"],
    JSON_FEED: ["1", "2"],
}


@pytest.mark.parametrize("text", LINKS)
def test_the_address_of_an_entry_is_its_page(text: str) -> None:
    page = read(text, "text/html" if text.startswith("<") else "application/feed+json")
    assert (page.source, page.title) == (FEED, "Tea")
    assert [link.url.removeprefix("http://a.example/") for link in page.links] == LINKS[text]


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "gbk"])
def test_a_feed_has_the_charset_that_it_declares(charset: str) -> None:
    text = rss("<title>绿茶</title><link>/1</link>").replace('"1.0"', f'"1.0" encoding="{charset[:6]}"', 1)
    assert read_page(text.encode(charset), URL, {"content-type": "text/xml"}).links[0].anchor == "绿茶"


@pytest.mark.parametrize("text", [RSS % ("Leaves.", "Other leaves."), ATOM, RDF])
@pytest.mark.parametrize("kind", ["application/rss+xml", "text/xml; charset=utf-8", "text/html"])
def test_titles_are_anchors_and_summaries_stand_around_them(text: str, kind: str) -> None:
    """Of RSS, Atom and RDF, whatever the header says."""
    page = read(text, kind)
    assert (page.source, page.title) == (FEED, "Tea")
    link = page.links[0]
    assert (link.url, link.anchor) == ("http://a.example/green?a=1&b=2", "绿茶 & more")
    assert link.after.startswith(" Leaves.")


def test_a_summary_is_the_beginning_of_text_without_markup() -> None:
    page = read(
        RSS % ("&lt;p&gt;one &lt;a href='/no'&gt;two&lt;/a&gt;", "<![CDATA[<script>three</script> " + "x" * 999)
    )
    assert "one two" in page.text
    assert len(page.links) == 2, "a link in a summary is none"
    assert len(page.text) < 700


def test_inline_tags_and_line_breaks_cut_no_word() -> None:
    page = read(RSS % ("&lt;p&gt;绿&lt;b&gt;茶&lt;/b&gt;，红\n茶&lt;br&gt;end", "x"))
    assert "绿茶，红茶 end" in page.text


@pytest.mark.parametrize("broken", [" ", "&nbsp;", "\x01", "a & b", "<![CDATA[c]]>"])
def test_malformed_xml_is_read_all_the_same(broken: str) -> None:
    page = read(("\n" + RSS % (broken, "."))[:-20])
    assert [link.url for link in page.links] == ["http://a.example/green?a=1&b=2"] * 2


def test_entities_that_a_feed_declares_are_never_expanded() -> None:
    bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    page = read(RSS.replace("<rss", f"{bomb}<rss", 1) % ("&b;", "&f;"))
    assert len(page.links) == 2
    assert "aaa" not in page.text
    assert "root" not in page.text


def test_xml_that_is_no_feed_says_so() -> None:
    with pytest.raises(PageError, match="no feed"):
        read('<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF>')
    with pytest.raises(PageError, match="not HTML"):
        read("<gpx></gpx>", "application/gpx+xml")


def test_a_page_tells_of_its_first_feed() -> None:
    head = """<link rel="alternate" hreflang="en" href="/en"><link rel="alternate" type="application/rss+xml" href="f1">
    <link rel="alternate" type="application/atom+xml" href="f2"><p>x"""
    assert read(head, "text/html").feed == "http://a.example/f1"
    assert read("<p>x", "text/html").feed is None
