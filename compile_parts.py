"""Compiles the parts that Python is too slow for: beside their sources for a checkout, into the wheel for an
installation.

    python compile_parts.py

- `semantic/in_c/` needs a C compiler and the headers of Python. It is compiled as this very Python was compiled.
- `graphdb/embedded/GraphWriting.java` needs a Java development kit of version 21 or newer, because the engine's own
  classes are of that version. It is compiled for the engine that is installed.

Where something is missing, ontocrawl does the same without that part, which takes longer; `ontocrawl --version` tells
which parts are compiled. The wheel gets the compiled translations here, too (`compile_texts.py`).
"""

import importlib.util
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
_hashing = runpy.run_path(str(ROOT / "semantic" / "source_hash.py"))  # a build has no ontocrawl
source_hash, C_SOURCES = _hashing["source_hash"], _hashing["C_SOURCES"]
SOURCE = ROOT / "semantic" / "in_c" / "text_loops.c"  # it includes the others
NAME = f"text_loops{sysconfig.get_config_var('EXT_SUFFIX') or '.so'}"
CURE = (
    "to read pages in half the time, install a C compiler and the headers of Python (on Debian: gcc and "
    "python3-dev), then run `python compile_parts.py` with the Python of this installation"
)
JAVA_SOURCE = ROOT / "graphdb" / "embedded" / "GraphWriting.java"
JAR = "GraphWriting.jar"
MADE_OF = "made-of"  # the file in the jar with the hash by which `graphdb.embedded.direct_writing` knows it
ENGINE = "arcadedb-embedded"
JAVA_CURE = (
    "to fill the embedded store in two thirds of the time, install a Java development kit of version 21 or newer (or "
    "name yours in JAVA_HOME), then run `python compile_parts.py` with the Python of this installation"
)


def compile_c_into(folder: Path, extra: Sequence[str] = ()) -> str:
    """Write the compiled module into a folder; what went wrong, '' where nothing did. `extra`: flags for compiling."""
    flags = [*(f"-I{sysconfig.get_path(path)}" for path in ("include", "platinclude")), *extra]
    digest = source_hash(C_SOURCES)
    with tempfile.TemporaryDirectory() as aside:
        objects, made = Path(aside) / "text_loops.o", Path(aside) / NAME
        compiling = [*_asked("CC"), *_asked("CFLAGS"), *_asked("CCSHARED"), *flags, f'-DSOURCE_DIGEST="{digest}"']
        problem = _run([*compiling, "-c", str(SOURCE), "-o", str(objects)])
        problem = problem or _run([*_asked("LDSHARED"), *extra, str(objects), "-o", str(made)])
        if not problem:
            _put(made, folder)
    return problem


def compile_java_into(folder: Path) -> str:
    """Write the compiled jar into a folder; what went wrong, '' where nothing did."""
    engine = importlib.util.find_spec("arcadedb_embedded")
    if engine is None or engine.origin is None:
        return f"{ENGINE} is not installed"
    jars = Path(engine.origin).parent / "jars"
    digest = source_hash([JAVA_SOURCE], version(ENGINE))
    problems = []
    with tempfile.TemporaryDirectory() as aside:
        classes, made = Path(aside) / "classes", Path(aside) / JAR
        for javac in _java_compilers():
            problem = _run([str(javac), "--release", "21", "-cp", f"{jars}/*", "-d", str(classes), str(JAVA_SOURCE)])
            if not problem:
                with zipfile.ZipFile(made, "w") as jar:
                    for path in sorted(classes.rglob("*.class")):
                        jar.write(path, path.relative_to(classes))
                    jar.writestr(MADE_OF, digest)
                _put(made, folder)
                return ""
            problems.append(f"{javac}: {problem}")
    return "\n  ".join(problems) or "there is no javac"


def _put(made: Path, folder: Path) -> None:
    target = folder / made.name
    target.unlink(missing_ok=True)  # a process may have the old one open
    target.write_bytes(made.read_bytes())


def _java_compilers() -> list[Path]:
    """The compilers of JAVA_HOME, of PATH, and of where Linux distributions put development kits, newest name first."""
    home, on_path = os.environ.get("JAVA_HOME"), shutil.which("javac")
    named = [Path(home) / "bin" / "javac"] if home else []
    named += [Path(on_path)] if on_path else []
    found = [*named, *sorted(Path("/usr/lib/jvm").glob("*/bin/javac"), reverse=True)]
    return [javac for javac in found if javac.exists()]


def _asked(name: str) -> list[str]:
    """How this Python was compiled."""
    return shlex.split(sysconfig.get_config_var(name) or {"CC": "cc", "LDSHARED": "cc -shared"}.get(name, ""))


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return (done.stderr.strip() or f"{command[0]} ended with {done.returncode}") if done.returncode else ""


class CompileParts(BuildHookInterface):  # type: ignore[type-arg]
    """Hatch asks it while it makes a wheel. An editable installation is compiled by `make setup`."""

    def dependencies(self) -> list[str]:
        """What must be installed while a wheel is made: the engine, for `GraphWriting.java`."""
        return [needed for needed in self.metadata.core.dependencies if needed.startswith(ENGINE)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled translations and parts; without the compilers the wheel is without these parts."""
        if version == "editable":
            return
        compiled_texts = runpy.run_path(str(ROOT / "compile_texts.py"))["compiled_texts"]
        for target, made in compiled_texts():
            target.write_bytes(made)
            build_data["artifacts"].append(f"/{target.relative_to(self.root).as_posix()}")
        folder = Path(self.directory) / "compiled"
        folder.mkdir(parents=True, exist_ok=True)
        problem = compile_c_into(folder)
        if problem:
            self.app.display_warning(f"text_loops.c was not compiled: {problem}")
        else:
            build_data["force_include"][str(folder / NAME)] = f"semantic/{NAME}"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        problem = compile_java_into(folder)
        if problem:
            self.app.display_warning(f"GraphWriting.java was not compiled: {problem}")
        else:
            build_data["force_include"][str(folder / JAR)] = f"graphdb/embedded/{JAR}"


def main() -> int:
    """Compile beside the sources."""
    problem, java_problem = compile_c_into(ROOT / "semantic"), compile_java_into(JAVA_SOURCE.parent)
    if problem:
        print(f"text_loops.c was not compiled, ontocrawl runs slower: {problem}\n  {CURE}", file=sys.stderr)
    if java_problem:
        print(f"GraphWriting.java was not compiled, filling is slower: {java_problem}\n  {JAVA_CURE}", file=sys.stderr)
    return int(bool(problem or java_problem))


if __name__ == "__main__":
    sys.exit(main())
