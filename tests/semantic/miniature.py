"""A topic, a lexicon and pages small enough to sum by hand.

Features: fighter (weight 1) with the synonym "fighter jet" and the hyponym F-22; missile (weight 0.5). "catalogue"
marks predecessor layer 1, "portal" layer 2.
"""

from collections.abc import Sequence

from pytest import approx

from ontology.lexicon.lexicon import Lexicon, Sense, Word
from ontology.topic import Topic
from semantic.analyst import Analyst, concepts_of
from semantic.links.link_scorer import JudgedPage, LinkScorer
from semantic.page import PARAGRAPH, Link, Page, Position, Span
from semantic.terms.term_matching import Matcher, build_word_table

FIGHTER, MISSILE = "http://example.org/mini#Fighter", "http://example.org/mini#Missile"
F22, CATALOGUE, PORTAL = (f"http://example.org/mini#{name}" for name in ("F-22", "Catalogue", "Portal"))
TOPIC = Topic(None, "miniature", {FIGHTER: 1.0, MISSILE: 0.5}, {CATALOGUE: 1, PORTAL: 2})
LEXICON = Lexicon(
    words=(
        Word("fighter", "en", (Sense(FIGHTER, 0, ((FIGHTER, 0),)),)),
        Word("fighter jet", "en", (Sense(FIGHTER, 0, ((FIGHTER, 0),)),)),
        Word("F-22", "en", (Sense(F22, 1, ((FIGHTER, 1),)),)),
        Word("missile", "en", (Sense(MISSILE, 0, ((MISSILE, 0),)),)),
        Word("导弹", "zh", (Sense(MISSILE, 0, ((MISSILE, 0),)),)),
        Word("catalogue", "en", (Sense(CATALOGUE, layer=1),)),
        Word("portal", "en", (Sense(PORTAL, layer=2),)),
    ),
    forms={
        "fighter": (0,), "fighter jet": (1,), "F-22": (2,), "missile": (3,), "导弹": (4,),
        "catalogue": (5,), "portal": (6,),
    },
)  # fmt: skip
ANALYST = Analyst(Matcher(LEXICON), build_word_table(LEXICON, TOPIC), concepts_of(LEXICON), frozenset())


def page(*parts: tuple[Position, str], url: str = "http://example.org/", language: str | None = None) -> Page:
    """A page of blocks; each ANCHOR block is also a link to /0, /1, ... in order."""
    text, spans, starts = "", [], []
    for position, words in parts:
        if text:
            text += PARAGRAPH
        spans.append(Span(len(text), len(text) + len(words), position))
        if position is Position.ANCHOR:
            starts.append((len(text), words))
        text += words
    links = tuple(_link(text, start, words, order) for order, (start, words) in enumerate(starts))
    return Page(url, "", text, tuple(spans), links, language)


def _link(text: str, start: int, words: str, order: int) -> Link:
    end = start + len(words)
    return Link(
        f"http://example.org/{order}", words, "", start, end, text[max(0, start - 60) : start], text[end : end + 60],
        "html/body/a", frozenset(), order,
    )  # fmt: skip


def shares(reasons: Sequence) -> float:
    """What the reasons add up to."""
    return sum(reason.share for reason in reasons)


def scores(scorer: LinkScorer, target: JudgedPage) -> list[float]:
    """Of a page's links; what their reasons add up to."""
    found = [(shares(priority.reasons), priority.score) for priority in scorer.prioritise(target)]
    assert all(total == approx(score) for total, score in found), found
    return [score for _, score in found]
