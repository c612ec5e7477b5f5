"""The command itself: the first half second, in which Python reads the program, belongs to Ctrl-C as well."""

import sys

from cli.exits import ExitCode


def start() -> None:
    """Run `cli.main`; quietly left by Ctrl-C before it can say anything."""
    try:
        from cli.main import main
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    main()
