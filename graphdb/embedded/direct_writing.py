"""Writes to the graph from inside the server's process, by calls of the engine (`GraphWriting.java`), without Bolt.

Compared to the same statements in Cypher over Bolt, filling takes about two thirds of the CPU.
`GraphWriting.java` is compiled by `compile_parts.py`, which needs a Java development kit. Where it is not compiled, or
was compiled from another source or for another engine, the server fills its graph over Bolt.
"""

import json
import os
import time
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from graphdb.cypher.statements import statements
from graphdb.embedded.journal import packed
from graphdb.neo4j.bolt_driver import RETRY_SECONDS, Rows, Run
from ontology.errors import StoreAway
from ontology.messages import message
from semantic.source_hash import source_hash

SOURCE = Path(__file__).with_name("GraphWriting.java")
COMPILED = SOURCE.with_suffix(".jar")
MADE_OF = "made-of"  # the file in COMPILED that holds `made_of()`
CLASS = "ontocrawl.GraphWriting"
ASKED = "ONTOCRAWL_GRAPH_WRITING"  # in the environment: `cypher` leaves the compiled form aside, to compare both
# the statements that are methods, too
DIRECT = (
    "add_pages",
    "add_children",
    "add_links",
    "add_mentions",
    "end_pages",
    "update_pages",
    "revise_pages",
    "raise_pages",
    "forget_some_mentions",
    "put_memory",
)
CAN_BE_REPEATED = "com.arcadedb.exception.NeedRetryException"
TAKEN = {"1": True, "0": False}
Result = TypeVar("Result")


def made_of() -> str:
    """Hash of what a compiled form depends on: the source, and the engine's version."""
    return source_hash([SOURCE], version("arcadedb-embedded"))


def form() -> str:
    """Which form fills the graph, for people; with the cure where it is not the compiled one."""
    if os.environ.get(ASKED) == "cypher":
        return message("in Cypher, as {name} asks", name=ASKED)
    if is_compiled():
        return message("compiled")
    return message(
        "in Cypher: GraphWriting.java is not compiled\n  try: install a Java development kit of version 21 or newer, "
        "then run `make setup` in the checkout, or install ontocrawl anew"
    )


def is_compiled() -> bool:
    """Whether there is a compiled form of this source, for the installed engine."""
    try:
        with zipfile.ZipFile(COMPILED) as jar:
            return jar.read(MADE_OF).decode() == made_of()
    except (OSError, KeyError, zipfile.BadZipFile):
        return False


def is_wanted() -> bool:
    """Whether the compiled form is to be used."""
    return os.environ.get(ASKED) != "cypher" and is_compiled()


class DirectWriting:
    """The engine's database, as `graphdb.neo4j.bolt_driver.Connection` gives it. `java`: a GraphWriting.

    A transaction belongs to the thread that began it, and there is one at a time.
    """

    has_labels = False

    def __init__(self, java: Any) -> None:
        self._java = java
        known = statements("save")
        self._existing = known["existing"]
        self._direct: dict[str, Callable[[bytes], None]] = {known[name]: getattr(java, name) for name in DIRECT}

    def write(self, work: Callable[[Run], Result]) -> Result:
        """Do all of `work` in one transaction; it is repeated while another one has changed the same nodes."""
        until = time.monotonic() + RETRY_SECONDS
        while True:
            self._java.begin()
            try:
                result = work(self._run)
                self._java.commit()
                return result
            except Exception as error:
                self._java.rollback()
                if not any(kind.__name__ == CAN_BE_REPEATED for kind in type(error).__mro__):
                    raise
                if time.monotonic() > until:
                    raise StoreAway(str(error), "the server tries again by itself") from error

    def read(self, statement: str, **parameters: object) -> Iterator[dict[str, Any]]:
        """The rows of one statement."""
        return iter(self.write(lambda run: run(statement, **parameters)))

    def close(self) -> None:
        """Do nothing: the server closes the database."""

    def _run(self, statement: str, **parameters: object) -> Rows:
        direct = self._direct.get(statement)
        if direct is not None:
            direct(packed(parameters["rows"]))
            return []
        if statement == self._existing:
            return self._taken(parameters["urls"])
        rows: Rows = json.loads(str(self._java.run(statement, packed(parameters))))
        return rows

    def _taken(self, urls: Any) -> Rows:
        found: dict[bool, list[str]] = {}
        for url, answer in zip(urls, str(self._java.existing(packed(urls))), strict=True):
            if answer in TAKEN:
                found.setdefault(TAKEN[answer], []).append(url)
        return [{"taken": taken, "urls": some} for taken, some in found.items()]
