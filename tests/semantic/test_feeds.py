"""Feeds read as pages that list their entries."""

import pytest

from ontology.errors import PageError
from semantic.page import FEED, Page
from semantic.parsing.page_reader import read_page

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
