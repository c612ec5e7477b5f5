"""One spelling for each address; what never changes the answer is dropped, what can change it stays."""

import random

import pytest

from semantic.urls import Addresses, host_of, identity, is_page_like, normalise, readable, words_of

BASE = "http://h.org/dir/page?q=1"
SPELLINGS = [
    ("HTTP://Ex.COM:80/a/../b/%7euser?x=%e4%b8%ad#frag", "http://ex.com/b/~user?x=%E4%B8%AD"),
    ("https://ex.com:443", "https://ex.com/"),
    ("http://ex.com:8080/", "http://ex.com:8080/"),
    ("//other.org/x", "http://other.org/x"),
    ("\\\\other.org\\x", "http://other.org/x"),
    ("ht\ntp://ex.com/\ta", "http://ex.com/a"),
    ("http://中国.cn/路 径", "http://xn--fiqs8s.cn/%E8%B7%AF%20%E5%BE%84"),
    ("http://user:word@ex.com./x", "http://ex.com/x"),
    ("http://user@[::1]:88/x", "http://[::1]:88/x"),
    ("http://ex.com.:81/x", "http://ex.com:81/x"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("next", "http://h.org/dir/next"),
    ("../%2e%2E/next", "http://h.org/next"),
    ("?p=2", "http://h.org/dir/page?p=2"),
    ("", "http://h.org/dir/page?q=1"),
    ("/a//b?z=1&a=2", "http://h.org/a//b?z=1&a=2"),
    ("/a%2Fb%2fc", "http://h.org/a%2Fb%2Fc"),
    ("/a;jsessionid=AB12?x=1", "http://h.org/a?x=1"),
    ("/a/..;jsessionid=AB12/b", "http://h.org/b"),
    ("/a?utm_source=x&id=3&fbclid=q&UTM_medium=y", "http://h.org/a?id=3"),
    ("/a?gclid=1", "http://h.org/a"),
    ("/a?share=email&nb=1", "http://h.org/a"),
    ("/a?p=3&share=facebook", "http://h.org/a?p=3"),
    ("/a?share=half", "http://h.org/a?share=half"),
    ("/a?", "http://h.org/a"),
    ("/a?x=%zz%4", "http://h.org/a?x=%zz%4"),
]
NO_ADDRESSES = [
    "mailto:someone@ex.com", "javascript:void(0)", "ftp://ex.com/", "http://ex.com:99999/", "http://a%2fb/",
    "http://./", "//", "\ud800", "/" + "a" * 2000,
]  # fmt: skip


@pytest.mark.parametrize(("url", "expected"), SPELLINGS)
def test_one_spelling(url: str, expected: str) -> None:
    assert normalise(url, BASE) == expected


@pytest.mark.parametrize("url", [url for _, url in SPELLINGS])
def test_normalising_twice_changes_nothing(url: str) -> None:
    assert normalise(url) == url


@pytest.mark.parametrize("url", NO_ADDRESSES)
def test_what_is_no_web_address_gives_none(url: str) -> None:
    assert normalise(url, BASE) is None


def test_a_relative_address_needs_a_base() -> None:
    assert normalise("next") is None


def test_a_host_has_its_port_only_where_not_standard() -> None:
    assert host_of("http://ex.com/a/b") == "ex.com"
    assert host_of("https://ex.com:8443/") == "ex.com:8443"


@pytest.mark.parametrize(
    "url",
    [
        "http://ex.zip/", "http://ex.com/a.html", "http://ex.com/a.php?file=x.doc",
        "http://ex.com/a.b/paper.pdf", "http://ex.com/a.docx", "http://ex.com/v1.2",
        "http://ex.com/wiki/File:Map.png", "http://ex.com/a.png/",
    ],
)  # fmt: skip
def test_what_may_be_a_page(url: str) -> None:
    assert is_page_like(url)


@pytest.mark.parametrize("name", ["a.PNG", "a.tar.gz", "a.mp3?x=1", "s.css", "s.js", "a.b/s.xml", "a.xlsx"])
def test_what_is_no_page(name: str) -> None:
    assert not is_page_like(f"http://ex.com/{name}")


@pytest.mark.parametrize(
    "url", ["http://ex.com/中/?a=b", "https://EX.com:443/%E4%B8%AD/?a=b#f", "http://ex.com/%E4%B8%AD/?%61=b"]
)
def test_one_identity_whatever_scheme_port_and_coding(url: str) -> None:
    assert identity(url) == "ex.com/中/?a=b"


def test_paths_in_gbk_are_pages_of_their_own() -> None:
    assert identity("http://ex.com/%C4%E3") == identity("http://ex.com/%c4%e3") != identity("http://ex.com/%BA%C3")


def test_identity_folds_index_and_keeps_other_ports() -> None:
    assert identity("http://ex.com/a/index.html") == identity("http://ex.com/a/") == "ex.com/a/"
    assert identity("http://ex.com:8080") == "ex.com:8080/"
    assert identity("http://[bad") == "http://[bad"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("wiki/Data_mining-2020/mp3.html?q=neural+nets", "wiki Data mining 2020 mp3 q neural nets"),
        ("%E6%95%B0%E6%8D%AE/index.php", "数据"),
        ("%CA%FD%BE%DD", "数据"),
        ("", ""),
    ],
)
def test_words_of_an_address(path: str, words: str) -> None:
    assert words_of(f"http://ex.com/{path}") == words


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/%E8%8C%B6/x?q=%E7%BA%A2&r=a%2Fb", "https://a.example/茶/x?q=红&r=a%2Fb"),
        ("http://a.example/%B2%E8", "http://a.example/%B2%E8"),  # GB18030: typed as signs it would be another
        ("a.example/%E8%8C%B6", "a.example/茶"),
        ("http://a.example/%E2%80%AE", "http://a.example/%E2%80%AE"),  # turns the direction of writing around
    ],
)
def test_addresses_for_people_show_signs_and_lead_back(url: str, shown: str) -> None:
    assert readable(url) == shown
    assert normalise(shown) == normalise(url)


