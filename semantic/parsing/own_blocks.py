"""Which blocks of a page are its own text, and which are menus, headers, footers, forms, notices and the like.

A block is the text between two `PARAGRAPH`s of `Page.text`. Each has a score, which says how likely it is the page's
own as far as the page alone tells. `Page.blocks` has a byte for each: 128 + round(16 x log odds). From `OWN` on a block
is the page's own.

While a page's tokens are read, every open element has a `Place`: what it and those around it say of the text in them
(`MARKS`: their tags and roles, and words in their classes or ids), and a hash of its path. A `Row` is kept of each
block. When all have been read, a block is described by its marks and a few small numbers (`features`). Each of them has
a weight (`semantic.parsing.own_block_weights`), and the score is the sum of these. All numbers are integers, so
`in_c/own_blocks.c` gives the same ones.

Word F1, mean of pages, of `python -m benchmarks.page_blocks`. No page was seen in training, in folds no site:

| pages | all text | outside of links | own blocks | with what the host repeats |
|---|---|---|---|---|
| WCXB, test part (511) | .720 | .778 | .867 | |
| of it articles | .810 | .866 | .933 | |
| WCXB, development part, five folds | .701 | .755 | .850 | |
| archwiki; linuxcn | .899; .905 | .898; .898 | .986; .950 | .981; .996 |
| blogs-a; zhblogs | .875; .898 | .917; .932 | .959; .977 | .960; .981 |

Checked and rejected, since WCXB's F1 stayed the same within 0.002: punctuation, link density of the blocks around, what
all blocks of one path have in common, the share of links in the page, words such as `share`, `related`, `author` and
`content` in classes, the blocks two places away, the distance to the next long block, how many blocks of links follow
each other, whether the page has an article elsewhere, and a second model that sees the scores of the blocks around.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from semantic.page import PARAGRAPH, Page
from semantic.parsing.own_block_weights import OF_MARKS, REPEATED, TABLES

OWN = 128  # the byte from which a block is the page's own
# added for a block that its host is known not to repeat. 0 to 8 have the same F1 within 0.001; of archwiki's 23 pages
# with "Bcachefs", mostly in lists of links, 16 keep it with 0 and 21 with 8
NOT_REPEATED = 8

_TAGS = {  # mark: tags
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
_WORDS = {  # mark: words in classes and ids
    "said_nav": r"nav\b|navi|menu|crumb|pagina|pager|toolbar|topbar|tabs",
    "said_foot": r"footer|\bfoot\b|copyright|bottom|legal",
    "said_side": r"sidebar|\bside\b|aside|widget|\brail\b|secondary",
    "said_head": r"header|masthead|banner|\blogo",
    "comment": "comment|repl(?:y|ies)|respond|disqus|discuss",
    "asks": r"cookie|consent|gdpr|newsletter|subscri|popup|modal|overlay|log-?in|sign-?up|promo|advert|sponsor|\bcta\b",
    "toc": r"\btoc|editsection|table-of-contents",
    "unseen": r"hidden|sr-only|visually|screen-reader|collaps|\bno-?print",
}
_ROLES = {  # mark: roles (ARIA)
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
_NAMED = "div section ul ol dl nav aside header footer form table main article li details dialog fieldset button"
MARKS = (*_TAGS, *_WORDS)
BIT = {mark: 1 << number for number, mark in enumerate(MARKS)}
OF_TAG = {tag: BIT[mark] for mark, tags in _TAGS.items() for tag in tags.split()}
OF_ROLE = {role: BIT[mark] for mark, roles in _ROLES.items() for role in roles.split()}
NAMED = frozenset(_NAMED.split())  # elements of which roles, classes and ids are looked at
_HEADER, _FOOTER, _COMMENT, _H1 = BIT["header"], BIT["footer"], BIT["comment"], BIT["h1"]
_INSIDE = BIT["article"] | BIT["main"]  # a header or footer in these is not the page's
_OF_MARKS, _TABLES = tuple([OF_MARKS[mark] for mark in MARKS]), tuple(TABLES.values())
WEIGHTS = _OF_MARKS, _TABLES, (_HEADER, _FOOTER, _COMMENT, _H1), _INSIDE  # for `in_c/own_blocks.c`

_TOPIC = re.compile(r"\b(?:tag|category)-\S+")  # what a post is about, in themes of WordPress
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
    """A block while it is read: the marks that all its texts share, the path around it, its size and that of its links
    in bytes of UTF-8 (so a Han character counts as three letters).
    """

    __slots__ = ("linked", "marks", "outer", "size")

    def __init__(self, place: Place) -> None:
        self.marks, _, self.outer = place
        self.size = self.linked = 0

    def take(self, text: str, marks: int, *, in_link: bool) -> None:
        """Add a text of the block, which stands among these marks."""
        size = len(text.encode("utf-8", "surrogatepass"))
        self.marks &= marks
        self.size += size
        self.linked += size if in_link else 0


def inner(place: Place, tag: str, attribute: Callable[[str], str | None]) -> Place:
    """The place of an element that is opened here. `attribute`: gives its attributes."""
    own, length = OF_TAG.get(tag, 0), 0
    if tag in NAMED:
        own |= OF_ROLE.get(attribute("role") or "", 0)
        if name := attribute("class") or attribute("id"):
            own |= said_by(name)
            length = len(name)  # tells classes apart
    path = ((place.path ^ own) * 0x9E3779B1 + length) & 0xFFFFFFFF  # Knuth's multiplicative hashing
    return Place(place.marks | own, path, place.path)


def said_by(name: str) -> int:
    """The marks of an element's class or id."""
    return _marks_of(name) if len(name) > _REMEMBERED else _short_marks_of(name)


