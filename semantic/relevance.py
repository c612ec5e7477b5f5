"""How much a page is about the topic, and why."""

from dataclasses import dataclass
from typing import NamedTuple


class Reason(NamedTuple):
    """One part of a score: `share` is what it adds, `what` names it, `detail` shows the evidence."""

    share: float
    what: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.share:+.3f} {self.what}" + (f": {self.detail}" if self.detail else "")


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
