"""Traps: endless addresses with nothing behind them. Which they are is told by what they have given so far.

Theory. No rule tells a trap from its address alone: `/2031/07` is a page of a calendar that never ends, or a month of
an archive. What differs is the yield. So every page pays from the accounts of its *shapes*, narrow to wide:

    shop.example/list?colour&page   its pattern: numbers and ids are `#`, words of a name `*`, of a query only the keys
    shop.example/list?**            the same with any query: facets have as many sets of keys as there are subsets
    shop.example/a/b/**, /a/**      its first two directories, and all below
    shop.example/**                 its host
    *.example/**                    its domain, where that has another name: hosts are made up as easily as paths

A page costs 1. It is *stale* and costs `STALE` (20) if it is a copy; off topic, if it has hardly a text or less than a
tenth of it was not on other pages of its path, on any host of its domain (`semantic.parsing.fingerprint` samples runs
of characters: Broder's containment, 1997; a calendar says the same every month); on topic, only where it has a query
and nothing in it is new (the same goods in another order). A feed or sitemap costs as much. A page on topic that is not
stale gives back `GAIN` to its own shapes and to those of the page that it was found on: lists, archives and feeds live
by what they lead to. A shape begins with `CREDIT`, wider ones with a multiple, and saves at most three times that; with
nothing left it is a trap: 50 stale pages, or 1,000 others, without one on topic. What keeps giving one page on topic in
400 (of stale ones one in 20) is none, however large. The narrowest shape that has given anything answers for its
addresses; those that never gave are answered for by wider ones too. So the shop's articles stay open while its facets,
or a host's poor directories, are shut.

A trap's links are *cut*: they stay in the queue, behind the trap, and are not fetched. When a late page on topic fills
the account they come back; `--allow-trap` brings them back at once. Nothing of this is stored but what each page was
(`stale`, on topic, its parent): accounts are made again from that, so a killed crawl knows the same traps. A crawl ends
when only cut links are left. Seeds are never cut.

Two rules need no yield, as in Heritrix and Nutch: more than 20 directories, and a group of directories three times in a
row (`/a/b/a/b/a/b`; numbers alone may: `/11/11/11`). Session ids in a path fold to `#`, those in a query are keys as
others; what comes of them are copies, and stale. Redirects cost nothing here, nor do failures
(see below).

Seen on the archived webs, 2,000 pages each: one task of 26 came upon traps by yield (a host's numbered listings; the
share of the oracle stays), a few addresses repeat because a relative link lacks its slash. Rejected: a limit of pages
for a host or a directory, as crawlers of whole archives have it (it ends the best ones first); to refuse cut links (a
list that is fetched before its articles could never come back).

Hosts that give no page. Links outlive what they lead to, and they fail by the host: its site is gone, it refuses
crawlers (403 to all), a firewall hides it. Most of what the pages of an archived web link to was never recorded,
either. A failed request is no page and takes no place in the order, but it takes time, and asks a host that has said
no.

A host is *silent* once `FAILURES` of its addresses failed and none was a page; redirects and refusals by robots.txt say
nothing. And where more than `HOSTS` domains failed for each that gave a page (a crawl that sees one site and has no way
out), all hosts that gave none are taken for silent, but one in `ONE_IN`, chosen by its name: else a way out that opens
would never be seen. Domains, for below one of his own anybody can make up hosts, and so shut out others'. Links of
silent hosts are cut as those of traps are, until a page comes.

Measured with `fused` on archived webs, before there was this: of 16,000 addresses of hosts that had failed before, less
than 20 times, 8 were pages; of 34,000 of hosts that had failed 20 times, one. For each host that gave a page up to 122
failed where most of the results lie on many hosts, and 350 to 2,900 where all lie on one.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import unquote
from zlib import crc32

from semantic.parsing.fingerprint import Fingerprint
from semantic.records import PageRecord, VisitRecord
from semantic.urls import domain_of, host_of, typeable

FAILURES = 10
HOSTS = 300  # domains, by `domain_of`
ONE_IN = 10
SILENT = "...silent"
SILENT_HOSTS = f"*/{SILENT}"
CREDIT = 1000
STALE = 20
GAIN = 400
SAVED = 3
WITH_ANY_QUERY = DIRECTORY = 4  # times the credit
HOST = 10
DOMAIN = 40
NEW = 0.1  # of a text off topic: what is less is nothing
DEEPEST = 20  # directories
REPEATS = "...repeats"
DEEP = "...deep"

_TEXTS = 256  # paths whose texts are remembered, the last ones,
_SAMPLES = 2048  # and how much of each
_NUMBER = re.compile(
    r"(?<![0-9A-Za-z])(?=[A-Za-z]*[0-9])(?:[0-9A-Fa-f]{8,}|[0-9A-Za-z]{16,})(?![0-9A-Za-z])|[0-9]+"  # ids, numbers
)


class Silence:
    """Which hosts have failed only, how often, and which have given a page."""

    def __init__(self) -> None:
        self._failures: Counter[str] = Counter()  # of hosts that have given no page
        self._gave: set[str] = set()
        self._domains: set[str] = set()  # where hosts failed only
        self._giving: set[str] = set()  # domains with a host that gave a page

    def trap(self, url: str) -> str | None:
        """The name under which a normalised address is cut."""
        host = host_of(url)
        if host in self._gave:
            return None
        if self._failures.get(host, 0) >= FAILURES:
            return f"{host}/{SILENT}"
        return SILENT_HOSTS if self._is_shut() and crc32(host.encode()) % ONE_IN else None

    def why(self, trap: str) -> str:
        """What a name of `trap` stands for, in words."""
        if trap == SILENT_HOSTS:
            gave = len(self._giving)
            return (
                f"of {len(self._domains) + gave:,} domains {gave:,} gave a page; of the others one host in {ONE_IN} is "
                "asked"
            )
        return f"{self._failures[trap.partition('/')[0]]:,} failures, and no page"

    def fail(self, url: str) -> None:
        """An address failed."""
        host = host_of(url)
        if host not in self._gave:
            self._failures[host] += 1
            if (domain := domain_of(host)) not in self._giving:
                self._domains.add(domain)

    def answer(self, url: str) -> list[str]:
        """An address was a page; the names of `trap` that stand for nothing any more."""
        host = host_of(url)
        if host in self._gave:
            return []
        was_shut = self._is_shut()
        self._gave.add(host)
        domain = domain_of(host)
        self._giving.add(domain)
        self._domains.discard(domain)
        failures = self._failures.pop(host, 0)
        if was_shut:  # the host's own links may be behind either name
            return [f"{host}/{SILENT}", SILENT_HOSTS]
        return [f"{host}/{SILENT}"] if failures >= FAILURES else []

    def _is_shut(self) -> bool:
        return len(self._domains) > HOSTS * (1 + len(self._giving))


@lru_cache(1024)
def shapes(url: str) -> tuple[tuple[str, int], ...]:
    """The shapes of a normalised address, the narrowest first, and how many times `CREDIT` each has."""
    path, _, query = url.partition("://")[2].partition("?")
    host, _, path = (typeable(unquote(path), " ") if "%" in path else path).partition("/")
    *folders, name = _NUMBER.sub("#", path).removesuffix("/").split("/")
    if "#" not in name:
        name = name and "*"
    pattern = "/".join((host, *folders, name)) + ("/" if name and path.endswith("/") else "")
    found = [(pattern, 1)]
    if query:
        keys = sorted({_NUMBER.sub("#", part.partition("=")[0]) for part in query.split("&")})
        found = [(f"{pattern}?{'&'.join(keys)}", 1), (f"{pattern}?**", WITH_ANY_QUERY)]
    found += [("/".join((host, *folders[:depth], "**")), DIRECTORY) for depth in (2, 1) if depth <= len(folders)]
    found.append((f"{host}/**", HOST))
    domain = domain_of(host)
    return (*found, (f"*.{domain}/**", DOMAIN)) if domain != host else tuple(found)


@dataclass(slots=True)
class Account:
    """One shape's. `gains`: pages on topic, in it and found on it; a trap has nothing `left`."""

    left: int
    pages: int = 0
    stale: int = 0
    gains: int = 0

    def __str__(self) -> str:
        return f"{self.pages:,} pages, {self.stale:,} of them with nothing new; gave {self.gains:,} pages on topic"


