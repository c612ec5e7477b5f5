"""Jars from Maven Central for programs in Java that tests and benches run. Maven brings them once, into a cache."""

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CACHE = Path.home() / ".cache" / "ontocrawl-tests"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def can_have_jars(name: str) -> bool:
    """Whether the jars of this name are in the cache, or Maven is there to bring them."""
    return (CACHE / name / "complete").exists() or shutil.which("mvn") is not None


def maven_jars(name: str, parts: Sequence[str], *, alone: bool = False) -> Path:
    """The folder with the jars of `parts` and of what they need; `alone`: without what they need.

    A part is `group:artifact:version`, or `group:artifact:version:classifier`.
    """
    cache = CACHE / name
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "maven.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Maven's own cache is not made for two at a time
        if not (cache / "complete").exists():
            shutil.rmtree(cache, ignore_errors=True)
            cache.mkdir()
            (cache / "pom.xml").write_text(_pom(parts, alone=alone))
            command = ["mvn", "-q", "-B", "-ntp", "-f", str(cache / "pom.xml"), COPY, "-DincludeScope=runtime"]
            command.append(f"-DoutputDirectory={cache / 'jars'}")
            subprocess.run(command, check=True, stdout=sys.stderr)
            (cache / "complete").touch()
    return cache / "jars"


def _pom(parts: Sequence[str], *, alone: bool) -> str:
    named = "".join(_dependency(*part.split(":"), alone=alone) for part in parts)
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>tests</groupId>'
        "<artifactId>jars</artifactId><version>1</version><packaging>pom</packaging>"
        f"<dependencies>{named}</dependencies></project>"
    )


def _dependency(group: str, artifact: str, version: str, classifier: str = "", *, alone: bool) -> str:
    kind = f"<classifier>{classifier}</classifier>" if classifier else ""
    others = "<exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion>"
    without = f"<exclusions>{others}</exclusions>" if alone else ""
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
        f"{kind}{without}</dependency>"
    )
