"""How often a host may be asked: each host has its own pace.

Rules
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

`Tries`: how often, and for how long in all, an address without an answer is asked again. No I/O.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from crawler.ports import Failed, Fetched, Outcome, seconds_of

# All numbers of this block are chosen, not measured.
RETRIES = 2  # of an address without an answer
RETRIES_WITH_TIME = 5  # of an address whose host says by Retry-After when to ask again
CRAWL_DELAY_CAP = 60.0  # seconds; a longer Crawl-delay is shortened to this
RETRY_AFTER_CAP = 86_400.0  # seconds; a longer Retry-After is shortened to this
AWAY_SECONDS = 3600.0  # a crawl in which nothing else is left waits no longer than this for a host's Retry-After
AWAY = "Retry-After: not for an hour or more"
REST_CAP = 60.0  # seconds; longest rest after trouble
SLOW_CAP = 30.0  # seconds; longest gap because of slow answers
PATIENCE = 30.0  # seconds for one address, all its tries together; for a robots.txt, its redirects included
TURNED_AWAY = 0.5  # seconds; shortest gap after 429 or 503
PASSING = frozenset({"timeout", "connect", "dns", "read", "proxy"})  # kinds of `Failed` that may succeed the next time


class Tries:
    """The addresses that were asked without success and wait to be asked again."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[int, float]] = {}  # address -> number of tries, and the seconds that they took

    def again(self, url: str, outcome: Outcome, *, has_time: bool) -> bool:
        """Count a try without success; returns whether the address may be asked again. `has_time`: Retry-After said
        when.
        """
        count, seconds = self._made.pop(url, (0, 0.0))
        count, seconds = count + 1, seconds + seconds_of(outcome)
        again = count <= (RETRIES_WITH_TIME if has_time else RETRIES) and seconds < PATIENCE
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
