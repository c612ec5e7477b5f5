"""English plurals and singulars, created once with the lexicon, so that pages are matched without grammatical analysis.

Only nouns are inflected, because labels are nouns; a verb form (relayed, droned) is another word. Forms that do not
exist (machine learnings) do no harm, because no page contains them.
"""

import re

_IRREGULAR = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "people",
    "mouse": "mice",
    "louse": "lice",
    "foot": "feet",
    "tooth": "teeth",
    "goose": "geese",
    "ox": "oxen",
    "die": "dice",
    "datum": "data",
    "criterion": "criteria",
    "phenomenon": "phenomena",
    "automaton": "automata",
    "corpus": "corpora",
    "genus": "genera",
    "opus": "opera",
    "quiz": "quizzes",
}
_BY_ENDING = (  # nouns, number of letters removed, ending added
    ("leaf half shelf self wolf thief loaf calf sheaf hoof elf scarf dwarf", 1, "ves"),
    ("knife life wife", 2, "ves"),
    ("matrix vertex index appendix vortex apex cortex codex helix", 2, "ices"),
    ("nucleus radius stimulus focus fungus alumnus locus bacillus cactus", 2, "i"),
    ("bacterium medium stratum spectrum maximum minimum optimum curriculum symposium memorandum", 2, "a"),
    ("antenna formula larva alga nebula vertebra alumna", 0, "e"),
    ("hero potato tomato echo torpedo veto cargo mosquito volcano tornado", 0, "es"),
    ("plateau bureau chateau tableau", 0, "x"),
)
_IRREGULAR.update(
    (noun, noun[: len(noun) - gone] + ending) for nouns, gone, ending in _BY_ENDING for noun in nouns.split()
)
_SINGULAR_OF = {plural: singular for singular, plural in _IRREGULAR.items()}
# The last part of a compound word: policeman, grandchild, wisdomtooth.
_COMPOUNDED = re.compile(
    r"(?<=[a-z]{2})(?<!\bhu)(?<!\bger)(?<!\bro)(?<!\bsha)(man|woman|child|person|tooth|wife|shelf)$"
)
_INVARIANT = re.compile(r"(craft|sheep|deer|fish|series|species|offspring|news|means|people|data)$")
# Words that end in s and are not plurals, or mean something else without the s.
_NO_PLURALS = re.compile(
    r"(ss|us|is|ics|'s|lens|gas|windows|teams|glasses|goods|arms|customs|clothes|mars|texas|james|canvas|atlas|alias)$"
)
# Plurals that mean something else than their singular where they stand alone, which is mostly an adjective or a verb:
# shorts are not what is cut short. Our own list.
_PLURALS_ALONE = """
basics betters blacks blues briefs browns commons contents doubles earnings elders equals essentials finals futures
greens grounds lights likes locals looks natives odds opens originals premises preserves quarters reds regulars remains
rights savings shorts singles slacks specials spectacles spirits sweats sweets talks thanks tights whites woods works"""
_PLURAL_ALONE = frozenset(_PLURALS_ALONE.split())
_AFTER_LATIN = "\u0250"  # cafés, façades
_PREPOSITION = "(?:of|for|in|on|with|without|at|by|to|from)"
_HEADS = (  # point of sale -> points of sale, editor-in-chief -> editors-in-chief; proof of work chain -> chains
    re.compile(rf"(.*?)([^\W_]+)( {_PREPOSITION} .*|-{_PREPOSITION}-\S+)$", re.DOTALL),
    re.compile(r"(.*?)([^\W_]+)()$", re.DOTALL),
)


def inflected(label: str) -> list[str]:
    """The label in its other number: plurals of its head word, and singulars if the head is a plural.

    The head is the word before the first preposition or the last word. Deciding needs grammar, so both are tried.
    """
    found: list[str] = []
    for parts in filter(None, (pattern.match(label) for pattern in _HEADS)):
        before, head, after = parts.groups()
        if max(head) < _AFTER_LATIN and (not head.isdigit() or before.endswith("-")):
            singular = [] if label.lower() in _PLURAL_ALONE else singulars(head)
            found += [f"{before}{form}{after}" for form in plurals(head) + singular if form != head]
    return list(dict.fromkeys(found))


def plurals(noun: str) -> list[str]:
    """The plural forms of an English noun, irregular before regular (antennae, antennas)."""
    lower = noun.lower()
    if _INVARIANT.search(lower) or lower in _SINGULAR_OF:
        return []
    found = [_IRREGULAR[lower]] if lower in _IRREGULAR else []
    if compound := _COMPOUNDED.search(lower):
        found.append(noun[: compound.start()] + _IRREGULAR[compound[0]])
    return [*found, _regular_plural(noun)]


def _regular_plural(noun: str) -> str:
    lower = noun.lower()
    if re.search(r"[^aeiou]y$", lower) and lower.isalpha():
        return noun[:-1] + "ies"
    if re.search(r"[sx]is$", lower):
        return noun[:-2] + "es"
    if re.search(r"(s|x|z|sh|ch)$", lower) and not re.search(r"(arch|omach|epoch|tech)$", lower):
        return noun + "es"
    return noun + "s"


def singulars(noun: str) -> list[str]:
    """Possible singulars of an English plural; empty if it is not a plural. Some candidates are not words."""
    lower = noun.lower()
    if lower in _SINGULAR_OF:
        return [_SINGULAR_OF[lower]]
    if len(lower) < 4 or not lower.endswith("s") or not lower.isalpha() or noun.isupper() or _is_no_plural(lower):
        return []
    found = [noun[:-1]]
    if lower.endswith("ies"):
        found.append(noun[:-3] + "y")
    elif re.search(r"(s|x|z|sh|ch|o)es$", lower):
        found.append(noun[:-2])
    if re.search(r"[aeiouy]ses$", lower):
        found.append(noun[:-2] + "is")
    return found


def _is_no_plural(lower: str) -> bool:
    return bool(_NO_PLURALS.search(lower) or _INVARIANT.search(lower))
