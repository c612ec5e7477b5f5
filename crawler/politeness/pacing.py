"""How often a host may be asked: one pace per host.

Rules
- the gap runs from the end of one answer to the start of the next request: never shorter than `--delay`, the host's own
  Crawl-delay (up to `CRAWL_DELAY_CAP`) and what Retry-After asks for (RFC 9110, 10.2.3; seconds or a date), of the next
  run, too;
- with a delay, the gap is as long as the host's answers take (a mean that halves the weight of older ones, up to
  `SLOW_CAP`): a host in difficulties is busy with this crawl for half of the time at most;
- 429 and 503 double the gap (`TURNED_AWAY` s at least, up to `REST_CAP`) beyond what Retry-After asks for; each other
  answer takes a tenth off it, until the delay holds again;
- at most `per_host` requests are open at once, more than one only without a gap;
- trouble (time-out, refused connection, 429, 5xx) rests the host for 1, 2, 4 ... 60 s, counted from the last good
  answer: a single broken page costs its host seconds, a dead host takes no connection from the others.

A host is a name with its port, whatever the scheme.

How often an address without an answer is asked again, and for how long in all. Pure.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from crawler.ports import Failed, Fetched, Outcome, seconds_of

RETRIES = 2
LATER = 5  # where Retry-After says when
CRAWL_DELAY_CAP = 60.0  # seconds; a longer Crawl-delay is taken as this
RETRY_AFTER_CAP = 86_400.0  # seconds
AWAY_SECONDS = 3600.0  # that a crawl waits for a host alone, where Retry-After asks for more
AWAY = "Retry-After: not for an hour or more"
REST_CAP = 60.0  # seconds
SLOW_CAP = 30.0  # seconds
PATIENCE = 30.0  # seconds that one address may take, all its tries together; a robots.txt with its redirects
TURNED_AWAY = 0.5  # seconds: a gap shorter than this counts as this when it is doubled, and as none when it shrinks
PASSING = frozenset({"timeout", "connect", "dns", "read", "proxy"})  # kinds of `Failed` that may go well the next time


class Tries:
    """The addresses that were asked in vain and wait to be asked again."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[int, float]] = {}  # how many, and the seconds that they took

    def again(self, url: str, outcome: Outcome, *, told: bool) -> bool:
        """Count an answer in vain; whether the address may be asked again. `told`: Retry-After said when."""
        count, seconds = self._made.pop(url, (0, 0.0))
        count, seconds = count + 1, seconds + seconds_of(outcome)
        again = count <= (LATER if told else RETRIES) and seconds < PATIENCE
        if again:
            self._made[url] = count, seconds
        return again

    def end(self, url: str) -> None:
        """It has ended."""
        self._made.pop(url, None)


@dataclass(slots=True)
class _Pace:
    delay: float
    at: float = 0.0  # not before (seconds)
    open: int = 0  # requests without an answer yet
    troubles: int = 0  # in a row
    longer: float = 0.0  # the gap that 429 and 503 have made necessary
    latency: float = 0.0  # mean of the answers' times, the later the heavier

    def gap(self) -> float:
        return max(self.delay, self.longer, min(SLOW_CAP, self.latency) if self.delay else 0.0)

    def learn(self, outcome: Outcome) -> None:
        """Let what the host answers change its gap."""
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
        self._told: set[str] = set()  # hosts that have asked for more than `AWAY_SECONDS`

    @property
    def hosts(self) -> list[str]:
        """Those that have a pace."""
        return list(self._paces)

    def start(self, host: str) -> float:
        """Note a request; returns from when the host may be asked again, inf: not before an answer."""
        pace = self._pace(host)
        pace.open += 1
        return self._next(pace)

    def finish(self, host: str, outcome: Outcome, now: float, stamp: str) -> float:
        """Note an answer that came at `now` (and `stamp`, ISO text); returns from when the host may be asked again."""
        pace = self._pace(host)
        pace.open -= 1
        pace.learn(outcome)
        rest = pace.gap()
        if passing(outcome):
            pace.troubles += 1
            asked = retry_after(outcome, stamp)
            rest = max(rest, min(REST_CAP, 2.0 ** (pace.troubles - 1)), asked)
            if asked > AWAY_SECONDS:
                self._told.add(host)
        else:
            pace.troubles = 0
        pace.at = max(pace.at, now + rest)
        return self._next(pace)

    def leave(self, host: str, at: float, now: float) -> None:
        """A host has asked before this run to be left alone until `at`."""
        pace = self._pace(host)
        pace.at = max(pace.at, at)
        if at - now > AWAY_SECONDS:
            self._told.add(host)

    def away(self, now: float) -> Iterator[str]:
        """Hosts that have asked to be left alone for longer from now than a crawl waits for them alone."""
        return (host for host in self._told if self._paces[host].at - now > AWAY_SECONDS)

    def ask_delay(self, host: str, seconds: float | None) -> float:
        """Take a host's Crawl-delay; returns the delay (seconds) that holds for it."""
        pace = self._pace(host)
        if seconds is not None and pace.delay < seconds:
            longer = min(seconds, max(CRAWL_DELAY_CAP, pace.delay))
            pace.at += longer - pace.delay
            pace.delay = longer
        return pace.delay

    def next_time(self, host: str) -> float:
        """From when the host may be asked; inf: not before an answer."""
        return self._next(self._pace(host))

    def rests_until(self, host: str) -> float:
        """From when the host may be asked, were there no request open."""
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
    """The seconds that Retry-After asks for on a 429 or 503 that came at `stamp` (ISO text); 0 without."""
    if not isinstance(outcome, Fetched) or outcome.status not in (429, 503):
        return 0.0
    return min(RETRY_AFTER_CAP, _seconds(outcome.headers, stamp))


def after(stamp: str, seconds: float) -> str:
    """The time so many seconds after a stamp (ISO text), in UTC."""
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
