"""Exit codes of the command. `ontocrawl --help` and docs/exit-codes.md list them."""

from enum import IntEnum
from typing import NamedTuple


class ExitCode(IntEnum):
    """The exit codes. INTERRUPTED and UNREAD are those of shells: 128 and the number of the signal."""

    DONE = 0
    NOT_GOOD = 1
    MISTAKE = 2
    BROKEN = 3
    INTERRUPTED = 130
    UNREAD = 141


class Meaning(NamedTuple):
    """What a code says, in the lines of the help, and what is to be done then."""

    said: str
    next_step: str


MEANINGS = {
    ExitCode.DONE: Meaning("done", "Go on."),
    ExitCode.NOT_GOOD: Meaning(
        "done, but the check found errors, the crawl got no page, or nothing was found",
        "Read what was printed. With a traceback it is a bug: please report it.",
    ),
    ExitCode.MISTAKE: Meaning(
        "a mistake in what was typed or in a file, or a store that cannot be used",
        "Do what the message says after `try:`. Nothing was begun.",
    ),
    ExitCode.BROKEN: Meaning(
        "the crawl had to end: the disk is full, the record is locked, or no worker answers",
        "Free some space, end the other program or start the cluster, then repeat the command. Nothing saved is lost.",
    ),
    ExitCode.INTERRUPTED: Meaning(
        "interrupted; all is saved, unless the last line says otherwise",
        "Repeat the command to continue.",
    ),
    ExitCode.UNREAD: Meaning(
        "the reader of the output ended first, as `| head` does",
        "Nothing, if you meant it.",
    ),
}


def exit_lines() -> str:
    """The codes as the help shows them."""
    return "\n".join(f"  {code:<4d} {meaning.said}" for code, meaning in MEANINGS.items())
