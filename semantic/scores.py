"""How much a page is about the topic, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Reason(NamedTuple):
    """One part of a score: `share` is what it adds, `what` names it, `detail` shows the evidence.

    `concept`: the IRI of what is named, where it is a concept: it may have several names, and share one.
    """

    share: float
    what: str
    detail: str = ""
    concept: str = ""

    def __str__(self) -> str:
        return f"{self.share:+.3f} {self.what}" + (f": {self.detail}" if self.detail else "")


Shares = tuple[tuple[str, float], ...]


def shares_of(reasons: Iterable[Reason]) -> Shares:
    """What each thing adds to a score: by its IRI, or by its name where it is no concept."""
    shares: dict[str, float] = {}
    for reason in reasons:
        of = reason.concept or reason.what
        shares[of] = shares.get(of, 0.0) + reason.share
    return tuple(shares.items())


@dataclass(frozen=True, slots=True)
class Relevance:
    """`score` >= 0, `on_topic` by the judge's threshold; the shares of `reasons` add up to the score."""

    score: float
    on_topic: bool
    reasons: tuple[Reason, ...] = ()


class Priority(NamedTuple):
    """The place of a link in the queue, higher first; the shares of `reasons` add up to the score."""

    score: float
    reasons: tuple[Reason, ...] = ()
