"""Paper J's Context by hand: steps are counted in the tree as it is drawn beside each test."""

import random

import pytest

from semantic.page import PARAGRAPH
from semantic.parsing.page_reader import read_page
from semantic.strategies.jlse import link_context
from semantic.strategies.jlse.link_context import contexts

URL = "http://h.example/"


def words(html: str, delta: int) -> list[list[str]]:
    page = read_page(html.encode(), URL, {})
    return [text.replace(PARAGRAPH, " ").split() for text in contexts(page, delta)]


def test_links_of_one_list_have_one_context():
    """a, li, ul, li, a, text: 5 steps from one link to the text of another."""
    page = read_page(b"<ul><li><a href=/a>x</a><li><a href=/b>y</a><li><a href=/c>z</a></ul>", URL, {})
    one, two, three = contexts(page, 5)
    assert one is two is three
    assert one.replace(PARAGRAPH, " ") == "x y z"
    assert contexts(page, 4) == ["x", "y", "z"]


def test_a_link_without_text_has_a_place_of_its_own():
    assert words("<p>one<a href=/a><img alt=x></a></p><p>two</p>", 2) == [["one"]]


def test_a_page_without_a_tree_gives_the_characters_beside():
    page = read_page(b"<p>one <a href=/a>two</a> three", URL, {})
    (link,) = page.links
    bare = type(page)(URL, "", page.text, page.spans, (link._replace(node=-1),))
    assert contexts(bare, 5) == [f"{link.before}two{link.after}"]


def test_what_is_looked_at_is_bounded(monkeypatch):
    monkeypatch.setattr(link_context, "NEAR", 2)
    monkeypatch.setattr(link_context, "LONGEST", 6)
    html = "".join(f"<p><a href=/{word}>{word * 3}</a></p>" for word in "abcde")
    assert words(html, 9) == [["aaa"], ["aaa", "bb"], ["bbb", "cc"], ["ccc", "dd"], ["ddd", "ee"]]


def _naive(node, link, delta):
    """All texts by walking the tree, from the link's element outwards."""
    found, edge, seen = [], [link], {id(link)}
    for _ in range(delta):
        edge = [near for one in edge for near in [*one["in"], one["up"]] if near and id(near) not in seen]
        edge = [one for place, one in enumerate(edge) if all(one is not other for other in edge[:place])]
        seen |= {id(one) for one in edge}
        found += [one["text"] for one in edge if "text" in one]
    return sorted(found)


def _grow(chance, up, depth, names, links):
    parts = []
    for _ in range(chance.randrange(1, 4)):
        kind = chance.choice("tax" if depth < 6 else "t")
        if kind == "t":
            up["in"].append({"in": [], "up": up, "text": (word := f"w{next(names)}")})
            parts.append(f" {word} ")
            continue
        inner = {"in": [], "up": up}
        up["in"].append(inner)
        tag = chance.choice(["div", "section", "span"])
        if kind == "a":
            links.append(inner)
            inner["in"].append({"in": [], "up": inner, "text": (word := f"w{next(names)}")})
            parts.append(f"<a href=/{len(links)}> {word} </a>")
        else:
            parts.append(f"<{tag}>{_grow(chance, inner, depth + 1, names, links)}</{tag}>")
    return "".join(parts)


@pytest.mark.parametrize("seed", range(20))
def test_any_tree_gives_what_walking_it_gives(seed):
    chance, links, top = random.Random(seed), [], {"in": [], "up": None}
    names = iter(range(100_000))
    html = _grow(chance, top, 0, names, links) + _grow(chance, top, 0, names, links)
    for delta in range(7):
        assert [sorted(found) for found in words(html, delta)] == [_naive(top, link, delta) for link in links]
