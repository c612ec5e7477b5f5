"""Which blocks of a page are its own text, and which are menus, headers, footers, forms, notices and the like.

A block is the text between two `PARAGRAPH`s of `Page.text`. Each has a score, which says how likely it is the page's
own as far as the page alone tells: `Page.blocks` has a byte for each, 128 + round(16 x log odds). From `OWN` on a block
is the page's own.

While a page's tokens are read, every open element that is a block, and a few others, has a `Place`: what it and all
around it say of the text in them (`MARKS`: their tags, roles, and the words in their classes), and hashes of its path.
Of each block of text a `Row` is kept. When all have been read, a block is described by a few small numbers
(`features`), and each of these has a weight (`semantic.parsing.own_block_weights`): the score is their sum. All numbers
are integers, so that `in_c/own_blocks.c` gives the same ones.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from semantic.page import PARAGRAPH, Page
from semantic.parsing.own_block_weights import BITS, NOT_REPEATED, REPEATED, TABLES

OWN = 128  # the byte from which a block is the page's own: odds of one
_A_NAT = 16  # of a byte's steps are one in log odds; of the weights' 64 times as many

# tags and roles that say something of the text in them, and words in the names (class, id) of elements
MARKS = [
    "title",
    "h1",
    "h2",
    "h4",
    "p",
    "li",
    "td",
    "dl",
    "pre",
    "quote",
    "caption",
    "nav",
    "footer",
    "header",
    "aside",
    "form",
    "button",
    "article",
    "main",
    "said_nav",
    "said_foot",
    "said_side",
    "said_head",
    "comment",
    "share",
    "asks",
    "related",
    "about",
    "content",
    "toc",
    "unseen",
]
BIT = {name: 1 << number for number, name in enumerate(MARKS)}
_TAGS = {
    "title": "title",
    "h1": "h1",
    "h2": "h2 h3",
    "h4": "h4 h5 h6",
    "p": "p",
    "li": "li",
    "td": "td th",
    "dl": "dl",
    "pre": "pre",
    "quote": "blockquote",
    "caption": "figcaption caption",
    "nav": "nav menu",
    "footer": "footer",
    "header": "header",
    "aside": "aside",
    "form": "form fieldset",
    "button": "button select label option",
    "article": "article",
    "main": "main",
}
_ROLES = {
    "nav": "navigation menu menubar tablist toolbar",
    "footer": "contentinfo",
    "header": "banner",
    "aside": "complementary",
    "form": "search form",
    "asks": "dialog alert alertdialog",
    "button": "button",
    "article": "article",
    "main": "main",
    "h4": "heading",
}
OF_TAG = {tag: BIT[mark] for mark, tags in _TAGS.items() for tag in tags.split()}
OF_ROLE = {role: BIT[mark] for mark, roles in _ROLES.items() for role in roles.split()}
NAMED = frozenset(  # elements whose names are looked at
    [
        "div",
        "section",
        "ul",
        "ol",
        "dl",
        "nav",
        "aside",
        "header",
        "footer",
        "form",
        "table",
        "main",
        "article",
        "li",
        "details",
        "dialog",
        "fieldset",
        "button",
    ]
)
_WORDS = {
    "said_nav": "nav|menu|crumb|pagina|pager|toolbar|topbar|tabs",
    "said_foot": "foot|copyright|bottom|legal",
    "said_side": "sidebar|side-|-side|aside|widget|rail|secondary",
    "said_head": "header|masthead|banner|logo",
    "comment": "comment|repl(?:y|ies)|respond|disqus|discuss",
    "share": "share|social|sharing|follow",
    "asks": "cookie|consent|gdpr|newsletter|subscri|popup|modal|overlay|log-?in|sign-?up|promo|advert|sponsor|cta",
    "related": "relat|recommend|popular|recent|trending|similar|latest|archive|also|cloud|teaser|next|prev",
    "about": r"meta|byline|author|date|time|tags?\b|categor|publish|info",
    "content": "content|article|post|entry|body|main|text|story|descri|detail",
    "toc": "toc|editsection|table-of-contents",
    "unseen": "hidden|sr-only|visually|screen-reader|collaps|print",
}
_SAID = re.compile("|".join(f"(?P<{mark}>{words})" for mark, words in _WORDS.items()))
_REMEMBERED = 200  # characters of a name that is remembered; chosen, not measured


class Place(NamedTuple):
    """What an open element and those around it say of their text. `marks`: bits of `MARKS`; `path`, `outer`: hashes of
    the path of this element, and of the one around it.
    """

    marks: int
    path: int
    outer: int


NOWHERE = Place(0, 0, 0)


class Row:
    """A block while it is read: its place with the marks that all its texts share, its size and that of its links in
    bytes of UTF-8 (so a Han character counts as three letters), and how many signs of punctuation it has.
    """

    __slots__ = ("linked", "marks", "outer", "path", "signs", "size")

    def __init__(self, place: Place) -> None:
        self.marks, self.path, self.outer = place
        self.size = self.linked = self.signs = 0

    def take(self, text: str, marks: int, *, in_link: bool) -> None:
        """Add a text of the block."""
        size = len(text.encode("utf-8", "surrogatepass"))
        self.marks &= marks
        self.size += size
        self.linked += size if in_link else 0
        self.signs += len(_SIGNS.findall(text))


_SIGNS = re.compile("[.,!?;:\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]")


def inner(place: Place, tag: str, attribute: Callable[[str], str | None]) -> Place:
    """The place of an element that is opened here."""
    own, length = OF_TAG.get(tag, 0), 0
    if tag in NAMED:
        own |= OF_ROLE.get(attribute("role") or "", 0)
        if name := attribute("class") or attribute("id"):
            own |= said_by(name)
            length = len(name)
    path = ((place.path ^ own) * 0x9E3779B1 + length) & 0xFFFFFFFF  # Knuth's multiplicative hashing
    return Place(place.marks | own, path, place.path)


def said_by(name: str) -> int:
    """What an element's name says of its text."""
    return _marks_of(name) if len(name) > _REMEMBERED else _short_marks_of(name)


