"""The command. Importing this puts the folder of its packages before all others, since theirs are ordinary names."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INSTALLED = os.path.join(HERE, "ontocrawl_app")  # where a wheel has the packages; a checkout has them beside this file
sys.path.insert(0, INSTALLED if os.path.isdir(INSTALLED) else HERE)


class PackagesFirst:
    """A base class of what other processes unpickle: they import this file before the packages (`ray_actors`)."""


def start() -> None:
    """Run the command. Ctrl-C while it is loading exits without a message."""
    if sys.getfilesystemencoding() == "ascii" and os.environ.get("PYTHONUTF8") == "0":
        # what is typed, and names of files, would lose their Chinese; without this variable Python reads both as UTF-8
        del os.environ["PYTHONUTF8"]
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    try:
        from cli.main import main

        main()
    except KeyboardInterrupt:
        sys.exit(130)  # as `cli.exits` has it
