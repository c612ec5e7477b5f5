"""Commands of this program that take longer than a look at the page: each runs in a process of its own."""

import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from cli.live.page_beside import this_program
from ontology.child_process import child_environment
from ontology.errors import SettingsError

LINES = 50  # last ones of what a command has said; chosen, not measured
SECONDS = 5.0  # in which a command ends when the page does


@dataclass(frozen=True, slots=True)
class Job:
    """A command that runs or has ended. `said` and `answer`: files of its standard error and output.

    `outlives`: whether it goes on when the page ends.
    """

    process: subprocess.Popen[bytes]
    said: Path
    answer: Path
    outlives: bool

    @property
    def state(self) -> dict[str, Any]:
        """What the page shows of it; `code` is None while it runs."""
        code = self.process.poll()
        said, answer = (file.read_text("utf-8", "replace") for file in (self.said, self.answer))
        return {"code": code, "said": said.splitlines()[-LINES:], "answer": answer if code is not None else ""}


class Jobs:
    """At most one job of a name in a store."""

    def __init__(self) -> None:
        self._jobs: dict[tuple[str, str], Job] = {}
        self._turn = threading.Lock()
        self._numbers = count()
        self._folder = tempfile.TemporaryDirectory(prefix="ontocrawl-page-")

    def begin(
        self, store: str, name: str, words: Sequence[str], *, folder: str | None = None, log: Path | None = None
    ) -> dict[str, Any]:
        """Run `ontocrawl WORDS`. Raises SettingsError while one of this name runs in this store.

        `folder`: where it runs, if not here. `log`: the file of all that it writes; then it outlives the page.
        """
        with self._turn:
            running = self._jobs.get((store, name))
            if running is not None and running.process.poll() is None:
                raise SettingsError("that is being done already", "wait until it has ended")
            beside = Path(self._folder.name) / str(next(self._numbers))
            said, answer = (log, log) if log else (beside.with_suffix(".said"), beside.with_suffix(".answer"))
            with said.open("wb") as errors, answer.open("ab") as output:
                process = subprocess.Popen(
                    this_program(*words),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=errors,
                    cwd=folder,
                    env=child_environment() | {"PYTHONIOENCODING": "utf-8"},
                    start_new_session=True,
                )
            job = self._jobs[store, name] = Job(process, said, answer, outlives=log is not None)
            return job.state

    def state(self, store: str, name: str) -> dict[str, Any] | None:
        """How a job stands; None if there was none."""
        job = self._jobs.get((store, name))
        return job.state if job else None

    def new_folder(self) -> Path:
        """An empty folder for what a job reads. It is removed when the page ends."""
        return Path(tempfile.mkdtemp(dir=self._folder.name))

    def end(self) -> None:
        """End those that do not outlive the page; what they have saved stays."""
        ending = [job.process for job in self._jobs.values() if not job.outlives]
        for process in ending:
            process.terminate()
        for process in ending:
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._folder.cleanup()
