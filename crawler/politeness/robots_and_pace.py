"""Politeness to hosts: robots.txt, and how often a host may be asked. No I/O.

**robots.txt** by RFC 9309: parsing, matching, and fetching once for each origin (scheme, host, port) before its first
page.

- An answer 2xx is parsed: UTF-8, a BOM removed, the first 500 KiB (RFC 9309, 2.5) without the line that is cut there.
  Lines end at CR and LF only (2.2), and a line that is not a rule does not end a group (2.2.4).
- 4xx allows everything (2.3.1.3), except 429. 429, 5xx and no answer at all (2.3.1.4) forbid everything for now: the
  origin rests and is asked again after 1, 2, 4 ... seconds (1, 4, 16 ... if it never answered), up to an hour, or when
  Retry-After says. Its pages wait meanwhile, so an outage does not end a host. The same holds for a robots.txt that
  takes more than `TRYING` seconds, redirects and tries included.
- A transfer that breaks off is no answer, unless the same came of it before: then only its length is told wrongly, and
  these are the rules.
- Redirects are followed up to five times, also to other hosts (2.3.1.2). More, or one to nowhere, allow everything.
- The rules are used for a day (2.4), or until a page of the origin gets no answer. Then robots.txt is asked for first,
  so that in an outage robots.txt is tried again, and not one page after another.

Parsed rules take 20 times the memory of their text. So the texts are stored compressed, and only the most recently used
rules are stored parsed (`_Recent`): a crawl may know the files of 50,000 hosts.

Only this file imports protego.

**Pace.** Each host has its own.
- The gap runs from the end of one answer to the start of the next request. It is never shorter than `--delay`, than
  the host's Crawl-delay (up to `CRAWL_DELAY_CAP`), and than Retry-After requires (RFC 9110, 10.2.3; seconds or a date),
  in later runs too.
- With a delay, the gap is at least as long as the host's answers take (a running mean that halves the weight of older
  answers, up to `SLOW_CAP`): a host in difficulties is busy with this crawl for at most half of the time.
- 429 and 503 double the gap (to `TURNED_AWAY` s at least, `REST_CAP` at most), in addition to Retry-After. Each other
  answer shortens it by a tenth, until it is the delay again.
- At most `per_host` requests are open at once, and more than one only without a gap.
- After trouble (time-out, refused connection, 429, 5xx) the host rests for 1, 2, 4 ... 60 s, counted from the last good
  answer: a single broken page costs its host seconds, and a dead host takes no connection from the others.

A host is a name with its port, whatever the scheme.

`Tries`: how often, and for how long in all, an address without an answer is asked again.
"""

import codecs
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from itertools import islice
from urllib.parse import quote, unquote_to_bytes

from protego import Protego

from crawler.politeness.reservations import ReservationRule, read_tdmrep, reservation, signals_of, tdm_file
from crawler.ports import Failed, Fetched, Outcome, Refused
from semantic.parsing.charsets import decode
from semantic.parsing.document_types import is_redirect
from semantic.reasons import TEMPLATES, Reason, because
from semantic.terms.sitemap_choice import SITEMAPS
from semantic.urls import normalise, robots_url

# All numbers of this block are chosen, not measured.
RETRIES = 2  # of an address without an answer
RETRIES_WITH_TIME = 5  # of an address whose host says by Retry-After when to ask again
CRAWL_DELAY_CAP = 60.0  # seconds; a longer Crawl-delay is shortened to this
RETRY_AFTER_CAP = 86_400.0  # seconds; a longer Retry-After is shortened to this
AWAY_SECONDS = 3600.0  # a crawl in which nothing else is left waits no longer than this for a host's Retry-After
AWAY = because("Retry-After", because("not for an hour or more"))
REST_CAP = 60.0  # seconds; longest rest after trouble
SLOW_CAP = 30.0  # seconds; longest gap because of slow answers
TRYING = 30.0  # seconds for one address, all its tries together; for a robots.txt, its redirects included
TURNED_AWAY = 0.5  # seconds; shortest gap after 429 or 503
# kinds of `Failed` that may succeed the next time
PASSING = frozenset({"timeout", "connect", "dns", "read", "proxy", "no files"})


