"""Ctrl-C and SIGTERM during a crawl: the first ends it in order, the second ends the process.

So does an end in order that takes too long, whatever it hangs on. That loses nothing: what is committed stays, what is
not is fetched again, and all that the crawl has started ends by itself, as after `kill -9`.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

from cli.terminal import say

END_SECONDS = 4.5


@contextlib.contextmanager
def interruptible() -> Iterator[threading.Event]:
    """The event that a first signal sets, as long as the context lasts."""
    stop = threading.Event()
    late = threading.Timer(END_SECONDS, _end_at_once)
    late.daemon = True

    def take(*_: object) -> None:
        if stop.is_set():
            _end_at_once()
        stop.set()
        late.start()

    before = {number: signal.signal(number, take) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        late.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h")  # the cursor, which the live display hides
    say("\nended at once; the same command fetches again what was not saved yet")
    sys.stderr.flush()
    os._exit(130)