class Traps:
    """The accounts of all shapes so far. `visits`: pages of earlier sessions; `allowed`: shapes that are no traps."""

    def __init__(self, visits: Iterable[VisitRecord] = (), allowed: Iterable[str] = ()) -> None:
        self._allowed = frozenset(allowed)
        self._accounts: dict[str, Account] = {}
        self._texts: dict[str, set[int]] = {}
        self._silence = Silence()
        for visit in visits:
            self._count(visit)

    def trap(self, url: str) -> str | None:
        """The trap that a normalised address belongs to."""
        for plain in (_plain_trap(url), self._silence.trap(url)):
            if plain is not None and plain not in self._allowed:
                return plain
        for shape, _ in shapes(url):
            account = self._accounts.get(shape)
            if shape in self._allowed or (account and account.left > 0 and account.gains):
                return None
            if account and account.left <= 0:
                return shape
        return None

    def why(self, trap: str) -> str:
        """What a trap was cut for, in words."""
        if trap.endswith((REPEATS, DEEP)):
            return "directories that repeat" if trap.endswith(REPEATS) else f"more than {DEEPEST} directories"
        return str(self._accounts[trap]) if trap in self._accounts else self._silence.why(trap)

    def receive(self, page: PageRecord, mark: Fingerprint, *, own: bool) -> tuple[PageRecord, list[str]]:
        """Count a page; it is given back with what it was, and the traps that are open again.

        `own`: it is no copy.
        """
        new = self._share_of_new(page.url, mark.sample)
        stale = not own or (not new and "?" in page.url if page.on_topic else new < NEW or mark.short)
        opened = self._count(VisitRecord(page.url, page.parent, bool(page.on_topic), stale))
        return (replace(page, stale=True) if stale else page), opened

    def take_back(self, url: str) -> None:
        """A page of before is a copy now: it pays as one. What it gave stays until the next run counts anew."""
        for account in self._of(shapes(url)):
            account.stale += 1
            account.left -= STALE - 1

    def receive_source(self, page: PageRecord) -> list[str]:
        """Count a feed or sitemap; the traps that are open again. It says nothing itself, and pays as what is stale."""
        return self._count(VisitRecord(page.url, stale=True))

    def fail(self, url: str) -> None:
        """Count an address that failed."""
        self._silence.fail(url)

    def _share_of_new(self, url: str, sample: frozenset[int]) -> float:
        """How much of a text was not on other pages of its path; all where it is too short to say."""
        host, slash, path = shapes(url)[0][0].partition("?")[0].partition("/")
        path = domain_of(host) + slash + path
        said = self._texts.pop(path, set())
        self._texts[path] = said  # the last one now
        if len(self._texts) > _TEXTS:
            del self._texts[next(iter(self._texts))]
        new = sample - said
        if len(said) + len(new) > _SAMPLES:
            said.clear()
        said |= sample
        return len(new) / len(sample) if sample else 1.0

    def _count(self, visit: VisitRecord) -> list[str]:
        if visit.failed:
            self._silence.fail(visit.url)
            return []
        opened = self._silence.answer(visit.url)
        own = shapes(visit.url)
        for account in self._of(own):
            account.pages += 1
            account.stale += visit.stale
            account.left -= STALE if visit.stale else 1
        if visit.stale or not visit.on_topic:
            return opened
        found_on = shapes(visit.parent) if visit.parent else ()
        return opened + self._earn(own) + self._earn(tuple(shape for shape in found_on if shape not in own))

    def _earn(self, wanted: tuple[tuple[str, int], ...]) -> list[str]:
        """Give back to these shapes; returns the traps of which addresses are free now."""
        accounts = self._of(wanted)
        shut = [(shape, account) for (shape, _), account in zip(wanted, accounts, strict=True) if account.left <= 0]
        first = not all(account.gains for account in accounts)  # one answers for its addresses from now on
        for (_, times), account in zip(wanted, accounts, strict=True):
            account.gains += 1
            account.left = min(account.left + GAIN, SAVED * times * CREDIT)
        return [shape for shape, account in shut if first or account.left > 0]

    def _of(self, wanted: tuple[tuple[str, int], ...]) -> list[Account]:
        accounts = self._accounts
        return [accounts.get(shape) or accounts.setdefault(shape, Account(times * CREDIT)) for shape, times in wanted]


def _plain_trap(url: str) -> str | None:
    """The trap of an address by the two rules that need no yield."""
    host, _, path = url.partition("://")[2].partition("?")[0].partition("/")
    folders = path.split("/")
    if len(folders) > DEEPEST + 1:
        return f"{host}/{DEEP}"
    return f"{host}/{REPEATS}" if len(folders) - len(set(folders)) > 1 and _repeat(folders) else None


def _repeat(folders: list[str]) -> bool:
    for size in range(1, len(folders) // 3 + 1):
        for start in range(len(folders) - 3 * size + 1):
            first, second, third = (folders[at : at + size] for at in range(start, start + 3 * size, size))
            if first == second == third and not all(map(str.isdecimal, first)):
                return True
    return False
