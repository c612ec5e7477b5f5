"""Locks between processes by flock. The kernel releases them however a process ends."""

import fcntl
import os
from pathlib import Path


class Lock:
    """An open lock file. Many processes may hold it shared, or one exclusively."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def share(self) -> bool:
        """Try to get a shared lock; False if a process holds it exclusively."""
        return self._take(fcntl.LOCK_SH)

    def own(self) -> bool:
        """Try to get an exclusive lock, giving up a shared one; False if other processes hold the lock."""
        return self._take(fcntl.LOCK_EX)

    def is_there(self) -> bool:
        """Whether the file that was opened still exists at its path."""
        try:
            found, opened = self._path.stat(), os.fstat(self._file)
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == (opened.st_dev, opened.st_ino)

    def release(self) -> None:
        """Release the lock; the object cannot be used afterwards."""
        os.close(self._file)

    def _take(self, kind: int) -> bool:
        try:
            fcntl.flock(self._file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def is_owned(path: Path) -> bool:
    """Whether a process holds the lock exclusively."""
    lock = Lock(path)
    try:
        return not lock.share()
    finally:
        lock.release()