def _marks_of(name: str) -> int:
    found = 0
    for match in _SAID.finditer(name.lower()):
        found |= BIT[match.lastgroup or ""]
    return found


_short_marks_of = lru_cache(maxsize=4000)(_marks_of)  # a site has few of them

_HEADER, _FOOTER, _COMMENT, _H1 = BIT["header"], BIT["footer"], BIT["comment"], BIT["h1"]
INSIDE = BIT["article"] | BIT["main"]


def features(rows: Sequence[Row]) -> list[tuple[int, ...]]:
    """What is known of each block, in the order of `TABLES`: each number is a place in the table of that name."""
    sizes = [(row.size, row.size - row.linked) for row in rows]
    whole, free = sum(size for size, _ in sizes), sum(size for _, size in sizes)
    paths, outers = _groups([row.path for row in rows], sizes), _groups([row.outer for row in rows], sizes)
    commented = sum(size for row, (_, size) in zip(rows, sizes, strict=True) if row.marks & _COMMENT)
    comments = commented * 4 // (free + 1)
    h1 = next((number for number, row in enumerate(rows) if row.marks & _H1), len(rows))
    of_page = (_density(whole - free, whole), _log(free, 15))
    around = [
        (0, 0),
        *[(1 + _density(row.linked, row.size), 1 + _log(row.size - row.linked, 11)) for row in rows],
        (0, 0),
    ]
    found, before = [], 0
    for number, row in enumerate(rows):
        inside = 2 * bool(row.marks & INSIDE)
        found.append(
            (
                _density(row.linked, row.size),
                _log(row.size, 11),
                _log(row.signs, 5),
                *around[number],
                *around[number + 2],
                0 if h1 == len(rows) else 1 + (number >= h1),
                before * 8 // (whole + 1),
                *_of_group(paths[row.path], free),
                *_of_group(outers[row.outer], free),
                *of_page,
                bool(row.marks & _HEADER) + inside,
                bool(row.marks & _FOOTER) + inside,
                comments + (0 if row.marks & _COMMENT else 4),
            )
        )
        before += row.size
    return found


WEIGHTS = BITS, tuple(TABLES.values()), (_HEADER, _FOOTER, _COMMENT, _H1), INSIDE  # for `in_c/own_blocks.c`


def _groups(keys: list[int], sizes: list[tuple[int, int]]) -> dict[int, list[int]]:
    """Of all blocks with the same path: how many they are, their size, and that outside of links."""
    groups: dict[int, list[int]] = {}
    for key, (size, free) in zip(keys, sizes, strict=True):
        group = groups.setdefault(key, [0, 0, 0])
        group[0] += 1
        group[1] += size
        group[2] += free
    return groups


def _of_group(group: list[int], free: int) -> tuple[int, int, int, int]:
    count, size, of_it = group
    return _log(of_it * 64 // (free + 1), 6), _log(count, 8), _density(size - of_it, size), _log(of_it // count, 11)


def _log(number: int, most: int) -> int:
    return min(number.bit_length(), most)


def _density(linked: int, size: int) -> int:
    """The share of links in a text: 0 for none, 7 for nothing else."""
    return 7 if linked >= size > 0 else 1 + linked * 6 // size if linked else 0


def scores(rows: Sequence[Row]) -> bytes:
    """The score of each block, as `Page.blocks` has it."""
    return bytes([_score(row.marks, known) for row, known in zip(rows, features(rows), strict=True)])


def _score(marks: int, known: tuple[int, ...]) -> int:
    weight = sum(bit for number, bit in enumerate(BITS) if marks >> number & 1)
    weight += sum(table[value] for table, value in zip(TABLES.values(), known, strict=True))
    return max(0, min(255, (weight + 128 * 64 + 32) >> 6))


def own_blocks(page: Page, repeated: Sequence[bool] | None = None) -> list[str]:
    """The blocks that are the page's own text; all where their scores are not known.

    `repeated`: whether the page's host repeats each block, None where that is not known. A block is repeated if it
    stands on three of the host's pages and on a twentieth of them.
    """
    blocks = page.text.split(PARAGRAPH)
    if len(page.blocks) != len(blocks):
        return blocks
    addends = [REPEATED if one else NOT_REPEATED for one in repeated] if repeated else [0] * len(blocks)
    return [block for block, score, added in zip(blocks, page.blocks, addends, strict=True) if score + added >= OWN]
