"""The scope of a crawl: which addresses it may fetch, by patterns, by the seeds' hosts or by their registered domains.

A pattern is an address in which `*` stands for any characters; all other characters stand for themselves. Its beginning
decides which part of an address it is compared with: `http://` or `https://` the whole address, `/` the part after the
host, anything else the address without its scheme. It must match that part from the first character to the last. Upper
and lower case are the same in a host, and after a `*` before the first `/`, which may stand in the host or behind it.

Seeds are always in scope, because the user named them. Of the patterns to include, one match suffices; a pattern to
exclude wins over them. `www.` before a host is ignored.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from urllib.parse import quote

from semantic.urls import domain_of, host_of

PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
SCHEMES = ("http://", "https://")
HOST, DOMAIN, INCLUDE, EXCLUDE = "--stay-on-host", "--stay-on-domain", "--include", "--exclude"


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope. `hosts` and `domains`: those in scope, None if all are."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hosts: frozenset[str] | None = None
    domains: frozenset[str] | None = None
    seeds: frozenset[str] = frozenset()

    @property
    def is_everywhere(self) -> bool:
        """Whether no address is out of scope."""
        return not (self.include or self.exclude) and self.hosts is None and self.domains is None

    @property
    def text(self) -> str:
        """The scope as the record stores it (JSON); '' if every address is in scope."""
        if self.is_everywhere:
            return ""
        bounds = [None if bound is None else sorted(bound) for bound in (self.hosts, self.domains)]
        return json.dumps([self.include, self.exclude, *bounds, sorted(self.seeds)], ensure_ascii=False)

    def why_outside(self, url: str) -> str:
        """The option by which an address is out of scope, with its pattern; '' if it is in scope."""
        if url in self.seeds:
            return ""
        if self.hosts is not None and _bare(host_of(url)) not in self.hosts:
            return HOST
        if self.domains is not None and domain_of(host_of(url)) not in self.domains:
            return DOMAIN
        for pattern in self.exclude:
            if fits(pattern, url):
                return f"{EXCLUDE} {pattern}"
        return INCLUDE if self.include and not any(fits(pattern, url) for pattern in self.include) else ""


EVERYWHERE = Scope()


def scope_of(
    seeds: Iterable[str], include: Iterable[str], exclude: Iterable[str], *, stay_on_host: bool, stay_on_domain: bool
) -> Scope:
    """The scope that follows from the options and these seeds."""
    urls = frozenset(seeds)
    hosts = frozenset(_bare(host_of(url)) for url in urls) if stay_on_host else None
    domains = frozenset(domain_of(host_of(url)) for url in urls) if stay_on_domain else None
    scope = Scope(tuple(include), tuple(exclude), hosts, domains, urls)
    return EVERYWHERE if scope.is_everywhere else scope


def fits(pattern: str, url: str) -> bool:
    """Whether a pattern matches a normalised address."""
    expression, begins = _compiled(pattern)
    return expression.fullmatch(url, begins(url)) is not None


def never_fits(pattern: str) -> bool:
    """Whether a pattern can match no address at all, because it has neither a path nor `*`."""
    rest = pattern.partition("://")[2] or pattern
    return not rest.strip() or not ("*" in rest or "/" in rest)


def _bare(host: str) -> str:
    return host.removeprefix("www.")


@cache
def _compiled(pattern: str) -> tuple[re.Pattern[str], Callable[[str], int]]:
    scheme, rest = next(((one, pattern[len(one) :]) for one in SCHEMES if pattern.startswith(one)), ("", pattern))
    host, slash, path = rest.partition("/")
    certain, star, perhaps = _host_in_ascii(host).partition("*")
    glob = f"{scheme}{_literal(certain)}{star}{_in_either_case(_literal(perhaps))}{slash}{_literal(path)}"
    begins = _whole if scheme else _path if pattern.startswith("/") else _without_scheme
    return re.compile(translate(glob)), begins


def _host_in_ascii(host: str) -> str:
    """A pattern's host spelled as in normalised addresses: lower case, international names in punycode."""
    return ".".join(
        label if label.isascii() or "*" in label else f"xn--{label.encode('punycode').decode()}"
        for label in host.lower().split(".")
    )


def _literal(part: str) -> str:
    """A part of a pattern with only `*` as wildcard."""
    return quote(part, safe=PRINTABLE).replace("[", "[[]").replace("?", "[?]")


def _in_either_case(glob: str) -> str:
    return re.sub("[A-Za-z]", lambda found: f"[{found[0].lower()}{found[0].upper()}]", glob)


def _whole(url: str) -> int:
    return 0


def _without_scheme(url: str) -> int:
    return url.index("://") + 3


def _path(url: str) -> int:
    return url.index("/", _without_scheme(url))
