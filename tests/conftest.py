"""Fixtures for every test. What needs ../shared or another program is skipped with a reason, or fails with CI=true."""

import asyncio
import atexit
import fcntl
import gc
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# stores, servers, crawls that are only read, and a browser: one of each for the session
pytest_plugins = ["browser_fixtures", "crawl_fixtures", "store_fixtures"]

JAVA_ARGUMENTS = "ARCADEDB_JVM_ARGS"  # of every engine that a test starts
os.environ[JAVA_ARGUMENTS] = "-XX:TieredStopAtLevel=1"  # for seconds the second compiler costs more than it saves
# Tests must not use the user's own register of crawls and caches.
_HOME = tempfile.mkdtemp(prefix="ontocrawl-tests-")
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as `cli` has it, which some tests import after numpy
os.environ["XDG_STATE_HOME"], os.environ["XDG_CACHE_HOME"] = f"{_HOME}/state", f"{_HOME}/cache"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each of hundreds of processes would compile all modules anew
sys.dont_write_bytecode = False
for _name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):  # tests read English, whoever runs them
    os.environ.pop(_name, None)
os.environ["LANG"] = "C.UTF-8"
os.environ.setdefault("MPLCONFIGDIR", str(Path.home() / ".cache" / "matplotlib"))  # its list of fonts takes seconds
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from ontology.errors import OntologyError  # noqa: E402 - after the path to it

SERVERS = {"engine", "engine_graph", "neo4j", "neo4j_graph"}
SHARED = Path(__file__).resolve().parents[2] / "shared"


def missing(what: str) -> None:
    """Skip the test with the reason; on CI, fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI must have {what}")
    pytest.skip(f"needs {what}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that use a graph's server, or run the command as a program, as slow; their files come first."""
    for item in items:
        runs_command = hasattr(getattr(item, "module", None), "ontocrawl")  # tests/cli/test_end_to_end.py
        if runs_command or SERVERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)  # files of long tests first, so that all processes end together


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Of several test processes one imports everything first, and the others read what it has compiled.

    Measured in a new checkout: 32 instead of 46 s of CPU for three processes.
    """
    with (Path(sys.prefix) / "collection.lock").open("w") as lock:
        if "PYTEST_XDIST_WORKER" in os.environ:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fcntl.flock(lock, fcntl.LOCK_SH)
        return (yield)


def pytest_collection_finish() -> None:
    """The thousands of tests live as long as the process: let Python not look through them for garbage again and again.
    Measured: of 57 s of CPU of the fast tests of `ontology` and `semantic` this saves five.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)  # Python's own: 700, 10, 10; chosen, not measured


READING = ("accepting", "proposals_owl", "refusals")  # modules of `ontology.proposals` that use `run_isolated`


def read_here(work: Callable[..., object], arguments: tuple[object, ...], **_limits: object) -> object:
    """As `ontology.child_process.run_isolated`, but in this process and without limits; its values are copies, too."""
    try:
        return pickle.loads(pickle.dumps(work(*pickle.loads(pickle.dumps(arguments)))))
    except OntologyError as error:
        raise OntologyError(error.message, error.cure) from None


class _PagesReadHere:
    """As the reading process of a crawl, but in this one and without limits; its answers are packed, too."""

    def __init__(self, analyst: object, *_limits: float) -> None:
        self._analyst = pickle.loads(pickle.dumps(analyst))

    async def read(self, *question: object) -> bytes:
        from crawler.sandbox import reading_process

        await asyncio.sleep(0)
        return pickle.dumps(reading_process.answer_of(pickle.dumps(question), self._analyst))

    async def close(self) -> None:
        pass


@pytest.fixture(scope="module", autouse=True)
def _read_in_this_process(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ontologies, and the pages of crawls in the test's process, are read there: 0.05 instead of 0.45 s of CPU for each
    of hundreds of ontologies, and 0.8 s less for each crawl. A file of tests in which it matters that child processes
    read them has a line `ISOLATED = True`.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "ISOLATED", False):
            for user in ("loading.ontology_reader", *(f"proposals.{one}" for one in READING)):
                patch.setattr(f"ontology.{user}.run_isolated", read_here)
            patch.setattr("crawler.sandbox.sandboxed_reading.ChildReader", _PagesReadHere)
        yield


@pytest.fixture(autouse=True)
def _language_of_one_test() -> Iterator[None]:
    """`--lang` is noted in the environment (cli/render/language.py), where the next test's commands would read it."""
    before = os.environ.get("LANGUAGE")
    yield
    if before is None:
        os.environ.pop("LANGUAGE", None)
    else:
        os.environ["LANGUAGE"] = before


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real webs, ontologies and measures beside the checkout."""
    if not SHARED.is_dir():
        missing("../shared (real webs and ontologies; not part of this repository)")
    return SHARED


@pytest.fixture(scope="session")
def common(tmp_path_factory) -> Path:
    """A folder that all processes of this test session have in common."""
    own: Path = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
