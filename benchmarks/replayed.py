"""A replay proxy over an archived web for the time of a `with` block, and crawls through it.

Proxy and judge are `replay.py` and `harvest.py` of the folder `measure` in `../shared`, which a benchmark needs.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
SHARED = HERE.parent / "shared"
MEASURE, WEBS = SHARED / "measure", SHARED / "webs"
OUT = HERE / "bench-out" / "live"
ONTOCRAWL = Path(sys.executable).with_name("ontocrawl")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running replay proxy; `log` grows by one line a request."""

    url: str
    log: Path


@contextmanager
def replay(web: Path) -> Iterator[Proxy]:
    """Serve `web` at a free port of 127.0.0.1 until the block ends."""
    OUT.mkdir(parents=True, exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    log = OUT / f"{web.name}-{port}.log"
    command = [sys.executable, str(MEASURE / "replay.py"), str(web), "--port", str(port), "--log", str(log)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, server)
        yield Proxy(f"http://127.0.0.1:{port}", log)
    finally:
        server.terminate()
        server.wait()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if server.poll() is not None:
            sys.exit(f"replay.py ended with {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("replay.py did not open its port within two minutes")


def name_of(task: Path) -> str:
    """Web and task, as a part of a file's name."""
    return f"{task.parent.parent.name}-{task.name}"


def topic_of(task: Path) -> Path:
    """The task's ontology, whatever its ending."""
    return next(task.glob("topic.*"))


def plain_seeds(task: Path) -> str:
    """The file of the task's seeds with `http:`, since the proxy speaks no TLS."""
    seeds = OUT / f"{name_of(task)}.seeds"
    seeds.write_text((task / "seeds.txt").read_text(encoding="utf-8").replace("https://", "http://"), encoding="utf-8")
    return str(seeds)


def words_of(task: Path, proxy: Proxy, options: str) -> list[str]:
    """The words of a crawl through the proxy. `options`: as they are typed."""
    given = ["--ontology", str(topic_of(task)), "--seeds", plain_seeds(task), "--proxy", proxy.url, "--json"]
    return [str(ONTOCRAWL), "crawl", *given, *options.split()]


def fetched_by(command: Sequence[str], proxy: Proxy, name: str) -> Path:
    """Run a crawler; the file with the proxy's log lines of this run alone. The proxy is in its environment, too."""
    before = len(proxy.log.read_bytes())
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "http_proxy": proxy.url})
    fetches = OUT / f"{name}.tsv"
    fetches.write_bytes(proxy.log.read_bytes()[before:])
    return fetches


def judge(task: Path, log: Path, budget: int) -> dict[str, Any]:
    """`harvest.py` over a log: area, of_oracle, found, pages, requests."""
    result = OUT / f"{name_of(task)}.json"
    command = [sys.executable, str(MEASURE / "harvest.py"), str(task.parent.parent), task.name, str(log)]
    subprocess.run([*command, "--budget", str(budget), "--json", str(result)], check=True, stdout=subprocess.DEVNULL)
    found: dict[str, Any] = json.loads(result.read_text())[log.stem]
    return found


def spider(task: Path, pages: int, connections: int, first: Sequence[str] = ()) -> list[str]:
    """The words of the best-first Scrapy spider of `measure`, installed for this alone into `bench-out`; it takes the
    proxy from the environment, `http_proxy`. `first`: what Python is given before the spider's file.
    """
    python = OUT / "scrapy" / "bin" / "python"
    if not python.with_name("done").exists():
        subprocess.run([sys.executable, "-m", "venv", str(OUT / "scrapy")], check=True)
        packages = ["scrapy", "selectolax", "daachorse", "rdflib"]
        subprocess.run([str(python), "-m", "pip", "install", "-q", *packages], check=True)
        python.with_name("done").touch()
    command = [str(python), *first, str(MEASURE / "scrapy_bestfirst.py"), str(topic_of(task)), plain_seeds(task)]
    return [*command, "--pages", str(pages), "--connections", str(connections)]
