"""Crawls on several workers beside crawls on one: `python -m benchmarks.cluster PART ...`.

- `waiting [--workers 1,2,4,8] [--connections 1] [--hosts 400] [--seconds 0.2] [--pages 100]`: answers a second, those
  of robots.txt included, where the network is what is waited for: a made web behind a proxy that takes so long for each
  answer, one request a second to each host. `--pages` are those of each worker.
- `order [--tasks uci/,zhblogs/,blogs-a/] [--seed 1] [--budget 1000]`: shares of the oracle with 1 and 4 workers and
  eight connections in all, without a delay, and the inversions. Needs `../shared`.
- `cores [--pages 1500]`: pages a second and CPU of an archived web without a delay, with 1 and 2 workers.
- `kills [--kills 10]`: `kill -9` of workers of one crawl, and of its store's server after half of them; the graph
  beside that of an undisturbed one.
- `messages [--pages 2000]`: frames and links a second from a worker to the crawl's own process, nothing else done.

CPU is of all processes that the crawl started, those of Ray and of the store included, from their start on, looked at
three times a second. Load of the machine is printed.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from aiohttp import web

from benchmarks.lab_jobs import tasks
from benchmarks.lab_runs import folder_of
from benchmarks.made_web import MadeWeb
from benchmarks.processes import cpu_seconds, descendants, is_store
from benchmarks.replayed import ONTOCRAWL, crawl, judge, plain_seeds, replay, topic_of
from benchmarks.torture import STORE, differences, graph, start, undisturbed
from benchmarks.torture_web import finite_sites, made_sites, seeds_of
from examples.server import WebServer
from examples.sites import ONTOLOGY
from semantic.frame import LinkRows

MANY = "100000"


def serve_slowly(port: int, hosts: int, seconds: float) -> None:
    """The process of the proxy: a made web, each answer after so many seconds."""
    made = MadeWeb(hosts, 50_000)

    async def handle(request: web.Request) -> web.Response:
        await asyncio.sleep(seconds)
        answer = made.answer(
            request.raw_path if "://" in request.raw_path else f"http://{request.host}{request.raw_path}"
        )
        return web.Response(status=answer.status, body=answer.body, headers=dict(answer.headers))

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", handle)
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None)


def measured(words: Sequence[str], folder: Path) -> dict[str, float]:
    """The figures of one crawl, its CPU time and that of its own process, in seconds."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        command = [str(ONTOCRAWL), "crawl", *words, "--json"]
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=said)
        cpu: dict[int, float] = {}
        while process.poll() is None:
            for pid in [process.pid, *descendants(process.pid)]:
                with contextlib.suppress(OSError):  # it has ended meanwhile
                    cpu[pid] = cpu_seconds(pid)
            time.sleep(0.3)
        out.seek(0)
        said.seek(0)
        if process.returncode:
            sys.exit(f"{' '.join(words)} ended with {process.returncode}: {said.read()[-2000:]}")
        figures: dict[str, float] = json.loads(out.read())
    figures["cpu"], figures["own"] = sum(cpu.values()), cpu[process.pid]
    return figures


def waiting(given: argparse.Namespace) -> None:
    port = 18_000 + os.getpid() % 10_000
    command = [
        sys.executable,
        "-c",
        f"from benchmarks.cluster import *; serve_slowly({port}, {given.hosts}, {given.seconds})",
    ]
    server = subprocess.Popen(command)
    made = MadeWeb(given.hosts, 50_000)
    print(
        f"{given.hosts} hosts, {given.seconds} s an answer, 1 s between requests, {given.connections} of a worker open"
    )
    print("| workers | answers/s | CPU of the crawl, ms a page | inversions | load |\n|---|---|---|---|---|")
    try:
        time.sleep(2)
        for workers in given.workers.split(","):
            with tempfile.TemporaryDirectory() as name:
                (Path(name) / "seeds").write_text("\n".join(made.address(n) for n in range(200)))
                words = f"--ontology {ONTOLOGY} --seeds seeds --store memory: --strategy fused --delay 1"
                pages = (given.pages or 100) * int(workers)  # so that all runs last as long
                limits = f"--max-pages {pages} --connections {given.connections} --workers {workers}"
                proxy = f"--proxy http://127.0.0.1:{port}"
                found = measured([*words.split(), *limits.split(), *proxy.split()], Path(name))
            rate, cpu = found["requests"] / found["seconds"], 1000 * found["cpu"] / found["pages"]
            print(
                f"| {workers} | {rate:.1f} | {cpu:.1f} | {found['inversions']:.0f} | {os.getloadavg()[0]:.1f} |",
                flush=True,
            )
    finally:
        server.terminate()
        server.wait()


