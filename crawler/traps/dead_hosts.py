"""Hosts that give no page: all that was asked of them failed, so that more of the same costs and brings nothing.

Theory. Links outlive what they lead to, and they fail by the host: its site is gone, it refuses crawlers (403 to all),
a firewall hides it. Most of what the pages of an archived web link to was never recorded, either. A failed request is
no page and takes no place in the order, but it takes time, and asks a host that has said no.

A host is *silent* once `FAILURES` of its addresses failed and none was a page; redirects and refusals by robots.txt say
nothing. And where more than `HOSTS` domains failed for each that gave a page (a crawl that sees one site and has no way
out), all hosts that gave none are taken for silent, but one in `ONE_IN`, chosen by its name: else a way out that opens
would never be seen. Domains, for below one of his own anybody can make up hosts, and so shut out others'. Links of
silent hosts are cut as those of traps are (`crawler.traps.trap_detection`), until a page comes.

Measured with `fused` on archived webs, before there was this: of 16,000 addresses of hosts that had failed before, less
than 20 times, 8 were pages; of 34,000 of hosts that had failed 20 times, one. For each host that gave a page up to 122
failed where most of the results lie on many hosts, and 350 to 2,900 where all lie on one.
"""

from collections import Counter
from zlib import crc32

from crawler.registered_domains import domain_of
from semantic.urls import host_of

FAILURES = 10
HOSTS = 300  # domains, by `domain_of`
ONE_IN = 10
SILENT = "...silent"
SILENT_HOSTS = f"*/{SILENT}"


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
