"""The registered domain of a host: what one owner has, however many names are made below it.

By the Public Suffix List that comes with the library, hosting services included (`a.github.io` is one). Only this file
imports publicsuffixlist.
"""

from functools import cache, lru_cache

from publicsuffixlist import PublicSuffixList


@lru_cache(10_000)
def domain_of(host: str) -> str:
    """`shop.example.co.uk:8080` -> `example.co.uk:8080`; a host that is none, an IP address say, as it is."""
    name, colon, port = host.partition(":")
    if host.startswith("[") or name.rpartition(".")[2].isdigit():
        return host
    return (_suffixes().privatesuffix(name) or name) + colon + port


def is_public_name(host: str) -> bool:
    """Whether a host's name ends as names on the internet do: `linux.cn`, not `seeds.txt` or `localhost`."""
    return _suffixes().privatesuffix(host.partition(":")[0], accept_unknown=False) is not None


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
