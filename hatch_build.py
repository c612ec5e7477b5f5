"""Hatch's build hook: adds the compiled translations and the compiled loops of `semantic/in_c/` to the wheel.

`make setup` runs this file as a program, which compiles the loops beside their sources. That takes a C compiler and the
headers of Python. Without them the same loops run in Python and take longer; `ontocrawl --version` says which ones run.
"""

import runpy
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
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
CURE = "install a C compiler and the headers of Python (on Debian: gcc and python3-dev), then do the same again"


def compile_texts() -> Iterator[Path]:
    """Compile the translations beside their sources."""
    for source in (ROOT / "cli" / "locale").glob("*/LC_MESSAGES/*.po"):
        with source.open("rb") as texts, source.with_suffix(".mo").open("wb") as made:
            write_mo(made, read_po(texts))
        yield Path(made.name)


def compile_c() -> Path:
    """Compile the loops in C beside their sources. Raises the errors of setuptools where that is not possible."""
    source = ROOT / "semantic" / "in_c" / "text_loops.c"  # it includes the others
    digest = ("SOURCE_DIGEST", f'"{source_hash(C_SOURCES)}"')
    loops = Extension(LOOPS, [str(source)], define_macros=[digest], extra_compile_args=["-w"])
    with tempfile.TemporaryDirectory() as aside:
        command = build_ext(Distribution({"ext_modules": [loops], "package_dir": {"": str(ROOT)}}))
        command.build_lib = command.build_temp = aside
        command.inplace = True
        command.ensure_finalized()
        command.run()
    return Path(command.get_ext_fullpath(LOOPS))


def compile_java() -> Path:
    """Compile `GraphWriting.java` beside its source, for the engine that is installed. Raises OSError where that is not
    possible: it takes a Java development kit of version 21 or newer.
    """
    source, engine = ROOT / "graphdb" / "embedded" / "GraphWriting.java", distribution("arcadedb-embedded")
    words = ["--release", "21", "-cp", str(engine.locate_file("arcadedb_embedded/jars/*")), str(source), "-d"]
    kits = sorted(Path("/usr/lib/jvm").glob("*/bin/javac"), reverse=True)
    with tempfile.TemporaryDirectory() as aside:
        if all(subprocess.call([kit, *words, aside], stderr=subprocess.DEVNULL) for kit in kits):
            raise OSError("there is no Java development kit of version 21 or newer in /usr/lib/jvm")
        with zipfile.ZipFile(source.with_suffix(".jar"), "w") as jar:
            for path in sorted(Path(aside).rglob("*.class")):
                jar.write(path, path.relative_to(aside))
            jar.writestr("made-of", source_hash([source], engine.version))
    return source.with_suffix(".jar")


PARTS = (("semantic/in_c", compile_c, CURE), ("GraphWriting.java", compile_java, "install one, then do the same again"))


def compile_parts(warn: Callable[[str], object]) -> Iterator[Path]:
    """What could be compiled; `warn` is called for what could not."""
    for name, work, cure in PARTS:
        try:
            yield work()
        except (BaseError, CCompilerError, OSError) as error:
            warn(f"{name} was not compiled, ontocrawl works but is slower: {error}\n  {cure}")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What Hatch runs while it makes a wheel."""

    def dependencies(self) -> list[str]:
        """What must be installed while a wheel is made: the engine, for `GraphWriting.java`."""
        return [needed for needed in self.metadata.core.dependencies if needed.startswith("arcadedb-embedded")]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add what is compiled. A checkout (an editable installation) is compiled by `make setup`."""
        if version != "editable":
            made = [*compile_texts(), *compile_parts(self.app.display_warning)]
            build_data["artifacts"] += [f"/{path.relative_to(ROOT).as_posix()}" for path in made]
            build_data["pure_python"] = all(path.stem.partition(".")[0] != "text_loops" for path in made)
            build_data["infer_tag"] = not build_data["pure_python"]


if __name__ == "__main__":
    list(compile_parts(lambda text: print(text, file=sys.stderr)))
