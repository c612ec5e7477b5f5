"""Sitemaps: addresses of a site, and those of them that are worth queueing."""

import gzip

import pytest
from miniature import LEXICON, TOPIC

from semantic.page import SITEMAP, SITEMAP_INDEX, Page
from semantic.parsing.document_types import is_readable
from semantic.parsing.page_reader import read_page
from semantic.parsing.sitemaps import MEMBERS, MOST_BYTES, MOST_READ, unzipped
from semantic.reasons import PageError
from semantic.terms import sitemap_choice
from semantic.terms.sitemap_choice import ENTRIES, SITEMAPS, promising
from semantic.terms.term_matching import Matcher, build_word_table

URL = "http://a.example/sitemap.xml"
HEAD = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
WORDS = Matcher(LEXICON), build_word_table(LEXICON, TOPIC)


def read(body: str | bytes, kind: str = "application/xml") -> Page:
    return read_page(body.encode() if isinstance(body, str) else body, URL, {"content-type": kind})


def sitemap(*addresses: str) -> str:
    entries = "".join(f"<url><loc>\n{a}</loc><image:loc>/no</image:loc></url>" for a in addresses)
    return f"{HEAD}{entries}</urlset>"


def urls(page: Page) -> list[str]:
    return [link.url.removeprefix("http://a.example/") for link in page.links]


def test_what_it_names_are_links_without_text_each_once() -> None:
    body = sitemap("http://a.example/x?a=1&amp;b=2", "/y", "<![CDATA[http://b.example/z]]>", "/y", "mailto:a@b")
    for page in (read(body), read(gzip.compress(body.encode()), "application/octet-stream"), read(body, "text/html")):
        assert (page.source, page.text) == (SITEMAP, "")
        assert urls(page) == ["x?a=1&b=2", "y", "http://b.example/z"]


ENTRY = "<url><loc>/x</loc></url><url><loc>/y</loc></url>"
PICTURE = "<image:image><image:loc>/no</image:loc></image:image>"
WRITTEN = {
    "without a namespace": f"<urlset>{ENTRY}</urlset>",
    "with prefixes": f"<s:urlset>{ENTRY}</s:urlset>".replace("<url", "<s:url").replace("loc>", "s:loc>"),
    "with a prefix inside": f"<urlset>{ENTRY}</urlset>".replace("<url>", "<s:url>").replace("loc>", "s:loc>"),
    "in capitals": sitemap("/x", "/y").replace("url>", "URL>").replace("loc>", "LOC>").replace("urlset", "URLSET"),
    "with pictures": sitemap("/x", "/y").replace("<url>", f"<url>{PICTURE}").replace("</url>", f"{PICTURE}</url>"),
    "with pictures without a prefix": sitemap("/x", "/y").replace("</url>", "<image><loc>/no</loc></image></url>"),
    "with line breaks": sitemap("  /x\n  ", "\n/\n   y\t"),
    "in CDATA": sitemap("<![CDATA[\n /x ]]>", "<![CDATA[/y]]>"),
    "in other languages": sitemap("/x").replace("</url>", '<xhtml:link rel="alternate" href="/y"/></url>'),
    "with bad entries": f"<urlset><url><loc>http://[</loc></url><url><loc/></url><url><loc></url>{ENTRY}</urlset>",
    "after blanks": "\ufeff\n " + sitemap("/x", "/y"),
    "after a comment": f"<!-- by <a>b</a> --><urlset>{ENTRY}</urlset>",
    "as lines": "\ufeffhttp://a.example/x\r\n\r\nhttps://a.example/z\r\nhttp://a.example/y",
}


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("kind", ["application/xml", "text/html", "application/octet-stream", "text/plain", ""])
def test_sitemaps_are_read_as_they_are_written(body: str, kind: str) -> None:
    for sent in (body.encode(), gzip.compress(body.encode())):
        page = read(sent, kind)
        assert page.source == SITEMAP
        assert [url for url in urls(page) if url != "https://a.example/z"] == ["x", "y"]


def test_an_ampersand_that_stands_alone_is_one() -> None:
    assert urls(read(sitemap("/?a=1&b=2&copy=3&amp;d=4"))) == ["?a=1&b=2&copy=3&d=4"]


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-16-be", "gbk"])
def test_the_charset_that_is_declared_counts(charset: str) -> None:
    text = sitemap("/绿茶").replace('"1.0"', f'"1.0" encoding="{charset[:6]}"')
    assert urls(read(text.encode(charset))) == ["%E7%BB%BF%E8%8C%B6"]


def test_a_text_that_is_no_list_is_no_page() -> None:
    for text in ("http://a.example/x\nand so on\nhttp://a.example/y", "hello", ""):
        with pytest.raises(PageError, match="not HTML"):
            read(text, "text/plain")


