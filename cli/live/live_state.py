"""What is shown of a running crawl, and what a person can request. Nothing here uses the network."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from cli.render.language import listed, reason_told, tr
from cli.render.live_progress import time_left, waits
from cli.render.terminal import clean
from crawler.engine.crawl_records import Progress
from crawler.engine.steering import Steering
from ontology.errors import SettingsError
from semantic.reasons import Reasons
from semantic.records import MARKS, Mark
from semantic.urls import host_of, readable

HOSTS = 20  # with the best links
POINTS = 200  # of the curve: past that every second one goes
SHARE = 0.02  # of one core that making a state may cost: one that took 10 ms is given for half a second
LEAST_SECONDS = 0.5  # for which the same state is given again
LONG = 500  # characters of any text that is shown


class LiveState:
    """`max_pages` tells how many are wanted; `stop` ends the crawl as Ctrl-C does.

    `takes_marks`: whether the strategy makes anything of marks.
    """

    def __init__(
        self, steering: Steering, max_pages: Callable[[], int], stop: Callable[[], None], *, takes_marks: bool
    ) -> None:
        self._steering = steering
        self._max_pages = max_pages
        self._stop = stop
        self._takes_marks = takes_marks
        self._progress = Progress()
        self._curve: list[tuple[int, int, float | None, float | None]] = []
        self._every = 1  # pages between two points of the curve, at least
        self._before = (0, 0.0, 0.0)  # the sums of `Steering` when the last point was made
        self._marked: dict[str, Mark | None] = {}
        self._unjudged: set[str] = set()  # pages that were marked since all were judged again
        self._told = b""
        self._tell_at = 0.0

    def observe(self, progress: Progress) -> None:
        """The figures of this moment; called four times a second."""
        self._progress = progress
        last = self._curve[-1][0] if self._curve else 0
        if progress.pages >= last + self._every:
            self._curve.append((progress.pages, progress.on_topic, *self._means()))
            if len(self._curve) > POINTS:
                self._curve = self._curve[1::2]
                self._every *= 2

    def _means(self) -> tuple[float | None, float | None]:
        """The mean priority and relevance of the pages since the last point."""
        steering, (judged, priority, relevance) = self._steering, self._before
        number = steering.judged - judged
        self._before = (steering.judged, steering.priority_sum, steering.relevance_sum)
        if not number:
            return None, None
        return (steering.priority_sum - priority) / number, (steering.relevance_sum - relevance) / number

    def told(self) -> bytes:
        """Everything that is shown, as JSON. The same text is given again while a new one would cost more than
        `SHARE`.
        """
        began = time.monotonic()
        if began >= self._tell_at:
            self._told = json.dumps(self._state(), ensure_ascii=False).encode("utf-8", "replace")
            now = time.monotonic()
            self._tell_at = now + max(LEAST_SECONDS, (now - began) / SHARE)
        return self._told

    def _state(self) -> dict[str, Any]:
        progress, steering = self._progress, self._steering
        best = progress.best
        return {
            "paused": steering.is_paused,
            "judging": steering.is_judging,
            "pages": progress.pages,
            "max_pages": self._max_pages(),
            "on_topic": progress.on_topic,
            "harvest_rate": progress.harvest_rate,
            "pages_per_s": progress.pages_per_s,
            "queued": progress.queued,
            "errors": progress.errors,
            "seconds": progress.seconds,
            "takes_marks": self._takes_marks,
            "to_judge": len(self._unjudged),
            "curve": self._curve,
            "waits": waits(progress),
            "left": time_left(progress),
            "next": best and {"shown": _text(readable(best[0])), "priority": best[1]},
            "under_way": [
                {"url": one.url, "shown": _text(readable(one.url)), "priority": one.priority, "why": _texts(one.why)}
                for one in steering.under_way()
            ],
            "hosts": [
                {
                    "host": one.host,
                    "shown": _text(readable(one.host)),
                    "waiting": one.waiting,
                    "priority": one.priority,
                    "best": _text(readable(one.best)),
                    "under_way": one.under_way,
                    "banned": one.is_banned,
                    "raised": one.is_raised,
                }
                for one in steering.hosts(HOSTS)
            ],
            "last": [
                {
                    "url": one.url,
                    "shown": _text(readable(one.url)),
                    "title": _text(one.title),
                    "priority": one.priority,
                    "relevance": one.relevance,
                    "on_topic": one.on_topic,
                    "reasons": _texts(one.reasons),
                    "why": _texts(one.why),
                    "mark": self._marked.get(one.url),
                }
                for one in reversed(steering.last)
            ],
        }

    def want(self, words: Mapping[str, Any]) -> None:
        """Do what a person requests. `do`: the name of the action; `host`, or `url` and `mark`: what it is applied to.

        Raises SettingsError.
        """
        does: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "pause": self._pause,
            "resume": self._resume,
            "stop": self._end,
            "mark": self._mark,
            "judge": self._judge,
            "ban": lambda words: self._steering.ban(_host(words)),
            "raise": self._raise,
            "clear_host": lambda words: self._steering.clear_host(_host(words)),
        }
        wanted = words.get("do")
        if not isinstance(wanted, str) or wanted not in does:
            raise SettingsError(
                tr("nothing is called {wanted!r}", wanted=wanted), tr("there are: {does}", does=listed(does))
            )
        does[wanted](words)
        self._tell_at = 0.0

    def _pause(self, _: Mapping[str, Any]) -> None:
        self._steering.is_paused = True

    def _resume(self, _: Mapping[str, Any]) -> None:
        self._steering.is_paused = False

    def _end(self, _: Mapping[str, Any]) -> None:
        self._stop()

    def _raise(self, words: Mapping[str, Any]) -> None:
        if self._steering.is_judging:  # there is no queue in which it could come first
            raise SettingsError(tr("all pages are being judged again"), tr("put the host first when that is done"))
        self._steering.raise_host(_host(words))

    def _mark(self, words: Mapping[str, Any]) -> None:
        url, mark = words.get("url"), words.get("mark")
        if not self._takes_marks:
            raise SettingsError("this strategy takes no marks", "crawl with --strategy fused")
        is_shown = isinstance(url, str) and any(one.url == url for one in self._steering.last)
        if not is_shown or mark not in (*MARKS, None):
            raise SettingsError("no page that is shown", "mark one of the last pages; others: {command} mark")
        self._steering.marks[str(url)] = self._marked[str(url)] = mark
        self._unjudged.add(str(url))

    def _judge(self, _: Mapping[str, Any]) -> None:
        self._steering.wants_judging = True
        self._unjudged.clear()


def _host(words: Mapping[str, Any]) -> str:
    host = words.get("host")
    if not isinstance(host, str) or not host or host_of(f"http://{host}/") != host:
        raise SettingsError("no host", "name one of those that are shown")
    return host


def _texts(reasons: Reasons) -> list[str]:
    return [_text(reason_told(reason)) for reason in reasons]


def _text(text: str) -> str:
    return clean(text)[:LONG]
