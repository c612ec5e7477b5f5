"""What is published installs: built, put into an empty environment, and run there beside packages of our names.

Run by `make test-wheel`, with uv and a network; not among the other tests.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PACKAGES = ("ontology", "semantic", "crawler", "graphdb", "cli", "examples")
TEA = ROOT / "examples" / "ontologies" / "tea.owl"
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
def beside_strangers(built, tmp_path_factory) -> tuple[Path, dict[str, str]]:
    """A working folder and an environment: of the wheel and the versions of the lock, with packages of other people in
    the working folder and on PYTHONPATH that have our names, and end whatever imports them.
    """
    folder = tmp_path_factory.mktemp("installed")
    work = folder / "work"
    for name in PACKAGES:
        for place in (work, folder / "theirs"):
            (place / name).mkdir(parents=True)
            (place / name / "__init__.py").write_text("raise SystemExit(99)\n")
    run(BIN / "uv", "venv", "--quiet", "--python", sys.executable, folder / "env", cwd=folder)
    words = [BIN / "uv", "pip", "install", "--quiet", "--link-mode", "symlink", "--python", folder / "env/bin/python"]
    words += ["--constraint", ROOT / "requirements.lock", f"{built[1]}[ray]"]
    quick = {**os.environ, "CFLAGS": "-O0"}  # owlready2 comes as source: compiled in 10 instead of 40 s of CPU
    cached = subprocess.run([*words, "--offline"], cwd=folder, env=quick, capture_output=True, check=False)
    if cached.returncode:  # the first time: not all is in uv's cache
        run(*words, cwd=folder, env=quick)
    return work, {
        "PATH": f"{folder / 'env/bin'}:/usr/bin:/bin",
        "PYTHONPATH": f"{folder / 'theirs'}:",  # an empty part means the working folder
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "ONTOCRAWL_ENGINE_ARCHIVE": "none",
    }


def test_the_wheel_holds_every_file_of_the_packages(built):
    with zipfile.ZipFile(built[1]) as wheel:
        held = set(wheel.namelist())
    tracked = run("git", "ls-files", *PACKAGES, cwd=ROOT).splitlines()
    assert {f"ontocrawl_app/{name}" for name in tracked} - held == set()
    assert {name.partition("/")[0] for name in held if ".dist-info/" not in name} == {"ontocrawl.py", "ontocrawl_app"}
    assert {str(Path(name).with_suffix(".mo")) for name in held if name.endswith(".po")} <= held
    if shutil.which("cc"):
        assert [name for name in held if name.endswith(".so")] != []


def test_the_source_holds_what_git_does_and_nothing_built(built):
    with tarfile.open(built[0]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in held if Path(name).suffix in NOT_SHIPPED} == set()
    assert {"README.md", "LICENSE", "pyproject.toml", "requirements.lock"} <= held


def test_the_command_runs_beside_strangers_of_our_names(beside_strangers):
    work, env = beside_strangers
    assert "text loops: compiled" in run("ontocrawl", "--version", cwd=work, env=env) or not shutil.which("cc")
    assert "用法" in run("ontocrawl", "--lang", "zh", "--help", cwd=work, env=env)
    assert "errors 0" in run("ontocrawl", "ontology", "check", TEA, cwd=work, env=env)
    told = run("ontocrawl", "demo", cwd=work, env=env)
    assert "pages       100" in told
    assert "The ten best articles and their reasons" in told
    assert (work / "ontocrawl-demo" / "store").is_dir()


def test_workers_run_beside_strangers_of_our_names(beside_strangers, tmp_path):
    (tmp_path / "index.html").write_text("<title>Green tea</title><p>Green tea, black tea, white tea.</p>")
    work, env = beside_strangers
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        words = ["crawl", "--ontology", TEA, "--seeds", f"http://127.0.0.1:{server.server_port}/", "--max-pages", "1"]
        told = run("ontocrawl", *words, "--allow", "127.0.0.1", "--workers", "2", cwd=work, env=env)
        server.shutdown()
    assert "on topic    1 " in told
