"""robots.txt by RFC 9309: read, asked, and fetched once per origin (scheme, host, port) before its first page.

- an answer 2xx is read: UTF-8, a BOM dropped, the first 500 KiB (RFC 9309, 2.5);
- 4xx allows everything (2.3.1.3) but 429, which like 5xx and no answer at all (2.3.1.4) forbids everything, after the
  tries that any request has;
- redirects are followed up to five times, also to other hosts (2.3.1.2); more, or one that leads nowhere, allow all.

Only this file imports protego.
"""

import codecs
from dataclasses import dataclass, field, replace

from protego import Protego

from crawler.politeness import passing
from crawler.ports import Failed, Fetched, Outcome, Refused
from semantic.addresses import normalise

AGENT = "ontocrawl"  # the product token that robots.txt files may name
MAX_BYTES = 500 * 1024
MAX_REDIRECTS = 5
PATH = "/robots.txt"


@dataclass(frozen=True, slots=True)
class Robots:
    """What an origin allows. `denial`: why nothing, or ''; `delay`: Crawl-delay in seconds; `text`: the file."""

    text: str = ""
    delay: float | None = None
    denial: str = ""
    _rules: Protego | None = field(default=None, repr=False, compare=False)

    def refusal(self, url: str) -> str:
        """Why this address may not be fetched; '' if it may."""
        if self.denial:
            return self.denial
        if self._rules is not None and not self._rules.can_fetch(url, AGENT):
            return "robots.txt"
        return ""


ALLOW_ALL = Robots()


def robots_url(url: str) -> str:
    """The address of the robots.txt that rules a normalised address."""
    scheme, _, host, *_ = url.split("/", 3)
    return f"{scheme}//{host}{PATH}"


def is_robots_url(url: str) -> bool:
    """Whether a normalised address is one of a robots.txt: no page of the crawl."""
    return url.count("/") == 3 and url.partition("?")[0].endswith(PATH)


def read_robots(body: bytes) -> Robots:
    """Read a robots.txt; what is no rule (a web page, say) is left out, as RFC 9309 2.2 has it."""
    text = body[:MAX_BYTES].removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    if "user-agent" not in text.lower():
        return ALLOW_ALL
    rules = Protego.parse(text)
    return Robots(text, rules.crawl_delay(AGENT), "", rules)


def final_robots(outcome: Outcome) -> Robots:
    """What the last answer for a robots.txt means; a redirect is one only where it leads nowhere."""
    if isinstance(outcome, Refused):
        return Robots(denial=outcome.reason)
    if isinstance(outcome, Failed):
        return Robots(denial=f"robots.txt unreachable: {outcome.kind}")
    if passing(outcome):
        return Robots(denial=f"robots.txt unreachable: http {outcome.status}")
    return read_robots(outcome.body) if 200 <= outcome.status < 300 else ALLOW_ALL


@dataclass(frozen=True, slots=True)
class Visited:
    """What an answer leads to: another address to `fetch`, or `origins` whose `robots` are known now, or neither."""

    fetch: str | None = None
    origins: tuple[str, ...] = ()
    robots: Robots = ALLOW_ALL


@dataclass(slots=True)
class _Visit:
    """One robots.txt on its way, and the origins (by the address of their robots.txt) that wait for it."""

    origins: list[str]
    redirects: int


class Gate:
    """What is known of each origin's robots.txt, and which are on their way. An origin is named by `robots_url`."""

    def __init__(self) -> None:
        self._known: dict[str, Robots] = {}
        self._visits: dict[str, _Visit] = {}
        self._pending: set[str] = set()

    def known(self, origin: str) -> Robots | None:
        """The rules of an origin; None if not known yet."""
        return self._known.get(origin)

    def open(self, origin: str) -> bool:
        """An origin's rules are wanted; True if its robots.txt must be fetched, False if it is on its way."""
        if origin in self._pending:
            return False
        self._pending.add(origin)
        return self._visit(origin, [origin], 0)

    def receive(self, outcome: Outcome) -> Visited:
        """Take an answer for a robots.txt. Only the rules are kept here, not the text."""
        visit = self._visits.pop(outcome.url)
        target = _target(outcome) if visit.redirects < MAX_REDIRECTS else None
        if target is not None:
            return Visited(target if self._visit(target, visit.origins, visit.redirects + 1) else None)
        robots = final_robots(outcome)
        self._known.update(dict.fromkeys(visit.origins, replace(robots, text="")))
        self._pending.difference_update(visit.origins)
        return Visited(None, tuple(visit.origins), robots)

    def _visit(self, url: str, origins: list[str], redirects: int) -> bool:
        coming = self._visits.get(url)
        if coming is not None:
            coming.origins.extend(origins)
            return False
        self._visits[url] = _Visit(origins, redirects)
        return True


def _target(outcome: Outcome) -> str | None:
    if not isinstance(outcome, Fetched) or not 300 <= outcome.status < 400:
        return None
    return normalise(outcome.headers.get("location", ""), outcome.url)
