"""robots.txt by RFC 9309: read, asked, and fetched once per origin (scheme, host, port) before its first page.

- an answer 2xx is read: UTF-8, a BOM dropped, the first 500 KiB (RFC 9309, 2.5) without the line that is cut there;
  lines end at CR and LF only (2.2), and a line that is no rule ends no group (2.2.4);
- 4xx allows everything (2.3.1.3) but 429, which like 5xx and no answer at all (2.3.1.4) forbids everything for now: the
  origin rests and is asked again after 1, 2, 4 ... seconds (one that never answered: 1, 4, 16 ...), up to an hour, or
  when Retry-After says. Its pages wait; an outage ends no host. So does one that takes more than `PATIENCE` seconds,
  with its redirects and tries;
- redirects are followed up to five times, also to other hosts (2.3.1.2); more, or one that leads nowhere, allow all;
- what is known holds for a day (2.4), or until a page of the origin gets no answer: then robots.txt is asked for first,
  so that in an outage it is robots.txt that is tried again and again, not one page after another.

Rules that were read take 20 times the room of their text. So the texts are kept, packed, and the rules of those that
were asked last (`_Recent`): a crawl may know the files of 50,000 hosts.

Only this file imports protego.
"""

import codecs
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from urllib.parse import quote

from protego import Protego

from crawler.politeness.pacing import PATIENCE, passing, retry_after
from crawler.ports import Failed, Fetched, Outcome, Refused, is_redirect, seconds_of
from semantic.parsing.sitemaps import SITEMAPS
from semantic.urls import normalise

AGENT = "ontocrawl"  # the product token that robots.txt files may name
MAX_BYTES = 500 * 1024
MAX_REDIRECTS = 5
PATH = "/robots.txt"
_ROBOT = re.compile(r"\s*user(?:-|\s+)?agent(?=[\s:])\s*:?\s*(\*(?=\s|#|$)|[\w-]*).*", re.I)  # as Protego reads them
_FIELD = re.compile(  # the other lines that say something to us; the misspellings are those that Protego knows
    r"\s*(?:(?P<Allow>allow)|(?P<Disallow>disallow|dissallow|dissalow|disalow|diasllow|disallaw)"
    r"|(?P<Sitemap>sitemaps?|site-map)|(?P<Delay>crawl(?:-|\s+)delay))(?:\s*:|\s+|$)(?P<value>[^#]*)",
    re.I,
)
_SPELLED = {"Allow": "Allow", "Disallow": "Disallow", "Sitemap": "Sitemap", "Delay": "Crawl-delay"}
_LINE_END = re.compile(r"\r\n?|\n")
_CUT_BY_PYTHON = str.maketrans({mark: quote(mark) for mark in "\v\f\x1c\x1d\x1e\x85\u2028\u2029"})  # as line ends
KEEP_SECONDS = 86_400.0
REST_CAP = 3600.0  # seconds between two tries of an origin out of reach
TRIES = 4  # of an origin that never answered before a crawl may end without it: 21 seconds
RECENT = 2_000_000  # characters of files whose rules are at hand: about 40 MB
LOST = frozenset({"dns", "no network", "no proxy"})  # what fails where the way out itself is missing
LOST_TRIES = 2  # of an origin that fails so, while no origin at all has answered: 1 second
OUTAGE_SECONDS = 600.0  # the same for one that did answer, or says by Retry-After when it will


@dataclass(frozen=True, slots=True)
class Robots:
    """What an origin allows. `denial`: why nothing, or ''; `delay`: Crawl-delay in seconds; `text`: the file.

    `sitemaps`: what it names, the first few.
    """

    text: str = ""
    delay: float | None = None
    denial: str = ""
    sitemaps: tuple[str, ...] = ()
    _rules: bytes = field(default=b"", repr=False, compare=False)  # packed

    def refusal(self, url: str) -> str:
        """Why this address may not be fetched; '' if it may."""
        if self.denial:
            return self.denial
        if self._rules and not _RULES.of(self._rules).can_fetch(url, AGENT):
            return "robots.txt"
        return ""


class _Recent:
    """The rules of packed files, those that were asked last."""

    def __init__(self) -> None:
        self._held: dict[bytes, tuple[Protego, int]] = {}  # with the characters of the file
        self._size = 0

    def of(self, packed: bytes) -> Protego:
        """Read a file's rules, if they are not at hand."""
        found = self._held.pop(packed, None)
        if found is None:
            text = zlib.decompress(packed).decode("utf-8", "surrogatepass")
            found = Protego.parse(text), len(text)
            self._size += len(text)
        self._held[packed] = found  # the last one now
        while self._size > RECENT and len(self._held) > 1:
            _, size = self._held.pop(next(iter(self._held)))
            self._size -= size
        return found[0]


