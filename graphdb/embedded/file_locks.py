"""Locks between processes: files held with flock, which the kernel lets go however a process ends."""

import fcntl
import os
from pathlib import Path


class Lock:
    """One open lock file. Many processes may share it, or one may hold it alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def share(self) -> bool:
        """Try to hold it together with others; False while one holds it alone."""
        return self._take(fcntl.LOCK_SH)

    def own(self) -> bool:
        """Try to hold it alone (a share is given up for it); False while others hold it."""
        return self._take(fcntl.LOCK_EX)

    def is_there(self) -> bool:
        """Whether the file that was opened is still the one at its place."""
        try:
            found, opened = self._path.stat(), os.fstat(self._file)
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == (opened.st_dev, opened.st_ino)

    def release(self) -> None:
        """Let go; the lock is of no more use."""
        os.close(self._file)

    def _take(self, kind: int) -> bool:
        try:
            fcntl.flock(self._file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def is_owned(path: Path) -> bool:
    """Tell whether some process holds the lock alone."""
    lock = Lock(path)
    try:
        return not lock.share()
    finally:
        lock.release()
