"""What the words between two names say about them: the same thing, or one a kind of the other.

The patterns follow M. Hearst, Automatic acquisition of hyponyms from large text corpora, COLING 1992, and for short and
long forms A. Schwartz and M. Hearst, A simple algorithm for identifying abbreviation definitions in biomedical text,
PSB 2003; with their Chinese counterparts.
"""

import re
from enum import Enum
from functools import lru_cache

from ontology.lexicon.surface_forms import HAN


class NameRelation(Enum):
    """What a text says of the second name, relative to the first."""

    SAME = "same"
    SECOND_NARROWER = "second is narrower"
    FIRST_NARROWER = "first is narrower"


_SAME = re.compile(
    r"^[\s,，(（“\"]*(?:又名|又称为?|又叫做?|也叫做?|也称为?|亦称为?|亦作|俗称|简称为?|全称为?|缩写为?|别名|英文名?为?|"
    r"also known as|also called|also spelled|better known as|known as|aka|a\.k\.a\.|short for|abbreviated(?: as| to)?|"
    r"abbreviation of|abbreviation for|stands for|i\.e\.,?)[\s:：“\"(（]*(?:the|an?)?\s*$",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"^\s*[(（\[【]\s*(?:简称|英文|即|the)?[\s:：“\"]*$", re.IGNORECASE)
_SECOND_NARROWER = re.compile(
    r"^\s*[,，(（:：]?\s*(?:such as|including|especially|e\.g\.,?|for (?:example|instance),?|"
    r"例如|比如|譬如|诸如|包括|如)"
    r"[\s:：]*(?:[^.。;；()（）]{0,40}[,，、]\s*(?:and |or )?|[^.。;；()（）]{0,40}(?: and | or |和))?(?:the|an?)?\s*$",
    re.IGNORECASE,
)
_FIRST_NARROWER = re.compile(
    r"^\s*[,，]?\s*(?:(?:and|or) (?:many |some |any )?other|"
    r"(?:is|are|was) (?:a|an|one of the|the)(?: (?:kind|type|form|sort) of)?(?: [\w-]+){0,3}|"
    r"、?等(?:等)?(?:各种|各类|多种|其他)?|之类的|是(?:一)?[种个款类套](?:[^,，。;；]{0,25}的)?)\s*$",
    re.IGNORECASE,
)
# 即 can also introduce a clause, so the second name must be all that follows
_THAT_IS = re.compile(r"^\s*[,，(（]\s*即(?:是|为)?[\s“\"]*$")
_CLOSED = re.compile(r"^[\s”\"]*(?:[,，.。;；)）\]】]|$)")
_HAN_SIGN = re.compile(f"[{HAN}]")


def said(first: str, between: str, second: str, after: str) -> NameRelation | None:
    """What a text says if `first` stands before `second` in a sentence; `after`: the text behind `second`. None:
    nothing.
    """
    if _SAME.match(between) or (_THAT_IS.match(between) and _CLOSED.match(after)):
        return NameRelation.SAME
    if (
        _BRACKET.match(between)
        and _CLOSED.match(after)
        and (_is_translation(first, second) or is_short_form(first, second))
    ):
        return NameRelation.SAME
    if _SECOND_NARROWER.match(between):
        return NameRelation.SECOND_NARROWER
    return NameRelation.FIRST_NARROWER if _FIRST_NARROWER.match(between) else None


def is_short_form(one: str, other: str) -> bool:
    """Whether one is made of the other's initials (CNN, RDBMS), or of its ends and the number of letters between
    (k8s).
    """
    short, long = sorted((one, other), key=len)
    letters = [sign for sign in short.lower() if sign.isalnum()]
    words = re.findall(r"[^\W_]+", long.lower())
    if len(short) < 2 or " " in short or _HAN_SIGN.search(short) or not words:
        return False
    if len(words) == 1:
        middle = short[1:-1]
        return (
            len(short) > 2
            and middle == str(len(long) - 2)
            and short[0].lower() == words[0][0]
            and letters[-1] == words[0][-1]
        )
    capitals = short[:-1] if short.endswith("s") and short[:-1].isupper() else short
    initials = [word[0] for word in words if word not in ("of", "the", "and", "for", "in", "to", "a")]
    return capitals.isupper() and [sign.lower() for sign in capitals if sign.isalnum()] in (
        initials,
        [word[0] for word in words],
    )


def is_spelling(one: str, other: str) -> bool:
    """Whether both are the same written together, or one lacks the other's last letters: Postgres, PostgreSQL."""
    short, long = sorted((_letters(one), _letters(other)), key=len)
    if _HAN_SIGN.search(long) or len(short) < 5:
        return False
    return short == long or (long.startswith(short) and len(long) - len(short) <= 2 and not long.endswith(("s", "er")))


@lru_cache(maxsize=4096)
def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _is_translation(one: str, other: str) -> bool:
    return bool(_HAN_SIGN.search(one)) != bool(_HAN_SIGN.search(other))
