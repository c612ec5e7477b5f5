"""Fixtures for every test. What needs ../shared or another program is skipped with a reason, or fails with CI=true."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest

pytest_plugins = ["browser_fixtures", "store_fixtures"]  # stores, servers and a browser, one of each for the session

# The servers of tests live for seconds: what the JVM's second compiler costs, it does not give back.
os.environ.setdefault("ARCADEDB_JVM_ARGS", "-XX:TieredStopAtLevel=1")
# What the user's own crawls are noted in, and caches, are not for tests.
_HOME = tempfile.mkdtemp(prefix="ontocrawl-tests-")
os.environ["XDG_STATE_HOME"], os.environ["XDG_CACHE_HOME"] = f"{_HOME}/state", f"{_HOME}/cache"
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
SERVERS = {"embedded_folder", "embedded_kept", "neo4j", "neo4j_kept"}
SHARED = Path(__file__).resolve().parents[2] / "shared"


def missing(what: str) -> None:
    """Skip the test and say what is missing; on CI nothing may be missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI must have {what}")
    pytest.skip(f"needs {what}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who asks for a store's server is slow."""
    for item in items:
        if SERVERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real webs, ontologies and measures beside the checkout."""
    if not SHARED.is_dir():
        missing("../shared (real webs and ontologies; not part of this repository)")
    return SHARED
