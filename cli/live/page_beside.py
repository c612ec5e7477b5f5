"""`ontocrawl crawl --dashboard PORT`: the page of `ontocrawl ui`, in a process of its own that ends with the crawl."""

import contextlib
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator

from cli.render.language import tr
from cli.render.terminal import say
from ontology.child_process import child_environment
from ontology.errors import SettingsError
from ontology.file_failures import why_refused

HERE = "127.0.0.1"
SECONDS = 5.0  # in which the page ends


def listening(port: int, option: str) -> socket.socket:
    """A socket at this port of this machine alone; 0: any that is free. Raises SettingsError if it is taken."""
    try:
        return socket.create_server((HERE, port))
    except OSError as error:
        cure = tr("give another port, or {option} 0 for any that is free", option=option)
        raise SettingsError(
            tr("{option} {port}: {why}", option=option, port=port, why=why_refused(error)), cure
        ) from error


def new_token() -> str:
    """What the address of a page ends with. Whoever has it may look and steer."""
    return secrets.token_urlsafe(24)


def address_at(listener: socket.socket, token: str) -> str:
    """The page's address. Browsers send what stands after # to no server."""
    return f"http://{HERE}:{listener.getsockname()[1]}/#{token}"


def this_program(*words: str) -> list[str]:
    """The command of a process that runs `ontocrawl WORDS`, in the environment `child_environment`."""
    return [sys.executable, "-P", "-c", "from cli.main import main; main()", *words]


@contextlib.contextmanager
def page_beside(listener: socket.socket, store: str) -> Iterator[None]:
    """Show the crawl of this store at this socket, and say where, until the block ends or this process dies."""
    token = new_token()
    address = address_at(listener, token)
    child = subprocess.Popen(
        this_program("ui", "--store", store, "--beside", str(listener.fileno())),
        stdin=subprocess.PIPE,
        pass_fds=[listener.fileno()],
        env=child_environment(),
        start_new_session=True,
    )
    assert child.stdin is not None, "it was asked for"
    try:
        with contextlib.suppress(BrokenPipeError):  # it has said why it ended
            child.stdin.write(f"{token}\n".encode())
            child.stdin.flush()
        listener.close()
        say(tr("dashboard: {address}", address=address))
        yield
    finally:
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(SECONDS)
        child.kill()
        child.wait()
