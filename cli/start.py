"""The entry point of the command. Ctrl-C is handled during the half second in which Python loads the program, too."""

import sys

from cli.exits import ExitCode


def start() -> None:
    """Run `cli.main`. Ctrl-C while it is loading exits without a message."""
    try:
        from cli.main import main

        main()
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
