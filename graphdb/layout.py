"""What lies in an embedded store's folder, and whether a folder is one."""

import os
import re
import secrets
from pathlib import Path

from ontology.errors import StoreError

MARK = "ontocrawl-store"  # says that the folder is ours, and for which programs
VERSION = 1  # of what is kept: more where programs that know less must leave it alone
PASSWORD = "password"
SERVER = "server.json"  # where the running server answers; held alone by it as long as it lives
CLIENTS = "clients.lock"  # shared by every process that uses the store; the server ends when none does
WRITER = "writer.lock"  # held alone by the crawl that writes
LOG = "server.log"
DATABASE = "databases/crawl"  # the engine's files
SIZES = "sizes.json"  # of the engine's files
TAKEN = 75  # exit code of a server that finds another one serving its folder
DAMAGED = 76  # exit code of a server that finds less than there was


def prepare(folder: Path, *, create: bool) -> None:
    """Make sure that the folder is a store; StoreError for anything else, which is then left as it is."""
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder} is a file, not a store", "give a folder that does not exist yet")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if (folder / MARK).is_file():  # looked for last: another process may be making the store at this moment
        _check_version(folder)
        return
    if names - {PASSWORD, CLIENTS, WRITER}:  # these are of a beginning that did not come to its end
        raise StoreError(f"{folder} holds other files and no store", "give an empty folder, or one that does not exist")
    if not create:
        raise StoreError(f"there is no store at {folder}", "crawl first: ontocrawl crawl --store DIR …")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_secret(folder / PASSWORD, secrets.token_urlsafe(24))
        (folder / MARK).write_text(
            f"An ontocrawl store (ArcadeDB), version {VERSION}. Use: ontocrawl query --store THIS_FOLDER …\n", "utf-8"
        )
    except OSError as error:
        raise StoreError(f"no store can be made at {folder}: {error.strerror}", "give another folder") from error


def _check_version(folder: Path) -> None:
    said = re.search(r"version (\d+)", (folder / MARK).read_text("utf-8", "replace"))
    if said and int(said[1]) > VERSION:
        raise StoreError(
            f"{folder} was made by a newer version of ontocrawl", "use that version, or give another --store"
        )


def _write_secret(path: Path, secret: str) -> None:
    """Write a file that only its owner may read; what a beginning that broke off has left is kept."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(file, "w") as stream:
        stream.write(secret)
