"""Fingerprints by which copies and near-copies of a page are found.

A fingerprint is an exact hash of the text, and, where the page's own text is long enough, Charikar's SimHash of that
(STOC 2002). Two texts are near-copies if their SimHashes differ in at most 3 of 64 bits (Manku et al., WWW 2007).

SimHash: a feature is a run of 8 characters, whatever the script, with blanks and case folded. Each distinct feature
counts once. Of all features the quarter is used whose hash is divisible by 4. Each feature's 64-bit hash votes on every
bit. Texts of which one feature in a hundred differs have fingerprints that differ in about 3 bits (64 arccos(0.99) /
pi), unrelated ones in about 32.

All hashes are the same in every process.

Measured on 1,500 pages each of five archived webs: of whole texts 390 pairs are that near, nearly all of them a blog's
lists by tag and by month, whose text is their template except for a line. Of own texts 25 are, most of them right. Some
are lists of the same posts, and each leads to other pages. So a near-copy counts as a copy only if it also shows
nothing new, which the crawl decides.

Pages that present another page: on a list, a heading links to the article by the article's title. For each page one
hash is stored, of an address and the words that link to it. Of all links in headings the one with the longest text is
taken; on a list of one article that is the article's. The article has the same hash if its title, a part of the title
(“Title – Site”) or one of its headings has these words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from semantic.compiled import loops
from semantic.page import Page, Position
from semantic.parsing.repeated_blocks import Part, is_own, own_text
from semantic.parsing.text_pieces import pieces_of
from semantic.urls import host_of

_H1 = Position.H1
_HEADING = re.compile(r"(?:^|/)h[1-4](?![a-z0-9])")  # h1 to h4 in a DOM path
_PARTS = re.compile(r"\s+[-–—·•«»:/]\s+|\s*[|_]\s*")
SHORT = 200  # characters; the text of a page below this does not distinguish it from others; chosen, not measured
FEWEST = 1000  # characters of text needed for a SimHash; chosen, not measured
MOST = 200_000  # characters that are read; chosen, not measured

Hashes = npt.NDArray[np.uint64]

_RUN = 8  # characters of a feature; chosen, not measured
# 2^64 divided by the golden ratio, as in splitmix64 (Steele, Lea, Flood, OOPSLA 2014)
_BASE = 0x9E3779B97F4A7C15
_TAKEN = 4  # one feature in so many is used; chosen, not measured
_SAMPLED = 1 << 58  # upper bound of sampled features of a long text, one in 16; a short text keeps all
_FACTORS = tuple((step, np.uint64(pow(_BASE, step, 1 << 64))) for step in (1, 2, 4))
# by code point; U+3000 is the last white space in Unicode, so the table ends there
_BLANK = np.array([chr(code).isspace() for code in range(0x3002)])
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(float)  # row n: the 8 bits of byte n


def presented(page: Page) -> str | None:
    """The hash of the page that this page presents; None if no heading links to another page of the host."""
    best = ""
    url = ""
    for link in page.links:
        if _in_heading(link.dom_path) and len(link.anchor) > len(best) and _is_beside(link.url, page.url):
            best, url = link.anchor, link.url
    return _hash(url, best) if best else None


def presented_as(page: Page) -> frozenset[str]:
    """The hashes by which other pages may present this one."""
    headings = [page.text[start:end] for start, end, position in page.spans if position is _H1]
    titles = {page.title, *_PARTS.split(page.title), *headings}
    return frozenset(_hash(page.url, title) for title in titles if title.strip())


@lru_cache(maxsize=4096)
def _in_heading(dom_path: str) -> bool:
    return _HEADING.search(dom_path) is not None


def _is_beside(url: str, here: str) -> bool:
    """Whether an address is on the host of `here`, differs from it and is not the host's front page."""
    return url != here and host_of(url) == host_of(here) and bool(url.split("/", 3)[3])


def _hash(url: str, words: str) -> str:
    said = f"{url.removesuffix('index.html')}\n{' '.join(words.casefold().split())}"
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The fingerprint of a text.

    - `exact`: 64-bit hash of the whole text; for a short text also of `beside` (see `fingerprint`).
    - `near`: 64-bit SimHash, None for a text that is not long enough.
    - `short`: the text has less than SHORT characters.
    - `sample`: hashes of some features, equal for equal runs of characters; not part of the written form.
    - `pieces`: what the page says in pieces (`semantic.parsing.text_pieces`); not part of the written form either.
    """

    exact: int
    near: int | None = None
    short: bool = False
    sample: frozenset[int] = field(default=frozenset(), repr=False, compare=False)
    pieces: bytes = field(default=b"", repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, which would otherwise ask for the fields by name."""
        return Fingerprint, (self.exact, self.near, self.short, self.sample, self.pieces)

    def __str__(self) -> str:
        near = "" if self.near is None else f" {self.near:016x}"
        return f"{self.exact:016x}{near}{' short' if self.short else ''}"


