"""Words of pages that are called near to the ontology's names, where no page has one of these."""

import pytest

from cli.crawling.nothing_matched import near_words
from ontology.lexicon.lexicon import Lexicon, Word


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
