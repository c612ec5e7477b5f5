"""The command. It stands beside the packages, under a name that nobody else has: theirs are ordinary words.

A folder called `cli` or `ontology` on PYTHONPATH, or in another package, would be run in the place of ours. So ours are
put first. Another package in the same environment may also have written its files over ours; then the command ends.
"""

import sys

INTERRUPTED = 130  # as `cli.exits` has it
try:
    import os
    from importlib.machinery import PathFinder
    from pathlib import Path

    HERE = Path(__file__).resolve().parent
except KeyboardInterrupt:  # Ctrl-C
    sys.exit(INTERRUPTED)

PACKAGES = ("cli", "crawler", "examples", "graphdb", "ontology", "semantic")
SHOWN = 3  # files
MISTAKE = 2  # as `cli.exits` has it, which may be a stranger's


def start() -> None:
    """Run the command of this very folder. Ctrl-C before it has begun exits without a message."""
    try:
        _start()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _start() -> None:
    if sys.getfilesystemencoding() == "ascii" and os.environ.get("PYTHONUTF8") == "0":
        # what is typed, and names of files, would lose their Chinese; without this variable Python reads both as UTF-8
        del os.environ["PYTHONUTF8"]
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    if any(_is_strange(name) for name in PACKAGES):
        sys.path.insert(0, str(HERE))  # child processes get the same path
    replaced = replaced_files(HERE)
    if replaced:
        named = ", ".join(replaced[:SHOWN]) + (", …" if len(replaced) > SHOWN else "")
        print(
            f"error: {len(replaced)} files of ontocrawl were replaced or removed in {HERE}: {named}\n"
            "  try: another package there has folders of the same names; give ontocrawl an environment of its own: "
            "pipx install ontocrawl, or uv tool install ontocrawl",
            file=sys.stderr,
        )
        sys.exit(MISTAKE)
    from cli.start import start as run

    run()


def _is_strange(name: str) -> bool:
    """Whether Python would import this package from elsewhere."""
    spec = PathFinder.find_spec(name)
    return spec is None or spec.origin is None or Path(spec.origin).resolve().parent != HERE / name


def replaced_files(folder: Path) -> list[str]:
    """Files whose length is not what the installer noted (`RECORD`); none where it was not installed there."""
    found = []
    for record in folder.glob("ontocrawl-*.dist-info/RECORD"):
        for line in record.read_text("utf-8").splitlines():
            name, _, size = line.rsplit(",", 2)
            path = folder / name
            if size and name.partition("/")[0] in PACKAGES and (not path.is_file() or path.stat().st_size != int(size)):
                found.append(name)
    return found
