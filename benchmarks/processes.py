"""The processes of a crawl as the kernel shows them in /proc: whose they are, what they do, their time and memory."""

import contextlib
import os
import re
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that a process has started and that have not ended; none of one that has ended itself."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            found += map(int, task.read_text(encoding="ascii").split())
    return found


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    return [found for child in children(pid) for found in (child, *descendants(child))]


def is_store(pid: int) -> bool:
    """Whether it is the embedded store's server. Raises OSError for a process that is no more."""
    return b"server_process" in Path(f"/proc/{pid}/cmdline").read_bytes()


def cpu_seconds(pid: int) -> float:
    """Processor time so far. Raises OSError for a process that is no more."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Memory now. Raises OSError for a process that is no more."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak_mb(pid: int) -> float:
    """The most memory that it has had, in MiB; 0 of one that has ended. Raises OSError for one that is no more."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace"))
    return int(found[1]) / 1024 if found else 0.0