def order(given: argparse.Namespace) -> None:
    print("| task | seed | 1 worker | 4 workers | difference | inversions with 4 |\n|---|---|---|---|---|---|")
    gaps = []
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        for task in tasks(given.tasks.split(",")):
            folder = folder_of(task)
            crawls = {}
            with replay(folder.parents[1], out) as proxy:
                for seed in given.seed.split(","):
                    for workers, connections in ((1, 8), (4, 2)):
                        limits = (
                            f"--max-pages {given.budget} --delay 0 --connections {connections} --per-host {connections}"
                        )
                        words = f"{limits} --store memory: --seed {seed} --workers {workers}"
                        crawls[seed, workers] = crawl(folder, proxy, out, words.split())
            shares = judge(folder, [log for _, log in crawls.values()], given.budget, out)
            for seed in given.seed.split(","):
                one, four = (shares[crawls[seed, workers][1].stem]["of_oracle"] for workers in (1, 4))
                gaps.append(four - one)
                told = crawls[seed, 4][0]["inversions"]
                print(f"| {task} | {seed} | {one:.3f} | {four:.3f} | {gaps[-1]:+.3f} | {told} |", flush=True)
    print(f"mean difference {mean(gaps):+.3f}")


def cores(given: argparse.Namespace) -> None:
    print("| workers | pages/s | CPU of the crawl, ms a page | of its own process | load |\n|---|---|---|---|---|")
    task = folder_of(next(name for name in tasks(["archwiki/"])))
    with tempfile.TemporaryDirectory() as name, replay(task.parents[1], Path(name)) as proxy:
        for workers, connections in (("1", 64), ("2", 32)):
            out = Path(name) / workers
            out.mkdir()
            words = f"--ontology {topic_of(task)} --seeds {plain_seeds(task, out)} --store store --proxy {proxy.url}"
            limits = f"--max-pages {given.pages or 1500} --delay 0 --connections {connections} --per-host 64"
            found = measured([*words.split(), *limits.split(), "--workers", workers], out)
            pages = found["pages"]
            rate, cpu, own = pages / found["seconds"], 1000 * found["cpu"] / pages, 1000 * found["own"] / pages
            print(f"| {workers} | {rate:.1f} | {cpu:.1f} | {own:.1f} | {os.getloadavg()[0]:.1f} |", flush=True)


def kills(given: argparse.Namespace) -> None:
    chance, sites = random.Random(1), finite_sites() | made_sites(150, 1)
    with tempfile.TemporaryDirectory() as name:
        whole = undisturbed(Path(name) / "whole", sites, "ontology")
        folder = Path(name) / "killed"
        folder.mkdir()
        done, requests, stores = 0, 30, 0
        with WebServer(sites) as server:
            process = start(folder, server.proxy, "ontology", STORE, seeds_of(sites), also=["--workers", "2"])
            while process.poll() is None:
                time.sleep(0.02)
                if done < given.kills and len(server.log) > requests:
                    pids = descendants(process.pid)
                    if done == given.kills // 2 and not stores:
                        for pid in filter(is_store, pids):
                            os.kill(pid, signal.SIGKILL)
                            stores += 1
                    workers = [pid for pid in pids if _is_worker(pid)]
                    if workers:
                        os.kill(chance.choice(workers), signal.SIGKILL)
                        done, requests = done + 1, len(server.log) + chance.randrange(15, 35)
            pages = [url for url, status in server.log if status == 200 and not url.endswith("/robots.txt")]
        print(f"{done} workers and {stores} server of the store killed, exit code {process.returncode},")
        print(f"{len(set(pages))} pages answered, {len(pages) - len(set(pages))} of them again")
        wrong = differences(whole, graph(str(folder / STORE), "ontology"))
        print("graph: " + ("; ".join(wrong) or "the same as of an undisturbed crawl with one worker"))


def _is_worker(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::Worker")
    except OSError:
        return False


def messages(given: argparse.Namespace) -> None:
    from functools import partial

    from cli.crawling.crawl import make_plan
    from cli.settings import Settings
    from crawler.cluster.ray_actors import RayWorkers
    from crawler.cluster.workers_source import WorkersSource

    made, pages = MadeWeb(1000, 50_000), given.pages or 2000
    plan = make_plan(Settings(str(ONTOLOGY), (made.address(0),), 1, store="memory:"))

    async def run() -> None:
        source = WorkersSource(RayWorkers("1", partial(MadeWeb, 1000, 50_000)), print)
        source.analyst = plan.understanding.analyst
        gate, links = asyncio.Semaphore(64), 0

        async def one(number: int) -> None:
            nonlocal links
            async with gate:
                url = made.address(number)
                await source.fetch(url)
                read = source.read(b"", url, {})
                assert isinstance(read.links, LinkRows)
                links += len(read.links.targets)

        await one(0)
        began, cpu = time.monotonic(), time.process_time()
        await asyncio.gather(*map(one, range(1, pages)))
        seconds, cpu = time.monotonic() - began, time.process_time() - cpu
        print(f"{pages / seconds:.0f} frames and {links / seconds:.0f} links a second from one reading worker;")
        print(f"{1000 * cpu / pages:.2f} ms of the crawl's own process a frame, unpacking included: at most")
        print(f"{pages / cpu:.0f} frames and {links / cpu:.0f} links a second")
        await source.close()

    asyncio.run(run())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {"waiting": waiting, "order": order, "cores": cores, "kills": kills, "messages": messages}
    parser.add_argument("part", choices=parts)
    parser.add_argument("--workers", default="1,2,4,8")
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--pages", type=int, default=0)
    parser.add_argument("--tasks", default="uci/,zhblogs/,blogs-a/")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=10)
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    parts[given.part](given)


if __name__ == "__main__":
    main()
