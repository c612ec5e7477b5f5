"""What pages say that an ontology lacks: which terms are found, where they are placed, and by what evidence."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.lexicon import build_lexicon
from ontology.proposals.proposal import Kind, Proposal
from ontology.topic import build_topic
from semantic.candidates.own_text import OwnTexts, ReadPage
from semantic.candidates.token_stream import TokenStream
from semantic.parsing.page_reader import pack, read_page, unpack
from semantic.parsing.repeated_blocks import parts_of
from semantic.proposals.naming_patterns import NameRelation, is_short_form, is_spelling, said
from semantic.proposals.placement import Placing
from semantic.proposals.suggestions import suggest, with_assumed
from semantic.proposals.term_contexts import Context, Contexts

MENU = "<ul><li><a href=/>Home</a><li>Subscribe to our newsletter</ul>"
IN_MENU = ("Home", "Subscribe to our newsletter")


def topic(labels: Mapping[str, Sequence[str]], parents: Mapping[str, str]) -> Ontology:
    concepts = {
        name: Concept(name, "class", tuple(map(Label, names)), (parents[name],) if name in parents else (), weight=1.0)
        for name, names in labels.items()
    }
    return Ontology("here.owl", "RDF/XML", "here", concepts, "Root", len(concepts))


DATABASES = topic(
    {"Root": ["databases"], "Database": ["database", "数据库"], "Index": ["index", "索引"], "Robot": ["robot"]},
    {"Database": "Root", "Index": "Root", "Robot": "Root"},
)


def page(url: str, text: str, *, on_topic: bool, good: bool | None = None, listing: bool = False) -> ReadPage:
    body = f"<html><head><title>Page {url}</title></head><body>{MENU}{text}</body></html>"
    read = read_page(body.encode(), url, {"content-type": "text/html; charset=utf-8"})
    own = bytes(read.text[start:end] not in IN_MENU for start, end, _ in parts_of(read))
    return ReadPage(url, pack(read), 0.9 if on_topic else 0.1, on_topic, good, listing, own=own)


def web(on: Sequence[str], off: Sequence[str], times: int = 4) -> list[ReadPage]:
    """Pages of as many hosts: no template is known."""
    found = []
    for number in range(times):
        for kind, texts in (("on", on), ("off", off)):
            for place, text in enumerate(texts):
                url = f"http://{kind}{place}{number}.example/"
                said_there = text.format(n=["red", "green", "blue", "white"][number % 4])
                found.append(page(url, f"<p>{said_there}</p>", on_topic=kind == "on"))
    return found


def proposed(pages: Sequence[ReadPage], ontology: Ontology = DATABASES, waiting: Sequence[str] = ()) -> list[Proposal]:
    about = build_topic(ontology)
    return suggest(ontology, about, build_lexicon(ontology, about), with_assumed(pages), waiting)


def by_term(found: Sequence[Proposal]) -> dict[str, Proposal]:
    return {one.term.lower(): one for one in found}


ENGLISH = web(
    ["The {n} graph database is fast. A query planner reads the index of the database.", "A query planner is {n}."],
    ["The {n} weather is fine in the garden.", "We ate {n} apples in the garden."],
)


def test_terms_of_pages_on_topic_are_proposed() -> None:
    found = by_term(proposed(ENGLISH))
    assert "query planner" in found
    assert "garden" not in found and "database" not in found


def test_a_term_that_ends_with_a_concept_is_narrower() -> None:
    one = by_term(proposed(ENGLISH))["graph database"]
    assert (one.kind, one.concept) == (Kind.NARROWER, "Database")


def test_nothing_is_placed_below_an_individual() -> None:
    made = dict(DATABASES.concepts)
    made["Database"] = replace(made["Database"], kind="individual")
    one = by_term(proposed(ENGLISH, replace(DATABASES, concepts=made)))["graph database"]
    assert (one.kind, one.concept) == (Kind.NARROWER, "Root")


def test_evidence_counts_pages_and_has_their_sentences() -> None:
    evidence = by_term(proposed(ENGLISH))["query planner"].evidence
    assert (evidence.on_topic, evidence.off_topic) == (8, 0)
    assert dict(evidence.beside)["Database"] == 4
    assert len({sentence.url for sentence in evidence.sentences}) == 3
    assert all("query planner" in sentence.text for sentence in evidence.sentences)


def test_an_article_and_its_excerpts_are_one_text() -> None:
    article = "The robot has an enormous gearbox, which the index of a database tells. The {n} one is slow."
    listing = "The {n} news. The robot has an enormous gearbox, which the index of a data..."
    one_host = [
        page(f"http://robots.example/{number}", f"<p>{text.format(n=number)}</p>", on_topic=True)
        for number, text in enumerate([article, listing, listing])
    ]
    assert "gearbox" not in " ".join(by_term(proposed([*ENGLISH, *one_host])))
    apart = page("http://robots.example/9", "<p>Oil is in every gearbox that a robot turns slowly.</p>", on_topic=True)
    assert "gearbox" in " ".join(by_term(proposed([*ENGLISH, *one_host, apart])))


def test_a_place_without_clear_evidence_stays_open() -> None:
    one = by_term(proposed(ENGLISH))["query planner"]
    assert (one.kind, one.concept) == (Kind.RELATED, None)


def test_words_of_menus_are_not_proposed() -> None:
    assert not [one.term for one in proposed(ENGLISH) if "newsletter" in one.term or "Home" in one.term]


def test_a_quoted_pair_of_languages_is_one_concept() -> None:
    chinese = web(
        ["{n} 语言：数据库（data bank）存放数据，复合主键很重要。", "复合主键与索引，{n} 说明。数据库（data bank）。"],
        ["{n} 天气很好，我们去公园。", "{n} 苹果很甜。"],
    )
    found = by_term(proposed(chinese))
    assert (found["data bank"].kind, found["data bank"].concept) == (Kind.SYNONYM, "Database")
    assert found["复合主键"].language == "zh"


def test_the_experts_mark_counts_before_the_verdict() -> None:
    pages = [page(one.url, "<p>The sundial is old.</p>", on_topic=False, good=True) for one in ENGLISH[:3]]
    assert "sundial" in by_term(proposed([*ENGLISH[3:], *pages]))


ROBOT = ("The robot reads a database.",)
COLOURS = ["red", "green", "blue", "white", "pink", "black"]


def compared(kind: Kind, on: Iterable[str], off: Iterable[str], ontology: Ontology = DATABASES) -> list[Proposal]:
    """Proposals of this kind from pages of one sentence each."""
    pages = [page(f"http://s{n}.example/", f"<p>{text}</p>", on_topic=True) for n, text in enumerate(on)]
    pages += [page(f"http://r{n}.example/", f"<p>{text}</p>", on_topic=False) for n, text in enumerate(off)]
    return [one for one in proposed([*ENGLISH[: 99 * (kind is Kind.MISLEADING)], *pages], ontology) if one.kind is kind]


def test_a_phrase_around_a_word_that_misleads_is_proposed() -> None:
    (one,) = compared(
        Kind.MISLEADING, ROBOT, [f"A {COLOURS[n % 5]} robot vacuum costs {n} and more." for n in range(20)]
    )
    assert (one.term, one.concept, one.evidence.on_topic, one.evidence.off_topic) == ("robot vacuum", "Robot", 0, 20)
    assert one.evidence.gain == 20 and all("robot vacuum" in each.text for each in one.evidence.sentences)


def test_a_phrase_with_words_of_grammar_is_not_proposed() -> None:
    off = [f"Buy the robot vacuum, {'abcdefghij'[n % 10] * 3} it." for n in range(20)]
    found = compared(Kind.MISLEADING, ROBOT, off)
    assert found and not any(" the " in one.term for one in found)


def test_chinese_phrases_around_a_word_are_proposed() -> None:
    made = topic({"Root": ["数据库"], "Apple": ["苹果"]}, {"Apple": "Root"})
    found = compared(Kind.MISLEADING, ["数据库与索引。"] * 20, [f"新的苹果手机在{n}月发布。" for n in range(30)], made)
    assert found and all("苹果" in one.term and one.term != "苹果" for one in found)


def test_a_name_is_not_proposed_as_misleading() -> None:
    spread = [f"{one}. Robot. {other}." for one in COLOURS for other in COLOURS][:30]
    assert not compared(Kind.MISLEADING, ROBOT, spread)


def test_a_phrase_that_names_another_concept_is_not_proposed() -> None:
    old = Concept("Old", "class", (Label("robot vacuum"),), (), deprecated=True)
    made = replace(DATABASES, concepts={**DATABASES.concepts, "Old": old})
    found = compared(Kind.MISLEADING, ROBOT, [f"A robot vacuum costs {n}." for n in range(20)], made)
    assert "robot vacuum" not in [one.term for one in found]


def test_a_lower_weight_that_was_accepted_is_not_lowered_again() -> None:
    labels = {"Root": ["databases"], "Index": ["index"], "Fast": ["fast"], "New": ["new"]}
    made = topic(labels, dict.fromkeys(["Index", "Fast", "New"], "Root"))
    on, off = ([f"A new fast {what}, number {n}." for n in range(10)] for what in ("index", "car"))
    assert not compared(Kind.WEIGHT, on[:4], off[:5], made)
    first = {one.concept or "": one for one in compared(Kind.WEIGHT, on, off, made)}
    assert first.keys() == {"Fast", "New"}
    assert (first["Fast"].evidence.on_topic, first["Fast"].evidence.off_topic) == (10, 10)
    assert all(one.value is not None and 0 < one.value < 1 for one in first.values())
    for iri, one in first.items():
        made = replace(made, concepts={**made.concepts, iri: replace(made.concepts[iri], weight=one.value)})
    assert not compared(Kind.WEIGHT, on, off, made)


def test_waiting_links_that_say_a_term_are_its_gain() -> None:
    link = '<p>The query planner of a database. <a href="/next">about the query planner</a></p>'
    pages = [*ENGLISH, page("http://z.example/", link, on_topic=True)]
    before, after = (by_term(proposed(pages, waiting=urls)) for urls in ([], ["http://z.example/next"]))
    gain = after["query planner"].evidence.gain
    assert gain == before["query planner"].evidence.gain + 1


def test_the_most_relevant_pages_stand_in_for_pages_on_topic() -> None:
    filler = [page(f"http://f{n}.example/", f"<p>The garden number {n}.</p>", on_topic=False) for n in range(70)]
    near = [page(f"http://n{n}.example/", f"<p>A sundial, number {n}.</p>", on_topic=False) for n in range(9)]
    near = [replace(one, relevance=0.3) for one in near]
    refused, listing = replace(near[0], good=False), replace(near[1], is_listing=True)
    pages = [*filler, refused, listing, *near[2:]]
    assumed = {one.url for one in with_assumed(pages) if one.is_assumed}
    assert assumed >= {one.url for one in near[2:]}
    assert not {refused.url, listing.url} & assumed
    assert with_assumed([*ENGLISH, *filler]) == [*ENGLISH, *filler]
    assert "sundial" in by_term(proposed(pages))


def test_all_pages_near_the_best_stand_in() -> None:
    """Of 100 pages a tenth stands in, and more if they are about as relevant as these."""

    def assumed(relevances: Sequence[float]) -> int:
        pages = [
            replace(page(f"http://n{n}.example/", "", on_topic=r >= 0.5), relevance=r) for n, r in enumerate(relevances)
        ]
        return sum(one.is_assumed for one in with_assumed(pages))

    assert assumed([0.4] * 10 + [0.29] * 30 + [0.1] * 60) == 40  # 0.28 is near 0.4
    assert assumed([0.4] * 10 + [0.27] * 30 + [0.1] * 60) == 10
    assert assumed([0.4] * 2 + [0.2] * 30 + [0.1] * 68) == 32  # the middle of the best ten is 0.2
    assert assumed([0.4] * 2 + [0.0] * 98) == 2
    assert assumed([0.4] * 60 + [0.1] * 40) == 50  # half of them, so that there are others to compare with
    assert assumed([0.6] * 15 + [0.45] * 20 + [0.1] * 65) == 20  # 15 are on topic: a tenth, but fewer than 40


def test_terms_said_mostly_off_topic_come_later() -> None:
    """Word k is said by k + 8 of 40 pages on topic, and by `off` of 400 others."""
    words = ["anvil", "ferrule", "gimlet", "hammer", "ingot", "jigsaw", "kiln", "lathe"]
    off = [0, 4, 11, 18, 25, 1, 8, 18]
    pages = []
    for number in range(440):
        on_topic = number < 40
        said = [word for k, word in enumerate(words) if (number < k + 8 if on_topic else number - 40 < off[k])]
        text = f"<p>The database. {'. '.join(said)}.</p>" if on_topic else f"<p>{'. '.join(said)}.</p>"
        pages.append(page(f"http://p{number}.example/", text, on_topic=on_topic))
    found = [one.evidence for one in proposed(pages) if one.term in words]
    is_mostly_on = [one.on_topic >= one.off_topic for one in found]
    assert is_mostly_on == sorted(is_mostly_on, reverse=True)
    assert set(is_mostly_on) == {True, False}


def test_a_term_that_stands_beside_a_concept_is_related() -> None:
    """Even where all its pages mention a concept that many more mention."""
    context = Context(on=4, pages=Counter(Database=4), near=Counter(Database=4))
    contexts = Contexts({"query planner": context}, {"Database": 40})
    placing = Placing(DATABASES, ["Root", "Database"], "Root")
    place = placing.place("query planner", ["query", "planner"], "query planner", contexts, 100)
    assert (place.kind, place.concept) == (Kind.RELATED, "Database")


def test_nothing_is_proposed_without_pages() -> None:
    assert proposed([]) == []


def test_texts_are_what_pages_say_themselves() -> None:
    others = "<pre>for (int i = 0; i < n; i++) { sum += a[i] * b[i]; }</pre><p><a href='/x'>link</a></p>"
    read = page("http://b.example/", f"<p>Repeated.</p><p>Its own.</p>{others}", on_topic=True)
    told = unpack(read.content, read.url)
    own = bytes(told.text[start:end] != "Repeated." for start, end, _ in parts_of(told))
    blocks = OwnTexts([replace(read, own=own)]).blocks(0)
    assert "Its own." in blocks and {"Repeated.", "link"}.isdisjoint(blocks) and "sum" not in " ".join(blocks)


@pytest.mark.parametrize(
    ("first", "between", "second", "after", "told"),
    [
        ("MySQL", ", also known as ", "my server", ".", NameRelation.SAME),
        ("卷积神经网络", "（", "CNN", "）", NameRelation.SAME),
        ("数据库", "（", "索引", "）", None),
        ("计算机", "，又称", "电脑", "。", NameRelation.SAME),
        ("databases", " such as ", "Redis", ".", NameRelation.SECOND_NARROWER),
        ("Redis", " is a fast ", "database", ".", NameRelation.FIRST_NARROWER),
        ("Redis", " 是一种", "数据库", "。", NameRelation.FIRST_NARROWER),
        ("Redis", " and other ", "databases", ".", NameRelation.FIRST_NARROWER),
        ("Redis", " writes to the ", "database", ".", None),
    ],
)
def test_texts_say_what_is_what(first: str, between: str, second: str, after: str, told: NameRelation | None) -> None:
    assert said(first, between, second, after) is told


def test_short_forms_and_spellings() -> None:
    assert is_short_form("CNN", "convolutional neural network") and is_short_form("k8s", "kubernetes")
    assert not is_short_form("CNN", "recurrent neural network") and not is_short_form("so", "some other")
    assert is_spelling("smartcard", "smart card") and not is_spelling("server", "service")


def test_a_stream_keeps_what_holds_a_word_together() -> None:
    stream = TokenStream()
    words = [stream.words[number] for number in stream.read(["C++, node.js; key-value 数据库"])]
    assert words == ["", "c++", "", "node.js", "", "key", "value", "数据库", ""]


def test_plurals_are_their_singulars_where_both_are_said() -> None:
    stream = TokenStream()
    rows = stream.read(["databases database redis"])
    singular = stream.singular([1] * len(stream.words))
    assert [stream.words[number] for number in singular[rows]] == ["", "database", "database", "redis", ""]


def test_evidence_with_equal_counts_is_in_the_order_of_concepts() -> None:
    context = Context()
    context.pages.update({"b": 2, "a": 2, "c": 3})
    assert context.beside(2) == (("c", 3), ("a", 2))


def test_of_two_statements_made_equally_often_the_other_name_counts():
    context = Context(on=4)
    for statement in reversed(NameRelation):
        context.said["Database", statement] = 2
    place = Placing(DATABASES, ["Root", "Database"], "Root").place(
        "data store", ["data", "store"], "data store", Contexts({"data store": context}, {}), 4
    )
    assert (place.kind, place.concept) == (Kind.SYNONYM, "Database")
