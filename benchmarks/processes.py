"""The processes of a crawl as the kernel shows them in /proc: whose they are, what they do, their time and memory."""

import contextlib
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


def cpu_seconds(pid: int) -> float:
    """Processor time so far. Raises OSError for a process that is no more."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int, *, peak: bool = False) -> float:
    """Memory now, or the most so far, in MB; 0 of one that has ended. Raises OSError for one that is no more."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    found = re.search(r"VmHWM:\s+(\d+)" if peak else r"VmRSS:\s+(\d+)", status)
    return int(found[1]) * 1024 / 1e6 if found else 0.0


@dataclass(frozen=True)
class Used:
    """What a command took: seconds by the clock, processor seconds and peak memory of all its processes."""

    printed: str
    seconds: float
    cpu: float
    peak_mb: float


def watched(command: Sequence[str], folder: Path | None = None, env: Mapping[str, str] | None = None) -> Used:
    """Run a command, and look at its processes twenty times a second. Raises SystemExit where it fails."""
    seen: dict[int, tuple[float, float]] = {}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=said, cwd=folder, env={**os.environ, **(env or {})})
        while process.poll() is None:
            for pid in (process.pid, *descendants(process.pid)):
                with contextlib.suppress(OSError, IndexError):  # a process that has ended shows less than before
                    cpu, peak = seen.get(pid, (0.0, 0.0))
                    seen[pid] = max(cpu, cpu_seconds(pid)), max(peak, memory_mb(pid, peak=True))
            time.sleep(0.05)
        seconds = time.monotonic() - began
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)}\nended with {process.returncode}: {said.read()[-2000:]}")
        out.seek(0)
        printed = out.read()
    return Used(printed, seconds, *map(sum, zip(*seen.values(), strict=True)))
