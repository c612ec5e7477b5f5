"""Crawler traps: endless sets of addresses without useful content. They are recognised by their yield so far.

Theory. No rule recognises a trap from its address alone: `/2031/07` may be a page of an endless calendar, or a month of
an archive. The yield differs. So every address belongs to several *shapes*, from narrow to wide, each shape has an
account, and every page fetched is charged to the accounts of its shapes:

    shop.example/list?colour&page   its pattern: numbers and ids are `#`, words of a name `*`, of a query only the keys
    shop.example/list?**            the same with any query: facets have as many sets of keys as there are subsets
    shop.example/a/b/**, /a/**      its first two directories, and everything below
    shop.example/**                 its host
    *.example/**                    its registered domain, if it differs from the host: host names are easy to generate

A page costs 1. A *stale* page costs `STALE` (20). A page is stale in these cases:
- it is a copy of another page, or alike another page of its site (`crawler.dedup.site_texts`): an endless calendar has
  the template and the number of a month;
- it is off topic and has almost no text, or less than a tenth of its text is new compared with the other pages of its
  path on any host of its domain (`semantic.parsing.fingerprint` samples runs of characters: Broder's containment, 1997;
  for instance a calendar that repeats the same text every month);
- it is on topic, its address has a query, and nothing in its text is new (the same goods in another order).

A feed or sitemap costs as much as a stale page. A page on topic that is not stale adds `GAIN` to the accounts of its
own shapes and of the shapes of the page that it was found on, because lists, archives and feeds are useful through the
pages that they link to. A narrow shape begins with `CREDIT`, wider ones with a multiple; the balance is limited to
three times that. A shape whose balance is used up is a trap: after 50 stale pages, or 1,000 others, without one page on
topic. A shape that yields at least one page on topic in 400 pages (one in 20 if they are stale) never becomes a trap,
however large it is. The narrowest shape that has yielded anything decides about its addresses; for a shape that never
yielded anything, the wider ones decide too. So a shop's articles stay open while its facets are closed, and a host
stays open while its useless directories are closed.

Links to a trap are *cut*: they stay in the queue, behind the trap, and are not fetched. If a later page on topic
refills the account, they are released; `--allow-trap` releases them at once. A page whose verdict changes later counts
for its own shapes at once, and for those of the page that it was found on with the next run. One that is no longer on
topic takes its `GAIN` back, first from what was credited beyond the largest balance; otherwise a hundred such pages
would close a host with thousands of pages on topic. The record only stores
what each page was (`stale`, on topic, its parent). The accounts are recomputed from that, so a crawl that was killed
finds the same traps. A crawl ends when only cut links are left. Seeds are never cut.

Addresses that differ from a known one only in parameters that never mattered on their host (session ids of any name)
are cut before, with a trap for each such parameter: `crawler.traps.idle_parameters`. What is not learned there, because
a site has few pages or says something else at each request, stays with the accounts.

Two rules do not depend on yield, as in Heritrix and Nutch: more than 20 directories, and a group of directories three
times in a row (`/a/b/a/b/a/b`; a repeated number is allowed: `/11/11/11`). Session ids in a path are replaced by `#`,
those in a query are keys like others; the pages behind them are copies, so they are stale. Redirects cost nothing here,
and neither do failures (see below).

Measured on the archived webs, 2,000 pages each: one task of 26 met traps by yield (numbered listings of a host; the
share of the oracle did not change), and a few addresses repeat directories because a relative link lacks its slash.
Rejected alternatives: a limit of pages for a host or a directory, as in crawlers of whole archives (it ends the best
hosts first); refusing cut links for good (a list that is fetched before its articles could never be released).

Hosts that give no page. Links outlive their targets, and they fail host by host: the site is gone, it refuses crawlers
(403 for everything), or a firewall hides it. Most pages that an archived web links to were never recorded, either. A
failed request does not count as a page, but it takes time, and it bothers a host that has refused already.

A host is *silent* once `FAILURES` of its addresses failed and none was a page; redirects and refusals by robots.txt do
not count, nor does https through a proxy that refuses it. If more than `HOSTS` domains failed for each domain that gave
a page (a crawl of a single site without ways out), all hosts that gave no page are treated as silent, except one in
`ONE_IN`, chosen by a hash of its name, so that a new way out can be discovered. Domains are counted instead of hosts,
because the owner of a domain can generate host names and so close the hosts of others. Links to silent hosts are cut
like those to traps, until one gives a page. A host whose robots.txt is out of reach counts as failed in the run that
asked for it; the record does not know of it, because its links wait and the next run asks again.

Measured with `fused` on archived webs before this rule existed: of 16,000 addresses of hosts with 1 to 19 earlier
failures, 8 were pages; of 34,000 of hosts with 20 or more, one. For each host that gave a page, up to 122 failed if the
results are spread over many hosts, and 350 to 2,900 if all results are on one host.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote
from zlib import crc32

from crawler.traps.idle_parameters import IDLE, Parameters
from semantic.reasons import Reason, because
from semantic.records import PageRecord, VisitRecord
from semantic.urls import domain_of, host_of, typeable

if TYPE_CHECKING:  # it needs numpy, and traps are told without
    from semantic.parsing.fingerprint import Fingerprint

FAILURES = 10  # failed addresses; half of the 20 measured above
HOSTS = 300  # failed domains for each that gave a page; between the 122 and 350 measured above
ONE_IN = 10  # chosen, not measured
SILENT = "...silent"
SILENT_HOSTS = f"*/{SILENT}"
# The account's numbers are in pages. They were chosen, and checked on the archived webs (see above).
CREDIT = 1000  # initial balance of the narrowest shapes
STALE = 20  # cost of a stale page
GAIN = 400  # for a page on topic
SAVED = 3  # largest balance, in multiples of the initial one
WITH_ANY_QUERY = DIRECTORY = 4  # initial balance of wider shapes, in multiples of CREDIT
HOST, DOMAIN = 10, 40  # the same for hosts and registered domains
NEW = 0.1  # share of an off-topic page's text; below it the page has nothing new; chosen, not measured
DEEPEST = 20  # directories; Heritrix's TooManyPathSegmentsDecideRule has the same
REPEATING = 5  # slashes at least of an address whose directories repeat: http://host/a/a/a
REPEATS = "...repeats"
DEEP = "...deep"

_TEXTS = 256  # most recent paths whose text samples are stored; chosen, not measured
_SAMPLES = 2048  # hashes stored for each of these paths; chosen, not measured
_NUMBER = re.compile(
    r"(?<![0-9A-Za-z])(?=[A-Za-z]*[0-9])(?:[0-9A-Fa-f]{8,}|[0-9A-Za-z]{16,})(?![0-9A-Za-z])|[0-9]+"  # ids, numbers
)


class Silence:
    """Counts failures by host, and stores which hosts have given a page."""

    def __init__(self) -> None:
        self._failures: Counter[str] = Counter()  # of hosts that have given no page
        self._gave: set[str] = set()
        self._domains: set[str] = set()  # where hosts failed only
        self._giving: set[str] = set()  # domains with a host that gave a page

    def trap(self, url: str) -> str | None:
        """The name of the trap behind which a normalised address is cut; None if it is not cut."""
        host = host_of(url)
        if host in self._gave:
            return None
        if self._failures.get(host, 0) >= FAILURES:
            return f"{host}/{SILENT}"
        return SILENT_HOSTS if self._is_shut() and crc32(host.encode()) % ONE_IN else None

    def why(self, trap: str) -> Reason:
        """The reason for a trap that `trap` named."""
        if trap == SILENT_HOSTS:
            gave = len(self._giving)
            return because("failing domains", number=len(self._domains) + gave, gave=gave, one_in=ONE_IN)
        return because("many failures", failures=self._failures[trap.partition("/")[0]])

    def fail(self, url: str) -> None:
        """Count a failed address."""
        host = host_of(url)
        if host not in self._gave:
            self._failures[host] += 1
            if (domain := domain_of(host)) not in self._giving:
                self._domains.add(domain)

    def answer(self, url: str) -> list[str]:
        """Note that an address was a page; returns the names given by `trap` that no longer apply."""
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
    """The account of one shape. `left`: the balance; the shape is a trap if it is not positive. `surplus`: what was
    credited beyond the largest balance. `gains`: pages on topic, in the shape or found on a page of it.
    """

    left: int
    surplus: int = 0
    pages: int = 0
    stale: int = 0
    gains: int = 0

    @property
    def told(self) -> Reason:
        """The account as the reason for a trap."""
        return because("little new", pages=self.pages, stale=self.stale, gains=self.gains)


class Traps:
    """The accounts of all shapes so far. `visits`: pages of earlier sessions. `allowed`: shapes that are never
    traps.
    """

    def __init__(self, visits: Iterable[VisitRecord] = (), allowed: Iterable[str] = ()) -> None:
        from semantic.memory.compact_collections import HashSet  # numpy; commands that only name traps start without it

        self._allowed = frozenset(allowed)
        self._accounts: dict[str, Account] = {}
        self._texts: dict[str, set[int]] = {}
        self._stale = HashSet()  # of the addresses of stale pages
        self._leading = HashSet()  # of those of pages that lead: results, and listings about the topic
        self._silence = Silence()
        self._parameters = Parameters(self._allowed)
        for visit in visits:
            self._count(visit)

    def trap(self, url: str) -> str | None:
        """The trap that a normalised address belongs to, if any."""
        for plain in (_plain_trap(url), self._silence.trap(url)):
            if plain is not None and plain not in self._allowed:
                return plain
        if name := self._parameters.trap(url):
            return name
        for shape, _ in shapes(url):
            account = self._accounts.get(shape)
            if shape in self._allowed or (account and account.left > 0 and account.gains):
                return None
            if account and account.left <= 0:
                return shape
        return None

    def is_repeat(self, url: str) -> bool:
        """Whether an address differs only in parameters that never matter from one that has ended."""
        return self._parameters.repeated(url) is not None

    def of_each(self, urls: Iterable[str]) -> Iterator[str | None]:
        """`trap` of each address."""
        return map(self.of_many(), urls)

    def of_many(self) -> Callable[[str], str | None]:
        """`trap` as it is now, for a long queue: the shapes of an address are only looked at where its host or its
        domain has a closed one.
        """
        closed = {shape.partition("/")[0] for shape, account in self._accounts.items() if account.left <= 0}
        wide = any(place.startswith("*.") for place in closed)
        is_beset: dict[str, bool] = {}

        def trap(url: str) -> str | None:
            host = host_of(url)
            if host not in is_beset:
                is_closed = host in closed or (wide and f"*.{domain_of(host)}" in closed)
                is_beset[host] = is_closed or bool(self._silence.trap(url)) or self._parameters.is_beset(host)
            if is_beset[host]:
                return self.trap(url)
            plain = _plain_trap(url) if url.count("/") >= REPEATING else None
            return None if plain in self._allowed else plain

        return trap

    def why(self, trap: str) -> Reason:
        """Why a trap was cut."""
        if trap.endswith((REPEATS, DEEP)):
            return (
                Reason("directories that repeat")
                if trap.endswith(REPEATS)
                else because("many directories", deepest=DEEPEST)
            )
        if IDLE in trap:
            return self._parameters.why(trap)
        return self._accounts[trap].told if trap in self._accounts else self._silence.why(trap)

    def receive(
        self, page: PageRecord, fingerprint: "Fingerprint", *, is_original: bool
    ) -> tuple[PageRecord, list[str]]:
        """Count a page. Returns the page, marked if it is stale, and the traps that are released by it.

        `is_original`: whether it is a page in its own right: no copy, and not alike another page of its site.
        """
        new = self._share_of_new(page.url, fingerprint.sample)
        stale = not is_original or (not new and "?" in page.url if page.is_leading else new < NEW or fingerprint.short)
        said_by = page.copy_of or page.url
        opened = self._count(VisitRecord(page.url, page.parent, page.is_leading, stale, said_by=said_by))
        return (replace(page, stale=True) if stale else page), opened

    def judge_again(self, url: str, *, leads: bool) -> list[str]:
        """Count a page that leads since it was judged again, or does no longer. Returns the traps that are released by
        it.
        """
        if leads == (hash(url) in self._leading):
            return []
        (self._leading.add if leads else self._leading.discard)(hash(url))
        if hash(url) in self._stale:
            return []
        if leads:
            return self._earn(shapes(url))
        for account in self._of(shapes(url)):
            account.gains -= 1
            unsaved = min(GAIN, account.surplus)  # without this page, less would have been beyond the largest balance
            account.surplus -= unsaved
            account.left -= GAIN - unsaved
        return []

    def take_back(self, url: str, copy_of: str) -> None:
        """Charge a page that turned out to be a copy of one that is not received yet. What the page it was found on
        earned by it stays counted until the next run recomputes the accounts.
        """
        self._parameters.replace(url, copy_of)
        for account in self._of(shapes(url)):
            account.stale += 1
            account.left -= STALE - 1

    def receive_source(self, page: PageRecord) -> list[str]:
        """Count a feed or sitemap, which costs as much as a stale page. Returns the traps that are released by it."""
        return self._count(VisitRecord(page.url, stale=True))

    def fail(self, url: str) -> None:
        """Count an address that failed."""
        self._count(VisitRecord(url, failed=True))

    def _share_of_new(self, url: str, sample: frozenset[int]) -> float:
        """The share of a text that was not on other pages of its path, 0 to 1; 1 if the text is too short to say."""
        host, slash, path = shapes(url)[0][0].partition("?")[0].partition("/")
        path = domain_of(host) + slash + path
        said = self._texts.pop(path, set())
        self._texts[path] = said  # moved to the end: the most recent
        if len(self._texts) > _TEXTS:
            del self._texts[next(iter(self._texts))]
        new = sample - said
        if len(said) + len(new) > _SAMPLES:
            said.clear()
        said |= sample
        return len(new) / len(sample) if sample else 1.0

    def _count(self, visit: VisitRecord) -> list[str]:
        opened = self._parameters.receive(visit.url, visit.said_by)
        if visit.failed:
            self._silence.fail(visit.url)
            return opened
        opened += self._silence.answer(visit.url)
        own = shapes(visit.url)
        for account in self._of(own):
            account.pages += 1
            account.stale += visit.stale
            account.left -= STALE if visit.stale else 1
        leads = visit.on_topic or visit.leads
        if leads:
            self._leading.add(hash(visit.url))
        if visit.stale:
            self._stale.add(hash(visit.url))
        if visit.stale or not leads:
            return opened
        found_on = shapes(visit.parent) if visit.parent else ()
        return opened + self._earn(own) + self._earn(tuple(shape for shape in found_on if shape not in own))

    def _earn(self, wanted: tuple[tuple[str, int], ...]) -> list[str]:
        """Credit these shapes. Returns the traps some of whose addresses are released by it."""
        accounts = self._of(wanted)
        shut = [(shape, account) for (shape, _), account in zip(wanted, accounts, strict=True) if account.left <= 0]
        first = not all(account.gains for account in accounts)  # this shape decides about its addresses from now on
        for (_, times), account in zip(wanted, accounts, strict=True):
            account.gains += 1
            account.surplus += max(0, account.left + GAIN - SAVED * times * CREDIT)
            account.left = min(account.left + GAIN, SAVED * times * CREDIT)
        return [shape for shape, account in shut if first or account.left > 0]

    def _of(self, wanted: tuple[tuple[str, int], ...]) -> list[Account]:
        accounts = self._accounts
        return [accounts.get(shape) or accounts.setdefault(shape, Account(times * CREDIT)) for shape, times in wanted]


def kind_of(trap: str) -> str:
    """The kind of a trap by its name, in one or two words."""
    for ending, kind in ((SILENT, "silent host"), (REPEATS, "repeated directories"), (DEEP, "too many directories")):
        if trap.endswith(ending):
            return kind
    if IDLE in trap:
        return "idle parameter"
    if trap.startswith("*.") or not trap.endswith("/**"):
        return "domain" if trap.endswith("/**") else "pattern"
    return "host" if trap.count("/") == 1 else "directory"


def _plain_trap(url: str) -> str | None:
    """The trap of an address by the two rules that do not depend on yield."""
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
