"""Ctrl-C and SIGTERM during a crawl: the first ends it in order, the second ends the process.

So does an end in order that hangs, whatever it hangs on. That loses nothing: what is committed stays, what is not is
fetched again, and all that the crawl has started ends by itself, as after `kill -9`.

Whether it hangs is not told by a clock alone: on a busy machine a sound end may take a minute, and what is not saved
then is to be fetched again. It goes on as long as there are signs of it within `END_SECONDS`: processor time used, or
a step of saving. A save that is under way may be in the hands of a server or of a disk, and nothing is to be seen of it
from here: it has `SAVE_SECONDS`. Once all is saved nothing is lost any more, and the end has `END_SECONDS`.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from cli.exits import ExitCode

END_SECONDS = 4.5
SAVE_SECONDS = 30.0  # chosen, not measured: a batch takes a second, and a busy machine some ten times that
BUSY_SECONDS = 0.25  # of processor time in END_SECONDS: more than live progress alone takes
LOOK_SECONDS = 0.1


@dataclass(slots=True)
class Ending:
    """`stop`: set by the first signal. `saved`: for the crawl to set when all is saved, so that what is said at the
    end is true.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    saved: threading.Event = field(default_factory=threading.Event)
    _seen_at: float = 0.0  # the last sign that it goes on
    _busy: float = 0.0  # processor time then
    _saves: int = 0  # under way

    def go_on(self) -> None:
        """A step of saving is done."""
        self._seen_at, self._busy = time.monotonic(), time.process_time()

    @contextlib.contextmanager
    def saving(self) -> Iterator[None]:
        """While something is saved, which may be in other hands."""
        self._saves += 1
        self.go_on()
        try:
            yield
        finally:
            self._saves -= 1
            self.go_on()

    @property
    def hangs(self) -> bool:
        """Whether there was no sign for too long; to be asked again and again."""
        if not self.saved.is_set() and time.process_time() - self._busy >= BUSY_SECONDS:
            self.go_on()
        return self.quiet_seconds > (SAVE_SECONDS if self._saves and not self.saved.is_set() else END_SECONDS)

    @property
    def quiet_seconds(self) -> float:
        """How long ago the last sign was."""
        return time.monotonic() - self._seen_at


@contextlib.contextmanager
def interruptible() -> Iterator[Ending]:
    """Signals are taken as long as the context lasts."""
    ending, ended = Ending(), threading.Event()
    signals = 0

    def take(*_: object) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            _end_at_once(all_saved=ending.saved.is_set())
        ending.stop.set()

    def watch() -> None:
        ending.stop.wait()
        began = time.monotonic()
        ending.go_on()
        told = all_saved = False
        while not ended.wait(LOOK_SECONDS):
            if ending.saved.is_set() and not all_saved:
                all_saved = True
                ending.go_on()
            if ending.hangs:
                _end_at_once(all_saved=ending.saved.is_set())
            if not told and not all_saved and time.monotonic() - began > END_SECONDS:
                told = True
                _write("still saving; Ctrl-C once more ends it at once, and loses what is not saved yet")

    before = {number: signal.signal(number, take) for number in (signal.SIGINT, signal.SIGTERM)}
    threading.Thread(target=watch, name="interrupts", daemon=True).start()
    try:
        yield ending
    finally:
        ended.set()
        ending.stop.set()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once(*, all_saved: bool) -> None:
    cursor = "\x1b[?25h" if os.isatty(2) else ""  # the live display hides it
    rest = "all is saved" if all_saved else "the same command does again what was not saved yet"
    _write(f"{cursor}\nended at once: {rest}")
    os._exit(ExitCode.INTERRUPTED)


def _write(line: str) -> None:
    """Without Python's streams: they may be in use at this moment."""
    with contextlib.suppress(OSError):
        os.write(2, f"{line}\n".encode())