_RULES = _Recent()


ALLOW_ALL = Robots()


def robots_url(url: str) -> str:
    """The address of the robots.txt that rules a normalised address."""
    scheme, _, host, *_ = url.split("/", 3)
    return f"{scheme}//{host}{PATH}"


def origins_of(host: str) -> tuple[str, str]:
    """The origins of a host with its port, each by the address of its robots.txt."""
    return f"http://{host}{PATH}", f"https://{host}{PATH}"


def is_robots_url(url: str) -> bool:
    """Whether a normalised address is one of a robots.txt: no page of the crawl."""
    return url.count("/") == 3 and url.partition("?")[0].endswith(PATH)


def read_robots(body: bytes) -> Robots:
    """Read a robots.txt; what is no rule (a web page, say) is left out, as RFC 9309 2.2 has it."""
    if len(body) > MAX_BYTES:
        body = body[: max(body.rfind(b"\n", 0, MAX_BYTES), body.rfind(b"\r", 0, MAX_BYTES)) + 1]
    text = body.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    lines = list(_plain_lines(_LINE_END.split(text)))
    if not lines:
        return ALLOW_ALL
    packed = zlib.compress("\n".join(lines).encode("utf-8", "surrogatepass"))
    rules = _RULES.of(packed)
    sitemaps = dict.fromkeys(filter(None, map(normalise, islice(rules.sitemaps, SITEMAPS))))
    return Robots(text, rules.crawl_delay(AGENT), "", tuple(sitemaps), packed)


