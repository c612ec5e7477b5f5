"""Programs in Java of this folder, run with the jars of the programs that users have."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from conftest import missing

from benchmarks.maven_jars import can_have_jars, maven_jars

HERE = Path(__file__).parent


def java(source: str, name: str, parts: Sequence[str], *, alone: bool = False) -> list[str]:
    """The command that runs a source file of this folder; the test is skipped where it cannot run."""
    if shutil.which("javac") is None:
        missing("a Java development kit, 17 or newer")
    if not can_have_jars(name):
        missing(f"Maven to bring {', '.join(parts)}")
    jars = maven_jars(name, parts, alone=alone)
    return ["java", "-Djava.awt.headless=true", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", str(HERE / source)]
