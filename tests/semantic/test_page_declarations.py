"""What a page declares of itself: its dates, its author, its site."""

import json

import pytest

from semantic.page import UNDECLARED
from semantic.parsing.page_declarations import MOST, declared_by
from semantic.parsing.page_reader import read_page


def json_ld(*values):
    return "".join(f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values)


@pytest.mark.parametrize(
    ("html", "day", "where"),
    [
        ('<meta property="article:published_time" content="2024-05-03T10:00:00+02:00">', "2024-05-03", "meta"),
        ('<META NAME="ms.date" CONTENT="2024-05-03">', "2024-05-03", "meta"),
        ('<meta name=date content="May 3, 2024"><time datetime=2020-01-01>', "2024-05-03", "meta"),
        (json_ld({"@graph": [{"@type": "Article", "datePublished": "2024-05-03"}]}), "2024-05-03", "json-ld"),
        ('<link rel=canonical href="https://a.example/2024/05/03/tea">', "2024-05-03", "url"),
        ('<time datetime="2024-05-03T08:00">yesterday</time>', "2024-05-03", "time"),
        ('<abbr\nclass=published title="2024-05-03">yesterday</abbr>', "2024-05-03", "time"),
        ("<time>3 May 2024</time>", "2024-05-03", "time"),
        ('<table><tr><td class="post-date">03.05.2024</table>', "2024-05-03", "time"),
        ('<div class="publish-info"><span>By Lu Yu</span> <b>May 3, 2024</b></div>', "2024-05-03", "time"),
        ("<span class=date>2024年5月3日</span>", "2024-05-03", "time"),
        ("<p>It was on May 3, 2024, that tea was drunk.", "", ""),
        ("<time>3024-05-03</time>", "", ""),  # has not come yet
        ('<meta name="article:expiration_time" content="2024-05-03">', "", ""),
        ("<SCRIPT>'<time>'</SCRIPT><!--><TIME>2024-05-03</TIME>", "2024-05-03", "time"),
        ("<!-- <time>2024-05-03</time> -->", "", ""),
        ('<script>"<time>2024-05-03</time>"</script>', "", ""),
        ('<script type="application/ld+json">{"datePublished": "2024-05-03",', "", ""),
    ],
)
def test_a_day_is_found_where_it_is_declared(html, day, where):
    found = declared_by(f"<html><body>{html}<p>Tea")
    assert (found.published, found.dated_by) == (day, where)


@pytest.mark.parametrize(
    ("html", "published", "modified"),
    [
        ('<meta property="og:updated_time" content="2024-05-03">', "", "2024-05-03"),
        (json_ld({"dateModified": "2024-05-03", "publisher": "x"}), "", "2024-05-03"),
        (json_ld({"dateModified": "2024-05-03", "datePublished": "2023-02-01"}), "2023-02-01", "2024-05-03"),
        (json_ld({"dateModified": "2023-02-01", "datePublished": "2023-02-01"}), "2023-02-01", ""),
        (json_ld({"dateModified": "2022-02-01", "datePublished": "2023-02-01"}), "2023-02-01", ""),
        ("<time class=updated>2024-05-03</time><time>2023-02-01</time>", "2023-02-01", "2024-05-03"),
        ('<time class="published updated">2024-05-03</time>', "2024-05-03", ""),
    ],
)
def test_a_change_is_not_taken_for_publishing(html, published, modified):
    found = declared_by(html)
    assert (found.published, found.modified) == (published, modified)


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ('<meta name="author" content=" Lu\n Yu ">', "Lu Yu"),
        ('<meta name="author" content="https://a.example/lu"><meta name="dc.creator" content="陆羽">', "陆羽"),
        (json_ld({"author": {"name": "Lu Yu"}}) + '<meta name="author" content="admin">', "Lu Yu"),
        (json_ld({"author": [{"name": "Lu Yu"}, "Sen no Rikyū", {"name": "Lu Yu"}]}), "Lu Yu, Sen no Rikyū"),
        (json_ld({"@graph": [{"author": {"@id": "#1"}}, {"@id": "#1", "name": "Lu Yu"}]}), "Lu Yu"),
        (json_ld({"@type": "Product", "review": {"@type": "Review", "author": "A buyer"}}), ""),
        (json_ld({"author": {"name": {"first": "Lu"}}}, {"author": 7}, {"author": None}, [], 3, "x"), ""),
        (json_ld({"author": {"@id": ["x"]}}), ""),
    ],
)
def test_an_author_is_named(html, author):
    assert declared_by(html).author == author


@pytest.mark.parametrize(
    ("html", "site"),
    [
        (
            '<meta property="og:site_name" content="Tea &amp; Co">' + json_ld({"@type": "WebSite", "name": "x"}),
            "Tea & Co",
        ),
        (
            json_ld({"isPartOf": {"@type": "WebSite", "name": "Tea"}}) + "<meta name=application-name content=App>",
            "Tea",
        ),
        ("<meta name=application-name content=App>", "App"),
        ("<title>Tea</title>", ""),
    ],
)
def test_a_site_is_named(html, site):
    assert declared_by(html).site_name == site


def test_names_are_short():
    long = "x" * 5_000
    found = declared_by(f'<meta name=author content="{long[:1000]}">' + json_ld({"@type": "WebSite", "name": long}))
    assert (len(found.author), len(found.site_name)) == (200, 200)
    assert len(declared_by(json_ld({"author": [f"{number} {long}" for number in range(50)]})).author) == 200


HOSTILE = {
    "prose": "<p>On May 3, 2024 and on 2024-05-03. ",
    "json-ld": json_ld({"datePublished": "x", "author": {"author": {"author": {}}}}),
    "one json-ld": '{"datePublished": "2024-05-03", "author": "x"},',
    "nested json-ld": '{"author":[',
    "times": "<time>",
    "classes": "<td class='date'><b id=1>",
    "open classes": '<p class="dp',
    "open metas": "<meta name=author content=",
    "open scripts": "<script>",
    "comments": "<!--",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_five_megabytes_of_anything_are_read(name):
    body = HOSTILE[name] * (5_000_000 // len(HOSTILE[name]))
    html = f'<script type="application/ld+json">[{body}1]</script>' if "one" in name or "nested" in name else body
    assert declared_by(html) == UNDECLARED


def test_only_the_first_elements_are_looked_at():
    day = "<time>2024-05-03</time>"
    assert declared_by("<!-- -->" * (MOST - 1) + day).published == "2024-05-03"
    assert declared_by("<!-- -->" * MOST + day) == UNDECLARED


def test_a_page_has_what_it_declares():
    page = read_page(b"<title>Tea</title><meta name=author content='Lu Yu'><p>Tea", "https://a.example/", {})
    assert page.declared == UNDECLARED._replace(author="Lu Yu")
