"""Fills the graph of a Neo4j server while a crawl runs: `python -m graphdb.graph.filling_process RECORD SERVER`.

A process of its own, because the driver's work would take processor time from the crawl. It reads the record as it is
after each save, so a server that is slow or away costs the crawl nothing: it is filled when it is back.

It writes one JSON object a line to standard output: {"filled": true, "marks": {…}} after each filling, with the marks
that a person has set in the graph since; {"away": "…"} while the server does not answer; {"failed": "…"} before it
ends by a mistake. A number on standard input asks for a filling at once, whose answer has it as `asked`; the end of
standard input ends the process, after the last filling.
"""

import json
import sys
import threading
from pathlib import Path

from graphdb.graph.filling import fill, marks_in
from graphdb.neo4j.bolt_driver import Connection
from graphdb.neo4j.credentials import address_of
from graphdb.record.database import Database
from graphdb.record.noted_changes import NotedChanges
from ontology.errors import StoreAway, StoreError

EVERY_SECONDS = 1.0  # between two fillings; chosen, not measured
RETRY_SECONDS = 5.0  # the same while the server is away; chosen, not measured


def main(record: Path, server: str) -> None:
    """Fill until standard input ends."""
    source, awake, ended = NotedChanges(Database(record, create=False)), threading.Event(), threading.Event()
    asked = 0

    def listen() -> None:
        nonlocal asked
        for line in sys.stdin:
            asked = int(line)
            awake.set()
        ended.set()
        awake.set()

    threading.Thread(target=listen, name="listening", daemon=True).start()
    graph: Connection | None = None
    while True:
        is_last = ended.is_set()
        awake.clear()
        answering = asked
        wait = EVERY_SECONDS
        try:
            graph = graph or Connection(address_of(server))
            fill(source, graph, server)
            _say(asked=answering, filled=True, marks=marks_in(source, graph, server))
        except StoreAway as error:
            graph, wait = None, RETRY_SECONDS
            _say(asked=answering, away=str(error))
        except StoreError as error:
            _say(failed=str(error))
            return
        if is_last:
            return
        awake.wait(wait)


def _say(**answer: object) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
