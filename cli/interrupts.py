"""Ctrl-C and SIGTERM during a crawl: the first signal ends the crawl in order, the second ends the process at once.

If the orderly end hangs, the process is ended, too. Nothing committed is lost by that: what was not committed is
fetched again, and everything that the crawl has started ends by itself, as after `kill -9`.

A clock alone does not tell whether the end hangs. On a busy machine a sound end may take a minute, and what is not
saved would have to be fetched again. So the end goes on as long as there is a sign of progress within `END_SECONDS`:
processor time used, or a finished step of saving. A save may wait for a server or a disk without any visible sign, so
it gets `SAVE_SECONDS`. Once everything is saved nothing can be lost, and the rest of the end gets `END_SECONDS`. Before
the first request there is nothing to save, and a wait for the store may be long: the end gets `OPENING_SECONDS`.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from cli.exits import ExitCode
from cli.render.language import error_lines, tr
from ontology.errors import OntocrawlError

# without a sign of progress; chosen, not measured
END_SECONDS = 4.5
SAVE_SECONDS = 30.0  # chosen, not measured: a batch takes a second, and a busy machine some ten times that
OPENING_SECONDS = 1.0  # chosen, not measured
BUSY_SECONDS = 0.25  # processor time within END_SECONDS that counts as progress; the live display alone uses less
# between two checks; chosen, not measured
LOOK_SECONDS = 0.1


@dataclass(slots=True)
class Ending:
    """The state of an orderly end.

    `stop`: set by the first signal. `saved`: to be set by the crawl when everything is saved, so that the last message
    is true.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    saved: threading.Event = field(default_factory=threading.Event)
    _seen_at: float = 0.0  # time of the last sign of progress
    _busy: float = 0.0  # processor time at that moment
    _saves: int = 0  # number of saves in progress
    _is_opening: bool = False

    def go_on(self) -> None:
        """Note a sign of progress, such as a finished step of saving."""
        self._seen_at, self._busy = time.monotonic(), time.process_time()

    @contextlib.contextmanager
    def saving(self) -> Iterator[None]:
        """Mark a save as in progress, during which there may be no other sign."""
        self._saves += 1
        self.go_on()
        try:
            yield
        finally:
            self._saves -= 1
            self.go_on()

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """Mark the time before the first request, in which nothing can be lost."""
        self._is_opening = True
        try:
            yield
        finally:
            self._is_opening = False

    @property
    def is_all_saved(self) -> bool:
        """Whether the process may end now without losing anything."""
        return self._is_opening or self.saved.is_set()

    @property
    def hangs(self) -> bool:
        """Whether there has been no sign of progress for too long. To be checked repeatedly."""
        if self._is_opening:
            return self.quiet_seconds > OPENING_SECONDS
        if not self.saved.is_set() and time.process_time() - self._busy >= BUSY_SECONDS:
            self.go_on()
        return self.quiet_seconds > (SAVE_SECONDS if self._saves and not self.saved.is_set() else END_SECONDS)

    @property
    def quiet_seconds(self) -> float:
        """Seconds since the last sign of progress."""
        return time.monotonic() - self._seen_at


@contextlib.contextmanager
def interruptible() -> Iterator[Ending]:
    """Handle the signals while the context lasts."""
    ending, ended = Ending(), threading.Event()
    signals = 0

    def take(*_: object) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            _end_at_once(all_saved=ending.is_all_saved)
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
                _end_at_once(all_saved=ending.is_all_saved)
            if not told and not all_saved and time.monotonic() - began > END_SECONDS:
                told = True
                _write(tr("still saving; another Ctrl-C ends at once, and loses what is not saved yet"))

    before = {number: signal.signal(number, take) for number in (signal.SIGINT, signal.SIGTERM)}
    threading.Thread(target=watch, name="interrupts", daemon=True).start()
    try:
        yield ending
    finally:
        ended.set()
        ending.stop.set()
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def ending_at_once(seconds: float, late: OntocrawlError) -> Iterator[None]:
    """Let Ctrl-C, SIGTERM or the end of `seconds` (0: no end) end the process while the context lasts.

    For work that only reads and waits for another program: an exception would wait for its answer, too. `late`: what is
    said where the time is over.
    """

    def interrupt(*_: object) -> None:
        _write(tr("ended by Ctrl-C or SIGTERM"))
        os._exit(ExitCode.INTERRUPTED)

    def give_up(*_: object) -> None:
        for line in error_lines(late):
            _write(line)
        os._exit(ExitCode.MISTAKE)

    handlers = {signal.SIGINT: interrupt, signal.SIGTERM: interrupt, signal.SIGALRM: give_up}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once(*, all_saved: bool) -> None:
    cursor = "\x1b[?25h" if os.isatty(2) else ""  # the live display hides the cursor
    rest = tr("everything is saved") if all_saved else tr("the same command repeats what was not saved yet")
    _write(tr("{cursor}\nended at once: {rest}", cursor=cursor, rest=rest))
    os._exit(ExitCode.INTERRUPTED)


def _write(line: str) -> None:
    """Write to standard error without Python's streams, which may be in use at this moment."""
    with contextlib.suppress(OSError):
        os.write(2, f"{line}\n".encode())
