"""Both forms of the text loops, in C and in Python, give the same."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from semantic import compiled
from semantic.learning import feature_hashing as hashing
from semantic.links import link_reading
from semantic.links.link_reading import LinkMasses
from semantic.page import PARAGRAPH, Link, Page, Position, Span
from semantic.parsing import fingerprint, html_extraction, page_reader, text_pieces
from semantic.terms.term_matching import ConceptCounts, Mention
from semantic.urls import Addresses, is_page_like, words_of

pytestmark = pytest.mark.skipif(compiled.loops is None, reason=f"text_loops.c is not compiled: {compiled.form()}")

TAGS = ["a", "p", "div", "span", "li", "ul", "ol", "td", "tr", "table", "h1", "h2", "h3", "b", "strong", "title"]
TAGS += ["br", "hr", "svg", "script", "option", "select", "x-y", "area", "img", "html", "body", "noscript"]
TAGS += ["frame", "frameset", "iframe", "object", "embed"]
TAGS += ["nav", "footer", "article", "button", "label", "section", "blockquote"]
TAGS += ["ruby", "rt", "rp", "dialog", "canvas", "font"]
BLANKS = [" ", "\n", "\t", "\r\n", "  ", "\xa0", "\u3000", "\u2029", "\x1c", "\u200b", "", "\r", "\n\n", " \f\n\t"]
WORDS = ["tea", "Tea's", "绿茶", "龍", "a_b", "É", "ß", "𠀀", "😀", "ＡＢ", "\udc80", "\x00"]
WORDS += ["İ", "ΑΣ", "THE", "și", "İle", "worden", "wordenx"]
WORDS += ["茶", "茶 茶", "カ", "，", "한", "𠀀\ufe0f"]
WORDS += ["&amp;", "&#x3000;", "<", "1.5"]
ATTRIBUTES = ['href="/a?b=1#c"', "href='#x'", "href=' b '", "href", 'id="main"', "id=''", f'id="{"i" * 50}"', "lang=zh"]
ATTRIBUTES += [
    'class=" two  words "', "class='　'", "title=' a \n b '", "rel='nofollow  NOOPENER x'", "alt=' an image '",
]  # fmt: skip
ATTRIBUTES += ["name=robots content='noindex, max-snippet: 3'", "http-equiv=refresh content='0; url=/next'"]
ATTRIBUTES += [
    "class=sidebar",
    "class='post Comment-list'",
    "id=footer",
    "role=navigation",
    "role=main",
    f"class={'n' * 300}",
]
ATTRIBUTES += ["src=/frame", "data=/object", "xlink:href=/drawn"]
ATTRIBUTES += ["hidden", "hidden=until-found", "style='DISPLAY: none'", "style=visibility:hidden", "open"]
ATTRIBUTES += ["style=visibility:visible", "style='display:none;display:block'", "style=color:red"]
ATTRIBUTES += ["type='application/rss+xml'", "rel='canonical alternate' href=/feed", 'xml:lang="en"']
RARE = [
    "<meta {}>", "<link {}>", "<base {}>", "<area {}>", "<img {}>", "<noscript {}>",
    "<noscript><a {}>a &amp; <b>b</b></a><meta {}><img {}></noscript>", "<svg><a {}>", "<iframe {}></iframe>",
    "</noscript>", "<svg {}/>", "<q/>",
]  # fmt: skip


def made_text(chance: random.Random, most: int = 30) -> str:
    return "".join(chance.choice(BLANKS) + chance.choice(WORDS) for _ in range(chance.randrange(most)))


def made_page(chance: random.Random, pieces: int) -> str:
    def tag() -> str:
        return chance.choice(TAGS) if chance.random() < 0.95 else made_text(chance, 4)

    def attributes() -> str:
        return " ".join(chance.choices(ATTRIBUTES, k=chance.randrange(4)))

    kinds: list[Callable[[], str]] = [
        lambda: f"<{tag()} {attributes()}>",
        lambda: f"<{tag()} {attributes()}>",
        lambda: f"</{tag()}>",
        lambda: chance.choice(RARE).format(*(attributes() for _ in range(3))),
        lambda: made_text(chance, 5),
        lambda: chance.choice(BLANKS),
        lambda: chance.choice(["<!-- x -->", "<![CDATA[x]]>", "<a <b", "&nbsp;", "<!doctype html>"]),
    ]
    return "".join(chance.choice(kinds)() for _ in range(pieces))


FORMS = "compiled", "in_python"


def both(name: str, module: Any, *given: Any) -> list[Any]:
    return [getattr(module, f"{name}_{form}")(*given) for form in FORMS]


def plain(found: Any) -> Any:
    """Something that can be compared, and has the types of what it is made of."""
    if isinstance(found, np.ndarray):
        return found.dtype, found.shape, found.tolist(), found.flags.writeable
    return ([*map(type, found)], [*map(plain, found)]) if type(found) in (list, tuple) else found


def reading(html: str, form: str) -> Any:
    """A page's texts with and without what is hidden, and its links."""
    markup, here = getattr(html_extraction, f"markup_{form}"), "http://here.example/a/b"
    found = markup(html)
    links = getattr(page_reader, f"links_{form}")(found.links, found.text, here, Addresses(here))
    return markup(html, hiding=False), found, plain(found.spans), plain(links)


