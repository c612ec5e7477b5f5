"""What lies in an embedded store's folder, and whether a folder is one."""

import contextlib
import os
import re
import secrets
import stat
import tempfile
from pathlib import Path

from ontology.errors import StoreError

MARK = "ontocrawl-store"  # says that the folder is ours, and for which programs
VERSION = 1  # of what is kept: more where programs that know less must leave it alone
PASSWORD = "password"  # of the user root, who crawls
READER = "reader"  # the user who only reads
READER_PASSWORD = "reader-password"
SERVER = "server.json"  # where the running server answers; held alone by it as long as it lives
CLIENTS = "clients.lock"  # shared by every process that uses the store; the server ends when none does
WRITER = "writer.lock"  # held alone by the crawl that writes
LOG = "server.log"
DATABASE = "databases/crawl"  # the engine's files
JOURNAL = "journal"  # what is committed and not in the engine's files yet
SIZES = "sizes.json"  # of the engine's files
BEGUN = frozenset({PASSWORD, READER_PASSWORD, CLIENTS, WRITER})  # what is there before the mark is
OTHERS = stat.S_IRWXG | stat.S_IRWXO
TAKEN = 75  # exit code of a server that finds another one serving its folder
DAMAGED = 76  # exit code of a server that finds less than there was


def prepare(folder: Path, *, create: bool) -> None:
    """Make sure that the folder is a store, its owner's alone; StoreError for anything else, which is left as it is."""
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder} is a file, not a store", "give a folder that does not exist yet")
    names = _names(folder)
    if not (folder / MARK).is_file():  # looked for last: another process may be making the store at this moment
        _begin(folder, names, create=create)
        return
    _check_version(folder)
    try:
        _tighten(folder)
        _write_secrets(folder)
    except OSError as error:
        raise unusable(folder, error) from error


def unusable(folder: Path, error: OSError) -> StoreError:
    """For a folder of another user, or on a disk that cannot be written."""
    cure = "run it as the folder's owner; a store on a disk that cannot be written is to be copied to another first"
    return StoreError(f"the store at {folder} cannot be used: {error.strerror}: {error.filename}", cure)


def _begin(folder: Path, names: set[str], *, create: bool) -> None:
    secrets_begun = tuple(f"{name}." for name in (PASSWORD, READER_PASSWORD))
    begun = {name for name in names if name in BEGUN or name.startswith(secrets_begun)}
    if names - begun:  # those are of a beginning that did not come to its end
        raise StoreError(f"{folder} holds other files and no store", "give an empty folder, or one that does not exist")
    if not create:
        raise StoreError(f"there is no store at {folder}", "crawl first: ontocrawl crawl --store DIR …")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        _write_secrets(folder)
        (folder / MARK).touch(0o600)
        (folder / MARK).write_text(
            f"An ontocrawl store (ArcadeDB), version {VERSION}. Use: ontocrawl query --store THIS_FOLDER …\n", "utf-8"
        )
    except OSError as error:
        raise StoreError(f"no store can be made at {folder}: {error.strerror}", "give another folder") from error


def _tighten(folder: Path) -> None:
    """Take from all other users of the machine what versions of before let them read."""
    for path in (folder, *folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError):  # the engine removes files
            mode = path.lstat().st_mode
            if mode & OTHERS and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & ~OTHERS)


def _names(folder: Path) -> set[str]:
    try:
        return {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror}", "run it as the folder's owner") from error


def _check_version(folder: Path) -> None:
    said = re.search(r"version (\d+)", (folder / MARK).read_text("utf-8", "replace"))
    if said and int(said[1]) > VERSION:
        raise StoreError(
            f"{folder} was made by a newer version of ontocrawl", "use that version, or give another --store"
        )


def _write_secrets(folder: Path) -> None:
    for name in (PASSWORD, READER_PASSWORD):
        _write_secret(folder / name, secrets.token_urlsafe(24))


def _write_secret(path: Path, secret: str) -> None:
    """Write a file that only its owner may read, whole or not at all; one that is there is kept, unless it is empty."""
    if path.exists() and path.stat().st_size:
        return
    file, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    aside = Path(name)
    try:
        with os.fdopen(file, "w") as stream:
            stream.write(secret)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists() and not path.stat().st_size:
            path.unlink()
        _name(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _name(aside: Path, path: Path) -> None:
    """Give a file its name, unless another process was first."""
    try:
        os.link(aside, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        aside.replace(path)
