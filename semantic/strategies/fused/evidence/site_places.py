"""Where an address stands: its host and the chain of directories above it.

A site's tree is its makers' own grouping of their pages. A query's pages stand in the directory that its script is.
"""

from dataclasses import dataclass
from functools import lru_cache

from semantic.learning.feature_hashing import token, tokens, words
from semantic.urls import words_of

LEVELS = 4  # directories told apart below the host
PLACE_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Place:
    """`chain`: host, directories of level 1 to 4, the directory it stands in; '' where there is none."""

    chain: tuple[str, ...]
    depth: int
    tokens: tuple[int, ...]


def place_of(url: str, said: str | None = None) -> Place:
    """Read an address; never fails. `said`: its words (`words_of`), where they are at hand."""
    host, _, path = url.partition("://")[2].partition("/")
    path, query, _ = path.partition("?")
    folder, _, name = (path, "", "") if query else path.rpartition("/")
    chain, depth, found = _folder(host, folder)
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    own = tokens("address", words(words_of(url) if said is None else said), PLACE_TOKENS - 1 - len(found))
    return Place(chain, depth, (token("ending", ending[:8]), *found, *own))


@lru_cache(maxsize=10_000)
def _folder(host: str, folder: str) -> tuple[tuple[str, ...], int, tuple[int, ...]]:
    folders = folder.split("/") if folder else []
    levels = ["/".join([host, *folders[:level]]) if len(folders) >= level else "" for level in range(1, LEVELS + 1)]
    parent = "/".join([host, *folders]) if len(folders) > LEVELS else ""
    found = [token("host", host), token("depth", str(len(folders)))]
    found += [token("folder", level) for level in levels if level]
    return (host, *levels, parent), len(folders), tuple(found)