def numbers(text: str, after: str, form: str) -> Any:
    """Hashed words of a text, of links with it around, and what its fingerprint is made of."""
    third = len(text) // 3
    in_spans = (
        (Span(0, len(text), Position.TITLE),),
        (Span(third, third, Position.H2), Span(third, 2 * third, Position.ANCHOR), Span(third, 9, Position.OTHER)),
        tuple(Span(third + 9 * n, third + 9 * n + 8, position) for n, position in enumerate(Position)),
        (),
    )
    weighed = getattr(hashing, f"weighed_{form}")
    found = [weighed("text", text + after, spans, hashing.POSITION_WEIGHT) for spans in in_spans]
    hashed = [(one.dtype, one.tolist()) for pair in found for one in pair]
    places = [("http://a.example/", text, after, text[::-1]), ("http://b.example/", after, text, after)]
    links = [a_link(url, anchor, before=before, after=after) for url, anchor, before, after in places]
    features = [getattr(fingerprint, f"features_{form}")(whole) for whole in (text, text * 9, text + after * 50)]
    return hashed, rows(links, (), form), features


def a_link(url: str, anchor: str = "", **fields: Any) -> Link:
    plain = Link(url, anchor, "", 0, len(anchor), "", "", "html/body/a", frozenset(), 0)
    return plain._replace(**fields)


def rows(links: list[Link], said: Sequence[LinkMasses], form: str) -> Any:
    page = Page("http://here.example/a", "", "", (), tuple(links))
    addresses = tuple(link_reading.addresses_in_python([link.url for link in links]))
    said = said or [LinkMasses((0.0,) * len(link_reading.MASSES), ())] * len(links)
    made = [getattr(link_reading, f"rows_{form}")(page, addresses, said, texts=texts) for texts in (True, False)]
    return [[plain(column) for column in one] for one in made]


