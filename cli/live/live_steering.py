"""What a person does on the page while a crawl runs, put into the record between two saves.

Hosts that are banned or raised stay so in later runs. Marks are used for judging when that is requested.
"""

import time
from collections.abc import Iterable

from cli.render.language import listed, tr
from cli.render.terminal import say
from crawler.engine.steering import Steering
from graphdb.stores import Store
from semantic.records import HostRecord, Mark

AGAIN_SECONDS = 1.0  # until a page that was not saved yet is looked for again: about a batch
SHOWN = 5  # names in a line


class LiveHosts:
    """Restores what earlier runs were told of hosts, and stores changes between two saves."""

    def __init__(self, steering: Steering, store: Store) -> None:
        self._steering = steering
        self._store = store
        self._stored: dict[str, HostRecord] = {}

    def restore(self) -> None:
        """Ban and raise the hosts of earlier runs, and say which."""
        self._stored = {one.host: one for one in self._store.hosts_wanted()}
        self._steering.resume(self._stored.values())
        _tell(tr("  banned hosts"), (one.host for one in self._stored.values() if one.banned))
        _tell(tr("  hosts put first"), (one.host for one in self._stored.values() if one.raised))

    def keep(self) -> None:
        """Store what has changed. Costs nothing where nobody has banned or raised a host."""
        now = self._steering.hosts_wanted
        if now != self._stored:
            gone = [HostRecord(host) for host in self._stored if host not in now]
            self._store.save_hosts([*now.values(), *gone])
            self._stored = now


class LiveMarks:
    """`given`: all marks of this run, by address; None takes a mark away."""

    def __init__(self, steering: Steering, store: Store) -> None:
        self.given: dict[str, Mark | None] = {}
        self._steering = steering
        self._store = store
        self._look_at = 0.0

    def keep(self) -> bool:
        """Store new marks. Whether all pages are to be judged again by them. Costs nothing without marks."""
        steering = self._steering
        if steering.marks and time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + AGAIN_SECONDS
            marks, steering.marks = steering.marks, {}
            self.given |= marks
            steering.marks = {url: marks[url] for url in self._store.mark(marks)}
        if not steering.wants_judging or steering.marks:
            return False
        steering.wants_judging = False
        return True


def _tell(what: str, hosts: Iterable[str]) -> None:
    named = sorted(hosts)
    if named:
        more = " …" if len(named) > SHOWN else ""
        say(tr("{what}: {hosts}; to change it: {command} ui", what=what, hosts=listed(named[:SHOWN]) + more))
