"""What an address says itself: where it stands, the words in it, whether it may be a page.

An address stands below its host and a chain of directories: a site's directories group its pages. Pages that differ
only in a query stand in the directory of their script.
"""

import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from semantic.compiled import loops
from semantic.learning.feature_hashing import begun, first_numbers, token, word_characters
from semantic.urls import is_page_like, words_of

PLACE_SLOTS = 16  # hashed words of an address; chosen, not measured
LEVELS = 4  # directories distinguished below the host: ../shared/research/orders.md
_ENDING = 8  # characters of an ending that are used; chosen, not measured
_LONGEST = 8  # parameters in a way; chosen, not measured
_KEPT = 10_000  # cached directories; chosen, not measured
_NUMBER = re.compile(r"[0-9]+")
_VALUE = re.compile("=[^&]*")  # of a parameter


class Address(NamedTuple):
    """What an address says.

    - `words`: its words as text (`semantic.urls.words_of`).
    - `tokens`: hashed words, of its ending, its host and directories, then its own: int32 bytes in PLACE_SLOTS slots.
    - `chain`: host, directories of levels 1 to 4, its directory if deeper; '' if missing.
    - `depth`: number of directories.
    - `way`: see `query_way`.
    - `page_like`: whether it may be a page (`semantic.urls.is_page_like`).
    """

    words: str
    tokens: bytes
    chain: tuple[str, ...]
    depth: int
    way: str
    page_like: bool


def addresses_in_python(urls: Sequence[str]) -> list[Address]:
    """What each of some normalised addresses says."""
    return list(map(address_of, urls))


def addresses_compiled(urls: Sequence[str]) -> list[Address]:
    """The same in C."""
    if len(_folders) > _KEPT:
        _folders.clear()
    starts = tuple(map(begun, ("address", "ending", "host", "depth", "folder")))
    found: list[Address] = loops.read_addresses(
        tuple(urls), word_characters(), starts, _folders, words_of, query_way, is_page_like, Address, address_of
    )
    return found


read_addresses = addresses_compiled if loops else addresses_in_python


def address_of(url: str) -> Address:
    """What one address says; never fails."""
    host, _, path = url.partition("://")[2].partition("/")
    path, mark, _ = path.partition("?")
    folder, _, name = (path, "", "") if mark else path.rpartition("/")
    chain, depth, standing = _folder(f"{host}/{folder}" if folder else host)
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    words = words_of(url)
    own = first_numbers("address", words, PLACE_SLOTS - 1 - len(standing) // 4)
    tokens = _as_bytes([token("ending", ending[:_ENDING])]) + standing + own
    return Address(words, tokens.ljust(4 * PLACE_SLOTS, b"\0"), chain, depth, query_way(url), is_page_like(url))


def _as_bytes(numbers: list[int]) -> bytes:
    return struct.pack(f"={len(numbers)}i", *numbers)


Folder = tuple[tuple[str, ...], int, bytes]  # chain, number of directories, their hashed words
_folders: dict[str, Folder] = {}


def _folder(key: str) -> Folder:
    """What a directory says, `host/a/b`, cached."""
    if key in _folders:
        return _folders[key]
    host, *folders = key.split("/")
    depth = len(folders)
    levels = ["/".join([host, *folders[:level]]) if depth >= level else "" for level in range(1, LEVELS + 1)]
    found = [token("host", host), token("depth", str(depth))]
    found += [token("folder", level) for level in levels if level]
    if len(_folders) > _KEPT:
        _folders.clear()
    _folders[key] = (host, *levels, key if depth > LEVELS else ""), depth, _as_bytes(found)
    return _folders[key]


def query_way(url: str) -> str:
    """The way of an address with a query: its host and the names of its parameters; '' for others."""
    address, mark, query = url.partition("://")[2].partition("?")
    return f"{address.partition('/')[0]}?{_names(_VALUE.sub('', query))}" if mark else ""


@lru_cache(maxsize=1000)
def _names(parameters: str) -> str:
    return "&".join(sorted({_NUMBER.sub("#", name) for name in parameters.split("&")})[:_LONGEST])
