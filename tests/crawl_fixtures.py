"""What several files of tests only read: made once by a test process, or by all of them together."""

import fcntl
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from benchmarks.torture import Graph


@pytest.fixture(scope="session")
def read_crawl(tmp_path_factory) -> Iterator[Path]:
    """The folder of a crawl of three pages of the small web. Tests may add files and stores, and leave the crawl."""
    from test_end_to_end import crawled

    with crawled(tmp_path_factory.mktemp("crawl")) as made:
        yield made


@pytest.fixture(scope="session")
def whole(common) -> "Graph":
    """What a crawl of the demonstration web by `--strategy ontology` leaves that nothing disturbs."""
    from benchmarks.torture import undisturbed
    from benchmarks.torture_web import finite_sites

    kept = common / "whole.json"
    with (common / "whole.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_text(json.dumps(undisturbed(common / "whole", finite_sites(), "ontology")), "utf-8")
    return json.loads(kept.read_text("utf-8"))  # type: ignore[no-any-return]