def _plain_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines that say something to us, each kind in one spelling.

    A group of robots ends at the first User-agent after a rule. For Protego any other line ends it, too. So lines of
    other kinds are left out, and after a Crawl-delay, which is for the robots named above it, the robots of the group
    are named again.
    """
    group: dict[str, None] = {}
    has_rules = has_delay = False
    for line in lines:
        robot, field = _ROBOT.fullmatch(line), _FIELD.match(line)
        if robot:
            if has_rules:
                group.clear()
            elif has_delay:
                yield from group
            has_rules = has_delay = False
            name = f"User-agent: {_token(robot[1])}"
            group[name] = None
            yield name
        elif field:
            kind = next(kind for kind in _SPELLED if field[kind])
            has_rules = has_rules or kind in ("Allow", "Disallow")
            has_delay = has_delay or kind == "Delay"
            if group or kind == "Sitemap":
                yield f"{_SPELLED[kind]}: {field['value'].strip().translate(_CUT_BY_PYTHON)}"


def _token(robot: str) -> str:
    """A robot's name; one that is not ours says no more than that.

    RFC 9309, 2.2.1: by the whole product token. Protego takes the beginning of a name for the name, does not know one
    with its version, and keeps all rules for each of ten thousand names.
    """
    return robot if robot.lower() in ("*", AGENT) else "another"


def final_robots(outcome: Outcome) -> Robots | None:
    """What the last answer for a robots.txt means (a redirect: one that leads nowhere); None: it is out of reach."""
    if isinstance(outcome, Refused):
        return Robots(denial=outcome.reason)
    if isinstance(outcome, Failed) or passing(outcome):
        return None
    return read_robots(outcome.body) if 200 <= outcome.status < 300 else ALLOW_ALL


@dataclass(frozen=True, slots=True)
class Visited:
    """What an answer leads to: another address to `fetch`, or `origins` whose `robots` are known now, or neither.

    `robots` is None where the origins are out of reach and rest; `error`: in a word why, where it is their first time.
    """

    fetch: str | None = None
    origins: tuple[str, ...] = ()
    robots: Robots | None = None
    error: str = ""


@dataclass(slots=True)
class _Visit:
    """One robots.txt on its way, and the origins (by the address of their robots.txt) that wait for it.

    `seconds` that were spent on the redirects before it.
    """

    origins: list[str]
    redirects: int
    seconds: float


@dataclass(slots=True)
class _Rest:
    """An origin out of reach: asked in vain so often, for the first time at `since`, not again before `until`.

    `seconds` were spent on its answers.
    """

    since: float
    tries: int = 0
    seconds: float = 0.0
    until: float = 0.0
    error: str = ""

    @property
    def reason(self) -> str:
        return f"robots.txt unreachable: {self.error}"


class Gate:
    """What is known of each origin's robots.txt, and which are on their way or rest. Times are seconds of any clock.

    An origin is named by `robots_url`.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[Robots, float]] = {}  # with the time until which it holds
        self._visits: dict[str, _Visit] = {}
        self._pending: set[str] = set()
        self._rests: dict[str, _Rest] = {}
        self._met: set[str] = set()  # origins that have answered, by rules or by when they will

    def known(self, origin: str, now: float) -> Robots | None:
        """The rules of an origin; None if not known, or for too long."""
        robots, until = self._known.get(origin, (None, 0.0))
        return robots if now < until else None

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The sitemaps that the robots.txt over an address names."""
        robots, _ = self._known.get(robots_url(url), (ALLOW_ALL, 0.0))
        return robots.sitemaps

    def open(self, origin: str) -> bool:
        """An origin's rules are wanted; True if its robots.txt must be fetched, False if it is on its way."""
        if origin in self._pending:
            return False
        self._pending.add(origin)
        return self._visit(origin, [origin], 0, 0.0)

    @property
    def on_their_way(self) -> list[str]:
        """The addresses of robots.txt files that are to be asked for, or are being asked for."""
        return list(self._visits)

    def doubt(self, origin: str) -> None:
        """A page of the origin got no answer: its robots.txt is wanted anew."""
        self._known.pop(origin, None)

    def rests_until(self, origin: str) -> float:
        """When an origin that is out of reach may be asked again; 0 for others."""
        rest = self._rests.get(origin)
        return rest.until if rest else 0.0

    def is_unheard(self, origin: str) -> bool:
        """Whether an origin was asked, and has never answered."""
        return origin in self._rests and origin not in self._met

    def hopeless(self, now: float) -> Iterator[tuple[str, str]]:
        """Origins out of reach for so long that no crawl need wait for them alone, and why."""
        for origin, rest in self._rests.items():
            tries = TRIES if self._met or rest.error not in LOST else LOST_TRIES
            patient = origin in self._met or (rest.tries < tries and rest.seconds < PATIENCE)
            if not patient or now - rest.since >= OUTAGE_SECONDS:
                yield origin, rest.reason

    def receive(self, outcome: Outcome, now: float, stamp: str) -> Visited:
        """Take an answer for a robots.txt that came at `now` (and `stamp`). Only the rules are kept, not the text."""
        visit = self._visits.pop(outcome.url)
        target = _target(outcome) if visit.redirects < MAX_REDIRECTS else None
        seconds = visit.seconds + seconds_of(outcome)
        if target is not None:
            if seconds < PATIENCE:
                on_its_way = not self._visit(target, visit.origins, visit.redirects + 1, seconds)
                return Visited(None if on_its_way else target)
            outcome = Failed(outcome.url, "timeout")
        self._pending.difference_update(visit.origins)
        robots = final_robots(outcome)
        if robots is None:
            error = outcome.kind if isinstance(outcome, Failed) else f"http {getattr(outcome, 'status', '')}"
            asked = retry_after(outcome, stamp)
            if asked:
                self._met.update(visit.origins)
            if isinstance(outcome, Failed) and not outcome.asked:
                asked, seconds = REST_CAP, PATIENCE
            tries = [self._rest(origin, error, now, asked, seconds) for origin in visit.origins]
            return Visited(None, tuple(visit.origins), None, error if 1 in tries else "")
        for origin in visit.origins:
            self._known[origin] = replace(robots, text=""), now + KEEP_SECONDS
            self._rests.pop(origin, None)
        self._met.update(visit.origins)
        return Visited(None, tuple(visit.origins), robots)

    def _rest(self, origin: str, error: str, now: float, at_least: float, seconds: float) -> int:
        """Let an origin rest; returns how often it was asked in vain."""
        rest = self._rests.setdefault(origin, _Rest(now))
        longer = 2.0 if origin in self._met else 4.0
        rest.until = now + max(at_least, min(REST_CAP, longer ** min(rest.tries, 60)))
        rest.tries += 1
        rest.seconds += seconds
        rest.error = error
        return rest.tries

    def _visit(self, url: str, origins: list[str], redirects: int, seconds: float) -> bool:
        coming = self._visits.get(url)
        if coming is not None:
            coming.origins.extend(origins)
            return False
        self._visits[url] = _Visit(origins, redirects, seconds)
        return True


def _target(outcome: Outcome) -> str | None:
    if not isinstance(outcome, Fetched) or not is_redirect(outcome.status, outcome.headers):
        return None
    return normalise(outcome.headers["location"], outcome.url)
