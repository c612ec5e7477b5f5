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
        "done, but not good: the check found errors, or the crawl got no page. With a traceback it is a bug",
        "Read what was printed. `crawl` and `try`: no page was fetched. `ontology check`: there are errors. `search` "
        "and `results`: nothing was found. With a traceback, please report it.",
    ),
    ExitCode.MISTAKE: Meaning(
        "a mistake in what was typed or in a file, or a store that cannot be used. The message names the cure",
        "Do what stands after `try:` in the message. Nothing was begun.",
    ),
    ExitCode.BROKEN: Meaning(
        "the crawl had to end: the disk is full, the record is locked, or no worker answers. The same command goes on",
        "Make room, end the other program or start the cluster, then run the same command. What was saved is kept.",
    ),
    ExitCode.INTERRUPTED: Meaning(
        "interrupted. All is saved, except where the last line says otherwise",
        "Run the same command to go on.",
    ),
    ExitCode.UNREAD: Meaning(
        "the reader of the output ended first, as `| head` does",
        "Nothing, if that was meant.",
    ),
}


def exit_lines() -> str:
    """The codes as the help shows them."""
    return "\n".join(f"  {code:<4d} {meaning.said}" for code, meaning in MEANINGS.items())
