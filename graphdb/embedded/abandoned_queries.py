"""Ends queries for whose answer nobody waits: the command that asked was interrupted, took too long, or was killed.

The engine does not read from a connection while it answers a query, so it would not notice that the other end has hung
up. The kernel does: the connection is in another state than `established` (Linux, `/proc/net/tcp`; proc_net_tcp(5)).
"""

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SOURCES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
ESTABLISHED = "01"
YOUNG_MS = 1000  # a query that is younger is left alone: most are answered by then; chosen, not measured


class RunningQueries:
    """The queries that the engine is answering. `registry`: the engine's own list of them; `port`: of its server."""

    def __init__(self, registry: Any, port: int) -> None:
        self._registry = registry
        self._port = port

    def end_abandoned(self) -> None:
        """End those whose clients have hung up."""
        waiting = [query for query in self._registry.getRunning() if query.getElapsedMillis() > YOUNG_MS]
        if waiting:
            lines = [line for source in SOURCES for line in _lines(source)]
            there = client_ports(lines, self._port)
            for query in waiting if lines else ():
                if _port_of(str(query.getClientAddress())) not in there:
                    query.terminate("nobody waits for the answer")

    def end_all(self) -> None:
        """End all of them, as nobody uses the store."""
        for query in self._registry.getRunning():
            query.terminate("nobody uses the store")


def client_ports(lines: Iterable[str], port: int) -> set[int]:
    """The ports of the clients that are connected to this port, from lines of `/proc/net/tcp` without their heads."""
    rows = (line.split()[1:4] for line in lines)
    return {
        _hexadecimal(client) for server, client, state in rows if state == ESTABLISHED and _hexadecimal(server) == port
    }


def _hexadecimal(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _port_of(address: str) -> int:
    port = address.rpartition(":")[2]
    return int(port) if port.isdecimal() else -1


def _lines(source: Path) -> list[str]:
    with contextlib.suppress(OSError):  # no Linux: then no query is ended
        return source.read_text().splitlines()[1:]
    return []
