"""Runs work on other people's files in a child process, with limits on time and memory, and without the network.

A parser that does not end is killed, whatever library it is in. If the platform has no `resource` module (Windows),
only the time is limited.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import BinaryIO, TypeVar

from ontology.errors import OntologyError
from ontology.messages import message

Result = TypeVar("Result")

PATIENCE = 5
"""Wall-clock seconds for each second of processor time, for busy machines; chosen, not measured."""


def run_isolated(
    work: Callable[..., Result], arguments: tuple[object, ...], *, name: str, seconds: float, memory_mb: int
) -> Result:
    """Call `work(*arguments)` in a child process and return its result; everything must be picklable.

    Raises OntologyError if `work` does, or if it needs more than `seconds` of processor time, PATIENCE times as much by
    the clock, or `memory_mb` of address space. `name`: the file, for the message.
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
        what = message(
            "{name}: reading failed (exit {code}{said})",
            name=name,
            code=child.returncode,
            said=": " + said[0][:200] if said else "",
        )
        raise OntologyError(what, _SMALLER) from None
    if outcome == "memory":
        raise OntologyError(
            message(
                "{name}: reading needs more than {memory_mb} MB of memory and was stopped",
                name=name,
                memory_mb=memory_mb,
            ),
            _SMALLER,
        )
    if outcome == "depth":
        raise OntologyError(message("{name}: something in it is nested too deeply", name=name), _SMALLER)
    if outcome == "error":
        raise OntologyError(*value)
    result: Result = value
    return result


def _too_slow(name: str, seconds: float) -> OntologyError:
    return OntologyError(
        message("{name}: reading took more than {seconds:g} seconds and was stopped", name=name, seconds=seconds),
        _SMALLER,
    )


_NO_MEMORY = b"memory allocation of"
_SMALLER = message("split the file, or save only the part needed")


def _kill(child: "subprocess.Popen[bytes]") -> None:
    """End the child and the programs it started (Java); does nothing if it has ended."""
    if child.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
        child.communicate()


def main() -> None:
    """The child's main function: set limits, do the work, write the result as a pickle to the original standard
    output.
    """
    answer = own_output()
    limit_memory(int(sys.argv[1]))
    _limit_computing(int(sys.argv[2]))
    sys.addaudithook(_refuse_network)
    work, arguments = pickle.loads(sys.stdin.buffer.read())
    try:
        result: tuple[str, object] = ("value", work(*arguments))
    except OntologyError as error:
        result = ("error", (error.message, error.cure))
    except MemoryError:
        result = ("memory", None)
    except RecursionError:
        result = ("depth", None)
    with answer:
        pickle.dump(result, answer)


def child_environment() -> dict[str, str]:
    """This process's environment for a Python child that is to find the same modules; without the password of a
    store.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    return {**environment, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}


def own_output() -> BinaryIO:
    """Standard output, reserved for a child's answers: from now on the output of libraries goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def limit_memory(megabytes: int | None) -> None:
    """Limit this process's address space (MB), or lift the limit (None) for a program with limits of its own (Java)."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = hard if megabytes is None else megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextmanager
def unlimited_memory() -> Iterator[None]:
    """Lift the limit of this process's address space while something of its own is loaded. Afterwards as much is left
    as before.
    """
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)[0]
    left = (before >> 20) - address_space()
    limit_memory(None)
    try:
        yield
    finally:
        limit_memory(None if before == resource.RLIM_INFINITY else address_space() + left)


def _limit_computing(seconds: int) -> None:
    """Limit the processor time of this process and of each program it starts; the kernel ends it with SIGXCPU."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or seconds < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))


def address_space() -> int:
    """The address space that this process uses now, in MB; 1500 if there is no /proc."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 1500
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        raise PermissionError(f"an ontology is never read from the network: {arguments[:2]}")
