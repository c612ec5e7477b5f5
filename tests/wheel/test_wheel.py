"""What is published installs: built, put into an empty environment, and the demonstration run from there.

Run by `make test-wheel`, with the built package, uv and a network; not among the other tests.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from graphdb.embedded import direct_writing

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PACKAGES = ("ontology", "semantic", "crawler", "graphdb", "cli", "examples")
NOT_SHIPPED = {".pyc", ".so", ".mo", ".jar"}


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(list(map(str, words)), cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is built of it, as an installer would."""
    folder = tmp_path_factory.mktemp("built")
    run(BIN / "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    (source,) = folder.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = (path for path in folder.iterdir() if path.is_dir())
    run(BIN / "hatchling", "build", "-t", "wheel", "-d", folder, cwd=unpacked)
    (wheel,) = folder.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory) -> Path:
    """An environment that holds the wheel, the versions of the lock, and nothing else."""
    folder = tmp_path_factory.mktemp("installed") / "env"
    run(BIN / "uv", "venv", "--quiet", "--python", sys.executable, folder, cwd=folder.parent)
    words = [BIN / "uv", "pip", "install", "--quiet", "--link-mode", "symlink", "--python", folder / "bin" / "python"]
    words += ["--constraint", ROOT / "requirements.lock", built[1]]
    quick = {**os.environ, "CFLAGS": "-O0"}  # owlready2 comes as source: compiled in 10 instead of 40 s of CPU
    cached = subprocess.run([*words, "--offline"], cwd=folder.parent, env=quick, capture_output=True, check=False)
    if cached.returncode:  # the first time: not all is in uv's cache
        run(*words, cwd=folder.parent, env=quick)
    return folder


def test_the_wheel_holds_every_file_of_the_packages(built):
    with zipfile.ZipFile(built[1]) as wheel:
        held = set(wheel.namelist())
    tracked = run("git", "ls-files", *PACKAGES, cwd=ROOT).splitlines()
    assert set(tracked) - held == set()
    assert {name for name in held if name.startswith(("tests/", "benchmarks/"))} == set()


def test_with_a_compiler_the_wheel_holds_the_compiled_loops(built):
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    with zipfile.ZipFile(built[1]) as wheel:
        assert [name for name in wheel.namelist() if name.endswith(".so")] != []


def test_the_wheel_holds_a_checkout_s_compiled_graph_writing(built):
    if not direct_writing.is_compiled():
        pytest.skip("needs a Java development kit of version 21 or newer")
    with zipfile.ZipFile(built[1]) as wheel:
        assert "graphdb/embedded/GraphWriting.jar" in wheel.namelist()


def test_the_wheel_holds_the_compiled_translations(built):
    with zipfile.ZipFile(built[1]) as wheel:
        held = {Path(name) for name in wheel.namelist()}
    edited = {path for path in held if path.suffix == ".po"}
    assert edited
    assert {path.with_suffix(".mo") for path in edited} <= held


def test_the_source_holds_what_git_does_and_nothing_built(built):
    with tarfile.open(built[0]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in held if Path(name).suffix in NOT_SHIPPED} == set()
    assert {"README.md", "LICENSE", "pyproject.toml", "requirements.lock"} <= held


def test_the_demonstration_runs_from_an_empty_environment(installed, tmp_path):
    env = {
        "PATH": f"{installed / 'bin'}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "ONTOCRAWL_ENGINE_ARCHIVE": "none",
    }
    assert "ontocrawl" in run("ontocrawl", "--version", cwd=tmp_path, env=env)
    assert "用法" in run("ontocrawl", "--lang", "zh", "--help", cwd=tmp_path, env=env)
    told = run("ontocrawl", "demo", cwd=tmp_path, env=env)
    assert "pages       100" in told
    assert "The ten best articles and their reasons" in told
    where = run("python", "-c", "import cli; print(cli.__file__)", cwd=tmp_path, env=env)
    assert Path(where.strip()).is_relative_to(installed)
    assert os.listdir(tmp_path)  # the graph stays
