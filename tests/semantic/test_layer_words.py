"""Which words of links are proposed for the predecessor layers, on webs of a few dozen pages."""

from collections.abc import Mapping, Sequence, Set

from ontology.proposals.proposal import Kind, Proposal
from semantic.candidates.own_text import ReadPage
from semantic.parsing.page_reader import pack, read_page
from semantic.proposals.layer_words import layer_words, results_of

HOST = "http://a.example"
APART = f"<p>{'and the of ' * 4}</p>"  # more than 30 bytes of words that are never proposed


def page(path: str, body: str, *, result: bool = False, listing: bool = False) -> ReadPage:
    html = f"<html><head><title>The</title></head><body>{body}</body></html>"
    read = read_page(html.encode(), HOST + path, {"content-type": "text/html; charset=utf-8"})
    return ReadPage(HOST + path, pack(read), 0.9 if result else 0.1, result, None, listing)


def link(path: str, anchor: str) -> str:
    return f'{APART}<p><a href="{path}">{anchor}</a></p>{APART}'


def web(to_result: str = "continue reading", to_list: str = "monthly archives") -> list[ReadPage]:
    """A start page links to 12 lists and 24 pictures, each list to a result and a car; pages link back to the start."""
    home = link("/", "home")
    start = [link(f"/list/{n}", f"{to_list} {n}") for n in range(12)] + [link(f"/p/{n}", "pictures") for n in range(24)]
    return [
        page("/", "".join(start)),
        *(page(f"/list/{n}", home + link(f"/r/{n}", to_result) + link(f"/c/{n}", "engine")) for n in range(12)),
        *(page(f"/r/{n}", f"{home}<p>tea {n}</p>", result=True) for n in range(12)),
        *(
            page(f"/{kind}/{n}", f"{home}<p>{kind} {n}</p>")
            for kind, count in (("c", 12), ("p", 24))
            for n in range(count)
        ),
    ]


def words(
    pages: Sequence[ReadPage], results: Set[str] = frozenset(), known: Set[str] = frozenset(), most: int = 9
) -> Mapping[Kind, list[str]]:
    found = proposals(pages, results, known, most)
    return {kind: [one.term for one in found if one.kind is kind] for kind in (Kind.LAYER_1, Kind.LAYER_2)}


def proposals(
    pages: Sequence[ReadPage], results: Set[str] = frozenset(), known: Set[str] = frozenset(), most: int = 9
) -> list[Proposal]:
    return layer_words(pages, results or results_of(pages), known, most=most)


def test_words_of_links_towards_results_make_two_layers() -> None:
    assert words(web()) == {Kind.LAYER_1: ["continue", "reading"], Kind.LAYER_2: ["archives", "monthly"]}


def test_chinese_links_give_words_of_the_dictionary() -> None:
    found = words(web("阅读全文", "文章归档"))
    assert found == {Kind.LAYER_1: ["全文", "阅读"], Kind.LAYER_2: ["归档", "文章"]}
    assert {one.language for one in proposals(web("阅读全文", "文章归档"))} == {"zh"}


def test_evidence_counts_pages_and_shows_links() -> None:
    (first, *_) = proposals(web())
    assert (first.term, first.evidence.on_topic, first.evidence.off_topic, first.concept) == ("continue", 12, 0, None)
    assert first.evidence.score > 10.83
    assert [(one.text, one.url) for one in first.evidence.sentences] == [
        ("the of and the of and the of continue reading and the of and the of and", f"{HOST}/list/0")
    ]


def test_a_listing_on_topic_is_no_result() -> None:
    pages = [page("/all", link("/r/0", "x"), result=True, listing=True), *web()]
    assert f"{HOST}/all" not in results_of(pages) and len(results_of(pages)) == 12


def test_results_named_by_address_need_not_be_fetched() -> None:
    pages = [one for one in web() if "/r/" not in one.url]
    assert words(pages)[Kind.LAYER_1] == []
    assert words(pages, {f"{HOST}/r/{n}" for n in range(12)})[Kind.LAYER_1] == ["continue", "reading"]


def test_thirty_bytes_around_an_anchor_are_read() -> None:
    """On either side a blank, two words of 9 letters with their blanks, and 9 letters of a word that is cut there."""
    told = "{} cupboardsandmore elephants shoulders {} armadillo crocodile pineapplesandmore {}"
    pages = [
        page(one.url.removeprefix(HOST), told.format(APART, f'<a href="/r/{number}">here</a>', APART))
        if "/list/" in one.url
        else one
        for number, one in enumerate(web(), -1)
    ]
    assert sorted(words(pages)[Kind.LAYER_1]) == ["armadillo", "crocodile", "elephants", "shoulders"]


def test_a_link_in_every_page_makes_no_predecessor() -> None:
    """Forty galleries link to one result; were they predecessors, `gallery` would be a word of layer 2."""
    galleries = [page(f"/q/{n}", link("/r/0", "our best")) for n in range(40)]
    hub = page("/hub", "".join(link(f"/q/{n}", "gallery") for n in range(40)))
    assert words([*galleries, hub, *web()])[Kind.LAYER_2] == ["archives", "monthly"]


def test_known_words_and_more_than_asked_are_left_out() -> None:
    assert words(web(), known={"continue"}, most=1) == {Kind.LAYER_1: ["reading"], Kind.LAYER_2: ["archives"]}


def test_numbers_and_words_of_few_pages_are_left_out() -> None:
    assert words(web("page2 42 the"))[Kind.LAYER_1] == []
    few = [one for one in web() if one.url not in {f"{HOST}/r/{n}" for n in range(2, 12)}]
    assert words(few)[Kind.LAYER_1] == []
