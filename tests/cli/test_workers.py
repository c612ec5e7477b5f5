"""Crawls on several workers, on a real Ray of this machine: the same graph, whoever is killed meanwhile."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import warnings
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.processes import descendants
from benchmarks.torture import STORE, differences, graph, living, start
from benchmarks.torture_web import finite_sites, seeds_of
from cli.settings import make_settings
from crawler.cluster import ray_actors
from crawler.ports import Source
from examples.server import WebServer
from graphdb.stores import MEMORY
from ontology.errors import SettingsError

SITES = finite_sites()
STRATEGY = "ontology"
OPEN = 8  # requests of one worker at once, as `start` has it
ON_A_CLUSTER = pytest.mark.skipif(
    "RAY_CLUSTER" not in os.environ,
    reason="needs RAY_CLUSTER=1 (make test-cluster): the head of a cluster takes up to two minutes to let a crawl in",
)
HASTY = "from crawler.cluster import ray_actors; ray_actors.LOST_SECONDS = 2"
RAY = Path(sys.executable).with_name("ray")
TYPED = {"ontology": "topic.owl", "seeds": ["http://a.org/"], "max_pages": 10}


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two CPUs that runs already; gives its addresses, for crawls, for machines that join, for metrics."""
    ports = []
    for _ in range(3):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            ports.append(probe.getsockname()[1])
    os.environ |= {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": "of-these-tests-alone-0123456789",
        **ray_actors.ENVIRONMENT,
    }
    words = f"start --head --block --num-cpus 2 --node-ip-address {ray_actors.HERE} --port {ports[0]}"
    limits = f"--ray-client-server-port {ports[1]} --include-dashboard false --object-store-memory 100000000"
    limits += f" --metrics-export-port {ports[2]}"
    process = subprocess.Popen([RAY, *words.split(), *limits.split()], stdout=subprocess.DEVNULL, cwd="/")
    try:
        wait_for(ports[1])
        addresses = [f"{ray_actors.HERE}:{port}" for port in ports]
        yield f"ray://{addresses[1]}", addresses[0], f"http://{addresses[2]}/metrics"
    finally:
        started = descendants(process.pid)
        process.terminate()
        process.wait()
        for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", *ray_actors.ENVIRONMENT):
            del os.environ[name]
        assert left_of(started) == []


def left_of(pids) -> list[str]:
    """Processes that do not end, but for Ray's agents, which notice only after some time that their cluster ended."""
    return living(set(pids) - set(processes_named(pids, "Agent")))


