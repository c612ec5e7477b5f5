"""What the shell gets to know. The help of `ontocrawl` and the README tell the same."""

from enum import IntEnum


class ExitCode(IntEnum):
    """INTERRUPTED: as shells have it for Ctrl-C."""

    DONE = 0
    NOT_GOOD = 1
    MISTAKE = 2
    BROKEN = 3
    INTERRUPTED = 130