SENT = {
    ("/s.xml", "application/octet-stream"): True,
    ("/feed", "application/octet-stream"): True,
    ("/sitemap", "text/plain"): True,
    ("/urls.txt", "text/plain; charset=utf-8"): True,
    ("/feed.json", "application/json"): True,
    ("/x", "application/feed+json"): True,
    ("/wp-json/x", "application/json"): False,
    ("/manual", "text/plain"): False,
    ("/a.exe", "application/octet-stream"): False,
}


@pytest.mark.parametrize("sent", SENT)
def test_lists_of_links_are_read_under_false_types(sent: tuple[str, str]) -> None:
    assert is_readable({"content-type": sent[1]}, f"http://a.example{sent[0]}") is SENT[sent]


def test_an_index_names_sitemaps() -> None:
    index = "<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>/s2.xml.gz</loc></sitemap></sitemapindex>"
    assert (read(index).source, urls(read(index))) == (SITEMAP_INDEX, ["s1.xml", "s2.xml.gz"])


def test_as_many_as_the_standard_allows_and_no_more() -> None:
    body = sitemap(*(f"/{n}" for n in range(MOST_READ + 10)))
    assert urls(read(gzip.compress(body.encode(), 1))) == [str(n) for n in range(MOST_READ)]


@pytest.mark.parametrize(
    "body",
    [
        sitemap("/x", "/y") + "<url><loc>/cut",
        sitemap("/x", "/y").replace("</urlset>", "&nbsp; & <b></url>"),
        sitemap("/x", "/y").replace("<urlset", '<!DOCTYPE u [<!ENTITY a "/z"><!ENTITY b "&a;&a;">]><urlset', 1),
    ],
)
def test_broken_ones_are_read_as_far_as_they_go(body: str) -> None:
    assert urls(read(body)) == ["x", "y"]


def test_a_gzip_bomb_is_cut_and_what_is_none_told() -> None:
    bomb = gzip.compress(sitemap("/x").encode() + b" " * (3 * MOST_BYTES), 1)
    with pytest.raises(PageError, match="no gzip file"):
        read(b"\x1f\x8b" + b"none")
    with pytest.raises(PageError, match="not HTML"):
        read(gzip.compress(b"a tar file"), "application/gzip")
    assert urls(read(bomb)) == ["x"]


@pytest.mark.parametrize("behind", [b"", bytes(600), b"no gzip", b"\x1f\x8b\xff"])
def test_a_gzip_file_of_several_members_is_read_whole(behind: bytes) -> None:
    assert unzipped(gzip.compress(b"<urlset>") + gzip.compress(b"<url>") + behind) == b"<urlset><url>"
    assert len(unzipped(gzip.compress(bytes(MOST_BYTES - 1)) * 3)) == MOST_BYTES


def test_of_very_many_gzip_members_only_the_first_are_opened() -> None:
    assert unzipped(gzip.compress(b"a") * 250_000) == b"a" * MEMBERS


def test_of_many_entries_those_weightiest_for_the_topic_stay() -> None:
    """Words of predecessor layers are such words, too."""
    page = promising(read(sitemap("/a", "/fighter-jet.html", "/b/2", "/%E5%AF%BC%E5%BC%B9", "/catalogue/7")), *WORDS)
    assert urls(page) == ["fighter-jet.html", "%E5%AF%BC%E5%BC%B9", "catalogue/7"]
    assert [link.order for link in page.links] == [0, 1, 2]
    many = promising(read(sitemap("/f", *(f"/missile/{n}" for n in range(2 * ENTRIES)), "/fighter")), *WORDS)
    assert urls(many) == [*(f"missile/{n}" for n in range(ENTRIES - 1)), "fighter"]


def test_what_is_beyond_so_many_mentions_is_not_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a sitemap of nothing but the topic's words would hold up the crawl for ten seconds and more."""
    page = read(sitemap(*(f"/missile/{n}" for n in range(ENTRIES)), *(f"/missile/missile/{n}" for n in range(ENTRIES))))
    assert urls(promising(page, *WORDS))[0] == "missile/missile/0"
    monkeypatch.setattr(sitemap_choice, "MENTIONS", 100)
    assert urls(promising(page, *WORDS))[-1] == f"missile/{ENTRIES - 1}"


def test_of_an_index_a_few_are_kept() -> None:
    entries = "".join(f"<sitemap><loc>/s{n}.xml</loc></sitemap>" for n in range(99))
    index = promising(read(f"<sitemapindex>{entries}<sitemap><loc>/missile.xml</loc></sitemap></sitemapindex>"), *WORDS)
    assert urls(index) == [*(f"s{n}.xml" for n in range(SITEMAPS - 1)), "missile.xml"]
