"""The decisions of a session (`Action`), and the limits of a crawl."""

import math
from dataclasses import dataclass

from crawler.frontier.scope import EVERYWHERE, Scope
from crawler.ports import Conditions, Outcome
from ontology.errors import SettingsError
from ontology.messages import message

# Connections from which a crawl prefers speed to order: it judges answers together (`crawler.engine.driver`), does not
# wait for the link graph, and opens all connections at once (`crawler.engine.admission`). Chosen by what the first of
# these costs: benchmarks/README.md, "Speed".
MANY = 32
CHANGED = "changed"  # reason of a stop after which another session continues the run


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a crawl.

    - `max_pages`: distinct pages answered 200, over all sessions.
    - `max_minutes`: of crawling in one run, None for any number.
    - `patience`: 0 to 1, how long a better link is waited for (`crawler.engine.patience`).
    - `delay`: seconds between requests to one host. `connections`, `per_host`: open requests in all and to one host.
    - `max_depth`: links from a seed on the path by which a page was found, None for any number.
    - `scope`: which addresses may be fetched.
    - `respects`: what is reserved for text and data mining is not fetched.
    """

    max_pages: int
    max_minutes: float | None = None
    patience: float = 0.98
    delay: float = 1.0
    connections: int = 16
    per_host: int = 1
    max_depth: int | None = None
    scope: Scope = EVERYWHERE
    respects: bool = False


@dataclass(frozen=True, slots=True)
class Fetch:
    """Request this address now. `robots`: as a robots.txt."""

    url: str
    robots: bool
    conditions: Conditions = ()


Answer = tuple[Fetch, Outcome]


@dataclass(frozen=True, slots=True)
class Wait:
    """Start nothing before this time (seconds). inf: before an answer comes. The present: ask for the next action at
    once.
    """

    until: float


@dataclass(frozen=True, slots=True)
class ReadGraph:
    """Save what is unsaved, read the store's link graph, and pass it to `receive_graph`: before the next action, or
    later, so that the crawl can go on meanwhile.

    `any_way`: if at most this many pages were fetched, the graph is to contain every path to a result.
    """

    any_way: int = 0


@dataclass(frozen=True, slots=True)
class ReadQueue:
    """Save what is unsaved, read the session's `nearest` links, and pass them to `receive_queue`, before anything else
    is done.
    """


@dataclass(frozen=True, slots=True)
class Done:
    """The crawl has ended."""

    reason: str


Action = Fetch | Wait | ReadGraph | ReadQueue | Done


def check_limits(limits: Limits) -> None:
    """Raise SettingsError if the limits contradict each other."""
    if limits.max_pages < 1 or limits.connections < 1 or limits.per_host < 1:
        raise SettingsError(
            "pages, connections and connections per host must be at least 1",
            "give --max-pages, --connections, --per-host 1 or more",
        )
    if limits.max_depth is not None and limits.max_depth < 0:
        raise SettingsError(
            message("the depth {max_depth} is invalid", max_depth=limits.max_depth),
            "give --max-depth 0 (seeds alone) or more",
        )
    if not 0 <= limits.delay < math.inf:
        raise SettingsError(message("the delay {delay} s is invalid", delay=limits.delay), "give seconds, 0 or more")
    if not 0 <= limits.patience <= 1:
        raise SettingsError(
            message("a patience of {patience} makes no sense", patience=limits.patience), "give a number from 0 to 1"
        )
    if limits.max_minutes is not None and not 0 < limits.max_minutes < math.inf:
        raise SettingsError(
            message("{max_minutes} minutes make no sense", max_minutes=limits.max_minutes),
            "give --max-minutes a number above 0",
        )
    if limits.per_host > 1 and limits.delay > 0:
        raise SettingsError(
            message(
                "{per_host} connections per host and a delay of {delay:g} s contradict each other",
                per_host=limits.per_host,
                delay=limits.delay,
            ),
            "use --per-host 1, or --delay 0 on hosts that are yours",
        )
