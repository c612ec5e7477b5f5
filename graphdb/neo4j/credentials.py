"""User name and password of a Neo4j server: from the environment or from a file, never from the command line.

The variables are `NEO4J_USERNAME` (default `neo4j`) and `NEO4J_PASSWORD`. Otherwise the file named by
`NEO4J_CREDENTIALS_FILE` is read, with the same two names in lines `NAME=value` (the format of Neo4j Aura's files, and
of a Compose `.env` file).
"""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from graphdb.neo4j.bolt_driver import CREDENTIALS_CURE
from graphdb.store_answers import BoltAddress
from ontology.errors import StoreError
from ontology.file_failures import why_refused
from ontology.messages import message

FILE = "NEO4J_CREDENTIALS_FILE"


def address_of(uri: str) -> BoltAddress:
    """The server at a bolt:// or neo4j:// address with its credentials.

    Raises StoreError if credentials are missing, unreadable, or part of the address, and if the address is invalid.
    """
    if "@" in uri.partition("://")[2].partition("/")[0]:
        raise StoreError("the address of a store must not contain a user name or password", CREDENTIALS_CURE)
    if not _has_port(uri):
        raise StoreError(
            message("{uri} is not the address of a server", uri=uri), "give bolt://HOST:PORT or neo4j://HOST:PORT"
        )
    named: Mapping[str, str] = os.environ
    if "NEO4J_PASSWORD" not in named and FILE in named:
        named = _read(Path(named[FILE]))
    if not named.get("NEO4J_PASSWORD"):
        raise StoreError(message("no password for {uri}", uri=uri), CREDENTIALS_CURE)
    return BoltAddress(uri, named.get("NEO4J_USERNAME") or "neo4j", named["NEO4J_PASSWORD"])


def _has_port(uri: str) -> bool:
    """Whether the address has a valid port, or none."""
    try:
        return urlsplit(uri).port != 0
    except ValueError:
        return False


def _read(file: Path) -> dict[str, str]:
    try:
        lines = file.read_text("utf-8-sig").splitlines()  # a byte order mark is no part of a name
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(
            message("the credentials file {file} cannot be read: {why}", file=file, why=why_refused(error)),
            CREDENTIALS_CURE,
        ) from error
    pairs = (line.partition("=") for line in lines if not line.lstrip().startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}