@pytest.fixture(params=range(20))
def chance(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


def test_made_pages_are_read_alike(chance: random.Random) -> None:
    for pieces in (1, 5, 60, 400):
        html = made_page(chance, pieces)
        assert reading(html, "compiled") == reading(html, "in_python")


@pytest.mark.parametrize(
    "html",
    [
        "",
        " ",
        "x",
        "<b>" * 3000 + "x<a href=/y>z" + "</b>" * 3000,
        "<li>" * 2000,
        "<a href=x>" * 12_000,
        "<a href=/x><img alt=' one '><img><img alt=two></a>",
        "<title>one<title>two</title></title><title>three</title>",
        "<svg><title>a</title><p>b</svg>c",
        "<svg><a xlink:href=/x title=t>a</a><a href=/y>b<p>c",
        "<frameset><frame src=a name=m><frame><noframes><a href=b>c</a></noframes></frameset>",
        "x<noscript>y<a href=/a title=t>b &amp;\n <img alt=c></a><iframe src=d></iframe><meta http-equiv=refresh "
        "content=0;url=e><noscript>f</noscript>g<a href=h>i",
        "<iframe src=a>b<a href=c></iframe>d<object data=e id=f><a href=g>h</a></object><embed src=i alt=j>",
        "<noscript>" + "<a href=x>y" * 12_000,
        "<template><template>a</template>b</template>c",
        "<a href=/x title='\udc80'>\udc80 \ud800</a>",
        "<" + "x" * 100 + " id=" + "y" * 100 + "><a href=z>z",
        "<table><td><a href=x>y<table><td>z</table></a>w",
        "<p>绿\r\n 茶<b>绿\n</b> 茶<i>绿\n\u3000茶</i>\n<a href=x>绿</a>\n茶\r\r茶 茶\n\n茶\n한 茶\n\u200b茶",
        "<a href=x hidden>绿 <b>茶</b></a><div style=visibility:hidden>a<a href=y style=visibility:visible>b</a>",
        "<a href=1>\u2029a b\u3000\u3000c</a>\xa0d<p>\xa0e",
    ],
)
def test_odd_pages_are_read_alike(html: str) -> None:
    assert reading(html, "compiled") == reading(html, "in_python")


def test_made_texts_have_the_same_numbers(chance: random.Random) -> None:
    for most in (2, 20, 300):
        texts = made_text(chance, most), made_text(chance, most)
        assert numbers(*texts, "compiled") == numbers(*texts, "in_python")


def test_made_links_have_the_same_words_around_them(chance: random.Random) -> None:
    starts = sorted(chance.choices(range(3000), k=chance.choice([0, 3, 300])))
    mentions = tuple(Mention(at, at + chance.randrange(12), word, Position.OTHER) for word, at in enumerate(starts))
    links = tuple([a_link("u", start=at, end=at + chance.randrange(90)) for at in range(0, 3100, 7)])
    some = [(), (), (), (1,), (2, 3)]
    addresses, titles = (tuple(chance.choices(some, k=len(links))) for _ in range(2))
    found, wanted = both("described", link_reading, ConceptCounts(mentions, 0, 0), links, addresses, titles)
    assert plain(found) == plain(wanted)
    assert [one is link_reading.NO_WORDS for one in found] == [one is link_reading.NO_WORDS for one in wanted]


HOSTS = ["a.example", "a.example:8080", "[::1]", "", "a?b"]
PARTS = ["/", "//", "/a", "/B1-c_d", "/index.html", "/default.ASPX", "/x.php5", "/x.phpx", "/index.htm", "/.do", "/a."]
PARTS += ["/a.zip", "/File:a.JPG", "/wiki/%E8%8C%B6", "/%zz", "/é", "/x.longerending", "/ ", "/\n"]
PARTS += ["?", "?a=1&b22=3&a", "?q", "&&=", "?x.html"]


def test_made_addresses_say_the_same(chance: random.Random) -> None:
    urls = [
        chance.choice(["http://", "https://", "https://", "ftp://", ""])
        + chance.choice(HOSTS[:3] if chance.random() < 0.9 else HOSTS)
        + "".join(chance.choices(PARTS, k=chance.randrange(8)))
        for _ in range(300)
    ]
    found, wanted = both("addresses", link_reading, urls)
    assert plain(found) == plain(wanted)
    starts = tuple(map(hashing.begun, ("address", "ending", "host", "depth", "folder")))
    asked = words_of, link_reading.query_way, is_page_like, link_reading.Address, link_reading.address_of
    anew = compiled.loops.read_addresses(tuple(urls), hashing.word_characters(), starts, {}, *asked)
    assert anew == wanted, "of directories that were not met before"


def test_made_links_have_the_same_columns(chance: random.Random) -> None:
    for count in (0, 1, 60):
        urls = ["http://here.example/a", "https://b.example/x.zip", *[f"http://b.example/{n}/c?d" for n in range(20)]]
        links = [
            a_link(
                chance.choice(urls),
                made_text(chance, 40) if chance.random() < 0.7 else "",
                title=made_text(chance, 3),
                before=made_text(chance),
                after="\u2029" + made_text(chance),
                dom_path="/".join(chance.choices(["a", "li.龍", "", "p#x"], k=chance.randrange(5))),
                order=order,
            )
            for order in range(count)
        ]
        weights = [0.0, 0.1, 1 / 3]
        said = [LinkMasses((*chance.choices(weights, k=5),), chance.choice([(), ("tea",)])) for _ in links]
        assert rows(links, said, "compiled") == rows(links, said, "in_python")


def test_made_texts_have_the_same_pieces(chance: random.Random) -> None:
    said = [*WORDS, *BLANKS, " ", ". ", "。", "? ", "old-tea-7", "/a/b", "7", "08", "12:30", "a81f03c9", "0.0213"]
    said += ["may", "5月", "星期三", "»", "9" * 20, "tea " * 60, PARAGRAPH, PARAGRAPH]
    for _ in range(50):
        text = "".join(chance.choices(said, k=chance.randrange(60)))
        ends = sorted(chance.choices(range(len(text) + 3), k=12))
        spans = tuple(Span(*ends[at : at + 2], chance.choice([Position.ANCHOR, Position.OTHER])) for at in range(11))
        repeated = (tuple(sorted(chance.sample([b"old-tea-7", b"old tea 7", b"/a/b"], 2))), (6, 7, 8))
        given = (chance.choice(said), text, chance.randrange(9), spans, repeated)
        assert text_pieces.pieces_compiled(*given) == text_pieces.pieces_in_python(*given)


def test_pieces_of_what_is_no_text_are_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        compiled.loops.text_pieces("", "tea", -1, (), Position.ANCHOR, (), (), b"", 10)
    with pytest.raises(TypeError):
        compiled.loops.text_pieces("", "tea", 0, (1,), Position.ANCHOR, (), (), b"", 10)
    with pytest.raises((OverflowError, ValueError)):
        compiled.loops.text_pieces("", "tea", 0, (), Position.ANCHOR, (), (-1,), b"", 10)


# every character that Unicode 16 assigns, and each 61st of the other code points, which are all alike
EVERY = "".join(map(chr, [*range(0x33480), *range(0x33480, 0x110000, 61), *range(0xE0000, 0xE0200)]))


@pytest.mark.slow
def test_every_character_has_the_same_numbers() -> None:
    for texts in ((EVERY, ""), (" ".join(EVERY[:0x3000]), "é".join(EVERY[0x3000:0x6000]))):
        assert numbers(*texts, "compiled") == numbers(*texts, "in_python")


def test_what_is_no_text_is_refused() -> None:
    characters = bytes(4)
    for call in (
        lambda: compiled.loops.weighed_numbers("a", ((0, 1, 2),), {2: 1}, bytes(4 * 0x110000), 0),
        lambda: compiled.loops.weighed_numbers("a", ((0, 1, 2),), {3: 1.0}, bytes(4 * 0x110000), 0),
        lambda: compiled.loops.weighed_numbers("a", ((-1, 1, 2),), {2: 1.0}, bytes(4 * 0x110000), 0),
        lambda: compiled.loops.weighed_numbers("a", ((0, "1", 2),), {2: 1.0}, bytes(4 * 0x110000), 0),
        lambda: compiled.loops.weighed_numbers("a", ((0, 1),), {2: 1.0}, bytes(4 * 0x110000), 0),
        lambda: compiled.loops.weighed_numbers("a", ((0, 1, 2),), {2: 1.0}, characters, 0),
        lambda: compiled.loops.weighed_numbers(
            "a", tuple((0, 1, n) for n in range(9)), {n: float(n) for n in range(9)}, bytes(4 * 0x110000), 0
        ),
        lambda: compiled.loops.describe_links(((1, 2),), (a_link("u"),), ((),), ((),), 60, ((), (), ())),
        lambda: compiled.loops.describe_links(((1, "2", 3),), (a_link("u"),), ((),), ((),), 60, ((), (), ())),
        lambda: compiled.loops.describe_links((), (a_link("u", start=5, end=1),), ((),), ((),), 60, ((), (), ())),
        lambda: compiled.loops.describe_links((), (a_link("u"),), (), ((),), 60, ((), (), ())),
        lambda: compiled.loops.describe_links((), (a_link("u"),), ((),), (1,), 60, ((), (), ())),
        lambda: compiled.loops.describe_links((), (a_link("u"),), ((),), ((),), 60, ()),
        lambda: compiled.loops.features(b"a", 1, 1),
        lambda: compiled.loops.read_tokens([], None),
        lambda: compiled.loops.links_of([("h", "", "", 5, 9, "", frozenset(), 0)], "a", "b", str, page_reader.Link, 60),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_what_is_no_link_is_refused() -> None:
    (address,) = link_reading.addresses_in_python(["http://a.example/"])
    link, said, characters = a_link("http://a.example/"), ((0.0,) * 5, ()), bytes(4 * 0x110000)

    def rows(one: Any = link, of: Any = address, words: Any = said, tokens: Any = link_reading.template_tokens) -> Any:
        return compiled.loops.link_rows((one,), (of,), (words,), "", "", True, characters, 0, 0, tokens)

    assert len(rows()) == 12
    for call in (
        lambda: rows(one=link._replace(url=b"a")),
        lambda: rows(one=link._replace(order="")),
        lambda: rows(one=link[:9]),
        lambda: rows(of=address._replace(tokens=b"")),
        lambda: rows(of=address._replace(depth=-1)),
        lambda: rows(of=address._replace(chain=())),
        lambda: rows(words=((0.0,) * 4, ())),
        lambda: rows(words=(("",) * 5, ())),
        lambda: rows(tokens=lambda _: b""),
        lambda: compiled.loops.link_rows((link,), (), (said,), "", "", True, characters, 0, 0, bytes),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_an_address_whose_directory_says_too_much_is_refused() -> None:
    def read(
        url: Any = "http://a.example/x", folders: Any = None, words_of: Any = str, kind: Any = link_reading.Address
    ) -> Any:
        given = (0, 0, 0, 0, 0), folders or {}, words_of, str, bool, kind, str
        return compiled.loops.read_addresses((url,), bytes(4 * 0x110000), *given)

    assert read(url=b"a") == [str(b"a")]  # left to Python
    for call in (
        lambda: read(folders={"a.example": ((), 0, bytes(64))}),
        lambda: read(folders={"a.example": ()}),
        lambda: read(url="http://a.example/%", words_of=len),
        lambda: read(kind=str),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_a_token_without_text_ends_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        type = html_extraction.TEXT
        data = None

    monkeypatch.setattr(html_extraction, "tokens_of", lambda html: [Broken()])
    with pytest.raises(TypeError):
        html_extraction.markup_compiled("")
