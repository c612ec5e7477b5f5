"""Workers as actors of Ray (https://docs.ray.io): on this machine, or on a cluster that runs already.

Ray places them, begins them again where they die, also on another machine, and carries calls and answers. Each actor
takes one CPU of Ray's count.

- On this machine Ray is started for the crawl and ended with it. Its ports are open to all interfaces whatever it is
  told, so a random token is required of everybody (`RAY_AUTH_MODE`). It reports nothing to its makers.
- The head may be lost: its machine, or the program that keeps Ray's own records. Ray would end this process after a
  minute. So its port is tried every `LOOK_SECONDS`, and the crawl ends in order if it stays closed for `LOST_SECONDS`.
- Workers give figures to Ray's metrics. Ray drops them on a machine on which only `ray`, not `ray[default]`, is
  installed.
"""

import asyncio
import atexit
import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from crawler.cluster.worker import Worker, code_version
from crawler.cluster.workers_source import CURE, WorkerAway
from crawler.ports import Source
from ontology.errors import CrawlBroken, OntocrawlError, SettingsError
from ontology.messages import joined, message

INSTALL = message(
    "install it: pip install 'ontocrawl[ray]', or pipx inject ontocrawl 'ray[client]'; or leave --workers out"
)
LOST = message("the head of the Ray cluster does not answer")
CLUSTER = "ray://"
# What Ray says (util/client/worker.py and server/proxier.py) while its head cannot begin a process for a client yet.
STARTING = ("client server failed", "Server startup failed", "Connect to backend")
# What it says of a head that is starting, too, and of a wrong port or secret: it does not look at what it is answered.
NOT_LET_IN = "client connection timeout"
AGAIN = message("wait a minute or two, and run the same command again; if it stays so, see docs/clusters.md")
PORT_OR_SECRET = message(
    "is it the head's port for crawls (--ray-client-server-port, 10001 unless given; not 6379 or 8265), and is the "
    "cluster's secret here, too (RAY_AUTH_TOKEN, or the file ~/.ray/auth_token)? If the head was started just now, "
    "wait a minute or two and run the same command again"
)
BUSY = message("if the machine is very busy, wait and run the same command again; or give fewer workers")
IN_USE = message("is another program using the cluster? see: ray status")
START_SECONDS = 60.0  # for all workers to begin; measured: 2 on one machine need 1 to 4
CALL_SECONDS = 600.0  # for one answer: a slow request (30), readings (60 each), pages rendered before it (127 each)
ENTRIES = 3  # tries to enter a cluster; chosen, not measured
REACH_SECONDS = 5.0  # to open the cluster's port; chosen, not measured
CLOSE_SECONDS = 10.0  # for a worker to finish its files; chosen, not measured
LOOK_SECONDS, LOST_SECONDS = 1.0, 15.0  # a head that keeps its records in Redis is back sooner; chosen, not measured
WORKER_BYTES = 340e6  # of memory of a worker with its reading process; measured: docs/clusters.md
OBJECT_BYTES = 256 * 2**20  # of memory for answers above 100 kB on their way; chosen, not measured
# Where Ray listens on this machine. Given 127.0.0.1 it would take the address on the network, which a laptop changes.
HERE = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
TOKEN = Path.home() / ".ray" / "auth_token"  # where Ray keeps it
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "600",  # after which Ray ends this process
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # the coming behaviour, and no warning of it
}
# Figures by the names under which Prometheus has them, without `ray_ontocrawl_`, and what it says of them.
SUMS = {
    "answers": "Requests that have ended, by outcome (page, unreadable, other, failed, refused) and kind.",
    "received_bytes": "Bytes of the bodies of answers, decompressed.",
    "request_seconds": "Durations of requests.",
    "reading_seconds": "Times from a page's arrival until it was read.",
}
STATES = {
    "requests_under_way": "Requests of a worker that have not ended, pages being read included.",
    "crawl_pages": "Pages of the crawl.",
    "crawl_on_topic": "Pages on topic.",
    "crawl_errors": "Requests of the crawl that have failed.",
    "crawl_waiting_links": "Links that wait.",
    "crawl_pages_per_second": "Pages per second, of this run.",
}
TAGS = {"answers": ("outcome", "kind")}


