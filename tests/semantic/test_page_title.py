"""What a page is called."""

import pytest

from semantic.parsing.page_reader import read_page

OG = '<meta property="og:title" content="Green &amp; black">'
HEADING = "<h1>Big <a href=x>tea<br>pot</a></h1>"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>\n  Tea\n   &amp; cups </title>" + OG + HEADING, "Tea & cups"),
        ("<title>Tea</title><title>Second</title>", "Tea"),
        ("<title> </title><title>&nbsp;</title><title>Tea</title><title>x</title>", "Tea"),
        ("<svg><title>icon</title></svg><title>Tea</title>", "Tea"),
        ("<body><p>x<title>Tea</title>", "Tea"),
        ("<title>绿\n茶</title>", "绿茶"),
        ("<title>1984</title>" + HEADING, "1984"),
        ("<title>Tea &amp;amp; cups &amp;#8211; &amp;quot;x&amp;quot;</title>", 'Tea & cups – "x"'),
        ("<title>AT&amp;T: &amp;nbsp; and &lt;b> in HTML</title>", "AT&T: &nbsp; and <b> in HTML"),
        ("<title>&lt;b&gt;&lt;i class=x&gt;Tea&lt;/i&gt;&lt;/b&gt; cups</title>", "Tea cups"),
        ("<title>&amp;lt;em&amp;gt;Tea&amp;lt;/em&amp;gt; cups</title>", "Tea cups"),
        (OG + HEADING, "Green & black"),
        ("<meta name=twitter:title content=Card>" + HEADING, "Card"),
        ("<meta name=DC.title content=Core><meta name=Twitter:Title content=' Card\n x'>", "Card x"),
        ("<meta property=og:title content=''>" + HEADING, "Big tea pot"),
        (HEADING, "Big tea pot"),
        ("<title>Untitled Document</title>" + HEADING, "Big tea pot"),
        ("<title>无标题文档</title>" + OG, "Green & black"),
        ("<title>新建网页 1</title>", "新建网页 1"),
        ("<h2>Two</h2><h3>Three</h3><h1></h1><h1>One</h1><h1>Other</h1>", "One"),
        ("<h3>Three</h3><h2><script>x</script>Two<svg><text>y</text></svg></h2>", "Two"),
        ("<h1><img alt='Tea house'></h1>", "Tea house"),
        ("<h1><p>Tea</p></h1>", "Tea"),
        ("<h1>Tea<p>long text", "Tea"),
        ("<template><h1>x</h1></template><noscript><h1>y</h1></noscript><p>z", ""),
        ("<p>nothing", ""),
    ],
)
def test_a_page_is_called_as_people_see_it(html: str, title: str) -> None:
    assert read_page(html.encode(), "http://h.org/", {"content-type": "text/html; charset=utf-8"}).title == title
