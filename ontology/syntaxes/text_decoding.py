"""Decodes bytes by byte order mark, XML declaration, UTF-8 and GB18030, in this order; else UTF-8 with replacements.

Decoding is done first and once, because the parsers only read UTF-8. Measured: `encoding="GBK"` breaks all of them, a
byte order mark some, UTF-16 most.
"""

import codecs
import re
from dataclasses import dataclass

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(r"^\s*<\?xml\b[^>]*\?>")
_DECLARED = re.compile(rb"^\s*<\?xml\b[^>]*\bencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
_HALF = re.compile("[\ud800-\udfff]")
_GB = frozenset({"gb2312", "gbk", "gb18030", "cp936", "x-gbk", "gb_2312-80"})


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text without byte order mark and XML declaration (line numbers stay). `replaced`: number of invalid bytes."""

    text: str
    encoding: str
    replaced: int = 0


def decode(data: bytes) -> Decoded:
    """Decode an ontology file, a list or a table. Never fails; invalid bytes become U+FFFD and are counted."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _with_stray_bytes(data[len(mark) :], encoding)
    for encoding in _candidates(data):
        text = _strictly(data, encoding)
        if text is not None and (encoding != "gb18030" or _looks_chinese(text)):
            return Decoded(_without_declaration(text), encoding)
    return _with_stray_bytes(data, "utf-8")


def _candidates(data: bytes) -> list[str]:
    if data[1:2] == b"\0":  # an ASCII character in two bytes
        return ["utf-16-le"]
    if data[:1] == b"\0":
        return ["utf-16-be"]
    declared = _DECLARED.match(data)
    name = declared[1].decode("ascii").lower() if declared else "utf-8"
    # Real UTF-16 was recognised by its bytes above. A declaration of UTF-16 is left over from a conversion.
    first = "gb18030" if name in _GB else "utf-8" if name.startswith(("utf-16", "ucs")) else name
    return list(dict.fromkeys([first, "utf-8", "gb18030"]))


def _strictly(data: bytes, encoding: str) -> str | None:
    """The text; None if the bytes are not of this encoding. Python has some that give halves of characters (`utf-7`,
    `unicode_escape`), which no parser takes.
    """
    try:
        text = data.decode(encoding)
    except (UnicodeError, LookupError):
        return None
    return None if _HALF.search(text) else text


def _looks_chinese(text: str) -> bool:
    """Whether at least half of the non-ASCII characters are common Chinese; bytes of other encodings give rare
    characters.
    """
    foreign = [character for character in text if character > "\x7f"]
    common = sum(_is_common(character) for character in foreign)
    return 2 * common >= len(foreign)


def _is_common(character: str) -> bool:
    try:
        return bool(character.encode("gb2312"))
    except UnicodeEncodeError:
        return False


def _with_stray_bytes(data: bytes, encoding: str) -> Decoded:
    before = data.count("\ufffd".encode(encoding))  # replacement characters in the file itself
    text = _without_declaration(data.decode(encoding, "replace"))
    return Decoded(text, encoding, max(0, text.count("\ufffd") - before))


def _without_declaration(text: str) -> str:
    text = text.removeprefix("\ufeff")
    declaration = _DECLARATION.match(text)
    return text if declaration is None else "\n" * declaration[0].count("\n") + text[declaration.end() :]