def check_ray() -> None:
    """Raise SettingsError where Ray is not installed."""
    if find_spec("ray") is None or find_spec("grpc") is None:
        raise SettingsError("several workers need Ray, which is not installed", INSTALL)


def check_memory(number: int) -> None:
    """Raise SettingsError where this machine has not the memory for so many workers."""
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if number * WORKER_BYTES > there:
        raise SettingsError(
            message(
                "--workers {number} would need {need:,.0f} GB of memory, and this machine has {there:,.0f}",
                number=number,
                need=number * WORKER_BYTES / 1e9,
                there=there / 1e9,
            ),
            message(
                "give a few: more than one for each of the {cores} cores help only where the network is waited for",
                cores=os.cpu_count() or 1,
            ),
        )


class RayFigures:
    """The figures of one worker in Ray's metrics; see `crawler.cluster.worker.Figures`."""

    def __init__(self) -> None:
        from ray.util.metrics import Counter, Gauge

        self._sums = {name: Counter(f"ontocrawl_{name}", text, TAGS.get(name)) for name, text in SUMS.items()}
        self._states = {name: Gauge(f"ontocrawl_{name}", text) for name, text in STATES.items()}

    def count(self, name: str, by: float = 1.0, **tags: str) -> None:
        """Add to a sum of `SUMS`."""
        if by > 0:  # Ray refuses 0
            self._sums[name].inc(by, tags)

    def show(self, name: str, value: float) -> None:
        """Show this value of `STATES` instead of the last one."""
        self._states[name].set(value)


