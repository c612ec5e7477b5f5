"""Surface forms: how a label may stand in a text, and in which labels the case of the letters matters.

Not here because the folding makes them one: width, case, traditional and simplified, hyphen and blank.
"""

import re
from itertools import product

from ontology.lexicon.inflection import inflected

HAN = "\u3400-\u9fff"
# F-22 = F22 = F 22, Wi-Fi = WiFi, 4G手机 = 4G 手机: between these a hyphen or blank may come or go.
_JOINT = re.compile(
    rf"(?<=[^\W\d_])[- ]?(?=\d)|(?<=\d)[- ]?(?=[^\W\d_])|(?<=[{HAN}])[ ]?(?=[A-Za-z])|(?<=[A-Za-z])[ ]?(?=[{HAN}])"
    r"|(?<=[A-Za-z])-(?=[A-Za-z])"
)
_LONGEST_TERM = 200  # what is longer is a sentence
_JOINTS_TRIED = 3  # with more, all are open or all are closed
# A qualifier after the name: mouse (computing), 总线（电气）; or its abbreviation: unmanned aerial vehicle (UAV).
_QUALIFIED = re.compile(r"(.*\S)\s*[(（]([^()（）]*)[)）]")
_TOKEN = re.compile(r"[^\W_]+")
_SYLLABLE = re.compile(
    r"([b-df-hj-np-tv-z]|[bcfgps]l|[bcdfgptw]r|[cgpstw]h|s[ckmnptw]|kn|qu|tw)?[aeiou]{1,2}"
    r"([b-df-hj-np-tv-z]|[cst]h|ck|[cfnprs]t|l[dfklmpt]|mp|n[dgk]|r[dklmnp]|s[kps]|ff)?e?s?"
)
# Short words that stand in every English text. In capitals inside a label they are abbreviations: CAN bus, IT, US, Go.
_EVERYDAY_WORDS = """
a i am an as at be by do go he if in is it me my no of oh on or so to up us we all and any are but can did for get got
had has her him his how its let may new nor not now off old one our out own per put run say see set she the too top two
use was way who why yes yet you also been both does done down each else even ever from good have here into just less
like made make many more most much must next once only open over same some such take than that them then they this
thus time upon very well were what when will with work your"""
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())


def surface_forms(label: str, language: str | None) -> list[str]:
    """All the ways to write a label, the label itself first. Only English and untagged labels are inflected."""
    if len(label) > _LONGEST_TERM:
        return [label]
    written = _without_qualifier(label)
    if is_inflected(language):
        written += [form for text in written for form in inflected(text)]
    return list(dict.fromkeys(form for text in written for form in _joined_and_apart(text)))


def is_inflected(language: str | None) -> bool:
    """English labels are, and those without a language tag."""
    return language is None or language.split("-")[0] == "en"


def is_cased(text: str) -> bool:
    """Whether a label or form is an abbreviation that could be taken for a word: AC, IT, RAID, CAN bus, A-10, Go."""
    tokens = _TOKEN.findall(text)
    if tokens == [text]:
        return _is_short_acronym(text) or (text.lower() in _EVERYDAY and not text.islower())
    if text.isupper() and text.replace(" ", "").isalpha():
        return False
    return len(tokens) > 1 and any(token.isupper() and token.lower() in _EVERYDAY for token in tokens)


def is_everyday(text: str) -> bool:
    """Whether a label is a word of every English text (the, use), or a letter (a); not where its capitals tell it."""
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
    """A4 is not `a 4`."""
    before = _TOKEN.findall(re.split(r"[\d\W]", text[: joint.start()])[-1])
    return joint[0] == "" and bool(before) and before[0].lower() in _EVERYDAY


def _with_joints(text: str, joints: list[re.Match[str]], choice: tuple[str, ...]) -> str:
    pieces, end = [], 0
    for joint, between in zip(joints, choice, strict=True):
        pieces += [text[end : joint.start()], between]
        end = joint.end()
    return "".join([*pieces, text[end:]])
