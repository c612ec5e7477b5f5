"""Ctrl-C and SIGTERM during a crawl: the first ends it in order, the second ends the process.

So does an end in order that takes too long, whatever it hangs on. That loses nothing: what is committed stays, what is
not is fetched again, and all that the crawl has started ends by itself, as after `kill -9`.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

from cli.exits import ExitCode

END_SECONDS = 4.5


@contextlib.contextmanager
def interruptible() -> Iterator[tuple[threading.Event, threading.Event]]:
    """Two events: the first signal sets the one, as long as the context lasts; the other is for the crawl to set when
    all is saved, so that what is said at the end is true.
    """
    stop, saved, ended = threading.Event(), threading.Event(), threading.Event()
    signals = 0

    def take(*_: object) -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            _end_at_once(all_saved=saved.is_set())
        stop.set()

    def watch() -> None:
        stop.wait()
        if not ended.wait(END_SECONDS):
            _end_at_once(all_saved=saved.is_set())

    before = {number: signal.signal(number, take) for number in (signal.SIGINT, signal.SIGTERM)}
    threading.Thread(target=watch, name="interrupts", daemon=True).start()
    try:
        yield stop, saved
    finally:
        ended.set()
        stop.set()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once(*, all_saved: bool) -> None:
    """Without Python's streams: they may be in use at this moment."""
    cursor = "\x1b[?25h" if os.isatty(2) else ""  # the live display hides it
    rest = "all is saved" if all_saved else "the same command does again what was not saved yet"
    with contextlib.suppress(OSError):
        os.write(2, f"{cursor}\nended at once: {rest}\n".encode())
    os._exit(ExitCode.INTERRUPTED)
