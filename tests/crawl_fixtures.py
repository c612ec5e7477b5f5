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
def whole(common, tmp_path_factory) -> "Graph":
    """What a crawl of the demonstration web by `--strategy ontology` leaves that nothing disturbs. It is crawled in
    this process.
    """
    from test_end_to_end import ontocrawl

    from benchmarks.torture import STORE, graph, typed
    from benchmarks.torture_web import finite_sites, seeds_of
    from examples.server import WebServer

    kept, sites = common / "whole.json", finite_sites()
    with (common / "whole.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            folder = tmp_path_factory.mktemp("whole")
            (folder / "seeds.txt").write_text("\n".join(seeds_of(sites)))
            with WebServer(sites) as server:
                done = ontocrawl(folder, *typed("ontology", STORE, server.proxy))
                assert done.returncode == 0, done.stderr
                kept.write_text(json.dumps(graph(str(folder / STORE), "ontology")), "utf-8")
    return json.loads(kept.read_text("utf-8"))  # type: ignore[no-any-return]
