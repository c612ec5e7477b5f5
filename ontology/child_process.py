"""Work on other people's files in a child process, with limits on time and memory, and without the network.

A parser that runs wild is killed, whatever library it is in. Where the platform has no `resource` module (Windows)
only the time is limited.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import BinaryIO, TypeVar

from ontology.errors import OntologyError

Result = TypeVar("Result")

PATIENCE = 5
"""Wall clock for each second of computing: on a busy machine a file gets a fraction of a processor."""


def run_isolated(
    work: Callable[..., Result], arguments: tuple[object, ...], *, name: str, seconds: float, memory_mb: int
) -> Result:
    """Call `work(*arguments)` in a child process and return what it returns; all must be picklable.

    Raises OntologyError if `work` does, or if it needs more than `seconds` of computing, PATIENCE times as much of wall
    clock, or `memory_mb` of address space; `name` says in the message what was worked on.
    """
    limits = [str(memory_mb), str(ceil(seconds))]
    command = [sys.executable, "-P", "-c", "from ontology.child_process import main; main()", *limits]
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=child_environment(),
        start_new_session=True,
    )
    try:
        output, errors = child.communicate(pickle.dumps((work, arguments)), timeout=PATIENCE * seconds)
    except subprocess.TimeoutExpired:
        raise _too_slow(name, PATIENCE * seconds) from None
    finally:
        _kill(child)
    if child.returncode < 0 and -child.returncode == getattr(signal, "SIGXCPU", None):
        raise _too_slow(name, seconds)
    if _NO_MEMORY in errors:  # a parser in Rust ends the whole process
        output = pickle.dumps(("memory", None))
    try:
        outcome, value = pickle.loads(output)
    except EOFError:  # the child died, by its own bug or a parser's
        said = errors.decode(errors="replace").strip().splitlines()[-1:]
        what = f"{name}: reading broke down (exit {child.returncode}{': ' + said[0][:200] if said else ''})"
        raise OntologyError(what, _SMALLER) from None
    if outcome == "memory":
        raise OntologyError(f"{name}: reading needs more than {memory_mb} MB of memory and was stopped", _SMALLER)
    if outcome == "error":
        raise OntologyError(*value)
    result: Result = value
    return result


def _too_slow(name: str, seconds: float) -> OntologyError:
    return OntologyError(f"{name}: reading took more than {seconds:g} seconds and was stopped", _SMALLER)


_NO_MEMORY = b"memory allocation of"
_SMALLER = "split the file, or save only the part needed"


def _kill(child: "subprocess.Popen[bytes]") -> None:
    """End the child and what it started (Java); nothing happens if it has ended."""
    if child.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
        child.communicate()


def main() -> None:
    """Run in the child: limits first, then the work, then the result as a pickle on what was standard output."""
    answer = own_output()
    limit_memory(int(sys.argv[1]))
    _limit_computing(int(sys.argv[2]))
    sys.addaudithook(_refuse_network)
    work, arguments = pickle.loads(sys.stdin.buffer.read())
    try:
        result: tuple[str, object] = ("value", work(*arguments))
    except OntologyError as error:
        result = ("error", (str(error), error.cure))
    except MemoryError:
        result = ("memory", None)
    with answer:
        pickle.dump(result, answer)


def child_environment() -> dict[str, str]:
    """This process's environment, with which a Python child finds the same modules; without the store's password."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    return {**own, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}


def own_output() -> BinaryIO:
    """Standard output, for a child's answers alone: what libraries print goes to standard error from now on."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def limit_memory(megabytes: int | None) -> None:
    """Limit this process's address space, or lift the limit (None) for a program with limits of its own (Java)."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = hard if megabytes is None else megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _limit_computing(seconds: int) -> None:
    """Limit this process's time of computing, and that of each program it starts; the kernel ends it with SIGXCPU."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or seconds < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))


def address_space() -> int:
    """What this process has of it now, in megabytes; where no /proc tells, much."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 1500
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        raise PermissionError(f"an ontology is never read from the network: {arguments[:2]}")