def _marks_of(name: str) -> int:
    found = 0
    for match in _SAID.finditer(_TOPIC.sub("", name.lower())):
        found |= BIT[match.lastgroup or ""]
    return found


_short_marks_of = lru_cache(maxsize=4000)(_marks_of)  # a site has few of them


def features(rows: Sequence[Row]) -> list[tuple[int, ...]]:
    """What is known of each block beside its marks, in the order of `TABLES`: places in these tables.

    Sizes are in powers of two. Shares: 0 for none, then in sixths (of links) or in powers of two (of the page's text).
    """
    sizes = [(row.size, row.size - row.linked) for row in rows]  # in all, and outside of links
    whole, free = sum(size for size, _ in sizes), sum(size for _, size in sizes)
    groups: dict[int, list[int]] = {}  # by the path around blocks: how many, and their size outside of links
    for row, (_, size) in zip(rows, sizes, strict=True):
        group = groups.setdefault(row.outer, [0, 0])
        group[0] += 1
        group[1] += size
    commented = sum(size for row, (_, size) in zip(rows, sizes, strict=True) if row.marks & _COMMENT)
    h1 = next((number for number, row in enumerate(rows) if row.marks & _H1), len(rows))
    around = [0, *[1 + _log(size, 11) for _, size in sizes], 0]
    found: list[tuple[int, ...]] = []
    before = 0
    for number, row in enumerate(rows):
        count, of_group = groups[row.outer]
        inside = 2 * bool(row.marks & _INSIDE)
        known = (
            7 if row.linked >= row.size > 0 else 1 + row.linked * 6 // row.size if row.linked else 0,
            _log(row.size, 11),
            around[number],
            around[number + 2],
            0 if h1 == len(rows) else 1 + (number >= h1),
            before * 8 // (whole + 1),
            _log(of_group * 64 // (free + 1), 6),
            _log(count, 8),
            _log(free, 15),
            bool(row.marks & _HEADER) + inside,
            bool(row.marks & _FOOTER) + inside,
            commented * 4 // (free + 1) + (0 if row.marks & _COMMENT else 4),
        )
        found.append(known)
        before += row.size
    return found


def _log(number: int, most: int) -> int:
    return min(number.bit_length(), most)


def scores(rows: Sequence[Row]) -> bytes:
    """The score of each block, as `Page.blocks` has it."""
    return bytes([_score(row.marks, known) for row, known in zip(rows, features(rows), strict=True)])


def _score(marks: int, known: tuple[int, ...]) -> int:
    weight = sum(bit for number, bit in enumerate(_OF_MARKS) if marks >> number & 1)
    weight += sum(table[value] for table, value in zip(_TABLES, known, strict=True))
    return max(0, min(255, (weight + 128 * 64 + 32) >> 6))  # weights are 64 times as fine


def own_blocks(page: Page, repeated: Sequence[bool] | None = None) -> list[str]:
    """The blocks that are the page's own text, in order; all where the page has no scores.

    `repeated`: of each block, whether the page's host repeats it, None where that is not known. Weights are those of
    blocks that stand on three pages of a host and on a twentieth of them, of hosts with ten pages or more.
    """
    blocks = page.text.split(PARAGRAPH)
    if len(page.blocks) != len(blocks):
        return blocks
    added = [REPEATED if one else NOT_REPEATED for one in repeated] if repeated else [0] * len(blocks)
    return [block for block, score, host in zip(blocks, page.blocks, added, strict=True) if score + host >= OWN]
