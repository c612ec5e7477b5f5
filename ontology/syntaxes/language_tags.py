"""Language tags as people write them (`zh_CN`, a name, a mail domain), made such that a parser takes their file.

Parsers refuse a whole file for one tag, though other programs open it. So a tag is written as BCP 47 has it where that
is plain (`zh_CN` -> `zh-CN`), else taken out, and the text counts as one without a language. Lines stay where they are.
"""

import re
from dataclasses import dataclass

from ontology.messages import message

LONGEST = 35  # characters: the longest tag that BCP 47 asks programs to take (4.4.1)
CURE = message("write a tag such as en, zh or zh-CN, with a hyphen")
_WRITTEN = r"(?:[A-Za-z]{2,8}|[xi](?=-))(?:-[A-Za-z0-9]{1,8})*+"  # RFC 5646, 2.1, without the rules of parts
_TAG = re.compile(_WRITTEN)
_CHARSET = re.compile(r"\.utf-?8\Z", re.IGNORECASE)  # of a POSIX locale: zh_CN.UTF-8
_IN_XML = re.compile(r"""(?P<before>\bxml:lang\s*=\s*(?P<mark>["']))(?P<tag>[^"'<>]*)(?=(?P=mark))""")
_IN_JSON = re.compile(r"""(?P<before>"@language"\s*:\s*")(?P<tag>[^"\\]*)(?=")""")
# In the other syntaxes a tag follows a string. Comments, IRIs and strings are matched as a whole, so that what stands
# in them is no tag. A second word before the end of the statement belongs to the tag. A string that is not closed ends
# with the text or its line, so that all is linear.
STRINGS = (
    r'\"{3}(?:[^"\\]|\\.?|"(?!""))*+(?:\"{3}|\Z)'
    r"|'{3}(?:[^'\\]|\\.?|'(?!''))*+(?:'{3}|\Z)"
    r'|"(?:[^"\\]|\\.?)*+(?:"|\Z)'
    r"|'(?:[^'\\\n]|\\.?)*+(?:'|(?=\n)|\Z)"
)
_IN_TEXT = re.compile(
    rf"""\#[^\n]*+|<[^<>"{{}}|^`\\\s]*+>
    |(?P<before>{STRINGS})
    (?:@(?P<tag>@?[^\s,;()\[\]{{}}<>"'@#^]*(?:[ \t]+[A-Za-z]\w*(?=[ \t]*(?:[.,;\])}}<]|_:)))?))?""",
    re.DOTALL | re.VERBOSE,
)
# a tag that may be a bad one, found quickly
_SUSPICIOUS = re.compile(
    rf"""["']@(?:(?!{_WRITTEN}\.*(?:[\s,;()\[\]{{}}<>"'@#^]|\Z))
    |[\w-]+[ \t]+[A-Za-z]\w*[ \t]*(?:[.,;\])}}<]|_:))""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class OddTag:
    """A tag that is none. `read_as`: the tag it is read as, '' for a text without a language."""

    tag: str
    read_as: str
    line: int


def mended(tag: str) -> str:
    """The tag as BCP 47 writes it; '' if it is none."""
    plain = re.sub(r"[\s_-]+", "-", _CHARSET.sub("", tag.strip())).strip("-@")
    return plain if len(plain) <= LONGEST and _TAG.fullmatch(plain) else ""


def with_tags_mended(text: str, syntax: str) -> tuple[str, tuple[OddTag, ...]]:
    """The text of a file with its tags mended, and those that were none."""
    if syntax in ("rdfxml", "owx", "trix"):
        return _mended_in(text, _IN_XML, "xml:lang" in text)
    if syntax == "jsonld":
        return _mended_in(text, _IN_JSON, '"@language"' in text)
    return _mended_in(text, _IN_TEXT, syntax != "obo" and _SUSPICIOUS.search(text) is not None)


def _mended_in(text: str, pattern: re.Pattern[str], is_needed: bool) -> tuple[str, tuple[OddTag, ...]]:
    odd: list[tuple[int, str, str]] = []
    has_sign = pattern is _IN_TEXT

    def mend(found: re.Match[str]) -> str:
        if found["tag"] is None:
            return found[0]
        tag = found["tag"].rstrip(".") if has_sign else found["tag"]  # the full stop ends the statement
        read_as = mended(tag)
        if read_as == tag and (tag or not has_sign):
            return found[0]
        odd.append((found.start("tag"), tag, read_as))
        sign = "@" if has_sign and read_as else ""
        return found["before"] + sign + read_as + text[found.start("tag") + len(tag) : found.end()]

    if not is_needed:
        return text, ()
    new = pattern.sub(mend, text)
    line, at = 1, 0
    tags = []
    for place, tag, read_as in odd:
        line, at = line + text.count("\n", at, place), place
        tags.append(OddTag(tag, read_as, line))
    return new, tuple(tags)
