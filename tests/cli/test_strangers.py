"""The installed command beside packages of other people that have the same names as ours: `cli`, `ontology`."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from hatchling.build import build_wheel

ROOT = Path(__file__).resolve().parents[2]
STRANGER = "print('a stranger was run')\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A virtual environment with the wheel, and with this one's libraries behind it. The last test damages it."""
    folder = tmp_path_factory.mktemp("installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("PATH", "")  # without compilers, which take seconds: tests/wheel is about what they make
        wheel = folder / build_wheel(str(folder))
    venv.create(folder / "venv", symlinks=True)
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    libraries = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "libraries.pth").write_text("\n".join(libraries))
    return packages


def ontocrawl(installed: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as an installer writes it; the working folder is the environment's parent."""
    python = installed.parents[2] / "bin" / "python"
    script = installed.parents[2] / "bin" / "ontocrawl"
    script.write_text("import sys\nfrom ontocrawl import start\nsys.exit(start())\n")
    others = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [python, script, *words],
        cwd=installed.parents[3],
        env=others | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def strangers(folder: Path) -> Path:
    for name in ("cli", "ontology", "semantic"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(STRANGER)
    return folder


def test_folders_of_our_names_on_the_path_are_not_run(installed: Path, tmp_path: Path):
    strangers(installed.parents[3])  # an empty part of PYTHONPATH means the working folder
    path = os.pathsep.join([str(strangers(tmp_path / "theirs")), ""])
    tea = ROOT / "examples" / "ontologies" / "tea.owl"
    told = ontocrawl(installed, "ontology", "check", str(tea), PYTHONPATH=path)
    assert (told.returncode, told.stderr) == (0, "")
    assert "tea.owl" in told.stdout
    assert "stranger" not in told.stdout


def test_a_package_that_overwrote_our_files_is_noticed(installed: Path):
    (installed / "cli" / "__init__.py").write_text(STRANGER)
    told = ontocrawl(installed, "--version")
    assert (told.returncode, told.stdout) == (2, "")
    assert "cli/__init__.py" in told.stderr
    assert "an environment of its own" in told.stderr