class RayWorkers:
    """The running actors of one crawl; see `crawler.cluster.workers_source.Workers`.

    `words`: their number on this machine, or the address of a cluster (ray://HOST:PORT), of which every CPU gets one.
    `make`: makes the source in each of them. Raises SettingsError if they cannot be started.
    """

    def __init__(self, words: str, make: Callable[[], Source]) -> None:
        check_ray()
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        ray = _connected(words)
        self._ray = ray
        self._is_remote = words.startswith(CLUSTER)
        size = int(words) if words.isdecimal() else int(ray.cluster_resources().get("CPU", 0))
        try:
            actor = ray.remote(_actor_class()).options(num_cpus=1, max_restarts=-1, scheduling_strategy="SPREAD")
            self._begin = partial(actor.remote, make, RayFigures)
            self._actors = [self._begin() for _ in range(size)]
            self._check_started(self._actors)
            address = words if self._is_remote else f"//{ray.get_runtime_context().gcs_address}"
        except BaseException:
            ray.shutdown()
            raise
        self._head = urlsplit(address)
        self._lost: asyncio.Future[None] | None = None
        self._look: asyncio.Task[None] | None = None

    @property
    def size(self) -> int:
        """The number of workers."""
        return len(self._actors)

    async def grow(self) -> None:
        """Begin a worker for each CPU that a running cluster has got since. Raises SettingsError if they cannot begin,
        and WorkerAway if the cluster does not answer.
        """
        if self._is_remote:
            await asyncio.get_running_loop().run_in_executor(None, self._grow)

    def _grow(self) -> None:
        try:
            there = int(self._ray.cluster_resources().get("CPU", 0))
            more = [self._begin() for _ in range(self.size, there)]
        except Exception as error:  # of no kind of its own where Ray's client has lost the cluster
            raise WorkerAway(str(error)) from error
        if not more:
            return
        try:
            self._check_started(more)
        except SettingsError:
            for actor in more:
                self._ray.kill(actor)
            raise
        self._actors += more

    def _check_started(self, actors: Sequence[Any]) -> None:
        cure = message(
            "install the same program on every machine: pip install 'ontocrawl[ray]=={version}'", version=code_version()
        )
        if not actors:
            raise SettingsError("the cluster has no CPU for a worker", "see: ray status")
        try:
            versions = set(self._ray.get([actor.ready.remote() for actor in actors], timeout=START_SECONDS))
        except self._ray.exceptions.GetTimeoutError:
            text = message(
                "{number} workers did not begin within {seconds:g} s", number=len(actors), seconds=START_SECONDS
            )
            raise SettingsError(text, IN_USE if self._is_remote else BUSY) from None
        except self._ray.exceptions.RayError as error:
            last = str(error).strip().rpartition("\n")[2]
            raise SettingsError(message("the workers cannot begin: {why}", why=last), cure) from None
        if versions != {code_version()}:
            there = joined(sorted(versions))
            text = message("ontocrawl {version} here, {there} on the cluster", version=code_version(), there=there)
            raise SettingsError(text, cure)

    async def ask(self, number: int, method: str, *args: Any) -> Any:
        """Call a method of a worker. Raises WorkerAway, CrawlBroken if the cluster is lost, and what the method raises
        as an OntocrawlError.
        """
        lost = self._watched()
        if lost.done():
            raise CrawlBroken(LOST, CURE)
        exceptions = self._ray.exceptions
        try:
            answer = self._begun(number, method, *args)
            answer.add_done_callback(_looked_at)  # it may be waited for no more by then
            await asyncio.wait({answer, lost}, timeout=CALL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
        except exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, OntocrawlError) else error) from None
        except (exceptions.RayError, ConnectionError) as error:
            raise WorkerAway(str(error)) from error
        if lost.done():
            raise CrawlBroken(LOST, CURE)
        raise WorkerAway(f"no answer for {CALL_SECONDS:g} s")

    def _begun(self, number: int, method: str, *args: Any) -> asyncio.Future[Any]:
        """A call on its way. Raises CrawlBroken where Ray's client has given the cluster up."""
        try:
            return asyncio.wrap_future(getattr(self._actors[number], method).remote(*args).future())
        except Exception as error:
            if not self._is_remote or isinstance(error, self._ray.exceptions.RayError):
                raise
            raise CrawlBroken(LOST, CURE) from error  # the client raises an Exception of no kind of its own

    async def close(self) -> None:
        """End the actors, and Ray where it was started here."""
        if self._look is not None:
            self._look.cancel()
        if self._lost is not None and self._lost.done():
            # Without it the process would end by a signal; with it, it may wait for the head for ever.
            ending = threading.Thread(target=self._ray.shutdown, daemon=True)
            ending.start()
            await asyncio.get_running_loop().run_in_executor(None, ending.join, CLOSE_SECONDS)
            atexit.unregister(self._ray.shutdown)
            return
        with contextlib.suppress(CrawlBroken):
            closing = [self._begun(number, "close") for number in range(self.size)]
            for one in closing:
                one.add_done_callback(_looked_at)
            await asyncio.wait(closing, timeout=CLOSE_SECONDS)
        await asyncio.get_running_loop().run_in_executor(None, self._ray.shutdown)

    def _watched(self) -> asyncio.Future[None]:
        """Done once the head is lost."""
        if self._lost is None:
            self._lost = asyncio.get_running_loop().create_future()
            self._look = asyncio.create_task(self._watch(self._lost))
        return self._lost

    async def _watch(self, lost: asyncio.Future[None]) -> None:
        closed = 0.0
        while closed < LOST_SECONDS:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    _, stream = await asyncio.open_connection(self._head.hostname, self._head.port)
                stream.close()
                closed = 0.0
            except OSError:  # a time-out is one, too
                closed += LOOK_SECONDS
        lost.set_result(None)


