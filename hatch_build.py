"""Hatch's build hook: adds the compiled translations and the compiled loops of `semantic/in_c/` to the wheel.

`make setup` runs this file as a program, which compiles the loops beside their sources. That takes a C compiler and the
headers of Python. Without them the same loops run in Python and take longer; `ontocrawl --version` says which ones run.
"""

import runpy
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

ROOT = Path(__file__).resolve().parent
_hashing = runpy.run_path(str(ROOT / "semantic" / "source_hash.py"))  # a build has no ontocrawl to import it from
source_hash, C_SOURCES = _hashing["source_hash"], _hashing["C_SOURCES"]
LOOPS = "semantic.text_loops"
NOT_COMPILED = (BaseError, CCompilerError, OSError)
CURE = "install a C compiler and the headers of Python (on Debian: gcc and python3-dev), then do the same again"


def compile_texts() -> Iterator[Path]:
    """Compile the translations beside their sources."""
    for source in (ROOT / "cli" / "locale").glob("*/LC_MESSAGES/*.po"):
        with source.open("rb") as texts, source.with_suffix(".mo").open("wb") as made:
            write_mo(made, read_po(texts))
        yield Path(made.name)


def compile_c(folder: Path | None = None, flags: Sequence[str] = ()) -> Path:
    """Compile the loops in C beside their sources, or below a folder. `flags`: more of them for the compiler.

    Raises the errors of setuptools where that is not possible.
    """
    source = ROOT / "semantic" / "in_c" / "text_loops.c"  # it includes the others
    digest = ("SOURCE_DIGEST", f'"{source_hash(C_SOURCES)}"')
    loops = Extension(LOOPS, [str(source)], define_macros=[digest])
    loops.extra_compile_args, loops.extra_link_args = ["-w", *flags], [*flags]
    with tempfile.TemporaryDirectory() as aside:
        command = build_ext(Distribution({"ext_modules": [loops], "package_dir": {"": str(ROOT)}}))
        command.build_temp = aside
        command.build_lib = str(folder or aside)
        command.inplace = folder is None
        command.ensure_finalized()
        command.run()
    return Path(command.get_ext_fullpath(LOOPS))


def compiled_loops(warn: Callable[[str], object]) -> Iterator[Path]:
    """The loops in C if they can be compiled; otherwise `warn` is called."""
    try:
        yield compile_c()
    except NOT_COMPILED as error:
        warn(f"semantic/in_c was not compiled, ontocrawl works but is slower: {error}\n  {CURE}")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What Hatch runs while it makes a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add what is compiled. A checkout (an editable installation) is compiled by `make setup`."""
        if version != "editable":
            made = [*compile_texts(), *compiled_loops(self.app.display_warning)]
            build_data["artifacts"] += [f"/{path.relative_to(ROOT).as_posix()}" for path in made]
            build_data["pure_python"] = all(path.stem.partition(".")[0] != "text_loops" for path in made)
            build_data["infer_tag"] = not build_data["pure_python"]


if __name__ == "__main__":
    list(compiled_loops(lambda text: print(text, file=sys.stderr)))
