"""The graph of a Neo4j server that is filled while a crawl runs, as the crawl sees it.

`filling_process` does the work.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from graphdb.graph.filling import state_of
from graphdb.graph.link_graph import link_graph_of
from graphdb.neo4j.bolt_driver import Connection
from graphdb.neo4j.credentials import address_of
from ontology.child_process import child_environment
from ontology.errors import StoreError
from ontology.messages import message
from semantic.records import LinkGraph, Mark

ROOT = Path(__file__).resolve().parents[2]  # the folder that contains the packages, installed or not
PATIENCE_SECONDS = 30.0  # for a graph that is to be read; the record answers then; chosen, not measured


class FollowedCrawl:
    """A graph that follows the record of a crawl.

    - `server`: its address.
    - `tell`: receives a message when the server goes away, and when it is back.

    Raises StoreError if the server cannot be used now.
    """

    def __init__(self, server: str, tell: Callable[[str], None]) -> None:
        self._server = server
        self._tell = tell
        self._graph = Connection(address_of(server))
        state_of(self._graph)
        self._child: subprocess.Popen[str] | None = None
        self._answered = threading.Condition()
        self._asked = self._done = 0  # the last filling that was asked for, and the last that has ended
        self._is_filled = self._has_ended = self._is_away = False
        self._marks: Mapping[str, Mark | None] = {}
        self._listener = threading.Thread(target=self._listen, name="graph", daemon=True)

    def begin(self, record: Path) -> None:
        """Begin to fill the graph. `record`: the record's file, which has a crawl."""
        self._child = subprocess.Popen(
            [sys.executable, "-m", "graphdb.graph.filling_process", str(record.resolve()), self._server],
            cwd=ROOT,
            env=child_environment() | {name: os.environ[name] for name in os.environ if name.startswith("NEO4J_")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C in the terminal must reach the crawl only
        )
        self._listener.start()

    def marks(self) -> Mapping[str, Mark | None]:
        """The marks that a person has set in the graph and the record does not have: address -> mark, None for one that
        was removed.
        """
        with self._answered:
            return self._marks

    def link_graph(self, most: int) -> LinkGraph | None:
        """The link graph, by Cypher, of everything that was saved; None if the server does not follow. See
        `graphdb.graph.link_graph`.
        """
        if not self._fill_now():
            return None
        try:
            return link_graph_of(self._graph, most)
        except StoreError:
            return None

    def close(self) -> None:
        """Fill the rest and end. Says so if the server does not have everything."""
        self._graph.close()
        if self._child is None:
            return
        assert self._child.stdin is not None, "it is a pipe"
        self._child.stdin.close()
        self._listener.join()
        self._child.wait()
        if not self._is_filled:
            self._tell(message("the graph lacks what was saved last; {command} copy brings it"))

    def _fill_now(self) -> bool:
        """Wait for a filling that begins now; False if it does not succeed."""
        with self._answered:
            if self._child is None or self._has_ended or self._is_away:
                return False
            assert self._child.stdin is not None, "it is a pipe"
            self._asked += 1
            try:
                self._child.stdin.write(f"{self._asked}\n")
                self._child.stdin.flush()
            except BrokenPipeError:  # it has just ended
                return False
            self._answered.wait_for(lambda: self._done >= self._asked or self._has_ended, PATIENCE_SECONDS)
            return self._is_filled and self._done >= self._asked

    def _listen(self) -> None:
        assert self._child is not None and self._child.stdout is not None, "it is a pipe"
        for line in self._child.stdout:
            answer = json.loads(line)
            with self._answered:
                self._done = answer.get("asked", self._done)
                self._is_filled = bool(answer.get("filled"))
                self._marks = answer.get("marks", {})
                self._note(answer)
                self._answered.notify_all()
        with self._answered:
            self._has_ended = True
            self._answered.notify_all()

    def _note(self, answer: Mapping[str, str]) -> None:
        if "failed" in answer:
            self._tell(message("the graph is not filled any more: {why}", why=answer["failed"]))
        elif "away" in answer and not self._is_away:
            self._tell(message("{why}; the crawl goes on, and the graph is filled when it is back", why=answer["away"]))
        elif self._is_away and self._is_filled:
            self._tell(message("the graph is filled again"))
        self._is_away = "away" in answer
