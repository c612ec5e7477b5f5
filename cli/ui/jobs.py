"""Commands of this program that take longer than a look at the page: each runs in a process of its own."""

import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cli.render.language import tr
from ontology.child_process import child_environment
from ontology.errors import SettingsError

LINES = 50  # last ones of what a command has said; chosen, not measured
SECONDS = 5.0  # in which a command ends when the page does


@dataclass(slots=True)
class Job:
    """A command that runs or has ended. `said`: its last lines for people. `answer`: its standard output."""

    process: subprocess.Popen[str]
    said: deque[str] = field(default_factory=lambda: deque(maxlen=LINES))
    answer: str = ""

    @property
    def state(self) -> dict[str, Any]:
        """What the page shows of it; `code` is None while it runs."""
        return {"code": self.process.poll(), "said": list(self.said), "answer": self.answer}


class Jobs:
    """At most one job of a name in a store. All end with the page."""

    def __init__(self) -> None:
        self._jobs: dict[tuple[str, str], Job] = {}
        self._turn = threading.Lock()

    def begin(self, store: str, name: str, words: Sequence[str]) -> dict[str, Any]:
        """Run `ontocrawl WORDS`. Raises SettingsError while one of this name runs in this store."""
        with self._turn:
            running = self._jobs.get((store, name))
            if running is not None and running.process.poll() is None:
                raise SettingsError(tr("that is being done already"), "wait until it has ended")
            job = self._jobs[store, name] = Job(_started(words))
        for read in (_read_said, _read_answer):
            threading.Thread(target=read, args=(job,), daemon=True).start()
        return job.state

    def state(self, store: str, name: str) -> dict[str, Any] | None:
        """How a job stands; None if there was none."""
        job = self._jobs.get((store, name))
        return job.state if job else None

    def end(self) -> None:
        """End all that run; what they have saved stays."""
        for job in self._jobs.values():
            job.process.terminate()
        for job in self._jobs.values():
            try:
                job.process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                job.process.kill()
                job.process.wait()


def _started(words: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", "from cli.main import main; main()", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env=child_environment() | {"PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )


def _read_said(job: Job) -> None:
    assert job.process.stderr is not None, "it was asked for"
    for line in job.process.stderr:
        job.said.append(line.rstrip("\n"))


def _read_answer(job: Job) -> None:
    assert job.process.stdout is not None, "it was asked for"
    job.answer = job.process.stdout.read()