def fingerprint(text: str, beside: Iterable[str] = (), own: str | None = None) -> Fingerprint:
    """The fingerprint of a page's text. `beside`: what else identifies the page if the text is short. `own`: its own
    text, if that is not all.
    """
    short, exact = len(text) < SHORT, _exact(text, beside)
    near, sample = features((text if own is None else own)[:MOST])
    return Fingerprint(exact, near, short, sample)


def page_fingerprint(page: Page, parts: Sequence[Part]) -> Fingerprint:
    """The fingerprint of a page; its title and link addresses are `beside`. Near-copies are those of its own text.
    `parts`: of the page.
    """
    own = own_text(page, (part for part in parts if is_own(part[2])))
    return replace(fingerprint(page.text, _beside(page), own), pieces=pieces_of(page))


def exact_hash(page: Page) -> int:
    """The part `exact` of a page's fingerprint alone."""
    return _exact(page.text, _beside(page))


def _beside(page: Page) -> Iterator[str]:
    yield page.title
    for link in page.links:
        yield link.url


def _exact(text: str, beside: Iterable[str]) -> int:
    whole = "\n".join((text, *beside)) if len(text) < SHORT else text
    return int.from_bytes(blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def read_fingerprint(written: str) -> Fingerprint:
    """Parse what `str` made of a fingerprint."""
    exact, *rest = written.split()
    near = int(rest[0], 16) if rest and rest[0] != "short" else None
    return Fingerprint(int(exact, 16), near, "short" in rest)


def features_in_python(text: str) -> tuple[int | None, frozenset[int]]:
    """The SimHash of a text, None if it is not long enough; and the sample of its features."""
    codes = _folded(text)
    runs = codes.astype(np.uint64) if len(codes) >= _RUN else np.zeros(_RUN - 1, np.uint64)
    for step, factor in _FACTORS:  # from runs of 1, 2 and 4 characters to runs of 2, 4 and 8
        runs = runs[:-step] * factor + runs[step:]
    hashes = _mixed(runs)
    hashes = np.unique(hashes.compress(hashes & np.uint64(_TAKEN - 1) == 0) >> np.uint64(2))
    if len(codes) < FEWEST:
        return None, frozenset(hashes.tolist())
    return _simhash(hashes), frozenset(hashes[: np.searchsorted(hashes, np.uint64(_SAMPLED))].tolist())


def features_compiled(text: str) -> tuple[int | None, frozenset[int]]:
    """The same in C, which lowers each character by itself; for two characters of all that is not enough."""
    lowered = text.lower() if "İ" in text or "Σ" in text else text
    found: tuple[int | None, frozenset[int]] = loops.features(lowered, FEWEST, _SAMPLED)
    return found


features = features_compiled if loops else features_in_python


def _folded(text: str) -> npt.NDArray[np.uint32]:
    """The code points of `" ".join(text.lower().split())`, computed in numpy, since a page has too many words for a
    loop.
    """
    codes = np.frombuffer(text.lower().encode("utf-32-le", "surrogatepass"), np.uint32)
    blank = _BLANK.take(codes, mode="clip")
    codes = np.where(blank, np.uint32(ord(" ")), codes)
    doubled = blank.copy()  # follows another blank, or begins the text
    doubled[1:] &= blank[:-1]
    if doubled.any():
        codes = codes.compress(~doubled)
    return codes[:-1] if len(blank) and blank[-1] else codes


def _simhash(hashes: Hashes) -> int:
    """Each bit that more than half of the features have, mixed once more."""
    return int.from_bytes(np.packbits(2 * _votes(_mixed(hashes)) > len(hashes)).tobytes(), "big")


def _votes(hashes: Hashes) -> npt.NDArray[np.float64]:
    """For each bit, the highest first, how many hashes have it. CountedWords byte by byte, since a byte has only 256
    values.
    """
    numbered = hashes.astype(">u8").view(np.uint8).reshape(-1, 8) + 256 * np.arange(8)
    found: npt.NDArray[np.float64] = np.bincount(numbered.ravel(), minlength=8 * 256).reshape(8, 256) @ _BITS
    return found.ravel()


def _mixed(numbers: Hashes) -> Hashes:
    """Mix numbers into hashes: the finaliser of splitmix64."""
    numbers = numbers ^ numbers >> np.uint64(30)
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    numbers ^= numbers >> np.uint64(27)
    numbers *= np.uint64(0x94D049BB133111EB)
    numbers ^= numbers >> np.uint64(31)
    return numbers
