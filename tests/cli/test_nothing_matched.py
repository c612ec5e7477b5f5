"""Hints for a crawl whose pages lack the words of the ontology: near words, and names in the pages' language."""

import pytest

from cli.crawling.nothing_matched import few_names, near_words
from ontology.lexicon.lexicon import Lexicon, Sense, Word

SENSES = (Sense("http://example.org/tea"),)
ENGLISH = Lexicon((Word("tea", "en-gb", SENSES),), {"tea": (0,)})


@pytest.mark.parametrize(
    ("name", "word", "is_near"),
    [
        ("crun", "cn", False),
        ("LXC", "vlc", False),
        ("java", "lava", False),
        ("docker", "doe", False),
        ("actress", "address", False),
        ("comedy", "come", False),
        ("brewing", "brewer", False),
        ("pottery", "potteries", True),
        ("tea", "teas", True),
        ("container", "containment", True),
        ("绿茶叶", "绿茶业", True),
    ],
)
def test_short_words_are_not_near_by_chance(name, word, is_near):
    lexicon = Lexicon((Word(name, "en", ()),), {})
    assert list(near_words(lexicon, [word])) == ([(name, word)] if is_near else [])


def test_most_pages_in_another_language_are_named_with_the_cure():
    hint = "\n".join(few_names({"zh-cn": 50, "zh": 33, "en": 17}, ENGLISH))
    assert "83% of the pages are in Chinese" in hint and "names in English only" in hint
    assert "ontology suggest --languages" in hint and "rdfs:label with the language zh" in hint


@pytest.mark.parametrize(
    ("pages", "lexicon"),
    [
        ({"zh": 50, "en": 50}, ENGLISH),
        ({"en": 9}, ENGLISH),
        ({"": 9}, ENGLISH),
        ({}, ENGLISH),
        ({"zh": 9}, Lexicon((Word("tea", None, SENSES),), {})),
        ({"zh": 9}, Lexicon((), {})),
    ],
)
def test_no_hint_without_need(pages, lexicon):
    assert few_names(pages, lexicon) == []