BEGINS = ["", "/", "//x.org/", "http://a.com", "https://b.co.uk/", "http://1.2.cc", "http://xn--a.com", "a/", "../"]
BEGINS += ["../../", "../../../a", "/a/%2e", "%E8%8c%b6", "http://a-b.com/c-", "./c?u=http://o.org/", "?q=1", "http:c"]
BEGINS += ["http://a.xn--b", "http://a-.com", "http://-a.com", "http://a.b.c1", "HTTP://a.com/", "mailto:", "a:"]
BEGINS += ["https://o.org", "\\c", "http://", "c/" + "d" * 300, "x:/c", "#part", " #part", "c #part", "../x:c"]
BEGINS += [
    "../../../../c-d.html", "..//c", "/%E4%b8%ad-x", "/a/%2e%2E/b", "/a/%2e/b", "/%7ea?b=%7e", "/c/..",
    "a-b/c-d",
]  # fmt: skip
BEGINS += ["/" + "c/" * 99, "c/x:y", "a-b/c-d"]
BASES = ["https://e.org/q/r/", "http://h.org/", "https://h.org/a/b/page?x=/y/z", "http://h.org:81/a/"]


def test_made_links_resolve_as_the_standard_says():
    chance = random.Random(1)
    for _ in range(20_000):
        length = chance.choice([0, 0, *range(9)])
        made = "".join(chance.choice("ab.A/-_~?=&:;%#@ x19!*()'+,$h茶") for _ in range(length))
        href, base = chance.choice(BEGINS) + made, chance.choice(BASES)
        addresses = Addresses(base)
        assert [addresses.of(href), addresses.of(href)] == [normalise(href, base)] * 2, (base, href)
