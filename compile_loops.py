"""Compiles `semantic/text_loops.c`: beside its source for a checkout, into the wheel for an installation.

    python compile_loops.py

The wheel gets the compiled translations here, too (`compile_texts.py`).

It needs a C compiler and the headers of Python, and compiles as this very Python was compiled. Where something is
missing, ontocrawl runs the same loops in Python, which takes longer; `ontocrawl --version` tells which are run.
"""

import hashlib
import runpy
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path(__file__).resolve().parent / "semantic" / "text_loops.c"
NAME = f"text_loops{sysconfig.get_config_var('EXT_SUFFIX') or '.so'}"
CURE = (
    "to read pages in two thirds of the time, install a C compiler and the headers of Python (on Debian: gcc and "
    "python3-dev), then run `python compile_loops.py` with the Python of this installation"
)


def compile_into(folder: Path) -> str:
    """Write the compiled module into a folder; what went wrong, '' where nothing did."""
    flags = [f"-I{sysconfig.get_path(path)}" for path in ("include", "platinclude")]
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
    with tempfile.TemporaryDirectory() as aside:
        objects, made = Path(aside) / "text_loops.o", Path(aside) / NAME
        compiling = [*_asked("CC"), *_asked("CFLAGS"), *_asked("CCSHARED"), *flags, f'-DSOURCE_DIGEST="{digest}"']
        problem = _run([*compiling, "-c", str(SOURCE), "-o", str(objects)])
        problem = problem or _run([*_asked("LDSHARED"), str(objects), "-o", str(made)])
        if not problem:
            target = folder / NAME
            target.unlink(missing_ok=True)  # a process may have the old one open
            target.write_bytes(made.read_bytes())
    return problem


def _asked(name: str) -> list[str]:
    """How this Python was compiled."""
    return shlex.split(sysconfig.get_config_var(name) or {"CC": "cc", "LDSHARED": "cc -shared"}.get(name, ""))


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return (done.stderr.strip() or f"{command[0]} ended with {done.returncode}") if done.returncode else ""


class CompileLoops(BuildHookInterface):  # type: ignore[type-arg]
    """Hatch asks it while it makes a wheel. An editable installation is compiled by `make setup`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled translations and the compiled module; without a compiler the wheel is of Python alone."""
        if version == "editable":
            return
        compiled_texts = runpy.run_path(str(Path(self.root) / "compile_texts.py"))["compiled_texts"]
        for target, made in compiled_texts():
            target.write_bytes(made)
            build_data["artifacts"].append(f"/{target.relative_to(self.root).as_posix()}")
        folder = Path(self.directory) / "compiled"
        folder.mkdir(parents=True, exist_ok=True)
        problem = compile_into(folder)
        if problem:
            self.app.display_warning(f"text_loops.c was not compiled: {problem}")
            return
        build_data["force_include"][str(folder / NAME)] = f"semantic/{NAME}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def main() -> int:
    """Compile beside the source."""
    problem = compile_into(SOURCE.parent)
    if problem:
        print(f"text_loops.c was not compiled, ontocrawl runs slower: {problem}\n  {CURE}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
