"""Extracts words: several from one label, and those inside an IRI without a label."""

import re
from urllib.parse import unquote

from ontology.syntaxes.annotation_properties import local_name

_HAN = r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_NOT_IN_BRACKETS = r"(?![^(（\[【]*[)）\]】])"
_BETWEEN_WORDS = re.compile(rf"[;；、]{_NOT_IN_BRACKETS}|(?<={_HAN})[/／](?={_HAN}){_NOT_IN_BRACKETS}")
_BETWEEN_HAN = re.compile(rf"(?<={_HAN}) (?={_HAN})")  # texts have no blank there
_LONGEST_LIST = 2000
"""Characters of a label that is split. Longer ones are prose, and the search for brackets takes quadratic time."""
_LOST = re.compile(r"[?？\ufffd\s]*[?？\ufffd][?？\ufffd\s]*")
_HUMP = re.compile(r"(?<=[a-z0-9][a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|[_\s]+")
_CODES = tuple(
    re.compile(pattern)
    for pattern in (
        r"[\W\d_]*",  # no letter at all
        r"[A-Za-z][_.:-]?\d+",  # Q42, c_1234
        r"[A-Za-z]+[_.:-]?[A-Z]?(0\d{3,}|\d{5,})[a-z]?",  # ont00000123, OEO_00000350, NCBITaxon_10090
        r"[A-Z]+[_.:-][A-Z]?\d{3,}[a-z]?",  # NCIT_C2852
        r"(?=.*\d)[0-9a-fA-F-]{8,}",  # hashes, UUIDs
        r"(genid|node|blank)[-_]?\w*\d\w*",
        r"(?=.*\d)R[A-Za-z0-9]{20,24}",  # WebProtégé
        r"[A-Za-z]?\d+[a-z]+\d+[A-Za-z0-9]*",  # R5a7c
    )
)


def split_label(text: str) -> list[str]:
    """The words of one label: `角冲量;冲量矩` contains two, `TCP/IP` one. White space is normalised."""
    parts = _BETWEEN_WORDS.split(text) if len(text) <= _LONGEST_LIST else [text]
    words = (" ".join(word.split()) for word in parts)
    return [word for word in words if word]


def lost_its_encoding(text: str) -> bool:
    """Whether only question marks are left of the label."""
    return _LOST.fullmatch(text) is not None


def fragment_words(iri: str) -> list[str]:
    """The names inside an IRI, best first: none for a code, two for two capitalised parts or Chinese parts.

    `#AmericanHotPizza` gives `American Hot Pizza`. `#JavaScript` gives `Java Script` and `JavaScript`, because names of
    two capitalised parts are often written as one word.
    """
    fragment = unquote(local_name(iri))
    if any(code.fullmatch(fragment) for code in _CODES):
        return []
    parts = [part for part in _HUMP.split(fragment) if part]
    words = [" ".join(parts)]
    if _BETWEEN_HAN.search(words[0]):
        words.append(_BETWEEN_HAN.sub("", words[0]))
    if len(parts) == 2 and "".join(parts) == fragment and parts[0][0].isupper():
        words.append(fragment)
    return words