def wait_for(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection((ray_actors.HERE, port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("no head of Ray within a minute")


def said(folder: Path) -> str:
    return (folder / "said").read_text()


def await_requests(process, server: WebServer, requests: int, folder: Path) -> None:
    while len(server.log) < requests:
        assert process.poll() is None, said(folder)
        time.sleep(0.01)


def every_process() -> set[int]:
    return set(map(int, filter(str.isdecimal, os.listdir("/proc"))))


def processes_named(pids, name: str) -> list[int]:
    found = []
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            found += [pid] * (name in Path(f"/proc/{pid}/cmdline").read_text().split("\0")[0])
    return found


def fetched_twice(server: WebServer) -> int:
    pages = [url for url, status in server.log if status == 200 and not url.endswith("/robots.txt")]
    return len(pages) - len(set(pages))


@ON_A_CLUSTER
@pytest.mark.slow
def test_killed_workers_of_a_cluster_leave_the_same_graph(tmp_path, whole, cluster):
    before = every_process()
    with WebServer(SITES) as server:
        process = start(tmp_path, server.proxy, STRATEGY, STORE, seeds_of(SITES), also=["--workers", cluster[0]])
        for requests in (60, 120):
            await_requests(process, server, requests, tmp_path)
            workers = processes_named(every_process() - before, "ray::Worker")
            os.kill(workers[0], signal.SIGKILL)
        assert process.wait() == 0, said(tmp_path)
        assert fetched_twice(server) <= 2 * OPEN
    assert differences(whole, graph(str(tmp_path / STORE), STRATEGY)) == []
    assert json.loads((tmp_path / "figures").read_text())["inversions"] == 0


@ON_A_CLUSTER
@pytest.mark.slow
def test_a_machine_joining_the_cluster_gets_a_worker(tmp_path, cluster):
    head, records, _ = cluster
    slowly = ["--workers", head, "--delay", "1", "--per-host", "1"]
    with WebServer(SITES) as server:
        process = start(tmp_path, server.proxy, STRATEGY, STORE, seeds_of(SITES), also=slowly)
        await_requests(process, server, 10, tmp_path)
        joined = subprocess.Popen([RAY, *f"start --address {records} --block --num-cpus 1".split()], cwd="/")
        try:
            for _ in range(900):
                if "workers that joined: 1; 3 run now" in said(tmp_path):
                    break
                assert process.poll() is None, said(tmp_path)
                time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            assert process.wait() == 130, said(tmp_path)
        finally:
            joined.terminate()
            joined.wait()
    assert "workers that joined: 1; 3 run now" in said(tmp_path)


@ON_A_CLUSTER
@pytest.mark.skipif(find_spec("opencensus") is None, reason="needs pip install 'ray[default]', which has metrics")
@pytest.mark.slow
def test_the_metrics_of_a_cluster_have_the_crawl_s_figures(tmp_path, cluster):
    head, _, metrics = cluster
    names = ["answers_total", *ray_actors.STATES]
    with WebServer(SITES) as server:
        slowly = ["--workers", head, "--delay", "1", "--per-host", "1"]
        process = start(tmp_path, server.proxy, STRATEGY, MEMORY, seeds_of(SITES), also=slowly)
        shown, workers = "", set()
        while len(workers) < 2 or not all(f"ray_ontocrawl_{name}{{" in shown for name in names):
            assert process.poll() is None, said(tmp_path)
            time.sleep(0.5)
            with urllib.request.urlopen(metrics) as answer:
                shown = answer.read().decode()
            workers = set(re.findall(r'ray_ontocrawl_requests_under_way\{.*WorkerId="(\w+)"', shown))
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130, said(tmp_path)
    pages = re.findall(r'ray_ontocrawl_answers_total\{.*kind="2xx".*outcome="page"\S* (\S+)', shown)
    assert 0 < sum(map(float, pages)) <= len(server.log)


@ON_A_CLUSTER
@pytest.mark.slow
def test_a_stopped_crawl_leaves_no_process_of_ray(tmp_path):
    with WebServer(SITES) as server:
        process = start(tmp_path, server.proxy, STRATEGY, STORE, seeds_of(SITES), also=["--workers", "2"])
        await_requests(process, server, 40, tmp_path)
        started = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130, said(tmp_path)
    assert left_of(started) == []


@pytest.mark.slow
def test_a_lost_head_and_killed_workers_lose_nothing(tmp_path, whole):
    two = ["--workers", "2"]
    with WebServer(SITES) as server:

        def begin(also):
            return start(tmp_path, server.proxy, STRATEGY, STORE, seeds_of(SITES), also=also, first=HASTY)

        process = begin([*two, "--per-host", "1", "--delay", "1"])  # so that it lasts until the loss is noticed
        await_requests(process, server, 40, tmp_path)
        started = descendants(process.pid)
        for pid in processes_named(started, "gcs_server"):
            os.kill(pid, signal.SIGKILL)
        assert process.wait() == 3, said(tmp_path)
        assert "Traceback" not in said(tmp_path)
        before = every_process()
        process = begin(two)
        for requests in (80, 140):
            await_requests(process, server, requests, tmp_path)
            os.kill(processes_named(every_process() - before, "ray::Worker")[0], signal.SIGKILL)
        started = descendants(process.pid)
        assert process.wait() == 0, said(tmp_path)
        assert left_of(started) == []
        assert fetched_twice(server) <= 2 * 2 * OPEN + OPEN
    assert differences(whole, graph(str(tmp_path / STORE), STRATEGY)) == []
    assert json.loads((tmp_path / "figures").read_text())["inversions"] == 0


@pytest.mark.parametrize(
    "words",
    [
        *("0", "-1", "two", "2.5", "9" * 5000, "http://a:1"),
        *(
            "ray://",
            "ray://head",
            "ray://head:0",
            "ray://head:65536",
            "ray://[::1",
            "ray://[::1:1",
            "ray://a b:1",
            "ray://a@b:1",
        ),
    ],
)
def test_what_is_no_number_and_no_cluster_is_refused(words):
    with pytest.raises(SettingsError):
        make_settings({**TYPED, "workers": words})


def test_more_workers_than_the_memory_holds_are_refused():
    with pytest.raises(SettingsError) as raised:
        make_settings({**TYPED, "workers": "9999999"})
    assert "3,400,000 GB" in str(raised.value)
    assert make_settings({**TYPED, "workers": "2"}).workers == "2"
    assert make_settings({**TYPED, "workers": "ray://[::1]:10001"}).workers == "ray://[::1]:10001"


@pytest.mark.parametrize("error", [socket.gaierror("Name or service not known"), UnicodeError("label empty")])
def test_a_cluster_whose_name_nobody_knows_is_a_mistake(monkeypatch, error):
    def unknown(*_):
        raise error

    monkeypatch.setitem(sys.modules, "ray", StartingRay(None))
    monkeypatch.setattr(ray_actors, "ENVIRONMENT", {})
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(SettingsError) as raised:
        ray_actors.RayWorkers("ray://a..b:1", Source)
    assert "name" in raised.value.cure


def test_several_workers_without_ray_name_the_cure(monkeypatch):
    monkeypatch.setattr(ray_actors, "find_spec", lambda name: None)
    with pytest.raises(SettingsError) as raised:
        make_settings({**TYPED, "workers": "2"})
    assert "pip install 'ontocrawl[ray]'" in raised.value.cure
    assert make_settings(TYPED).workers == "1"


class StartingRay:
    """A head of Ray that lets nobody in yet."""

    __spec__ = object()  # it is installed

    def __init__(self, said):
        self.said = said

    def init(self, *_, **__):
        raise self.said

    def shutdown(self):
        pass


class DeafRay(StartingRay):
    """A head of Ray, or another program, that does not understand."""

    def init(self, *_, **__):
        warnings.warn("Ray Client connection timed out. Ensure that the port is reachable", stacklevel=1)
        raise self.said


class SlowRay(StartingRay):
    """Starts, but no worker begins. Each attribute of an actor is the actor itself."""

    _private = SimpleNamespace(worker=SimpleNamespace())
    exceptions = SimpleNamespace(GetTimeoutError=TimeoutError, RayError=RuntimeError)

    def init(self, *_, **__):
        pass

    def remote(self, *_, **__):
        return self

    @property
    def ready(self):
        return self

    options = remote

    def get(self, *_, **__):
        raise self.said


def test_workers_too_many_to_begin_in_time_should_be_fewer(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", SlowRay(TimeoutError()))
    monkeypatch.setattr(ray_actors, "ENVIRONMENT", {})
    with pytest.raises(SettingsError) as raised:
        ray_actors.RayWorkers("40", Source)
    assert "fewer" in raised.value.cure


def test_a_wrong_port_or_secret_is_not_called_a_start(monkeypatch, recwarn):
    monkeypatch.setitem(sys.modules, "ray", DeafRay(ConnectionError("ray client connection timeout")))
    monkeypatch.setattr(ray_actors, "ENVIRONMENT", {})
    with socket.create_server(("127.0.0.1", 0)) as head, pytest.raises(SettingsError) as raised:
        ray_actors.RayWorkers(f"ray://127.0.0.1:{head.getsockname()[1]}", Source)
    assert "starting" not in str(raised.value)
    assert "RAY_AUTH_TOKEN" in raised.value.cure
    assert "10001" in raised.value.cure
    assert recwarn.list == []


def test_a_cluster_that_is_still_starting_is_called_so(monkeypatch):
    said = RuntimeError("Starting Ray client server failed. See ray_client_server_23000.err for detailed logs.")
    monkeypatch.setitem(sys.modules, "ray", StartingRay(said))
    monkeypatch.setattr(ray_actors, "ENVIRONMENT", {})
    with socket.create_server(("127.0.0.1", 0)) as head, pytest.raises(SettingsError) as raised:
        ray_actors.RayWorkers(f"ray://127.0.0.1:{head.getsockname()[1]}", Source)
    assert "the cluster is still starting" in str(raised.value)
    assert "wait a minute or two" in raised.value.cure


def test_a_machine_too_busy_for_ray_gets_a_clear_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", StartingRay(Exception("The current node timed out during startup.")))
    monkeypatch.setattr(ray_actors, "ENVIRONMENT", {})
    with pytest.raises(SettingsError) as raised:
        ray_actors.RayWorkers("2", Source)
    assert "timed out during startup" in str(raised.value)
    assert "busy" in raised.value.cure


@pytest.mark.slow
def test_one_worker_never_imports_ray():
    code = "import sys, cli.crawling.crawl, cli.main; sys.exit('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_a_mistake(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    cluster = ["--workers", f"ray://127.0.0.1:{port}"]
    process = start(tmp_path, "http://127.0.0.1:9", STRATEGY, MEMORY, ["http://a.org/"], also=cluster)
    assert process.wait() == 2
    assert "nothing answers there" in said(tmp_path)
    assert "wait a minute and run the same command again" in said(tmp_path)