class Tries:
    """The addresses that were asked without success and wait to be asked again."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[int, float]] = {}  # address -> number of tries, and the seconds that they took

    def again(self, url: str, outcome: Outcome, *, has_time: bool) -> bool:
        """Count a try without success; returns whether the address may be asked again. `has_time`: Retry-After said
        when.
        """
        count, seconds = self._made.pop(url, (0, 0.0))
        count, seconds = count + 1, seconds + outcome.seconds
        again = count <= (RETRIES_WITH_TIME if has_time else RETRIES) and seconds < TRYING
        if again:
            self._made[url] = count, seconds
        return again

    def end(self, url: str) -> None:
        """Forget an address that was answered or given up."""
        self._made.pop(url, None)


@dataclass(slots=True)
class _Pace:
    delay: float
    at: float = 0.0  # time (seconds) from which it may be asked
    open: int = 0  # requests without an answer yet
    troubles: int = 0  # consecutive ones
    longer: float = 0.0  # seconds; the gap because of 429 and 503
    latency: float = 0.0  # seconds; running mean of the answers' durations

    def gap(self) -> float:
        return max(self.delay, self.longer, min(SLOW_CAP, self.latency) if self.delay else 0.0)

    def learn(self, outcome: Outcome) -> None:
        """Adapt the gap to an answer."""
        if not isinstance(outcome, Fetched):
            return
        self.latency = (self.latency + outcome.seconds) / 2 if self.latency else outcome.seconds
        if outcome.status in (429, 503):
            self.longer = min(REST_CAP, 2 * max(self.delay, self.longer, TURNED_AWAY))
        else:
            self.longer = 0.9 * self.longer if self.longer > max(self.delay, TURNED_AWAY) else 0.0


class Politeness:
    """The paces of all hosts. Times are seconds of the session's clock."""

    def __init__(self, delay: float, per_host: int) -> None:
        self._delay = delay
        self._per_host = per_host
        self._paces: dict[str, _Pace] = {}
        self._long_away: set[str] = set()  # hosts whose Retry-After was longer than `AWAY_SECONDS`

    @property
    def hosts(self) -> list[str]:
        """The hosts that have a pace."""
        return list(self._paces)

    def start(self, host: str) -> float:
        """Count a request; returns the time from which the host may be asked again, inf if not before an answer."""
        pace = self._pace(host)
        pace.open += 1
        return self._next(pace)

    def finish(self, host: str, outcome: Outcome, now: float, stamp: str) -> float:
        """Take an answer that came at `now` (`stamp`: as ISO text); returns the time from which the host may be asked
        again.
        """
        pace = self._pace(host)
        pace.open -= 1
        pace.learn(outcome)
        rest = pace.gap()
        if passing(outcome):
            pace.troubles += 1
            asked = retry_after(outcome, stamp)
            rest = max(rest, min(REST_CAP, 2.0 ** (pace.troubles - 1)), asked)
            if asked > AWAY_SECONDS:
                self._long_away.add(host)
        else:
            pace.troubles = 0
        pace.at = max(pace.at, now + rest)
        return self._next(pace)

    def leave(self, host: str, at: float, now: float) -> None:
        """Do not ask a host before `at`, because of a Retry-After of an earlier run."""
        pace = self._pace(host)
        pace.at = max(pace.at, at)
        if at - now > AWAY_SECONDS:
            self._long_away.add(host)

    def away(self, now: float) -> Iterator[str]:
        """Hosts whose Retry-After lasts longer from now than a crawl waits for them alone."""
        return (host for host in self._long_away if self._paces[host].at - now > AWAY_SECONDS)

    def ask_delay(self, host: str, seconds: float | None) -> float:
        """Apply a host's Crawl-delay; returns the delay (seconds) that is used for it."""
        pace = self._pace(host)
        if seconds is not None and pace.delay < seconds:
            longer = min(seconds, max(CRAWL_DELAY_CAP, pace.delay))
            pace.at += longer - pace.delay
            pace.delay = longer
        return pace.delay

    def next_time(self, host: str) -> float:
        """The time from which the host may be asked; inf if not before an answer."""
        return self._next(self._pace(host))

    def expected(self, host: str, now: float) -> tuple[float, float]:
        """The seconds until the host may probably be asked, inf after trouble; and from one request of it to the
        next. An answer is expected to take as long as those before.
        """
        pace = self._pace(host)
        cycle = pace.gap() + pace.latency
        if pace.troubles:
            return math.inf, cycle
        return cycle if pace.open else max(0.0, pace.at - now), cycle

    def rests_until(self, host: str) -> float:
        """The time from which the host may be asked if no request were open."""
        return self._pace(host).at

    def _pace(self, host: str) -> _Pace:
        pace = self._paces.get(host)
        if pace is None:
            pace = self._paces[host] = _Pace(self._delay)
        return pace

    def _next(self, pace: _Pace) -> float:
        room = 1 if pace.delay > 0 or pace.longer > 0 else self._per_host
        return pace.at if pace.open < room else math.inf


