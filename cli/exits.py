"""Exit codes of the command. `ontocrawl --help` and the README list them."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes. INTERRUPTED is the one that shells use for Ctrl-C."""

    DONE = 0
    NOT_GOOD = 1
    MISTAKE = 2
    BROKEN = 3
    INTERRUPTED = 130