def _actor_class() -> type[Worker]:
    """The class of the workers. No module has it, so Ray sends it itself, with the names of its base classes: another
    machine imports `ontocrawl` first, which lets it find our packages, wherever they are installed there.
    """
    from ontocrawl import PackagesFirst

    return type(Worker.__name__, (PackagesFirst, Worker), {})


def _connected(words: str) -> Any:
    """The module `ray`, connected. Raises SettingsError if it cannot be."""
    # Before Ray is imported, since it reads them then.
    if words.isdecimal():
        os.environ["RAY_AUTH_MODE"], os.environ["RAY_AUTH_TOKEN"] = "token", secrets.token_hex(16)
    elif "RAY_AUTH_TOKEN" in os.environ or "RAY_AUTH_TOKEN_PATH" in os.environ or TOKEN.exists():
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    import ray

    if words.startswith(CLUSTER):
        _check_port(words)
    before = signal.getsignal(signal.SIGTERM)
    try:
        if words.isdecimal():
            # Ray puts the current folder before all others from which the workers import.
            with contextlib.chdir(Path(__file__).parents[2]):
                ray.init(
                    "local",
                    num_cpus=int(words),
                    _node_ip_address=HERE,
                    include_dashboard=False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    object_store_memory=OBJECT_BYTES,
                )
        else:
            _enter_cluster(ray, words)
    except Exception as error:  # a node that does not start within 30 s raises nothing more special
        last = str(error).strip().rpartition("\n")[2]
        if any(said in str(error) for said in STARTING):
            raise SettingsError(
                message("--workers {words}: the cluster is still starting", words=words), AGAIN
            ) from error
        if NOT_LET_IN in str(error):
            raise SettingsError(
                message("--workers {words}: something answers there, but lets no crawl in", words=words), PORT_OR_SECRET
            ) from error
        if words.isdecimal():
            raise SettingsError(
                message("--workers {words}: Ray does not start: {why}", words=words, why=last), BUSY
            ) from error
        cure = message("see that it runs (ray status on its head), with the same versions of Ray and Python as here")
        raise SettingsError(
            message("--workers {words}: Ray cannot be reached: {why}", words=words, why=last), cure
        ) from error
    finally:
        signal.signal(signal.SIGTERM, before)
    # A thread of Ray prints the deaths of workers to standard output, where the crawl's result belongs, and has no
    # setting against it. The user is told of them by `crawler.cluster.workers_source`.
    ray._private.worker.print_to_stdstream = lambda *_, **__: None
    return ray


def _check_port(words: str) -> None:
    """Raise SettingsError where nothing listens; Ray itself would try for half a minute."""
    head = urlsplit(words)
    try:
        socket.create_connection((head.hostname, head.port), REACH_SECONDS).close()
    except (socket.gaierror, UnicodeError) as error:  # the latter of a name that no machine can have
        raise SettingsError(
            message("--workers {words}: no machine is known by this name", words=words),
            "is the name right? The machine's IP address will do as well",
        ) from error
    except OSError as error:
        raise SettingsError(
            message("--workers {words}: nothing answers there", words=words),
            "is the address right, and does the cluster run (ray status on its head)? If it was started just now, wait "
            "a minute and run the same command again",
        ) from error


def _enter_cluster(ray: Any, words: str) -> None:
    """Connect to a running cluster. Its head starts a process for each client; on two cores one in four never began
    (measured), and Ray gives up after half a minute. So this tries again.
    """
    warnings.filterwarnings("ignore", "Ray Client connection timed out")  # it is told as an error
    for tries in range(ENTRIES, 0, -1):
        try:
            ray.init(words, log_to_driver=False, logging_level=logging.ERROR)
            return
        except RuntimeError as error:
            if tries == 1 or "client server failed" not in str(error):
                raise
            ray.shutdown()


def _looked_at(answer: asyncio.Future[Any]) -> None:
    """Asyncio prints exceptions that nobody has looked at."""
    if not answer.cancelled():
        answer.exception()
