"""Two formats of Chinese word lists: groups of synonyms as in Cilin (同义词词林), and CC-CEDICT.

Cilin has a line for each group. The last character of its code is the relation of the words: `=` synonyms, `#` related
words, `@` a single word.

    Bh01A01= 茶 茗 茶叶

CC-CEDICT has a line for each word: traditional, simplified, pronunciation, and English meanings.

    茶葉 茶叶 [cha2 ye4] /tea/tea-leaves/CL:盒[he2]/
"""

import re
from collections.abc import Iterator, Sequence

from ontology.lexicon.surface_forms import same_word_key
from ontology.proposals.proposal import Kind
from ontology.thesauri.entries import Entry, Wanted, language_of

_GROUP = re.compile(r"[A-Z][a-z]\d\d[A-Z]\d\d([=#@])\s+(\S.*)")
_WORD = re.compile(r"(\S+)\s(\S+)\s\[[^\]]*\]\s/(.*)/\s*")
_LOOKED_AT = 200  # first lines of a file, by which its kind is detected; chosen, not measured
_NO_NAME = re.compile(  # meanings that are explanations, not names
    r"^(?:CL:|variant of|old variant|see |abbr\. |erhua|surname |used in|same as|to |a kind of|also )|[:,]|\d",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*\([^)]*\)")
_ARTICLE = re.compile(r"^(?:a|an|the)\s+", re.IGNORECASE)
_LONGEST = 4  # words of a meaning that counts as a name; chosen, not measured


def is_cilin(lines: Sequence[str]) -> bool:
    """Whether most of the first lines are groups of Cilin."""
    return _most_are(lines, _GROUP)


def is_cedict(lines: Sequence[str]) -> bool:
    """Whether most of the first lines are entries of CC-CEDICT."""
    return _most_are(lines, _WORD)


def _most_are(lines: Sequence[str], shape: re.Pattern[str]) -> bool:
    first = [line for line in lines[:_LOOKED_AT] if line.strip() and not line.startswith("#")]
    return bool(first) and 2 * sum(bool(shape.fullmatch(line.strip())) for line in first) > len(first)


def cilin_entries(lines: Sequence[str], name: str, wanted: Wanted) -> Iterator[Entry]:
    """Entries for the wanted words, from the groups."""
    kinds = {"=": Kind.SYNONYM, "#": Kind.RELATED}
    for number, line in enumerate(lines, 1):
        found = _GROUP.fullmatch(line.strip())
        if not found or found[1] not in kinds:
            continue
        words = found[2].split()
        keys = [same_word_key(word) for word in words]
        for key in dict.fromkeys(keys):
            if key in wanted:
                for word, other in zip(words, keys, strict=True):
                    if other != key:
                        yield Entry(
                            word=key,
                            kind=kinds[found[1]],
                            term=word,
                            language=language_of(word),
                            text=line.strip(),
                            place=f"{name}:{number}",
                        )


def cedict_entries(lines: Sequence[str], name: str, wanted: Wanted) -> Iterator[Entry]:
    """English meanings of wanted Chinese words, and Chinese words for wanted English ones."""
    for number, line in enumerate(lines, 1):
        found = _WORD.fullmatch(line.strip())
        if not found:
            continue
        chinese = same_word_key(found[2])
        meanings = _meanings(found[3])
        text, place = line.strip(), f"{name}:{number}"
        for key in {chinese, same_word_key(found[1])} & wanted.keys():
            for meaning in meanings:
                yield Entry(word=key, kind=Kind.SYNONYM, term=meaning, language="en", text=text, place=place)
        for meaning in meanings:
            key = same_word_key(meaning)
            if key in wanted and key != chinese:
                yield Entry(word=key, kind=Kind.SYNONYM, term=found[2], language="zh", text=text, place=place)


def _meanings(text: str) -> list[str]:
    """The meanings that are names: short, and not explanations. A remark, as in (computing) container, is no part."""
    bare = (_ARTICLE.sub("", each.strip()) for each in re.split("[/;]", _REMARK.sub("", text)))
    return [
        each
        for each in dict.fromkeys(bare)
        if each and not _NO_NAME.search(each) and len(each.split()) <= _LONGEST and "[" not in each
    ]
