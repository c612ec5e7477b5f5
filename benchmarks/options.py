"""The options of a benchmark: each named by a default, whose type it has."""

import argparse
from typing import Any


def options(about: str | None, **defaults: Any) -> argparse.Namespace:
    """What was typed. A default of False makes a switch; one that is a type makes an option that may be left out."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true")
        elif isinstance(default, type):
            parser.add_argument(f"--{name}", type=default)
        else:
            parser.add_argument(f"--{name}", type=type(default), default=default, help=f"default: {default}")
    return parser.parse_args()
