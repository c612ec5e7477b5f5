"""A real Neo4j 5.26 community server without Docker, for tests and benches. Maven brings the jars once."""

import contextlib
import hashlib
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.maven_jars import can_have_jars, maven_jars

VERSION = "5.26.30"
# The second has the entry point and the storage engine; the third is Neo4j Browser, the newest on Maven Central.
PARTS = (f"org.neo4j.app:neo4j-server:{VERSION}", f"org.neo4j:neo4j:{VERSION}", "org.neo4j.client:neo4j-browser:5.24.0")
NAME = f"neo4j-{VERSION}-browser"  # of the folder with the jars
START_SECONDS = 180.0
USER = "neo4j"
QUICK = ("-Xms128m", "-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # a quick start, for little work
# No statement is planned anew because the graph has grown or was emptied, as tests do all the time; no logs, and no
# space for transactions in advance. Measured: the tests of the record on Neo4j take 67 instead of 98 s of CPU.
SMALL = {
    "server.memory.pagecache.size": "128m",
    "dbms.cypher.statistics_divergence_threshold": "1",
    "dbms.cypher.min_replan_interval": "1h",
    "server.logs.debug.enabled": "false",
    "db.logs.query.enabled": "OFF",
    "db.tx_log.preallocate": "false",
}


@dataclass(frozen=True, slots=True)
class Server:
    uri: str
    password: str
    http: str = ""  # with Neo4j Browser at /browser/


def needed() -> str | None:
    """What is missing to run the server here, None if nothing is."""
    if shutil.which("java") is None:
        return "Java 17 or 21 for a real Neo4j server"
    return None if can_have_jars(NAME) else "Maven to bring a real Neo4j server"


@contextlib.contextmanager
def running(folder: Path, *, browser: bool = False, as_shipped: bool = False) -> Iterator[Server]:
    """A server with an empty database in `folder`, on free ports of 127.0.0.1, while the context lasts.

    `browser`: also Neo4j Browser. `as_shipped`: with the memory, collector and compilers that Neo4j chooses itself, for
    what is timed; otherwise with as little of them as tests need.
    """
    jars = maven_jars(NAME, PARTS)
    port, http = _free_port(), _free_port()
    page = f"http://127.0.0.1:{http}" if browser else ""
    server = Server(f"bolt://127.0.0.1:{port}", secrets.token_urlsafe(12), page)
    archive = _class_archive(jars)
    keeps = not as_shipped and os.environ.get("CI") != "true"  # a CI may keep no cache, and pay for it each time
    new = archive.with_suffix(f".{os.getpid()}") if keeps and not archive.exists() else None
    classes = f"-XX:ArchiveClassesAtExit={new}" if new else f"-XX:SharedArchiveFile={archive}"
    _write_home(folder, port, server.password, http if browser else 0, {} if as_shipped else SMALL)
    command = _command(folder, jars, () if as_shipped else (*QUICK, classes))
    with (folder / "out.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for awaited in (port, http) if browser else (port,):
            _wait(process, awaited, folder / "out.log")
        yield server
    finally:
        if new:
            process.terminate()  # it writes the archive at an end in order
            with contextlib.suppress(subprocess.TimeoutExpired, FileNotFoundError):
                process.wait(START_SECONDS)
                new.replace(archive)
        process.kill()  # nothing else in it is to be kept
        process.wait()


def _class_archive(jars: Path) -> Path:
    """Where this Java keeps the classes of the server as it has read them (JEP 350): 120 MB, beside the jars.

    The first server writes it when it ends, which takes 18 to 28 s of CPU. Measured: the next ones start with 6 instead
    of 11 s of CPU, and answer a first question with 1 instead of 3 s. Without the file Java reads the classes anew.
    """
    java = Path(shutil.which("java") or "java").resolve()
    made_by = hashlib.sha256(f"{java} {java.stat().st_mtime_ns}".encode()).hexdigest()[:16]
    return jars.parent / f"classes-{made_by}.jsa"


def _write_home(folder: Path, port: int, password: str, http: int, memory: Mapping[str, str]) -> None:
    settings = {**memory, "server.http.enabled": "false", "dbms.usage_report.enabled": "false"}
    settings |= {f"server.default_{kind}_address": "127.0.0.1" for kind in ("listen", "advertised")}
    for name, number in {"bolt": port, "http": http}.items():
        if number:
            settings |= {f"server.{name}.{kind}_address": f"127.0.0.1:{number}" for kind in ("listen", "advertised")}
    if http:
        settings |= {"server.http.enabled": "true", "client.allow_telemetry": "false"}
    (folder / "conf").mkdir(parents=True)
    (folder / "conf" / "neo4j.conf").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    (folder / "data" / "dbms").mkdir(parents=True)
    (folder / "data" / "dbms" / "auth.ini").write_text(_credential(password))


def _credential(password: str) -> str:
    """The line that `neo4j-admin dbms set-initial-password` would write: SHA-256, salted, 1024 times."""
    salt = secrets.token_bytes(32)
    digest = salt + password.encode()
    for _ in range(1024):
        digest = hashlib.sha256(digest).digest()
    return f"{USER}:SHA-256,{digest.hex()},{salt.hex()},1024:"


def _command(folder: Path, jars: Path, memory: Sequence[str]) -> list[str]:
    opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.nio", "java.io", "sun.nio.ch")]
    entry = ["org.neo4j.server.CommunityEntryPoint", f"--home-dir={folder}", f"--config-dir={folder / 'conf'}"]
    return ["java", *memory, *opened, "-cp", f"{jars}/*", *entry]


def _wait(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"Neo4j did not start: {log.read_text(errors='replace')[-2000:]}")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
