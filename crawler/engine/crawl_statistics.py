"""The crawl's figures at one moment, for people and for `--json`."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Progress:
    """Totals over all sessions of the crawl; `pages_per_s`, `errors_by_kind` and `refusals` are this run's.

    `seconds` of crawling; `queued`: links that wait; `best`: the best of them with its priority; `refusals` by reason;
    `stopped`: '' while running, then `max-pages`, `enough` (results), `queue-empty`, `unreachable` (what waits is out
    of reach), `interrupted`, or `changed` (another session of the run goes on); `cut`: links that wait behind traps,
    and behind how many; `wanted`: pages that are still to be asked for again, `asked`: what became of the others
    (`crawler.recrawl.revisits`); `graph_at`: how many pages on topic there were when this run first read the link
    graph G_w, None where it never did; `too_deep`: links that wait beyond the crawl's depth; `copies`: addresses with
    the text of a page; `given_up`: what is asked for no more, and why.
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

    @property
    def harvest_rate(self) -> float:
        """Pages on topic / pages; 0 before the first page."""
        return self.on_topic / self.pages if self.pages else 0.0