def passing(outcome: Outcome) -> bool:
    """Whether a failure is worth another try: time-outs, connection errors, 429 and 5xx."""
    if isinstance(outcome, Fetched):
        return outcome.status == 429 or outcome.status >= 500
    return isinstance(outcome, Failed) and outcome.kind in PASSING


def retry_after(outcome: Outcome, stamp: str) -> float:
    """The seconds that Retry-After asks for in a 429 or 503 that came at `stamp` (ISO text); 0 without."""
    if not isinstance(outcome, Fetched) or outcome.status not in (429, 503):
        return 0.0
    return min(RETRY_AFTER_CAP, _seconds(outcome.headers, stamp))


def after(stamp: str, seconds: float) -> str:
    """The time `seconds` after a stamp (ISO text), in UTC."""
    then = _aware(datetime.fromisoformat(stamp)) + timedelta(seconds=seconds)
    return then.astimezone(UTC).isoformat(timespec="milliseconds")


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _seconds(headers: Mapping[str, str], stamp: str) -> float:
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        until = parsedate_to_datetime(text)
        now = datetime.fromisoformat(stamp)
    except (ValueError, OverflowError):
        return 0.0
    return max(0.0, (_aware(until) - _aware(now)).total_seconds())


AGENT = "ontocrawl"  # the product token by which robots.txt files name this crawler
MAX_BYTES = 500 * 1024  # RFC 9309, 2.5
MAX_REDIRECTS = 5  # RFC 9309, 2.3.1.2
# User-agent lines, as Protego recognises them
_ROBOT = re.compile(r"\s*user(?:-|\s+)?agent(?=[\s:])\s*:?\s*(\*(?=\s|#|$)|[\w-]*).*", re.I)
_FIELD = re.compile(  # the other lines that are used; the misspellings are those that Protego knows
    r"\s*(?:(?P<Allow>allow)|(?P<Disallow>disallow|dissallow|dissalow|disalow|diasllow|disallaw)"
    r"|(?P<Sitemap>sitemaps?|site-map)|(?P<Delay>crawl(?:-|\s+)delay))(?:\s*:|\s+|$)(?P<value>[^#]*)",
    re.I,
)
_SPELLED = {"Allow": "Allow", "Disallow": "Disallow", "Sitemap": "Sitemap", "Delay": "Crawl-delay"}
_LINE_END = re.compile(r"\r\n?|\n")
_LINE_END_OF_BYTES = re.compile(rb"\r\n?|\n")
_CODED = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")  # bytes above ASCII
_ASCII = "".join(map(chr, range(128)))
# characters at which `str.splitlines` ends a line, but RFC 9309 does not
_CUT_BY_PYTHON = str.maketrans({mark: quote(mark) for mark in "\v\f\x1c\x1d\x1e\x85\u2028\u2029"})
KEEP_SECONDS = 86_400.0  # for which rules are used (RFC 9309, 2.4)
RECENT = 2_000_000  # characters of files whose rules are stored parsed: about 40 MB
# How long a crawl that has nothing else to do waits for an origin out of reach: chosen, not measured.
ORIGIN_REST_CAP = 3600.0  # seconds; longest time between two tries
TRIES = 4  # of an origin that never answered (21 seconds)
LOST = frozenset({"dns", "no network", "no proxy"})  # kinds of failure by which this machine itself may be offline
LOST_TRIES = 2  # of an origin that fails in such a way while no origin has ever answered (1 second)
OUTAGE_SECONDS = 600.0  # for an origin that answered before, or gave a Retry-After


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of an origin.

    - `text`: the file; `delay`: its Crawl-delay in seconds; `sitemaps`: the first few that it names.
    - `denial`: the reason why nothing is allowed, or None.
    - `signals`, `reserved`: what is reserved for text and data mining (`crawler.politeness.reservations`).
    """

    text: str = ""
    delay: float | None = None
    denial: Reason | None = None
    sitemaps: tuple[str, ...] = ()
    _rules: bytes = field(default=b"", repr=False, compare=False)  # compressed text
    signals: str = ""
    reserved: tuple[ReservationRule, ...] = ()

    def refusal(self, url: str) -> Reason | None:
        """The reason why this address may not be fetched; None if it may."""
        if self.denial:
            return self.denial
        if self._rules and not _RULES.of(self._rules).can_fetch(_told_apart(url), AGENT):
            return Reason("robots.txt")
        return None

    def reservation(self, url: str) -> str:
        """By what this address is reserved for text and data mining; '' if by nothing."""
        rule = reservation(self.reserved, "/" + url.split("/", 3)[3]) if self.reserved else None
        said = [f"Content-Signal: {self.signals}"] if self.signals else []
        if rule is not None:
            said.append(f"tdmrep.json: {rule.policy}" if rule.policy else "tdmrep.json")
        return ", ".join(said)


class _Recent:
    """Parsed rules of the most recently used files."""

    def __init__(self) -> None:
        self._parsed: dict[bytes, tuple[Protego, int]] = {}  # by compressed file: rules, characters
        self._size = 0

    def of(self, packed: bytes) -> Protego:
        """The rules of a compressed file; parses it if necessary."""
        found = self._parsed.pop(packed, None)
        if found is None:
            text = zlib.decompress(packed).decode("utf-8", "surrogatepass")
            found = Protego.parse(text), len(text)
            self._size += len(text)
        self._parsed[packed] = found  # moved to the end: the most recent
        while self._size > RECENT and len(self._parsed) > 1:
            _, size = self._parsed.pop(next(iter(self._parsed)))
            self._size -= size
        return found[0]


_RULES = _Recent()


ALLOW_ALL = Robots()


def read_robots(body: bytes, url: str | None = None) -> Robots:
    """Parse a robots.txt. Lines that are not rules (of a web page, for instance) are ignored (RFC 9309, 2.2).

    `url`: of the file, against which addresses of sitemaps are resolved.
    """
    if len(body) > MAX_BYTES:
        body = body[: max(body.rfind(b"\n", 0, MAX_BYTES), body.rfind(b"\r", 0, MAX_BYTES)) + 1]
    if b"\0" in body[:2]:  # the first character in two bytes
        body = (codecs.BOM_UTF16_LE if body[1:2] == b"\0" else codecs.BOM_UTF16_BE) + body
    text, charset = decode(body, None)
    given = _LINE_END.split(text) if charset.startswith("utf-") else list(_both_ways(body))
    lines = list(_plain_lines(given))
    signals = signals_of(given, AGENT) if "content-signal" in text.lower() else ""
    if not lines:
        return Robots(text, signals=signals) if signals else ALLOW_ALL
    packed = zlib.compress("\n".join(lines).encode("utf-8", "surrogatepass"))
    rules = _RULES.of(packed)
    sitemaps = dict.fromkeys(filter(None, (normalise(typed, url) for typed in islice(rules.sitemaps, SITEMAPS))))
    return Robots(text, rules.crawl_delay(AGENT), None, tuple(sitemaps), packed, signals)


def _both_ways(body: bytes) -> Iterator[str]:
    """The lines of a file that is not in UTF-8 (RFC 9309, 2.2.2), probably in GBK: what is not ASCII as the characters,
    which links spell in UTF-8, and as the bytes, which such a server may mean.
    """
    for line in _LINE_END_OF_BYTES.split(body):
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield line.decode("gb18030", "replace")
            yield quote(line, safe=_ASCII)


def _plain_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines that are used, each kind in one spelling.

    A group of robots ends at the first User-agent line after a rule. Protego also ends it at any other line. So other
    lines are dropped, and after a Crawl-delay, which applies to the robots named above it, the robots of the group are
    repeated.
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
                value = field["value"].strip().translate(_CUT_BY_PYTHON)
                yield f"{_SPELLED[kind]}: {value if kind == 'Sitemap' else _told_apart(value)}"


def _told_apart(path: str) -> str:
    """A path or a rule in which bytes that are no UTF-8 are %-coded twice: for Protego they are all the same."""
    return _CODED.sub(_coded_twice, path) if "%" in path else path


def _coded_twice(run: re.Match[str]) -> str:
    characters = unquote_to_bytes(run[0]).decode("utf-8", "surrogateescape")
    return "".join(f"%25{ord(one) - 0xDC00:02X}" if "\udc80" <= one <= "\udcff" else quote(one) for one in characters)


def _token(robot: str) -> str:
    """A robot's name; any name but `*` and ours is replaced by a placeholder.

    RFC 9309, 2.2.1: the whole product token must match. Protego compares the beginning of a name only, does not
    recognise a name with a version, and stores all rules for each of ten thousand names.
    """
    return robot if robot.lower() in ("*", AGENT) else "another"


def final_robots(outcome: Outcome) -> Robots | None:
    """The rules that follow from the last answer for a robots.txt (if a redirect: one to nowhere); None: it is out of
    reach.
    """
    if isinstance(outcome, Refused):
        return Robots(denial=outcome.reason)
    if isinstance(outcome, Failed) or passing(outcome):
        return None
    return read_robots(outcome.body, outcome.url) if 200 <= outcome.status < 300 else ALLOW_ALL


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """The result of an answer: another address to `fetch`, `origins` whose `robots` are known now, both, or neither.

    `robots`: None if the origins are out of reach and rest. `error`: the kind of failure, if it is their first.
    """

    fetch: str | None = None
    origins: tuple[str, ...] = ()
    robots: Robots | None = None
    error: str = ""


@dataclass(slots=True)
class _Visit:
    """A robots.txt being fetched, and the origins (by the address of their robots.txt) that wait for it.

    `seconds`: spent on the redirects before it. `robots`: the rules, where their `tdmrep.json` is fetched now.
    """

    origins: list[str]
    redirects: int
    seconds: float
    robots: Robots | None = None


@dataclass(slots=True)
class _Rest:
    """An origin out of reach: number of tries, time of the first (`since`), and time of the next (`until`).

    `seconds`: spent waiting for its answers. `came`: hash of what came of its robots.txt before the transfer broke off.
    """

    since: float
    tries: int = 0
    seconds: float = 0.0
    until: float = 0.0
    error: str = ""
    came: int = 0

    @property
    def reason(self) -> Reason:
        error = Reason(self.error) if self.error in TEMPLATES else self.error  # an HTTP status
        why = because("insecure", why=error, host="HOST") if self.error == "tls" else error
        return because("robots.txt unreachable", why)


class Gate:
    """The robots.txt of each origin: known, being fetched, or out of reach. Times are seconds of any clock.

    An origin is named by `robots_url`. `respects`: what is reserved for text and data mining is not fetched, and the
    `tdmrep.json` of each origin is asked for after its robots.txt.
    """

    def __init__(self, *, respects: bool = False) -> None:
        self._respects = respects
        self._known: dict[str, tuple[Robots, float]] = {}  # with the time until which it is valid
        self._visits: dict[str, _Visit] = {}
        self._pending: set[str] = set()
        self._rests: dict[str, _Rest] = {}
        self._met: set[str] = set()  # origins that have answered, with rules or with Retry-After

    def known(self, origin: str, now: float) -> Robots | None:
        """The rules of an origin; None if they are unknown or too old."""
        robots, until = self._known.get(origin, (None, 0.0))
        return robots if now < until else None

    def refusal(self, robots: Robots, url: str) -> Reason | None:
        """The reason why an address may not be fetched by these rules; None if it may."""
        reserved = robots.reservation(url) if self._respects else ""
        return robots.refusal(url) or (because("reserved", reserved) if reserved else None)

    def reservation(self, url: str) -> str:
        """By what the origin of an address reserves it for text and data mining; '' if by nothing that is known."""
        robots, _ = self._known.get(robots_url(url), (ALLOW_ALL, 0.0))
        return robots.reservation(url)

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The sitemaps named in the robots.txt that applies to an address."""
        robots, _ = self._known.get(robots_url(url), (ALLOW_ALL, 0.0))
        return robots.sitemaps

    def open(self, origin: str) -> bool:
        """Request an origin's rules; True if its robots.txt must be fetched, False if it is being fetched already."""
        if origin in self._pending:
            return False
        self._pending.add(origin)
        return self._visit(origin, [origin], 0, 0.0)

    def lacks(self, origin: str, now: float) -> bool:
        """Whether the rules of an origin are unknown or too old, and nobody has asked for them yet."""
        return origin not in self._pending and self.known(origin, now) is None

    @property
    def on_their_way(self) -> list[str]:
        """The addresses of robots.txt files that are waiting to be fetched or are being fetched."""
        return list(self._visits)

    def doubt(self, origin: str) -> None:
        """Fetch the robots.txt again before the next page, because a page of the origin got no answer."""
        self._known.pop(origin, None)

    def rests_until(self, origin: str) -> float:
        """The time from which an origin out of reach may be asked again; 0 for others."""
        rest = self._rests.get(origin)
        return rest.until if rest else 0.0

    def is_unheard(self, origin: str) -> bool:
        """Whether an origin was asked and has never answered."""
        return origin in self._rests and origin not in self._met

    def hopeless(self, now: float) -> Iterator[tuple[str, Reason]]:
        """Origins that have been out of reach for so long that a crawl need not wait for them alone; each with the
        reason.
        """
        for origin, rest in self._rests.items():
            tries = TRIES if self._met or rest.error not in LOST else LOST_TRIES
            patient = origin in self._met or (rest.tries < tries and rest.seconds < TRYING)
            if not patient or now - rest.since >= OUTAGE_SECONDS:
                yield origin, rest.reason

    def receive(self, outcome: Outcome, now: float, stamp: str) -> RobotsAnswer:
        """Take an answer for a robots.txt that came at `now` (`stamp`: as ISO text). Only the rules are stored, not the
        text.
        """
        visit = self._visits.pop(outcome.url)
        target = _target(outcome) if visit.redirects < MAX_REDIRECTS else None
        seconds = visit.seconds + outcome.seconds
        if target is not None and visit.robots is not None and target in self._visits:
            target = None  # two origins would get the rules of one
        if target is not None:
            if seconds < TRYING:
                on_its_way = not self._visit(target, visit.origins, visit.redirects + 1, seconds, visit.robots)
                return RobotsAnswer(None if on_its_way else target)
            outcome = Failed(outcome.url, "timeout", seconds=outcome.seconds)
        origins, file = visit.origins, None
        if visit.robots is None:
            robots = self._rules_of(outcome, origins)
            if robots is not None and (file := self._ask_reserved(origins, robots)):
                return RobotsAnswer(file)
        else:  # the first one's own; the others have theirs
            robots = replace(visit.robots, reserved=_reserved(outcome))
            if file := self._ask_reserved(origins[1:], visit.robots):
                origins = origins[:1]
        self._pending.difference_update(origins)
        if robots is None:
            return self._postponed(outcome, visit, now, stamp)
        for origin in origins:
            self._known[origin] = replace(robots, text=""), now + KEEP_SECONDS
            self._rests.pop(origin, None)
        self._met.update(origins)
        return RobotsAnswer(file, tuple(origins), robots)

    def _ask_reserved(self, origins: list[str], robots: Robots) -> str | None:
        """The `tdmrep.json` of the first of the origins with these rules; None where it is not to be fetched."""
        file = tdm_file(origins[0]) if self._respects and origins and not robots.denial else None
        if file is None or file in self._visits:
            return None
        self._visits[file] = _Visit(origins, 0, 0.0, robots)
        return file

    def _postponed(self, outcome: Outcome, visit: _Visit, now: float, stamp: str) -> RobotsAnswer:
        """Let the origins rest whose robots.txt did not come."""
        error = outcome.kind if isinstance(outcome, Failed) else f"http {getattr(outcome, 'status', '')}"
        asked, seconds = retry_after(outcome, stamp), visit.seconds + outcome.seconds
        if asked:
            self._met.update(visit.origins)
        if isinstance(outcome, Failed) and not outcome.asked:
            asked, seconds = ORIGIN_REST_CAP, TRYING
        tries = [self._rest(origin, error, now, asked, seconds) for origin in visit.origins]
        came = hash(outcome.body if isinstance(outcome, Failed) else b"")
        for origin in visit.origins:
            self._rests[origin].came = came
        return RobotsAnswer(None, tuple(visit.origins), None, error if 1 in tries else "")

    def _rest(self, origin: str, error: str, now: float, at_least: float, seconds: float) -> int:
        """Let an origin rest; returns how often it was asked without success."""
        rest = self._rests.setdefault(origin, _Rest(now))
        longer = 2.0 if origin in self._met else 4.0
        rest.until = now + max(at_least, min(ORIGIN_REST_CAP, longer ** min(rest.tries, 60)))
        rest.tries += 1
        rest.seconds += seconds
        rest.error = error
        return rest.tries

    def _rules_of(self, outcome: Outcome, origins: list[str]) -> Robots | None:
        """The rules in an answer, also in one that broke off if the same came of it before; None where it has none."""
        came = outcome.body if isinstance(outcome, Failed) else b""
        if came and any(hash(came) == self._rests[origin].came for origin in origins if origin in self._rests):
            return final_robots(Fetched(outcome.url, 200, {}, came))
        return final_robots(outcome)

    def _visit(
        self, url: str, origins: list[str], redirects: int, seconds: float, robots: Robots | None = None
    ) -> bool:
        coming = self._visits.get(url)
        if coming is not None:
            coming.origins.extend(origins)
            return False
        self._visits[url] = _Visit(origins, redirects, seconds, robots)
        return True


def _reserved(outcome: Outcome) -> tuple[ReservationRule, ...]:
    """The rules in an answer for a `tdmrep.json`; none where it has failed."""
    is_given = isinstance(outcome, Fetched) and outcome.status == 200 and len(outcome.body) <= MAX_BYTES
    return read_tdmrep(outcome.body) if is_given and isinstance(outcome, Fetched) else ()


def _target(outcome: Outcome) -> str | None:
    if not isinstance(outcome, Fetched) or not is_redirect(outcome.status, outcome.headers):
        return None
    return normalise(outcome.headers["location"], outcome.url)
