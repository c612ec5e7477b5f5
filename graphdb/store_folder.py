"""The files in an embedded store's folder, and the check whether a folder is a store."""

import contextlib
import os
import re
import secrets
import stat
import tempfile
from pathlib import Path

from ontology.errors import StoreError
from ontology.file_failures import is_there, why_refused
from ontology.messages import message

MARK = "ontocrawl-store"  # the file that makes a folder a store, with the version of its format
VERSION = 1  # of the format; to be increased when older programs must not use the store
PASSWORD = "password"  # file: password of the user root, who crawls
READER = "reader"  # the user who may only read
READER_PASSWORD = "reader-password"  # file: password of that user
SERVER = "server.json"  # address of the running server, which holds an exclusive lock on this file
CLIENTS = "clients.lock"  # every process that uses the store holds a shared lock; the server ends when none does
WRITER = "writer.lock"  # the crawl that writes holds an exclusive lock
LOG = "server.log"
DATABASE = "databases/crawl"  # the database engine's files
JOURNAL = "journal"  # batches that are committed and not in the engine's files yet
SIZES = "sizes.json"  # sizes of the engine's files
BEGUN = frozenset({PASSWORD, READER_PASSWORD, CLIENTS, WRITER})  # files that are created before the mark
OTHERS = stat.S_IRWXG | stat.S_IRWXO  # permissions of other users
OF_A_CRAWL = message("give the folder of a crawl; those of this machine: {command} crawls")
# Exit codes of the server; chosen.
TAKEN = 75  # another server is serving the folder
DAMAGED = 76  # files of the store are missing or cut short
PORT_TAKEN = 77  # another process has opened a port that the server had chosen


def prepare(folder: Path, *, create: bool) -> None:
    """Make sure that the folder is a store that only its owner can read. Raises StoreError for any other folder, and
    leaves that one unchanged.
    """
    if is_there(folder) and not folder.is_dir():
        raise StoreError(
            message("{folder} is a file, not a store", folder=folder),
            "give a folder that does not exist yet" if create else OF_A_CRAWL,
        )
    names = _names(folder)
    # checked last, because another process may be creating the store at this moment
    if not (is_there(folder) and (folder / MARK).is_file()):
        _begin(folder, names, create=create)
        return
    _check_version(folder)
    try:
        _tighten(folder)
        _write_secrets(folder)
    except OSError as error:
        raise unusable(folder, error) from error


def unusable(folder: Path, error: OSError) -> StoreError:
    """The error for a folder of another user, or on a disk that cannot be written."""
    cure = message("run it as the folder's owner; copy a store on a read-only disk to another disk first")
    return StoreError(
        message(
            "the store at {folder} cannot be used: {why}: {filename}",
            folder=folder,
            why=why_refused(error),
            filename=error.filename,
        ),
        cure,
    )


def _begin(folder: Path, names: set[str], *, create: bool) -> None:
    secrets_begun = tuple(f"{name}." for name in (PASSWORD, READER_PASSWORD))
    begun = {name for name in names if name in BEGUN or name.startswith(secrets_begun)}
    if names - begun:  # the others are left by an interrupted creation
        raise StoreError(
            message("{folder} contains other files and is not a store", folder=folder),
            "give an empty folder, or one that does not exist" if create else OF_A_CRAWL,
        )
    if not create:
        raise StoreError(
            message("there is no store at {folder}", folder=folder), "crawl first: {command} crawl --store DIR …"
        )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        _write_secrets(folder)
        (folder / MARK).touch(0o600)
        (folder / MARK).write_text(
            f"An ontocrawl store (ArcadeDB), version {VERSION}. Use: ontocrawl query --store THIS_FOLDER …\n", "utf-8"
        )
    except OSError as error:
        raise StoreError(
            message("a store cannot be created at {folder}: {why}", folder=folder, why=why_refused(error)),
            "give another folder",
        ) from error


def _tighten(folder: Path) -> None:
    """Remove the permissions that earlier versions gave to other users of the machine."""
    for path in (folder, *folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError):  # the engine removes files
            mode = path.lstat().st_mode
            if mode & OTHERS and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & ~OTHERS)


def _names(folder: Path) -> set[str]:
    try:
        return {path.name for path in folder.iterdir()} if is_there(folder) else set()
    except OSError as error:
        raise StoreError(
            message("{folder} cannot be read: {why}", folder=folder, why=why_refused(error)),
            "run it as the folder's owner",
        ) from error


def _check_version(folder: Path) -> None:
    said = re.search(r"version (\d+)", (folder / MARK).read_text("utf-8", "replace"))
    if said and int(said[1]) > VERSION:
        raise StoreError(
            message("{folder} was made by a newer version of ontocrawl", folder=folder),
            "use that version, or give another --store",
        )


def _write_secrets(folder: Path) -> None:
    for name in (PASSWORD, READER_PASSWORD):
        _write_secret(folder / name, secrets.token_urlsafe(24))


def _write_secret(path: Path, secret: str) -> None:
    """Write a file that only its owner may read, completely or not at all. An existing file is not changed unless it is
    empty.
    """
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
        _rename(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _rename(aside: Path, path: Path) -> None:
    """Give a file its final name, unless another process has created that one."""
    try:
        os.link(aside, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        aside.replace(path)
