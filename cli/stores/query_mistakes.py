"""Where a query that the store refused is wrong: a bracket or a quote without its other half, a misspelt word.

A parser names the place where it could not go on, which for a missing bracket is far behind the mistake.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches

from cli.render.language import tr
from cli.render.terminal import one_line, width
from graphdb.cypher.vocabulary import LITERAL, known_properties, variables_in

CLOSING = {"(": ")", "[": "]", "{": "}"}
AROUND = 40  # characters of the query shown on either side of the mistake; chosen, not measured
# of openCypher 9, those with which a question is asked
WORDS = re.findall(
    r"\w+",
    "ALL AND AS ASC ASCENDING BY CALL CASE CONTAINS DESC DESCENDING DISTINCT ELSE END ENDS EXISTS FALSE IN IS LIMIT "
    "MATCH NOT NULL OPTIONAL OR ORDER RETURN SKIP STARTS THEN TRUE UNION UNWIND WHEN WHERE WITH XOR YIELD",
)
# what a Chinese keyboard types for the signs of Cypher
WIDE = dict(zip("（）：，；［］｛｝＝＜＞－。“”‘’「」", "():,;[]{}=<>-.''''''", strict=True))
_WIDE = re.compile(f"[{''.join(WIDE)}]")
_VALUE = re.compile(  # a word with which something is compared
    r"(?:[=<>]|\bCONTAINS\b|\b(?:STARTS|ENDS)\s+WITH\b)\s*([^\W\d]\w*)(?![\w.(:\[])", re.IGNORECASE
)
_NAMED = re.compile(r"\bAS\s+(\w+)|\b(\w+)\s+IN\b|\(\s*(\w+)", re.IGNORECASE)
_INPUT = re.compile(r"input '([^']+)'")  # as both servers quote what they did not expect
_VARIABLE = re.compile(r"[Vv]ariable [`'](\w+)[`'] not defined")


def mistake(cypher: str, why: str) -> tuple[str, str] | None:
    """What is wrong, with its place, and the next step; None if that is not known. `why`: what the server said."""
    for place, what, cure in (*_wide(cypher), *_quotes(cypher), *_brackets(cypher)):
        return tr("the query cannot be read: {what}", what=what) + _shown(cypher, place), cure
    unexpected, unknown = _INPUT.search(why), _VARIABLE.search(why)
    if unexpected:
        return _unexpected(cypher, unexpected[1])
    if unknown:
        return tr("the query does not say what {name} is", name=unknown[1]), _cure(cypher, unknown[1])
    return None


def _cure(cypher: str, name: str) -> str:
    """What to do about a name that the query does not explain."""
    if name in unquoted(cypher):
        return tr("write a text in quotes: '{name}'", name=name)
    if name in known_properties():
        variable = next(iter(sorted(variables_in(cypher))), "p")
        return tr("a property has a name and a point before it: {variable}.{name}", variable=variable, name=name)
    return tr("name it in MATCH, as in MATCH ({name}:Page)", name=name)


def unquoted(cypher: str) -> list[str]:
    """Words with which something is compared, and which nothing in the query explains: texts without quotes."""
    text = LITERAL.sub("''", cypher)
    named = {name.lower() for found in _NAMED.findall(text) for name in found if name} | {"true", "false", "null"}
    return [word for word in _VALUE.findall(text) if word.lower() not in named]


def _unexpected(cypher: str, word: str) -> tuple[str, str] | None:
    if word == "<EOF>":
        return tr("the query ends too early") + _shown(cypher, len(cypher)), tr("say after RETURN what is wanted")
    near = [] if word.upper() in WORDS else get_close_matches(word.upper(), WORDS, n=1)
    if not near:
        return None
    what = tr("the query cannot be read: {what}", what=tr("{word} is no word of Cypher", word=word))
    return what + _shown(cypher, cypher.find(word)), tr("did you mean {near}? ", near=near[0]).strip()


def _wide(cypher: str) -> Iterator[tuple[int, str, str]]:
    """The first sign as a Chinese keyboard types it."""
    found = _WIDE.search(_blank(cypher))
    if found:
        what = tr("the {sign} at {place} is a full-width sign", sign=found[0], place=_place(cypher, found.start()))
        yield found.start(), what, tr("write {sign} instead", sign=WIDE[found[0]])


def _quotes(cypher: str) -> Iterator[tuple[int, str, str]]:
    """The first quote without its other half."""
    found = re.search("""['"]""", _blank(cypher))
    if found:
        what = tr("the {sign} at {place} has no other half", sign=found[0], place=_place(cypher, found.start()))
        yield found.start(), what, tr("add the missing {sign}", sign=found[0])


def _brackets(cypher: str) -> Iterator[tuple[int, str, str]]:
    """The first bracket without its other half."""
    opened: list[int] = []
    text = _blank(cypher)
    for place, sign in enumerate(text):
        if sign in CLOSING:
            opened.append(place)
        elif sign in CLOSING.values():
            if not opened:
                what = tr("the {sign} at {place} closes nothing", sign=sign, place=_place(cypher, place))
                yield place, what, tr("remove it, or open the bracket before")
            elif CLOSING[text[opened[-1]]] != sign:
                break
            else:
                opened.pop()
    if opened:
        sign = text[opened[-1]]
        what = tr("the {sign} at {place} is never closed", sign=sign, place=_place(cypher, opened[-1]))
        yield opened[-1], what, tr("add the missing {sign}", sign=CLOSING[sign])


def _blank(cypher: str) -> str:
    """The query with blanks in place of its quoted texts and remarks."""
    return LITERAL.sub(lambda found: " " * len(found[0]), cypher)


def _place(cypher: str, place: int) -> str:
    before = cypher[:place]
    column = place - (before.rfind("\n") + 1) + 1
    if "\n" not in cypher:
        return tr("column {column}", column=column)
    return tr("line {line}, column {column}", line=before.count("\n") + 1, column=column)


def _shown(cypher: str, place: int) -> str:
    """The part of the query around the mistake, which is pointed at; in two lines of their own."""
    if place < 0:
        return ""
    before, after = cypher[:place].rpartition("\n")[2][-AROUND:], cypher[place:].partition("\n")[0][:AROUND]
    return f"\n  {one_line(before + '|')[:-1]}{one_line(after)}\n  {' ' * width(one_line(before + '|')[:-1])}^"
