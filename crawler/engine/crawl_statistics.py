"""Counts of a running crawl, and its state at one moment, for people and for `--json`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from semantic.records import Counters


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of the crawl. Totals are over all its sessions; `pages_per_s`, `errors_by_kind` and `refusals` are of
    this run.

    - `seconds`: of crawling. `queued`: waiting links; `best`: the best of them, with its priority.
    - `refusals`: by reason. `outside`: addresses out of scope that this run found, by the option that says so.
    - `stopped`: '' while running, then `max-pages`, `enough` (results), `covered` (every concept), `queue-empty`,
      `unreachable` (what waits is out of reach), `interrupted`, or `changed` (another session continues the run).
    - `cut`: links that wait behind traps, and the number of these traps. `too_deep`: links beyond the crawl's depth.
    - `wanted`: pages still to be fetched again; `asked`: what happened to the others (`crawler.recrawl.revisits`).
    - `graph_at`: the number of pages on topic when this run first read the link graph G_w, None if it never did.
    - `copies`: addresses with the text of another page. `given_up`: what is no longer requested, and why.
    - `covered`: covered concepts and all that can be covered, None without a coverage goal; `lacking`: at the end, the
      concepts that are not covered, with their pages (`crawler.engine.coverage_goal`).
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
    """Counts of one run, over all its sessions.

    - `began`: the crawl's totals when the run began.
    - `errors`: by kind; `refusals`: by reason; `outside`: addresses out of scope, by the option that says so.
    - `asked`: what happened to pages that were fetched again.
    - `graph_at`: pages on topic when the link graph was first read.
    - `given_up`: what is no longer requested, and why.
    """

    began: Counters
    errors: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    graph_at: int | None = None
    given_up: str = ""
    outside: Counter[str] = field(default_factory=Counter)


class Tally:
    """The totals of the crawl during this session. Times are seconds of the session's clock."""

    def __init__(self, before: Counters, run: RunCounts) -> None:
        """`before`: the totals when this session began."""
        self.run = run
        self.pages, self.requests = before.pages, before.requests
        self.errors, self.copies = before.errors, before.copies
        self.now = 0.0
        self._before = before
        self._began: float | None = None

    def tick(self, now: float) -> bool:
        """Set the time; returns whether this is the first call."""
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
        """The totals. `inversions`: those of this session."""
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
        """Pages per second in this run; 0 before any time has passed."""
        seconds = self.totals(0, 0).seconds - self.run.began.seconds
        return (self.pages - self.run.began.pages) / seconds if seconds > 0 else 0.0
