"""What is counted while a crawl runs, and its figures at one moment, for people and for `--json`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from semantic.records import Counters


@dataclass(frozen=True, slots=True)
class Progress:
    """Totals over all sessions of the crawl; `pages_per_s`, `errors_by_kind` and `refusals` are this run's.

    `seconds` of crawling; `queued`: links that wait; `best`: the best of them with its priority; `refusals` by reason;
    `stopped`: '' while running, then `max-pages`, `enough` (results), `covered` (every concept), `queue-empty`,
    `unreachable` (what waits is out of reach), `interrupted`, or `changed` (another session of the run goes on); `cut`:
    links that wait behind traps, and behind how many; `wanted`: pages that are still to be asked for again, `asked`:
    what became of the others (`crawler.recrawl.revisits`); `graph_at`: how many pages on topic there were when this run
    first read the link graph G_w, None where it never did; `too_deep`: links that wait beyond the crawl's depth;
    `copies`: addresses with the text of a page; `given_up`: what is asked for no more, and why; `covered`: of how many
    of the concepts that can be covered there are enough pages on topic, None where that is not asked for; `lacking`: at
    the end the others with their pages (`crawler.engine.coverage_goal`); `outside`: addresses out of scope that this
    run found, by the option that says so.
    """

    pages: int = 0
    on_topic: int = 0
    requests: int = 0
    errors: int = 0
    inversions: int = 0
    seconds: float = 0.0
    pages_per_s: float = 0.0
    queued: int = 0
    best: tuple[str, float] | None = None
    errors_by_kind: Mapping[str, int] = field(default_factory=dict)
    refusals: Mapping[str, int] = field(default_factory=dict)
    stopped: str = ""
    cut: tuple[int, int] = (0, 0)
    wanted: int = 0
    asked: Mapping[str, int] = field(default_factory=dict)
    graph_at: int | None = None
    too_deep: int = 0
    copies: int = 0
    given_up: str = ""
    covered: tuple[int, int] | None = None
    lacking: Sequence[tuple[str, int]] = ()
    outside: Mapping[str, int] = field(default_factory=dict)

    @property
    def harvest_rate(self) -> float:
        """Pages on topic / pages; 0 before the first page."""
        return self.on_topic / self.pages if self.pages else 0.0


@dataclass(slots=True)
class RunCounts:
    """What is counted of one run, over all its sessions.

    `began`: the crawl's totals when the run began; `errors` by kind; `refusals` by reason; `asked`: what became of
    pages that were asked for again; `graph_at`: results when the link graph was first read; `given_up`: what is asked
    for no more, and why; `outside`: addresses out of scope, by the option that says so.
    """

    began: Counters
    errors: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    graph_at: int | None = None
    given_up: str = ""
    outside: Counter[str] = field(default_factory=Counter)


class Tally:
    """The totals of the crawl, as this session goes on. Times are seconds of the session's clock."""

    def __init__(self, before: Counters, run: RunCounts) -> None:
        """`before`: the totals when this session began."""
        self.run = run
        self.pages, self.requests = before.pages, before.requests
        self.errors, self.copies = before.errors, before.copies
        self.now = 0.0
        self._before = before
        self._began: float | None = None

    def tick(self, now: float) -> bool:
        """It is now this time; whether it is the first that is told."""
        is_first = self._began is None
        if is_first:
            self._began = now
        self.now = now
        return is_first

    def fail(self, kind: str) -> None:
        """Count an error."""
        self.errors += 1
        self.run.errors[kind] += 1

    def totals(self, on_topic: int, inversions: int) -> Counters:
        """The totals; `inversions`: of this session."""
        seconds = 0.0 if self._began is None else self.now - self._began
        return Counters(
            pages=self.pages,
            on_topic=on_topic,
            requests=self.requests,
            errors=self.errors,
            inversions=self._before.inversions + inversions,
            seconds=self._before.seconds + seconds,
            copies=self.copies,
        )

    def rate(self) -> float:
        """Pages a second of this run; 0 before any time has passed."""
        seconds = self.totals(0, 0).seconds - self.run.began.seconds
        return (self.pages - self.run.began.pages) / seconds if seconds > 0 else 0.0
